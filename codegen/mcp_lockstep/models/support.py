"""The helpers of a generated module: the parts of `base` and `judge` that it uses, as source."""

from __future__ import annotations

import inspect
import re

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


def _body(module: object, source: str) -> str:
    return source.split(_MARK, 1)[1].strip()


def helpers(code: str, definitions: dict[str, Node]) -> str:
    """The source of what `code` uses; `definitions` are what references in rules mean."""
    parts: list[str] = []
    if re.search(r"\bStruct\b|\bJsonInt\b|\bJsonNumber\b|\bONLY_", code):
        parts.append(_body(base, inspect.getsource(base)))
    if re.search(r"\bObeys\(|\bjudged\(", code):
        text = _body(judge, inspect.getsource(judge))
        parts.append(text.replace("JUDGE = Judge({})", f"JUDGE = Judge({definitions!r})"))
    return "\n\n\n".join(parts)


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
