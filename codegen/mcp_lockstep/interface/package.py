"""Packages of server.json, which may be for any registry, as one package on PyPI."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mcp_lockstep.interface.said import Said
from mcp_lockstep.launch.derive import reference, runner_of
from mcp_lockstep.launch.options import options_of
from mcp_lockstep.launch.package import package_at
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.manifest import At, JsonObject, elements, members

_INPUTS = ("packageArguments", "environmentVariables")
_KNOWN = frozenset(
    {"registryType", "identifier", "version", "transport", "runtimeArguments", "runtimeHint", *_INPUTS}
)
_FOREIGN = frozenset({"--from", "--with-editable", "-w", "--directory", "--project", "--config-file"})
"""Options of uvx that name another package, or a folder on somebody's machine."""


class Taken(NamedTuple):
    """What is taken from the packages: items of server.json as they are declared, and the package to begin with.

    `first` is None where there is no package at all.
    """

    first: At | None
    runtime: tuple[JsonObject, ...]
    variables: tuple[JsonObject, ...]
    arguments: tuple[JsonObject, ...]


def nearest_first(packages: Sequence[At]) -> tuple[At, ...]:
    """The packages, before all others the one that a Python server is nearest to: the first on PyPI."""
    nearest = [package for package in packages if package.text("registryType") == "pypi"][:1]
    return (*nearest, *(package for package in packages if package not in nearest))


def take_packages(packages: Sequence[At], become: str, said: Said) -> Taken:
    """Everything that the packages ask of a program, the nearest first; `become` is the new one, for the messages."""
    if not packages:
        said.changed("/packages", None, become)
        return Taken(None, (), (), ())
    first = packages[0]
    for package in packages:
        _say_package(package, package is first, become, said)
    runtime = tuple(_runtime(first, said))
    variables = [
        item for package in packages for item in (*package.children(_INPUTS[1]), *_of_image(package, said))
    ]
    arguments = _arguments([[*package.children(_INPUTS[0])] for package in packages], said)
    return Taken(first, runtime, tuple(_distinct(variables, said)), arguments)


def _say_package(package: At, is_first: bool, become: str, said: Said) -> None:
    kind, told = package.text("registryType"), package_at(package)
    was = f"{kind or 'no kind of'} package {reference(told)}"
    if not is_first:
        why = f"{was}; the new project is published as {become} only, and has its arguments and variables too"
        said.left_out(package.pointer, why, _again(kind))
        return
    if was != become:
        said.changed(package.pointer, was, become)
    for key in package.data:
        if key not in _KNOWN:
            said.left_out(
                package.to(key),
                f"it belongs to the {kind} package" if kind != "pypi" else "PyPI is asked anyway",
            )
    hint = package.text("runtimeHint")
    if hint not in ("", "uvx"):
        said.changed(package.to("runtimeHint"), hint, "uvx")


def _again(kind: str) -> str:
    """How to have a package of that kind for the new project as well."""
    commands = {"oci": "`mcp-lockstep export dockerfile`", "mcpb": "`mcp-lockstep export mcpb`"}
    return f"{commands[kind]} writes what one is made with" if kind in commands else ""


def _runtime(package: At, said: Said) -> Iterator[JsonObject]:
    """The arguments of the runner that hold for uvx as well."""
    runner = runner_of(package_at(package))
    known = options_of("uvx")
    for item in package.children("runtimeArguments"):
        name = item.text("name")
        options = known.values | known.switches if known else frozenset[str]()
        if runner == "uvx" and name in options - _FOREIGN and item.text("type") != "positional":
            yield item.data
        elif not _names_variable(package, item):
            words = " ".join(filter(None, (name, item.text("value") or item.text("valueHint"))))
            why = (
                "names what is started, which uvx knows"
                if runner == "uvx"
                else f"is for {runner}, not for uvx"
            )
            said.left_out(item.pointer, f"{words or 'it'} {why}")


def _names_variable(package: At, item: At) -> bool:
    is_flag = item.text("type") != "positional" and item.text("name") in ("-e", "--env")
    return package.text("registryType") == "oci" and is_flag and bool(item.text("value").partition("=")[0])


def _of_image(package: At, said: Said) -> Iterator[At]:
    """The environment variables that the arguments of `docker run` set."""
    for item in package.children("runtimeArguments"):
        if not _names_variable(package, item):
            continue
        name, equals, value = item.text("value").partition("=")
        variables = members(item.data.get("variables"))
        only = value[1:-1] if value[:1] == "{" and value[-1:] == "}" else ""
        data: JsonObject = {"name": name}
        if "description" in item.data:
            data["description"] = item.data["description"]
        if only in variables:
            data |= members(variables[only]) | data
        elif equals:
            data["value"] = value
            data |= {"variables": variables} if variables else {}
        said.changed(
            item.pointer, f"{item.text('name')} {item.text('value')}", f"the environment variable {name}"
        )
        yield At(item.pointer, data)


def _distinct(items: Iterable[At], said: Said) -> Iterator[JsonObject]:
    """Each variable once, as it is declared first."""
    seen: dict[str, JsonObject] = {}
    for item in items:
        name = item.text("name")
        if not name:
            said.left_out(item.pointer, "it has no name")
        elif name not in seen:
            seen[name] = item.data
            yield item.data
        elif _differs(item.data, seen[name]):
            said.left_out(item.pointer, f"{name} is declared before in another way")


def _arguments(lists: Sequence[Sequence[At]], said: Said) -> tuple[JsonObject, ...]:
    """The arguments of the first package as they are, and those that only others have."""
    taken = [*lists[0]] if lists else []
    for others in lists[1:]:
        count = sum(item.text("type") == "positional" for item in taken)
        names = {item.text("name"): item for item in taken if item.text("type") != "positional"}
        positional = [item for item in others if item.text("type") == "positional"]
        known = positional[:count]
        for item in others:
            same = names.get(item.text("name")) if item not in positional else None
            if same is None and item not in known:
                taken.append(item)
            elif same is None or _differs(item.data, same.data):
                said.left_out(item.pointer, "the first package has its own argument in this place")
    return tuple(item.data for item in taken)


def _differs(item: JsonObject, other: JsonObject) -> bool:
    return any(
        other.get(key) != value for key, value in item.items() if elements(value) or value not in ("", False)
    )
