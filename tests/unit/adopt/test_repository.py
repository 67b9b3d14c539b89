"""Addresses of repositories in every form that git takes, and the configuration of a clone."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_lockstep.adopt.repository import Checkout, find_checkout, parse_repository, remote_address
from mcp_lockstep.tree import Disk, Memory, Tree


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/Acme/Weather",
        "https://github.com/Acme/Weather.git",
        "https://github.com/Acme/Weather/",
        "http://www.github.com/Acme/Weather",
        "https://user:secret@github.com/Acme/Weather.git",
        "https://ghs_token@GitHub.com:443/Acme/Weather",
        "git@github.com:Acme/Weather.git",
        "github.com:Acme/Weather",
        "ssh://git@github.com/Acme/Weather.git",
        "ssh://git@ssh.github.com:443/Acme/Weather.git",
        "git://github.com/Acme/Weather.git",
        "git+https://github.com/Acme/Weather.git",
        " https://github.com/Acme/Weather\n",
    ],
)
def test_one_repository_in_many_spellings(address: str) -> None:
    found = parse_repository(address)
    assert found is not None
    assert (found.source, found.owner, found.name) == ("github", "Acme", "Weather")
    assert found.url == "https://github.com/Acme/Weather"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "https://github.com/Acme",
        "https://github.com/Acme/Weather/tree/main",
        "https://gitlab.com/group/sub/weather.git",
        "https://bitbucket.org/acme/weather",
        "https://github.com.evil.example/acme/weather",
        "https://evil.example/github.com/acme",
        "https://evil.example@git.example/acme/weather",
        "/srv/git/weather.git",
        "C:\\git\\weather",
        "../weather",
        "https://github.com/../weather",
        "https://github.com/acme/we ather",
        "https://github.com/acme/w\u0435ather",
        "https://github.com/acme/weather?token=secret",
        "git@work-alias:acme/weather.git",
    ],
)
def test_what_is_no_repository_of_a_known_host(address: str) -> None:
    assert parse_repository(address) is None


def test_a_group_of_gitlab_keeps_its_case() -> None:
    found = parse_repository("git@gitlab.com:Travel/Flights.git")
    assert found is not None
    assert found.url == "https://gitlab.com/Travel/Flights"


@pytest.mark.parametrize(
    ("config", "address"),
    [
        ('[remote "origin"]\n\turl = https://a.example/b\n', "https://a.example/b"),
        ('[remote "up"]\nurl=u\n[Remote "origin"] ; mine\n  URL = "o" # there\n', "o"),
        ('[remote "only"]\n\turl = x ; comment\n', "x"),
        ('[remote "a"]\n\turl = x\n[remote "b"]\n\turl = y\n', ""),
        ('[remote "origin"]\n\tpushurl = x\n[url "git@github.com:"]\n\tinsteadOf = gh:\n', ""),
        ('[remote "origin"]\n\turl = first\n\turl = second\n', "first"),
        ("[include]\n\tpath = /etc/passwd\n", ""),
        ("no configuration at all", ""),
    ],
)
def test_the_remote(config: str, address: str) -> None:
    assert remote_address(config) == address


def test_the_clone_above_the_project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text("[core]\n", encoding="utf-8")
    (tmp_path / "servers/one").mkdir(parents=True)
    assert find_checkout(Tree(Disk(str(tmp_path / "servers/one")))) == Checkout("[core]\n", "servers/one")
    assert find_checkout(Tree(Disk(str(tmp_path)))) == Checkout("[core]\n", "")


def test_workflows_above_the_project_count_where_they_name_its_folder(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "servers/one").mkdir(parents=True)
    (tmp_path / "servers/none").mkdir()
    workflows = tmp_path / ".github/workflows"
    workflows.mkdir(parents=True)
    (workflows / "a.yml").write_text("run: cd servers/one && twine upload dist/*\n", encoding="utf-8")
    (workflows / "b.yml").write_text("run: cd servers/one-two\n# one\n", encoding="utf-8")
    found = find_checkout(Tree(Disk(str(tmp_path / "servers/one"))))
    assert found.workflows == ("run: cd servers/one && twine upload dist/*\n",)
    assert find_checkout(Tree(Disk(str(tmp_path / "servers/none")))).workflows == ()
    assert find_checkout(Tree(Disk(str(tmp_path)))).workflows == ()


def test_a_worktree_leads_to_its_clone(tmp_path: Path) -> None:
    private = tmp_path / "main/.git/worktrees/side"
    private.mkdir(parents=True)
    (tmp_path / "main/.git/config").write_text("[core]\n", encoding="utf-8")
    (private / "commondir").write_text("../..\n", encoding="utf-8")
    side = tmp_path / "side"
    side.mkdir()
    (side / ".git").write_text(f"gitdir: {private}\n", encoding="utf-8")
    assert find_checkout(Tree(Disk(str(side)))) == Checkout("[core]\n", "")


def test_a_tree_that_is_no_folder() -> None:
    assert find_checkout(Tree(Memory({".git/config": b"[core]\n"}))) == Checkout("[core]\n")
