"""The server.json that a project gets: made where there is none, filled up where something is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_lockstep.adopt.images import PLACEHOLDER
from mcp_lockstep.adopt.known import Known
from mcp_lockstep.bundled import catalog
from mcp_lockstep.code.start.transports import Spoken
from mcp_lockstep.documents.data import JsonObject, as_array, as_object, table
from mcp_lockstep.facts.normal import normal_identifier
from mcp_lockstep.rules.repository import is_plain_path


def made(known: Known, name: str, description: str, schema: str, url: str = "") -> JsonObject:
    """The whole server.json of a distribution on PyPI or of an image; keys without a value are left out. See `missing`.

    `url`: where a server for HTTP listens, if the user said so.
    """
    identifier = known.distribution.name.text if known.distribution.name else None
    version = _version_of(known)
    transport = _transport(known.speaks, url)
    packages: list[JsonObject] = []
    if known.on_pypi and identifier:
        packages.append(
            {"registryType": "pypi", "identifier": identifier, "version": version, "transport": transport}
        )
    elif known.image is not None:
        packages.append({"registryType": "oci", "identifier": known.image.reference, "transport": transport})
    data: JsonObject = {
        "$schema": _schema(schema),
        "name": name,
        "title": known.title,
        "description": description,
        "repository": _repository(known),
        "version": version,
        "websiteUrl": known.website,
        "packages": packages,
    }
    return {key: value for key, value in data.items() if value not in (None, "", [], {})}


def additions(
    data: JsonObject, known: Known, name: str, description: str, schema: str
) -> Mapping[str, object]:
    """Pointer to value for what an existing server.json lacks and cannot be published without."""
    wanted = {
        "$schema": _schema(schema),
        "name": name,
        "description": description,
        "version": _version_of(known),
    }
    found: dict[str, object] = {f"/{key}": text for key, text in wanted.items() if text and key not in data}
    identifier = known.distribution.name.text if known.distribution.name else None
    for index, item in enumerate(as_array(data.get("packages")) or ()):
        package = as_object(item) or {}
        named = package.get("identifier")
        if package.get("registryType") != "pypi" or not isinstance(named, str) or not identifier:
            continue
        if normal_identifier(named) == normal_identifier(identifier) and "version" not in package:
            found[f"/packages/{index}/version"] = _version_of(known)
    return {pointer: value for pointer, value in found.items() if value}


def _version_of(known: Known) -> str:
    """The version as it stands, a placeholder for one that is written later; empty where nobody says one."""
    stated = known.distribution.version
    if known.mode == "build" or (stated is not None and stated.text is None):
        return PLACEHOLDER
    if stated is not None:
        return stated.text or ""
    return known.image.tag.removeprefix("v") if known.image is not None else ""


def missing(data: JsonObject) -> Iterator[str]:
    """The keys that server.json cannot do without and that nobody could fill in."""
    yield from (key for key in ("name", "description", "version") if not data.get(key))
    if not (data.get("packages") or data.get("remotes")):
        yield "packages"
    transports = [table(package, "transport") for package in as_array(data.get("packages")) or ()]
    if any(one.get("type") in ("streamable-http", "sse") and not one.get("url") for one in transports):
        yield "url"


def _transport(speaks: Spoken, url: str) -> JsonObject:
    address = speaks.url or url
    return {"type": speaks.kind, **({"url": address} if address and speaks.kind != "stdio" else {})}


def _schema(label: str) -> str:
    """The address of the revision that the configuration keeps to, else of the newest."""
    revision = label.rpartition("@")[2]
    return catalog.server_url(
        revision if revision in catalog.revisions("server") else catalog.newest("server")
    )


def _repository(known: Known) -> JsonObject:
    repository = known.repository
    if repository is None:
        return {}
    place: JsonObject = {"url": repository.url, "source": repository.source}
    if known.subfolder and is_plain_path(known.subfolder):
        place["subfolder"] = known.subfolder
    return place
