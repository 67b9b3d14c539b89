"""Who may import whom: the layers, no cycles between parts, and what the light path never loads."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator

import pytest

from package_source import PACKAGE, ROOT, Import, Source, assert_none, imports, package_sources, source

Graph = dict[str, set[str]]

PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
LAYERS = tuple(
    frozenset(line.split(", "))
    for line in re.findall(r"\n## Layers\n.*?```\n(.*?)```", PAGE, re.DOTALL)[0].splitlines()
)
"""Lowest first. A part imports its own layer and lower ones, wherever the import stands."""

MAKING = frozenset({"schema", "models", "emit"})
"""Parts that need `[gen]`; everything else is the light path."""

LOADED_BY_OTHERS = frozenset({"hooks", "pytest_plugin"})
"""Parts that another program loads, and that import what it brings."""

DATA_ONLY = frozenset({"codes", "request"})
"""Modules of those parts that are light all the same: they hold data, and import nothing that costs."""

LIGHT_THIRD_PARTY = frozenset({"tomli"})
"""What the light path may import at once; `DEFERRED_THIRD_PARTY` only inside a function."""

DEFERRED_THIRD_PARTY = frozenset({"argcomplete", "rich", "filelock", "libcst", "jsonschema", "mcp"})

SLOW_AT_START = frozenset(
    {"dataclasses", "importlib.metadata", "inspect", "typing.NamedTuple", "typing_extensions"}
)
"""What costs more at start than all of ours does; the named tuples of `mcp_lockstep.records` cost a tenth."""

MEMO_ONLY = frozenset({"__future__", "os", "stat", "sys", "hashlib", "_blake2", "collections.abc"})
"""`stat`, `sys` and `collections.abc` are loaded before any program starts."""


def layer_of(part: str) -> int:
    """The index in `LAYERS`; -1 for a part that nobody placed (the memo stands apart: it imports nothing)."""
    return next((index for index, layer in enumerate(LAYERS) if part in layer), -1)


def parts_imported(module: Source) -> Iterator[tuple[str, str]]:
    """(part, where) for every import from the package."""
    for found in imports(module):
        for target in found.targets():
            if target.startswith(f"{PACKAGE}."):
                yield target.split(".")[1], module.at(found.node)


def upward_imports(modules: Iterable[Source]) -> list[str]:
    """Imports from a higher layer, and parts that stand in no layer."""
    wrong: set[str] = set()
    for module in modules:
        own = layer_of(module.part)
        if own < 0 and module.part != "memo":
            wrong.add(f"{module.path}: `{module.part}` stands in no layer of docs/architecture.md")
        for part, where in parts_imported(module):
            if layer_of(part) > own and module.part != "memo":
                wrong.add(f"{where}: `{module.part}` imports `{part}`, which stands above it")
    return sorted(wrong)


def between_parts(modules: Iterable[Source]) -> Graph:
    """Part -> the parts that its modules import; `__init__` of the package itself is left out."""
    edges: Graph = {}
    for module in modules:
        if module.part != "__init__":
            found = {part for part, _ in parts_imported(module)}
            edges[module.part] = edges.get(module.part, set()) | found - {module.part}
    return edges


def between_modules(modules: Iterable[Source]) -> Graph:
    """Module -> the modules that it imports, for types only or inside a function as well.

    The face of the package is left out: it shows what others made, and holds the version.
    """
    known = {module.module for module in modules} - {PACKAGE}
    return {
        module.module: {
            target if target in known else found.module
            for found in imports(module)
            for target in ([f"{found.module}.{name}" for name in found.names] or [found.module])
        }
        & known - {module.module}
        for module in modules
        if module.module in known
    }


def rings(edges: Graph) -> list[str]:
    """What leads back to itself, as `a -> b -> a`."""
    done: set[str] = set()
    found: list[str] = []

    def walk(name: str, trail: tuple[str, ...]) -> None:
        if name in trail:
            found.append(" -> ".join((*trail[trail.index(name) :], name)))
        elif name not in done:
            for following in sorted(edges.get(name, ())):
                walk(following, (*trail, name))
            done.add(name)

    for name in sorted(edges):
        walk(name, ())
    return found


def is_light(module: Source) -> bool:
    """On the light path: not made for `[gen]`, or one of its data-only modules."""
    return module.part not in MAKING or module.module.rpartition(".")[2] in DATA_ONLY


def heavy_imports(modules: Iterable[Source]) -> list[str]:
    """What a light module loads that the light path must not."""
    wrong: list[str] = []
    for module in modules:
        if not is_light(module) or module.part in LOADED_BY_OTHERS:
            continue
        for found in imports(module):
            if why := _heavy(found):
                wrong.append(f"{module.at(found.node)}: {why}")
    return wrong


def _heavy(found: Import) -> str:
    top = found.module.partition(".")[0]
    if top == PACKAGE:
        part = next((t for t in found.targets() if _needs_gen(t)), "")
        return (
            f"`{part}` needs [gen]: import it inside the function that uses it"
            if part and not found.deferred
            else ""
        )
    if top in sys.stdlib_module_names:
        slow = next((t for t in found.targets() if t in SLOW_AT_START), "")
        return (
            f"`{slow}` is slow to import: not at module level on the light path"
            if slow and not found.deferred
            else ""
        )
    allowed = LIGHT_THIRD_PARTY | (DEFERRED_THIRD_PARTY if found.deferred else LIGHT_THIRD_PARTY)
    return "" if top in allowed else f"`{found.module}` is no dependency of the light path"


def _needs_gen(target: str) -> bool:
    parts = target.split(".")
    return len(parts) > 2 and parts[1] in MAKING and parts[2] not in DATA_ONLY


@pytest.fixture(scope="module")
def modules() -> tuple[Source, ...]:
    found = package_sources()
    assert len(found) > 10
    return found


def test_the_page_lists_every_part_once(modules: tuple[Source, ...]) -> None:
    listed = [part for layer in LAYERS for part in layer]
    assert sorted(listed) == sorted({module.part for module in modules} - {"memo"})
    folders = {module.part for module in modules if module.module.count(".") > 1}
    assert folders <= set(re.findall(r"`(\w+)/`", PAGE))
    single = {module.part for module in modules} - folders - {"__init__", "__main__"}
    assert single <= set(re.findall(r"`(\w+)`", PAGE.partition("## Layers")[0]))


def test_every_import_points_down(modules: tuple[Source, ...]) -> None:
    assert_none(upward_imports(modules))


def test_parts_form_no_ring(modules: tuple[Source, ...]) -> None:
    assert_none(rings(between_parts(modules)))


def test_modules_form_no_ring(modules: tuple[Source, ...]) -> None:
    assert_none(rings(between_modules(modules)))


def test_the_light_path_stays_light(modules: tuple[Source, ...]) -> None:
    assert_none(heavy_imports(modules))


def test_the_memo_imports_next_to_nothing(modules: tuple[Source, ...]) -> None:
    memo = [module for module in modules if module.part == "memo"]
    assert {found.module for module in memo for found in imports(module) if not found.deferred} <= MEMO_ONLY


@pytest.mark.parametrize(
    ("module", "text", "expected"),
    [
        ("facts.merge", "from mcp_lockstep.plan import Plan", "`facts` imports `plan`"),
        ("facts.merge", "def f():\n    from mcp_lockstep import cli", "`facts` imports `cli`"),
        ("facts.merge", "if TYPE_CHECKING:\n    import mcp_lockstep.emit.render", "`facts` imports `emit`"),
        ("documents.json", "from ..plan import apply", "`documents` imports `plan`"),
        ("somewhere", "", "`somewhere` stands in no layer"),
    ],
)
def test_an_import_upwards_is_seen(module: str, text: str, expected: str) -> None:
    (found,) = upward_imports([source(text, f"{PACKAGE}.{module}")])
    assert expected in found


def test_a_ring_is_seen() -> None:
    one = source("from mcp_lockstep.code import link", f"{PACKAGE}.facts.a")
    two = source("from mcp_lockstep.facts import a", f"{PACKAGE}.code.link")
    assert rings(between_parts([one, two])) == ["code -> facts -> code"]


def test_a_ring_for_types_only_is_seen() -> None:
    one = source("from mcp_lockstep.code import b", f"{PACKAGE}.code.a")
    two = source("if TYPE_CHECKING:\n    from mcp_lockstep.code.a import A", f"{PACKAGE}.code.b")
    ring = f"{PACKAGE}.code.a -> {PACKAGE}.code.b -> {PACKAGE}.code.a"
    assert rings(between_modules([one, two])) == [ring]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import pydantic", "`pydantic` is no dependency of the light path"),
        ("def f():\n    import jinja2", "`jinja2` is no dependency of the light path"),
        ("import rich.table", "`rich.table` is no dependency of the light path"),
        ("from dataclasses import dataclass", "`dataclasses` is slow to import"),
        ("from importlib import metadata", "`importlib.metadata` is slow to import"),
        ("from typing import Literal, NamedTuple", "`typing.NamedTuple` is slow to import"),
        ("from mcp_lockstep.emit import render", "needs [gen]"),
    ],
)
def test_a_heavy_import_is_seen(text: str, expected: str) -> None:
    (found,) = heavy_imports([source(text, f"{PACKAGE}.cli.planted")])
    assert expected in found


@pytest.mark.parametrize(
    "text",
    [
        "import tomli",
        "from mcp_lockstep.records import NamedTuple",
        "def f():\n    import rich.table",
        "def f():\n    from mcp_lockstep.emit import render",
        "from mcp_lockstep.schema import codes",
        "from mcp_lockstep.schema.codes import A",
    ],
)
def test_a_light_import_is_not_reported(text: str) -> None:
    assert heavy_imports([source(text, f"{PACKAGE}.cli.planted")]) == []
