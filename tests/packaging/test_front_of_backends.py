"""Our backend has the hooks of the real one and no others; and a new project builds with the hook it is given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from building import BACKENDS, STRICT, Workshop, every, files, inside, write
from mcp_lockstep.__main__ import main
from mcp_lockstep.hooks.backend import HOOKS

pytestmark = pytest.mark.xdist_group("installs")

ASK = "import json, importlib as i; b = i.import_module({!r}); print(json.dumps([n for n in {!r} if hasattr(b, n)]))"


@every
def test_every_hook_of_the_real_backend_and_none_that_it_lacks(
    name: str, shop: Workshop, tmp_path: Path
) -> None:
    contents = files(BACKENDS[name])
    real = BACKENDS[name].backend
    own = f'[tool.mcp-lockstep]\nbuild-backend = "{real}"\n'
    source = write(tmp_path / "weather", {**contents, "pyproject.toml": own})
    answers = [
        shop.run("-c", ASK.format(module, sorted(HOOKS)), cwd=source)
        for module in ("mcp_lockstep.hooks.backend", real)
    ]
    assert answers[0].stdout == answers[1].stdout, answers[0].stderr
    assert "build_wheel" in json.loads(answers[0].stdout)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("", "no real one is named"),
        ('build-backend = "mcp_lockstep.hooks.backend"\n', "is mcp-lockstep itself"),
        ('build-backend = "nobody.knows"\n', "nobody.knows cannot be imported"),
        ('build-backend = "./_build"\n', "./_build cannot be imported"),
        ('build-backend = "mesonpy"\n', "mesonpy cannot be imported"),
    ],
)
def test_a_backend_that_cannot_be_used_is_one_line(
    config: str, said: str, shop: Workshop, tmp_path: Path
) -> None:
    source = write(tmp_path / "weather", {"pyproject.toml": f"[tool.mcp-lockstep]\n{config}"})
    done = shop.run("-c", "import mcp_lockstep.hooks.backend as b; b.build_wheel('.')", cwd=source)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    where = "2:17" if config else "1:1"
    assert line.startswith(f"mcp-lockstep: pyproject.toml:{where}: error LS6003 build-backend-unusable: ")
    assert said in line


def test_a_backend_that_is_not_installed_yet_is_asked_for(shop: Workshop, tmp_path: Path) -> None:
    source = write(
        tmp_path / "weather", {"pyproject.toml": '[tool.mcp-lockstep]\nbuild-backend = "mesonpy"\n'}
    )
    code = (
        "import mcp_lockstep.hooks.backend as b\n"
        "print(b.get_requires_for_build_wheel(None), hasattr(b, 'build_editable'))"
    )
    assert shop.run("-c", code, cwd=source).stdout == "['meson-python'] True\n"


def test_a_new_project_builds_with_its_hook(
    root: Path, shop: Workshop, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, contract = tmp_path / "made", root / "examples/weather/contract.json"
    words = ["new", str(made), "--from", str(contract), "--name", "io.github.acme/made", "--hook"]
    assert main(words) == 0, capsys.readouterr()
    done = shop.build(made, tmp_path / "dist", "-x", env=STRICT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mcp-lockstep:" not in done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert inside(wheel) == json.loads((made / "server.json").read_text(encoding="utf-8"))
