"""The commands of setuptools with our steps around them. Whatever class a project uses for one is kept as base."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Protocol, cast

from mcp_lockstep.hooks.built import SERVER_JSON, Built, Kind, Verdict
from mcp_lockstep.hooks.tell import decide, rendered

_OURS = "mcp_lockstep"


class _Metadata(Protocol):
    def get_long_description(self) -> str | None: ...


class Distribution(Protocol):
    """What is used of a distribution of setuptools."""

    cmdclass: dict[str, type[Command]]
    metadata: _Metadata

    def get_command_class(self, command: str) -> type[Command]:
        """The class that runs a command."""
        ...

    def get_version(self) -> str:
        """The version, resolved once commands run."""
        ...


class Command(Protocol):
    """What is used of a command."""

    distribution: Distribution
    mcp_lockstep: Verdict | None

    def run(self) -> None:
        """Carry it out."""
        ...

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """(sdist) Copy what is to be packed."""
        ...

    def egg2dist(self, egginfo_path: str, distinfo_path: str) -> None:
        """(bdist_wheel) Make the folder of the metadata."""
        ...


def extend(distribution: Distribution) -> None:
    """Put our steps around the commands that make artefacts; a second time changes nothing."""
    for name, steps in _STEPS.items():
        try:
            base = distribution.get_command_class(name)
        except Exception:  # noqa: BLE001 - distutils has its own error for a command that is not there
            continue
        if not hasattr(base, _OURS):
            made = type(name, (base,), {_OURS: None, **steps(base)})
            distribution.cmdclass[name] = cast("type[Command]", made)


def _sdist(base: type[Command]) -> Mapping[str, object]:
    def make_release_tree(self: Command, base_dir: str, files: list[str]) -> None:
        base.make_release_tree(self, base_dir, files)
        verdict = self.mcp_lockstep
        if verdict is None or verdict.manifest is None:
            return
        for path in verdict.inputs:
            if not os.path.lexists(os.path.join(base_dir, path)):
                with open(path, "rb") as handle:
                    _write(os.path.join(base_dir, path), handle.read())
        _write(os.path.join(base_dir, SERVER_JSON), verdict.manifest)

    return {"run": _judged(base, "sdist"), "make_release_tree": make_release_tree}


def _wheel(base: type[Command]) -> Mapping[str, object]:
    def egg2dist(self: Command, egginfo_path: str, distinfo_path: str) -> None:
        base.egg2dist(self, egginfo_path, distinfo_path)
        raw = rendered(".", _built(self, "wheel"))
        if raw is not None:
            _write(os.path.join(distinfo_path, "mcp", SERVER_JSON), raw)

    return {"run": _judged(base, "wheel"), "egg2dist": egg2dist}


def _editable(base: type[Command]) -> Mapping[str, object]:
    return {"run": _judged(base, "editable")}


_STEPS: Mapping[str, Callable[[type[Command]], Mapping[str, object]]] = {
    "sdist": _sdist,
    "bdist_wheel": _wheel,
    "editable_wheel": _editable,
}
"""Command -> the methods that go over those of its class."""


def _judged(base: type[Command], kind: Kind) -> Callable[[Command], None]:
    """`run` of a command, with the judgement before it."""

    def run(self: Command) -> None:
        self.mcp_lockstep = decide(".", _built(self, kind))
        base.run(self)

    return run


def _built(command: Command, kind: Kind) -> Built:
    distribution = command.distribution
    return Built(kind, distribution.get_version(), distribution.metadata.get_long_description())


def _write(path: str, raw: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    # What stands there may be a hard link to the file in the project.
    if os.path.lexists(path):
        os.unlink(path)
    with open(path, "wb") as handle:
        handle.write(raw)
