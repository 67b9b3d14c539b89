"""Files judged in bulk: server.json of any revision, registry lists, MCPB manifests; thousands, over all cores."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.codes import FILE_MISSING, FILE_UNREADABLE
from mcp_lockstep.documents.kinds import is_sure
from mcp_lockstep.findings import Code, Finding, Place, Refused
from mcp_lockstep.launch.rules import rules_for
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.any_kind import judge_each
from mcp_lockstep.tree import Disk, Tree

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

NOTHING_TO_VALIDATE = Code(
    "LS2401",
    "nothing-to-validate",
    "error",
    "In a folder that was named there is no file that could be validated.",
    "In folders are looked for: server.json, registry lists, and manifest.json of MCPB bundles, whatever a file is "
    "called, as long as its name ends in .json. A gate that judges nothing would always be open: name the right "
    "folder, or the files themselves.",
    exit=2,
)
CODES = (NOTHING_TO_VALIDATE,)

ALONE = 600
"""Up to so many files one process judges: starting others would cost more than they save."""

_BATCH = 50
_TOGETHER = 1_000_000
"""So many bytes of files are held at once, and one file more."""
_SKIPPED = frozenset({"node_modules", "site-packages", "venv", "__pycache__"})
_SIGNS = (b"server.schema.json", b'"servers"', b"_version", b'"packages"', b'"remotes"')
"""One of these stands in every file that is judged without being called server.json."""


class Candidate(NamedTuple):
    """A file to look at; one that was not `named` is left out unless it is of a kind that is judged.

    `registry`: the kind of registry that it is for, `official` or `private`; empty: as the configuration beside it
    says, official without one. `target`: where a link leads; empty for what is none.
    """

    path: str
    named: bool = True
    registry: str = ""
    target: str = ""


class Judged(NamedTuple):
    """What is wrong with one file."""

    path: str
    findings: tuple[Finding, ...]


class Batch(NamedTuple):
    """Some files looked at: how many there were, how many were of a kind that is judged, and what is wrong."""

    seen: int
    files: int
    judged: tuple[Judged, ...]


class _Opened(NamedTuple):
    """A file of a kind that is judged, parsed, and whose rules hold for it; or why it cannot be read."""

    path: str
    document: JsonDocument | None
    registry: str
    refused: tuple[Finding, ...] = ()


class Found(NamedTuple):
    """The files that paths mean, and what is wrong with the paths themselves."""

    candidates: tuple[Candidate, ...]
    findings: tuple[Finding, ...] = ()


def find(paths: Iterable[str], registry: str = "") -> Found:
    """Every file that `paths` name, and every `.json` file in the folders among them, in this order, each once."""
    candidates: dict[str, Candidate] = {}
    findings: list[Finding] = []
    for path in paths:
        if os.path.isdir(path):
            for inside, target in _walk(path, findings):
                candidates.setdefault(inside, Candidate(inside, False, registry, target))
        elif os.path.lexists(path):
            target = os.path.realpath(path) if os.path.islink(path) else ""
            # As it is called in a folder; `..` after a link leads elsewhere than it seems.
            key = path if ".." in path else os.path.normpath(path)
            candidates[key] = Candidate(path, True, registry, target)
        else:
            message = f"{path} is not there"
            findings.append(Finding(FILE_MISSING, Place(path), message, hint="name a file or a folder"))
    return Found(tuple(candidates.values()), tuple(findings))


def judge_files(candidates: Sequence[Candidate]) -> Iterator[Batch]:
    """Judge every file, in order; only what is wrong is held, a few batches at a time."""
    batches = [candidates[at : at + _BATCH] for at in range(0, len(candidates), _BATCH)]
    workers = min(_cores(), len(batches))
    executor = _executor(workers) if len(candidates) > ALONE and workers > 1 else None
    if executor is None:
        yield from map(judge_batch, batches)
        return
    with executor:
        waiting: deque[Future[Batch]] = deque()
        for batch in batches:
            waiting.append(executor.submit(judge_batch, batch))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def judge_batch(candidates: Sequence[Candidate]) -> Batch:
    """Judge some files, together as far as they are small: see `judge_each`."""
    files = 0
    judged: list[Judged] = []
    for portion in _portions(candidates):
        files += len(portion)
        judged += _judge(portion)
    return Batch(len(candidates), files, tuple(judged))


def _portions(candidates: Sequence[Candidate]) -> Iterator[list[_Opened]]:
    portion: list[_Opened] = []
    size = 0
    for opened in filter(None, map(_open, candidates)):
        portion.append(opened)
        size += len(opened.document.raw) if opened.document else 0
        if size > _TOGETHER:
            yield portion
            portion, size = [], 0
    yield portion


def _judge(portion: Sequence[_Opened]) -> Iterator[Judged]:
    found = {one.path: one.refused for one in portion}
    for registry in {one.registry for one in portion}:
        documents = [one.document for one in portion if one.document and one.registry == registry]
        told = judge_each(documents, rules_for(registry))
        found.update(zip((document.path for document in documents), told, strict=True))
    return (Judged(path, findings) for path, findings in found.items() if findings)


def _open(candidate: Candidate) -> _Opened | None:
    path, named, registry, target = candidate
    # Where a link leads is not "out of the project": the user named it.
    folder, name = os.path.split(target or path)
    folder = folder or "."
    try:
        raw = Disk(folder).read(name)
        if raw is None:
            raise Refused(Finding(FILE_MISSING, Place(path), f"{path} went away"))
        if not named and name != "server.json" and not any(map(raw.__contains__, _SIGNS)):
            return None
        document = JsonDocument(path, raw)
        if not named and name != "server.json" and not is_sure(document.data):
            return None
        # What cannot be parsed is refused here.
        _ = document.data
        return _Opened(path, document, registry or configured_registry(folder))
    except Refused as refused:
        if not named and name not in ("server.json", "manifest.json"):
            return None
        findings = tuple(f._replace(place=f.place._replace(path=path)) for f in refused.findings)
        return _Opened(path, None, "", findings)


@lru_cache(maxsize=256)
def configured_registry(folder: str) -> str:
    """The kind of registry that the configuration in `folder` names; `official` without one, or with a broken one."""
    if not any(
        os.path.isfile(os.path.join(folder, name)) for name in ("pyproject.toml", "mcp-lockstep.toml")
    ):
        return "official"
    from mcp_lockstep.config import read_config

    try:
        return read_config(Tree(Disk(folder)))[0].registry
    except Refused:
        return "official"


def _walk(top: str, findings: list[Finding]) -> Iterator[tuple[str, str]]:
    """Every `.json` file in a folder, files before folders, each with where it leads if it is a link."""
    waiting = [top]
    while waiting:
        folders: list[str] = []
        for entry in _entries(waiting.pop(), findings):
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _SKIPPED:
                    folders.append(entry.path)
            elif entry.name.endswith(".json"):
                path = os.path.normpath(entry.path)
                target = os.path.realpath(path) if entry.is_symlink() else ""
                if os.path.isfile(target) if target else entry.is_file():
                    yield path, target
        waiting += reversed(folders)


def _entries(folder: str, findings: list[Finding]) -> list[os.DirEntry[str]]:
    """What stands in a folder and is not hidden, by name; they know their kind without another question."""
    try:
        with os.scandir(folder) as entries:
            return sorted((entry for entry in entries if entry.name[0] != "."), key=lambda entry: entry.name)
    except OSError as error:
        message = f"{folder} cannot be read: {error.strerror}"
        findings.append(Finding(FILE_UNREADABLE, Place(folder), message))
        return []


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _executor(workers: int) -> Executor | None:
    """A pool of processes; None where the system has no means to make one."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_all_start_methods, get_context

    # A progress bar is a thread: a process that has one is never copied.
    context = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
    context.set_forkserver_preload(["mcp_lockstep.validate"])
    try:
        return ProcessPoolExecutor(workers, mp_context=context)
    except (OSError, ImportError, NotImplementedError):
        return None
