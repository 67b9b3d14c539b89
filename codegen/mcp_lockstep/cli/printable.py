"""Text of other people on a terminal, and in what programs read."""

from __future__ import annotations

import io
import sys

from mcp_lockstep.secrecy import masked_text


def printable(text: str) -> str:
    """`text` on one line, without secrets, with nothing in it that moves the cursor or turns the reading direction."""
    text = masked_text(text)
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text
    )


def typed(path: str) -> str:
    """`path` as it is typed in a shell: no word that would be split, and none that would be an option."""
    from shlex import quote

    return quote(f"./{path}" if path.startswith("-") else path)


def spelt_out(encoding: str | None = None) -> None:
    """Let standard output spell out what its encoding cannot write; `encoding` takes the place of the terminal's."""
    out: object = sys.stdout
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(encoding=encoding or out.encoding, errors="backslashreplace")


def for_programs() -> None:
    """Make standard output UTF-8 from here on: JSON has no other encoding, whatever the terminal has."""
    spelt_out("utf-8")
