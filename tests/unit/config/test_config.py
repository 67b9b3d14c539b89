"""The configuration: where it stands, every key, and what is said about wrong ones."""

from __future__ import annotations

import pytest

from mcp_lockstep.config import Config, ModelJob, OwnPlace, read_config
from mcp_lockstep.config.styles import Style
from mcp_lockstep.findings import Refused
from mcp_lockstep.tree import Memory, Tree

JOB = (
    'schema = "mcp@2026-07-28", output = "src/p.py", profile = "ergonomic", kind = "msgspec", patches = "p", '
    'target-python = "3.10", target-pydantic = "2.12"'
)

EVERY_KEY = """\
name = "io.github.acme/weather"
sdk = "fastmcp4"
contract = "contract.json"
schema = "server@2025-12-11"
version = "stamped"
registry = "private"
lenient = true
extends = "policy.toml"
build-backend = "setuptools.build_meta"
backend-path = ["_build"]
build-strict = true
templates = "templates"
plugins = ["one", "two"]
ignore = { "LS1" = "why" }
owners = { version = "VERSION" }
severity = { "version-drift" = "warning" }
renames = { "get-forecast.city" = "place" }
places = [{ fact = "version", place = "VERSION" }, { fact = "name", place = "x", pattern = "(y)" }]
servers = [{ path = "servers/a" }, { path = "servers/b" }]
models = [{ JOB }]
""".replace("JOB", JOB)


def read(
    own: str | None = None, pyproject: str | None = None, policy: str | None = None
) -> tuple[Config, list[tuple[str, str, str]]]:
    files = {"mcp-lockstep.toml": own, "pyproject.toml": pyproject, "policy.toml": policy}
    tree = Tree(Memory({path: text.encode() for path, text in files.items() if text is not None}))
    config, findings = read_config(tree)
    return config, [(f.code.slug, str(f.place), f"{f.position.line}:{f.position.column}") for f in findings]


def test_no_configuration_is_a_configuration() -> None:
    assert read() == (Config(), [])
    assert read(pyproject="[project]\nname = 'x'\n[tool.other]\n") == (Config(), [])


def test_every_key() -> None:
    wanted = Config(
        "mcp-lockstep.toml",
        "io.github.acme/weather",
        "fastmcp4",
        "contract.json",
        "server@2025-12-11",
        "stamped",
        "private",
        True,
        "policy.toml",
        "setuptools.build_meta",
        ("_build",),
        True,
        "templates",
        ("one", "two"),
        {"LS1": "why"},
        {"version": "VERSION"},
        {"version-drift": "warning"},
        {"get-forecast.city": "place"},
        (OwnPlace("version", "VERSION"), OwnPlace("name", "x", "(y)")),
        (ModelJob("mcp@2026-07-28", "src/p.py", "ergonomic", "msgspec", "p", "3.10", "2.12"),),
        ("servers/a", "servers/b"),
    )
    without_effect = [("lenient", 7), ("plugins", 13)]
    told = [("config-no-effect", f"mcp-lockstep.toml:{key}", line) for key, line in without_effect]
    config, findings = read(EVERY_KEY, policy="")
    assert config == wanted
    assert [(slug, place, int(where.partition(":")[0])) for slug, place, where in findings] == told
    in_pyproject = wanted._replace(path="pyproject.toml")
    assert read(pyproject=f"[tool.mcp-lockstep]\n{EVERY_KEY}", policy="")[0] == in_pyproject


def test_a_shared_policy_holds_what_the_project_does_not_say() -> None:
    policy = 'sdk = "fastmcp4"\nregistry = "private"\nignore = { "LS1" = "ours", "LS2" = "ours" }\n'
    own = 'extends = "policy.toml"\nsdk = "mcp2"\nignore = { "LS2" = "mine" }\n'
    config, told = read(own, policy=policy)
    assert told == []
    assert (config.path, config.sdk, config.registry) == ("mcp-lockstep.toml", "mcp2", "private")
    assert config.ignore == {"LS1": "ours", "LS2": "mine"}


def test_a_policy_that_is_not_there_or_is_wrong_is_named() -> None:
    assert read('extends = "policy.toml"')[1] == [("config-wrong-value", "mcp-lockstep.toml:extends", "1:11")]
    told = read('extends = "policy.toml"', policy="nam = 1")[1]
    assert told == [("config-unknown-key", "policy.toml:nam", "1:7")]


def test_two_homes_are_one_too_many() -> None:
    config, told = read('name = "a.b/c"', '[tool.mcp-lockstep]\nname = "d.e/f"')
    assert told == [("config-twice", "mcp-lockstep.toml", "1:1")]
    assert config.name == "d.e/f"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nme = 'x'", ("config-unknown-key", "mcp-lockstep.toml:nme", "1:7")),
        ('"odd key" = 1', ("config-unknown-key", 'mcp-lockstep.toml:"odd key"', "1:13")),
        ("name = 3", ("config-wrong-value", "mcp-lockstep.toml:name", "1:8")),
        ("sdk = 'mcp3'", ("config-wrong-value", "mcp-lockstep.toml:sdk", "1:7")),
        ("sdk = ''", ("config-wrong-value", "mcp-lockstep.toml:sdk", "1:7")),
        ("lenient = 1", ("config-wrong-value", "mcp-lockstep.toml:lenient", "1:11")),
        ("backend-path = ['../b']", ("config-wrong-value", "mcp-lockstep.toml:backend-path", "1:16")),
        ("contract = '../c.json'", ("config-wrong-value", "mcp-lockstep.toml:contract", "1:12")),
        ("contract = '/c.json'", ("config-wrong-value", "mcp-lockstep.toml:contract", "1:12")),
        ("plugins = 'x'", ("config-wrong-value", "mcp-lockstep.toml:plugins", "1:11")),
        ("plugins = ['x', 1]", ("config-wrong-value", "mcp-lockstep.toml:plugins", "1:11")),
        ("ignore = ['LS1']", ("config-wrong-value", "mcp-lockstep.toml:ignore", "1:10")),
        ("ignore = { LS1 = true }", ("config-wrong-value", "mcp-lockstep.toml:ignore", "1:10")),
        ("severity = { LS1 = 'fatal' }", ("config-wrong-value", "mcp-lockstep.toml:severity", "1:12")),
        ("places = 'VERSION'", ("config-wrong-value", "mcp-lockstep.toml:places", "1:10")),
        ("places = ['VERSION']", ("config-wrong-value", "mcp-lockstep.toml:places", "1:10")),
        ("\n[[places]]\nfact = 'version'", ("config-wrong-value", "mcp-lockstep.toml:places.0", "2:1")),
        (
            "[[places]]\nfact = 'version'\nplace = 'V'\npat = 'x'",
            ("config-unknown-key", "mcp-lockstep.toml:places.0.pat", "4:7"),
        ),
        ("[[models]]\nschema = 'x'", ("config-wrong-value", "mcp-lockstep.toml:models.0", "1:1")),
        ("[[servers]]\npath = '..'", ("config-wrong-value", "mcp-lockstep.toml:servers.0.path", "2:8")),
    ],
)
def test_a_wrong_key_or_value_is_named_where_it_stands(text: str, told: tuple[str, str, str]) -> None:
    found = read(text)[1]
    assert [one[:2] for one in found] == [told[:2]]
    if not told[1].endswith(".0"):
        assert found == [told]


def test_a_misspelt_key_is_told_with_the_right_one() -> None:
    _, findings = read_config(Tree(Memory({"mcp-lockstep.toml": b"shema = 'x'"})))
    assert findings[0].hint == "did you mean `schema`?"
    _, findings = read_config(Tree(Memory({"mcp-lockstep.toml": b"zzz = 'x'"})))
    assert findings[0].hint.startswith("known here: backend-path, build-backend, ")


def test_a_file_that_is_no_toml_is_refused() -> None:
    with pytest.raises(Refused, match=r"pyproject\.toml is not TOML"):
        read(pyproject="[tool")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ('profile = "ergonomc"', 'did you mean "ergonomic"?'),
        ('kind = "typedict"', 'did you mean "typeddict"?'),
        ("target-python = 3.11", ""),
        ('target-pydantic = "1"', ""),
    ],
)
def test_a_style_that_is_none(line: str, hint: str) -> None:
    text = f'[[models]]\nschema = "a.json"\noutput = "a.py"\n{line}\n'
    config, (finding,) = read_config(Tree(Memory({"mcp-lockstep.toml": text.encode()})))
    key = line.partition(" ")[0]
    assert (finding.code.slug, str(finding.place)) == (
        "config-wrong-value",
        f"mcp-lockstep.toml:models.0.{key}",
    )
    assert finding.hint == hint
    assert config.models[0].style == Style()
