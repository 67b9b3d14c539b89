"""Whatever the contract and the author do to a signature: what is written is what was merged, and nothing else."""

from __future__ import annotations

import ast
import keyword
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_lockstep.code.edit import signature_edit
from mcp_lockstep.code.merge import merge
from mcp_lockstep.code.module import Module
from mcp_lockstep.code.observe import observe
from mcp_lockstep.code.sides import Outcome, Sides
from mcp_lockstep.code.signature import Parameter, Signature, parse_signature
from mcp_lockstep.findings import Place

NAMES = st.sampled_from(["a", "b", "city", "days", "größe", "type", "units", "x_y", "名前"])
ANNOTATIONS = st.sampled_from(
    [
        "int",
        "str",
        "Units",
        "int | None",
        "list[str]",
        "Literal['a', 'b']",
        "dict[str, list[int]]",
        "Units | MISSING",
    ]
)
DEFAULTS = st.sampled_from(["", "", "3", "'):'", "None", "MISSING", "-1.5", "{'(': ','}"])
RESULTS = st.sampled_from(["", "str", "Forecast", "dict[str, Literal[':']]"])
PARAMETERS = st.lists(
    st.builds(Parameter, NAMES, ANNOTATIONS, DEFAULTS), max_size=5, unique_by=lambda parameter: parameter.name
)
SIGNATURES = st.builds(Signature, PARAMETERS.map(tuple), RESULTS)
PLACE = Place("contract.json")
BODY = '    """Doc: (*, a)."""  # body\n    return {a: 1 for a in (b, "):")}\n'


@st.composite
def written(draw: st.DrawFn, signature: Signature) -> str:
    """A module with one function of `signature`, written by a hand with habits of its own."""
    exploded = draw(st.booleans())
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    star = draw(st.integers(0, len(signature.parameters)))
    items = [draw(_spelt(parameter)) for parameter in signature.parameters]
    plain = signature.parameters[:star]
    ordered = all(not plain[i].default or plain[i + 1].default for i in range(len(plain) - 1))
    if star < len(items) or not ordered:
        items.insert(star if ordered else 0, "*")
    if draw(st.booleans()):
        at = draw(st.integers(items.index("*") + 1, len(items))) if "*" in items else 0
        items.insert(at, "ctx: Context")
    if draw(st.booleans()) and items[-1:] != ["*"]:
        items.append("**rest: object")
    text = _exploded(draw, items) if exploded and items else ", ".join(items)
    arrow = f" -> {signature.returns}" if signature.returns else ""
    code = f"{draw(HEADS)}@mcp.contract('t')  # é\nasync def f({text}){arrow}:\n{BODY}# end"
    return code.replace("\n", newline)


HEADS = st.sampled_from(["", "\ufeff", '"""Größe."""\n\n', "# -*- x -*-\nimport a\n\n"])


@st.composite
def _spelt(draw: st.DrawFn, parameter: Parameter) -> str:
    equal = draw(st.sampled_from(["=", " = ", "  =  "])) if parameter.default else ""
    colon = draw(st.sampled_from([":", ": ", " : "]))
    annotation = draw(st.sampled_from([parameter.annotation, f"({parameter.annotation})"]))
    return f"{parameter.name}{colon}{annotation}{equal}{parameter.default}"


def _exploded(draw: st.DrawFn, items: list[str]) -> str:
    trailing = draw(st.booleans())
    lines: list[str] = []
    for index, item in enumerate(items):
        above = draw(st.sampled_from(["", "    # above\n"]))
        comma = "," if index < len(items) - 1 or trailing else ""
        lines.append(f"{above}    {item}{comma}{draw(st.sampled_from(['', '  # beside', ' ']))}\n")
    return "\n" + "".join(lines) + draw(st.sampled_from(["", "    # last\n"]))


def see(text: str) -> Module:
    module = observe("x.py", text.encode())
    assert not module.findings
    return module


def edit(text: str, target: Signature) -> str:
    module = see(text)
    assert module.source is not None
    made = signature_edit(module.source, module.functions[0], target)
    return text if made is None else text[: made.start] + made.text + text[made.end :]


def around(text: str) -> tuple[str, str]:
    """What stands before the parameter list and from the colon before the body on."""
    start = text.index("f(") + 2
    body = re.search(r":\r?\n    \"\"\"Doc", text)
    assert body is not None
    return text[:start], text[body.start() :]


def normal(signature: Signature) -> set[str]:
    parsed = parse_signature(str(Signature(_ordered(signature), signature.returns)))
    return {*map(str, parsed.parameters), f"-> {parsed.returns}"}


def _ordered(signature: Signature) -> tuple[Parameter, ...]:
    return tuple(sorted(signature.parameters))


@settings(deadline=None, max_examples=60)
@given(st.data(), SIGNATURES, SIGNATURES)
def test_the_function_gets_the_signature_and_nothing_else_changes(
    data: st.DataObject, have: Signature, wanted: Signature
) -> None:
    before = data.draw(written(have))
    after = edit(before, wanted)
    function = see(after).functions[0]
    assert normal(function.signature) == normal(wanted)
    assert function.contexts == see(before).functions[0].contexts
    assert around(after) == around(before)
    assert edit(after, wanted) == after


@settings(deadline=None, max_examples=60)
@given(st.data(), SIGNATURES, SIGNATURES)
def test_kept_parameters_keep_their_order_and_their_comments_above(
    data: st.DataObject, have: Signature, wanted: Signature
) -> None:
    before = data.draw(written(have))
    after = edit(before, wanted)
    kept = [p.name for p in have.parameters if p.name in {other.name for other in wanted.parameters}]
    found = [p.name for p in see(after).functions[0].signature.parameters]
    assert found[: len(kept)] == kept
    assert after.count("# above") == before.count("# above")
    assert after.count("# last") == before.count("# last")
    assert after.count("\r") == (0 if "\r" not in before else after.count("\n"))


@settings(deadline=None, max_examples=60)
@given(st.data(), SIGNATURES, SIGNATURES, SIGNATURES)
def test_a_merge_that_is_written_is_in_step(
    data: st.DataObject, base: Signature, have: Signature, wanted: Signature
) -> None:
    text = data.draw(written(data.draw(st.sampled_from([base, have]))))
    agreed = data.draw(st.sampled_from([base, None]))
    first = _merge(text, wanted, agreed)
    if first.target is None:
        return
    after = edit(text, first.target)
    second = _merge(after, wanted, first.agreed)
    assert not any(piece.verdict in {"change", "conflict"} for piece in second.pieces)
    assert second.target is None
    assert normal(see(after).functions[0].signature) == normal(first.target)


def _merge(text: str, wanted: Signature, base: Signature | None) -> Outcome:
    module = see(text)
    assert module.source is not None
    return merge(Sides("t", wanted, PLACE, module.functions[0], module.source, base))


@settings(deadline=None, max_examples=60)
@given(st.binary(max_size=60), st.sampled_from([b"", b"mcp", b"@mcp.tool()\ndef f(", b"__version__ = "]))
def test_any_bytes_are_read_or_reported(raw: bytes, start: bytes) -> None:
    module = observe("x.py", start + raw)
    assert module.findings or module.tree is not None or module == Module("x.py", raw=start + raw)


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=20), st.text(max_size=8).filter(lambda text: not keyword.iskeyword(text)))
def test_positions_lie_where_python_puts_them(text: str, name: str) -> None:
    code = f"mcp = {text!r}; mcp = MCPServer({name!r}, version={text!r})\n"
    module = observe("x.py", code.encode("utf-8", "surrogatepass"))
    for value in module.values:
        assert ast.literal_eval(code[slice(*value.span)]) == value.text == text
