"""What a workflow runs besides its own lines: scripts of the repository, and rules of its Makefile."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.findings import Refused
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Tree, safe

_SCRIPT = (
    r"(?m)(?:\b(?:python[\d.]*|node|deno|bun|tsx|ruby|perl|pwsh|bash|sh|uv\s+run|poetry\s+run|pdm\s+run)\b"
    r"(?:\s+(?:run|python[\d.]*|-\S+))*\s+|(?<![\w./-])(?=\./))"
    r"[\"']?(?P<path>[\w./-]+\.(?:py|js|mjs|cjs|ts|sh|rb|pl|ps1))\b[^\n]*"
)
_MAKE = r"(?m)(?<![\w./-])make[ \t]+(?:-\S+[ \t]+)*(?P<target>[\w.-]+)"
_MAKEFILES = ("Makefile", "makefile", "GNUmakefile")


class Called(NamedTuple):
    """The line of a workflow that runs something, what it is called, its text, and what the workflow does later."""

    line: str
    name: str
    text: str
    later: str


def called(tree: Tree, workflow: str) -> Iterator[Called]:
    """Everything of the repository that the text of a workflow runs, as far as it can be read."""
    for found in re.finditer(_SCRIPT, workflow):
        path = found["path"].removeprefix("./")
        if text := _text(tree, path):
            yield Called(found[0], path, text, workflow[found.end() :])
    for found in re.finditer(_MAKE, workflow):
        if text := _rule(tree, found["target"]):
            yield Called(found[0], found["target"], text, workflow[found.end() :])


def _rule(tree: Tree, target: str) -> str:
    """The commands of a rule of the Makefile; empty where there is none."""
    texts = (_text(tree, name) for name in _MAKEFILES if name in tree.folder(""))
    found = (re.search(rf"(?m)^{re.escape(target)}[ \t]*:[^=\n]*\n((?:\t.*\n?)+)", text) for text in texts)
    return next((match[1] for match in found if match), "")


def _text(tree: Tree, path: str) -> str:
    try:
        raw = tree.read(path) if safe(path) else None
    except Refused:
        return ""
    return (raw or b"").decode("utf-8", "replace").replace("\r\n", "\n").replace("\\\n", " ")
