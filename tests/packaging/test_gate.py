"""`check dist/*` on what three backends really build: sound ones get a line, each planted fault its member and line."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from archives import members_of, rewrite
from backends import BACKENDS, MANIFEST, SDIST, WHEEL, available, build, copy, write_project
from mcp_lockstep.__main__ import main

pytestmark = pytest.mark.xdist_group("packaging")

INFO = "acme_weather-1.2.0.dist-info"
TOP = "acme_weather-1.2.0"
METADATA = {WHEEL: f"{INFO}/METADATA", SDIST: f"{TOP}/PKG-INFO"}
INSIDE = {WHEEL: f"{INFO}/mcp/server.json", SDIST: f"{TOP}/server.json"}


@pytest.fixture(scope="session", params=BACKENDS)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with its sdist and its wheel in `dist`, by one backend."""
    backend = str(request.param)
    if not available(backend):
        pytest.skip(f"{backend} is not installed here")
    base = write_project(tmp_path_factory.mktemp(backend) / "project", backend)
    build(base)
    return base


@pytest.fixture
def base(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it as the working folder, with server.json inside both artefacts."""
    folder = copy(built, tmp_path / "project")
    text = (folder / "server.json").read_text(encoding="utf-8")
    for name, member in INSIDE.items():
        rewrite(folder / "dist" / name, {member: text})
    monkeypatch.chdir(folder)
    return folder


def check(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str]]:
    code = main(["check", *words])
    caught = capsys.readouterr()
    assert "Traceback" not in caught.err
    return code, caught.out.splitlines()


def artefacts(base: Path) -> list[str]:
    return sorted(path.relative_to(base).as_posix() for path in (base / "dist").iterdir())


def line_of(path: Path, member: str, text: str) -> int:
    """The number of the first line of a member that holds `text`."""
    lines = members_of(path)[member].decode().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_sound_artefacts_get_one_line_each(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = check(capsys, *artefacts(base))
    assert (code, lines) == (
        0,
        [
            f"in step: io.github.acme/weather 1.2.0 (dist/{WHEEL})",
            f"in step: io.github.acme/weather 1.2.0 (dist/{SDIST})",
        ],
    )


def test_sound_artefacts_as_the_backend_made_them(
    built: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(built)
    code, lines = check(capsys, *artefacts(built))
    assert code == 0
    assert [line for line in lines if not line.startswith("in step: ")] in (["1 note (-v)"], ["2 notes (-v)"])
    _, lines = check(capsys, "-v", f"dist/{WHEEL}")
    assert lines[0] == (
        f"dist/{WHEEL}:1:1: note LS6206 artefact-manifest-absent: there is no server.json in this wheel"
    )


def test_artefacts_alone_are_judged_by_what_is_in_them(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = copy(base / "dist", tmp_path / "elsewhere/dist")
    monkeypatch.chdir(alone)
    assert check(capsys, WHEEL, SDIST) == (
        0,
        [f"in step: io.github.acme/weather 1.2.0 ({name})" for name in (WHEEL, SDIST)],
    )
    broken = json.dumps({**MANIFEST, "description": "x" * 101}, indent=2)
    rewrite(alone / WHEEL, {INSIDE[WHEEL]: broken})
    code, lines = check(capsys, WHEEL)
    assert code == 1
    assert lines[0].startswith(f"{WHEEL}!{INSIDE[WHEEL]}:4:18: error LS2")


def changed(text: bytes, old: str, new: str) -> str:
    assert old in text.decode()
    return text.decode().replace(old, new, 1)


FAULTS: Mapping[str, tuple[str, str, str, str]] = {
    "version-in-metadata": (
        "metadata",
        "Version: 1.2.0",
        "Version: 1.1.0",
        "LS6204 artefact-version-differs",
    ),
    "name-in-metadata": ("metadata", "Name: acme", "Name: other", "LS6203 artefact-name-differs"),
    "local-version": (
        "metadata",
        "Version: 1.2.0",
        "Version: 1.2.0+g1a2b3c4",
        "LS6208 artefact-version-local",
    ),
    "marker-of-another": ("metadata", "acme/weather -->", "acme/tides -->", "LS1015 readme-marker-missing"),
    "marker-misspelt": ("metadata", "mcp-name: io", "MCP-Name: io", "LS1018 readme-marker-misspelt"),
    "marker-unended": ("metadata", "acme/weather -->", "acme/weather.", "LS1016 readme-marker-unended"),
    "version-inside": (
        "inside",
        '  "version": "1.2.0",',
        '  "version": "1.1.0",',
        "LS6204 artefact-version-differs",
    ),
    "text-inside": ("inside", "Forecasts for a city.", "Forecasts.", "LS6205 artefact-manifest-differs"),
    "identifier-inside": ("inside", '"acme-weather"', '"acme-tides"', "LS6203 artefact-name-differs"),
    "command-inside": (
        "inside",
        '"registryType"',
        '"runtimeArguments": [{"type": "positional", "value": "run"}], "registryType"',
        "LS2601 runtime-argument-of-server",
    ),
}
"""Fault -> the member it is planted in, what is replaced by what, and the finding on the line of the new text."""


@pytest.mark.parametrize("name", [WHEEL, SDIST])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_named_with_member_and_line(
    fault: str, name: str, base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where, old, new, expected = FAULTS[fault]
    member = (METADATA if where == "metadata" else INSIDE)[name]
    path = base / "dist" / name
    rewrite(path, {member: changed(members_of(path)[member], old, new)})
    code, lines = check(capsys, f"dist/{name}")
    assert code == 1
    place = f"dist/{name}!{member}:{line_of(path, member, new.strip().split(',')[0])}:"
    assert [line for line in lines if line.startswith(place) and f"error {expected}" in line], lines


@pytest.mark.parametrize("name", [WHEEL, SDIST])
def test_a_description_without_a_marker(name: str, base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, member = base / "dist" / name, METADATA[name]
    text = members_of(path)[member].decode()
    # A keyword is not the description: a registry does not look there.
    text = text.replace("<!-- mcp-name: io.github.acme/weather -->", "").replace(
        "Summary:", "Keywords: mcp-name: io.github.acme/weather\nSummary:"
    )
    rewrite(path, {member: text})
    code, lines = check(capsys, f"dist/{name}")
    blank = text.splitlines().index("") + 1
    assert code == 1
    assert lines[0].startswith(f"dist/{name}!{member}:{blank}:1: error LS1015 readme-marker-missing: ")


@pytest.mark.parametrize("name", [WHEEL, SDIST])
def test_no_metadata(name: str, base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(base / "dist" / name, {METADATA[name]: None})
    code, lines = check(capsys, f"dist/{name}")
    assert code == 1
    assert lines[0].startswith(f"dist/{name}:1:1: error LS6202 artefact-metadata-missing: ")


def test_a_wheel_without_the_console_script(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    member = f"{INFO}/entry_points.txt"
    rewrite(base / "dist" / WHEEL, {member: "[console_scripts]\nweather = acme_weather:main\n"})
    code, lines = check(capsys, f"dist/{WHEEL}")
    assert code == 1
    assert lines[0] == (
        f"dist/{WHEEL}!{member}:1:1: error LS2603 script-name-mismatch: clients run `uvx acme-weather@1.2.0`, "
        "and there is no console script acme-weather (there is weather)"
    )


def test_an_sdist_without_the_console_script(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, member = base / "dist" / SDIST, f"{TOP}/pyproject.toml"
    rewrite(path, {member: changed(members_of(path)[member], "acme-weather =", "weather =")})
    code, lines = check(capsys, f"dist/{SDIST}")
    assert code == 1
    line = line_of(path, member, 'weather = "acme')
    assert lines[0].startswith(
        f"dist/{SDIST}!{member}:{line}:1: error LS2603 script-name-mismatch: "
    ) or lines[0].startswith(f"dist/{SDIST}!{member}:{line - 1}:")


@pytest.mark.parametrize("name", [WHEEL, SDIST])
def test_a_file_that_was_renamed(name: str, base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    renamed = name.replace("1.2.0", "1.3.0")
    (base / "dist" / name).rename(base / "dist" / renamed)
    code, lines = check(capsys, f"dist/{renamed}")
    assert code == 1
    expected = "LS6204" if name == WHEEL else "LS6202"
    assert any(f"error {expected}" in line for line in lines), lines


def test_a_record_that_describes_other_files(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = base / "dist" / WHEEL
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    members[INSIDE[WHEEL]] += b"\n"
    members["planted.pth"] = b"import os"
    with zipfile.ZipFile(path, "w") as new:
        for member, raw in members.items():
            new.writestr(member, raw)
    code, lines = check(capsys, f"dist/{WHEEL}")
    assert code == 1
    record = f"dist/{WHEEL}!{INFO}/RECORD"
    assert (
        lines[0] == f"{record}:1:1: error LS6209 artefact-record-differs: RECORD does not list 'planted.pth'"
    )
    assert any(line.startswith(f"{record}:") and INSIDE[WHEEL] in line for line in lines[1:])


def test_an_old_wheel_against_a_newer_project(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(base / "dist" / WHEEL, {INSIDE[WHEEL]: None})
    for name in ("pyproject.toml", "server.json"):
        text = (base / name).read_text(encoding="utf-8").replace("1.2.0", "1.3.0")
        (base / name).write_text(text, encoding="utf-8")
    code, lines = check(capsys, f"dist/{WHEEL}")
    assert code == 1
    assert lines[0].startswith("server.json:5:14: error LS6204 artefact-version-differs: ")


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_every_format_names_the_member(
    form: str, root: Path, base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, member = base / "dist" / WHEEL, METADATA[WHEEL]
    rewrite(path, {member: changed(members_of(path)[member], "Version: 1.2.0", "Version: 1.1.0")})
    code, lines = check(capsys, f"dist/{WHEEL}", f"dist/{SDIST}", "--format", form)
    text = "\n".join(lines)
    assert code == 1
    if form == "json":
        schema = json.loads((root / "schemas/report.json").read_text(encoding="utf-8"))
        Draft202012Validator(schema).validate(json.loads(text))
        (found, *_) = [one for one in json.loads(text)["findings"] if one["code"] == "LS6204"]
        assert (found["file"], found["line"], found["column"]) == (f"dist/{WHEEL}!{member}", 3, 10)
    elif form == "sarif":
        (found, *_) = [one for one in json.loads(text)["runs"][0]["results"] if one["ruleId"] == "LS6204"]
        place = found["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == f"dist/{WHEEL}%21{member}"
        assert place["region"]["startLine"] == 3
    else:
        assert f"::error file=dist/{WHEEL}!{member},line=3,col=10," in text


def test_what_the_project_ignores_is_left_out(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, member = base / "dist" / WHEEL, METADATA[WHEEL]
    rewrite(path, {member: changed(members_of(path)[member], "Version: 1.2.0", "Version: 1.2.0+g1")})
    config = '\n[tool.mcp-lockstep]\nignore = { artefact-version-local = "our index takes them" }\n'
    with (base / "pyproject.toml").open("a", encoding="utf-8") as handle:
        handle.write(config)
    _, lines = check(capsys, f"dist/{WHEEL}")
    assert not [line for line in lines if "LS6208" in line]


def test_one_fact_alone(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, member = base / "dist" / WHEEL, METADATA[WHEEL]
    text = changed(members_of(path)[member], "Version: 1.2.0", "Version: 1.1.0").replace("mcp-name", "mcp")
    rewrite(path, {member: text})
    _, lines = check(capsys, f"dist/{WHEEL}", "--only", "version")
    assert {line.split(" error ")[1][:6] for line in lines if " error " in line} == {"LS6204"}


def test_the_rest_is_judged_when_one_is_broken(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (base / "dist" / WHEEL).write_bytes(b"PK\x03\x04 cut off")
    path, member = base / "dist" / SDIST, METADATA[SDIST]
    rewrite(path, {member: changed(members_of(path)[member], "Version: 1.2.0", "Version: 1.1.0")})
    code, lines = check(capsys, f"dist/{WHEEL}", f"dist/{SDIST}")
    assert code == 2
    assert lines[0].startswith(f"dist/{WHEEL}:1:1: error LS6101 archive-damaged: ")
    assert any("LS6204" in line for line in lines)


def test_what_else_lies_in_dist_hides_nothing(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (base / "dist/weather.zip").write_bytes(b"PK")
    path, member = base / "dist" / WHEEL, METADATA[WHEEL]
    rewrite(path, {member: changed(members_of(path)[member], "Version: 1.2.0", "Version: 1.1.0")})
    code, lines = check(capsys, *artefacts(base), "nowhere")
    assert code == 2
    assert {line.split(" error ")[1][:6] for line in lines if " error " in line} == {"LS0011", "LS6204"}
    assert [line for line in lines if line.endswith(" (-v)")] == ["1 note (-v)"]


def test_a_clean_answer_is_not_remembered(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(capsys, f"dist/{WHEEL}")[0] == 0
    (base / "dist" / WHEEL).write_bytes(b"")
    assert check(capsys, f"dist/{WHEEL}")[0] == 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_built_with_the_hook_gets_one_line_and_no_note(
    backend: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not available(backend):
        pytest.skip(f"{backend} is not installed here")
    base = write_project(tmp_path / "project", backend)
    text = (base / "pyproject.toml").read_text(encoding="utf-8")
    real = text.partition('build-backend = "')[2].partition('"')[0]
    text = text.replace(f'build-backend = "{real}"', 'build-backend = "mcp_lockstep.hooks.backend"')
    config = f'\n[tool.mcp-lockstep]\nbuild-backend = "{real}"\n'
    (base / "pyproject.toml").write_text(text + config, encoding="utf-8")
    template = (base / "server.json").read_text(encoding="utf-8").replace("1.2.0", "{{VERSION}}")
    (base / "server.json").write_text(template, encoding="utf-8")
    build(base)
    assert json.loads(members_of(base / "dist" / WHEEL)[INSIDE[WHEEL]]) == MANIFEST
    monkeypatch.chdir(base)
    code, lines = check(capsys, f"dist/{WHEEL}", f"dist/{SDIST}")
    assert (code, lines) == (
        0,
        [f"in step: io.github.acme/weather 1.2.0 (dist/{name})" for name in (WHEEL, SDIST)],
    )
