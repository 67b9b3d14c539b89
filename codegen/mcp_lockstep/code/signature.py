"""The signature of a tool function as data: of the contract, of the code, as last agreed."""

from __future__ import annotations

import ast

from mcp_lockstep.records import NamedTuple


class Parameter(NamedTuple):
    """One keyword parameter. `annotation` and `default` are Python source; empty default: required."""

    name: str
    annotation: str = ""
    default: str = ""

    def __str__(self) -> str:
        text = f"{self.name}: {self.annotation}" if self.annotation else self.name
        spaced = " = " if self.annotation else "="
        return f"{text}{spaced}{self.default}" if self.default else text


class Signature(NamedTuple):
    """Keyword-only parameters in order, and the return annotation (empty: none)."""

    parameters: tuple[Parameter, ...] = ()
    returns: str = ""

    def __str__(self) -> str:
        inner = ", ".join(["*", *map(str, self.parameters)]) if self.parameters else ""
        return f"({inner}){self._arrow}"

    @property
    def _arrow(self) -> str:
        return f" -> {self.returns}" if self.returns else ""

    def wrapped(self, room: int, width: int) -> str:
        """`str(self)` as formatters break it: `room` characters are left on its first line, `width` on others."""
        text = str(self)
        if len(text) <= room or not self.parameters:
            return text
        parts = ["*", *map(str, self.parameters)]
        joined = ", ".join(parts)
        inner = [joined] if len(joined) <= width - 4 else [f"{part}," for part in parts]
        return "\n    ".join(["(", *inner]) + f"\n){self._arrow}"


def parse_signature(text: str) -> Signature:
    """The signature that `str(signature)` wrote. ValueError when the text is none."""
    try:
        function = ast.parse(f"def f{text}: ...").body[0]
    except SyntaxError as error:
        raise ValueError(f"not a signature: {text}") from error
    if not isinstance(function, ast.FunctionDef):
        raise ValueError(f"not a signature: {text}")
    return signature_of(function)


def signature_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Signature:
    """Every named parameter of `function`, in order, in the normal form of `ast.unparse`."""
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    missing: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults))
    pairs = [*zip(plain, [*missing, *given.defaults], strict=True)]
    pairs += zip(given.kwonlyargs, given.kw_defaults, strict=True)
    parameters = tuple(Parameter(p.arg, _source(p.annotation), _source(default)) for p, default in pairs)
    return Signature(parameters, _source(function.returns))


def _source(node: ast.expr | None) -> str:
    """`ast.unparse(node)`, with a short way for the few shapes that make up most signatures."""
    match node:
        case None:
            return ""
        case ast.Name(id=name):
            return name
        case ast.Constant(value=None | bool() | int() as value):
            return repr(value)
        case ast.BinOp(left=ast.Name(id=left), op=ast.BitOr(), right=ast.Name(id=right)):
            return f"{left} | {right}"
        case ast.BinOp(left=ast.Name(id=left), op=ast.BitOr(), right=ast.Constant(value=None)):
            return f"{left} | None"
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=inner)):
            return f"{name}[{inner}]"
        case _:
            return ast.unparse(node)


def without(signature: Signature, names: tuple[str, ...]) -> Signature:
    """`signature` less the parameters called `names`."""
    if not names:
        return signature
    return signature._replace(parameters=tuple(p for p in signature.parameters if p.name not in names))
