"""The configuration: what the user decided about a fact."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.config import PYPROJECT, Config
from mcp_lockstep.facts.table import Reading
from mcp_lockstep.findings import Place


def read(config: Config) -> Iterator[Reading]:
    """The server name, and the schema revision to keep to."""
    prefix = "tool.mcp-lockstep." if config.path == PYPROJECT else ""
    if config.name:
        yield Reading("name", "config", Place(config.path, ":", f"{prefix}name"), config.name)
    if config.schema:
        start = config.schema.find("@") + 1
        revision = (start, len(config.schema))
        place = Place(config.path, ":", f"{prefix}schema")
        yield Reading("schema", "config", place, config.schema[start:], part=revision)
