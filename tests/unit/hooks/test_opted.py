"""Who has opted in: `[tool.mcp-lockstep]` in pyproject.toml, and nothing that looks like it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from mcp_lockstep.hooks.opted import opted_in
from mcp_lockstep.hooks.pdm import pdm_build_hook_enabled
from mcp_lockstep.hooks.setuptools import finalize

if TYPE_CHECKING:
    from mcp_lockstep.hooks.commands import Distribution
    from mcp_lockstep.hooks.files import Context


@pytest.mark.parametrize(
    ("text", "is_in"),
    [
        ("[tool.mcp-lockstep]\n", True),
        ('[tool.mcp-lockstep]\nname = "io.github.acme/weather"\n', True),
        ("tool.mcp-lockstep.strict = true\n", True),
        ('["tool"."mcp-lockstep"]\n', True),
        ("[[tool.mcp-lockstep.models]]\n", True),
        ("", False),
        ('[build-system]\nrequires = ["mcp-lockstep"]\n', False),
        ("# [tool.mcp-lockstep]\n", False),
        ('[tool]\nmcp-lockstep = "yes"\n', False),
        ("[tool.mcp-lockstep-more]\n", False),
        ("[tool.hatch.build.hooks.mcp-lockstep]\n", False),
        ("[tool.mcp-lockstep]\nbroken = \n", False),
        ("[[tool.mcp-lockstep]]\n", False),
        ("tool = 1 # mcp-lockstep\n", False),
    ],
)
def test_the_table_alone_counts(text: str, is_in: bool, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    assert opted_in(str(tmp_path)) is is_in


@pytest.mark.parametrize("raw", [b"[tool.mcp-lockstep]\n\xff", b"\xff\xfe[\0", b"\0mcp-lockstep"])
def test_what_is_no_text_has_not_opted_in(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(raw)
    assert not opted_in(str(tmp_path))


def test_a_project_without_pyproject_has_not_opted_in(tmp_path: Path) -> None:
    (tmp_path / "mcp-lockstep.toml").write_text('name = "io.github.acme/weather"\n', encoding="utf-8")
    assert not opted_in(str(tmp_path))
    (tmp_path / "folder/pyproject.toml").mkdir(parents=True)
    assert not opted_in(str(tmp_path / "folder"))


def test_the_file_is_read_once(tmp_path: Path) -> None:
    """pdm-backend asks up to five times in one build."""
    path = tmp_path / "pyproject.toml"
    path.write_text("[tool.mcp-lockstep]\n", encoding="utf-8")
    assert opted_in(str(tmp_path))
    path.unlink()
    assert opted_in(f"{tmp_path}/../{tmp_path.name}")


def test_setuptools_and_pdm_leave_others_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    distribution = SimpleNamespace()
    finalize(cast("Distribution", distribution))
    assert vars(distribution) == {}
    assert not pdm_build_hook_enabled(cast("Context", SimpleNamespace(root=tmp_path)))
