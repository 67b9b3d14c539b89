"""Whether the project has the console script that clients start: the one of the identifier's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from mcp_lockstep.config import PYPROJECT
from mcp_lockstep.documents.data import as_array, table, text_of
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.facts.normal import normal_identifier
from mcp_lockstep.facts.static import Stated
from mcp_lockstep.findings import Finding, Place, Position
from mcp_lockstep.launch import codes
from mcp_lockstep.launch.derive import launch_of, runner_of, script_of
from mcp_lockstep.launch.package import Package, packages_of
from mcp_lockstep.project import Project
from mcp_lockstep.rules.manifest import is_template

_COMPILED = ("maturin", "scikit_build_core", "mesonpy", "setuptools_rust")
"""Build backends that install programs which pyproject.toml does not name."""

_OTHER_WAYS = (
    ("setuptools", "script-files"),
    ("hatch", "build", "targets", "wheel", "shared-scripts"),
    ("uv", "build-backend", "data", "scripts"),
)
_TABLES = ("/project/scripts", "/tool/poetry/scripts")


def console_scripts(project: Project) -> Iterator[Finding]:
    """A finding where a package of this project has no script that `uvx IDENTIFIER` would start."""
    manifest, stated = project.manifest, read_distribution(project).name
    scripts = _scripts(project)
    if manifest is None or stated is None or not stated.text or scripts is None:
        return
    there = ", ".join(sorted(scripts))
    for package in _started(packages_of(table(manifest.data)), normal_identifier(stated.text)):
        launch = launch_of(package)
        script = script_of(launch).name
        if script not in scripts:
            message = f"clients run `{launch.command}`, and there is no console script {script}"
            message += f" (there is {there})" if there else ""
            place, position = _place(project, stated)
            hint = _hint(script, scripts, place.path)
            yield Finding(codes.SCRIPT_MISSING, place, message, position, there or None, script, hint)


def _started(packages: Iterable[Package], own: str) -> list[Package]:
    """Those of `packages` that uv starts and that are the distribution `own`, each spelling of it once."""
    found: dict[str, Package] = {}
    for one in packages:
        if one.kind == "pypi" and runner_of(one) in ("uvx", "uv") and not is_template(one.identifier):
            found.setdefault(one.identifier, one)
    return [one for name, one in found.items() if normal_identifier(name) == own]


def _hint(name: str, scripts: Mapping[str, str], path: str) -> str:
    alike = next((script for script in scripts if normal_identifier(script) == normal_identifier(name)), "")
    if alike:
        return (
            f"spell the identifier in server.json like the script, {alike}, or the script like the identifier"
        )
    starts = set(scripts.values())
    target = starts.pop() if len(starts) == 1 else "package.module:function"
    if path != PYPROJECT:
        return f"add to the console_scripts of {path}: {name} = {target}"
    key = name if re.fullmatch(r"[\w-]+", name, re.ASCII) else f'"{name}"'
    return f'add to [project.scripts]: {key} = "{target}"'


def _scripts(project: Project) -> Mapping[str, str] | None:
    """The console scripts that the build makes; None where no file tells them all."""
    data = project.pyproject_table()
    backend = text_of(table(data, "build-system").get("build-backend"))
    told = read_distribution(project).scripts
    dynamic = "scripts" in (as_array(project.table.get("dynamic")) or ())
    if backend.startswith(_COMPILED) or (dynamic and not told) or told is None:
        return None
    if any(table(data, "tool", *way[:-1]).get(way[-1]) for way in _OTHER_WAYS):
        return None
    windows = {name: text_of(target) for name, target in table(project.table, "gui-scripts").items()}
    return {**told, **windows}


def _place(project: Project, stated: Stated) -> tuple[Place, Position]:
    """Where the scripts stand, or should: in pyproject.toml, else beside the name."""
    document = project.pyproject
    if document is None or stated.place.path != PYPROJECT:
        own = project.document(stated.place.path) if stated.place.path.endswith(".cfg") else None
        return stated.place, own.position(stated.span) if own and stated.span else Position()
    pointer = next((p for p in _TABLES if p in document.spans or p in document.key_spans), "/project")
    return document.place(pointer), document.where(pointer)
