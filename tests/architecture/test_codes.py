"""The catalogue of findings: every code is unique, in its range, explained, and raised somewhere."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterable, Iterator

import pytest

from mcp_lockstep.cli.explain import all_codes
from mcp_lockstep.findings import Code
from package_source import PACKAGE, Source, assert_none, package_sources, source

RANGES: dict[str, str] = {
    "documents": "LS00",
    "tree": "LS00",
    "naming": "LS00",
    "config": "LS01",
    "bundled": "LS(0|51)",
    "lock": "LS0",
    "named": "LS019",
    "cli": "LS[09]",
    "facts": "LS(1|01)",
    "rules": "LS2",
    "launch": "LS2[67]",
    "export": "LS275",
    "migrate": "LS22",
    "render": "LS23",
    "validate": "LS24",
    "contract": "LS3[0-4]",
    "compare": "LS7",
    "code": "LS3[5-9]",
    "schema": "LS4",
    "models": "LS4",
    "generated": "LS(4|5[01])",
    "emit": "LS5[1-9]",
    "interface": "LS512",
    "plan": "LS5",
    "making": "LS03",
    "judge": "LS[0-2]",
    "adopt": "LS011",
    "archive": "LS61",
    "artefact": "LS62",
    "behind": "LS6",
    "cachekeys": "LS6",
    "hooks": "LS6",
}
"""Which ids a part of the package may declare, as a pattern for the start of the id."""


class Declared:
    """One code with the module-level name and the module that declares it."""

    def __init__(self, module: str, name: str, code: Code) -> None:
        self.module = module
        self.name = name
        self.code = code

    @property
    def part(self) -> str:
        return self.module.split(".")[1]

    def __str__(self) -> str:
        return f"{self.module}.{self.name} ({self.code.id})"


def names_assigned(module: Source) -> Iterator[str]:
    """Module-level names that a module itself binds (not what it imports)."""
    for node in module.tree.body:
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        yield from (name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))


def declared_codes(modules: Iterable[Source]) -> list[Declared]:
    """Every `Code` constant; a module is imported only if its text speaks of `Code`."""
    found: list[Declared] = []
    for module in modules:
        if re.search(r"\bCode\b", module.text):
            space: dict[str, object] = vars(importlib.import_module(module.module))
            for name in names_assigned(module):
                if isinstance(code := space.get(name), Code):
                    found.append(Declared(module.module, name, code))
    return found


def wrong_codes(codes: Iterable[Declared]) -> list[str]:
    """Doubled ids and slugs, ids out of their range, empty texts."""
    wrong: list[str] = []
    ids: dict[str, Declared] = {}
    slugs: dict[str, Declared] = {}
    for each in codes:
        code = each.code
        for table, key in ((ids, code.id), (slugs, code.slug)):
            if table.setdefault(key, each) is not each:
                wrong.append(f"{each}: `{key}` is taken by {table[key]}")
        if not re.fullmatch(r"LS\d{4}", code.id) or not re.match(RANGES.get(each.part, "(?!)"), code.id):
            wrong.append(
                f"{each}: `{each.part}` declares ids that begin with {RANGES.get(each.part, 'nothing')}"
            )
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code.slug):
            wrong.append(f"{each}: the slug `{code.slug}` is not in kebab-case")
        if len(code.explain) < 20 or not code.summary.strip().endswith("."):
            wrong.append(
                f"{each}: summary is one sentence with a full stop, explain says why and how to mend"
            )
    return wrong


def uses(modules: Iterable[Source]) -> set[str]:
    """Every name that some expression reads, `X` or `codes.X`; lists of codes don't count."""
    found: set[str] = set()
    for module in modules:
        for statement in module.tree.body:
            if not _is_list_of_codes(statement):
                found |= {_name_read(node) for node in ast.walk(statement)}
    return found


def _is_list_of_codes(statement: ast.stmt) -> bool:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    return isinstance(target, ast.Name) and target.id.endswith("CODES")


def _name_read(node: ast.AST) -> str:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def never_raised(codes: Iterable[Declared], modules: Iterable[Source]) -> list[str]:
    """Codes whose name no code reads."""
    read = uses(modules)
    return [str(each) for each in codes if each.name not in read]


@pytest.fixture(scope="module")
def modules() -> tuple[Source, ...]:
    return package_sources()


@pytest.fixture(scope="module")
def codes(modules: tuple[Source, ...]) -> list[Declared]:
    return declared_codes(modules)


def test_codes_are_unique_in_range_and_explained(codes: list[Declared]) -> None:
    assert codes
    assert_none(wrong_codes(codes))


def test_a_list_of_codes_holds_each_once(modules: tuple[Source, ...]) -> None:
    lists = [
        (module, statement.value)
        for module in modules
        for statement in module.tree.body
        if _is_list_of_codes(statement) and isinstance(statement, ast.Assign)
    ]
    assert lists
    for module, value in lists:
        names = [ast.unparse(item) for item in value.elts] if isinstance(value, ast.Tuple) else []
        assert len(names) == len({*names}), module.path


def test_explain_knows_every_code(codes: list[Declared]) -> None:
    known = set(all_codes())
    assert_none(str(each) for each in codes if each.code not in known)


def test_every_code_is_raised_somewhere(codes: list[Declared], modules: tuple[Source, ...]) -> None:
    assert_none(never_raised(codes, modules))


GOOD = Code(
    "LS2001",
    "a-slug",
    "error",
    "One sentence.",
    "Why it matters to somebody, and how to mend it in the file.",
)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        (GOOD._replace(id="LS9001"), "`rules` declares ids that begin with LS2"),
        (GOOD._replace(id="LS20010"), "`rules` declares ids that begin with LS2"),
        (GOOD._replace(slug="A_slug"), "not in kebab-case"),
        (GOOD._replace(explain=""), "explain says why"),
        (GOOD._replace(summary="no stop"), "one sentence"),
    ],
)
def test_a_wrong_code_is_seen(wrong: Code, expected: str) -> None:
    (found,) = wrong_codes([Declared(f"{PACKAGE}.rules.names", "X", wrong)])
    assert expected in found


def test_a_doubled_code_is_seen() -> None:
    twice = [Declared(f"{PACKAGE}.rules.names", name, GOOD) for name in ("X", "Y")]
    assert [line.partition(": ")[2] for line in wrong_codes(twice)] == [
        f"`LS2001` is taken by {PACKAGE}.rules.names.X (LS2001)",
        f"`a-slug` is taken by {PACKAGE}.rules.names.X (LS2001)",
    ]


def test_a_code_that_nobody_raises_is_seen() -> None:
    declared = [Declared(f"{PACKAGE}.rules.names", name, GOOD) for name in ("USED", "IDLE")]
    reader = source(
        "from mcp_lockstep.rules import names\nfound = [names.USED]\nIDLE = 1\nCODES = (USED, IDLE)"
    )
    assert never_raised(declared, [reader]) == [f"{PACKAGE}.rules.names.IDLE (LS2001)"]
