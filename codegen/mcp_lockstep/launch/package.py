"""A package of server.json as a client sees it, whatever revision the keys are spelt by."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.manifest import At, JsonObject, elements, members, text

FORMER_TYPES = {"docker": "oci", "docker-hub": "oci"}
"""What registries of images were called in older revisions."""


class Input(NamedTuple):
    """One thing that a user may be asked for; `default` is None where nothing stands in for an answer."""

    name: str
    description: str = ""
    default: str | None = None
    required: bool = False
    secret: bool = False
    choices: tuple[str, ...] = ()
    format: str = ""


class Setting(NamedTuple):
    """An argument, an environment variable or a header, at a place of server.json.

    `flag` is the name of a named argument, of a variable or of a header, empty for a positional argument; `value`
    what it always has (None: the user decides), with a `{name}` for each of `variables`.
    """

    at: At
    flag: str
    value: str | None

    @property
    def pointer(self) -> str:
        return self.at.pointer

    @property
    def default(self) -> str | None:
        """What stands in for a user who decides nothing."""
        return _literal(self.at.data.get("default"))

    @property
    def input(self) -> Input:
        """What the user is asked for."""
        hint = text(_get(self.at.data, "valueHint"))
        name = hint or self.flag.lstrip("-") or self.at.pointer.rpartition("/")[2]
        return _input(name, self.at.data)

    @property
    def variables(self) -> tuple[Input, ...]:
        """What the user is asked for to make `value` whole."""
        return _variables(self.at.data)


class Package(NamedTuple):
    """What one entry of `packages` says; empty where it says nothing. `pointer` leads to the entry."""

    pointer: str
    kind: str
    identifier: str
    version: str
    base_url: str
    hint: str
    runtime: tuple[Setting, ...]
    arguments: tuple[Setting, ...]
    environment: tuple[Setting, ...]
    transport: str
    url: str
    headers: tuple[Setting, ...]


class Remote(NamedTuple):
    """What one entry of `remotes` says. `variables` are those of its address."""

    pointer: str
    transport: str
    url: str
    headers: tuple[Setting, ...]
    variables: tuple[Input, ...]


def packages_of(data: JsonObject) -> tuple[Package, ...]:
    """The packages of a parsed server.json."""
    return tuple(map(package_at, At("", data).children("packages")))


def package_at(at: At) -> Package:
    """The package that `at` is."""
    transport = at.child("transport")
    kind = text(_get(at.data, "registryType"))
    return Package(
        at.pointer,
        FORMER_TYPES.get(kind, kind),
        at.text("identifier"),
        at.text("version"),
        text(_get(at.data, "registryBaseUrl")),
        text(_get(at.data, "runtimeHint")),
        _settings(at, "runtimeArguments"),
        _settings(at, "packageArguments"),
        _settings(at, "environmentVariables"),
        transport.text("type"),
        transport.text("url"),
        _settings(transport, "headers"),
    )


def remotes_of(data: JsonObject) -> tuple[Remote, ...]:
    """The remotes of a parsed server.json."""
    return tuple(
        Remote(
            at.pointer,
            # 2025-07-09 has an own name for the kind of a remote.
            at.text("type") or at.text("transport_type"),
            at.text("url"),
            _settings(at, "headers"),
            _variables(at.data),
        )
        for at in At("", data).children("remotes")
    )


def setting_at(at: At) -> Setting:
    """The argument, environment variable or header that `at` is."""
    flag = "" if at.text("type") == "positional" else at.text("name")
    return Setting(at, flag, _literal(at.data.get("value")))


def _settings(at: At, key: str) -> tuple[Setting, ...]:
    # 2025-07-09 spells every key of a package with underscores.
    used = key if key in at.data else _snake(key)
    return tuple(map(setting_at, at.children(used)))


def _input(name: str, data: JsonObject) -> Input:
    choices = map(_literal, elements(data.get("choices")))
    return Input(
        name,
        text(data.get("description")),
        _literal(data.get("default")),
        _get(data, "isRequired") is True,
        _get(data, "isSecret") is True,
        tuple([choice for choice in choices if choice is not None]),
        text(data.get("format")),
    )


def _variables(data: JsonObject) -> tuple[Input, ...]:
    variables = members(data.get("variables"))
    return tuple([_input(name, members(value)) for name, value in variables.items()]) if variables else ()


def _literal(value: object) -> str | None:
    """A value as a command has it. The schema wants texts; numbers and switches are read as JSON writes them."""
    if isinstance(value, str):
        return value or None
    return json.dumps(value) if isinstance(value, (int, float)) else None


def _get(data: Mapping[str, object], key: str) -> object:
    return data[key] if key in data else data.get(_snake(key))


@cache
def _snake(key: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in key)
