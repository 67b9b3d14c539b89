"""Every legal file of every older revision moves to every newer one, and nothing in it vanishes unsaid."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_lockstep.bundled import catalog
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.places import place_pointer
from mcp_lockstep.documents.pointer import make_pointer, value_at
from mcp_lockstep.migrate import Migrated, migrate
from mcp_lockstep.migrate.codes import MOVED
from mcp_lockstep.rules.schema import evaluator
from mcp_lockstep.secrecy import masked, secret_pointers
from old_manifests import BEFORE, OLDER, manifests, written

SETTINGS = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
REVISIONS = catalog.revisions("server")


def leaves(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str, str]]:
    """Every scalar and every empty container: pointer and JSON text."""
    if isinstance(value, dict) and value:
        for key, item in cast("dict[str, object]", value).items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(cast("list[object]", value)):
            yield from leaves(item, (*path, index))
    else:
        yield make_pointer(path), json.dumps(value)


def unaccounted(migrated: Migrated) -> list[str]:
    """Values of the file before that neither stand in the file after nor in a finding."""
    kept = Counter(text for _, text in leaves(migrated.after.data))
    told = {place_pointer(finding.place): finding for finding in migrated.said if finding.code is not MOVED}
    into = {place_pointer(finding.place): finding for finding in migrated.said if finding.code is MOVED}
    lost: list[str] = []
    for pointer, text in leaves(migrated.before.data):
        if any(pointer == said or pointer.startswith(f"{said}/") for said in told):
            continue
        if pointer in into and json.loads(text) == into[pointer].have:
            continue
        if text == "{}" and holds_more(migrated.after.data, pointer):
            continue
        kept[text] -= 1
        if kept[text] < 0:
            lost.append(f"{pointer}: {text}")
    return lost


def holds_more(data: object, pointer: str) -> bool:
    """Whether an object that was empty has got members."""
    try:
        return bool(value_at(data, pointer))
    except KeyError:
        return False


@pytest.mark.parametrize("revision", OLDER)
@SETTINGS
@given(st.data())
def test_a_legal_file_moves_to_every_newer_revision(revision: str, data: st.DataObject) -> None:
    made = data.draw(manifests(revision))
    if revision not in BEFORE:
        assert list(evaluator("server", revision).violations(made)) == []
    older = REVISIONS[0] if revision in BEFORE else revision
    target = data.draw(st.sampled_from([r for r in REVISIONS if r >= older]))
    document = JsonDocument("server.json", data.draw(written(made)))

    migrated = migrate(document, target)

    assert list(evaluator("server", target).violations(migrated.after.data)) == []
    assert unaccounted(migrated) == []
    again = migrate(JsonDocument("server.json", migrated.after.raw), target)
    assert (again.changed, again.said) == (False, ())


@pytest.mark.parametrize("revision", OLDER)
@SETTINGS
@given(st.data())
def test_what_is_said_names_places_of_the_file_and_no_secret(revision: str, data: st.DataObject) -> None:
    made = data.draw(manifests(revision))
    document = JsonDocument("server.json", data.draw(written(made)))

    migrated = migrate(document)

    for finding in migrated.said:
        pointer = place_pointer(finding.place)
        if finding.code.slug != "migrate-assumed":
            assert pointer in document.spans
            assert finding.position == document.where(pointer)
    assert list(secret_pointers(masked(made))) == []
    assert "user:pw" not in "".join(
        f"{f.message}{f.have}{f.want}{f.hint}" for f in (*migrated.said, *migrated.left)
    )
