"""The parts of a judgement that many projects have no use for: each is loaded where there is something to judge.

To load a module costs about as much as to judge a project with it, and every build loads anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mcp_lockstep.code import mentions
from mcp_lockstep.code.link import link
from mcp_lockstep.code.module import Module
from mcp_lockstep.facts.description import readmes
from mcp_lockstep.facts.marker import Marked
from mcp_lockstep.findings import Finding, Place
from mcp_lockstep.lock import Lock
from mcp_lockstep.project import Project
from mcp_lockstep.startup.judged import Startup
from mcp_lockstep.surface import Kept, is_contract_first

if TYPE_CHECKING:
    from mcp_lockstep.facts.tool_table import Tools

_SETTINGS = ("nvironment", "rguments")
"""What the keys of server.json end in, in any revision, under which a package says what its server is told."""


def judge_surface(
    project: Project, modules: Sequence[Module], base: Lock, accept: Place | None = None
) -> Kept:
    """Judge what the code registers; where the project has a contract, against that."""
    surface = link(modules)
    if not is_contract_first(project):
        return Kept(surface.findings, surface, agreed=base.tools)
    from mcp_lockstep.surface.contracted import judge_contract

    return judge_contract(project, surface, base, accept)


def judge_repeated(project: Project, surface: Kept, only: str = "") -> Marked:
    """Judge the table of tools in the README, where somebody asked for one, and the manifest of a bundle.

    `only`: the name of the one fact to look at, empty for all.
    """
    table, bundle = Marked(), tuple[Finding, ...]()
    marked = (text for text in readmes(project) if "tools:start" in text.text)
    if only in ("", "tools") and (readme := next(marked, None)) is not None:
        from mcp_lockstep.facts.tool_table import judge_table

        tools = _tools(project, surface)
        table = judge_table(readme, tools) if tools.described else table
    if only in ("", "tools", "environment") and project.bundle is not None:
        from mcp_lockstep.startup.bundle import judge_bundle
        from mcp_lockstep.startup.packages import own_packages

        found = judge_bundle(project.bundle, own_packages(project), _tools(project, surface))
        bundle = tuple(finding for finding in found if only in ("", finding.fact))
    return Marked((*table.findings, *bundle), table.edits)


def _tools(project: Project, surface: Kept) -> Tools:
    from mcp_lockstep.facts.tool_table import Tools

    complete = is_contract_first(project) or not surface.code.is_open("tool")
    return Tools(_described(project, surface), complete)


def judge_startup(project: Project, modules: Sequence[Module], only: str = "") -> Startup:
    """Judge what the server is told when it starts and how it then speaks, where code or server.json say something.

    `only`: the name of the one fact to look at, empty for all.
    """
    found: list[Startup] = []
    if _speaks_of_settings(project, modules):
        from mcp_lockstep.startup.arguments import judge_arguments
        from mcp_lockstep.startup.environment import judge_environment

        found += [judge_environment(project, modules)] if only in ("", "environment") else []
        found += [judge_arguments(project, modules)] if only in ("", "arguments") else []
    if only in ("", "arguments") and _may_speak_otherwise(project, modules):
        from mcp_lockstep.startup.transports import judge_transports

        found.append(judge_transports(project, modules))
    return Startup(
        tuple(reading for one in found for reading in one.readings),
        tuple(finding for one in found for finding in one.findings),
        tuple(edit for one in found for edit in one.edits),
    )


def judge_models(project: Project) -> Iterator[Finding]:
    """Judge the modules of models that the configuration asks for."""
    if project.config.models:
        from mcp_lockstep.generated.modules import judge_jobs

        yield from judge_jobs(project)


def _described(project: Project, surface: Kept) -> dict[str, str | None]:
    """Name -> description of the tools that clients see, in their order; None: only known at run time."""
    if not is_contract_first(project):
        return {name: function.description for name, function in surface.code.of("tool").items()}
    from mcp_lockstep.surface.contracted import promised

    return promised(project, surface)


def _speaks_of_settings(project: Project, modules: Sequence[Module]) -> bool:
    manifest = project.manifest
    if manifest is not None and any(word in manifest.text for word in _SETTINGS):
        return True
    texts = (module.source.text for module in modules if module.source is not None)
    return any(word in text for text in texts for word in mentions.ANY)


def _may_speak_otherwise(project: Project, modules: Sequence[Module]) -> bool:
    """Whether the code may lack a transport that server.json names: it has words for the other kind only."""
    text = project.manifest.text if project.manifest is not None else ""
    stdio, http = '"stdio"' in text, '"streamable-http"' in text or '"sse"' in text
    if not stdio and not http:
        return False
    texts = [module.source.text for module in modules if module.source is not None]
    over_http = any(word in text for text in texts for word in mentions.HTTP)
    over_stdio = any(word in text for text in texts for word in mentions.STDIO)
    return (stdio and over_http and not over_stdio) or (http and over_stdio and not over_http)
