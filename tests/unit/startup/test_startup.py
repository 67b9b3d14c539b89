"""What a server is told, judged: the code against server.json, quiet where both are sound."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.adopt.plan import Given, adopt
from mcp_lockstep.adopt.repository import Checkout
from mcp_lockstep.judge import Judgement, judge_tree
from mcp_lockstep.pipeline.sync import prepare
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Tree
from weather import NAME, PACKAGE, inside, pyproject, weather_tree

Json = dict[str, object]
OCI: Json = {
    "registryType": "oci",
    "identifier": "ghcr.io/acme/weather:1.0.0",
    "transport": {"type": "stdio"},
}
NEEDS = 'import os\nTOKEN = os.environ["WEATHER_TOKEN"]\ndef main(): ...\n'


def tree(code: str, *packages: Json, dependencies: str = "", files: dict[str, str] | None = None) -> Tree:
    texts = {**inside({"__init__.py": "", "server.py": code}), **(files or {})}
    needs = f'"mcp>=2", {dependencies}'
    return weather_tree(texts, *packages, project=pyproject("weather.server:main", needs))


def judged(
    code: str,
    *packages: Json,
    only: str = "environment",
    dependencies: str = "",
    files: dict[str, str] | None = None,
) -> Judgement:
    return judge_tree(Project(tree(code, *packages, dependencies=dependencies, files=files)), only=only)


def said(judgement: Judgement) -> list[str]:
    return [f"{f.severity} {f.code.slug} {f.place}" for f in judgement.findings]


def declaring(*variables: Json, package: Json = PACKAGE) -> Json:
    return {**package, "environmentVariables": list(variables)}


def passing(*arguments: Json) -> Json:
    return {**PACKAGE, "packageArguments": list(arguments)}


def test_a_variable_without_which_the_server_ends() -> None:
    at = "src/weather/server.py::WEATHER_TOKEN"
    assert said(judged(NEEDS, PACKAGE)) == [f"warning environment-needed-undeclared {at}"]
    assert said(judged(NEEDS, PACKAGE, OCI)) == [f"error environment-needed-undeclared {at}"]
    assert (
        said(judged(NEEDS, declaring({"name": "WEATHER_TOKEN", "isRequired": True, "isSecret": True}))) == []
    )
    (finding,) = judged(NEEDS, PACKAGE).findings
    assert (finding.position.line, finding.position.column, finding.fixable) == (2, 9, True)


MCPB: Json = {
    "registryType": "mcpb",
    "identifier": "https://github.com/acme/weather/releases/download/v1.0.0/weather.mcpb",
    "transport": {"type": "stdio"},
}


def bundle(**config: object) -> dict[str, str]:
    """The manifest of a bundle with its `mcp_config`."""
    server = {"type": "python", "entry_point": "src/weather/server.py", "mcp_config": config}
    asked = {"token": {"type": "string", "title": "Token", "description": "Token.", "sensitive": True}}
    manifest = {"manifest_version": "0.3", "name": "weather", "version": "1.0.0", "server": server}
    return {"manifest.json": json.dumps({**manifest, "user_config": asked})}


def test_a_bundle_is_passed_its_variables_by_its_own_manifest() -> None:
    passed = bundle(command="python", env={"WEATHER_TOKEN": "${user_config.token}"})
    declared = declaring({"name": "WEATHER_TOKEN", "isRequired": True, "isSecret": True})
    assert said(judged(NEEDS, declared, MCPB, files=passed)) == []
    assert said(judged(NEEDS, MCPB, files=passed)) == []
    assert said(judged(NEEDS, declared, MCPB)) == []
    assert prepare(tree(NEEDS, declared, MCPB, files=passed)).plan.changes == ()
    lacking = judged(
        NEEDS, declared, MCPB, files=bundle(command="python", env={"TOKEN": "${user_config.token}"})
    )
    assert "warning environment-needed-undeclared src/weather/server.py::WEATHER_TOKEN" in said(lacking)


def test_a_bundle_may_pass_the_flag_instead_of_the_variable() -> None:
    code = "import click\n@click.command()\n@click.option('--key', envvar='KEY', required=True)\ndef main(key): ...\n"
    passed = bundle(command="python", args=["--key", "${user_config.token}"])
    assert [f.code.slug for f in judged(code, MCPB, files=passed).findings if f.severity != "note"] == []
    other = bundle(command="python", args=["x"], env={"OTHER": "${user_config.token}"})
    assert "environment-needed-undeclared" in {f.code.slug for f in judged(code, MCPB, files=other).findings}


FILE: Json = {"type": "named", "name": "--env-file", "value": "{f}", "variables": {"f": {"isRequired": True}}}
SECRET: Json = {
    "name": "WEATHER_TOKEN",
    "description": "Token of the weather service.",
    "isRequired": True,
    "isSecret": True,
    "placeholder": "wx-...",
}


@pytest.mark.parametrize(
    "argument",
    [
        FILE,
        {"type": "named", "name": "--env-file={f}"},
        {"type": "positional", "value": "--env-file=/etc/weather.env"},
        {"type": "named", "name": "-e", "value": "{pair}"},
    ],
)
def test_docker_may_read_the_variables_from_a_file(argument: Json) -> None:
    image = {**OCI, "runtimeArguments": [argument]}
    declared = declaring(SECRET)
    assert said(judged(NEEDS, declared, image)) == []
    assert prepare(tree(NEEDS, declared, image)).plan.changes == ()


def test_sync_declares_a_variable_as_the_package_beside_does() -> None:
    (change,) = prepare(
        tree(NEEDS, declaring({**SECRET, "value": "{t}", "variables": {"t": {}}}), OCI)
    ).plan.changes
    assert json.loads(change.after or b"")["packages"][1]["environmentVariables"] == [SECRET]


def test_a_flag_can_stand_for_the_variable() -> None:
    code = "import click\n@click.command()\n@click.option('--key', envvar='KEY', required=True)\ndef main(key): ...\n"
    assert said(judged(code, PACKAGE)) == ["warning environment-needed-undeclared src/weather/server.py::KEY"]
    flag: Json = {"type": "named", "name": "--key", "isRequired": True}
    assert said(judged(code, passing(flag))) == []


@pytest.mark.parametrize("required", [True, False])
def test_of_a_flag_and_a_variable_one_is_enough(required: bool) -> None:
    code = "import typer\nfrom typing import Annotated\napp = typer.Typer()\n@app.command()\n"
    code += "def run(key: Annotated[str, typer.Option(envvar='KEY')]): ..."
    flag: Json = {"type": "named", "name": "--key", "isRequired": required, "isSecret": True}
    optional: Json = {"name": "KEY", "isSecret": True}
    code = f"{code}\ndef main(): app()\n"
    assert said(judged(code, {**passing(flag), "environmentVariables": [optional]})) == []
    (finding,) = judged(code, declaring(optional)).findings
    assert (finding.code.id, finding.want) == ("LS1075", "true")


def test_all_that_is_optional_is_one_note() -> None:
    code = 'import os\nA = os.getenv("A")\nB = os.getenv("B", "x")\nH = os.getenv("HOME")\ndef main(): ...\n'
    (finding,) = judged(code, PACKAGE).findings
    assert (finding.severity, finding.have) == ("note", "A, B")


@pytest.mark.parametrize(
    "path", ["src/weather/tests/test_a.py", "noxfile.py", "scripts/release.py", "tool.py"]
)
def test_what_is_no_server_code_does_not_count(path: str) -> None:
    files = {path: 'import os\nA = os.environ["A"]\n'}
    assert said(judged("def main(): ...", PACKAGE, files=files)) == []


def test_packages_of_other_projects_say_nothing_about_this_one() -> None:
    npm: Json = {**PACKAGE, "registryType": "npm", "identifier": "@acme/weather"}
    assert said(judged(NEEDS, npm)) == []
    assert said(judged(NEEDS, {**PACKAGE, "identifier": "other"}, {**PACKAGE, "identifier": "another"})) == []


@pytest.mark.parametrize(
    ("code", "dependencies", "level"),
    [
        ("def main(): ...", "", "error"),
        ("import os\ndef main():\n    f(os.environ)", "", "note"),
        ("import subprocess\ndef main(): ...", "", "note"),
        ("def main(): ...  # WEATHER_MODE", "", "note"),
        ("def main(): ...", '"boto3"', "note"),
        ("def main(): ...", '"weather-client"', "note"),
    ],
)
def test_a_declared_name_that_nothing_reads(code: str, dependencies: str, level: str) -> None:
    judgement = judged(
        f"import mcp\n{code}\n", declaring({"name": "WEATHER_MODE"}), dependencies=dependencies
    )
    place = "server.json#/packages/0/environmentVariables/0"
    assert said(judgement) == [f"{level} environment-unread {place}"]


def test_a_foreign_name_may_belong_to_a_dependency() -> None:
    package = declaring({"name": "AWS_PROFILE"})
    assert [
        f.severity for f in judged("import mcp\ndef main(): ...", package, dependencies='"boto3"').findings
    ] == ["note"]
    assert [f.severity for f in judged("import mcp\ndef main(): ...", package).findings] == ["error"]


def test_a_misspelt_name_belongs_to_no_dependency() -> None:
    code = 'import os\nM = os.getenv("WEATHER_MODE")\ndef main(): ...\n'
    found = judged(code, declaring({"name": "WEATHER_MODES"}), dependencies='"boto3"').findings
    assert [f.severity for f in found if f.code.slug == "environment-unread"] == ["error"]


def test_names_of_the_sdk_and_of_templates_are_read_elsewhere() -> None:
    transport = {"type": "streamable-http", "url": "http://localhost:{WEATHER_PORT}/mcp"}
    package = {**declaring({"name": "FASTMCP_LOG_LEVEL"}, {"name": "WEATHER_PORT"}), "transport": transport}
    assert said(judged("import mcp\ndef main(): ...", package)) == []


def test_an_image_may_hold_other_programs() -> None:
    judgement = judged("import mcp\ndef main(): ...", declaring({"name": "WEATHER_MODE"}, package=OCI))
    assert [f.severity for f in judgement.findings] == ["note"]


def test_a_misspelt_name_is_told_the_right_one() -> None:
    code = 'import os\nM = os.getenv("WEATHER_MODE")\ndef main(): ...\n'
    judgement = judged(code, declaring({"name": "WEATHER_MOD"}))
    assert [(f.code.slug, f.want) for f in judgement.findings if f.severity == "error"] == [
        ("environment-unread", "WEATHER_MODE")
    ]


@pytest.mark.parametrize(
    ("more", "warns"), [({}, True), ({"isRequired": True}, False), ({"default": "x"}, False)]
)
def test_a_needed_variable_is_no_option(more: Json, warns: bool) -> None:
    package = declaring({"name": "WEATHER_TOKEN", "isSecret": True, **more})
    slugs = [f.code.slug for f in judged(NEEDS, package).findings]
    assert slugs == (["environment-needed-optional"] if warns else [])


def test_server_json_decides_the_default_and_a_note_tells_the_other() -> None:
    code = 'import os\nM = os.getenv("MODE", "Fast")\ndef main(): ...\n'
    (finding,) = judged(code, declaring({"name": "MODE", "default": "slow"})).findings
    assert (finding.severity, finding.have, finding.want) == ("note", "slow", "Fast")
    assert said(judged(code, declaring({"name": "MODE", "default": "fast", "isRequired": True}))) == []


def test_sync_declares_what_is_needed_once() -> None:
    code = (
        'import os\nA = os.environ["A"]\nB = os.environ["B_PASSWORD"]\nC = os.getenv("C")\ndef main(): ...\n'
    )
    before = tree(code, declaring({"name": "Z", "isRequired": False}), OCI)
    synced = prepare(before)
    (change,) = synced.plan.changes
    packages = json.loads(change.after or b"")["packages"]
    needed = [{"name": "A", "isRequired": True}, {"name": "B_PASSWORD", "isRequired": True, "isSecret": True}]
    assert packages[0]["environmentVariables"] == [{"name": "Z", "isRequired": False}, *needed]
    assert packages[1]["environmentVariables"] == needed
    assert prepare(before.over({"server.json": change.after})).plan.changes == ()


def test_adopt_proposes_what_is_needed_and_nothing_else() -> None:
    code = f'{NEEDS}import argparse\nM = os.getenv("MODE")\np = argparse.ArgumentParser()\n'
    code += 'p.add_argument("--port")\np.parse_args()\n'
    adoption = adopt(tree(code), Checkout(), Given(name=NAME))
    (made,) = [change for change in adoption.plan.changes if change.path == "server.json"]
    (package,) = json.loads(made.after or b"")["packages"]
    assert package["environmentVariables"] == [
        {"name": "WEATHER_TOKEN", "isRequired": True, "isSecret": True}
    ]
    assert "packageArguments" not in package


ARGPARSE = "import argparse\ndef main():\n    p = argparse.ArgumentParser()\n    p.add_argument('--port')\n"


def test_a_flag_that_the_program_does_not_take() -> None:
    code = f"{ARGPARSE}    p.parse_args()\n"
    flag: Json = {"type": "named", "name": "--prot", "value": "1"}
    (finding,) = judged(code, passing(flag), only="arguments").findings
    assert (finding.severity, finding.code.slug, finding.have, finding.want) == (
        "error",
        "argument-unknown",
        "--prot",
        "--port",
    )
    assert str(finding.place) == "server.json#/packages/0/packageArguments/0/name"


@pytest.mark.parametrize(
    ("code", "argument"),
    [
        (f"{ARGPARSE}    p.parse_args()\n", {"type": "named", "name": "--port"}),
        (f"{ARGPARSE}    p.parse_args()\n", {"type": "positional", "value": "serve"}),
        (f"{ARGPARSE}    p.parse_known_args()\n", {"type": "named", "name": "--other"}),
        ("import sys\ndef main():\n    print(sys.argv)  # mcp\n", {"type": "named", "name": "--other"}),
        ("def main(): ...", {"type": "named", "name": "--other"}),
    ],
)
def test_arguments_of_which_nothing_is_said(code: str, argument: Json) -> None:
    assert said(judged(code, passing(argument), only="arguments")) == []


NEEDED = f"{ARGPARSE}    p.add_argument('--city', required=True)\n    p.parse_args()\n"


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ({"name": "--city"}, ["argument-needed-optional"]),
        ({"name": "--city", "format": "boolean"}, ["argument-needed-optional"]),
        ({"name": "--citi"}, ["argument-unknown"]),
        ({"name": "--port"}, ["switch-always-present"]),
    ],
)
def test_of_one_argument_the_code_tells_or_server_json_alone(argument: Json, told: list[str]) -> None:
    entries: list[Json] = [{"type": "named", "name": "--city", "value": "Rome"}]
    entries = [*([] if "cit" in str(argument["name"]) else entries), {"type": "named", **argument}]
    found = judged(NEEDED, passing(*entries), only="").findings
    assert [f.code.slug for f in found if "/packageArguments/" in f.place.address] == told


def test_both_sides_are_readings_of_their_facts() -> None:
    judgement = judged(
        f'{ARGPARSE}    p.parse_args()\nimport os\nM = os.getenv("MODE", "x")\nT = os.environ["A_TOKEN"]\n',
        {
            **declaring({"name": "MODE", "default": "x"}),
            "packageArguments": [{"type": "named", "name": "--port"}],
        },
        only="",
    )
    facts = {one.fact.name: one for one in judgement.facts}
    assert [(str(r.place), r.value) for r in facts["environment"].readings] == [
        ("src/weather/server.py::MODE", "default x"),
        ("src/weather/server.py::A_TOKEN", "required"),
        ("server.json#/packages/0/environmentVariables/0", "MODE: optional, default x"),
    ]
    assert [(str(r.place), r.value) for r in facts["arguments"].readings] == [
        ("src/weather/server.py::--port", "--port"),
        ("server.json#/packages/0/packageArguments/0", "--port"),
    ]
    assert not judgement.lock.facts.keys() & {"environment", "arguments"}


def test_the_default_in_the_code_of_a_declared_secret_is_not_shown() -> None:
    code = 'import os\nA = os.getenv("STRIPE_KEY", "hunter2Zq9")\nB = os.getenv("MODE", "fast")\ndef main(): ...\n'
    judgement = judged(code, declaring({"name": "STRIPE_KEY", "isSecret": True}, {"name": "MODE"}))
    facts = {one.fact.name: one for one in judgement.facts}
    assert [(str(r.place), r.value) for r in facts["environment"].readings][:2] == [
        ("src/weather/server.py::STRIPE_KEY", "optional"),
        ("src/weather/server.py::MODE", "default fast"),
    ]
    assert "hunter2" not in str(judgement.findings)
