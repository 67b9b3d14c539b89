"""The step `images`."""

from __future__ import annotations

import pytest

from mcp_lockstep.migrate.steps.images import images
from stepped import JsonObject, in_package, said, stepped

DIGEST = "sha256:" + "a" * 64


def image(identifier: str, **keys: object) -> JsonObject:
    return in_package(registryType="oci", identifier=identifier, **keys)


@pytest.mark.parametrize(
    ("identifier", "version", "base", "full"),
    [
        ("acme/weather", "1.2.0", None, "docker.io/acme/weather:1.2.0"),
        ("acme/weather", "1.2.0", "https://ghcr.io", "ghcr.io/acme/weather:1.2.0"),
        ("acme/weather", "1.2.0", "https://hub.docker.com/", "docker.io/acme/weather:1.2.0"),
        ("acme/weather", "1.2.0", "https://index.docker.io/v1/", "docker.io/acme/weather:1.2.0"),
        ("ghcr.io/acme/weather", "1.2.0", "https://ghcr.io", "ghcr.io/acme/weather:1.2.0"),
        ("localhost:5000/weather", "1.2.0", None, "localhost:5000/weather:1.2.0"),
        ("acme/weather", DIGEST, None, f"docker.io/acme/weather@{DIGEST}"),
        ("acme/weather", "{{VERSION}}", None, "docker.io/acme/weather:{{VERSION}}"),
        ("ghcr.io/acme/weather:1.2.0", "1.2.0", None, "ghcr.io/acme/weather:1.2.0"),
        ("acme/weather:1.2.0", None, "https://ghcr.io", "ghcr.io/acme/weather:1.2.0"),
        ("acme/weather", "latest", None, "docker.io/acme/weather:latest"),
    ],
)
def test_version_and_host_become_a_part_of_the_name(
    identifier: str, version: str | None, base: str | None, full: str
) -> None:
    given = {key: value for key, value in (("version", version), ("registryBaseUrl", base)) if value}
    after, moves = stepped(images, image(identifier, **given))
    assert after == image(full)
    pointers = [pointer for _, _, pointer in said(moves)]
    assert pointers[-len(given) :] == [f"/packages/0/{key}" for key in given]
    assert {level for level, _, _ in said(moves)} == {"note"}


@pytest.mark.parametrize(
    ("identifier", "keys"),
    [
        ("ghcr.io/acme/weather:1.2.0", {}),
        ("Acme/Weather", {"version": "1.2.0"}),
        ("acme/weather", {"version": "1.2.0+build"}),
        ("acme/weather", {"version": "1.2.0", "registryBaseUrl": "https://ghcr.io/acme"}),
        ("{{IMAGE}}", {"version": "1.2.0"}),
        ("acme/weather", {"version": 1}),
    ],
)
def test_what_is_unclear_stays_for_the_rules(identifier: str, keys: JsonObject) -> None:
    assert stepped(images, image(identifier, **keys)) == (image(identifier, **keys), ())


def test_what_contradicts_the_name_goes_with_a_warning() -> None:
    data = image("ghcr.io/acme/weather:2", version="1", registryBaseUrl="https://quay.io", fileSha256="0")
    after, moves = stepped(images, data)
    assert after == image("ghcr.io/acme/weather:2")
    assert said(moves) == [
        ("warning", "dropped", "/packages/0/fileSha256"),
        ("warning", "dropped", "/packages/0/version"),
        ("warning", "dropped", "/packages/0/registryBaseUrl"),
    ]


def test_other_packages_keep_their_version() -> None:
    data = in_package(registryType="pypi", identifier="weather", version="1")
    assert stepped(images, data) == (data, ())
