"""Import lines as ruff and isort (profile black) sort and wrap them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcp_lockstep.code.imports import import_order

_WIDTH = 88

_TYPING = frozenset(["Annotated", "Any", "Literal", "Never", "NoReturn", "TypedDict", "Union"])
"""Names of an annotation that come from `typing`."""
_PYDANTIC = frozenset(["JsonValue", "MISSING"])
"""Names of an annotation that come from `pydantic`."""
_RUNTIME = frozenset(["Content", "PromptContent", "ResourceContent"])
"""Names of an annotation that come from the generated runtime."""


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
        _line(module, sorted(set(names), key=import_order)) for module, names in sorted(modules.items())
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
