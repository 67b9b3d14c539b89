"""Stand-ins for the programs that clients start packages with: they note how they were called, and start a server."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import NamedTuple

from stdio_servers import program

_SCRIPT = """\
#!{python}
import json, os, sys

with open({log!r}, "a", encoding="utf-8") as log:
    log.write(json.dumps({{"argv": sys.argv[1:], "environment": dict(os.environ)}}) + "\\n")
if "--cidfile" in sys.argv:
    with open(sys.argv[sys.argv.index("--cidfile") + 1], "x", encoding="utf-8") as handle:
        handle.write("c0ffee")
if sys.argv[1:2] != ["rm"]:
    os.execv({command!r}[0], {command!r})
"""


class Call(NamedTuple):
    """One call of a runner: what stood behind its name, and the environment that it was given."""

    argv: list[str]
    environment: dict[str, str]


class Runner(NamedTuple):
    """A program in `folder`, which is to stand in PATH; `log` holds its calls."""

    folder: Path
    log: Path

    def calls(self) -> list[Call]:
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return [Call(**json.loads(line)) for line in lines]


def runner(base: Path, name: str, body: str) -> Runner:
    """The program `name`, which becomes the server of `body` (see `stdio_servers`)."""
    made = Runner(base / "bin", base / f"{name}.log")
    made.folder.mkdir(exist_ok=True)
    path = made.folder / name
    text = _SCRIPT.format(python=sys.executable, log=str(made.log), command=program(base, body))
    path.write_text(text, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return made
