"""The gate on artefacts made member by member: names, templates, servers in other folders, hostile contents."""

from __future__ import annotations

import json
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from archives import INFO, SDIST, TOP, WHEEL, metadata, write_sdist, write_wheel
from mcp_lockstep.artefact.gate import gate
from mcp_lockstep.cli.work import check_project
from packages import package, server

Write = Callable[[Mapping[str, str | bytes]], Path]
PYPROJECT = '[project]\nname = "weather"\nversion = "1.2.0"\n[project.scripts]\nweather = "weather:main"\n'
SCRIPTS = "[console_scripts]\nweather = weather:main\n"
MARKED = "# Weather\n\n<!-- mcp-name: io.github.acme/weather -->\n"


def manifest(version: str = "1.2.0", **more: object) -> str:
    return json.dumps(server(package(version=version), **{"version": version, **more}), indent=2)


def wheel(path: Path, inside: str | None = None, **members: str) -> Path:
    """A sound wheel, with `inside` as its server.json."""
    found: dict[str, str | bytes] = {
        "weather/__init__.py": "",
        f"{INFO}/METADATA": metadata(),
        f"{INFO}/entry_points.txt": SCRIPTS,
    }
    if inside is not None:
        found[f"{INFO}/mcp/server.json"] = inside
    for name, text in members.items():
        found[f"{INFO}/{name}"] = text
    return write_wheel(path, found)


def sdist(path: Path, inside: str | None = None) -> Path:
    found: dict[str, str | bytes] = {f"{TOP}/PKG-INFO": metadata(), f"{TOP}/pyproject.toml": PYPROJECT}
    if inside is not None:
        found[f"{TOP}/server.json"] = inside
    return write_sdist(path, found)


def said(path: Path) -> list[str]:
    return [f"{one.severity} {one.code.slug}" for one in gate(str(path)).findings]


@pytest.mark.parametrize("make", [wheel, sdist])
def test_a_sound_artefact_says_who_it_is(make: Callable[[Path, str], Path], tmp_path: Path) -> None:
    path = make(tmp_path / (WHEEL if make is wheel else SDIST), manifest())
    found = gate(str(path))
    assert found.findings == ()
    assert (found.says, found.commands) == ("io.github.acme/weather 1.2.0", ("uvx weather@1.2.0",))


@pytest.mark.parametrize(
    ("tag", "version", "expected"),
    [
        ("v1.2.0", "1.2.0", True),
        ("1.2", "1.2.0", True),
        ("weather-v1.2.0", "1.2.0", True),
        ("servers/w3@1.2.0-rc.1", "1.2.0rc1", True),
        ("v1.3.0", "1.2.0", False),
        ("v11.2.0", "1.2.0", False),
        ("v1.2.0-rc.1", "1.2.0", False),
        ("v1.2", "1.2.3", False),
        ("release1.3.0", "1.2.0", False),
        ("weather/V2", "1.2.0", False),
        ("1.2.0-py3", "1.2.0", True),
        ("for-python3", "1.2.0", True),
        ("nightly", "1.2.0", True),
        ("", "1.2.0", True),
        ("$(touch x)", "1.2.0", True),
    ],
)
def test_the_tag_of_the_release_is_held_against_the_version(
    tag: str, version: str, expected: bool, tmp_path: Path
) -> None:
    name = WHEEL.replace("1.2.0", version)
    path = wheel(tmp_path / name, manifest(version), METADATA=metadata(version=version))
    found = [one for one in gate(str(path), tag=tag).findings if one.code.id == "LS6212"]
    messages = [] if expected else [f"the release is tagged {tag!r}, and this is {version}"]
    assert [one.message for one in found] == messages
    assert [one.have for one in found] == ([] if expected else [version])


@pytest.mark.parametrize(("name", "kind"), [("weather.whl", "a wheel"), ("weather_1.2.0.tar.gz", "an sdist")])
def test_a_name_that_no_artefact_has(name: str, kind: str, tmp_path: Path) -> None:
    make = wheel if name.endswith(".whl") else sdist
    first = next(one for one in gate(str(make(tmp_path / name))).findings if one.code.id == "LS6201")
    assert first.message == f"{name!r} is no name of {kind}"


def test_without_a_server_json_anywhere_the_metadata_is_judged(tmp_path: Path) -> None:
    path = wheel(tmp_path / "dist" / WHEEL)
    assert said(path) == ["note artefact-manifest-absent"]
    assert gate(str(path)).findings[0].hint.startswith("none is beside it")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("weather-1.2.0.whl", "error artefact-file-name"),
        ("weather.whl", "error artefact-file-name"),
        ("weather-1.2-py3-none-any.whl", ""),
        ("Weather-1.2.0-1build-py3-none-any.whl", ""),
        ("weather-1.2.1-py3-none-any.whl", "error artefact-version-differs"),
        ("tides-1.2.0-py3-none-any.whl", "error artefact-name-differs"),
    ],
)
def test_the_file_name_against_the_metadata(name: str, expected: str, tmp_path: Path) -> None:
    assert said(wheel(tmp_path / name, manifest())) == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("make", "expected"),
    [(wheel, "error artefact-manifest-differs"), (sdist, "note artefact-manifest-template")],
)
def test_a_template_inside_is_told(make: Callable[[Path, str], Path], expected: str, project: Write) -> None:
    template = manifest("{{VERSION}}")
    base = project({"pyproject.toml": PYPROJECT, "server.json": template, "README.md": MARKED})
    path = make(base / "dist" / (WHEEL if make is wheel else SDIST), template)
    assert said(path) == [expected]


def test_the_template_of_a_project_is_rendered_for_the_version_of_the_artefact(project: Write) -> None:
    base = project({"pyproject.toml": PYPROJECT, "server.json": manifest("{{VERSION}}"), "README.md": MARKED})
    assert said(wheel(base / "dist" / WHEEL, manifest())) == []
    assert said(wheel(base / "dist" / WHEEL, manifest("1.1.0"))) == ["error artefact-version-differs"] * 2
    assert said(wheel(base / "dist" / WHEEL)) == ["note artefact-manifest-absent"]


SPELLINGS = ["1.2.0-rc.1", "v1.2.0rc1", "01.2.00rc1"]


@pytest.mark.parametrize("told", SPELLINGS)
@pytest.mark.parametrize("inside", [*SPELLINGS, "1.2.0rc1"])
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_a_version_that_is_spelled_otherwise_is_the_same(
    kind: str, inside: str, told: str, project: Write
) -> None:
    """server.json keeps the spelling of the project, the metadata have that of the index."""
    base = project({"pyproject.toml": PYPROJECT.replace("1.2.0", "1.2.0rc1"), "server.json": manifest(told)})
    info, top = INFO.replace("1.2.0", "1.2.0rc1"), TOP.replace("1.2.0", "1.2.0rc1")
    if kind == "wheel":
        members: dict[str, str | bytes] = {
            "weather/__init__.py": "",
            f"{info}/METADATA": metadata(version="1.2.0rc1"),
            f"{info}/entry_points.txt": SCRIPTS,
            f"{info}/mcp/server.json": manifest(inside),
        }
        path = write_wheel(base / "dist" / WHEEL.replace("1.2.0", "1.2.0rc1"), members, info)
    else:
        members = {
            f"{top}/PKG-INFO": metadata(version="1.2.0rc1"),
            f"{top}/pyproject.toml": PYPROJECT,
            f"{top}/server.json": manifest(inside),
        }
        path = write_sdist(base / "dist" / SDIST.replace("1.2.0", "1.2.0rc1"), members)
    assert said(path) == []


def test_a_server_json_about_something_else_keeps_its_version(project: Write) -> None:
    """As the build hook puts it in: the package that is built is none that it names."""
    image = json.dumps(
        server(
            {
                "registryType": "oci",
                "identifier": "ghcr.io/acme/weather:3.0.0",
                "transport": {"type": "stdio"},
            }
        )
        | {"version": "3.0.0"}
    )
    base = project({"pyproject.toml": PYPROJECT, "server.json": image})
    assert said(wheel(base / "dist" / WHEEL, image)) == []
    assert said(wheel(base / "dist" / WHEEL, image.replace("3.0.0", "3.1.0"))) == [
        "error artefact-version-differs",
        "error artefact-manifest-differs",
    ]


def test_a_version_from_the_build(project: Write) -> None:
    dynamic = (
        PYPROJECT.replace('version = "1.2.0"', 'dynamic = ["version"]')
        + '[tool.mcp-lockstep]\nversion = "build"\n'
    )
    base = project({"pyproject.toml": dynamic, "server.json": manifest("0.0.0"), "README.md": MARKED})
    assert said(wheel(base / "dist" / WHEEL)) == ["note artefact-manifest-absent"]
    assert said(wheel(base / "dist" / WHEEL, manifest())) == []
    assert said(sdist(base / "dist" / SDIST, manifest("0.0.0"))) == ["note artefact-manifest-template"]


def test_a_server_of_a_monorepo_is_found(project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    base = project(
        {
            "mcp-lockstep.toml": '[[servers]]\npath = "servers/weather"\n',
            "servers/weather/pyproject.toml": PYPROJECT,
            "servers/weather/server.json": manifest("1.1.0"),
        }
    )
    monkeypatch.chdir(base)
    (first, *_) = [one for one in gate(str(wheel(base / "dist" / WHEEL))).findings if one.severity == "error"]
    assert (first.code.slug, str(first.place)) == (
        "artefact-version-differs",
        "servers/weather/server.json#/version",
    )


def test_another_project_around_the_artefact_is_left_alone(project: Write) -> None:
    other = PYPROJECT.replace('"weather"', '"tides"', 1)
    base = project({"pyproject.toml": other, "server.json": manifest("9.9.9")})
    assert said(wheel(base / "dist" / WHEEL, manifest())) == []


@pytest.mark.parametrize(
    ("file", "broken", "expected"),
    [
        ("server.json", b"{", "LS0002"),
        ("server.json", b"\xff", "LS0001"),
        ("server.json", None, "LS0012"),
        ("pyproject.toml", b"[project", "LS0003"),
        ("pyproject.toml", None, "LS0012"),
    ],
)
@pytest.mark.parametrize("inside", [manifest(), None])
def test_a_project_that_cannot_be_read_is_what_check_says_of_it(
    inside: str | None,
    file: str,
    broken: bytes | None,
    expected: str,
    project: Write,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    base = project({"pyproject.toml": PYPROJECT, "server.json": manifest(), "README.md": MARKED})
    path = wheel(base / "dist" / WHEEL, inside)
    (base / file).unlink()
    if broken is None:
        (base / file).mkdir()
    else:
        (base / file).write_bytes(broken)
    monkeypatch.chdir(base)
    plain = check_project(".").findings
    (found,) = [one for one in gate(str(path.relative_to(base))).findings if one.severity == "error"]
    assert found in plain
    assert (found.code.id, found.place.path, found.code.exit) == (expected, file, 2)
    monkeypatch.chdir(base.parent)
    assert f"{base.name}/{file}" in [one.place.path for one in gate(str(path)).findings]


def test_a_private_registry_has_its_own_rules(project: Write) -> None:
    inside = manifest(repository={"url": "https://git.example.com/a/b", "source": "forge"})
    config = PYPROJECT + '[tool.mcp-lockstep]\nregistry = "private"\n'
    official = project({"pyproject.toml": PYPROJECT, "server.json": inside})
    assert said(wheel(official / "dist" / WHEEL, inside)) != []
    private = project({"pyproject.toml": config, "server.json": inside})
    assert said(wheel(private / "dist" / WHEEL, inside)) == []


def test_programs_that_a_wheel_ships_are_scripts(tmp_path: Path) -> None:
    members = {
        f"{INFO}/METADATA": metadata(),
        f"{INFO}/mcp/server.json": manifest(),
        "weather-1.2.0.data/scripts/weather": "#!python\n",
    }
    assert said(write_wheel(tmp_path / WHEEL, members)) == []


def test_many_differences_are_counted(project: Write) -> None:
    mine = json.dumps({**server(package()), "_meta": {f"k{n}": n for n in range(30)}})
    base = project({"pyproject.toml": PYPROJECT, "server.json": mine})
    theirs = json.dumps({**server(package()), "_meta": {f"k{n}": -n - 1 for n in range(30)}})
    found = [
        one for one in gate(str(wheel(base / "dist" / WHEEL, theirs))).findings if one.code.id == "LS6205"
    ]
    assert len(found) == 11
    assert found[-1].message == "20 more values differ from what the project would publish"


HOSTILE = [
    "[]",
    "1",
    "null",
    "{",
    "",
    "\x00",
    '{"packages": 1}',
    '{"name": {}, "packages": [1, {"identifier": []}]}',
    '{"a":' * 5_000,
]


@pytest.mark.parametrize("inside", HOSTILE)
@pytest.mark.parametrize("make", [wheel, sdist])
def test_a_hostile_server_json_is_a_finding(
    make: Callable[[Path, str], Path], inside: str, tmp_path: Path
) -> None:
    path = make(tmp_path / (WHEEL if make is wheel else SDIST), inside)
    found = gate(str(path)).findings
    assert found
    assert all(one.place.path.startswith(str(path)) for one in found)


@pytest.mark.parametrize("raw", [b"", b"Name", b"Name: \nVersion: \n"])
def test_hostile_metadata_is_a_finding(raw: bytes, tmp_path: Path) -> None:
    path = write_wheel(tmp_path / WHEEL, {f"{INFO}/METADATA": raw, f"{INFO}/mcp/server.json": manifest()})
    assert "error artefact-metadata-missing" in said(path)


@pytest.mark.parametrize(
    ("raw", "code", "where"),
    [
        (b"Name: weather\nVersion: 1.2.0\nAuthor: \xe9\n", "not-utf8", (3, 9)),
        (b"\0" * 10, "not-utf8", (1, 1)),
        (b"Name: weather\nVersion: 1.2.0\n\n" + bytes(10_000_001), "archive-too-large", (1, 1)),
    ],
)
def test_metadata_that_cannot_be_read_is_one_finding(
    raw: bytes, code: str, where: tuple[int, int], tmp_path: Path
) -> None:
    path = write_wheel(tmp_path / WHEEL, {f"{INFO}/METADATA": raw, f"{INFO}/mcp/server.json": manifest()})
    (found,) = [
        one for one in gate(str(path)).findings if one.code.slug in (code, "artefact-metadata-missing")
    ]
    assert (found.code.slug, found.place.path) == (code, f"{path}!{INFO}/METADATA")
    assert found.position[:2] == where


def test_a_wheel_with_metadata_of_two_packages(tmp_path: Path) -> None:
    members = {
        "weather/__init__.py": "",
        f"{INFO}/METADATA": metadata(),
        f"{INFO}/entry_points.txt": SCRIPTS,
        f"{INFO}/mcp/server.json": manifest(),
        "tides-1.dist-info/METADATA": metadata("tides", "1"),
    }
    (found,) = gate(str(write_wheel(tmp_path / WHEEL, members))).findings
    assert (found.code.slug, found.message) == (
        "artefact-metadata-twice",
        f"there are 2 folders with metadata: tides-1.dist-info, {INFO}",
    )


def test_a_wheel_without_a_folder_of_metadata(tmp_path: Path) -> None:
    (found, *_) = gate(str(write_wheel(tmp_path / WHEEL, {"a.py": ""}, "other"))).findings
    assert found.message == "there is no folder NAME-VERSION.dist-info, so no METADATA"


def test_a_wheel_without_anything(tmp_path: Path) -> None:
    assert said(write_wheel(tmp_path / WHEEL, {}, "other"))[0] == "error artefact-metadata-missing"


@pytest.mark.parametrize("make", [wheel, sdist])
def test_a_copy_that_needs_nothing_filled_in_is_no_template(
    make: Callable[[Path, str], Path], project: Write
) -> None:
    config = PYPROJECT + '[tool.mcp-lockstep]\nversion = "stamped"\n'
    base = project({"pyproject.toml": config, "server.json": manifest(), "README.md": MARKED})
    assert said(make(base / "dist" / (WHEEL if make is wheel else SDIST), manifest())) == []


def test_no_secret_is_told(project: Write) -> None:
    def with_key(value: str) -> str:
        key = {"name": "API_KEY", "isSecret": True, "value": value, "default": f"d-{value}"}
        return json.dumps(server(package(environmentVariables=[key])))

    base = project({"pyproject.toml": PYPROJECT, "server.json": with_key("hunter2"), "README.md": MARKED})
    found = gate(str(wheel(base / "dist" / WHEEL, with_key("hunter3"))))
    assert any(one.code.slug == "artefact-manifest-differs" for one in found.findings)
    assert "hunter" not in repr(found)
    added = gate(str(wheel(base / "dist" / WHEEL, json.dumps(server(package())))))
    assert added.findings
    assert "hunter" not in repr(added)


@pytest.mark.parametrize(
    ("calls", "members", "requires", "expected"),
    [
        ("weather:main", {"weather/__init__.py": ""}, "", []),
        ("weather:main [cli]", {"weather.py": ""}, "", []),
        ("weather.server:main", {"weather/server.cpython-311-x86_64-linux-gnu.so": ""}, "", []),
        ("weather.server:main", {"weather-1.2.0.data/purelib/weather/server/__init__.py": ""}, "", []),
        ("weather.server:main", {"_weather.pth": "/home/me/weather/src"}, "", []),
        ("weather.server:main", {"weather/__init__.py": ""}, "tides", ["error artefact-module-missing"]),
        ("weather:main", {"server/__init__.py": ""}, "", ["error artefact-module-missing"]),
        ("weather:main", {}, "", ["error artefact-module-missing"]),
        ("tides.cli:main", {"weather/__init__.py": ""}, "tides", ["warning artefact-module-missing"]),
        ("", {"weather.py": ""}, "tides", ["error artefact-module-missing"]),
    ],
)
def test_the_module_that_the_console_script_calls(
    calls: str, members: dict[str, str], requires: str, expected: list[str], tmp_path: Path
) -> None:
    needs = f"Name: weather\nRequires-Dist: {requires}\n" if requires else "Name: weather\n"
    parts: dict[str, str | bytes] = {
        **members,
        f"{INFO}/METADATA": metadata().replace("Name: weather\n", needs),
        f"{INFO}/entry_points.txt": f"[console_scripts]\nweather = {calls}\n",
        f"{INFO}/mcp/server.json": manifest(),
    }
    assert said(write_wheel(tmp_path / WHEEL, parts)) == expected


def test_an_sdist_that_nobody_can_build(tmp_path: Path) -> None:
    parts: dict[str, str | bytes] = {
        f"{TOP}/PKG-INFO": metadata(),
        f"{TOP}/server.json": manifest(),
        f"{TOP}/pyproject.toml": "[project\n",
    }
    assert said(write_sdist(tmp_path / SDIST, parts)) == ["error not-toml"]


def test_a_wheel_without_a_wheel_file(tmp_path: Path) -> None:
    path = wheel(tmp_path / WHEEL, manifest())
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist() if not name.endswith("/WHEEL")}
    with zipfile.ZipFile(path, "w") as new:
        for name, raw in members.items():
            new.writestr(name, raw)
    (found,) = gate(str(path)).findings
    assert (found.code.id, found.message) == ("LS6202", f"there is no {INFO}/WHEEL: installers refuse it")


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("Version: 1.3.0", "`Version` stands twice in the metadata: '1.2.0', and '1.3.0' here"),
        ("name: tides", "`Name` stands twice in the metadata: 'weather', and 'tides' here"),
    ],
)
def test_a_field_of_the_metadata_that_stands_twice(field: str, message: str, tmp_path: Path) -> None:
    doubled = metadata().replace("Summary:", f"{field}\nSummary:")
    (found,) = gate(str(wheel(tmp_path / WHEEL, manifest(), METADATA=doubled))).findings
    column = field.index(" ") + 2
    assert (found.code.id, found.message, found.position[:2]) == ("LS6210", message, (4, column))


def test_a_file_without_a_row_is_told_unless_it_signs_the_record(tmp_path: Path) -> None:
    path = wheel(tmp_path / WHEEL, manifest())
    with zipfile.ZipFile(path, "a") as more:
        more.writestr(f"{INFO}/RECORD.jws", "{}")
    assert gate(str(path)).findings == ()
    with zipfile.ZipFile(path, "a") as more:
        more.writestr("weather/late.py", "")
    (found,) = gate(str(path)).findings
    assert (found.code.id, found.message) == ("LS6209", "RECORD does not list 'weather/late.py'")


@pytest.mark.parametrize(
    ("row", "changed", "messages"),
    [
        (f"{INFO}/entry_points.txt", "{0},{1}", ["a row of RECORD is a file, its hash and its size"]),
        (f"{INFO}/entry_points.txt", "{0},{1},{2},", ["a row of RECORD is a file, its hash and its size"]),
        (f"{INFO}/entry_points.txt", "{0},{1},{2}x", ["the size of '{0}' is '{2}x', a number of bytes"]),
        ("weather/__init__.py", "{0},{1},-1", ["the size of '{0}' is '-1', a number of bytes"]),
        (f"{INFO}/entry_points.txt", "{0},{1},1", ["'{0}' is not the file that RECORD describes"]),
        (f"{INFO}/entry_points.txt", "{0},{1},", []),
    ],
)
def test_a_row_of_the_record_that_is_none(
    row: str, changed: str, messages: list[str], tmp_path: Path
) -> None:
    path = wheel(tmp_path / WHEEL, manifest())
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name).decode() for name in old.namelist()}
    rows = members[f"{INFO}/RECORD"].splitlines()
    at = next(index for index, line in enumerate(rows) if line.startswith(f"{row},"))
    parts = rows[at].split(",")
    rows[at] = changed.format(*parts)
    members[f"{INFO}/RECORD"] = "\n".join(rows)
    with zipfile.ZipFile(path, "w") as new:
        for name, text in members.items():
            new.writestr(name, text)
    found = [one for one in gate(str(path)).findings if "does not list" not in one.message]
    assert [
        one.message.startswith(text.format(*parts)) for one, text in zip(found, messages, strict=True)
    ] == [True for _ in messages]
    assert all((one.code.id, one.position.line) == ("LS6209", at + 1) for one in found)


# What cannot be read is told once, not again by everything that would have looked into it


def repacked(path: Path, method: int) -> Path:
    """The wheel with every member packed by another method."""
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(path, "w", method) as made:
        for name, raw in members.items():
            made.writestr(name, raw)
    return path


@pytest.mark.parametrize("at_home", [True, False])
@pytest.mark.parametrize(("method", "name"), [(zipfile.ZIP_LZMA, "lzma"), (zipfile.ZIP_BZIP2, "bzip2")])
def test_a_wheel_that_is_packed_otherwise_gets_one_finding(
    method: int, name: str, at_home: bool, tmp_path: Path
) -> None:
    if at_home:
        (tmp_path / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
        (tmp_path / "server.json").write_text(manifest(), encoding="utf-8")
    path = repacked(wheel(tmp_path / "dist" / WHEEL, manifest()), method)
    (found,) = gate(str(path)).findings
    assert (found.code.id, found.message) == (
        "LS6110",
        f"'{INFO}/WHEEL' is packed with {name}, not stored or deflated, and 5 more like it",
    )


LARGE = " " * 10_000_001


@pytest.mark.parametrize("member", ["METADATA", "WHEEL", "RECORD", "entry_points.txt", "mcp/server.json"])
def test_a_member_of_a_wheel_that_is_too_large_gets_one_finding(member: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (tmp_path / "server.json").write_text(manifest(), encoding="utf-8")
    path = wheel(tmp_path / "dist" / WHEEL, manifest())
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, raw in members.items():
            made.writestr(name, LARGE if name == f"{INFO}/{member}" else raw)
    (found,) = gate(str(path)).findings
    assert (found.code.id, found.place.path) == ("LS6102", f"{path}!{INFO}/{member}")


@pytest.mark.parametrize("member", ["PKG-INFO", "pyproject.toml", "server.json"])
@pytest.mark.parametrize("kind", ["large", "link"])
def test_a_member_of_an_sdist_that_cannot_be_read_gets_one_finding(
    member: str, kind: str, tmp_path: Path
) -> None:
    files: dict[str, str | bytes] = {
        f"{TOP}/PKG-INFO": metadata(),
        f"{TOP}/pyproject.toml": PYPROJECT,
        f"{TOP}/server.json": manifest(),
        f"{TOP}/other": "",
    }
    lost = f"{TOP}/{member}"
    files.pop(lost)
    link = tarfile.TarInfo(lost)
    link.type, link.linkname = tarfile.SYMTYPE, "other"
    path = tmp_path / SDIST
    if kind == "large":
        write_sdist(path, {**files, lost: LARGE})
    else:
        write_sdist(path, files, [link])
    (found,) = gate(str(path)).findings
    code = "LS6102" if kind == "large" else "LS6106"
    assert (found.code.id, found.place.path) == (code, f"{path}!{lost}")
