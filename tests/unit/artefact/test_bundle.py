"""The gate on MCPB bundles: the manifest inside, held against rules, project and server.json, and the file's hash."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mcp_lockstep.__main__ import main
from mcp_lockstep.artefact.gate import gate
from packages import server

Write = Callable[[Mapping[str, str | bytes]], Path]
BUNDLE: dict[str, object] = {
    "manifest_version": "0.3",
    "name": "weather",
    "version": "1.2.0",
    "description": "Forecasts for a city.",
    "author": {"name": "Acme"},
    "server": {
        "type": "python",
        "entry_point": "server/main.py",
        "mcp_config": {"command": "python", "args": ["${__dirname}/server/main.py"]},
    },
}
PYPROJECT = '[project]\nname = "weather"\nversion = "1.2.0"\n'


def bundle(path: Path, manifest: object = BUNDLE, method: int = zipfile.ZIP_DEFLATED) -> Path:
    """A bundle with this manifest (None: without one) and one file beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr(zipfile.ZipInfo("server/main.py"), "print()\n")
        if manifest is not None:
            text = manifest if isinstance(manifest, str | bytes) else json.dumps(manifest, indent=2)
            entry = zipfile.ZipInfo("manifest.json")
            entry.compress_type = method
            archive.writestr(entry, text)
    return path


ADDRESS = "https://github.com/acme/mcp-weather/releases/download/v1.2.0/weather.mcpb"


def released(file: str = "weather.mcpb", sha: str = "0" * 64, version: str = "1.2.0") -> str:
    """A server.json with one package, a bundle."""
    address = f"https://github.com/acme/mcp-weather/releases/download/v{version}/{file}"
    package = {
        "registryType": "mcpb",
        "identifier": address,
        "fileSha256": sha,
        "transport": {"type": "stdio"},
    }
    return json.dumps({**server(package), "version": version}, indent=2)


def said(path: Path, tag: str = "") -> list[str]:
    return [f"{one.severity} {one.code.slug} {one.place}" for one in gate(str(path), tag=tag).findings]


def test_a_sound_bundle_says_who_it_is(tmp_path: Path) -> None:
    found = gate(str(bundle(tmp_path / "weather.mcpb")))
    assert (found.says, found.commands, found.findings) == ("weather 1.2.0", (), ())


def test_the_manifest_is_judged_by_its_rules_at_its_place(tmp_path: Path) -> None:
    path = bundle(tmp_path / "weather.mcpb", {**BUNDLE, "version": 1})
    (found,) = gate(str(path)).findings
    assert (found.code.id, str(found.place)) == ("LS2010", f"{path}!manifest.json#/version")
    assert found.position[:2] == (4, 14)


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (None, "error artefact-metadata-missing {}"),
        ("{", "error not-json {}!manifest.json"),
        (b"\xff{}", "error not-utf8 {}!manifest.json"),
        ("[]", "error other-kind-of-file {}!manifest.json"),
        (" " * 10_000_001, "error archive-too-large {}!manifest.json"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_one_finding(
    manifest: object, expected: str, tmp_path: Path
) -> None:
    path = bundle(tmp_path / "weather.mcpb", manifest)
    assert said(path) == [expected.format(path)]
    assert gate(str(path)).says == str(path)


def test_a_bundle_that_nobody_opens(tmp_path: Path) -> None:
    path = bundle(tmp_path / "weather.mcpb", method=zipfile.ZIP_LZMA)
    assert said(path) == [f"error member-packed {path}!manifest.json"]
    path.write_bytes(b"hello")
    assert said(path) == [f"error archive-damaged {path}"]


@pytest.mark.parametrize(
    ("entry", "there"),
    [
        ("server/main.py", True),
        ("./server/main.py", True),
        ("${__dirname}/server/main.py", True),
        ("server/main", False),
        ("main.py", False),
        ("server", False),
    ],
)
def test_the_file_that_is_started_is_in_it(entry: str, there: bool, tmp_path: Path) -> None:
    told = {**BUNDLE, "server": {"type": "python", "entry_point": entry, "mcp_config": {"command": "x"}}}
    path = bundle(tmp_path / "weather.mcpb", told)
    missing = f"error artefact-module-missing {path}!manifest.json#/server/entry_point"
    assert said(path) == ([] if there else [missing])


def test_a_program_may_end_in_exe(tmp_path: Path) -> None:
    told = {
        **BUNDLE,
        "server": {"type": "binary", "entry_point": "server/main", "mcp_config": {"command": "x"}},
    }
    path = bundle(tmp_path / "weather.mcpb", told)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("server/main.exe", "")
    assert said(path) == []


@pytest.mark.parametrize("own", [None, {**BUNDLE, "version": "0.9.0"}, BUNDLE])
def test_the_manifest_stands_in_the_place_of_that_of_the_project(
    own: object, project: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `check` would say of it there; what is wrong with the one that lies there is not the bundle's."""
    files = {"pyproject.toml": PYPROJECT, "server.json": released("other.mcpb")}
    base = project(files if own is None else {**files, "manifest.json": json.dumps(own)})
    monkeypatch.chdir(base)
    assert said(bundle(base / "dist/weather.mcpb")) == []
    path = bundle(base / "dist/weather.mcpb", {**BUNDLE, "version": "1.1.0"})
    (found,) = gate(str(path)).findings
    assert (found.code.slug, str(found.place)) == ("version-drift", f"{path}!manifest.json#/version")
    assert (found.have, found.want, found.fixable) == ("1.1.0", "1.2.0", False)
    assert found.hint == "bring the project in step, and pack the bundle again"


def test_the_tools_that_it_lists_are_those_of_the_server(project: Write) -> None:
    contract = {"tools": [{"name": "forecast", "inputSchema": {"type": "object"}}]}
    base = project(
        {
            "pyproject.toml": PYPROJECT + '[tool.mcp-lockstep]\ncontract = "contract.json"\n',
            "server.json": released(),
            "contract.json": json.dumps(contract),
        }
    )
    told = {**BUNDLE, "tools": [{"name": "tides", "description": "Tides."}]}
    found = gate(str(bundle(base / "dist/other.mcpb", told))).findings
    assert [one.message for one in found] == [
        "the bundle lists the tool 'tides', and the server has none",
        "the bundle does not list the tool 'forecast'",
    ]


def test_a_project_is_known_by_the_file_that_it_publishes(project: Write) -> None:
    base = project({"server.json": released("forecasts-1.2.0.mcpb")})
    old = {**BUNDLE, "name": "other", "version": "1.1.0"}
    assert said(bundle(base / "dist/away.mcpb", old)) == []
    assert [text.split()[1] for text in said(bundle(base / "dist/forecasts-1.2.0.mcpb", old))] == [
        "version-drift"
    ]


@pytest.mark.parametrize("address", ["https://[acme/weather.mcpb", "https://acme.example:x/weather.mcpb"])
def test_an_address_that_nobody_can_read_names_no_file(address: str, project: Write) -> None:
    manifest = json.dumps(server("not a package", {"registryType": "mcpb", "identifier": address}))
    base = project({"pyproject.toml": PYPROJECT, "server.json": manifest})
    assert said(bundle(base / "dist/weather.mcpb", {**BUNDLE, "name": "other"})) == []


def test_a_template_names_the_file_of_each_version(project: Write) -> None:
    base = project({"server.json": released("forecasts-{{VERSION}}.mcpb", version="{{VERSION}}")})
    path = bundle(base / "dist/forecasts-1.2.0.mcpb", {**BUNDLE, "name": "other"})
    assert said(path) == []


def test_the_hash_that_clients_compare(project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    base = project({})
    monkeypatch.chdir(base)
    path = bundle(base / "dist/weather.mcpb")
    made = hashlib.sha256(path.read_bytes()).hexdigest()
    project({"server.json": released(sha=made)})
    assert said(Path("dist/weather.mcpb")) == []
    project({"server.json": released()})
    (found,) = gate("dist/weather.mcpb").findings
    assert (found.code.id, found.severity, str(found.place)) == (
        "LS6213",
        "error",
        "server.json#/packages/0/fileSha256",
    )
    assert (found.have, found.want, found.position[:2]) == ("0" * 64, made, (10, 21))


@pytest.mark.parametrize(
    "manifest",
    [
        released("other.mcpb"),
        released(sha="{{SHA256}}"),
        released(sha="F" * 64),
        json.dumps({**server({"registryType": "mcpb", "identifier": ADDRESS}), "version": "1.2.0"}),
    ],
)
def test_another_hash_is_compared_with_nothing(manifest: str, project: Write) -> None:
    """Of another file, filled in later, none, or not there; the rules of server.json tell the last two."""
    base = project({"pyproject.toml": PYPROJECT, "server.json": manifest})
    assert said(bundle(base / "dist/weather.mcpb")) == []


def test_a_release_job_that_sets_versions_sets_hashes(project: Write) -> None:
    table = '[tool.mcp-lockstep]\nversion = "stamped"\n'
    base = project({"pyproject.toml": PYPROJECT + table, "server.json": released()})
    assert said(bundle(base / "dist/weather.mcpb")) == []


def test_what_its_project_ignores_is_left_out(project: Write) -> None:
    table = '[tool.mcp-lockstep]\nignore = { LS6213 = "packed by others" }\n'
    base = project({"pyproject.toml": PYPROJECT + table, "server.json": released()})
    path = bundle(base / "dist/weather.mcpb")
    assert gate(str(path)).findings == ()


@pytest.mark.parametrize("command", ["launch", "compare"])
def test_other_commands_say_what_it_is(
    command: str, tmp_path: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(bundle(tmp_path / "weather.mcpb"))
    assert main([command, path, path][: 2 if command == "launch" else 3]) == 2
    said = {"launch": "is a bundle, which applications start by themselves", "compare": "holds no contract"}
    assert f"{path} {said[command]}" in capsys.readouterr().out


def test_the_tag_of_the_release(tmp_path: Path) -> None:
    path = bundle(tmp_path / "weather.mcpb")
    assert said(path, "v1.2.0") == []
    assert said(path, "v1.3.0") == [f"error artefact-tag-differs {path}"]


def test_a_project_that_cannot_be_read_is_told(project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    base = project({"pyproject.toml": PYPROJECT, "server.json": "{"})
    monkeypatch.chdir(base)
    assert said(bundle(base / "dist/weather.mcpb")) == ["error not-json server.json"]
