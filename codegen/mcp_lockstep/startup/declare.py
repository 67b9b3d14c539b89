"""Variables put into server.json: one entry each, in the package that lacks them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mcp_lockstep.documents import Edit, JsonDocument, apply_edits, open_document, value_at
from mcp_lockstep.documents.data import as_array, table
from mcp_lockstep.launch.package import Package
from mcp_lockstep.rules.secrets import is_secret


def declaring(document: JsonDocument, package: Package, names: Sequence[str]) -> Edit | None:
    """The edit that declares `names` as required in `package`; None where its list is none."""
    data = table(value_at(document.data, package.pointer))
    former = "registry_type" in data
    key = "environment_variables" if former else "environmentVariables"
    entries = [_entry(name, former=former) for name in names]
    pointer = f"{package.pointer}/{key}"
    if key not in data:
        return document.insert(pointer, entries)
    if as_array(data[key]) is None:
        return None
    return _difference(document, _appended(document, f"{pointer}/-", entries))


def _entry(name: str, *, former: bool) -> dict[str, object]:
    required, secret = ("is_required", "is_secret") if former else ("isRequired", "isSecret")
    return {"name": name, required: True, **({secret: True} if is_secret(name) else {})}


def _appended(document: JsonDocument, pointer: str, entries: Iterable[object]) -> str:
    text = document.text
    for entry in entries:
        now = open_document(document.path, text.encode("utf-8"))
        text = apply_edits(text, [now.insert(pointer, entry)])
    return text


def _difference(document: JsonDocument, after: str) -> Edit:
    """One edit for several at one spot."""
    before = document.text
    start = _common(before, after)
    rest = min(len(before), len(after)) - start
    same = _common(before[::-1][:rest], after[::-1][:rest])
    return Edit(document.path, start, len(before) - same, after[start : len(after) - same])


def _common(one: str, other: str) -> int:
    """How many characters the two begin with together."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))
