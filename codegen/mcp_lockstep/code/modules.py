"""Modules by the dotted name that they are imported by, and where a dotted name leads."""

from __future__ import annotations

from collections.abc import Iterable

from mcp_lockstep.code.module import Module


class Modules:
    """The modules of a package or several, imported from the folder `root` (POSIX, relative) or its `src/`."""

    def __init__(self, modules: Iterable[Module], root: str = "") -> None:
        self.root = root
        self.named = {module_name(module.path, root): module for module in modules}

    def absolute(self, module: Module, origin: str) -> str:
        """The absolute form of `origin`, which begins with one dot per relative level."""
        level = len(origin) - len(origin.lstrip("."))
        if not level:
            return origin
        parts = module_name(module.path, self.root).split(".")
        keep = len(parts) - level + module.path.endswith("__init__.py")
        rest = origin[level:]
        return ".".join([*parts[: max(keep, 0)], *([rest] if rest else [])])

    def target(self, module: Module, origin: str) -> tuple[Module | None, str]:
        """The module that `origin`, seen from `module`, leads into, and what is left of the name."""
        name, rest = self.absolute(module, origin), ""
        while name:
            if name in self.named:
                return self.named[name], rest
            name, _, last = name.rpartition(".")
            rest = f"{last}.{rest}" if rest else last
        return None, ""


def module_name(path: str, root: str = "") -> str:
    """The dotted name that the file at `path` is imported by, from `root` or its folder `src`."""
    inside = path.removeprefix(f"{root.strip('/')}/" if root.strip("/.") else "").removeprefix("src/")
    return inside.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def package_name(path: str, root: str = "") -> str:
    """The dotted package that the file at `path` stands in; empty for a module of its own."""
    name = module_name(path, root)
    return name if path.endswith("/__init__.py") else name.rpartition(".")[0]
