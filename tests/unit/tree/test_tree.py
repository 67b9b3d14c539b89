"""The door to what a project holds: folders, dicts, unwritten changes, and what was asked of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crashes import put_tree
from mcp_lockstep.findings import Refused
from mcp_lockstep.memo import listed
from mcp_lockstep.tree import MAX_BYTES, Disk, Memory, Tree, join, safe

FILES = {"a.py": b"1", "pkg/b.py": b"2", "pkg/sub/c.py": b"3", "pkg/.hidden": b"4", "pkg/d.txt": b"5"}


@pytest.fixture(params=["disk", "memory"])
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Tree:
    if request.param == "memory":
        return Tree(Memory(FILES))
    put_tree(tmp_path, FILES)
    return Tree(Disk(str(tmp_path)))


def test_files_and_folders(tree: Tree) -> None:
    assert tree.read("a.py") == b"1"
    assert tree.read("pkg/sub/c.py") == b"3"
    assert tree.read("nothing") is None
    assert tree.read("a.py/below") is None
    assert tree.folder("") == ("a.py", "pkg/")
    assert tree.folder("pkg") == ("b.py", "d.txt", "sub/")
    assert tree.folder("nothing") == ()
    assert tree.files("", ".py") == ("a.py", "pkg/b.py", "pkg/sub/c.py")
    assert tree.files("pkg/sub", ".py") == ("pkg/sub/c.py",)


def test_a_folder_in_the_place_of_a_file_is_refused(tree: Tree) -> None:
    with pytest.raises(Refused, match="pkg is a folder") as caught:
        tree.read("pkg")
    assert caught.value.findings[0].code.slug == "file-is-folder"


def test_what_was_refused_stays_refused_and_is_never_absent(tree: Tree) -> None:
    for seen in (tree, tree, tree.over({"x": b""})):
        with pytest.raises(Refused, match="is a folder"):
            seen.read("pkg")


def test_unwritten_changes_lie_over_the_rest(tree: Tree) -> None:
    over = tree.over({"a.py": b"new", "pkg/b.py": None, "other/deep/e.py": b"6"})
    assert over.read("a.py") == b"new"
    assert over.read("pkg/b.py") is None
    assert over.folder("") == ("a.py", "other/", "pkg/")
    assert over.folder("pkg") == ("d.txt", "sub/")
    assert over.folder("other/deep") == ("e.py",)
    assert over.files("", ".py") == ("a.py", "other/deep/e.py", "pkg/sub/c.py")
    again = over.over({"a.py": b"newer", "pkg/b.py": b"back"})
    assert (again.read("a.py"), again.read("pkg/b.py")) == (b"newer", b"back")
    assert tree.read("a.py") == b"1"


def test_what_was_asked_is_remembered_with_what_it_held(tree: Tree) -> None:
    over = tree.over({"a.py": b"unwritten"})
    over.read("a.py")
    over.read("pkg/b.py")
    over.read("nothing")
    over.folder("")
    assert tree.asked() == {"pkg/b.py": b"2", "nothing": None, "/": listed(("a.py", "pkg/"))}


def test_what_is_asked_above_is_remembered_too(tmp_path: Path) -> None:
    put_tree(tmp_path, {"README.md": b"up", "one/two/server.json": b"{}"})
    tree = Tree(Disk(str(tmp_path / "one/two")))
    over = tree.over({"x": b""})
    tree.read("server.json")
    far = over.above("../../", str(tmp_path))
    assert (far.read("README.md"), far.folder("")) == (b"up", ("README.md", "one/"))
    assert over.above("../../", str(tmp_path)) is far
    far.read("docs/away.md")
    assert tree.asked() == {
        "server.json": b"{}",
        "../../README.md": b"up",
        "../../docs/away.md": None,
        "../../": listed(("README.md", "one/")),
    }


def test_a_file_is_read_once(tmp_path: Path) -> None:
    put_tree(tmp_path, FILES)
    tree = Tree(Disk(str(tmp_path)))
    assert tree.read("a.py") == b"1"
    (tmp_path / "a.py").write_bytes(b"changed")
    assert tree.read("a.py") == tree.asked()["a.py"] == b"1"


# Disk


@pytest.mark.parametrize("path", ["../secret", "pkg/../../secret", "link", "folder/secret", "/etc/hostname"])
def test_nothing_outside_of_the_project_is_read(tmp_path: Path, path: str) -> None:
    project = tmp_path / "project"
    put_tree(project, FILES)
    put_tree(tmp_path / "outside", {"secret": b"s"})
    (tmp_path / "secret").write_bytes(b"s")
    (project / "link").symlink_to("../secret")
    (project / "folder").symlink_to("../outside")
    with pytest.raises(Refused) as caught:
        Tree(Disk(str(project))).read(path)
    assert caught.value.findings[0].code.slug == "file-outside-project"


def test_links_inside_the_project_are_read_and_linked_folders_not_walked(tmp_path: Path) -> None:
    put_tree(tmp_path, FILES)
    (tmp_path / "alias.py").symlink_to("pkg/b.py")
    (tmp_path / "loop").symlink_to(".")
    tree = Tree(Disk(str(tmp_path)))
    assert tree.read("alias.py") == b"2"
    assert tree.files("", ".py") == ("a.py", "alias.py", "pkg/b.py", "pkg/sub/c.py")


def test_a_project_that_is_itself_a_link(tmp_path: Path) -> None:
    put_tree(tmp_path / "real", FILES)
    (tmp_path / "link").symlink_to("real")
    assert Tree(Disk(str(tmp_path / "link"))).read("pkg/b.py") == b"2"


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    with open(tmp_path / "big", "wb") as handle:
        handle.truncate(MAX_BYTES + 1)
    with open(tmp_path / "fits", "wb") as handle:
        handle.truncate(MAX_BYTES)
    tree = Tree(Disk(str(tmp_path)))
    with pytest.raises(Refused, match="larger than 10,000,000 bytes"):
        tree.read("big")
    assert tree.read("fits") == bytes(MAX_BYTES)


@pytest.mark.parametrize("path", ["nul\0byte", "x" * 5000])
def test_a_path_that_no_disk_takes(tmp_path: Path, path: str) -> None:
    with pytest.raises(Refused) as caught:
        Tree(Disk(str(tmp_path))).read(path)
    assert caught.value.findings[0].code.exit == 2


def test_root(tmp_path: Path) -> None:
    assert Tree(Disk(str(tmp_path))).root == str(tmp_path)
    assert Tree(Memory({})).root is None


# Paths


@pytest.mark.parametrize("path", ["a", "a/b.c", "a b", "..a", "a..", "a/...", ".hidden"])
def test_safe_paths(path: str) -> None:
    assert safe(path)


@pytest.mark.parametrize(
    "path", ["", "/a", "..", "../a", "a/../b", "a/..", "C:/a", "c:", "..\\a", "a\\..\\b", "a\0b"]
)
def test_unsafe_paths(path: str) -> None:
    assert not safe(path)


def test_join() -> None:
    assert (join("", "a"), join("a", "b"), join("a/b", "c")) == ("a", "a/b", "a/b/c")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes need POSIX")
def test_a_pipe_in_the_place_of_a_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "server.json")
    with pytest.raises(Refused, match="no regular file") as caught:
        Disk(str(tmp_path)).read("server.json")
    assert caught.value.findings[0].code.slug == "file-unreadable"
