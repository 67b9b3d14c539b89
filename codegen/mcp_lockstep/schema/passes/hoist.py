"""Inline objects and enumerations become definitions with the name that a person would give them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256

from mcp_lockstep.naming import ClassName, class_name, distinct
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.definition_names import LONGEST, method_stem
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
_UNTAGGED = "Other"
"""The one alternative that has no constant where all others have one."""

_BODY = "Body"
"""What `error` in `ParseError` holds: `ParseErrorBody`, not `ParseErrorError`."""

_ORDINALS = "First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth".split()


class _Shape(NamedTuple):
    """One inline schema: its body, and the names it may get, the best first; `title` is one it asks for.

    `way` is its definition and the words from there to it, of several such ways the first one.
    """

    body: Node
    names: tuple[str, ...]
    title: str = ""
    way: tuple[str, ...] = ()


def hoist(document: Node) -> Node:
    """`document` where every class and enumeration is a definition; equal ones of equal names are one."""
    hoister = _Hoister(as_map(document.get("$defs")))
    owners = as_map(document.get("x-resources"))
    definitions: dict[str, Node] = {}
    for name, node in named(document, "$defs").items():
        hoister.owner = name
        definitions[name] = hoister.children(node, (str(owners.get(name) or name),))
    taken = {*definitions, *as_texts(document.get("x-reserved")), *_fields(definitions.values())}
    taken |= _fields(shape.body for shape in hoister.shapes.values())
    names = (_in_order if document.get("x-keep") == "all" else _settled)(hoister, taken)
    for key, shape in hoister.shapes.items():
        definitions[names[key]] = shape.body
    changed = {name: _renamed(node, names) for name, node in definitions.items()}
    return {**document, "$defs": {name: changed[name] for name in sorted(changed)}}


class _Hoister:
    """Collects the inline shapes of a document under temporary names; `pool` are its definitions."""

    def __init__(self, pool: Mapping[str, Json]) -> None:
        self.pool = pool
        self.owner = ""
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
        tags = iter(_distinguished(shaped, self.pool))
        return [
            self.place(part, (*names[:-1], _tagged(next(tags), names[-1])) if _is_shape(part) else names)
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
        known = self.shapes.get(key)
        way = (self.owner, *names)
        if known is None or _way(way) < _way(known.way):
            self.shapes[key] = _Shape(body, options, _title(node), way)
        texts = {key: value for key, value in inner.items() if key in TEXTS and key != "title"}
        return {**texts, **refer(key)}


def _is_shape(node: Node) -> bool:
    return is_class(node) or "enum" in node


def _options(node: Node, names: tuple[str, ...]) -> tuple[str, ...]:
    """A good title, the last word of the way there, then more and more of the words before."""
    found = [title] if (title := _title(node)) else []
    for length in range(1, len(names) + 1):
        found.append(_joined(names[-length:]))
    if len(names) == 1:
        found.append(class_name(f"{names[0]} Part"))
    plain = [name for name in found if not name.endswith("_")]
    return tuple(dict.fromkeys(plain or found))


def _joined(words: tuple[str, ...]) -> str:
    """One name for `words`, where a word that the one before ends in is not said twice."""
    name = class_name(words[0])
    for place, word in enumerate(words[1:], 2):
        own = class_name(word)
        if not name.endswith(own):
            name = class_name(f"{name} {word}")
        elif place == len(words):
            name = class_name(f"{name} {_BODY}")
    return name


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


def _tagged(tag: str, name: str) -> str:
    """The alternative `tag` of what is called `name`, without the first words of a long one."""
    words = re.findall("[A-Z]+[^A-Z]*|[^A-Z]+", class_name(name))
    while len(class_name(f"{tag} {name}")) > LONGEST and len(words) > 1:
        words = words[1:]
        name = "".join(words)
    return f"{tag} {name}"


def _distinguished(parts: list[Node], pool: Mapping[str, Json]) -> list[str]:
    """A word for each of several alternatives: a constant that tells them apart, else a needed property."""
    stems = [re.sub("(Request|Notification|Result)$", "", method_stem(part, pool)) for part in parts]
    if any(stems) and len({*stems}) == len(parts):
        return [stem or _UNTAGGED for stem in stems]
    for tag in _TAGS:
        values = [named(part, "properties").get(tag, {}).get("const") for part in parts]
        texts = [value if isinstance(value, str) and value else _UNTAGGED for value in values]
        if len({class_name(text) for text in texts}) == len(parts) > texts.count(_UNTAGGED) + 1:
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


def _in_order(hoister: _Hoister, taken: set[str]) -> dict[str, str]:
    """The name of each shape of one schema: the first one that is free, in alphabetical order of where they stand.

    So a shape that is added takes no name away, unless it stands before; titles come first.
    """
    shapes, settled = hoister.shapes, dict[str, str]()
    order = sorted(shapes, key=lambda key: (not shapes[key].title, *_way(shapes[key].way), key))
    for key in order:
        name = next((name for name in shapes[key].names if name not in taken), None)
        settled[key] = name or str(_longest(shapes, key, taken))
        taken.add(settled[key])
    return settled


def _way(way: tuple[str, ...]) -> tuple[str, int, tuple[str, ...]]:
    """The order of shapes: by definition, the ones nearest to it first."""
    return way[0], len(way), way


def _settled(hoister: _Hoister, taken: set[str]) -> dict[str, str]:
    """The name of each shape of several schemas: its first one that no other shape wants as much."""
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
    return _typed(node, lambda part: _refer_to(part, names))


def _refer_to(node: Node, names: dict[str, str]) -> Node:
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
