"""What `launch` and `export` are pointed at: a project, a server.json, a wheel or an sdist."""

from __future__ import annotations

import json
import os

from mcp_lockstep.archive import kind_of, open_archive
from mcp_lockstep.contract.model import Contract
from mcp_lockstep.contract.sources import read_contract
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.codes import FILE_MISSING
from mcp_lockstep.documents.data import JsonObject, as_object
from mcp_lockstep.documents.kinds import Kind, other_kind
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.launch import codes
from mcp_lockstep.launch.judge import judge_commands, judge_launches
from mcp_lockstep.project import MANIFEST, Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.render import shown
from mcp_lockstep.tree import Disk, Memory, Tree

_GENERATED_CONTRACT = "_generated/contract.json"


class Target(NamedTuple):
    """What was opened: its server.json, what is wrong with the commands in it, and what they can be run from.

    `root` is the folder of the project (empty: there is none), `dist` the file to install (empty: none was named),
    `contract` what the server promises (None: not known).
    """

    label: str
    document: JsonDocument
    findings: tuple[Finding, ...] = ()
    project: Project | None = None
    root: str = ""
    dist: str = ""
    contract: Contract | None = None

    @property
    def data(self) -> JsonObject:
        """The server.json, parsed."""
        return as_object(self.document.data) or {}


def open_target(path: str, *kinds: Kind) -> Target:
    """What stands at `path`, a project or a file of one of `kinds` (none: a server.json). Refused for anything else."""
    if os.path.isdir(path):
        return _project(path)
    if not os.path.isfile(path):
        message = f"{path} is not there; a project, a server.json, a wheel or an sdist is wanted"
        raise Refused(Finding(FILE_MISSING, Place(path), message))
    if kind_of(path) is not None:
        return _dist(path)
    if os.path.basename(path) == MANIFEST:
        return _project(os.path.dirname(path) or ".")
    return _file(path, kinds)


def _project(root: str) -> Target:
    project = Project(Tree(Disk(root)))
    findings = tuple(judge_launches(project))
    if project.manifest is None:
        path = os.path.normpath(os.path.join(root, MANIFEST))
        message = f"{root} has no usable server.json"
        missing = Finding(codes.NOTHING_TO_LAUNCH, Place(path), message)
        broken = [
            one._replace(place=one.place._replace(path=path))
            for one in project.broken
            if one.place.path == MANIFEST
        ]
        raise Refused(*(broken or (missing,)))
    placed = tuple(
        one
        if root == "."
        else one._replace(place=one.place._replace(path=os.path.join(root, one.place.path)))
        for one in (*project.broken, *findings)
    )
    document = shown(project, project.manifest)
    return Target(root, document, placed, project, root, contract=_contract(project))


def _file(path: str, kinds: tuple[Kind, ...]) -> Target:
    raw = Tree(Disk(os.path.dirname(os.path.realpath(path)))).read(os.path.basename(os.path.realpath(path)))
    return _read(path, path, raw or b"", kinds)


def _read(label: str, path: str, raw: bytes, kinds: tuple[Kind, ...] = ()) -> Target:
    document = JsonDocument(path, raw)
    if (other := other_kind(document, *kinds)) is not None:
        raise Refused(other)
    return Target(label, document, judge_commands(document))


def _dist(path: str) -> Target:
    archive = open_archive(path)
    if archive.kind == "bundle":
        message = f"{path} is a bundle, which applications start by themselves"
        raise Refused(
            Finding(codes.NOTHING_TO_LAUNCH, Place(path), message, hint="name the project or its wheel")
        )
    # Where `check` looks: a server.json that lies elsewhere among the files of a package is data of that package.
    found = archive.manifest_file if archive.manifest_file in archive.files else ""
    promised = archive.shallowest(_GENERATED_CONTRACT)
    contract = None
    if promised:
        tree = Tree(Memory({"contract.json": archive.files[promised]}))
        contract = read_contract(tree, "contract.json").contract
    beside = os.path.dirname(os.path.dirname(os.path.abspath(path)))
    if found:
        target = _read(path, archive.label(found), archive.files[found])
    elif os.path.isfile(os.path.join(beside, MANIFEST)):
        target = _project(os.path.relpath(beside))._replace(label=path)
    else:
        target = _read(path, path, json.dumps(_plain(path)).encode())
    return target._replace(
        dist=path, contract=contract or target.contract, findings=(*archive.findings, *target.findings)
    )


def _plain(path: str) -> JsonObject:
    """What a distribution without a server.json would be called in one."""
    name, _, rest = os.path.basename(path).removesuffix(".tar.gz").partition("-")
    identifier = name.replace("_", "-")
    package: JsonObject = {
        "registryType": "pypi",
        "identifier": identifier,
        "version": rest.partition("-")[0],
    }
    return {"packages": [{**package, "transport": {"type": "stdio"}}]}


def _contract(project: Project) -> Contract | None:
    if not project.config.contract:
        return None
    try:
        return read_contract(project.tree, project.config.contract).contract
    except Refused:
        # `check` says what is wrong with it.
        return None
