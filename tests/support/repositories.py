"""Git as nobody in particular runs it, whatever the machine is set up to do."""

from __future__ import annotations

import subprocess
from pathlib import Path

_SETTINGS = ("user.name=A", "user.email=a@example.com", "init.defaultBranch=main", "commit.gpgsign=false")


def git(folder: Path, *words: str) -> str:
    """What git says in `folder`, which it must not refuse."""
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    command = ["git", *settings, *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
