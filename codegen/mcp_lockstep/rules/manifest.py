"""What a rule sees of a server.json, and what it says: faults by JSON pointer, without positions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from mcp_lockstep.documents.pointer import escape_part, pointer_parts
from mcp_lockstep.findings import Code, Severity
from mcp_lockstep.placeholders import is_template as is_template
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.secrecy import masked_text

JsonObject: TypeAlias = "dict[str, object]"

_LONGEST_SHOWN = 80


class At(NamedTuple):
    """An object inside a server.json, with the pointer to it."""

    pointer: str
    data: JsonObject

    def text(self, key: str) -> str:
        """The string at `key`; empty where it is absent or something else."""
        value = self.data.get(key)
        return value if isinstance(value, str) else ""

    def to(self, key: str) -> str:
        """The pointer to `key` of this object."""
        return f"{self.pointer}/{escape_part(key)}"

    def child(self, key: str) -> At:
        """The object at `key`; an empty one where it is absent or something else."""
        return At(self.to(key), members(self.data.get(key)))

    def children(self, key: str) -> Sequence[At]:
        """The objects in the list at `key`; anything else in it is left out."""
        items = self.data.get(key)
        if not isinstance(items, list):
            return ()
        here = self.to(key)
        return [
            At(f"{here}/{index}", cast("JsonObject", item))
            for index, item in enumerate(cast("list[object]", items))
            if isinstance(item, dict)
        ]


class Package(NamedTuple):
    """A package of a server.json and what most rules about packages look at; texts are empty where absent.

    `kind` is its `registryType`, `arguments` are those of the runtime, then its own.
    """

    at: At
    kind: str
    identifier: str
    version: str
    transport: At
    arguments: Sequence[At]
    variables: Sequence[At]


class Manifest(NamedTuple):
    """A server.json that is an object, the revision that it is judged by, and the newest one bundled.

    `packages` and `remotes` are the objects in the lists of these names, `inputs` everything that a user may fill in:
    arguments, variables, headers, and the variables inside them.
    """

    data: JsonObject
    revision: str
    newest: str
    packages: tuple[Package, ...]
    remotes: tuple[At, ...]
    inputs: tuple[At, ...]


class Fault(NamedTuple):
    """A finding before it has a position: `pointer` may name a value that is missing."""

    code: Code
    pointer: str
    message: str
    have: str | None = None
    want: str | None = None
    hint: str = ""
    level: Severity | None = None


Rule: TypeAlias = "Callable[[Manifest], Iterator[Fault]]"
"""A pure function; it judges only what it understands and leaves wrong types to the schema."""

PackageRule: TypeAlias = "Callable[[Manifest, Package], Iterator[Fault]]"
"""A rule that looks at one package of the manifest."""


def each_package(everyone: Sequence[PackageRule], by_kind: Mapping[str, Sequence[PackageRule]]) -> Rule:
    """One rule of many: a package is held against those for `everyone`, then against those for its kind."""

    def packages(manifest: Manifest) -> Iterator[Fault]:
        for package in manifest.packages:
            for rule in everyone:
                yield from rule(manifest, package)
            for rule in by_kind.get(package.kind, ()):
                yield from rule(manifest, package)

    return packages


def manifest_of(data: JsonObject, revision: str, newest: str) -> Manifest:
    """What rules see of a parsed server.json."""
    whole = At("", data)
    packages, remotes = tuple(map(_package, whole.children("packages"))), tuple(whole.children("remotes"))
    return Manifest(data, revision, newest, packages, remotes, tuple(_inputs(packages, remotes)))


def _package(at: At) -> Package:
    return Package(
        at,
        at.text("registryType"),
        at.text("identifier"),
        at.text("version"),
        at.child("transport"),
        [*at.children("runtimeArguments"), *at.children("packageArguments")],
        at.children("environmentVariables"),
    )


def _inputs(packages: Sequence[Package], remotes: Sequence[At]) -> Iterator[At]:
    fields: list[At] = []
    for package in packages:
        fields += package.arguments
        fields += package.variables
        fields += package.transport.children("headers")
    for remote in remotes:
        fields += remote.children("headers")
        fields += _variables(remote)
    for at in fields:
        yield at
        yield from _variables(at)


def _variables(at: At) -> Iterator[At]:
    if "variables" in at.data:
        variables = at.child("variables")
        yield from (variables.child(name) for name in variables.data)


def members(value: object) -> JsonObject:
    """`value` if it is an object, else an empty one."""
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def elements(value: object) -> list[object]:
    """`value` if it is a list, else an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


def text(value: object) -> str:
    """`value` if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def field(pointer: str) -> str:
    """A pointer as people write it: `packages[0].transport.type`; `the file` for the whole."""
    out = ""
    for name in pointer_parts(pointer):
        out += f"[{name}]" if name.isdecimal() and out else f".{name}" if out else name
    return f"`{escaped(out)}`" if out else "the file"


def shown(value: object) -> str:
    """A value as JSON on one line: short, no secrets of an address, nothing unprintable."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    line = escaped(masked_text(json.dumps(value, ensure_ascii=False)))
    return line if len(line) <= _LONGEST_SHOWN else f"{line[: _LONGEST_SHOWN - 1]}…"


def plain(value: object) -> str:
    """A value as a finding carries it: a string as it is, but for secrets in it; anything else as `shown`."""
    return masked_text(value) if isinstance(value, str) else shown(value)


def escaped(line: str) -> str:
    """`line` with every character that does not print, or turns the writing around, as an escape."""
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in line)


def since(manifest: Manifest, revision: str) -> Severity | None:
    """The level of something that was in order before `revision`: a note there, the code's own after it."""
    return "note" if manifest.revision < revision else None
