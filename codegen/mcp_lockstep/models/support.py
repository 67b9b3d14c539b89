"""The helpers of a generated module: the parts of `base` and `judge` that it uses, as source."""

from __future__ import annotations

import inspect
import re
from functools import cache
from types import ModuleType

from ..schema.values import Node
from . import base, judge

_MARK = "# Written into generated modules from here on.\n"

RESERVED = (
    "AnyNumber AnyUrl BaseModel Content Context CoreSchema Fraction GetCoreSchemaHandler JUDGE Judge JsonInt "
    "JsonNumber Mapping Obeys Struct WholeNumber"
).split()
"""Names that no generated class may have: helpers, and what stands beside the models in a server."""

_IMPORTS = (
    ("collections.abc", ("Mapping",)),
    ("fractions", ("Fraction",)),
    ("functools", ("lru_cache",)),
    ("typing", ("TYPE_CHECKING", "Annotated", "Any", "Literal")),
    (
        "pydantic",
        (
            "MISSING", "BaseModel", "BeforeValidator", "ConfigDict", "Field", "GetCoreSchemaHandler",
            "StrictBool", "StrictStr", "model_validator",
        ),
    ),
    ("pydantic_core", ("CoreSchema", "core_schema")),
    ("typing_extensions", ("TypeAlias", "TypeAliasType")),
)  # fmt: skip
_MODULES = ("json", "re")
_SECOND_NAMES = (("List", "list"), ("Dict", "dict"))


def helpers(code: str, definitions: dict[str, Node]) -> str:
    """The source of what `code` uses, and what that uses; `definitions` are what references in rules mean."""
    statements = [*_statements(base), *_statements(judge)]
    needed = {name for name, _ in statements if re.search(rf"\b{name}\b", code)}
    while more := {
        name
        for name, _ in statements
        if name not in needed and any(n in needed and re.search(rf"\b{name}\b", text) for n, text in statements)
    }:
        needed |= more
    kept = "\n\n\n".join(text for name, text in statements if name in needed)
    return kept.replace("JUDGE = Judge({})", f"JUDGE = Judge({definitions!r})")


@cache
def _statements(module: ModuleType) -> tuple[tuple[str, str], ...]:
    """The functions, classes and constants after the mark in a module, each with its name."""
    source = inspect.getsource(module).split(_MARK, 1)[1]
    found: list[tuple[str, str]] = []
    for text in re.split(r"\n\n+(?=[A-Za-z@])", source.strip()):
        for line in text.split("\n") if not text.startswith(("@", "class ", "def ")) else [text]:
            match = re.search(r"(?m)^(?:class |def )?(\w+)(?: =|[(:])", line)
            if match is not None:
                found.append((match[1], line))
    return tuple(found)


def imports(code: str) -> str:
    """The import lines that `code` needs."""
    lines = [f"import {module}" for module in _MODULES if re.search(rf"\b{module}\.", code)]
    for module, names in _IMPORTS:
        used = [name for name in names if re.search(rf"\b{name}\b", code)]
        if used:
            lines.append(f"from {module} import {', '.join(used)}")
    lines += [
        f"from builtins import {name} as {second}" for second, name in _SECOND_NAMES if re.search(rf"\b{second}\[", code)
    ]
    return "\n".join(lines)
