"""Where the parts of a server.json stand, whichever revision it keeps to."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.rules.manifest import At, JsonObject

LISTS = (
    ("runtimeArguments", "runtime_arguments"),
    ("packageArguments", "package_arguments"),
    ("environmentVariables", "environment_variables"),
)
"""The lists of inputs that a package has, by all their names."""


def packages(data: JsonObject) -> Iterator[At]:
    """The packages that are objects."""
    yield from At("", data).children("packages")


def remotes(data: JsonObject) -> Iterator[At]:
    """The remotes that are objects."""
    yield from At("", data).children("remotes")


def inputs(data: JsonObject) -> Iterator[At]:
    """Everything that a user may fill in: arguments, variables and headers, and the variables inside of them."""
    for owner in _owners(data):
        yield owner
        yield from _variables(owner)


def _owners(data: JsonObject) -> Iterator[At]:
    for package in packages(data):
        for names in LISTS:
            for name in names:
                yield from package.children(name)
        yield from package.child("transport").children("headers")
    for remote in remotes(data):
        yield from remote.children("headers")
        yield from _variables(remote)


def _variables(at: At) -> Iterator[At]:
    variables = at.child("variables")
    for name, value in variables.data.items():
        if isinstance(value, dict):
            yield variables.child(name)
