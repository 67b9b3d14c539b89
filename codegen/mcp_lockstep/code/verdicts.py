"""The findings of a merge: what each verdict says, where, and how it is mended."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mcp_lockstep.code import codes
from mcp_lockstep.code.sides import RETURN, Piece, Sides
from mcp_lockstep.code.signature import Parameter
from mcp_lockstep.findings import Code, Finding, Place, Position

_SYNC = "Run `mcp-lockstep sync`."


def report(sides: Sides, piece: Piece) -> Iterator[Finding]:
    """The findings about one piece, by its verdict."""
    if piece.renames:
        said = f"the contract renamed parameter {piece.was!r} of {_subject(sides)} to {piece.name!r}"
        yield _about(sides, piece, codes.SIGNATURE_BEHIND, said)._replace(hint=_SYNC, fixable=True)
        yield from _still_used(sides, piece)
    match piece.verdict:
        case "in step":
            pass
        case "change":
            yield _changed(sides, piece)
            if piece.wanted is None:
                yield from _still_used(sides, piece)
        case "annotated":
            yield _annotated(sides, piece)
        case "error":
            yield _error(sides, piece)
        case "conflict":
            yield _conflict(sides, piece)


def kept(sides: Sides, pieces: tuple[Piece, ...]) -> tuple[Finding, ...]:
    """The one note about a kept function that is out of step; nothing when it is in step."""
    names = [_called(piece) for piece in pieces if piece.verdict not in {"in step", "annotated"}]
    if not names:
        return ()
    said = f"{_subject(sides)} is kept by its comment, though {', '.join(names)} differ from the contract"
    return (_finding(sides, codes.FUNCTION_KEPT, said, sides.function.position),)


def positional(sides: Sides) -> tuple[Finding, ...]:
    """An error for each parameter that no client can pass, as it takes no name."""
    node = sides.function.node
    found = [arg for arg in (node.args.posonlyargs if node else []) if arg.arg not in sides.function.contexts]
    return tuple(
        _finding(
            sides,
            codes.POSITIONAL_ONLY,
            f"{_subject(sides)} takes {arg.arg!r} by position only, and arguments are passed by name",
            sides.source.position(arg),
        )._replace(hint="Take the `/` out of the parameter list.")
        for arg in found
    )


def _changed(sides: Sides, piece: Piece) -> Finding:
    if piece.have is None:
        said = f"{_subject(sides)} lacks {_called(piece)}: the contract asks for `{_text(piece.wanted)}`"
    elif piece.wanted is None:
        said = f"{_subject(sides)} still has {_called(piece)}, which the contract no longer has"
    else:
        said = (
            f"{_called(piece)} of {_subject(sides)} is `{_text(piece.have)}`; "
            f"the contract asks for `{_text(piece.wanted)}`"
        )
    return _about(sides, piece, codes.SIGNATURE_BEHIND, said)._replace(hint=_SYNC, fixable=True)


def _annotated(sides: Sides, piece: Piece) -> Finding:
    said = (
        f"{_called(piece)} of {_subject(sides)} is annotated `{_text(piece.have)}`, "
        f"the contract says `{_text(piece.wanted)}`; the annotation is kept"
    )
    return _about(sides, piece, codes.ANNOTATION_CHANGED, said)


def _error(sides: Sides, piece: Piece) -> Finding:
    at, subject = sides.wanted_at, _subject(sides)
    if piece.name in sides.function.contexts:
        said = f"{subject} uses the name {piece.name!r} for what the SDK injects, and the contract for an argument"
        return _about(sides, piece, codes.NAME_TAKEN, said)._replace(hint="Rename the injected parameter.")
    if piece.wanted is None:
        said = f"{subject} has a parameter `{_text(piece.have)}` that the contract ({at}) does not name"
        hint = "Add it to the contract, or take it out of the function."
        return _about(sides, piece, codes.PARAMETER_UNKNOWN, said)._replace(hint=hint)
    if piece.have is None:
        said = f"{subject} lacks {_called(piece)}: the contract ({at}) asks for `{_text(piece.wanted)}`"
        hint = "Put it back, or take it out of the contract."
        return _about(sides, piece, codes.PARAMETER_LOST, said)._replace(hint=hint)
    said = f"{_called(piece)} of {subject} is `{_text(piece.have)}`, the contract ({at}) says `{_text(piece.wanted)}`"
    hint = f"Change it to `{_text(piece.wanted)}`, or change the contract."
    return _about(sides, piece, codes.PARAMETER_CHANGED, said)._replace(hint=hint)


def _conflict(sides: Sides, piece: Piece) -> Finding:
    here = _place(sides)
    said = (
        f"both sides changed {_called(piece)} of {_subject(sides)}: agreed was {_or_none(piece.base)}, "
        f"{sides.wanted_at} now asks for {_or_none(piece.wanted)}, {here} has {_or_none(piece.have)}"
    )
    hint = f"Take one side: `mcp-lockstep sync --accept {sides.wanted_at}` or `--accept {here}`."
    return _about(sides, piece, codes.SIGNATURE_CONFLICT, said)._replace(hint=hint)


def _still_used(sides: Sides, piece: Piece) -> Iterator[Finding]:
    name = piece.was or piece.name
    use = _first_use(sides, name) if piece.name != RETURN else None
    if use is not None:
        said = f"the body of {_subject(sides)} uses {name!r}, which the contract no longer has"
        hint = f"Use {piece.name!r} there." if piece.was else f"Take {name!r} out of the body."
        found = _finding(sides, codes.PARAMETER_STILL_USED, said, sides.source.position(use))
        yield found._replace(hint=hint)


def _first_use(sides: Sides, name: str) -> ast.Name | None:
    """The first place in the body where `name` is read, apart from nested functions that have their own."""
    node = sides.function.node
    waiting: list[ast.AST] = list(node.body) if node else []
    uses: list[ast.Name] = []
    while waiting:
        found = waiting.pop()
        if isinstance(found, ast.Name) and found.id == name and isinstance(found.ctx, ast.Load):
            uses.append(found)
        if not _binds(found, name):
            waiting.extend(ast.iter_child_nodes(found))
    return min(uses, key=lambda use: (use.lineno, use.col_offset), default=None)


def _binds(node: ast.AST, name: str) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return False
    given = node.args
    return any(arg.arg == name for arg in [*given.posonlyargs, *given.args, *given.kwonlyargs])


def _about(sides: Sides, piece: Piece, code: Code, said: str) -> Finding:
    found = _finding(sides, code, said, _position(sides, piece))
    have, wanted = (_text(side) if side else None for side in (piece.have, piece.wanted))
    return found._replace(have=have, want=wanted)


def _finding(sides: Sides, code: Code, said: str, position: Position) -> Finding:
    return Finding(code, _place(sides), said, position, fact="tools")


def _place(sides: Sides) -> Place:
    return Place(sides.function.path, "::", sides.function.symbol)


def _position(sides: Sides, piece: Piece) -> Position:
    """Where the piece stands in the function; the name of the function where it does not."""
    node = sides.function.node
    if node is not None and piece.name == RETURN and node.returns is not None:
        return sides.source.position(node.returns)
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs] if node else []
    for arg in given:
        if arg.arg == (piece.was or piece.name):
            return sides.source.position(arg)
    return sides.function.position


def _subject(sides: Sides) -> str:
    return f"{sides.function.symbol}() for tool {sides.tool!r}"


def _called(piece: Piece) -> str:
    return "the return annotation" if piece.name == RETURN else f"parameter {piece.name!r}"


def _text(side: Parameter | None) -> str:
    if side is None:
        return ""
    return side.annotation if side.name == RETURN else str(side)


def _or_none(side: Parameter | None) -> str:
    return f"`{_text(side)}`" if side else "none"
