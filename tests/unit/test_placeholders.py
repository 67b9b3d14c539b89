"""What counts as a placeholder, and what only looks like one."""

from __future__ import annotations

import pytest

from mcp_lockstep.placeholders import is_template, placeholders


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{{VERSION}}", [("VERSION", "VERSION", False)]),
        ("{{ .Version }}", [(".Version", "Version", False)]),
        ("v${{ env.VERSION }}", [("env.VERSION", "VERSION", False)]),
        ("${VERSION}", [("VERSION", "VERSION", True)]),
        ("$VERSION", [("VERSION", "VERSION", True)]),
        ("@VERSION@", [("VERSION", "VERSION", False)]),
        ("__VERSION__", [("VERSION", "VERSION", False)]),
        ("a:$A-${B}{{C}}", [("A", "A", True), ("B", "B", True), ("C", "C", False)]),
    ],
)
def test_every_form_is_found_with_its_name(text: str, found: list[tuple[str, str, bool]]) -> None:
    assert [(p.name, p.last, p.shell) for p in placeholders(text)] == found
    assert is_template(text)
    spans = [(p.start, p.end) for p in placeholders(text)]
    assert "".join(text[start:end] for start, end in spans)[:2] == text[spans[0][0] :][:2]


@pytest.mark.parametrize(
    "text",
    ["", "1.2.0", "{tenant}", "$5 a month", "a@b.example", "@acme/weather", "__init__", "{{", "@a@"],
)
def test_other_texts_are_none(text: str) -> None:
    assert not is_template(text)
