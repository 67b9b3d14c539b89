"""Which branch of an `anyOf` a value is meant for, so that the message is about that one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from mcp_lockstep.rules.violation import Check, Path, Schema, Violation, pointer

Target: TypeAlias = "Callable[[object], Schema]"
"""Follows references to the schema that they mean."""


def choose(
    tag: str, by_tag: Mapping[object, Check], value: dict[str, object], path: Path, found: list[Violation]
) -> None:
    """Check `value` against the branch that its `tag` names; say which tags there are when it names none."""
    chosen = value.get(tag)
    if tag not in value:
        found.append(Violation(pointer(path), "required", value, tag))
    elif isinstance(chosen, str) and chosen in by_tag:
        by_tag[chosen](value, path, found)
    else:
        found.append(Violation(pointer((path, tag)), "enum", chosen, tuple(by_tag)))


def tags(branches: list[Schema], parts: list[Check], target: Target) -> tuple[str, dict[object, Check]]:
    """The field whose value decides which branch is meant, and the branch of each value; empty without one.

    Every branch must be an object schema that requires the field and allows texts that no other allows.
    """
    tables = [_tag_values(branch, target) for branch in branches]
    for tag in tables[0]:
        by_tag: dict[object, Check] = {}
        for table, part in zip(tables, parts, strict=True):
            by_tag.update((text, part) for text in table.get(tag, ()) if text not in by_tag)
        if all(tag in table for table in tables) and len(by_tag) == sum(len(table[tag]) for table in tables):
            return tag, by_tag
    return "", {}


def _tag_values(schema: Schema, target: Target) -> dict[str, tuple[str, ...]]:
    """The required fields of an object schema that allow only listed texts, with the texts."""
    found: dict[str, tuple[str, ...]] = {}
    for part in cast("list[object]", schema.get("allOf", [])):
        found.update(_tag_values(target(part), target))
    if schema.get("type") != "object":
        return found
    required = cast("list[str]", schema.get("required", []))
    for name, field in cast("dict[str, Schema]", schema.get("properties", {})).items():
        texts = tuple(cast("list[str]", field.get("enum", [field["const"]] if "const" in field else [])))
        if name in required and texts and field.get("type") == "string":
            found[name] = texts
    return found


def closest(branches: list[list[Violation]], where: str, value: object) -> list[Violation]:
    """What to say when no branch fits: one line for alternatives of a kind, else the least wrong branch."""
    firsts = [branch[0] for branch in branches if branch[0].pointer == where]
    if len(firsts) == len(branches):
        for keyword, merged in (("type", "type"), ("required", "anyOf")):
            if all(first.keyword == keyword for first in firsts) and all(len(b) == 1 for b in branches):
                return [Violation(where, merged, value, _limits(firsts))]
    typed = [b for b in branches if not any(v.keyword == "type" and v.pointer == where for v in b)]
    return min(typed or branches, key=len)


def _limits(violations: list[Violation]) -> tuple[object, ...]:
    limits: list[object] = []
    for violation in violations:
        limit = violation.limit
        limits.extend(cast("tuple[object, ...]", limit) if isinstance(limit, tuple) else (limit,))
    return tuple(dict.fromkeys(limits))
