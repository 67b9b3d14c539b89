"""What one Python module says about a server, by `ast`, never importing it.

`observe` reads a file once and walks its statements only: an expression is looked at where a server, a
registration or a repeated fact can stand. Whether the object in front of `.tool` is a server is settled by
`link`, which sees all modules.
"""

from __future__ import annotations

import ast

from mcp_lockstep.code.module import Binding, Module
from mcp_lockstep.code.register import Recorder, Where
from mcp_lockstep.code.source import Parsed, dotted, last_name, parse, too_deep
from mcp_lockstep.code.values import FACTORIES, Server, Value, is_server_call, server_of, value_of
from mcp_lockstep.findings import Finding

_WORTH = (
    b"tool",
    b"mcp",
    b"MCP",
    b"Tool",
    b"erver",
    b"prompt",
    b"resource",
    b"contract",
    b"stub(",
    b"__version__",
    b"environ",
    b"getenv",
    b"Settings",
    b"argparse",
    b"click",
    b"typer",
    b"_generated",
    b"\0",
)
"""A file with none of these words registers nothing, states nothing, reads no setting and needs no generated file.

A NUL tells UTF-16, which hides them.
"""


def observe(path: str, raw: bytes) -> Module:
    """What the Python file `raw` at `path` says; a file that cannot be read is a module with a finding."""
    if not any(word in raw for word in _WORTH):
        return Module(path, raw=raw)
    return _observed(path, raw)


def parsed(module: Module) -> Module:
    """`module` with its tree, for one that only hands on what others say; itself where it was parsed already."""
    return _observed(module.path, module.raw) if module.raw else module


def _observed(path: str, raw: bytes) -> Module:
    parsed = parse(path, raw)
    if isinstance(parsed, Finding):
        return Module(path, findings=(parsed,))
    try:
        return _Walk(parsed).module()
    except RecursionError:
        return Module(path, findings=(too_deep(path),))


class _Walk:
    """One pass over the statements of a module."""

    def __init__(self, parsed: Parsed) -> None:
        self.source, self.tree = parsed
        self.recorder = Recorder(self.source)
        self.servers: list[Server] = []
        self.values: list[Value] = []
        self.bindings: dict[str, Binding] = {}
        self.classes: dict[str, tuple[str, ...]] = {}

    def module(self) -> Module:
        self.block(self.tree.body, Where())
        recorder = self.recorder
        return Module(
            self.source.path,
            tuple(recorder.functions),
            tuple(self.servers),
            tuple(self.values),
            tuple(recorder.openings),
            recorder.imports,
            self.bindings,
            recorder.defs,
            self.classes,
            self.source,
            self.tree,
        )

    def block(self, body: list[ast.stmt], where: Where) -> None:
        for statement in body:
            match statement:
                case ast.Expr(value=value):
                    self.expression(value, where)
                case ast.Assign(targets=targets, value=value):
                    self.assignment([dotted(target) for target in targets], value, where)
                case ast.AnnAssign(target=target, value=value, annotation=annotation):
                    self.assignment([dotted(target)], value or annotation, where)
                case ast.Return(value=value):
                    self.returned(value, where)
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self.function(statement, where)
                case ast.ClassDef(name=name, bases=bases, body=inner):
                    self.classes[where.scope + name] = tuple(dotted(base) for base in bases)
                    scope = f"{where.scope}{name}."
                    self.block(inner, Where(scope, scope, where.conditional))
                case ast.ImportFrom() | ast.Import():
                    self.imported(statement, where)
                case _:
                    self.nested(statement, where)

    def nested(self, statement: ast.stmt, where: Where) -> None:
        inner = where._replace(conditional=True)
        match statement:
            case ast.With(body=body) | ast.AsyncWith(body=body):
                self.block(body, where)
            case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
                self.block(statement.body, inner)
                self.block(statement.orelse, inner)
            case ast.Try() | ast.TryStar():
                self.block([*statement.body, *statement.orelse, *statement.finalbody], inner)
                for handler in statement.handlers:
                    self.block(handler.body, inner)
            case ast.Match(cases=cases):
                for case in cases:
                    self.block(case.body, inner)
            case _:
                pass

    def function(self, function: ast.FunctionDef | ast.AsyncFunctionDef, where: Where) -> None:
        self.recorder.defs[where.scope + function.name] = function
        if function.decorator_list:
            self.recorder.decorated(function, where)
        self.block(function.body, Where(f"{where.scope}{function.name}.", where.owner))

    def imported(self, statement: ast.ImportFrom | ast.Import, where: Where) -> None:
        imports = self.recorder.imports
        if isinstance(statement, ast.ImportFrom):
            origin = "." * statement.level + (f"{statement.module}." if statement.module else "")
            for alias in statement.names:
                imports[where.scope + (alias.asname or alias.name)] = origin + alias.name
            return
        for alias in statement.names:
            first = alias.name.partition(".")[0]
            imports[where.scope + (alias.asname or first)] = alias.name if alias.asname else first

    def expression(self, value: ast.expr, where: Where) -> None:
        if isinstance(value, ast.Await):
            value = value.value
        if isinstance(value, ast.Call):
            self.recorder.call(value, where)

    def returned(self, value: ast.expr | None, where: Where) -> None:
        if isinstance(value, ast.Call):
            self.made("", value, where)
            self.recorder.call(value, where)
        elif isinstance(value, ast.List):
            self.recorder.literals(value.elts, where)

    def assignment(self, names: list[str], value: ast.expr, where: Where) -> None:
        if not where.scope and "__version__" in names:
            self.version(value, where)
        match value:
            case ast.Call():
                self.made(names[0], value, where)
                self.recorder.call(value, where)
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Dict(values=items):
                self.recorder.literals(items, where)
            case ast.Constant():
                self.constant(names, value, where)
            case _:
                pass
        if isinstance(value, ast.Call | ast.Name | ast.Attribute):
            for name in filter(None, names):
                self.bindings[(where.owner if name.startswith("self.") else where.scope) + name] = value

    def constant(self, names: list[str], value: ast.Constant, where: Where) -> None:
        constants = self.recorder.constants
        for name in names:
            if not where.scope:
                first = isinstance(value.value, str) and name not in constants and not where.conditional
                constants[name] = str(value.value) if first else None
            owner, dot, attribute = name.partition(".")
            server = self.bindings.get(where.scope + owner) if attribute.endswith("version") and dot else None
            if isinstance(server, ast.Call) and is_server_call(server, self.recorder.imports):
                self.values.append(value_of(self.source, f"{where.scope}{owner}.version", value))

    def version(self, value: ast.expr, where: Where) -> None:
        """A fallback in a `try` or a second value makes it dynamic: no single literal states the version."""
        stated = value_of(self.source, "__version__", value)
        others = [other for other in self.values if other.symbol != "__version__"]
        if where.conditional or len(others) < len(self.values):
            stated = stated._replace(text=None)
        self.values = [*others, stated]

    def made(self, name: str, call: ast.Call, where: Where) -> None:
        """Record `call` when it makes a server object."""
        imports = self.recorder.imports
        if not is_server_call(call, imports):
            return
        prefix = where.owner if name.startswith("self.") else where.scope
        server = server_of(self.source, prefix + (name or last_name(call.func)), call, imports)
        self.servers.append(server)
        self.values.extend(server.repeated)
        if last_name(call.func) in FACTORIES:
            reason = f"{dotted(call.func)}() makes the tools at run time"
            self.recorder.open("tool", name, where, call, reason)
        self.recorder.passed(name, call, where)
