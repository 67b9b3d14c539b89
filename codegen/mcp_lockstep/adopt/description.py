"""What a server does, in as many characters as server.json takes."""

from __future__ import annotations

import re

from mcp_lockstep.rules.samples import is_placeholder

LONGEST = 100
"""Code points of a description."""


def short_description(text: str) -> str:
    """`text` on one line where it fits; else its first sentences, or its first words, that do. Empty for a sample."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    if is_placeholder(line):
        return ""
    if len(line) <= LONGEST:
        return line
    sentences = [
        match.end()
        for match in re.finditer(r"[.!?](?=\s)", line[: LONGEST + 1])
        if match.end() >= LONGEST // 3
    ]
    if sentences:
        return line[: sentences[-1]]
    return line[: LONGEST + 1].rpartition(" ")[0].rstrip(" ,;:-\u2013\u2014(")
