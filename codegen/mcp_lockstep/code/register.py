"""Registrations: from decorators and calls to `Function`s and `Opening`s."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from mcp_lockstep.code.injected import FunctionNode, injected_parameters
from mcp_lockstep.code.module import Function, How, Kind, Opening
from mcp_lockstep.code.source import Source, Spanned, dotted, is_none, last_name
from mcp_lockstep.records import NamedTuple

METHODS: Mapping[str, tuple[Kind, How]] = {
    "tool": ("tool", "decorator"),
    "prompt": ("prompt", "decorator"),
    "resource": ("resource", "decorator"),
    "contract": ("tool", "contract"),
    "contract_prompt": ("prompt", "contract"),
    "contract_resource": ("resource", "contract"),
}
"""Methods of a server that make a decorator."""

_ADDERS: Mapping[str, Kind] = {"add_tool": "tool", "add_prompt": "prompt", "add_resource": "resource"}
_OPENERS = frozenset({"mount", "import_server", "add_provider", "add_transform", "remove_tool"})
_KEEP = "mcp-lockstep: keep"
_KEEP_LINE = r"#\s*mcp-lockstep:\s*keep\b[^\"']*$"


class Where(NamedTuple):
    """Where a statement stands.

    `scope` and `owner` are the dotted prefixes of its scope and of the class around it; `conditional`: it is
    under an `if`, `try` or loop.
    """

    scope: str = ""
    owner: str = ""
    conditional: bool = False


class Registration(NamedTuple):
    """What is registered, in the words of `Function`; a `name` that is empty is the function's own."""

    kind: Kind
    how: How
    server: str
    name: str | None
    stated: ast.expr | None


class Recorder:
    """Collects the registrations of one module; `defs` and `imports` are filled by the walk as it goes."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.functions: list[Function] = []
        self.openings: list[Opening] = []
        self.imports: dict[str, str] = {}
        self.defs: dict[str, FunctionNode] = {}
        self.constants: dict[str, str | None] = {}
        self._keeps = _KEEP in source.text

    def decorated(self, function: FunctionNode, where: Where) -> None:
        """Record what the decorators of `function` register."""
        for decorator in function.decorator_list:
            call = decorator if isinstance(decorator, ast.Call) else None
            target = call.func if call else decorator
            if isinstance(target, ast.Attribute) and target.attr in METHODS:
                self._function(self._made(target, call, function.name), where, function)
            elif isinstance(target, ast.Attribute) and target.attr == "list_tools":
                self._listing(function, dotted(target.value), where)
            elif call and isinstance(target, ast.Name) and target.id == "stub":
                stub = Registration("stub", "contract", "", self._named(call, None), _stated(call))
                self._function(stub, where, function)

    def call(self, call: ast.Call, where: Where) -> None:
        """Record what a call that is a statement of its own, or the value of one, registers."""
        func = call.func
        if isinstance(func, ast.Call) and isinstance(func.func, ast.Attribute) and func.func.attr in METHODS:
            self._applied(func, func.func, call, where)
        elif _is_tool_literal(call):
            self._literal(call, where)
        elif isinstance(func, ast.Attribute):
            self._method(func, call, where)

    def literals(self, items: list[ast.expr], where: Where) -> None:
        """Record the `Tool(...)` literals among `items`."""
        for item in items:
            if isinstance(item, ast.Call) and _is_tool_literal(item):
                self._literal(item, where)

    def passed(self, server: str, call: ast.Call, where: Where) -> None:
        """Record what the constructor call of a server registers through `tools=`."""
        for keyword in call.keywords:
            if keyword.arg != "tools":
                continue
            if isinstance(keyword.value, ast.List | ast.Tuple):
                for item in keyword.value.elts:
                    self._added("tool", server, item, item, where)
            else:
                self.open("tool", server, where, keyword.value, "the tools passed to the server are computed")

    def open(self, kind: Kind, server: str, where: Where, at: Spanned, reason: str) -> None:
        """Record that the list of `kind` on `server` is not fully known."""
        position = self.source.position(at)
        self.openings.append(Opening(kind, self.source.path, server, where.scope, position, reason))

    def _made(self, method: ast.Attribute, call: ast.Call | None, own: str) -> Registration:
        """What a method of a server registers; `own` is the name of a tool or prompt that is given none."""
        kind, how = METHODS[method.attr]
        plain = own if how == "decorator" and kind != "resource" else None
        return Registration(kind, how, dotted(method.value), self._named(call, plain), _stated(call))

    def _applied(self, made: ast.Call, method: ast.Attribute, call: ast.Call, where: Where) -> None:
        registration = self._made(method, made, "")
        if registration.how == "decorator":
            registration = registration._replace(how="call")
        self._behind(registration, call.args[0] if call.args else None, call, where)

    def _method(self, func: ast.Attribute, call: ast.Call, where: Where) -> None:
        given = call.args[0] if call.args else None
        server = dotted(func.value)
        if func.attr in _ADDERS:
            self._added(_ADDERS[func.attr], server, given, call, where)
        elif func.attr == "tool" and given is not None and not isinstance(given, ast.Constant):
            added = Registration("tool", "call", server, self._keyword(call, ""), _stated(call))
            self._behind(added, given, call, where)
        elif func.attr in _OPENERS:
            self.open("tool", server, where, call, f"{dotted(func)}() changes the tools at run time")
        elif func.attr in {"append", "extend"} and given is not None:
            self.literals(given.elts if isinstance(given, ast.List) else [given], where)

    def _added(self, kind: Kind, server: str, given: ast.expr | None, at: ast.expr, where: Where) -> None:
        """`add_tool(fn, name=...)`, `add_tool(Tool.from_function(fn))`, an item of `tools=[...]`."""
        named = at if isinstance(at, ast.Call) else None
        if isinstance(given, ast.Call) and last_name(given.func) == "from_function":
            named, given = given, given.args[0] if given.args else None
        if kind == "resource":
            self.open(kind, server, where, at, "a resource object is made at run time")
            return
        added = Registration(kind, "call", server, self._keyword(named, ""), _stated(named))
        self._behind(added, given, at, where)

    def _behind(self, registration: Registration, given: ast.expr | None, at: ast.expr, where: Where) -> None:
        """Record the registration at `at` of the function that `given` names."""
        found = self._lookup(dotted(given), where)
        imported = "" if found else self._imported(dotted(given), where)
        if registration.name == "":
            own = found[1].name if found else imported.rpartition(".")[2]
            registration = registration._replace(name=own or None)
        if found:
            symbol, node = found
            self._function(registration, where, node, symbol)
            return
        self._unseen(registration, imported, at, where)
        if not imported:
            reason = "the function that is registered is no def of this package"
            self.open(registration.kind, registration.server, where, at, reason)

    def _unseen(self, registration: Registration, symbol: str, at: ast.expr, where: Where) -> None:
        """Record a registration at `at` whose function is not in this module, or that has none."""
        kind, how, server, name, stated = registration
        position, span = self.source.position(at), self.source.span(at)
        self.functions.append(
            Function(
                self.source.path, kind, how, name, server, where.scope, symbol, position, span, stated=stated
            )
        )

    def _listing(self, function: FunctionNode, server: str, where: Where) -> None:
        """A low-level list handler: its list is closed only when it is one list of `Tool` literals."""
        last = function.body[-1]
        value = last.value if isinstance(last, ast.Return) else None
        for item in value.elts if isinstance(value, ast.List) else [value]:
            if not (isinstance(item, ast.Call) and _is_tool_literal(item)):
                self.open("tool", server, where, function, "the list handler computes its list")
                return

    def _literal(self, call: ast.Call, where: Where) -> None:
        named = Registration("tool", "literal", "", self._named(call, None), _stated(call))
        self._unseen(named, "", call, where)

    def _function(
        self, registration: Registration, where: Where, node: FunctionNode, symbol: str = ""
    ) -> None:
        symbol = symbol or where.scope + node.name
        described = describe(self.source, node, method=symbol.rpartition(".")[0] + "." == where.owner)
        self.functions.append(
            described._replace(
                kind=registration.kind,
                how=registration.how,
                name=registration.name,
                stated=registration.stated,
                server=registration.server,
                scope=where.scope,
                symbol=symbol,
                conditional=where.conditional,
                keep=self._keeps and _is_kept(self.source, node),
            )
        )

    def _lookup(self, name: str, where: Where) -> tuple[str, FunctionNode] | None:
        if name.startswith(("self.", "cls.")):
            symbol = where.owner + name.partition(".")[2]
            node = self.defs.get(symbol)
            return (symbol, node) if node else None
        for scope in scopes(where.scope):
            node = self.defs.get(scope + name)
            if node:
                return scope + name, node
        return None

    def _imported(self, name: str, where: Where) -> str:
        """The dotted origin of an imported `name`; empty when it is not imported."""
        first, dot, rest = name.partition(".")
        for scope in scopes(where.scope):
            if scope + first in self.imports:
                return f"{self.imports[scope + first]}{dot}{rest}"
        return ""

    def _named(self, call: ast.Call | None, plain: str | None) -> str | None:
        """The name or URI that `call` passes; `plain` when it passes none; None when it is computed."""
        if call is None:
            return plain
        if call.args:
            return self._text(call.args[0])
        return self._keyword(call, plain)

    def _keyword(self, call: ast.Call | None, plain: str | None) -> str | None:
        if call is None:
            return plain
        for keyword in call.keywords:
            if keyword.arg in {"name", "uri"}:
                return plain if is_none(keyword.value) else self._text(keyword.value)
            if keyword.arg is None:
                return None
        return plain

    def _text(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, str) else None
        return self.constants.get(node.id) if isinstance(node, ast.Name) else None


def describe(source: Source, node: FunctionNode, *, method: bool) -> Function:
    """The function of `node` by itself, as a registration that only lacks its name, server and scope."""
    contexts = injected_parameters(node, method=method)
    first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
    start, end = source.offset(first, node.col_offset), source.span(node)[1]
    name = source.text.find(node.name, source.offset(node.lineno, node.col_offset) + 4)
    return Function(
        source.path,
        "tool",
        "call",
        node.name,
        "",
        "",
        node.name,
        source.between(name, name + len(node.name)),
        (start, end),
        node,
        contexts,
        node.args.kwarg is not None,
        untouched=_is_untouched(source, node, start, end),
    )


def _is_tool_literal(node: ast.Call) -> bool:
    """Whether `node` is a wire object with its schema written out, as low-level servers list them."""
    if last_name(node.func) != "Tool":
        return False
    return any(keyword.arg in {"inputSchema", "input_schema"} for keyword in node.keywords)


def scopes(scope: str) -> list[str]:
    """The dotted prefixes to look a name up in, from `scope` outwards: `a.b.`, `a.`, and the empty one."""
    found = [scope]
    while scope:
        scope = scope[: scope.rstrip(".").rfind(".") + 1]
        found.append(scope)
    return found


def _stated(call: ast.Call | None) -> ast.expr | None:
    """The description that a registration passes, or what may hold one."""
    keywords = call.keywords if call is not None else ()
    return next((keyword.value for keyword in keywords if keyword.arg in ("description", None)), None)


def _is_untouched(source: Source, node: FunctionNode, start: int, end: int) -> bool:
    body = node.body
    documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    if len(body) != 1 + documented or not isinstance(body[-1], ast.Raise):
        return False
    raised = body[-1].exc
    name = raised.func if isinstance(raised, ast.Call) and not raised.args else raised
    if not (isinstance(name, ast.Name) and name.id == "NotImplementedError") or body[-1].cause:
        return False
    head = source.text[start : source.offset(body[0].lineno, body[0].col_offset)]
    tail = source.text[source.span(body[0])[1] : end]
    return "#" not in head and "#" not in tail and "#" not in _rest_of_line(source.text, end)


def _rest_of_line(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start : len(text) if end < 0 else end]


def _is_kept(source: Source, node: FunctionNode) -> bool:
    """Whether a keep comment stands in the comment block above the function or between there and its body."""
    first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
    while first > 1 and source.lines[first - 2].lstrip().startswith("#"):
        first -= 1
    last = max(node.lineno, node.body[0].lineno - 1)
    return any(re.search(_KEEP_LINE, line.rstrip()) for line in source.lines[first - 1 : last])
