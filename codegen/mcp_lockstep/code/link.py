"""What the modules of a package say together: which objects are servers, and what is registered on them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from mcp_lockstep.code.codes import DUPLICATE_TOOL, DYNAMIC_TOOL
from mcp_lockstep.code.injected import FunctionNode
from mcp_lockstep.code.module import LISTED, Binding, Function, Kind, Module, Opening
from mcp_lockstep.code.modules import Modules
from mcp_lockstep.code.register import describe, scopes
from mcp_lockstep.code.source import dotted
from mcp_lockstep.code.values import FACTORIES, SERVER_CLASSES
from mcp_lockstep.findings import Finding, Place, Position
from mcp_lockstep.records import NamedTuple

_HINTS = ("mcp", "server")
_DEPTH = 16


class Surface(NamedTuple):
    """What a package registers, in the order of `modules` and of the lines in each.

    `functions` are registrations on objects that are servers (stubs are left out); `openings` say why a list
    is not fully known; `findings` are unreadable files, dynamic and duplicate registrations.
    """

    functions: tuple[Function, ...] = ()
    openings: tuple[Opening, ...] = ()
    findings: tuple[Finding, ...] = ()
    modules: Mapping[str, Module] = {}

    def of(self, kind: Kind) -> dict[str, Function]:
        """The registrations of `kind` by name; the first of two with one name; computed names left out."""
        found: dict[str, Function] = {}
        for function in self.functions:
            if function.kind == kind and function.name is not None:
                found.setdefault(function.name, function)
        return found

    def is_open(self, kind: Kind) -> bool:
        """Whether more of `kind` may be registered than `functions` shows."""
        return any(opening.kind == kind for opening in self.openings)


def link(modules: Iterable[Module]) -> Surface:
    """The surface of the package or packages that `modules` make up."""
    linker = _Linker({module.path: module for module in modules})
    functions: list[Function] = []
    servers: list[str | None] = []
    openings: list[Opening] = []
    for module in linker.modules.values():
        openings += [_hidden(module, kind) for kind in LISTED if module.findings]
        for function in module.functions:
            opening = linker.judge(module, function)
            if isinstance(opening, Opening):
                openings.append(opening)
            elif opening:
                functions.append(linker.completed(function))
                servers.append(linker.owner(module, function))
        openings += [
            found for found in module.openings if linker.is_server(module, found.scope, found.server)
        ]
    findings = [finding for module in linker.modules.values() for finding in module.findings]
    findings += [_dynamic(opening) for opening in openings if opening.server]
    findings += _duplicates([*zip(functions, servers, strict=True)])
    return Surface(tuple(functions), tuple(openings), tuple(findings), linker.modules)


def stubs(module: Module) -> dict[str, Function]:
    """The typed stubs of a generated `stubs.py` by tool name."""
    return {f.name: f for f in module.functions if f.kind == "stub" and f.name is not None}


class _Linker:
    """Follows names through assignments, parameters, imports, factories and base classes."""

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self.modules = modules
        self.names = Modules(modules.values())
        self._known: dict[tuple[str, str, str], str | None] = {}

    def judge(self, module: Module, function: Function) -> Opening | bool:
        """Whether `function` is registered on a server; an opening when that, or its name, is unknown."""
        if function.kind == "stub":
            return False
        known = function.how in {"literal", "contract"} or self.is_server(
            module, function.scope, function.server
        )
        followed = function.node is not None or function.how == "literal"
        if known and function.name is None and not followed:
            return False
        if known and function.name is None:
            reason = "its name is computed at run time"
            server = function.server or "Tool"
            return Opening(function.kind, function.path, server, function.scope, function.position, reason)
        if known is None:
            reason = f"what {function.server or 'the object'} is cannot be told"
            return Opening(function.kind, function.path, "", function.scope, function.position, reason)
        return known

    def completed(self, function: Function) -> Function:
        """`function` with the def that it imports, where that def is in the package."""
        if function.node is not None or not function.symbol:
            return function
        module, rest = self.names.target(self.modules[function.path], function.symbol)
        node = module.defs.get(rest) if module else None
        if module is None or node is None or module.source is None:
            return function
        described = describe(module.source, node, method=False)
        return described._replace(
            kind=function.kind,
            how=function.how,
            name=function.name,
            stated=function.stated,
            server=function.server,
            symbol=rest,
            conditional=function.conditional,
        )

    def owner(self, module: Module, function: Function) -> str | None:
        """The server that `function` is registered on; a package has one contract."""
        if function.how == "contract":
            return "contract"
        return self.identity(module, function.scope, function.server)

    def is_server(self, module: Module, scope: str, name: str) -> bool | None:
        """Whether the expression `name` in `scope` is a server; None when that cannot be told."""
        identity = self.identity(module, scope, name)
        return None if identity is None else identity != ""

    def identity(self, module: Module, scope: str, name: str) -> str | None:
        """One text for one server object however it is reached; empty: no server; None: cannot be told."""
        key = (module.path, scope, name)
        if key not in self._known:
            self._known[key] = None
            found = self.resolve(module, scope, name, _DEPTH)
            if found is None and name.rpartition(".")[2].lower().strip("_").endswith(_HINTS):
                found = f"{module.path}::{scope}{name}"
            self._known[key] = found
        return self._known[key]

    def resolve(self, module: Module, scope: str, name: str, depth: int) -> str | None:
        if depth <= 0 or not name:
            return None
        first = name.partition(".")[0]
        for prefix in scopes(scope):
            binding = module.bindings.get(prefix + name)
            if binding is not None:
                return self.bound(module, prefix, name, binding, depth - 1)
            found = self.parameter(module, prefix, name, depth)
            if found is not None:
                return found
            if prefix + first in module.imports:
                other, rest = self.names.target(module, module.imports[prefix + first] + name[len(first) :])
                return self.resolve(other, "", rest, depth - 1) if other else None
        return self.resolve(module, scope, name[5:], depth - 1) if name.startswith("self.") else None

    def bound(self, module: Module, scope: str, name: str, binding: Binding, depth: int) -> str | None:
        if isinstance(binding, ast.Call):
            made = self.makes(module, scope, dotted(binding.func), depth)
        else:
            made = self.is_class(module, scope, dotted(binding), depth) or None
        if made is None and not isinstance(binding, ast.Call) and dotted(binding) != name:
            return self.resolve(module, scope, dotted(binding), depth)
        return _verdict(made, f"{module.path}::{scope}{name}")

    def parameter(self, module: Module, scope: str, name: str, depth: int) -> str | None:
        node = module.defs.get(scope.rstrip("."))
        if node is None or "." in name:
            return None
        for arg in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
            if arg.arg == name:
                made = self.is_class(module, scope, _class_name(arg.annotation), depth - 1)
                return _verdict(made, f"{module.path}::{scope}{name}")
        return None

    def makes(self, module: Module, scope: str, callee: str, depth: int) -> bool | None:
        """Whether calling `callee` makes a server: a class, or a function that returns one."""
        if depth <= 0 or not callee:
            return None
        owner, _, method = callee.rpartition(".")
        if method in FACTORIES:
            return self.is_class(module, scope, owner, depth)
        made = self.is_class(module, scope, callee, depth)
        if made is not None:
            return made
        for prefix in scopes(scope):
            node = module.defs.get(prefix + callee)
            if node is not None:
                return self.returns(module, prefix + callee, node, depth)
        origin = _origin(module, scope, callee)
        other, rest = self.names.target(module, origin) if origin else (None, "")
        return self.makes(other, "", rest, depth - 1) if other and rest else None

    def returns(self, module: Module, symbol: str, node: FunctionNode, depth: int) -> bool | None:
        annotated = dotted(node.returns)
        if annotated and self.is_class(module, symbol.rpartition(".")[0], annotated, depth):
            return True
        for statement in reversed(node.body):
            if isinstance(statement, ast.Return) and statement.value is not None:
                value = statement.value
                if isinstance(value, ast.Call):
                    return self.makes(module, f"{symbol}.", dotted(value.func), depth - 1)
                found = self.resolve(module, f"{symbol}.", dotted(value), depth - 1)
                return None if found is None else found != ""
        return None

    def is_class(self, module: Module, scope: str, name: str, depth: int) -> bool | None:
        """Whether `name` is a server class; False for another class, None when it is no class we know."""
        if depth <= 0 or not name:
            return None
        for prefix in scopes(scope):
            bases = module.classes.get(prefix + name)
            if bases is not None:
                return any(self.is_class(module, prefix, base, depth - 1) for base in bases)
        origin = _origin(module, scope, name)
        if origin:
            other, rest = self.names.target(module, origin)
            if other and rest:
                return self.is_class(other, "", rest, depth - 1)
        last = (origin or name).rpartition(".")[2]
        if last in SERVER_CLASSES or (origin.startswith("mcp.") and last == "Server"):
            return True
        return False if origin and not origin.startswith(".") and last[:1].isupper() else None


def _verdict(made: bool | None, identity: str) -> str | None:
    return None if made is None else identity if made else ""


def _class_name(annotation: ast.expr | None) -> str:
    """The dotted class that an annotation names, without subscripts, quotes and `| None`."""
    while isinstance(annotation, ast.Subscript | ast.BinOp):
        annotation = annotation.value if isinstance(annotation, ast.Subscript) else annotation.left
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value.partition("[")[0].partition("|")[0].strip()
    return dotted(annotation)


def _origin(module: Module, scope: str, name: str) -> str:
    first, _, _ = name.partition(".")
    for prefix in scopes(scope):
        if prefix + first in module.imports:
            return module.imports[prefix + first] + name[len(first) :]
    return ""


def _hidden(module: Module, kind: Kind) -> Opening:
    return Opening(kind, module.path, "", "", Position(), "the file cannot be read")


def _dynamic(opening: Opening) -> Finding:
    return Finding(
        DYNAMIC_TOOL,
        Place(opening.path),
        f"a {opening.kind} is registered on {opening.server} that cannot be followed: {opening.reason}",
        opening.position,
        hint="Register a def under a literal name to have it compared.",
    )


def _duplicates(functions: list[tuple[Function, str | None]]) -> list[Finding]:
    seen: dict[tuple[str, str | None, str | None], Function] = {}
    found: list[Finding] = []
    for function, server in functions:
        if function.kind == "resource" or function.conditional or not server:
            continue
        first = seen.setdefault((function.kind, server, function.name), function)
        if first is not function:
            found.append(_duplicate(first, function))
    return found


def _duplicate(first: Function, second: Function) -> Finding:
    where = f"{first.path}:{first.position.line}"
    return Finding(
        DUPLICATE_TOOL,
        Place(second.path, "::", second.symbol),
        f"{second.kind} {second.name!r} is registered twice: {second.symbol} and {first.symbol} ({where})",
        second.position,
        have=second.symbol,
        hint="Rename or remove one of the two.",
    )
