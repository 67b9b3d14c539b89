"""Every definition of every published document: the models accept what the schema accepts, and give it back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest

from fidelity import RIGHT, Models, counted, size
from mcp_lockstep.schema.values import Json

RUST = [f"{side}_json_rpc_message_schema{now}" for side in ("client", "server") for now in ("", "_current")]
SERVER = "2025-07-09 2025-09-16 2025-09-29 2025-10-11 2025-10-17 2025-12-11".split()
DOCUMENTS = (
    *(
        f"upstream/mcp/{day}/schema.json"
        for day in "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28".split()
    ),
    *(f"upstream/mcpb/mcpb-manifest-v0.{minor}.schema.json" for minor in range(1, 5)),
    *(f"upstream/rmcp/{name}.json" for name in RUST),
    *(f"upstream/server/{day}.schema.json" for day in SERVER),
    "seeds/registry-list.schema.json",
    "seeds/rmcp-server-messages.schema.json",
)
NEWEST = {"upstream/mcp/2026-07-28/schema.json": (2, 5), "upstream/server/2025-12-11.schema.json": (12, 40)}


def test_no_document_is_left_out(shared: Path) -> None:
    there = {
        *shared.glob("upstream/*/*.json"),
        *shared.glob("upstream/mcp/*/*.json"),
        *shared.glob("seeds/*.schema.json"),
    }
    assert {path.relative_to(shared).as_posix() for path in there} == {*DOCUMENTS}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_definition_is_judged_alike(shared: Path, document: str) -> None:
    schema = cast("Json", json.loads((shared / document).read_text(encoding="utf-8")))
    counts = counted(Models(schema), schema, *size(*NEWEST.get(document, (1, 2))), "published documents")
    assert counts.keys() == RIGHT, counts
