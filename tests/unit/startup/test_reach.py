"""What surely runs from the console script on, whatever the modules and functions on the way are called."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.adopt.plan import Given, adopt
from mcp_lockstep.adopt.repository import Checkout
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Tree
from weather import PACKAGE, inside, weather_tree

READS = "import os\nK = os.environ['W_TOKEN']\ndef go(): ...\n"
SETTINGS = "from pydantic_settings import BaseSettings\nclass Settings(BaseSettings):\n    w_token: str\n"


def tree(files: dict[str, str], *variables: dict[str, object]) -> Tree:
    declared = {"environmentVariables": list(variables)} if variables else {}
    return weather_tree(inside(files), {**PACKAGE, **declared})


def needed(files: dict[str, str], *variables: dict[str, object]) -> list[str]:
    """What is said about variables, but for the summary of those that are optional: `severity slug name`."""
    found = judge_tree(Project(tree(files, *variables)), only="environment").findings
    return [f"{f.severity} {f.code.slug} {f.want}" for f in found if f.severity != "note"]


WARNED = ["warning environment-needed-undeclared W_TOKEN"]
FORWARDING = [
    pytest.param({"__init__.py": "from .app import go\ndef main(): go()\n", "app.py": READS}, id="function"),
    pytest.param({"__init__.py": "from .app import K\ndef main(): print(K)\n", "app.py": READS}, id="name"),
    pytest.param({"__init__.py": "from .app import go as main\n", "app.py": READS}, id="alias"),
    pytest.param(
        {
            "__init__.py": "from .a import main\n",
            "a.py": "from . import b\ndef main(): b.go()\n",
            "b.py": "from weather.app import go\n",
            "app.py": "import os\ndef go(): os.environ['W_TOKEN']\n",
        },
        id="three-modules",
    ),
]


@pytest.mark.parametrize("files", FORWARDING)
def test_the_way_goes_through_modules_that_only_hand_on(files: dict[str, str]) -> None:
    assert needed(files) == WARNED


def test_a_module_that_reads_by_a_wrapper_of_another_is_read_too() -> None:
    found = judge_tree(Project(tree({"__init__.py": "from .v import T\ndef main(): ...\n"} | WRAPPED)))
    assert [(f.code.slug, f.have) for f in found.findings] == [("environment-undeclared", "W_TOKEN")]


WRAPPED = {
    "v.py": "from .app import need\nT = need('W_TOKEN')\n",
    "app.py": "import os\ndef need(name):\n    return os.environ[name]\n",
}
MAKING = [
    pytest.param("@lru_cache\ndef get(): return Settings()\n", "get()", id="lru-cache"),
    pytest.param("@functools.cache\ndef get(): return Settings()\n", "get()", id="cache"),
    pytest.param(
        "@lru_cache(maxsize=1)\ndef get() -> Settings: return Settings()\n", "get()", id="cache-call"
    ),
    pytest.param("def make(): return Settings()\nget = lru_cache(make)\n", "get()", id="cached-later"),
    pytest.param("get = Settings()\n", "print(get.w_token)", id="instance"),
    pytest.param("class get:\n    own = Settings()\n", "print(get.own)", id="class-attribute"),
    pytest.param(
        "class get:\n    @classmethod\n    def load(cls): return Settings()\n",
        "get.load()",
        id="class-method",
    ),
    pytest.param("class get:\n    def run(self): Settings()\n", "app = get()\n    app.run()", id="method"),
    pytest.param(
        "class get:\n    def __init__(self): self.load()\n    def load(self): Settings()\n",
        "get()",
        id="self",
    ),
]


@pytest.mark.parametrize(("made", "used"), MAKING)
def test_settings_are_made_on_the_way(made: str, used: str) -> None:
    entry = f"from .conf import get\ndef main():\n    {used}\n"
    files = {
        "__init__.py": entry,
        "conf.py": f"{SETTINGS}import functools\nfrom functools import lru_cache\n{made}",
    }
    assert needed(files) == WARNED
    declared: dict[str, object] = {"name": "W_TOKEN", "isRequired": True, "isSecret": True}
    assert needed(files, declared) == []


@pytest.mark.parametrize(
    "entry",
    [
        "def main(): ...\n",
        "def main(x=0):\n    if x:\n        from .app import go\n",
        "try:\n    from .app import go\nexcept KeyError:\n    go = None\ndef main(): ...\n",
        "from .other import go\ndef main(): go()\n",
    ],
    ids=["unused", "conditional", "guarded", "another-module"],
)
def test_nothing_is_said_of_what_need_not_run(entry: str) -> None:
    assert needed({"__init__.py": entry, "app.py": READS, "other.py": "def go(): ...\n"}) == []


def test_a_module_on_the_way_that_does_not_parse_ends_it() -> None:
    assert (
        needed({"__init__.py": "from .a import go\ndef main(): go()\n", "a.py": "from .app import (\n"}) == []
    )


def test_adoption_declares_what_lies_behind_a_forwarding_module() -> None:
    files = {"__init__.py": "from .app import go\ndef main(): go()\n", "app.py": READS}
    (change,) = [c for c in adopt(tree(files), Checkout(), Given()).plan.changes if c.path == "server.json"]
    (package,) = json.loads(change.after or b"")["packages"]
    assert package["environmentVariables"] == [{"name": "W_TOKEN", "isRequired": True, "isSecret": True}]


TYPER = "import typer\nfrom typing import Annotated, Optional\napp = typer.Typer()\n"
TWO = "@app.command()\ndef a(): ...\n@app.command()\ndef b(): ...\n"
RUN = "def main(): app()\n"


@pytest.mark.parametrize(
    "command",
    [
        "@app.command()\ndef run(token: str = typer.Option(..., envvar='W_TOKEN')): ...\n",
        "@app.command()\ndef run(token: str = typer.Option(envvar='W_TOKEN')): ...\n",
        "@app.command()\ndef run(token: Annotated[str, typer.Option(envvar='W_TOKEN')]): ...\n",
        "@app.command()\ndef run(token: Annotated[str, typer.Argument(envvar='W_TOKEN')]): ...\n",
        "@app.command()\ndef run(*, token: Annotated[str, typer.Option('--key', envvar='W_TOKEN')] = ...): ...\n",
        "@app.callback()\ndef all(token: Annotated[str, typer.Option(envvar='W_TOKEN')]): ...\n" + TWO,
    ],
)
def test_options_of_typer_without_a_default_are_required(command: str) -> None:
    assert needed({"__init__.py": TYPER + command + RUN}) == WARNED
    assert needed({"__init__.py": TYPER + command + RUN.replace("main", "run_it") + "main = app\n"}) == WARNED


@pytest.mark.parametrize(
    "command",
    [
        "@app.command()\ndef run(token: str = typer.Option('x', envvar='W_TOKEN')): ...\n",
        "@app.command()\ndef run(token: str = typer.Option(None, envvar='W_TOKEN')): ...\n",
        "@app.command()\ndef run(token: Annotated[str, typer.Option(envvar='W_TOKEN')] = 'x'): ...\n",
        "@app.command()\ndef run(token: Annotated[Optional[str], typer.Option(envvar='W_TOKEN')]): ...\n",
        "@app.command()\ndef run(token: Annotated[str, typer.Option(prompt=True, envvar='W_TOKEN')]): ...\n",
        TWO.replace("a()", "a(token: Annotated[str, typer.Option(envvar='W_TOKEN')])"),
    ],
)
def test_options_of_typer_that_may_be_left_out(command: str) -> None:
    assert needed({"__init__.py": TYPER + command + RUN}) == []


ALIASES = """\
from pydantic import AliasChoices, Field
from pydantic_settings import BaseSettings
class S(BaseSettings):
    key: str = Field(validation_alias=AliasChoices("A_ONE", "A_TWO"))
def main(): S()
"""
ONE_OF_TWO = """\
import click
@click.command()
@click.option("--key", envvar=["A_ONE", "A_TWO"], required=True)
def main(key): ...
"""


@pytest.mark.parametrize("code", [ALIASES, ONE_OF_TWO], ids=["pydantic", "click"])
def test_one_of_several_names_is_enough(code: str) -> None:
    assert needed({"__init__.py": code}) == ["warning environment-needed-undeclared A_ONE"]
    for name in ("A_ONE", "A_TWO"):
        own = tree({"__init__.py": code}, {"name": name, "isRequired": True})
        assert judge_tree(Project(own), only="environment").findings == ()
    optional: list[dict[str, object]] = [{"name": "A_ONE"}, {"name": "A_TWO"}]
    assert needed({"__init__.py": code}, *optional) == []
    assert needed({"__init__.py": code}, optional[1]) == ["warning environment-needed-optional true"]


def test_the_other_name_of_an_optional_variable_is_no_news() -> None:
    code = ALIASES.replace('"A_TWO"))', '"A_TWO"), default="x")')
    own = tree({"__init__.py": code}, {"name": "A_TWO"})
    assert judge_tree(Project(own), only="environment").findings == ()
