"""URI templates: their variables, and the same verdict as the SDK on whether they can be read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_lockstep.contract.uris import UriVariable, unmatchable, variables

uri_template = pytest.importorskip("mcp.shared.uri_template")

EXAMPLES = [
    "x://plain",
    "x://{a}",
    "x://{a}/{b}",
    "x://{a}{b}",
    "x://{a}{.b}",
    "x://{a}{/b}",
    "x://{+path}",
    "x://{+a,b}",
    "x://{+a}/{+b}",
    "x://{a}{+b}",
    "x://{/a*}",
    "x://{/a*}{/b*}",
    "x://{a*}",
    "x://{?a,b}",
    "x://{?a}{&b}",
    "x://{?a}{?b}",
    "x://{?a*}",
    "x://{a:3}",
    "x://{a,b}",
    "x://{a,a}",
    "x://{a}/{a}",
    "x://{;a,b}",
    "x://{#a}",
    "x://{a.b}",
    "x://{a-b}",
    "x://{}",
    "x://{?}",
    "x://{a",
    "x://a}",
    "x://{|a}",
    "x://{=a}",
    "x://{a}{?q}",
    "x://{?q}/{a}",
    "x://{a }",
    "x://{é}",
]


def refused(template: str) -> bool:
    """Whether the SDK refuses the template."""
    try:
        uri_template.UriTemplate.parse(template)
    except uri_template.InvalidUriTemplate:
        return True
    return False


@pytest.mark.parametrize("template", EXAMPLES)
def test_the_verdict_is_that_of_the_sdk(template: str) -> None:
    assert bool(unmatchable(template)) == refused(template), unmatchable(template)


PARTS = st.sampled_from(
    ["x", "/", "{a}", "{b}", "{+c}", "{/d}", "{/e*}", "{?f,g}", "{&h}", "{.i}", "{;j}", "{#k}", "?"]
)


@given(st.lists(PARTS, max_size=5).map("".join))
def test_the_verdict_is_that_of_the_sdk_on_any_mix(template: str) -> None:
    assert bool(unmatchable(template)) == refused(template), unmatchable(template)


def test_the_variables_in_order() -> None:
    assert variables("x://{a}/{+b}{/c*}{?d,e}") == (
        UriVariable("a"),
        UriVariable("b"),
        UriVariable("c", repeated=True),
        UriVariable("d", optional=True),
        UriVariable("e", optional=True),
    )
