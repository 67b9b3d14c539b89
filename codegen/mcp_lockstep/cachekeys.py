"""The files by which uv knows that an installed project has to be built again: `[tool.uv] cache-keys`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from mcp_lockstep.behind import PROXY
from mcp_lockstep.config import PYPROJECT
from mcp_lockstep.documents.data import as_array, objects, table, text_of
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.findings import Code, Finding
from mcp_lockstep.project import MANIFEST, Project
from mcp_lockstep.tree import join

CACHE_KEYS_MISSING = Code(
    "LS6051",
    "uv-cache-keys-missing",
    "warning",
    "uv does not build the project again when a file changes that its build hook reads.",
    "`uv sync` and `uv run` keep an editable install until one of its `cache-keys` changes; without that list only "
    "pyproject.toml, setup.py, setup.cfg and the folder src count. Add the files that the message names to "
    "`cache-keys` in `[tool.uv]`; `mcp-lockstep adopt` does it.",
)
CODES = (CACHE_KEYS_MISSING,)

KEYS = "/tool/uv/cache-keys"
"""Where uv reads the list, as a pointer."""

_DEFAULTS, _SOURCE = (PYPROJECT, "setup.py", "setup.cfg"), "src"
"""The files, and the folder whose coming and going, that uv looks at as long as there is no list."""


def judge_cache_keys(project: Project) -> Iterator[Finding]:
    """A finding where the build hook reads files whose changes uv does not see; none where uv is not used."""
    document = project.pyproject
    lacking = missing_keys(project)
    if document is None or not lacking:
        return
    seen = (*_DEFAULTS, _SOURCE)
    named = ", ".join(
        "the commit" if "git" in key else text_of(key.get("file"))
        for key in lacking
        if not any(value in seen for value in key.values())
    )
    pointer = KEYS if _declared(project) is not None else "/tool/uv"
    message = f"`uv sync` does not see a change of {named}: `cache-keys` in [tool.uv] does not hold it"
    yield Finding(
        CACHE_KEYS_MISSING,
        document.place(KEYS),
        message,
        document.where(pointer) if _uses_uv_table(project) else document.where(""),
        hint="`mcp-lockstep adopt` adds it",
    )


def missing_keys(project: Project) -> tuple[Mapping[str, object], ...]:
    """The keys that `cache-keys` lacks, in uv's own form; none where uv or the build hook is not used."""
    if not (_uses_uv(project) and hooked(project)):
        return ()
    declared = _declared(project)
    patterns = [text_of(key.get("file")) for key in objects(declared)] + [
        key for key in declared or () if isinstance(key, str)
    ]
    known = (*patterns, *(_DEFAULTS if declared is None else ()))
    lacking = [path for path in _wanted(project) if not any(_covers(pattern, path) for pattern in known)]
    if not lacking and declared is None:
        return ()
    first = [name for name in _DEFAULTS if name in project.tree.folder("")] if declared is None else []
    keys: list[Mapping[str, object]] = [{"file": path} for path in (*first, *lacking)]
    if declared is None and f"{_SOURCE}/" in project.tree.folder(""):
        keys.append({"dir": _SOURCE})
    if declared is None and _from_git(project):
        keys.append({"git": {"commit": True, "tags": True}})
    return tuple(keys)


def hooked(project: Project) -> bool:
    """Whether the build of the project calls a hook of ours."""
    data = project.pyproject_table()
    system = table(data, "build-system")
    if text_of(system.get("build-backend")) == PROXY:
        return True
    return any(is_ours(text_of(item)) for item in as_array(system.get("requires")) or ())


def is_ours(requirement: str) -> bool:
    """Whether a requirement of a build is this package."""
    return re.match(r"mcp[-_.]lockstep(?![\w.-])", requirement, re.IGNORECASE) is not None


def _uses_uv_table(project: Project) -> bool:
    """Whether pyproject.toml has `[tool.uv]`."""
    return project.pyproject is not None and "uv" in table(project.pyproject.data, "tool")


def _uses_uv(project: Project) -> bool:
    return _uses_uv_table(project) or "uv.lock" in project.tree.folder("")


def _declared(project: Project) -> list[object] | None:
    document = project.pyproject
    return None if document is None else as_array(table(document.data, "tool", "uv").get("cache-keys"))


def _wanted(project: Project) -> Iterator[str]:
    """The files of the project that decide what a build hook says."""
    yield MANIFEST
    config, tree = project.config, project.tree
    for path in (
        config.contract,
        *(job.schema for job in config.models),
        *(j.patches for j in config.models),
    ):
        folder, _, name = path.rpartition("/")
        if not path:
            continue
        if f"{name}/" in tree.folder(folder):
            yield join(path, "**/*.json")
        elif name in tree.folder(folder):
            yield path


def _covers(pattern: str, path: str) -> bool:
    """Whether the glob `pattern` of uv matches `path`; a glob as path is covered by itself and by wider ones.

    uv looks for a last part with a sign at any depth, unless a folder before it has a sign too.
    """
    from fnmatch import fnmatchcase

    if choice := re.search(r"\{([^{}]*)\}", pattern):
        head, tail = pattern[: choice.start()], pattern[choice.end() :]
        return any(_covers(f"{head}{one}{tail}", path) for one in choice[1].split(","))
    pattern, path = pattern.removeprefix("./"), path.replace("**/", "")
    folder = pattern.rpartition("/")[0].replace("**", "")
    deep = not any(sign in folder for sign in "*?[") or pattern.count("/") == path.count("/")
    return deep and fnmatchcase(path, pattern.replace("**/", "*"))


def _from_git(project: Project) -> bool:
    version = read_distribution(project).version
    return version is not None and version.text is None
