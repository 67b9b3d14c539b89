"""The hooks of PEP 517 and PEP 660, each around that of the real backend."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from mcp_lockstep.archive import Archive, open_archive
from mcp_lockstep.artefact.metadata import Metadata
from mcp_lockstep.findings import Finding, Place, Refused
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
        return partial(_build_sdist if name == "build_sdist" else _build_wheel, real, _KINDS[name])
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
        except Exception as error:  # noqa: BLE001 - somebody else's build must not end in a traceback of ours
            fault(error, "wheel")
    return name


def _build_sdist(real: Hook, kind: Kind, sdist_directory: str, config_settings: Settings = None) -> str:
    return _build(real, kind, sdist_directory, (config_settings,))


def _build_wheel(
    real: Hook,
    kind: Kind,
    wheel_directory: str,
    config_settings: Settings = None,
    metadata_directory: str | None = None,
) -> str:
    return _build(real, kind, wheel_directory, (config_settings, metadata_directory))


def _build(real: Hook, kind: Kind, directory: str, more: tuple[object, ...]) -> str:
    """One artefact. It is made in a folder of its own, so that a refused one is never seen in `directory`."""
    if not has_manifest("."):
        return str(real(directory, *more))
    try:
        os.makedirs(directory, exist_ok=True)
        # On the same disk: what there is room for, and can be renamed.
        folder = tempfile.mkdtemp(prefix=".mcp-lockstep-", dir=os.path.abspath(directory))
    except OSError as error:
        raise SystemExit(f"mcp-lockstep: {error.strerror}: {directory}") from None
    try:
        name = str(real(folder, *more))
        path = os.path.join(folder, name)
        # Where there is none, the front end says so, as it would without us.
        if os.path.lexists(path):
            _finish(path, kind)
            os.replace(path, os.path.join(directory, name))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return name


def _finish(path: str, kind: Kind) -> None:
    """Put server.json into the artefact at `path`. SystemExit where it is refused."""
    try:
        archive = open_archive(path)
        verdict = decide(".", _built(kind, _metadata(archive)))
        if verdict is not None and verdict.manifest is not None:
            from mcp_lockstep.archive.adding import put_in

            put_in(archive, verdict.manifest, dict(_read(verdict.inputs)))
    except Refused as refused:
        fault(Refused(*(_without(finding, path) for finding in refused.findings)), kind)
    except Exception as error:  # noqa: BLE001 - somebody else's build must not end in a traceback of ours
        fault(error, kind)


def _without(finding: Finding, path: str) -> Finding:
    """A finding with the file named as it is called in the end; the folder that it lies in is gone then."""
    place = finding.place._replace(path=finding.place.path.replace(path, os.path.basename(path)))
    return finding._replace(place=place, message=finding.message.replace(path, os.path.basename(path)))


def _read(paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        with open(path, "rb") as handle:
            yield path, handle.read()


def _metadata(archive: Archive) -> Metadata:
    """The metadata in an artefact. Refused where there is none."""
    name = archive.metadata_file
    if archive.lost(name):
        raise Refused(*archive.findings)
    if name not in archive.files:
        raise _unusable(archive.path, f"there is no {name} in {archive.path}")
    return Metadata(archive.label(name), archive.files[name])


def _built(kind: Kind, metadata: Metadata) -> Built:
    version = metadata.said("version")
    if not version:
        raise _unusable(metadata.path, f"{os.path.basename(metadata.path)} says no version")
    start, end = metadata.description
    return Built(kind, version, metadata.text[start:end])


def _unusable(path: str, message: str) -> Refused:
    from mcp_lockstep.artefact.codes import METADATA_MISSING

    return Refused(Finding(METADATA_MISSING, Place(path), message))
