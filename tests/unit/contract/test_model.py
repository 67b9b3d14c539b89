"""The words for a contract and an identity."""

from __future__ import annotations

import pytest

from mcp_lockstep.contract.model import Contract, Identity, canonical, merged, root_is_object, shown


def test_contract_document_has_all_four_lists() -> None:
    contract = Contract(tools=({"name": "a"},), resource_templates=({"uriTemplate": "x://{y}"},))
    assert contract.document() == {
        "tools": [{"name": "a"}],
        "resources": [],
        "resourceTemplates": [{"uriTemplate": "x://{y}"}],
        "prompts": [],
    }
    assert contract.of("resourceTemplates") == contract.resource_templates


def test_canonical_sorts_keys_and_keeps_numbers() -> None:
    assert canonical({"b": 1.0, "a": [1, "ñ", None]}) == '{"a":[1,"ñ",null],"b":1.0}'


def test_canonical_refuses_what_is_no_json() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical(float("nan"))


def test_shown_values_stay_on_one_line_and_hide_nothing() -> None:
    assert shown("a\n\u202eb\u2028") == '"a\\n\\u202eb\\u2028"'
    assert shown("x" * 100) == '"' + "x" * 56 + "..."
    assert shown(None) == "null"


@pytest.mark.parametrize(
    ("schema", "answer"),
    [({"type": "object"}, True), ({}, False), ({"type": ["object"]}, False), (None, False), (True, False)],
)
def test_root_is_object(schema: object, answer: bool) -> None:
    assert root_is_object({"name": "a", "inputSchema": schema}) is answer


def test_identities_merge_field_by_field_and_the_first_wins() -> None:
    first = Identity(name="io.github.acme/weather", version="1.0.0")
    second = Identity(label="weather", version="2.0.0", instructions="Ask.")
    assert merged([first, second]) == Identity(
        name="io.github.acme/weather", label="weather", version="1.0.0", instructions="Ask."
    )
    assert merged([]) == Identity()
