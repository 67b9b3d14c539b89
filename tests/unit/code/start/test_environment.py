"""The environment variables that code reads, idiom by idiom, and those without which it ends at once."""

from __future__ import annotations

import pytest

from mcp_lockstep.code.module import Module
from mcp_lockstep.code.observe import observe
from mcp_lockstep.code.start.environment import Environment, ending, read_environment

IMPORTS = "import os\nimport sys\nfrom contextlib import suppress\n"


def observed(**files: str) -> list[Module]:
    """Modules of the package `w`; `__` in a name is a folder."""
    return [observe(f"src/w/{name.replace('__', '/')}.py", text.encode()) for name, text in files.items()]


def environment(text: str) -> Environment:
    return read_environment(observed(server=text))


def read(text: str) -> list[tuple[str, str, str | None]]:
    return [(read.name, read.need, read.default) for read in environment(IMPORTS + text).reads]


def ended(entry: str = "w.server:main", **files: str) -> set[str]:
    modules = observed(**files)
    return {read.name for read in ending(modules, read_environment(modules).reads, [entry])}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('x = os.environ["A"]', ("A", "needed", None)),
        ('x = os.environ.pop("A")', ("A", "needed", None)),
        ('x = os.environ.get("A")', ("A", "optional", None)),
        ('x = os.environ.get("A", "b")', ("A", "optional", "b")),
        ('x = os.getenv("A", 3)', ("A", "optional", "3")),
        ('x = os.getenv(key="A", default="b")', ("A", "optional", "b")),
        ('x = os.getenv("A") or "b"', ("A", "optional", "b")),
        ('x = os.environ["A"] if sys.argv else ""', ("A", "optional", None)),
        ('x = sys.argv and os.environ["A"]', ("A", "optional", None)),
        ('x = lambda: os.environ["A"]', ("A", "optional", None)),
        ('N = "A"\nx = os.environ[N]', ("A", "needed", None)),
        ('env = os.environ\nx = env["A"]', ("A", "needed", None)),
        ('try:\n    x = os.environ["A"]\nexcept KeyError:\n    x = ""', ("A", "optional", None)),
        ('try:\n    x = os.environ["A"]\nexcept KeyError:\n    sys.exit("A?")', ("A", "needed", None)),
        ('with suppress(KeyError):\n    x = os.environ["A"]', ("A", "optional", None)),
        ('os.environ["A"] = "b"\nx = os.environ["A"]', ("A", "optional", None)),
        ('os.environ.update({"A": "b"})\nx = os.environ["A"]', ("A", "optional", None)),
        ('os.environ.update({"B": "b"}, C="c")\nx = os.environ["A"]', ("A", "needed", None)),
        ('os.environ.update(A="b")\nx = os.environ["A"]', ("A", "optional", None)),
        ('os.environ.update(load())\nx = os.environ["A"]', ("A", "optional", None)),
        ('os.environ.update({**load()})\nx = os.environ["A"]', ("A", "optional", None)),
        ('os.environ |= load()\nx = os.environ["A"]', ("A", "optional", None)),
        ('x = os.getenv("A")\nif not x:\n    raise SystemExit', ("A", "needed", None)),
        ('x = os.getenv("A", "").strip()\nif not x:\n    raise SystemExit', ("A", "needed", None)),
        ('if not (x := os.getenv("A")):\n    sys.exit(1)', ("A", "needed", None)),
        ('if "A" not in os.environ:\n    raise SystemExit', ("A", "needed", None)),
        ('x = os.getenv("A", "b")\nif not x:\n    raise SystemExit', ("A", "optional", "b")),
        ('x = os.getenv("A")\nif x is None:\n    print()', ("A", "optional", None)),
        ('x = os.getenv("A", y)\nif not x:\n    raise SystemExit', ("A", "optional", None)),
        ('x = os.getenv("A") or y\nif not x:\n    raise SystemExit', ("A", "optional", None)),
        ('x = os.getenv("A")\nif z:\n    x = z\nif not x:\n    raise SystemExit', ("A", "optional", None)),
    ],
)
def test_reads_through_os(text: str, expected: tuple[str, str, str | None]) -> None:
    assert read(text) == [expected]


def test_a_guarded_subscript_is_two_reads_that_nothing_needs() -> None:
    text = 'if "A" in os.environ:\n    x = os.environ["A"]'
    assert {need for _, need, _ in read(text)} == {"optional"}


@pytest.mark.parametrize(
    "text",
    [
        'from os import environ\nx = environ["A"]',
        'from os import environ as e\nx = e["A"]',
        'from os import getenv\nx = getenv("A")',
        'import os as o\nx = o.getenv("A")',
        'def f():\n    import os\n    return os.environ["A"]',
    ],
)
def test_reads_under_other_names(text: str) -> None:
    found = environment(text)
    assert ([read.name for read in found.reads], found.unknown) == (["A"], ())


@pytest.mark.parametrize(
    "text",
    [
        "def f(n):\n    return os.environ[n]",
        "x = dict(os.environ)",
        "x = {**os.environ}",
        "x = os.environ.copy()",
        "for n in os.environ: print(n)",
        "f(env=os.environ)",
        'x = os.getenv(f"A_{sys.argv[1]}")',
        "env = os.environ\nf(env)",
        "import subprocess  # mcp",
        "from decouple import config\nos.environ",
        "def f(:\n os.environ",
    ],
)
def test_what_may_read_any_name(text: str) -> None:
    assert environment(IMPORTS + text).unknown


def test_the_start_of_a_computed_name_is_known() -> None:
    found = environment(IMPORTS + 'x = os.getenv(f"A_{sys.argv[1]}")')
    assert found.is_read("A_B")
    assert not found.is_read("B_A")


def test_a_function_that_reads_what_it_is_told() -> None:
    helper = "import os\ndef env(name, default=None):\n    return os.environ.get(name, default)\n"
    found = read_environment(
        observed(helper=helper, server='from .helper import env\nT = env("TOKEN")  # tool')
    )
    assert [(read.name, read.path) for read in found.reads] == [("TOKEN", "src/w/server.py")]


SETTINGS = """\
from typing import Annotated, ClassVar
from pydantic import AliasChoices, Field
from pydantic_settings import BaseSettings, SettingsConfigDict

class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="W_", env_nested_delimiter="__")
    kind: ClassVar[int] = 1
    api_key: str
    days: int = 3
    must: int = Field(..., gt=1)
    place: str = Field("x", alias="PLACE")
    either: str = Field(default="", validation_alias=AliasChoices("one", "TWO"))
    both: Annotated[str, Field(alias="BOTH")]
    none: str | None
    nested: Inner
    made: list[str] = Field(default_factory=list)
"""


def test_settings_classes() -> None:
    found = environment(SETTINGS)
    assert [(read.name, read.need, read.default) for read in found.reads] == [
        ("W_API_KEY", "needed", None),
        ("W_DAYS", "optional", "3"),
        ("W_MUST", "needed", None),
        ("PLACE", "optional", "x"),
        ("ONE", "optional", None),
        ("TWO", "optional", None),
        ("BOTH", "optional", None),
        ("W_NONE", "optional", None),
        ("W_NESTED", "optional", None),
        ("W_MADE", "optional", None),
    ]
    assert not found.unknown
    assert found.is_read("W_API_KEY__INNER")


def test_settings_inherit_fields_and_configuration() -> None:
    base = "from pydantic_settings import BaseSettings\nclass Base(BaseSettings):\n    a: str\n"
    base += '    class Config:\n        env_prefix = "B_"\n'
    below = "from .base import Base\nclass Mine(Base):  # server\n    b: str\n"
    found = read_environment(observed(base=base, below=below))
    assert {read.name for read in found.reads} == {"B_A", "B_B"}


@pytest.mark.parametrize(
    "line",
    [
        'model_config = {"env_prefix": P}',
        'a: str = Field(alias=P + "x")',
        "a: str = Field(validation_alias=P)",
    ],
)
def test_settings_with_computed_names(line: str) -> None:
    assert environment(
        f"from pydantic_settings import BaseSettings\nclass S(BaseSettings):\n    {line}\n"
    ).unknown


def test_options_that_a_variable_answers() -> None:
    text = """\
import click, typer
@click.command(context_settings={"auto_envvar_prefix": "AUTO"})
@click.option("--token", envvar="TOKEN", required=True)
@click.option("--days", envvar=["DAYS", "D"], default=3)
def main(token, days): ...
def other(key: str = typer.Option("x", envvar="KEY")): ...
"""
    found = environment(text)
    assert {(read.name, read.need, read.default, read.flags) for read in found.reads} == {
        ("TOKEN", "needed", None, ("--token",)),
        ("DAYS", "optional", "3", ("--days",)),
        ("D", "optional", "3", ("--days",)),
        ("KEY", "optional", None, ("--key",)),
    }
    assert found.is_read("AUTO_X")
    assert ended(server=text) == {"TOKEN"}


MAIN = "from w.settings import load\ndef main():\n    load()  # server\n"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ('import os\nA = os.environ["A"]\ndef load(): ...', {"A"}),
        ('import os\ndef load():\n    return os.environ["A"]', {"A"}),
        ('import os\ndef load():\n    return make()\ndef make():\n    return os.environ["A"]', {"A"}),
        ('import os\ndef load(): ...\ndef make():\n    return os.environ["A"]', set[str]()),
        ('import os\ndef load():\n    if x:\n        return 1\n    return os.environ["A"]', set[str]()),
        ('import os\nA = os.getenv("A")\ndef load():\n    if not A:\n        raise ValueError', {"A"}),
        (
            'import os\nA = os.getenv("A")\ndef load(): ...\ndef f():\n    if not A:\n        raise E',
            set[str](),
        ),
        ('import os\nif __name__ == "__main__":\n    os.environ["A"]\ndef load(): ...', set[str]()),
        (f"{SETTINGS}def load():\n    return Settings()", {"W_API_KEY", "W_MUST"}),
        (f"{SETTINGS}def load():\n    return Settings(api_key=1)", set[str]()),
        (f"{SETTINGS}def load(): ...", set[str]()),
        (
            'import os\nclass C:\n    def __init__(self):\n        os.environ["A"]\ndef load():\n    C(x=1)',
            {"A"},
        ),
    ],
)
def test_what_ends_the_program_at_its_start(settings: str, expected: set[str]) -> None:
    assert ended(server=MAIN, settings=settings) == expected


def test_a_caller_that_catches_goes_on() -> None:
    server = "from w.settings import load\ndef main():\n    try:\n        load()\n    except Exception:\n        pass\n"
    assert ended(server=server, settings='import os\ndef load():\n    os.environ["A"]') == set()


@pytest.mark.parametrize("line", ["asyncio.run(serve())", "anyio.run(serve)"])
def test_a_function_that_a_loop_runs(line: str) -> None:
    text = f'import os, asyncio, anyio\nasync def serve():\n    os.environ["A"]\ndef main():\n    {line}\n'
    assert ended(server=text) == {"A"}


def test_a_tool_is_not_run_at_the_start() -> None:
    text = 'import os\n@mcp.tool()\ndef look():\n    return os.environ["A"]\ndef main():\n    mcp.run()\n'
    assert ended(server=text) == set()


def test_an_import_for_an_extra_is_not_followed() -> None:
    server = (
        "try:\n    from w import extra  # server\nexcept ImportError:\n    extra = None\ndef main(): ...\n"
    )
    assert ended(server=server, extra='import os\nA = os.environ["A"]') == set()


def test_our_own_settings_end_the_program() -> None:
    text = """\
import dataclasses, os
@dataclasses.dataclass(frozen=True, kw_only=True)
class Environment:
    token: str = dataclasses.field(default_factory=lambda: os.environ["A"])
    days: str = dataclasses.field(default_factory=lambda: os.environ.get("B", "3"))
def load():
    try:
        return Environment()
    except KeyError as error:
        raise SystemExit(f"{error} is not set") from None
"""
    assert ended(server=MAIN, settings=text) == {"A"}


def test_hostile_code_is_read_or_said_to_be_unreadable() -> None:
    deep = f"import os\nx = {'-' * 900}os.environ['A']\n"
    for text in (deep, 'import os\nos.environ["A\\n\\u202e"]', "os.environ\0"):
        found = environment(text)
        assert found.reads or found.unknown


@pytest.mark.parametrize(
    ("head", "body", "call"),
    [
        ("(BaseSettings)", "model_config = SettingsConfigDict(cli_parse_args=True)", "S()"),
        ("(BaseSettings)", 'model_config = {"cli_parse_args": True}', "S()"),
        ("(BaseSettings, cli_parse_args=True)", "", "S()"),
        ("(BaseSettings)", "", "S(_cli_parse_args=True)"),
        ("(BaseSettings)", "", "CliApp.run(S)"),
        (
            "(BaseSettings)",
            "@classmethod\n    def settings_customise_sources(cls, *a, **k): return (Toml(cls),)",
            "S()",
        ),
    ],
)
def test_settings_that_come_from_elsewhere_need_no_variable(head: str, body: str, call: str) -> None:
    start = "from pydantic_settings import BaseSettings, SettingsConfigDict\n"
    text = f"{start}class S{head}:\n    url: str\n    {body}\ndef main():\n    {call}\n"
    assert ended(server=text) == set()


def test_settings_that_read_no_command_line_need_their_variables() -> None:
    start = "from pydantic_settings import BaseSettings, SettingsConfigDict\n"
    body = "url: str\n    model_config = SettingsConfigDict(cli_parse_args=False)"
    assert ended(server=f"{start}class S(BaseSettings):\n    {body}\ndef main():\n    S()\n") == {"URL"}
