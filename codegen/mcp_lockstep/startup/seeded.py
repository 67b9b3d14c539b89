"""The settings module that `new` gives a project: where it is, as long as the user has left it what it is."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mcp_lockstep.code.module import Module
from mcp_lockstep.code.source import last_name
from mcp_lockstep.code.start.read import keyword, literal
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


def takes_flags_only(project: Project, modules: Sequence[Module]) -> bool:
    """Whether that module is surely all that takes arguments, and takes no positional one."""
    home = settings_home(project)
    telling = [module for module in modules if "add_argument(" in module.text]
    if not home or [module.path for module in telling] != [home]:
        return False
    (module,) = telling
    calls = [*module.calls()]
    if any(last_name(call.func) in ("add_subparsers", "add_mutually_exclusive_group") for call in calls):
        return False
    told = [call for call in calls if last_name(call.func) == "add_argument"]
    return bool(told) and all(_is_flag(call) for call in told)


def _is_flag(call: ast.Call) -> bool:
    """Whether `call` surely tells a flag, with one value at most, so that nothing else is left for it."""
    first = literal(call.args[0]) if call.args else None
    return first is not None and first.startswith("-") and keyword(call, "nargs") is None
