"""Which backend stands behind ours: found, not installed yet, or a name that nothing can be made of."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import cache as cached
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from mcp_lockstep.hooks import real
from mcp_lockstep.hooks.real import PROVIDERS, provider, real_backend

ABSENT = next(name for name in ("maturin", "mesonpy", "scikit_build_core") if find_spec(name) is None)
"""A known backend that is not installed here."""

Name = Callable[..., Path]


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Name:
    """A function that writes `[tool.mcp-lockstep]` in the working folder, which was not read yet."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)

    def write(backend: object = None, path: object = None) -> Path:
        for name in ("_config", "_import"):
            monkeypatch.setattr(real, name, cached(vars(real)[name].__wrapped__))
        lines = ["[tool.mcp-lockstep]"]
        lines += [f"build-backend = {json.dumps(backend)}"] if backend is not None else []
        lines += [f"backend-path = {json.dumps(path)}"] if path is not None else []
        (tmp_path / "pyproject.toml").write_text("\n".join(lines), encoding="utf-8")
        return tmp_path

    return write


def refused() -> str:
    """The one line that ends the build."""
    with pytest.raises(SystemExit) as stopped:
        real_backend()
    said = str(stopped.value.code)
    place, code, message = said.partition(" error LS6003 build-backend-unusable: ")
    assert code
    assert place in ("mcp-lockstep: pyproject.toml:1:1:", "mcp-lockstep: pyproject.toml:2:17:")
    assert "\n" not in said
    return message


def test_the_module_that_is_named(named: Name) -> None:
    named("flit_core.buildapi")
    assert real_backend() is import_module("flit_core.buildapi")
    assert provider() == "flit-core"


def test_an_object_in_a_module(named: Name) -> None:
    folder = named("own_inner:Outer.Inner", ["."])
    inner = "class Outer:\n    class Inner:\n        build_wheel = build_sdist = 1\n"
    (folder / "own_inner.py").write_text(inner, encoding="utf-8")
    assert getattr(real_backend(), "build_wheel", 0) == 1


def test_a_backend_in_the_tree_of_the_project(named: Name) -> None:
    folder = named("own_backend", ["_build", "_more"])
    (folder / "_build").mkdir()
    (folder / "_build/own_backend.py").write_text("build_wheel = build_sdist = 1\n", encoding="utf-8")
    assert getattr(real_backend(), "build_wheel", 0) == 1
    assert sys.path[:2] == [str(folder / "_build"), str(folder / "_more")]


def test_the_file_is_read_once(named: Name) -> None:
    """A front end calls several hooks in one process, and `hasattr` before each."""
    folder = named("flit_core.buildapi")
    first = real_backend()
    (folder / "pyproject.toml").unlink()
    assert real_backend() is first


def test_a_known_backend_may_come_later(named: Name) -> None:
    named(ABSENT)
    assert real_backend() is None
    assert provider() == PROVIDERS[ABSENT]
    with pytest.raises(SystemExit, match=f"{ABSENT} cannot be imported: No module named '{ABSENT}'"):
        real_backend(required=True)


@pytest.mark.parametrize(
    ("backend", "said"),
    [
        (None, "no real one is named: `build-backend` is missing in [tool.mcp-lockstep]"),
        ("", "no real one is named: "),
        ("mcp_lockstep.hooks.backend", "mcp_lockstep.hooks.backend is mcp-lockstep itself: "),
        ("mcp_lockstep.hooks.backend:object", "mcp_lockstep.hooks.backend is mcp-lockstep itself: "),
        ("nobody.knows", "nobody.knows cannot be imported: No module named 'nobody'"),
        ("flit_core", "flit_core is no build backend: it has no build_wheel and no build_sdist"),
        ("json:nobody", "json:nobody cannot be imported: "),
        ("./_build", "./_build cannot be imported: it is not the full name of a module"),
        (".relative", ".relative cannot be imported: it is not the full name of a module"),
        ("a b\n\x1b[31m", "a b \\x1b[31m cannot be imported: "),
        (7, "7 cannot be imported: "),
    ],
)
def test_what_no_backend_can_be_made_of(backend: object, said: str, named: Name) -> None:
    named(backend)
    assert refused().startswith(said)


def test_the_mend_says_where_it_goes(named: Name) -> None:
    named()
    assert 'Name it as `build-backend` in `[tool.mcp-lockstep]`, as `"flit_core.buildapi"`' in refused()


@pytest.mark.parametrize("text", ["", "[tool", "tool = 1", "[tool]\nmcp-lockstep = 1", "\0"])
def test_a_pyproject_that_names_nothing(text: str, named: Name) -> None:
    (named() / "pyproject.toml").write_text(text, encoding="utf-8")
    assert refused().startswith("no real one is named: ")


def test_a_folder_without_pyproject_names_nothing(named: Name) -> None:
    (named() / "pyproject.toml").unlink()
    assert refused().startswith("no real one is named: ")
