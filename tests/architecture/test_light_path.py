"""What `check` and `sync` really load, read from the running interpreter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

LIGHT = frozenset({"tomli", "mcp_lockstep"})
SLOW = frozenset({"dataclasses", "importlib.metadata", "inspect"})
LOADED = "import json, sys; json.dump(sorted(sys.modules), sys.stderr)"
PROGRAM = (
    f"import sys; from mcp_lockstep.__main__ import main; code = main(sys.argv[1:]); {LOADED}; sys.exit(code)"
)

FILES = {
    "pyproject.toml": '[project]\nname = "acme-weather"\nversion = "1.2.8"\nreadme = "README.md"\n'
    '[project.scripts]\nacme-weather = "weather:main"\n',
    "README.md": "# Weather\n\n<!-- mcp-name: io.github.acme/weather -->\n",
    "src/weather/__init__.py": "import os\n\nfrom mcp.server import MCPServer\n\n"
    'mcp = MCPServer("weather", version="1.2.8")\nKEY = os.environ["WEATHER_KEY"]\n\n\n'
    '@mcp.tool()\ndef forecast(city: str, days: int = 3) -> str:\n    """Forecast."""\n    return city\n\n\n'
    "def main() -> None:\n    mcp.run()\n",
    "server.json": json.dumps(
        {
            "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
            "name": "io.github.acme/weather",
            "description": "Forecasts.",
            "version": "1.2.8",
            "packages": [
                {
                    "registryType": "pypi",
                    "identifier": "acme-weather",
                    "version": "1.2.8",
                    "transport": {"type": "stdio"},
                    "environmentVariables": [{"name": "WEATHER_KEY", "isRequired": True, "isSecret": True}],
                }
            ],
        },
        indent=2,
    ),
}


def loaded(program: str, *arguments: str, cwd: Path) -> tuple[int, frozenset[str]]:
    """The exit code of a Python program, and every module that was loaded at its end."""
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(
        command, cwd=cwd, env=os.environ, capture_output=True, encoding="utf-8", check=False
    )
    last = done.stderr.rpartition("\n")[2]
    assert last.startswith("["), done.stdout + done.stderr
    return done.returncode, frozenset(json.loads(last))


def foreign(modules: Iterable[str]) -> set[str]:
    """Modules that are neither of the standard library nor of the light path, compiled helpers aside."""
    tops = {(name.partition(".")[0], name) for name in modules if not name.endswith("__mypyc")}
    return {name for top, name in tops if top not in LIGHT and top not in sys.stdlib_module_names}


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    """What Python itself loads in this environment."""
    return loaded(LOADED, cwd=tmp_path_factory.mktemp("bare"))[1]


Write = Callable[[Mapping[str, str | bytes]], Path]


@pytest.mark.parametrize("command", [("check",), ("check", "--format", "json"), ("sync", "--dry-run")])
@pytest.mark.usefixtures("cache")
def test_a_project_is_judged_with_the_standard_library(
    command: tuple[str, ...], project: Write, bare: frozenset[str]
) -> None:
    code, modules = loaded(PROGRAM, *command, cwd=project(FILES))
    assert code == 0
    assert foreign(modules - bare) == set()
    assert (modules - bare) & SLOW == set()


@pytest.mark.parametrize("command", ["check", "sync"])
@pytest.mark.usefixtures("cache")
def test_a_project_with_a_contract_is_judged_with_the_standard_library(
    command: str, root: Path, tmp_path: Path, bare: frozenset[str]
) -> None:
    example = tmp_path / "weather"
    shutil.copytree(root / "examples/weather", example)
    code, modules = loaded(PROGRAM, command, *["--dry-run"][: command == "sync"], cwd=example)
    assert code == 0
    assert foreign(modules - bare) == set()
    assert (modules - bare) & SLOW == set()


@pytest.mark.usefixtures("cache")
def test_an_unchanged_check_loads_the_memo_alone(project: Write, bare: frozenset[str]) -> None:
    base = project(FILES)
    loaded(PROGRAM, "check", cwd=base)
    code, modules = loaded(PROGRAM, "check", cwd=base)
    assert code == 0
    ours = {name for name in modules - bare if name.startswith("mcp_lockstep")}
    assert ours == {"mcp_lockstep", "mcp_lockstep.__main__", "mcp_lockstep.memo"}
    assert "argparse" not in modules - bare


def test_a_foreign_module_is_seen(tmp_path: Path, bare: frozenset[str]) -> None:
    _, modules = loaded(f"import dataclasses, jsonschema; {LOADED}", cwd=tmp_path)
    assert "jsonschema" in foreign(modules - bare)
    assert "dataclasses" in (modules - bare) & SLOW
