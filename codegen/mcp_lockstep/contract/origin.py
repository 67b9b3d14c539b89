"""Where the items of a contract were read, so that findings can name the place."""

from __future__ import annotations

from mcp_lockstep.contract.model import KINDS, Kind
from mcp_lockstep.documents import JsonDocument, make_pointer
from mcp_lockstep.findings import Code, Finding, Severity
from mcp_lockstep.records import NamedTuple

Part = str | int


class Origin(NamedTuple):
    """A value in a file: the JSON pointer to it."""

    document: JsonDocument
    pointer: str = ""

    def __str__(self) -> str:
        return str(self.document.place(self.pointer))

    def below(self, *parts: Part) -> Origin:
        """The value that `parts`, keys and indices, lead to from this one."""
        return Origin(self.document, self.pointer + make_pointer(parts))

    def finding(
        self,
        code: Code,
        message: str,
        *,
        have: str | None = None,
        want: str | None = None,
        hint: str = "",
        level: Severity | None = None,
    ) -> Finding:
        """A finding about this value; `message` goes on after the name of the place."""
        place, position = self.document.place(self.pointer), self.document.where(self.pointer)
        return Finding(code, place, f"{place} {message}", position, have, want, hint, level=level)


class Origins(NamedTuple):
    """For every item of a contract the place it comes from, list by list."""

    tools: tuple[Origin, ...] = ()
    resources: tuple[Origin, ...] = ()
    resource_templates: tuple[Origin, ...] = ()
    prompts: tuple[Origin, ...] = ()

    def of(self, kind: Kind) -> tuple[Origin, ...]:
        """The places of one list's items."""
        return self[KINDS.index(kind)]
