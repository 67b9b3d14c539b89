"""Messages read by their method, for every revision of the protocol and for the Rust SDK's messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest

from generated_modules import loaded
from mcp_lockstep.bundled import catalog
from mcp_lockstep.models import generate_models
from mcp_lockstep.schema.instances import Schemas, valid_instances
from mcp_lockstep.schema.values import Json, same

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
CALL = {
    "CallTool": "tools/call", "Complete": "completion/complete", "Discover": "server/discover",
    "GetPrompt": "prompts/get", "ListPrompts": "prompts/list", "ListResources": "resources/list",
    "ListResourceTemplates": "resources/templates/list", "ListTools": "tools/list",
    "ReadResource": "resources/read", "SubscriptionsListen": "subscriptions/listen",
}  # fmt: skip


@cache
def protocol(revision: str, name: str = "mcp") -> Any:
    return loaded(generate_models(catalog.documented(name, revision)).source)


def back(message: Any) -> Any:
    return json.loads(message.model_dump_json(by_alias=True, exclude_unset=True))


def code(call: Any, *arguments: Any) -> tuple[int, object, str]:
    try:
        call(*arguments)
    except ValueError as refused:
        error: Any = refused
    else:
        pytest.fail(f"takes {arguments}")
    assert type(error).__name__ == "MessageError"
    return error.code, error.id, error.method


def messages(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for file in sorted(folder.glob("*/*.json")):
        value = json.loads(file.read_text(encoding="utf-8"))
        if "jsonrpc" in value and file.parent.name.endswith(("Request", "Notification", "Response", "Error")):
            yield file.parent.name, value


def test_every_official_message_comes_back(shared: Path) -> None:
    module = protocol("2026-07-28")
    found = [*messages(shared / "upstream/mcp/2026-07-28/examples")]
    assert len(found) == 32
    for kind, value in found:
        sides = [module.parse_client_message, module.parse_server_message]
        pending = {value["id"]: CALL[kind.removesuffix("ResultResponse")]} if "result" in value else {}
        read = sides[bool(pending)] if not kind.endswith("Notification") else sides[value["method"] != CANCEL]
        for data in (json.dumps(value), json.dumps(value).encode(), json.dumps(value, indent=2), value):
            made = read(data, pending)
            expected = "Response" if pending else "JSONRPCErrorResponse" if "error" in value else kind
            assert type(made).__name__.partition("[")[0] == expected
            assert back(made) == value
            assert module.id_of(made) == value.get("id")


CANCEL = "notifications/cancelled"


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_method_of_a_revision(revision: str) -> None:
    module, schema = protocol(revision), cast("Json", catalog.documented("mcp", revision))
    prepared = Schemas(schema)
    pool = "$defs" if "$defs" in cast("dict[str, Json]", schema) else "definitions"
    count = 0
    for table, side in TABLES:
        for method, entry in getattr(module, table, {}).items():
            name = entry.message.__name__
            for instance in valid_instances({"$ref": f"#/{pool}/{name}"}, prepared, 2):
                value: Any = instance.value
                value |= {"jsonrpc": "2.0"} | (
                    {} if table.endswith("NOTIFICATIONS") else {"id": value.get("id", 7)}
                )
                made = getattr(module, f"parse_{side}_message")(json.dumps(value))
                assert type(made) is entry.message
                assert made.method == method
                assert same(back(made), value)
                count += 1
    assert count > 2 * 15


TABLES = (
    ("CLIENT_REQUESTS", "client"), ("CLIENT_NOTIFICATIONS", "client"),
    ("SERVER_REQUESTS", "server"), ("SERVER_NOTIFICATIONS", "server"),
)  # fmt: skip


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_result_of_a_revision(revision: str) -> None:
    module, schema = protocol(revision), cast("Json", catalog.documented("mcp", revision))
    prepared = Schemas(schema)
    pool = "$defs" if "$defs" in cast("dict[str, Json]", schema) else "definitions"
    for table, side in (("CLIENT_REQUESTS", "server"), ("SERVER_REQUESTS", "client")):
        for method, entry in getattr(module, table, {}).items():
            own = entry.message.__name__.removesuffix("Request") + "Result"
            name = own if hasattr(module, own) else "Result"
            for instance in valid_instances({"$ref": f"#/{pool}/{name}"}, prepared, 2):
                value: Any = {"jsonrpc": "2.0", "id": "a", "result": instance.value, "more": [1]}
                made = getattr(module, f"parse_{side}_message")(json.dumps(value), {"a": method, 1: "ping"})
                assert isinstance(made, module.Response)
                assert isinstance(made.result, getattr(module, name))
                assert same(back(made), value)
                assert type(module.parse_result(method, instance.value)) is type(made.result)


METHODS_OF_CLIENTS = {
    "2024-11-05": 13,
    "2025-03-26": 13,
    "2025-06-18": 13,
    "2025-11-25": 17,
    "2026-07-28": 10,
}


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_tables_are_those_of_the_revision(revision: str) -> None:
    module = protocol(revision)
    assert len(module.CLIENT_REQUESTS) == METHODS_OF_CLIENTS[revision]
    message, params, _ = module.CLIENT_REQUESTS["tools/call"]
    assert message is module.CallToolRequest
    assert params in (message.model_fields["params"].annotation, getattr(module, params.__name__))
    assert module.CLIENT_NOTIFICATIONS[CANCEL].message is module.CancelledNotification
    assert hasattr(module, "SERVER_REQUESTS") == (revision != "2026-07-28")
    assert hasattr(module, "INPUT_REQUESTS") == (revision == "2026-07-28")
    assert hasattr(module, "parse_client_batch") == (revision == "2025-03-26")
    assert {*module.__all__} >= {
        "Method",
        "MessageError",
        "Response",
        "id_of",
        "parse_result",
        "ClientMessage",
    }
    assert all(hasattr(module, name) for name in module.__all__)


def test_a_task_may_be_the_result_of_a_call() -> None:
    module = protocol("2025-11-25")
    task = {"taskId": "t", "status": "working", "createdAt": "", "lastUpdatedAt": "", "ttl": None}
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"task": task}}
    made = module.parse_server_message(json.dumps(answer), {1: "tools/call"})
    assert type(made.result) is module.CreateTaskResult
    done = {"jsonrpc": "2.0", "id": 1, "result": {"content": []}}
    assert (
        type(module.parse_server_message(json.dumps(done), {1: "tools/call"}).result) is module.CallToolResult
    )


LIST = {"jsonrpc": "2.0", "id": 3, "method": "tools/list"}


@pytest.mark.parametrize("revision", REVISIONS[:4])
@pytest.mark.parametrize("parsed", [True, False])
def test_what_is_no_message(revision: str, parsed: bool) -> None:
    module = protocol(revision)
    client, server = module.parse_client_message, module.parse_server_message

    def told(call: Any, value: object, *more: Any) -> tuple[int, object, str]:
        return code(call, value if parsed else json.dumps(value), *more)

    assert type(client(LIST)) is module.ListToolsRequest
    assert told(client, LIST | {"method": "tools/lost"}) == (-32601, 3, "tools/lost")
    assert told(client, LIST | {"method": "roots/list"}) == (-32601, 3, "roots/list")
    assert told(client, LIST | {"params": {"cursor": 1}}) == (-32602, 3, "tools/list")
    assert told(client, LIST | {"params": []}) == (-32602, 3, "tools/list")
    assert told(client, LIST | {"method": 1}) == (-32600, 3, "")
    assert told(client, LIST | {"jsonrpc": "1.0"}) == (-32600, 3, "tools/list")
    assert told(client, LIST | {"id": True}) == (-32600, None, "tools/list")
    assert told(client, {"jsonrpc": "2.0", "method": "tools/list"}) == (-32600, None, "tools/list")
    assert told(client, {"jsonrpc": "2.0", "id": 3}) == (-32600, 3, "")
    assert told(client, [LIST]) == (-32600, None, "")
    assert told(client, 7) == (-32600, None, "")
    answer = {"jsonrpc": "2.0", "id": 3, "result": {"tools": []}}
    assert told(server, answer) == (-32600, 3, "")
    assert told(server, answer, {4: "tools/list"}) == (-32600, 3, "")
    assert told(server, answer, {3: "tools/call"}) == (-32600, 3, "tools/call")
    assert told(server, answer, {3: "roots/list"}) == (-32600, 3, "roots/list")
    assert told(server, answer | {"id": [1]}, {3: "tools/list"}) == (-32600, None, "")
    assert told(server, answer | {"id": True}, {1: "tools/list"}) == (-32600, None, "")
    assert told(server, answer | {"jsonrpc": None}, {3: "tools/list"}) == (-32600, 3, "tools/list")


@pytest.mark.parametrize("text", ["", "{", "nope", b"\xff", '{"method": "tools/list"', "\ud800"])
def test_what_is_no_json(text: str | bytes) -> None:
    assert code(protocol("2025-06-18").parse_client_message, text) == (-32700, None, "")


def test_a_wrong_shape_says_where() -> None:
    with pytest.raises(
        ValueError, match=r"tools/call: params\.name: Input should be a valid string"
    ) as refused:
        protocol("2025-06-18").parse_client_message(LIST | {"method": "tools/call", "params": {"name": 1}})
    assert type(refused.value.__cause__).__name__ == "ValidationError"


@pytest.mark.parametrize("revision", REVISIONS[:4])
def test_what_stands_first_in_a_text_decides_nothing(revision: str) -> None:
    module = protocol(revision)
    call = {"params": {"name": "x", "arguments": {"method": "ping", "result": 1, "id": 9}}}
    value = call | {"method": "tools/call", "id": 1, "jsonrpc": "2.0"}
    made = module.parse_client_message(json.dumps(value), {9: "roots/list"})
    assert (type(made), back(made), module.id_of(made)) == (module.CallToolRequest, value, 1)
    answer = {"result": {"tools": [], "_meta": {"id": 9, "method": "x"}}, "id": 5, "jsonrpc": "2.0"}
    pending = {9: "prompts/list", 5: "tools/list"}
    made = module.parse_server_message(json.dumps(answer), pending)
    assert (type(made.result), made.id) == (module.ListToolsResult, 5)
    twice = '{"method": "ping", "id": 2, "jsonrpc": "2.0", "method": "tools/list"}'
    assert type(module.parse_client_message(twice)) is module.ListToolsRequest
    escaped = '{"m\\u0065thod": "pin\\u0067", "id": 2, "jsonrpc": "2.0"}'
    assert type(module.parse_client_message(escaped)) is module.PingRequest
    long = {"padding": "x" * 300} | LIST
    assert back(module.parse_client_message(json.dumps(long))) == long
    whole = '{"jsonrpc":"2.0","id":5.0,"result":{"tools":[]}}'
    assert module.parse_server_message(whole, {5: "tools/list"}).id == 5


def test_an_error_is_one_whoever_sends_it() -> None:
    error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no", "data": [1]}}
    for revision in REVISIONS:
        module = protocol(revision)
        for read in (module.parse_client_message, module.parse_server_message):
            for pending in ({}, {1: "tools/list"}):
                assert back(read(json.dumps(error), pending)) == error
            assert code(read, error | {"error": {}}) == (-32600, 1, "")


def test_a_batch_is_calls_or_answers() -> None:
    module = protocol("2025-03-26")
    done = {"jsonrpc": "2.0", "method": CANCEL, "params": {"requestId": 3}}
    made = module.parse_client_batch(json.dumps([LIST, done]))
    assert [type(message).__name__ for message in made] == ["ListToolsRequest", "CancelledNotification"]
    assert [back(message) for message in module.parse_client_batch([LIST])] == [LIST]
    assert [back(message) for message in module.parse_client_batch(json.dumps(LIST))] == [LIST]
    assert module.parse_client_batch("[]") == []
    roots = {"jsonrpc": "2.0", "id": 1, "result": {"roots": []}}
    error = {"jsonrpc": "2.0", "id": 2, "error": {"code": 1, "message": ""}}
    answers = module.parse_client_batch([roots, error], {1: "roots/list"})
    assert [back(message) for message in answers] == [roots, error]
    assert code(module.parse_client_batch, [LIST, roots], {1: "roots/list"}) == (-32600, None, "")
    assert code(module.parse_client_batch, [LIST, []]) == (-32600, None, "")
    assert code(module.parse_client_message, [LIST]) == (-32600, None, "")


def test_a_result_alone() -> None:
    module = protocol("2026-07-28")
    assert type(module.parse_result("elicitation/create", {"action": "cancel"})) is module.ElicitResult
    assert code(module.parse_result, "elicitation/create", {}) == (-32600, None, "elicitation/create")
    assert code(module.parse_result, "no/such", {}) == (-32601, None, "no/such")
    asked = module.parse_result("tools/call", {"resultType": "input_required"})
    assert type(asked) is module.InputRequiredResult


@pytest.mark.parametrize("side", ["client", "server"])
def test_messages_of_the_rust_sdk(side: str) -> None:
    module = protocol("current", f"rmcp-{side}")
    ping = module.parse_message('{"jsonrpc": "2.0", "id": 1, "method": "ping"}')
    assert type(ping) is module.JSON_RPC_REQUESTS["ping"].message
    other = {"jsonrpc": "2.0", "id": 1, "method": "x/y", "params": [1]}
    assert back(module.parse_message(json.dumps(other))) == other
    told = {"jsonrpc": "2.0", "method": "notifications/x"}
    assert back(module.parse_message(json.dumps(told))) == told
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"odd": 1}}
    assert type(module.parse_message(json.dumps(answer))) is module.JsonRpcResponse
    assert code(module.parse_message, ping_with(params={"requestId": []})) == (-32602, None, CANCEL)


def ping_with(**more: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "method": CANCEL, **more}


def test_other_schemas_have_no_messages() -> None:
    source = generate_models(catalog.documented("server", "2025-12-11")).source
    assert "MessageError" not in source
    shapes: Json = {
        "$defs": {
            "Method": {"type": "string"},
            "Request": {"type": "object", "properties": {"method": {"const": "a"}}, "required": ["method"]},
        }
    }
    assert loaded(generate_models(shapes).source).__all__ == ["Method", "Request"]
