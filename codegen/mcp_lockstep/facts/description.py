"""The description that an index shows of a package: the files that a build backend makes it of."""

from __future__ import annotations

import ast
from functools import lru_cache

from mcp_lockstep.code.source import Parsed, parse
from mcp_lockstep.config import PYPROJECT
from mcp_lockstep.documents import MarkdownDocument
from mcp_lockstep.documents.data import as_array, as_object, objects, table, text_of
from mcp_lockstep.facts.distribution import SETUP_CFG, SETUP_PY, setup_call
from mcp_lockstep.facts.static import ini_settings
from mcp_lockstep.facts.versions import backend_of
from mcp_lockstep.findings import Place
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple

README = "README.md"
_TEXTS = (".md", ".markdown", ".rst")
_FANCY = ("hatch", "metadata", "hooks", "fancy-pypi-readme")


class Description(NamedTuple):
    """Where the description is declared, or would be; the `files` and the literal `text` that it is made of.

    `known` is False where a build makes some of it. Neither files nor text: the package gets no description.
    """

    place: Place
    files: tuple[str, ...] = ()
    text: str = ""
    known: bool = True


@lru_cache(maxsize=1)
def read_description(project: Project) -> Description:
    """The description of what `project` builds; README.md where it builds nothing."""
    poetry = project.pyproject_table("tool", "poetry")
    if project.table.get("name"):
        return _of_project(project)
    if poetry.get("name") and poetry.get("package-mode") is not False:
        return _declared("tool.poetry.readme", poetry.get("readme", {"text": ""}))
    return _of_setup(project) or Description(Place(README), (README,))


def readmes(project: Project) -> tuple[MarkdownDocument, ...]:
    """The files of the description that are there; README.md where it is made of none."""
    found = map(project.document, read_description(project).files or (README,))
    return tuple(document for document in found if isinstance(document, MarkdownDocument))


def _of_project(project: Project) -> Description:
    """What `[project]` says; where it leaves it to the backend, what stands in the backend's own table."""
    if "readme" in project.table:
        return _declared("project.readme", project.table["readme"])
    place = Place(PYPROJECT, ":", "project.readme")
    if "readme" not in (as_array(project.table.get("dynamic")) or ()):
        return Description(place)
    tool = project.pyproject_table("tool")
    for keys in (("setuptools", "dynamic"), ("poetry",)):
        if "readme" in (said := table(tool, *keys)):
            return _declared(".".join(("tool", *keys, "readme")), said["readme"])
    if fancy := table(tool, *_FANCY):
        parts = objects(fancy.get("fragments"))
        files = tuple(path for part in parts if (path := text_of(part.get("path"))))
        whole = "substitutions" not in fancy and all(part.keys() <= {"path", "text"} for part in parts)
        text = "".join(text_of(part.get("text")) for part in parts)
        return Description(Place(PYPROJECT, ":", ".".join(("tool", *_FANCY))), files, text, whole)
    made = _of_setup(project) if backend_of(project).startswith("setuptools") else None
    return made or Description(place, known=False)


def _declared(address: str, value: object) -> Description:
    """What `value`, a path, paths, or a table of `file` or `text`, declares in pyproject.toml."""
    place = Place(PYPROJECT, ":", address)
    said = as_object(value) or {"file": value}
    if isinstance(text := said.get("text"), str):
        return Description(place, text=text)
    files = as_array(said.get("file")) or [said.get("file")]
    paths = tuple(path for path in files if isinstance(path, str))
    return Description(place, paths, known=len(paths) == len(files))


def _of_setup(project: Project) -> Description | None:
    """What setup.cfg or setup.py says; None where there is neither."""
    document = project.document(SETUP_CFG)
    settings = ini_settings(document.text if document is not None else "")
    stated = settings.get(("metadata", "long_description"))
    place = Place(SETUP_CFG, ":", "metadata.long_description")
    if stated is not None:
        kind, colon, paths = stated.text.partition(":")
        if colon and kind.strip() == "file":
            names = (path.strip() for path in paths.replace("\n", ",").split(","))
            return Description(place, tuple(name for name in names if name))
        return Description(place, text=stated.text)
    raw = project.raw(SETUP_PY)
    if raw is not None:
        return _of_call(project, raw)
    return Description(place) if ("metadata", "name") in settings else None


def _of_call(project: Project, raw: bytes) -> Description:
    """What the call of `setup` says; where it is more than a text, the texts of the project that setup.py names."""
    place = Place(SETUP_PY, "::", "setup.long_description")
    parsed = parse(SETUP_PY, raw)
    given = setup_call(parsed.tree) if isinstance(parsed, Parsed) else {"**": ast.Constant(None)}
    match given.get("long_description"):
        case None:
            return Description(place, known="**" not in given)
        case ast.Constant(value=str(text)):
            return Description(place, text=text)
        case _ if isinstance(parsed, Parsed):
            names = (node.value for node in ast.walk(parsed.tree) if isinstance(node, ast.Constant))
            texts = (name for name in names if isinstance(name, str) and name.lower().endswith(_TEXTS))
            files = tuple(dict.fromkeys(name for name in texts if project.document(name) is not None))
            return Description(place, files, known=bool(files))
        case _:
            return Description(place, known=False)
