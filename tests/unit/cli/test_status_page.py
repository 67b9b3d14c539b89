"""`status --html`: every fact and place on one page that loads nothing, whatever is in them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hostile import TEXTS
from mcp_lockstep.__main__ import main
from packages import package, server

Write = Callable[[Mapping[str, str | bytes]], Path]
PYPROJECT = '[project]\nname = "weather"\nversion = "1.3.0"\n[project.scripts]\nweather = "weather:main"\n'
README = "# Weather\n\n<!-- mcp-name: io.github.acme/weather -->\n"
FILES = {
    "pyproject.toml": PYPROJECT,
    "README.md": README,
    "server.json": json.dumps(server(package()), indent=2),
}
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


class Outline(HTMLParser):
    """Tags, ids, attributes that load something, and the text of a page; `open` is empty if every tag is closed."""

    VOID = frozenset({"meta", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def page(base: Path, *words: str) -> tuple[int, str]:
    file = base.parent / "status.html"
    code = main(["status", str(base), "--html", str(file), *words])
    return code, file.read_text(encoding="utf-8")


def test_facts_places_and_findings_are_on_it(project: Write, capsys: pytest.CaptureFixture[str]) -> None:
    base = project(FILES)
    code, text = page(base)
    assert (code, capsys.readouterr().out) == (1, f"wrote {base.parent / 'status.html'}\n")
    found = Outline(text)
    assert found.open == []
    for words in (
        "version: 1.3.0",
        "server.json#/version",
        "1.2.0",
        "differs",
        "decides",
        "LS1021 version-drift",
    ):
        assert words in found.words, words
    assert re.search(r"Out of step: \d errors?", found.words)


def test_it_loads_nothing_and_is_accessible(project: Write) -> None:
    found = Outline(page(project(FILES))[1])
    names = {name for name, _ in found.attributes}
    assert not {"src", "href", "srcset", "action", "data", "style", "onclick"} & names
    assert not {"script", "link", "img", "iframe", "object"} & set(found.tags)
    assert ("lang", "en") in found.attributes
    assert {"main", "h1", "h2", "caption", "th"} <= set(found.tags)
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in found.attributes
    assert found.tags.count("caption") == found.tags.count("table")
    scopes = [value for name, value in found.attributes if name == "scope"]
    assert len(scopes) == found.tags.count("th")


@pytest.mark.parametrize(
    "text", [*TEXTS, "</style><script>alert(1)</script>", "{{ 7919 * 7919 }}", '"><img src=x>']
)
def test_hostile_text_stays_text(text: str, project: Write) -> None:
    manifest = server(package(), description=text[:100], name=f"io.github.acme/{text[:50]}")
    base = project({**FILES, "server.json": json.dumps(manifest)})
    found = Outline(page(base)[1])
    assert found.open == []
    assert not {"script", "img"} & set(found.tags)
    assert "62710561" not in found.words
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x1b]", found.words)


def test_the_same_project_gives_the_same_page(project: Write) -> None:
    base = project(FILES)
    assert page(base) == page(base)


def test_a_project_without_facts_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "Neither a pyproject.toml nor a server.json" in page(tmp_path / "empty")[1]


def test_a_folder_that_is_not_there(
    project: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["status", str(project(FILES)), "--html", str(tmp_path / "nowhere/status.html")]) == 2
    assert "LS0011" in capsys.readouterr().out


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_shows_it(scheme: str, project: Write, tmp_path: Path) -> None:
    page(project(FILES))
    shot = tmp_path / f"{scheme}.png"
    quiet = [
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    dark = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
    command = [
        str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", *quiet, *dark,
        f"--user-data-dir={tmp_path / 'profile'}", f"--screenshot={shot}", "--window-size=900,1200",
        "--virtual-time-budget=1000", (tmp_path / "status.html").as_uri(),
    ]  # fmt: skip
    done = subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert shot.is_file(), done.stderr
    assert shot.stat().st_size > 10_000
    dumped = subprocess.run(
        [*command[:-4], "--dump-dom", command[-1]],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert "<caption>version: <bdi>1.3.0</bdi></caption>" in dumped.stdout, dumped.stderr
