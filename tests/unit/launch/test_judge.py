"""What is said about commands that cannot start, and that nothing is said about those that can."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.launch.codes import CODES
from mcp_lockstep.launch.judge import judge_commands, judge_launches
from mcp_lockstep.launch.options import Token, options_of, scan
from mcp_lockstep.launch.package import setting_at
from mcp_lockstep.launch.rules import RULES, rules_for
from mcp_lockstep.project import Project
from mcp_lockstep.rules import OFFICIAL, judge_manifest
from mcp_lockstep.rules.manifest import At
from mcp_lockstep.tree import Memory, Tree
from packages import document, found, named, package, positional, server, slugs

REPEATS, OF_SERVER = "runtime-argument-repeats-identifier", "runtime-argument-of-server"
P = "/packages/0"
IMAGE = "ghcr.io/acme/weather:1.2.0"
HTTP = {"type": "streamable-http", "url": "http://localhost:8000/mcp"}
ELSEWHERE = {**HTTP, "url": "http://weather.example/mcp"}
MOUNT = named("--mount", "type=bind,src={here},dst=/data", variables={"here": {"isRequired": True}})


def runtime(*arguments: object, **more: object) -> dict[str, object]:
    return {"runtimeArguments": list(arguments), **more}


WRONG: list[tuple[str, dict[str, object], str, str]] = [
    # uvx
    ("again", runtime(positional("weather")), REPEATS, "0/value"),
    ("again, spelt", runtime(positional("Weather@1.2.0")), REPEATS, ""),
    ("from", runtime(named("--from", "weather==1.2.0")), REPEATS, ""),
    ("extras", runtime(named("--from", "weather[all]")), REPEATS, ""),
    ("from, by itself", runtime(positional("--from=weather")), REPEATS, ""),
    ("a command", runtime(positional("serve")), OF_SERVER, "0/value"),
    (
        "git",
        runtime(named("--from", "git+https://example.com/x"), positional("weather-mcp")),
        OF_SERVER,
        "1/value",
    ),
    ("option", runtime(named("--transport", "stdio")), "runtime-option-unknown", "0/name"),
    ("in one", runtime(positional("--python 3.12")), "several-words-in-argument", "0/value"),
    # npx
    ("npx", runtime(positional("-y"), positional("weather@1"), kind="npm"), REPEATS, "1/value"),
    ("npx run", runtime(positional("start"), kind="npm"), OF_SERVER, ""),
    ("npx -p", runtime(named("-p", "weather"), kind="npm"), REPEATS, ""),
    # docker
    ("run", runtime(positional("run"), positional("-i"), kind="oci"), OF_SERVER, "0/value"),
    ("image", runtime(positional("ghcr.io/acme/weather"), kind="oci"), REPEATS, ""),
    ("tty", runtime(positional("-it"), kind="oci"), "container-input-closed", ""),
    ("detached", runtime(named("--detach"), kind="oci"), "container-input-closed", ""),
    ("no input", runtime(positional("-i=false"), kind="oci"), "container-input-closed", ""),
    ("port", {"kind": "oci", "transport": HTTP}, "container-port-not-published", ""),
    ("unknown", runtime(named("--stdio"), kind="oci"), "runtime-option-unknown", "0/name"),
    # dnx
    ("dnx", runtime(positional("--"), positional("mcp"), kind="nuget"), OF_SERVER, ""),
    # hints
    ("python", {"runtimeHint": "python"}, "runtime-hint-unfit", ""),
    ("node", {"kind": "npm", "runtimeHint": "node"}, "runtime-hint-unfit", ""),
    ("uv run", {"runtimeHint": "uv", "runtimeArguments": [positional("run")]}, "runtime-hint-unfit", ""),
    ("uv alone", {"runtimeHint": "uv"}, "runtime-hint-unfit", ""),
    # values
    ("shell", {"packageArguments": [named("--key", "${API_KEY}")]}, "shell-variable-in-template", ""),
    ("shell, env", {"environmentVariables": [{"name": "X", "value": "${HOME}/x"}]}, "shell-variable-in-template", ""),
    ("input", {"packageArguments": [positional("${input:key}")]}, "shell-variable-in-template", ""),
    ("undeclared", {"packageArguments": [named("--key", "{key}")]}, "argument-variable-undeclared", ""),
    (
        "another",
        {"packageArguments": [named("--key", "{key}", variables={"kee": {}})]},
        "argument-variable-undeclared",
        "",
    ),
    ("switch", {"packageArguments": [named("--debug", format="boolean")]}, "switch-always-present", ""),
]  # fmt: skip


def made(fields: dict[str, object]) -> dict[str, object]:
    more = dict(fields)
    kind = str(more.pop("kind", "pypi"))
    return package(kind, IMAGE if kind == "oci" else "weather", **more)


@pytest.mark.parametrize(("fields", "slug", "end"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_commands_that_are_wrong(fields: dict[str, object], slug: str, end: str) -> None:
    ((said, pointer, hint),) = found(made(fields))
    assert said == slug
    assert pointer.startswith(P)
    assert pointer.endswith(end)
    assert hint


RIGHT: list[tuple[str, dict[str, object]]] = [
    ("plain", {}),
    ("options", runtime(named("--python", "3.12"), named("--with", "weather[all]"), positional("-q"))),
    ("with", runtime(positional("--with=numpy"), named("--prerelease", "allow"))),
    ("a last from", runtime(positional("--from"), packageArguments=[positional("weather-mcp")])),
    ("python for -p", runtime(named("-p", "3.12"))),
    ("pipx", {"runtimeHint": "pipx", "runtimeArguments": [positional("run")]}),
    ("uv", {"runtimeHint": "uv", "runtimeArguments": [positional("tool"), positional("run")]}),
    ("yes", runtime(positional("-y"), kind="npm")),
    ("node's", runtime(named("--node-options", "--max-old-space-size=4096"), kind="npm")),
    ("npm's", runtime(named("--some-config", "value"), kind="npm")),
    ("another package", runtime(named("-p", "tsx"), kind="npm")),
    ("docker's", runtime(named("--network", "host"), MOUNT, positional("-i"), positional("--rm"), kind="oci")),
    ("glued", runtime(positional("-eA=1"), positional("--env=B=2"), named("-e", "C=1"), kind="oci")),
    ("tty off", runtime(positional("--tty=false"), kind="oci")),
    ("published", runtime(named("-p", "8000:8000"), kind="oci", transport=HTTP)),
    ("host's", runtime(positional("--network=host"), kind="oci", transport=HTTP)),
    ("background", runtime(positional("-d"), kind="oci", transport=ELSEWHERE)),
    ("declared", {"packageArguments": [named("--key", "{key}", variables={"key": {"isRequired": True}})]}),
    ("json", {"packageArguments": [positional('{"a": {"b": 1}}')]}),
    ("stamped", {"packageArguments": [named("--tag", "${VERSION}")]}),
    ("switch that is wanted", {"packageArguments": [named("--stdio", format="boolean", isRequired=True)]}),
    ("switch with a value", {"packageArguments": [named("--debug", "false", format="boolean")]}),
    ("optional", {"packageArguments": [named("--port", format="number")]}),
    ("hint of a bundle", {"kind": "mcpb", "runtimeHint": "node"}),
    ("unknown kind", runtime(positional("x"), kind="gem")),
]  # fmt: skip


@pytest.mark.parametrize("fields", [row[1] for row in RIGHT], ids=[row[0] for row in RIGHT])
def test_commands_that_are_right(fields: dict[str, object]) -> None:
    assert slugs(made(fields)) == []


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        (named("--stdio"), ': clients write "--stdio" whether it is wanted or not.'),
        (
            named("--debug", format="boolean", default="false"),
            ': clients write "--debug false", which a flag without a value refuses.',
        ),
    ],
)
def test_what_clients_write_for_a_flag_is_noted(argument: dict[str, object], message: str) -> None:
    findings = judge_manifest(document(server(made({"packageArguments": [argument]}))), rules_for("official"))
    assert [(f.code.slug, f.severity, f.message) for f in findings] == [
        ("switch-always-present", "note", f"`packages[0].packageArguments[0]`{message}")
    ]


@pytest.mark.parametrize("more", [{"isRequired": True}, {"description": "Be verbose"}])
def test_a_flag_that_is_required_or_described_is_no_switch_without_a_word(more: dict[str, object]) -> None:
    assert slugs(made({"packageArguments": [{**named("--verbose"), **more}]})) == []


NEAR: dict[str, dict[str, object]] = {
    REPEATS: runtime(named("--with", "weather-plugin==1.2.0")),
    OF_SERVER: runtime(positional("-q")),
    "runtime-option-unknown": runtime(named("--index", "https://packages.example/simple")),
    "several-words-in-argument": runtime(positional("--python=3.12")),
    "container-input-closed": runtime(positional("--interactive"), kind="oci"),
    "container-port-not-published": runtime(named("--publish", "8000:8000"), kind="oci", transport=HTTP),
    "runtime-hint-unfit": {"kind": "npm", "runtimeHint": "npx"},
    "shell-variable-in-template": {"packageArguments": [named("--price", "$5")]},
    "argument-variable-undeclared": {
        "packageArguments": [named("--key", "{key}", variables={"key": {"isSecret": True}})]
    },
    "switch-always-present": {"packageArguments": [named("--debug", format="boolean", isRequired=True)]},
}
"""Slug -> a package that is just in order for that rule."""

PROJECT = '[project]\nname = "weather"\nversion = "1.2.0"\n[project.scripts]\n{} = "weather:main"\n'
SCRIPTS = {"script-name-mismatch": (PROJECT.format("weather-mcp"), PROJECT.format("weather"))}
"""Slug -> the pyproject.toml of a project that fails, and of one that is just in order."""


@pytest.mark.parametrize(("fields", "slug"), [(row[1], row[2]) for row in WRONG])
def test_a_command_that_is_wrong_has_no_other_fault(fields: dict[str, object], slug: str) -> None:
    findings = judge_manifest(document(server(made(fields))), rules_for("official"))
    assert [f.code.slug for f in findings if f.severity != "note"] == [slug]


@pytest.mark.parametrize("slug", NEAR)
def test_a_command_that_is_just_in_order_has_none(slug: str) -> None:
    findings = judge_manifest(document(server(made(NEAR[slug]))), rules_for("official"))
    assert [f.code.slug for f in findings if f.severity != "note"] == []


@pytest.mark.parametrize("slug", SCRIPTS)
def test_a_project_fails_and_one_just_starts(slug: str) -> None:
    manifest = json.dumps(server(package())).encode()
    projects = (
        Project(Tree(Memory({"server.json": manifest, "pyproject.toml": text.encode()})))
        for text in SCRIPTS[slug]
    )
    assert [[f.code.slug for f in judge_launches(project)] for project in projects] == [[slug], []]


def test_every_rule_about_commands_has_a_pair() -> None:
    rules = {code.slug for code in CODES if code.id.startswith("LS26")}
    assert {row[2] for row in WRONG} == set(NEAR)
    assert set(NEAR) | set(SCRIPTS) == rules


def test_the_second_package_is_named_as_such() -> None:
    ((_, pointer, _),) = found(package(), made({"runtimeHint": "python"}))
    assert pointer == "/packages/1/runtimeHint"


def test_what_stands_before_a_stray_word_is_said_too() -> None:
    pair = [named("--from", "weather"), positional("weather-server")]
    assert slugs(package(runtimeArguments=pair)) == [
        REPEATS,
        OF_SERVER,
    ]


def test_extras_have_another_way() -> None:
    ((_, _, hint),) = found(package(runtimeArguments=[named("--from", "weather[all]")]))
    assert hint.startswith('Write "--with" and "weather[all]"')


def test_a_declared_variable_needs_no_value() -> None:
    both = package(environmentVariables=[{"name": "KEY"}], packageArguments=[named("--key", "${KEY}")])
    ((_, _, hint),) = found(both)
    assert hint.startswith("The variable KEY is declared")


@pytest.mark.parametrize("junk", [None, 1, [], {}, "x", [[]], [{"type": 1}]])
def test_wrong_types_are_left_to_the_schema(junk: object) -> None:
    for key in ("runtimeArguments", "packageArguments", "environmentVariables", "identifier", "transport"):
        found({**package(), key: junk})
    assert judge_commands(JsonDocument("server.json", b"[]")) == ()


def test_secrets_in_addresses_are_not_shown() -> None:
    stray = positional("https://user:hunter2@example.com/weather.git")
    (finding,) = judge_commands(document(server(package(runtimeArguments=[stray]))))
    assert "hunter2" not in finding.message + finding.hint


def test_published_examples_have_nothing_wrong_with_their_commands(shared: Path) -> None:
    examples = sorted((shared / "seeds/server-json-examples").glob("*.json"))
    assert len(examples) == 12
    for path in examples:
        assert judge_commands(JsonDocument(path.name, path.read_bytes())) == ()


def test_the_registrys_rules_say_nothing_twice() -> None:
    named_twice = document(server(package(runtimeArguments=[positional("weather")])))
    assert len(judge_manifest(named_twice, (*OFFICIAL, *RULES))) == 1


@pytest.mark.parametrize(
    ("words", "options", "free"),
    [
        (["-it", "x"], ["-i", "-t"], "x"),
        (["-eA=1"], ["-e"], None),
        (["-e", "A=1", "x"], ["-e"], "x"),
        (["--env=A=1", "--", "x"], ["--env"], "--"),
        (["-p", "80:80", "--rm", "-"], ["-p", "--rm"], "-"),
        (["--network"], ["--network"], None),
    ],
)
def test_words_are_read_as_the_runner_reads_them(
    words: list[str], options: list[str], free: str | None
) -> None:
    known = options_of("docker")
    assert known is not None
    setting = setting_at(At("/x", {}))
    seen = scan([Token(word, setting) for word in words], known)
    assert [option.text for option, _ in seen.options] == options
    assert (seen.free.text if seen.free else None) == free
