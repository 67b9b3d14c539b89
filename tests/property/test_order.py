"""The order of a module is the generator's, whether or not the generator was asked."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_lockstep.models.plan import AliasPlan, ClassPlan, FieldPlan, ModulePlan
from mcp_lockstep.models.skeleton import ordered, skeleton
from mcp_lockstep.naming import Identifier
from mcp_lockstep.schema.values import Node, refer

NAMES = "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta".split()


@st.composite
def nodes(draw: st.DrawFn, below: Sequence[str]) -> Node:
    """A schema that refers to definitions of `below` alone."""
    plain: list[Node] = [{"type": "string"}, {"type": "integer"}, {}]
    node = draw(st.sampled_from([*plain, *map(refer, below)]))
    match draw(st.sampled_from(["bare", "array", "map", "union"])):
        case "array":
            return {"type": "array", "items": node}
        case "map":
            return {"type": "object", "additionalProperties": node}
        case "union":
            return {"anyOf": [node, {"type": "null"}]}
        case _:
            return node


@st.composite
def plans(draw: st.DrawFn) -> ModulePlan:
    """Classes and aliases in any order of names, none of which needs itself."""
    names = draw(st.permutations(NAMES))
    classes: list[ClassPlan] = []
    aliases: list[AliasPlan] = []
    for place, name in enumerate(names[: draw(st.integers(1, len(NAMES)))]):
        node = nodes(below=names[:place])
        if draw(st.booleans()):
            fields = [
                FieldPlan(Identifier(f"field_{number}"), f"field_{number}", draw(node), draw(st.booleans()))
                for number in range(draw(st.integers(0, 3)))
            ]
            classes.append(ClassPlan(name, "", tuple(fields), draw(st.sampled_from([None, {}])), ()))
        else:
            aliases.append(AliasPlan(name, "", draw(node)))
    return ModulePlan(tuple(classes), tuple(aliases), {}, {})


@given(plans())
@settings(max_examples=60)
def test_without_a_cycle_the_generator_need_not_be_asked(plan: ModulePlan) -> None:
    asked = [
        statement.name if isinstance(statement, ast.ClassDef) else ast.unparse(statement.targets[0])
        for statement in ast.parse(skeleton(plan)).body
        if isinstance(statement, ast.ClassDef | ast.Assign)
    ]
    assert ordered(plan) == asked


def test_what_refers_to_itself_is_ordered_too() -> None:
    tree: Node = {"type": "array", "items": refer("Tree")}
    field = FieldPlan(Identifier("leaves"), "leaves", refer("Tree"), required=True)
    plan = ModulePlan((ClassPlan("Above", "", (field,), {}, ()),), (AliasPlan("Tree", "", tree),), {}, {})
    assert ordered(plan) == ["Tree", "Above"]
