"""The distribution that a project builds, wherever its build backend wants it described."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from mcp_lockstep.code.source import Parsed, last_name, parse
from mcp_lockstep.config import PYPROJECT
from mcp_lockstep.documents.data import JsonObject, as_array, as_object, objects, table, text_of
from mcp_lockstep.facts.static import Setting, Stated, assigned, attribute, ini_settings, whole
from mcp_lockstep.facts.versions import backend_version, flit_description, setuptools_bases
from mcp_lockstep.findings import Place
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple

SETUP_CFG, SETUP_PY = "setup.cfg", "setup.py"
_CFG_SCRIPTS = ("options.entry_points", "console_scripts")


class Distribution(NamedTuple):
    """What is said of the distribution; empty where nobody says it.

    `scripts` are its console scripts and what they call, None where some are made when the project is built; `urls`
    is label to address, `requires` the names and bounds of what it needs, `classifiers` as an index lists them,
    `python` the versions of Python that it is for, `author` the first one's name and e-mail address,
    `license` the name of its licence.
    """

    name: Stated | None = None
    version: Stated | None = None
    description: Stated | None = None
    scripts: Mapping[str, str] | None = {}
    urls: Mapping[str, str] = {}
    requires: tuple[str, ...] = ()
    classifiers: tuple[str, ...] = ()
    python: str = ""
    author: tuple[str, str] = ("", "")
    license: str = ""
    keywords: tuple[str, ...] = ()

    @property
    def private(self) -> bool:
        """Whether it says that no index is to take it."""
        return any(classifier.startswith("Private ::") for classifier in self.classifiers)


@lru_cache(maxsize=1)
def read_distribution(project: Project) -> Distribution:
    """The distribution of `project`; of pyproject.toml, setup.cfg and setup.py the first that says a thing counts."""
    sources = (_project(project), _poetry(project), _setup_cfg(project), _setup_py(project))
    if not any(source.name for source in sources):
        return Distribution()
    no_urls: Mapping[str, str] = {}
    return Distribution(
        _first(source.name for source in sources),
        _first(source.version for source in sources),
        _first(source.description for source in sources),
        _together(source.scripts for source in sources),
        next((source.urls for source in sources if source.urls), no_urls),
        tuple(requirement for source in sources for requirement in source.requires),
        tuple(classifier for source in sources for classifier in source.classifiers),
        next((source.python for source in sources if source.python), ""),
        next((source.author for source in sources if source.author[0]), ("", "")),
        next((source.license for source in sources if source.license), ""),
        next((source.keywords for source in sources if source.keywords), ()),
    )


def _first(values: Iterable[Stated | None]) -> Stated | None:
    """The first that is known; the first of those that are made by a build where none is."""
    said = [value for value in values if value is not None]
    return next((value for value in said if value.text is not None), next(iter(said), None))


def _together(parts: Iterable[Mapping[str, str] | None]) -> Mapping[str, str] | None:
    """All scripts; None where a part of them is not known."""
    found: dict[str, str] = {}
    for part in parts:
        if part is None:
            return None
        found = {**part, **found}
    return found


def _project(project: Project) -> Distribution:
    """`[project]` of pyproject.toml."""
    declared = project.table
    dynamic = as_array(declared.get("dynamic")) or []

    def said(key: str) -> Stated | None:
        place = Place(PYPROJECT, ":", f"project.{key}")
        # An empty text says nothing: as an owner it would wipe out what stands elsewhere.
        if (text := text_of(declared.get(key))).strip():
            return Stated(place, text)
        return Stated(place, None) if key in dynamic else None

    version, description = said("version"), said("description")
    if version is not None and version.text is None:
        version = backend_version(project) or version
    if description is not None and description.text is None:
        description = flit_description(project) or description
    return Distribution(
        said("name"),
        version if version is None or not _stamped_by_poetry(project) else version._replace(text=None),
        description,
        _texts(table(declared, "scripts")),
        _texts(table(declared, "urls")),
        _strings(declared.get("dependencies")),
        _strings(declared.get("classifiers")),
        text_of(declared.get("requires-python")),
        next((author for one in objects(declared.get("authors")) if (author := _author(one))[0]), ("", "")),
        _name_of(text_of(declared.get("license")) or text_of(table(declared, "license").get("text"))),
        _strings(declared.get("keywords")),
    )


def _poetry(project: Project) -> Distribution:
    """`[tool.poetry]`, where poetry had its own tables before `[project]`."""
    declared = project.pyproject_table("tool", "poetry")
    if declared.get("package-mode") is False:
        return Distribution()

    def said(key: str) -> Stated | None:
        text = text_of(declared.get(key))
        return Stated(Place(PYPROJECT, ":", f"tool.poetry.{key}"), text) if text.strip() else None

    version = said("version")
    links = {key: text for key in ("homepage", "repository") if (text := text_of(declared.get(key)))}
    return Distribution(
        said("name"),
        version._replace(text=None) if version and _stamped_by_poetry(project) else version,
        said("description"),
        {**_texts(table(declared, "plugins", "console_scripts")), **_texts(table(declared, "scripts"))},
        {**links, **_texts(table(declared, "urls"))},
        tuple(table(declared, "dependencies")),
        _strings(declared.get("classifiers")),
        text_of(table(declared, "dependencies").get("python")),
        _written_author(next(iter(_strings(declared.get("authors"))), "")),
        _name_of(text_of(declared.get("license"))),
        _strings(declared.get("keywords")),
    )


def _author(one: JsonObject) -> tuple[str, str]:
    return text_of(one.get("name")), text_of(one.get("email"))


def _written_author(text: str) -> tuple[str, str]:
    """The author of a text like `Ada <ada@acme.example>`."""
    name, _, rest = text.partition("<")
    return name.strip(), rest.partition(">")[0].strip()


def _name_of(license_text: str) -> str:
    """The name of a licence; empty for one in full."""
    return license_text.strip() if "\n" not in license_text.strip() else ""


def _listed(keywords: str) -> tuple[str, ...]:
    """The keywords of a text, between commas where it has some, else between spaces."""
    lines = keywords.replace("\n", ",").strip(",")
    return tuple(filter(None, map(str.strip, lines.split(",") if "," in lines else lines.split())))


def _stated_text(stated: Stated | None) -> str:
    return (stated.text if stated else None) or ""


def _stamped_by_poetry(project: Project) -> bool:
    """Whether a plugin of poetry makes the version from a tag: what stands in the file is not it."""
    tool = project.pyproject_table("tool")
    return table(tool, "poetry-dynamic-versioning").get("enable") is True


def _setup_cfg(project: Project) -> Distribution:
    raw = project.document(SETUP_CFG)
    settings = ini_settings(raw.text if raw is not None else "")

    def said(key: str) -> Stated | None:
        found = settings.get(("metadata", key))
        place = Place(SETUP_CFG, ":", f"metadata.{key}")
        return (
            Stated(place, found.text, found.span) if found and found.text and "\n" not in found.text else None
        )

    return Distribution(
        said("name"),
        _cfg_version(project, said("version")),
        said("description") or said("summary"),
        None if ("options", "scripts") in settings else _scripts(_lines(settings.get(_CFG_SCRIPTS))),
        {
            **({"Homepage": url.text} if (url := said("url")) and url.text else {}),
            **dict(_pairs(settings.get(("metadata", "project_urls")))),
        },
        tuple(_lines(settings.get(("options", "install_requires")))),
        tuple(_lines(settings.get(("metadata", "classifiers")))),
        python.text if (python := settings.get(("options", "python_requires"))) else "",
        (_stated_text(said("author")), _stated_text(said("author_email"))),
        _stated_text(said("license")),
        _listed(found.text if (found := settings.get(("metadata", "keywords"))) else ""),
    )


def _cfg_version(project: Project, stated: Stated | None) -> Stated | None:
    kind, colon, rest = (stated.text or "").partition(":") if stated else ("", "", "")
    if stated is None or not colon:
        return stated
    found = None
    if kind.strip() == "attr":
        data = project.pyproject_table()
        found = attribute(project, rest, setuptools_bases(data))
    elif kind.strip() == "file":
        found = whole(project, rest.strip())
    return found or Stated(stated.place, None)


def _setup_py(project: Project) -> Distribution:
    raw = project.raw(SETUP_PY)
    parsed = None if raw is None else parse(SETUP_PY, raw)
    if not isinstance(parsed, Parsed):
        return Distribution(scripts={} if raw is None else None)
    given = setup_call(parsed.tree)

    def said(key: str) -> Stated | None:
        place = Place(SETUP_PY, "::", f"setup.{key}")
        match given.get(key):
            case None:
                return None
            case ast.Constant(value=str(text)) as node:
                return Stated(place, text, parsed.source.span(node))
            case ast.Name(id=name):
                return assigned(project, SETUP_PY, name) or Stated(place, None)
            case _:
                return Stated(place, None)

    links, url = as_object(_literal(given.get("project_urls"))) or {}, said("url")
    keywords = _literal(given.get("keywords"))
    return Distribution(
        said("name"),
        said("version"),
        said("description"),
        _called_scripts(given),
        {**({"Homepage": url.text} if url and url.text else {}), **_texts(links)},
        _strings(_literal(given.get("install_requires"))),
        _strings(_literal(given.get("classifiers"))),
        text_of(_literal(given.get("python_requires"))),
        (text_of(_literal(given.get("author"))), text_of(_literal(given.get("author_email")))),
        _name_of(text_of(_literal(given.get("license")))),
        _strings(keywords) or _listed(text_of(keywords)),
    )


def setup_call(tree: ast.Module) -> dict[str, ast.expr]:
    """The keywords of the one call of `setup`; `**` where there are more, or more calls."""
    calls = [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and last_name(node.func) == "setup"
    ]
    if len(calls) != 1:
        return {"**": ast.Constant(None)}
    return {keyword.arg or "**": keyword.value for keyword in calls[0].keywords}


def _called_scripts(given: Mapping[str, ast.expr]) -> Mapping[str, str] | None:
    """The console scripts among the keywords of `setup`."""
    if "**" in given or "scripts" in given:
        return None
    if "entry_points" not in given:
        return {}
    points = _literal(given["entry_points"])
    if isinstance(points, str):
        section = points.partition("[console_scripts]")[2].partition("[")[0]
        return _scripts(filter(None, map(str.strip, section.splitlines())))
    told = as_object(points)
    listed = told.get("console_scripts", []) if told is not None else None
    if isinstance(listed, str):
        listed = listed.splitlines()
    return None if as_array(listed) is None else _scripts(_strings(listed))


def _literal(node: ast.expr | None) -> object:
    try:
        return None if node is None else ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _texts(values: JsonObject) -> dict[str, str]:
    return {key: value for key, value in values.items() if isinstance(value, str)}


def _strings(value: object) -> tuple[str, ...]:
    return tuple(item for item in as_array(value) or () if isinstance(item, str))


def _lines(setting: Setting | None) -> Iterator[str]:
    return filter(None, map(str.strip, setting.text.split("\n") if setting else ()))


def _scripts(entries: Iterable[str]) -> dict[str, str]:
    """Script to what it calls, of lines like `weather = weather.server:main`."""
    pairs = (entry.partition("=") for entry in entries)
    return {name.strip(): target.partition("[")[0].strip() for name, _, target in pairs if target}


def _pairs(setting: Setting | None) -> Iterator[tuple[str, str]]:
    for line in _lines(setting):
        label, equals, address = line.partition("=")
        if equals:
            yield label.strip(), address.strip()
