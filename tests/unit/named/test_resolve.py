"""What a SCHEMA means: every spelling, and what is said where there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcp_lockstep.findings import Finding, Refused
from mcp_lockstep.named import Reach, for_project, read_file, resolve
from mcp_lockstep.named.pins import pull
from mcp_lockstep.tree import Disk, Memory, Tree
from repositories import git

DRAFT = b'{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"A": {"type": "string"}}}'


def reach(files: dict[str, bytes] | None = None) -> Reach:
    return for_project(Tree(Memory(files or {})))


def refused(spec: str, files: dict[str, bytes] | None = None) -> Finding:
    with pytest.raises(Refused) as caught:
        resolve(spec, reach(files))
    (finding,) = caught.value.findings
    return finding


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("mcp", "mcp@2026-07-28"),
        ("mcp@2024-11-05", "mcp@2024-11-05"),
        ("server@2025-12-11", "server@2025-12-11"),
        ("mcpb@0.4", "mcpb@0.4"),
        ("registry-list", "registry-list@current"),
        ("rmcp-server@first", "rmcp-server@first"),
        ("rmcp-client", "rmcp-client@current"),
    ],
)
def test_bundled_schemas(spec: str, label: str) -> None:
    found = resolve(spec, reach())
    assert (found.kind, found.label, found.revision) == ("bundled", label, label.partition("@")[2])
    assert found.sha256 in found.key
    assert isinstance(found.data(), dict)


def test_a_file_goes_by_its_name_and_key_order_does_not_count() -> None:
    one = resolve("schemas/a.json", reach({"schemas/a.json": b'{"type": "object", "title": "A"}'}))
    two = resolve("a.json", reach({"a.json": b'{"title":"A","type":"object"}\n'}))
    assert (one.kind, one.label, one.path) == ("own", "a.json", "schemas/a.json")
    assert (one.key, one.sha256) == (two.key, two.sha256)
    assert one.data() == {"type": "object", "title": "A"}


def test_a_pulled_copy_comes_first() -> None:
    files = pull(Tree(Memory({})), "mcp@draft", "https://example.com/draft.json", DRAFT).files
    found = resolve("mcp@draft", reach(files))
    assert (found.kind, found.label, found.revision) == ("pulled", "mcp@draft", "draft")
    assert found.data() == json.loads(DRAFT)
    assert resolve("https://example.com/draft.json?token=x", reach(files)).key == found.key


@pytest.mark.parametrize(
    ("spec", "slug", "hint"),
    [
        ("mcp@draft", "schema-not-pulled", "mcp-lockstep schemas pull mcp@draft SOURCE"),
        ("mcp@2026-07-27", "schema-not-pulled", "did you mean mcp@2026-07-28?"),
        ("sever", "schema-not-bundled", "did you mean server?"),
        ("zzz", "schema-not-bundled", "`mcp-lockstep schemas list` prints the bundled ones"),
        ("", "schema-not-bundled", "`mcp-lockstep schemas list` prints the bundled ones"),
        ("schemas/forcast.json", "file-missing", "did you mean schemas/forecast.json?"),
        ("../a.json", "file-outside-project", ""),
        ("/etc/passwd", "file-outside-project", ""),
        ("https://example.com/a.json", "schema-not-pulled", "pull NAME@REVISION https://example.com/a.json"),
    ],
)
def test_what_is_not_there_is_a_finding(spec: str, slug: str, hint: str) -> None:
    finding = refused(spec, {"schemas/forecast.json": b"{}"})
    assert finding.code.slug == slug
    assert finding.code.exit == 2
    assert hint in finding.hint


def test_a_copy_that_was_edited_or_lost_is_refused() -> None:
    pulled = pull(Tree(Memory({})), "mcp@draft", "draft.json", DRAFT)
    edited = refused("mcp@draft", {**pulled.files, pulled.pin.path: DRAFT + b"\n"})
    assert (edited.code.slug, edited.want) == ("schema-other-document", pulled.pin.sha256)
    assert edited.hint == "mcp-lockstep schemas pull mcp@draft draft.json"
    lost = {path: raw for path, raw in pulled.files.items() if path != pulled.pin.path}
    assert refused("mcp@draft", lost).code.slug == "file-missing"


def test_a_command_fetches_the_address_that_it_names() -> None:
    asked: list[str] = []

    def fetch(url: str) -> bytes:
        asked.append(url)
        return b'{"type": "string"}'

    found = resolve("https://example.com/s.json?token=secret", Reach(Tree(Memory({})), read_file, fetch))
    assert asked == ["https://example.com/s.json?token=secret"]
    assert (found.kind, found.label) == ("own", "https://example.com/s.json")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    inner = tmp_path / "server"
    inner.mkdir()
    (inner / "a.json").write_text('{"type": "string"}', encoding="utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    (inner / "a.json").write_text('{"type": "number"}', encoding="utf-8")
    return inner


def test_a_revision(repository: Path) -> None:
    found = resolve("git:HEAD:a.json", for_project(Tree(Disk(str(repository)))))
    assert (found.label, found.data()) == ("git:HEAD:a.json", {"type": "string"})


@pytest.mark.parametrize(
    ("spec", "slug", "said"),
    [
        ("git:HEAD:b.json", "file-missing", "git:HEAD:b.json is not there"),
        ("git:nope:a.json", "git-revision-unreadable", "git knows no revision 'nope'"),
        ("git:HEAD", "file-missing", "does not read git:REV:PATH"),
        ("git:--help:a.json", "git-revision-unreadable", "git knows no revision '--help'"),
        ("git:HEAD:/etc/passwd", "file-missing", "is not there"),
        ("git:HEAD:../../etc/passwd", "file-missing", "is not there"),
        ("git:HEAD:a.json; touch x", "file-missing", "is not there"),
        ("git:HEAD:.", "file-missing", "is not there"),
    ],
)
def test_no_such_revision(repository: Path, spec: str, slug: str, said: str) -> None:
    with pytest.raises(Refused) as caught:
        resolve(spec, for_project(Tree(Disk(str(repository)))))
    (finding,) = caught.value.findings
    assert finding.code.slug == slug
    assert said in finding.message
    assert sorted(path.name for path in repository.iterdir()) == ["a.json"]


def test_another_kind_of_file_is_no_schema() -> None:
    found = refused("contract.json", {"contract.json": b'{"tools": []}'})
    assert (found.code.slug, found.position[:2]) == ("other-kind-of-file", (1, 11))


def test_a_link_to_nothing_is_not_what_was_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").symlink_to("nowhere.json")
    (tmp_path / "b.toml").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Refused) as caught:
        resolve("a.json", Reach(Tree(Disk(".")), read_file))
    assert caught.value.findings[0].hint == "name a JSON Schema"
