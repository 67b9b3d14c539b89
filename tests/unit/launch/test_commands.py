"""`launch` and `export` as they are typed."""

from __future__ import annotations

import io
import json
import os
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from mcp_lockstep.__main__ import main
from mcp_lockstep.launch.target import open_target
from packages import named, package, positional, server
from stdio_servers import program

Write = Callable[[Mapping[str, str | bytes]], Path]
PYPROJECT = '[project]\nname = "weather"\nversion = "1.2.0"\n[project.scripts]\nweather = "weather:main"\n'
KEY = {"name": "TIDES_KEY", "isRequired": True, "isSecret": True}


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(words)
    caught = capsys.readouterr()
    return code, caught.out, caught.err


def test_launch_prints_command_and_environment(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    data = server(
        package(environmentVariables=[KEY, {"name": "UNITS", "default": "metric"}]), package("cargo")
    )
    base = project({"pyproject.toml": PYPROJECT, "server.json": json.dumps(data)})
    code, out, _ = run(capsys, "launch", str(base))
    assert code == 0
    assert out.splitlines() == [
        "clients run: uvx weather@1.2.0",
        "  with TIDES_KEY (required, secret), UNITS",
        "clients start no crates: users run `cargo install weather@1.2.0` and configure the binary",
    ]


@pytest.mark.parametrize(
    ("version", "shown"),
    [("1.2.0", "ghcr.io/acme/weather:1.2.0"), ("{{VERSION}}", "'ghcr.io/acme/weather:{{VERSION}}'")],
)
def test_launch_fills_in_the_version_that_the_project_knows(
    project: Write, capsys: pytest.CaptureFixture[str], version: str, shown: str
) -> None:
    data = {**server(package("oci", "ghcr.io/acme/weather:{{VERSION}}")), "version": version}
    base = project({"server.json": json.dumps(data)})
    assert run(capsys, "launch", str(base))[1].splitlines()[0] == f"clients run: docker run -i --rm {shown}"


def test_launch_fails_for_a_command_that_cannot_start(
    project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    base = project(
        {
            "pyproject.toml": PYPROJECT.replace("weather =", "other ="),
            "server.json": json.dumps(server(package(runtimeArguments=[positional("run")]))),
        }
    )
    code, out, _ = run(capsys, "launch", str(base / "server.json"))
    assert code == 1
    assert f"{base}/pyproject.toml:4:10: error LS2603 script-name-mismatch" in out
    assert f"{base}/server.json:" in out
    assert "error LS2601 runtime-argument-of-server" in out


def test_launch_heeds_the_configuration(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    ignored = PYPROJECT.replace("weather =", "other =")
    ignored += '[tool.mcp-lockstep]\nignore = { "script-name-mismatch" = "started by hand" }\n'
    base = project({"pyproject.toml": ignored, "server.json": json.dumps(server(package()))})
    assert run(capsys, "launch", str(base))[:2] == (0, "clients run: uvx weather@1.2.0\n")


def test_launch_names_remotes_and_addresses(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    http = package("npm", transport={"type": "sse", "url": "http://localhost:1/sse"})
    remote = {"type": "sse", "url": "https://acme.example/sse"}
    base = project({"server.json": json.dumps(server(http, remotes=[remote]))})
    code, out, _ = run(capsys, "launch", str(base), "--run")
    assert code == 0
    assert out.splitlines()[:2] == [
        "clients run: npx weather@1.2.0 over sse at http://localhost:1/sse",
        "clients connect to https://acme.example/sse over sse",
    ]
    assert "note LS2709 not-over-stdio" in out


def test_launch_names_remotes_of_the_first_revision(
    project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    remotes = [{"transport_type": "sse", "url": "https://acme.dev/sse"}, {"url": "https://acme.dev/mcp"}]
    base = project({"server.json": json.dumps({**server(), "remotes": remotes})})
    assert run(capsys, "launch", str(base))[1].splitlines() == [
        "clients connect to https://acme.dev/sse over sse",
        "clients connect to https://acme.dev/mcp",
    ]


@pytest.mark.parametrize(
    "words",
    [("launch",), ("export", "mcpb", "--root"), ("export", "dockerfile", "--root"), ("render",)],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = [", "1:6: error LS0003 not-toml"),
        ("[tool.mcp-lockstep]\nnam = 1", "2:7: error LS0101 config-unkn"),
    ],
)
def test_what_cannot_be_read_beside_server_json_is_said(
    words: tuple[str, ...], text: str, said: str, project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    base = project({"pyproject.toml": text, "server.json": json.dumps(server(package()))})
    code, out, err = run(capsys, *words, str(base))
    assert code == 2
    assert f"{base}/pyproject.toml:{said}" in out + err
    assert (words[0] == "launch") == ("clients run: uvx weather" in out)


def test_a_bundle_is_not_started_and_that_is_said(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    address = "https://github.com/acme/tides-mcp/releases/download/v1/tides.mcpb"
    bundle = package("mcpb", address, fileSha256="0" * 64)
    bundle.pop("version", None)
    base = project({"server.json": json.dumps(server(bundle))})
    assert main(["launch", str(base / "server.json"), "--run"]) == 0
    assert "not started: there is no command to run" in capsys.readouterr().out


def test_a_server_without_packages_is_sound(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    base = project({"server.json": json.dumps(server())})
    code, out, _ = run(capsys, "launch", str(base))
    assert (code, out) == (0, f"clients run nothing: {base} names neither packages nor remotes\n")


@pytest.mark.parametrize("name", ["nothing", "empty.whl", "broken.tar.gz", "list.json", "folder"])
def test_what_cannot_be_read_is_said_in_a_line(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.whl").touch()
    (tmp_path / "broken.tar.gz").write_bytes(b"\x1f\x8b\x08")
    (tmp_path / "list.json").write_text("[]", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    code, out, err = run(capsys, "launch", str(tmp_path / name))
    assert code == 2
    assert name in out.splitlines()[0]
    assert "Traceback" not in out + err


@pytest.mark.skipif(sys.platform == "win32", reason="the runner is a shell script")
def test_run_counts_and_never_prints_values(
    tmp_path: Path, project: Write, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "bin/npx"
    fake.parent.mkdir()
    command = " ".join(
        program(tmp_path, 'print("key", os.environ["TIDES_KEY"], flush=True)\nserve(TOOLS[:1])')
    )
    fake.write_text(f"#!/bin/sh\nexec {command}\n", encoding="utf-8")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("TIDES_KEY", "hunter2")
    base = project({"server.json": json.dumps(server(package("npm", environmentVariables=[KEY])))})
    code, out, err = run(capsys, "launch", str(base), "--run", "--timeout", "20")
    assert code == 1
    assert "  answers as tides 1.0 (2025-11-25): 1 tool\n" in out
    assert "error LS2706 server-writes-no-json: the server writes 'key ***'" in out
    assert "hunter2" not in out + err


@pytest.mark.parametrize("seconds", ["0", "-1", "x", "nan", "inf"])
def test_a_timeout_is_a_number_of_seconds(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "launch", "--timeout", seconds)
    assert code == 2
    assert err.endswith(f"argument --timeout: {seconds!r} is no number of seconds between 0 and 3600\n")


# Wheels and sdists


def wheel(folder: Path, members: Mapping[str, str]) -> Path:
    path = folder / "weather-1.2.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_a_wheel_brings_its_server_json_and_contract(tmp_path: Path) -> None:
    inside = server(package(identifier="tides"))
    path = wheel(
        tmp_path,
        {
            "weather-1.2.0.dist-info/mcp/server.json": json.dumps(inside),
            "weather/_generated/contract.json": json.dumps({"tools": [{"name": "x", "inputSchema": {}}]}),
        },
    )
    target = open_target(str(path))
    assert (target.data, target.dist) == (inside, str(path))
    assert target.contract is not None
    assert [tool["name"] for tool in target.contract.tools] == ["x"]


def test_a_server_json_among_the_data_of_a_package_is_not_the_wheels(tmp_path: Path) -> None:
    other = server(package(version="0.1"))
    path = wheel(tmp_path, {"weather/server.json": json.dumps(other)})
    assert open_target(str(path)).data["packages"] == [package(version="1.2.0")]


def test_a_wheel_without_one_is_read_by_the_project_that_built_it(project: Write) -> None:
    base = project({"pyproject.toml": PYPROJECT, "server.json": json.dumps(server(package())), "dist/x": ""})
    target = open_target(str(wheel(base / "dist", {"weather/__init__.py": ""})))
    assert target.data == server(package())


def test_a_wheel_alone_is_a_plain_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = wheel(tmp_path, {"weather/__init__.py": ""})
    assert run(capsys, "launch", str(path))[:2] == (0, "clients run: uvx weather@1.2.0\n")


def test_an_sdist_has_its_server_json_at_the_root(tmp_path: Path) -> None:
    path = tmp_path / "weather-1.2.0.tar.gz"
    raw = json.dumps(server(package())).encode()
    with tarfile.open(path, "w:gz") as archive:
        for name in ("weather-1.2.0/docs/server.json", "weather-1.2.0/server.json"):
            entry = tarfile.TarInfo(name)
            entry.size = len(raw) if "docs" not in name else 2
            archive.addfile(entry, io.BytesIO(raw if "docs" not in name else b"{}"))
    assert open_target(str(path)).data == server(package())


# export


def test_export_prints_the_export_and_says_the_rest_elsewhere(
    project: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    base = project({"server.json": json.dumps(server(package("npm")))})
    code, out, err = run(capsys, "export", "registry-list", "--root", str(base))
    assert code == 0
    assert sorted(json.loads(out)) == ["servers"]
    assert "warning LS2751 list-cannot-carry" in err


def test_export_writes_a_file(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    base = project({"pyproject.toml": PYPROJECT, "server.json": json.dumps(server(package()))})
    path = base / "made/.vscode/mcp.json"
    code, out, _ = run(capsys, "export", "client", "--for", "vscode", "--root", str(base), "-o", str(path))
    assert (code, out) == (0, f"wrote {path}\n")
    assert sorted(json.loads(path.read_text(encoding="utf-8"))) == ["servers"]


def test_export_says_what_it_needs(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    base = project({"server.json": json.dumps(server(package("npm", packageArguments=[named("--x", "1")])))})
    for form in ("mcpb", "dockerfile"):
        code, out, _ = run(capsys, "export", form, "--root", str(base))
        assert code == 2
        assert "is no Python project with a pypi package" in out


def test_what_is_odd_in_an_archive_is_said_and_nothing_of_it_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = json.dumps(server(package()))
    path = wheel(tmp_path, {"../server.json": inside, "weather-1.2.0.dist-info/mcp/server.json": inside})
    code, out, _ = run(capsys, "launch", str(path))
    assert code == 1
    assert f"{path}!../server.json:1:1: error LS6104 member-outside" in out
    assert "clients run: uvx weather@1.2.0" in out
