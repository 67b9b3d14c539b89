"""One server.json that passes and one that fails for every rule: what changes in the sound one, what is said."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manifests import faults_after
from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.rules import judge_manifest
from mcp_lockstep.rules.every import CODES
from mcp_lockstep.rules.meta import go_size
from mcp_lockstep.rules.online import needs_network
from mcp_lockstep.rules.version import VERSION_RANGE, fault_of_version

Told = Callable[..., list[tuple[str, str, str]]]
URL = "https://static.modelcontextprotocol.io/schemas/{}/server.schema.json"
PYPI, IMAGE, BUNDLE = "/packages/0", "/packages/1", "/packages/2"
REMOTE = "/remotes/0"
ARGUMENT, FLAG, VARIABLE = (
    f"{PYPI}/packageArguments/0",
    f"{PYPI}/packageArguments/1",
    f"{PYPI}/environmentVariables/0",
)
ASSET = "https://github.com/acme/weather/releases/download/v1/weather{}.mcpb"
INIT_DESCRIPTION = "An MCP server that provides [describe what your server does]"
"""What the registry's own program writes."""
TOKEN = "ghp_0123456789abcdefABCDEF0123456789abcd"

NEW = ("packages", "remotes", "title", "icons")
"""Keys of the sound server.json that have parts which the oldest revisions do not know, or are such."""

FAILING: list[tuple[str, str, str, tuple[object, ...]]] = [
    # revision
    ("error", "schema-field-required", "/$schema", ("/$schema", ...)),
    ("error", "schema-field-required", "/$schema", ("/$schema", "")),
    ("error", "schema-unknown", "/$schema", ("/$schema", URL.format("draft"))),
    (
        "error",
        "schema-unknown",
        "/$schema",
        ("/$schema", "https://example.com/schemas/2025-12-11/server.schema.json"),
    ),
    ("note", "schema-revision-old", "/$schema", ("/$schema", URL.format("2025-10-17"), "/remotes", ...)),
    (
        "warning",
        "schema-revision-old",
        "/$schema",
        (
            "/$schema",
            URL.format("2025-09-16"),
            "/status",
            "active",
            *(x for key in NEW for x in (f"/{key}", ...)),
        ),
    ),
    # schema
    ("error", "wrong-type", "/description", ("/description", 5)),
    ("error", "wrong-type", "/$schema", ("/$schema", 5)),
    ("error", "wrong-type", "/remotes", ("/remotes", {"streamable-http": {"url": "https://x.example"}})),
    ("error", "wrong-type", f"{ARGUMENT}/isRequired", (f"{ARGUMENT}/isRequired", "true")),
    ("error", "field-required", "/version", ("/version", ...)),
    ("error", "field-required", f"{PYPI}/transport", (f"{PYPI}/transport", ...)),
    ("error", "field-required", ARGUMENT, (f"{ARGUMENT}/valueHint", ...)),
    ("error", "field-required", "/repository/url", ("/repository", {"source": "github"})),
    ("error", "value-not-allowed", f"{ARGUMENT}/format", (f"{ARGUMENT}/format", "file_path")),
    ("error", "value-not-allowed", "/icons/0/theme", ("/icons/0/theme", "Dark")),
    ("error", "wrong-form", f"{BUNDLE}/fileSha256", (f"{BUNDLE}/fileSha256", "A" * 64)),
    ("error", "wrong-form", "/icons/0/sizes/0", ("/icons/0/sizes/0", "48")),
    ("error", "wrong-length", "/title", ("/title", "x" * 101)),
    ("error", "wrong-length", "/icons/0/src", ("/icons/0/src", "https://x.example/" + "x" * 255)),
    # keys
    ("warning", "unknown-key", f"{PYPI}/environment_variables", (f"{PYPI}/environment_variables", [])),
    ("warning", "unknown-key", "/WebsiteURL", ("/WebsiteURL", "https://x.example")),
    ("warning", "unknown-key", f"{VARIABLE}/is_required", (f"{VARIABLE}/is_required", True)),
    (
        "warning",
        "unknown-key",
        f"{REMOTE}/variables/tenant/secret",
        (f"{REMOTE}/variables/tenant/secret", True),
    ),
    ("warning", "meta-key-dropped", "/_meta/com.acme~1build", ("/_meta/com.acme~1build", {})),
    # text
    ("error", "description-too-long", "/description", ("/description", "x" * 101)),
    ("error", "description-blank", "/description", ("/description", "")),
    ("error", "description-blank", "/description", ("/description", " \t")),
    ("error", "title-blank", "/title", ("/title", "  ")),
    ("warning", "placeholder-text", "/description", ("/description", "[Describe what your server does]")),
    ("warning", "placeholder-text", "/description", ("/description", "TODO: describe")),
    ("warning", "placeholder-text", "/title", ("/title", "Your server name")),
    ("warning", "placeholder-text", f"{PYPI}/identifier", (f"{PYPI}/identifier", "your-package")),
    ("warning", "placeholder-text", f"{VARIABLE}/name", (f"{VARIABLE}/name", "YOUR_API_KEY")),
    ("warning", "placeholder-text", "/description", ("/description", INIT_DESCRIPTION)),
    ("warning", "placeholder-text", "/websiteUrl", ("/websiteUrl", "https://your-domain.com/weather")),
    (
        "warning",
        "placeholder-text",
        "/repository/url",
        ("/repository/url", "https://github.com/YOUR_USERNAME/YOUR_REPO"),
    ),
    (
        "warning",
        "placeholder-text",
        f"{IMAGE}/identifier",
        (f"{IMAGE}/identifier", "docker.io/your-username/your-server:1.0.0"),
    ),
    (
        "warning",
        "placeholder-text",
        f"{IMAGE}/transport/url",
        (f"{IMAGE}/transport/url", "http://your-host:8000/mcp"),
    ),
    (
        "warning",
        "placeholder-text",
        f"{REMOTE}/url",
        (f"{REMOTE}/url", "https://your-server.example.com/{tenant}"),
    ),
    ("warning", "placeholder-text", f"{ARGUMENT}/value", (f"{ARGUMENT}/value", "<your-city>")),
    ("warning", "placeholder-text", f"{VARIABLE}/default", (f"{VARIABLE}/default", "your-api-key-here")),
    ("warning", "placeholder-text", f"{VARIABLE}/description", (f"{VARIABLE}/description", "TODO")),
    (
        "warning",
        "placeholder-text",
        f"{REMOTE}/headers/0/value",
        (f"{REMOTE}/headers/0", {"name": "Authorization", "value": "Bearer YOUR_TOKEN"}),
    ),
    # name
    ("error", "invalid-server-name", "/name", ("/name", "weather")),
    ("error", "invalid-server-name", "/name", ("/name", "a/b/c")),
    ("error", "invalid-server-name", "/name", ("/name", "io.github.acme/x")),
    ("error", "invalid-server-name", "/name", ("/name", "io.github.acme/weather_")),
    ("error", "invalid-server-name", "/name", ("/name", "io_github.acme/weather")),
    ("error", "invalid-server-name", "/name", ("/name", "/weather")),
    ("error", "invalid-server-name", "/name", ("/name", "io.github.acme/")),
    ("error", "invalid-server-name", "/name", ("/name", "io.github.acme/w\u00e9ather")),
    ("error", "invalid-server-name", "/name", ("/name", "io.github.acme/" + "w" * 200)),
    ("warning", "name-placeholder", "/name", ("/name", "com.example/weather")),
    ("warning", "name-placeholder", "/name", ("/name", "io.github.yourname/weather")),
    # version
    ("error", "reserved-version-string", "/version", ("/version", "latest")),
    ("error", "reserved-version-string", f"{PYPI}/version", (f"{PYPI}/version", "latest")),
    ("error", "version-looks-like-range", "/version", ("/version", "1.x")),
    ("error", "version-looks-like-range", f"{PYPI}/version", (f"{PYPI}/version", "^1.2.3")),
    ("warning", "version-range-unnoticed", "/version", ("/version", ">=1.0,<2.0")),
    ("error", "version-blank", "/version", ("/version", "")),
    # repository
    (
        "error",
        "invalid-repository-url",
        "/repository/url",
        ("/repository/url", "git@github.com:acme/weather.git"),
    ),
    (
        "error",
        "invalid-repository-url",
        "/repository/url",
        ("/repository/url", "https://github.com/acme/weather/tree/main"),
    ),
    (
        "error",
        "invalid-repository-url",
        "/repository/url",
        ("/repository/url", "https://GitHub.com/acme/weather"),
    ),
    (
        "error",
        "invalid-repository-url",
        "/repository/url",
        ("/repository/url", "https://gitlab.com/acme/weather"),
    ),
    ("error", "repository-source-unsupported", "/repository/source", ("/repository/source", "GitHub")),
    ("error", "repository-source-unsupported", "/repository/source", ("/repository/source", "git")),
    ("error", "invalid-subfolder-path", "/repository/subfolder", ("/repository/subfolder", "./src")),
    ("error", "invalid-subfolder-path", "/repository/subfolder", ("/repository/subfolder", "src/")),
    ("error", "invalid-subfolder-path", "/repository/subfolder", ("/repository/subfolder", "../x")),
    # website, icons
    ("error", "invalid-website-url", "/websiteUrl", ("/websiteUrl", "https://a b/")),
    ("error", "website-url-must-be-absolute", "/websiteUrl", ("/websiteUrl", "/docs")),
    ("error", "website-url-invalid-scheme", "/websiteUrl", ("/websiteUrl", "http://acme.example")),
    ("error", "icon-src-invalid-url", "/icons/0/src", ("/icons/0/src", "https://acme.example/%zz")),
    ("error", "icon-src-not-absolute", "/icons/0/src", ("/icons/0/src", "icon.png")),
    ("error", "icon-src-invalid-scheme", "/icons/0/src", ("/icons/0/src", "data:image/png;base64,AA")),
    # _meta
    (
        "error",
        "meta-too-large",
        "/_meta/io.modelcontextprotocol.registry~1publisher-provided",
        ("/_meta/io.modelcontextprotocol.registry~1publisher-provided", {"log": "x" * 4087}),
    ),
    # packages
    ("error", "package-name-has-spaces", f"{PYPI}/identifier", (f"{PYPI}/identifier", "weather --stdio")),
    ("error", "package-identifier-empty", f"{PYPI}/identifier", (f"{PYPI}/identifier", "")),
    ("error", "registry-type-unsupported", f"{PYPI}/registryType", (f"{PYPI}/registryType", "PyPI")),
    ("error", "package-version-required", f"{PYPI}/version", (f"{PYPI}/version", ...)),
    ("error", "file-hash-forbidden", f"{PYPI}/fileSha256", (f"{PYPI}/fileSha256", "0" * 64)),
    ("error", "file-hash-forbidden", f"{IMAGE}/fileSha256", (f"{IMAGE}/fileSha256", "0" * 64)),
    (
        "error",
        "registry-base-url-wrong",
        f"{PYPI}/registryBaseUrl",
        (f"{PYPI}/registryBaseUrl", "https://pypi.org/"),
    ),
    # images
    ("error", "oci-version-field", f"{IMAGE}/version", (f"{IMAGE}/version", "1.2.0")),
    ("error", "oci-base-url", f"{IMAGE}/registryBaseUrl", (f"{IMAGE}/registryBaseUrl", "https://ghcr.io")),
    (
        "error",
        "oci-reference-invalid",
        f"{IMAGE}/identifier",
        (f"{IMAGE}/identifier", "ghcr.io/Acme/weather:1"),
    ),
    (
        "error",
        "oci-reference-invalid",
        f"{IMAGE}/identifier",
        (f"{IMAGE}/identifier", "docker://ghcr.io/a/b:1"),
    ),
    (
        "error",
        "oci-host-unsupported",
        f"{IMAGE}/identifier",
        (f"{IMAGE}/identifier", "registry.acme.example/weather:1"),
    ),
    ("warning", "image-tag-moves", f"{IMAGE}/identifier", (f"{IMAGE}/identifier", "acme/weather:latest")),
    ("warning", "image-tag-moves", f"{IMAGE}/identifier", (f"{IMAGE}/identifier", "acme/weather")),
    # bundles
    ("error", "mcpb-identifier", f"{BUNDLE}/identifier", (f"{BUNDLE}/identifier", "weather")),
    (
        "error",
        "mcpb-identifier",
        f"{BUNDLE}/identifier",
        (f"{BUNDLE}/identifier", "http" + ASSET.format("")[5:]),
    ),
    (
        "error",
        "mcpb-identifier",
        f"{BUNDLE}/identifier",
        (f"{BUNDLE}/identifier", "https://github.com/a/b/mcp.zip"),
    ),
    (
        "error",
        "mcpb-identifier",
        f"{BUNDLE}/identifier",
        (f"{BUNDLE}/identifier", "https://acme.example/a.mcpb"),
    ),
    (
        "error",
        "mcpb-identifier",
        f"{BUNDLE}/identifier",
        (f"{BUNDLE}/identifier", "https://github.com/a/b/releases/download/v1/b.zip"),
    ),
    ("error", "mcpb-hash-required", f"{BUNDLE}/fileSha256", (f"{BUNDLE}/fileSha256", ...)),
    (
        "error",
        "mcpb-base-url",
        f"{BUNDLE}/registryBaseUrl",
        (f"{BUNDLE}/registryBaseUrl", "https://github.com"),
    ),
    # transports
    (
        "error",
        "stdio-transport-url-not-empty",
        f"{PYPI}/transport/url",
        (f"{PYPI}/transport/url", "http://x"),
    ),
    ("error", "streamable-transport-url-required", f"{IMAGE}/transport/url", (f"{IMAGE}/transport/url", ...)),
    (
        "error",
        "invalid-templated-url",
        f"{IMAGE}/transport/url",
        (f"{IMAGE}/transport/url", "http://localhost:{port}/"),
    ),
    ("error", "invalid-templated-url", f"{IMAGE}/transport/url", (f"{IMAGE}/transport/url", "http:///mcp")),
    (
        "error",
        "unsupported-transport-type",
        f"{PYPI}/transport/type",
        (f"{PYPI}/transport", {"type": "http"}),
    ),
    (
        "error",
        "unsupported-remote-transport-type",
        f"{REMOTE}/type",
        (f"{REMOTE}/type", "stdio"),
    ),
    (
        "error",
        "remote-transport-url-required",
        f"{REMOTE}/url",
        (f"{REMOTE}/url", ..., f"{REMOTE}/variables", ...),
    ),
    ("error", "invalid-remote-url", f"{REMOTE}/url", (f"{REMOTE}/url", "http://acme.example/mcp")),
    ("error", "invalid-remote-url", f"{REMOTE}/url", (f"{REMOTE}/url", "https://localhost/mcp")),
    ("error", "invalid-remote-url", f"{REMOTE}/url", (f"{REMOTE}/url", "https://x.localhost/mcp")),
    ("error", "invalid-templated-url", f"{REMOTE}/url", (f"{REMOTE}/url", "https://{who}.acme.example/mcp")),
    # arguments and variables
    ("error", "named-argument-name-required", f"{FLAG}/name", (f"{FLAG}/name", "")),
    ("error", "invalid-named-argument-name", f"{FLAG}/name", (f"{FLAG}/name", "--units <u>")),
    ("error", "invalid-named-argument-name", f"{FLAG}/name", (f"{FLAG}/name", "--$units")),
    ("error", "invalid-named-argument-name", f"{FLAG}/name", (f"{FLAG}/name", "--${units}")),
    ("error", "value-not-allowed", f"{FLAG}/format", (f"{FLAG}/format", "$FORMAT")),
    ("error", "argument-value-starts-with-name", f"{FLAG}/value", (f"{FLAG}/value", "--units=c")),
    ("error", "argument-default-starts-with-name", f"{FLAG}/default", (f"{FLAG}/default", "--units c")),
    ("warning", "env-name-not-portable", f"{VARIABLE}/name", (f"{VARIABLE}/name", "weather-key")),
    ("warning", "env-name-not-portable", f"{VARIABLE}/name", (f"{VARIABLE}/name", "$WEATHER")),
    ("warning", "default-not-a-choice", f"{ARGUMENT}/default", (f"{ARGUMENT}/default", "Oslo")),
    # the owner's capitals, releases that PyPI does not take
    ("warning", "name-owner-case", "/name", ("/name", "io.github.Acme/weather")),
    ("warning", "local-version", f"{PYPI}/version", (f"{PYPI}/version", "1.2.0+abc")),
    # secrets
    ("error", "credentials-in-address", "/websiteUrl", ("/websiteUrl", "https://me:pw@acme.example/")),
    (
        "error",
        "credentials-in-address",
        f"{REMOTE}/url",
        (f"{REMOTE}/url", "https://{tenant}.acme.example/mcp?api_key=abc123"),
    ),
    ("error", "credentials-in-address", "/icons/0/src", ("/icons/0/src", "https://a.example/i.png?token=x")),
    *(
        ("error", "credentials-in-address", f"{REMOTE}/url", (f"{REMOTE}/url", f"https://{address}"))
        for address in (
            f"{TOKEN}@acme.example/mcp",
            f"me:{TOKEN}@acme.example/{{{{VERSION}}}}",
            "acme.example/mcp?api_key=abc123&v=$VERSION",
            "acme.example/mcp?key=Aiza0123456789abcd",
            "acme.example/mcp#access_token=abc123",
            "acme.example/mcp?apiKey=abc123",
            f"acme.example/{TOKEN}/mcp",
            "me:pw@{tenant}.acme.example/mcp",
        )
    ),
    (
        "error",
        "credentials-in-address",
        "/repository/url",
        ("/repository/url", f"https://x-access-token:{TOKEN}@github.com/acme/{{{{REPO}}}}"),
    ),
    (
        "error",
        "credentials-in-address",
        "/repository/url",
        ("/repository/url", f"https://{TOKEN}@github.com/acme/x"),
    ),
    ("error", "key-published", f"{VARIABLE}/default", (f"{VARIABLE}/default", TOKEN)),
    ("warning", "secret-not-marked", VARIABLE, (f"{VARIABLE}/isSecret", ...)),
    ("warning", "secret-not-marked", FLAG, (f"{FLAG}/name", "--api-key")),
    (
        "warning",
        "secret-not-marked",
        f"{REMOTE}/headers/0/variables/token",
        (f"{REMOTE}/headers/0/variables/token", {}),
    ),
    # proposed
    ("note", "named-argument-value-hint", f"{FLAG}/valueHint", (f"{FLAG}/valueHint", "unit")),
    ("note", "remote-address-not-public", f"{REMOTE}/url", (f"{REMOTE}/url", "https://10.1.2.3/{tenant}")),
    ("note", "remote-address-not-public", f"{REMOTE}/url", (f"{REMOTE}/url", "https://[fe80::1]/{tenant}")),
    ("note", "remote-address-not-public", f"{REMOTE}/url", (f"{REMOTE}/url", "https://LOCALHOST/{tenant}")),
    *(
        ("note", "remote-address-not-public", f"{REMOTE}/url", (f"{REMOTE}/url", f"https://{host}/mcp"))
        for host in ("sub.LOCALHOST", "localhost.", "x.localhost.", "LocalHost")
    ),
    ("note", "repository-incomplete", "/repository/source", ("/repository/source", "")),
    ("note", "repository-incomplete", "/repository/url", ("/repository", {"url": "", "source": ""})),
    ("note", "package-version-too-long", f"{BUNDLE}/version", (f"{BUNDLE}/version", "1" * 256)),
]


@pytest.mark.parametrize(("severity", "slug", "pointer", "changes"), FAILING)
def test_one_change_makes_one_finding(
    told: Told, severity: str, slug: str, pointer: str, changes: tuple[object, ...]
) -> None:
    assert told(*changes) == [(severity, slug, pointer)]


PASSING: list[tuple[object, ...]] = [
    ("/description", "x" * 100),
    ("/description", "\U0001f600" * 100),
    ("/description", "Weather [beta] for your project"),
    ("/description", "{{DESCRIPTION}}"),
    ("/title", ...),
    ("/name", "com.acme/we.at_her-2"),
    ("/name", "{{NAME}}"),
    ("/name", "a-b/cd"),
    ("/version", "1.0.0rc1"),
    ("/version", "1.0.0.post1"),
    ("/version", "1.0.0+build.5"),
    ("/version", "2025-06-18"),
    ("/version", "v1.0"),
    ("/version", "{{VERSION}}", f"{PYPI}/version", "$VERSION"),
    ("/repository", ...),
    ("/repository/url", "http://www.github.com/acme/weather.git/"),
    ("/repository/source", "gitlab", "/repository/url", "https://gitlab.com/acme/weather"),
    ("/repository/source", "${HOST}"),
    ("/repository/subfolder", "src"),
    ("/websiteUrl", ...),
    ("/websiteUrl", "https://user@acme.example:8443/a%20b?c#d"),
    ("/icons", []),
    ("/_meta", {}),
    ("/_meta/io.modelcontextprotocol.registry~1publisher-provided", {"log": "x" * 4086}),
    ("/packages", ..., "/remotes", ...),
    ("/packages", [], "/remotes", []),
    (f"{PYPI}/registryBaseUrl", "https://pypi.org"),
    (f"{PYPI}/registryType", "npm", f"{PYPI}/registryBaseUrl", "https://registry.npmjs.org"),
    (f"{PYPI}/registryType", "cargo", f"{PYPI}/identifier", "weather"),
    (f"{IMAGE}/identifier", "acme/weather:1.2.0"),
    (f"{IMAGE}/identifier", "europe.pkg.dev/a/b/c@sha256:" + "0" * 64),
    (f"{IMAGE}/identifier", "{{OCI_IMAGE}}"),
    (f"{BUNDLE}/version", "1.2.0"),
    (f"{BUNDLE}/identifier", "https://gitlab.com/a/b/c/-/releases/v1/downloads/b.mcpb"),
    (f"{BUNDLE}/identifier", "https://gitlab.com/a/b/-/package_files/12/download?mcp"),
    (f"{IMAGE}/transport", {"type": "sse", "url": "https://localhost/sse"}),
    (f"{REMOTE}/type", "sse"),
    (f"{REMOTE}/url", "https://acme.example:{tenant}/mcp"),
    (f"{FLAG}/value", "c"),
    (f"{FLAG}/name", "-u"),
    (f"{VARIABLE}/name", "_weather_2"),
    (f"{ARGUMENT}/choices", ["Paris", "{{CITY}}"]),
]


@pytest.mark.parametrize("changes", PASSING)
def test_what_is_in_order_makes_none(told: Told, changes: tuple[object, ...]) -> None:
    assert told(*changes) == []


def test_every_code_has_a_failing_case() -> None:
    elsewhere = {
        "key-not-allowed",
        "key-newer-than-revision",
        "package-keys-former",
        "duplicate-server",
        "bundle-revision-missing",
        "bundle-revision-unknown",
        "bundle-revision-key",
        "byte-order-mark",
        "go-package-form",
    }
    judged = {code.slug for code in CODES if not needs_network(code)}
    assert {slug for _, slug, _, _ in FAILING} | elsewhere == judged


NEAR: dict[str, tuple[object, ...]] = {
    "schema-field-required": (),
    "schema-unknown": ("/$schema", URL.format("2025-12-11")),
    "schema-revision-old": (),
    "wrong-type": (f"{ARGUMENT}/isRequired", True),
    "field-required": (f"{ARGUMENT}/valueHint", ..., f"{ARGUMENT}/value", "Rome"),
    "value-not-allowed": (f"{ARGUMENT}/format", "filepath", "/icons/0/theme", "light"),
    "wrong-form": (f"{BUNDLE}/fileSha256", "a" * 64, "/icons/0/sizes/0", "48x50"),
    "wrong-length": ("/title", "x" * 100),
    "unknown-key": (f"{VARIABLE}/isRequired", False),
    "meta-key-dropped": ("/_meta/io.modelcontextprotocol.registry~1publisher-provided", {"any": {"key": 1}}),
    "description-too-long": ("/description", "\u00e9" * 100),
    "description-blank": ("/description", "."),
    "title-blank": ("/title", " W "),
    "placeholder-text": (
        *("/description", "Your todo list, in order [optional]", "/title", "Your project board"),
        *(f"{VARIABLE}/name", "MY_YOUR_THING", f"{VARIABLE}/default", "{your-key}"),
        *(
            f"{PYPI}/identifier",
            "know-your-customer",
            f"{REMOTE}/url",
            "https://{tenant}.acme.example/your-reports",
        ),
    ),
    "invalid-server-name": ("/name", "ab/cd"),
    "name-placeholder": ("/name", "com.examples/know-your-customer"),
    "name-owner-case": ("/name", "io.github.other/weather"),
    "reserved-version-string": ("/version", "1.0.0-latest"),
    "version-looks-like-range": ("/version", "1.0.0-rc.1"),
    "version-range-unnoticed": ("/version", "1!2.0"),
    "version-blank": ("/version", "0"),
    "invalid-repository-url": ("/repository/url", "https://github.com/acme/weather.git"),
    "repository-source-unsupported": (
        "/repository",
        {"source": "gitlab", "url": "https://gitlab.com/a/b"},
        "/name",
        "com.acme/weather",
    ),
    "invalid-subfolder-path": ("/repository/subfolder", "a/b-c/d_e.f"),
    "invalid-website-url": ("/websiteUrl", "https://acme.example/%20"),
    "website-url-must-be-absolute": ("/websiteUrl", "https://acme.example"),
    "website-url-invalid-scheme": ("/websiteUrl", "HTTPS://acme.example"),
    "icon-src-invalid-url": ("/icons/0/src", "https://acme.example:8443/i.png"),
    "icon-src-not-absolute": ("/icons/0/src", "https://acme.example/icon.png"),
    "icon-src-invalid-scheme": ("/icons/0/src", "https://acme.example/data:image"),
    "meta-too-large": ("/_meta/io.modelcontextprotocol.registry~1publisher-provided", {"log": "x" * 4086}),
    "package-name-has-spaces": (f"{PYPI}/identifier", "weather\t"),
    "package-identifier-empty": (f"{PYPI}/identifier", "w"),
    "registry-type-unsupported": (f"{PYPI}/registryType", "cargo", f"{PYPI}/runtimeHint", ...),
    "package-version-required": (f"{BUNDLE}/version", "1.2.0"),
    "local-version": (f"{PYPI}/registryType", "npm", f"{PYPI}/version", "1.2.0+abc"),
    "file-hash-forbidden": (f"{BUNDLE}/fileSha256", "1" * 64),
    "registry-base-url-wrong": (f"{PYPI}/registryBaseUrl", "https://pypi.org"),
    "oci-version-field": (f"{IMAGE}/identifier", "ghcr.io/acme/weather@sha256:" + "0" * 64),
    "oci-base-url": (f"{IMAGE}/identifier", "docker.io/acme/weather:1.2.0"),
    "oci-reference-invalid": (f"{IMAGE}/identifier", "ghcr.io/a_b/c-d.e:V1"),
    "oci-host-unsupported": (f"{IMAGE}/identifier", "acme.azurecr.io/weather:1"),
    "image-tag-moves": (f"{IMAGE}/identifier", "acme/weather:latest-1"),
    "mcpb-identifier": (f"{BUNDLE}/identifier", ASSET.format("-2")),
    "mcpb-hash-required": (f"{BUNDLE}/fileSha256", "f" * 64),
    "mcpb-base-url": (f"{BUNDLE}/identifier", "https://www.github.com/a/b/releases/download/v1/mcp"),
    "stdio-transport-url-not-empty": (f"{PYPI}/transport", {"type": "stdio", "url": ""}),
    "streamable-transport-url-required": (f"{IMAGE}/transport", {"type": "sse", "url": "http://h"}),
    "invalid-templated-url": (f"{IMAGE}/transport/url", "http://localhost:{--port}/"),
    "unsupported-transport-type": (f"{PYPI}/transport", {"type": "sse", "url": "http://h"}),
    "unsupported-remote-transport-type": (f"{REMOTE}/type", "sse"),
    "remote-transport-url-required": (f"{REMOTE}/url", "https://x"),
    "invalid-remote-url": (f"{REMOTE}/url", "https://localhost.example/mcp"),
    "remote-address-not-public": (f"{REMOTE}/url", "https://172.32.0.1/mcp"),
    "named-argument-name-required": (f"{FLAG}/name", "-"),
    "invalid-named-argument-name": (f"{FLAG}/name", "--{{UNITS}}"),
    "argument-value-starts-with-name": (f"{FLAG}/value", "x--units"),
    "argument-default-starts-with-name": (f"{FLAG}/default", "--unit"),
    "env-name-not-portable": (f"{VARIABLE}/name", "w2"),
    "default-not-a-choice": (f"{ARGUMENT}/default", "Rome"),
    "credentials-in-address": (
        *("/websiteUrl", "https://me@acme.example/?token={token}&monkey=1&key=weather&maxtoken=500"),
        *("/icons/0/src", "https://$USER:{{PASSWORD}}@acme.example/i.png?api_key=$KEY"),
    ),
    "key-published": (f"{VARIABLE}/default", "sk-your-own-api-key-here"),
    "secret-not-marked": (f"{VARIABLE}/isSecret", False),
    "named-argument-value-hint": (f"{ARGUMENT}/valueHint", "town"),
    "repository-incomplete": ("/repository", ...),
    "package-version-too-long": (f"{BUNDLE}/version", "1" * 255),
}
"""Slug -> what is just in order for that rule, as changes of the sound server.json."""


@pytest.mark.parametrize("slug", NEAR)
def test_what_is_just_in_order_makes_none(told: Told, slug: str) -> None:
    assert told(*NEAR[slug]) == []


def test_every_rule_has_a_pair() -> None:
    assert set(NEAR) == {slug for _, slug, _, _ in FAILING}


@pytest.mark.parametrize(("severity", "slug", "pointer", "changes"), FAILING)
def test_every_finding_says_how_to_mend_it(
    severity: str, slug: str, pointer: str, changes: tuple[object, ...]
) -> None:
    hints = {fault.hint for fault in faults_after(*changes) if fault.code.slug == slug}
    assert hints, (severity, pointer)
    assert all(re.match(r"[A-Z`].*\w.*[.?]$", hint) for hint in hints), hints


@pytest.mark.parametrize(
    ("package", "wrong"),
    [
        ({"identifier": "github.com/acme/weather", "version": "v1.0.0"}, []),
        ({"identifier": "github.com/ACME/weather/cmd", "version": "v1.0.0"}, []),
        ({"identifier": "weather", "version": "v1.0.0"}, ["identifier"]),
        ({"identifier": "github.com/other/weather", "version": "v1.0.0"}, ["identifier"]),
        ({"identifier": "github.com/acme/weather", "version": "1.0.0"}, ["version"]),
        ({"identifier": "github.com/acme/weather"}, ["version"]),
        (
            {
                "identifier": "github.com/acme/weather",
                "version": "v1",
                "registryBaseUrl": "https://goproxy.example",
            },
            ["registryBaseUrl"],
        ),
    ],
)
def test_go_packages_are_not_taken_yet_and_judged_as_proposed(
    told: Told, package: dict[str, object], wrong: list[str]
) -> None:
    found = told(PYPI, {"registryType": "go", "transport": {"type": "stdio"}, **package})
    assert found == [
        ("error", "registry-type-unsupported", f"{PYPI}/registryType"),
        *(("note", "go-package-form", f"{PYPI}/{key}") for key in wrong),
    ]


def test_a_byte_order_mark_is_a_warning_at_the_start(sound: dict[str, object]) -> None:
    raw = json.dumps(sound).encode()
    assert judge_manifest(JsonDocument("server.json", raw)) == ()
    (finding,) = judge_manifest(JsonDocument("server.json", b"\xef\xbb\xbf" + raw))
    assert (finding.code.slug, finding.severity, finding.position[:2]) == (
        "byte-order-mark",
        "warning",
        (1, 1),
    )


@pytest.mark.parametrize(
    ("revision", "newer"),
    [
        ("2025-12-11", []),
        ("2025-10-17", [f"{REMOTE}/variables"]),
        ("2025-10-11", [f"{REMOTE}/variables"]),
        ("2025-09-29", ["/title", "/icons", f"{VARIABLE}/placeholder", f"{REMOTE}/variables"]),
    ],
)
def test_keys_that_came_later_than_the_revision_of_the_file(
    told: Told, revision: str, newer: list[str]
) -> None:
    found = told("/$schema", URL.format(revision), f"{VARIABLE}/placeholder", "abc", "/titel", "x")
    assert [fault for fault in found if fault[1] == "key-newer-than-revision"] == [
        ("warning", "key-newer-than-revision", pointer) for pointer in newer
    ]
    assert ("warning", "unknown-key", "/titel") in found


def test_the_closed_packages_of_older_revisions_are_errors(told: Told) -> None:
    told_now = told("/$schema", URL.format("2025-09-29"), f"{PYPI}/titel", 1)
    assert ("error", "key-not-allowed", f"{PYPI}/titel") in told_now


@pytest.mark.parametrize(
    ("revision", "severity"), [("2025-09-29", "note"), ("2025-10-11", "error"), ("2025-12-11", "error")]
)
@pytest.mark.parametrize(
    ("slug", "pointer", "value"),
    [
        ("oci-version-field", f"{IMAGE}/version", "1.2.0"),
        ("oci-base-url", f"{IMAGE}/registryBaseUrl", "https://ghcr.io"),
        ("mcpb-base-url", f"{BUNDLE}/registryBaseUrl", "https://github.com"),
        ("invalid-remote-url", f"{REMOTE}/url", "http://acme.example/mcp"),
    ],
)
def test_what_an_older_revision_asked_for_is_a_note_there(
    told: Told, revision: str, severity: str, slug: str, pointer: str, value: str
) -> None:
    assert (severity, slug, pointer) in told("/$schema", URL.format(revision), pointer, value)


@pytest.mark.parametrize(("version", "told"), [(5, "5"), (None, "null"), ("", '""'), ([], "a list")])
def test_a_version_of_an_image_that_is_no_tag_is_not_proposed_as_one(version: object, told: str) -> None:
    fault = next(
        one for one in faults_after(f"{IMAGE}/version", version) if one.code.slug == "oci-version-field"
    )
    assert (f" is {told};" in fault.message, fault.hint) == (True, "Remove `version`.")


def test_only_the_scheme_of_an_address_is_proposed_in_lower_case() -> None:
    (fault,) = faults_after(f"{REMOTE}/url", "HTTPS://acme.example/Path/Case")
    assert (fault.code.slug, fault.hint) == ("wrong-form", 'Write "https://acme.example/Path/Case".')


def test_latest_is_the_only_fault_of_the_version_of_an_image() -> None:
    (fault,) = faults_after(f"{IMAGE}/version", "latest")
    assert fault.code.slug == "reserved-version-string"
    assert fault.hint == "Remove it: an image has its version as tag."


@pytest.mark.parametrize(
    ("value", "size"), [({}, 2), ({"a": 1}, 7), ("<>&", 20), ("\u2028", 8), ("\u00e9", 4), ("\U0001f600", 6)]
)
def test_publisher_data_is_measured_as_the_registry_writes_it(value: object, size: int) -> None:
    assert go_size(value) == size


def test_the_former_address_of_nuget_is_a_warning(told: Told) -> None:
    changes = (f"{PYPI}/registryType", "nuget", f"{PYPI}/registryBaseUrl", "https://api.nuget.org")
    assert told(*changes) == [("warning", "registry-base-url-wrong", f"{PYPI}/registryBaseUrl")]


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("https://pypi.org/", "Remove the key: it is the default."),
        (
            "https://corp",
            'Release it at https://pypi.org and remove the key; for a registry of your own set `registry = "private"`.',
        ),
    ],
)
def test_another_base_url_is_told_by_what_it_is(url: str, hint: str) -> None:
    (fault,) = faults_after(f"{PYPI}/registryBaseUrl", url)
    assert fault.hint == hint


def test_an_old_manifest_tells_which_keys_get_lost() -> None:
    package = {
        "registry_type": "pypi",
        "identifier": "weather",
        "version": "1.2.0",
        "transport": {"type": "stdio"},
    }
    faults = faults_after("/$schema", URL.format("2025-07-09"), "/packages", [package], "/remotes", ...)
    (old,) = [fault for fault in faults if fault.code.slug == "schema-revision-old"]
    assert "`packages[0].registry_type` would be dropped" in old.message


WORDS = [
    (
        ("/description", "\u00e9" * 101),
        "`description` has 101 characters; server.json 2025-12-11 allows at most 100.",
        "Shorten it; a longer text belongs into the README.",
    ),
    (
        (f"{FLAG}/default", 8000),
        "`packages[0].packageArguments[1].default` is 8000; a string is wanted.",
        'Write "8000".',
    ),
    (
        (f"{FLAG}/default", True),
        "`packages[0].packageArguments[1].default` is true; a string is wanted.",
        'Write "true".',
    ),
    (
        (f"{PYPI}/transport", {"type": "http"}),
        '`packages[0].transport.type` is "http"; allowed is stdio, streamable-http, sse.',
        'Write "type": "streamable-http".',
    ),
    (
        (f"{PYPI}/transport", {"type": "streamable-http"}),
        "`packages[0].transport` has no `url`; streamable-http needs one.",
        "Add the address as `url`.",
    ),
    (
        (f"{ARGUMENT}/valueHint", ...),
        "`packages[0].packageArguments[0]` has neither `valueHint` nor `value`; one of them is required.",
        "Add `valueHint` or `value`.",
    ),
    (
        (f"{ARGUMENT}/isRequired", "True"),
        '`packages[0].packageArguments[0].isRequired` is "True"; true or false is wanted.',
        "Write true, without quotation marks.",
    ),
    (
        (f"{BUNDLE}/fileSha256", "A1" * 32),
        f'`packages[2].fileSha256` is "{"A1" * 32}"; 64 lower-case hex digits is wanted.',
        f'Write "{"a1" * 32}".',
    ),
    (
        (f"{BUNDLE}/fileSha256", "a1"),
        '`packages[2].fileSha256` is "a1"; 64 lower-case hex digits is wanted.',
        "Write what `sha256sum FILE` prints.",
    ),
    (
        ("/icons/0/sizes/0", "48"),
        '`icons[0].sizes[0]` is "48"; WIDTHxHEIGHT or any is wanted.',
        'Write a size such as "48x48", or "any" for an image that scales.',
    ),
    (
        ("/title", "x" * 101),
        "`title` has 101 characters; at most 100 are wanted.",
        "Leave out some of the characters.",
    ),
    (
        ("/icons/0/src", "icon.png"),
        '`icons[0].src` is "icon.png"; an address that begins with https:// is wanted.',
        "Publish the image and write its whole address, or remove the key.",
    ),
    (
        (f"{IMAGE}/identifier", ""),
        "`packages[1].identifier` is empty; the name of the package is wanted.",
        "Write the image with its tag: ghcr.io/OWNER/NAME:VERSION.",
    ),
    (
        (f"{REMOTE}/type", "stdio"),
        '`remotes[0].type` is "stdio"; allowed is streamable-http, sse.',
        "Write how the address is spoken to; a program that clients start belongs to `packages`.",
    ),
    (
        (f"{REMOTE}/url", "http://acme.example/mcp"),
        '`remotes[0].url` is "http://acme.example/mcp", which is not https; a public https address is wanted.',
        "Serve it over https, and write that address.",
    ),
    (
        (f"{ARGUMENT}/format", "date"),
        '`packages[0].packageArguments[0].format` is "date"; allowed is string, number, boolean, filepath.',
        'Write "string" or "number" or "boolean" or "filepath".',
    ),
    (
        (f"{ARGUMENT}/format", "file_path"),
        '`packages[0].packageArguments[0].format` is "file_path"; allowed is string, number, boolean, filepath.',
        'Write "filepath".',
    ),
    (
        (f"{PYPI}/packageargs", []),
        "server.json has no key `packageargs` of `packages[0]`; publishing drops it without a word.",
        "Remove it; `packageArguments` is there already.",
    ),
    (
        (f"{PYPI}/env", []),
        "server.json has no key `env` of `packages[0]`; publishing drops it without a word.",
        "Remove it; `environmentVariables` is there already.",
    ),
    (
        ("/nonsense", []),
        "server.json has no key `nonsense`; publishing drops it without a word.",
        "Remove it; data for other tools goes under `_meta`.",
    ),
    (
        ("/titel", "x", "/title", ...),
        "server.json has no key `titel`; publishing drops it without a word.",
        "Did you mean `title`?",
    ),
    (
        (f"{IMAGE}/identifier", "ghcr.io/acme/weather", f"{IMAGE}/version", "1.2.0"),
        '`packages[1].version` is "1.2.0"; an image has its version in `identifier` only.',
        (
            'Write "identifier": "ghcr.io/acme/weather:1.2.0" and remove `version`, '
            "or run `mcp-lockstep migrate FILE --write`."
        ),
    ),
    (
        (f"{IMAGE}/transport/url", "http://localhost:{port}/mcp"),
        "`packages[1].transport.url` uses {port}, which is not declared in the package's arguments or variables.",
        "Write {--port}.",
    ),
    (
        ("/version", "1.0.0-next.1"),
        '`version` is "1.0.0-next.1", which the registry reads as a range for the x in it; an exact version is wanted.',
        "Use a pre-release word without an x, such as rc.",
    ),
    (
        ("/repository/url", "git@github.com:acme/weather.git"),
        (
            '`repository.url` is "git@github.com:acme/weather.git"; '
            "https://github.com/OWNER/NAME is wanted for the source github."
        ),
        'Write "https://github.com/acme/weather".',
    ),
    (
        ("/repository/source", "git"),
        '`repository.source` is "git"; the registry takes github or gitlab.',
        'Write "github".',
    ),
    (
        (f"{FLAG}/name", "--units $U"),
        '`packages[0].packageArguments[1].name` is "--units $U", with the character " "; the flag alone is wanted.',
        'Write "--units" here and what follows as `value` or `valueHint`.',
    ),
    (
        (f"{FLAG}/name", "--$units"),
        '`packages[0].packageArguments[1].name` is "--$units", with the character "$"; the flag alone is wanted.',
        "Write the flag as it is typed, without what a user chooses.",
    ),
    (
        (f"{VARIABLE}/name", "widget-mode"),
        '`packages[0].environmentVariables[0].name` is "widget-mode"; letters, digits and underscores are wanted.',
        "Call it WIDGET_MODE, here and in the code.",
    ),
]


@pytest.mark.parametrize(("changes", "message", "hint"), WORDS)
def test_the_sentence_names_the_field_what_is_there_and_what_is_wanted(
    changes: tuple[object, ...], message: str, hint: str
) -> None:
    (fault,) = faults_after(*changes)
    assert (fault.message, fault.hint) == (message, hint)


def test_a_transport_under_its_former_key_is_told_how_it_is_called_now() -> None:
    remote = {"transportType": "streamableHttp", "url": "https://acme.example/mcp"}
    faults = faults_after("/remotes", [remote])
    assert [(f.code.slug, f.pointer) for f in faults] == [
        ("unknown-key", f"{REMOTE}/transportType"),
        ("unsupported-remote-transport-type", f"{REMOTE}/type"),
    ]
    assert faults[1].hint == 'Write "type": "streamable-http".'


REJECTED = """1.x 1.2.x v1.* x.1 ^1 ^1.2.3 ^1.2.3.4 1.0.0||2.0.0 1.2-next 1.0.0-next.1 1.0.0-hotfix.1 1.0.0-fix 1.0-max
2.0.0-experimental 1.2.3-beta.x 1.2.3-x ~1 >=1 =1.0""".split()
UNNOTICED = "* x 1.2.3.x >=1.0,<2.0 ~=1.4 ==1.0.0 !=1.0 ^1.2.3+b".split()
EXACT = "1.0.0rc1 1.0.0.post1 1.0.0+build.5 2025-06-18 v1.0 1.0.0-rc.1 1.0.0-alpha abc 1!2.0".split()


@pytest.mark.parametrize("version", [*REJECTED, "1 - 2", " ^1 "])
def test_what_the_registry_takes_for_a_range(told: Told, version: str) -> None:
    for at in ("/version", f"{PYPI}/version"):
        assert told(at, version) == [("error", "version-looks-like-range", at)]


@pytest.mark.parametrize("version", [*UNNOTICED, ">=1.0 <2.0", "1- 2", "Latest", " latest"])
def test_ranges_that_the_registry_does_not_notice(told: Told, version: str) -> None:
    for at in ("/version", f"{PYPI}/version"):
        assert told(at, version) == [("warning", "version-range-unnoticed", at)]


@pytest.mark.parametrize("version", EXACT)
def test_exact_versions(told: Told, version: str) -> None:
    assert told("/version", version) == []


def test_registry_codes_are_those_of_the_registry() -> None:
    for code in CODES:
        assert all(re.fullmatch(r"[a-z]+(-[a-z]+)+", own) for own in code.registry.split())
    assert {code.slug: code.registry for code in CODES}[
        "repository-source-unsupported"
    ] == "invalid-repository-url"


REGISTRYS_OWN = """schema-field-required schema-version-extraction-error schema-version-deprecated
schema-version-not-available schema-parse-error schema-missing-id schema-resource-error schema-compile-error
schema-validation-error json-marshal-error json-unmarshal-error invalid-server-name title-whitespace-only
reserved-version-string version-looks-like-range invalid-repository-url invalid-subfolder-path invalid-website-url
website-url-must-be-absolute website-url-invalid-scheme icon-src-invalid-url icon-src-not-absolute
icon-src-invalid-scheme package-name-has-spaces stdio-transport-url-not-empty streamable-transport-url-required
invalid-templated-url unsupported-transport-type named-argument-name-required invalid-named-argument-name
argument-value-starts-with-name argument-default-starts-with-name unsupported-remote-transport-type
remote-transport-url-required invalid-remote-url""".split()


def test_every_code_of_the_registry_is_answered() -> None:
    assert {own for code in CODES for own in code.registry.split()} == set(REGISTRYS_OWN)


@pytest.mark.parametrize("version", [*REJECTED, "1 - 2"])
def test_what_the_registry_takes_for_a_range_for_an_x_is_said_to_be_none(version: str) -> None:
    _, reason, hint = fault_of_version(version)
    mistaken = re.fullmatch(r"v?[\d.]+-[\w.-]+", version) is not None
    assert (reason == "which the registry reads as a range for the x in it") is mistaken
    assert (hint == "Use a pre-release word without an x, such as rc.") is mistaken


def ranges_of_the_registry(reference: str) -> Callable[[str], bool]:
    """What the reference says that the registry refuses as a range, from its own expressions."""
    section = reference.partition("### 1h.")[2].partition("### 1i.")[0]
    found = dict(re.findall(r"^- (\w+): `(.+?)`(?:$| \*\*)", section, re.MULTILINE))
    assert list(found) == ["comparator", "hyphen", "or", "wildcard"]
    wildcard = re.compile(found.pop("wildcard").replace("\\|", "|"), re.ASCII)
    others = [re.compile(pattern, re.ASCII) for pattern in found.values()]

    def refuses(version: str) -> bool:
        bare = version.strip()
        if any(pattern.fullmatch(bare) for pattern in others):
            return True
        return wildcard.fullmatch(bare) is not None and any(c in bare for c in "xX*")

    return refuses


VERSIONS = st.one_of(
    st.text("0123xX*.-~^<>=| v+abc", max_size=12),
    st.from_regex(
        r"[~^<>=]{0,2} ?v?\d(\.(\d|x|\*)){0,4}(-[a-z0-9x.]{1,6})?( ?(\|\||-|,) ?\d(\.\d)?)?", fullmatch=True
    ),
)


@given(VERSIONS)
def test_ranges_are_what_the_reference_says(shared: Path, version: str) -> None:
    refuses = ranges_of_the_registry((shared / "reference/registry-rules.md").read_text(encoding="utf-8"))
    for text in (version, *REJECTED, *UNNOTICED, *EXACT):
        assert (fault_of_version(text)[0] is VERSION_RANGE) is refuses(text)


def test_the_table_of_versions_has_every_version_of_the_reference(shared: Path) -> None:
    reference = (shared / "reference/registry-rules.md").read_text(encoding="utf-8")
    section = reference.partition("### 1h.")[2].partition("### 1i.")[0]
    vectors = section.partition("Vectors we ran")[2]
    rejected, _, accepted = vectors.partition("accepted although ranges:")
    unnoticed, _, fine = accepted.partition("accepted, fine:")
    for text, table in (
        (rejected, {*REJECTED, "1 - 2"}),
        (unnoticed.partition("A PEP 440-aware")[0], {*UNNOTICED, ">=1.0 <2.0", "1- 2", "Latest"}),
        (fine, set(EXACT)),
    ):
        assert set(re.findall(r"`([^`]+)`", text)) <= table
    assert len(re.findall(r"`[^`]+`", vectors)) == 33
