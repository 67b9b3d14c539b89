"""The repository of a project: from the configuration of git and from addresses, read as text, never asked for."""

from __future__ import annotations

import os
import re

from mcp_lockstep.facts.release import workflow_texts
from mcp_lockstep.findings import Refused
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Disk, Tree

_HOSTS = {
    "github.com": "github",
    "www.github.com": "github",
    "ssh.github.com": "github",
    "gitlab.com": "gitlab",
    "www.gitlab.com": "gitlab",
    "altssh.gitlab.com": "gitlab",
}
_ADDRESS = (
    r"(?:git\+)?(?:https?|ssh|git)://(?:[^/@\s]*@)?(?P<host>[\w.-]+)(?::\d+)?/(?P<path>[^\s?#]+)",
    r"(?:[^/@\s:]+@)?(?P<host>[\w.-]+):(?P<path>[^\s/][^\s?#]*)",
)
_SEGMENT = r"[\w.-]+"
_SECTION = r"\s*\[\s*([\w.-]+)\s*(?:\"((?:[^\"\\]|\\.)*)\")?\s*\]"
_URL = r"\s*url\s*=\s*(.*)"


class Repository(NamedTuple):
    """A repository on a host that registries know: `source` is `github` or `gitlab`, letter case as it was written."""

    source: str
    owner: str
    name: str

    @property
    def url(self) -> str:
        """The address as server.json wants it: https, no credentials, no `.git`."""
        return f"https://{self.source}.com/{self.owner}/{self.name}"


class Checkout(NamedTuple):
    """Where a project lies in a clone: the text of git's configuration, and the way from its top folder.

    `workflows` are the texts of those at the top that name the folder of the project, where that is another one.
    """

    config: str = ""
    subfolder: str = ""
    workflows: tuple[str, ...] = ()


def parse_repository(address: str) -> Repository | None:
    """The repository that `address` names, in any form that git takes; None for other hosts and deeper paths."""
    for pattern in _ADDRESS:
        found = re.fullmatch(pattern, address.strip(), re.ASCII)
        if found and (source := _HOSTS.get(found["host"].lower())):
            segments = found["path"].strip("/").removesuffix(".git").split("/")
            if len(segments) == 2 and all(_is_segment(segment) for segment in segments):
                return Repository(source, *segments)
    return None


def find_checkout(tree: Tree) -> Checkout:
    """The clone that holds the project: its own `.git`, else that of the nearest folder above it."""
    if tree.root is None:
        return Checkout(_text(tree, ".git/config"))
    folder = top = os.path.abspath(tree.root)
    while True:
        if os.path.lexists(os.path.join(folder, ".git")):
            way = os.path.relpath(top, folder).replace(os.sep, "/")
            return Checkout(_git_config(folder)) if way == "." else _below(folder, way)
        above = os.path.dirname(folder)
        if above == folder:
            return Checkout()
        folder = above


def _below(top: str, way: str) -> Checkout:
    """The clone at `top` as a project in its folder `way` sees it."""
    name = re.escape(way.rpartition("/")[2])
    named = (
        text for text in workflow_texts(Tree(Disk(top))) if re.search(rf"(?<![\w-]){name}(?![\w-])", text)
    )
    return Checkout(_git_config(top), way, tuple(named))


def remote_address(config: str) -> str:
    """The address of the remote `origin` in git's configuration; of the only one where none is called so."""
    remotes: dict[str, str] = {}
    section = ""
    for line in config.replace("\\\n", "").splitlines():
        if header := re.match(_SECTION, line):
            section = header[2] or "" if header[1].lower() == "remote" else ""
        elif section and (found := re.match(_URL, line, re.IGNORECASE)):
            remotes.setdefault(section, _unquoted(found[1]))
    if "origin" in remotes:
        return remotes["origin"]
    return next(iter(remotes.values())) if len(remotes) == 1 else ""


def _git_config(folder: str) -> str:
    """The configuration of the clone at `folder`; a worktree's `.git` is a file that leads to it."""
    tree = Tree(Disk(folder))
    if own := _text(tree, ".git/config"):
        return own
    link = re.match(r"gitdir:\s*(.+)", _text(tree, ".git"))
    if link is None:
        return ""
    private = os.path.join(folder, link[1].strip())
    common = _text(Tree(Disk(private)), "commondir").strip()
    return _text(Tree(Disk(os.path.join(private, common))), "config")


def _text(tree: Tree, path: str) -> str:
    try:
        return (tree.read(path) or b"").decode("utf-8", "replace")
    except Refused:
        return ""


def _unquoted(value: str) -> str:
    """The value of a setting without a comment behind it."""
    quoted = re.match(r'"((?:[^"\\]|\\.)*)"', value)
    return quoted[1] if quoted else re.split(r"\s+[#;]", value)[0].strip()


def _is_segment(text: str) -> bool:
    return re.fullmatch(_SEGMENT, text, re.ASCII) is not None and text not in (".", "..")
