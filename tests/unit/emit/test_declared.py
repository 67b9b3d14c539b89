"""What is taken over into the user's settings module, and where it is left alone."""

from __future__ import annotations

import pytest

from mcp_lockstep.code.source import Parsed, parse
from mcp_lockstep.documents import apply_edits
from mcp_lockstep.emit.declared import declared_edits

WANTED = '''\
import os


class Environment:
    """Variables."""

    units: str = os.environ["UNITS"]
    token: str = os.environ["TOKEN"]
'''
UNITS = WANTED.replace('    token: str = os.environ["TOKEN"]\n', "")


def parsed(text: str) -> Parsed:
    found = parse("settings.py", text.encode())
    assert isinstance(found, Parsed)
    return found


def declared(current: str) -> str:
    return apply_edits(current, declared_edits(parsed(current), parsed(WANTED), frozenset({"TOKEN"})))


def test_a_field_is_taken_over() -> None:
    assert declared(UNITS) == WANTED


@pytest.mark.parametrize(
    "current",
    [
        # A second field of that name would take the place of the user's.
        f"{UNITS}    token: str = os.environ['MY_TOKEN']\n",
        # Behind a last line without an end there would be no Python.
        UNITS.rstrip("\n"),
    ],
)
def test_what_would_break_the_users_module_is_left_out(current: str) -> None:
    assert declared(current) == current
