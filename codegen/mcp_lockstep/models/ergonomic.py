"""What modules of the profile `ergonomic` begin with, in place of what `base` says.

Self-contained on purpose: `support` writes this file's code into generated modules.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from mcp_lockstep.models.judge import is_object

# Written into generated modules from here on.


class Struct(BaseModel):
    """An object: unknown properties are kept; input may use either name of a field, output has those on the wire."""

    model_config = ConfigDict(
        extra="allow",
        strict=True,
        validate_by_alias=True,
        validate_by_name=True,
        serialize_by_alias=True,
        validate_default=False,
        protected_namespaces=(),
        defer_build=True,
    )


def on_wire(value: Any, names: dict[str, str]) -> Any:
    """`value` with the names of its fields as they are on the wire."""
    if is_object(value):
        return {names.get(name, name): item for name, item in value.items()}
    return value
