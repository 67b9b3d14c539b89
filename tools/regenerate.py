"""Write every file that is derived from another, or, with `--check`, fail where one is stale.

Each derivation is a function from the checkout to `{path: bytes}`; all of them stand in `DERIVATIONS`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import config_schema
import reference

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = "examples/weather"
EXAMPLE_NAME = "io.github.acme/weather"

Files = Mapping[str, bytes]


def example() -> Files:
    """What `new` makes from the contract of the example: the whole example."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "weather"
        source = ROOT / EXAMPLE / "contract.json"
        _lockstep("new", str(made), "--from", str(source), "--name", EXAMPLE_NAME)
        files = (path for path in sorted(made.rglob("*")) if path.is_file())
        return {f"{EXAMPLE}/{path.relative_to(made).as_posix()}": path.read_bytes() for path in files}


def reference_pages() -> Files:
    """The pages of the docs that list commands, codes and configuration keys."""
    return {
        "schemas/config.json": config_schema.config_schema().encode(),
        "docs/cli.md": reference.command_line().encode(),
        "docs/findings.md": reference.findings().encode(),
    }


OWNED = (EXAMPLE,)
"""Folders in which every file is derived."""

DERIVATIONS: tuple[Callable[[], Files], ...] = (example, reference_pages)


def _lockstep(*arguments: str) -> str:
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100"}
    command = [sys.executable, "-m", "mcp_lockstep", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise SystemExit(
            f"mcp-lockstep {' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def stale(files: Files) -> list[str]:
    """The paths whose content in the checkout is another, and those that are not made any more, sorted."""
    owned = (path for folder in OWNED for path in (ROOT / folder).rglob("*") if path.is_file())
    names = (path.relative_to(ROOT).as_posix() for path in owned if "__pycache__" not in path.parts)
    left_over = {name for name in names if name not in files}
    return sorted({path for path, content in files.items() if _content(path) != content} | left_over)


def _content(path: str) -> bytes | None:
    file = ROOT / path
    return file.read_bytes() if file.is_file() else None


def main() -> int:
    """1 with `--check` where something is stale, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file is stale")
    check: bool = parser.parse_args().check
    files = {path: content for derive in DERIVATIONS for path, content in derive().items()}
    old = stale(files)
    for path in old:
        print(f"{path}: stale, run `make regenerate`" if check else f"regenerated {path}")
        if not check:
            _write(ROOT / path, files.get(path))
    return int(check and bool(old))


def _write(file: Path, content: bytes | None) -> None:
    if content is None:
        file.unlink()
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


if __name__ == "__main__":
    sys.exit(main())
