"""The hook of hatchling: `[tool.hatch.build.hooks.mcp-lockstep]`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol, cast

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

from mcp_lockstep.hooks.built import SERVER_JSON, Built, Kind
from mcp_lockstep.hooks.scratch import kept
from mcp_lockstep.hooks.tell import decide

if TYPE_CHECKING:
    from hatchling.builders.config import BuilderConfig

    Interface = BuildHookInterface[BuilderConfig]
else:
    Interface = BuildHookInterface


class _Core(Protocol):
    readme: str


class _Metadata(Protocol):
    version: str
    core: _Core


class _Builder(Protocol):
    artifact_project_id: str


class _BuildConfig(Protocol):
    builder: _Builder
    force_include: dict[str, str]


class _Known(Protocol):
    """What a hook has of hatchling, in types that hatchling itself leaves open."""

    metadata: _Metadata
    build_config: _BuildConfig


class LockstepHook(Interface):
    """Judges the project before an sdist or a wheel is made, and puts server.json into it."""

    PLUGIN_NAME = "mcp-lockstep"

    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        """Called before anything is made; `version` is the kind of wheel, standard or editable."""
        kind = _kind(self.target_name, version)
        if kind is None:
            return
        known = cast("_Known", self)
        verdict = decide(self.root, Built(kind, known.metadata.version, known.metadata.core.readme))
        if verdict is None or verdict.manifest is None:
            return
        file = kept(verdict.manifest, os.path.join(self.root, SERVER_JSON), kind)
        if not file:
            return
        included = _table(build_data, "force_include")
        if kind == "sdist":
            for path in verdict.inputs:
                included.setdefault(os.path.join(self.root, path), path)
            for others in (known.build_config.force_include, included):
                for source in [source for source, target in others.items() if target == SERVER_JSON]:
                    del others[source]
            included[file] = SERVER_JSON
            return
        inside = f"{known.build_config.builder.artifact_project_id}.dist-info/mcp/{SERVER_JSON}"
        included[file] = inside
        # Where another hook set this one, it stands in place of the other in editable wheels.
        if replacing := _table(build_data, "force_include_editable"):
            replacing[file] = inside


def _kind(target: str, version: str) -> Kind | None:
    if target == "sdist":
        return "sdist"
    if target == "wheel":
        return "editable" if version == "editable" else "wheel"
    return None


def _table(build_data: dict[str, object], key: str) -> dict[str, object]:
    """The mapping at `key`, made where there is none, so that what is put into it counts."""
    return cast("dict[str, object]", build_data.setdefault(key, {}))


@hookimpl
def hatch_register_build_hook() -> type[LockstepHook]:
    """What hatchling asks for."""
    return LockstepHook
