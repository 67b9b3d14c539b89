"""What modules of the standard library's own kinds share: types without constraints, aliases, imports."""

from __future__ import annotations

import ast
from collections.abc import Callable
from collections.abc import Set as AbstractSet

from mcp_lockstep.config.styles import Style
from mcp_lockstep.models.module import exported
from mcp_lockstep.models.overlay import arranged, doc_source, quoted
from mcp_lockstep.models.plan import AliasPlan, ClassPlan, ModulePlan
from mcp_lockstep.models.skeleton import ordered
from mcp_lockstep.models.types import Renderer
from mcp_lockstep.schema.values import Node, reference

TYPE_NAMES = frozenset("Any Literal Union bool dict float int list str".split())
"""What the types of such a module are made of: a field of such a name would hide it."""

_IMPORTS = (
    ("dataclasses", ("dataclass", "field")),
    ("typing", ("Any", "Literal", "NotRequired", "TypeAlias", "TypedDict", "Union")),
)


class Forward(Renderer):
    """Writes types that are evaluated at once: what is not `seen` yet stands in quotes."""

    def __init__(self, seen: AbstractSet[str]) -> None:
        super().__init__("plain")
        self.seen = seen

    def text(self, node: Node) -> str:
        members = self.expression(node).members
        if len(members) > 1 and any(member.startswith("'") for member in members):
            return f"Union[{', '.join(members)}]"
        return " | ".join(members)

    def _members(self, node: Node) -> tuple[str, ...]:
        name = reference(node)
        if name is not None and name not in self.seen:
            return (repr(name),)
        return super()._members(node)


class Module:
    """One module as it is written: which names stand above, and which have to be imported."""

    def __init__(self, planned: ModulePlan, style: Style) -> None:
        self.planned, self.style = planned, style
        self.seen: set[str] = set()
        self.needed: set[str] = set()
        self.types = Renderer("plain")

    def annotation(self, node: Node, *, absent: bool) -> str:
        """The type of a property, quoted where it must be; with `None` where that stands for an absent value."""
        members = self.types.expression(node).members
        if absent and "None" not in members and members != ("Any",):
            members = (*members, "None")
        text = " | ".join(members)
        self.uses(text)
        return quoted(text, node, self.seen)

    def uses(self, *texts: str) -> None:
        """Have the names in `texts`, expressions, imported where they can be."""
        for text in texts:
            self.needed |= {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}

    def source(self, class_source: Callable[[ClassPlan], str], more: str = "") -> str:
        """The whole module; `class_source` writes a class, `more` stands at the end and is exported."""
        classes = {cls.name: cls for cls in self.planned.classes}
        aliases = {alias.name: alias for alias in self.planned.aliases}
        texts: list[str] = []
        for name in arranged(ordered(self.planned), self.planned):
            texts.append(class_source(classes[name]) if name in classes else self._alias(aliases[name]))
            self.seen.add(name)
        extra = [more.partition(":")[0]] if more else []
        names = [*classes, *aliases, *extra, *self.planned.custom.exported]
        head = "\n\n".join(part for part in (self._imports(), exported(names)) if part)
        return "\n\n\n".join([head, *texts, *([more] if more else [])]) + "\n"

    def _alias(self, alias: AliasPlan) -> str:
        """The statement for an alias: Python 3.12 has one of its own, which needs no quotes."""
        doc = f"\n{doc_source(alias.doc)}" if alias.doc else ""
        if self.style.since >= (3, 12):
            value = self.types.text(alias.node)
            self.uses(value)
            return f"type {alias.name} = {value}{doc}"
        value = Forward(self.seen).text(alias.node)
        self.uses("TypeAlias", value)
        return f"{alias.name}: TypeAlias = {value}{doc}"

    def _imports(self) -> str:
        lines = [
            f"from {module} import {', '.join(found)}"
            for module, names in _IMPORTS
            if (found := [name for name in names if name in self.needed])
        ]
        return "\n".join(lines)
