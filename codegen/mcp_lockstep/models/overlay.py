"""The statements of a module: each class and alias gets exactly what its plan says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from mcp_lockstep.models.graph import recursive
from mcp_lockstep.models.plan import AliasPlan, ClassPlan, FieldPlan, ModulePlan, type_references
from mcp_lockstep.models.profiles import EXACT, ProfileStyle
from mcp_lockstep.models.types import OWN_TYPE, Renderer, annotated, packed
from mcp_lockstep.models.unions import Unions
from mcp_lockstep.schema.passes.rules import whole
from mcp_lockstep.schema.values import Json, Node, as_node, nodes, reference


def overlaid(names: Iterable[str], plan: ModulePlan, profile: ProfileStyle = EXACT) -> str:
    """The classes and aliases of `plan` in the order of `names`, an alias after what it uses."""
    classes, aliases = {cls.name: cls for cls in plan.classes}, {alias.name: alias for alias in plan.aliases}
    module = _Module(plan, profile)
    texts: list[str] = []
    for name in arranged(names, plan):
        if name in module.defined:
            continue
        if name in classes:
            texts.append(f"\n\n{module.class_source(classes[name])}")
        else:
            texts.append(f"\n{module.alias_source(aliases[name])}")
        module.defined.add(name)
    return "".join(texts).strip("\n")


def _needs(plan: ModulePlan) -> dict[str, set[str]]:
    return {alias.name: {*type_references(alias.node)} for alias in plan.aliases}


def arranged(names: Iterable[str], plan: ModulePlan) -> list[str]:
    """The names of all classes and aliases in the order of `names`, an alias after what it uses."""
    needs = _needs(plan)
    order: dict[str, None] = {}
    for name in [*names, *sorted([*(cls.name for cls in plan.classes), *needs])]:
        _place(name, needs, order)
    return [*order]


def _place(name: str, needs: dict[str, set[str]], done: dict[str, None], above: tuple[str, ...] = ()) -> None:
    if name in done or name in above:
        return
    for needed in sorted(needs.get(name, ())):
        _place(needed, needs, done, (*above, name))
    done[name] = None


class _Module:
    """Writes the statements of one module; what is `defined` above one of them needs no quotes in it."""

    def __init__(self, plan: ModulePlan, profile: ProfileStyle) -> None:
        self.plan, self.profile, self.unions = plan, profile, Unions(plan)
        self.circular = recursive(_needs(plan))
        self.defined = {*plan.imported.names}

    def alias_source(self, alias: AliasPlan) -> str:
        """The statement for an alias: type checkers and pydantic differ on how a recursive one is written."""
        value, name = Renderer(unions=self.unions).text(alias.node), alias.name
        doc = f"{doc_source(alias.doc)}\n" if alias.doc else ""
        if name not in self.circular:
            return f'{name} = TypeAliasType("{name}", {value})\n{doc}'
        return (
            f"if TYPE_CHECKING:\n    {name}: TypeAlias = {value!r}\n"
            f'else:\n    {name} = TypeAliasType("{name}", {value!r})\n{doc}'
        )

    def class_source(self, cls: ClassPlan) -> str:
        """The statement for a class: text, configuration, fields, rules."""
        renderer = self.profile.renderer({field.name for field in cls.fields}, self.unions)
        lines = [_class_doc_source(cls.doc), ""] if cls.doc else []
        lines += self._settings(cls, renderer)
        lines += [self._field(field, renderer) for field in cls.fields]
        lines += _apart(self.profile.apart(cls))
        if cls.rules:
            rules = ", ".join(map(repr, packed([*cls.rules])))
            lines += [
                "",
                '@model_validator(mode="before")',
                "@classmethod",
                "def _obeys(cls, value: Any) -> Any:",
                f"    return judged({self.profile.raw_value(cls)}, {rules})",
            ]
        while lines and not lines[-1]:
            lines.pop()
        body = "\n".join(f"    {line}" if line else "" for line in lines or ["pass"])
        return f"class {cls.name}(Struct):\n{body}\n"

    def _settings(self, cls: ClassPlan, renderer: Renderer) -> Iterator[str]:
        """What becomes of properties that the class does not name, where that is not as in the whole module."""
        policy, usual = cls.policy, self.plan.custom.policy
        if not policy:
            policy = "forbid" if cls.extra is None else "allow" if cls.extra else usual
        if policy != usual:
            yield f'model_config = ConfigDict(extra="{policy}")'
            yield ""
        if cls.extra and policy == "allow":
            annotation = f"{renderer.dict}[{renderer.str}, {renderer.text(cls.extra)}]"
            yield "if not TYPE_CHECKING:"
            yield f"    __pydantic_extra__: {quoted(annotation, cls.extra, self.defined)} = Field(init=False)"
            yield ""

    def _field(self, field: FieldPlan, renderer: Renderer) -> str:
        """The line for a field."""
        found = renderer.expression(field.node)
        texts = [f"alias={field.wire!r}"] if field.wire != field.name else []
        texts += [f"description={field.description!r}"] if field.description else []
        if field.default and OWN_TYPE in field.node:
            texts.append("validate_default=True")
        if not field.required and not field.default:
            inner, absent = self.profile.optional(found)
            annotation = quoted(annotated(inner, tuple(texts)), field.node, self.defined)
            return f"{field.name}: {annotation} = {absent}"
        annotation = annotated(" | ".join(found.members), (*found.arguments, *texts), found.calls)
        annotation = quoted(annotation, field.node, self.defined)
        if field.required:
            return f"{field.name}: {annotation}"
        value = value_source(field.node, field.default[0], self.plan)
        if value != repr(field.default[0]):
            return f"{field.name}: {annotation} = Field(default_factory=lambda: {value})"
        return f"{field.name}: {annotation} = {value}"


def _apart(names: dict[str, str]) -> list[str]:
    """An unknown property may be spelled like a field that has another name on the wire."""
    if not names:
        return []
    return [
        "",
        '@model_validator(mode="wrap")',
        "@classmethod",
        "def _apart(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Any:",
        f"    return without_namesakes(handler(value), value, {names!r})",
    ]


def quoted(annotation: str, node: Node, seen: AbstractSet[str]) -> str:
    """`annotation`, the type of `node`: evaluated once where all it names is `seen`, else a text for later."""
    return annotation if seen >= {*type_references(node)} else repr(annotation)


def value_source(node: Node, value: Json, plan: ModulePlan) -> str:
    """The expression for a default: instances where the type says so."""
    from mcp_lockstep.models.judge import Judge

    name = reference(node)
    if name is not None:
        if any(cls.name == name for cls in plan.classes):
            return f"{name}.model_validate({value!r})"
        return value_source(plan.all_definitions[name], value, plan)
    if "anyOf" in node:
        judge = Judge(plan.all_definitions)
        fitting = [part for part in nodes(node, "anyOf") if judge.fulfils(part, value)]
        return value_source(fitting[0], value, plan) if fitting else repr(value)
    if isinstance(value, list):
        items = as_node(node.get("items", {}))
        return f"[{', '.join(value_source(items, item, plan) for item in value)}]"
    if isinstance(value, dict):
        rest = as_node(node.get("additionalProperties", {}))
        return f"{{{', '.join(f'{key!r}: {value_source(rest, item, plan)}' for key, item in value.items())}}}"
    return repr(whole(value) if node.get("type") == "integer" or node.keys() & {"const", "enum"} else value)


def doc_source(text: str) -> str:
    """A statement whose value is `text` exactly."""
    return f'"""{text}"""' if _is_plain(text) else repr(text)


def _class_doc_source(text: str) -> str:
    """The statement that makes `text` a docstring exactly: of literals Python 3.13 strips indentation and tabs."""
    one_line = text == text.strip() and "\n" not in text and "\t" not in text
    return doc_source(text) if one_line or _is_plain(text) else f"__doc__ = {text!r}"


def _is_plain(text: str) -> bool:
    """Whether `text` can stand between three quotes as it is, and is what anybody reads there."""
    lines = text.split("\n")
    indented = [line for line in lines[1:] if line[:1] in {" ", ""} or line != line.rstrip()]
    printable = text.isprintable() or (
        len(lines) > 1 and not indented and all(line.isprintable() for line in lines)
    )
    return printable and text == text.strip() and "\\" not in text and '"' not in text
