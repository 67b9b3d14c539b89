"""msgspec: refused, for its structs would not decode what they describe."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.models.plan import FieldNames, ModulePlan
from mcp_lockstep.naming import field_names
from mcp_lockstep.schema.codes import UNDECODABLE
from mcp_lockstep.schema.locate import Index, index, located, value_at, walk
from mcp_lockstep.schema.values import Json, Node, Path, as_map, nodes
from mcp_lockstep.schema.vet import Trouble


class Structs:
    """Says why no structs are written."""

    def names(self) -> FieldNames:
        return field_names

    def source(self, planned: ModulePlan) -> str:
        return ""

    def unsaid(self, root: Node) -> Iterator[Trouble]:
        found = index(root)
        lost = next((path for path, node in walk(root) if isinstance(node, dict) and _is_open(node)), None)
        if lost is not None:
            message = "lets objects have unknown properties, and a msgspec.Struct drops them"
            yield Trouble(UNDECODABLE, lost, message)
        for path, node in walk(root):
            for keyword in ("anyOf", "oneOf"):
                if isinstance(node, dict) and keyword in node and _untagged(root, path, node, keyword, found):
                    message = "is a union of several objects, and msgspec decodes none without a tag in each"
                    yield Trouble(UNDECODABLE, (*path, keyword), message, keyword)
        if lost is None:
            yield Trouble(UNDECODABLE, (), "is one that no structs are made of; take the kind pydantic")


def _is_open(node: Node) -> bool:
    return "properties" in node and node.get("additionalProperties") is not False


def _untagged(root: Node, path: Path, node: Node, keyword: str, found: Index) -> bool:
    """Whether two or more members are objects that no property with a constant of its own tells apart."""
    members = [
        _meant(root, (*path, keyword, str(n)), part, found) for n, part in enumerate(nodes(node, keyword))
    ]
    objects = [
        as_map(part)
        for part in members
        if as_map(part).get("type") == "object" or "properties" in as_map(part)
    ]
    if len(objects) < 2:
        return False
    tables = [_constants(part) for part in objects]
    return not any(
        all(name in table for table in tables) and len({table[name] for table in tables}) == len(tables)
        for name in tables[0]
    )


def _meant(root: Node, path: Path, node: Json, found: Index) -> Json:
    for _ in range(20):
        target = as_map(node).get("$ref")
        lead = located(root, path, target, found) if isinstance(target, str) else None
        if lead is None:
            break
        node, path = value_at(root, lead), lead
    return node


def _constants(node: Node) -> dict[str, str]:
    """The properties with a constant text."""
    properties = as_map(node.get("properties"))
    constants = {name: as_map(part).get("const") for name, part in properties.items()}
    return {name: value for name, value in constants.items() if isinstance(value, str)}
