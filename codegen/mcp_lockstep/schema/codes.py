"""What can be wrong with a schema that models are made from: LS40xx."""

from __future__ import annotations

from mcp_lockstep.findings import Code

TOO_DEEP = Code(
    "LS4001",
    "schema-too-deep",
    "error",
    "A schema is nested so deeply that no model can be made of it.",
    "Give the inner parts names under `$defs` and refer to them.",
    exit=2,
)
MALFORMED = Code(
    "LS4002",
    "schema-malformed",
    "error",
    "A keyword of JSON Schema has a value of the wrong kind.",
    "Validators ignore such a keyword or fail on it, each in its own way, so no model can say the same.",
    exit=2,
)
REFERENCE_REMOTE = Code(
    "LS4003",
    "schema-reference-remote",
    "error",
    "A reference leads to another document.",
    "Nothing is fetched. Copy the definition into the schema, under `$defs`, and refer to it there.",
    exit=2,
)
REFERENCE_BROKEN = Code(
    "LS4004",
    "schema-reference-broken",
    "error",
    "A reference leads to nothing in its schema.",
    "The definition was renamed or left out; without it no value can be judged.",
    exit=2,
)
PATTERN = Code(
    "LS4005",
    "schema-pattern-unsupported",
    "error",
    "A regular expression cannot be read by Python's `re`.",
    "The models and the validator of a generated server search with `re`: write the expression in the part of "
    "the syntax that it shares with JavaScript.",
    exit=2,
)
UNSUPPORTED = Code(
    "LS4006",
    "schema-keyword-unsupported",
    "error",
    "A keyword can be said neither by a type nor by a validator.",
    "Nothing is dropped in silence, so nothing is generated. Usually `additionalProperties`, or one flat schema "
    "without combinators, says the same.",
    exit=2,
)
UNKNOWN = Code(
    "LS4007",
    "schema-keyword-unknown",
    "note",
    "A key is no keyword of the draft that the schema is written in, so it says nothing about a value.",
    "Perhaps it is a slip of the pen, or a keyword of another draft than the one under `$schema`.",
)
OLD_FORM = Code(
    "LS4008",
    "schema-older-form",
    "warning",
    "A keyword has a form that the schema's own draft does not know.",
    "It is taken as the older draft meant it; validators of the newer draft may refuse it. Name the older draft "
    "under `$schema`, or write the newer form.",
)
DEFAULT = Code(
    "LS4009",
    "schema-default-refused",
    "note",
    "A default is a value that its own schema refuses.",
    "The model has no default there; the function has it in its signature.",
)
ENDLESS = Code(
    "LS4010",
    "schema-reference-endless",
    "error",
    "A reference leads back to itself before any part of a value is looked at.",
    "No value can be judged by such a schema: validators run until they crash. One reference of the circle has "
    "to stand under `properties`, `items` or the like.",
    exit=2,
)
UNSAID = Code(
    "LS4030",
    "schema-beyond-kind",
    "note",
    "The schema says something that models of the chosen kind cannot say.",
    "Dataclasses and TypedDicts describe values and check nothing. `--kind pydantic` says and checks all of it.",
)
WIRE_NAME = Code(
    "LS4031",
    "field-renamed",
    "note",
    "A property cannot be spelled as on the wire in a dataclass, or was not to be.",
    "`WIRE_NAMES` of the module maps the fields of each class to the names on the wire.",
)
UNDECODABLE = Code(
    "LS4032",
    "msgspec-cannot-decode",
    "error",
    "No msgspec models are made: they would not decode what they describe.",
    "A `msgspec.Struct` drops unknown properties, and msgspec takes no union of several objects unless each has its "
    "own tag. `--kind pydantic` has neither limit.",
    exit=2,
)
