"""A project that this tool makes reads what its server.json declares, and shows it."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from mcp_lockstep.cli import run

MANIFEST = {
    "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    "name": "io.github.acme/weather",
    "description": "Tells the weather.",
    "version": "0.1.0",
    "packages": [
        {
            "registryType": "pypi",
            "identifier": "weather",
            "version": "0.1.0",
            "transport": {"type": "stdio"},
            "environmentVariables": [
                {"name": "WEATHER_TOKEN", "isRequired": True, "isSecret": True},
                {"name": "MODE", "default": "Fast"},
                {"name": "FLAG", "format": "boolean"},
                {"name": "COUNT", "format": "number"},
            ],
            "packageArguments": [
                {"type": "named", "name": "--units", "default": "metric"},
                {"type": "positional", "valueHint": "place", "isRequired": True},
            ],
        }
    ],
}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> Path:
    return new(MANIFEST, tmp_path, monkeypatch)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> Path:
    """A project whose server.json declares no settings yet."""
    manifest = json.loads(json.dumps(MANIFEST))
    for key in ADDED:
        del manifest["packages"][0][key]
    return new(manifest, tmp_path, monkeypatch)


def new(manifest: object, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project that is made from `manifest`, as the working folder."""
    pytest.importorskip("datamodel_code_generator")
    monkeypatch.chdir(folder)
    Path("given.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert run(("new", "weather", "--from", "given.json")) == 0
    monkeypatch.chdir(folder / "weather")
    return folder / "weather"


def test_what_is_generated_is_in_step_until_it_is_changed(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for fact in ("environment", "arguments"):
        capsys.readouterr()
        assert run(("check", "-v", "--only", fact)) == 0
        assert " LS1" not in capsys.readouterr().out
    settings = made / "src/weather/settings.py"
    text = settings.read_text(encoding="utf-8")
    changed = text.replace('"WEATHER_TOKEN"', '"WEATHER_KEY"').replace("--units", "--unit")
    settings.write_text(changed, encoding="utf-8")
    capsys.readouterr()
    assert run(("check",)) == 1
    out = capsys.readouterr().out
    assert [code in out for code in ("LS1072", "LS1073", "LS1081")] == [True] * 3


def test_status_shows_both_sides(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    run(("status",))
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["environment", "variables:", "4", "in", "the", "code"] in lines
    assert ["src/weather/settings.py::WEATHER_TOKEN", "required"] in lines
    token = ["server.json#/packages/0/environmentVariables/0", "WEATHER_TOKEN:", "required,", "secret"]
    assert token in lines
    assert ["src/weather/settings.py::--units", "--units"] in lines
    assert ["server.json#/packages/0/packageArguments/1", "<place>"] in lines


ADDED = {
    "environmentVariables": [
        {"name": "NEW_TOKEN", "isRequired": True, "isSecret": True, "description": "Opens it."},
        {"name": "NEW_LEVEL", "format": "number"},
        {"name": "NEW_MODE", "choices": ["a", "b"], "default": "a"},
    ],
    "packageArguments": [
        {"type": "named", "name": "--new-place", "isRequired": True, "description": "Where."},
        {"type": "named", "name": "--new-count", "format": "number", "default": "3"},
    ],
}
FIELDS = {
    "new_token": ("str", "os.environ['NEW_TOKEN']"),
    "new_level": ("float | None", "_number(os.environ.get('NEW_LEVEL'))"),
    "new_mode": ("str", "_one_of(os.environ.get('NEW_MODE', 'a'), 'a', 'b')"),
}


def test_what_is_added_to_server_json_is_declared_by_sync(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = settings_of(made)
    add(made)
    capsys.readouterr()
    assert run(("check",)) == 1
    shown = capsys.readouterr().out
    assert "`mcp-lockstep sync` declares it in src/weather/settings.py" in shown
    assert "`mcp-lockstep sync` mends 5" in shown
    assert run(("sync",)) == 0
    assert capsys.readouterr().out == "wrote src/weather/settings.py\n"
    after = settings_of(made)
    assert [line for line in before.splitlines() if line not in after.splitlines()] == []
    assert fields(after)[-3:] == [(name, *FIELDS[name]) for name in FIELDS]
    assert '    """Opens it. (secret)"""\n' in after
    assert "    new_place: str\n    new_count: float\n" in after
    assert run(("sync", "--dry-run")) == 0
    assert run(("check",)) == 0


def test_what_the_user_wrote_into_the_settings_stays(made: Path) -> None:
    settings = made / "src/weather/settings.py"
    text = settings.read_text(encoding="utf-8").replace("import os\n", "import os  # mine\nimport sys\n")
    text = text.replace("    transport: str\n", "    transport: str  # mine\n\n    # mine, too\n").replace(
        "\n", "\r\n"
    )
    settings.write_bytes(f"{text}\r\nMINE = sys.maxsize\r\n".encode())
    add(made)
    assert run(("sync",)) == 0
    after = settings.read_bytes().decode()
    assert all(
        line in after
        for line in ("import os  # mine\r\n", "    # mine, too\r\n", "\r\nMINE = sys.maxsize\r\n")
    )
    assert "\n" not in after.replace("\r\n", "")
    compile(after, "settings.py", "exec")
    assert run(("check",)) == 0


@pytest.mark.parametrize("indent", ["  ", "\t"])
def test_what_is_declared_is_indented_as_the_user_does(made: Path, indent: str) -> None:
    settings = made / "src/weather/settings.py"
    settings.write_text(settings_of(made).replace("    ", indent), encoding="utf-8")
    add(made)
    assert run(("sync",)) == 0
    compile(settings_of(made), "settings.py", "exec")
    assert f"\n{indent}new_place: str\n{indent}new_count: float\n" in settings_of(made)
    assert run(("check",)) == 0


def test_a_class_on_one_line_is_left_alone(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = made / "src/weather/settings.py"
    text = settings_of(made)
    start, end = text.index("class Environment:"), text.index("def environment()")
    changed = f"{text[:start]}class Environment: pass\n\n\n{text[end:]}"
    settings.write_text(changed, encoding="utf-8")
    add(made)
    run(("sync",))
    assert "class Environment: pass\n\n\ndef environment()" in settings_of(made)
    compile(settings_of(made), "settings.py", "exec")
    assert "NEW_TOKEN" in capsys.readouterr().out


def test_the_first_variable_brings_what_it_needs(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "class Environment" not in settings_of(bare)
    add(bare)
    assert run(("sync",)) == 0
    assert run(("check",)) == 0
    assert fields(settings_of(bare)) == [(name, *FIELDS[name]) for name in FIELDS]
    monkeypatch.setenv("NEW_TOKEN", "x")
    monkeypatch.setenv("NEW_MODE", "b")
    scope: dict[str, object] = {"__name__": "settings"}
    monkeypatch.setitem(sys.modules, "settings", ModuleType("settings"))
    exec(compile(settings_of(bare), "settings.py", "exec"), scope)
    read = eval("environment(), arguments(['--new-place', 'here'])", scope)
    assert (read[0].new_token, read[0].new_level, read[0].new_mode) == ("x", None, "b")
    assert (read[1].new_place, read[1].new_count, read[1].transport) == ("here", 3.0, "stdio")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def arguments(", "def parsed("),
        ("class Arguments(argparse.Namespace)", "class Arguments(Namespace, argparse.Namespace)"),
    ],
)
def test_settings_that_the_user_made_into_something_else_are_left_alone(
    made: Path, capsys: pytest.CaptureFixture[str], old: str, new: str
) -> None:
    settings = made / "src/weather/settings.py"
    text = settings_of(made).replace(old, new)
    settings.write_text(text, encoding="utf-8")
    add(made)
    capsys.readouterr()
    assert run(("sync",)) == 1
    assert "remove it, or teach the program to take it" in capsys.readouterr().out
    assert settings_of(made) == text


def test_a_positional_argument_that_is_added_later_is_told_and_the_parser_left_alone(
    bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(Path("server.json").read_text(encoding="utf-8"))
    passed = json.loads(json.dumps(MANIFEST))["packages"][0]["packageArguments"][::-1]
    data["packages"][0]["packageArguments"] = passed
    Path("server.json").write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    assert run(("sync",)) == 1
    after = settings_of(bare)
    assert '"--units"' in after
    assert "parser.parse_args(given, Arguments())" in after
    capsys.readouterr()
    assert run(("check",)) == 1
    assert "clients pass <place>, and the program takes no positional argument" in capsys.readouterr().out
    told = after.replace(
        "    return parser.parse", '    parser.add_argument("place")\n    return parser.parse'
    )
    (bare / "src/weather/settings.py").write_text(told, encoding="utf-8")
    assert run(("check",)) == 0


@pytest.mark.parametrize("value", ["--units", "--units=metric"])
def test_a_flag_that_is_written_as_a_positional_argument_is_taken(
    bare: Path, capsys: pytest.CaptureFixture[str], value: str
) -> None:
    data = json.loads(Path("server.json").read_text(encoding="utf-8"))
    passed = json.loads(json.dumps(MANIFEST))["packages"][0]["packageArguments"]
    data["packages"][0]["packageArguments"] = [one for one in passed if "name" in one]
    Path("server.json").write_text(json.dumps(data), encoding="utf-8")
    assert run(("sync",)) == 0
    assert '"--units"' in settings_of(bare)
    data["packages"][0]["packageArguments"] = [
        {"type": "positional", "value": value},
        {"type": "positional", "value": "metric"},
    ]
    Path("server.json").write_text(json.dumps(data), encoding="utf-8")
    capsys.readouterr()
    assert run(("check",)) == 0
    assert "positional" not in capsys.readouterr().out


def settings_of(made: Path) -> str:
    return (made / "src/weather/settings.py").read_text(encoding="utf-8")


def add(made: Path) -> None:
    """Declare the variables and arguments of `ADDED` in the project's server.json."""
    path = made / "server.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    for key, items in ADDED.items():
        data["packages"][0].setdefault(key, []).extend(items)
    path.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


def fields(settings: str) -> list[tuple[str, str, str]]:
    """Name, type and what reads it, of each field of the variables."""
    (cls,) = (n for n in ast.parse(settings).body if isinstance(n, ast.ClassDef) and n.name == "Environment")
    return [
        (
            ast.unparse(node.target),
            ast.unparse(node.annotation),
            ast.unparse(node.value.keywords[0].value.body),
        )
        for node in cls.body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.keywords[0].value, ast.Lambda)
    ]
