"""Imports that a new signature needs: into the statement that is there, or a new line."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping

from mcp_lockstep.code.codes import NAME_TAKEN
from mcp_lockstep.code.module import Module
from mcp_lockstep.code.modules import absolute, imported_module, package_name
from mcp_lockstep.code.signature import Signature
from mcp_lockstep.code.source import Parsed, Source
from mcp_lockstep.documents.document import Edit, newline_of
from mcp_lockstep.findings import Finding, Place
from mcp_lockstep.records import NamedTuple


class Needed(NamedTuple):
    """`from module import name`, both as written in an absolute import."""

    module: str
    name: str


class Imported(NamedTuple):
    """The edits that bring names in, and the names that already mean something else."""

    edits: tuple[Edit, ...] = ()
    findings: tuple[Finding, ...] = ()


def needed_imports(signature: Signature, imports: Mapping[str, str], package: str = "") -> tuple[Needed, ...]:
    """What `signature`, as it stands in a module of `package` with `imports` (the stubs), needs elsewhere.

    `imports` is `Module.imports`; built-in names, and names that it does not hold, need nothing.
    """
    found: dict[str, Needed] = {}
    for name in names_used(signature):
        module, dot, own = absolute(imports.get(name, ""), package).rpartition(".")
        if dot and own == name:
            found[name] = Needed(module, name)
    return tuple(found[name] for name in sorted(found))


def imported(module: Module, stubs: Module, targets: Iterable[Signature | None]) -> Imported:
    """The imports that the signatures `targets` need in `module`, as `stubs` have them."""
    if module.source is None or module.tree is None:
        return Imported()
    package = package_name(stubs.path)
    needed = {name: None for t in targets if t for name in needed_imports(t, stubs.imports, package)}
    return import_edits(Parsed(module.source, module.tree), package_name(module.path), needed)


def import_edits(parsed: Parsed, package: str, needed: Iterable[Needed]) -> Imported:
    """The edits that import `needed` into a module that stands in `package` (dotted, empty: none)."""
    bound = _bound(parsed.tree, package)
    findings: list[Finding] = []
    missing: dict[str, list[str]] = {}
    for wanted in needed:
        have = bound.get(wanted.name)
        if have is None and f"{wanted.module}.*" not in bound:
            missing.setdefault(wanted.module, []).append(wanted.name)
        elif have is not None and have != f"{wanted.module}.{wanted.name}":
            findings.append(_taken(parsed.source, wanted, have))
    inserts: dict[int, str] = {}
    block = _Block(parsed, package)
    for module in sorted(missing, key=lambda module: (block.section(module), module)):
        statement = _statement(parsed.tree, module, package)
        names = sorted(missing[module], key=import_order)
        found = block.line(module, names) if statement is None else _extended(parsed.source, statement, names)
        for at, text in found:
            inserts[at] = inserts.get(at, "") + text
    path = parsed.source.path
    return Imported(tuple(Edit(path, at, at, inserts[at]) for at in sorted(inserts)), tuple(findings))


def names_used(signature: Signature) -> frozenset[str]:
    """Every name that the annotations and defaults of a signature use."""
    sources = [text for p in signature.parameters for text in (p.annotation, p.default) if text]
    trees = [ast.parse(text, mode="eval") for text in [*sources, signature.returns or "None"]]
    return frozenset(node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name))


def import_order(name: str) -> tuple[int, list[tuple[int, int, str]], str]:
    """What ruff and isort sort names by: constants, then classes, then the rest; numbers in a name by value."""
    group = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    parts = [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in re.split("([0-9]+)", name.lower()) if p]
    return group, parts, name


def _bound(tree: ast.Module, package: str) -> dict[str, str]:
    """What each name at the top level of a module is: its origin, or empty for something of the module's own."""
    found: dict[str, str] = {}
    for statement in tree.body:
        match statement:
            case ast.ImportFrom(names=names):
                module = imported_module(statement, package)
                for alias in names:
                    key = f"{module}.*" if alias.name == "*" else alias.asname or alias.name
                    found[key] = f"{module}.{alias.name}"
            case ast.Import(names=names):
                for alias in names:
                    found[alias.asname or alias.name.partition(".")[0]] = alias.name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = ""
            case ast.Assign(targets=targets):
                found |= {target.id: "" for target in targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = ""
            case _:
                pass
    return found


def _statement(tree: ast.Module, module: str, package: str) -> ast.ImportFrom | None:
    """The top-level import from `module` that can take more names."""
    imports = (statement for statement in tree.body if isinstance(statement, ast.ImportFrom))
    named = (statement for statement in imports if statement.names[0].name != "*")
    return next((statement for statement in named if imported_module(statement, package) == module), None)


def _extended(source: Source, statement: ast.ImportFrom, names: list[str]) -> Iterator[tuple[int, str]]:
    """Each name before the first that sorts after it; on a line of its own where that one is."""
    end = source.span(statement.names[-1])[1]
    commented = "#" in source.text[end : source.span(statement)[1]]
    for name in names:
        after = next(
            (alias for alias in statement.names if import_order(alias.name) > import_order(name)), None
        )
        if after is None and commented:
            after = statement.names[-1]
        start = source.span(after or statement.names[-1])[0]
        indent = source.text[source.text.rfind("\n", 0, start) + 1 : start]
        joint = f",{newline_of(source.text)}{indent}" if not indent.strip() else ", "
        yield (end, f"{joint}{name}") if after is None else (start, f"{name}{joint}")


class _Block:
    """The docstring and the imports that a module begins with, in the sections of isort."""

    def __init__(self, parsed: Parsed, package: str) -> None:
        self.source = parsed.source
        self.package = package
        self.docstring: ast.stmt | None = None
        self.entries: list[tuple[int, str, ast.stmt]] = []
        for statement in parsed.tree.body:
            if isinstance(statement, ast.ImportFrom):
                module = imported_module(statement, package)
                self.entries.append((self.section(module), module, statement))
            elif isinstance(statement, ast.Import):
                self.entries.append((self.section(statement.names[0].name), "", statement))
            elif self.entries or self.docstring or not isinstance(statement, ast.Expr):
                break
            elif isinstance(statement.value, ast.Constant):
                self.docstring = statement

    def section(self, module: str) -> int:
        """0 `__future__`, 1 standard library, 2 third party, 3 the package's own."""
        top = module.partition(".")[0]
        if top == "__future__":
            return 0
        if top == self.package.partition(".")[0]:
            return 3
        return 1 if top in sys.stdlib_module_names else 2

    def line(self, module: str, names: list[str]) -> Iterator[tuple[int, str]]:
        """Where the import of `names` from `module` is put, and its text with line ends."""
        new, section = newline_of(self.source.text), self.section(module)
        text = f"from {module} import {', '.join(names)}"
        same = [entry for entry in self.entries if entry[0] == section]
        before = [entry for entry in self.entries if entry[0] < section]
        later = next((statement for _, other, statement in same if other > module), None)
        if later is not None:
            yield self._above(later), f"{text}{new}"
        elif same:
            yield self._below(same[-1][2]), f"{new}{text}"
        elif before:
            yield self._below(before[-1][2]), f"{new}{new}{text}"
        elif self.entries:
            yield self._above(self.entries[0][2]), f"{text}{new}{new}"
        elif self.docstring:
            yield self._below(self.docstring), f"{new}{new}{text}"
        else:
            yield self._top(), f"{text}{new}{new}"

    def _above(self, statement: ast.stmt) -> int:
        return self.source.span(statement)[0]

    def _below(self, statement: ast.stmt) -> int:
        """The end of the line that `statement` ends on, unless another statement follows there."""
        end = self.source.span(statement)[1]
        rest = self.source.text[end:].partition("\n")[0].rstrip("\r")
        return end if rest.lstrip().startswith(";") else end + len(rest)

    def _top(self) -> int:
        """Behind the lines that have to come first: `#!` and the coding."""
        count = 0
        for line in self.source.lines[:2]:
            if not re.match("\ufeff?(#!|#.*coding[:=])", line):
                break
            count += 1
        return self.source.offset(count + 1, 0)


def _taken(source: Source, wanted: Needed, have: str) -> Finding:
    meaning = f"imported from {have}" if have else "defined in this module"
    return Finding(
        NAME_TAKEN,
        Place(source.path, "::", wanted.name),
        f"the signature needs {wanted.name} from {wanted.module}, but here {wanted.name} is {meaning}",
        have=have or wanted.name,
        want=f"{wanted.module}.{wanted.name}",
        hint=f"Rename what {source.path} calls {wanted.name}.",
    )
