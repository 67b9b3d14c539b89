"""A file that is one value: its text without the white space around it (`VERSION`)."""

from __future__ import annotations

from functools import cached_property

from mcp_lockstep.documents.document import Document, Edit
from mcp_lockstep.documents.spans import Node, Span
from mcp_lockstep.findings import Place


class TextDocument(Document):
    """Any text. The only pointer is the empty one: the text from its first to its last visible character."""

    @cached_property
    def data(self) -> object:
        return self.text[self.body :].strip()

    @cached_property
    def root(self) -> Node:
        text = self.text[self.body :]
        start = self.body + len(text) - len(text.lstrip())
        return Node((start, start + len(text.strip())), None, None)

    def place(self, pointer: str) -> Place:
        return Place(self.path, "#", pointer) if pointer else Place(self.path)

    def encode(self, value: object, span: Span) -> str:
        if not isinstance(value, str):
            raise TypeError(f"a text is wanted, not {value!r}")
        return value.replace("\r\n", "\n").replace("\n", self.newline)

    def insert(self, pointer: str, value: object) -> Edit:
        raise ValueError(f"{self.path} has no keys: {pointer}")
