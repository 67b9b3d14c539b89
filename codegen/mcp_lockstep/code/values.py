"""Literals in code that repeat a fact: `__version__`, the name and version of a server object."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from mcp_lockstep.code.source import Source, dotted, last_name
from mcp_lockstep.documents.spans import Span
from mcp_lockstep.findings import Position
from mcp_lockstep.records import NamedTuple

SERVER_CLASSES = frozenset({"MCPServer", "FastMCP", "ContractServer"})
"""Classes whose instances register tools, by their last name."""

FACTORIES = frozenset({"from_openapi", "from_fastapi", "as_proxy"})
"""Class methods that make a server whose tools are only known at run time."""

_LOW_LEVEL = "Server"


class Value(NamedTuple):
    """One place in code that states a fact: `symbol` is `__version__`, `mcp.version` or `mcp.name`.

    `text` is None when the value is only known at run time (a call, an f-string, a name). `span` holds the
    whole expression in code points, quotes included.
    """

    symbol: str
    text: str | None
    span: Span
    position: Position


class Server(NamedTuple):
    """One call that makes a server object: `symbol` is the scope-qualified target (`mcp`, `create.mcp`).

    `cls` is the class as written and `origin` where it is imported from (`fastmcp.FastMCP`; empty: not
    imported). `name` and `version` are None where the call does not pass them.
    """

    symbol: str
    cls: str
    origin: str
    name: Value | None
    version: Value | None
    position: Position
    span: Span

    @property
    def repeated(self) -> tuple[Value, ...]:
        """The values that repeat an identity fact: the version, and a name in the form of server.json."""
        name = self.name if self.name and is_manifest_name(self.name.text) else None
        return tuple(value for value in (name, self.version) if value is not None)


def is_manifest_name(text: str | None) -> bool:
    """Whether `text` has the form of a server.json name: a dotted namespace, one slash, a name."""
    namespace, slash, name = (text or "").partition("/")
    return bool(slash and name) and "/" not in name and "." in namespace and not namespace.startswith(".")


def is_server_call(call: ast.Call, imports: Mapping[str, str]) -> bool:
    """Whether `call` makes a server by the class that it names."""
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr in FACTORIES:
        func = func.value
    name = last_name(func)
    if name in SERVER_CLASSES:
        return True
    return name == _LOW_LEVEL and _origin(dotted(func), imports).startswith("mcp.")


def server_of(source: Source, symbol: str, call: ast.Call, imports: Mapping[str, str]) -> Server:
    """The server object that `call` makes and `symbol` names."""
    given = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
    name = given.get("name", call.args[0] if call.args else None)
    version = given.get("version")
    if version is None and any(keyword.arg is None for keyword in call.keywords):
        version = call
    return Server(
        symbol,
        dotted(call.func),
        _origin(dotted(call.func), imports),
        None if name is None else value_of(source, f"{symbol}.name", name),
        None if version is None else value_of(source, f"{symbol}.version", version),
        source.position(call),
        source.span(call),
    )


def value_of(source: Source, symbol: str, node: ast.expr) -> Value:
    """What `node` states for `symbol`."""
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
    return Value(symbol, text, source.span(node), source.position(node))


def _origin(name: str, imports: Mapping[str, str]) -> str:
    first, dot, rest = name.partition(".")
    origin = imports.get(first)
    return "" if origin is None else f"{origin}{dot}{rest}"
