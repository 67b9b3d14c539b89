"""How differences are printed: text for people, JSON for programs, Markdown for a comment on a pull request."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from mcp_lockstep.cli.output import as_json, count
from mcp_lockstep.cli.printable import printable
from mcp_lockstep.compare.difference import CLASSES, Class, Difference, Party
from mcp_lockstep.compare.report import Comparison
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.secrecy import discreet

_LONGEST_CELL = 90
_LONGEST_COMMENT = 60_000
"""Characters that a comment may have; GitHub refuses more than 65,536."""

_PLAIN = frozenset(" …\"',()/-")
_NOTHING = "no difference"
_SEEN: tuple[Class, ...] = ("breaking", "may-break")
"""The classes that are shown without being asked for."""


class Detail(NamedTuple):
    """What the user asked for: every class, and how many rows a table may have."""

    everything: bool
    rows: int


def text(comparison: Comparison, detail: Detail) -> None:
    """Groups by class and party, each difference on one line, then the sums."""
    for heading, group in _groups(comparison, CLASSES if detail.everything else _SEEN):
        sys.stdout.write(f"{heading}:\n")
        for found in group:
            finding = comparison.finding(found)
            sys.stdout.write(
                f"  {printable(str(finding.place))}: {printable(finding.message)}  [{found.code.id}]\n"
            )
            if found.hint:
                sys.stdout.write(f"    {printable(found.hint)}\n")
    hidden = any(found.grade not in _SEEN for found in comparison.differences) and not detail.everything
    sys.stdout.write(f"{_sums(comparison)}{' (-v shows all)' if hidden else ''}\n")


def as_report(comparison: Comparison, _detail: Detail) -> None:
    """The report of every command, with the class, the parties and both values of each difference."""
    findings = [comparison.finding(found) for found in comparison.differences]
    rows = [
        {
            **as_json(discreet(finding)),
            "class": found.grade,
            "breaks": list(found.breaks),
            "old": found.old,
            "new": found.new,
        }
        for finding, found in zip(findings, comparison.differences, strict=True)
    ]
    report = {"findings": rows, "summary": count(findings)}
    sys.stdout.write(json.dumps(report, indent=2, ensure_ascii=False) + "\n")


def markdown(comparison: Comparison, detail: Detail) -> None:
    """A comment for a pull request: the sums, a table of what breaks, and the rest folded away."""
    lines = [f"**{_code(comparison.old.label)} → {_code(comparison.new.label)}**: {_sums(comparison)}", ""]
    fitting = _fitting(comparison.differences, detail.rows)
    seen = [found for found in fitting if found.grade in _SEEN]
    rest = [found for found in fitting if found.grade not in _SEEN]
    if seen:
        lines += [*_table(seen), ""]
    if rest:
        harmless = sum(found.grade not in _SEEN for found in comparison.differences)
        lines += [
            "<details>",
            f"<summary>{harmless:,} that break{'s' * (harmless == 1)} nobody</summary>",
            "",
            *_table(rest),
        ]
        lines += ["", "</details>", ""]
    missing = len(comparison.differences) - len(fitting)
    if missing:
        lines += [f"{missing:,} more: `mcp-lockstep compare` prints all of them.", ""]
    sys.stdout.write("\n".join(lines).rstrip("\n") + "\n")


def _fitting(found: Sequence[Difference], rows: int) -> list[Difference]:
    """The first differences, as many as fit into a comment."""
    left = _LONGEST_COMMENT
    fitting: list[Difference] = []
    for each in found[:rows]:
        left -= len(_row(each))
        if left < 0:
            break
        fitting.append(each)
    return fitting


def _table(found: Iterable[Difference]) -> Iterator[str]:
    yield "| breaks | what | where | old | new |"
    yield "|---|---|---|---|---|"
    yield from map(_row, found)


def _row(found: Difference) -> str:
    cells = (_code(found.pointer or "/"), _code(found.old), _code(found.new))
    return f"| {_party(found)} | {found.code.slug.replace('-', ' ')} | {' | '.join(cells)} |"


def _party(found: Difference) -> str:
    if not found.breaks:
        return "-"
    return ("maybe " if found.grade == "may-break" else "") + _both(found.breaks)


def _both(parties: tuple[Party, ...]) -> str:
    return " and ".join(parties)


def _code(value: str | None) -> str:
    """Foreign text as code in a table cell: every character that Markdown or HTML could read is an entity."""
    if not value:
        return ""
    line = printable(value if len(value) <= _LONGEST_CELL else f"{value[: _LONGEST_CELL - 1]}…")
    safe = "".join(c if c.isalnum() or c in _PLAIN else f"&#{ord(c)};" for c in line)
    return f"<code>{safe}</code>"


def _groups(comparison: Comparison, classes: Iterable[Class]) -> Iterator[tuple[str, list[Difference]]]:
    for grade in classes:
        found = comparison.of(grade)
        for parties in dict.fromkeys(each.breaks for each in found):
            word = {"breaking": "breaks", "may-break": "may break"}.get(grade, grade)
            heading = f"{word} {_both(parties)}".rstrip()
            yield heading, [each for each in found if each.breaks == parties]


def _sums(comparison: Comparison) -> str:
    if not comparison.differences:
        return _NOTHING
    told: list[str] = []
    for grade in CLASSES:
        found = comparison.of(grade)
        if not found:
            continue
        word = "may break" if grade == "may-break" else grade
        parties = [
            f"{number} for {party}"
            for party in ("writers", "readers")
            if (number := sum(party in each.breaks for each in found))
        ]
        told.append(f"{len(found)} {word}" + (f" ({', '.join(parties)})" if parties else ""))
    return ", ".join(told)


WRITERS: Mapping[str, Callable[[Comparison, Detail], None]] = {
    "text": text,
    "json": as_report,
    "markdown": markdown,
}
"""Form -> what prints a comparison in it."""
