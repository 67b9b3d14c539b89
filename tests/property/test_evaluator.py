"""The evaluator of the bundled manifest schemas against `jsonschema`: same verdict, same faults."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator, ValidationError

from mcp_lockstep.bundled import catalog
from mcp_lockstep.documents.pointer import make_pointer
from mcp_lockstep.rules.evaluator import Evaluator

SERVER: dict[str, object] = {
    "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    "name": "io.github.acme/weather",
    "title": "Weather",
    "description": "Forecasts.",
    "version": "1.2.0",
    "repository": {"url": "https://github.com/acme/weather", "source": "github"},
    "icons": [{"src": "https://acme.example/i.png", "sizes": ["48x48"], "theme": "dark"}],
    "packages": [
        {
            "registryType": "pypi",
            "identifier": "weather",
            "version": "1.2.0",
            "fileSha256": "0" * 64,
            "transport": {"type": "sse", "url": "https://x", "headers": [{"name": "A"}]},
            "packageArguments": [
                {"type": "positional", "valueHint": "city", "choices": ["Rome"]},
                {"type": "named", "name": "--units", "value": "{u}", "variables": {"u": {"default": "C"}}},
            ],
            "environmentVariables": [{"name": "KEY", "isSecret": True}],
        }
    ],
    "remotes": [
        {"type": "streamable-http", "url": "https://{t}.x/", "variables": {"t": {"isRequired": True}}}
    ],
    "_meta": {"io.modelcontextprotocol.registry/publisher-provided": {"a": 1}},
}
BUNDLE: dict[str, object] = {
    "manifest_version": "0.4",
    "name": "weather",
    "version": "1.2.0",
    "description": "Forecasts.",
    "author": {"name": "Acme"},
    "icons": [{"src": "i.png", "size": "48x48"}],
    "localization": {"resources": "l/${locale}.json", "default_locale": "en-GB"},
    "server": {
        "type": "python",
        "entry_point": "main.py",
        "mcp_config": {"command": "python", "platform_overrides": {"win32": {"args": ["x"]}}},
    },
    "tools": [{"name": "t"}],
    "user_config": {"k": {"type": "string", "title": "K", "description": "k", "default": ["a"], "min": 1}},
    "_meta": {"a": {"b": 1}},
}
LIST: dict[str, object] = {"servers": [{"server": {**SERVER, "name": "weather"}}]}
SOUND = {"server": SERVER, "mcpb": BUNDLE, "registry-list": LIST}
SCHEMAS = [(name, revision) for name in SOUND for revision in catalog.revisions(name)]

# Texts stay clear of what the two disagree about on purpose: line ends before `$`, digits beyond ASCII.
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from(
        ["", "stdio", "sse", "named", "positional", "latest", "a b", "https://x", "48x48", "x" * 101]
    )
    | st.floats(allow_nan=False, allow_infinity=False)
)
names = st.sampled_from(["type", "url", "name", "value", "valueHint", "transport", "x", "variables", "items"])
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner, max_size=3),
    max_leaves=5,
)


def spots(value: object) -> Iterator[tuple[object, object]]:
    """Every container in `value` with every key or index of it."""
    children = (
        enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    )
    for key, child in children:
        yield value, key
        yield from spots(child)


@st.composite
def mutants(draw: st.DrawFn, name: str) -> object:
    """The sound document with a few values replaced, removed or added."""
    document = copy.deepcopy(SOUND[name])
    for _ in range(draw(st.integers(0, 3))):
        container, key = draw(st.sampled_from(list(spots(document)) or [({"x": 0}, "x")]))
        match draw(st.sampled_from(["replace", "remove", "add"])), container:
            case "replace", _:
                container[key] = draw(values)  # type: ignore[index] # a container of its own spots
            case "remove", _:
                del container[key]  # type: ignore[attr-defined] # a container of its own spots
            case "add", dict():
                container[draw(names)] = draw(values)
            case "add", list():
                container.append(draw(values))
            case _:
                raise AssertionError(container)
    return document


def leaves(error: ValidationError) -> Iterator[tuple[str, str]]:
    """Pointer and keyword of an error of the oracle, or of everything below its alternatives."""
    where = make_pointer(error.absolute_path)
    if error.validator == "anyOf":
        yield where, "anyOf"
        for inner in error.context:
            yield from leaves(inner)
    elif error.validator == "additionalProperties":
        known = cast("dict[str, dict[str, object]]", error.schema).get("properties", {})
        yield from (
            (where + make_pointer([key]), "additionalProperties")
            for key in cast("dict[str, object]", error.instance)
            if key not in known
        )
    else:
        yield where, str(error.validator).replace("const", "enum")


def compare(name: str, revision: str, document: Any) -> None:
    schema = catalog.schema(name, revision)
    errors = list(Draft7Validator(schema).iter_errors(document))
    ours = {(v.pointer, v.keyword.replace("const", "enum")) for v in Evaluator(schema).violations(document)}
    assert bool(ours) == bool(errors)
    plain = {leaf for error in errors if error.validator != "anyOf" for leaf in leaves(error)}
    assert plain <= ours
    allowed = {leaf for error in errors for leaf in leaves(error)}
    assert ours <= allowed
    for error in errors:
        if error.validator == "anyOf":
            where = make_pointer(error.absolute_path)
            assert any(pointer == where or pointer.startswith(f"{where}/") for pointer, _ in ours)


@pytest.mark.parametrize("name", SOUND)
def test_the_sound_documents_are_sound(name: str) -> None:
    assert Evaluator(catalog.schema(name)).violations(SOUND[name]) == () or name == "registry-list"


@pytest.mark.parametrize(("name", "revision"), SCHEMAS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_same_faults_as_the_oracle(name: str, revision: str, data: st.DataObject) -> None:
    compare(name, revision, data.draw(mutants(name)))


@pytest.mark.parametrize(("name", "revision"), SCHEMAS)
@settings(max_examples=20, deadline=None)
@given(document=values)
def test_same_faults_for_anything(name: str, revision: str, document: object) -> None:
    compare(name, revision, document)


@settings(max_examples=50, deadline=None)
@given(document=values)
def test_judging_changes_nothing_and_repeats_itself(document: object) -> None:
    evaluator = Evaluator(catalog.schema("server"))
    before = json.dumps(document)
    assert evaluator.violations(document) == evaluator.violations(document)
    assert json.dumps(document) == before
