"""The lock: one value per fact, a header between every two."""

from __future__ import annotations

import pytest

from mcp_lockstep.lock import LOCK, Lock, read_lock, render_lock
from mcp_lockstep.tree import Memory, Tree

SAMPLE = Lock(
    {"version": "1.2.8", "name": "io.github.acme/weather"},
    {"get-forecast": "(*, city: str) -> Forecast", 'odd "name".x': "()"},
)
TEXT = """\
# Kept by mcp-lockstep. Commit it. After a merge conflict take either side and run `mcp-lockstep sync`.
lock = 1

[fact.name]
agreed = "io.github.acme/weather"

[fact.version]
agreed = "1.2.8"

[tool.get-forecast]
agreed = "(*, city: str) -> Forecast"

[tool."odd \\"name\\".x"]
agreed = "()"
"""


def read(raw: bytes) -> tuple[Lock | None, list[str]]:
    lock, findings = read_lock(Tree(Memory({LOCK: raw})))
    return lock, [finding.code.slug for finding in findings]


def test_the_text_is_the_same_whatever_the_order() -> None:
    assert render_lock(SAMPLE).decode() == TEXT
    turned = Lock(*(dict(reversed(list(entries.items()))) for entries in SAMPLE))
    assert render_lock(turned).decode() == TEXT


def test_what_is_written_is_read_again() -> None:
    assert read(TEXT.encode()) == (SAMPLE, [])
    assert read(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode()) == (SAMPLE, [])
    hostile = Lock({"version": 'a"b\\c\n\x1b\u202e🌊'}, {"]\n[x": "'''\"\"\""})
    assert read(render_lock(hostile)) == (hostile, [])


def test_the_line_ends_of_a_checkout_are_kept() -> None:
    there = TEXT.replace("\n", "\r\n").encode()
    assert render_lock(SAMPLE, there) == there
    assert render_lock(SAMPLE, TEXT.encode()) == TEXT.encode()


def test_no_lock_is_no_fault() -> None:
    assert read_lock(Tree(Memory({}))) == (None, ())


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"lock = 2\n",
        b'lock = "1"\n',
        b"lock = 1\nlock = 1\n",
        b"<<<<<<< ours\nlock = 1\n",
        b"\xff",
        b"[" * 1000,
    ],
)
def test_a_lock_that_cannot_be_used_is_one_finding_and_no_base(raw: bytes) -> None:
    assert read(raw) == (None, ["lock-unusable"])


@pytest.mark.parametrize(
    "entries",
    [
        "fact = 1",
        '[fact]\nversion = "x"',
        "[fact.version]\nagreed = 3",
        "[fact.version]\nother = 'x'",
        "[tool]",
    ],
)
def test_entries_of_another_shape_are_no_agreement(entries: str) -> None:
    assert read(f"lock = 1\n{entries}\n".encode()) == (Lock({}, {}), [])
