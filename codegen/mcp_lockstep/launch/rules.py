"""What server.json alone tells about the commands that clients run, as rules beside those of a registry."""

from __future__ import annotations

from mcp_lockstep.launch.runtime import runtime_arguments, runtime_hint
from mcp_lockstep.launch.values import single_words, switches, templates
from mcp_lockstep.rules import OFFICIAL, PRIVATE
from mcp_lockstep.rules.manifest import Rule

RULES: tuple[Rule, ...] = (runtime_hint, runtime_arguments, templates, switches, single_words)
"""The rules about commands, for `rules.judge_manifest`."""


def rules_for(registry: str) -> tuple[Rule, ...]:
    """Everything that a server.json for a registry, `official` or `private`, is judged by."""
    return (*(PRIVATE if registry == "private" else OFFICIAL), *RULES)
