"""Any JSON as a SOURCE: an answer with places, never another exception."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from mcp_lockstep.contract.limits import Limits, undeliverable
from mcp_lockstep.contract.model import canonical
from mcp_lockstep.contract.sources import read_contract
from mcp_lockstep.findings import Refused
from mcp_lockstep.tree import Memory, Tree

KEYS = st.sampled_from(
    """
    tools resources resourceTemplates prompts result initialize serverInfo servers server packages remotes name uri
    uriTemplate inputSchema outputSchema annotations execution icons arguments _meta $schema $ref $id $anchor $defs
    properties items allOf required type code description environmentVariables packageArguments a
    """.split()
)
TEXTS = st.sampled_from(
    ["", "a", "../a", "#/a", "#", "#a", "http://x/y", "http://[", "b.json", "object", "\u202e"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats(0, 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=25,
)
ALL_LIMITS = Limits("dropped", "dropped", "dropped", "refused", "refused")


@given(st.dictionaries(KEYS, JSON, max_size=4) | JSON)
def test_any_json_is_answered(value: object) -> None:
    raw = json.dumps(value).encode()
    offer = read_contract(Tree(Memory({"c.json": raw})), "c.json")
    findings = [*offer.findings, *undeliverable(offer.contract, offer.origins, ALL_LIMITS)]
    assert all(finding.message.isprintable() and finding.place.path == "c.json" for finding in findings)
    assert json.loads(canonical(offer.contract.document())) == offer.contract.document()


@given(st.binary(max_size=40) | st.text(max_size=20).map(str.encode))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        read_contract(Tree(Memory({"c.json": raw})), "c.json")
    except Refused as refused:
        assert refused.findings
