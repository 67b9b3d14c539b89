"""Schemas as Python types, in source: as a model holds them, or plain as a function is annotated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from mcp_lockstep.models.plan import without_texts
from mcp_lockstep.models.unions import Unions
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.passes.rules import whole
from mcp_lockstep.schema.values import RULES, Json, Node, as_list, as_node, nodes, reference

Style = Literal["model", "plain"]

EXACT_SCALARS: Mapping[str, str] = {
    "string": "StrictStr", "integer": "JsonInt", "number": "JsonNumber", "boolean": "StrictBool", "null": "None",
}  # fmt: skip
PLAIN_SCALARS: Mapping[str, str] = {
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None",
}  # fmt: skip
_CONSTRAINTS = {
    "minLength": "min_length", "maxLength": "max_length", "minItems": "min_length", "maxItems": "max_length",
    "minimum": "ge", "exclusiveMinimum": "gt", "maximum": "le", "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
}  # fmt: skip


OWN_TYPE = "x-python"
"""Our own keyword: a type of the user's stands here, whatever the schema says."""


class Expression(NamedTuple):
    """A type: alternatives, and what is said about them besides (arguments of `Field`, then other calls)."""

    members: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()

    def __str__(self) -> str:
        return annotated(" | ".join(self.members), self.arguments, self.calls)


def annotated(inner: str, arguments: tuple[str, ...] = (), calls: tuple[str, ...] = ()) -> str:
    """`Annotated[inner, ...]`, or `inner` where there is nothing to add."""
    extra = ([f"Field({', '.join(arguments)})"] if arguments else []) + [*calls]
    return f"Annotated[{inner}, {', '.join(extra)}]" if extra else inner


_LISTED = "union_mode='left_to_right'"
"""Says that members are tried in order, which is the same result where at most one can fit."""


class Renderer:
    """Writes types. `builtin` are the names that stand for `list`, `dict` and `str`; `scalars` those of others.

    With `unions`, which knows the module, a model finds the member of a union without trying them all.
    """

    def __init__(
        self,
        style: Style = "model",
        builtin: tuple[str, str, str] = ("list", "dict", "str"),
        unions: Unions | None = None,
        scalars: Mapping[str, str] | None = None,
    ) -> None:
        self.plain = style == "plain"
        self.list, self.dict, self.str = builtin
        self.unions = unions
        self.scalars = scalars or (PLAIN_SCALARS if self.plain else EXACT_SCALARS)

    def expression(self, node: Node) -> Expression:
        """The type of a schema after all passes."""
        found = self._union(nodes(node, "anyOf")) if "anyOf" in node else Expression(self._members(node))
        if self.plain:
            return found
        arguments = tuple(
            f"{_CONSTRAINTS[key]}={node[key]!r}" for key in sorted(_CONSTRAINTS) if _counts(node, key)
        )
        return Expression(found.members, (*arguments, *found.arguments), _obeys(nodes(node, RULES)))

    def text(self, node: Node) -> str:
        """The type of a schema in source."""
        return str(self.expression(node))

    def _members(self, node: Node) -> tuple[str, ...]:
        node = node if self.unions is None else self.unions.literal(node)
        name = reference(node)
        if name is not None:
            return (name,)
        if OWN_TYPE in node:
            return (_own_type(as_node(node[OWN_TYPE])),)
        if "const" in node or "enum" in node:
            return self._literals([node["const"]] if "const" in node else as_list(node["enum"]))
        kind = node.get("type")
        if kind == "array":
            return (f"{self.list}[{self.text(as_node(node.get('items', {})))}]",)
        if kind == "object":
            return (f"{self.dict}[{self.str}, {self.text(as_node(node.get('additionalProperties', {})))}]",)
        return (self.scalars[kind],) if isinstance(kind, str) else ("Any",)

    def _union(self, parts: list[Node]) -> Expression:
        found = self._tagged(parts)
        if found is None:
            members = self._flat(parts)
            alone = [part for part in parts if not _is_null(part)]
            if self.unions is None or len(alone) < 2 or not self.unions.apart(alone):
                return Expression(members)
            found = Expression(tuple(member for member in members if member != "None"), (_LISTED,))
        if len(parts) > 1 and any(_is_null(part) for part in parts):
            return Expression((str(found), "None"))
        return found

    def _tagged(self, parts: list[Node]) -> Expression | None:
        """The union with its classes chosen by a constant; None where they are too few or have none in common."""
        unions = self.unions
        if unions is None:
            return None
        classes = [part for part in parts if unions.is_class(part)]
        others = [part for part in parts if part not in classes and not _is_null(part)]
        tag = unions.tag(classes) if len(classes) > 1 else ""
        if not tag or any("object" in unions.kinds(part) for part in others):
            return None
        chosen = Expression(self._flat(classes), (f"discriminator={tag!r}",))
        if not others:
            return chosen
        listed = (_LISTED,) if unions.apart(others) else ()
        return Expression((*self._flat(others), str(chosen)), listed)

    def _flat(self, parts: list[Node]) -> tuple[str, ...]:
        """The members one by one, text before numbers: that is what an identifier mostly is."""
        members: list[str] = []
        for part in parts:
            found = self.expression(part)
            members += [str(found)] if found.arguments or found.calls else found.members
        unique = [*dict.fromkeys(members)]
        if self.plain:
            unique = ["Any"] if "Any" in unique else unique
        else:
            unique.sort(key=lambda member: member != "StrictStr")
        if "None" in unique:
            unique = [*(member for member in unique if member != "None"), "None"]
        return tuple(unique)

    def _literals(self, values: list[Json]) -> tuple[str, ...]:
        """`Literal` takes `True` for 1 and 1.0 for neither, so numbers and booleans have a guard."""
        if self.plain:
            return (_literal([whole(value) for value in values]),)
        groups: dict[str, list[Json]] = {
            "": [value for value in values if isinstance(value, str)],
            "ONLY_NUMBERS": [
                whole(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool)
            ],
            "ONLY_BOOLEANS": [value for value in values if isinstance(value, bool)],
        }
        return tuple(
            annotated(_literal(found), (), (guard,) if guard else ())
            for guard, found in groups.items()
            if found
        )


def _is_null(node: Node) -> bool:
    """Whether `node` is null and nothing more; a rule may refuse even that."""
    return node.get("type") == "null" and RULES not in node


def _own_type(found: Node) -> str:
    return annotated(str(found["name"]), ("strict=False",) if found["lenient"] else ())


def _counts(node: Node, key: str) -> bool:
    """Whether the constraint `key` is there and says something."""
    return key in node and not (key in {"minItems", "minLength"} and node[key] == 0)


def _literal(values: list[Json]) -> str:
    return f"Literal[{', '.join(map(repr, values))}]"


def _obeys(rules: list[Node]) -> tuple[str, ...]:
    """The call that judges a raw value by `rules`; none where there are none."""
    found = packed(rules)
    return (f"Obeys({', '.join(map(repr, found))})",) if found else ()


def packed(rules: list[Node]) -> list[Node]:
    """`rules` without texts and repeats; those of one independent keyword each as one schema."""
    together: Node = {}
    apart: list[Node] = []
    for rule in map(without_texts, rules):
        if len(rule) == 1 and rule.keys() <= _INDEPENDENT and not rule.keys() & together.keys():
            together |= rule
        elif rule not in apart:
            apart.append(rule)
    return [*([together] if together else []), *apart]


_INDEPENDENT = frozenset(
    "pattern not uniqueItems propertyNames minProperties maxProperties dependentRequired dependentSchemas "
    "required multipleOf minLength maxLength anyOf oneOf enum const".split()
)
