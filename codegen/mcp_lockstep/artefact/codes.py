"""What can be wrong with what a wheel, an sdist or a bundle says: LS62xx."""

from __future__ import annotations

from mcp_lockstep.findings import Code

FILE_NAME_INVALID = Code(
    "LS6201",
    "artefact-file-name",
    "error",
    "The name of the file is none that a wheel or an sdist has.",
    "Wheels are called `NAME-VERSION-PYTHON-ABI-PLATFORM.whl`, sdists `NAME-VERSION.tar.gz`. Installers and indexes "
    "read name and version from there: give the file back the name that the build gave it.",
)
METADATA_MISSING = Code(
    "LS6202",
    "artefact-metadata-missing",
    "error",
    "A file with metadata is missing, or says no name or no version.",
    "A wheel has `METADATA` and `WHEEL` in `NAME-VERSION.dist-info`, an sdist has `NAME-VERSION/PKG-INFO`, a bundle "
    "`manifest.json` in its root; what installs them refuses one without. Build again.",
)
NAME_DIFFERS = Code(
    "LS6203",
    "artefact-name-differs",
    "error",
    "The metadata names another package than the file name, or than server.json.",
    "Clients install what server.json names as `identifier`. Where the project is right, build again.",
)
VERSION_DIFFERS = Code(
    "LS6204",
    "artefact-version-differs",
    "error",
    "The metadata has another version than the file name, or than server.json.",
    "What server.json names has to be what is uploaded. Bring the project in step with `mcp-lockstep sync`, then "
    "build again; where a release job sets the version, `mcp-lockstep render` writes the server.json to publish.",
)
MANIFEST_DIFFERS = Code(
    "LS6205",
    "artefact-manifest-differs",
    "error",
    "The server.json inside is not the one that the project would publish for this version.",
    "The artefact was built before server.json was changed, or without the build hook. Build again.",
)
MANIFEST_ABSENT = Code(
    "LS6206",
    "artefact-manifest-absent",
    "note",
    "There is no server.json inside.",
    "Nothing needs one there to run. The build hook puts it in (`mcp/server.json` beside METADATA in a wheel, the root "
    "of an sdist), so that whoever has the package can tell what was published with it.",
)
MANIFEST_TEMPLATE = Code(
    "LS6207",
    "artefact-manifest-template",
    "note",
    "The server.json inside is the template in the repository, not the one to publish.",
    "Build backends copy the file as it is. The build hook puts the rendered one in its place.",
)
VERSION_LOCAL = Code(
    "LS6208",
    "artefact-version-local",
    "error",
    "The version has a local part, which no public index takes.",
    "`1.2.0+g1a2b3c4` comes from a checkout that is not the tagged one. Build from the tag, with all of its history "
    "and without changed files. For an index of your own: `ignore = { artefact-version-local = ... }`.",
)
METADATA_TWICE = Code(
    "LS6210",
    "artefact-metadata-twice",
    "error",
    "A wheel has several folders with metadata, or the metadata has several names or versions.",
    "Installers look for the one `NAME-VERSION.dist-info` and refuse a wheel that has another beside it. A package "
    "that was copied into the project with its metadata, or a build folder that was not cleaned, leaves one behind. Of "
    "a field that stands twice, readers disagree about which counts.",
)
RECORD_DIFFERS = Code(
    "LS6209",
    "artefact-record-differs",
    "error",
    "A file in a wheel is not the one that its RECORD describes, or RECORD describes none.",
    "Somebody changed the wheel after it was built; installers that check it refuse it. Build again.",
)
MODULE_MISSING = Code(
    "LS6211",
    "artefact-module-missing",
    "error",
    "A wheel lacks the module that its console script calls, or a bundle the file that it starts.",
    "Clients start that script, and Python will not find what it calls: the package was not packed, or the entry point "
    "has another spelling. Look at which packages the build backend takes. A warning only where the whole package is "
    "not in the wheel and another package that the wheel requires may bring it.",
)
TAG_DIFFERS = Code(
    "LS6212",
    "artefact-tag-differs",
    "error",
    "The tag of the release ends with another version than what was built.",
    "Uploads cannot be taken back, and people look for 1.3.0 where the tag says so. Set the version before you tag; "
    "a tag that ends with no version is not looked at. For tags that count something else: "
    "`ignore = { artefact-tag-differs = ... }`.",
)
HASH_DIFFERS = Code(
    "LS6213",
    "artefact-hash-differs",
    "error",
    "A bundle is not the file that server.json gives the hash of.",
    "Clients compare `fileSha256` with what they downloaded, and do not install another file. No two packings need be "
    "the same byte for byte: write the hash of the very file that is uploaded (`sha256sum FILE`).",
)

CODES = (
    FILE_NAME_INVALID,
    METADATA_MISSING,
    NAME_DIFFERS,
    VERSION_DIFFERS,
    MANIFEST_DIFFERS,
    MANIFEST_ABSENT,
    MANIFEST_TEMPLATE,
    VERSION_LOCAL,
    RECORD_DIFFERS,
    METADATA_TWICE,
    MODULE_MISSING,
    TAG_DIFFERS,
    HASH_DIFFERS,
)
