"""10,000 messages of the protocol's official examples, read by a generated module and by the SDK, in one process.

`python bench/parse_messages.py EXAMPLES MODULE` prints CPU microseconds per message as JSON: `own` (the generated
module), `path` (what the SDK does with a message), `models` (its hand-written models alone), `json` (no models).
"""

from __future__ import annotations

import gc
import importlib.util
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import mcp_types.methods as sdk
from mcp_types.jsonrpc import jsonrpc_message_adapter
from pydantic import TypeAdapter
from pydantic_core import from_json

VERSION = "2026-07-28"
MESSAGES, ROUNDS = 10_000, 9
METHODS = {
    "CallTool": "tools/call", "Complete": "completion/complete", "Discover": "server/discover",
    "GetPrompt": "prompts/get", "ListPrompts": "prompts/list", "ListResources": "resources/list",
    "ListResourceTemplates": "resources/templates/list", "ListTools": "tools/list",
    "ReadResource": "resources/read", "SubscriptionsListen": "subscriptions/listen",
}  # fmt: skip


class Sent(NamedTuple):
    """A message: its text, whether a server sent it, and what its receiver waits for (id to method)."""

    text: bytes
    by_server: bool
    pending: Mapping[Any, str]


def examples(folder: Path) -> Iterator[Sent]:
    """The whole messages among the official examples."""
    for path in sorted(folder.glob("*/*.json")):
        kind, value = path.parent.name, json.loads(path.read_text(encoding="utf-8"))
        if "jsonrpc" not in value or not kind.endswith(("Request", "Notification", "ResultResponse")):
            continue
        waits = {value["id"]: METHODS[kind.removesuffix("ResultResponse")]} if "result" in value else {}
        by_server = bool(waits) or (value.get("method"), VERSION) in sdk.SERVER_NOTIFICATIONS
        yield Sent(json.dumps(value, separators=(",", ":")).encode(), by_server, waits)


def own(module: Any) -> Callable[[Sequence[Sent]], None]:
    """Reads with a generated module."""
    client, server = module.parse_client_message, module.parse_server_message

    def read(messages: Sequence[Sent]) -> None:
        for text, by_server, pending in messages:
            if by_server:
                server(text, pending)
            else:
                client(text)

    return read


def sdk_path(messages: Sequence[Sent]) -> None:
    """Reads as the SDK does: the envelope, the models of the revision, its own models."""
    for text, by_server, pending in messages:
        message: Any = jsonrpc_message_adapter.validate_json(text, by_name=False)
        if pending:
            sdk.parse_server_result(pending[message.id], VERSION, message.result)
        elif by_server:
            sdk.parse_server_notification(message.method, VERSION, message.params)
        elif (message.method, VERSION) in sdk.CLIENT_REQUESTS:
            sdk.parse_client_request(message.method, VERSION, message.params)
        else:
            sdk.parse_client_notification(message.method, VERSION, message.params)


def sdk_models() -> Callable[[Sequence[Sent]], None]:
    """Reads the envelope and the SDK's own models, without those of the revision."""
    results = {method: _adapter(kind) for method, kind in sdk.MONOLITH_RESULTS.items()}
    calls = {**sdk.MONOLITH_REQUESTS, **sdk.MONOLITH_NOTIFICATIONS}

    def read(messages: Sequence[Sent]) -> None:
        for text, _, pending in messages:
            message: Any = jsonrpc_message_adapter.validate_json(text, by_name=False)
            if pending:
                results[pending[message.id]].validate_python(message.result, by_name=False)
            else:
                body = {"method": message.method}
                if message.params is not None:
                    body["params"] = message.params
                calls[message.method].model_validate(body, by_name=False)

    return read


def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def only_json(messages: Sequence[Sent]) -> None:
    """Reads the JSON and nothing else: the floor."""
    for sent in messages:
        from_json(sent.text)


def main(folder: str, module: str) -> None:
    """Print the medians."""
    spec = importlib.util.spec_from_file_location("protocol", module)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{module} is no module")
    protocol = sys.modules["protocol"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(protocol)
    pick = random.Random(7)
    known = [*examples(Path(folder))]
    messages = [pick.choice(known) for _ in range(MESSAGES)]
    sides = {"own": own(protocol), "path": sdk_path, "models": sdk_models(), "json": only_json}
    times: dict[str, list[float]] = {name: [] for name in sides}
    for read in sides.values():
        read(known)
    gc.disable()
    for _ in range(ROUNDS):
        for name, read in sides.items():
            start = time.process_time()
            read(messages)
            times[name].append(time.process_time() - start)
    print(json.dumps({name: statistics.median(found) / MESSAGES * 1e6 for name, found in times.items()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
