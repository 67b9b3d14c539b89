"""Whether the project has the console script that clients start: the one of the identifier's name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mcp_lockstep.config import PYPROJECT
from mcp_lockstep.documents.data import as_array, table, text_of
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.facts.normal import normal_identifier
from mcp_lockstep.facts.static import Stated
from mcp_lockstep.findings import Finding, Place, Position
from mcp_lockstep.launch import codes
from mcp_lockstep.launch.derive import launch_of, runner_of, script_of
from mcp_lockstep.launch.package import packages_of
from mcp_lockstep.project import Project
from mcp_lockstep.rules.manifest import is_template

_COMPILED = ("maturin", "scikit_build_core", "mesonpy", "setuptools_rust")
"""Build backends that install programs which pyproject.toml does not name."""

_OTHER_WAYS = (
    ("setuptools", "script-files"),
    ("hatch", "build", "targets", "wheel", "shared-scripts"),
    ("uv", "build-backend", "data", "scripts"),
)


def console_scripts(project: Project) -> Iterator[Finding]:
    """A finding where a package of this project has no script that `uvx IDENTIFIER` would start."""
    manifest, stated = project.manifest, read_distribution(project).name
    if manifest is None or stated is None or not stated.text:
        return
    own, scripts = stated.text, _scripts(project)
    if scripts is None:
        return
    said: set[str] = set()
    for package in packages_of(table(manifest.data)):
        name = package.identifier
        if (
            package.kind != "pypi"
            or runner_of(package) not in ("uvx", "uv")
            or is_template(name)
            or name in said
        ):
            continue
        said.add(name)
        launch = launch_of(package)
        started = script_of(launch).name
        if normal_identifier(name) == normal_identifier(own) and started not in scripts:
            message = f"clients run `{launch.command}`, and there is no console script {started}"
            message += f" (there is {', '.join(sorted(scripts))})" if scripts else ""
            place, position = _place(project, stated)
            yield Finding(
                codes.SCRIPT_MISSING,
                place,
                message,
                position,
                have=", ".join(sorted(scripts)) or None,
                want=started,
                hint=_hint(started, scripts, place.path),
            )


_TABLES = ("/project/scripts", "/tool/poetry/scripts")


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
    data = table(project.pyproject.data) if project.pyproject is not None else {}
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
