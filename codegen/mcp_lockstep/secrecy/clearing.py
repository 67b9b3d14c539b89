"""Copies of a server.json without secrets: what is written elsewhere repeats none."""

from __future__ import annotations

import re
from copy import deepcopy

from mcp_lockstep.documents import value_at
from mcp_lockstep.documents.data import JsonObject, as_object, text_of
from mcp_lockstep.documents.pointer import make_pointer, pointer_parts, split_pointer
from mcp_lockstep.placeholders import without_holes
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.secrecy import (
    KEY_FORMS,
    MASK,
    QUERY_FORMS,
    VALUE_KEYS,
    is_secret_name,
    looks_like_key,
    masked,
    masked_text,
    secret_pointers,
)

_MIXED = r"(?=[A-Za-z_-]*\d)(?=[\d_-]*[A-Za-z])[\w+/-]{8,}"
"""Letters and digits in one word, as in a key."""


class Cleared(NamedTuple):
    """A server.json in which no secret is left, and the pointers of those that were taken out of it."""

    data: JsonObject
    taken: tuple[str, ...]


def cleared(data: JsonObject) -> Cleared:
    """A copy of `data` to be written elsewhere: secret values are gone, addresses lose their credentials.

    What only asks the user, as `Bearer {token}` does, stays.
    """
    copy, shown = deepcopy(data), masked(data)
    taken: list[str] = []
    for pointer in secret_pointers(data):
        try:
            value = value_at(copy, pointer)
        except KeyError:
            # It went with the list around it.
            continue
        text = str(value or "")
        if pointer_parts(pointer)[-1] in VALUE_KEYS or "/choices/" in pointer:
            kept = text if _only_asks(text) or _is_plain_header(data, pointer, text) else ""
        else:
            kept = without_credentials(text) if "//" in text else str(value_at(shown, pointer))
        if kept != text:
            taken.append(pointer)
            _put(copy, pointer, "" if kept == MASK else kept)
    return Cleared(copy, tuple(taken))


def without_credentials(address: str) -> str:
    """`address` without the user and the keys in it, but for those that a client asks for."""
    text = re.sub(r"(?<=//)([^/@\s\"'`]+)@", lambda found: found[0] if _only_asks(found[1]) else "", address)
    text = re.sub(
        "|".join(QUERY_FORMS),
        lambda found: found[0] if _only_asks(found[0].partition("=")[2]) else "\0",
        text,
        flags=re.ASCII,
    )
    text = re.sub(r"([?#])\0[&;]|.\0", lambda found: found[1] or "", re.sub(r"[&;]\0", "", text))
    return re.sub("|".join(KEY_FORMS), MASK, text, flags=re.ASCII)


def _only_asks(value: str) -> bool:
    """Whether a template has nothing in it that could be a secret itself, or there is nothing at all."""
    rest = without_holes(value)
    if rest == value:
        return not value
    return masked_text(rest) == rest and not re.search(_MIXED, rest, re.ASCII)


def _is_plain_header(data: JsonObject, pointer: str, value: str) -> bool:
    """Whether a value is in doubt for nothing but standing in a header, and looks like no key.

    Who prints it hides it all the same: what stands in a header of one's own is a key more often than not.
    """
    if "/headers/" not in pointer or looks_like_key(value) or re.search(_MIXED, value, re.ASCII):
        return False
    parts = pointer_parts(pointer)
    header = as_object(value_at(data, make_pointer(parts[: parts.index("headers") + 2]))) or {}
    return "isSecret" not in header and not is_secret_name(text_of(header.get("name")))


def _put(data: JsonObject, pointer: str, value: str) -> None:
    """Write `value` at `pointer`; an empty one takes the member out, and for an item of a list the whole list."""
    parent, name = split_pointer(pointer)
    owner = as_object(value_at(data, parent))
    if owner is None:
        _put(data, parent, "")
    elif value:
        owner[name] = value
    else:
        del owner[name]
