"""What a build costs with the hook and without, and what projects pay that have none of it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

import tomli

from mcp_lockstep import __version__
from measure import Command, Row

ROOT = Path(__file__).resolve().parents[1]
PROXY = "mcp_lockstep.hooks.backend"


class Budget(NamedTuple):
    """Milliseconds over a build without us: of an unchanged project, and of one that nobody has judged yet."""

    unchanged: float
    first: float


HOOK, BEHIND = Budget(20, 70), Budget(45, 85)


class Backend(NamedTuple):
    """A build backend, what our part in it may cost, what a project needs for it, and what switches our hook on."""

    name: str
    module: str
    budget: Budget
    tables: str = ""
    hook: str = ""

    @property
    def proxied(self) -> bool:
        """Whether ours stands in front of it."""
        return self.budget is BEHIND


BACKENDS = (
    Backend(
        "hatchling",
        "hatchling.build",
        HOOK,
        '[tool.hatch.build.targets.wheel]\npackages = ["src/weather"]\n',
        "[tool.hatch.build.hooks.mcp-lockstep]\n",
    ),
    Backend("setuptools", "setuptools.build_meta", HOOK),
    Backend("pdm-backend", "pdm.backend", HOOK),
    Backend("uv_build", "uv_build", BEHIND),
    Backend("flit-core", "flit_core.buildapi", BEHIND),
    Backend("poetry-core", "poetry.core.masonry.api", BEHIND),
)
MANIFEST = {
    "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    "name": "io.github.acme/weather",
    "description": "Forecasts for a city.",
    "version": "1.2.8",
    "packages": [
        {
            "registryType": "pypi",
            "identifier": "weather",
            "version": "1.2.8",
            "transport": {"type": "stdio"},
        }
    ],
}


def build_rows(base: Path) -> Iterator[Row]:
    """One wheel per backend, with the hook against without; projects without it, with us installed against not."""
    cache, passing = base / "build-cache", base / "tmp"
    passing.mkdir(parents=True)
    names = (*(backend.name for backend in BACKENDS), "tomli")
    common = {"TMPDIR": str(passing), "XDG_CACHE_HOME": str(cache), "PATH": _path()}
    none = {**common, "PYTHONPATH": str(_site(base / "site", names))}
    env = {**common, "PYTHONPATH": str(_installed(_site(base / "site-with", names)))}
    for backend in BACKENDS:
        plain = _project(base / f"{backend.name}-plain", backend, hook=False)
        hooked = _project(base / f"{backend.name}-hooked", backend, hook=True)
        own = _wheel(hooked, PROXY if backend.proxied else backend.module, env)
        without = _wheel(plain, backend.module, none)
        kind = "proxy" if backend.proxied else "hook"
        what = f"one wheel, {backend.name} with {kind}"
        yield Row(f"{what}, unchanged : without", own, without, backend.budget.unchanged, "ms more")
        first = own._replace(fresh=(cache,))
        yield Row(f"{what}, first or changed : without", first, without, backend.budget.first, "ms more")
        if not backend.proxied:
            installed = _wheel(plain, backend.module, env)
            what = f"one wheel, {backend.name}, project of others : not installed"
            yield Row(what, installed, without, 3, "ms more")


def _path() -> str:
    """`uv_build` starts a program that lies beside the interpreter."""
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"


def _site(folder: Path, names: tuple[str, ...]) -> Path:
    """A folder for `sys.path` with the distributions of those names and what they need: an isolated environment."""
    folder.mkdir(parents=True)
    wanted, seen = list(names), set[str]()
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue  # for another Python or another system
        wanted += [re.split(r"[^\w.-]", need)[0] for need in found.requires or () if "extra ==" not in need]
        for top in {
            file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")
        }:
            if not (folder / top).exists():
                (folder / top).symlink_to(str(found.locate_file(top)))
    return folder


def _installed(site: Path) -> Path:
    """`site` with this checkout in it as its wheel would lie there, and with what that tells backends."""
    info, package = site / f"mcp_lockstep-{__version__}.dist-info", site / "mcp_lockstep"
    for folder in (info, package):
        folder.mkdir()
    inside = ((ROOT / "codegen/mcp_lockstep").iterdir(), (ROOT / "templates", ROOT / "schemas"))
    for path in (path for paths in inside for path in paths if path.name != "__pycache__"):
        (package / path.name).symlink_to(path)
    project = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups: Mapping[str, Mapping[str, str]] = project["entry-points"]
    text = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
        for group, points in groups.items()
    )
    metadata = f"Metadata-Version: 2.1\nName: mcp-lockstep\nVersion: {__version__}\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    (info / "entry_points.txt").write_text(text, encoding="utf-8")
    (info / "RECORD").write_text("".join(_recorded(package)), encoding="utf-8")
    return site


def _recorded(package: Path) -> Iterator[str]:
    """The lines that an installer writes of the files of `package`."""
    for folder, _, names in os.walk(package, followlinks=True):
        for path in (Path(folder, name) for name in sorted(names) if "__pycache__" not in folder):
            raw = path.read_bytes()
            checksum = base64.urlsafe_b64encode(hashlib.sha256(raw).digest()).rstrip(b"=").decode()
            yield f"{path.relative_to(package.parent).as_posix()},sha256={checksum},{len(raw)}\n"


def _project(folder: Path, backend: Backend, *, hook: bool) -> Path:
    through = hook and backend.proxied
    module = PROXY if through else backend.module
    files = {
        "pyproject.toml": f'[build-system]\nrequires = []\nbuild-backend = "{module}"\n'
        '[project]\nname = "weather"\nversion = "1.2.8"\ndescription = "Forecasts."\nreadme = "README.md"\n'
        '[project.scripts]\nweather = "weather:main"\n'
        + backend.tables
        + (backend.hook + '[tool.mcp-lockstep]\nname = "io.github.acme/weather"\n' if hook else "")
        + (f'build-backend = "{backend.module}"\n' if through else ""),
        "README.md": "# Weather\n\n<!-- mcp-name: io.github.acme/weather -->\n",
        "server.json": json.dumps(MANIFEST, indent=2),
        "src/weather/__init__.py": '"""Forecasts."""\n\n\ndef main() -> None:\n    pass\n',
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _wheel(project: Path, module: str, env: Mapping[str, str]) -> Command:
    code = f"import importlib as i; i.import_module({module!r}).build_wheel('dist')"
    (project / "dist").mkdir(exist_ok=True)
    return Command((sys.executable, "-S", "-c", code), project, env)
