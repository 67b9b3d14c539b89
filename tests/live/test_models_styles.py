"""Modules of every style, as their users get them: types, imports, nothing but what they may need."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from checkers import tool
from mcp_lockstep.bundled import catalog
from mcp_lockstep.config.styles import Python, Style
from mcp_lockstep.models import ModelOptions, generate_models

LABELS = (
    "mcp@2026-07-28", "mcp@2024-11-05", "server@2025-12-11", "mcpb@0.4", "rmcp-server@current", "rmcp-client@current",
)  # fmt: skip
STYLES = (
    Style(),
    Style("ergonomic"),
    Style(kind="dataclass"),
    Style("ergonomic", "dataclass", "3.12"),
    Style(kind="typeddict"),
    Style(kind="typeddict", python="3.15"),
    Style(python="3.10", pydantic="2.12"),
    Style("ergonomic", python="3.10", pydantic="2.12"),
    Style("ergonomic", "dataclass", "3.10"),
    Style(kind="typeddict", python="3.10"),
)
VERSIONS: tuple[Python, ...] = ("3.10", "3.11", "3.12", "3.15")
HOSTILE: dict[str, Any] = {
    "title": "Hostile",
    "description": '"""\n\\ import os \u202e {x}',
    "type": "object",
    "properties": {
        name: {"type": kind, "description": '\'\\"""\n#'}
        for kind, names in {
            "string": "str int class self a-b __x _y $ref None print NotRequired dataclass field \u00b5 x.y".split(),
            "integer": [
                "list",
                "dict",
                "",
                " ",
                "'",
                '"',
                "\n",
                "\\",
                "{",
                "\u202e",
                "match",
                "type",
                "import",
            ],
            "boolean": [
                "bool",
                "float",
                "Any",
                "Literal",
                "TypedDict",
                "Hostile",
                "model_config",
                "copy",
                "schema",
            ],
        }.items()
        for name in names
    }
    | {"child": {"$ref": "#"}, "children": {"type": "array", "items": {"$ref": "#"}}},
    "required": ["class", "a-b", "bool"],
}


class Written(NamedTuple):
    """A module that was written, and its style."""

    path: Path
    style: Style


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> list[Written]:
    """Every schema in every style, in a folder for each Python."""
    folder = tmp_path_factory.mktemp("styles")
    written: list[Written] = []
    schemas = {label: catalog.documented(*label.split("@")) for label in LABELS}
    for place, style in enumerate(STYLES):
        for label, schema in [*schemas.items(), ("hostile", HOSTILE)]:
            name = "".join(char if char.isalnum() else "_" for char in label)
            path = folder / style.python / f"{name}_{place}.py"
            path.parent.mkdir(exist_ok=True)
            source = generate_models(schema, ModelOptions(style=style)).source
            path.write_text(f"# ruff: noqa\n{source}", encoding="utf-8")
            written.append(Written(path, style))
    return written


@pytest.mark.parametrize("python", VERSIONS)
def test_mypy_strict(modules: list[Written], python: str, tmp_path: Path) -> None:
    options = ("--strict", "--cache-dir", str(tmp_path), "--python-version", python)
    said = tool("mypy", *options, *sources(modules, python), cwd=tmp_path)
    assert said.startswith("Success: no issues found in ")


@pytest.mark.parametrize("python", VERSIONS)
def test_pyright(modules: list[Written], python: str, tmp_path: Path) -> None:
    settings = {"include": sources(modules, python), "typeCheckingMode": "strict", "pythonVersion": python}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    said = tool("pyright", "--pythonpath", sys.executable, cwd=tmp_path, PYRIGHT_PYTHON_IGNORE_WARNINGS="1")
    assert "0 errors, 0 warnings" in said


def test_ruff(modules: list[Written], tmp_path: Path) -> None:
    tool("ruff", "check", "--no-cache", *(str(module.path) for module in modules), cwd=tmp_path)


def test_imports_without_warnings_and_other_packages(modules: list[Written]) -> None:
    """Modules without pydantic run without any installed package (`-S`)."""
    for module in modules:
        since = module.style.since
        if since > sys.version_info[:2]:
            continue
        alone = [] if module.style.kind == "pydantic" else ["-S"]
        done = subprocess.run(
            [sys.executable, "-I", *alone, "-W", "error", str(module.path)],
            capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), module.path


def sources(modules: list[Written], python: str) -> list[str]:
    """The paths of the modules for one Python."""
    return [str(module.path) for module in modules if module.style.python == python]
