"""Where a version lies that a build backend reads from a file: found by the backend's own configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mcp_lockstep.documents.data import JsonObject, as_array, as_object, table, text_of
from mcp_lockstep.facts.static import Stated, assigned, attribute, matched, module_paths, summary, whole
from mcp_lockstep.findings import Place
from mcp_lockstep.project import Project
from mcp_lockstep.tree import safe

_ASSIGNED = (
    r"(?i)^(?P<name>__version__|VERSION)(?: ?: ?str)? *= *(?P<quote>['\"])v?(?P<version>.+?)(?P=quote)"
)
_PDM = r"^__version__\s*=\s*[\"'](?P<version>.+?)[\"']\s*(?:#.*)?$"


def backend_version(project: Project) -> Stated | None:
    """The version that the build backend reads from a file; None where it makes it, or takes it from elsewhere."""
    data = project.pyproject_table()
    backend = backend_of(project)
    reader = next((reader for name, reader in _READERS.items() if backend.startswith(name)), None)
    return reader(project, data) if reader is not None else None


def backend_of(project: Project) -> str:
    """The module of the build backend, that behind ours too; installers take setuptools where none is named."""
    data = project.pyproject_table()
    backend = text_of(table(data, "build-system").get("build-backend")) or "setuptools"
    return project.config.build_backend if backend.startswith("mcp_lockstep") else backend


def setuptools_bases(data: JsonObject) -> Mapping[str, str]:
    """`package-dir` of setuptools: package to folder, `""` for all others."""
    declared = table(data, "tool", "setuptools", "package-dir")
    return {name: folder for name, folder in declared.items() if isinstance(folder, str)}


def _hatchling(project: Project, data: JsonObject) -> Stated | None:
    own = project.document("hatch.toml")
    settings = table(own.data, "version") if own else {}
    settings = settings or table(data, "tool", "hatch", "version")
    path = text_of(settings.get("path"))
    match settings.get("source", "regex"):
        case "regex" if path:
            pattern = text_of(settings.get("pattern")) or _ASSIGNED
            return _symbol(project, matched(project, path, pattern, "version"), path)
        case "code" if path:
            return assigned(project, path, text_of(settings.get("expression")) or "__version__")
        case "nodejs":
            return _value(project, path or "package.json", "version")
        case _:
            return None


def _setuptools(project: Project, data: JsonObject) -> Stated | None:
    declared = table(data, "tool", "setuptools", "dynamic", "version")
    if dotted := text_of(declared.get("attr")):
        return attribute(project, dotted, setuptools_bases(data))
    files = declared.get("file")
    names = [files] if isinstance(files, str) else as_array(files) or []
    return whole(project, text_of(names[0])) if len(names) == 1 else None


def _pdm(project: Project, data: JsonObject) -> Stated | None:
    settings = table(data, "tool", "pdm", "version")
    path = text_of(settings.get("path"))
    if settings.get("source") != "file" or not path:
        return None
    return _symbol(project, matched(project, path, _PDM, "version"), path)


def _flit(project: Project, data: JsonObject) -> Stated | None:
    found = (assigned(project, path, "__version__") for path in _flit_paths(project, data))
    return next((stated for stated in found if stated is not None), None)


def _flit_paths(project: Project, data: JsonObject) -> Iterator[str]:
    named = text_of(table(data, "tool", "flit", "module").get("name"))
    module = named or text_of(project.table.get("name")).replace("-", "_")
    yield from module_paths(module, {}) if module else ()


def flit_description(project: Project) -> Stated | None:
    """The first line of the module's docstring, which is the description where flit is to make it."""
    data = project.pyproject_table()
    if not text_of(table(data, "build-system").get("build-backend")).startswith("flit_core"):
        return None
    found = (summary(project, path) for path in _flit_paths(project, data))
    return next((stated for stated in found if stated is not None), None)


def _maturin(project: Project, data: JsonObject) -> Stated | None:
    path = text_of(table(data, "tool", "maturin").get("manifest-path")) or "Cargo.toml"
    return _value(project, path, "package.version")


_READERS: Mapping[str, Callable[[Project, JsonObject], Stated | None]] = {
    "hatchling": _hatchling,
    "setuptools": _setuptools,
    "pdm.": _pdm,
    "flit_core": _flit,
    "maturin": _maturin,
}
"""Start of the backend's name -> where it looks. Others have the version in pyproject.toml, or make it."""


def _symbol(project: Project, found: Stated | None, path: str) -> Stated | None:
    """`found` as the symbol that it is, where a plain assignment states the very same text."""
    for name in ("__version__", "VERSION", "version"):
        stated = assigned(project, path, name, 1) if found and path.endswith(".py") else None
        if found and stated and stated.span and found.span and _within(found.span, stated.span):
            return stated if stated.text == found.text else found
    return found


def _within(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _value(project: Project, path: str, address: str) -> Stated | None:
    """The string at the dotted `address` of a JSON or TOML file."""
    document = project.document(path) if safe(path) else None
    value = as_object(document.data) if document is not None else None
    *way, last = address.split(".")
    text = table(value, *way).get(last)
    if document is None or not isinstance(text, str):
        return None
    place = document.place(f"/{address.replace('.', '/')}")
    return Stated(Place(path, place.separator, place.address), text)
