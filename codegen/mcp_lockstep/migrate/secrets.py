"""A server.json without its secrets, to be printed."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import cast

from mcp_lockstep.documents import JsonDocument, value_at
from mcp_lockstep.documents.places import place_pointer
from mcp_lockstep.documents.pointer import escape_part
from mcp_lockstep.findings import Finding
from mcp_lockstep.rules.manifest import JsonObject

MASK = "***"

_SECRET_NAME = (
    r"(?i)(?:^|[_\W]|(?<=[a-z]))(?:api_?-?key|token|secret|password|passwd|credentials?|authorization)$"
)
_IN_ADDRESS = r"(?<=//)[^/@\s]+(?=@)|(?<=[?&])((?:[\w-]*(?:key|token|secret|password))=)[^&#\s]+"
_VALUES = ("value", "default", "choices")


def masked_text(text: str) -> str:
    """`text` without the credentials of addresses in it."""
    return re.sub(_IN_ADDRESS, lambda found: (found[1] or "") + MASK, text) if "//" in text else text


def masked(value: object, name: str = "", secret: bool = False) -> object:
    """A copy of `value`, known as `name`, in which no secret is left; `secret`: it is one itself."""
    if isinstance(value, dict):
        data = cast("JsonObject", value)
        inner = _is_secret(data, name)
        return {key: masked(item, key, secret or (inner and key in _VALUES)) for key, item in data.items()}
    if isinstance(value, list):
        return [masked(item, name, secret) for item in cast("list[object]", value)]
    if secret or (isinstance(value, str) and re.search(_SECRET_NAME, name)):
        return MASK
    return masked_text(value) if isinstance(value, str) else value


def secret_pointers(value: object, pointer: str = "", name: str = "", secret: bool = False) -> Iterator[str]:
    """The pointers of the scalars that `masked` changes."""
    if isinstance(value, dict):
        data = cast("JsonObject", value)
        inner = _is_secret(data, name)
        for key, item in data.items():
            here = f"{pointer}/{escape_part(key)}"
            yield from secret_pointers(item, here, key, secret or (inner and key in _VALUES))
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[object]", value)):
            yield from secret_pointers(item, f"{pointer}/{index}", name, secret)
    elif masked(value, name, secret) != value:
        yield pointer


def without_secrets(document: JsonDocument, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """`findings` about `document` with the secrets masked in whatever they quote."""
    if not findings:
        return ()
    secrets: dict[str, list[tuple[str, str]]] = {}
    hidden: set[str] = set()
    for pointer in secret_pointers(document.data):
        value = value_at(document.data, pointer)
        text = value if isinstance(value, str) else ""
        if masked_text(text) == text:
            hidden.add(pointer)
        if text:
            pair = (text, MASK if pointer in hidden else masked_text(text))
            secrets.setdefault(_input(pointer), []).append(pair)
    return tuple(_discreet(finding, secrets, hidden) for finding in findings)


def _discreet(
    finding: Finding, secrets: Mapping[str, Sequence[tuple[str, str]]], hidden: Collection[str]
) -> Finding:
    pointer = place_pointer(finding.place)
    if pointer in hidden:
        # What is wanted may be a part of what is there.
        finding = finding._replace(have=finding.have and MASK, want=None, hint="")
    return _quoting(finding, secrets.get(_input(pointer), ()))


def _input(pointer: str) -> str:
    """The object that a value, or one of its choices, belongs to."""
    return re.sub(r"(/choices/\d+|/[^/]*)$", "", pointer)


def _quoting(finding: Finding, secrets: Iterable[tuple[str, str]]) -> Finding:
    for value, mask in sorted(secrets, key=lambda pair: -len(pair[0])):
        for text in (json.dumps(value, ensure_ascii=False)[1:-1], value):
            finding = finding._replace(
                message=finding.message.replace(text, mask),
                have=finding.have and finding.have.replace(text, mask),
                want=finding.want and finding.want.replace(text, mask),
                hint=finding.hint.replace(text, mask),
            )
    return finding


def _is_secret(data: JsonObject, name: str) -> bool:
    """Whether an object is an input whose value is nobody's business: it says so, or its name does."""
    if data.get("isSecret") is True or data.get("is_secret") is True:
        return True
    own = data.get("name")
    return any(re.search(_SECRET_NAME, text) is not None for text in (own, name) if isinstance(text, str))
