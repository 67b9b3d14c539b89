"""What a user may fill in is text, whatever it means."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mcp_lockstep.migrate.codes import CONVERTED
from mcp_lockstep.migrate.moves import Move, Quote, dropped, written
from mcp_lockstep.migrate.walk import inputs
from mcp_lockstep.rules.manifest import At, JsonObject, elements

_FORMATS = {"file_path": "filepath"}


def input_values(data: JsonObject, target: str) -> Iterator[Move]:
    """Numbers and switches become texts, `null` goes, and `file_path` is `filepath`."""
    for at in inputs(data):
        old = at.text("format")
        if old in _FORMATS:
            new = _FORMATS[old]
            yield written(at.to("format"), new, f"The format `{old}` is called `{new}` now.", old)
        for key in ("value", "default"):
            yield from _value(at, key)
        for index, choice in enumerate(elements(at.data.get("choices"))):
            if isinstance(choice, bool | int | float):
                yield _quoted(f"{at.to('choices')}/{index}", choice, "A choice")


def _value(at: At, key: str) -> Iterator[Move]:
    if key not in at.data:
        return
    value = at.data[key]
    if value is None:
        yield dropped(at.to(key), "says no more than a missing key does", level="note")
    elif isinstance(value, bool | int | float):
        yield _quoted(at.to(key), value, f"`{key}`")


def _quoted(pointer: str, value: float, what: str) -> Move:
    kind = "switch" if isinstance(value, bool) else "number"
    message = f"{what} is a text now; it was a {kind}."
    return Move(CONVERTED, pointer, message, (Quote(pointer),), want=json.dumps(json.dumps(value)))
