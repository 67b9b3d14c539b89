"""What pdm-backend packs, with server.json among it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Protocol

from mcp_lockstep.hooks.built import PYPROJECT, SERVER_JSON, Built
from mcp_lockstep.hooks.scratch import kept
from mcp_lockstep.hooks.tell import decide


class _Readme(Protocol):
    text: str


class _Validated(Protocol):
    readme: _Readme | None


class _Config(Protocol):
    @property
    def metadata(self) -> dict[str, object]: ...

    def validate(self) -> _Validated: ...


class _Builder(Protocol):
    dist_info_name: str


class Context(Protocol):
    """What is used of the context of a build."""

    root: Path
    target: Literal["sdist", "wheel", "editable"]
    config: _Config
    builder: _Builder


def add_files(context: Context, files: dict[str, Path]) -> None:
    """Judge the project, then add server.json and, to an sdist, what it takes to build it again."""
    version = str(context.config.metadata["version"])
    built = Built(context.target, version, _description(context.config))
    verdict = decide(str(context.root), built)
    if verdict is None or verdict.manifest is None:
        return
    made = kept(verdict.manifest, str(context.root / SERVER_JSON), context.target)
    if not made:
        return
    file = Path(made)
    if context.target != "sdist":
        files[f"{context.builder.dist_info_name}/mcp/{SERVER_JSON}"] = file
        return
    for path in verdict.inputs:
        # That one is always packed, by old releases as they rewrite it: it would stand there twice.
        if path != PYPROJECT:
            files.setdefault(path, context.root / path)
    files[SERVER_JSON] = file


def _description(config: _Config) -> str | None:
    """The text that becomes the description; None where pdm-backend does not tell."""
    try:
        readme = config.validate().readme
    except TypeError:
        # Before 2.4 it wants what it looks at, and gives nothing back.
        return None
    return readme.text if readme is not None else ""
