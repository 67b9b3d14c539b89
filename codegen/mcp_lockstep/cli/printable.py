"""Text of other people on a terminal."""

from __future__ import annotations

from mcp_lockstep.secrecy import masked_text


def printable(text: str) -> str:
    """`text` on one line, without secrets, with nothing in it that moves the cursor or turns the reading direction."""
    text = masked_text(text)
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text
    )
