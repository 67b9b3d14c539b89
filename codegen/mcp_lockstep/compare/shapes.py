"""A schema as a union of branches, one for each JSON type and alternative: however it is written, it looks the same.

`["string", "null"]`, an `anyOf` with a null in it and an enumeration with null are the same two branches.
"""

from __future__ import annotations

from mcp_lockstep.compare.nodes import REFERENCES, Document, Node, reference_of
from mcp_lockstep.documents.data import Kind, as_array, as_object, kind_of
from mcp_lockstep.records import NamedTuple

KINDS: tuple[Kind, ...] = ("null", "boolean", "number", "string", "array", "object")

KEYWORDS: dict[Kind, frozenset[str]] = {
    "null": frozenset(),
    "boolean": frozenset(),
    "number": frozenset("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split()),
    "string": frozenset("minLength maxLength pattern".split()),
    "array": frozenset(
        "items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains "
        "unevaluatedItems".split()
    ),
    "object": frozenset(
        "properties required additionalProperties patternProperties propertyNames minProperties maxProperties "
        "dependentRequired dependentSchemas dependencies unevaluatedProperties".split()
    ),
}
"""The keywords that say something about values of each type."""

CONDITION = ("if", "then", "else")
_UNIONS = ("anyOf", "oneOf")

CONSTRAINTS = frozenset({"type", "enum", "const", "not", "allOf", *_UNIONS, *CONDITION, *REFERENCES}).union(
    *KEYWORDS.values()
)
"""Every keyword that can refuse a value."""

_MOST_BRANCHES = 2000


class Branch(NamedTuple):
    """Values of one JSON type: `node` holds the keywords about it, `values` (None: any) those enumerated.

    `home` is the schema as it stands. `integer`: whole numbers only. `parts`: further schemas that a value must
    fulfil besides. `exclusive`: a value of it may be refused because another alternative takes it too.
    """

    kind: Kind
    node: Node
    home: Node
    integer: bool = False
    values: tuple[object, ...] | None = None
    parts: tuple[Node, ...] = ()
    exclusive: bool = False

    @property
    def identity(self) -> tuple[str, ...]:
        """What tells it from every other branch of the document."""
        return (self.kind, str(self.integer), repr(self.values), *self.home.identity)


def branches(document: Document, node: Node) -> tuple[Branch, ...]:
    """The branches of a schema; none where it refuses everything."""
    return tuple(_branches(document, node, frozenset()))


def _branches(document: Document, node: Node, seen: frozenset[str]) -> list[Branch]:
    if node.never:
        return []
    if reference_of(node) is not None and document.stands_alone(node):
        target = document.target(node)
        if target is None or target.at in seen:
            return [Branch(kind, Node(node.at, {}), node, parts=(node,)) for kind in KINDS]
        return _branches(document, target, seen | {target.at})
    said = CONSTRAINTS.intersection(node.keys)
    for union in _UNIONS:
        if union in said and said <= {union, "type"}:
            return _united(document, node, union, seen)
    members = as_array(node.keys.get("allOf")) or []
    if said == frozenset(["allOf"]) and len(members) == 1:
        return _branches(document, node.child("allOf", 0), seen)
    return _own(document, node, seen)


def _united(document: Document, node: Node, union: str, seen: frozenset[str]) -> list[Branch]:
    members = as_array(node.keys[union]) or []
    found = [b for index in range(len(members)) for b in _branches(document, node.child(union, index), seen)]
    allowed = _types(node)
    narrowed = [_narrowed(branch, allowed) for branch in found[:_MOST_BRANCHES]]
    kept = [branch for branch in narrowed if branch is not None]
    if union == "anyOf":
        return kept
    return [
        branch._replace(
            exclusive=branch.exclusive or any(o is not branch and not apart(branch, o) for o in kept)
        )
        for branch in kept
    ]


def _own(document: Document, node: Node, seen: frozenset[str]) -> list[Branch]:
    """The branches of the keywords that stand in the node itself, with everything else as parts."""
    allowed = _types(node)
    parts = tuple(_parts(node))
    values = _values(node)
    found: list[Branch] = []
    for kind in KINDS:
        mine = Node(
            node.at, {key: value for key, value in node.keys.items() if key in KEYWORDS[kind] | {"$schema"}}
        )
        chosen = None if values is None else tuple([value for value in values if kind_of(value) == kind])
        branch = _narrowed(Branch(kind, mine, node, False, _whole(kind, chosen), parts), allowed)
        if branch is not None and chosen != ():
            found.append(branch)
    for part in parts:
        # A type that a part of the conjunction refuses is not there, whoever says so.
        if part.keys.keys() <= {"not", *CONDITION}:
            continue
        kinds = {branch.kind for branch in _branches(document, part, seen | {node.at})}
        found = [branch for branch in found if branch.kind in kinds]
    return found


def apart(one: Branch, other: Branch) -> bool:
    """Whether no value is of both branches; False also where that is not certain."""
    if one.kind != other.kind:
        return True
    if one.values is not None and other.values is not None:
        return not any(same(a, b) for a in one.values for b in other.values)
    if one.kind != "object":
        return False
    mine, theirs = constants(one), constants(other)
    needed = {
        *(as_array(one.node.keys.get("required")) or ()),
        *(as_array(other.node.keys.get("required")) or ()),
    }
    return any(not same(mine[name], theirs[name]) for name in mine.keys() & theirs.keys() & needed)


def constants(branch: Branch) -> dict[str, object]:
    """The properties of an object that have one value only, with that value."""
    found: dict[str, object] = {}
    for name, schema in (as_object(branch.node.keys.get("properties")) or {}).items():
        values = _values(Node("", as_object(schema) or {}))
        if values is not None and len(values) == 1:
            found[name] = values[0]
    return found


def _whole(kind: Kind, values: tuple[object, ...] | None) -> tuple[object, ...] | None:
    """The enumerated values; None where they are all that there are of the type."""
    everything = kind == "null" or (kind == "boolean" and {True, False} <= set(map(bool, values or ())))
    return None if everything else values


def _parts(node: Node) -> list[Node]:
    keys = node.keys
    parts = [node.only(keyword) for keyword in (*_UNIONS, "not") if keyword in keys]
    if "if" in keys:
        parts.append(node.only(*CONDITION))
    if reference_of(node) is not None:
        parts.append(node.only(*REFERENCES))
    return parts + [node.child("allOf", index) for index in range(len(as_array(keys.get("allOf")) or ()))]


def _types(node: Node) -> frozenset[str]:
    """The names under `type`; every type where there is none."""
    given = node.keys.get("type")
    names = [given] if isinstance(given, str) else as_array(given)
    return frozenset(KINDS if names is None else [name for name in names if isinstance(name, str)])


def _narrowed(branch: Branch, allowed: frozenset[str]) -> Branch | None:
    if branch.kind in allowed:
        return branch
    if branch.kind == "number" and "integer" in allowed:
        if branch.values is None:
            return branch._replace(integer=True)
        whole = tuple([v for v in branch.values if isinstance(v, int | float) and v == v // 1])
        return branch._replace(values=whole) if whole else None
    return None


def _values(node: Node) -> list[object] | None:
    """The values that `enum` and `const` leave; None where neither is there."""
    listed = as_array(node.keys.get("enum"))
    if "const" not in node.keys:
        return listed
    constant = node.keys["const"]
    return [constant] if listed is None or any(same(constant, value) for value in listed) else []


def same(a: object, b: object) -> bool:
    """Whether JSON Schema takes two values as equal: `1` is `1.0`, `true` is not `1`."""
    if kind_of(a) != kind_of(b):
        return False
    mine, theirs = as_object(a), as_object(b)
    if mine is not None and theirs is not None:
        return mine.keys() == theirs.keys() and all(same(mine[key], theirs[key]) for key in mine)
    one, other = as_array(a), as_array(b)
    if one is not None and other is not None:
        return len(one) == len(other) and all(map(same, one, other))
    return a == b
