"""The helpers of a generated module: the parts of `base`, `judge` and `wire` that it uses, as source."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module

from mcp_lockstep.config.styles import USUAL, Style
from mcp_lockstep.naming import BUILTIN_NAMES
from mcp_lockstep.schema.values import Node

_MARK = "# Written into generated modules from here on.\n"

RESERVED = (
    "AnyNumber AnyUrl BaseModel Content Context CoreSchema Fraction GetCoreSchemaHandler JUDGE Judge JsonInt "
    "JsonNumber Mapping Obeys Str Struct WholeNumber"
).split()
"""Names that no generated class may have: helpers, and what stands beside the models in a server."""

HELPERS = frozenset(RESERVED) - {"AnyUrl", "Content", "Context"} | BUILTIN_NAMES | {
    "Annotated", "Any", "BeforeValidator", "ConfigDict", "Dict", "Field", "List", "Literal", "MISSING",
    "ModelWrapValidatorHandler", "ONLY_BOOLEANS", "ONLY_NUMBERS", "Self", "StrictBool", "StrictStr", "TYPE_CHECKING",
    "TypeAdapter", "TypeAlias", "TypeAliasType", "TypeGuard", "core_schema", "json", "judged", "lru_cache",
    "model_validator", "re", "without_namesakes",
}  # fmt: skip
"""What modules use themselves, so that nothing else in them can have such a name."""

_IMPORTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("collections.abc", ("Callable", "Mapping")),
    ("fractions", ("Fraction",)),
    ("functools", ("lru_cache",)),
    (
        "typing",
        (
            "TYPE_CHECKING", "Annotated", "Any", "Final", "Generic", "Literal", "NamedTuple", "NoReturn", "Self",
            "TypeGuard", "TypeVar", "overload",
        ),
    ),
    (
        "pydantic",
        (
            "MISSING", "BaseModel", "BeforeValidator", "ConfigDict", "Field", "GetCoreSchemaHandler",
            "ModelWrapValidatorHandler",
            "StrictBool", "StrictStr", "TypeAdapter", "ValidationError", "model_validator",
        ),
    ),
    ("pydantic_core", ("CoreSchema", "core_schema", "from_json")),
    ("typing_extensions", ("TypeAlias", "TypeAliasType")),
)  # fmt: skip
_MODULES = ("json", "re")
_MOVED: tuple[tuple[str, Callable[[Style], bool], str], ...] = (
    ("MISSING", lambda style: style.pydantic != "2.14", "pydantic_core"),
    ("Self", lambda style: style.python == "3.10", "typing_extensions"),
)
"""Names that older versions have elsewhere: the targets that have not got them, and the module there."""
_SECOND_NAMES = (("List", "list"), ("Dict", "dict"), ("Str", "str"))


def helpers(
    code: str,
    definitions: dict[str, Node],
    bases: Sequence[str] = ("base", "judge"),
    have: Sequence[str] = (),
) -> str:
    """The source of what `code` uses, and what that uses; `definitions` are what references in rules mean.

    Of two statements of one name in `bases`, the modules to take them from, the later one counts.
    Those in `have` come from elsewhere.
    """
    statements = [
        *{name: text for base in bases for name, text in _statements(base) if name not in have}.items()
    ]
    needed = {name for name, _ in statements if re.search(rf"\b{name}\b", code)}
    while more := {
        name
        for name, _ in statements
        if name not in needed
        and any(n in needed and re.search(rf"\b{name}\b", text) for n, text in statements)
    }:
        needed |= more
    kept = "\n\n\n".join(text for name, text in statements if name in needed)
    return kept.replace("JUDGE = Judge({})", f"JUDGE = Judge({definitions!r})")


@cache
def _statements(base: str) -> tuple[tuple[str, str], ...]:
    """The functions, classes and constants after the mark in a module of this package, each with its name."""
    source = inspect.getsource(import_module(f"mcp_lockstep.models.{base}")).split(_MARK, 1)[1]
    found: list[tuple[str, str]] = []
    for text in re.split(r"\n\n+(?=[A-Za-z@])", source.strip()):
        for line in text.split("\n") if not text.startswith(("@", "class ", "def ")) else [text]:
            match = re.search(r"(?m)^(?:class |def )?(\w+)(?: =|[(:])", line)
            if match is not None:
                found.append((match[1], line))
    return tuple(found)


def imports(code: str, style: Style = USUAL) -> str:
    """The import lines that `code` needs, as the oldest Python and pydantic of `style` have the names."""
    used = {*_names(ast.parse(code))}
    moved = {name: module for name, is_old, module in _MOVED if is_old(style)}
    lines = [f"import {module}" for module in _MODULES if module in used]
    lines += [f"from builtins import {name} as {second}" for second, name in _SECOND_NAMES if second in used]
    for module, names in _IMPORTS:
        found = [name for name in names if name in used and name not in moved]
        found += [name for name, old in moved.items() if name in used and old == module]
        if found:
            lines.append(f"from {module} import {', '.join(found)}")
    return "\n".join(lines)


def _names(tree: ast.AST) -> Iterator[str]:
    """Every name that is read, in the quoted types of fields and of recursive aliases too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.AnnAssign):
            quoted = node.value if _is_alias(node) else node.annotation
            if isinstance(quoted, ast.Constant) and isinstance(quoted.value, str):
                yield from _names(ast.parse(quoted.value, mode="eval"))


def _is_alias(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.AnnAssign)
        and isinstance(node.annotation, ast.Name)
        and node.annotation.id == "TypeAlias"
    )
