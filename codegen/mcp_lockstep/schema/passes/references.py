"""Every `$ref` leads to a definition of the document; definitions of several roots are shared or told apart."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_lockstep.naming import class_name, distinct
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.definition_names import better_names
from mcp_lockstep.schema.locate import Index, index, located, value_at, walk
from mcp_lockstep.schema.values import (
    POOLS,
    REFERENCES,
    Json,
    Node,
    Path,
    as_map,
    as_node,
    encoded,
    named,
    rebuilt,
    refer,
    subschemas,
)

_KEYWORDS = frozenset(["items", "anyOf", "oneOf", "allOf", "additionalProperties", *POOLS, "properties"])


class _Root(NamedTuple):
    """One root schema taken apart: its definitions by path (`()` is itself), and a plain name for each.

    `marks` are what stands for a path in a `$ref` meanwhile.
    """

    name: str
    prefix: str
    definitions: dict[Path, Node]
    names: dict[Path, str]
    marks: dict[str, Path]


def references(document: Node) -> Node:
    """`document` with one level of `$defs` and references of the form `#/$defs/Name` only.

    `x-resources` maps each root to the prefix for its own definitions; with `x-keep: "used"` definitions that
    nothing refers to are dropped. Equal definitions of equal names become one.
    """
    prefixes = as_map(document.get("x-resources"))
    keep = document.get("x-keep") != "used"
    roots = [
        _taken_apart(name, str(prefixes.get(name, "")), node, keep=keep)
        for name, node in named(document, "$defs").items()
    ]
    final = _final_names(roots)
    pooled: dict[str, Json] = {}
    for root in roots:
        for path, node in root.definitions.items():
            pooled[final[root.name][path]] = _renamed(node, root, final[root.name])
    return {**document, "$defs": pooled}


def _taken_apart(name: str, prefix: str, node: Node, *, keep: bool) -> _Root:
    found = index(node)
    targets: dict[Path, Node] = {(): node}
    if keep:
        for pool in POOLS:
            targets |= {(pool, key): as_node(item) for key, item in as_map(node.get(pool)).items()}
    waiting = [*targets]
    while waiting:
        for path in _leads(node, waiting.pop(), found):
            if path not in targets:
                targets[path] = as_node(value_at(node, path))
                waiting.append(path)
    inner = {path: _cut(node, path, targets, found) for path in targets}
    better: dict[Path, str] = {
        (pool, key): name for pool in POOLS for key, name in better_names(as_map(node.get(pool))).items()
    }
    plain = {path: better.get(path) or _plain(path) for path in targets if path}
    texts = {"/".join(path): text for path, text in plain.items()}
    made = distinct(texts, lambda key: class_name(texts.get(key, key)))
    names = {(): name} | {path: str(made["/".join(path)]) for path in plain}
    return _Root(name, prefix, inner, names, {_mark(path): path for path in inner})


def _leads(root: Node, start: Path, found: Index) -> list[Path]:
    """Where the references in the schema at `start` lead, its own pools of definitions left out."""
    paths: list[Path] = []
    for at, node in walk(value_at(root, start), start):
        inside = at[len(start) :]
        if isinstance(node, dict) and not (inside and inside[0] in POOLS):
            for keyword in REFERENCES:
                target = node.get(keyword)
                path = located(root, at, target, found) if isinstance(target, str) else None
                if path is not None:
                    paths.append(path)
    return paths


def _cut(root: Node, path: Path, targets: Mapping[Path, Node], found: Index) -> Node:
    """The schema at `path` with a marked reference wherever it has one, or where another target stands."""

    def deep(value: Json, at: Path) -> Json:
        if not isinstance(value, dict):
            return value
        if at != path and at in targets:
            return {"$ref": _mark(at)}
        node = {k: v for k, v in value.items() if k not in {*POOLS, "$id", "id", "$anchor", "$dynamicAnchor"}}
        steps = iter([step for step, _ in subschemas(node)])
        node = rebuilt(node, lambda child: deep(child, at + next(steps)))
        for keyword in REFERENCES:
            target = node.pop(keyword, None)
            if isinstance(target, str):
                node["$ref"] = _mark(_lead(root, at, target, found))
        return node

    return as_node(deep(value_at(root, path), path))


def _lead(root: Node, at: Path, target: str, found: Index) -> Path:
    """Where a reference leads. LookupError where that is nowhere: `vet` let it through, so a pass lost it."""
    lead = located(root, at, target, found)
    if lead is None:
        raise LookupError(f"{target} at {at} leads nowhere")
    return lead


def _mark(path: Path) -> str:
    return encoded([*path])


def _plain(path: Path) -> str:
    """A name for what stands at `path`: its key in a pool, else the last property on the way."""
    if path[-2:-1] and path[-2] in POOLS:
        return path[-1]
    words = [part for part in path if part not in _KEYWORDS and not part.isdecimal()]
    items = "Item" if path[-1] == "items" else ""
    return (words[-1] if words else "part") + items


def _final_names(roots: list[_Root]) -> dict[str, dict[Path, str]]:
    """The name of each definition in the document: its own, with the root's prefix where two differ."""
    claims: dict[str, list[tuple[_Root, Path]]] = {}
    for root in roots:
        for path, name in root.names.items():
            claims.setdefault(name, []).append((root, path))
    clashing = {name for name, claimed in claims.items() if _differ(claimed)}
    return {
        root.name: {
            path: class_name(f"{root.prefix or root.name} {name}") if path and name in clashing else name
            for path, name in root.names.items()
        }
        for root in roots
    }


def _differ(claimed: list[tuple[_Root, Path]]) -> bool:
    """Whether definitions of one name are not all the same; a root always keeps its name to itself."""
    if len(claimed) < 2:
        return False
    return not all(path for _, path in claimed) or len({_closure(root, path) for root, path in claimed}) > 1


def _closure(root: _Root, start: Path) -> str:
    """One text for a definition and all that it refers to."""
    seen: dict[Path, str] = {}
    waiting = [start]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            node = root.definitions[path]
            seen[path] = encoded(_renamed(node, root, root.names))
            waiting += _marked(node, root)
    return encoded({root.names[path]: text for path, text in seen.items()})


def _marked(node: Node, root: _Root) -> list[Path]:
    found = (item.get("$ref") for _, item in walk(node) if isinstance(item, dict))
    return [root.marks[mark] for mark in found if isinstance(mark, str) and mark in root.marks]


def _renamed(node: Node, root: _Root, names: Mapping[Path, str]) -> Node:
    def deep(value: Json) -> Json:
        if not isinstance(value, dict):
            return value
        copy = rebuilt(value, deep)
        mark = copy.get("$ref")
        path = root.marks.get(mark) if isinstance(mark, str) else None
        return copy if path is None else {**copy, **refer(names[path])}

    return as_node(deep(node))
