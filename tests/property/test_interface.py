"""Whatever a server.json declares, the made program takes what clients pass for it, and nothing is lost unsaid."""

from __future__ import annotations

import json
import os
import sys
import types
from collections.abc import Iterator
from typing import cast
from unittest import mock

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emitted import contract_of, project_view
from mcp_lockstep.contract.origin import Origin
from mcp_lockstep.contract.sources import Published
from mcp_lockstep.documents import JsonDocument, make_pointer, value_at
from mcp_lockstep.documents.places import place_pointer
from mcp_lockstep.emit.manifest import manifest
from mcp_lockstep.emit.seeds import seeds
from mcp_lockstep.emit.views import ProjectView
from mcp_lockstep.findings import Finding
from mcp_lockstep.interface import Interface, interface_of
from mcp_lockstep.interface.codes import CHANGED
from mcp_lockstep.launch.derive import Launch, launches
from mcp_lockstep.launch.package import Input
from mcp_lockstep.naming import DistributionName
from mcp_lockstep.rules.schema import evaluator
from old_manifests import OLDER, manifests

JsonObject = dict[str, object]
OF_THE_VIEW = ("/name", "/title", "/description", "/websiteUrl", "/website_url")
"""What `view` here does not take from the server.json: `create` does."""

SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

FLAGS = st.sampled_from(
    ["--city", "--host", "--port", "-t", "--read-only", "--tag", "--class", "--transport-kind"]
)
NAMES = st.sampled_from(["API_KEY", "CITY", "import", "PATH_TO", "a.b", "HOME_DIR", "os", "x-y"])
WORDS = st.sampled_from(["a", "b c", "50 %", "'", '"', "\\", "{x}", "ö", "metric", "é\u202e", "0"])
NUMBERS = st.sampled_from(["1", "2.5", "10"])


@st.composite
def declared(draw: st.DrawFn) -> JsonObject:
    """What arguments and variables share: a legal input."""
    kind = draw(st.sampled_from(["string", "number", "boolean", "filepath", None]))
    values = {"number": NUMBERS, "boolean": st.sampled_from(["true", "false"])}.get(str(kind), WORDS)
    item: JsonObject = {} if kind is None else {"format": kind}
    optional = {
        "description": WORDS,
        "isRequired": st.booleans(),
        "isSecret": st.just(False),
        "default": values,
        "placeholder": WORDS,
    }
    for key, strategy in optional.items():
        if draw(st.booleans()):
            item[key] = draw(strategy)
    if draw(st.integers(0, 3)) == 0:
        item["choices"] = draw(st.lists(values, min_size=1, max_size=3, unique=True))
        if "default" in item:
            item["default"] = cast("list[object]", item["choices"])[0]
    elif draw(st.integers(0, 3)) == 0:
        item.pop("default", None)
        item["value"] = draw(values)
    return item


@st.composite
def command_lines(draw: st.DrawFn) -> list[JsonObject]:
    """Arguments that a program can tell apart: each flag once, positional ones always there, one list at the end."""
    items = draw(st.lists(arguments(), max_size=5, unique_by=lambda item: str(item.get("name", id(item)))))
    positional = [item for item in items if item["type"] == "positional"]
    for item in positional:
        if "value" not in item and "default" not in item:
            item["isRequired"] = True
        if item is not positional[-1]:
            item.pop("isRepeated", None)
    return items


@st.composite
def arguments(draw: st.DrawFn) -> JsonObject:
    """A legal argument of a package."""
    item = draw(declared())
    if draw(st.booleans()):
        item |= {"type": "named", "name": draw(FLAGS)}
    else:
        item |= {"type": "positional", "valueHint": draw(st.sampled_from(["city", "place", "class", "a b"]))}
    return item | ({"isRepeated": True} if draw(st.integers(0, 3)) == 0 else {})


@st.composite
def packaged(draw: st.DrawFn) -> JsonObject:
    """A server.json with one package that asks for anything."""
    names = draw(st.lists(NAMES, max_size=4, unique=True))
    package: JsonObject = {
        "registryType": draw(st.sampled_from(["npm", "pypi", "nuget"])),
        "identifier": "weather",
        "version": "1.2.0",
        "transport": {"type": "stdio"},
        "packageArguments": draw(command_lines()),
        "environmentVariables": [{**draw(declared()), "name": name} for name in names],
    }
    return {"name": "io.github.acme/weather", "description": "x", "version": "1.2.0", "packages": [package]}


def interface(data: JsonObject) -> Interface:
    document = JsonDocument("server.json", json.dumps(data).encode())
    return interface_of(Published(data, Origin(document)), "", None)


def view(data: JsonObject) -> ProjectView:
    made = interface(data)
    base = project_view("weather", contract_of({}))
    return base._replace(
        version=made.version or "0.1.0",
        distribution=DistributionName(made.distribution or "weather"),
        interface=made,
    )


def program(of: ProjectView) -> types.ModuleType:
    """The settings of a project, executed."""
    text = next(seed.text for seed in seeds(of) if seed.path.endswith("settings.py"))
    module = types.ModuleType("settings_under_test")
    sys.modules[module.__name__] = module
    exec(text, module.__dict__)
    return module


def answer(one: Input) -> str:
    """What a user says who is asked for an input."""
    samples = {"number": "7", "boolean": "true"}
    return one.default or (one.choices or (samples.get(one.format, "said"),))[0]


def given_variables(launch: Launch) -> dict[str, str]:
    """The environment that a client makes."""
    pairs = {one.name: one.value.filled(answer) for one in launch.environment}
    return {name: text for name, text in pairs.items() if text}


@SETTINGS
@given(packaged())
def test_a_program_takes_every_command_that_clients_derive_for_it(data: JsonObject) -> None:
    of = view(data)
    (launch,) = launches(manifest(of))
    words = [word.filled(answer) for word in launch.arguments]
    module = program(of)
    module.arguments(words)
    if of.interface.variables:
        with mock.patch.dict(os.environ, given_variables(launch), clear=True):
            module.environment()


def leaves(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str, str]]:
    """Every scalar: pointer and JSON text."""
    if isinstance(value, dict):
        for key, item in cast("JsonObject", value).items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(cast("list[object]", value)):
            yield from leaves(item, (*path, index))
    else:
        yield make_pointer(path), json.dumps(value)


@SETTINGS
@given(st.sampled_from((*OLDER, "2025-12-11")).flatmap(manifests))
def test_any_server_json_of_any_revision_gives_one_for_a_python_server(data: JsonObject) -> None:
    of = view(data)
    assert list(evaluator("server", "2025-12-11").violations(manifest(of))) == []
    program(of)
    kept = {text for _, text in leaves(manifest(of))}
    findings = interface(data).findings
    said = {place_pointer(finding.place) for finding in findings}
    lost = [
        pointer
        for pointer, text in leaves(data)
        if text not in kept and not any(pointer == at or pointer.startswith(f"{at}/") for at in said)
    ]
    assert [pointer for pointer in lost if pointer not in OF_THE_VIEW] == []
    # What is said to have been there is there, under the key that the file has for it.
    assert [f for f in findings if f.code is not CHANGED or f.have is not None if not holds(data, f)] == []


def holds(data: JsonObject, finding: Finding) -> bool:
    try:
        value_at(data, place_pointer(finding.place))
    except (KeyError, IndexError):
        return False
    return True
