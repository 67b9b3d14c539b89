"""A Python server with the interface of any server.json, and a word for each thing that is another way."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import cast

import pytest

from kinds import KINDS, MORE, JsonObject
from mcp_lockstep.contract.sources import read_sources
from mcp_lockstep.emit.request import Request
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.launch.derive import launches
from mcp_lockstep.pipeline.create import create
from mcp_lockstep.pipeline.sync import prepare
from mcp_lockstep.plan import Plan
from mcp_lockstep.project import Project
from mcp_lockstep.rules import judge_data
from mcp_lockstep.tree import Memory, Tree

ALL = {**KINDS, **MORE}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("manifests")
    for kind, data in ALL.items():
        (made / f"{kind}.json").write_text(json.dumps(data, indent=2), encoding="utf-8")
    return made


@cache
def made(source: Path, name: str = "") -> Plan:
    return create(Tree(Memory({})), read_sources([str(source)]), Request(source.stem, name))


def files_of(plan: Plan) -> dict[str, bytes]:
    return {change.path: change.after for change in plan.changes if change.after is not None}


def manifest_of(plan: Plan) -> JsonObject:
    return cast("JsonObject", json.loads(files_of(plan)["server.json"]))


def package_of(plan: Plan) -> JsonObject:
    (package,) = cast("list[JsonObject]", manifest_of(plan)["packages"])
    return package


def said(plan: Plan) -> dict[str, str]:
    """Pointer -> what is said about it."""
    return {f.place.address: f.message for f in plan.findings if f.code.slug.startswith("new-")}


def settings_of(plan: Plan) -> types.ModuleType:
    """The settings module of a made project, executed."""
    (text,) = (raw for path, raw in files_of(plan).items() if path.endswith("/settings.py"))
    module = types.ModuleType("made_settings_under_test")
    # dataclasses look up the module of a class there.
    sys.modules[module.__name__] = module
    exec(text.decode(), module.__dict__)
    return module


@pytest.mark.parametrize("kind", ALL)
def test_every_kind_gives_a_project_with_nothing_wrong(kind: str, folder: Path) -> None:
    plan = made(folder / f"{kind}.json")
    assert [f.code.slug for f in plan.findings if f.severity != "note"] == []
    files = files_of(plan)
    judged = judge_tree(Project(Tree(Memory(files))))
    assert [f.code.slug for f in judged.findings if f.severity != "note"] == []
    assert judge_data(manifest_of(plan)) == ()
    assert prepare(Tree(Memory(files))).plan.changes == ()
    assert package_of(plan)["registryType"] == "pypi"


def leaves(value: object, pointer: str = "") -> Iterator[tuple[str, object]]:
    items = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    )
    if items is None:
        yield pointer, value
        return
    for key, item in items:
        yield from leaves(item, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")


@pytest.mark.parametrize("kind", ALL)
def test_what_is_not_in_the_new_server_json_is_said(kind: str, folder: Path) -> None:
    plan = made(folder / f"{kind}.json")
    kept = [value for _, value in leaves(manifest_of(plan))]
    words = said(plan)
    for pointer, value in leaves(ALL[kind]):
        if value not in kept:
            assert any(pointer == at or pointer.startswith(f"{at}/") for at in words), pointer


@pytest.mark.parametrize("kind", ALL)
def test_the_program_takes_what_clients_pass(
    kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = made(folder / f"{kind}.json")
    (launch,) = launches(manifest_of(plan))
    words = [word.filled(lambda one: one.default or (one.choices or ("1",))[0]) for word in launch.arguments]
    for variable in launch.environment:
        sample = variable.value.filled(lambda one: one.default or (one.choices or ("1",))[0])
        monkeypatch.setenv(variable.name, sample) if sample else monkeypatch.delenv(
            variable.name, raising=False
        )
    settings = settings_of(plan)
    given = settings.arguments(words)
    assert (given.transport == "stdio") == (launch.transport == "stdio")
    if launch.environment and any("Environment" in name for name in vars(settings)):
        settings.environment()


def test_a_package_of_another_registry_becomes_one_on_pypi(folder: Path) -> None:
    plan = made(folder / "npm-secret.json")
    package = package_of(plan)
    assert package == {
        "registryType": "pypi",
        "identifier": "tide-search",
        "version": "1.4.0",
        "runtimeHint": "uvx",
        "transport": {"type": "stdio"},
        "environmentVariables": [
            {"name": "TIDE_KEY", "description": "Your key.", "isRequired": True, "isSecret": True}
        ],
    }
    assert said(plan) == {
        "/repository": "`repository` kept: it holds only if the new project has its code there",
        "/packages/0": (
            "`packages[0]` npm package @acme/tide-search@1.4.0 -> pypi package tide-search@1.4.0"
        ),
        "/packages/0/runtimeHint": "`packages[0].runtimeHint` npx -> uvx",
        "/packages/0/runtimeArguments/0": (
            "`packages[0].runtimeArguments[0]` left out: -y is for npx, not for uvx"
        ),
    }


def test_every_change_has_its_place_in_the_file(folder: Path) -> None:
    lines = (folder / "npm-secret.json").read_text(encoding="utf-8").splitlines()
    hint = next(f for f in made(folder / "npm-secret.json").findings if f.have == "npx")
    assert '"runtimeHint": "npx"' in lines[hint.position.line - 1]
    assert (hint.want, hint.severity, hint.place.path.endswith("npm-secret.json")) == ("uvx", "note", True)


def test_a_package_on_pypi_stays_what_it_is(folder: Path) -> None:
    plan = made(folder / "pypi.json")
    package, source = package_of(plan), cast("list[JsonObject]", KINDS["pypi"]["packages"])[0]
    assert package["identifier"] == "Rain_Server"
    assert package["runtimeArguments"] == [{"type": "named", "name": "--python", "value": "3.12"}]
    assert package["environmentVariables"] == source["environmentVariables"]
    assert {"src/rain_server/settings.py", "src/rain_server/server.py"} <= files_of(plan).keys()
    assert [*said(plan)] == ["/$schema"]
    manifest = manifest_of(plan)
    assert {key: manifest[key] for key in ("title", "websiteUrl", "icons", "version")} == {
        key: KINDS["pypi"][key] for key in ("title", "websiteUrl", "icons", "version")
    }


def test_a_runner_that_is_told_of_another_package_is_not(folder: Path) -> None:
    plan = made(folder / "pypi-from.json")
    assert "runtimeArguments" not in package_of(plan)
    assert said(plan) == {
        "/packages/0/runtimeArguments/0": (
            "`packages[0].runtimeArguments[0]` left out: --from rain-server names what is started, which uvx knows"
        )
    }


def test_variables_are_read_as_they_are_declared(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of(made(folder / "pypi.json"))
    monkeypatch.setenv("RAIN_KEY", "k-1")
    told = settings.environment()
    assert (told.rain_key, told.rain_units, told.rain_limit, told.rain_loud) == ("k-1", "mm", None, False)
    assert "k-1" not in repr(told)
    settings.environment.cache_clear()
    monkeypatch.setenv("RAIN_UNITS", "cubit")
    with pytest.raises(SystemExit, match="'cubit' is none of mm, inch"):
        settings.environment()


def test_a_flag_that_the_server_has_itself_keeps_the_meaning_of_the_file(folder: Path) -> None:
    plan = made(folder / "oci-arguments.json")
    told = settings_of(plan).arguments(
        ["--host", "db.example", "--port", "5432", "--read-only", "rivers", "--http-port", "9"]
    )
    assert (told.host_, told.port_, told.read_only, told.table) == ("db.example", 5432.0, True, "rivers")
    assert (told.host, told.port) == ("127.0.0.1", 9)
    assert said(plan)["/packages/0/runtimeArguments/1"] == (
        "`packages[0].runtimeArguments[1]` -e ENGINE={engine} -> the environment variable ENGINE"
    )
    assert cast("list[JsonObject]", package_of(plan)["environmentVariables"])[-1] == {
        "name": "ENGINE",
        "choices": ["pg", "lite"],
        "isRequired": True,
    }


def test_a_repeated_argument_has_its_default_until_it_is_given(folder: Path) -> None:
    settings = settings_of(made(folder / "npm-and-oci.json"))
    assert settings.arguments([]).folder == ["/tmp"]
    assert settings.arguments(["/a", "/b"]).folder == ["/a", "/b"]


def test_a_second_package_is_left_out_and_its_variables_stay(folder: Path) -> None:
    plan = made(folder / "npm-and-oci.json")
    assert [item["name"] for item in cast("list[JsonObject]", package_of(plan)["environmentVariables"])] == [
        "LOG",
        "UMASK",
    ]
    assert said(plan)["/packages/1"].startswith(
        "`packages[1]` left out: oci package docker.io/acme/folders:1.4.0"
    )


def test_of_two_packages_the_address_of_the_one_that_stays_counts(tmp_path: Path) -> None:
    source = tmp_path / "a.json"
    kinds = (("npm", "@acme/a", "http://localhost:8000/npm"), ("pypi", "acme-a", "http://localhost:9000/api"))
    packages = [
        {
            "registryType": kind,
            "identifier": name,
            "version": "1.4.0",
            "transport": {"type": "streamable-http", "url": url},
        }
        for kind, name, url in kinds
    ]
    source.write_text(json.dumps({**KINDS["remote"], "packages": packages, "remotes": []}), encoding="utf-8")
    plan = made(source)
    assert package_of(plan)["transport"] == {
        "type": "streamable-http",
        "url": "http://127.0.0.1:{ACME_A_PORT}/api",
    }
    assert said(plan)["/packages/1/transport/url"] == (
        "`packages[1].transport.url` http://localhost:9000/api -> http://127.0.0.1:{a port of its own}/api"
    )
    assert "/packages/0/transport/url" not in said(plan)


def test_headers_of_a_remote_are_settings(folder: Path) -> None:
    plan = made(folder / "npm-and-remotes.json")
    settings = settings_of(plan)
    told = settings.headers({"X-ACME-Key": "k-2"})
    assert (told.x_acme_key, told.x_acme_region) == ("k-2", "eu")
    assert "k-2" not in repr(told)
    with pytest.raises(ValueError, match="'x-acme-key' is missing"):
        settings.headers({})
    with pytest.raises(ValueError, match="'mars' is none of eu, us"):
        settings.headers({"x-acme-key": "k", "x-acme-region": "mars"})
    assert manifest_of(plan)["remotes"] == KINDS["npm-and-remotes"]["remotes"]
    assert said(plan)["/remotes/0"] == "`remotes[0]` kept: it holds only if the new server answers there"


def test_under_another_name_addresses_are_left_out(folder: Path) -> None:
    plan = made(folder / "npm-and-remotes.json", "io.github.other/mine")
    assert "remotes" not in manifest_of(plan)
    assert (package_of(plan)["identifier"], manifest_of(plan)["name"]) == ("mine", "io.github.other/mine")
    words = said(plan)
    assert "an address belongs to the name" in words["/remotes/0"]
    assert words["/name"].startswith("`name` com.acme/both -> io.github.other/mine")


def test_a_server_that_is_only_remote_listens_itself(folder: Path) -> None:
    plan = made(folder / "remote.json")
    assert package_of(plan)["transport"] == {
        "type": "streamable-http",
        "url": "http://127.0.0.1:{CLOUD_PORT}/mcp",
    }
    assert said(plan)["/packages"] == "`packages` nothing -> pypi package cloud@1.4.0"
    wished = create(
        Tree(Memory({})), read_sources([str(folder / "remote.json")]), Request("remote", transport="stdio")
    )
    assert package_of(wished)["transport"] == {"type": "stdio"}


def test_a_server_over_http_keeps_its_port_and_its_path(folder: Path) -> None:
    plan = made(folder / "http-with-port.json")
    source = cast("list[JsonObject]", MORE["http-with-port"]["packages"])[0]
    package = package_of(plan)
    assert package["packageArguments"] == source["packageArguments"]
    assert package["transport"] == {
        **cast("JsonObject", source["transport"]),
        "url": "http://127.0.0.1:{--port}/api",
    }
    told = settings_of(plan).arguments(["--transport", "streamable-http"])
    assert (told.transport, told.port) == ("streamable-http", 9000)
    assert b'streamable_http_path="/api"' in files_of(plan)["src/ports/server.py"]


def test_a_port_in_a_variable_is_read_from_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = made(folder / "http-with-variable.json")
    assert package_of(plan)["transport"] == {"type": "streamable-http", "url": "http://127.0.0.1:{PORT}/sse"}
    assert said(plan)["/packages/0/transport/type"].startswith(
        "`packages[0].transport.type` sse -> streamable-http"
    )
    monkeypatch.delenv("PORT", raising=False)
    assert settings_of(plan).arguments([]).port == 3001


def test_the_oldest_format_is_read_as_well(folder: Path) -> None:
    plan = made(folder / "before-the-first.json")
    assert manifest_of(plan)["version"] == "0.2.0"
    assert package_of(plan)["environmentVariables"] == [
        {"name": "EARLY_LIMIT", "isRequired": True, "default": "5"}
    ]
    assert settings_of(plan).arguments(["a", "b"]).place == ["a", "b"]


def test_no_secret_is_written_anywhere(tmp_path: Path) -> None:
    source = tmp_path / "leaky.json"
    package = {
        "registryType": "npm",
        "identifier": "leaky",
        "version": "1.0.0",
        "transport": {"type": "stdio"},
        "environmentVariables": [
            {"name": "LEAKY_KEY", "isSecret": True, "default": "sk-live-1234", "choices": ["sk-live-1234"]}
        ],
    }
    remote = {"type": "streamable-http", "url": "https://leaky.example/mcp?token=sk-live-1234"}
    data = {**KINDS["nothing-to-run"], "packages": [package], "remotes": [remote]}
    source.write_text(json.dumps(data), encoding="utf-8")
    plan = create(Tree(Memory({})), read_sources([str(source)]), Request("leaky"))
    assert not any(b"sk-live-1234" in raw for raw in files_of(plan).values())
    assert not any("sk-live-1234" in repr(finding) for finding in plan.findings)
    assert {"/packages/0/environmentVariables/0/default", "/remotes/0/url"} <= said(plan).keys()


def test_the_seeds_become_projects_with_nothing_wrong(shared: Path) -> None:
    sources = sorted((shared / "seeds/server-json-examples").glob("*.json"))
    assert len(sources) == 12
    for source in sources:
        plan = made(source)
        assert [f.message for f in plan.findings if f.severity != "note"] == [], source.name
        judged = judge_tree(Project(Tree(Memory(files_of(plan)))))
        assert [f.message for f in judged.findings if f.severity != "note"] == [], source.name
        assert judge_data(manifest_of(plan)) == (), source.name


OLD = """\
{
  "name": "io.github.acme/tides",
  "description": "Tides.",
  "version_detail": {
    "version": "1.2-rc1",
    "release_date": "2025-01-01"
  },
  "x-publisher": {"tool": "x"},
  "_meta": {
    "other.key": 2
  },
  "packages": [
    {
      "registry_name": "docker",
      "name": "acme/tides",
      "version": "1.2.3",
      "runtime_hint": "docker",
      "runtime_arguments": [
        {"type": "named", "name": "-e", "value": "KEY={key}"},
        {"type": "named", "name": "--rm"}
      ],
      "environment_variables": [
        {"name": "API_KEY", "is_secret": true, "default": "sk-live-1234567890"}
      ]
    }
  ],
  "remotes": [
    {
      "transport_type": "streamable",
      "url": "https://{tenant}.acme.example/mcp",
      "headers": [{"name": "X"}]
    }
  ]
}
"""


def test_what_is_said_has_the_places_of_the_file_that_was_given(tmp_path: Path) -> None:
    source = tmp_path / "old.json"
    source.write_text(OLD, encoding="utf-8")
    plan = create(Tree(Memory({})), read_sources([str(source)]), Request("tides"))
    found = {f.place.address: f.position.line for f in plan.findings if f.code.slug.startswith("new-")}
    assert found == {
        "/$schema": 1,
        "/version_detail/version": 5,
        "/version_detail/release_date": 6,
        "/x-publisher": 8,
        "/_meta/other.key": 10,
        "/packages/0": 13,
        "/packages/0/transport": 13,
        "/packages/0/runtime_hint": 17,
        "/packages/0/runtime_arguments/0": 19,
        "/packages/0/runtime_arguments/1": 20,
        "/packages/0/environment_variables/0/default": 23,
        "/remotes/0": 28,
        "/remotes/0/variables": 28,
        "/remotes/0/headers/0": 31,
    }
    assert said(plan)["/packages/0/runtime_hint"] == "`packages[0].runtime_hint` docker -> uvx"
    assert said(plan)["/x-publisher"] == (
        "`x-publisher` left out: it tells how the other program was published"
    )


@pytest.mark.parametrize("name", ["publisher", "io.modelcontextprotocol.registry/publisher-provided"])
def test_publisher_data_is_told_under_the_key_that_it_has(tmp_path: Path, name: str) -> None:
    source = tmp_path / "a.json"
    data = {**KINDS["remote"], "_meta": {"a": 1, name: {"tool": "x"}}}
    source.write_text(json.dumps(data, indent=2), encoding="utf-8")
    plan = create(Tree(Memory({})), read_sources([str(source)]), Request("a"))
    (finding,) = (f for f in plan.findings if "published" in f.message)
    assert finding.place.address == f"/_meta/{name.replace('/', '~1')}"
    assert f'"{name}"' in source.read_text(encoding="utf-8").splitlines()[finding.position.line - 1]


def test_nothing_is_said_twice(tmp_path: Path) -> None:
    source = tmp_path / "old.json"
    source.write_text(OLD, encoding="utf-8")
    plan = create(Tree(Memory({})), read_sources([str(source)]), Request("tides"))
    places = [f.place.address for f in plan.findings if f.code.slug.startswith("new-")]
    assert sorted(places) == sorted(set(places))


def test_a_key_of_very_many_digits_is_left_out_as_any_other(tmp_path: Path) -> None:
    path = tmp_path / "server.json"
    path.write_text(json.dumps({**ALL["pypi"], "_meta": {"1" * 5000: 1}}), encoding="utf-8")
    said = [finding.message for finding in made(path).findings]
    assert any("1" * 5000 in message and message.endswith("the registry drops it") for message in said)
