"""What a server.json, for whatever registry, asks of a Python server, and what has to be another way for that."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mcp_lockstep.bundled import catalog
from mcp_lockstep.contract.model import Argument, Transport, Variable
from mcp_lockstep.contract.sources import Published
from mcp_lockstep.documents.data import JsonObject, as_object
from mcp_lockstep.facts.normal import is_version, normal_version
from mcp_lockstep.findings import Finding
from mcp_lockstep.interface.inputs import argument_of, variable_of
from mcp_lockstep.interface.modern import modern
from mcp_lockstep.interface.package import nearest_first, take_packages
from mcp_lockstep.interface.said import Said
from mcp_lockstep.naming import DistributionName, distribution_name
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules import judge_data
from mcp_lockstep.rules.manifest import At
from mcp_lockstep.rules.meta import PUBLISHER

_KNOWN = frozenset(
    {"$schema", "name", "title", "description", "version", "websiteUrl", "icons", "repository", "packages"}
    | {"remotes", "_meta"}
)


class Interface(NamedTuple):
    """What a made server has of a server.json. Empty: the project's own choice.

    `runtime` are arguments of uvx and `remotes` addresses, both as server.json has them; `port` is the argument or
    environment variable that says where it listens, `path` the path there; `findings` say what is another way.
    """

    version: str = ""
    distribution: str = ""
    transport: Transport = "stdio"
    port: str = ""
    path: str = "/mcp"
    repository: JsonObject | None = None
    runtime: tuple[JsonObject, ...] = ()
    variables: tuple[Variable, ...] = ()
    arguments: tuple[Argument, ...] = ()
    headers: tuple[Variable, ...] = ()
    remotes: tuple[JsonObject, ...] = ()
    findings: tuple[Finding, ...] = ()


def interface_of(published: Published, name: str, transport: Transport | None) -> Interface:
    """What a Python server called `name` (empty: as it is) has of a server.json.

    `transport` is how it should talk to clients (None: as the server.json says).
    """
    said = Said(published)
    data = modern(published, said)
    whole = At("", data)
    same = not name or name == data.get("name")
    _say_top(whole, name, said)
    version = _version(whole, said)
    packages, remotes = nearest_first([*whole.children("packages")]), [*whole.children("remotes")]
    distribution = _distribution(packages, name or whole.text("name"), same)
    taken = take_packages(packages, f"pypi package {distribution}@{version or 'the first version'}", said)
    arguments = tuple(map(argument_of, taken.arguments))
    variables = tuple(map(variable_of, taken.variables))
    way = _transport(packages, remotes, transport, said)
    served = _served(packages) if way == "http" else None
    port, path = _address(served, arguments, variables, said)
    return Interface(
        version,
        distribution,
        way,
        port,
        path,
        _repository(whole, same, taken.first, said),
        taken.runtime,
        variables,
        arguments,
        _headers([*packages, *remotes], said),
        _remotes(remotes, same, said),
        tuple(said.findings),
    )


def _say_top(whole: At, name: str, said: Said) -> None:
    newest = catalog.newest("server")
    schema = said.original.get("$schema")
    if schema != catalog.server_url(newest):
        said.changed("/$schema", schema, catalog.server_url(newest))
    if name and name != whole.data.get("name"):
        said.changed("/name", whole.data.get("name"), name, "the name that was asked for")
    for key in whole.data:
        if key not in _KNOWN:
            said.left_out(whole.to(key), "server.json has no such key")
    if PUBLISHER in whole.child("_meta").data:
        said.left_out(whole.child("_meta").to(PUBLISHER), "it tells how the other program was published")
    for key in whole.child("_meta").data.keys() - {PUBLISHER}:
        said.left_out(whole.child("_meta").to(key), "the registry drops it")


def _version(whole: At, said: Said) -> str:
    """The version where PyPI takes it, in its spelling."""
    stated = whole.text("version")
    normal = normal_version(stated)
    if not is_version(normal) or "+" in normal:
        said.changed("/version", stated or None, "0.1.0", "a version for PyPI is wanted")
        return ""
    if normal != stated:
        said.changed("/version", stated, normal, "as PyPI spells it")
    return normal


def _distribution(packages: Sequence[At], name: str, same: bool) -> str:
    """The name on PyPI: the one that it has there, else the last part of the server's name."""
    first = next(iter(packages), None)
    if same and first is not None and first.text("registryType") == "pypi":
        try:
            return DistributionName(first.text("identifier"))
        except ValueError:
            return distribution_name(first.text("identifier"))
    return distribution_name(name.rpartition("/")[2]) if name else ""


def _transport(
    packages: Sequence[At], remotes: Sequence[At], asked: Transport | None, said: Said
) -> Transport:
    kinds = [package.child("transport") for package in packages]
    http = [at for at in kinds if at.text("type") in ("streamable-http", "sse")]
    natural: Transport = "http" if (http and len(http) == len(kinds)) or (remotes and not kinds) else "stdio"
    way = asked or natural
    for at in kinds:
        kind, wanted = at.text("type"), "stdio" if way == "stdio" else "streamable-http"
        if kind != wanted:
            said.changed(at.to("type"), kind or None, wanted, _over(kind, wanted))
            if "url" in at.data and way == "stdio":
                said.left_out(at.to("url"), "over stdio there is no address")
    return way


def _over(kind: str, wanted: str) -> str:
    if wanted == "stdio":
        return "`--transport http` serves streamable HTTP"
    return "made servers speak streamable HTTP, which took the place of SSE" if kind == "sse" else ""


def _served(packages: Sequence[At]) -> At | None:
    """The transport of the nearest package that has an address."""
    transports = (package.child("transport") for package in packages)
    return next((transport for transport in transports if transport.text("url")), None)


def _address(
    served: At | None, arguments: Sequence[Argument], variables: Sequence[Variable], said: Said
) -> tuple[str, str]:
    """What says the port, and the path, in the address of a package."""
    if served is None:
        return "", "/mcp"
    url = served.text("url")
    found = re.fullmatch(r"https?://[^/:]+(?::(?:\{([^{}]+)\}|[0-9]+))?(/[^{}?#\s]*)?", url)
    declared = {argument.name for argument in arguments} | {variable.name for variable in variables}
    port = found[1] or "" if found else ""
    port = port if port in declared and (port == "--port" or not port.startswith("-")) else ""
    path = (found[2] or "/mcp") if found else "/mcp"
    if not (found and port and url.startswith("http://127.0.0.1")):
        said.changed(served.to("url"), url, f"http://127.0.0.1:{{{port or 'a port of its own'}}}{path}")
    return port, path


def _headers(owners: Sequence[At], said: Said) -> tuple[Variable, ...]:
    """Each header once, by its name without regard to case."""
    found: dict[str, Variable] = {}
    for owner in owners:
        at = owner.child("transport") if "transport" in owner.data else owner
        for item in at.children("headers"):
            header = variable_of(item.data)
            if header.name and header.name.lower() not in found:
                found[header.name.lower()] = header
                said.changed(
                    item.pointer, header.name, "settings.headers()", "read from the requests over HTTP"
                )
            else:
                said.left_out(
                    item.pointer, "an earlier one has this name" if header.name else "it has no name"
                )
    return tuple(found.values())


def _remotes(remotes: Sequence[At], same: bool, said: Said) -> tuple[JsonObject, ...]:
    kept: list[JsonObject] = []
    for remote in remotes:
        faults = [f for f in judge_data({"remotes": [remote.data]}) if f.pointer.startswith("/remotes")]
        errors = [fault for fault in faults if (fault.level or fault.code.severity) == "error"]
        if not same:
            said.left_out(remote.pointer, "an address belongs to the name that published it first")
        elif errors:
            said.left_out(remote.pointer, errors[0].code.summary.rstrip("."))
        else:
            said.kept(remote.pointer, "it holds only if the new server answers there")
            kept.append(remote.data)
    return tuple(kept)


def _repository(whole: At, same: bool, first: At | None, said: Said) -> JsonObject | None:
    if not whole.data.get("repository"):
        return None
    faults = judge_data({"repository": whole.data["repository"]})
    broken = any(f.pointer.startswith("/repository") for f in faults if f.code.severity == "error")
    if broken or not same:
        said.left_out(
            "/repository", "it is not that of the new project" if not same else "no registry takes it"
        )
        return None
    if first is None or first.text("registryType") != "pypi":
        said.kept("/repository", "it holds only if the new project has its code there")
    return as_object(whole.data["repository"])
