from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from manifests import faults_after, sound_manifest
from mcp_lockstep.documents.json import JsonDocument
from mcp_lockstep.findings import Code, Refused
from mcp_lockstep.rules import OFFICIAL, PRIVATE, judge_data, judge_manifest
from mcp_lockstep.rules.every import CODES
from mcp_lockstep.rules.manifest import JsonObject


def document(data: object) -> JsonDocument:
    return JsonDocument("server.json", json.dumps(data, indent=2, ensure_ascii=False).encode())


def test_a_sound_manifest_gives_nothing(sound: JsonObject) -> None:
    assert judge_manifest(document(sound)) == ()


def test_the_published_examples_have_notes_only(shared: Path) -> None:
    examples = sorted((shared / "seeds" / "server-json-examples").glob("*.json"))
    assert len(examples) == 12
    for path in examples:
        findings = judge_manifest(JsonDocument(path.name, path.read_bytes()))
        assert {finding.severity for finding in findings} == {"note"}, path.name


def test_findings_stand_in_the_order_of_the_file_and_where_they_belong() -> None:
    data = sound_manifest()
    data["version"] = "^1"
    data["titel"] = 1
    del data["description"]
    found = [(f.code.slug, str(f.place), *f.position) for f in judge_manifest(document(data))]
    assert found == [
        ("field-required", "server.json#/description", 1, 1, 129, 2),
        ("version-looks-like-range", "server.json#/version", 5, 14, 5, 18),
        ("unknown-key", "server.json#/titel", 128, 3, 128, 10),
    ]


@pytest.mark.parametrize("value", [[], "text", None, 1, True])
def test_a_document_that_is_no_object_is_one_finding(value: object) -> None:
    (finding,) = judge_manifest(document(value))
    assert finding.code.slug == "other-kind-of-file"
    assert finding.severity == "error"


def test_a_document_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(Refused):
        judge_manifest(JsonDocument("server.json", b"{"))


def test_a_rule_replaces_the_words_of_the_schema_about_the_same_value() -> None:
    faults = faults_after(
        "/name", "a/b", "/packages/0/version", "latest", "/packages/0/transport/type", "http"
    )
    assert [fault.code.slug for fault in faults] == [
        "reserved-version-string",
        "unsupported-transport-type",
        "invalid-server-name",
    ]


def test_rules_of_the_official_registry_do_not_hold_for_a_private_one() -> None:
    data = sound_manifest()
    data["name"] = "weather/x"
    data["remotes"] = [{"type": "sse", "url": "http://intranet/mcp"}]
    assert len(judge_data(data)) == 2
    assert judge_data(data, PRIVATE) == ()


def test_every_official_rule_is_listed_once() -> None:
    assert len(set(OFFICIAL)) == len(OFFICIAL)
    assert set(PRIVATE) < set(OFFICIAL)


def test_every_code_is_listed_and_unique() -> None:
    listed = set(CODES)
    declared: set[Code] = set()
    for module in [m for name, m in sys.modules.items() if name.startswith("mcp_lockstep.rules")]:
        declared |= {value for value in vars(module).values() if isinstance(value, Code)}
    assert listed == declared
    assert len({code.id for code in CODES}) == len({code.slug for code in CODES}) == len(CODES)
    assert [code.id for code in CODES] == sorted(code.id for code in CODES)
    for code in CODES:
        assert re.fullmatch(r"LS2\d{3}", code.id)
        assert re.fullmatch(r"[a-z][a-z0-9-]+", code.slug)
        assert code.summary.endswith(".") and code.explain.endswith(".")


HOSTILE = [
    '"quotes"',
    "back\\slash",
    "{braces}",
    "line\nbreak",
    "\u202eturned",
    "\x00",
    "../..",
    "\U0001f600" * 300,
    "",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_anywhere_make_findings_on_one_printable_line(text: str) -> None:
    data = sound_manifest()
    for key in ("name", "title", "description", "version", "websiteUrl", "$schema"):
        data[key] = text
    data[text] = text
    packages: list[JsonObject] = data["packages"]  # type: ignore[assignment] # a list in the sound manifest
    for package in packages:
        package.update(dict.fromkeys(("registryType", "identifier", "version", "registryBaseUrl"), text))
        package["transport"] = {"type": text, "url": text, text: text}
        package["packageArguments"] = [{"type": "named", "name": text, "value": text, "default": text}]
        package["environmentVariables"] = [{"name": text, "default": text, "choices": [text, "b"]}]
    data["repository"] = {"url": text, "source": text, "subfolder": text}
    data["icons"] = [{"src": text, "sizes": [text]}]
    data["remotes"] = [{"type": text, "url": text, "variables": {text: {}}}]
    findings = judge_manifest(document(data))
    assert findings
    for finding in findings:
        assert finding.message.isprintable(), finding
        assert finding.hint.isprintable(), finding


@pytest.mark.parametrize("value", [None, True, 0, 1.5, [], {}, [[]], [None], {"a": None}, "text"])
def test_wrong_types_anywhere_make_findings_and_no_crash(value: object) -> None:
    data = sound_manifest()
    for key in data:
        if not isinstance(data[key], str) or not isinstance(value, str):
            judge_data({**data, key: value})
    packages: list[JsonObject] = data["packages"]  # type: ignore[assignment] # a list in the sound manifest
    for key in packages[0]:
        judge_data({**data, "packages": [{**packages[0], key: value}]})
    judge_data({**data, "packages": [value], "remotes": [value], "icons": [value]})


def test_a_secret_in_an_address_is_never_printed() -> None:
    address = "https://me:hunter2@github.com/acme/weather"
    findings = judge_manifest(
        document(
            {
                **sound_manifest(),
                "repository": {"url": address, "source": "github"},
                "websiteUrl": "ftp://me:hunter2@acme.example",
            }
        )
    )
    assert [finding.code.slug for finding in findings] == [
        "website-url-invalid-scheme",
        "credentials-in-address",
        "credentials-in-address",
    ]
    assert "hunter2" not in repr(findings)
    assert any("revoke" in finding.hint for finding in findings)


def test_judging_imports_no_heavy_module() -> None:
    code = (
        "import sys, json; from mcp_lockstep.rules import judge_data\n"
        f"assert judge_data(json.loads({json.dumps(json.dumps(sound_manifest()))})) == ()\n"
        "print([m for m in ('tomli', 'difflib', 'urllib.parse', 'importlib.resources', 'dataclasses', 'jsonschema')"
        " if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, encoding="utf-8", check=True
    )
    assert run.stdout.strip() == "[]"
