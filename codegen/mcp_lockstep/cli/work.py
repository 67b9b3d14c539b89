"""What the commands on projects share: find them, judge them, and leave out what the user asked to leave out."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from mcp_lockstep.archive import kind_of
from mcp_lockstep.cli.patterns import is_pattern
from mcp_lockstep.cli.printable import typed
from mcp_lockstep.config import OWN_FILE, PYPROJECT
from mcp_lockstep.documents.codes import (
    FILE_IS_FOLDER,
    FILE_MISSING,
    FILE_UNREADABLE,
    NOT_JSON,
    NOTHING_HERE,
)
from mcp_lockstep.documents.places import place_pointer
from mcp_lockstep.documents.pointer import escape_part
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.judge import Judgement, judge_tree, wanted
from mcp_lockstep.memo import listed, listing
from mcp_lockstep.project import MANIFEST, Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Disk, Tree

if TYPE_CHECKING:
    from mcp_lockstep.artefact.gate import Gated

_CONFIGURABLE = frozenset({PYPROJECT, OWN_FILE})
_SYNC = "`mcp-lockstep sync"
_SKIPPED = frozenset({"build", "dist", "venv", "site-packages"})


class Found(NamedTuple):
    """The folders of projects, and what was read to find them, as `memo` keeps it."""

    roots: tuple[str, ...]
    read: Mapping[str, bytes | None]


class Checked(NamedTuple):
    """A project folder as the user wrote it, what was read of it, and the findings that are left to say."""

    root: str
    project: Project
    judgement: Judgement
    findings: tuple[Finding, ...]


def check_project(root: str, ignore: Sequence[str] = (), only: str = "") -> Checked:
    """Judge the project in the folder `root`. Paths in the findings are relative to the working folder."""
    project = Project(Tree(Disk(root)))
    try:
        judgement = judge_tree(project, only=only)
    except Refused as refused:
        raise Refused(*below(root, refused.findings)) from None
    findings = (*wanted(judgement.findings, project.config, ignore), *_ignored_by_mistake(project))
    return Checked(root, project, judgement, below(root, findings))


def gate_all(
    paths: Sequence[str], ignore: Sequence[str] = (), only: str = "", tag: str = ""
) -> tuple[Gated, ...]:
    """Judge wheels, sdists and bundles. `only`: the one fact to look at; what cannot be read is said too.

    `tag`: of the release that they are built for; empty where there is none.
    """
    if not paths:
        return ()
    from mcp_lockstep.artefact.gate import gate

    gated = (gate(path, ignore, tag) for path in paths)
    return tuple(one._replace(findings=tuple(f for f in one.findings if _is_about(f, only))) for one in gated)


def _is_about(finding: Finding, only: str) -> bool:
    return only in ("", finding.fact) or finding.code.id.startswith(("LS0", "LS61"))


def mended(one: Checked) -> tuple[Finding, ...]:
    """The findings that `sync` mends."""
    return tuple(finding for finding in one.findings if finding.fixable)


def _ignored_by_mistake(project: Project) -> Iterator[Finding]:
    """A finding for each code that the configuration ignores and that does not exist: nothing would be left out."""
    for found in unknown_codes(tuple(project.config.ignore), "ignore"):
        place, where = project.configured(f"/ignore/{escape_part(found.have or '')}")
        yield found._replace(place=place, position=where)


def unknown_codes(words: Sequence[str], told: str) -> Iterator[Finding]:
    """A finding without a place for each of `words` that is no code, told as what stands in `told`."""
    if not words:
        return
    from mcp_lockstep.cli.explain import NO_SUCH_CODE, all_codes

    known = all_codes()
    for text in words:
        if not any(code.answers(text) for code in known):
            message = f"`{told}` names {text!r}, and there is no such code"
            hint = NO_SUCH_CODE.explain
            yield Finding(NO_SUCH_CODE, Place(""), message, have=text, hint=hint, level="warning")


def below(root: str, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """`findings` of the project in `root` with paths and commands as they are right in the working folder."""
    return tuple(findings) if root == "." else tuple(_below_root(root, finding) for finding in findings)


def _below_root(root: str, finding: Finding) -> Finding:
    place = finding.place._replace(path=os.path.join(root, finding.place.path))
    return finding._replace(place=place, hint=finding.hint.replace(_SYNC, f"{_SYNC} {typed(root)}"))


def find_projects(paths: Sequence[str], *, recursive: bool) -> Found:
    """The project folders that the user's `paths` mean. Refused for a path that is not there."""
    found: list[str] = []
    read: dict[str, bytes | None] = {}
    for path in paths:
        named = os.path.basename(path) == MANIFEST
        folder = os.path.dirname(path) or "." if named else path
        if not _is_folder(folder) or (named and not os.path.lexists(path)):
            raise Refused(_lost(path))
        folder = os.path.normpath(folder)
        here = [*(_below(folder, read) if recursive else _members(folder, read))]
        if not here:
            raise Refused(_nothing_below(folder))
        found += here
    return Found(tuple(dict.fromkeys(found)), read)


def _lost(path: str) -> Finding:
    """The finding about a path that is not there, or a pattern that the shell left as it is: nothing matches it."""
    hint = "name the folder of a project"
    if os.path.lexists(path):
        message = f"{path} is no folder and no {MANIFEST}"
    elif is_pattern(path):
        message, hint = f"nothing matches {path}", "build first: there is nothing to judge"
    else:
        message = f"{path} is not there"
    return Finding(FILE_MISSING, Place(path), message, hint=hint)


def empty_folder(root: str) -> Finding:
    """The finding about a folder in which there is nothing to check."""
    message = f"there is no {PYPROJECT} and no {MANIFEST} in {root}"
    return _nothing_here(root, message, "name the folder of a project; `-r` looks below it")


def _nothing_below(root: str) -> Finding:
    message = f"there is no {MANIFEST} and no configuration in {root}, nor in a folder below it"
    return _nothing_here(root, message, "name the folder of a project; `mcp-lockstep adopt` configures one")


def _nothing_here(root: str, message: str, hint: str) -> Finding:
    if not os.access(root, os.R_OK | os.X_OK):
        return Finding(FILE_UNREADABLE, Place(root), f"{root} cannot be read: Permission denied")
    if any(kind_of(name) for name in listing(root)):
        hint = f"`mcp-lockstep check {typed(root)}/*` judges what was built"
    return Finding(NOTHING_HERE, Place(root), message, hint=hint)


def _is_folder(path: str) -> bool:
    try:
        # A working folder that was removed still answers to its name `.`, and fails later.
        return os.path.isdir(os.path.abspath(path))
    except OSError:
        return False


def asked(project: Project, root: str) -> dict[str, bytes | None]:
    """What was read of the project in the folder `root`, as `memo` keeps it."""
    return {
        # The listing of the project's own folder stands at "/".
        os.path.join(root, "" if path == "/" else path): raw
        for path, raw in project.tree.asked().items()
    }


def read_baseline(path: str) -> frozenset[tuple[str, str, str]]:
    """What the report in `path` (`--format json`; empty: none) already holds: code, file, pointer of each finding."""
    if not path:
        return frozenset()
    try:
        with open(path, encoding="utf-8") as handle:
            report = json.load(handle)
        return frozenset((str(f["code"]), str(f["file"]), str(f["pointer"])) for f in report["findings"])
    except IsADirectoryError:
        message = f"{path} is a folder, a file is wanted"
        raise Refused(Finding(FILE_IS_FOLDER, Place(path), message)) from None
    except FileNotFoundError:
        message = f"{path} is not there"
        hint = "`mcp-lockstep check --format json` writes one"
        raise Refused(Finding(FILE_MISSING, Place(path), message, hint=hint)) from None
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise Refused(Finding(FILE_UNREADABLE, Place(path), message)) from None
    except (ValueError, KeyError, TypeError):
        message = f"{path} is no report of `mcp-lockstep check --format json`"
        raise Refused(Finding(NOT_JSON, Place(path), message)) from None


def baseline_key(finding: Finding) -> tuple[str, str, str]:
    """What makes a finding the same one in two reports, lines not counted."""
    return finding.code.id, finding.place.path, place_pointer(finding.place)


def _members(folder: str, read: dict[str, bytes | None]) -> list[str]:
    """The servers that the configuration in `folder` names; the folder itself where it names none."""
    project = Project(Tree(Disk(folder)))
    read.update(asked(project, folder))
    config = project.config
    members = [os.path.normpath(os.path.join(folder, server)) for server in config.servers]
    for index, (server, member) in enumerate(zip(config.servers, members, strict=True)):
        if not os.path.isdir(member):
            place, where = project.configured(f"/servers/{index}/path")
            missing = Finding(FILE_MISSING, place, f"`path` names {server}, which is no folder", where)
            raise Refused(*below(folder, (missing,)))
    return members or [folder]


def _below(folder: str, read: dict[str, bytes | None]) -> Iterator[str]:
    names = listing(folder)
    read[os.path.join(folder, "")] = listed(names)
    if MANIFEST in names or (_CONFIGURABLE.intersection(names) and _configured(folder, read)):
        yield folder
    for name in names:
        if name.endswith("/") and name[:-1] not in _SKIPPED:
            yield from _below(os.path.normpath(os.path.join(folder, name[:-1])), read)


def _configured(folder: str, read: dict[str, bytes | None]) -> bool:
    """Whether the folder holds a configuration of one server, not of several."""
    project = Project(Tree(Disk(folder)))
    read.update(asked(project, folder))
    return bool(project.config.path and not project.config.servers)
