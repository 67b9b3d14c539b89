"""`os.environ` and `os.getenv`, under whatever names they are imported."""

from __future__ import annotations

import ast

from mcp_lockstep.code.module import Module
from mcp_lockstep.code.modules import Origins
from mcp_lockstep.code.source import dotted
from mcp_lockstep.code.start.read import Found, Need, Read, Unknown, Wrapper, keyword, literal, position_of
from mcp_lockstep.code.start.walk import Spot, Walked

_GETS = frozenset({"get", "pop", "setdefault", "__getitem__"})
_WRITES = frozenset({"update", "clear", "setdefault"})


def read_direct(module: Module, walked: Walked) -> Found:
    """Every read through `os` in one module."""
    reader = _Reader(module, walked)
    for node, spot in walked.expressions:
        reader.look(node, spot)
    return reader.found()


class _Reader:
    """Collects reads; what is left of the mentions of the environment is used as a whole."""

    def __init__(self, module: Module, walked: Walked) -> None:
        self.module = module
        self.walked = walked
        self.origin = Origins(module).of
        self.aliases: set[str] = set()
        self.used: set[int] = set()
        self.written: set[str] = set()
        self.is_rewritten = False
        self.reads: list[Read] = []
        self.unknown: list[Unknown] = []
        self.prefixes: list[str] = []
        self.wrappers: list[Wrapper] = []

    def look(self, node: ast.expr, spot: Spot) -> None:
        match node:
            case ast.Subscript(value=value, slice=key, ctx=ctx) if self.is_environ(value):
                self.used.add(id(value))
                name = self.key(key, node, spot)
                if name and isinstance(ctx, ast.Load):
                    self.add(name, node, spot, needed=True)
                elif name:
                    self.written.add(name)
            case ast.Call(func=func):
                self.call(node, func, spot)
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[other]):
                if self.is_environ(other):
                    self.used.add(id(other))
                    name = self.key(left, node, spot)
                    self.add(name, node, spot, needed=False)
            case ast.Attribute(ctx=ast.Store()) | ast.Name(ctx=ast.Store()) if (
                self.origin(node) == "os.environ"
            ):
                # `os.environ |= ...`, or another one in its place.
                self.is_rewritten = True
            case ast.Attribute() | ast.Name() if self.is_environ(node) and id(node) not in self.used:
                self.whole(node)
            case _:
                pass

    def call(self, call: ast.Call, func: ast.expr, spot: Spot) -> None:
        if self.origin(func) == "os.getenv":
            method = "get"
        elif isinstance(func, ast.Attribute) and self.is_environ(func.value):
            method = func.attr
            if method not in _GETS | _WRITES:
                return
            self.used.add(id(func.value))
        else:
            return
        key = call.args[0] if call.args else keyword(call, "key")
        if method == "update":
            self.update(call)
        if method not in _GETS or key is None:
            return
        name = self.key(key, call, spot)
        if method == "setdefault" and name:
            self.written.add(name)
        given = call.args[1] if len(call.args) > 1 else keyword(call, "default")
        default = literal(given) or literal(self.walked.fallbacks.get(id(call)))
        raising = method in ("pop", "__getitem__") and given is None
        instead = given is not None and not (isinstance(given, ast.Constant) and not given.value)
        found = self.walked.targets.get(id(call)) or self.walked.called.get(id(call), "")
        target = "" if instead or self.walked.bound.get((spot.scope, found), 0) > 1 else found
        self.add(name, call, spot, needed=raising, default=default or None, target=target)

    def update(self, call: ast.Call) -> None:
        """What `update` writes; anything where it is not spelt out."""
        names = [given.arg for given in call.keywords]
        for given in call.args:
            names += map(literal, given.keys) if isinstance(given, ast.Dict) else [None]
        self.is_rewritten |= None in names
        self.written.update(filter(None, names))

    def add(
        self,
        name: str,
        node: ast.expr,
        spot: Spot,
        *,
        needed: bool,
        default: str | None = None,
        target: str = "",
    ) -> None:
        """Keep a read; `target` is the name that holds what was read, and nothing else."""
        if not name:
            return
        need: Need = "needed" if needed and spot.certain else "optional"
        at = position_of(self.module, node)
        read = Read(name, self.module.path, at, need, default, spot.scope)
        ended = () if default or needed else self.ended(node, spot, target)
        self.reads += [read._replace(need="needed", scope=scope) for scope in ended] or [read]

    def ended(self, node: ast.expr, spot: Spot, target: str) -> tuple[str, ...]:
        """The scopes that end, surely, when what `node` reads is empty."""
        found: dict[str, None] = {}
        for tested, at in self.walked.tested:
            named = target and dotted(tested) == target and spot.scope in ("", at.scope)
            if (tested is node or named) and at.certain and spot.certain:
                found[at.scope] = None
        return tuple(found)

    def key(self, key: ast.expr, node: ast.expr, spot: Spot) -> str:
        """The name that `key` spells; empty, and an unknown read, where it is computed."""
        match key:
            case ast.Constant(value=str(text)):
                return text
            case ast.Name(id=name) if name in self.walked.constants:
                return self.walked.constants[name]
            case ast.Name(id=name):
                self.wrapper(name, spot)
            case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]):
                self.prefixes.append(start)
            case _:
                pass
        self.report(node, "the name of the variable is computed")
        return ""

    def wrapper(self, parameter: str, spot: Spot) -> None:
        function = self.module.defs.get(spot.scope)
        if function is None:
            return
        names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
        names = names[1:] if names[:1] in (["self"], ["cls"]) else names
        if parameter in names:
            self.wrappers.append(Wrapper(function.name, names.index(parameter), parameter))

    def whole(self, node: ast.expr) -> None:
        alias = self.walked.targets.get(id(node), "")
        if alias:
            self.aliases.add(alias)
        else:
            self.report(node, "the environment is used as a whole")

    def report(self, node: ast.expr, reason: str) -> None:
        self.unknown.append(Unknown(self.module.path, position_of(self.module, node), reason))

    def is_environ(self, node: ast.expr) -> bool:
        # A store to an alias is no use of it.
        if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
            return False
        return dotted(node) in self.aliases or self.origin(node) in ("os.environ", "os.environb")

    def found(self) -> Found:
        reads = (
            r._replace(need="optional") if self.is_rewritten or r.name in self.written else r
            for r in self.reads
        )
        return Found(tuple(reads), tuple(self.unknown), tuple(self.prefixes), tuple(self.wrappers))
