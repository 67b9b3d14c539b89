"""The step `remote_variables`."""

from __future__ import annotations

import pytest

from mcp_lockstep.migrate.steps.remote_variables import remote_variables
from stepped import JsonObject, said, stepped

URL = "https://{tenant}.acme.example/{path}/{tenant}"
STUB: JsonObject = {"isRequired": True}


def test_undeclared_variables_get_an_entry() -> None:
    after, moves = stepped(remote_variables, {"remotes": [{"url": URL}]})
    assert after == {"remotes": [{"url": URL, "variables": {"tenant": STUB, "path": STUB}}]}
    assert said(moves) == [("warning", "assumed", "/remotes/0/variables")]


def test_declared_ones_stay_as_they_are() -> None:
    known: JsonObject = {"x": {}, "path": {"default": "mcp"}}
    after, moves = stepped(remote_variables, {"remotes": [{"url": URL, "variables": known}]})
    assert after == {"remotes": [{"url": URL, "variables": {**known, "tenant": STUB}}]}
    assert said(moves) == [("warning", "assumed", "/remotes/0/variables/tenant")]


@pytest.mark.parametrize(
    "remote",
    [{"url": URL, "variables": []}, {"url": "https://{{HOST}}/mcp"}, {"url": "https://a/{}"}, {"url": 7}, {}],
)
def test_other_remotes_stay(remote: JsonObject) -> None:
    assert stepped(remote_variables, {"remotes": [remote]}) == ({"remotes": [remote]}, ())
