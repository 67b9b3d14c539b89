"""The `manifest.json` of an MCPB bundle of a Python project, in the newest bundled revision."""

from __future__ import annotations

import re

from mcp_lockstep.bundled import catalog
from mcp_lockstep.config import PYPROJECT
from mcp_lockstep.contract.model import Contract
from mcp_lockstep.documents.data import JsonObject, table, text_of
from mcp_lockstep.export import codes
from mcp_lockstep.facts.distribution import Distribution, read_distribution
from mcp_lockstep.facts.static import module_paths
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.launch.derive import Launch, Word, launches, script_of
from mcp_lockstep.launch.package import Input
from mcp_lockstep.launch.target import Target
from mcp_lockstep.project import Project

_TYPES = {"number": "number", "boolean": "boolean"}


def python_launch(target: Target) -> tuple[Project, Launch]:
    """The project and its package of PyPI. Refused where there is none: nothing else says what to start."""
    project = target.project
    for launch in launches(target.data):
        if (
            launch.source.kind == "pypi"
            and project is not None
            and read_distribution(project).name is not None
        ):
            return project, launch
    if broken := [finding for finding in target.findings if finding.code.exit == 2]:
        raise Refused(*broken)
    message = f"{target.label} is no Python project with a pypi package in its server.json"
    raise Refused(Finding(codes.NOTHING_TO_EXPORT, Place(target.label), message))


def bundle_manifest(target: Target) -> tuple[JsonObject, tuple[Finding, ...]]:
    """The manifest of a bundle that holds the project and starts its console script, and what was made up for it."""
    project, launch = python_launch(target)
    data = target.data
    if launch.transport != "stdio":
        message = f"{launch.source.identifier} speaks {launch.transport}; the server in a bundle speaks stdio"
        raise Refused(Finding(codes.NOTHING_TO_EXPORT, Place(target.label), message))
    asked: dict[str, JsonObject] = {}
    distribution = read_distribution(project)
    author, findings = _author(distribution, text_of(data.get("name")))
    manifest: JsonObject = {
        "manifest_version": catalog.newest("mcpb"),
        "name": (distribution.name.text if distribution.name else None) or launch.source.identifier,
        "display_name": data.get("title"),
        "version": data.get("version"),
        "description": data.get("description"),
        "author": author,
        "repository": _repository(data),
        "homepage": data.get("websiteUrl"),
        "server": _server(project, launch, asked),
        **_surface(target.contract),
        "keywords": [*distribution.keywords],
        "license": distribution.license,
        "compatibility": _compatibility(project),
        "user_config": asked,
    }
    return {key: value for key, value in manifest.items() if value not in (None, "", [], {})}, findings


def _author(distribution: Distribution, name: str) -> tuple[JsonObject, tuple[Finding, ...]]:
    if distribution.author[0]:
        return {k: text for k, text in zip(("name", "email"), distribution.author, strict=True) if text}, ()
    owner = re.split(r"[./]", name.rpartition("/")[0])[-1] or name
    path, key = _home(distribution), distribution.name.place.address if distribution.name else ""
    message = f"{path} names no author; {owner!r}, from the server's name, stands in the manifest"
    hint = 'add to [project]: authors = [{ name = "..." }]' if key.startswith("project.") else ""
    return {"name": owner}, (Finding(codes.AUTHOR_MISSING, Place(path), message, hint=hint),)


def _home(distribution: Distribution) -> str:
    """The file that names the distribution."""
    return distribution.name.place.path if distribution.name else PYPROJECT


def _repository(data: JsonObject) -> JsonObject:
    url = text_of(table(data, "repository").get("url"))
    return {"type": "git", "url": url} if url else {}


def _server(project: Project, launch: Launch, asked: dict[str, JsonObject]) -> JsonObject:
    script, words = script_of(launch).name, script_of(launch).arguments
    environment = {one.name: _configured(one.value, asked) for one in launch.environment if one.value.text}
    for one in launch.environment:
        if not one.value.text:
            environment[one.name] = _ask(one.input, asked)
    arguments = ["run", "--directory", "${__dirname}", script]
    arguments += [_configured(word, asked) for word in words]
    config: JsonObject = {"command": "uv", "args": arguments, **({"env": environment} if environment else {})}
    return {"type": "uv", "entry_point": _entry_point(project, script), "mcp_config": config}


def _configured(word: Word, asked: dict[str, JsonObject]) -> str:
    return word.filled(lambda one: _ask(one, asked))


def _ask(one: Input, asked: dict[str, JsonObject]) -> str:
    """Put an input into `user_config`; gives what stands for it in the command."""
    key = re.sub(r"[^a-z0-9]+", "_", one.name.lower()).strip("_") or "value"
    kind = _TYPES.get(one.format, "string")
    option: JsonObject = {
        "type": kind,
        "title": one.name,
        "description": _description(one),
        "required": one.required and one.default is None,
    }
    if one.default is not None and (default := _typed(one.default, kind)) is not None:
        option["default"] = default
    if one.secret:
        option["sensitive"] = True
    asked[key] = option
    return f"${{user_config.{key}}}"


def _description(one: Input) -> str:
    choices = f"One of {', '.join(one.choices)}." if one.choices else ""
    return " ".join(part for part in (one.description, choices) if part) or one.name


def _typed(default: str, kind: str) -> object:
    """A default as the manifest has it; None where it is no value of the kind."""
    if kind == "boolean":
        return {"true": True, "false": False}.get(default.lower())
    if kind == "number":
        found = re.fullmatch(r"-?\d{1,15}(\.\d{1,15})?", default)
        return (float(default) if found[1] else int(default)) if found else None
    return default


def _entry_point(project: Project, script: str) -> str:
    """The file with the function that the console script calls; that which names the project where it is not found."""
    distribution = read_distribution(project)
    module = (distribution.scripts or {}).get(script, "").partition(":")[0].strip()
    paths = module_paths(module, {}) if module else ()
    return next((path for path in paths if project.raw(path) is not None), _home(distribution))


def _surface(contract: Contract | None) -> JsonObject:
    if contract is None:
        return {}
    tools = [
        {key: text_of(tool.get(key)) for key in ("name", "description") if text_of(tool.get(key))}
        for tool in contract.tools
    ]
    # A prompt in a manifest has its text, which only the server knows.
    return {"tools": tools, "prompts_generated": True if contract.prompts else None}


def _compatibility(project: Project) -> JsonObject:
    python = read_distribution(project).python
    return {"runtimes": {"python": python}} if python else {}
