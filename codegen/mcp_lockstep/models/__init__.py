"""Typed models from JSON Schemas: `generate_models` for one schema, `contract.contract_models` for tools."""

from __future__ import annotations

from mcp_lockstep.models.options import ModelOptions, ModelSource
from mcp_lockstep.models.single import generate_models

__all__ = ["ModelOptions", "ModelSource", "generate_models"]
