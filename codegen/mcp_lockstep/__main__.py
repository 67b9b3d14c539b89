"""The command `mcp-lockstep`. An unchanged `check` is answered from its memo before anything else is imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from mcp_lockstep import __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    _reopen()
    if words[:1] == ["check"]:
        from mcp_lockstep.memo import command_key, replay

        answer = replay(command_key(__version__, words))
        if answer is not None:
            sys.stdout.write(answer)
            return 0
    from mcp_lockstep.cli import run

    return run(words)


def _reopen() -> None:
    """Write to nowhere what a shell closed (`>&-`): Python has no stream there."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))


if __name__ == "__main__":
    sys.exit(main())
