"""server.json: what is published about the server."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import JsonObject, as_array, as_object
from mcp_lockstep.facts.table import Home, Reading, State
from mcp_lockstep.findings import Place
from mcp_lockstep.placeholders import is_template

REVISION = re.compile(r"/schemas/([A-Za-z0-9_~.-]+)/server\.schema\.json")
_IMAGE_VERSION = (
    r":v?(\d[\w.-]{0,127}?)"
    r"(?:-(?:slim|alpine|bookworm|bullseye|trixie|debian|ubuntu|ubi|distroless|musl|cuda|gpu|cpu|amd64|arm64|py)[\w.-]*)?"
    r"(?:@sha256:[0-9a-f]+)?\Z"
)
"""The tag of an image without what says how it was built."""
_HOME: Home = "manifest"


def read(document: JsonDocument) -> Iterator[Reading]:
    """Name, description, schema revision, and the versions and identifiers of the packages."""
    data = as_object(document.data) or {}
    for fact in ("name", "version", "description"):
        if isinstance(value := data.get(fact), str):
            yield _reading(document, fact, f"/{fact}", value)
    if isinstance(schema := data.get("$schema"), str) and (found := REVISION.search(schema)):
        yield _reading(document, "schema", "/$schema", found[1], found.span(1))
    for index, package in enumerate(as_array(data.get("packages")) or ()):
        yield from _package(document, f"/packages/{index}", as_object(package) or {})


def _package(document: JsonDocument, pointer: str, package: JsonObject) -> Iterator[Reading]:
    match package:
        # Misspelt, it is told so; the package is this one all the same.
        case {"registryType": str(kind), "identifier": str(identifier)} if kind.strip().lower() == "pypi":
            yield _reading(document, "identifier", f"{pointer}/identifier", identifier)
        case {"registryType": "oci", "identifier": str(image)} if found := re.search(
            _IMAGE_VERSION, image, re.ASCII
        ):
            yield _reading(document, "version", f"{pointer}/identifier", found[1], found.span(1))
        case _:
            pass
    if isinstance(version := package.get("version"), str):
        yield _reading(document, "version", f"{pointer}/version", version)


def _reading(
    document: JsonDocument, fact: str, pointer: str, value: str, part: tuple[int, int] | None = None
) -> Reading:
    state: State = "stamped" if is_template(value) else "known"
    return Reading(fact, _HOME, Place(document.path, "#", pointer), value, state, part=part)
