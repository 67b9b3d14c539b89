"""Patches: what the user wants other in a schema than it was published, checked against what stands there."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

from mcp_lockstep.contract.model import canonical, shown
from mcp_lockstep.documents import Document, value_at
from mcp_lockstep.documents.data import as_array, as_object, text_of
from mcp_lockstep.documents.pointer import array_index, escape_part, split_pointer
from mcp_lockstep.findings import Code, Finding, Refused
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.evaluator import same

PATCH_MALFORMED = Code(
    "LS4021",
    "patch-malformed",
    "error",
    "A patch of a schema is not written as one.",
    "A file of patches is JSON or TOML with an array `patches` of tables: `pointer`, `old` (absent: nothing is "
    "there yet), `new` (absent: it is taken out) and `reason`, a text.",
    exit=2,
)
PATCH_UNFIT = Code(
    "LS4022",
    "patch-unfit",
    "error",
    "A patch does not find in the schema what it is to replace.",
    "The schema changed since the patch was written. See whether the patch is still needed: take it out, or give it "
    "the value that now stands there.",
    exit=2,
)
_KEYS = frozenset({"pointer", "old", "new", "reason"})


class Patch(NamedTuple):
    """One change: `old` and `new` hold one value, or none where nothing stands there before or after.

    `place` is its pointer in the file of patches.
    """

    pointer: str
    old: tuple[object, ...]
    new: tuple[object, ...]
    reason: str
    place: str


def read_patches(document: Document) -> tuple[Patch, ...]:
    """The patches in a JSON or TOML file, in order. Refused with everything that is wrong with them."""
    rows = as_array((as_object(document.data) or {}).get("patches"))
    if rows is None:
        raise Refused(_finding(PATCH_MALFORMED, document, "", "has no array `patches`"))
    faults = [
        fault for index, row in enumerate(rows) for fault in _faults(document, f"/patches/{index}", row)
    ]
    if faults:
        raise Refused(*faults)
    return tuple(_patch(as_object(row) or {}, f"/patches/{index}") for index, row in enumerate(rows))


def patched(schema: object, document: Document) -> object:
    """A copy of `schema` with every patch of `document` carried out. Refused with every one that does not fit."""
    copy = deepcopy(schema)
    unfit: list[Finding] = []
    for patch in read_patches(document):
        why = _carry_out(copy, patch)
        if why:
            unfit.append(_finding(PATCH_UNFIT, document, patch.place, f"{patch.pointer} {why}"))
    if unfit:
        raise Refused(*unfit)
    return copy


def _faults(document: Document, place: str, row: object) -> Iterator[Finding]:
    table = as_object(row)
    if table is None:
        yield _finding(PATCH_MALFORMED, document, place, "is no table")
        return
    for key in table.keys() - _KEYS:
        message = f"has the key {key!r}; known are {', '.join(sorted(_KEYS))}"
        yield _finding(PATCH_MALFORMED, document, place, message)
    pointer = table.get("pointer")
    if not isinstance(pointer, str) or not pointer.startswith("/"):
        yield _finding(PATCH_MALFORMED, document, place, "has no `pointer` that begins with a slash")
    if not text_of(table.get("reason")).strip():
        yield _finding(PATCH_MALFORMED, document, place, "gives no `reason`")
    if "old" not in table and "new" not in table:
        yield _finding(PATCH_MALFORMED, document, place, "has neither `old` nor `new`")
    try:
        canonical(table)
    except (TypeError, ValueError):
        yield _finding(PATCH_MALFORMED, document, place, "holds a value that JSON does not have")


def _patch(table: dict[str, object], place: str) -> Patch:
    old, new = ((table[key],) if key in table else () for key in ("old", "new"))
    return Patch(text_of(table["pointer"]), old, new, text_of(table["reason"]), place)


def _carry_out(schema: object, patch: Patch) -> str:
    """Change `schema` in place; gives why the patch does not fit, empty where it does."""
    parent, key = split_pointer(patch.pointer)
    try:
        container = value_at(schema, parent)
    except KeyError:
        return f"leads nowhere: {parent or 'the root'} is not there"
    found = _found(container, key)
    if not patch.old and found:
        return f"is to be added and is there already: {shown(found[0])}"
    if patch.old and not found:
        return f"is not there; {shown(patch.old[0])} is expected"
    if patch.old and not same(patch.old[0], found[0]):
        return f"is {shown(found[0])}; {shown(patch.old[0])} is expected"
    return _put(container, key, patch.new)


def _found(container: object, key: str) -> tuple[object, ...]:
    try:
        return (value_at(container, f"/{escape_part(key)}"),)
    except KeyError:
        return ()


def _put(container: object, key: str, new: tuple[object, ...]) -> str:
    values = deepcopy(new)
    items, table = as_array(container), as_object(container)
    if table is not None:
        if not values:
            del table[key]
        for value in values:
            table[key] = value
        return ""
    if items is None:
        return "leads into a value that holds no others"
    if key == "-":
        items += values
        return ""
    index = array_index(key, len(items))
    if index is None:
        return f"is no item of an array of {len(items)}; `-` adds one at its end"
    items[index : index + 1] = values
    return ""


def _finding(code: Code, document: Document, pointer: str, why: str) -> Finding:
    place, where = document.place(pointer), document.where(pointer)
    return Finding(code, place, f"{place} {why}", where, hint=code.explain)
