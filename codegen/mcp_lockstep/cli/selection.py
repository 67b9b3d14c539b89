"""What the paths of `check` mean: projects, wheels, sdists and bundles, and files that lie beside those."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from mcp_lockstep.archive import kind_of
from mcp_lockstep.cli.work import Found, find_projects
from mcp_lockstep.config import Config
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.judge import wanted
from mcp_lockstep.project import MANIFEST
from mcp_lockstep.records import NamedTuple

_SHOWN = 5


class Selection(NamedTuple):
    """What is judged, and what is wrong with the paths that mean nothing that could be."""

    projects: Found
    built: tuple[str, ...]
    findings: tuple[Finding, ...]


def select(paths: Sequence[str], ignore: Sequence[str] = (), *, recursive: bool) -> Selection:
    """What each path means. One that means nothing is a finding, and the others are judged all the same.

    `ignore`: codes of notes and warnings to leave out; what is not there stays an error.
    """
    built = tuple(path for path in paths if kind_of(path) is not None)
    beside = tuple(path for path in paths if _is_other(path))
    found, lost = _find([path for path in paths if path not in (*built, *beside)], recursive=recursive)
    told = _passed_over(beside, built) if beside else ()
    said = (f for f in told if f.severity == "error" or wanted((f,), Config(), ignore))
    return Selection(found, built, (*lost, *said))


def _is_other(path: str) -> bool:
    """Whether a path is a file that is nothing which `check` judges."""
    return kind_of(path) is None and os.path.basename(path) != MANIFEST and os.path.isfile(path)


def _passed_over(beside: Sequence[str], built: Sequence[str]) -> Iterator[Finding]:
    """One finding about all `beside` what was built; an error where nothing was: that gate would always be open.

    What an index would take all the same has one of its own.
    """
    from mcp_lockstep.archive.codes import ARCHIVE_UNKNOWN, FILES_PASSED_OVER

    zipped = [path for path in beside if _is_zipped_sdist(path)]
    for path in zipped:
        message, hint = f"{path} is an sdist packed as .zip, which is not read", "build a .tar.gz"
        code = FILES_PASSED_OVER if built else ARCHIVE_UNKNOWN
        yield Finding(code, Place(path), message, hint=hint, level="warning" if built else None)
    others = [path for path in beside if path not in zipped]
    if not others:
        return
    first, place = others[0], Place(others[0])
    more = f" and {len(others) - _SHOWN:,} more" if len(others) > _SHOWN else ""
    names = ", ".join(others[:_SHOWN]) + more
    if built:
        yield Finding(FILES_PASSED_OVER, place, f"passed over, being no wheel, sdist or bundle: {names}")
    elif len(others) == 1:
        hint = "name the folder of a project, its server.json, a wheel, an sdist or a bundle"
        yield Finding(ARCHIVE_UNKNOWN, place, f"{first} is no wheel, sdist or bundle", hint=hint)
    else:
        message = f"none of these {len(others)} files is a wheel, an sdist or a bundle: {names}"
        yield Finding(ARCHIVE_UNKNOWN, place, message, hint="build first")


def _is_zipped_sdist(path: str) -> bool:
    """Whether a file is an sdist as `setup.py sdist --formats=zip` makes it, which indexes take."""
    if not path.endswith(".zip"):
        return False
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            return f"{os.path.basename(path).removesuffix('.zip')}/PKG-INFO" in archive.namelist()
    except (OSError, ValueError, zipfile.BadZipFile):
        return False


def _find(paths: Sequence[str], *, recursive: bool) -> tuple[Found, tuple[Finding, ...]]:
    """The projects that `paths` mean, and what is wrong with those that mean none."""
    roots: list[str] = []
    read: dict[str, bytes | None] = {}
    lost: list[Finding] = []
    for path in paths:
        try:
            found = find_projects([path], recursive=recursive)
        except Refused as refused:
            lost += refused.findings
        else:
            roots += found.roots
            read.update(found.read)
    return Found(tuple(dict.fromkeys(roots)), read), tuple(lost)
