"""A declared variable that nothing reads; how sure that is decides whether it is an error."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcp_lockstep.code.module import Module
from mcp_lockstep.code.start.environment import Environment
from mcp_lockstep.code.start.reach import entry_modules
from mcp_lockstep.facts.codes import VARIABLE_UNREAD
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.findings import Finding, nearest
from mcp_lockstep.launch.package import Package, Setting
from mcp_lockstep.placeholders import template_names
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.startup.names import is_for_library
from mcp_lockstep.startup.packages import entries
from mcp_lockstep.startup.seeded import settings_home

_PLAIN = frozenset(
    "mcp fastmcp pydantic pydantic-settings pydantic-core httpx anyio click typer python-dotenv starlette uvicorn "
    "requests aiohttp urllib3 jsonschema jinja2 pyyaml rich tomli typing-extensions python-dateutil beautifulsoup4 "
    "lxml orjson attrs packaging cachetools tenacity markdown markdownify filelock python".split()
)
"""Distributions that read no variable of their own, but for those of systems and of `names.is_for_library`."""


_WAYS_OUT = (
    b"subprocess",
    b"multiprocessing",
    b"os.exec",
    b"decouple",
    b"environs",
    b"dynaconf",
    b"omegaconf",
)
"""What modules that read nothing themselves say where variables may be read all the same."""


_SURELY = 0.85
"""How alike (0 to 1) a name is to one that is read to be that one, misspelt."""


class Declaration(NamedTuple):
    """One variable as a package of server.json declares it."""

    name: str
    setting: Setting
    package: Package


def unread(
    project: Project, modules: Sequence[Module], environment: Environment, declaration: Declaration
) -> tuple[Finding, ...]:
    """A finding where nothing reads the variable: an error when all reading is seen, else a note."""
    name, setting, package = declaration
    document = project.manifest
    if document is None or environment.is_read(name) or is_for_library(name) or not modules:
        return ()
    if name in _in_templates(package):
        return ()
    doubt = _doubt(project, modules, environment, declaration)
    message = f"nothing reads {name}" + (f", as far as is seen: {doubt}" if doubt else "")
    names = [read.name for read in environment.reads]
    near = nearest(name, names, 0.7)
    home = settings_home(project) if not doubt and not near else ""
    added = f"`mcp-lockstep sync` declares it in {home}" if home else ""
    return (
        Finding(
            VARIABLE_UNREAD,
            document.place(setting.pointer),
            message,
            document.where(setting.pointer),
            have=name,
            want=near or None,
            hint=f"the code reads {near}" if near else added,
            fact="environment",
            fixable=bool(home),
            level="note" if doubt else None,
        ),
    )


def _doubt(
    project: Project, modules: Sequence[Module], environment: Environment, declaration: Declaration
) -> str:
    """Why something may read the variable all the same; empty where nothing can."""
    name, _, package = declaration
    if environment.unknown:
        first = environment.unknown[0]
        return f"{first.path}:{first.position.line}: {first.reason}"
    if package.kind != "pypi":
        return f"{package.identifier} may hold other programs"
    if not entry_modules(modules, entries(project, package)):
        return "the code behind the console script is not in this project"
    mentioned = re.compile(rb"(?<!\w)" + re.escape(name.encode("utf-8")) + rb"(?!\w)")
    for path in project.modules:
        raw = project.raw(path) or b""
        if mentioned.search(raw):
            return f"{path} mentions it"
        if any(word in raw for word in _WAYS_OUT):
            return f"{path} starts other programs, or reads variables by a library"
    strange = _strange(project)
    declared = {setting.flag for setting in package.environment}
    names = (read.name for read in environment.reads)
    misspelt = nearest(name, names, _SURELY) not in {"", *declared}
    return f"{strange} may read it" if strange and not misspelt else ""


def _strange(project: Project) -> str:
    """What the project depends on and may read variables of its own."""
    requires = read_distribution(project).requires
    names = (re.match(r"[\w.-]+", text) for text in requires)
    plain = (re.sub(r"[-_.]+", "-", found[0]).lower() for found in names if found is not None)
    return next((name for name in plain if name not in _PLAIN), "" if requires else "a dependency")


def _in_templates(package: Package) -> frozenset[str]:
    """Variables that the package's own address or arguments have in braces: the client reads those."""
    settings = (*package.headers, *package.arguments, *package.runtime)
    values = (package.url, *(setting.value or "" for setting in settings))
    return frozenset(name for value in values for name in template_names(value))
