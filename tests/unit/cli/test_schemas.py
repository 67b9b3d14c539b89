"""`mcp-lockstep schemas`: what it prints, writes and returns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from mcp_lockstep.__main__ import main
from mcp_lockstep.bundled import catalog
from mcp_lockstep.cli import schemas

DRAFT = b'{"$defs": {"A": {"type": "string", "description": "A letter."}}}'


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "draft.json").write_bytes(DRAFT)


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["schemas", *words])
    return code, capsys.readouterr().out


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = call(capsys, "list")
    lines = [line.split() for line in out.splitlines()]
    assert code == 0
    assert [line[0] for line in lines] == [entry.label for entry in catalog.entries()]
    assert ["server@2025-12-11", "current"] in lines
    assert ["mcp@2024-11-05", "superseded"] in lines
    call(capsys, "pull", "mcp@draft", "draft.json")
    last = call(capsys, "list")[1].splitlines()[-1]
    assert last.split(maxsplit=1) == ["mcp@draft", "not bundled, pulled from draft.json"]


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = call(capsys, "show", "server")
    assert code == 0
    assert json.loads(out) == catalog.documented("server", "2025-12-11")
    assert '"description"' in out
    code, out = call(capsys, "show", "serve@1")
    assert (code, "schema-not-bundled" in out) == (2, True)


def test_pull_and_verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "verify") == (0, "nothing was pulled: no mcp-lockstep.schemas/pins.toml\n")
    code, out = call(capsys, "pull", "mcp@draft", str(tmp_path / "draft.json"))
    assert code == 0
    assert out.startswith("wrote mcp-lockstep.schemas/mcp@draft.json from draft.json\nsha256 ")
    copy = tmp_path / "mcp-lockstep.schemas/mcp@draft.json"
    assert copy.read_bytes() == DRAFT
    assert json.loads(call(capsys, "show", "mcp@draft")[1]) == json.loads(DRAFT)
    assert call(capsys, "verify") == (0, "1 pulled document is what was pulled\n")
    assert call(capsys, "pull", "mcp@draft", "draft.json")[1].startswith("unchanged: mcp@draft")
    copy.write_bytes(DRAFT + b"\n")
    code, out = call(capsys, "verify")
    assert (code, "schema-other-document" in out) == (3, True)
    assert call(capsys, "pull", "mcp@draft", "draft.json")[0] == 0
    assert copy.read_bytes() == DRAFT


def test_an_address_is_fetched_only_when_it_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def fetch(url: str) -> bytes:
        asked.append(url)
        return DRAFT

    monkeypatch.setattr(schemas, "fetch", fetch)
    code, out = call(capsys, "pull", "mcp@2026-07-28")
    assert (code, asked) == (2, [])
    assert f"mcp-lockstep schemas pull mcp@2026-07-28 {catalog.find('mcp@2026-07-28').url}" in out
    assert call(capsys, "pull", "mcp@draft", "https://example.com/draft.json?token=secret")[0] == 0
    assert asked == ["https://example.com/draft.json?token=secret"]
    pins = (tmp_path / "mcp-lockstep.schemas/pins.toml").read_text(encoding="utf-8")
    assert 'source = "https://example.com/draft.json"\n' in pins


@pytest.mark.parametrize(
    ("words", "code", "slug"),
    [
        (["pull", "mcp@2026-07-28", "draft.json"], 3, "schema-other-document"),
        (["pull", "draft", "draft.json"], 2, "schema-wrong-label"),
        (["pull", "../../x@1", "draft.json"], 2, "schema-wrong-label"),
        (["pull", "mcp@draft", "nope.json"], 2, "file-missing"),
        (["pull", "mcp@draft", "http://127.0.0.1:1/x"], 2, "schema-not-fetched"),
        (["list", "more"], 2, ""),
        ([], 2, ""),
    ],
)
def test_what_cannot_be_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: Sequence[str], code: int, slug: str
) -> None:
    assert main(["schemas", *words]) == code
    assert slug in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["draft.json"]


def test_the_published_document_is_known(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = shared / "upstream/mcp/2026-07-28/schema.json"
    code, out = call(capsys, "pull", "mcp@2026-07-28", str(document))
    assert code == 0
    assert out.endswith("this is the published document of mcp@2026-07-28\n")
