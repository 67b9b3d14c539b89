"""What can be wrong with a template: LS511x."""

from __future__ import annotations

from mcp_lockstep.findings import Code

TEMPLATE_BROKEN = Code(
    "LS5112",
    "template-broken",
    "error",
    "A template cannot be rendered.",
    "Own templates get the same values as the ones that they replace; a name that is not among them is an error.",
    exit=2,
)
SEED_NOT_PYTHON = Code(
    "LS5113",
    "seed-not-python",
    "error",
    "A template for a Python file gives text that is no Python.",
    "Let values enter through the filters `py`, `doc` and `comment`.",
    exit=2,
)
CODES = (TEMPLATE_BROKEN, SEED_NOT_PYTHON)
