"""Python code: `__version__` of the package, and the version and name of the server object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcp_lockstep.code.module import Module
from mcp_lockstep.code.values import Value
from mcp_lockstep.facts.table import Reading, State
from mcp_lockstep.findings import Place

_VERSION_MODULES = frozenset({"__init__.py", "_version.py", "version.py", "__about__.py"})
"""Where a package states its own version; in other modules the name may mean something else's."""


def read(modules: Iterable[Module], packages: Iterable[str]) -> Iterator[Reading]:
    """What `modules` repeat; `packages` are the folders whose top modules may hold `__version__`.

    The second value under one symbol (in another branch) stands at `SYMBOL/2`.
    """
    own = {f"{package}/{name}" for package in packages for name in _VERSION_MODULES}
    for module in modules:
        seen: list[str] = []
        for value in module.values:
            if value.symbol != "__version__" or module.path in own:
                seen.append(value.symbol)
                yield _reading(module, value, seen.count(value.symbol))


def _reading(module: Module, value: Value, count: int) -> Reading:
    fact = "name" if value.symbol.endswith(".name") else "version"
    state: State = "dynamic" if value.text is None else "known"
    symbol = value.symbol if count == 1 else f"{value.symbol}/{count}"
    return Reading(fact, "code", Place(module.path, "::", symbol), value.text, state, span=value.span)
