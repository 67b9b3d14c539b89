"""Modules of models, read as schemas: pydantic, dataclasses, TypedDict, enumerations."""

from __future__ import annotations

import sys

import pytest

from mcp_lockstep.compare.modules import read_module
from mcp_lockstep.compare.schemas import compare_schemas
from mcp_lockstep.documents.data import table


def field(annotation: str, value: str = "", more: str = "") -> object:
    """The schema of one field."""
    default = f" = {value}" if value else ""
    source = f"{more}\nclass M(BaseModel):\n    x: {annotation}{default}\n"
    return table(read_module(source).schema, "$defs", "M", "properties")["x"]


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        ("str", {"type": "string"}),
        ("'int'", {"type": "integer"}),
        ("StrictStr | MISSING", {"type": "string"}),
        ("float | None", {"anyOf": [{"type": "number"}, {"type": "null"}]}),
        ("Optional[bool]", {"anyOf": [{"type": "boolean"}, {"type": "null"}]}),
        ("typing.Union[int, str]", {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        ("Literal['a', -1, None]", {"enum": ["a", -1, None]}),
        ("list[str]", {"type": "array", "items": {"type": "string"}}),
        ("dict[str, int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
        ("tuple[str, ...]", {"type": "array", "items": {"type": "string"}}),
        ("set[int]", {"type": "array", "uniqueItems": True, "items": {"type": "integer"}}),
        (
            "Annotated[str, Field(min_length=1, pattern='^a')]",
            {"type": "string", "minLength": 1, "pattern": "^a"},
        ),
        (
            "Annotated[list[int], Field(max_length=3)]",
            {"type": "array", "items": {"type": "integer"}, "maxItems": 3},
        ),
        ("Annotated[int, Field(ge=1, lt=9)]", {"type": "integer", "minimum": 1, "exclusiveMaximum": 9}),
        (
            "Annotated[str, Obeys({'not': {'const': 'a'}})]",
            {"allOf": [{"type": "string"}, {"not": {"const": "a"}}]},
        ),
        ("Annotated[str, strange]", {"allOf": [{"type": "string"}, {"$ref": "python:strange"}]}),
        ("M", {"$ref": "#/$defs/M"}),
        ("Elsewhere[int]", {"$ref": "python:Elsewhere[int]"}),
        ("'not python ('", {"$ref": "python:'not python ('"}),
        ("tuple[()]", {"type": "array", "prefixItems": [], "items": False, "minItems": 0}),
        ("Annotated[()]", {"$ref": "python:Annotated[()]"}),
        ("Optional[()]", {"$ref": "python:Optional[()]"}),
        ("list[()]", {"$ref": "python:list[()]"}),
        ("Union[()]", {"$ref": "python:Union[()]"}),
    ],
)
def test_an_annotation_is_a_schema(annotation: str, schema: object) -> None:
    assert field(annotation) == schema


def test_fields_are_properties() -> None:
    source = """
class Base(BaseModel):
    a: int
    _private: int = 1
    kind: ClassVar[str] = "k"

class M(Base):
    '''What it is.'''
    model_config = ConfigDict(extra="forbid")
    b: str = "x"
    c: str = Field(..., alias="see", max_length=3)
    d: list[str] = Field(default_factory=list)
    e: str | None = None

    def method(self) -> None: ...
"""
    assert table(read_module(source).schema, "$defs", "M") == {
        "type": "object",
        "description": "What it is.",
        "properties": {
            "a": {"type": "integer"},
            "b": {"type": "string", "default": "x"},
            "see": {"type": "string", "maxLength": 3},
            "d": {"type": "array", "items": {"type": "string"}},
            "e": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["a", "see"],
        "additionalProperties": False,
    }


def test_other_kinds_of_models() -> None:
    source = """
class T(TypedDict, total=False):
    a: Required[int]
    b: str

@dataclasses.dataclass(frozen=True)
class D:
    a: int
    b: list[int] = field(default_factory=list)

class E(StrEnum):
    ONE = "one"
    TWO = "two"

class R(RootModel[list[int]]):
    pass

class Helper:
    def run(self) -> None: ...

A = T | D
B = TypeAliasType("B", list["B"] | None)
C: TypeAlias = int
"""
    found = table(read_module(source).schema, "$defs")
    assert sorted(found) == ["A", "B", "C", "D", "E", "R", "T"]
    assert table(found, "T")["required"] == ["a"]
    assert table(found, "D")["required"] == ["a"]
    assert found["E"] == {"enum": ["one", "two"]}
    assert found["R"] == {"type": "array", "items": {"type": "integer"}}
    assert found["A"] == {"anyOf": [{"$ref": "#/$defs/T"}, {"$ref": "#/$defs/D"}]}
    assert found["C"] == {"type": "integer"}


def test_a_dictionary_whose_keys_are_no_identifiers() -> None:
    source = """
T = TypedDict("T", {"$ref": NotRequired[str], "_meta": int, "a b": "T"}, total=True)
U = typing.TypedDict("U", {"x-y": str}, total=False, closed=True)
class V(TypedDict):
    _meta: str
"""
    module = read_module(source)
    found = table(module.schema, "$defs")
    assert found["T"] == {
        "type": "object",
        "properties": {
            "$ref": {"type": "string"},
            "_meta": {"type": "integer"},
            "a b": {"$ref": "#/$defs/T"},
        },
        "required": ["_meta", "a b"],
    }
    assert table(found, "U")["required"] == []
    assert table(found, "U")["additionalProperties"] is False
    assert table(found, "V")["properties"] == {"_meta": {"type": "string"}}
    assert module.positions["/$defs/T/properties/_meta"].line == 2


def test_what_type_checkers_see_counts() -> None:
    source = """
if TYPE_CHECKING:
    J: TypeAlias = "dict[str, J] | int"
else:
    J = TypeAliasType("J", "dict[str, J] | int")
"""
    assert read_module(source).schema == {
        "$defs": {
            "J": {
                "anyOf": [
                    {"type": "object", "additionalProperties": {"$ref": "#/$defs/J"}},
                    {"type": "integer"},
                ]
            }
        }
    }


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python 3.12 is the first to read it")
def test_an_alias_that_is_a_statement() -> None:
    assert read_module("type A = list[int]\n").schema == {
        "$defs": {"A": {"type": "array", "items": {"type": "integer"}}}
    }


def test_numbers_of_generated_modules_are_no_definitions() -> None:
    """They come and go with the schema, and are what they are in every module."""
    old = "JsonInt = Annotated[int, WholeNumber]\nclass M(BaseModel):\n    x: JsonInt\n"
    new = "JsonNumber = Annotated[float, AnyNumber]\nclass M(BaseModel):\n    x: JsonNumber\n"
    (found,) = compare_schemas(read_module(old).schema, read_module(new).schema)
    assert found.code.slug == "type-changed"
    assert (found.pointer, found.old, found.new) == ("/$defs/M/properties/x", "integer", "number")
    own = "JsonInt = Annotated[int, mine]\n"
    assert list(table(read_module(own).schema, "$defs")) == ["JsonInt"]


def test_classes_that_inherit_from_each_other_in_a_ring_end() -> None:
    assert "A" in table(read_module("class A(B):\n    x: int\nclass B(A):\n    y: int\n").schema, "$defs")


def test_spellings_of_the_same_models_are_not_different() -> None:
    old = "class M(BaseModel):\n    x: Optional[str] = None\n    k: Literal['a']\n"
    new = "class M(TypedDict):\n    k: Annotated[Literal['a'], strange.Meta()]\n    x: NotRequired[None | str]\n"
    assert compare_schemas(read_module(old).schema, read_module(new).schema) == []


@pytest.mark.parametrize("source", ["def (", "\0", "x" * 10 + "(" * 5000])
def test_what_is_no_python_is_refused(source: str) -> None:
    with pytest.raises((SyntaxError, ValueError, MemoryError, RecursionError)):
        read_module(source)
