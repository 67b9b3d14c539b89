"""The hooks of PEP 517 and PEP 660, each around that of the real backend."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from mcp_lockstep.archive import open_archive
from mcp_lockstep.artefact.metadata import Metadata
from mcp_lockstep.findings import Refused
from mcp_lockstep.hooks.built import SERVER_JSON, Built, Kind, has_manifest
from mcp_lockstep.hooks.real import Settings, provider, real_backend
from mcp_lockstep.hooks.tell import decide, fault, rendered

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
    if has_manifest("."):
        try:
            with open(os.path.join(folder, "METADATA"), "rb") as handle:
                raw = rendered(".", _built("wheel", Metadata("METADATA", handle.read())))
            if raw is not None:
                os.makedirs(os.path.join(folder, "mcp"), exist_ok=True)
                with open(os.path.join(folder, "mcp", SERVER_JSON), "wb") as handle:
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
    more = () if kind == "sdist" else (metadata_directory,)
    if not has_manifest("."):
        return str(real(directory, config_settings, *more))
    with tempfile.TemporaryDirectory(prefix="mcp-lockstep-") as folder:
        name = str(real(folder, config_settings, *more))
        path = os.path.join(folder, name)
        _finish(path, kind)
        shutil.move(path, os.path.join(directory, name))
    return name


def _finish(path: str, kind: Kind) -> None:
    """Put server.json into the artefact at `path`. SystemExit where it is refused."""
    try:
        archive = open_archive(path)
        name = archive.metadata_file
        built = _built(kind, Metadata(name, archive.files[name]))
    except (OSError, KeyError, ValueError, Refused) as error:
        fault(error, kind)
        return
    verdict = decide(".", built)
    if verdict is not None and verdict.manifest is not None:
        from mcp_lockstep.archive.adding import put_in

        try:
            put_in(archive, verdict.manifest, dict(_read(verdict.inputs)))
        except (OSError, KeyError, ValueError) as error:
            fault(error, kind)


def _read(paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        with open(path, "rb") as handle:
            yield path, handle.read()


def _built(kind: Kind, metadata: Metadata) -> Built:
    start, end = metadata.description
    return Built(kind, metadata.fields["version"].value, metadata.text[start:end])
