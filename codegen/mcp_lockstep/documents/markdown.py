"""README files: plain text with ownership markers, marked regions and headings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from mcp_lockstep.documents.document import Edit
from mcp_lockstep.documents.spans import Span
from mcp_lockstep.documents.text import TextDocument
from mcp_lockstep.records import NamedTuple

_MARKER = r"(mcp-name[ \t]*+:[ \t]*+)([a-z0-9._-]++/[a-z0-9._/-]++)"
_FENCE = r"^ {0,3}(`{3,}+|~{3,}+)([^\n]*+)$"
_HEADING = (
    r"^ {0,3}#{1,6}(?:[ \t][^\n]*)?$"
    r"|^ {0,3}[^\s#>|`<+*=-][^\n]*\n {0,3}(?:=+|-{2,})[ \t]*\r?$"
    r"|^[ \t]*<h[1-6](?:[ \t][^>\n]*)?>[^\n]*$"
)
_BADGES = (
    r"!?\[(?:[^\[\]\n]|!\[[^\[\]\n]*\]\([^()\n]*\))*\]\([^()\n]*\)|</?[a-z][^<>\n]*>|<!--(?:(?!-->)[^\0])*-->"
)
"""Images, links, with an image inside or not, tags and comments."""
_NO_PROSE = (
    r"#|(?:[>+*-]|\d+[.)])[ \t]| {4}|\t"
    r"|(?s:.*)(?:[|<>`\[\]]|://|mcp-name|[-=~.:]{2}|\n[ \t]*(?:#|(?:[>+*-]|\d+[.)])[ \t])|[^.!?\u3002]\Z)"
)
"""A block with markup other than emphasis, and one that does not end as a sentence does."""
_FAR = 4_000
"""Code points in which a first paragraph is looked for."""
_FRONT_MATTER = r"---[ \t]*\r?\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)"


class Marker(NamedTuple):
    """One `mcp-name: NAME` in a text.

    `span` is all of it, `name_span` the name. `ended`: the registry reads exactly `name` there, because
    something that cannot belong to a name follows; otherwise a full stop is glued to it. `exact`: the
    words before the name are `mcp-name: `, lower case, with one space; otherwise the registry sees nothing.
    """

    name: str
    span: Span
    name_span: Span
    ended: bool
    exact: bool


class MarkdownDocument(TextDocument):
    """A README in Markdown, reStructuredText or plain text; `data` is the text."""

    @cached_property
    def markers(self) -> tuple[Marker, ...]:
        """Every ownership marker in the order of the text, inside comments and code as well."""
        found = re.finditer(_MARKER, self.text, re.IGNORECASE | re.ASCII)
        return tuple([_marker(self.text, match) for match in found])

    def in_comment(self, offset: int) -> bool:
        """Whether the code point at `offset` stands in an HTML comment."""
        return self.text.rfind("<!--", 0, offset) > self.text.rfind("-->", 0, offset)

    def region(self, name: str) -> Span | None:
        """The text between `<!-- NAME:start -->` and the next `<!-- NAME:end -->`, none of them in code."""
        start = next(self._marks(name, "start", 0), None)
        end = next(self._marks(name, "end", start[1]), None) if start is not None else None
        return (start[1], end[0]) if start is not None and end is not None else None

    def replace_region(self, name: str, text: str) -> Edit:
        """The edit that puts the lines of `text` between the marks. KeyError when there is no such region."""
        span = self.region(name)
        if span is None:
            raise KeyError(name)
        return Edit(self.path, *span, f"{self.newline}{self._lines_like_here(text)}{self.newline}")

    def insert_after_heading(self, text: str) -> Edit:
        """The edit that adds `text` as a paragraph behind the first heading, else at the start."""
        at = self.after_heading
        lines = self._lines_like_here(text)
        if at is None:
            start = self.start
            rest = self.newline * 2 if self.text[start:].strip() else self.newline
            return Edit(self.path, start, start, f"{lines}{rest}")
        return Edit(self.path, at, at, f"{self.newline}{self.newline}{lines}")

    @cached_property
    def start(self) -> int:
        """Offset of the first code point behind a byte order mark and front matter."""
        match = re.compile(_FRONT_MATTER).match(self.text, self.body)
        return match.end() if match is not None else self.body

    @cached_property
    def after_heading(self) -> int | None:
        """Offset of the end of the line of the first heading, before its line end; None without a heading."""
        for match in re.compile(_HEADING, re.MULTILINE | re.IGNORECASE).finditer(self.text, self.start):
            if not self._in_code(match.start()):
                return match.end() - 1 if match[0].endswith("\r") else match.end()
        return None

    @property
    def first_paragraph(self) -> str:
        """The words behind the heading that the file begins with, badges aside; empty where they are no sentence."""
        from mcp_lockstep.documents.prose import shown_markdown

        text = self.text[self.start : self.start + _FAR].replace("\r\n", "\n")
        blocks = (block.strip("\n") for block in re.split(r"\n[ \t]*(?=\n)", text))
        said = [
            block for block in blocks if re.search(r"\w", re.sub(_BADGES, "", block, flags=re.IGNORECASE))
        ]
        head = re.compile(_HEADING, re.MULTILINE).match(said[0]) if said else None
        if head is None:
            return ""
        first = next(filter(None, (said[0][head.end() :].strip("\n"), *said[1:2])), "")
        return "" if re.match(_NO_PROSE, first) else shown_markdown(first)

    @cached_property
    def code_blocks(self) -> tuple[Span, ...]:
        """The fenced code blocks; one that is never closed goes to the end."""
        blocks: list[Span] = []
        fence, start = "", 0
        for match in re.finditer(_FENCE, self.text, re.MULTILINE):
            mark, rest = match[1], match[2]
            if not fence:
                fence, start = mark, match.start()
            elif mark[0] == fence[0] and len(mark) >= len(fence) and not rest.strip():
                blocks.append((start, match.end()))
                fence = ""
        return (*blocks, (start, len(self.text))) if fence else tuple(blocks)

    def _in_code(self, offset: int) -> bool:
        index = bisect_right(self.code_blocks, offset, key=lambda block: block[0]) - 1
        return index >= 0 and offset < self.code_blocks[index][1]

    def _marks(self, name: str, edge: str, start: int) -> Iterator[Span]:
        pattern = re.compile(rf"(?<!`)<!--[ \t]*+{re.escape(name)}:{edge}[ \t]*+-->")
        for match in pattern.finditer(self.text, start):
            if not self._in_code(match.start()):
                yield match.span()

    def _lines_like_here(self, text: str) -> str:
        return text.replace("\r\n", "\n").strip("\n").replace("\n", self.newline)


def _marker(text: str, match: re.Match[str]) -> Marker:
    start, end = match.span(2)
    if match[2].endswith("--") and text.startswith((">", "!>"), end):
        end -= 2
    name = text[start:end].rstrip(".")
    span = (match.start(), start + len(name))
    return Marker(name, span, (start, span[1]), span[1] == end, match[1] == "mcp-name: ")
