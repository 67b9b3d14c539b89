"""The order of a module's classes and aliases, as datamodel-code-generator has it, asked in this process."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mcp_lockstep.models.graph import in_passes
from mcp_lockstep.models.plan import ModulePlan, type_references
from mcp_lockstep.schema.values import Json, Node, as_node, nodes, refer, reference

BASE = "lockstep.Struct"
"""The base class that the generator writes an import for; the module has its own."""


def ordered(plan: ModulePlan) -> list[str]:
    """The names of `plan` in the generator's order: what is used first.

    Without a cycle that order is simple, and importing the generator takes longer than the rest of `new`, so only
    definitions that refer to each other are handed to it.
    """
    needs = {alias.name: {*type_references(alias.node)} for alias in plan.aliases}
    for cls in plan.classes:
        needs[cls.name] = {name for field in cls.fields for name in type_references(field.node)}
    known = in_passes(needs)
    return known if len(known) == len(needs) else [name for name in _defined(skeleton(plan)) if name in needs]


def _defined(source: str) -> Iterator[str]:
    """The names that the statements of the generator define, in order; imports and calls define none."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.ClassDef):
            yield statement.name
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            yield statement.targets[0].id


def skeleton(plan: ModulePlan) -> str:
    """The source that the generator makes of `plan`: no texts, no defaults and no constraints go into it."""
    from datamodel_code_generator import GenerateConfig, generate
    from datamodel_code_generator.enums import DataModelType, InputFileType, StrictTypes
    from datamodel_code_generator.format import PythonVersion
    from datamodel_code_generator.parser import LiteralType

    config = GenerateConfig(
        input_file_type=InputFileType.JsonSchema,
        output_model_type=DataModelType.PydanticV2BaseModel,
        target_python_version=PythonVersion.PY_311,
        base_class=BASE,
        strict_types=[*StrictTypes],
        enum_field_as_literal=LiteralType.All,
        formatters=[],
        disable_timestamp=True,
        skip_root_model=True,
        use_annotated=True,
        field_constraints=True,
        use_type_alias=True,
        use_missing_sentinel=True,
        use_standard_collections=True,
        use_union_operator=True,
        use_typed_nullable_map_values=True,
        reuse_model=False,
        collapse_root_models=False,
        snake_case_field=False,
        allow_population_by_field_name=False,
        allow_remote_refs=False,
        keep_model_order=False,
        disable_future_imports=False,
        custom_class_name_generator=str,
    )
    source = generate(_document(plan), config=config)
    return source if isinstance(source, str) else ""


def _document(plan: ModulePlan) -> dict[str, Json]:
    definitions: dict[str, Json] = {}
    for alias in plan.aliases:
        definitions[alias.name] = _core(alias.node)
    for cls in plan.classes:
        node: Node = {
            "type": "object",
            "properties": {field.name: _core(field.node) for field in cls.fields},
            "required": [field.name for field in cls.fields if field.required],
        }
        if cls.extra is None:
            node["additionalProperties"] = False
        definitions[cls.name] = node
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


def _core(node: Node) -> Node:
    """The bare type of a schema: what every output of the generator can say."""
    name = reference(node)
    if name is not None:
        return refer(name)
    if "anyOf" in node:
        return {"anyOf": [_core(part) for part in nodes(node, "anyOf")]}
    kind = node.get("type")
    if kind == "array":
        return {"type": "array", "items": _core(as_node(node.get("items", {})))}
    if kind == "object":
        return {
            "type": "object",
            "additionalProperties": _core(as_node(node.get("additionalProperties", {}))),
        }
    return {"type": kind} if isinstance(kind, str) else {}
