"""What surely runs when a console script is started: modules that are imported, functions that are called."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from mcp_lockstep.code.env.walk import MAIN, Walked
from mcp_lockstep.code.module import Module
from mcp_lockstep.code.modules import Modules
from mcp_lockstep.code.register import scopes
from mcp_lockstep.code.source import dotted, last_name

Spots: TypeAlias = "tuple[str, str]"
"""Path of a module, and a scope in it; the empty scope is its import."""

_DEPTH = 8


def reached(
    modules: Iterable[Module], walked: Callable[[Module], Walked], entries: Iterable[str]
) -> frozenset[Spots]:
    """Every scope that the entry points `entries` (`weather.cli:main`, `weather.__main__`) surely run."""
    return frozenset(_Reach(modules, walked).follow(entries))


def entry_modules(modules: Iterable[Module], entries: Iterable[str]) -> tuple[Module, ...]:
    """The modules that the entry points stand in, as far as they are in the package."""
    known = Modules(modules)
    found = (_entry(known, entry.partition(":")[0]) for entry in entries)
    return tuple(module for module in found if module is not None)


def _entry(modules: Modules, name: str) -> Module | None:
    """The module `name`; one beside pyproject.toml that a build may put into a package counts, too."""
    return modules.named.get(name) or modules.named.get(name.rpartition(".")[2])


class _Reach:
    def __init__(self, modules: Iterable[Module], walked: Callable[[Module], Walked]) -> None:
        self.modules = Modules(modules)
        self.walked = walked
        self.seen: set[Spots] = set()

    def follow(self, entries: Iterable[str]) -> set[Spots]:
        waiting = [spot for entry in entries for spot in self.start(entry)]
        while waiting:
            spot = waiting.pop()
            if spot not in self.seen:
                self.seen.add(spot)
                waiting += self.next(spot)
        return self.seen

    def start(self, entry: str) -> Iterator[Spots]:
        name, colon, function = entry.partition(":")
        module = _entry(self.modules, name)
        if module is None:
            return
        yield from self.imported(name)
        yield module.path, ""
        if not colon:
            yield module.path, MAIN
        elif function:
            yield from self.resolve(module, "", function.strip(), _DEPTH)

    def imported(self, name: str) -> Iterator[Spots]:
        """The import of module `name` runs those of the packages around it."""
        while name:
            if name in self.modules.named:
                yield self.modules.named[name].path, ""
            name = name.rpartition(".")[0]

    def next(self, spot: Spots) -> Iterator[Spots]:
        path, scope = spot
        module = next((m for m in self.modules.named.values() if m.path == path), None)
        if module is None or module.tree is None:
            return
        walked = self.walked(module)
        for statement, at in walked.imports:
            if at.scope == scope and at.certain:
                yield from self.imports(module, statement)
        for node, at in walked.expressions:
            if isinstance(node, ast.Call) and at.scope == scope and at.certain:
                yield from self.calls(module, scope, node)

    def imports(self, module: Module, statement: ast.Import | ast.ImportFrom) -> Iterator[Spots]:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                yield from self.imported(alias.name)
            return
        origin = self.modules.absolute(module, "." * statement.level + (statement.module or ""))
        yield from self.imported(origin)
        for alias in statement.names:
            yield from self.imported(f"{origin}.{alias.name}")

    def calls(self, module: Module, scope: str, call: ast.Call) -> Iterator[Spots]:
        spots = [*self.resolve(module, scope, dotted(call.func), _DEPTH)]
        passed = any(given.arg is None or not given.arg.startswith("_") for given in call.keywords)
        # A field that is passed needs no variable; which one it is does not matter.
        yield from spots[1:] if passed and len(spots) > 1 else spots
        if last_name(call.func) == "run":
            for given in call.args:
                yield from self.resolve(module, scope, dotted(given), _DEPTH)

    def resolve(self, module: Module, scope: str, name: str, depth: int) -> Iterator[Spots]:
        """The function `name` as `scope` of `module` sees it; of a class its making and its `__init__`."""
        first = name.partition(".")[0]
        if not name or depth <= 0:
            return
        for prefix in scopes(f"{scope}." if scope else ""):
            if prefix + name in module.defs:
                yield module.path, prefix + name
                return
            if prefix + name in module.classes:
                yield module.path, prefix + name
                yield module.path, f"{prefix}{name}.__init__"
                return
            if prefix + first in module.imports:
                origin = module.imports[prefix + first] + name[len(first) :]
                other, rest = self.modules.target(module, origin)
                if other is not None and rest:
                    yield from self.resolve(other, "", rest, depth - 1)
                return
