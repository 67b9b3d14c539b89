"""Every kind of package x hint x runtime arguments x arguments x version x address, against a table.

A row is the command with `R` where the runtime arguments stand, `V` for the version and `A` for the arguments; words
that are only there with arguments stand behind `?`. Order and words are those of the clients that start server.json
today: runner, its arguments, variables of a container, another registry's address, the package, what it gets.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest

from packages import launch, named, positional

PYPI, NPM = "https://pypi.acme.internal/simple", "https://npm.acme.internal"
NUGET = "https://nuget.acme.internal/v3/index.json"


class Row(NamedTuple):
    """A kind with a hint (empty: none): what is typed before and after the runtime arguments, and for an address."""

    kind: str
    hint: str
    identifier: str
    runtime: str
    command: str
    address: str = ""
    elsewhere: str = ""


ROWS = (
    Row("pypi", "", "weather", "--python 3.12", "uvx R {} weather@V A", PYPI, f"--index-url {PYPI}"),
    Row("pypi", "uvx", "weather", "--python 3.12", "uvx R {} weather@V A", PYPI, f"--index-url {PYPI}"),
    Row("pypi", "uv", "weather", "tool run", "uv R {} weather@V A", PYPI, f"--index-url {PYPI}"),
    Row("pypi", "pipx", "weather", "run", "pipx R {} weather==V A", PYPI, f"--index-url {PYPI}"),
    Row("npm", "", "@acme/weather", "-y", "npx R {} @acme/weather@V A", NPM, f"--registry {NPM}"),
    Row("npm", "npx", "@acme/weather", "-y", "npx R {} @acme/weather@V A", NPM, f"--registry {NPM}"),
    Row("npm", "bunx", "@acme/weather", "--bun", "bunx R {} @acme/weather@V A", NPM, f"--registry {NPM}"),
    Row("nuget", "", "A.W", "--prerelease", "dnx R A.W@V --yes {} ? A", NUGET, f"--source {NUGET}"),
    Row("nuget", "dnx", "A.W", "--prerelease", "dnx R A.W@V --yes {} ? A", NUGET, f"--source {NUGET}"),
    Row("oci", "", "ghcr.io/acme/w:1.2.0", "--init", "docker run -i --rm R -e KEY ghcr.io/acme/w:1.2.0 A"),
    Row("oci", "docker", "quay.io/a/w:1", "--init", "docker run -i --rm R -e KEY quay.io/a/w:1 A"),
    Row("oci", "podman", "acme/w:1", "--init", "podman run -i --rm R -e KEY acme/w:1 A"),
    Row(
        "oci",
        "",
        "images.acme.internal/w:1",
        "--init",
        "docker run -i --rm R -e KEY images.acme.internal/w:1 A",
    ),
    Row("cargo", "", "weather", "--x", ""),
    Row("mcpb", "", "https://github.com/a/b/releases/download/v1/mcp.mcpb", "--x", ""),
    Row("mcpb", "node", "https://github.com/a/b/releases/download/v1/mcp.mcpb", "--x", ""),
    Row("gem", "", "weather", "--x", ""),
)
BOTH = (False, True)
VERSIONS = ("1.2.0", "latest", "2.0.0-rc.1", None)


def words(row: Row, version: str | None, runtime: bool, arguments: bool, elsewhere: bool) -> Iterator[str]:
    for word in row.command.split():
        match word:
            case "R":
                yield from row.runtime.split() if runtime else ()
            case "A":
                yield from ("serve", "--days", "3") if arguments else ()
            case "?":
                yield from ("--",) if arguments else ()
            case "{}":
                yield from row.elsewhere.split() if elsewhere else ()
            case _ if word.endswith("V"):
                yield word[:-1] + version if version else word[:-1].rstrip("@=")
            case _:
                yield word


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.kind} {row.hint} {row.identifier[-16:]}".strip())
def test_commands(row: Row) -> None:
    """32 commands for each row; an image has no version and no address beside the identifier."""
    for version, runtime, arguments, elsewhere in product(VERSIONS, BOTH, BOTH, BOTH):
        image = row.kind == "oci"
        more: dict[str, object] = {
            "version": None if image else version,
            "runtimeHint": row.hint or None,
            "runtimeArguments": [positional(word) for word in row.runtime.split()] if runtime else None,
            "packageArguments": [positional("serve"), named("--days", "3")] if arguments else None,
            "registryBaseUrl": row.address if elsewhere and not image else None,
            "environmentVariables": [{"name": "KEY", "isSecret": True, "isRequired": True}],
        }
        found = launch(row.kind, row.identifier, **more)
        assert [*found.argv] == [*words(row, version, runtime, arguments, elsewhere)], more
        assert found.env == ("KEY",)


PUBLIC = [
    ("pypi", "https://pypi.org"),
    ("pypi", "https://pypi.org/"),
    ("pypi", "https://pypi.python.org/simple"),
    ("npm", "https://registry.npmjs.org"),
    ("nuget", "https://api.nuget.org/v3/index.json"),
    ("nuget", "https://api.nuget.org"),
    ("cargo", "https://crates.io"),
    ("mcpb", "https://github.com"),
]


@pytest.mark.parametrize(("kind", "address"), PUBLIC)
def test_the_public_registries_are_not_named(kind: str, address: str) -> None:
    assert launch(kind, registryBaseUrl=address).argv == launch(kind).argv


@pytest.mark.parametrize(
    "address", ["https://pypi.org.acme.internal/simple", "https://acme.internal/pypi.org"]
)
def test_an_address_that_looks_like_a_public_one_is_named(address: str) -> None:
    assert launch(registryBaseUrl=address).command == f"uvx --index-url {address} weather@1.2.0"


@pytest.mark.parametrize(
    ("kind", "option", "command"),
    [
        ("pypi", "--index-url", f"uvx --index-url {PYPI} weather@1.2.0"),
        ("npm", "--registry", f"npx --registry {PYPI} weather@1.2.0"),
        ("nuget", "--source", f"dnx --source {PYPI} weather@1.2.0 --yes"),
    ],
)
def test_an_address_that_the_runner_is_told_already_is_not_named_twice(
    kind: str, option: str, command: str
) -> None:
    found = launch(kind, registryBaseUrl="https://other.internal", runtimeArguments=[named(option, PYPI)])
    assert found.command == command


def test_the_key_in_an_address_is_for_the_runner_alone() -> None:
    found = launch(registryBaseUrl="https://me:hunter2@pypi.acme.internal/simple")
    assert found.command == "uvx --index-url '***' weather@1.2.0"
    assert found.words[2].text == "https://me:hunter2@pypi.acme.internal/simple"


@pytest.mark.parametrize("version", VERSIONS)
def test_an_old_image_has_its_version_and_host_beside_the_identifier(version: str | None) -> None:
    found = launch("oci", "acme/w", version=version, registryBaseUrl="https://images.acme.internal")
    tag = f":{version}" if version else ""
    assert found.argv == ("docker", "run", "-i", "--rm", f"images.acme.internal/acme/w{tag}")
