"""server.json without the secrets in it: what is exported stands in files that are passed on."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator

from mcp_lockstep.documents import JsonDocument, value_at
from mcp_lockstep.documents.data import JsonObject, as_object
from mcp_lockstep.documents.places import place_pointer
from mcp_lockstep.documents.pointer import split_pointer
from mcp_lockstep.findings import Finding
from mcp_lockstep.launch import codes
from mcp_lockstep.launch.package import has_template
from mcp_lockstep.launch.target import Target
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.manifest import field
from mcp_lockstep.secrecy import MASK, masked, secret_pointers

_TEMPLATES_ONLY = r"(?i)(?:(?:bearer|basic|token|api-?key|key)[\s:=]+)?(?:\{[^{}]+\}[\s:,;]*)+"
"""A value that is asked for as a whole, behind the word that says what it is."""


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
    """`target` with a copy of its server.json: a secret is asked for where somebody can be, else a mask."""
    document, data = target.document, copy.deepcopy(target.data)
    shown, findings = masked(data), list[Finding]()
    for pointer in tuple(secret_pointers(data)):
        try:
            value = value_at(data, pointer)
        except (KeyError, IndexError):
            # It went with the list around it.
            continue
        if isinstance(value, str) and has_template(value) and re.fullmatch(_TEMPLATES_ONLY, value):
            continue
        _take_out(data, pointer, value_at(shown, pointer))
        message = f"{field(pointer)} holds a secret, which is not exported"
        place, where = document.place(pointer), document.where(pointer)
        findings.append(
            Finding(codes.SECRET_LEFT_OUT, place, message, where, hint=codes.SECRET_LEFT_OUT.explain)
        )
    if not findings:
        return Public(target, ())
    text = json.dumps(data, ensure_ascii=True)
    return Public(target._replace(document=JsonDocument(document.path, text.encode())), tuple(findings))


def _take_out(data: JsonObject, pointer: str, shown: object) -> None:
    parent, name = split_pointer(pointer)
    owner = as_object(value_at(data, parent))
    if owner is None:
        # One of the choices: without it the others are not all.
        _take_out(data, parent, MASK)
    elif shown == MASK:
        del owner[name]
        _ask(owner, name)
    else:
        owner[name] = shown


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
