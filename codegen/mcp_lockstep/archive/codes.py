"""What can be wrong with a wheel, an sdist or a bundle before anybody looks at what it says: LS61xx."""

from __future__ import annotations

from mcp_lockstep.findings import Code

ARCHIVE_DAMAGED = Code(
    "LS6101",
    "archive-damaged",
    "error",
    "A wheel, an sdist or a bundle cannot be read: it is cut off, damaged or no archive at all.",
    "Wheels and bundles are zip files, an sdist is a gzipped tar file. Build it again, and do not upload this one.",
    exit=2,
)
ARCHIVE_TOO_LARGE = Code(
    "LS6102",
    "archive-too-large",
    "error",
    "A wheel, an sdist or a bundle, or a file in it that has to be read, is larger than any of a server is.",
    "Reading stops at 1 GB unpacked, 100,000 members, and 10 MB for each file that says something about the package. "
    "An archive of a few kilobytes that unpacks to gigabytes is an attack on whoever installs it.",
)
MEMBER_ENCRYPTED = Code(
    "LS6103",
    "member-encrypted",
    "error",
    "A member of a wheel or a bundle is encrypted.",
    "Installers have no password. Build again.",
)
MEMBER_PACKED = Code(
    "LS6110",
    "member-packed",
    "error",
    "A member of a wheel or a bundle is packed in a way that installers do not know.",
    "They are stored or deflated; nothing else can be installed everywhere. Build again.",
)
MEMBER_OUTSIDE = Code(
    "LS6104",
    "member-outside",
    "error",
    "The name of a member leads out of the folder that the archive is unpacked into.",
    "Absolute paths, drives, backslashes and `..` make an installer write where it must not; indexes refuse them.",
)
MEMBER_TWICE = Code(
    "LS6105",
    "member-twice",
    "error",
    "Two members of an archive have the same name, be one a file and the other a folder.",
    "Readers disagree about which of the two counts, so what was checked may not be what is installed. In an sdist the "
    "same contents twice are no fault (hatchling packs `PKG-INFO` so when it builds from an unpacked sdist); no index "
    "takes a wheel with them.",
)
MEMBER_NO_FILE = Code(
    "LS6106",
    "member-no-file",
    "error",
    "A member is neither a file nor a folder, or a link that leads out of the archive.",
    "Wheels and bundles hold files only; an sdist may hold links inside itself. Devices and pipes have no place in "
    "any of them.",
)
ARCHIVE_UNKNOWN = Code(
    "LS6107",
    "archive-unknown",
    "error",
    "A file that was named is no wheel, sdist or bundle.",
    "Wheels end in `.whl`, sdists in `.tar.gz`, bundles in `.mcpb`; a project is named by its folder. Beside one of "
    "them any other file is passed over, so that `check dist/*` is right for a folder with signatures and checksums.",
    exit=2,
)
FILES_PASSED_OVER = Code(
    "LS6109",
    "files-passed-over",
    "note",
    "Files that are no wheel, sdist or bundle were named beside artefacts, and were not judged.",
    "Signatures, attestations and checksums lie in the same folder, so `check dist/*` names them too. An "
    "sdist that is packed otherwise (`.zip`, `.tar.bz2`) is not read: build a `.tar.gz`.",
)
MEMBER_ASTRAY = Code(
    "LS6108",
    "member-astray",
    "error",
    "A member of an sdist stands outside the one folder that an sdist has.",
    "Everything in `NAME-VERSION.tar.gz` lies below `NAME-VERSION/`; installers look nowhere else.",
)

CODES = (
    ARCHIVE_DAMAGED,
    ARCHIVE_TOO_LARGE,
    MEMBER_ENCRYPTED,
    MEMBER_OUTSIDE,
    MEMBER_TWICE,
    MEMBER_NO_FILE,
    ARCHIVE_UNKNOWN,
    MEMBER_ASTRAY,
    FILES_PASSED_OVER,
    MEMBER_PACKED,
)
