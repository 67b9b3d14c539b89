"""The manifest cases of the reference material, through the command line, as they and the design say."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from mcp_lockstep.__main__ import main

NAME = "io.github.acme/widget-mcp"
Change = Mapping[str, Callable[[bytes], bytes]]


class Said(NamedTuple):
    """What `check` says of a case: its exit code, the findings (slug, file, pointer), and what `sync` changes.

    `mended`: file -> the pairs (old, new) that are replaced there, each once, in order.
    """

    exit: int
    findings: tuple[tuple[str, str, str], ...] = ()
    mended: Mapping[str, tuple[tuple[str, str], ...]] = {}
    left: int = 0


MARKER = f"<!-- mcp-name: {NAME} -->"
BOTH_VERSIONS = (
    ("version-drift", "server.json", "/version"),
    ("version-drift", "server.json", "/packages/0/version"),
)

STDIO = """\
        "type": "stdio"
      }
"""
DECLARED = """\
        "type": "stdio"
      },
      "environmentVariables": [
        {
          "name": "WIDGET_TOKEN",
          "isRequired": true,
          "isSecret": true
        }
      ]
"""

COVERED: Mapping[str, Said] = {
    "01": Said(1, (("description-too-long", "server.json", "/description"),), left=1),
    "02": Said(
        1,
        (("readme-marker-missing", "README.md", ""),),
        {"README.md": (("# widget-mcp\n", f"# widget-mcp\n\n{MARKER}\n"),)},
    ),
    "04": Said(0, (("readme-marker-unended", "README.md", ""),)),
    "05": Said(
        1,
        (("server-name-drift", "README.md", ""),),
        {"README.md": (("acme/widget-mcp", "acme/widget-events-mcp"),)},
    ),
    "07": Said(0, (("schema-revision-old", "server.json", "/$schema"),)),
    "08": Said(1, (("schema-unknown", "server.json", "/$schema"),), left=1),
    "11": Said(
        1,
        BOTH_VERSIONS,
        {"server.json": (('"1.2.0"', '"1.2.8"'), ('"1.2.0"', '"1.2.8"'))},
    ),
    "13": Said(1, BOTH_VERSIONS, {"server.json": (("0.9.1", "0.12.2"), ("0.8.1", "0.12.2"))}),
    "14": Said(
        0,
        (
            ("value-not-static", "server.json", "/version"),
            ("value-not-static", "server.json", "/packages/0/version"),
        ),
    ),
    "16": Said(0),
    "19": Said(
        1,
        (("package-identifier-drift", "server.json", "/packages/0/identifier"),),
        {"server.json": (('"widget_mcp_server"', '"widget-mcp"'),)},
    ),
    "22": Said(1, (("wrong-type", "server.json", "/remotes"),), left=1),
    "25": Said(1, (("oci-version-field", "server.json", "/packages/0/version"),), left=1),
    "26": Said(1, (("oci-base-url", "server.json", "/packages/0/registryBaseUrl"),), left=1),
    "28": Said(
        1,
        (
            ("mcpb-hash-required", "server.json", "/packages/0/fileSha256"),
            ("mcpb-identifier", "server.json", "/packages/0/identifier"),
        ),
        left=1,
    ),
    "29": Said(1, (("wrong-type", "server.json", "/packages/0/packageArguments/0/default"),), left=1),
    "31": Said(
        0,
        (
            ("environment-needed-undeclared", "server.py", ""),
            ("environment-undeclared", "server.json", "/packages/0"),
        ),
        {"server.json": ((STDIO, DECLARED),)},
    ),
    "32": Said(
        0,
        (
            ("env-name-not-portable", "server.json", "/packages/0/environmentVariables/0/name"),
            ("env-name-not-portable", "server.py", ""),
        ),
    ),
    "34": Said(1, BOTH_VERSIONS, {"server.json": (("1.2.0", "1.3.0"), ("1.2.0", "1.3.0"))}),
}
"""Number of the case -> what is said. Cases 10 and 17 have tests of their own below."""

STYLES: Change = {
    "as it is": bytes,
    "CRLF": lambda raw: raw.replace(b"\n", b"\r\n"),
    "BOM": lambda raw: b"\xef\xbb\xbf" + raw,
    "final newline": lambda raw: raw + b"\n",
    "BOM, CRLF and three final newlines": lambda raw: (
        b"\xef\xbb\xbf" + (raw + b"\n\n\n").replace(b"\n", b"\r\n")
    ),
    "one line": lambda raw: b" ".join(line.strip() for line in raw.splitlines()),
}


@pytest.fixture
def opened(
    shared: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Path]:
    """A function that copies the project of a case and goes there."""

    def copy(number: str) -> Path:
        (found,) = (shared / "cases").glob(f"{number}-*")
        folder = tmp_path / "project"
        shutil.copytree(found, folder, ignore=shutil.ignore_patterns("expected.md"))
        monkeypatch.chdir(folder)
        return folder

    return copy


def files_of(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def report(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[dict[str, object]]]:
    code = main(["check", "--format", "json", *words])
    return code, json.loads(capsys.readouterr().out)["findings"]


def spots_of(findings: list[dict[str, object]]) -> list[tuple[object, object, object]]:
    return sorted((f["slug"], f["file"], f["pointer"]) for f in findings)


@pytest.mark.parametrize("number", COVERED)
def test_case(number: str, opened: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    said, folder = COVERED[number], opened(number)
    before = files_of(folder)
    code, findings = report(capsys)
    assert (code, spots_of(findings)) == (said.exit, sorted(said.findings))
    assert main(["sync"]) == said.left
    wanted = dict(before)
    for name, pairs in said.mended.items():
        text = wanted[name].decode()
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new, 1)
        wanted[name] = text.encode()
    assert files_of(folder) == wanted
    assert main(["sync"]) == said.left
    assert files_of(folder) == wanted


def test_01_says_length_and_limit(opened: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    opened("01")
    _, (finding,) = report(capsys)
    assert "125 characters" in str(finding["message"])
    assert "at most 100" in str(finding["message"])
    assert "2025-12-11" in str(finding["message"])


def test_02_names_the_file_and_the_line(
    opened: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    opened("02")
    _, (finding,) = report(capsys)
    assert finding["hint"] == f"add the line `{MARKER}` to README.md"


def test_10_a_pin_in_the_configuration_decides(
    opened: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = opened("10")
    path = folder / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    old = '[tool.modelgen]\nserver-json-schema = "2025-10-17"'
    assert old in text
    new = '[tool.mcp-lockstep]\nschema = "server@2025-10-17"'
    path.write_text(text.replace(old, new), encoding="utf-8")
    code, findings = report(capsys)
    assert code == 1
    (drift,) = [f for f in findings if f["fact"] == "schema"]
    assert (drift["have"], drift["want"], drift["pointer"]) == ("2025-12-11", "2025-10-17", "/$schema")
    before = (folder / "server.json").read_bytes()
    assert main(["sync"]) == 0
    assert (folder / "server.json").read_bytes() == before.replace(b"2025-12-11", b"2025-10-17")


def test_10_a_pin_moves_nothing_back_that_the_older_revision_does_not_know(
    opened: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = opened("10")
    path, server = folder / "pyproject.toml", folder / "server.json"
    text = path.read_text(encoding="utf-8").replace("[tool.modelgen]", "[tool.mcp-lockstep]")
    path.write_text(
        text.replace('server-json-schema = "2025-10-17"', 'schema = "server@2025-09-29"'), encoding="utf-8"
    )
    newer = '"title": "Widgets",\n  "icons": [],\n  "description"'
    server.write_text(server.read_text(encoding="utf-8").replace('"description"', newer, 1), encoding="utf-8")
    before = server.read_bytes()
    code, findings = report(capsys)
    assert (code, spots_of(findings)) == (
        1,
        [
            ("key-newer-than-revision", "server.json", "/icons"),
            ("key-newer-than-revision", "server.json", "/title"),
            ("schema-revision-drift", "server.json", "/$schema"),
        ],
    )
    assert [(f["line"], f["column"]) for f in findings if f["slug"] == "key-newer-than-revision"] == [
        (4, 3),
        (5, 3),
    ]
    (drift,) = [f for f in findings if f["fact"] == "schema"]
    assert (drift["have"], drift["want"], drift["fixable"]) == ("2025-12-11", "2025-09-29", False)
    assert "2025-09-29 does not know title, icons" in str(drift["hint"])
    for _ in range(2):
        assert main(["sync"]) == 1
        assert server.read_bytes() == before
    server.write_bytes(before.replace(newer.encode(), b'"description"'))
    assert main(["sync"]) == 0
    assert b"2025-09-29" in server.read_bytes()


def test_13_tells_both_values_of_each_place(
    opened: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    opened("13")
    _, findings = report(capsys)
    assert [(f["pointer"], f["have"], f["want"]) for f in findings] == [
        ("/version", "0.9.1", "0.12.2"),
        ("/packages/0/version", "0.8.1", "0.12.2"),
    ]


@pytest.mark.parametrize("version", ["1.3.0.dev5", "1.3.0rc1", "1.2.0+abc"])
def test_16_a_project_ahead_of_its_release_is_a_warning_and_nothing_is_written(
    version: str, opened: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = opened("16")
    for name in ("pyproject.toml", "server.json"):
        text = (folder / name).read_text(encoding="utf-8").replace("1.2.0-rc.1", "1.2.0")
        wanted = version if name == "pyproject.toml" else "1.2.0"
        (folder / name).write_text(text.replace("1.2.0rc1", wanted), encoding="utf-8")
    before = files_of(folder)
    code, (finding,) = report(capsys)
    assert (code, finding["slug"], finding["severity"]) == (0, "dev-ahead", "warning")
    assert (finding["file"], finding["pointer"], finding["have"], finding["want"]) == (
        "server.json",
        "/version",
        "1.2.0",
        version,
    )
    assert main(["check", "--strict"]) == 1
    assert main(["sync"]) == 0
    assert files_of(folder) == before
    assert main(["sync", "--accept", "pyproject.toml:project.version"]) == 0
    written = json.loads((folder / "server.json").read_text(encoding="utf-8"))
    assert (written["version"], written["packages"][0]["version"]) == (version, version)
    assert main(["sync"]) == 0


def test_17_ranges_and_moving_tags(opened: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    opened("17")
    code, findings = report(capsys)
    assert code == 1
    assert {
        ("version-looks-like-range", "/version"),
        ("reserved-version-string", "/packages/0/version"),
        ("image-tag-moves", "/packages/0/identifier"),
    } <= {(f["slug"], f["pointer"]) for f in findings}


def test_25_the_hint_mends_it_and_sync_bumps_the_tag(
    opened: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = opened("25")
    _, (finding,) = report(capsys)
    assert finding["want"] == "ghcr.io/acme/widget-mcp:1.2.0"
    assert str(finding["hint"]).endswith("or run `mcp-lockstep migrate FILE --write`.")
    assert main(["migrate", "--write", "server.json"]) == 0
    capsys.readouterr()
    assert report(capsys) == (0, [])
    path = folder / "server.json"
    (image,) = json.loads(path.read_bytes())["packages"]
    assert (image["identifier"], "version" in image) == ("ghcr.io/acme/widget-mcp:1.2.0", False)
    for name in ("server.json", "pyproject.toml"):
        bumped = (folder / name).read_text(encoding="utf-8").replace('"1.2.0"', '"1.3.0"')
        (folder / name).write_text(bumped, encoding="utf-8", newline="")
    before = path.read_bytes()
    assert main(["sync"]) == 0
    assert path.read_bytes() == before.replace(b"widget-mcp:1.2.0", b"widget-mcp:1.3.0")


@pytest.mark.parametrize("longer", [False, True])
def test_35_the_project_says_what_is_in_server_json(longer: bool, opened: Callable[[str], Path]) -> None:
    folder = opened("35")
    if longer:
        path = folder / "pyproject.toml"
        text = path.read_text(encoding="utf-8")
        sentence = "Counts widgets, " + "box by box, " * 8 + "and weighs them."
        assert len(sentence) > 100
        path.write_text(text.replace("Counts widgets.", sentence), encoding="utf-8")
    before = files_of(folder)
    assert main(["init", "--yes"]) == 0
    after = files_of(folder)
    written = json.loads(after["server.json"])
    description = written.pop("description", "")
    assert written == {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "io.github.acme/widget",
        "version": "3.4.5",
        "repository": {"url": "https://github.com/acme/widget-mcp", "source": "github"},
        "packages": [
            {
                "registryType": "pypi",
                "identifier": "widget-mcp",
                "version": "3.4.5",
                "transport": {"type": "stdio"},
            }
        ],
    }
    assert (description == "Counts widgets.") is not longer
    assert len(description) <= 100
    assert after["README.md"] == before["README.md"]
    assert after["server.py"] == before["server.py"]
    assert main(["check"]) == 0
    assert files_of(folder) == after


TABLE = """\
## Tools (1)

<!-- tools:start -->
| tool | does |
|---|---|
| `count` | counts |
<!-- tools:end -->
"""
KEPT = """\
| `count` | Count the widgets in one box. |
| `weigh` | Weigh one box. |
"""


def test_37_without_marks_the_readme_is_the_authors(
    opened: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = opened("37")
    before = files_of(folder)
    assert report(capsys) == (0, [])
    assert main(["sync"]) == 0
    assert files_of(folder) == before


def test_37_between_the_marks_a_table_is_kept(
    opened: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = opened("37")
    path = folder / "README.md"
    start, _, _ = path.read_text(encoding="utf-8").partition("## Tools")
    path.write_text(start + TABLE, encoding="utf-8", newline="")
    before = files_of(folder)
    code, findings = report(capsys)
    assert code == 1
    assert [(f["slug"], f["file"], f["line"], f["have"], f["want"]) for f in findings] == [
        ("readme-tools-drift", "README.md", 10, None, "weigh"),
        ("readme-tools-drift", "README.md", 12, "counts", "Count the widgets in one box."),
    ]
    assert main(["sync"]) == 0
    after = before["README.md"].replace(b"| `count` | counts |\n", KEPT.encode())
    assert files_of(folder) == {**before, "README.md": after}
    assert main(["sync"]) == 0
    assert files_of(folder) == {**before, "README.md": after}
    capsys.readouterr()
    assert report(capsys) == (0, [])


@pytest.mark.parametrize("style", STYLES)
def test_34_only_two_strings_change(style: str, opened: Callable[[str], Path]) -> None:
    folder = opened("34")
    path = folder / "server.json"
    before = STYLES[style](path.read_bytes())
    path.write_bytes(before)
    assert before.count(b'"1.2.0"') == 2
    assert main(["sync"]) == 0
    assert path.read_bytes() == before.replace(b'"1.2.0"', b'"1.3.0"')
    assert main(["sync"]) == 0
    assert path.read_bytes() == before.replace(b'"1.2.0"', b'"1.3.0"')
