"""What a build makes, and what it is told. Light: every build loads this."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from mcp_lockstep.records import NamedTuple

if TYPE_CHECKING:
    from mcp_lockstep.findings import Finding

STRICT = "MCP_LOCKSTEP_BUILD_STRICT"
"""The environment variable that makes every build refuse, unless it is empty or 0."""

SERVER_JSON = "server.json"
PYPROJECT = "pyproject.toml"

Kind = Literal["sdist", "wheel", "editable"]


class Built(NamedTuple):
    """What a backend makes: its kind, the resolved version, the description (None: not known)."""

    kind: Kind
    version: str
    description: str | None = None


class Verdict(NamedTuple):
    """What a build is told: findings, whether they refuse it, the server.json that goes in, what an sdist needs.

    `manifest` is None where server.json cannot be read; `inputs` are paths in the project.
    """

    findings: tuple[Finding, ...]
    refused: bool
    manifest: bytes | None
    inputs: tuple[str, ...]


def asked_to_be_strict() -> bool:
    """Whether the environment makes every build refuse."""
    return os.environ.get(STRICT, "") not in ("", "0")


def has_manifest(root: str) -> bool:
    """Whether there is a server.json in the folder `root`; without one nothing is said and nothing goes in."""
    return os.path.lexists(os.path.join(root, SERVER_JSON))
