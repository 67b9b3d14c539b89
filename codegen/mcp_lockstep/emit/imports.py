"""Import lines as ruff and isort (profile black) sort and wrap them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping

from mcp_lockstep.code.signature import Signature

_WIDTH = 88

_TYPING = frozenset(["Annotated", "Any", "Literal", "Never", "NoReturn", "TypedDict", "Union"])
"""Names of an annotation that come from `typing`."""
_PYDANTIC = frozenset(["JsonValue", "MISSING"])
"""Names of an annotation that come from `pydantic`."""
_RUNTIME = frozenset(["Content", "PromptContent", "ResourceContent"])
"""Names of an annotation that come from the generated runtime."""


def names_in(signature: Signature) -> frozenset[str]:
    """Every name that the annotations and defaults of a signature use."""
    sources = [text for p in signature.parameters for text in (p.annotation, p.default) if text]
    trees = [ast.parse(text, mode="eval") for text in [*sources, signature.returns or "None"]]
    return frozenset(node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name))


def origins(names: Iterable[str], package: str, models: Iterable[str]) -> dict[str, set[str]]:
    """The module for each name that an annotation uses; builtins have none. `models`: those of the models module."""
    found: dict[str, set[str]] = {}
    known = dict.fromkeys(models, f"{package}._generated.models")
    for group, module in (
        (_TYPING, "typing"),
        (_PYDANTIC, "pydantic"),
        (_RUNTIME, f"{package}._generated.runtime"),
    ):
        known |= {name: module for name in group if name not in known}
    for name in names:
        if name in known:
            found.setdefault(known[name], set()).add(name)
    return found


def _import_lines(modules: Mapping[str, Iterable[str]]) -> str:
    """`from ... import ...` statements for one section, sorted; empty where there are none."""
    return "\n".join(
        _line(module, sorted(set(names), key=_order)) for module, names in sorted(modules.items())
    )


def import_block(modules: Mapping[str, Iterable[str]], package: str) -> str:
    """Three sections, standard library, third party and the project's own, with an empty line in between."""
    sections: tuple[dict[str, Iterable[str]], ...] = ({}, {}, {})
    for module, names in modules.items():
        own = module == package or module.startswith(f"{package}.")
        sections[2 if own else int(module in {"pydantic"})][module] = names
    return "\n\n".join(filter(None, map(_import_lines, sections)))


def _line(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([f"from {module} import (", *(f"    {name}," for name in names), ")"])


def _order(name: str) -> tuple[int, list[tuple[int, int, str]], str]:
    """Constants, then classes, then the rest; numbers in a name by value."""
    group = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    parts = [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in re.split("([0-9]+)", name.lower()) if p]
    return group, parts, name
