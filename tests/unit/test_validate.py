"""Files in bulk: which are judged, in which order, and that one bad file stops none."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from manifests import sound_manifest
from mcp_lockstep import validate
from mcp_lockstep.validate import Candidate, find, judge_batch, judge_files

Write = Callable[[Mapping[str, str | bytes]], Path]
SOUND = json.dumps(sound_manifest())
BUNDLE: dict[str, object] = {
    "manifest_version": "0.3",
    "name": "weather",
    "version": "1.2.0",
    "description": "Forecasts.",
    "author": {"name": "Acme"},
    "server": {
        "type": "python",
        "entry_point": "main.py",
        "mcp_config": {"command": "python", "args": ["main.py"]},
    },
}


def test_a_folder_is_searched_and_a_named_file_is_always_judged(project: Write) -> None:
    base = project(
        {
            "b/server.json": SOUND,
            "a/x.json": SOUND,
            "a/tsconfig.json": "{ // }",
            "a/broken/server.json": "{",
            ".hidden/server.json": "{",
            "node_modules/m/server.json": "{",
            "readme.md": "",
            "one.txt": "{}",
        }
    )
    found = find([str(base), str(base / "one.txt"), str(base / "b" / "server.json")])
    names = [os.path.relpath(candidate.path, base) for candidate in found.candidates]
    assert names == [
        "a/tsconfig.json",
        "a/x.json",
        "a/broken/server.json",
        "b/server.json",
        "one.txt",
    ]
    assert [candidate.named for candidate in found.candidates] == [False, False, False, True, True]
    (batch,) = judge_files(found.candidates)
    assert (batch.seen, batch.files) == (5, 4)
    assert {os.path.relpath(j.path, base): j.findings[0].code.slug for j in batch.judged} == {
        "a/broken/server.json": "not-json",
        "one.txt": "schema-field-required",
    }


def test_a_file_that_is_named_in_another_way_than_its_folder_is_judged_once(
    project: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project({"server.json": SOUND}))
    for paths in ([".", "./server.json"], ["./server.json", "."], [".//server.json", "server.json"]):
        (candidate,) = find(paths).candidates
        assert (os.path.normpath(candidate.path), candidate.named) == ("server.json", True)


def test_what_is_not_there_and_what_cannot_be_read_are_findings(project: Write) -> None:
    base = project({"x.json": b"\xff\xfe", "link/real.json": SOUND})
    (base / "to.json").symlink_to(base / "link" / "real.json")
    (base / "lost.json").symlink_to(base / "nowhere")
    found = find([str(base / "gone"), str(base / "x.json"), str(base / "to.json"), str(base / "lost.json")])
    assert [(f.code.slug, f.place.path) for f in found.findings] == [("file-missing", str(base / "gone"))]
    (batch,) = judge_files(found.candidates)
    assert [(j.path, j.findings[0].code.slug) for j in batch.judged] == [
        (str(base / "x.json"), "not-utf8"),
        (str(base / "lost.json"), "file-missing"),
    ]


def test_links_in_a_folder_are_judged_where_they_lead_and_those_that_lead_nowhere_left_out(
    project: Write,
) -> None:
    base = project(
        {"a/mcp-lockstep.toml": 'registry = "private"\n', "a/b/x.json": SOUND, "c/server.json": SOUND}
    )
    for link, target in (
        ("a/loop.json", "loop.json"),
        ("a/lost.json", "nowhere.json"),
        ("a/folder.json", "../c"),
        ("a/folder", "../c"),
        ("a/y.json", "../c/server.json"),
    ):
        (base / link).symlink_to(target)
    found = find([str(base / "a")])
    assert [(os.path.relpath(path, base / "a"), target) for path, _, _, target in found.candidates] == [
        ("y.json", os.path.realpath(base / "c" / "server.json")),
        ("b/x.json", ""),
    ]
    (batch,) = judge_files(found.candidates)
    assert (batch.files, batch.judged) == (2, ())


def test_every_kind_is_judged_by_its_own_rules(project: Write) -> None:
    listed = {"servers": [{"server": {"name": "a"}}, {"server": {"name": "a"}}]}
    base = project({"m.json": json.dumps({**BUNDLE, "manifest_version": "9"}), "l.json": json.dumps(listed)})
    for name, slug in (("m.json", "bundle-revision-unknown"), ("l.json", "duplicate-server")):
        (judged,) = judge_batch((Candidate(str(base / name)),)).judged
        assert slug in {finding.code.slug for finding in judged.findings}


def test_files_keep_their_order_and_their_rules_whatever_is_judged_together(
    project: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    http = json.dumps({**sound_manifest(), "remotes": [{"type": "sse", "url": "http://intranet/mcp"}]})
    base = project(
        {
            "a/mcp-lockstep.toml": 'registry = "private"\n',
            "a/server.json": http,
            "b/server.json": "{",
            "c/server.json": http,
            "d/server.json": SOUND,
        }
    )
    candidates = find([str(base)]).candidates
    together = list(judge_files(candidates))
    assert [(os.path.relpath(j.path, base), j.findings[0].code.slug) for j in together[0].judged] == [
        ("b/server.json", "not-json"),
        ("c/server.json", "invalid-remote-url"),
    ]
    assert together[0].files == 4
    monkeypatch.setattr(validate, "_TOGETHER", 1)
    assert list(judge_files(candidates)) == together


def test_many_files_are_judged_by_several_processes_in_order(
    project: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = json.dumps({**sound_manifest(), "version": "latest"})
    base = project({f"{number:03}.json": broken if number % 7 == 0 else SOUND for number in range(230)})
    monkeypatch.setattr(validate, "_cores", lambda: 2)
    monkeypatch.setattr(validate, "ALONE", 200)
    found = find([str(base)])
    batches = list(judge_files(found.candidates))
    assert [batch.seen for batch in batches] == [50, 50, 50, 50, 30]
    names = [os.path.basename(judged.path) for batch in batches for judged in batch.judged]
    assert names == [f"{number:03}.json" for number in range(0, 230, 7)]
    findings = [f for batch in batches for judged in batch.judged for f in judged.findings]
    assert {f.code.slug for f in findings} == {"reserved-version-string"}


def test_without_processes_the_work_is_done_all_the_same(
    project: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = project({f"{number:03}.json": SOUND for number in range(205)})
    monkeypatch.setattr(validate, "_cores", lambda: 2)
    monkeypatch.setattr(validate, "ALONE", 200)
    monkeypatch.setattr(validate, "_executor", lambda workers: None)
    assert sum(batch.files for batch in judge_files(find([str(base)]).candidates)) == 205
