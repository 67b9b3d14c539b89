"""Targets are read by the light half too: see `mcp_lockstep.targets`."""

from __future__ import annotations

from mcp_lockstep.targets import COMMON, Decorators, Target, Templates, target, targets

__all__ = ["COMMON", "Decorators", "Target", "Templates", "target", "targets"]
