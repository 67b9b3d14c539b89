"""What can be wrong with an input before anybody looks at what it says: LS00xx."""

from __future__ import annotations

from mcp_lockstep.findings import Code

NOT_UTF8 = Code(
    "LS0001",
    "not-utf8",
    "error",
    "The file is not UTF-8 text.",
    "Files are read as UTF-8 on every machine, with or without a byte order mark. Save the file as UTF-8.",
    exit=2,
)
NOT_JSON = Code(
    "LS0002",
    "not-json",
    "error",
    "The file is not JSON.",
    "JSON has no comments, no trailing commas, and double quotes only. Mend the file at the place named.",
    exit=2,
)
NOT_TOML = Code(
    "LS0003",
    "not-toml",
    "error",
    "The file is not TOML.",
    "Mend the file at the place named; nothing in it can be read until then.",
    exit=2,
)
DUPLICATE_KEY = Code(
    "LS0004",
    "duplicate-key",
    "error",
    "A key stands twice in the same object or table.",
    "Readers disagree about which of the two counts, so neither does here. Remove one of them.",
    exit=2,
)
NESTED_TOO_DEEP = Code(
    "LS0005",
    "nested-too-deep",
    "error",
    "Arrays and objects are nested deeper than 200 levels.",
    "No manifest or tool schema needs such depth, and other readers give up long before it.",
    exit=2,
)
NUMBER_NOT_JSON = Code(
    "LS0006",
    "number-not-json",
    "error",
    "NaN and Infinity are not JSON.",
    "Some writers emit them, most readers refuse them. Write null, a string or a finite number.",
    exit=2,
)
NUMBER_OUT_OF_RANGE = Code(
    "LS0007",
    "number-out-of-range",
    "error",
    "A number is too large to be read.",
    "A float beyond 1.8e308 would become infinity; Python refuses an integer of thousands of digits.",
    exit=2,
)
LONE_SURROGATE = Code(
    "LS0008",
    "lone-surrogate",
    "error",
    "A string holds half of a surrogate pair.",
    "Such a string cannot be stored as UTF-8 or sent over the wire. Write the whole character.",
    exit=2,
)
FILE_TOO_LARGE = Code(
    "LS0010",
    "file-too-large",
    "error",
    "The file is larger than 10 MB.",
    "Files that repeat facts about a server are small; a larger one is hardly the file that was meant.",
    exit=2,
)
FILE_MISSING = Code(
    "LS0011",
    "file-missing",
    "error",
    "A file that is named or needed is not there.",
    "Create it, or correct the name where it is mentioned.",
    exit=2,
)
FILE_IS_FOLDER = Code(
    "LS0012",
    "file-is-folder",
    "error",
    "A folder stands where a file is expected.",
    "Move the folder away, or correct the name where it is mentioned.",
    exit=2,
)
FILE_OUTSIDE_PROJECT = Code(
    "LS0013",
    "file-outside-project",
    "error",
    "A path or symbolic link leads out of the project.",
    "Only files inside the project are read and written; a checkout cannot reach the rest of the machine.",
    exit=2,
)
FILE_UNREADABLE = Code(
    "LS0014",
    "file-unreadable",
    "error",
    "The file cannot be read.",
    "The operating system refused it; look at its permissions and at its kind.",
    exit=2,
)
GIT_UNREADABLE = Code(
    "LS0015",
    "git-revision-unreadable",
    "error",
    "A revision cannot be read from git.",
    "The revision must be known to the clone (a shallow one knows few: fetch more), and git must be installed. "
    "In `git:REV:PATH` REV is a commit, a tag or a branch, and PATH is seen from the folder that the command runs in.",
    exit=2,
)
OTHER_KIND = Code(
    "LS0016",
    "other-kind-of-file",
    "error",
    "The file is of another kind than the one that is wanted.",
    "A server.json describes one server. Lists of a registry, manifests of bundles, configurations of clients, "
    "contracts and files of npm are JSON, too, and say something else. Nothing is made of them by guessing.",
    exit=2,
)
NOTHING_HERE = Code(
    "LS0017",
    "nothing-to-check",
    "error",
    "There is no project where one was to be checked.",
    "A project has a pyproject.toml, a server.json or an mcp-lockstep.toml. A gate that looks at nothing would always "
    "be open: name the folder of the project; `-r` looks below it, and `check dist/*` judges what was built.",
    exit=2,
)
