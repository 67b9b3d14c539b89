"""Rules for how a client talks to a server: the transport of a package, and remotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import At, Fault, Manifest, Package, field, is_template, plain, shown, since
from mcp_lockstep.rules.urls import Url, parse_url

STDIO_URL = Code(
    "LS2130",
    "stdio-transport-url-not-empty",
    "error",
    "A stdio transport has a `url`.",
    "Messages go over the process's own input and output: there is no address.",
    registry="stdio-transport-url-not-empty",
)
URL_REQUIRED = Code(
    "LS2131",
    "streamable-transport-url-required",
    "error",
    "An HTTP transport of a package has no `url`.",
    "The client starts the server and then talks to this address, often http://localhost:{--port}/mcp.",
    registry="streamable-transport-url-required",
)
TEMPLATED_URL = Code(
    "LS2132",
    "invalid-templated-url",
    "error",
    "An address uses a variable that is not declared, or is none once the variables are filled in.",
    "In a package a variable is the name of an environment variable, the name of an argument with its "
    "dashes, or a `valueHint`; in a remote it is a key of `variables`. Names are compared exactly.",
    registry="invalid-templated-url",
)
TRANSPORT_TYPE = Code(
    "LS2133",
    "unsupported-transport-type",
    "error",
    "The transport of a package is of an unknown type.",
    "Types are stdio, streamable-http and sse.",
    registry="unsupported-transport-type",
)
REMOTE_TYPE = Code(
    "LS2140",
    "unsupported-remote-transport-type",
    "error",
    "A remote is of an unknown type.",
    "Types are streamable-http and sse; a server that is reached over stdio is a package.",
    registry="unsupported-remote-transport-type",
)
REMOTE_URL_REQUIRED = Code(
    "LS2141",
    "remote-transport-url-required",
    "error",
    "A remote has no `url`.",
    "The address is all that a client knows of a remote.",
    registry="remote-transport-url-required",
)
REMOTE_URL = Code(
    "LS2142",
    "invalid-remote-url",
    "error",
    "The address of a remote is not one that everybody can reach over https.",
    "The registry takes https only, and no localhost. Addresses on the user's machine belong to "
    "`packages[].transport`.",
    registry="invalid-remote-url",
)

_LOCAL = ("stdio", "streamable-http", "sse")
REMOTE = ("streamable-http", "sse")
_MEANT = {"http": "streamable-http", "streamable": "streamable-http", "streamablehttp": "streamable-http"}
_NO_HOST = "Write the whole address: https, a host, and the path of the endpoint."
_ADDRESS = "Write the whole address on the user's machine, such as http://127.0.0.1:{port}/mcp."
_TYPE_HINTS = {
    TRANSPORT_TYPE: "Write how clients speak to the program that they start: stdio, or HTTP on their own machine.",
    REMOTE_TYPE: "Write how the address is spoken to; a program that clients start belongs to `packages`.",
}
_FORMER_KEYS = ("transportType", "transport_type", "transport")
_SAMPLES = {"host": "example.com", "port": "8080", "path": "api", "protocol": "http", "scheme": "http"}
_VARIABLE = r"\{([^}]+)\}"
_LONGEST = 4_096
"""Characters of an address whose variables are looked at: to look for the end of each takes the square of them."""


def transports(_manifest: Manifest, package: Package) -> Iterator[Fault]:
    """The transport of every package is of a known type and has an address where it needs one."""
    at = package.transport
    if not at.data:
        return
    yield from _kind(at, _LOCAL, TRANSPORT_TYPE)
    kind, url = at.text("type"), at.text("url")
    if kind == "stdio" and url:
        message = f"{field(at.to('url'))} is {shown(url)}; a stdio transport has no address."
        hint = 'Remove it, or write "type": "streamable-http".'
        yield Fault(STDIO_URL, at.to("url"), message, plain(url), None, hint)
    elif kind in REMOTE and not at.data.get("url"):
        yield _no_url(at, URL_REQUIRED, kind)
    elif kind in REMOTE and url and not is_template(url):
        yield from _package_url(package, at, url)


def remotes(manifest: Manifest) -> Iterator[Fault]:
    """Every remote is of a known type, with an address that uses declared variables only."""
    for remote in manifest.remotes:
        yield from _kind(remote, REMOTE, REMOTE_TYPE)
        url = remote.text("url")
        if not remote.data.get("url"):
            yield _no_url(remote, REMOTE_URL_REQUIRED, remote.text("type") or "remote")
        elif url and not is_template(url):
            declared = tuple(remote.child("variables").data)
            yield from _undeclared(remote.to("url"), url, declared, "`variables`")


def public_remotes(manifest: Manifest) -> Iterator[Fault]:
    """Every remote has an https address that everybody can reach."""
    for remote in manifest.remotes:
        url = remote.text("url")
        if url and not is_template(url):
            yield from _remote_url(manifest, remote.to("url"), url)


def _kind(at: At, allowed: tuple[str, ...], code: Code) -> Iterator[Fault]:
    if at.data.get("type") in allowed:
        return
    former = next((key for key in _FORMER_KEYS if "type" not in at.data and at.text(key)), "type")
    kind = at.text(former)
    if not kind or is_template(kind):
        return
    folded = kind.lower().replace("-", "").replace("_", "")
    meant = _MEANT.get(folded) or (kind.lower() if kind.lower() in allowed else "")
    have = f"`{former}` {shown(kind)}" if former != "type" else shown(kind)
    yield Fault(
        code,
        at.to("type"),
        f"{field(at.to('type'))} is {have}; allowed is {', '.join(allowed)}.",
        have=kind,
        want=meant or ", ".join(allowed),
        hint=f'Write "type": "{meant}".' if meant in allowed else _TYPE_HINTS[code],
    )


def _no_url(at: At, code: Code, kind: str) -> Fault:
    message = f"{field(at.pointer)} has no `url`; {kind} needs one."
    return Fault(code, at.to("url"), message, None, "an address", "Add the address as `url`.")


def _package_url(package: Package, at: At, url: str) -> Iterator[Fault]:
    undeclared = tuple(
        _undeclared(at.to("url"), url, _declared(package), "the package's arguments or variables")
    )
    yield from undeclared
    parsed = filled_url(url)
    if not undeclared and (parsed is None or parsed.scheme not in {"http", "https"} or not parsed.host):
        message = f"{field(at.to('url'))} is {shown(url)}; an http address with a host is wanted."
        yield Fault(TEMPLATED_URL, at.to("url"), message, plain(url), "http://HOST/PATH", _ADDRESS)


def _declared(package: Package) -> tuple[str, ...]:
    names = [variable.text("name") for variable in package.variables]
    for argument in package.arguments:
        names += [argument.text("name"), argument.text("valueHint")]
    return tuple(name for name in names if name)


def _undeclared(pointer: str, url: str, declared: tuple[str, ...], where: str) -> Iterator[Fault]:
    for name in dict.fromkeys(re.findall(_VARIABLE, url[:_LONGEST]) if "{" in url else ()):
        if name in declared:
            continue
        meant = next((d for d in declared if d.strip("-").lower() == name.strip("-").lower()), "")
        yield Fault(
            TEMPLATED_URL,
            pointer,
            f"{field(pointer)} uses {{{name}}}, which is not declared in {where}.",
            have=f"{{{name}}}",
            want=f"{{{meant}}}" if meant else ", ".join(f"{{{d}}}" for d in declared) or None,
            hint=f"Write {{{meant}}}." if meant else f"Declare `{name}`.",
        )


def _remote_url(manifest: Manifest, pointer: str, url: str) -> Iterator[Fault]:
    parsed = filled_url(url)
    if parsed is None or not parsed.host:
        wrong = "which is no address with a host"
    elif parsed.scheme != "https":
        wrong = "which is not https"
    elif parsed.host in {"localhost", "127.0.0.1"} or parsed.host.endswith(".localhost"):
        wrong = "which only the machine itself can reach"
    else:
        return
    level = since(manifest, "2025-10-11") if parsed and parsed.scheme == "http" else None
    message = f"{field(pointer)} is {shown(url)}, {wrong}; a public https address is wanted."
    hint = _NO_HOST
    if "machine" in wrong:
        hint = "An address on the user's machine belongs to a package's transport."
    elif parsed and parsed.host:
        hint = "Serve it over https, and write that address."
    yield Fault(REMOTE_URL, pointer, message, plain(url), "https://HOST/PATH", hint, level)


@lru_cache(maxsize=16)
def filled_url(url: str) -> Url | None:
    """The parts of `url` with every `{variable}` filled in as the registry does before it reads the address.

    Several rules ask about the same address, one after the other.
    """
    return parse_url(substituted(url))


def substituted(url: str) -> str:
    """`url` with every `{variable}` filled in as the registry does before it reads the address."""
    if "{" not in url or len(url) > _LONGEST:
        return url
    for name, sample in _SAMPLES.items():
        url = url.replace(f"{{{name}}}", sample)
    return re.sub(_VARIABLE, "placeholder", re.sub(r":\{[^}]+\}(/|\Z)", r":8080\1", url))
