"""Published descriptions made readable outside the site that they were written for."""

from __future__ import annotations

import re
from collections.abc import Collection

from mcp_lockstep.schema.values import Json, Node, as_map, everywhere

_LINK_TAG = re.compile(r"\{@link(?:code|plain)?\s([^{}]*)\}")
_SITE_LINK = re.compile(r"\[([^\[\]\n]*)\]\((?!https?://|mailto:)[^)\s]*\)")


def tidied(schema: Json) -> Json:
    """`schema` with tidy descriptions; everything else stays."""
    if not isinstance(schema, dict):
        return schema
    names = {*as_map(schema.get("definitions")), *as_map(schema.get("$defs"))}

    def tidy(node: Node) -> Node:
        text = node.get("description")
        return {**node, "description": tidy_text(text, names)} if isinstance(text, str) else node

    return everywhere(schema, tidy)


def tidy_text(text: str, names: Collection[str] = ()) -> str:
    """`text` without `{@link}` tags and links that only work on one site; what they show stays.

    `names` are the definitions that a tag may point to: in published documents the target and the text that it
    shows are often joined (`{@link CallToolRequesttools/call}`).
    """
    shown = _LINK_TAG.sub(lambda tag: _label(tag[1].strip(), names), text)
    return _SITE_LINK.sub(r"\1", shown).strip()


def _label(content: str, names: Collection[str]) -> str:
    target, bar, label = content.partition("|")
    if bar and label.strip():
        return label.strip()
    target = target.strip()
    pointed = max((name for name in names if target.startswith(name)), key=len, default="")
    rest = target[len(pointed) :]
    # A member (`Tool.name`) or a longer word (`Tools`) is no text that was joined to the target.
    joined = bool(pointed) and ("/" in rest or "`" in rest or " " in rest)
    return rest.strip() if joined and not rest.startswith(".") else target
