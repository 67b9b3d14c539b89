"""What is said about a server.json that becomes a new project, value by value."""

from __future__ import annotations

from collections.abc import Callable

from mcp_lockstep.contract.sources import Published
from mcp_lockstep.documents.pointer import pointer_parts
from mcp_lockstep.findings import Code, Finding
from mcp_lockstep.interface.codes import CHANGED, KEPT, LEFT_OUT
from mcp_lockstep.rules.manifest import JsonObject, field, plain


class Said:
    """Collects findings about the values of one server.json; a pointer may be one of a newer spelling."""

    def __init__(self, published: Published) -> None:
        self._published = published
        self.origin: Callable[[str], str] = str
        """Leads from a pointer of the newer spelling to the one in the file."""
        self.findings: list[Finding] = []

    @property
    def original(self) -> JsonObject:
        """The server.json as it was read."""
        return self._published.data

    def changed(self, pointer: str, have: object, want: object, why: str = "") -> None:
        """The value at `pointer` is `want` in the new project."""
        message = f"{_shown(have)} -> {_shown(want)}"
        self._say(CHANGED, pointer, f"{message}: {why}" if why else message, have, want)

    def left_out(self, pointer: str, why: str, hint: str = "", have: object = None) -> None:
        """The value at `pointer` is not in the new project; `why` is a sentence without its full stop."""
        self._say(LEFT_OUT, pointer, f"left out: {why}", have, None, hint)

    def kept(self, pointer: str, why: str) -> None:
        """The value at `pointer` is in the new project, and somebody should look at it."""
        self._say(KEPT, pointer, f"kept: {why}", None, None)

    def _say(
        self, code: Code, pointer: str, message: str, have: object, want: object, hint: str = ""
    ) -> None:
        pointer = self.origin(pointer)
        here = self._published.origin.below(*pointer_parts(pointer))
        place, position = here.document.place(here.pointer), here.document.where(here.pointer)
        words = f"{field(pointer)} {message}"
        self.findings.append(Finding(code, place, words, position, _text(have), _text(want), hint))


def _text(value: object) -> str | None:
    return None if value is None else plain(value)


def _shown(value: object) -> str:
    return "nothing" if value is None else plain(value)
