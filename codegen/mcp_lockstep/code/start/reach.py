"""What surely runs when a console script is started: modules that are imported, functions that are called."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from mcp_lockstep.code.module import Binding, Module
from mcp_lockstep.code.modules import Modules
from mcp_lockstep.code.observe import parsed
from mcp_lockstep.code.register import scopes
from mcp_lockstep.code.source import callee, dotted, last_name
from mcp_lockstep.code.start.walk import MAIN, Walked

Scope: TypeAlias = "tuple[str, str]"
"""What runs as one: the path of a module, and a def or a class in it; empty for the import of the module."""

_DEPTH = 8
_WRAPPERS = frozenset({"cache", "lru_cache", "partial"})
"""Functions that give the one they are passed back, to be called later."""

_CLI = frozenset({"_cli_parse_args", "_cli_settings_source"})
"""What makes settings take their values from the command line as well."""


def reached(
    modules: Iterable[Module], walked: Callable[[Module], Walked], entries: Iterable[str]
) -> frozenset[Scope]:
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


def remembered() -> Callable[[Module], Walked]:
    """`walk` that walks each module once."""
    known: dict[str, Walked] = {}

    def once(module: Module) -> Walked:
        if module.path not in known:
            known[module.path] = walk(module)
        return known[module.path]

    return once


def walk(module: Module) -> Walked:
    """The walk of a module; nothing where it is nested too deeply to be followed."""
    try:
        return Walked(module.tree or ast.Module([], []))
    except RecursionError:
        return Walked(ast.Module([], []))


class _Reach:
    """Follows imports and calls; a module that only hands on is parsed when the way leads through it."""

    def __init__(self, modules: Iterable[Module], walked: Callable[[Module], Walked]) -> None:
        self.modules = Modules(modules)
        self.by_path = {module.path: module for module in self.modules.named.values()}
        self.walked = walked
        self.seen: set[Scope] = set()

    def loaded(self, path: str) -> Module:
        """The module at `path` with its tree, if it has one."""
        module = self.by_path[path]
        if module.raw:
            module = self.by_path[path] = parsed(module)
        return module

    def follow(self, entries: Iterable[str]) -> set[Scope]:
        waiting = [spot for entry in entries for spot in self.start(entry)]
        while waiting:
            spot = waiting.pop()
            if spot not in self.seen:
                self.seen.add(spot)
                waiting += self.next(spot)
        return self.seen

    def start(self, entry: str) -> Iterator[Scope]:
        name, colon, function = entry.partition(":")
        module = _entry(self.modules, name)
        if module is None:
            return
        yield from self.imported(name)
        yield module.path, ""
        if not colon:
            yield module.path, MAIN
        elif function:
            yield from self.resolve(self.loaded(module.path), "", function.strip(), _DEPTH)

    def imported(self, name: str) -> Iterator[Scope]:
        """The import of module `name` runs those of the packages around it."""
        while name:
            if name in self.modules.named:
                yield self.modules.named[name].path, ""
            name = name.rpartition(".")[0]

    def next(self, spot: Scope) -> Iterator[Scope]:
        path, scope = spot
        module = self.loaded(path)
        if module.tree is None:
            return
        walked = self.walked(module)
        for statement, at in walked.imports:
            if at.scope == scope and at.certain:
                yield from self.imports(module, statement)
        for call, at in walked.calls():
            if at.scope == scope and at.certain:
                yield from self.calls(module, scope, call)

    def imports(self, module: Module, statement: ast.Import | ast.ImportFrom) -> Iterator[Scope]:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                yield from self.imported(alias.name)
            return
        origin = self.modules.absolute(module, "." * statement.level + (statement.module or ""))
        yield from self.imported(origin)
        for alias in statement.names:
            yield from self.imported(f"{origin}.{alias.name}")

    def calls(self, module: Module, scope: str, call: ast.Call) -> Iterator[Scope]:
        spots = [*self.resolve(module, scope, dotted(call.func), _DEPTH)]
        passed = any(
            given.arg is None or not given.arg.startswith("_") or given.arg in _CLI for given in call.keywords
        )
        # A field that is passed needs no variable; which one it is does not matter.
        yield from spots[1:] if passed and len(spots) > 1 else spots
        if last_name(call.func) == "run":
            for given in call.args:
                yield from self.resolve(module, scope, dotted(given), _DEPTH)

    def resolve(self, module: Module, scope: str, name: str, depth: int) -> Iterator[Scope]:
        """The function `name` as `scope` of `module` sees it; of a class its making and its `__init__`."""
        first, _, rest = name.partition(".")
        if not name or depth <= 0:
            return
        owner = scope.rpartition(".")[0]
        if first in ("self", "cls") and owner in module.classes:
            yield from self.resolve(module, "", f"{owner}.{rest}" if rest else owner, depth - 1)
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
                other, inside = self.modules.target(module, origin)
                if other is not None and inside:
                    yield from self.resolve(self.loaded(other.path), "", inside, depth - 1)
                return
            bound = module.bindings.get(prefix + first)
            if bound is not None and self.walked(module).bound.get((prefix.rstrip("."), first)) == 1:
                yield from self.bound(module, prefix.rstrip("."), bound, rest, depth)
                return

    def bound(self, module: Module, scope: str, value: Binding, rest: str, depth: int) -> Iterator[Scope]:
        """What a call of a name, or of its attribute `rest`, runs where the name is bound to `value`."""
        if not isinstance(value, ast.Call):
            yield from self.resolve(module, scope, ".".join(filter(None, (dotted(value), rest))), depth - 1)
        elif rest:
            # A method of an object of the class; what makes the object is a call of its own.
            made = [*self.resolve(module, scope, dotted(value.func), depth - 1)]
            for path, symbol in made[:1]:
                owner = self.loaded(path)
                method = f"{symbol}.{rest}"
                if symbol in owner.classes and method in owner.defs:
                    yield path, method
        elif last_name(value.func) == "Typer":
            yield from self.commands(module, value)
        elif last_name(value.func) in _WRAPPERS:
            for given in value.args[:1]:
                yield from self.resolve(module, scope, dotted(given), depth - 1)

    def commands(self, module: Module, app: ast.Call) -> Iterator[Scope]:
        """What a program of typer runs whatever it is told: its callback, and its command if that is the only one."""
        names = {key for key, value in module.bindings.items() if value is app}
        found = [
            (module.path, symbol, last_name(decorator))
            for symbol, node in module.defs.items()
            for decorator in map(callee, node.decorator_list)
            if isinstance(decorator, ast.Attribute) and dotted(decorator.value) in names
        ]
        commands = [(path, symbol) for path, symbol, how in found if how == "command"]
        yield from ((path, symbol) for path, symbol, how in found if how == "callback")
        if len(commands) == 1 and not self.adds_commands(module):
            yield commands[0]

    def adds_commands(self, app: Module) -> bool:
        """Whether more commands may come from elsewhere to what `app` makes."""
        others = (module.text for module in self.by_path.values() if module.path != app.path)
        return ".add_typer(" in app.text or any(
            ".command(" in text or ".add_typer(" in text for text in others
        )
