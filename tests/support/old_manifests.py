"""Legal server.json files of every revision, and of the two formats before the first: strategies for Hypothesis."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from hypothesis import strategies as st

from mcp_lockstep.bundled import catalog

JsonObject: TypeAlias = "dict[str, object]"
Draw: TypeAlias = st.DrawFn

BEFORE = ("before", "first")
"""The format of the time before there was a schema, and that of the first schema, soon rewritten in place."""

OLDER = (*BEFORE, *catalog.revisions("server")[:-1])
PUBLISHER = "io.modelcontextprotocol.registry/publisher-provided"
OFFICIAL = "io.modelcontextprotocol.registry/official"

_CAMEL: Mapping[str, str] = {
    "registry_type": "registryType",
    "registry_base_url": "registryBaseUrl",
    "file_sha256": "fileSha256",
    "runtime_hint": "runtimeHint",
    "runtime_arguments": "runtimeArguments",
    "package_arguments": "packageArguments",
    "environment_variables": "environmentVariables",
    "is_required": "isRequired",
    "is_secret": "isSecret",
    "value_hint": "valueHint",
    "is_repeated": "isRepeated",
    "website_url": "websiteUrl",
}

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
WORDS = st.sampled_from(["city", "is_required", "value_hint", "registry_type", "a/b", "~", "Paris", "ö"])
VERSIONS = st.sampled_from(["1.2.0", "0.1.0-rc.1", "2025.10.1", "3.0.0.post1"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS | WORDS, inner, max_size=3),
    max_leaves=6,
)


class Age(NamedTuple):
    """A format, by what it can say; its keys have underscores before 2025-09-16."""

    revision: str

    @property
    def before_the_first(self) -> bool:
        return self.revision in BEFORE

    @property
    def dated(self) -> str:
        """The revision that `$schema` names."""
        return "2025-07-09" if self.before_the_first else self.revision

    def key(self, name: str) -> str:
        """How the key, given with underscores, is written."""
        return _CAMEL[name] if self.dated >= "2025-09-16" else name


@st.composite
def manifests(draw: Draw, revision: str) -> JsonObject:
    """A server.json that keeps to `revision`; odd keys stand wherever its schema allows them."""
    age = Age(revision)
    data: JsonObject = {"$schema": catalog.server_url(age.dated)} if draw(st.integers(0, 5)) else {}
    data["name"] = draw(st.sampled_from(["io.github.acme/weather", "com.acme.tools/a_b"]))
    data["description"] = draw(TEXTS.map(lambda text: f"Forecasts {text}."))
    version = draw(VERSIONS)
    if age.before_the_first:
        data["version_detail"] = {"version": version}
        if revision == "before":
            data["version_detail"] = {"version": version, "release_date": "2025-05-01T00:00:00Z"}
            data["id"] = draw(st.uuids().map(str))
    else:
        data["version"] = version
    if draw(st.booleans()):
        data["repository"] = {"url": "https://github.com/acme/weather", "source": "github", "id": "12"}
    if age.dated < "2025-09-29" and draw(st.booleans()):
        data["status"] = draw(st.sampled_from(["active", "deprecated", "deleted"]))
    if draw(st.booleans()) and not age.before_the_first:
        data[age.key("website_url")] = "https://acme.example/?token=abc"
    data["packages"] = draw(st.lists(packages(age), max_size=3))
    data["remotes"] = draw(st.lists(remotes(age), max_size=2))
    if draw(st.booleans()):
        data["_meta"] = draw(meta(age))
    if draw(st.booleans()):
        data[draw(st.sampled_from(["x-odd", "is_required", "environment_variables", "x-publisher"]))] = draw(
            JSON
        )
    return data


@st.composite
def packages(draw: Draw, age: Age) -> JsonObject:
    """A package of a kind that the registry knows."""
    kind = draw(st.sampled_from(["pypi", "npm", "nuget", "oci", "mcpb"]))
    identifier, base = _IDENTITY[kind]
    version = draw(VERSIONS)
    key = age.key
    data: JsonObject = {}
    if age.revision == "before":
        data["registry_name"] = {"oci": "docker"}.get(kind, kind)
        data["name"] = identifier
    else:
        data[key("registry_type")] = kind
        data["identifier"] = draw(st.sampled_from(_IMAGES)) if kind == "oci" else identifier
        if base and draw(st.booleans()):
            data[key("registry_base_url")] = base
        if draw(st.booleans()) or kind == "mcpb":
            data[key("file_sha256")] = "0" * 64
        if not age.before_the_first or draw(st.booleans()):
            data["transport"] = draw(transports(age))
    if kind != "oci" or age.dated < "2025-10-11" or draw(st.booleans()):
        data["version"] = version
    for name in ("runtime_arguments", "package_arguments"):
        if draw(st.booleans()):
            data[key(name)] = draw(st.lists(arguments(age), max_size=2))
    if draw(st.booleans()):
        data[key("environment_variables")] = draw(st.lists(variables(age), max_size=2))
    if draw(st.booleans()):
        data[key("runtime_hint")] = "uvx"
    return data


_IDENTITY = {
    "pypi": ("acme-weather", "https://pypi.org"),
    "npm": ("@acme/weather", "https://registry.npmjs.org"),
    "nuget": ("Acme.Weather", "https://api.nuget.org"),
    "oci": ("acme/weather", "https://docker.io"),
    "mcpb": ("https://github.com/acme/mcp/releases/download/v1/w.mcpb", "https://github.com"),
}
_IMAGES = (
    "acme/weather",
    "ghcr.io/acme/weather",
    "acme/weather:9.9",
    "ghcr.io/acme/weather@sha256:" + "a" * 64,
)


@st.composite
def transports(draw: Draw, age: Age) -> JsonObject:
    """How a client talks to a package."""
    kind = draw(st.sampled_from(["stdio", "streamable-http", "sse"]))
    if kind == "stdio":
        return {"type": kind}
    data: JsonObject = {"type": kind, "url": "http://localhost:8000/mcp"}
    if draw(st.booleans()):
        data["headers"] = draw(st.lists(variables(age), max_size=2))
    return data


@st.composite
def remotes(draw: Draw, age: Age) -> JsonObject:
    """A remote; before 2025-12-11 nothing declared the variables in its address."""
    urls = ["https://acme.example/mcp"]
    kind = draw(st.sampled_from(["streamable-http", "sse"]))
    if kind == "streamable-http":
        urls += ["https://{tenant}.acme.example/{path}", "https://user:pw@acme.example/mcp"]
    data: JsonObject = {}
    if age.before_the_first:
        data["transport_type"] = kind.removesuffix("-http")
    else:
        data["type"] = kind
    data["url"] = draw(st.sampled_from(urls))
    if draw(st.booleans()):
        data["headers"] = draw(st.lists(variables(age), max_size=2))
    return data


@st.composite
def inputs(draw: Draw, age: Age) -> JsonObject:
    """What any input can say."""
    data: JsonObject = {}
    values: dict[str, st.SearchStrategy[object]] = {
        "description": TEXTS,
        "default": TEXTS,
        "value": TEXTS,
        age.key("is_required"): st.booleans(),
        age.key("is_secret"): st.booleans(),
        "format": st.sampled_from(["string", "number", "boolean", "filepath"]),
        "choices": st.lists(TEXTS, max_size=2),
        "x-odd": JSON,
    }
    if age.revision == "before":
        values["format"] = st.sampled_from(["string", "file_path"])
        values["default"] = TEXTS | st.booleans() | st.integers() | st.none()
    for name in draw(st.lists(st.sampled_from(sorted(values)), unique=True, max_size=4)):
        data[name] = draw(values[name])
    return data


@st.composite
def with_variables(draw: Draw, age: Age) -> JsonObject:
    """An input with inputs inside, whose names may be those of keys."""
    data = draw(inputs(age))
    if draw(st.booleans()):
        data["variables"] = draw(st.dictionaries(WORDS | TEXTS, inputs(age), max_size=2))
    return data


@st.composite
def arguments(draw: Draw, age: Age) -> JsonObject:
    """A named argument, or a positional one with a hint."""
    own: JsonObject = {"type": "named", "name": "--city"}
    if draw(st.booleans()):
        own = {"type": "positional", age.key("value_hint"): draw(WORDS)}
    if draw(st.booleans()):
        own[age.key("is_repeated")] = draw(st.booleans())
    return {**own, **draw(with_variables(age))}


@st.composite
def variables(draw: Draw, age: Age) -> JsonObject:
    """An environment variable or a header."""
    return {
        "name": draw(st.sampled_from(["CITY", "WEATHER_API_KEY", "is_secret"])),
        **draw(with_variables(age)),
    }


@st.composite
def meta(draw: Draw, age: Age) -> JsonObject:
    """`_meta`, with keys that look like those of the format inside."""
    data: JsonObject = {}
    own = st.dictionaries(WORDS | TEXTS, JSON, max_size=3)
    if draw(st.booleans()):
        data[PUBLISHER] = draw(own)
    if draw(st.booleans()) and age.before_the_first:
        data["publisher"] = draw(own)
    if draw(st.booleans()) and age.dated < "2025-09-29":
        data[OFFICIAL] = draw(own)
    if draw(st.booleans()):
        data["com.acme/odd"] = draw(JSON)
    return data


@st.composite
def written(draw: Draw, data: JsonObject) -> bytes:
    """`data` as somebody may have written it down."""
    indent = draw(st.sampled_from([None, 2, 4, "\t"]))
    text = json.dumps(data, indent=indent, ensure_ascii=draw(st.booleans()))
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))) + draw(st.sampled_from(["", "\n"]))
    return text.encode("utf-8", "surrogatepass")
