"""Put the signature of one function in step: one edit on the smallest span, everything else byte for byte.

`ast` says where the function is; `libcst`, loaded when the first function is edited, reads its parameters.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Collection, Iterator, Mapping
from itertools import accumulate

from mcp_lockstep.code.codes import NOT_EDITABLE
from mcp_lockstep.code.injected import FunctionNode
from mcp_lockstep.code.module import Function
from mcp_lockstep.code.normal import same_annotation, same_default
from mcp_lockstep.code.parameters import ParameterList
from mcp_lockstep.code.reader import changed, expression, made, read
from mcp_lockstep.code.signature import Signature, signature_of, without
from mcp_lockstep.code.source import Source
from mcp_lockstep.documents.document import Edit, change
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.records import NamedTuple

_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


def signature_edit(
    source: Source, function: Function, target: Signature, renamed: Mapping[str, str] = {}
) -> Edit | None:
    """The edit that gives `function`, which stands in `source`, the signature `target`; None when it has it.

    `renamed` maps old to new parameter names. Kept parameters keep their order, place and comments, and their
    spelling where it says the same; added ones come last and are keyword-only; injected parameters, `*args`
    and `**kwargs` stay. Refused when the result would not be `target`.
    """
    node = function.node
    if node is None:
        raise _refused(function, "its def is not in this file")
    if _in_step(function.signature, target) and not renamed:
        return None
    head = _head(source, node, function)
    text = source.text
    inner = _parameters(text[head.opening + 1 : head.closing], node, function, target, renamed)
    arrow = _returns(source, node, head, target.returns)
    new = f"{text[head.start : head.opening + 1]}{inner}){arrow}"
    _check(new, function, target)
    old = text[head.start : head.colon]
    return None if old == new else change(source.path, head.start, old, new)


class _Head(NamedTuple):
    """Code points of a def: its start, its parentheses, and the colon before its body."""

    start: int
    opening: int
    closing: int
    colon: int


def _head(source: Source, node: FunctionNode, function: Function) -> _Head:
    start = source.offset(node.lineno, node.col_offset)
    end = source.span(node.body[0])[1]
    marks = [start + mark for mark in _marks(source.text[start:end])]
    if len(marks) != 3:
        raise _refused(function, "its parentheses cannot be found")
    return _Head(start, *marks)


def _marks(text: str) -> Iterator[int]:
    """Offsets of the opening parenthesis, the closing one and the colon of the def that `text` begins with."""
    lines = [*io.StringIO(re.sub(r"\r(?!\n)", "\n", text), newline="")]
    starts = [0, *accumulate(map(len, lines))]
    depth, lambdas, seen = 0, 0, 0
    for token in tokenize.generate_tokens(iter(lines).__next__):
        at = starts[token.start[0] - 1] + token.start[1]
        if token.string in _CLOSING and token.type == tokenize.OP:
            depth -= 1
            if depth == 0 and seen == 1 and token.string == ")":
                yield at
                seen = 2
        elif token.string in _OPENING and token.type == tokenize.OP:
            if depth == 0 and seen == 0 and token.string == "(":
                yield at
                seen = 1
            depth += 1
        elif depth == 0 and token.string == "lambda":
            lambdas += 1
        elif depth == 0 and token.string == ":":
            if lambdas == 0:
                yield at
                return
            lambdas -= 1


def _parameters(
    inner: str, node: FunctionNode, function: Function, target: Signature, renamed: Mapping[str, str]
) -> str:
    """The text between the parentheses, edited."""
    listed = read(inner)
    if listed is None or str(listed) != inner:
        raise _refused(function, "its parameter list is written in a way that cannot be kept")
    defaulted = {parameter.name for parameter in signature_of(node).parameters if parameter.default}
    wanted = {parameter.name: parameter for parameter in target.parameters}
    for index, item in reversed([*enumerate(listed.items)]):
        if item.name in function.contexts or not item.name.isidentifier():
            continue
        defaulted.discard(item.name)
        parameter = wanted.pop(renamed.get(item.name, item.name), None)
        if parameter is None:
            listed.remove(index)
        else:
            core = changed(item.core, parameter)
            listed.items[index] = listed.items[index]._replace(name=parameter.name, core=core)
            defaulted |= {parameter.name} if parameter.default else set()
    _mend_slash(listed)
    _mend_star(listed, defaulted, adds=bool(wanted))
    end = listed.index("**") if listed.index("**") >= 0 else len(listed.items)
    for name in wanted:
        listed.insert(end, name, made(wanted[name]))
        end += 1
    return str(listed)


def _mend_slash(listed: ParameterList) -> None:
    if listed.index("/") == 0:
        listed.remove(0)


def _mend_star(listed: ParameterList, defaulted: Collection[str], *, adds: bool) -> None:
    """Keep the one `*` where it is needed: before keyword-only parameters, before a required one that would
    otherwise follow one with a default."""
    names = [item.name for item in listed.items]
    star = next((index for index, name in enumerate(names) if name.startswith("*")), len(names))
    first = next((index for index, name in enumerate(names[:star]) if name in defaulted), star)
    if any(name not in defaulted and name != "/" for name in names[first:star]):
        if star < len(names) and names[star] == "*":
            listed.remove(star)
        listed.insert(first, "*", "*")
        return
    alone = names[star : star + 1] == ["*"] and names[star + 1 :] in ([], ["**"])
    if alone and not adds:
        listed.remove(star)
    elif adds and names[star:] in ([], ["**"]):
        listed.insert(star, "*", "*")


def _returns(source: Source, node: FunctionNode, head: _Head, wanted: str) -> str:
    """The text between the closing parenthesis and the colon, with the return annotation that is wanted."""
    between = source.text[head.closing + 1 : head.colon]
    if node.returns is None:
        return f" -> {expression(wanted)}{between}" if wanted else between
    if same_annotation(ast.unparse(node.returns), wanted):
        return between
    if not wanted:
        return ""
    start, end = source.span(node.returns)
    offset = head.closing + 1
    return between[: start - offset] + expression(wanted) + between[end - offset :]


def _check(head: str, function: Function, target: Signature) -> None:
    try:
        made = ast.parse(f"{head}: pass").body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _refused(function, "the result would not parse") from error
    found = isinstance(made, ast.FunctionDef | ast.AsyncFunctionDef) and signature_of(made)
    if not found or not _in_step(without(found, function.contexts), target):
        raise _refused(function, "the result would be another signature")


def _in_step(left: Signature, right: Signature) -> bool:
    """Whether two signatures say the same, whatever the order of their parameters."""
    mine = {parameter.name: parameter for parameter in left.parameters}
    other = {parameter.name: parameter for parameter in right.parameters}
    if mine.keys() != other.keys() or not same_annotation(left.returns, right.returns):
        return False
    pairs = [(mine[name], other[name]) for name in mine]
    return all(
        same_annotation(a.annotation, b.annotation) and same_default(a.default, b.default) for a, b in pairs
    )


def _refused(function: Function, reason: str) -> Refused:
    return Refused(
        Finding(
            NOT_EDITABLE,
            Place(function.path, "::", function.symbol),
            f"the signature of {function.symbol}() cannot be edited: {reason}",
            function.position,
            have=str(function.signature),
            hint="Edit it by hand.",
        )
    )
