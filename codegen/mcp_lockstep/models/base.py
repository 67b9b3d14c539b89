"""What every generated module begins with: the base class and the numbers of JSON.

Self-contained on purpose: `support` writes this file's code into generated modules.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

# Written into generated modules from here on.


class Struct(BaseModel):
    """An object: unknown properties are kept, and the names on the wire are the ones that count."""

    model_config = ConfigDict(
        extra="allow",
        validate_by_alias=True,
        validate_by_name=False,
        serialize_by_alias=True,
        validate_default=False,
        protected_namespaces=(),
        defer_build=True,
    )


class WholeNumber:
    """Metadata of `int`: `5` and `5.0`, but no boolean and no text."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        number = core_schema.float_schema(strict=True)
        whole = core_schema.no_info_after_validator_function(cls.whole, number)
        return core_schema.union_schema(
            [core_schema.int_schema(strict=True), whole], serialization=core_schema.simple_ser_schema("any")
        )

    @staticmethod
    def whole(value: float) -> int:
        """The integer that `value` equals. ValueError where it equals none."""
        if not value.is_integer():
            raise ValueError("not a whole number")
        return int(value)


class AnyNumber:
    """Metadata of `float`: any number, kept as it is, but no boolean and no text."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.union_schema(
            [core_schema.int_schema(strict=True), core_schema.float_schema(strict=True)],
            serialization=core_schema.simple_ser_schema("any"),
        )


JsonInt = Annotated[int, WholeNumber]
JsonNumber = Annotated[float, AnyNumber]


def without_namesakes(made: Any, value: Any, names: dict[str, str]) -> Any:
    """`made` from `value` where no unknown property counts as the field that has its name by chance."""
    if isinstance(value, dict):
        made.model_fields_set.difference_update(
            name for name, alias in names.items() if name in value and alias not in value
        )
    return made


def only_number(value: object) -> object:
    """`value` where it is a number, a whole one as int. ValueError for a boolean, which Python takes for one."""
    if isinstance(value, bool):
        raise ValueError("a boolean is no number")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def only_boolean(value: object) -> object:
    """`value` where it is a boolean. ValueError for a number, which Python takes for one."""
    if not isinstance(value, bool):
        raise ValueError("not a boolean")
    return value


ONLY_NUMBERS = BeforeValidator(only_number)
ONLY_BOOLEANS = BeforeValidator(only_boolean)
