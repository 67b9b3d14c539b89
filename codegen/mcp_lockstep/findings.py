"""What the tool has to say: places, positions, codes and findings. Data only; the command line prints it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from mcp_lockstep.records import NamedTuple

Severity = Literal["error", "warning", "note"]
Exit = Literal[0, 1, 2, 3, 4]

SEVERITY_ORDER: tuple[Severity, ...] = ("error", "warning", "note")
EXIT_ORDER: tuple[Exit, ...] = (4, 2, 3, 1, 0)
"""Worst first: internal fault, unusable input, conflict, errors, in step."""


class Code(NamedTuple):
    """One kind of finding. A published id and slug keep their meaning for ever.

    `id` is `LS` and four digits; `exit` is what an *error* of this kind makes of the exit code
    (1 errors and drift, 2 unusable input, 3 conflict, 4 internal); `summary` is one sentence;
    `explain` says why it matters and how to mend it; `registry` are the official registry's own
    codes for the same thing, with spaces between them; empty where it has none.
    """

    id: str
    slug: str
    severity: Severity
    summary: str
    explain: str
    exit: Exit = 1
    registry: str = ""

    def answers(self, text: str) -> bool:
        """Whether a user means this code by `text`: its id, a prefix of it, its slug, or the registry's code."""
        named = (self.id, self.slug, *self.registry.split())
        return bool(text) and (text in named or (text.startswith("LS") and self.id.startswith(text)))


class Position(NamedTuple):
    """Where a span stands in its file: 1-based lines, 1-based columns in code points, end exclusive."""

    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1


class Place(NamedTuple):
    """One spot: a file (POSIX path relative to the project) and an address inside it.

    `separator` tells the kind of address: `#` a JSON pointer or a marker (`server.json#/packages/0/version`,
    `README.md#mcp-name`), `:` a TOML key (`pyproject.toml:project.version`), `::` a symbol in code
    (`src/weather/app.py::mcp.version`), empty for the whole file.
    """

    path: str
    separator: Literal["", "#", ":", "::"] = ""
    address: str = ""

    def __str__(self) -> str:
        return f"{self.path}{self.separator}{self.address}"


def parse_place(text: str) -> Place:
    """The place that `str(place)` wrote; a text without a separator is a whole file."""
    for separator in ("#", "::", ":"):
        path, found, address = text.partition(separator)
        if found and path:
            return Place(path, separator, address)
    return Place(text)


class Finding(NamedTuple):
    """One thing to say about one place.

    `have` is what stands there and `want` what should (None: absent or not a single value); `hint` is the
    next step as a sentence; `fact` the row of the fact table it belongs to; `fixable` whether `sync` mends it;
    `level` overrides the severity of the code.
    """

    code: Code
    place: Place
    message: str
    position: Position = Position()
    have: str | None = None
    want: str | None = None
    hint: str = ""
    fact: str = ""
    fixable: bool = False
    level: Severity | None = None

    @property
    def severity(self) -> Severity:
        return self.level or self.code.severity


class Refused(Exception):
    """Work that cannot go on. Carries the findings that say why; only the command line catches it."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__("; ".join(f.message for f in findings))
        self.findings = findings


def exit_code(findings: tuple[Finding, ...], *, strict: bool = False) -> Exit:
    """The exit code of a command that ends with `findings`; `strict` makes a warning count as an error."""
    failing = {"error", "warning"} if strict else {"error"}
    exits: set[Exit] = {
        f.code.exit if f.severity == "error" else 1 for f in findings if f.severity in failing
    }
    for code in EXIT_ORDER:
        if code in exits:
            return code
    return 0


def nearest(word: str, known: Iterable[str], likeness: float = 0.6) -> str:
    """The one of `known` that `word` was probably meant to be; empty where none is alike by `likeness` (0 to 1)."""
    # To import it costs as much as a whole judgement, and only who misspells something needs it.
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, [*known], 1, likeness)), "")
