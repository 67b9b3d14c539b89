"""What a server.json, of any revision, or the answer to `initialize` says about the server."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from mcp_lockstep.contract.model import Argument, Identity, Variable
from mcp_lockstep.documents.data import JsonObject, as_array, as_object, objects, text_of
from mcp_lockstep.rules import judge_data

T = TypeVar("T", Variable, Argument)


def initialize_identity(answer: JsonObject) -> Identity:
    """The identity in the answer to `initialize`: its `serverInfo` and `instructions`."""
    info = as_object(answer.get("serverInfo")) or {}
    return Identity(
        label=text_of(info.get("name")),
        version=text_of(info.get("version")),
        title=text_of(info.get("title")),
        description=text_of(info.get("description")),
        website=text_of(info.get("websiteUrl")),
        instructions=text_of(answer.get("instructions")),
        icons=objects(info.get("icons")),
    )


def manifest_identity(manifest: JsonObject) -> Identity:
    """The identity in a server.json; values of a wrong type, which `validate` reports, count as absent."""
    packages = objects(manifest.get("packages"))
    return Identity(
        name=text_of(manifest.get("name")),
        version=text_of(manifest.get("version")),
        title=text_of(manifest.get("title")),
        description=text_of(manifest.get("description")),
        website=text_of(_get(manifest, "websiteUrl")),
        icons=objects(manifest.get("icons")),
        packages=packages,
        remotes=objects(manifest.get("remotes")),
        variables=_gathered(packages, "environmentVariables", _variable),
        arguments=_gathered(packages, "packageArguments", _argument),
    )


def publishable(icon: JsonObject) -> bool:
    """Whether server.json takes an icon: clients get `data:` addresses over the wire, a registry refuses them."""
    faults = judge_data({"icons": [icon]})
    return not any(f.pointer.startswith("/icons") and f.code.severity == "error" for f in faults)


def _gathered(packages: Iterable[JsonObject], key: str, make: Callable[[JsonObject], T]) -> tuple[T, ...]:
    """What all packages declare under `key`: each name once, each positional argument once by its number."""
    found: dict[str | tuple[int, ...], T] = {}
    for package in packages:
        positional = 0
        for item in objects(_get(package, key)):
            made = make(item)
            positional += not made.name
            found.setdefault(made.name or (positional,), made)
    return tuple(found.values())


def _variable(item: JsonObject) -> Variable:
    return Variable(
        text_of(item.get("name")),
        text_of(item.get("description")),
        _get(item, "isRequired") is True,
        _get(item, "isSecret") is True,
        _optional(item.get("value")),
        _optional(item.get("default")),
        _choices(item),
        text_of(item.get("format")),
    )


def _argument(item: JsonObject) -> Argument:
    positional = item.get("type") == "positional"
    return Argument(
        "" if positional else text_of(item.get("name")),
        text_of(item.get("description")),
        _get(item, "isRequired") is True,
        _get(item, "isRepeated") is True,
        _optional(item.get("value")),
        text_of(_get(item, "valueHint")),
        _optional(item.get("default")),
        _choices(item),
        text_of(item.get("format")),
    )


def _choices(item: JsonObject) -> tuple[str, ...]:
    return tuple(choice for choice in as_array(item.get("choices")) or () if isinstance(choice, str))


def _optional(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _get(item: JsonObject, key: str) -> object:
    """The value of a camel-case key, or of the snake-case one that stood in its place before 2025-09-16."""
    if key in item:
        return item[key]
    return item.get("".join(f"_{c.lower()}" if c.isupper() else c for c in key))
