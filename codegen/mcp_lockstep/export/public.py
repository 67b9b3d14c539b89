"""server.json without the secrets in it: what is exported stands in files that are passed on."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mcp_lockstep.documents import JsonDocument, value_at
from mcp_lockstep.documents.data import JsonObject, as_object
from mcp_lockstep.documents.places import place_pointer
from mcp_lockstep.documents.pointer import split_pointer
from mcp_lockstep.export import codes
from mcp_lockstep.findings import Finding
from mcp_lockstep.launch.target import Target
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.manifest import field
from mcp_lockstep.secrecy.clearing import cleared


class Public(NamedTuple):
    """A target whose server.json holds no secret, and a finding for each that was left out."""

    target: Target
    findings: tuple[Finding, ...]

    def placed(self, findings: tuple[Finding, ...], original: JsonDocument) -> Iterator[Finding]:
        """`findings` about the copy at their lines in the `original` file."""
        for one in findings:
            mine = one.place.path == original.path
            yield one._replace(position=original.where(place_pointer(one.place))) if mine else one


def public(target: Target) -> Public:
    """`target` with a copy of its server.json: a secret is asked for where somebody can be, else it is missing."""
    document, clear = target.document, cleared(target.data)
    findings = tuple(
        Finding(
            codes.SECRET_LEFT_OUT,
            document.place(pointer),
            f"{field(pointer)} holds a secret, which is not exported",
            document.where(pointer),
            hint=codes.SECRET_LEFT_OUT.explain,
        )
        for pointer in clear.taken
    )
    if not findings:
        return Public(target, ())
    for pointer in clear.taken:
        parent, name = split_pointer(pointer)
        owner = _owner(clear.data, parent)
        if owner is not None and name not in owner:
            _ask(owner, name)
    text = json.dumps(clear.data, ensure_ascii=True)
    return Public(target._replace(document=JsonDocument(document.path, text.encode())), findings)


def _owner(data: JsonObject, pointer: str) -> JsonObject | None:
    try:
        return as_object(value_at(data, pointer))
    except KeyError:
        return None


def _ask(owner: JsonObject, name: str) -> None:
    """Let the user be asked for what an input always had."""
    if name not in ("value", "default"):
        return
    owner["isSecret"] = True
    if name == "value":
        owner["isRequired"] = True
    if owner.get("type") == "positional":
        owner.setdefault("valueHint", "secret")
    elif owner.get("type") == "named":
        # A bare name would be taken for a switch.
        owner.setdefault("description", f"What {owner.get('name')} is given.")
