"""A folder as it was in a commit, whatever lies there now."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_lockstep.findings import Refused
from mcp_lockstep.tree import Disk, Tree
from mcp_lockstep.tree.revision import Revision
from repositories import git


@pytest.fixture
def server(tmp_path: Path) -> Path:
    """A folder of a clone: `a.json` and `tools/b.json` were committed and have changed since."""
    inner = tmp_path / "ser ver"
    for folder in ("tools", ".github", "node_modules", "__pycache__"):
        (inner / folder).mkdir(parents=True)
    hidden = (".hidden", ".github/c.json", "node_modules/d.json", "__pycache__/e.json")
    for name in ("a.json", "tools/b.json", "../above.json", *hidden):
        (inner / name).write_text(name, encoding="utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    (inner / "a.json").write_text("changed", encoding="utf-8")
    (inner / "tools/b.json").unlink()
    return inner


def test_it_holds_what_was_committed(server: Path) -> None:
    tree = Tree(Revision(str(server), "HEAD"))
    assert tree.folder("") == ("a.json", "tools/")
    assert tree.files("", ".json") == ("a.json", "tools/b.json")
    assert (tree.read("a.json"), tree.read("tools/b.json")) == (b"a.json", b"tools/b.json")
    assert tree.root is None


def test_it_hides_what_a_folder_on_disk_hides(server: Path) -> None:
    (server / "tools/b.json").write_text("", encoding="utf-8")
    for folder in ("", "tools", "node_modules", ".github"):
        assert Tree(Revision(str(server), "HEAD")).folder(folder) == Tree(Disk(str(server))).folder(folder)


@pytest.mark.parametrize("path", ["missing.json", "tools", "", "/a.json", "../../../etc/passwd", "a.json\n"])
def test_what_is_no_file_of_it_is_absent(server: Path, path: str) -> None:
    assert Revision(str(server), "HEAD").read(path) is None


def test_a_path_may_lead_up_inside_the_clone(server: Path) -> None:
    assert Revision(str(server), "HEAD").read("../above.json") == b"../above.json"
    assert Revision(str(server), "HEAD").read("./tools/../a.json") == b"a.json"


@pytest.mark.parametrize("name", ["", "nope", "--help", "HEAD:a.json", "HEAD\0", "HEAD\n"])
def test_an_unknown_revision_is_refused(server: Path, name: str) -> None:
    with pytest.raises(Refused, match="git knows no revision"):
        Revision(str(server), name)


def test_a_large_file_is_refused(server: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcp_lockstep.tree.revision.MAX_BYTES", 3)
    with pytest.raises(Refused, match="larger than 3 bytes in HEAD"):
        Revision(str(server), "HEAD").read("a.json")


def test_without_git_it_says_so(server: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Refused, match="git cannot be run"):
        Revision(str(server), "HEAD")
