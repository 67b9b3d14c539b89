"""What the published schema of the file's revision says, one finding per fault, in words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import cast

from mcp_lockstep.bundled import catalog
from mcp_lockstep.documents.pointer import pointer_parts, split_pointer
from mcp_lockstep.findings import Code
from mcp_lockstep.placeholders import is_free, is_free_template
from mcp_lockstep.rules.evaluator import Evaluator
from mcp_lockstep.rules.keys import meant_key
from mcp_lockstep.rules.manifest import Fault, JsonObject, Manifest, escaped, field, is_template, plain, shown
from mcp_lockstep.rules.text import description_too_long
from mcp_lockstep.rules.violation import Violation

WRONG_TYPE = Code(
    "LS2010",
    "wrong-type",
    "error",
    "A value is of another type than the schema asks for.",
    'Values that stand for numbers or switches are strings in server.json ("8000", "true").',
)
FIELD_REQUIRED = Code(
    "LS2011",
    "field-required",
    "error",
    "A field is missing that the schema asks for.",
    "Without it neither the registry nor a client can use the object that the field belongs to.",
)
VALUE_NOT_ALLOWED = Code(
    "LS2012",
    "value-not-allowed",
    "error",
    "A value is not one of those that the schema lists.",
    "The comparison is exact, capitals and all.",
)
WRONG_FORM = Code(
    "LS2013",
    "wrong-form",
    "error",
    "A text does not have the form that the schema asks for.",
    "Forms are given as patterns; `mcp-lockstep schemas show` prints the one of each field.",
)
WRONG_LENGTH = Code(
    "LS2014",
    "wrong-length",
    "error",
    "A text or list is shorter or longer than the schema allows.",
    "Texts are measured in code points, not bytes.",
)
KEY_NOT_ALLOWED = Code(
    "LS2018",
    "key-not-allowed",
    "error",
    "A key stands in an object that the schema closes.",
    "Some revisions close some objects: any other key makes the file invalid.",
)

_TYPE_WORDS = {
    "string": "a string",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
_FORM_WORDS = {
    "^https?://[^\\s]+$": "an address that starts with http:// or https:// and has no spaces",
    "^[a-f0-9]{64}$": "64 lower-case hex digits",
    "^(\\d+x\\d+|any)$": "WIDTHxHEIGHT or any",
    "^\\d+x\\d+$": "WIDTHxHEIGHT",
    "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$": "NAMESPACE/NAME of letters, digits, dots and hyphens",
    "^[a-zA-Z0-9._-]+$": "letters, digits, dots, hyphens and underscores",
    "\\$\\{locale\\}": "a path with ${locale} in it",
}
_FORM_HINTS = {
    "^https?://[^\\s]+$": "Write the whole address, with %20 for a space.",
    "^[a-f0-9]{64}$": "Write what `sha256sum FILE` prints.",
    "^(\\d+x\\d+|any)$": 'Write a size such as "48x48", or "any" for an image that scales.',
    "^\\d+x\\d+$": 'Write a size such as "48x48".',
    "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$": "Write a name such as io.github.OWNER/NAME.",
    "\\$\\{locale\\}": 'Write a path such as "locales/${locale}.json".',
}
_TYPE_HINTS: Mapping[tuple[str, ...], str] = {
    ("boolean",): "Write true or false, without quotation marks.",
    ("integer",): "Write a whole number, without quotation marks.",
    ("number",): "Write a number, without quotation marks.",
    ("object",): "Write an object: {...}.",
    ("string",): "Write one text in quotation marks, or remove the key.",
}
_SPELLINGS = {
    "http": "streamable-http",
    "streamable": "streamable-http",
    "streamablehttp": "streamable-http",
    "filepath": "filepath",
    "path": "filepath",
    "file": "filepath",
    "bool": "boolean",
    "int": "number",
    "integer": "number",
    "float": "number",
    "str": "string",
    "flag": "named",
    "option": "named",
}
"""What people write for an allowed value, folded."""


@cache
def evaluator(name: str, revision: str) -> Evaluator:
    """The compiled schema `name@revision`."""
    return Evaluator(catalog.schema(name, revision))


def schema_faults(manifest: Manifest) -> Iterator[Fault]:
    """Everything that the schema of the file's revision forbids."""
    for violation in evaluator("server", manifest.revision).violations(manifest.data):
        # What a release job fills in is judged on the copy that it fills.
        if isinstance(violation.value, str) and _is_filled(violation.pointer, violation.value):
            continue
        if (violation.pointer, violation.keyword) == ("/description", "maxLength"):
            yield description_too_long(violation, f"server.json {manifest.revision}")
        else:
            yield worded(violation)


def _is_filled(pointer: str, value: str) -> bool:
    return is_template(value) and (is_free_template(value) or not is_free(pointer_parts(pointer)))


def worded(violation: Violation) -> Fault:
    """A violation as a sentence that names the field, what is there and what is wanted."""
    return _WORDINGS[violation.keyword](violation)


def _type(violation: Violation) -> Fault:
    names = cast("tuple[str, ...]", violation.limit)
    want = " or ".join(_TYPE_WORDS[name] for name in names)
    have = plain(violation.value)
    message = f"{field(violation.pointer)} is {shown(violation.value)}; {want} is wanted."
    return Fault(WRONG_TYPE, violation.pointer, message, have, want, _type_hint(names, violation.value))


def _type_hint(names: tuple[str, ...], value: object) -> str:
    if names == ("string",) and isinstance(value, (bool, int, float)):
        return f"Write {json.dumps(json.dumps(value))}."
    if names == ("array",):
        return "Write a list of objects: [{...}]." if isinstance(value, dict) else "Write a list: [...]."
    if names == ("boolean",) and isinstance(value, str) and value.lower() in ("true", "false"):
        return f"Write {value.lower()}, without quotation marks."
    return _TYPE_HINTS.get(names) or f"Write {' or '.join(_TYPE_WORDS[name] for name in names)}."


def _required(violation: Violation) -> Fault:
    name = cast("str", violation.limit)
    parent = cast("JsonObject", violation.value)
    written = next((key for key in parent if key != name and meant_key(key, (name,)) == name), None)
    return Fault(
        FIELD_REQUIRED,
        f"{violation.pointer}/{name}",
        f"{field(violation.pointer)} has no `{name}`; it is required.",
        want=name,
        hint=f"Rename `{escaped(written)}` to `{name}`." if written else f"Add `{name}`.",
    )


def _any_of(violation: Violation) -> Fault:
    names = " or ".join(f"`{name}`" for name in cast("tuple[str, ...]", violation.limit))
    return Fault(
        FIELD_REQUIRED,
        violation.pointer,
        f"{field(violation.pointer)} has neither {names.replace(' or ', ' nor ')}; one of them is required.",
        want=names,
        hint=f"Add {names}.",
    )


def _value(violation: Violation) -> Fault:
    allowed = [str(choice) for choice in cast("tuple[object, ...]", violation.limit)]
    folded = str(violation.value).lower().replace("-", "").replace("_", "").replace(" ", "")
    close = _SPELLINGS.get(folded) or next((a for a in allowed if a.replace("-", "").lower() == folded), None)
    have, want = plain(violation.value), ", ".join(allowed)
    return Fault(
        VALUE_NOT_ALLOWED,
        violation.pointer,
        f"{field(violation.pointer)} is {shown(violation.value)}; allowed is {want}.",
        have,
        want,
        f"Write {shown(close) if close in allowed else ' or '.join(map(shown, allowed))}.",
    )


def _not(violation: Violation) -> Fault:
    have = plain(violation.value)
    message = f"{field(violation.pointer)} is {shown(violation.value)}, which the schema forbids."
    return Fault(VALUE_NOT_ALLOWED, violation.pointer, message, have, hint="Write an exact version.")


def _pattern(violation: Violation) -> Fault:
    pattern = cast("str", violation.limit)
    have, want = plain(violation.value), _FORM_WORDS.get(pattern, f"the form {pattern}")
    message = f"{field(violation.pointer)} is {shown(violation.value)}; {want} is wanted."
    # Of an address the scheme alone may be written either way.
    head, colon, rest = have.partition("://")
    folded = f"{head.lower()}{colon}{rest}"
    hint = f"Write {json.dumps(folded)}." if re.search(pattern, folded) else _FORM_HINTS.get(pattern)
    return Fault(WRONG_FORM, violation.pointer, message, have, want, hint or f"Write {want}.")


def _length(violation: Violation) -> Fault:
    value = cast("str | list[object]", violation.value)
    unit = "characters" if isinstance(value, str) else "elements"
    bound = "at least" if violation.keyword.startswith("min") else "at most"
    have, want = f"{len(value)} {unit}", f"{bound} {violation.limit}"
    verb = "is" if violation.limit == 1 else "are"
    message = f"{field(violation.pointer)} has {have}; {want} {verb} wanted."
    hint = f"Leave out some of the {unit}." if bound == "at most" else "Fill it in, or remove the key."
    return Fault(WRONG_LENGTH, violation.pointer, message, have, want, hint)


def _additional(violation: Violation) -> Fault:
    parent, key = split_pointer(violation.pointer)
    meant = meant_key(key, cast("tuple[str, ...]", violation.limit))
    return Fault(
        KEY_NOT_ALLOWED,
        violation.pointer,
        f"{field(parent)} has the key `{escaped(key)}`, which the schema does not allow there.",
        have=key,
        want=meant,
        hint=f"Did you mean `{meant}`?" if meant else "Remove it.",
    )


_WORDINGS: dict[str, Callable[[Violation], Fault]] = {
    "type": _type,
    "required": _required,
    "anyOf": _any_of,
    "enum": _value,
    "const": _value,
    "not": _not,
    "pattern": _pattern,
    "minLength": _length,
    "maxLength": _length,
    "minItems": _length,
    "maxItems": _length,
    "additionalProperties": _additional,
}

CODES = frozenset((WRONG_TYPE, FIELD_REQUIRED, VALUE_NOT_ALLOWED, WRONG_FORM, WRONG_LENGTH, KEY_NOT_ALLOWED))
"""The codes that repeat the published schema; a rule that says more about the same value replaces them."""
