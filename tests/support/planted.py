"""One fault for each rule about server.json, to be planted into a server.json that has none."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import NamedTuple, cast

from manifests import change
from mcp_lockstep.rules.manifest import JsonObject

Where = tuple[int, int]
"""A line and a column, both from 1."""


class Plant(NamedTuple):
    """One fault: in every object that `into` names (`""` the whole file, a kind of package, `package`, `remote`).

    `key` is set to `value` (`...`: taken out; a callable makes it of the object); `at` is the pointer below the object
    that the finding is about (None: `key`). `along` is what such a value also is out of step with, in some projects.
    """

    slug: str
    severity: str
    into: str
    key: str
    value: object
    at: str | None = None
    along: str = ""


class Planted(NamedTuple):
    """A server.json with one fault: its text, where the finding belongs, as a pointer and in lines and columns."""

    text: str
    pointer: str
    where: Where


def _flag(**more: object) -> JsonObject:
    return {"type": "named", "name": "--units", **more}


_UNSERVED = "transport-not-served"
_FIRST = "/packageArguments/0"
_RUNTIME = "/runtimeArguments/0"
_URL = "https://static.modelcontextprotocol.io/schemas/{}/server.schema.json"
_META = "io.modelcontextprotocol.registry/publisher-provided"


def _of(key: str, form: str) -> Callable[[JsonObject], object]:
    return lambda data: form.format(data[key])


PLANTS: tuple[Plant, ...] = (
    # the whole file
    Plant("schema-field-required", "error", "", "/$schema", ...),
    Plant("schema-unknown", "error", "", "/$schema", _URL.format("draft")),
    Plant("schema-revision-old", "note", "", "/$schema", _URL.format("2025-10-17")),
    Plant("wrong-type", "error", "", "/description", 5),
    Plant("field-required", "error", "", "/description", ...),
    Plant("wrong-length", "error", "", "/title", "x" * 101),
    Plant("unknown-key", "warning", "", "/websiteURL", "https://acme.example"),
    Plant("meta-key-dropped", "warning", "", "/_meta", {"com.acme/build": {}}, "/_meta/com.acme~1build"),
    Plant("meta-too-large", "error", "", "/_meta", {_META: {"x": "y" * 4096}}, f"/_meta/{_META.replace('/', '~1')}"),
    Plant("description-too-long", "error", "", "/description", "x" * 101),
    Plant("description-blank", "error", "", "/description", " "),
    Plant("title-blank", "error", "", "/title", " "),
    Plant("placeholder-text", "warning", "", "/description", "TODO: describe"),
    Plant("placeholder-text", "warning", "", "/title", "A server for [your service]"),
    Plant("invalid-server-name", "error", "", "/name", "weather"),
    Plant("reserved-version-string", "error", "", "/version", "latest"),
    Plant("version-looks-like-range", "error", "", "/version", "1.x"),
    Plant("version-range-unnoticed", "warning", "", "/version", ">=1.0,<2.0"),
    Plant("version-blank", "error", "", "/version", ""),
    Plant("invalid-repository-url", "error", "", "/repository", {"url": "git@github.com:a/b", "source": "github"},
          "/repository/url"),
    Plant("repository-source-unsupported", "error", "", "/repository",
          {"url": "https://github.com/a/b", "source": "git"}, "/repository/source"),
    Plant("invalid-subfolder-path", "error", "", "/repository",
          {"url": "https://github.com/a/b", "source": "github", "subfolder": "../x"}, "/repository/subfolder"),
    Plant("repository-incomplete", "note", "", "/repository", {"url": "", "source": ""}, "/repository/url"),
    Plant("invalid-website-url", "error", "", "/websiteUrl", "https://a b/"),
    Plant("website-url-must-be-absolute", "error", "", "/websiteUrl", "/docs"),
    Plant("website-url-invalid-scheme", "error", "", "/websiteUrl", "http://acme.example"),
    Plant("credentials-in-address", "error", "", "/websiteUrl", "https://me:pw@acme.example"),
    Plant("icon-src-invalid-url", "error", "", "/icons", [{"src": "https://a b/"}], "/icons/0/src"),
    Plant("icon-src-not-absolute", "error", "", "/icons", [{"src": "i.png"}], "/icons/0/src"),
    Plant("icon-src-invalid-scheme", "error", "", "/icons", [{"src": "http://a.example/i.png"}], "/icons/0/src"),
    Plant("value-not-allowed", "error", "", "/icons", [{"src": "https://a.example/i", "theme": "Dark"}],
          "/icons/0/theme"),
    Plant("wrong-form", "error", "", "/icons", [{"src": "https://a.example/i", "sizes": ["48"]}],
          "/icons/0/sizes/0"),
    # any package
    Plant("package-name-has-spaces", "error", "package", "/identifier", _of("identifier", "{} --stdio")),
    Plant("package-identifier-empty", "error", "package", "/identifier", ""),
    Plant("field-required", "error", "package", "/transport", ...),
    Plant("stdio-transport-url-not-empty", "error", "package", "/transport", {"type": "stdio", "url": "http://x"},
          "/transport/url"),
    Plant("streamable-transport-url-required", "error", "package", "/transport", {"type": "sse"}, "/transport/url",
          _UNSERVED),
    Plant("unsupported-transport-type", "error", "package", "/transport", {"type": "http"}, "/transport/type"),
    Plant("invalid-templated-url", "error", "package", "/transport",
          {"type": "sse", "url": "http://server.example:{port}/"}, "/transport/url", _UNSERVED),
    Plant("secret-not-marked", "warning", "package", "/transport",
          {"type": "sse", "url": "http://server.example/sse", "headers": [{"name": "X-API-Key"}]},
          "/transport/headers/0", _UNSERVED),
    Plant("named-argument-name-required", "error", "package", "/packageArguments", [_flag(name="")],
          f"{_FIRST}/name"),
    Plant("invalid-named-argument-name", "error", "package", "/packageArguments",
          [_flag(name="--u <u>", format="string")], f"{_FIRST}/name"),
    Plant("unknown-key", "warning", "package", "/environment_variables", []),
    Plant("wrong-type", "error", "package", "/environmentVariables", {}, "/environmentVariables"),
    # pypi
    Plant("registry-type-unsupported", "error", "pypi", "/registryType", "PyPI"),
    Plant("package-version-required", "error", "pypi", "/version", ...),
    Plant("reserved-version-string", "error", "pypi", "/version", "latest"),
    Plant("version-looks-like-range", "error", "pypi", "/version", "^1.2.3"),
    Plant("local-version", "warning", "pypi", "/version", _of("version", "{}+abc")),
    Plant("version-drift", "error", "pypi", "/version", "99.0"),
    Plant("package-identifier-drift", "error", "pypi", "/identifier", "quite-another-name"),
    Plant("file-hash-forbidden", "error", "pypi", "/fileSha256", "0" * 64),
    Plant("registry-base-url-wrong", "error", "pypi", "/registryBaseUrl", "https://packages.acme.example/"),
    Plant("runtime-hint-unfit", "warning", "pypi", "/runtimeHint", "python"),
    Plant("runtime-argument-repeats-identifier", "error", "pypi", "/runtimeArguments",
          lambda data: [{"type": "positional", "value": data["identifier"]}], f"{_RUNTIME}/value"),
    Plant("runtime-argument-of-server", "error", "pypi", "/runtimeArguments",
          [{"type": "positional", "value": "serve"}], f"{_RUNTIME}/value"),
    Plant("runtime-option-unknown", "warning", "pypi", "/runtimeArguments",
          [{"type": "named", "name": "--transport", "value": "stdio"}], f"{_RUNTIME}/name"),
    Plant("several-words-in-argument", "warning", "pypi", "/runtimeArguments",
          [{"type": "positional", "value": "--python 3.12"}], f"{_RUNTIME}/value"),
    # images
    Plant("oci-version-field", "error", "oci", "/version", "1.2.0"),
    Plant("oci-base-url", "error", "oci", "/registryBaseUrl", "https://ghcr.io"),
    Plant("oci-reference-invalid", "error", "oci", "/identifier", _of("identifier", "docker://{}")),
    Plant("oci-host-unsupported", "error", "oci", "/identifier", _of("version", "registry.acme.example/weather:{}")),
    Plant("image-tag-moves", "warning", "oci", "/identifier", "ghcr.io/acme/weather:latest"),
    Plant("file-hash-forbidden", "error", "oci", "/fileSha256", "0" * 64),
    Plant("container-input-closed", "error", "oci", "/runtimeArguments", [{"type": "named", "name": "-t"}], _RUNTIME),
    Plant("container-port-not-published", "warning", "oci", "/transport",
          {"type": "sse", "url": "http://localhost:8000/sse"}, "/transport/url"),
    Plant("default-not-a-choice", "warning", "oci", "/packageArguments",
          [{"type": "positional", "valueHint": "x", "default": "a", "choices": ["b"]}], f"{_FIRST}/default"),
    Plant("argument-value-starts-with-name", "error", "oci", "/packageArguments", [_flag(value="--units=c")],
          f"{_FIRST}/value"),
    Plant("argument-default-starts-with-name", "error", "oci", "/packageArguments", [_flag(default="--units c")],
          f"{_FIRST}/default"),
    Plant("invalid-named-argument-name", "error", "oci", "/packageArguments", [_flag(name="--$units", format="string")],
          f"{_FIRST}/name"),
    Plant("named-argument-value-hint", "note", "oci", "/packageArguments", [_flag(valueHint="unit")],
          f"{_FIRST}/valueHint"),
    Plant("switch-always-present", "warning", "oci", "/packageArguments", [_flag(format="boolean")], _FIRST),
    Plant("shell-variable-in-template", "warning", "oci", "/packageArguments", [_flag(value="${UNITS}")],
          f"{_FIRST}/value"),
    Plant("argument-variable-undeclared", "warning", "oci", "/packageArguments", [_flag(value="{units}")],
          f"{_FIRST}/value"),
    # remotes
    Plant("unsupported-remote-transport-type", "error", "remote", "/type", "stdio"),
    Plant("remote-transport-url-required", "error", "remote", "/url", ...),
    Plant("invalid-remote-url", "error", "remote", "/url", "http://acme.example/mcp"),
    Plant("invalid-templated-url", "error", "remote", "/url", "https://{who}.acme.example/mcp"),
    Plant("remote-address-not-public", "note", "remote", "/url", "https://10.1.2.3/mcp"),
    Plant("credentials-in-address", "error", "remote", "/url", "https://acme.example/mcp?api_key=abc"),
    Plant("credentials-in-address", "error", "remote", "/url",
          "https://ghp_0123456789abcdefABCDEF0123456789abcd@acme.example/mcp/{{VERSION}}"),
    Plant("placeholder-text", "warning", "remote", "/url", "https://your-server.acme.example/mcp"),
    Plant("secret-not-marked", "warning", "remote", "/headers", [{"name": "X-API-Key"}], "/headers/0"),
    Plant("unknown-key", "warning", "remote", "/transport_type", "sse"),
)  # fmt: skip
"""The faults; each is one finding wherever it can be planted."""


def planted(data: JsonObject, plant: Plant) -> Planted | None:
    """`data` with the fault of `plant` in the first object that it goes into; None where there is none."""
    made = copy.deepcopy(data)
    found = next(_objects(made, plant.into), None)
    if found is None:
        return None
    base, target = found
    key = plant.key.removeprefix("/")
    if plant.value is ... and key not in target:
        return None
    try:
        value = plant.value(target if key in target else made) if callable(plant.value) else plant.value
    except KeyError:
        return None
    if key in target and target[key] == value:
        return None
    change(made, f"{base}{plant.key}", value)
    text, places = located(made)
    pointer = f"{base}{plant.key if plant.at is None else plant.at}"
    if plant.slug in ("unknown-key", "meta-key-dropped"):
        return Planted(text, pointer, places[f"{pointer} key"])
    where = pointer
    while where not in places:
        where = where.rpartition("/")[0]
    return Planted(text, pointer, places[where])


def _objects(data: JsonObject, into: str) -> Iterator[tuple[str, JsonObject]]:
    if not into:
        yield "", data
        return
    name = "remotes" if into == "remote" else "packages"
    for index, item in enumerate(cast("list[JsonObject]", data.get(name, []))):
        if into in ("remote", "package", item.get("registryType")):
            yield f"/{name}/{index}", item


def located(data: JsonObject) -> tuple[str, dict[str, Where]]:
    """`data` as JSON of two spaces, and where each value (`POINTER`) and key (`POINTER key`) begins."""
    places: dict[str, Where] = {}
    text = _written(data, "", "", "", places)
    return text + "\n", places


def _written(value: object, pointer: str, before: str, indent: str, places: dict[str, Where]) -> str:
    """The text of everything up to and with `value`."""
    places[pointer] = _end(before)
    if not value or not isinstance(value, (dict, list)):
        return before + json.dumps(value, ensure_ascii=False)
    inner = f"{indent}  "
    text = before + ("{" if isinstance(value, dict) else "[")
    items = value.items() if isinstance(value, dict) else enumerate(cast("list[object]", value))
    for count, (key, item) in enumerate(items):
        text += ",\n" + inner if count else "\n" + inner
        here = f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"
        if isinstance(value, dict):
            places[f"{here} key"] = _end(text)
            text += f"{json.dumps(key)}: "
        text = _written(item, here, text, inner, places)
    return f"{text}\n{indent}" + ("}" if isinstance(value, dict) else "]")


def _end(text: str) -> Where:
    return text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1
