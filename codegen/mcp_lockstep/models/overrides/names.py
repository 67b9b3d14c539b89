"""Classes and aliases under the names that somebody gave them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcp_lockstep.config.overrides import Overrides, OverrideTrouble
from mcp_lockstep.findings import nearest
from mcp_lockstep.models.overrides.places import Places
from mcp_lockstep.models.support import HELPERS
from mcp_lockstep.schema.values import Node, everywhere, refer, reference


def classes_renamed(
    document: Node, places: Places, overrides: Overrides, troubles: list[OverrideTrouble]
) -> Node:
    """`document` with its definitions under the names given; `places` knows them from then on."""
    names: dict[str, str] = {}
    for key, name in overrides.names.items():
        if is_pointer(key) or "." not in key:
            old = _class_named(key, places, ("names", key), troubles)
            if old and names.setdefault(old, name) != name:
                troubles.append(
                    OverrideTrouble(("names", key), f"{old} is to be both {names[old]} and {name}", name)
                )
    _clashes(names, places.pool, overrides, troubles)
    if troubles or not names:
        return document
    renamed = {names.get(old, old): _renamed(node, names) for old, node in places.pool.items()}
    places.pool = {name: renamed[name] for name in sorted(renamed)}
    places.made = {key: names.get(old, old) for key, old in places.made.items()}
    objects = document.get("x-objects")
    kept = [names.get(str(name), name) for name in objects] if isinstance(objects, list) else []
    return {**document, "$defs": {**places.pool}, "x-objects": [*kept]}


def is_pointer(key: str) -> bool:
    """Whether a key of an override is a pointer into the schema, not a name."""
    return key.startswith(("/", "#"))


def _class_named(key: str, places: Places, where: tuple[str, ...], troubles: list[OverrideTrouble]) -> str:
    """The class that a pointer or a name means; empty, and a trouble, where there is none."""
    if not is_pointer(key):
        if key in places.pool:
            return key
        message = f"`{'.'.join(where)}`: there is no class {key}"
        troubles.append(OverrideTrouble(where, message, key, hint=near(key, places.pool)))
        return ""
    try:
        places.source(key)
        spot = places.find(key)
    except (KeyError, ValueError, IndexError):
        troubles.append(
            OverrideTrouble(where, f"`{'.'.join(where)}`: nothing stands at {key} in the schema", key)
        )
        return ""
    name = places.class_at(spot) if spot is not None else ""
    if not name:
        message = f"`{'.'.join(where)}`: what stands at {key} became no class of its own"
        troubles.append(
            OverrideTrouble(where, message, key, "a class", "fields are renamed with `Class.field`")
        )
    return name


def near(key: str, known: Iterable[str]) -> str:
    """What was perhaps meant; empty where nothing is near."""
    found = nearest(key, known, 0.5)
    return f"did you mean {found}?" if found else ""


def _clashes(
    names: Mapping[str, str], pool: Mapping[str, Node], overrides: Overrides, troubles: list[OverrideTrouble]
) -> None:
    """Report two classes of one name, and names that the module uses itself."""
    final: dict[str, str] = {}
    for old in pool:
        name = names.get(old, old)
        other = final.setdefault(name, old)
        if other == old and name not in HELPERS:
            continue
        moved = old if old in names else other
        key = next((key for key, given in overrides.names.items() if given == name), moved)
        what = f"the class of {other if moved == old else old}" if other != old else "used by every module"
        message = f"`names.{key}`: {name} is {what} already"
        troubles.append(OverrideTrouble(("names", key), message, name, "a name of its own"))


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    def change(part: Node) -> Node:
        name = names.get(reference(part) or "")
        return part if name is None else {**part, **refer(name)}

    return everywhere(node, change)
