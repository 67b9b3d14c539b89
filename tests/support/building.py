"""Small projects for every build backend, environments to build them in, and what came out."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, cast

import pytest
import tomli

from repositories import git

NAME = "io.github.acme/weather"
MARKER = f"<!-- mcp-name: {NAME} -->"
PROXY = "mcp_lockstep.hooks.backend"
STRICT = {"MCP_LOCKSTEP_BUILD_STRICT": "1"}
VERSIONED = '__version__ = "1.2.8"\n'


class Backend(NamedTuple):
    """A build backend: how a project names it, and how it is told to find `src/weather`.

    `hook` is what switches our hook on; `scm` what takes the version from git (empty: it cannot).
    """

    name: str
    requires: tuple[str, ...]
    backend: str
    tables: str = ""
    hook: str = ""
    scm: str = ""

    @property
    def proxied(self) -> bool:
        """Whether our backend stands in front of it."""
        return self.name in ("uv_build", "flit", "poetry")


BACKENDS: Mapping[str, Backend] = {
    backend.name: backend
    for backend in (
        Backend(
            "hatchling",
            ("hatchling",),
            "hatchling.build",
            '[tool.hatch.build.targets.wheel]\npackages = ["src/weather"]\n',
            "[tool.hatch.build.hooks.mcp-lockstep]\n",
            '[tool.hatch.version]\nsource = "vcs"\n',
        ),
        Backend(
            "setuptools",
            ("setuptools>=77",),
            "setuptools.build_meta",
            scm="[tool.setuptools_scm]\n",
        ),
        Backend(
            "pdm",
            ("pdm-backend",),
            "pdm.backend",
            scm='[tool.pdm.version]\nsource = "scm"\n',
        ),
        Backend("uv_build", ("uv_build>=0.9,<1",), "uv_build"),
        Backend("flit", ("flit_core>=3.11",), "flit_core.buildapi"),
        Backend(
            "poetry",
            ("poetry-core>=2",),
            "poetry.core.masonry.api",
            '[tool.poetry]\npackages = [{ include = "weather", from = "src" }]\n',
        ),
    )
}
every = pytest.mark.parametrize("name", BACKENDS)
"""A test with each of them."""
SCM_REQUIRES: Mapping[str, str] = {"hatchling": "hatch-vcs", "setuptools": "setuptools-scm"}


def pyproject(backend: Backend, version: str = "1.2.8", config: str = "", *, hook: bool = True) -> str:
    """pyproject.toml of the project `weather`; an empty `version` is taken from git."""
    requires = [*backend.requires, *(["mcp-lockstep"] if hook else [])]
    if not version and backend.name in SCM_REQUIRES:
        requires.append(SCM_REQUIRES[backend.name])
    through = hook and backend.proxied
    own = f'build-backend = "{backend.backend}"\n' if through else ""
    return (
        f"[build-system]\nrequires = {json.dumps(requires)}\n"
        f'build-backend = "{PROXY if through else backend.backend}"\n\n'
        f'[project]\nname = "weather"\ndescription = "Forecasts for a city."\nreadme = "README.md"\n'
        + (f'version = "{version}"\n' if version else 'dynamic = ["version"]\n')
        + '\n[project.scripts]\nweather = "weather:main"\n\n'
        + backend.tables
        + (backend.hook if hook else "")
        + ("" if version else backend.scm)
        + (f'[tool.mcp-lockstep]\nname = "{NAME}"\n{own}{config}' if hook else "")
    )


def manifest(version: str = "1.2.8") -> str:
    """server.json of the project `weather`."""
    data = {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": NAME,
        "description": "Forecasts for a city.",
        "version": version,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": "weather",
                "version": version,
                "transport": {"type": "stdio"},
            }
        ],
    }
    return f"{json.dumps(data, indent=2)}\n"


def files(backend: Backend, version: str = "1.2.8", config: str = "", *, hook: bool = True) -> dict[str, str]:
    """A sound project."""
    code = "\n\ndef main() -> None:\n    pass\n"
    mode = "" if version else 'version = "build"\n'
    return {
        "pyproject.toml": pyproject(backend, version, mode + config, hook=hook),
        "README.md": f"# Weather\n\n{MARKER}\n",
        "server.json": manifest(version or "{{VERSION}}"),
        "src/weather/__init__.py": '"""Forecasts."""\n' + code,
    }


def contract_project(root: Path, backend: Backend, folder: Path) -> Path:
    """A copy of the example, contract and all, that builds with `backend` and has our hook."""
    shutil.copytree(root / "examples/weather", folder, ignore=shutil.ignore_patterns("__pycache__", "dist"))
    theirs = (folder / "pyproject.toml").read_text(encoding="utf-8")
    system, project = pyproject(backend, "0.1.0").split("[project]", 1)
    tables = project.partition("[tool.mcp-lockstep]")[0].partition("[project.scripts]")[2]
    own = theirs[theirs.index("[project]") : theirs.index("[tool.hatch")]
    through = f'build-backend = "{backend.backend}"\n' if backend.proxied else ""
    ours = theirs[theirs.index("[tool.mcp-lockstep]") :]
    tables = tables.partition("\n\n")[2]
    text = f"{system}{own}{tables}{ours}{through}"
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return folder


def write(folder: Path, contents: Mapping[str, str]) -> Path:
    """The files in a folder."""
    for name, text in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return folder


def commit(folder: Path, tag: str = "") -> None:
    """A git repository with all files committed, and tagged."""
    words = [("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "all")]
    for arguments in [*words, *([("tag", tag)] if tag else [])]:
        git(folder, *arguments)


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below a folder that a hook could have written; what backends leave behind is not among them."""
    left = (".egg-info/", "build/", ".pdm-build/", "/__pycache__/", ".git/", "dist/")
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes()
        for name, path in found.items()
        if not any(part in f"/{name}" for part in left)
    }


class Workshop(NamedTuple):
    """An environment that sees our wheel, unpacked, and everything that the test environment has."""

    python: Path

    def run(
        self, *words: str | Path, cwd: Path, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """`python WORDS`, its output as text."""
        path = f"{self.python.parent}{os.pathsep}{tools_path()}"
        return subprocess.run(
            (str(self.python), *map(str, words)),
            cwd=cwd,
            env={**os.environ, "PATH": path, **(env or {})},
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )

    def build(
        self, source: Path, output: Path, *options: str, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """`python -m build` without isolation."""
        return self.run("-m", "build", "-n", *options, "--outdir", output, source, cwd=source.parent, env=env)

    def hook(
        self, source: Path, output: Path, name: str, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """One hook of the project's backend, called as front ends call it, but without asking what it requires."""
        system = tomli.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]
        code = f"import importlib as i; i.import_module({system['build-backend']!r}).{name}({str(output)!r})"
        output.mkdir(exist_ok=True)
        return self.run("-c", code, cwd=source, env=env)

    def pip(
        self, source: Path, *options: str, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """`pip install` of a project without isolation, without what it requires."""
        words = ("-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index", "-v")
        return self.run(*words, *options, source, cwd=source.parent, env=env)

    def uv(
        self, *words: str | Path, cwd: Path, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """`uv WORDS` for this environment, offline."""
        own = {"UV_PYTHON": str(self.python), "UV_OFFLINE": "1", "UV_PYTHON_DOWNLOADS": "never"}
        return self.run("-m", "uv", *words, cwd=cwd, env={**own, **(env or {})})

    def installed(self, name: str = "weather") -> object:
        """What `importlib.metadata` reads of server.json."""
        code = (
            "import importlib.metadata as m, sys\n"
            f"sys.stdout.write(m.distribution({name!r}).read_text('mcp/server.json') or 'null')"
        )
        done = self.run("-c", code, cwd=self.python.parent)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def tools_path() -> str:
    """Where programs of the test environment lie; uv_build starts one."""
    bins = [Path(sys.executable).parent, *(Path(path) / "bin" for path in sys.path)]
    return os.pathsep.join([*(str(path) for path in bins if path.is_dir()), os.environ.get("PATH", "")])


def workshop(home: Path, ours: Path) -> Workshop:
    """A new environment; `ours` is the unpacked wheel."""
    return _seeing(home, [ours, *_sites()])


def workshop_of_others(home: Path) -> Workshop:
    """A new environment that has everything but this package, which may be installed where the tests run."""
    others = home.parent / "others"
    others.mkdir()
    for path in (path for site in _sites() for path in sorted(site.iterdir())):
        link = others / path.name
        if "mcp_lockstep" not in path.name and path.suffix != ".pth" and not os.path.lexists(link):
            link.symlink_to(path)
    return _seeing(home, [others])


def _sites() -> list[Path]:
    return [Path(path) for path in sys.path if path.endswith(("site-packages", "dist-packages"))]


def _seeing(home: Path, seen: Iterable[Path]) -> Workshop:
    venv.create(home, with_pip=False, symlinks=True)
    (site,) = home.glob("lib/python*/site-packages")
    (site / "seen.pth").write_text("".join(f"{path}\n" for path in seen), encoding="utf-8")
    return Workshop(home / "bin/python")


def unpacked_wheel(root: Path, base: Path) -> tuple[Path, Path]:
    """Our wheel, and the folder that it is unpacked in."""
    copy = base / "checkout"
    ignore = shutil.ignore_patterns(
        ".git",
        ".venv",
        "dist",
        "tests",
        "docs",
        "examples",
        "bench",
        "__pycache__",
        ".*_cache",
        ".hypothesis",
    )
    shutil.copytree(root, copy, ignore=ignore)
    command = (sys.executable, "-m", "build", "-n", "--wheel", "--outdir", str(base / "dist"), str(copy))
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (base / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(base / "ours")
    return wheel, base / "ours"


def members(path: Path) -> dict[str, bytes]:
    """Every file of a wheel, or of an sdist without its first folder. No name stands for two contents."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
            found = [(name, archive.read(name)) for name in names]
    else:
        with tarfile.open(path) as archive:
            inside = [member for member in archive.getmembers() if member.isfile()]
            found = [(m.name.partition("/")[2], _content(archive, m)) for m in inside]
    once = found if path.suffix == ".whl" else set(found)
    assert len({name for name, _ in found}) == len(once), [name for name, _ in found]
    return dict(found)


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    handle = archive.extractfile(member)
    assert handle is not None
    return handle.read()


def inside(path: Path) -> dict[str, object]:
    """The server.json of a wheel or an sdist."""
    found = members(path)
    name = next(n for n in found if n == "server.json" or n.endswith(".dist-info/mcp/server.json"))
    return cast("dict[str, object]", json.loads(found[name]))


def versions(data: Mapping[str, object]) -> set[object]:
    """Every version that a server.json holds."""
    packages = cast("list[dict[str, object]]", data["packages"])
    return {data["version"], *(package["version"] for package in packages)}


def faults_of_record(wheel: Path) -> list[str]:
    """What is wrong with the RECORD of a wheel: a file that it lacks, one too many, a wrong hash or size."""
    found = members(wheel)
    (record,) = [name for name in found if name.endswith(".dist-info/RECORD")]
    rows = list(csv.reader(io.StringIO(found[record].decode())))
    listed = [row[0] for row in rows]
    wrong = [f"not listed: {name}" for name in found if name not in listed]
    wrong += [f"listed {listed.count(name)} times: {name}" for name in set(listed) if listed.count(name) > 1]
    wrong += [f"no such file: {name}" for name in listed if name not in found]
    return wrong + list(_differing(rows, found, record))


def _differing(rows: Iterable[list[str]], found: Mapping[str, bytes], record: str) -> Iterable[str]:
    for name, digest, size in rows:
        if name == record or name not in found:
            continue
        real = base64.urlsafe_b64encode(hashlib.sha256(found[name]).digest()).rstrip(b"=").decode()
        if (digest, size) != (f"sha256={real}", str(len(found[name]))):
            yield f"{name}: {digest} {size}"
