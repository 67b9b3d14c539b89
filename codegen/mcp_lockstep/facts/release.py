"""How a project sets the version of its server.json: by hand, in a release job, or in the build."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

from mcp_lockstep.facts.called import Called, called
from mcp_lockstep.findings import Refused
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Tree

Mode = Literal["bumped", "stamped", "build"]
"""A commit raises it, a release job writes it, or the build makes it: the values of the key `version`."""

WORKFLOWS = ".github/workflows"
"""The folder with the jobs of GitHub."""
OTHER_JOBS = (".gitlab-ci.yml", "azure-pipelines.yml", ".circleci/config.yml")
"""The files with those of others."""
COMPOSE = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
"""What a compose file is called."""
BUILDERS = (*COMPOSE, "Makefile", "justfile", "Taskfile.yml", "docker-bake.hcl", "docker-bake.json")
"""The files beside them that may say how an image is built."""
_FILE = r"[\"']?(?:[\w./${}-]*/)?server\.json(?![\w.-])"
_WRITES = (
    rf"\bsed\b[^\n|;&]*\s(?:-(?=\w*i)|--in-place)[^\n]*{_FILE}",
    rf"\byq\b[^\n]*\s(?:-i|--inplace)\b[^\n]*{_FILE}",
    rf"\b(?:perl|ruby)\b[^\n|;&]*\s-(?=[pnlaw0]*i)[^\n]*{_FILE}",
    rf"{_FILE}[\s\S]{{0,400}}?\bwriteFile",
    rf"(?:>|\btee\b|\bsponge\b|\s-o|--output)\s*{_FILE}",
    rf"\bmv\s+(?:-\w+\s+)?\S+\s+{_FILE}",
    rf"{_FILE}[\"']\)[\s\S]{{0,400}}?\.write_text\(|open\(\s*{_FILE}[\"']?\s*,\s*[\"']w",
)
_VERSIONED = r"(?i)version|\btag\b|github\.ref|GITHUB_REF|mcp-publisher\s+publish|\bstamp"
_SCRIPT_WRITES = r"\.write_text\(|\bjson\.dump\(|\bwriteFile|\bFile\.write\b|\bopen\([^)\n]*[\"']w"
_READ = r"(?:[\w./-]*/)?(?:server\.json|pyproject\.toml|package\.json|setup\.cfg)"
_OTHER_FILE = rf"[\"'](?!{_READ}[\"'])[\w./-]+\.[a-z]{{2,4}}[\"']"
_LOOKS = r"(?i)valid|check|lint|verif|test"
"""Names of scripts that look at files and write none."""
_NEAR = 600
_LONGEST_LINE = 4_000
"""Code points of a line that somebody wrote; what is looked for in one takes the square of its length."""
_COMMITS = r"\bgit\s+commit\b|git-auto-commit|create-pull-request|add-and-commit"
"""A job that commits what it wrote raises the version in the repository, where it can be compared."""


def version_mode(project: Project) -> Mode | None:
    """How the version gets into server.json: as configured, or as a workflow shows; None where neither says."""
    match project.config.version:
        case "bumped" | "stamped" | "build" as mode:
            return mode
        case _:
            texts = tuple(workflows(project))
            return "stamped" if any(_stamped(project.tree, text) for text in texts) else None


def _stamped(tree: Tree, text: str) -> bool:
    """Whether a workflow, or something of the repository that it runs before it publishes, stamps server.json."""
    if stamps(text):
        return True
    published = "publish" in text and not re.search(_COMMITS, text)
    return published and any(_writes(one) for one in called(tree, text) if "publish" in one.later)


def _writes(one: Called) -> bool:
    """Whether a script or a rule writes a version into the server.json that it names or is given."""
    whole = f"{one.name} {one.line}\n{one.text}"
    if "server.json" not in whole or re.search(_LOOKS, one.name) or not re.search(_VERSIONED, whole):
        return False
    # A script that names another file may write that one.
    if re.search(_OTHER_FILE, one.text) or re.search(_COMMITS, whole):
        return False
    return stamps(f"version: {whole}") or re.search(_SCRIPT_WRITES, one.text) is not None


def workflows(project: Project) -> Iterator[str]:
    """The text of every workflow of the project, comments left out, continued lines joined."""
    return _texts(project.tree, project.raw)


def workflow_texts(tree: Tree) -> Iterator[str]:
    """The same for a folder that may be no project; what cannot be read is passed over."""

    def read(path: str) -> bytes | None:
        try:
            return tree.read(path)
        except Refused:
            return None

    return _texts(tree, read)


def _texts(tree: Tree, read: Callable[[str], bytes | None]) -> Iterator[str]:
    names = [name for name in tree.folder(WORKFLOWS) if name.endswith((".yml", ".yaml"))]
    for path in (*(f"{WORKFLOWS}/{name}" for name in names), *OTHER_JOBS):
        raw = read(path)
        if raw is not None:
            text = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\\\n", " ")
            yield re.sub(rf"(?m)^[ \t]*#.*$|^.{{{_LONGEST_LINE},}}$", "", text)


def stamps(text: str) -> bool:
    """Whether a workflow writes a version into server.json."""
    if "server.json" not in text or re.search(_COMMITS, text):
        return False
    found = (match for pattern in _WRITES for match in re.finditer(pattern, text))
    return any(
        re.search(_VERSIONED, text[max(match.start() - _NEAR, 0) : match.end() + _NEAR]) for match in found
    )
