"""What becomes of a server.json that a new project is made from: LS512x."""

from __future__ import annotations

from mcp_lockstep.findings import Code

CHANGED = Code(
    "LS5121",
    "new-changed",
    "note",
    "The new project says something in another way than the server.json that it is made from.",
    "A made server is a Python program, published on PyPI and started by uvx: what belongs to another registry, runner "
    "or protocol is written as it is for that.",
)
LEFT_OUT = Code(
    "LS5122",
    "new-left-out",
    "note",
    "The server.json that a new project is made from says something that the project cannot have.",
    "It is said once, by `new`; nothing else remembers it. Put it into the new server.json by hand if it still holds.",
)
KEPT = Code(
    "LS5123",
    "new-kept",
    "note",
    "The new server.json repeats something that only holds if the new project takes the place of the old one.",
    "Take it out of the new server.json where it is about the old program alone.",
)
CODES = (CHANGED, LEFT_OUT, KEPT)
