"""Where the generated code of a project with a contract lies: in its import package, if it has one."""

from __future__ import annotations

from mcp_lockstep.findings import Code, Finding, Refused
from mcp_lockstep.naming import ImportName
from mcp_lockstep.project import Project

PACKAGE_MISSING = Code(
    "LS5114",
    "package-missing",
    "error",
    "A project with a contract has no package.",
    "The generated code lies in the folder `_generated` of the import package, so there has to be one: a folder with "
    "an `__init__.py`, in `src`, beside pyproject.toml, or where the build backend is told to take packages from.",
    exit=2,
)


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
