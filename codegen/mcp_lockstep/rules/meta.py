"""Rules for `_meta`: one key survives publishing, and its size is limited."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mcp_lockstep.documents.pointer import escape_part
from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import Fault, Manifest, escaped, members

PUBLISHER = "io.modelcontextprotocol.registry/publisher-provided"
_LARGEST = 4096
_GO_ESCAPED = "<>&\u2028\u2029"

META_KEY_DROPPED = Code(
    "LS2070",
    "meta-key-dropped",
    "warning",
    "A key of `_meta` that does not survive publishing.",
    f"The registry keeps `_meta.{PUBLISHER}` and drops or refuses every other key. Put the data under that "
    "key.",
)
META_TOO_LARGE = Code(
    "LS2071",
    "meta-too-large",
    "error",
    "The publisher's data in `_meta` is larger than the registry takes.",
    "The limit is 4096 bytes of compact JSON, in which `<`, `>` and `&` count six bytes each. Only "
    "publishing checks it.",
)


def dropped_key(pointer: str, key: str) -> Fault:
    """A key of `_meta` other than the publisher's own."""
    return Fault(
        META_KEY_DROPPED,
        pointer,
        f"`_meta` has the key `{escaped(key)}`; the registry keeps only `{PUBLISHER}`.",
        have=key,
        want=PUBLISHER,
        hint=f"Move the data under `{PUBLISHER}`.",
    )


def meta_size(manifest: Manifest) -> Iterator[Fault]:
    """The publisher's data fits, measured as the registry measures it."""
    data = members(members(manifest.data.get("_meta")).get(PUBLISHER))
    size = go_size(data) if data else 0
    if size > _LARGEST:
        yield Fault(
            META_TOO_LARGE,
            f"/_meta/{escape_part(PUBLISHER)}",
            f"`_meta.{PUBLISHER}` takes {size} bytes as compact JSON; the registry takes at most {_LARGEST}.",
            have=f"{size} bytes",
            want=f"at most {_LARGEST} bytes",
            hint="Keep build logs and the like elsewhere and link to them.",
        )


def go_size(value: object) -> int:
    """The bytes of `value` as the compact JSON that the registry's language writes."""
    line = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    escapes = sum(6 - len(c.encode()) for c in line if c in _GO_ESCAPED)
    return len(line.encode("utf-8", "replace")) + escapes
