"""Normal forms: whether two annotations, or two defaults, say the same in other words."""

from __future__ import annotations

import ast

_PREFIXES = frozenset({"typing", "typing_extensions", "t", "collections.abc", "pydantic", "models"})
_BUILTIN = {
    "List": "list",
    "Dict": "dict",
    "Tuple": "tuple",
    "Set": "set",
    "FrozenSet": "frozenset",
    "Type": "type",
}


def same_annotation(left: str, right: str) -> bool:
    """Whether two annotations are equal in normal form.

    `Optional[X]`, `Union[X, None]` and `None | X` are one type, so are `List[X]` and `list[X]`; quotes,
    module prefixes such as `typing.`, the order of a union and of the values of a `Literal` don't count.
    """
    return left == right or _normal(left) == _normal(right)


def same_default(left: str, right: str) -> bool:
    """Whether two defaults are one expression; a module prefix and the spelling of a literal don't count."""
    if left == right:
        return True
    return bool(left and right) and _expression(left) == _expression(right)


def _normal(text: str) -> str:
    try:
        return _type(ast.parse(text.strip(), mode="eval").body) if text else ""
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text


def _expression(text: str) -> str:
    try:
        node = ast.parse(text.strip(), mode="eval").body
        return _name(node) or ast.unparse(node)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text


def _type(node: ast.expr) -> str:
    return " | ".join(sorted(set(_members(node))))


def _members(node: ast.expr) -> list[str]:
    """The members of the union that `node` is; of anything else its one normal form."""
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*_members(left), *_members(right)]
        case ast.Constant(value=str(quoted)):
            return _members(ast.parse(quoted.strip(), mode="eval").body)
        case ast.Subscript(value=value, slice=inner):
            return _generic(_type(value), inner.elts if isinstance(inner, ast.Tuple) else [inner])
        case ast.Name() | ast.Attribute():
            name = _name(node)
            return [_BUILTIN.get(name, name) or ast.unparse(node)]
        case ast.List(elts=items):
            return [f"[{', '.join(map(_type, items))}]"]
        case _:
            return [ast.unparse(node)]


def _generic(name: str, arguments: list[ast.expr]) -> list[str]:
    if name in {"Optional", "Union"}:
        members = [member for argument in arguments for member in _members(argument)]
        return [*members, "None"] if name == "Optional" else members
    if name == "Literal":
        return [f"Literal[{', '.join(sorted(map(ast.unparse, arguments)))}]"]
    if name == "Annotated":
        return [f"Annotated[{', '.join([_type(arguments[0]), *map(ast.unparse, arguments[1:])])}]"]
    return [f"{name}[{', '.join(map(_type, arguments))}]"]


def _name(node: ast.expr) -> str:
    """The name without a module prefix that means nothing; empty for what is no name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (ast.unparse(node.value) in _PREFIXES or node.attr == "MISSING"):
        return node.attr
    return ""
