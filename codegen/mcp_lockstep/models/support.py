"""The helpers of a generated module: the parts of `base` and `judge` that it uses, as source."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache

from mcp_lockstep.models import base, judge
from mcp_lockstep.schema.values import Node

_MARK = "# Written into generated modules from here on.\n"

RESERVED = (
    "AnyNumber AnyUrl BaseModel Content Context CoreSchema Fraction GetCoreSchemaHandler JUDGE Judge JsonInt "
    "JsonNumber Mapping Obeys Str Struct WholeNumber"
).split()
"""Names that no generated class may have: helpers, and what stands beside the models in a server."""

_IMPORTS = (
    ("collections.abc", ("Mapping",)),
    ("fractions", ("Fraction",)),
    ("functools", ("lru_cache",)),
    ("typing", ("TYPE_CHECKING", "Annotated", "Any", "Literal", "Self", "TypeGuard")),
    (
        "pydantic",
        (
            "MISSING", "BaseModel", "BeforeValidator", "ConfigDict", "Field", "GetCoreSchemaHandler",
            "ModelWrapValidatorHandler",
            "StrictBool", "StrictStr", "model_validator",
        ),
    ),
    ("pydantic_core", ("CoreSchema", "core_schema")),
    ("typing_extensions", ("TypeAlias", "TypeAliasType")),
)  # fmt: skip
_MODULES = ("json", "re")
_SECOND_NAMES = (("List", "list"), ("Dict", "dict"), ("Str", "str"))


def helpers(code: str, definitions: dict[str, Node]) -> str:
    """The source of what `code` uses, and what that uses; `definitions` are what references in rules mean."""
    statements = [*_statements(inspect.getsource(base)), *_statements(inspect.getsource(judge))]
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
def _statements(source: str) -> tuple[tuple[str, str], ...]:
    """The functions, classes and constants after the mark in a source, each with its name."""
    source = source.split(_MARK, 1)[1]
    found: list[tuple[str, str]] = []
    for text in re.split(r"\n\n+(?=[A-Za-z@])", source.strip()):
        for line in text.split("\n") if not text.startswith(("@", "class ", "def ")) else [text]:
            match = re.search(r"(?m)^(?:class |def )?(\w+)(?: =|[(:])", line)
            if match is not None:
                found.append((match[1], line))
    return tuple(found)


def imports(code: str) -> str:
    """The import lines that `code` needs."""
    used = {*_names(ast.parse(code))}
    lines = [f"import {module}" for module in _MODULES if module in used]
    lines += [f"from builtins import {name} as {second}" for second, name in _SECOND_NAMES if second in used]
    for module, names in _IMPORTS:
        found = [name for name in names if name in used]
        if found:
            lines.append(f"from {module} import {', '.join(found)}")
    return "\n".join(lines)


def _names(tree: ast.AST) -> Iterator[str]:
    """Every name that is read, in the quoted types of recursive aliases too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        quoted = node.value if isinstance(node, ast.AnnAssign) else None
        if isinstance(quoted, ast.Constant) and isinstance(quoted.value, str) and _is_alias(node):
            yield from _names(ast.parse(quoted.value, mode="eval"))


def _is_alias(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.AnnAssign)
        and isinstance(node.annotation, ast.Name)
        and node.annotation.id == "TypeAlias"
    )
