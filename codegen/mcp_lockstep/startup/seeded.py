"""The settings module that `new` gives a project: where it is, as long as the user has left it what it is."""

from __future__ import annotations

from mcp_lockstep.project import Project
from mcp_lockstep.tree import join

_SHAPE = (b"class Arguments(argparse.Namespace)", b"def arguments(", b".add_argument(")


def settings_home(project: Project) -> str:
    """The path of the module in which `sync` can declare a variable or an argument; empty where there is none."""
    if not project.config.contract or not project.generated_folder:
        return ""
    path = join(project.generated_folder.rpartition("/")[0], "settings.py")
    raw = project.raw(path)
    return path if raw is not None and all(word in raw for word in _SHAPE) else ""
