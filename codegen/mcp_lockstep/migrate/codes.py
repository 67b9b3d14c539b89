"""What a migration says: what it moved, dropped, changed and assumed, and what it cannot work on. LS22xx."""

from __future__ import annotations

from mcp_lockstep.findings import Code

MOVED = Code(
    "LS2201",
    "migrate-moved",
    "note",
    "A value is found under another name in the newer revision.",
    "The value itself is the same as before, byte for byte unless it became a part of another one.",
)
CONVERTED = Code(
    "LS2202",
    "migrate-converted",
    "note",
    "A value is written in another way in the newer revision.",
    'It means the same: `docker` became `oci`, the number 8000 the text "8000".',
)
DROPPED = Code(
    "LS2203",
    "migrate-dropped",
    "warning",
    "A value has no place in the newer revision and was taken out.",
    "The registry would have lost it without a word when the file is published. Where the value still matters the "
    "hint says where it belongs now; the old file is in your version control.",
)
ASSUMED = Code(
    "LS2204",
    "migrate-assumed",
    "warning",
    "The newer revision asks for something that the file did not say, and a usual answer was filled in.",
    "Look at what was added: it is what nearly every server of that kind has, but only you know yours.",
)
NEWER_ALREADY = Code(
    "LS2210",
    "migrate-newer-already",
    "error",
    "The file keeps to a newer revision than the one it is to be moved to.",
    "Nothing is moved back: older revisions cannot hold what newer ones can. Leave out `--to`, or name a newer "
    "revision.",
    exit=2,
)
CODES = (MOVED, CONVERTED, DROPPED, ASSUMED, NEWER_ALREADY)
