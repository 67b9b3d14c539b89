"""The hooks of PEP 517 and PEP 660, each around that of the real backend."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from functools import partial

from mcp_lockstep.artefact.metadata import Metadata
from mcp_lockstep.hooks.archives import metadata_in, put_in
from mcp_lockstep.hooks.judged import Built, Kind, Look, judge_build, refuses
from mcp_lockstep.hooks.real import Settings, provider, real_backend
from mcp_lockstep.hooks.tell import fault, refusal, rendered, seen_in, tell
from mcp_lockstep.project import MANIFEST

Hook = Callable[..., object]

_KINDS: Mapping[str, Kind] = {"build_sdist": "sdist", "build_wheel": "wheel", "build_editable": "editable"}


def has_hook(name: str) -> bool:
    """Whether the real backend has the hook `name`; one that is not installed yet has those that all have."""
    backend = real_backend()
    return backend is None or hasattr(backend, name)


def hook(name: str) -> Hook:
    """The hook `name`. AttributeError where the real backend has none; SystemExit where there is no backend."""
    backend = real_backend()
    if backend is None:
        # It is asked what it needs before what it needs is installed.
        return _needed if name.startswith("get_requires") else partial(_later, name)
    real: Hook = getattr(backend, name)
    if name in _KINDS:
        return partial(_build, real, _KINDS[name])
    return partial(_prepare, real) if name.startswith("prepare") else real


def _needed(config_settings: Settings = None) -> list[str]:
    return [provider()]


def _later(name: str, *arguments: object, **named: object) -> object:
    real_backend(required=True)
    return hook(name)(*arguments, **named)


def _prepare(real: Hook, metadata_directory: str, config_settings: Settings = None) -> str:
    """The metadata of a wheel: with the same server.json as the wheel itself."""
    name = str(real(metadata_directory, config_settings))
    folder = os.path.join(metadata_directory, name)
    try:
        with open(os.path.join(folder, "METADATA"), "rb") as handle:
            raw = rendered(".", _version(Metadata("METADATA", handle.read())))
        if raw is not None:
            os.makedirs(os.path.join(folder, "mcp"), exist_ok=True)
            with open(os.path.join(folder, "mcp", MANIFEST), "wb") as handle:
                handle.write(raw)
    except OSError as error:
        fault(error, "wheel")
    return name


def _build(
    real: Hook,
    kind: Kind,
    directory: str,
    config_settings: Settings = None,
    metadata_directory: str | None = None,
) -> str:
    """One artefact. It is made in another folder, so that a refused one is never in `directory`."""
    seen = seen_in(".", kind)
    more = () if kind == "sdist" else (metadata_directory,)
    if seen is None:
        return str(real(directory, config_settings, *more))
    if refuses(seen, kind, seen.findings):
        tell(seen.findings)
        raise refusal(kind, seen.findings)
    with tempfile.TemporaryDirectory(prefix="mcp-lockstep-") as folder:
        name = str(real(folder, config_settings, *more))
        path = os.path.join(folder, name)
        _finish(path, kind, seen)
        shutil.move(path, os.path.join(directory, name))
    return name


def _finish(path: str, kind: Kind, seen: Look) -> None:
    """Put server.json into the artefact at `path`. SystemExit where it is refused."""
    try:
        metadata = metadata_in(path)
        start, end = metadata.description
        verdict = judge_build(seen, Built(kind, _version(metadata), metadata.text[start:end]))
        if verdict.manifest is not None and not verdict.refused:
            inputs = {p: raw for p in verdict.inputs if (raw := seen.project.raw(p)) is not None}
            put_in(path, verdict.manifest, inputs)
    except Exception as error:  # noqa: BLE001 - somebody else's build must not end in a traceback of ours
        fault(error, kind)
        return
    tell(verdict.findings)
    if verdict.refused:
        raise refusal(kind, verdict.findings)


def _version(metadata: Metadata) -> str:
    return metadata.fields["version"].value
