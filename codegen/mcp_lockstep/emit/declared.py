"""What server.json declares put into the settings module that `new` made: one declaration for each name that it lacks.

The module is rendered as `new` would render it for the server.json of today, and what is missing in the user's is
taken over from there. Nothing that stands there is changed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from mcp_lockstep.code.imports import Needed, import_edits
from mcp_lockstep.code.source import Parsed, Source, dotted, last_name, parse
from mcp_lockstep.code.start.parsers import PARSES
from mcp_lockstep.documents import Edit, apply_edits
from mcp_lockstep.records import NamedTuple

_CLASSES = ("Environment", "Arguments")
_PARSE = "arguments"


class _Piece(NamedTuple):
    """Text to put at an offset of the user's module, and the nodes of the rendered one that it is.

    `until`: the end of what it replaces there; None for nothing.
    """

    at: int
    text: str
    nodes: tuple[ast.stmt, ...]
    until: int | None = None


def declared_edits(current: Parsed, wanted: Parsed, names: frozenset[str]) -> tuple[Edit, ...]:
    """The edits that declare `names` (variables and flags) in `current` as `wanted` does, as far as they can.

    There are none where the module would be no Python with them: a class of the user's may stand on one line.
    """
    here, there = _Module(current), _Module(wanted)
    pieces = [*_variables(here, there, names), *_arguments(here, there, names)]
    if not pieces:
        return ()
    pieces = [*_helpers(here, there, pieces), *pieces]
    path = current.source.path
    used = {name for piece in pieces for node in piece.nodes for name in _names(node)}
    texts = (Edit(path, one.at, one.at if one.until is None else one.until, one.text) for one in pieces)
    edits = (*_imports(here, there, used), *texts)
    after = apply_edits(current.source.text, edits)
    if not isinstance(parse(path, after.encode("utf-8")), Parsed):
        return ()
    if "\r\n" in current.source.text:
        return tuple(
            edit._replace(text=edit.text.replace("\r\n", "\n").replace("\n", "\r\n")) for edit in edits
        )
    return edits


class _Module:
    """A settings module with what stands at its top."""

    def __init__(self, parsed: Parsed) -> None:
        self.parsed = parsed
        self.source: Source = parsed.source
        self.top = {name: node for node in parsed.tree.body for name in _bound(node)}

    def text(self, *nodes: ast.stmt) -> str:
        """The lines of `nodes`, decorators included, which follow each other."""
        start = self.source.offset(_first_line(nodes[0]), 0)
        return f"{self.source.text[start : self.source.span(nodes[-1])[1]]}\n"

    def after(self, node: ast.stmt) -> int:
        """The start of the line after `node`."""
        line = (node.end_lineno or node.lineno) + 1
        return self.source.offset(line, 0) if line <= len(self.source.lines) else len(self.source.text)

    def behind(self, node: ast.stmt, there: _Module, *nodes: ast.stmt) -> _Piece:
        """`nodes` of the rendered module on the lines after `node`, indented as that is."""
        start = self.source.offset(_first_line(node), 0)
        line = self.source.text[start : self.source.span(node)[1]]
        indent = line[: len(line) - len(line.lstrip())]
        return _Piece(self.after(node), re.sub(r"(?m)^ {4}", indent, there.text(*nodes)), nodes)

    def named(self, name: str) -> ast.ClassDef | None:
        node = self.top.get(name)
        return node if isinstance(node, ast.ClassDef) else None

    def told(self) -> dict[str, ast.stmt]:
        """The statements that tell the parser an argument, by its first name."""
        parse = self.top.get(_PARSE)
        found: dict[str, ast.stmt] = {}
        for node in parse.body if isinstance(parse, ast.FunctionDef) else ():
            match node:
                case ast.Expr(value=ast.Call(func=func, args=[ast.Constant(value=str(name)), *_])):
                    if last_name(func) == "add_argument":
                        found[name] = node
                case _:
                    pass
        return found


def _variables(here: _Module, there: _Module, names: frozenset[str]) -> Iterator[_Piece]:
    wanted, own = there.named("Environment"), here.named("Environment")
    if wanted is None:
        return
    fields = [field for field in _fields(wanted) if _mentions(field[0], names)]
    if not fields or (own is not None and own.body[-1].lineno == own.lineno):
        return
    if own is None:
        yield from _whole(here, there, wanted)
        return
    taken = {dotted(node.target) for node in own.body if isinstance(node, ast.AnnAssign)}
    for field in fields:
        if isinstance(field[0], ast.AnnAssign) and dotted(field[0].target) not in taken:
            yield here.behind(own.body[-1], there, *field)


def _whole(here: _Module, there: _Module, wanted: ast.ClassDef) -> Iterator[_Piece]:
    """The class of the variables with the function that makes it, in front of the class of the arguments."""
    making, before = there.top.get("environment"), here.named("Arguments")
    if making is None or before is None or "environment" in here.top:
        return
    at = here.source.offset(_first_line(before), 0)
    yield _Piece(at, f"{there.text(wanted)}\n\n{there.text(making)}\n\n", (wanted, making))


def _arguments(here: _Module, there: _Module, names: frozenset[str]) -> Iterator[_Piece]:
    wanted, own = there.named("Arguments"), here.named("Arguments")
    told, ours = there.told(), here.told()
    parse, asked = _ending(here), _ending(there)
    lacking = [flag for flag in told if flag in names and flag not in ours]
    if wanted is None or own is None or not ours or parse is None or asked is None or not lacking:
        return
    mixed = not all(name.startswith("-") for name in (*ours, *lacking))
    if ast.dump(parse) != ast.dump(asked) and (mixed or _parsing(parse) is None):
        before, after = _parsing(parse), _parsing(asked)
        if before is None or after is None:
            # What is done with the parsed arguments differs, so that an argument alone would not do.
            return
        # With flags between them, positional arguments are parsed by another method.
        start, end = here.source.span(before)
        yield _Piece(start, ast.unparse(after), (), end)
    taken = {dotted(node.target) for node in own.body if isinstance(node, ast.AnnAssign)}
    last = max(ours.values(), key=lambda node: node.lineno)
    for flag in lacking:
        statement = told[flag]
        for field in _fields(wanted):
            target = dotted(field[0].target) if isinstance(field[0], ast.AnnAssign) else ""
            if target not in taken and _mentions(statement, frozenset({target})):
                yield here.behind(own.body[-1], there, *field)
                yield here.behind(last, there, statement)


def _ending(module: _Module) -> ast.stmt | None:
    function = module.top.get(_PARSE)
    return function.body[-1] if isinstance(function, ast.FunctionDef) else None


def _parsing(ending: ast.stmt) -> ast.expr | None:
    """The method that parses, where that is all that is done with what the parser was told."""
    match ending:
        case ast.Return(value=ast.Call(func=func)) if last_name(func) in PARSES:
            return func
        case _:
            return None


def _fields(cls: ast.ClassDef) -> Iterator[tuple[ast.stmt, ...]]:
    """Each field of a class, with the text that describes it."""
    for node, following in zip(cls.body, [*cls.body[1:], ast.Pass()], strict=True):
        if isinstance(node, ast.AnnAssign):
            described = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            yield (node, following) if described else (node,)


def _mentions(node: ast.stmt, names: frozenset[str]) -> bool:
    return any(isinstance(one, ast.Constant) and one.value in names for one in ast.walk(node))


def _helpers(here: _Module, there: _Module, pieces: Iterable[_Piece]) -> list[_Piece]:
    """The functions and names of the rendered module that `pieces` use and the user's has not."""
    first = next((n for n in here.parsed.tree.body if isinstance(n, ast.ClassDef | ast.FunctionDef)), None)
    if first is None:
        return []
    at = here.source.offset(_first_line(first), 0)
    waiting = [node for piece in pieces for node in piece.nodes]
    found: dict[str, ast.stmt] = {}
    for node in waiting:
        for name in _names(node) - {*found, *here.top, *_CLASSES}:
            helper = there.top.get(name)
            if isinstance(helper, ast.FunctionDef | ast.Assign) and helper not in waiting:
                found[name] = helper
                waiting.append(helper)
    ordered = sorted(found.values(), key=lambda node: node.lineno)
    return [_Piece(at, f"{there.text(node)}\n\n", (node,)) for node in ordered]


def _imports(here: _Module, there: _Module, used: set[str]) -> Iterator[Edit]:
    """The imports that the rendered module has for `used`, and the user's has not."""
    needed: list[Needed] = []
    plain = [node for node in here.parsed.tree.body if isinstance(node, ast.Import)]
    for node in there.parsed.tree.body:
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module != "__future__":
                needed += [Needed(module, alias.name) for alias in names if alias.name in used]
            case ast.Import(names=[alias]) if alias.name in used and alias.name not in here.top and plain:
                behind = [one for one in plain if one.names[0].name < alias.name]
                at = here.after(behind[-1]) if behind else here.source.offset(plain[0].lineno, 0)
                yield Edit(here.source.path, at, at, f"import {alias.name}\n")
            case _:
                pass
    yield from import_edits(here.parsed, "", [one for one in needed if one.name not in here.top]).edits


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, ast.ClassDef | ast.FunctionDef) else []
    return min([node.lineno, *(one.lineno for one in decorators)])


def _bound(node: ast.stmt) -> list[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [dotted(target) for target in targets]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [alias.asname or alias.name for alias in names]
        case _:
            return []
