"""The three-way merge of a tool's signature: contract, function, and what both last agreed on. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_lockstep.code.normal import same_annotation, same_default
from mcp_lockstep.code.sides import RETURN, Outcome, Piece, Sides, Verdict
from mcp_lockstep.code.signature import Parameter, Signature
from mcp_lockstep.code.verdicts import kept, positional, report


def merge(sides: Sides) -> Outcome:
    """Compare the three signatures piece by piece: what to write, what to say, what to remember."""
    findings = positional(sides)
    if sides.wanted == sides.function.signature:
        return Outcome((), findings, None, {}, sides.wanted)
    renamed = _renamed(sides)
    pieces = _pieces(sides, renamed)
    if sides.function.keep:
        return Outcome(pieces, kept(sides, pieces), None, {}, sides.base)
    findings += tuple(finding for piece in pieces for finding in report(sides, piece))
    verdicts = {piece.verdict for piece in pieces}
    if "conflict" in verdicts:
        return Outcome(pieces, findings, None, {}, sides.base)
    target = _target(pieces) if any(piece.edits for piece in pieces) else None
    agreed = None if sides.base is None and "error" in verdicts else sides.wanted
    return Outcome(pieces, findings, target, renamed if target else {}, agreed)


def _renamed(sides: Sides) -> dict[str, str]:
    """The renames that apply: the contract has only the new name, the function only the old one."""
    wanted = {parameter.name for parameter in sides.wanted.parameters}
    have = {parameter.name for parameter in sides.function.signature.parameters}
    return {
        old: new
        for old, new in sides.renames.items()
        if new in wanted and new not in have and old in have and old not in wanted
    }


def _pieces(sides: Sides, renamed: Mapping[str, str]) -> tuple[Piece, ...]:
    """The parameters in the order of the function, then those that only the contract or the lock has."""
    wanted = _by_name(sides.wanted, {})
    have = _by_name(sides.function.signature, renamed)
    base = _by_name(sides.base, _renamed_in_base(sides, wanted)) if sides.base else {}
    old = {new: was for was, new in renamed.items()}
    names = list(have | wanted | base)
    found: list[Piece] = []
    for name in names:
        piece = Piece(name, "in step", wanted.get(name), have.get(name), base.get(name), old.get(name, ""))
        found.append(piece._replace(verdict=_verdict(sides, piece)))
    returns = Piece(
        RETURN,
        "in step",
        _returned(sides.wanted),
        _returned(sides.function.signature),
        _returned(sides.base) if sides.base else None,
    )
    return (*found, returns._replace(verdict=_verdict(sides, returns)))


def _renamed_in_base(sides: Sides, wanted: Mapping[str, Parameter]) -> dict[str, str]:
    known = {parameter.name for parameter in sides.base.parameters} if sides.base else set[str]()
    return {old: new for old, new in sides.renames.items() if new in wanted and new not in known}


def _by_name(signature: Signature, renamed: Mapping[str, str]) -> dict[str, Parameter]:
    named = (p._replace(name=renamed.get(p.name, p.name)) for p in signature.parameters)
    return {parameter.name: parameter for parameter in named}


def _returned(signature: Signature) -> Parameter | None:
    return Parameter(RETURN, signature.returns) if signature.returns else None


def _verdict(sides: Sides, piece: Piece) -> Verdict:
    function = sides.function
    if piece.wanted is not None and piece.name in function.contexts:
        return "error"
    if piece.have is None and function.variadic and piece.name != RETURN:
        return "in step"
    if piece.name == RETURN and piece.wanted is None and piece.base is None:
        return "in step"
    if _same(piece.wanted, piece.have):
        return "in step"
    if sides.accept == "contract":
        return "change"
    return _first(piece, sides) if sides.base is None else _three_way(piece, sides)


def _first(piece: Piece, sides: Sides) -> Verdict:
    """Without a base: only what cannot touch anybody's work is written."""
    if sides.function.untouched or piece.have is None:
        return "change"
    return _one_sided(piece)


def _three_way(piece: Piece, sides: Sides) -> Verdict:
    contract = not _same(piece.wanted, piece.base)
    code = not _same(piece.have, piece.base)
    if contract and code:
        return _one_sided(piece) if sides.accept == "code" else "conflict"
    return "change" if contract else _one_sided(piece)


def _one_sided(piece: Piece) -> Verdict:
    """What a difference is that the function alone made: its annotations are its own, nothing else."""
    if piece.name == RETURN:
        return "annotated"
    if piece.wanted is None or piece.have is None:
        return "error"
    return "annotated" if same_default(piece.wanted.default, piece.have.default) else "error"


def _same(left: Parameter | None, right: Parameter | None) -> bool:
    if left is None or right is None:
        return left is right
    return same_annotation(left.annotation, right.annotation) and same_default(left.default, right.default)


def _target(pieces: tuple[Piece, ...]) -> Signature:
    """What the function shall have: the contract's side of each changed piece, its own side of the others."""
    chosen: list[Parameter] = []
    returns = ""
    for piece in pieces:
        parameter = piece.wanted if piece.verdict == "change" else piece.have
        if piece.name == RETURN:
            returns = parameter.annotation if parameter else ""
        elif parameter is not None:
            chosen.append(parameter)
    return Signature(tuple(chosen), returns)
