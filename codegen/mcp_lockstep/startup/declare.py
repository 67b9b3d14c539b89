"""Variables and arguments put into server.json: one entry each, in the package that lacks them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from mcp_lockstep.code.start.commands import Demand
from mcp_lockstep.documents import Edit, JsonDocument, apply_edits, open_document, value_at
from mcp_lockstep.documents.data import as_array, objects, table
from mcp_lockstep.documents.document import change
from mcp_lockstep.launch.package import Package
from mcp_lockstep.rules.secrets import is_secret


def is_list(document: JsonDocument, package: Package, key: str) -> bool:
    """Whether what `package` has under `key` can be read, and added to: else nobody knows what is missing in it."""
    return (
        as_array(table(value_at(document.data, package.pointer)).get(_keys(document, package)(key), []))
        is not None
    )


def declaring(document: JsonDocument, package: Package, names: Sequence[str]) -> Edit:
    """The edit that declares the variables `names` as required in the list of `package`."""
    keys = _keys(document, package)
    key = keys("environmentVariables")
    return _adding(
        document,
        package,
        key,
        [_declared(document, key, name, keys("isRequired")) or _variable(name, keys) for name in names],
    )


def passing(document: JsonDocument, package: Package, demands: Sequence[Demand]) -> Edit:
    """The edit that lets clients ask for what `demands` want and pass it."""
    keys = _keys(document, package)
    return _adding(document, package, keys("packageArguments"), [_argument(one, keys) for one in demands])


def shown(demand: Demand) -> str:
    """What a user knows an argument by: its longest flag, or what stands for its value."""
    return max(demand.flags, key=len) if demand.flags else f"<{demand.name}>"


def _keys(document: JsonDocument, package: Package) -> Callable[[str], str]:
    """How the revision of the package spells a key."""
    former = "registry_type" in table(value_at(document.data, package.pointer))
    return (lambda key: re.sub("[A-Z]", lambda big: f"_{big[0].lower()}", key)) if former else str


def _declared(document: JsonDocument, key: str, name: str, required: str) -> dict[str, object]:
    """What another package says of the variable `name`, but for a value that is its own; empty where none does."""
    for package in objects(table(document.data).get("packages")):
        for one in objects(package.get(key)):
            if one.get("name") == name:
                said = {word: value for word, value in one.items() if word not in ("value", "variables")}
                return said if "default" in said else {**said, required: True}
    return {}


def _variable(name: str, keys: Callable[[str], str]) -> dict[str, object]:
    return {"name": name, keys("isRequired"): True, **({keys("isSecret"): True} if is_secret(name) else {})}


def _argument(demand: Demand, keys: Callable[[str], str]) -> dict[str, object]:
    told: dict[str, object] = {"type": "positional", keys("valueHint"): demand.name}
    if demand.flags:
        told = {"type": "named", "name": shown(demand)}
    secret: dict[str, object] = {keys("isSecret"): True} if is_secret(demand.name) else {}
    return {**told, keys("isRequired"): True, **secret}


def _adding(document: JsonDocument, package: Package, key: str, entries: Sequence[dict[str, object]]) -> Edit:
    data, pointer = table(value_at(document.data, package.pointer)), f"{package.pointer}/{key}"
    if key not in data:
        return document.insert(pointer, entries)
    # Several edits at one spot would not say which comes first.
    return change(document.path, 0, document.text, _appended(document, f"{pointer}/-", entries))


def _appended(document: JsonDocument, pointer: str, entries: Iterable[object]) -> str:
    text = document.text
    for entry in entries:
        now = open_document(document.path, text.encode("utf-8"))
        text = apply_edits(text, [now.insert(pointer, entry)])
    return text
