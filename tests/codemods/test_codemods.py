"""Signature edits on files: `before.py` and the signature in `wanted.txt` make `after.py`, and that stays as it is.

`wanted.txt` holds the signature on its first line and `OLD = NEW` renames on the following ones.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_lockstep.code.edit import signature_edit
from mcp_lockstep.code.observe import observe
from mcp_lockstep.code.signature import Signature, parse_signature

HERE = Path(__file__).parent
CASES = sorted(path.name for path in HERE.iterdir() if (path / "wanted.txt").is_file())
VARIANTS: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "byte order mark": lambda text: "\ufeff" + text,
    "tabs": lambda text: text.replace("    ", "\t"),
    "no last line end": lambda text: text.removesuffix("\n"),
}


def edited(text: str, wanted: Signature, renames: dict[str, str]) -> str:
    module = observe("x.py", text.encode())
    (function,) = module.functions
    assert module.source is not None
    edit = signature_edit(module.source, function, wanted, renames)
    if edit is None:
        return text
    assert edit.path == "x.py"
    assert text[edit.start : edit.end] != edit.text
    return text[: edit.start] + edit.text + text[edit.end :]


def wanted_of(case: str) -> tuple[Signature, dict[str, str]]:
    first, *rest = (HERE / case / "wanted.txt").read_text(encoding="utf-8").splitlines()
    return parse_signature(first), {old: new for old, _, new in (line.partition(" = ") for line in rest)}


def read(case: str, name: str) -> str:
    return (HERE / case / name).read_bytes().decode("utf-8")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("case", CASES)
def test_before_becomes_after_and_stays(case: str, variant: str) -> None:
    wanted, renames = wanted_of(case)
    before, after = (VARIANTS[variant](read(case, name)) for name in ("before.py", "after.py"))
    assert edited(before, wanted, renames) == after
    assert edited(after, wanted, renames) == after


def test_the_first_cases_change_nothing() -> None:
    assert [case for case in CASES if read(case, "before.py") == read(case, "after.py")] == [
        "no_op",
        "no_op_empty",
    ]
