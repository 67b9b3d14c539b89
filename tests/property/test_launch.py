"""Whatever stands in a server.json: deriving, judging and exporting end, and what comes out is of its form."""

from __future__ import annotations

import json
import shlex
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.export.clients import client_config
from mcp_lockstep.export.registry_list import registry_list
from mcp_lockstep.findings import Refused
from mcp_lockstep.launch.derive import launches
from mcp_lockstep.launch.judge import judge_commands

TEXTS = st.sampled_from(
    [
        "",
        "weather",
        "--from",
        "--from=weather[x]",
        "-it",
        "-",
        "--",
        "{x}",
        "${X}",
        "{{VERSION}}",
        "a b",
        "\n",
        "‮",
        "$(x)",
    ]
) | st.text(max_size=8)
JUNK = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
    | st.lists(TEXTS, max_size=2)
)
KINDS = st.sampled_from(["pypi", "npm", "oci", "nuget", "mcpb", "cargo", "x"])
FLAG = st.booleans() | JUNK


def members(required: dict[str, object], **optional: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    fixed = {key: cast("st.SearchStrategy[object]", value) for key, value in required.items()}
    return st.fixed_dictionaries(fixed, optional=optional)


INPUT = members(
    {}, description=TEXTS, default=JUNK, isRequired=FLAG, isSecret=FLAG, choices=JUNK, format=TEXTS
)
ARGUMENT = JUNK | members(
    {"type": st.sampled_from(["named", "positional"]) | JUNK},
    name=TEXTS | JUNK,
    value=TEXTS | JUNK,
    default=JUNK,
    valueHint=TEXTS,
    isRequired=FLAG,
    format=st.sampled_from(["boolean", "number", "string"]),
    variables=st.dictionaries(TEXTS, INPUT, max_size=2) | JUNK,
)
ARGUMENTS = st.lists(ARGUMENT, max_size=3) | JUNK
PACKAGE = JUNK | members(
    {"registryType": KINDS, "identifier": TEXTS},
    version=TEXTS | JUNK,
    registryBaseUrl=TEXTS | JUNK,
    runtimeHint=st.sampled_from(["uvx", "npx", "docker", "python"]) | JUNK,
    runtimeArguments=ARGUMENTS,
    packageArguments=ARGUMENTS,
    environmentVariables=ARGUMENTS,
    transport=JUNK | members({"type": TEXTS}, url=TEXTS, headers=ARGUMENTS),
)
SERVER = members(
    {"packages": st.lists(PACKAGE, max_size=2) | JUNK}, name=TEXTS, remotes=st.lists(PACKAGE, max_size=2)
)


@settings(max_examples=150, deadline=None)
@given(SERVER)
def test_any_server_json_has_an_answer(data: object) -> None:
    document = JsonDocument("server.json", json.dumps(data).encode())
    parsed = cast("JsonObject", document.data)
    for launch in launches(parsed):
        assert [word for word in shlex.split(launch.command) if "<" not in word] == [
            word for word in launch.argv if "<" not in word
        ]
    assert all(finding.message.isprintable() for finding in judge_commands(document))
    try:
        made, lost = registry_list(document)
    except Refused as refused:
        assert not parsed.get("name")
        assert [finding.code.slug for finding in refused.findings] == ["nothing-to-export"]
    else:
        assert json.loads(json.dumps(made)) == made
        assert all(finding.place.path == "server.json" for finding in lost)
    for form in ("common", "vscode"):
        try:
            config = client_config(document, "vscode" if form == "vscode" else "common")
        except Refused as refused:
            assert [finding.code.slug for finding in refused.findings] == ["nothing-to-export"]
        else:
            assert json.loads(json.dumps(config)) == config
