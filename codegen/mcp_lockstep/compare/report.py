"""The differences between what OLD and NEW name, and each of them as a finding."""

from __future__ import annotations

import re

from mcp_lockstep.compare.codes import DEFAULT_CHANGED, KINDS_DIFFER, VALUES_CHANGED
from mcp_lockstep.compare.contracts import compare_contracts
from mcp_lockstep.compare.difference import CLASSES, Class, Difference
from mcp_lockstep.compare.schemas import compare_schemas, has_root
from mcp_lockstep.compare.sources import Side, read_side
from mcp_lockstep.documents.pointer import pointer_parts
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.secrecy import MASK, is_secret_name, looks_like_key, masked_text


class Comparison(NamedTuple):
    """Two sides and what is different, the worst first."""

    old: Side
    new: Side
    differences: tuple[Difference, ...]

    @property
    def breaking(self) -> bool:
        """Whether somebody is broken for certain."""
        return any(found.grade == "breaking" for found in self.differences)

    def of(self, grade: Class) -> tuple[Difference, ...]:
        """The differences of one class."""
        return tuple([found for found in self.differences if found.grade == grade])

    def finding(self, difference: Difference) -> Finding:
        """The difference as a finding; what is gone has its place in OLD, everything else in NEW."""
        gone = difference.new is None and difference.old is not None
        side, pointer = (self.old, difference.old_at) if gone else (self.new, difference.new_at)
        place, position = side.place(pointer)
        return Finding(
            difference.code,
            place,
            sentence(difference),
            position,
            have=difference.new,
            hint=difference.hint,
            level=difference.severity,
        )


def compare(old: str, new: str) -> Comparison:
    """Compare what `old` and `new` name, as the command line takes them. Refused where they cannot be."""
    after = read_side(new)
    before = read_side(old, new)
    if (before.contract is None) != (after.contract is None):
        kinds = ["a schema" if side.contract is None else "a contract" for side in (before, after)]
        message = f"{before.label} is {kinds[0]}, but {after.label} is {kinds[1]}"
        raise Refused(Finding(KINDS_DIFFER, Place(after.label), message))
    _refuse_a_root_beside_classes(before, after)
    return Comparison(before, after, tuple(map(_discreet, differences(before, after))))


def _refuse_a_root_beside_classes(before: Side, after: Side) -> None:
    """No class of a module is its root: held against the root of a schema, whatever it takes would be different."""
    for module, other in ((before, after), (after, before)):
        if module.positions is not None and other.positions is None and has_root(other.schema):
            message = f"{module.label} holds classes, and {other.label} is a schema of one value"
            hint = "compare two modules: `mcp-lockstep models SCHEMA -o FILE` makes one of a schema"
            raise Refused(Finding(KINDS_DIFFER, Place(after.label), message, hint=hint))


def differences(old: Side, new: Side) -> tuple[Difference, ...]:
    """What is different between two sides of the same kind, the worst first, each said once."""
    if old.contract is not None and new.contract is not None:
        found = compare_contracts(old.contract, new.contract)
    else:
        found = compare_schemas(old.schema, new.schema)
    once = {(d.code.id, d.pointer, d.old, d.new, d.grade, d.breaks): d for d in reversed(found)}
    return tuple(sorted(once.values(), key=_order))


def _order(found: Difference) -> tuple[int, int, str, str, str, str]:
    # What breaks both parties comes before what breaks one.
    return (
        CLASSES.index(found.grade),
        -len(found.breaks),
        found.pointer,
        found.code.id,
        found.old or "",
        found.new or "",
    )


def _discreet(found: Difference) -> Difference:
    """The difference without what looks like a secret: a default or a listed value by its form or by its property."""
    parts = (part for at in (found.old_at, found.new_at) for part in pointer_parts(at))
    named = any(map(is_secret_name, parts))

    def literal(match: re.Match[str]) -> str:
        return f'"{MASK}"' if named or looks_like_key(match[0].strip('".')) else match[0]

    def shown(text: str | None) -> str | None:
        if text is not None and found.code in (DEFAULT_CHANGED, VALUES_CHANGED):
            text = re.sub(r'"(?:\\.|[^"\\])*"?', literal, text)
        return text and masked_text(text)

    return found._replace(old=shown(found.old), new=shown(found.new), hint=masked_text(found.hint))


def sentence(found: Difference) -> str:
    """What is different, on one line."""
    words = found.code.slug.replace("-", " ")
    if found.old is None and found.new is None:
        return words
    if found.old is None:
        return f"{words}: {found.new}"
    return f"{words}: {found.old}" if found.new is None else f"{words}: {found.old} -> {found.new}"
