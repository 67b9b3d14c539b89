"""Targets: one folder under `templates/` each, `target.toml` in it, what is missing taken from what it extends."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import cast

from mcp_lockstep.bundled import resources
from mcp_lockstep.findings import Code, Finding, Place, Refused
from mcp_lockstep.records import NamedTuple

COMMON = "_common"

TARGET_UNKNOWN = Code(
    "LS5110",
    "target-unknown",
    "error",
    "There is no target of that name.",
    "A target is the SDK that a generated server uses. The message lists those that this version has.",
    exit=2,
)
TEMPLATE_UNKNOWN = Code(
    "LS5111",
    "template-unknown",
    "error",
    "A file in the folder of own templates replaces no template.",
    "An own template has the name of the one that it replaces, with the folder. A misspelt one would be ignored "
    "in silence.",
    exit=2,
)
CODES = (TARGET_UNKNOWN, TEMPLATE_UNKNOWN)


class Decorators(NamedTuple):
    """The methods of the server object that a function is decorated with."""

    tool: str
    prompt: str
    resource: str


class Target(NamedTuple):
    """One SDK to generate for.

    `folders` are the folders under `templates/`, the target's own first; `requirements` what a project depends on
    (PEP 508), `python` the versions it runs on; `runtime` the generated files that are the same for all projects.
    """

    name: str
    folders: tuple[str, ...]
    python: str
    requirements: tuple[str, ...]
    decorators: Decorators
    runtime: tuple[str, ...]


def targets() -> tuple[str, ...]:
    """The names of all targets, sorted."""
    folders = (name[:-1] for name in resources.names("templates") if name.endswith("/"))
    return tuple(name for name in folders if "target.toml" in resources.names("templates", name))


@cache
def target(name: str) -> Target:
    """The target of that name. Refused where there is none."""
    if name not in targets():
        message = f"there is no target {name!r}; there are {', '.join(targets())}"
        raise Refused(Finding(TARGET_UNKNOWN, Place(name), message))
    folders = [name]
    table = _table(name)
    while (base := table.get("extends", COMMON)) != COMMON:
        folders.append(str(base))
        table = {**_table(str(base)), **{key: value for key, value in table.items() if key != "extends"}}
    decorators = cast("Mapping[str, str]", table["decorators"])
    return Target(
        name=name,
        folders=(*folders, COMMON),
        python=str(table["python"]),
        requirements=tuple(sorted(cast("list[str]", table["requirements"]))),
        decorators=Decorators(**decorators),
        runtime=tuple(sorted(cast("list[str]", table["runtime"]))),
    )


class Templates(NamedTuple):
    """Where the templates of a project come from: the user's own folder (None: none), then the target's."""

    target: Target
    own: str | None = None

    def text(self, name: str) -> str:
        """The text of the template `name` (POSIX path). FileNotFoundError where there is none."""
        if self.own is not None and os.path.isfile(path := os.path.join(self.own, *name.split("/"))):
            with open(path, encoding="utf-8") as handle:
                return handle.read()
        for folder in self.target.folders:
            try:
                return resources.read("templates", folder, *name.split("/")).decode("utf-8")
            except FileNotFoundError:
                continue
        raise FileNotFoundError(name)

    def own_text(self, name: str) -> str:
        """What the user's own template `name` holds; empty where it is the target's."""
        is_own = self.own is not None and os.path.isfile(os.path.join(self.own, *name.split("/")))
        return self.text(name) if is_own else ""

    def strangers(self) -> tuple[Finding, ...]:
        """A finding for each file in the user's folder that replaces no template."""
        known = {name for folder in self.target.folders for name in _files(folder)} - {"target.toml"}
        message = "replaces no template; there are: " + ", ".join(sorted(known))
        return tuple(
            Finding(TEMPLATE_UNKNOWN, Place(name), f"{name} {message}")
            for name in _own_files(self.own)
            if name not in known
        )


def _table(name: str) -> Mapping[str, object]:
    import tomli

    return tomli.loads(resources.read("templates", name, "target.toml").decode("utf-8"))


def _files(folder: str, *below: str) -> list[str]:
    found: list[str] = []
    for name in resources.names("templates", folder, *below):
        if name == "__pycache__/":
            continue
        if name.endswith("/"):
            found += _files(folder, *below, name[:-1])
        else:
            found.append("/".join([*below, name]))
    return found


def _own_files(root: str | None) -> list[str]:
    found = (
        os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
        for folder, _, names in (os.walk(root) if root else ())
        for name in names
    )
    return sorted(found)
