"""The key names of revision 2025-07-09: the registry reads no package by them, rules see what they mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from mcp_lockstep.documents.pointer import make_pointer, pointer_parts
from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import Fault, JsonObject, Manifest, elements, field, members

FORMER_PACKAGE = Code(
    "LS2107",
    "package-keys-former",
    "error",
    "A package is written with the key names of revision 2025-07-09.",
    "The registry reads every file with today's names, whatever revision it names: it finds no `registryType` and "
    "refuses the file with status 422. `mcp-lockstep migrate FILE --write` renames the keys.",
)

REVISION = "2025-07-09"
TOP = {"website_url": "websiteUrl"}
PACKAGE = {
    "registry_type": "registryType",
    "registry_base_url": "registryBaseUrl",
    "file_sha256": "fileSha256",
    "runtime_hint": "runtimeHint",
    "runtime_arguments": "runtimeArguments",
    "package_arguments": "packageArguments",
    "environment_variables": "environmentVariables",
}
INPUT = {
    "is_required": "isRequired",
    "is_secret": "isSecret",
    "value_hint": "valueHint",
    "is_repeated": "isRepeated",
}
_FORMER = {new: old for names in (TOP, PACKAGE, INPUT) for old, new in names.items()}
_NONE: Mapping[str, str] = {}
_OWNERS = (("packages", PACKAGE), ("remotes", _NONE))
_LISTS = ("runtimeArguments", "packageArguments", "environmentVariables", "headers")


def former_packages(manifest: Manifest) -> Iterator[Fault]:
    """A package names its registry as the registry reads it; newer revisions say so in their schema."""
    if manifest.revision != REVISION:
        return
    for package in manifest.packages:
        if "registry_type" in package.at.data and not package.kind:
            here = package.at.to("registry_type")
            message = (
                f"{field(here)}: the registry looks for `registryType`, and refuses the file without it."
            )
            hint = "`mcp-lockstep migrate FILE --write` gives all keys their names of today."
            yield Fault(FORMER_PACKAGE, here, message, "registry_type", "registryType", hint)


def with_todays_names(data: JsonObject) -> JsonObject:
    """A parsed server.json of the first revision with the names that its keys have today."""
    out = _renamed(data, TOP)
    for key, names in _OWNERS:
        if isinstance(items := out.get(key), list):
            out[key] = [_owner(item, names) for item in cast("list[object]", items)]
    return out


def as_written(fault: Fault, data: JsonObject) -> Fault:
    """A fault of the copy, at the place and by the names that the file has."""
    parts: list[str] = []
    value: object = data
    for part in pointer_parts(fault.pointer):
        name = part
        inside, items = members(value), elements(value)
        if inside:
            name = part if part in inside else _FORMER.get(part, part)
            value = inside.get(name)
        else:
            value = items[int(part)] if part.isdecimal() and int(part) < len(items) else None
        parts.append(name)
    pointer = make_pointer(parts)
    if pointer == fault.pointer:
        return fault
    return fault._replace(
        pointer=pointer, message=fault.message.replace(field(fault.pointer), field(pointer))
    )


def _renamed(data: JsonObject, names: Mapping[str, str]) -> JsonObject:
    # Where a key stands by both names the newer one counts.
    return {names.get(key, key): item for key, item in data.items() if names.get(key) not in data}


def _owner(value: object, names: Mapping[str, str]) -> object:
    if not isinstance(value, dict):
        return value
    owner = _renamed(cast("JsonObject", value), names)
    for key in _LISTS:
        if isinstance(items := owner.get(key), list):
            owner[key] = [_input(item) for item in cast("list[object]", items)]
    if "transport" in owner:
        owner["transport"] = _owner(owner["transport"], _NONE)
    return owner


def _input(value: object) -> object:
    if not isinstance(value, dict):
        return value
    data = _renamed(cast("JsonObject", value), INPUT)
    if isinstance(inner := data.get("variables"), dict):
        data["variables"] = {name: _input(item) for name, item in cast("JsonObject", inner).items()}
    return data
