"""Where the generated code of a project with a contract goes: into its package, wherever that lies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mcp_lockstep

PYPROJECT = (
    '[project]\nname = "weather-x"\nversion = "1"\n'
    '[tool.mcp-lockstep]\nname = "io.github.acme/weather-x"\ncontract = "contract.json"\n'
)
TOLD = '[tool.hatch.build.targets.wheel]\npackages = ["python/weather"]\n'
CONTRACT = {"tools": [{"name": "go", "inputSchema": {"type": "object"}}]}


def project(root: Path, package: str, more: str = "") -> Path:
    files = {"pyproject.toml": PYPROJECT + more, "contract.json": json.dumps(CONTRACT)}
    if package:
        files[f"{package}/__init__.py"] = ""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("package", "more", "imported"),
    [
        ("src/weather", "", "weather"),
        ("weather", "", "weather"),
        ("Weather", "", "Weather"),
        ("src/acme/weather", "", "acme.weather"),
        ("python/weather", TOLD, "weather"),
    ],
)
def test_it_goes_into_the_package_that_is_there(
    package: str, more: str, imported: str, tmp_path: Path
) -> None:
    root = project(tmp_path, package, more)
    written = [change.path for change in mcp_lockstep.sync(root).plan.changes]
    assert f"{package}/_generated/stubs.py" in written
    assert [path for path in written if path.endswith(".py") and not path.startswith(f"{package}/")] == []
    stubs = (root / package / "_generated/stubs.py").read_text(encoding="utf-8")
    assert f"from {imported}._generated.checks import stub\n" in stubs
    assert mcp_lockstep.sync(root).plan.changes == ()
    assert mcp_lockstep.check(root) == ()


@pytest.mark.parametrize(("package", "named"), [("", "no package"), ("src/my-weather", "src/my-weather")])
def test_a_project_without_a_package_is_refused(package: str, named: str, tmp_path: Path) -> None:
    root = project(tmp_path, package)
    (finding,) = mcp_lockstep.check(root)
    assert mcp_lockstep.sync(root).left == (finding,)
    assert (finding.code.slug, str(finding.place)) == (
        "package-missing",
        "pyproject.toml:tool.mcp-lockstep.contract",
    )
    assert finding.message.startswith(f"there is a contract, and {named}")
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
        "contract.json",
        "pyproject.toml",
    ]
