"""The environment variables that a package reads, found by `ast`, and those without which it ends at once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from mcp_lockstep.code.mentions import ENVIRONMENT
from mcp_lockstep.code.module import Module
from mcp_lockstep.code.observe import parsed
from mcp_lockstep.code.source import last_name
from mcp_lockstep.code.start.direct import read_direct
from mcp_lockstep.code.start.options import read_options
from mcp_lockstep.code.start.reach import reached, remembered, walk
from mcp_lockstep.code.start.read import Found, Read, Unknown, Wrapper, keyword, literal, position_of
from mcp_lockstep.code.start.settings import read_settings, settings_classes
from mcp_lockstep.code.start.walk import Walked
from mcp_lockstep.findings import Position
from mcp_lockstep.records import NamedTuple

_NAMES = r"\benvironb?\b|getenv|envvar"
_LIBRARIES = frozenset(
    {"decouple", "environs", "environ", "dynaconf", "envparse", "omegaconf", "hydra", "confz", "expandvars"}
    | {"subprocess", "multiprocessing", "starlette.config", "everett", "pydantic_settings.sources"}
)
"""Modules through which a variable is read, or handed to another program, without a name that is seen here."""


class Environment(NamedTuple):
    """What is read: `prefixes` begin names that are not spelt out, `unknown` says why there may be more."""

    reads: tuple[Read, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    prefixes: tuple[str, ...] = ()

    def is_read(self, name: str) -> bool:
        """Whether something reads the variable `name`, be it by prefix."""
        return any(read.name == name for read in self.reads) or name.startswith(self.prefixes)


def read_environment(modules: Sequence[Module]) -> Environment:
    """The reads in `modules`; a module that does not parse makes the list open."""
    classes = settings_classes(modules)
    found: list[Found] = [read_settings(classes, modules)] if classes else []
    for module in modules:
        if module.findings:
            reason = "the file cannot be read"
            found.append(Found(unknown=(Unknown(module.path, Position(), reason),)))
        elif _mentions(module.text):
            found += _in_module(module)
        found += _libraries(module)
    wrappers = {wrapper for one in found for wrapper in one.wrappers}
    found += _wrapped(modules, wrappers)
    reads = tuple(dict.fromkeys(read for one in found for read in one.reads))
    unknown = tuple(reason for one in found for reason in one.unknown)
    return Environment(reads, unknown, tuple(prefix for one in found for prefix in one.prefixes if prefix))


def ending(modules: Sequence[Module], reads: Iterable[Read], entries: Iterable[str]) -> tuple[Read, ...]:
    """Those of `reads` whose absence ends the program when one of `entries` (`weather.cli:main`) is started."""
    needed = [read for read in reads if read.need == "needed"]
    if not needed:
        return ()
    spots = reached(modules, remembered(), entries)
    return tuple(read for read in needed if (read.path, read.scope) in spots)


def _mentions(text: str) -> bool:
    """Whether `text` names the environment as code does; most that speaks of an environment does not."""
    return any(word in text for word in ENVIRONMENT) and re.search(_NAMES, text) is not None


def _in_module(module: Module) -> Iterator[Found]:
    try:
        walked = Walked(module.tree or ast.Module([], []))
    except RecursionError:
        yield Found(unknown=(Unknown(module.path, Position(), "the file is nested too deeply"),))
        return
    yield read_direct(module, walked)
    yield read_options(module, walked)


def _libraries(module: Module) -> Iterator[Found]:
    for origin in module.imports.values():
        if origin.partition(".")[0] in _LIBRARIES or ".".join(origin.split(".")[:2]) in _LIBRARIES:
            reason = f"{origin} may read any variable"
            yield Found(unknown=(Unknown(module.path, Position(), reason),))


def _wrapped(modules: Iterable[Module], wrappers: Iterable[Wrapper]) -> Iterator[Found]:
    """Calls of functions that read the variable that they are told."""
    by_name = {wrapper.function: wrapper for wrapper in wrappers}
    for seen in modules:
        if not any(f"{name}(" in seen.text or f"{name}(".encode() in seen.raw for name in by_name):
            continue
        module, reads = parsed(seen), list[Read]()
        for node, spot in walk(module).expressions:
            wrapper = by_name.get(last_name(node.func)) if isinstance(node, ast.Call) else None
            if wrapper is None or not isinstance(node, ast.Call):
                continue
            given = node.args[wrapper.position] if len(node.args) > wrapper.position else None
            name = literal(given or keyword(node, wrapper.parameter))
            if name:
                reads.append(Read(name, module.path, position_of(module, node), scope=spot.scope))
        yield Found(tuple(reads))
