"""Names of definitions that say more than their keys."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_lockstep.schema.definition_names import better_names, method_stem, title_name


def message(method: str, params: str = "") -> dict[str, Any]:
    properties: dict[str, Any] = {"method": {"$ref": f"#/definitions/{method}"}}
    if params:
        properties["params"] = {"anyOf": [{"$ref": f"#/definitions/{params}"}, {"type": "null"}]}
    return {"type": "object", "properties": properties}


def constant(value: str) -> dict[str, Any]:
    return {"type": "string", "const": value}


POOL: dict[str, Any] = {
    "Request": message("InitializeResultMethod", "InitializeRequestParams"),
    "Request10": message("CallToolRequestMethod", "CallToolRequestParams"),
    "Request11": message("CancelTaskMethod", "CancelTaskParams"),
    "RequestOptionalParam2": message("ListToolsRequestMethod", "PaginatedRequestParams"),
    "NotificationNoParam3": message("InitializedNotificationMethod"),
    "Notification_for_ProgressNotificationMethod_and_ProgressNotificationParam": message(
        "ProgressNotificationMethod", "ProgressNotificationParam"
    ),
    "CallToolRequestMethod": constant("tools/call"),
    "CancelTaskMethod": constant("tasks/cancel"),
    "ListToolsRequestMethod": constant("tools/list"),
    "InitializeResultMethod": constant("initialize"),
    "InitializedNotificationMethod": constant("notifications/initialized"),
    "ProgressNotificationMethod": constant("notifications/progress"),
    "JsonRpcVersion2_0": constant("2.0"),
    "OAuth2": constant("oauth"),
    "Address2": {"type": "object"},
    "Annotated_for_RawContent": {"type": "object"},
    "Annotated_for_RawResource": {"type": "object"},
    "JsonRpcResponse_for_ServerResult": {"type": "object"},
}


def test_what_says_little_gets_a_better_name() -> None:
    assert better_names(POOL) == {
        "Request": "InitializeRequest",
        "Request10": "CallToolRequest",
        "Request11": "CancelTaskRequest",
        "RequestOptionalParam2": "ListToolsRequest",
        "NotificationNoParam3": "InitializedNotification",
        "Notification_for_ProgressNotificationMethod_and_ProgressNotificationParam": "ProgressNotification",
        "JsonRpcVersion2_0": "JsonRpcVersion",
        "Annotated_for_RawContent": "Annotated_RawContent",
        "Annotated_for_RawResource": "Annotated_RawResource",
        "JsonRpcResponse_for_ServerResult": "JsonRpcResponse",
    }


def test_a_name_that_is_taken_is_not_given() -> None:
    taken: dict[str, Any] = {**POOL, "CallToolRequest": {"type": "object"}, "Request12": POOL["Request11"]}
    found = better_names(taken)
    assert found.keys() & {"Request10", "Request11", "Request12"} == set()
    assert found["Request"] == "InitializeRequest"


def test_a_further_definition_renames_nothing() -> None:
    more: dict[str, Any] = {"Request13": message("PingRequestMethod"), "Zone": {}}
    more["PingRequestMethod"] = constant("ping")
    assert better_names({**POOL, **more}) == {**better_names(POOL), "Request13": "PingRequest"}


@pytest.mark.parametrize("odd", [True, [], None, {"properties": 3}, {"properties": {"method": {"$ref": 4}}}])
def test_whatever_stands_there(odd: Any) -> None:
    assert better_names({"Request2": odd}) == {}
    assert method_stem(odd if isinstance(odd, dict) else {}, {}) == ""


def test_the_title_of_a_generic_type() -> None:
    assert title_name("JsonRpcMessage_for_ServerRequest_and_ServerResult") == "JsonRpcMessage"
    assert title_name("Weather for Berlin") == "Weather for Berlin"
