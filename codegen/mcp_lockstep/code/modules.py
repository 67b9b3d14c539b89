"""Modules by the dotted name that they are imported by, and where a dotted name leads."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from mcp_lockstep.code.module import Module
from mcp_lockstep.code.source import dotted


class Origins:
    """Where names of one module come from. Flat: what is imported inside a function is called the same outside it."""

    def __init__(self, module: Module) -> None:
        self.known = {key.rpartition(".")[2]: origin for key, origin in module.imports.items()}

    def of(self, node: ast.AST | None) -> str:
        """The dotted name that `node` has where it is imported from; empty for what is not imported."""
        first, dot, rest = dotted(node).partition(".")
        return self.known[first] + dot + rest if first in self.known else ""


class Modules:
    """The modules of a package or several, imported from the folder of the project or its `src/`.

    A folder above that is no package may be a part of the name, or where a build takes packages from: both names lead
    to the module.
    """

    def __init__(self, modules: Iterable[Module]) -> None:
        self.named = {module_name(module.path): module for module in modules}
        folders = {
            path.rpartition("/")[0] for path in (m.path for m in self.named.values()) if _is_init(path)
        }
        for module in tuple(self.named.values()):
            for name in _shorter(module.path, folders):
                self.named.setdefault(name, module)

    def absolute(self, module: Module, origin: str) -> str:
        """The absolute form of `origin`, an import in `module`."""
        return absolute(origin, package_name(module.path))

    def target(self, module: Module, origin: str) -> tuple[Module | None, str]:
        """The module that `origin`, seen from `module`, leads into, and what is left of the name."""
        name, rest = self.absolute(module, origin), ""
        while name:
            if name in self.named:
                return self.named[name], rest
            name, _, last = name.rpartition(".")
            rest = f"{last}.{rest}" if rest else last
        return None, ""


def _is_init(path: str) -> bool:
    return path.endswith("/__init__.py")


def _shorter(path: str, packages: Collection[str]) -> Iterator[str]:
    """The names of a module if folders above it that are no packages are what a build takes modules from."""
    parts = module_name(path).split(".")
    folders = path.rpartition("/")[0].split("/")
    depth = len(folders) - len(parts) + (0 if _is_init(path) else 1)
    for count, part in enumerate(folders[depth:-1], start=1):
        if part and "/".join(folders[: depth + count]) in packages:
            return
        yield ".".join(parts[count:])


def module_name(path: str) -> str:
    """The dotted name that the file at `path` is imported by, from the folder of the project or its `src/`."""
    return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def package_name(path: str) -> str:
    """The dotted package that the file at `path` stands in; empty for a module of its own."""
    name = module_name(path)
    return name if path.endswith("/__init__.py") else name.rpartition(".")[0]


def absolute(origin: str, package: str) -> str:
    """The dotted `origin` of an import, one leading dot per relative level, seen from a module in `package`."""
    name = origin.lstrip(".")
    level = len(origin) - len(name)
    if level == 0:
        return origin
    parents = package.split(".") if package else []
    kept = parents[: max(len(parents) - level + 1, 0)]
    return ".".join([*kept, name] if name else kept)


def imported_module(statement: ast.ImportFrom, package: str) -> str:
    """The module that `statement`, which stands in a module of `package`, imports from."""
    return absolute("." * statement.level + (statement.module or ""), package)
