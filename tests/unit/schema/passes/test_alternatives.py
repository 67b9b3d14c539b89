from __future__ import annotations

from mcp_lockstep.schema.passes.alternatives import alternatives
from mcp_lockstep.schema.values import Json

TEXT: Json = {"type": "string"}
COUNT: Json = {"type": "integer"}
NUMBER: Json = {"type": "number"}


def test_alternatives_that_are_apart_need_no_rule() -> None:
    assert alternatives({"$defs": {"A": {"oneOf": [TEXT, COUNT]}}})["$defs"] == {
        "A": {"anyOf": [TEXT, COUNT]}
    }


def test_alternatives_that_overlap_have_one() -> None:
    assert alternatives({"$defs": {"A": {"oneOf": [NUMBER, COUNT]}}})["$defs"] == {
        "A": {"anyOf": [NUMBER, COUNT], "x-rules": [{"oneOf": [NUMBER, COUNT]}]}
    }


def test_both_combinators_hold() -> None:
    given: Json = {"anyOf": [TEXT, COUNT], "oneOf": [TEXT, COUNT]}
    assert alternatives({"$defs": {"A": given}})["$defs"] == {
        "A": {"anyOf": [TEXT, COUNT], "allOf": [{"anyOf": [TEXT, COUNT]}]}
    }
