"""From changes of values to the text: edits that leave every other byte alone, and the way back to the old text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from mcp_lockstep.documents import Edit, JsonDocument, apply_edits
from mcp_lockstep.documents.json_style import fill_for, item_text
from mcp_lockstep.documents.layout import add_item
from mcp_lockstep.documents.pointer import split_pointer
from mcp_lockstep.documents.spans import Span, node_at
from mcp_lockstep.migrate.moves import Add, Change, Drop, Quote, Rename, Write


class Rewriting:
    """A document on its way through the steps; `document` is what it has become so far."""

    def __init__(self, original: JsonDocument) -> None:
        self.original = original
        self.document = original
        self._passes: list[_Pass] = []

    def carry_out(self, changes: Sequence[Change]) -> None:
        """Do the changes of one step; every pointer is one of the document as it is at the start."""
        self._do([_in_place(self.document, c) for c in changes if isinstance(c, Rename | Write | Quote)])
        self._do(self.document.delete([c.pointer for c in changes if isinstance(c, Drop)]))
        waiting: list[Add] = [c for c in changes if isinstance(c, Add)]
        while waiting:
            # Two members that are added to one object would go to the same spot of the text.
            now: dict[str, Add] = {}
            later: list[Add] = []
            for add in waiting:
                if now.setdefault(_object(self.document, add.pointer), add) is not add:
                    later.append(add)
            self._do([_addition(self.document, add) for add in now.values()])
            waiting = later

    def origin(self, pointer: str) -> tuple[str, Span]:
        """The pointer and the span, in the original, of the value at `pointer` in the document as it is now.

        Where it was added the pointer is given back, with the spot that it was added at.
        """
        start, end = self.document.nearest(pointer)
        for done in reversed(self._passes):
            start, end = done.back(start), done.back(max(end - 1, start))
            end += 1
        node = node_at(self.document.root, pointer)
        old = self._starts.get(start, pointer) if node is not None else pointer
        return old, self.original.spans.get(old, (start, max(start, end)))

    @property
    def _starts(self) -> dict[int, str]:
        if not hasattr(self, "_by_start"):
            self._by_start = {span[0]: pointer for pointer, span in self.original.spans.items()}
        return self._by_start

    def _do(self, edits: Sequence[Edit]) -> None:
        if edits:
            text = apply_edits(self.document.text, edits)
            self._passes.append(_Pass(edits))
            self.document = JsonDocument(self.document.path, text.encode("utf-8"))


class _Pass:
    """One set of edits, to be looked at from its end: where did this offset stand before?"""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._edits = sorted(edits, key=lambda edit: (edit.start, edit.end))
        self._starts: list[int] = []
        self._shifts: list[int] = [0]
        for edit in self._edits:
            self._starts.append(edit.start + self._shifts[-1])
            self._shifts.append(self._shifts[-1] + len(edit.text) - (edit.end - edit.start))

    def back(self, offset: int) -> int:
        """The offset in the text before; what an edit wrote stood where the edit began."""
        index = bisect_right(self._starts, offset)
        if index and offset < self._starts[index - 1] + len(self._edits[index - 1].text):
            return self._edits[index - 1].start
        return offset - self._shifts[index]


def _in_place(document: JsonDocument, change: Rename | Write | Quote) -> Edit:
    match change:
        case Rename(pointer, key):
            span = document.key_spans[pointer]
            return Edit(document.path, *span, document.encode(key, span))
        case Write(pointer, value):
            return document.replace(pointer, value)
        case Quote(pointer):
            return document.replace(pointer, document.text[slice(*document.spans[pointer])])


def _object(document: JsonDocument, pointer: str) -> str:
    """The object in the text that an addition at `pointer` goes into."""
    parent = split_pointer(pointer)[0]
    while parent and node_at(document.root, parent) is None:
        parent = split_pointer(parent)[0]
    return parent


def _addition(document: JsonDocument, add: Add) -> Edit:
    node = document.root
    if not add.first or not node.children:
        return document.insert(add.pointer, add.value)
    text = item_text(document, document.habits, node, split_pointer(add.pointer)[1], add.value)
    return add_item(document.items(node), 0, text, fill_for(document, document.habits, node))
