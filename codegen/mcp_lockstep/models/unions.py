"""How a value finds its member of a union without trying them all: by a property with a constant, or by its kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcp_lockstep.documents.data import kind_of
from mcp_lockstep.models.plan import ModulePlan
from mcp_lockstep.schema.disjoint import KINDS
from mcp_lockstep.schema.values import RULES, Json, Node, as_list, as_node, nodes, reference, types


class Unions:
    """What the definitions of a module say about the members of its unions."""

    def __init__(self, planned: ModulePlan) -> None:
        self._classes = {cls.name: cls for cls in planned.classes}
        self._aliases = {alias.name: alias.node for alias in planned.aliases}
        self._spelled_out: frozenset[str] = frozenset()
        self._spelled_out = frozenset(self._tag_names(planned))

    def _tag_names(self, planned: ModulePlan) -> Iterator[str]:
        """The names of enumerations that are a tag in some union, where pydantic must see their texts."""
        waiting = [field.node for cls in planned.classes for field in cls.fields]
        waiting += [*self._aliases.values(), *(cls.extra for cls in planned.classes if cls.extra)]
        while waiting:
            node = waiting.pop()
            parts = nodes(node, "anyOf")
            waiting += [
                *parts,
                *(as_node(node[key]) for key in ("items", "additionalProperties") if key in node),
            ]
            classes = [self._classes[reference(part) or ""] for part in parts if self.is_class(part)]
            tag = self.tag([part for part in parts if self.is_class(part)]) if len(classes) > 1 else ""
            for field in (field for cls in classes for field in cls.fields if field.name == tag):
                name = reference(field.node)
                if name is not None and "enum" in self._aliases.get(name, {}):
                    yield name

    def is_class(self, node: Node) -> bool:
        """Whether `node` refers to a class."""
        return reference(node) in self._classes

    def tag(self, parts: Sequence[Node]) -> str:
        """The field by whose text the classes `parts` are told apart; empty where there is none.

        Every class requires it, and no text is that of two of them.
        """
        tables = [self._texts(part) for part in parts]
        for field in tables[0] if tables else ():
            values = [value for table in tables for value in table.get(field, ())]
            if all(field in table for table in tables) and len(values) == len({*values}):
                return field[0]
        return ""

    def apart(self, parts: Sequence[Node]) -> bool:
        """Whether each of `parts` takes a kind of JSON value that no other takes."""
        seen: set[str] = set()
        for part in parts:
            found = self.kinds(part)
            if found & seen:
                return False
            seen |= found
        return True

    def kinds(self, node: Node, above: tuple[str, ...] = ()) -> frozenset[str]:
        """The JSON types that a value of `node` may have; `integer` counts as `number`."""
        name = reference(node)
        if name is not None:
            if name in self._classes:
                return frozenset(["object"])
            return KINDS if name in above else self.kinds(self._aliases[name], (*above, name))
        if "anyOf" in node:
            return frozenset[str]().union(*(self.kinds(part, above) for part in nodes(node, "anyOf")))
        if "const" in node or "enum" in node:
            return frozenset(kind_of(value) for value in _values(node))
        return frozenset("number" if kind == "integer" else kind for kind in types(node)) or KINDS

    def _texts(self, part: Node) -> dict[tuple[str, str], tuple[str, ...]]:
        """The required fields of a class that hold one of some texts: name and wire name to the texts."""
        fields = self._classes[reference(part) or ""].fields
        found = {(str(field.name), field.wire): self.texts(field.node) for field in fields if field.required}
        return {field: values for field, values in found.items() if values}

    def literal(self, node: Node) -> Node:
        """`node`, or the constant text that it refers to: pydantic finds no tag behind a name."""
        name = reference(node) or ""
        meant = self._aliases.get(name, node)
        shown = isinstance(meant.get("const"), str) or name in self._spelled_out
        return meant if shown and RULES not in meant else node

    def texts(self, node: Node) -> tuple[str, ...]:
        """The texts that `node` takes, if it takes nothing else."""
        node = self._aliases.get(reference(node) or "", node)
        values = _values(node)
        if RULES in node or not all(isinstance(value, str) for value in values):
            return ()
        return tuple(map(str, values))


def _values(node: Node) -> list[Json]:
    return [node["const"]] if "const" in node else as_list(node.get("enum"))
