"""A Dockerfile for a Python project, with the label that the registry asks of an image."""

from __future__ import annotations

import json
import re

from mcp_lockstep.documents.data import text_of
from mcp_lockstep.export.bundle import python_launch
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.facts.readers.image import LABEL
from mcp_lockstep.launch.derive import Launch, script_of
from mcp_lockstep.launch.package import Setting
from mcp_lockstep.launch.target import Target

_PYTHON = "3.13"


def dockerfile(target: Target) -> str:
    """An image that installs the project and starts its console script. Refused for anything but a Python project."""
    project, launch = python_launch(target)
    lines = [
        f"FROM python:{_python(read_distribution(project).python)}-slim",
        "",
        "# The registry reads it from the image, and compares it with the name in server.json.",
        f"LABEL {LABEL}={_quoted(text_of(target.data.get('name')))}",
        "",
        "WORKDIR /app",
        "COPY . .",
        "RUN pip install --no-cache-dir . && useradd --create-home --uid 10001 server",
        "USER server",
    ]
    if launch.transport != "stdio" and (port := _port(launch)):
        lines.append(f"EXPOSE {port}")
    lines += ["", f"ENTRYPOINT {json.dumps([script_of(launch).name])}"]
    return "\n".join(lines) + "\n"


def _python(requires: str) -> str:
    """The oldest Python that is supported: every bound holds for it."""
    found = re.search(r"(?:>=|\^|~=?)\s*(3\.\d+)", requires)
    return found[1] if found else _PYTHON


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("$", "\\$")


def _port(launch: Launch) -> str:
    settings = (*launch.source.arguments, *launch.source.environment)
    url = launch.source.url
    for setting in settings:
        url = url.replace(f"{{{setting.flag or setting.input.name}}}", _answer(setting))
    found = re.match(r"https?://[^/:]+:(\d{1,5})(?=/|$)", url)
    return found[1] if found else ""


def _answer(setting: Setting) -> str:
    return setting.value or setting.input.default or ""
