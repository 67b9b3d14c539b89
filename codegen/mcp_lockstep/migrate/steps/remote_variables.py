"""Since 2025-12-11 a remote declares the variables in its address."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.migrate.moves import Move, assumed
from mcp_lockstep.migrate.walk import remotes
from mcp_lockstep.rules.manifest import At, JsonObject, is_template, members

_VARIABLE = r"\{([^{}]+)\}"


def remote_variables(data: JsonObject, target: str) -> Iterator[Move]:
    """A variable that nobody declared gets an entry: it has to be filled in."""
    for remote in remotes(data):
        url = remote.text("url")
        if isinstance(remote.data.get("variables", {}), dict) and not is_template(url):
            yield from _declared(remote, tuple(dict.fromkeys(re.findall(_VARIABLE, url))))


def _declared(remote: At, names: tuple[str, ...]) -> Iterator[Move]:
    known = members(remote.data.get("variables"))
    missing = [name for name in names if name not in known]
    if not missing:
        return
    words = ", ".join(f"{{{name}}}" for name in missing)
    message = f"The address has {words}, which nothing declared; an entry in `variables` was added."
    hint = "Write a `description`, so that a user knows what to fill in."
    if "variables" not in remote.data:
        stubs = {name: {"isRequired": True} for name in missing}
        yield assumed(remote.to("variables"), stubs, message, words, hint)
        return
    variables = remote.child("variables")
    for name in missing:
        yield assumed(variables.to(name), {"isRequired": True}, message, f"{{{name}}}", hint)
