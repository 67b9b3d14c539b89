"""From changes of values to the text: edits that leave every other byte alone, and the way back to the old text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mcp_lockstep.documents import Edit, JsonDocument, apply_edits
from mcp_lockstep.documents.json_style import fill_for, item_text
from mcp_lockstep.documents.layout import add_item
from mcp_lockstep.documents.pointer import escape_part, split_pointer
from mcp_lockstep.documents.spans import node_at
from mcp_lockstep.migrate.moves import Add, Change, Drop, Quote, Rename, Write


class Rewriting:
    """A document on its way through the steps; `document` is what it has become so far."""

    def __init__(self, original: JsonDocument) -> None:
        self.original = original
        self.document = original
        self._moved: list[Mapping[str, str]] = []

    def carry_out(self, changes: Sequence[Change]) -> None:
        """Do the changes of one step; every pointer is one of the document as it is at the start."""
        self._moved.append(dict(_sources(changes)))
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

    def origin(self, pointer: str) -> str:
        """Where the value at `pointer` in the document as it is now stood, or would have stood, in the original."""
        for moved in reversed(self._moved):
            pointer = _back(pointer, moved)
        return pointer

    def _do(self, edits: Sequence[Edit]) -> None:
        if edits:
            text = apply_edits(self.document.text, edits)
            self.document = JsonDocument(self.document.path, text.encode("utf-8"))


def _back(pointer: str, moved: Mapping[str, str]) -> str:
    """`pointer` before one step. Both sides of `moved` have the parent's pointer of before the step."""
    before = ""
    for part in pointer.split("/")[1:]:
        before = moved.get(here := f"{before}/{part}", here)
    return before


def _sources(changes: Iterable[Change]) -> Iterator[tuple[str, str]]:
    """Pointer after and before of every value that gets another one."""
    for change in changes:
        match change:
            case Rename(pointer, key, source):
                yield f"{split_pointer(pointer)[0]}/{escape_part(key)}", source or pointer
            case Add(pointer=pointer, source=source) if source:
                yield pointer, source
            case _:
                pass


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
