"""server.json as it goes into what is built. Where metadata alone is made, nothing is judged, nor loaded for that."""

from __future__ import annotations

from mcp_lockstep.project import Project
from mcp_lockstep.render import rendered_for
from mcp_lockstep.tree import Disk, Tree


def rendered_in(root: str, version: str) -> bytes | None:
    """`rendered_for` of the project in the folder `root`; None where server.json cannot be read."""
    project = Project(Tree(Disk(root)))
    manifest = project.manifest
    return None if manifest is None else rendered_for(project, manifest, version).raw
