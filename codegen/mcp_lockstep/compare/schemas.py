"""Two schemas: the root, and every definition, in both directions."""

from __future__ import annotations

from mcp_lockstep.compare import codes
from mcp_lockstep.compare.difference import Difference, Role
from mcp_lockstep.compare.engine import schema_differences
from mcp_lockstep.compare.nodes import Document, Node
from mcp_lockstep.compare.shapes import CONSTRAINTS, same
from mcp_lockstep.contract.model import shown


def compare_schemas(old: object, new: object) -> list[Difference]:
    """What is different between two schemas whose values some write and others read, definitions included."""
    before, after = Document(old), Document(new)
    here, there = before.definitions(), after.definitions()
    pairs = [(before.root, after.root)]
    pairs += [(node, there[name]) for name, node in here.items() if name in there]
    found = schema_differences(before, after, pairs)
    # Definitions of a schema that says something itself are its inner matter.
    inner = _says_something(before.root) and _says_something(after.root)
    fresh = {name: node for name, node in there.items() if name not in here}
    gone = [
        _removed(name, node, inner=inner)._replace(hint=_renamed(node, fresh))
        for name, node in here.items()
        if name not in there
    ]
    come = [_added(name, node) for name, node in fresh.items()]
    return [*gone, *come, *found]


def has_root(schema: object) -> bool:
    """Whether a schema says something itself, and not in its definitions alone."""
    return _says_something(Document(schema).root)


def _says_something(root: Node) -> bool:
    return bool(CONSTRAINTS.intersection(root.keys))


def compare_schema(old: object, new: object, role: Role) -> list[Difference]:
    """What is different between two schemas of a tool, as it concerns those who use the tool."""
    before, after = Document(old), Document(new)
    return [d.seen_by(role) for d in schema_differences(before, after, [(before.root, after.root)])]


def _renamed(node: Node, fresh: dict[str, Node]) -> str:
    """A hint where a new definition says just the same."""
    name = next(
        (name for name, other in fresh.items() if len(node.keys) > 1 and same(node.keys, other.keys)), ""
    )
    return f"{shown(name)} is written just like it" if name else ""


def _removed(name: str, node: Node, *, inner: bool) -> Difference:
    found = Difference(codes.DEFINITION_REMOVED, node.at, "", shown(name), None)
    return found if inner else found._replace(writers="yes", readers="yes")


def _added(name: str, node: Node) -> Difference:
    return Difference(codes.DEFINITION_ADDED, "", node.at, None, shown(name))
