"""Every row of the table: what the contract did, what the function did, what becomes of the parameter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from mcp_lockstep.code.merge import merge
from mcp_lockstep.code.observe import observe
from mcp_lockstep.code.sides import Accept, Outcome, Sides
from mcp_lockstep.code.signature import parse_signature
from mcp_lockstep.findings import Place, Position

AT = Place("contract.json", "#", "/tools/0")


def run(
    wanted: str,
    code: str,
    base: str | None = None,
    *,
    renames: Mapping[str, str] | None = None,
    accept: Accept = "",
) -> Outcome:
    text = code if "\n" in code else f"@mcp.contract('t')\ndef f{code}:\n    return 1\n"
    module = observe("src/w/t.py", text.encode())
    assert module.source is not None
    return merge(
        Sides(
            "t",
            parse_signature(wanted),
            AT,
            module.functions[0],
            module.source,
            None if base is None else parse_signature(base),
            renames or {},
            accept,
        )
    )


class Row(NamedTuple):
    """What each side says; the verdict on the one piece that differs, its codes, what is written and agreed."""

    wanted: str
    code: str
    base: str | None
    verdict: str
    codes: tuple[str, ...] = ()
    target: str | None = None
    agreed: str | None = "wanted"


BEHIND = ("signature-behind",)
ROWS = {
    "nothing changed": Row("(*, a: int)", "(*, a: int)", "(*, a: int)", "in step"),
    "both changed alike": Row("(*, a: str)", "(*, a: str)", "(*, a: int)", "in step"),
    "equal in normal form": Row("(*, a: int | None)", "(a: Optional[int])", "(*, a: int | None)", "in step"),
    "contract: annotation": Row("(*, a: str)", "(*, a: int)", "(*, a: int)", "change", BEHIND, "(*, a: str)"),
    "contract: default": Row(
        "(*, a: int = 2)", "(*, a: int = 1)", "(*, a: int = 1)", "change", BEHIND, "(*, a: int = 2)"
    ),
    "contract: optional": Row(
        "(*, a: int = 2)", "(*, a: int)", "(*, a: int)", "change", BEHIND, "(*, a: int = 2)"
    ),
    "contract: required": Row(
        "(*, a: int)", "(*, a: int = 1)", "(*, a: int = 1)", "change", BEHIND, "(*, a: int)"
    ),
    "contract: added": Row(
        "(*, a: int, b: str)", "(*, a: int)", "(*, a: int)", "change", BEHIND, "(*, a: int, b: str)"
    ),
    "contract: removed": Row("()", "(*, a: int)", "(*, a: int)", "change", BEHIND, "()"),
    "contract: result": Row("() -> B", "() -> A", "() -> A", "change", BEHIND, "() -> B"),
    "contract: result gone": Row("()", "() -> A", "() -> A", "change", BEHIND, "()"),
    "code: annotation": Row(
        "(*, a: int)", "(*, a: bool)", "(*, a: int)", "annotated", ("annotation-changed-in-code",)
    ),
    "code: no annotation": Row(
        "(*, a: int)", "(*, a)", "(*, a: int)", "annotated", ("annotation-changed-in-code",)
    ),
    "code: result": Row("() -> A", "() -> B", "() -> A", "annotated", ("annotation-changed-in-code",)),
    "code: default": Row(
        "(*, a: int = 1)", "(*, a: int = 2)", "(*, a: int = 1)", "error", ("parameter-changed-in-code",)
    ),
    "code: optional": Row(
        "(*, a: int)", "(*, a: int = 2)", "(*, a: int)", "error", ("parameter-changed-in-code",)
    ),
    "code: required": Row(
        "(*, a: int = 1)", "(*, a: int)", "(*, a: int = 1)", "error", ("parameter-changed-in-code",)
    ),
    "code: added": Row("()", "(*, a: int)", "()", "error", ("parameter-only-in-code",)),
    "code: removed": Row("(*, a: int)", "()", "(*, a: int)", "error", ("parameter-missing-in-code",)),
    "both: annotation": Row(
        "(*, a: str)", "(*, a: bool)", "(*, a: int)", "conflict", ("signature-conflict",), agreed="base"
    ),
    "both: default and annotation": Row(
        "(*, a: int = 2)",
        "(*, a: bool = 1)",
        "(*, a: int = 1)",
        "conflict",
        ("signature-conflict",),
        agreed="base",
    ),
    "both: removed and changed": Row(
        "()", "(*, a: int = 1)", "(*, a: int)", "conflict", ("signature-conflict",), agreed="base"
    ),
    "both: changed and removed": Row(
        "(*, a: int = 1)", "()", "(*, a: int)", "conflict", ("signature-conflict",), agreed="base"
    ),
    "both: added otherwise": Row(
        "(*, a: int)", "(*, a: str)", "()", "conflict", ("signature-conflict",), agreed="base"
    ),
    "both: result": Row("() -> B", "() -> C", "() -> A", "conflict", ("signature-conflict",), agreed="base"),
    "both: removed": Row("()", "()", "(*, a: int)", "in step"),
    "first: equal": Row("(*, a: int)", "(a: int)", None, "in step"),
    "first: addition": Row("(*, a: int)", "()", None, "change", BEHIND, "(*, a: int)"),
    "first: result": Row("() -> A", "()", None, "change", BEHIND, "() -> A"),
    "first: other result": Row("() -> A", "() -> B", None, "annotated", ("annotation-changed-in-code",)),
    "first: result of the code alone": Row("()", "() -> B", None, "in step"),
    "first: annotation": Row(
        "(*, a: int)", "(*, a: str)", None, "annotated", ("annotation-changed-in-code",)
    ),
    "first: default": Row(
        "(*, a: int = 1)", "(*, a: int)", None, "error", ("parameter-changed-in-code",), agreed=None
    ),
    "first: only in code": Row("()", "(*, a: int)", None, "error", ("parameter-only-in-code",), agreed=None),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_the_table(row: Row) -> None:
    outcome = run(row.wanted, row.code, row.base)
    verdicts = {piece.verdict for piece in outcome.pieces} - {"in step"}
    assert verdicts == ({row.verdict} - {"in step"})
    assert tuple(finding.code.slug for finding in outcome.findings) == row.codes
    assert (None if outcome.target is None else str(outcome.target)) == row.target
    expected = {"wanted": row.wanted, "base": row.base, None: None}[row.agreed]
    assert (None if outcome.agreed is None else str(outcome.agreed)) == expected


def test_severities_and_exits() -> None:
    rows = ["contract: default", "code: default", "code: annotation", "both: annotation"]
    found = [run(*ROWS[name][:3]).findings[0] for name in rows]
    assert [(f.severity, f.code.exit, f.fixable) for f in found] == [
        ("error", 1, True),
        ("error", 1, False),
        ("note", 1, False),
        ("error", 3, False),
    ]


def test_a_conflict_names_both_values_with_their_places_and_writes_nothing_else() -> None:
    outcome = run("(*, a: str, b: int)", "(*, a: bool)", "(*, a: int)")
    assert outcome.target is None
    conflict = outcome.findings[0]
    assert conflict.message == (
        "both sides changed parameter 'a' of f() for tool 't': agreed was `a: int`, "
        "contract.json#/tools/0 now asks for `a: str`, src/w/t.py::f has `a: bool`"
    )
    assert (conflict.have, conflict.want) == ("a: bool", "a: str")
    assert "--accept contract.json#/tools/0" in conflict.hint
    assert conflict.position == Position(2, 10, 2, 17)


@pytest.mark.parametrize(
    ("accept", "target", "codes"),
    [
        ("contract", "(*, a: str, b: int)", ["signature-behind", "signature-behind"]),
        ("code", "(*, a: bool, b: int)", ["annotation-changed-in-code", "signature-behind"]),
    ],
)
def test_a_side_can_be_taken(accept: Accept, target: str, codes: list[str]) -> None:
    outcome = run("(*, a: str, b: int)", "(*, a: bool)", "(*, a: int)", accept=accept)
    assert [finding.code.slug for finding in outcome.findings] == codes
    assert str(outcome.target) == target
    assert str(outcome.agreed) == "(*, a: str, b: int)"


STUB = '''@mcp.contract('t')
def f(*, a: int = 1, b: str):
    """Doc."""
    raise NotImplementedError
'''


def test_an_untouched_stub_is_brought_in_step_without_a_base() -> None:
    outcome = run("(*, a: str, c: int) -> X", STUB)
    assert str(outcome.target) == "(*, a: str, c: int) -> X"
    assert {finding.code.slug for finding in outcome.findings} == {"signature-behind"}


def test_a_change_in_an_untouched_stub_is_still_its_authors() -> None:
    outcome = run("(*, a: int, b: str)", STUB, "(*, a: int, b: str)")
    assert [finding.code.slug for finding in outcome.findings] == ["parameter-changed-in-code"]


def test_order_and_what_is_the_codes_stay() -> None:
    outcome = run(
        "(*, a: int, b: int = 2, c: int, d: int)",
        "(c: int, b: int, ctx: Context, a: bool)",
        "(*, a: int, b: int, c: int)",
    )
    assert str(outcome.target) == "(*, c: int, b: int = 2, a: bool, d: int)"


USES = """@mcp.contract('t')
def f(*, a: int, b: int):
    def g(a):
        return a
    return g(lambda a: a) + len(
        a)
"""


def test_a_removed_parameter_that_the_body_uses() -> None:
    outcome = run("(*, b: int)", USES, "(*, a: int, b: int)")
    behind, used = outcome.findings
    assert behind.code.slug == "signature-behind"
    assert (used.code.slug, used.severity) == ("parameter-still-used", "warning")
    assert used.position == Position(6, 9, 6, 10)
    assert "uses 'a'" in used.message
    assert str(outcome.target) == "(*, b: int)"


def test_a_rename_that_nobody_told_is_a_removal_and_an_addition() -> None:
    outcome = run("(*, b: int, x: int)", USES, "(*, a: int, b: int)")
    assert [finding.code.slug for finding in outcome.findings] == [
        "signature-behind",
        "parameter-still-used",
        "signature-behind",
    ]
    assert str(outcome.target) == "(*, b: int, x: int)"
    assert outcome.renamed == {}


@pytest.mark.parametrize("base", ["(*, a: int, b: int)", None])
def test_a_rename_keeps_the_place_and_warns_of_uses(base: str | None) -> None:
    outcome = run("(*, x: int, b: int)", USES, base, renames={"a": "x"})
    assert [finding.code.slug for finding in outcome.findings] == ["signature-behind", "parameter-still-used"]
    assert outcome.findings[0].message == "the contract renamed parameter 'a' of f() for tool 't' to 'x'"
    assert str(outcome.target) == "(*, x: int, b: int)"
    assert outcome.renamed == {"a": "x"}


def test_a_rename_keeps_the_annotation_of_the_code() -> None:
    outcome = run("(*, x: int)", "(*, a: bool)", "(*, a: int)", renames={"a": "x"})
    assert str(outcome.target) == "(*, x: bool)"


def test_a_rename_with_a_new_default() -> None:
    outcome = run("(*, x: int = 1)", "(*, a: int)", "(*, a: int)", renames={"a": "x"})
    assert str(outcome.target) == "(*, x: int = 1)"


def test_a_rename_that_is_done_is_in_step() -> None:
    outcome = run("(*, x: int)", "(*, x: int)", "(*, a: int)", renames={"a": "x"})
    assert outcome.findings == ()
    assert outcome.target is None
    assert str(outcome.agreed) == "(*, x: int)"


def test_a_rename_meets_a_change_in_code() -> None:
    outcome = run("(*, x: int = 1)", "(*, a: int = 2)", "(*, a: int)", renames={"a": "x"})
    assert [finding.code.slug for finding in outcome.findings] == ["signature-conflict"]
    assert outcome.target is None


KEPT = "# mcp-lockstep: keep\n@mcp.contract('t')\ndef f(*, a: int): ...\n"


def test_a_kept_function_is_left_alone() -> None:
    outcome = run("(*, b: str)", KEPT, "(*, a: int)")
    (note,) = outcome.findings
    assert (note.code.slug, note.severity) == ("function-kept", "note")
    assert "parameter 'a', parameter 'b'" in note.message
    assert outcome.target is None
    assert str(outcome.agreed) == "(*, a: int)"


def test_a_kept_function_in_step_says_nothing() -> None:
    assert run("(*, a: int | None)", KEPT.replace("int", "Optional[int]")).findings == ()


def test_kwargs_take_what_is_not_named() -> None:
    assert run("(*, a: int, b: str)", "(*, a: int, **rest)").findings == ()


def test_a_positional_only_parameter_cannot_be_passed() -> None:
    outcome = run("(*, a: int)", "(a: int, /)")
    (finding,) = outcome.findings
    assert finding.code.slug == "positional-only-parameter"
    assert finding.position == Position(2, 7, 2, 13)


def test_a_contract_parameter_called_like_the_context() -> None:
    outcome = run("(*, ctx: str)", "(*, ctx: Context)", "()")
    (finding,) = outcome.findings
    assert finding.code.slug == "name-taken"
    assert outcome.target is None
