"""What is read as a package's description is what its backend makes the description of."""

from __future__ import annotations

from pathlib import Path

import pytest

from building import Workshop, write
from mcp_lockstep.facts.description import read_description
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Disk, Tree

pytestmark = pytest.mark.xdist_group("packaging")

TEXTS = {
    "README.md": "ALPHA\n",
    "README.rst": "BETA\n=====\n",
    "docs/more.md": "GAMMA\n",
    "weather/__init__.py": '"""Forecasts."""\n__version__ = "1"\n',
}
HEAD = '[project]\nname = "weather"\nversion = "1"\ndescription = "Forecasts."\n'
HATCH, SETUPTOOLS = "hatchling.build", "setuptools.build_meta"
POETRY, FLIT, PDM = "poetry.core.masonry.api", "flit_core.buildapi", "pdm.backend"
OLD_POETRY = '[tool.poetry]\nname = "weather"\nversion = "1"\ndescription = "F"\nauthors = ["A <a@x.dev>"]\n'
MANY = (
    "[tool.setuptools.dynamic]\n"
    'readme = { file = ["README.md", "docs/more.md"], content-type = "text/markdown" }\n'
)
CFG = "[metadata]\nname = weather\nversion = 1\n"
CALL = "from pathlib import Path\nfrom setuptools import setup\n{}setup(name='weather', version='1'{})\n"


@pytest.mark.parametrize(
    ("backend", "pyproject", "more"),
    [
        *((backend, HEAD, {}) for backend in (HATCH, SETUPTOOLS, POETRY, FLIT, PDM)),
        *(
            (backend, f'{HEAD}readme = "README.md"\n', {})
            for backend in (HATCH, SETUPTOOLS, POETRY, FLIT, PDM)
        ),
        (HATCH, f'{HEAD}readme = {{ file = "README.rst", content-type = "text/x-rst" }}\n', {}),
        (FLIT, f'{HEAD}readme = {{ text = "DELTA", content-type = "text/plain" }}\n', {}),
        (SETUPTOOLS, f'{HEAD}dynamic = ["readme"]\n{MANY}', {}),
        (
            SETUPTOOLS,
            f'{HEAD}dynamic = ["readme"]\n',
            {"setup.py": CALL.format("", ", long_description=open('README.rst').read()")},
        ),
        (SETUPTOOLS, "", {"setup.cfg": f"{CFG}long_description = file: README.md, docs/more.md\n"}),
        (SETUPTOOLS, "", {"setup.cfg": f"{CFG}long_description = DELTA\n"}),
        (SETUPTOOLS, "", {"setup.cfg": CFG}),
        (SETUPTOOLS, "", {"setup.py": CALL.format("", "")}),
        (SETUPTOOLS, "", {"setup.py": CALL.format("", ", long_description=open('README.rst').read()")}),
        (
            SETUPTOOLS,
            "",
            {
                "setup.py": CALL.format(
                    "with open(Path(__file__).parent / 'docs/more.md') as handle:\n    text = handle.read()\n",
                    ", long_description=text",
                )
            },
        ),
        (POETRY, f'{OLD_POETRY}readme = ["README.md", "docs/more.md"]\n', {}),
        (POETRY, f'{OLD_POETRY}readme = "README.rst"\n', {}),
        (POETRY, OLD_POETRY, {}),
        (POETRY, f'{HEAD}dynamic = ["readme"]\n[tool.poetry]\nreadme = ["README.md", "docs/more.md"]\n', {}),
    ],
)
def test_the_description_is_made_of_these_files(
    shop: Workshop, tmp_path: Path, backend: str, pyproject: str, more: dict[str, str]
) -> None:
    system = f'[build-system]\nrequires = []\nbuild-backend = "{backend}"\n{pyproject}'
    source = write(tmp_path / "project", {**TEXTS, "pyproject.toml": system, **more})
    description = read_description(Project(Tree(Disk(str(source)))))
    done = shop.hook(source, tmp_path / "wheel", "build_wheel")
    assert done.returncode == 0, done.stderr
    code = (
        "import sys, zipfile, email; a, = sys.argv[1:]; z = zipfile.ZipFile(a); "
        "n, = [n for n in z.namelist() if n.endswith('.dist-info/METADATA')]; "
        "m = email.message_from_bytes(z.read(n)); print(m['Description'] or '', m.get_payload())"
    )
    (wheel,) = (tmp_path / "wheel").glob("*.whl")
    built = shop.run("-c", code, wheel, cwd=tmp_path).stdout
    words = {"ALPHA": "README.md", "BETA": "README.rst", "GAMMA": "docs/more.md"}
    assert {file for word, file in words.items() if word in built} == set(description.files)
    assert ("DELTA" in built) == ("DELTA" in description.text)
    assert description.known
