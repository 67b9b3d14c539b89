"""A sound server named weather that is packaged by hatchling: its pyproject.toml, its server.json, its tree."""

from __future__ import annotations

import json
from collections.abc import Mapping

from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.tree import Memory, Tree
from packages import package, server

NAME, VERSION, DESCRIPTION = "io.github.acme/weather", "1.0.0", "Tells the weather."
PACKAGE = package(version=VERSION)


def pyproject(
    main: str = "weather:main", needs: str = '"mcp>=2"', *, name: str = "weather", version: str = VERSION
) -> str:
    """pyproject.toml whose console script runs `main`; `needs` are its dependencies as TOML writes them."""
    return f"""\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "{version}"
description = "{DESCRIPTION}"
readme = "README.md"
dependencies = [{needs}]

[project.scripts]
{name} = "{main}"
"""


def manifest(*packages: object) -> str:
    """The text of a server.json with these packages."""
    return json.dumps(server(*packages, description=DESCRIPTION, version=VERSION), indent=2)


def weather_tree(files: Mapping[str, str], *packages: JsonObject, project: str = "") -> Tree:
    """`files` in the project; without packages it has no server.json, without `project` it is as by default."""
    texts = {
        "pyproject.toml": project or pyproject(),
        "README.md": f"# Weather\n\n<!-- mcp-name: {NAME} -->\n",
        **({"server.json": manifest(*packages)} if packages else {}),
        **files,
    }
    return Tree(Memory({path: text.encode() for path, text in texts.items()}))


def inside(files: Mapping[str, str]) -> dict[str, str]:
    """`files` of the import package, by their paths in the project."""
    return {f"src/weather/{path}": text for path, text in files.items()}
