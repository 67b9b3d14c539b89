"""From a pointer into a schema to the place in the document that the passes made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_lockstep.documents.pointer import make_pointer, pointer_parts
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.values import (
    POOLS,
    Json,
    Node,
    Path,
    as_list,
    as_map,
    as_node,
    named,
    nodes,
    reference,
    subschemas,
    types,
)


class Spot(NamedTuple):
    """A schema in the document: the definition it is in and the way from there (empty: the definition)."""

    definition: str
    way: tuple[str | int, ...] = ()


class Places:
    """The places of a document; `made` is the class of each definition of the schema, `""` for the root."""

    def __init__(self, document: Node, root: Node, made: Mapping[str, str]) -> None:
        self.pool = named(document, "$defs")
        self.root = root
        self.made = {**made}

    def source(self, pointer: str) -> Json:
        """The schema at a pointer. KeyError where there is none."""
        value: Json = self.root
        for part in pointer_parts(pointer.removeprefix("#")):
            children = as_list(value)
            is_item = part.isdecimal() and int(part) < len(children)
            value = children[int(part)] if is_item else as_map(value)[part]
        return value

    def find(self, pointer: str) -> Spot | None:
        """The place of what stands at a pointer; None where it became a part of something else."""
        parts = pointer_parts(pointer.removeprefix("#"))
        if len(parts) > 1 and parts[0] in POOLS:
            start, parts = self.made.get(parts[1], ""), parts[2:]
        else:
            start = self.made.get("", "")
        spot = Spot(start) if start in self.pool else None
        source = self.pool_source(pointer, len(parts))
        while spot is not None and parts:
            spot, parts, source = self._step(self.home(spot), parts, source)
        return spot

    def pool_source(self, pointer: str, left: int) -> Json:
        """The schema that the way begins at, `left` parts before the end of `pointer`."""
        steps = pointer.removeprefix("#").split("/")
        return self.source("/".join(steps[: len(steps) - left]))

    def node(self, spot: Spot) -> Node:
        """The schema at a place."""
        value: Json = self.pool[spot.definition]
        for step in spot.way:
            value = as_list(value)[step] if isinstance(step, int) else as_map(value)[step]
        return as_node(value)

    def without_null(self, spot: Spot) -> Spot:
        """The place of what may be null besides; the place itself where it is no such thing."""
        parts = nodes(self.node(spot), "anyOf")
        others = [index for index, part in enumerate(parts) if part.get("type") != "null"]
        if len(others) != 1 or len(parts) != 2:
            return spot
        return spot._replace(way=(*spot.way, "anyOf", others[0]))

    def home(self, spot: Spot) -> Spot:
        """The definition that a place refers to, or the place itself."""
        seen: set[str] = set()
        while (name := reference(self.node(spot))) is not None and name not in seen:
            seen.add(name)
            spot = Spot(name)
        return spot

    def class_at(self, spot: Spot) -> str:
        """The class or alias of what is at a place; empty where it has no name."""
        name = reference(self.node(spot))
        return name or ("" if spot.way else spot.definition)

    def _step(self, spot: Spot, parts: Path, source: Json) -> tuple[Spot | None, Path, Json]:
        """One keyword further, in the document and in the schema."""
        node, keyword = self.node(spot), parts[0]
        inner = as_map(source).get(keyword)
        if keyword == "properties" and len(parts) > 1:
            known = parts[1] in as_map(node.get("properties"))
            found = spot._replace(way=(*spot.way, keyword, parts[1])) if known else None
            return found, parts[2:], as_map(inner).get(parts[1])
        if keyword in {"items", "additionalProperties"} and keyword in node:
            return spot._replace(way=(*spot.way, keyword)), parts[1:], inner
        if keyword in {"anyOf", "oneOf", "allOf"} and len(parts) > 1 and isinstance(inner, list):
            branch = inner[int(parts[1])]
            return self._branch(spot, node, branch), parts[2:], branch
        return None, (), None

    def _branch(self, spot: Spot, node: Node, branch: Json) -> Spot | None:
        """The alternative that `branch` became: the only one of its type, or of what it refers to."""
        source = as_map(branch)
        target = source.get("$ref")
        name = self.made.get(target.rpartition("/")[2]) if isinstance(target, str) else None
        kinds = types(source)
        fitting = [
            index
            for index, part in enumerate(nodes(node, "anyOf"))
            if (reference(part) == name if name else reference(part) is None and types(part) == kinds)
        ]
        if len(fitting) == 1:
            return spot._replace(way=(*spot.way, "anyOf", fitting[0]))
        return spot if "anyOf" not in node else None


def with_format(node: Json, name: str, at: str = "") -> Iterator[str]:
    """The pointers of all schemas in `node` whose `format` is `name`."""
    for pointer, found in formats(node, at):
        if found == name:
            yield pointer


def formats(node: Json, at: str = "") -> Iterator[tuple[str, str]]:
    """The pointers of all schemas in `node` that have a `format`, with it."""
    if not isinstance(node, dict):
        return
    found = node.get("format")
    if isinstance(found, str):
        yield at, found
    for path, child in subschemas(node):
        yield from formats(child, f"{at}{make_pointer(path)}")
