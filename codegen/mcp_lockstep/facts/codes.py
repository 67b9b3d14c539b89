"""The codes of facts: `LS1`, two digits of the fact's row, one of the verdict."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_lockstep.facts.table import ROWS, Fact
from mcp_lockstep.findings import Code

DRIFT, BEHIND, CHANGED_HERE, APART = 1, 2, 3, 4

_VERDICTS: Mapping[int, tuple[str, str]] = {
    DRIFT: ("drift", "The {words} differs from what its owner says, and no earlier agreement is recorded."),
    BEHIND: ("behind", "The {words} was changed at its owner, and a place that repeats it did not follow."),
    CHANGED_HERE: ("changed-here", "The {words} was changed at a place that does not decide it."),
    APART: (
        "apart",
        "The {words} was changed at its owner and, to something else, at a place that repeats it.",
    ),
}
_MEND = (
    "One place owns each fact; `mcp-lockstep sync` writes its value to the others. When another place is right, "
    "`mcp-lockstep sync --accept PLACE` takes that one; `[tool.mcp-lockstep.owners]` makes it the owner for good."
)


def _codes(fact: Fact) -> dict[tuple[str, int], Code]:
    base = fact.words.replace(" ", "-")
    return {
        (fact.name, digit): Code(
            f"LS1{fact.row:02}{digit}", f"{base}-{slug}", "error", summary.format(words=fact.words), _MEND
        )
        for digit, (slug, summary) in _VERDICTS.items()
    }


DISAGREE: Mapping[tuple[str, int], Code] = {
    key: code for fact in ROWS if fact.kind == "identity" for key, code in _codes(fact).items()
}
"""Name of the fact and verdict -> code."""

MARKER_ELSEWHERE = Code(
    "LS1010",
    "readme-marker-elsewhere",
    "error",
    "The ownership marker stands in a file that is not the description of the published package.",
    "The registry reads the description that an index shows: what `project.readme`, or the backend's own key for it, "
    "names, and no other text of the repository. Move the marker there; `mcp-lockstep sync` adds the line.",
)
MARKER_MISSING = Code(
    "LS1015",
    "readme-marker-missing",
    "error",
    "The description of the published package does not name the server.",
    "The registry proves that you own a pypi, nuget or cargo package by the text `mcp-name: NAME` in its "
    "description: what `project.readme`, or the backend's own key for it, names. `mcp-lockstep sync` adds the line.",
)
IMAGE_UNLABELLED = Code(
    "LS0110",
    "image-without-label",
    "warning",
    "The image of the server gets no label with its name.",
    "The registry takes an image whose label `io.modelcontextprotocol.server.name` equals the name in server.json, and "
    "no other. It is looked for in the Dockerfile, in workflows, compose files, Makefiles and shell scripts.",
)
MARKER_UNENDED = Code(
    "LS1016",
    "readme-marker-unended",
    "error",
    "The ownership marker runs into the text behind it.",
    "After the name the registry wants the end of the text, white space or another character that no name has; "
    "a full stop belongs to the name for it. Put the marker into a comment: `<!-- mcp-name: NAME -->`.",
)
MARKER_MISSPELT = Code(
    "LS1018",
    "readme-marker-misspelt",
    "error",
    "The ownership marker is not spelt as the registry reads it.",
    "It looks for `mcp-name: NAME`, lower case, with one space behind the colon, and sees nothing else.",
)
MARKER_TWICE = Code(
    "LS1017",
    "readme-marker-twice",
    "warning",
    "The description holds ownership markers of several servers.",
    "The registry takes any of them. If the package holds one server, take the others out.",
)
VERSION_ELSEWHERE = Code(
    "LS1025",
    "version-elsewhere",
    "warning",
    "pyproject.toml carries another version than the server.json that decides it.",
    "No pypi package of server.json is built from this pyproject.toml, so server.json decides. If both should say "
    "the same, correct one; if they are versions of different things, ignore this code and say why.",
)
DEV_AHEAD = Code(
    "LS1026",
    "dev-ahead",
    "warning",
    "The project is on the way to its next version, and server.json publishes the last one.",
    "A development or local version is installed by nobody, and a pre-release by few, so `sync` leaves server.json "
    "alone until there is a release; between two releases that is as it should be. "
    "`mcp-lockstep sync --accept PLACE` with the place of the project's version writes it all the same.",
)
VALUE_NOT_STATIC = Code(
    "LS1028",
    "value-not-static",
    "note",
    "A place carries a value that is made when the project is built or released.",
    "It is not compared; the rendered copy is.",
)
NAME_UNUSABLE = Code(
    "LS1019",
    "server-name-unusable",
    "error",
    "A place that decides the server name holds something that is none.",
    "The registry takes NAMESPACE/NAME only. No other place is compared with such a name, and `sync` writes it "
    "nowhere.",
)
VERSION_UNUSABLE = Code(
    "LS1029",
    "version-unusable",
    "error",
    "A place holds something that is no exact version.",
    "A range, the word latest and free text install nothing, and build backends refuse what PEP 440 does not know. No "
    "other place is compared with it, and `sync` writes it nowhere.",
)
PROJECT_TABLE_WRONG = Code(
    "LS0109",
    "project-table-wrong",
    "error",
    "A value of `[project]` in pyproject.toml is of another type than the standard asks for.",
    "No build backend takes such a file, so what the project is called, or which version it has, is not known.",
    exit=2,
)
README_TOOLS = Code(
    "LS1061",
    "readme-tools-drift",
    "error",
    "The table of tools in the README is not that of the server's tools.",
    "Between `<!-- tools:start -->` and `<!-- tools:end -->` stands one row for each tool, with the first sentence or "
    "the first line of its description; `mcp-lockstep sync` writes what is missing. Order, further columns and what "
    "else stands there are yours. Without the two marks no table is looked at.",
)
BUNDLE_TOOLS = Code(
    "LS1062",
    "bundle-tools-drift",
    "error",
    "The tools in the manifest of a bundle are not those of the server.",
    "Whoever installs a bundle chooses by the tools that it lists. Where they differ from run to run, say "
    '`"tools_generated": true`. `mcp-lockstep export mcpb` prints a manifest with the tools of the contract.',
)
BUNDLE_SHOWS = Code(
    "LS1074",
    "bundle-config-not-sensitive",
    "warning",
    "A secret of server.json is asked for openly by the manifest of a bundle.",
    'Clients hide what is `"sensitive": true` in `user_config`, and keep it where they keep passwords.',
)
BUNDLE_LACKS = Code(
    "LS1077",
    "bundle-variable-missing",
    "warning",
    "The manifest of a bundle does not pass a variable that the server needs.",
    "A bundle's server gets what stands in `server.mcp_config.env`: `${user_config.NAME}` there and NAME in "
    "`user_config` let the client ask for it.",
)
BUNDLE_UNKNOWN = Code(
    "LS1078",
    "bundle-config-unknown",
    "error",
    "The command of a bundle has an answer in it that nobody is asked for.",
    "`${user_config.NAME}` stands for what the user answers to the NAME in `user_config`; without it the server gets "
    "the text as it is.",
)
BUNDLE_ASKS_NOTHING = Code(
    "LS1079",
    "bundle-config-unused",
    "warning",
    "The manifest of a bundle asks for something that it does not use.",
    "Users are asked for a value that does nothing. Use it as `${user_config.NAME}` in the command or its variables.",
)
VARIABLES_UNDECLARED = Code(
    "LS1071",
    "environment-undeclared",
    "note",
    "The code reads environment variables that server.json does not declare.",
    "Clients ask users for what `environmentVariables` declares. A knob that few turn can stay out of it.",
)
VARIABLE_NEEDED = Code(
    "LS1072",
    "environment-needed-undeclared",
    "warning",
    "The server ends at its start without a variable that server.json does not declare.",
    "No client asks for it, so the server does not start for anybody who has not set it by chance; a container gets "
    "declared variables only. `mcp-lockstep sync` declares it; give it a `description` then. Or read it where it is "
    "used, and say there what is missing.",
)
VARIABLE_UNREAD = Code(
    "LS1073",
    "environment-unread",
    "error",
    "server.json declares a variable that nothing in the code reads.",
    "Users are asked for a value that does nothing. The names in the code count: correct or remove the declaration. "
    "It is a note where something else may read the variable: a dependency, a child process, a computed name.",
)
VARIABLE_OPTIONAL = Code(
    "LS1075",
    "environment-needed-optional",
    "warning",
    "server.json declares a variable as optional, and the server ends at its start without it.",
    'Say `"isRequired": true`, give a `default`, or let the code do without the variable.',
)
DEFAULT_DIFFERS = Code(
    "LS1076",
    "environment-default-differs",
    "note",
    "server.json and the code have different defaults for a variable.",
    "Clients send the one in server.json, so that the one in the code counts for everybody else.",
)
ARGUMENT_UNKNOWN = Code(
    "LS1081",
    "argument-unknown",
    "error",
    "server.json passes an argument that the program does not take.",
    "Parsers end the program with a usage message on an argument that they were not told. Correct it on one side.",
)
ARGUMENT_NEEDED = Code(
    "LS1082",
    "argument-needed-undeclared",
    "warning",
    "The program ends at its start without an argument that server.json does not pass.",
    "Clients start what `packageArguments` says and nothing else, so the program ends with its usage message for "
    "everybody. `mcp-lockstep sync` adds the argument as one that users are asked for; give it a `description` then, "
    "or a `value` or `default` if it need not be asked for. Or let the program have a default.",
)
ARGUMENT_OPTIONAL = Code(
    "LS1083",
    "argument-needed-optional",
    "warning",
    "server.json leaves an argument to the user, and the program ends at its start without it.",
    'Say `"isRequired": true`, give a `value` or a `default`, or let the program do without the argument.',
)
TRANSPORT_UNSERVED = Code(
    "LS1084",
    "transport-not-served",
    "error",
    "server.json says that clients reach the server by a transport that the code never serves.",
    "A client that starts the server waits for an answer that does not come. Correct the `type` of the transport, with "
    "the `url` that HTTP needs, or let the program serve what server.json says. Code that serves more than server.json "
    "says is as it should be, and nothing is said where a transport is computed.",
)
CODES = (
    *DISAGREE.values(),
    MARKER_ELSEWHERE,
    MARKER_MISSING,
    IMAGE_UNLABELLED,
    MARKER_UNENDED,
    MARKER_MISSPELT,
    MARKER_TWICE,
    VERSION_ELSEWHERE,
    DEV_AHEAD,
    VALUE_NOT_STATIC,
    NAME_UNUSABLE,
    VERSION_UNUSABLE,
    PROJECT_TABLE_WRONG,
    README_TOOLS,
    BUNDLE_TOOLS,
    BUNDLE_SHOWS,
    BUNDLE_LACKS,
    BUNDLE_UNKNOWN,
    BUNDLE_ASKS_NOTHING,
    VARIABLES_UNDECLARED,
    VARIABLE_NEEDED,
    VARIABLE_UNREAD,
    VARIABLE_OPTIONAL,
    DEFAULT_DIFFERS,
    ARGUMENT_UNKNOWN,
    ARGUMENT_NEEDED,
    ARGUMENT_OPTIONAL,
    TRANSPORT_UNSERVED,
)
