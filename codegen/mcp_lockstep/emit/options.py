"""The options that every made server has of its own: how it speaks to clients, and where it listens."""

from __future__ import annotations

from mcp_lockstep.contract.model import Argument, Transport
from mcp_lockstep.records import NamedTuple

_TRANSPORTS = ("stdio", "http")
"""What `--transport` takes in every made server."""


class OwnOptions(NamedTuple):
    """The names and the defaults of a server's own options.

    `transports` are the words that `--transport` takes: all but `stdio` mean HTTP.
    """

    host: str = "--host"
    port: str = "--port"
    transports: tuple[str, ...] = _TRANSPORTS
    host_default: str = "127.0.0.1"
    port_default: str = "8000"

    @property
    def flags(self) -> frozenset[str]:
        """Every flag that no argument of server.json can have besides."""
        return frozenset({"-h", "--help", "--transport", self.host, self.port})


def own_options(arguments: tuple[Argument, ...], transport: Transport) -> OwnOptions:
    """The own options of a server that takes `arguments` as well.

    `--host` and `--port` of a server over stdio are the address of something else: its own ones are called
    `--http-host` and `--http-port` then.
    """
    named = {argument.name: argument for argument in arguments}
    listens = transport == "http" or "--transport" in named
    if not listens:
        return OwnOptions(_free("--host", named), _free("--port", named))
    host, port, way = (named.get(flag, Argument()) for flag in ("--host", "--port", "--transport"))
    said = (way.value, way.default, *way.choices)
    words = (word for word in said if word is not None and word not in _TRANSPORTS)
    own = OwnOptions(transports=(*_TRANSPORTS, *dict.fromkeys(words)))
    number = _settled(port)
    return own._replace(
        host_default=_settled(host) or own.host_default,
        port_default=number if number.isascii() and number.isdecimal() else own.port_default,
    )


def _free(flag: str, taken: dict[str, Argument]) -> str:
    """`flag`, or the first of its longer names that no argument has."""
    while flag in taken:
        flag = f"--http-{flag[2:]}"
    return flag


def _settled(argument: Argument) -> str:
    return argument.value or argument.default or ""
