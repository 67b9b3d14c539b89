"""Inline objects and enumerations become definitions with the name that a person would give them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import NamedTuple

from mcp_lockstep.naming import ClassName, class_name, distinct
from mcp_lockstep.schema.merge import TEXTS, is_class
from mcp_lockstep.schema.values import (
    Json,
    Node,
    as_map,
    as_node,
    as_texts,
    encoded,
    named,
    nodes,
    refer,
    reference,
)

_TAGS = ("type", "kind", "method", "mode", "name")
_ORDINALS = "First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth".split()


class _Shape(NamedTuple):
    """One inline schema: its body, and the names it may get, the best first; `title` is one it asks for."""

    body: Node
    names: tuple[str, ...]
    title: str = ""


def hoist(document: Node) -> Node:
    """`document` where every class and enumeration is a definition; equal ones of equal names are one."""
    hoister = _Hoister()
    owners = as_map(document.get("x-resources"))
    definitions = {
        name: hoister.children(node, (str(owners.get(name) or name),))
        for name, node in named(document, "$defs").items()
    }
    taken = {*definitions, *as_texts(document.get("x-reserved")), *_fields(definitions.values())}
    names = _settled(hoister, taken | _fields(shape.body for shape in hoister.shapes.values()))
    for key, shape in hoister.shapes.items():
        definitions[names[key]] = shape.body
    changed = {name: _renamed(node, names) for name, node in definitions.items()}
    return {**document, "$defs": {name: changed[name] for name in sorted(changed)}}


class _Hoister:
    """Collects the inline shapes of a document under temporary names."""

    def __init__(self) -> None:
        self.shapes: dict[str, _Shape] = {}
        self.uses: dict[str, int] = {}

    def children(self, node: Node, names: tuple[str, ...]) -> Node:
        """`node` with every shape in it hoisted; `names` are the words from its definition to it."""
        copy = dict(node)
        if "properties" in copy:
            copy["properties"] = {
                key: self.place(part, (*names, key)) for key, part in named(node, "properties").items()
            }
        if "items" in copy:
            copy["items"] = self.place(as_node(copy["items"]), (*names[:-1], _item(names[-1])))
        if "additionalProperties" in copy:
            copy["additionalProperties"] = self.place(
                as_node(copy["additionalProperties"]), (*names[:-1], f"{names[-1]} Value")
            )
        if "anyOf" in copy:
            copy["anyOf"] = self._branches(nodes(node, "anyOf"), names)
        return copy

    def _branches(self, parts: list[Node], names: tuple[str, ...]) -> list[Json]:
        shaped = [part for part in parts if _is_shape(part)]
        if len(shaped) < 2:
            return [self.place(part, names) for part in parts]
        words = _distinguished(shaped)
        tags = iter(words)
        return [
            self.place(part, (*names[:-1], f"{next(tags)} {names[-1]}") if _is_shape(part) else names)
            for part in parts
        ]

    def place(self, node: Node, names: tuple[str, ...]) -> Node:
        """`node`, or a reference where it is a class or an enumeration; its texts stay with the reference."""
        inner = self.children(node, names)
        if not _is_shape(node):
            return inner
        body = {key: value for key, value in inner.items() if key not in TEXTS}
        options = _options(node, names)
        # A digest: the text of a shape holds the keys of those in it, and would double at every level.
        key = f"{options[0]} {sha256(encoded(body).encode()).hexdigest()}"
        self.uses[key] = self.uses.get(key, 0) + 1
        if key not in self.shapes:
            self.shapes[key] = _Shape(body, options, _title(node))
        texts = {key: value for key, value in inner.items() if key in TEXTS and key != "title"}
        return {**texts, **refer(key)}


def _is_shape(node: Node) -> bool:
    return is_class(node) or "enum" in node


def _options(node: Node, names: tuple[str, ...]) -> tuple[str, ...]:
    """A good title, the last word of the way there, then more and more of the words before."""
    found = [title] if (title := _title(node)) else []
    for length in range(1, len(names) + 1):
        found.append(class_name(" ".join(names[-length:])))
    if len(names) == 1:
        found.append(class_name(f"{names[0]} Part"))
    plain = [name for name in found if not name.endswith("_")]
    return tuple(dict.fromkeys(plain or found))


def _title(node: Node) -> str:
    """The title of a schema where it is a good class name."""
    title = node.get("title")
    return title if isinstance(title, str) and title.isascii() and title == class_name(title) else ""


def _item(name: str) -> str:
    """What one of `name` is called: `locations` gives `location`, `data` gives `data Item`."""
    if len(name) > 4 and name.endswith("ies"):
        return f"{name[:-3]}y"
    if len(name) > 4 and name.endswith(("sses", "shes", "ches", "xes", "zes")):
        return name[:-2]
    if len(name) > 3 and name.endswith("s") and not name.endswith(("ss", "us", "is")):
        return name[:-1]
    return f"{name} Item"


def _distinguished(parts: list[Node]) -> list[str]:
    """A word for each of several alternatives: a constant that tells them apart, else a needed property."""
    for tag in _TAGS:
        values = [named(part, "properties").get(tag, {}).get("const") for part in parts]
        texts = [value for value in values if isinstance(value, str) and value]
        if len({class_name(text) for text in texts}) == len(parts):
            return texts
    own = [_own(part, [other for other in parts if other is not part]) for part in parts]
    if all(own) and len(set(own)) == len(own):
        return own
    return [_ORDINALS[i] if i < len(_ORDINALS) else f"Other {'I' * (i - 11)}" for i in range(len(parts))]


def _own(part: Node, others: list[Node]) -> str:
    foreign = {key for other in others for key in named(other, "properties")}
    own = [key for key in as_texts(part.get("required")) if key not in foreign]
    own += [key for key in sorted(named(part, "properties")) if key not in foreign]
    return own[0] if own else ""


def _fields(bodies: Iterable[Node]) -> set[str]:
    """The property names of all classes: a class of such a name would hide behind its own field."""
    return {key for body in bodies for key in named(body, "properties")}


def _settled(hoister: _Hoister, taken: set[str]) -> dict[str, str]:
    """The name of each shape: its first one that no other shape wants as much."""
    options = {key: [*shape.names] for key, shape in hoister.shapes.items()}
    settled: dict[str, str] = {}
    while waiting := {key: names for key, names in options.items() if key not in settled and names}:
        claims: dict[str, list[str]] = {}
        for key, names in waiting.items():
            claims.setdefault(names.pop(0), []).append(key)
        for name, keys in claims.items():
            best = None if name in taken else _best(name, keys, hoister)
            if best is not None:
                settled[best] = name
                taken.add(name)
    left = [key for key in options if key not in settled]
    return settled | distinct(left, lambda key: _longest(hoister.shapes, key, taken))


def _best(name: str, keys: list[str], hoister: _Hoister) -> str | None:
    """The one shape that has `name` as its title, or is used most; None where two are alike in that."""
    weights = {key: (hoister.shapes[key].title == name, hoister.uses[key]) for key in keys}
    ranked = sorted(keys, key=lambda key: weights[key], reverse=True)
    return None if len(ranked) > 1 and weights[ranked[0]] == weights[ranked[1]] else ranked[0]


def _longest(shapes: dict[str, _Shape], key: str, taken: set[str]) -> ClassName:
    name = shapes[key].names[-1] if key in shapes else class_name(key)
    while name in taken:
        name = f"{name}Type"
    return class_name(name)


def _renamed(node: Node, names: dict[str, str]) -> Node:
    """`node` with its references by temporary name as references by final name."""
    return _typed(node, lambda part: refer_to(part, names))


def refer_to(node: Node, names: dict[str, str]) -> Node:
    """`node` with its reference, if any, under the new name from `names`."""
    name = reference(node)
    return {**node, **refer(names[name])} if name in names else node


def _typed(node: Node, change: Callable[[Node], Node]) -> Node:
    """`node` with every schema in a typed place changed."""
    copy: Node = {**change(node)}
    if "properties" in copy:
        copy["properties"] = {k: _typed(v, change) for k, v in named(copy, "properties").items()}
    for key in ("items", "additionalProperties"):
        if key in copy:
            copy[key] = _typed(as_node(copy[key]), change)
    if "anyOf" in copy:
        copy["anyOf"] = [_typed(part, change) for part in nodes(copy, "anyOf")]
    return copy
