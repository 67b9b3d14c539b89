"""How a program speaks to its clients, as far as its code says so: over stdio, or over HTTP and at which address."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mcp_lockstep.code.module import Module
from mcp_lockstep.code.modules import Origins
from mcp_lockstep.code.source import last_name
from mcp_lockstep.code.start.commands import long_flag
from mcp_lockstep.code.start.reach import Scope, reached, remembered
from mcp_lockstep.code.start.read import keyword, literal
from mcp_lockstep.code.values import is_server_call
from mcp_lockstep.records import NamedTuple

_PASSED = {
    "stdio": "stdio",
    "http": "streamable-http",
    "streamable-http": "streamable-http",
    "streamable_http": "streamable-http",
    "sse": "sse",
}
"""What is passed as `transport` -> the type in server.json."""

_RUNS = {
    "run_stdio_async": "stdio",
    "stdio_server": "stdio",
    "run_http_async": "streamable-http",
    "run_streamable_http_async": "streamable-http",
    "run_sse_async": "sse",
}
_APPS = {
    "streamable_http_app": "streamable-http",
    "http_app": "streamable-http",
    "sse_app": "sse",
    "StreamableHTTPSessionManager": "streamable-http",
    "SseServerTransport": "sse",
}
"""What makes an application that another library, mostly uvicorn, has to listen for."""

_LISTENERS = frozenset({"uvicorn.run", "uvicorn.Config"})
_OTHER_RUNS = frozenset(
    {"asyncio", "anyio", "trio", "uvloop", "uvicorn", "hypercorn", "granian", "subprocess", "typer", "click"}
)
"""Libraries with a function `run` that is no server's."""

_SERVERS = frozenset({"mcp", "server", "app"})
_PATHS = {"streamable-http": ("/mcp", "streamable_http_path"), "sse": ("/sse", "sse_path")}
_EVERYWHERE = frozenset({"0.0.0.0", "::", ""})
_WORDS = ("run", "_app(", "stdio_server", "SessionManager", "ServerTransport")


class Spoken(NamedTuple):
    """One way to speak: the type as server.json has it, and the address where it is one and is known."""

    kind: str
    url: str | None = None


class Transports(NamedTuple):
    """What a program speaks: the types that its code mentions, and what it surely speaks when it is started.

    `started` is None where that is not known; `is_open`: more than `kinds` may be spoken.
    """

    kinds: frozenset[str] = frozenset()
    started: Spoken | None = None
    is_open: bool = False


class _Sign(NamedTuple):
    """One call that speaks, or makes what does.

    `kind` is what it speaks, empty where that is computed and no default is seen; `fixed`: nothing else can be told
    to it; `app`: something must listen for it.
    """

    kind: str
    url: str | None = None
    fixed: bool = True
    app: bool = False


def read_transports(modules: Sequence[Module], entries: Iterable[str]) -> Transports:
    """What the program started at `entries` (`weather.cli:main`) speaks."""
    worth = [module for module in modules if any(word in module.text for word in _WORDS)]
    walks, options, servers = remembered(), _options(worth), _servers(worth)
    signs: list[tuple[_Sign, Scope | None]] = []
    listening: list[Scope | None] = []
    for module in worth:
        reader = _Reader(module, options, servers)
        for call, spot in walks(module).calls():
            at = (module.path, spot.scope) if spot.certain else None
            if reader.origin(call.func) in _LISTENERS:
                listening.append(at)
            if (sign := reader.sign(call)) is not None:
                signs.append((sign, at))
    kinds = frozenset(sign.kind for sign, _ in signs if sign.kind)
    is_open = not all(sign.fixed for sign, _ in signs) or any(module.findings for module in modules)
    if not kinds:
        return Transports(kinds, None, is_open)
    spots = reached(modules, walks, entries)
    listens = any(at in spots for at in listening)
    sure = [sign for sign, at in signs if at in spots and sign.kind and (listens or not sign.app)]
    if len({sign.kind for sign in sure}) != 1:
        return Transports(kinds, None, is_open)
    return Transports(kinds, Spoken(sure[0].kind, sure[0].url if len(sure) == 1 else None), is_open)


def _options(modules: Iterable[Module]) -> Mapping[str, str]:
    """What arguments of argparse are by default, by the attribute that holds them; without those told twice."""
    found: dict[str, list[str | None]] = {}
    for call in (call for module in modules for call in module.calls()):
        if last_name(call.func) == "add_argument" and call.args:
            flags = [text for arg in call.args if (text := literal(arg))]
            name = literal(keyword(call, "dest")) or long_flag(flags).lstrip("-").replace("-", "_")
            found.setdefault(name, []).append(literal(keyword(call, "default")))
    return {name: texts[0] for name, texts in found.items() if len(texts) == 1 and texts[0] is not None}


def _servers(modules: Iterable[Module]) -> Mapping[str, ast.expr]:
    """What the one server object is made with; nothing where there are several."""
    made = [call for module in modules for call in module.calls() if is_server_call(call, module.imports)]
    return {one.arg: one.value for one in made[0].keywords if one.arg} if len(made) == 1 else {}


class _Reader:
    """Reads the calls of one module."""

    def __init__(self, module: Module, options: Mapping[str, str], server: Mapping[str, ast.expr]) -> None:
        self.options = options
        self.server = server
        self.origin = Origins(module).of
        self.made = {key.rpartition(".")[2] for key, one in module.bindings.items() if _is_made(one, module)}
        self.constants = dict(_constants(module))

    def sign(self, call: ast.Call) -> _Sign | None:
        """What `call` says about how clients are spoken to; None: nothing."""
        name = last_name(call.func)
        if name in _APPS:
            return _Sign(_PASSED.get(literal(keyword(call, "transport")) or "", _APPS[name]), app=True)
        if name in _RUNS:
            return self.run(call, _RUNS[name])
        runs = name in ("run", "run_async") and isinstance(call.func, ast.Attribute)
        if not runs or self.origin(call.func).partition(".")[0] in _OTHER_RUNS:
            return None
        given = keyword(call, "transport") or (call.args[0] if call.args else None)
        if given is None:
            if not self.is_server(call.func):
                return None
            # What `run` does by itself can be told to FastMCP by a variable.
            return _Sign("" if any(one.arg is None for one in call.keywords) else "stdio", fixed=False)
        text = literal(given) or self.default(given) or ""
        if text not in _PASSED and not self.is_server(call.func):
            return None
        return self.run(call, _PASSED.get(text, ""))._replace(fixed=literal(given) in _PASSED)

    def is_server(self, func: ast.expr) -> bool:
        owner = last_name(func.value) if isinstance(func, ast.Attribute) else ""
        return owner in self.made or owner in _SERVERS

    def run(self, call: ast.Call, kind: str) -> _Sign:
        """A call that serves `kind`, with the address where that is one and is known."""
        default, own = _PATHS.get(kind, ("", ""))
        if not own or any(one.arg is None for one in call.keywords):
            return _Sign(kind)
        host, port = self.told(call, ("host",), "127.0.0.1"), self.told(call, ("port",), "8000")
        path = self.told(call, ("path", own), default)
        if not (host is not None and port and port.isdecimal() and path and path.startswith("/")):
            return _Sign(kind)
        shown = "127.0.0.1" if host in _EVERYWHERE else f"[{host}]" if ":" in host else host
        return _Sign(kind, f"http://{shown}:{port}{path}")

    def told(self, call: ast.Call, names: Sequence[str], default: str) -> str | None:
        """What `call`, or else the making of the server, passes as one of `names`; None where it is computed."""
        found = (keyword(call, name) or self.server.get(name) for name in names)
        given = next((value for value in found if value is not None), None)
        return default if given is None else self.default(given)

    def default(self, node: ast.expr, depth: int = 4) -> str | None:
        """What `node` is when nobody says anything: the default of an argument or a variable, a constant."""
        match node:
            case ast.Constant():
                return literal(node)
            case ast.Call(func=ast.Name(id="int" | "str"), args=[inner]) if depth:
                return self.default(inner, depth - 1)
            case ast.Call(args=[_, given]) if self.origin(node.func) in ("os.getenv", "os.environ.get"):
                return literal(given)
            case ast.Attribute(attr=name) if not isinstance(node.value, ast.Attribute):
                return self.options.get(name)
            case ast.Name(id=name) if name in self.constants and depth:
                return self.default(self.constants[name], depth - 1)
            case _:
                return None


def _is_made(value: ast.expr, module: Module) -> bool:
    return isinstance(value, ast.Call) and is_server_call(value, module.imports)


def _constants(module: Module) -> Iterator[tuple[str, ast.expr]]:
    """The names that a module binds once, at its top."""
    bound = [node for node in module.nodes() if isinstance(node, ast.Name)]
    stores = [node.id for node in bound if isinstance(node.ctx, ast.Store)]
    for statement in module.tree.body if module.tree is not None else ():
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if stores.count(name) == 1:
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if (
                stores.count(name) == 1
            ):
                yield name, value
            case _:
                pass
