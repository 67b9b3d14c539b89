"""Texts that a build backend reads from files of the project, found without running anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from mcp_lockstep.code.source import Parsed, parse
from mcp_lockstep.documents import Span
from mcp_lockstep.findings import Place
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import join, safe

_HOPS = 4
"""How many imports are followed from a name to the literal behind it."""


class Stated(NamedTuple):
    """A text and where it stands; `text` is None where it is made when the project is built.

    `span` is where it stands in the file, quotes included for a symbol in code (None: ask the document).
    """

    place: Place
    text: str | None
    span: Span | None = None


def assigned(project: Project, path: str, name: str, hops: int = _HOPS) -> Stated | None:
    """The one string, or tuple of parts, that the module at `path` assigns to `name`, or that it imports as `name`."""
    raw = project.raw(path) if safe(path) and hops else None
    parsed = None if raw is None else parse(path, raw)
    if not isinstance(parsed, Parsed):
        return None
    values = [value for target, value in _assignments(parsed.tree.body) if target == name]
    match values:
        case [ast.Constant(value=str(text)) as node]:
            return Stated(Place(path, "::", name), text, parsed.source.span(node))
        case [ast.Tuple() | ast.List() as node] if dotted := _dotted(node):
            return Stated(Place(path, "::", name), dotted, parsed.source.span(node))
        case []:
            found = (
                assigned(project, other, original, hops - 1)
                for other, original in _origins(path, parsed.tree.body, name)
            )
            return next((stated for stated in found if stated is not None), None)
        case _:
            return None


def _dotted(node: ast.Tuple | ast.List) -> str:
    """The parts of a version with stops between them, as setuptools joins them; empty where one is not written out."""
    parts = [str(part.value) for part in node.elts if isinstance(part, ast.Constant) and _is_part(part.value)]
    return ".".join(parts) if len(parts) == len(node.elts) else ""


def _is_part(value: object) -> bool:
    return isinstance(value, (int, str)) and not isinstance(value, bool)


def summary(project: Project, path: str) -> Stated | None:
    """The first line of the docstring of the module at `path`."""
    raw = project.raw(path) if safe(path) else None
    parsed = None if raw is None else parse(path, raw)
    lines = (ast.get_docstring(parsed.tree) or "").splitlines() if isinstance(parsed, Parsed) else []
    return Stated(Place(path, "::", "__doc__"), lines[0]) if lines else None


def attribute(project: Project, dotted: str, bases: Mapping[str, str]) -> Stated | None:
    """The string behind `package.module.NAME`; `bases` maps packages to their folders, `""` all others."""
    module, dot, name = dotted.strip().rpartition(".")
    if not dot:
        return None
    found = (assigned(project, path, name) for path in module_paths(module, bases))
    return next((stated for stated in found if stated is not None), None)


def module_paths(module: str, bases: Mapping[str, str]) -> Iterator[str]:
    """Where the module `a.b` can lie, the likeliest first."""
    parts = module.split(".")
    first = bases.get(parts[0])
    homes = (
        [join(first.strip("/"), "/".join(parts[1:])).strip("/")]
        if first is not None
        else [join(base, "/".join(parts)) for base in dict.fromkeys((bases.get("", "src"), "src", ""))]
    )
    for home in homes:
        yield f"{home}/__init__.py"
        if home:
            yield f"{home}.py"


def matched(project: Project, path: str, pattern: str, group: str | int) -> Stated | None:
    """What `group` of `pattern` finds in the text of a file; None where it finds nothing or cannot be read."""
    document = project.document(path) if safe(path) else None
    if document is None:
        return None
    try:
        found = re.compile(pattern, re.MULTILINE).search(document.text)
        start, end = found.span(group) if found else (-1, -1)
    except (re.error, IndexError):
        return None
    return Stated(Place(path), document.text[start:end], (start, end)) if start >= 0 else None


def whole(project: Project, path: str) -> Stated | None:
    """The text of a file without the white space around it."""
    document = project.document(path) if safe(path) else None
    text = document.text[document.body :] if document is not None else ""
    if document is None or not text.strip():
        return None
    start = document.body + len(text) - len(text.lstrip())
    return Stated(Place(path), text.strip(), (start, start + len(text.strip())))


class Setting(NamedTuple):
    """One value of an INI file, continued lines joined by line ends, and where its first line stands."""

    text: str
    span: Span


def ini_settings(text: str) -> Mapping[tuple[str, str], Setting]:
    """The settings of an INI file by section and key, as `setup.cfg` is read."""
    found: dict[tuple[str, str], Setting] = {}
    section, last, at = "", ("", ""), 0
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        if not bare or bare[0] in "#;":
            pass
        elif bare[0] == "[" and "]" in bare:
            section = bare[1 : bare.index("]")].strip()
            last = ("", "")
        elif line[0].isspace() and last in found:
            found[last] = found[last]._replace(text=f"{found[last].text}\n{bare}".strip("\n"))
        elif match := re.match(r"([^=:\s][^=:]*?)\s*[=:]\s*", line):
            last = (section, match[1].strip().lower().replace("-", "_"))
            value = line[match.end() :].strip()
            start = at + match.end()
            found[last] = Setting(value, (start, start + len(value)))
        at += len(line)
    return found


def _assignments(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr | None]]:
    """Every name that the statements of a module bind by `=`, in branches too (there without a value)."""
    for statement in body:
        match statement:
            case ast.Assign(targets=targets, value=value):
                yield from ((target.id, value) for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                yield name, value
            case ast.If() | ast.Try():
                inner = [node for node in ast.walk(statement) if isinstance(node, ast.Assign)]
                yield from ((name, None) for name, _ in _assignments(list[ast.stmt](inner)))
            case _:
                pass


def _origins(path: str, body: list[ast.stmt], name: str) -> Iterator[tuple[str, str]]:
    """The files that `from ... import name` can mean, and the name there."""
    for statement in body:
        if not isinstance(statement, ast.ImportFrom):
            continue
        for alias in statement.names:
            if (alias.asname or alias.name) == name:
                for home in _homes(path, statement):
                    yield f"{home}.py", alias.name
                    yield f"{home}/__init__.py", alias.name


def _homes(path: str, statement: ast.ImportFrom) -> Iterator[str]:
    folders = path.split("/")[:-1]
    module = (statement.module or "").split(".")
    if statement.level:
        base = folders[: len(folders) - statement.level + 1]
        yield "/".join([*base, *filter(None, module)])
    elif module[0] in folders:
        yield "/".join([*folders[: folders.index(module[0])], *module])
