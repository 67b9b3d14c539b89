"""The transports that server.json names against those that the code serves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_lockstep.code.module import Module
from mcp_lockstep.code.start.transports import Transports, read_transports
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.facts.codes import TRANSPORT_UNSERVED
from mcp_lockstep.findings import Finding
from mcp_lockstep.launch.package import Package
from mcp_lockstep.project import Project
from mcp_lockstep.startup.judged import ARGUMENTS, Startup
from mcp_lockstep.startup.packages import counted, entries, is_run_by_uv, own_packages

_KINDS = frozenset({"stdio", "streamable-http", "sse"})


def judge_transports(project: Project, modules: Sequence[Module]) -> Startup:
    """A finding for each package of this project whose transport its code surely never serves."""
    document = project.manifest
    if document is None:
        return Startup()
    findings: list[Finding] = []
    for package in own_packages(project):
        if package.transport in _KINDS and is_run_by_uv(package):
            starts = entries(project, package)
            served = read_transports([*counted(project, modules, starts)], starts)
            findings += _unserved(document, package, served)
    return Startup(findings=tuple(findings))


def _unserved(document: JsonDocument, package: Package, served: Transports) -> Iterator[Finding]:
    spoken = served.started
    if spoken is None or served.is_open or package.transport in served.kinds:
        return
    pointer = f"{package.pointer}/transport/type"
    address = f', "url": "{spoken.url}"' if spoken.url else " and its `url`" if spoken.kind != "stdio" else ""
    yield Finding(
        TRANSPORT_UNSERVED,
        document.place(pointer),
        f"clients are told {package.transport}, and the program serves {', '.join(sorted(served.kinds))} only",
        document.where(pointer),
        have=package.transport,
        want=spoken.kind,
        hint=f'write "type": "{spoken.kind}"{address}',
        fact=ARGUMENTS,
    )
