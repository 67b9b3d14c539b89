from __future__ import annotations

from collections.abc import Callable

import pytest

from manifests import faults_after, sound_manifest
from mcp_lockstep.rules.manifest import JsonObject


@pytest.fixture
def sound() -> JsonObject:
    return sound_manifest()


Told = Callable[..., list[tuple[str, str, str]]]


@pytest.fixture
def told() -> Told:
    """A function that judges the sound server.json with changes and gives (severity, slug, pointer) of each fault.

    Changes are `pointer, value` pairs; a value of `...` removes what is there.
    """

    def judge(*changes: object) -> list[tuple[str, str, str]]:
        return [
            (fault.level or fault.code.severity, fault.code.slug, fault.pointer)
            for fault in faults_after(*changes)
        ]

    return judge
