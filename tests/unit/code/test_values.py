from __future__ import annotations

import pytest

from mcp_lockstep.code.values import is_manifest_name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("io.github.acme/weather", True),
        ("weather", False),
        ("acme/weather", False),
        ("a.b/c/d", False),
        ("a.b/", False),
        (".b/c", False),
        (None, False),
    ],
)
def test_names_in_the_form_of_a_manifest(text: str | None, expected: bool) -> None:
    assert is_manifest_name(text) is expected
