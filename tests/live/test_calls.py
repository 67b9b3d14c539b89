"""Calls to a generated server: arguments arrive typed and unparsed, faults are told, results keep their schema."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from emitted import contract_of, project_view, write
from mcp_lockstep.documents.data import JsonObject, as_object
from wire import DISCOVER, ERAS, HANDSHAKE, Posts, Wire, called, environment, served, stdio

Mode = Literal["auto", "legacy"]
"""Which era the client of the SDK speaks: the newest, or that of the handshake."""

LOCATION: JsonObject = {
    "type": "object",
    "properties": {"lat": {"type": "number", "minimum": -90}, "name": {"type": "string"}},
    "required": ["lat"],
}
FILTER: JsonObject = {
    "oneOf": [
        {
            "type": "object",
            "properties": {"op": {"const": "eq"}, "value": {"type": "integer"}},
            "required": ["op", "value"],
        },
        {
            "type": "object",
            "properties": {"op": {"const": "in"}, "values": {"type": "array", "items": {"type": "integer"}}},
            "required": ["op", "values"],
        },
    ]
}
ECHO: JsonObject = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {
        "text": {"type": "string", "minLength": 1},
        "maybe": {"type": ["string", "null"]},
        "either": {"type": ["string", "integer"]},
        "anything": {},
        "count": {"type": "integer", "default": 3, "minimum": 1},
        "flag": {"type": "boolean"},
        "mode": {"enum": ["a", "b"]},
        "x-odd name": {"type": "string"},
        "when": {"type": "string", "format": "date-time"},
        "location": LOCATION,
        "filter": FILTER,
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "default": ["t"]},
    },
    "required": ["text"],
    "additionalProperties": False,
}
SHAPED: JsonObject = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "gone": {"type": ["string", "null"]},
        "from": {"type": "integer"},
    },
    "required": ["text"],
}
OPEN: JsonObject = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "additionalProperties": {"type": "integer"},
}
CONTRACT = contract_of(
    {
        "tools": [
            {"name": "echo", "inputSchema": ECHO},
            {"name": "shape-it", "inputSchema": {"type": "object"}, "outputSchema": SHAPED},
            {"name": "listing", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}},
            {"name": "fail", "inputSchema": {"type": "object", "properties": {"how": {"type": "string"}}}},
            {"name": "extras", "inputSchema": OPEN},
            {"name": "rootless", "inputSchema": {}},
        ],
        "resources": [{"uri": "memo://all", "name": "everything", "mimeType": "application/json"}],
        "resourceTemplates": [{"uriTemplate": "city://{class}/now{?lang}", "name": "city"}],
        "prompts": [{"name": "ask-it", "arguments": [{"name": "class", "required": True}, {"name": "b"}]}],
    }
)
BODIES = {
    "tools/echo.py": """
@mcp.contract("echo")
async def echo(*, ctx: Context[Any, Any], **given: Any) -> Content:
    kinds = {name: f"{type(value).__name__} {value!r}" for name, value in given.items()}
    return json.dumps({"kinds": kinds, "context": type(ctx).__name__, "version": ctx.protocol_version})
""",
    "tools/shape_it.py": """
@mcp.contract("shape-it")
def shape_it() -> Any:
    return RESULTS.pop(0)
""",
    "tools/listing.py": """
@mcp.contract("listing")
async def listing() -> Any:
    return [1, None, {"a": None}]
""",
    "tools/fail.py": """
@mcp.contract("fail")
def fail(how: Any = MISSING) -> Content:
    if how == "told":
        raise ToolError("no such city")
    if how == "crash":
        raise KeyError("secret")
    return threading.current_thread().name
""",
    "tools/extras.py": """
@mcp.contract("extras")
async def extras(*, a: str | MISSING = MISSING, extra: dict[str, int] | MISSING = MISSING) -> Content:
    return f"{a!r} {extra!r}"
""",
    "resources/everything.py": """
@mcp.contract_resource("memo://all")
def read_all() -> Any:
    return {"all": 1}
""",
    "resources/city.py": """
@mcp.contract_resource("city://{class}/now{?lang}")
async def city(*, class_: str, lang: str | None = None) -> ResourceContent:
    return f"{class_} {lang}".encode()
""",
    "prompts/ask_it.py": """
@mcp.contract_prompt("ask-it")
async def ask_it(*, class_: str, b: str | None = None) -> PromptContent:
    return f"{class_} {b}"
""",
}
HEAD = """
from __future__ import annotations

import json
import threading
from typing import Any

from mcp.types import CallToolResult, TextContent
from pydantic import MISSING

from calls._generated.models import ShapeItResult
from calls._generated.runtime import Content, Context, PromptContent, ResourceContent, ToolError
from calls.app import mcp

RESULTS: list[Any] = [
    ShapeItResult(text="model", gone=None),
    {"text": "dict", "from": 1},
    {"text": 1},
    CallToolResult(content=[TextContent(type="text", text="own")], structured_content={"text": "own"}),
    CallToolResult(content=[TextContent(type="text", text="own")], is_error=True),
]
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generated project whose functions have bodies."""
    folder = write(project_view("calls", CONTRACT), tmp_path_factory.mktemp("calls"))
    for name, body in BODIES.items():
        path = folder / "src/calls" / name
        assert path.exists()
        path.write_text(f"{HEAD}\n\n{body}", encoding="utf-8")
    return folder


@pytest.fixture(scope="module", params=[*ERAS, "http"])
def wire(request: pytest.FixtureRequest, project: Path, mcp2_python: str) -> Iterator[Wire]:
    """A connection in each era over stdio, and one over HTTP."""
    era = str(request.param)
    command = [mcp2_python, "-m", "calls"]
    if era == "http":
        with served(command, project) as port:
            yield Posts(port, DISCOVER)
    else:
        with stdio(command, project, era) as lines:
            yield lines


def kinds(wire: Wire, arguments: JsonObject) -> JsonObject:
    """Type and value of what arrived in the function `echo`."""
    failed, text, _ = called(wire, "echo", {"text": "t", **arguments})
    assert not failed, text
    return as_object(json.loads(text)["kinds"]) or {}


@pytest.mark.parametrize("text", ["[1]", "null", "{}", '{"a": 1}', "1", "true", '"x"', " ", "NaN"])
@pytest.mark.parametrize("name", ["text", "maybe", "either", "anything", "x-odd name"])
def test_a_string_that_looks_like_json_stays_a_string(wire: Wire, name: str, text: str) -> None:
    arrived = kinds(wire, {name: text})
    assert arrived["x_odd_name" if name == "x-odd name" else name] == f"str {text!r}"


@pytest.mark.parametrize(
    ("arguments", "arrived"),
    [
        ({}, {"count": "int 3", "tags": "list ['t']", "text": "str 't'"}),
        ({"maybe": None}, {"maybe": "NoneType None"}),
        ({"either": 5}, {"either": "int 5"}),
        ({"count": 5.0}, {"count": "int 5"}),
        ({"flag": False}, {"flag": "bool False"}),
        ({"mode": "b"}, {"mode": "str 'b'"}),
        ({"anything": {"a": [None]}}, {"anything": "dict {'a': [None]}"}),
        ({"when": "not a date"}, {"when": "str 'not a date'"}),
        ({"tags": []}, {"tags": "list []"}),
    ],
)
def test_values_arrive_typed(wire: Wire, arguments: JsonObject, arrived: JsonObject) -> None:
    assert kinds(wire, arguments).items() >= arrived.items()


def test_absent_arguments_are_not_passed(wire: Wire) -> None:
    assert set(kinds(wire, {})) == {"text", "count", "tags"}


def test_objects_arrive_as_models(wire: Wire) -> None:
    assert str(kinds(wire, {"location": {"lat": 1.5}})["location"]).startswith("Location Location(lat=1.5")
    assert "value=3" in str(kinds(wire, {"filter": {"op": "eq", "value": 3}})["filter"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"text": 5}, "$.text: given 5, allowed string"),
        ({"text": ""}, '$.text: given "", allowed minLength 1'),
        ({"count": 0}, "$.count: given 0, allowed minimum 1"),
        ({"count": "1"}, '$.count: given "1", allowed integer'),
        ({"flag": "yes"}, '$.flag: given "yes", allowed boolean'),
        ({"mode": "c"}, '$.mode: given "c", allowed one of "a", "b"'),
        ({"bogus": [1]}, '$.bogus: given [1], allowed only "text", "maybe", '),
        ({"location": {}}, "$.location.lat: given nothing, allowed a value"),
        ({"location": {"lat": "x"}}, '$.location.lat: given "x", allowed number'),
        ({"tags": ["a", 1]}, "$.tags[1]: given 1, allowed string"),
        ({"tags": ["a", "a"]}, '$.tags: given ["a", "a"], allowed uniqueItems true'),
        ({"x-odd name": 1}, '$["x-odd name"]: given 1, allowed string'),
        ({"filter": {"op": "eq", "value": "x"}}, '$.filter.value: given "x", allowed integer'),
        ({"filter": {"op": "in"}}, "$.filter.values: given nothing, allowed a value"),
        (
            {"filter": {"op": "zz"}},
            '$.filter.op: given "zz", allowed "eq"; $.filter.op: given "zz", allowed "in"',
        ),
        ({"filter": 3}, "$.filter: given 3, it fits none of its forms"),
        ({"maybe": []}, "$.maybe: given [], allowed string or null"),
    ],
)
def test_a_bad_argument_is_told_with_its_path(wire: Wire, arguments: JsonObject, told: str) -> None:
    failed, text, structured = called(wire, "echo", {"text": "t", **arguments})
    assert failed and structured is None
    assert text.splitlines()[0] == "Invalid arguments for echo"
    assert told in text


def test_several_faults_are_told_at_once(wire: Wire) -> None:
    _, text, _ = called(wire, "echo", {"count": 0, "flag": 1, "mode": "c"})
    assert [line.partition(":")[0] for line in text.splitlines()[1:]] == [
        "$.count",
        "$.flag",
        "$.mode",
        "$.text",
    ]


def test_context_is_injected(wire: Wire) -> None:
    _, text, _ = called(wire, "echo", {"text": "t"})
    told = json.loads(text)
    assert told["context"] == "Context" and told["version"] in ERAS


def test_results_keep_their_schema(wire: Wire) -> None:
    told = [called(wire, "shape-it", {}) for _ in range(5)]
    assert told[0] == (False, '{"gone": null, "text": "model"}', {"text": "model", "gone": None})
    assert told[1] == (False, '{"text": "dict", "from": 1}', {"text": "dict", "from": 1})
    assert told[2] == (True, "Error executing tool shape-it", None)
    assert told[3] == (False, "own", {"text": "own"})
    assert told[4] == (True, "own", None)


def test_a_result_that_is_no_object_is_structured_where_the_era_has_that(wire: Wire) -> None:
    failed, text, structured = called(wire, "listing", {})
    assert (failed, json.loads(text)) == (False, [1, None, {"a": None}])
    version = json.loads(called(wire, "echo", {"text": "t"})[1])["version"]
    assert structured == (None if version == HANDSHAKE else [1, None, {"a": None}])


def test_errors_of_the_function(wire: Wire) -> None:
    assert called(wire, "fail", {"how": "told"}) == (True, "Error executing tool fail: no such city", None)
    assert called(wire, "fail", {"how": "crash"}) == (True, "Error executing tool fail", None)
    assert called(wire, "nobody", {}) == (True, "Unknown tool: nobody", None)
    assert called(wire, "rootless", {}) == (True, "Unknown tool: rootless", None)


def test_a_plain_function_runs_in_a_worker_thread(wire: Wire) -> None:
    assert called(wire, "fail", {"unknown": 1})[1] == "AnyIO worker thread"


def test_arguments_that_the_schema_does_not_name(wire: Wire) -> None:
    assert called(wire, "extras", {"a": "x", "b": 1})[1] == "'x' {'b': 1}"
    assert called(wire, "extras", {})[1] == "MISSING MISSING"
    assert called(wire, "extras", {"b": "x"})[:2] == (
        True,
        'Invalid arguments for extras\n$.b: given "x", allowed integer',
    )


def test_resources(wire: Wire) -> None:
    def read(uri: str) -> object:
        answer = wire.ask("resources/read", {"uri": uri})
        result = as_object(answer.get("result"))
        return result["contents"] if result else as_object(answer["error"])

    assert read("memo://all") == [{"uri": "memo://all", "mimeType": "application/json", "text": '{"all":1}'}]
    found = read("city://a%20b/now?lang=de")
    assert isinstance(found, list) and found[0]["blob"] == "YSBiIGRl"
    for uri in ("city://..%2Fx/now", "city://x", "memo://none"):
        error = as_object(read(uri))
        assert error is not None and (error["code"], error["message"]) == (-32602, f"Unknown resource: {uri}")


def test_prompts(wire: Wire) -> None:
    def get(name: str, arguments: JsonObject) -> JsonObject:
        return wire.ask("prompts/get", {"name": name, "arguments": arguments})

    result = as_object(get("ask-it", {"class": "k", "unknown": "x"})["result"]) or {}
    assert result["messages"] == [{"role": "user", "content": {"type": "text", "text": "k None"}}]
    for name, message in (
        ("ask-it", "Prompt ask-it: missing argument 'class'"),
        ("zz", "Unknown prompt: zz"),
    ):
        error = as_object(get(name, {})["error"]) or {}
        assert (error["code"], error["message"]) == (-32602, message)


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_client_of_the_sdk(project: Path, mcp2_python: str, transport: str, mode: Mode) -> None:
    mcp = pytest.importorskip("mcp")
    command = [mcp2_python, "-m", "calls"]

    async def talk(server: object) -> None:
        async with mcp.Client(server, mode=mode) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == ["echo", "shape-it", "listing", "fail", "extras"]
            result = await client.call_tool("extras", {"a": "[1]", "b": 2})
            assert result.content[0].text == "'[1]' {'b': 2}"
            refused = await client.call_tool("echo", {"text": 1})
            assert refused.is_error and "$.text: given 1, allowed string" in refused.content[0].text
            listing = await client.call_tool("listing", {})
            assert listing.structured_content == (None if mode == "legacy" else [1, None, {"a": None}])
            prompt = await client.get_prompt("ask-it", {"class": "k"})
            assert prompt.messages[0].content.text == "k None"
            resource = await client.read_resource("memo://all")
            assert resource.contents[0].text == '{"all":1}'

    if transport == "stdio":
        parameters = mcp.StdioServerParameters(command=command[0], args=command[1:], env=environment(project))
        asyncio.run(talk(parameters))
    else:
        with served(command, project) as port:
            asyncio.run(talk(f"http://127.0.0.1:{port}/mcp"))


STARTS = {
    "missing": ("tools/fail.py", "", "no function is decorated for the tool 'fail'"),
    "unknown": (
        "tools/fail.py",
        '@mcp.contract("fial")\ndef fail() -> Content: ...\n',
        "fail.py:24: the contract has no tool 'fial'; is it 'fail'?",
    ),
    "parameter": (
        "tools/extras.py",
        '@mcp.contract("extras")\ndef extras(*, b: str, extra: Any = MISSING) -> Content: ...\n',
        "tool 'extras': the parameter `a: str | MISSING = MISSING` is missing",
    ),
    "default": (
        "tools/fail.py",
        '@mcp.contract("fail")\ndef fail(how: str) -> Content: ...\n',
        "tool 'fail': a call may leave `how` out; it needs a default: `how: str | MISSING = MISSING`",
    ),
    "twice": (
        "tools/more.py",
        '@mcp.contract("fail")\ndef again(how: Any = MISSING) -> Content: ...\n',
        "the tool 'fail' has another function already: calls.tools.fail.fail",
    ),
}


def test_a_function_that_the_contract_no_longer_names_is_left_out(project: Path, mcp2_python: str) -> None:
    path = project / "src/calls/tools/gone.py"
    path.write_text(f'{HEAD}\n\n@mcp.contract("gone")\ndef gone() -> Content: ...\n', encoding="utf-8")
    try:
        command = [mcp2_python, "-m", "calls"]
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            env=environment(project),
            check=True,
        )
    finally:
        path.unlink()
    assert "not served" in done.stderr and "the contract has no tool 'gone'" in done.stderr


@pytest.mark.parametrize("case", STARTS)
def test_a_server_that_breaks_its_contract_does_not_start(project: Path, mcp2_python: str, case: str) -> None:
    name, body, message = STARTS[case]
    path = project / "src/calls" / name
    before = path.read_text(encoding="utf-8") if path.exists() else None
    path.write_text(f"{HEAD}\n\n{body}", encoding="utf-8")
    try:
        done = subprocess.run(
            [mcp2_python, "-m", "calls"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            env=environment(project),
            timeout=60,
            check=False,
        )
    finally:
        if before is None:
            path.unlink()
        else:
            path.write_text(before, encoding="utf-8")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("calls: the code does not meet the contract\n")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
