"""Whether the project has the console script that clients start: the one of the identifier's name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mcp_lockstep.documents.data import JsonObject, as_array, table, text_of
from mcp_lockstep.facts.normal import normal_identifier
from mcp_lockstep.findings import Finding
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
    document, manifest = project.pyproject, project.manifest
    if document is None or manifest is None:
        return
    data = table(document.data)
    scripts = _scripts(project, data)
    own = text_of(project.table.get("name")) or text_of(table(data, "tool", "poetry").get("name"))
    if scripts is None or not own:
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
            pointer = next((p for p in _TABLES if p in document.spans or p in document.key_spans), "/project")
            message = f"clients run `{launch.command}`, and there is no console script {started}"
            message += f" (there is {', '.join(sorted(scripts))})" if scripts else ""
            yield Finding(
                codes.SCRIPT_MISSING,
                document.place(pointer),
                message,
                document.where(pointer),
                have=", ".join(sorted(scripts)) or None,
                want=started,
                hint=_hint(started, scripts),
            )


_TABLES = ("/project/scripts", "/tool/poetry/scripts")


def _hint(name: str, scripts: Mapping[str, str]) -> str:
    alike = next((script for script in scripts if normal_identifier(script) == normal_identifier(name)), "")
    if alike:
        return (
            f"spell the identifier in server.json like the script, {alike}, or the script like the identifier"
        )
    starts = set(scripts.values())
    target = starts.pop() if len(starts) == 1 else "package.module:function"
    key = name if re.fullmatch(r"[\w-]+", name, re.ASCII) else f'"{name}"'
    return f'add to [project.scripts]: {key} = "{target}"'


def _scripts(project: Project, data: JsonObject) -> Mapping[str, str] | None:
    """The console scripts that the build makes; None where pyproject.toml does not tell them all."""
    backend = text_of(table(data, "build-system").get("build-backend"))
    if backend.startswith(_COMPILED) or "scripts" in (as_array(project.table.get("dynamic")) or ()):
        return None
    if any(table(data, "tool", *way[:-1]).get(way[-1]) for way in _OTHER_WAYS):
        return None
    if "scripts" not in project.table and _older_ways(project):
        return None
    tables = (
        project.table.get("scripts"),
        project.table.get("gui-scripts"),
        table(data, "tool", "poetry").get("scripts"),
    )
    found = {name: text_of(target) for one in tables for name, target in table(one).items()}
    return found if found or project.table else None


def _older_ways(project: Project) -> bool:
    return any(b"console_scripts" in (project.raw(path) or b"") for path in ("setup.py", "setup.cfg"))
