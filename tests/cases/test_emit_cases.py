"""Inputs that broke other generators, through `new`: the files are well formed and hold exactly what was given."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path

import pytest
import tomli

from mcp_lockstep.contract.sources import read_sources
from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.emit.manifest import SCHEMA
from mcp_lockstep.emit.request import Request
from mcp_lockstep.pipeline.create import create
from mcp_lockstep.tree import Memory, Tree

NAME = "io.github.acme/widgets"


def case_input(shared: Path, number: str) -> JsonObject:
    """The input of one case of the reference material."""
    (folder,) = (shared / "cases").glob(f"{number}-*")
    found: JsonObject = json.loads((folder / "input.json").read_text(encoding="utf-8"))
    return found


def sources(folder: Path, schema: JsonObject, identity: JsonObject) -> list[str]:
    """A contract with one tool, and a server.json, as files to start from."""
    tool = {"name": "act", "description": schema.get("description", ""), "inputSchema": schema}
    manifest = {"$schema": SCHEMA, "name": NAME, "version": "1.0.0", "description": "Widgets.", **identity}
    for name, document in (("contract.json", {"tools": [tool]}), ("server.json", manifest)):
        (folder / name).write_text(json.dumps(document), encoding="utf-8")
    return [str(folder / "contract.json"), str(folder / "server.json")]


def through_api(given: list[str]) -> dict[str, str]:
    """The files that the library would write."""
    plan = create(Tree(Memory({})), read_sources(given), Request("widgets", NAME))
    assert [finding.message for finding in plan.findings if finding.severity == "error"] == []
    return {change.path: (change.after or b"").decode("utf-8") for change in plan.changes}


def through_command(given: list[str], folder: Path) -> dict[str, str]:
    """The files that the command writes."""
    options = [word for source in given for word in ("--from", source)]
    command = [sys.executable, "-m", "mcp_lockstep", "new", "widgets", "--name", NAME, *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    root = folder / "widgets"
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in files}


def written(given: list[str], folder: Path) -> dict[str, str]:
    """The files, which are the same through the library and through the command."""
    files = through_api(given)
    assert through_command(given, folder) == files
    return files


def compile_quietly(files: Mapping[str, str]) -> None:
    """Compile every Python file with warnings as errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for path, text in files.items():
            if path.endswith(".py"):
                compile(text, path, "exec")


def test_38_texts_that_would_end_a_docstring(shared: Path, tmp_path: Path) -> None:
    schema = case_input(shared, "38")
    files = written(sources(tmp_path, schema, {}), tmp_path)
    compile_quietly(files)
    published = json.loads(files["src/widgets/_generated/contract.json"])["tools"][0]
    assert published["inputSchema"] == schema
    module = ast.parse(files["src/widgets/tools/act.py"])
    function = next(node for node in module.body if isinstance(node, ast.AsyncFunctionDef))
    assert ast.get_docstring(function, clean=False) == 'Text with """'
    for name, text in files.items():
        (tmp_path / "widgets" / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import widgets._generated.models, widgets.tools.act"],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "widgets/src")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_40_line_breaks_that_would_end_a_comment(shared: Path, tmp_path: Path) -> None:
    schema = case_input(shared, "40")
    given = sources(tmp_path, schema, {})
    files = written(given, tmp_path)
    compile_quietly(files)
    assert through_api(given) == files
    for path, text in files.items():
        if path.endswith(".py"):
            assert 'print("ran")' not in text.replace('\\nprint("ran")', ""), path
        assert str(tmp_path) not in text, path


def test_94_quotes_in_every_format(shared: Path, tmp_path: Path) -> None:
    given = case_input(shared, "94")
    description = str(given["description"])
    schema: JsonObject = {"type": "object", "title": description, "description": description}
    identity: JsonObject = {"description": description, "title": description}
    files = written(sources(tmp_path, schema, identity), tmp_path)
    compile_quietly(files)
    assert json.loads(files["server.json"])["title"].split() == description.split()
    assert tomli.loads(files["pyproject.toml"])["project"]["description"].split() == description.split()
    call = next(
        node for node in ast.walk(ast.parse(files["src/widgets/app.py"])) if isinstance(node, ast.Call)
    )
    assert {k.arg: ast.literal_eval(k.value) for k in call.keywords}["title"] == description
    assert json.loads(files["contract.json"])["tools"][0]["description"] == description
    for text in files.values():
        assert "&#34;" not in text and "&quot;" not in text and "&lt;" not in text


@pytest.mark.parametrize("with_env", [False, True])
def test_95_empty_lists(shared: Path, tmp_path: Path, with_env: bool) -> None:
    given = case_input(shared, "95")
    variables = [{"name": "KEY", "description": given["description"]}] if with_env else given["env"]
    package = {
        "registryType": "pypi",
        "identifier": "widgets",
        "version": "1.0.0",
        "transport": {"type": "stdio"},
        "environmentVariables": variables,
    }
    identity: JsonObject = {"description": given["description"], "packages": [package]}
    files = written(sources(tmp_path, {"type": "object"}, identity), tmp_path)
    compile_quietly(files)
    assert tomli.loads(files["pyproject.toml"])["project"]["description"] == given["description"]
    assert json.loads(files["server.json"])["description"] == given["description"]
    assert all(text == "" or (text.endswith("\n") and not text.endswith("\n\n")) for text in files.values())
    assert ('os.environ.get("KEY")' in files["src/widgets/settings.py"]) is with_env
