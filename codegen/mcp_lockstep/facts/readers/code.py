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
    """What `modules` repeat; `packages` are the folders whose top modules may hold `__version__`."""
    own = {f"{package}/{name}" for package in packages for name in _VERSION_MODULES}
    for module in modules:
        if module.path in own:
            for value in module.values:
                yield _reading(module, "version", value)
        for server in module.servers:
            for value in server.repeated:
                yield _reading(module, "version" if value is server.version else "name", value)


def _reading(module: Module, fact: str, value: Value) -> Reading:
    state: State = "dynamic" if value.text is None else "known"
    return Reading(fact, "code", Place(module.path, "::", value.symbol), value.text, state, span=value.span)
