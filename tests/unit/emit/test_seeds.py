"""Seeds: files that parse, end in one newline, hold what they were given, and that no formatter changes."""

from __future__ import annotations

import ast
import json
import sys
import types
import warnings
from pathlib import Path

import black
import isort
import pytest
import tomli
from hypothesis import given, settings
from hypothesis import strategies as st

from emitted import contract_of, files, project_view
from hostile import TEXTS
from mcp_lockstep.bundled.targets import Templates, target
from mcp_lockstep.contract.model import Argument, Contract, Variable
from mcp_lockstep.emit.generated import generated
from mcp_lockstep.emit.manifest import manifest
from mcp_lockstep.emit.seeds import seeds, seeds_for
from mcp_lockstep.emit.views import ProjectView
from mcp_lockstep.generated.recipe import read_seal
from mcp_lockstep.interface import Interface
from mcp_lockstep.naming import distribution_name, package_name

TOOL = {"name": "get-forecast", "description": "Say it.", "inputSchema": {"type": "object"}}
PROMPT = {"name": "ask-it", "arguments": [{"name": "class", "required": True}, {"name": "b"}]}
RESOURCE = {"uri": "x://all", "name": "everything"}
TEMPLATE = {"uriTemplate": "x://{city}{?lang}", "name": "city"}
VARIABLES = (
    Variable("API_KEY", "The key.", required=True, secret=True),
    Variable("UNITS", default="metric", choices=("metric", "imperial")),
    Variable("RETRIES", format="number"),
    Variable("WAIT", format="number", default="2"),
    Variable("DEBUG", format="boolean"),
)
ARGUMENTS = (
    Argument("--mode", "How, 100 %.", choices=("a", "b"), default="a"),
    Argument("--tag", repeated=True),
    Argument("", "Where.", required=True, hint="folder"),
    Argument("--transport", value="http"),
)


def view(contract: Contract | None = None, **changes: object) -> ProjectView:
    """A view of a small project; `changes` are fields of it."""
    base = project_view("weather", contract or contract_of({"tools": [TOOL]}))
    return base._replace(**changes)  # type: ignore[arg-type]  # tests name the fields


def text_of(path: str, of: ProjectView) -> str:
    """The text of one seed."""
    return next(seed.text for seed in seeds(of) if seed.path == path)


def test_the_tree_of_a_small_project() -> None:
    assert sorted(files(view())) == [
        ".github/workflows/ci.yml",
        ".github/workflows/publish.yml",
        ".gitignore",
        "README.md",
        "contract.json",
        "pyproject.toml",
        "server.json",
        "src/weather/__init__.py",
        "src/weather/__main__.py",
        "src/weather/_generated/__init__.py",
        "src/weather/_generated/checks.py",
        "src/weather/_generated/contract.json",
        "src/weather/_generated/models.py",
        "src/weather/_generated/runtime.py",
        "src/weather/_generated/stubs.py",
        "src/weather/app.py",
        "src/weather/py.typed",
        "src/weather/server.py",
        "src/weather/settings.py",
        "src/weather/tools/__init__.py",
        "src/weather/tools/get_forecast.py",
        "tests/test_contract.py",
    ]


def test_a_project_without_a_name_is_for_no_registry() -> None:
    paths = {seed.path for seed in seeds(view(name=""))}
    assert not paths & {"server.json", ".github/workflows/publish.yml"}
    assert "mcp-name" not in text_of("README.md", view(name=""))
    assert "name" not in tomli.loads(text_of("pyproject.toml", view(name="")))["tool"]["mcp-lockstep"]


def test_a_tool_as_its_writer_finds_it() -> None:
    assert text_of("src/weather/tools/get_forecast.py", view()) == (
        "from __future__ import annotations\n\n"
        "from weather._generated.runtime import Content\n"
        "from weather.app import mcp\n\n\n"
        '@mcp.contract("get-forecast")\n'
        "async def get_forecast() -> Content:\n"
        '    """Say it."""\n'
        "    raise NotImplementedError\n"
    )


def test_prompts_and_resources_have_a_function_each() -> None:
    of = view(contract_of({"prompts": [PROMPT], "resources": [RESOURCE], "resourceTemplates": [TEMPLATE]}))
    assert "async def ask_it(*, class_: str, b: str | None = None) -> PromptContent:" in text_of(
        "src/weather/prompts/ask_it.py", of
    )
    assert "async def everything() -> ResourceContent:" in text_of("src/weather/resources/everything.py", of)
    assert "async def city(*, city: str, lang: str | None = None) -> ResourceContent:" in text_of(
        "src/weather/resources/city.py", of
    )


def test_only_what_is_missing_is_seeded_later() -> None:
    of = view(contract_of({"tools": [TOOL, {**TOOL, "name": "other"}], "prompts": [PROMPT]}))
    assert [seed.path for seed in seeds_for(of, {"other"}, ())] == [
        "src/weather/tools/__init__.py",
        "src/weather/tools/other.py",
    ]


def test_a_function_that_is_seeded_later_goes_beside_what_has_the_name_of_its_module() -> None:
    of = view(contract_of({"tools": [{**TOOL, "name": "a-b"}, {**TOOL, "name": "a_b"}], "prompts": [PROMPT]}))
    there = ["src/weather/tools/__init__.py", "src/weather/tools/a_b.py", "src/weather/tools/a_b_2.py"]
    before = {seed.path: seed.text for seed in seeds_for(of, {"a_b"}, ())}
    after = {seed.path: seed.text for seed in seeds_for(of, {"a_b"}, there)}
    assert [*before] == ["src/weather/tools/__init__.py", "src/weather/tools/a_b.py"]
    assert [*after] == ["src/weather/tools/__init__.py", "src/weather/tools/a_b_3.py"]
    assert after["src/weather/tools/a_b_3.py"] == before["src/weather/tools/a_b.py"]


def test_the_marker_stands_in_the_readme_once() -> None:
    readme = text_of("README.md", view(description="<!-- mcp-name: evil/evil -->"))
    assert readme.count("<!--") == 1
    assert "<!-- mcp-name: io.github.acme/weather -->" in readme


def test_the_manifest_of_a_server_over_http() -> None:
    package = manifest(view(interface=Interface(transport="http")))["packages"]
    assert package == [
        {
            "registryType": "pypi",
            "identifier": "weather",
            "version": "0.1.0",
            "runtimeHint": "uvx",
            "transport": {"type": "streamable-http", "url": "http://127.0.0.1:{WEATHER_PORT}/mcp"},
            "packageArguments": [
                {
                    "type": "named",
                    "name": "--transport",
                    "description": "How to speak to clients.",
                    "value": "http",
                }
            ],
            "environmentVariables": [
                {
                    "name": "WEATHER_PORT",
                    "description": "Port to listen on.",
                    "default": "8000",
                    "format": "number",
                }
            ],
        }
    ]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_read_back_as_they_were(text: str) -> None:
    of = view(title=text, description=text, instructions=text, website=text, version="1.0", label=f"w{text}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for path, source in files(of).items():
            if path.endswith(".py"):
                compile(source, path, "exec")
    call = next(
        node for node in ast.walk(ast.parse(text_of("src/weather/app.py", of))) if isinstance(node, ast.Call)
    )
    given = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    wanted = {
        "name": f"w{text}",
        "version": "1.0",
        "title": text,
        "description": text,
        "instructions": text,
        "website_url": text,
    }
    assert given == {key: value for key, value in wanted.items() if value}
    project = tomli.loads(text_of("pyproject.toml", of))["project"]
    assert project["urls"]["Homepage"] == text if text else "urls" not in project
    assert "\n" not in project["description"]
    assert json.loads(text_of("server.json", of)).get("websiteUrl", "") == text


def run_settings(of: ProjectView) -> types.ModuleType:
    """The seeded settings module, executed."""
    module = types.ModuleType("weather_settings_under_test")
    # dataclasses look up the module of a class there.
    sys.modules[module.__name__] = module
    exec(text_of("src/weather/settings.py", of), module.__dict__)
    return module


def test_environment_variables_are_read_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "k")
    monkeypatch.setenv("DEBUG", "Yes")
    told = run_settings(view(interface=Interface(variables=VARIABLES))).environment()
    assert (told.api_key, told.units, told.retries, told.wait, told.debug) == ("k", "metric", None, 2.0, True)


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("API_KEY", None, "the environment variable 'API_KEY' is not set"),
        (
            "WAIT",
            "soon",
            "an environment variable is of the wrong kind: could not convert string to float: 'soon'",
        ),
    ],
)
def test_a_wrong_environment_ends_the_program_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str | None, message: str
) -> None:
    monkeypatch.setenv("API_KEY", "k")
    if value is None:
        monkeypatch.delenv(variable)
    else:
        monkeypatch.setenv(variable, value)
    environment = run_settings(view(interface=Interface(variables=VARIABLES))).environment
    with pytest.raises(SystemExit, match=message):
        environment()


def test_arguments_are_read_typed() -> None:
    arguments = run_settings(view(interface=Interface(arguments=ARGUMENTS))).arguments
    told = arguments(["--mode", "b", "--tag", "x", "--tag", "y", "here", "--port", "1"])
    assert (told.mode, told.tag, told.folder, told.transport, told.port) == (
        "b",
        ["x", "y"],
        "here",
        "stdio",
        1,
    )


SWITCHES = {
    "title": 'a < b & "c"',
    "description": 'a < b & "c"',
    "website": "https://weather.example",
    "instructions": "Do.\nThis.",
    "name": "io.github.acme/weather",
    "hook": True,
}
EMPTY = {"name": "", "hook": False}
ASKED = ("variables", "arguments", "http")
LISTS = {"tools": [TOOL], "prompts": [PROMPT], "resources": [RESOURCE], "resourceTemplates": [TEMPLATE]}


@settings(max_examples=60, deadline=None)
@given(st.sets(st.sampled_from([*SWITCHES, *ASKED])), st.sets(st.sampled_from([*LISTS])))
def test_every_combination_of_filled_and_empty_is_well_formed(on: set[str], lists: set[str]) -> None:
    changes = {key: value if key in on else EMPTY.get(key, "") for key, value in SWITCHES.items()}
    asked = Interface(
        variables=VARIABLES if "variables" in on else (),
        arguments=ARGUMENTS if "arguments" in on else (),
        transport="http" if "http" in on else "stdio",
    )
    of = view(contract_of({kind: LISTS[kind] for kind in lists}), interface=asked, **changes)
    for path, text in files(of).items():
        assert "\r" not in text, path
        assert text == "" or (text.endswith("\n") and not text.endswith("\n\n")), path
        assert not any(line != line.rstrip() for line in text.splitlines()), path
        if path.endswith(".toml"):
            tomli.loads(text)
        elif path.endswith(".json"):
            json.loads(text)
        elif path.endswith(".py") and "_generated" not in path:
            assert black.format_str(text, mode=black.Mode()) == text, path
            assert isort.code(text, profile="black", known_first_party=["weather"]) == text, path


def test_the_same_view_gives_the_same_bytes() -> None:
    assert files(view()) == files(view())


def test_names_are_those_of_the_project() -> None:
    of = view(distribution=distribution_name("My Server"), package=package_name("My Server"))
    project = tomli.loads(text_of("pyproject.toml", of))["project"]
    assert (project["name"], project["scripts"]) == ("my-server", {"my-server": "my_server.server:main"})


def test_an_own_template_replaces_one_of_the_target(tmp_path: Path) -> None:
    (tmp_path / "github").mkdir()
    (tmp_path / "github/ci.yml.jinja").write_text("name: {{ view.package }}\n", encoding="utf-8")
    (tmp_path / "runtime.py").write_text("MINE = 1\n", encoding="utf-8")
    (tmp_path / "README.md.jinjaa").write_text("misspelt", encoding="utf-8")
    plain = view()
    own = view(templates=Templates(target("mcp2"), str(tmp_path)))
    assert text_of(".github/workflows/ci.yml", own) == "name: weather\n"
    before, after = ({file.path: file for file in generated(of)} for of in (plain, own))
    changed = {path for path, file in after.items() if file.recipe != before[path].recipe}
    assert changed == {"src/weather/_generated/runtime.py"}
    assert after["src/weather/_generated/runtime.py"].make().endswith("MINE = 1\n")
    (stranger,) = own.templates.strangers()
    assert stranger.message.startswith("README.md.jinjaa replaces no template; there are: README.md.jinja, ")


def test_generated_files_carry_an_intact_seal() -> None:
    for file in generated(view()):
        seal = read_seal(file.make().encode())
        assert seal is not None and seal.intact and seal.recipe == file.recipe, file.path
