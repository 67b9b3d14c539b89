"""A schema as the engine walks it: nodes with their pointers, and where a `$ref` leads. Nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote, urldefrag, urljoin

from mcp_lockstep.documents.data import JsonObject, as_array, as_object, text_of
from mcp_lockstep.documents.pointer import escape_part, make_pointer, value_at
from mcp_lockstep.records import NamedTuple

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")

ANNOTATIONS = frozenset(
    "title description $comment examples deprecated readOnly writeOnly contentEncoding contentMediaType "
    "contentSchema $schema $id id $anchor $dynamicAnchor $recursiveAnchor $vocabulary default format".split()
)
"""Keywords that refuse no value. `default` and `format` are compared on their own."""

HOLDERS = ("$defs", "definitions")
COUNTS = {"string": "Length", "array": "Items", "object": "Properties"}
"""What the keywords that limit a size end in, by type."""

_NOT_SCHEMAS = frozenset(["const", "enum", "default", "examples", "required"])
_REF_ALONE = re.compile(r"json-schema\.org/draft-0[3467]")


class Node(NamedTuple):
    """One schema in a document: the pointer to it and its keywords (`true` is `{}`, `false` is `{"not": {}}`)."""

    at: str
    keys: JsonObject

    @property
    def never(self) -> bool:
        """Whether it plainly refuses everything."""
        return self.keys.get("not") in ({}, True) and "not" in self.keys

    @property
    def identity(self) -> tuple[str, ...]:
        """What tells it from every other node of the document, parts of the same one included."""
        # What accepts everything is one and the same wherever it stands: recursion into it must end.
        return (self.at, *sorted(self.keys)) if self.keys else ("",)

    def child(self, *parts: str | int) -> Node:
        """The schema that `parts` lead to; one that accepts everything where there is none."""
        found: object = self.keys
        for part in parts:
            items = as_array(found)
            found = items[int(part)] if items is not None else (as_object(found) or {}).get(str(part))
            if found is None:
                return Node(self.at, {})
        return Node(self.at + make_pointer(parts), keywords(found))

    def only(self, *wanted: str) -> Node:
        """The node with these keywords alone, under a pointer of its own."""
        return Node(self.at, {key: value for key, value in self.keys.items() if key in wanted})


def keywords(schema: object) -> JsonObject:
    """A schema as an object; what is none accepts everything, as most validators take it."""
    return {"not": {}} if schema is False else as_object(schema) or {}


class Document:
    """One whole schema: what its references mean."""

    def __init__(self, root: object) -> None:
        self.root = Node("", keywords(root))
        self.ref_alone = bool(_REF_ALONE.search(text_of(self.root.keys.get("$schema"))))
        self._addresses: dict[str, str] = {"": ""}
        self._bases: dict[str, str] = {}
        for at, keys in _schemas(self.root.keys):
            self._register(at, keys)

    def definitions(self) -> dict[str, Node]:
        """The definitions at the root by name, whichever of the two keywords holds them."""
        return {
            name: self.root.child(holder, name)
            for holder in HOLDERS
            for name in as_object(self.root.keys.get(holder)) or {}
        }

    def target(self, node: Node) -> Node | None:
        """Where the reference of `node` leads after all its steps; None where it leads out or in a ring."""
        seen: set[str] = set()
        while (reference := reference_of(node)) is not None:
            found = self._find(node.at, reference)
            if found is None or found.at in seen:
                return None
            seen.add(found.at)
            if not self.stands_alone(found):
                return found
            node = found
        return node if seen else None

    def stands_alone(self, node: Node) -> bool:
        """Whether the reference of `node` is all that it says."""
        if reference_of(node) is None:
            return False
        return self.ref_alone or node.keys.keys() <= {*REFERENCES, *ANNOTATIONS, *HOLDERS}

    def _find(self, at: str, reference: str) -> Node | None:
        base = next((self._bases[holder] for holder in _upwards(at) if holder in self._bases), "")
        try:
            uri, fragment = urldefrag(reference if base == "" else urljoin(base, reference))
        except ValueError:
            return None
        if fragment and not fragment.startswith("/"):
            uri, fragment = f"{uri}#{fragment}", ""
        start = self._addresses.get(uri)
        if start is None:
            return None
        pointer = start + unquote(fragment)
        try:
            found = value_at(self.root.keys, pointer)
        except KeyError:
            return None
        return (
            Node(pointer, keywords(found))
            if isinstance(found, bool) or as_object(found) is not None
            else None
        )

    def _register(self, at: str, keys: JsonObject) -> None:
        identifier = text_of(keys.get("$id")) or text_of(keys.get("id"))
        base = next((self._bases[holder] for holder in _upwards(at) if holder in self._bases), "")
        if identifier.startswith("#"):
            self._addresses.setdefault(base + identifier, at)
        elif identifier:
            try:
                base = urldefrag(urljoin(base, identifier)).url
            except ValueError:
                return
            self._bases[at] = base
            self._addresses.setdefault(base, at)
        for keyword in ("$anchor", "$dynamicAnchor"):
            if anchor := text_of(keys.get(keyword)):
                self._addresses.setdefault(f"{base}#{anchor}", at)


def reference_of(node: Node) -> str | None:
    """The text of the reference in `node`, if there is one."""
    for keyword in REFERENCES:
        if isinstance(found := node.keys.get(keyword), str):
            return found
    return None


def definition_name(node: Node) -> str:
    """The name under which a node is defined; empty for one that is not."""
    holder, _, name = node.at.rpartition("/")
    return name if holder.rpartition("/")[2] in HOLDERS else ""


def _upwards(at: str) -> Iterator[str]:
    while at:
        yield at
        at = at.rpartition("/")[0]
    yield ""


def _schemas(root: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Every object in a schema that may be one, outermost first. Values of `const` and the like are left out."""
    waiting: list[tuple[str, object]] = [("", root)]
    while waiting:
        at, value = waiting.pop()
        if (keys := as_object(value)) is not None:
            yield at, keys
            waiting += [(f"{at}/{escape_part(key)}", v) for key, v in keys.items() if key not in _NOT_SCHEMAS]
        else:
            waiting += [(f"{at}/{index}", item) for index, item in enumerate(as_array(value) or ())]
