"""Which packages of server.json hold the code of this project, and where clients enter that code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from mcp_lockstep.code.module import Module
from mcp_lockstep.code.modules import module_name
from mcp_lockstep.facts.distribution import read_distribution
from mcp_lockstep.facts.normal import normal_identifier
from mcp_lockstep.launch.derive import launch_of, runner_of, script_of
from mcp_lockstep.launch.package import Package, packages_of
from mcp_lockstep.project import Project
from mcp_lockstep.startup.image import image_entries

_OTHER_LANGUAGES = frozenset({"npm", "nuget", "cargo"})
_HOLDING = frozenset({"oci", "mcpb"})
_ASIDE = r"(?:^|/)(?:tests?|testing|examples?|scripts|benchmarks?|docs)/|(?:^|/)(?:test_\w+|\w+_test|conftest)\.py$"
_TOOLS = frozenset(
    {"noxfile.py", "tasks.py", "fabfile.py", "hatch_build.py", "build.py", "release.py", "conf.py"}
)


@lru_cache(maxsize=1)
def own_packages(project: Project) -> tuple[Package, ...]:
    """The packages that are built from this project: its distribution on PyPI, and images and bundles of it.

    An image beside a package of another language may hold that one, and counts only with a distribution.
    """
    data = project.manifest_data
    packages = packages_of(data)
    name = read_distribution(project).name
    own = normal_identifier((name.text or "") if name is not None else "")
    pypi = [package for package in packages if package.kind == "pypi"]
    mine = [package for package in pypi if own and normal_identifier(package.identifier) == own]
    if own and not mine and len(pypi) == 1:
        mine = pypi
    holding = [package for package in packages if package.kind in _HOLDING]
    foreign = (pypi or any(package.kind in _OTHER_LANGUAGES for package in packages)) and not mine
    return (*mine, *(() if foreign else holding))


def entries(project: Project, package: Package) -> tuple[str, ...]:
    """The entry points (`weather.cli:main`) that clients of `package` start, as far as they are known."""
    scripts = _scripts(project)
    if package.kind == "oci" and (built := image_entries(project, scripts)):
        return built
    if package.kind != "pypi":
        return (*own_entries(project), *(f"{_dotted(folder)}.__main__" for folder in project.packages))
    return _called(scripts, script_of(launch_of(package)).name)


def is_run_by_uv(package: Package) -> bool:
    """Whether clients have uv start the package from PyPI: then it is a console script of its own that runs."""
    return package.kind == "pypi" and runner_of(package) in ("uvx", "uv")


def own_entries(project: Project) -> tuple[str, ...]:
    """The entry point of the console script that is called as the distribution is, or is the only one."""
    scripts, name = _scripts(project), read_distribution(project).name
    return _called(scripts, (name.text or "") if name is not None else "")


def _called(scripts: Mapping[str, str], name: str) -> tuple[str, ...]:
    """What the script `name` calls, or the one that there is."""
    only = next(iter(scripts.values())) if len(scripts) == 1 else ""
    called = scripts.get(name) or only
    return (called,) if called else ()


def counted(project: Project, modules: Iterable[Module], targets: Iterable[str]) -> Iterator[Module]:
    """The modules of the server; tests, scripts and tools beside it are left out."""
    starts = {target.partition(":")[0] for target in targets}
    for module in modules:
        if re.search(_ASIDE, module.path):
            continue
        packaged = "/" in module.path or module_name(module.path) in starts
        if packaged or not (project.packages or module.path in _TOOLS):
            yield module


def _dotted(folder: str) -> str:
    return module_name(f"{folder}/__init__.py")


def _scripts(project: Project) -> Mapping[str, str]:
    """Console scripts and what they call, as far as that is known."""
    return read_distribution(project).scripts or {}
