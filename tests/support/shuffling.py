"""The same JSON with its keys in another order."""

from __future__ import annotations

import random

from mcp_lockstep.schema.values import Json


def shuffled(value: Json, die: random.Random) -> Json:
    """A copy of `value` in which every object has its keys as they fall."""
    if isinstance(value, dict):
        keys = [*value]
        die.shuffle(keys)
        return {key: shuffled(value[key], die) for key in keys}
    return [shuffled(item, die) for item in value] if isinstance(value, list) else value
