"""Fields under the names that somebody gave them."""

from __future__ import annotations

from mcp_lockstep.config.overrides import Overrides, OverrideTrouble
from mcp_lockstep.models.overrides.names import is_pointer, near
from mcp_lockstep.models.plan import ANNOTATION_NAMES, ClassPlan, ModulePlan, type_references
from mcp_lockstep.naming import MODEL_ATTRIBUTES, Identifier


def fields_renamed(planned: ModulePlan, overrides: Overrides, troubles: list[OverrideTrouble]) -> ModulePlan:
    """`planned` with its fields under the names given; `Class.field` may use the name on the wire."""
    wanted: dict[str, dict[str, str]] = {}
    for key, name in overrides.names.items():
        if is_pointer(key) or "." not in key:
            continue
        found = _field_named(planned, key, ("names", key), troubles)
        if found:
            wanted.setdefault(found[0], {})[found[1]] = name
    classes = tuple(_renamed(cls, wanted.get(cls.name, {}), troubles) for cls in planned.classes)
    return planned._replace(classes=classes)


def _field_named(
    planned: ModulePlan, key: str, where: tuple[str, ...], troubles: list[OverrideTrouble]
) -> tuple[str, str] | None:
    """The class and the name on the wire that `Class.field` means; None, and a trouble, where there is none."""
    class_name, _, field = key.partition(".")
    cls = next((cls for cls in planned.classes if cls.name == class_name), None)
    if cls is None:
        message = f"`{'.'.join(where)}`: there is no class {class_name}"
        known = [cls.name for cls in planned.classes]
        troubles.append(OverrideTrouble(where, message, class_name, hint=near(class_name, known)))
        return None
    for found in cls.fields:
        if field in {found.wire, found.name}:
            return cls.name, found.wire
    message = f"`{'.'.join(where)}`: {class_name} has no field {field}"
    troubles.append(OverrideTrouble(where, message, field, hint=near(field, [f.wire for f in cls.fields])))
    return None


def _renamed(cls: ClassPlan, names: dict[str, str], troubles: list[OverrideTrouble]) -> ClassPlan:
    if not names:
        return cls
    used = {name for field in cls.fields for name in type_references(field.node)}
    fields = tuple(
        field._replace(name=Identifier(names[field.wire])) if field.wire in names else field
        for field in cls.fields
    )
    for field in fields:
        if field.wire not in names:
            continue
        key = ("names", f"{cls.name}.{field.wire}")
        if sum(other.name == field.name for other in fields) > 1:
            message = f"`{'.'.join(key)}`: {cls.name} has another field {field.name}"
            troubles.append(OverrideTrouble(key, message, field.name, "a name of its own"))
        elif field.name in ANNOTATION_NAMES | used | MODEL_ATTRIBUTES:
            message = f"`{'.'.join(key)}`: a field {field.name} would hide what its class is made of"
            troubles.append(OverrideTrouble(key, message, field.name, "another name"))
    return cls._replace(fields=fields)
