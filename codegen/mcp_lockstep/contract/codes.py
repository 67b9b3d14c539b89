"""What can be wrong with a contract or with its sources: LS30xx; what targets cannot send: LS31xx."""

from __future__ import annotations

from mcp_lockstep.findings import Code

SOURCE_UNKNOWN = Code(
    "LS3001",
    "source-unknown",
    "error",
    "A SOURCE says neither what a server promises nor what it is called.",
    "A SOURCE is a JSON object with `tools`, an array of tools, a folder of files with one tool each, a "
    "server.json or a list of a registry.",
    exit=2,
)
SOURCE_UNSUPPORTED = Code(
    "LS3002",
    "source-unsupported",
    "error",
    "Running servers cannot be read by this version.",
    "Save what the server answers to `tools/list` as a file, the other lists in it under their names, "
    "and give that file.",
    exit=2,
)
SOURCE_AMBIGUOUS = Code(
    "LS3003",
    "source-ambiguous",
    "error",
    "A list of a registry holds several servers.",
    "Say which one is meant with `--name NAMESPACE/NAME`.",
    exit=2,
)
SOURCES_DISAGREE = Code(
    "LS3004",
    "sources-disagree",
    "warning",
    "Two SOURCES name the server differently.",
    "The one that was given first is taken.",
)
LIST_REFUSED = Code(
    "LS3005",
    "list-refused",
    "note",
    "The server that was asked for a list answered with an error.",
    "The list is taken to be empty.",
)
CONTRACT_EMPTY = Code(
    "LS3006",
    "contract-empty",
    "warning",
    "The contract promises nothing: no tool, no resource, no prompt.",
    "Add a tool: an object with `name`, `description` and `inputSchema`.",
)
KEY_MISSING = Code(
    "LS3010",
    "contract-key-missing",
    "error",
    "An item of the contract lacks something that every client needs.",
    "A tool has `name` and `inputSchema`, a prompt `name`, a resource `name` and `uri`, a resource template "
    "`name` and `uriTemplate`.",
    exit=2,
)
WRONG_TYPE = Code(
    "LS3011",
    "contract-wrong-type",
    "error",
    "A value of the contract is of another type than the protocol gives it.",
    "Clients refuse the whole list for one such value.",
    exit=2,
)
NAME_TWICE = Code(
    "LS3012",
    "contract-name-twice",
    "error",
    "Two items of one list have the same name or address.",
    "A call could mean either, and SDKs pick one without a word. Rename or remove one of them.",
    exit=2,
)
NAMES_ALIKE = Code(
    "LS3013",
    "contract-names-alike",
    "warning",
    "The names of two tools differ in case or punctuation only.",
    "Models mix such names up, and some clients make them equal.",
)
NAME_UNSAFE = Code(
    "LS3014",
    "contract-name-unsafe",
    "error",
    "A name holds a path that leads upwards, an invisible character, or nothing.",
    "Names end up in file names, logs and prompts. Use letters, digits, `_`, `-` and `.`.",
    exit=2,
)
NAME_UNUSUAL = Code(
    "LS3015",
    "contract-name-unusual",
    "warning",
    "The name of a tool has more than 128 characters, or others than A-Z a-z 0-9 _ - and the full stop.",
    "It is published as it is, but some clients refuse it.",
)
REFERENCE_REMOTE = Code(
    "LS3020",
    "reference-remote",
    "error",
    "A schema refers to another document.",
    "Nothing is fetched, here or by clients. Copy the schema under `$defs` and refer to it there.",
    exit=2,
)
REFERENCE_DANGLING = Code(
    "LS3021",
    "reference-dangling",
    "error",
    "A schema refers to a part of itself that is not there.",
    "Add the definition, or correct the reference.",
    exit=2,
)
DIALECT_UNKNOWN = Code(
    "LS3022",
    "dialect-unknown",
    "warning",
    "`$schema` names no published dialect of JSON Schema.",
    "The schema is read as draft 2020-12, which is also what clients take where there is no `$schema`.",
)
TARGET_DROPS = Code(
    "LS3101",
    "target-drops",
    "warning",
    "The SDK of the server does not send a part of the contract.",
    "Clients get the list without it. Remove it from the contract, or choose a target that sends it.",
)
TARGET_REFUSES = Code(
    "LS3102",
    "target-refuses",
    "error",
    "The SDK of the server cannot list a tool.",
    "One such tool would make the whole list fail, so it stays unregistered until its schema is mended.",
)
RESOURCE_UNMATCHABLE = Code(
    "LS3103",
    "resource-template-unmatchable",
    "error",
    "The SDK of the server cannot tell which values an address has under a resource template.",
    "The template is listed as it is, but there is no function for it and reading fails. Give every variable a name "
    "of its own and a literal in front of the next one, and leave out `:3`, and `*` after plain variables.",
)

CODES = (
    SOURCE_UNKNOWN,
    SOURCE_UNSUPPORTED,
    SOURCE_AMBIGUOUS,
    SOURCES_DISAGREE,
    LIST_REFUSED,
    CONTRACT_EMPTY,
    KEY_MISSING,
    WRONG_TYPE,
    NAME_TWICE,
    NAMES_ALIKE,
    NAME_UNSAFE,
    NAME_UNUSUAL,
    REFERENCE_REMOTE,
    REFERENCE_DANGLING,
    DIALECT_UNKNOWN,
    TARGET_DROPS,
    TARGET_REFUSES,
    RESOURCE_UNMATCHABLE,
)
