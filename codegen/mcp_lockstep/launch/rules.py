"""What server.json alone tells about the commands that clients run, as rules beside those of a registry."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.launch.package import package_at
from mcp_lockstep.launch.runtime import runtime_arguments, runtime_hint
from mcp_lockstep.launch.values import single_words, switches, templates
from mcp_lockstep.rules import OFFICIAL, PRIVATE
from mcp_lockstep.rules.manifest import Fault, Manifest, Rule


def commands(manifest: Manifest) -> Iterator[Fault]:
    """Every rule about the command of each package; a package is read once for all of them."""
    for at, *_ in manifest.packages:
        package = package_at(at)
        yield from runtime_hint(at, package)
        if package.runtime or package.kind == "oci":
            yield from runtime_arguments(package)
        if package.runtime or package.arguments or package.environment or package.headers:
            yield from templates(package)
            yield from switches(package)
            yield from single_words(package)


RULES: tuple[Rule, ...] = (commands,)
"""The rules about commands, for `rules.judge_manifest`."""


def rules_for(registry: str) -> tuple[Rule, ...]:
    """Everything that a server.json for a registry, `official` or `private`, is judged by."""
    return (*(PRIVATE if registry == "private" else OFFICIAL), *RULES)
