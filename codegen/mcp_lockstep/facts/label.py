"""The label of an image: does anything that builds it here put the name of its server on it?"""

from __future__ import annotations

import json
from collections.abc import Iterator

from mcp_lockstep.facts.codes import IMAGE_UNLABELLED
from mcp_lockstep.facts.readers.image import DOCKERFILES, LABEL, labels
from mcp_lockstep.facts.release import BUILDERS, workflow_texts
from mcp_lockstep.facts.strays import above
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Tree, join

_SCRIPTS = ("", "scripts", "docker")


def judge_label(project: Project, name: str) -> Iterator[Finding]:
    """A finding where the Dockerfile of an image of the server `name` is there, and nothing labels the image."""
    # An unpacked sdist has the Dockerfile at most: its backend leaves the jobs that build images out.
    if "PKG-INFO" in project.tree.folder(""):
        return
    path = next((path for path in DOCKERFILES if project.raw(path) is not None), "")
    built = (_text(project.tree, path) for path in DOCKERFILES)
    if not path or any(any(labels(text)) for text in built) or any(LABEL in text for text in _texts(project)):
        return
    want = f"LABEL {LABEL}={json.dumps(name, ensure_ascii=False)}"
    message = f"{path} does not label the image with the name of the server"
    yield Finding(
        IMAGE_UNLABELLED, Place(path), message, want=want, hint=f"add to {path}: {want}", fact="name"
    )


def _texts(project: Project) -> Iterator[str]:
    """Whatever else may say how an image is built: here, and in the clone that the project lies in."""
    tree = project.tree
    scripts = (path for folder in _SCRIPTS for path in _of(tree, folder) if path.endswith(".sh"))
    for path in (*BUILDERS, *scripts):
        yield _text(tree, path)
    yield from workflow_texts(tree)
    for way in above(tree.root):
        yield from workflow_texts(tree.above(way.shown, way.folder))


def _of(tree: Tree, folder: str) -> Iterator[str]:
    return (join(folder, name) for name in tree.folder(folder))


def _text(tree: Tree, path: str) -> str:
    """The text of a file; empty where there is none that can be read."""
    try:
        return (tree.read(path) or b"").decode("utf-8", "replace")
    except Refused:
        return ""
