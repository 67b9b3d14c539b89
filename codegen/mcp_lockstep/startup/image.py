"""What an image of the project starts: the ENTRYPOINT and CMD of its Dockerfile, read as text."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

from mcp_lockstep.documents.data import as_array
from mcp_lockstep.facts.readers.image import DOCKERFILES
from mcp_lockstep.project import Project

_PYTHON = r"(?:.*/)?python[\d.]*"
_BEFORE = frozenset({"uv", "run", "poetry", "pdm", "exec", "tini", "dumb-init", "--", "-s"})
"""Words of programs that start another one, and of their usual options."""


def image_entries(project: Project, scripts: Mapping[str, str]) -> tuple[str, ...]:
    """The entry points that the image starts, as far as they are code of the project; `scripts` are its own."""
    for path in DOCKERFILES:
        raw = project.raw(path)
        if raw is not None:
            found = _started(_command(raw.decode("utf-8", "replace")), scripts)
            return tuple(dict.fromkeys(found))
    return ()


def _command(text: str) -> list[str]:
    """The words of the last stage's command: ENTRYPOINT, then CMD."""
    lines = re.sub(r"(?m)^[ \t]*#.*\n?", "", text.replace("\r\n", "\n")).replace("\\\n", " ").splitlines()
    words: dict[str, list[str]] = {}
    for line in lines:
        instruction, _, rest = line.strip().partition(" ")
        match instruction.upper():
            case "FROM":
                words = {}
            case "ENTRYPOINT":
                # What CMD said before belongs to another ENTRYPOINT.
                words = {"ENTRYPOINT": _words(rest)}
            case "CMD":
                words["CMD"] = _words(rest)
            case _:
                pass
    return [*words.get("ENTRYPOINT", ()), *words.get("CMD", ())]


def _words(rest: str) -> list[str]:
    """The words of one instruction, in either form."""
    try:
        listed: object = json.loads(rest)
    except ValueError:
        listed = None
    if (array := as_array(listed)) is not None:
        return [word for word in array if isinstance(word, str)]
    try:
        return shlex.split(rest)
    except ValueError:
        return rest.split()


def _started(words: Sequence[str], scripts: Mapping[str, str]) -> Iterator[str]:
    rest = [*words]
    while rest and rest[0].rpartition("/")[2] in _BEFORE:
        rest.pop(0)
    if not rest:
        return
    first = rest[0].rpartition("/")[2]
    if first in scripts:
        yield scripts[first]
    elif re.fullmatch(_PYTHON, rest[0]):
        yield from _by_python(rest[1:])


def _by_python(words: Sequence[str]) -> Iterator[str]:
    """The module that Python starts: after `-m`, or the file that is named first."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == "-m":
            yield from (following, f"{following}.__main__")
            return
        if not word.startswith("-"):
            if word.endswith(".py"):
                yield re.sub(r"^(?:\.?/)?(?:app/)?(?:src/)?", "", word).removesuffix(".py").replace("/", ".")
            return
