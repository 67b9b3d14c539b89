"""The table of tools in a README, between `<!-- tools:start -->` and `<!-- tools:end -->`: one row for each tool.

Whoever writes the two marks wants the table kept. Without them the README is nobody's business.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mcp_lockstep.documents import Edit, MarkdownDocument
from mcp_lockstep.documents.prose import begins, code, markdown, read_markdown, summary
from mcp_lockstep.documents.spans import Span
from mcp_lockstep.documents.tables import Line, Row, Table, table_in
from mcp_lockstep.facts.codes import README_TOOLS
from mcp_lockstep.facts.marker import Marked
from mcp_lockstep.findings import Finding, Place
from mcp_lockstep.records import NamedTuple

REGION = "tools"
_HEAD = ("tool", "what it does")
_DESCRIBED = r"(?i)descri|does|purpose|what|summary"
_EMPHASIS = r"(\*{1,3}|_{1,3})(.+)\1"
_HINT = "`mcp-lockstep sync` writes the table between the two marks"


class Tools(NamedTuple):
    """What clients see: name -> description (None: only known at run time); `complete`: there are no others."""

    described: Mapping[str, str | None]
    complete: bool


def judge_table(readme: MarkdownDocument, tools: Tools) -> Marked:
    """Hold the table of tools in `readme` against the tools; nothing to say where nobody asked for one."""
    region = readme.region(REGION)
    if region is None:
        return Marked()
    texts: dict[str, str | None] = {}
    for name, text in tools.described.items():
        texts.setdefault(code(name), text)
    # Nothing can be shown of a name without a visible character.
    texts.pop("", None)
    table = table_in(readme.text, region)
    if table is not None:
        return _Rows(readme, table, Tools(texts, tools.complete)).judged()
    return _absent(readme, region, texts) if texts else Marked()


def _absent(readme: MarkdownDocument, region: Span, texts: Mapping[str, str | None]) -> Marked:
    number = len(texts)
    message = "there is no table of tools between the marks for one"
    finding = Finding(
        README_TOOLS,
        Place(readme.path, "#", REGION),
        message,
        readme.position(region),
        want="a table of 1 tool" if number == 1 else f"a table of {number} tools",
        hint=_HINT,
        fact="tools",
        fixable=True,
    )
    rows = (_HEAD, *((f"`{name}`", _cell(text) or "") for name, text in texts.items()))
    head, *lines = (f"| {name} | {text} |" for name, text in rows)
    table = "\n".join([head, "|---|---|", *lines])
    if not readme.text[slice(*region)].strip():
        return Marked((finding,), (readme.replace_region(REGION, table),))
    # What somebody wrote there is kept, and a table needs an empty line before it.
    end = region[1]
    start = region[0] + len(readme.text[slice(*region)].rstrip())
    written = f"\n\n{table}\n".replace("\n", readme.newline)
    return Marked((finding,), (Edit(readme.path, start, end, written),))


class _Rows:
    """The rows of one table: what is wrong with them, and what they should be."""

    def __init__(self, readme: MarkdownDocument, table: Table, tools: Tools) -> None:
        self.readme, self.table, self.tools = readme, table, tools
        self.column = _described(table.head.cells)
        self.plain = bool(table.rows) and not any("`" in row.cells[0] for row in table.rows)
        self.findings: list[Finding] = []
        self.lines: list[Line] = []

    def judged(self) -> Marked:
        """What is wrong with the rows, and the one edit that mends them; the order of the rows is the author's."""
        seen: set[str] = set()
        for row in self.table.rows:
            name = _name(row)
            if name in self.tools.described and name not in seen:
                self.known(row, self.tools.described[name])
                seen.add(name)
            elif name in seen or self.tools.complete:
                why = "twice" if name in seen else "and the server has none"
                self.say(f"the README lists the tool {name!r} {why}", row, name or row.line.strip(), None)
            else:
                self.lines.append(row)
        for name in self.tools.described:
            if name not in seen:
                self.missing(name)
        return Marked(tuple(self.findings), self.edits())

    def edits(self) -> tuple[Edit, ...]:
        """One edit for all rows; none where nothing is wrong."""
        if not self.findings:
            return ()
        lines = self.table.lines(self.lines)
        return (Edit(self.readme.path, *self.table.span, self.readme.newline.join(lines)),)

    def known(self, row: Row, description: str | None) -> None:
        """A row for a tool that there is; its other cells are the author's."""
        column, want = self.column, _cell(description)
        cells = [*row.cells, *[""] * (len(self.table.head.cells) - len(row.cells))]
        have = cells[column] if column else ""
        if not column or want is None or description is None or begins(description, have):
            self.lines.append(row)
            return
        message = f"the README describes the tool {_name(row)!r} in other words than the server"
        self.say(message, row, read_markdown(have) or None, read_markdown(want) or None)
        cells[column] = want
        self.lines.append(cells)

    def missing(self, name: str) -> None:
        """A tool without a row."""
        self.say(f"the README does not list the tool {name!r}", self.table.head, None, name)
        cells = [""] * len(self.table.head.cells)
        cells[0] = markdown(name) if self.plain else f"`{name}`"
        if self.column:
            cells[self.column] = _cell(self.tools.described[name]) or ""
        self.lines.append(cells)

    def say(self, message: str, row: Row, have: str | None, want: str | None) -> None:
        """Note what is wrong in the line of `row`."""
        start = row.span[0] + len(row.line) - len(row.line.lstrip())
        position = self.readme.position((start, row.span[1]))
        place = Place(self.readme.path, "#", REGION)
        finding = Finding(README_TOOLS, place, message, position, have, want, _HINT, "tools", fixable=True)
        self.findings.append(finding)


def _described(head: tuple[str, ...]) -> int:
    """The column of the descriptions: the one that is called so, else the last; 0 where there are names only."""
    named = (index for index, cell in enumerate(head) if index and re.search(_DESCRIBED, cell))
    return next(named, len(head) - 1)


def _cell(description: str | None) -> str | None:
    return None if description is None else markdown(summary(description))


def _name(row: Row) -> str:
    """The tool that a row is about: its first cell without code span, emphasis and link."""
    cell = row.cells[0]
    for dressed in (_EMPHASIS, r"(\[)(.+)\]\([^)]*\)", _EMPHASIS):
        found = re.fullmatch(dressed, cell)
        cell = found[2] if found else cell
    return cell.strip("`").strip() if "`" in cell else read_markdown(cell)
