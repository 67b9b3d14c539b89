"""What definitions are called whose own names say little: numbered and generic types of other languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from mcp_lockstep.naming import class_name
from mcp_lockstep.schema.values import Json, as_map

LONGEST = 40
"""Letters of a name that we make up; one that its author gave keeps its length."""

_FAMILY = re.compile(r"(Request|Notification)(?:NoParam|OptionalParam)?\d*")
"""One message type of a language with generics, written out once for each method."""

_GENERIC = re.compile(r"(?P<base>[A-Za-z]\w*?)_for_(?P<arguments>\w+)")
_TAG = "method"


def better_names(pool: Mapping[str, Json]) -> dict[str, str]:
    """For the definitions of a schema, by key: a name to use in place of the key, where there is a better one.

    A message is called by its method, a constant leaves its value out of its name, and the only use of a generic
    type is called like the type. Each depends on its own definition, so that further ones rename nothing.
    """
    found = {key: name for key in pool if (name := _better(key, pool)) and name != key}
    kept = {str(class_name(key)) for key in pool if key not in found}
    counts = Counter(str(class_name(name)) for name in found.values())
    return {
        key: name
        for key, name in found.items()
        if counts[str(class_name(name))] == 1 and str(class_name(name)) not in kept
    }


def method_stem(node: Mapping[str, Json], pool: Mapping[str, Json], kind: str = "") -> str:
    """What a message is called by its `method`: `CallToolRequest` for `CallToolRequestMethod`; empty without one.

    With `kind` (`Request`) the name ends in it, and the parameters may say it where the method does not.
    """
    properties = as_map(node.get("properties"))
    method, params = _target(properties.get(_TAG)), _target(properties.get("params"))
    if not isinstance(as_map(pool.get(method)).get("const"), str):
        return ""
    stems = [re.sub("Method$", "", method), re.sub("Params?$", "", params)]
    for stem in stems if kind else stems[:1]:
        if stem.endswith(kind) and stem not in {"", method, params} and "Paginated" not in stem:
            return stem
    return f"{stems[0]}{kind}" if stems[0] not in {"", method} else ""


def _better(key: str, pool: Mapping[str, Json]) -> str:
    node = as_map(pool[key])
    value = node.get("const")
    if isinstance(value, str):
        return _without_value(key, value)
    generic = _GENERIC.fullmatch(key)
    family = _FAMILY.fullmatch(generic["base"] if generic else key)
    if family:
        return method_stem(node, pool, family[1])
    if generic is None:
        return ""
    base = generic["base"]
    alike = [other for other in pool if other.startswith(f"{base}_for_")]
    return base if len(alike) == 1 and base not in pool else f"{base}_{generic['arguments']}"


def title_name(title: str) -> str:
    """What a root is called by its title: a generic type without its arguments."""
    generic = _GENERIC.fullmatch(title.strip())
    return generic["base"] if generic else title


def _without_value(key: str, value: str) -> str:
    """`JsonRpcVersion` for `JsonRpcVersion2_0`, whose value is `2.0`."""
    tail = re.search(r"[_\d]+$", key)
    if tail is None or re.sub(r"\D", "", tail[0]) != re.sub(r"\W", "", value):
        return ""
    return key[: tail.start()]


def _target(node: Json) -> str:
    """The last part of the reference of a property, through a union with null."""
    schema = as_map(node)
    for keyword in ("anyOf", "allOf", "oneOf"):
        parts = schema.get(keyword)
        for part in parts if isinstance(parts, list) else ():
            if "$ref" in as_map(part):
                schema = as_map(part)
    target = schema.get("$ref")
    return target.rpartition("/")[2] if isinstance(target, str) else ""
