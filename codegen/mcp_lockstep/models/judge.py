"""What no type says, judged on the raw value. `support` writes this file's code into generated modules.

Self-contained on purpose: nothing here may import the package.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeGuard

from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic_core import MISSING, CoreSchema, core_schema

# Written into generated modules from here on.


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern as JSON Schema searches for it."""
    return re.compile(pattern)


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether `value` is a JSON object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether `value` is a JSON array."""
    return isinstance(value, list)


def same(a: Any, b: Any) -> bool:
    """Whether two JSON values are equal: `1` is `1.0`, `true` is not `1`."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if is_object(a) and is_object(b):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if is_list(a) and is_list(b):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


def is_type(name: str, value: object) -> bool:
    """Whether `value` is of the JSON type `name`; `5.0` is an integer."""
    if isinstance(value, bool) or value is None:
        return name == ("null" if value is None else "boolean")
    if isinstance(value, int | float):
        return name == "number" or (name == "integer" and (isinstance(value, int) or value.is_integer()))
    kinds: dict[str, type] = {"string": str, "array": list, "object": dict}
    return name in kinds and isinstance(value, kinds[name])


def is_multiple(value: float, step: float) -> bool:
    """Whether `value` is a whole number of steps, as far as floating point can tell."""
    if isinstance(value, int) and isinstance(step, int):
        return value % step == 0
    try:
        quotient = value / step
        return quotient == int(quotient)
    except (OverflowError, ValueError):
        return Fraction(value) % Fraction(step) == 0


class Judge:
    """Says whether a raw JSON value fulfils a schema (2020-12, local references to `definitions`)."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self.definitions = definitions

    def fulfils(self, schema: Any, value: Any) -> bool:
        """Whether `value` fulfils every keyword of `schema`."""
        if isinstance(schema, bool):
            return schema
        ref = schema.get("$ref")
        if ref is not None and not self.fulfils(self.definitions[ref.removeprefix("#/$defs/")], value):
            return False
        if not self._any(schema, value):
            return False
        if is_object(value):
            return self._object(schema, value)
        if is_list(value):
            return self._array(schema, value)
        if isinstance(value, str):
            return self._text(schema, value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self._number(schema, value)
        return True

    def _any(self, schema: Any, value: Any) -> bool:
        kinds = schema.get("type")
        if kinds is not None and not any(
            is_type(kind, value) for kind in ([kinds] if isinstance(kinds, str) else kinds)
        ):
            return False
        if "const" in schema and not same(schema["const"], value):
            return False
        if "enum" in schema and not any(same(item, value) for item in schema["enum"]):
            return False
        return self._combined(schema, value)

    def _combined(self, schema: Any, value: Any) -> bool:
        parts = [*schema.get("allOf", ()), *schema.get("x-rules", ())]
        if not all(self.fulfils(part, value) for part in parts):
            return False
        if "anyOf" in schema and not any(self.fulfils(part, value) for part in schema["anyOf"]):
            return False
        if "oneOf" in schema and sum(self.fulfils(part, value) for part in schema["oneOf"]) != 1:
            return False
        if "not" in schema and self.fulfils(schema["not"], value):
            return False
        if "if" in schema:
            branch = "then" if self.fulfils(schema["if"], value) else "else"
            return self.fulfils(schema.get(branch, True), value)
        return True

    def _text(self, schema: Any, value: str) -> bool:
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            return False
        return "pattern" not in schema or compiled(schema["pattern"]).search(value) is not None

    def _number(self, schema: Any, value: float) -> bool:
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            return False
        if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
            return False
        if "exclusiveMaximum" in schema and value >= schema["exclusiveMaximum"]:
            return False
        return "multipleOf" not in schema or is_multiple(value, schema["multipleOf"])

    def _array(self, schema: Any, value: list[Any]) -> bool:
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return False
        first = schema.get("prefixItems", ())
        if not all(self.fulfils(part, item) for part, item in zip(first, value, strict=False)):
            return False
        if "items" in schema and not all(self.fulfils(schema["items"], item) for item in value[len(first) :]):
            return False
        if schema.get("uniqueItems") and any(
            same(item, other) for index, item in enumerate(value) for other in value[:index]
        ):
            return False
        if "contains" in schema:
            count = sum(self.fulfils(schema["contains"], item) for item in value)
            return bool(schema.get("minContains", 1) <= count <= schema.get("maxContains", count))
        return True

    def _object(self, schema: Any, value: dict[str, Any]) -> bool:
        if not schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", len(value)):
            return False
        if not all(key in value for key in schema.get("required", ())):
            return False
        names = schema.get("propertyNames", True)
        if not all(self.fulfils(names, key) for key in value):
            return False
        for key, needed in schema.get("dependentRequired", {}).items():
            if key in value and not all(other in value for other in needed):
                return False
        for key, part in schema.get("dependentSchemas", {}).items():
            if key in value and not self.fulfils(part, value):
                return False
        return all(self._property(schema, key, item) for key, item in value.items())

    def _property(self, schema: Any, key: str, item: Any) -> bool:
        parts = [
            part
            for pattern, part in schema.get("patternProperties", {}).items()
            if compiled(pattern).search(key)
        ]
        if key in schema.get("properties", {}):
            parts.append(schema["properties"][key])
        elif not parts:
            parts.append(schema.get("additionalProperties", True))
        return all(self.fulfils(part, item) for part in parts)


JUDGE = Judge({})


def raw(value: Any) -> Any:
    """`value` as JSON: what callers built from models goes back to what it stands for."""
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True, exclude_unset=True)
    if is_object(value):
        return {key: raw(item) for key, item in value.items() if item is not MISSING}
    if is_list(value):
        return [raw(item) for item in value]
    return value


def judged(value: Any, *rules: Any) -> Any:
    """`value` where it fulfils all `rules`; else ValueError with the first that it does not."""
    plain = raw(value)
    for rule in rules:
        if not JUDGE.fulfils(rule, plain):
            raise ValueError(f"does not fulfil {json.dumps(rule, ensure_ascii=False)}")
    return value


class Obeys:
    """Metadata of a type: its raw value must fulfil schemas that the type cannot say."""

    def __init__(self, *rules: Any) -> None:
        self.rules = rules

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.check, handler(source))

    def check(self, value: Any) -> Any:
        """`value` itself; ValueError where a rule refuses it."""
        return judged(value, *self.rules)
