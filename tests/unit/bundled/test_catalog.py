from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
import tomli

from mcp_lockstep.bundled import catalog
from mcp_lockstep.findings import Refused

UPSTREAM = {
    "mcp": "upstream/mcp/{}/schema.json",
    "mcpb": "upstream/mcpb/mcpb-manifest-v{}.schema.json",
    "server": "upstream/server/{}.schema.json",
    "rmcp-client": "upstream/rmcp/client_json_rpc_message_schema{}.json",
    "rmcp-server": "upstream/rmcp/server_json_rpc_message_schema{}.json",
    "registry-list": "seeds/registry-list.schema.json",
}
SUFFIXES = {"first": "", "current": "_current"}


def published(shared: Path, entry: catalog.Entry) -> Path:
    """The published document that an entry was transcribed from."""
    revision = SUFFIXES[entry.revision] if entry.name.startswith("rmcp") else entry.revision
    return shared / UPSTREAM[entry.name].format(revision)


def test_the_index_and_the_files_are_the_same_list(root: Path) -> None:
    files = {f"{path.parent.name}@{path.stem}" for path in (root / "schemas").glob("*/*.json")}
    assert {entry.label for entry in catalog.entries()} == files


def test_every_bundled_schema_has_the_published_structure(shared: Path, root: Path) -> None:
    for entry in catalog.entries():
        ours = root / "schemas" / entry.name / f"{entry.revision}.json"
        run = subprocess.run(
            [
                sys.executable,
                str(shared / "tools" / "same_structure.py"),
                str(ours),
                str(published(shared, entry)),
            ],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert run.stdout == "same structure\n", entry.label


def test_the_index_tells_the_truth_about_the_published_documents(shared: Path) -> None:
    for entry in catalog.entries():
        raw = published(shared, entry).read_bytes()
        assert hashlib.sha256(raw).hexdigest() == entry.sha256, entry.label
        assert json.loads(raw)["$schema"] == entry.dialect, entry.label


def test_one_revision_of_each_schema_is_current() -> None:
    current = [entry.label for entry in catalog.entries() if entry.status == "current"]
    assert current == [
        "mcp@2026-07-28",
        "mcpb@0.4",
        "registry-list@current",
        "rmcp-client@current",
        "rmcp-server@current",
        "server@2025-12-11",
    ]
    assert current == [f"{name}@{catalog.newest(name)}" for name in catalog.schema_names()]


def test_revisions_go_from_the_oldest_to_the_newest() -> None:
    assert catalog.revisions("mcpb") == ("0.1", "0.2", "0.3", "0.4")
    assert catalog.revisions("rmcp-server") == ("first", "current")
    assert catalog.revisions("server")[0] == "2025-07-09"
    assert catalog.revisions("nothing") == ()


def test_find_takes_a_name_or_a_name_with_its_revision() -> None:
    assert catalog.find("server").label == "server@2025-12-11"
    assert catalog.find("server@2025-09-29").status == "superseded"
    assert catalog.find("registry-list").url == ""


@pytest.mark.parametrize(
    "label", ["", "server@", "server@2025-12-12", "../server@2025-12-11", "mcp@../server/2025-12-11", "x"]
)
def test_a_schema_that_is_not_bundled_is_refused_with_the_known_ones(label: str) -> None:
    if label == "server@":
        assert catalog.find(label).label == "server@2025-12-11"
        return
    with pytest.raises(Refused) as refused:
        catalog.find(label)
    finding = refused.value.findings[0]
    assert finding.code.slug == "schema-not-bundled"
    # Of a name that there is its own revisions are told, and nothing else.
    name = label.partition("@")[0]
    told = {one.partition("@")[0] for one in finding.hint.removeprefix("there are: ").split(", ")}
    assert told == ({name} if name in catalog.schema_names() else set(catalog.schema_names()))


def test_schema_does_not_leave_its_folder() -> None:
    with pytest.raises(Refused):
        catalog.schema("server", "../mcpb/0.4")


@pytest.mark.parametrize(
    ("url", "revision"),
    [
        ("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json", "2025-12-11"),
        ("https://static.modelcontextprotocol.io/schemas/2025-07-09/server.schema.json", "2025-07-09"),
        ("https://static.modelcontextprotocol.io/schemas/draft/server.schema.json", None),
        ("https://static.modelcontextprotocol.io/schemas/2025-12-12/server.schema.json", None),
        ("https://example.com/schemas/2025-12-11/server.schema.json", None),
        ("http://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json", None),
        ("", None),
    ],
)
def test_only_the_canonical_address_names_a_revision(url: str, revision: str | None) -> None:
    assert catalog.server_revision(url) == revision


def test_the_address_of_a_revision_is_the_one_in_its_schema_and_the_index() -> None:
    for entry in catalog.entries():
        if entry.name == "server":
            assert catalog.server_url(entry.revision) == entry.url
            assert catalog.schema("server", entry.revision)["$id"] == entry.url


def undescribed(node: object, at: str = "") -> list[str]:
    """Definitions and fields of a schema without a description."""
    if isinstance(node, list):
        return [missing for index, item in enumerate(node) for missing in undescribed(item, f"{at}/{index}")]
    if not isinstance(node, dict):
        return []
    found: list[str] = []
    for key, child in node.items():
        if key in {"properties", "definitions", "$defs"}:
            found += [f"{at}/{name}" for name, part in child.items() if "description" not in part]
            found += [
                missing for name, part in child.items() for missing in undescribed(part, f"{at}/{name}")
            ]
        else:
            found += undescribed(child, f"{at}/{key}")
    return found


DESCRIBED = [
    *[f"server@{revision}" for revision in catalog.revisions("server")],
    *[f"mcpb@{revision}" for revision in catalog.revisions("mcpb")],
    "registry-list@current",
    *[f"mcp@{revision}" for revision in catalog.revisions("mcp")],
]


@pytest.mark.parametrize("label", DESCRIBED)
def test_every_definition_and_field_is_described(label: str) -> None:
    assert undescribed(catalog.documented(*label.split("@"))) == []


def test_documented_leaves_the_shared_schema_alone() -> None:
    catalog.documented("server")
    assert "description" not in catalog.schema("server")


def test_descriptions_name_only_fields_that_some_revision_has(root: Path) -> None:
    docs = tomli.loads((root / "schemas" / "docs.toml").read_text(encoding="utf-8"))
    for name, definitions in docs.items():
        texts = [json.dumps(catalog.documented(name, revision)) for revision in catalog.revisions(name)]
        for definition, fields in definitions.items():
            for field, text in fields.items():
                assert any(json.dumps(text) in schema for schema in texts), f"{name}.{definition}.{field}"


def test_descriptions_are_our_own(shared: Path, root: Path) -> None:
    import re

    ours = (root / "schemas" / "docs.toml").read_text(encoding="utf-8")
    sentence = re.compile(r'"description":\s*"((?:[^"\\]|\\.){60,})"')
    for source in [*shared.glob("upstream/**/*.json"), *shared.glob("seeds/*.json")]:
        for text in sentence.findall(source.read_text(encoding="utf-8")):
            assert text[:60] not in ours


def test_a_field_without_a_description_has_an_empty_one() -> None:
    assert catalog.description("server", "Package", "version").startswith("Exact version")
    assert catalog.description("server", "Package", "nothing") == ""
    assert catalog.description("nothing", "Package") == ""
