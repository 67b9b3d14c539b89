"""Text of other people on a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """`text` on one line, with nothing in it that moves the cursor or turns the reading direction."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text
    )
