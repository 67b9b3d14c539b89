"""The generated files of a project: which there must be, of which recipe, and whether they are."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mcp_lockstep import __version__
from mcp_lockstep.bundled.targets import Templates
from mcp_lockstep.contract.model import Contract, canonical
from mcp_lockstep.findings import Code, Finding, Place, Refused
from mcp_lockstep.generated.recipe import (
    GENERATED_MISSING,
    GENERATED_OTHER_VERSION,
    GENERATED_STALE,
    foreign,
    read_seal,
    recipe,
)
from mcp_lockstep.naming import ImportName
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import join

PACKAGE_MISSING = Code(
    "LS5114",
    "package-missing",
    "error",
    "A project with a contract has no package.",
    "The generated code lies in the folder `_generated` of the import package, so there has to be one: a folder with "
    "an `__init__.py`, in `src`, beside pyproject.toml, or where the build backend is told to take packages from.",
    exit=2,
)

_PROFILE = "exact"
_STUBS = "src/stubs.py.jinja"


class Expected(NamedTuple):
    """A generated file of a contract-first project, and the recipe that its seal must carry."""

    path: str
    recipe: str


def expected(folder: str, contract: Contract, templates: Templates) -> tuple[Expected, ...]:
    """The files in `folder` (`src/weather/_generated`) that `contract` asks for on the target of `templates`."""
    return tuple(Expected(join(folder, name), made) for name, made in recipes(contract, templates).items())


def recipes(contract: Contract, templates: Templates) -> dict[str, str]:
    """The recipe of each generated file by its name: the contract, the target, and what the user's templates change."""
    target, lists = templates.target.name, canonical(contract.document())
    as_written = json.dumps(contract.document(), ensure_ascii=False)
    return {
        "contract.json": recipe("contract.json", as_written),
        "models.py": recipe("models.py", lists, _PROFILE),
        "stubs.py": recipe("stubs.py", as_written, target, templates.own_text(_STUBS)),
        "__init__.py": recipe("__init__.py"),
        **{name: recipe(name, target, templates.own_text(name)) for name in templates.target.runtime},
    }


def judge_seals(project: Project, files: tuple[Expected, ...], source: str) -> Iterator[Finding]:
    """What is wrong with the files generated from `source`: missing, stale, edited, not ours; a note: other version.

    They belong together: none of them is made as long as one is not as it was written.
    """
    there = {path: project.tree.read(path) for path, _ in files}
    strange = {path: said for path, raw in there.items() if raw is not None and (said := foreign(path, raw))}
    hint = "`mcp-lockstep sync` makes it, or says why it cannot"
    if strange:
        hint = f"settle {next(iter(strange))} first: `mcp-lockstep sync` makes it then"
    for path, wanted in files:
        raw = there[path]
        seal = read_seal(raw) if raw is not None else None
        if raw is None:
            message = f"{path} is missing"
            yield Finding(GENERATED_MISSING, Place(path), message, hint=hint, fixable=not strange)
        elif path in strange:
            yield strange[path]
        elif seal is not None and seal.recipe != wanted:
            message = f"{path} was made from other inputs than {source} now holds"
            yield Finding(GENERATED_STALE, Place(path), message, hint=hint, fixable=not strange)
        elif seal is not None and seal.version != __version__:
            message = f"{path} was written by mcp-lockstep {seal.version}, this is {__version__}"
            yield Finding(GENERATED_OTHER_VERSION, Place(path), message)


def home(project: Project) -> tuple[str, ImportName]:
    """The folder that the import package lies in, empty for that of the project, and what it is imported as.

    Refused where there is no package.
    """
    # A package lies in `src` or another such folder, or beside pyproject.toml.
    folder = project.generated_folder.rpartition("/")[0]
    base, _, inner = folder.partition("/") if "/" in folder else ("", "", folder)
    try:
        return base, ImportName(inner.replace("/", "."))
    except ValueError:
        raise _no_package(project, folder) from None


def _no_package(project: Project, folder: str) -> Refused:
    place, where = project.configured("/contract")
    fault = f"{folder} is no name that Python imports" if folder else "no package that its code could go into"
    hint = "give it the name of an identifier" if folder else "make its folder, `src/NAME/__init__.py`"
    message = f"there is a contract, and {fault}"
    return Refused(Finding(PACKAGE_MISSING, place, message, where, hint=hint))
