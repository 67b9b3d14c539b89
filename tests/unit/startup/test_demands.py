"""Arguments that a program ends without: told where clients do not pass them, and never on a sound program."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.adopt.plan import Given, adopt
from mcp_lockstep.adopt.repository import Checkout
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.pipeline.sync import prepare
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Tree
from weather import NAME, PACKAGE, inside, weather_tree

Json = dict[str, object]


def tree(
    code: str, *arguments: Json, files: dict[str, str] | None = None, package: Json | None = None
) -> Tree:
    passed: Json = {"packageArguments": list(arguments)} if arguments else {}
    return weather_tree(inside({"__init__.py": code, **(files or {})}), {**(package or PACKAGE), **passed})


def demanded(code: str, *arguments: Json, files: dict[str, str] | None = None) -> list[str]:
    """What is said of arguments: `severity slug want`."""
    found = judge_tree(Project(tree(code, *arguments, files=files)), only="arguments").findings
    return [f"{f.severity} {f.code.slug} {f.want}" for f in found]


def parsing(*lines: str, run: str = "p.parse_args()") -> str:
    """A program of argparse."""
    told = "".join(f"    {line}\n" for line in lines)
    return f"import argparse\ndef main(argv=None):\n    p = argparse.ArgumentParser()\n{told}    {run}\n"


GO = parsing("p.add_argument('path')", run="p.parse_args(argv)").replace("def main", "def go")
"""A function that parses what it is given."""


def warned(*names: str) -> list[str]:
    return [f"warning argument-needed-undeclared {name}" for name in names]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        (parsing("p.add_argument('path')"), ["<path>"]),
        (parsing("p.add_argument('path')", run="p.parse_args(argv)"), ["<path>"]),
        (parsing("p.add_argument('path')", run="p.parse_args(argv, argparse.Namespace())"), ["<path>"]),
        (GO + "def main(argv=None): go(argv)\n", ["<path>"]),
        (GO + "def main(): go(None)\n", ["<path>"]),
        (parsing("p.add_argument('--token', required=True)"), ["--token"]),
        (parsing("p.add_argument('-t', '--token', required=True, default='x')"), ["--token"]),
        (
            parsing("p.add_argument('-t', required=True)", "p.add_argument('files', nargs='+')"),
            ["-t", "<files>"],
        ),
        (parsing("g = p.add_argument_group('g')", "g.add_argument('--a', required=True)"), ["--a"]),
        (
            "import argparse\np = argparse.ArgumentParser()\np.add_argument('a')\ndef main(): p.parse_args()\n",
            ["<a>"],
        ),
        (
            (
                "import argparse\ndef make():\n    p = argparse.ArgumentParser()\n    p.add_argument('a')\n"
                "    return p\ndef main(): args = make().parse_args()\n"
            ),
            ["<a>"],
        ),
    ],
)
def test_argparse_demands(code: str, names: list[str]) -> None:
    assert demanded(code) == warned(*names)


@pytest.mark.parametrize(
    "code",
    [
        parsing("p.add_argument('path', nargs='?')"),
        parsing("p.add_argument('path', nargs='*')"),
        parsing("p.add_argument('path', nargs=argparse.REMAINDER)"),
        parsing("p.add_argument('path', nargs=MANY)"),
        parsing("p.add_argument('--port', type=int, default=8000)"),
        parsing("p.add_argument('--port', required=REQUIRED)"),
        parsing("p.add_argument('--port', **more)"),
        parsing("p.add_argument('--loud', action='store_true')"),
        parsing("p.add_argument('--url', action=EnvDefault, envvar='WEATHER_URL', required=True)"),
        parsing("p.add_argument('path', action=OrVariable)"),
        parsing("p.add_argument('path')", run="p.parse_known_args()"),
        parsing("p.add_argument('path')", run="p.parse_args([])"),
        parsing("p.add_argument('path')", run="p.parse_args(['x'])"),
        GO + "def main(): go(['x'])\n",
        GO + "def main(argv=None): go(argv or ['x'])\n",
        GO + "def main(): go(argv=['x'])\n",
        parsing("p.add_argument('path')", run="return p"),
        parsing("p.add_argument('path')", run="if argv: p.parse_args()"),
        parsing("if argv: p.add_argument('path')"),
        parsing("for name in ('a', 'b'): p.add_argument(name)"),
        parsing(
            "g = p.add_mutually_exclusive_group(required=True)",
            "g.add_argument('--a')",
            "g.add_argument('--b')",
        ),
        parsing(
            "s = p.add_subparsers()", "a = s.add_parser('a')", "a.add_argument('path')", "p.set_defaults(f=a)"
        ),
        parsing("import sys", "print(sys.argv)", "p.add_argument('path')"),
        parsing("p.add_argument('path')").replace("def main", "def other") + "def main(): ...\n",
        parsing("p.add_argument('path')", run="try: p.parse_args()\n    except SystemExit: pass"),
        parsing("p.add_argument('path')").replace("ArgumentParser()", "ArgumentParser(exit_on_error=False)"),
    ],
)
def test_argparse_that_can_do_without(code: str) -> None:
    assert demanded(code) == []


CLICK = "import click\n@click.command()\n"
TYPER = "import typer\nfrom typing import Annotated, Optional\napp = typer.Typer()\n"
APP = "def main(): app()\n"


@pytest.mark.parametrize(
    ("code", "names"),
    [
        (f"{CLICK}@click.argument('path')\ndef main(path): ...\n", ["<path>"]),
        (f"{CLICK}@click.option('-t', '--token', required=True)\ndef main(token): ...\n", ["--token"]),
        (
            (
                "import click\n@click.group()\n@click.option('--key', required=True)\ndef main(key): ...\n"
                "@main.command()\n@click.argument('path')\ndef serve(path): ...\n"
            ),
            ["--key"],
        ),
        (f"{TYPER}@app.command()\ndef run(path: str, days: int = 3): ...\n{APP}", ["<path>"]),
        (f"{TYPER}@app.command()\ndef run(path: str = typer.Argument(...)): ...\n{APP}", ["<path>"]),
        (f"{TYPER}@app.command()\ndef run(api_key: str = typer.Option(...)): ...\n{APP}", ["--api-key"]),
        (
            f"{TYPER}@app.command()\ndef run(k: Annotated[str, typer.Option('--key', '-k')]): ...\n{APP}",
            ["--key"],
        ),
        (f"{TYPER}def run(ctx: typer.Context, path: str): ...\ndef main(): typer.run(run)\n", ["<path>"]),
        (
            f"{TYPER}@app.command()\ndef run(k: Annotated[str, typer.Option('-k', help='None: ask')]): ...\n{APP}",
            ["-k"],
        ),
        (f"{TYPER}@app.command()\ndef run(kind: NoneOrOther): ...\n{APP}", ["<kind>"]),
        (
            f"{TYPER}@app.command()\ndef run(path: str): ...\ndef main(): app(standalone_mode=False)\n",
            ["<path>"],
        ),
        (
            f"{CLICK}@click.argument('path')\ndef cli(path): ...\ndef main(argv=None): cli(argv, obj={{}})\n",
            ["<path>"],
        ),
    ],
)
def test_click_and_typer_demand(code: str, names: list[str]) -> None:
    assert demanded(code) == warned(*names)


@pytest.mark.parametrize(
    "code",
    [
        f"{CLICK}@click.argument('path', required=False)\ndef main(path): ...\n",
        f"{CLICK}@click.argument('path', default='.')\ndef main(path): ...\n",
        f"{CLICK}@click.argument('paths', nargs=-1)\ndef main(paths): ...\n",
        f"{CLICK}@click.option('--key', prompt=True, required=True)\ndef main(key): ...\n",
        f"{CLICK}@click.option('--key', envvar='KEY', required=True)\ndef main(key): ...\n",
        f"from ours import option\n{CLICK}@option('--key', required=True)\ndef main(key): ...\n",
        f"{CLICK}@click.option('--key')\n@click.option('--n', default=1)\ndef main(key, n): ...\n",
        f"{CLICK}@click.argument('path')\ndef cli(path): ...\ndef main(): cli(['x'])\n",
        f"{CLICK}@click.argument('path')\ndef cli(path): ...\ndef main(): cli.main(args=['x'])\n",
        f"{CLICK}@click.argument('path')\ndef cli(path): ...\ndef main(): cli(auto_envvar_prefix='W')\n",
        "import click\n@click.group()\ndef main(): ...\n@main.command()\n@click.argument('p')\ndef a(p): ...\n",
        f"{TYPER}@app.command()\ndef run(path: str = '.', key: Optional[str] = None): ...\n{APP}",
        f"{TYPER}@app.command()\ndef run(path: Optional[str], key: 'str | None'): ...\n{APP}",
        f"{TYPER}@app.command()\ndef run(k: Annotated['str | None', typer.Option('--key')]): ...\n{APP}",
        f"{TYPER}@app.command()\ndef run(path: str, *paths: str): ...\n{APP}",
        f"{TYPER}@app.command()\ndef run(path: str, **options: str): ...\n{APP}",
        f"{TYPER}@app.command()\ndef run(path: Annotated[str, typer.Argument()] = '.'): ...\n{APP}",
        f"{TYPER}@app.command()\ndef run(a: str = 'a', /, b: str = 'b', c: str = 'c', d: str = 'd'): ...\n{APP}",
        f"{TYPER}@app.command()\ndef a(path: str): ...\n@app.command()\ndef b(): ...\n{APP}",
        f"{TYPER}@app.command()\ndef run(path: str): ...\ndef main(): app(['x'])\n",
    ],
)
def test_click_and_typer_that_can_do_without(code: str) -> None:
    assert demanded(code) == []


def test_a_module_that_says_nothing_of_parsers_may_run_them() -> None:
    code = f"{TYPER}@app.command()\ndef run(path: str): ...\n{APP}"
    assert demanded(code, files={"start.py": "from weather import app\napp()\n"}) == warned("<path>")
    assert demanded(code, files={"start.py": "from weather import app\napp(['x'])\n"}) == []


BOTH = parsing("p.add_argument('--api-token', required=True)", "p.add_argument('path')")
NAMED: Json = {"type": "named", "name": "--api-token", "isRequired": True, "isSecret": True}
POSITIONAL: Json = {"type": "positional", "valueHint": "path", "isRequired": True}


def test_what_is_passed_is_not_missed() -> None:
    assert demanded(BOTH, NAMED, POSITIONAL) == []
    assert demanded(BOTH, NAMED) == warned("<path>")
    assert demanded(BOTH, POSITIONAL) == warned("--api-token")
    assert demanded(BOTH, {"type": "named", "name": "--api-tok", "value": "x"}, POSITIONAL) == []
    assert demanded(BOTH, {"type": "positional", "value": "--api-token=x"}) == []
    assert demanded(BOTH, NAMED, {"type": "positional", "value": "."}) == []


def test_what_may_be_passed_many_times_may_be_all() -> None:
    two = parsing("p.add_argument('path')", "p.add_argument('city')")
    assert demanded(two, POSITIONAL) == warned("<city>")
    assert demanded(two, {**POSITIONAL, "isRepeated": True}) == []
    assert demanded(two, {"type": "positional", "value": "--path=x"}) == []


def test_a_misspelt_flag_is_one_finding_and_no_second_argument() -> None:
    misspelt: Json = {"type": "named", "name": "--api-tokem", "isRequired": True}
    assert demanded(BOTH, misspelt, POSITIONAL) == ["error argument-unknown --api-token"]
    assert prepare(tree(BOTH, misspelt, POSITIONAL)).plan.changes == ()


def test_an_argument_that_is_left_to_the_user() -> None:
    (finding,) = judge_tree(
        Project(tree(BOTH, {"type": "named", "name": "--api-token", "isSecret": True}, POSITIONAL)),
        only="arguments",
    ).findings
    assert (finding.severity, finding.code.id, finding.want) == ("warning", "LS1083", "true")
    assert str(finding.place) == "server.json#/packages/0/packageArguments/0"
    assert finding.message == (
        "--api-token is left to the user, and the program ends at its start without it (src/weather/__init__.py:4)"
    )


def test_the_finding_stands_where_the_program_says_so() -> None:
    (finding,) = judge_tree(Project(tree(parsing("p.add_argument('path')")))).findings
    assert (finding.code.id, str(finding.place)) == ("LS1082", "src/weather/__init__.py::<path>")
    assert (finding.position.line, finding.position.column, finding.fixable) == (4, 5, True)


@pytest.mark.parametrize("variables", [[], [{"name": "Z", "isRequired": False}]])
def test_sync_passes_what_is_needed_once(variables: list[Json]) -> None:
    code = f"import os\nK = os.environ['K']\nZ = os.getenv('Z')\n{BOTH}"
    package = {**PACKAGE, "environmentVariables": variables} if variables else PACKAGE
    before = tree(code, package=package)
    (change,) = prepare(before).plan.changes
    (after,) = json.loads(change.after or b"")["packages"]
    assert after["packageArguments"] == [NAMED, POSITIONAL]
    assert after["environmentVariables"] == [*variables, {"name": "K", "isRequired": True}]
    synced = before.over({"server.json": change.after})
    assert prepare(synced).plan.changes == ()
    assert [f for f in judge_tree(Project(synced)).findings if f.severity != "note"] == []


def test_the_first_revision_spells_the_keys_its_own_way() -> None:
    former: Json = {"registry_type": "pypi", "identifier": "weather", "version": "1.0.0"}
    (change,) = prepare(tree(BOTH, package=former)).plan.changes
    (after,) = json.loads(change.after or b"")["packages"]
    assert after["package_arguments"] == [
        {"type": "named", "name": "--api-token", "is_required": True, "is_secret": True},
        {"type": "positional", "value_hint": "path", "is_required": True},
    ]


def test_adoption_proposes_what_is_required_without_a_value() -> None:
    bare = tree(BOTH).over({"server.json": None})
    adoption = adopt(bare, Checkout(), Given(name=NAME))
    (made,) = [change for change in adoption.plan.changes if change.path == "server.json"]
    (package,) = json.loads(made.after or b"")["packages"]
    assert package["packageArguments"] == [NAMED, POSITIONAL]
    assert adoption.plan.findings == ()


def test_the_way_leads_through_modules_that_only_hand_on() -> None:
    files = {"cli.py": BOTH}
    assert demanded("from .cli import main\n", files=files) == warned("--api-token", "<path>")
