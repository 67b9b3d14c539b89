"""One walk over a module: every expression with the function that runs it, and whether it surely runs there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mcp_lockstep.code.source import dotted, last_name
from mcp_lockstep.records import NamedTuple

MAIN = "__main__"
"""The scope of what runs only when a module is started, not imported."""

_EXITS = frozenset({"sys.exit", "exit", "quit", "os._exit", "parser.error", "typer.Exit"})


class Spot(NamedTuple):
    """Where an expression stands.

    `scope` is the function whose run evaluates it, empty for the import of the module; `name` the innermost def or
    class around it, `owner` the def of which it is a decorator or a default (all dotted). `conditional`: `scope` can
    run without it. `guarded`: what it raises is caught, and the program goes on.
    """

    scope: str = ""
    name: str = ""
    owner: str = ""
    conditional: bool = False
    guarded: bool = False

    @property
    def certain(self) -> bool:
        """Whether a run of `scope` comes here, and ends with what is raised here."""
        return not self.conditional and not self.guarded


class Walked:
    """What the walk of one module finds, in the order of the text.

    `tested` are expressions whose emptiness ends what runs; `targets` the name that the value of an assignment gets,
    `called` the name that a method of it gives the value for, `fallbacks` what stands behind the `or` after it, all by
    the `id` of the node, which the tree keeps; `bound` counts the assignments to a name in a scope; `constants` are
    the strings that are bound to names of the module.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.expressions: list[tuple[ast.expr, Spot]] = []
        self.imports: list[tuple[ast.Import | ast.ImportFrom, Spot]] = []
        self.classes: list[tuple[ast.ClassDef, Spot]] = []
        self.tested: list[tuple[ast.expr, Spot]] = []
        self.targets: dict[int, str] = {}
        self.called: dict[int, str] = {}
        self.fallbacks: dict[int, ast.expr] = {}
        self.bound: dict[tuple[str, str], int] = {}
        self.constants: dict[str, str] = {}
        self.block(tree.body, Spot())

    def calls(self) -> Iterator[tuple[ast.Call, Spot]]:
        """The calls among the expressions."""
        return ((node, spot) for node, spot in self.expressions if isinstance(node, ast.Call))

    def block(self, body: list[ast.stmt], spot: Spot) -> None:
        for statement in body:
            self.statement(statement, spot)
            if spot.scope and not spot.conditional and _may_return(statement):
                spot = spot._replace(conditional=True)

    def statement(self, statement: ast.stmt, spot: Spot) -> None:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.function(statement, spot)
            case ast.ClassDef():
                self.classes.append((statement, spot))
                for value in [*statement.decorator_list, *statement.bases]:
                    self.expression(value, spot)
                self.block(statement.body, spot._replace(name=_below(spot.name, statement.name)))
            case ast.Import() | ast.ImportFrom():
                self.imports.append((statement, spot))
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=value):
                self.assignment(target, value, spot)
                self.children(statement, spot)
            case _:
                self.compound(statement, spot)

    def compound(self, statement: ast.stmt, spot: Spot) -> None:
        if isinstance(statement, ast.Return | ast.Expr | ast.Raise | ast.Assign | ast.AugAssign | ast.Assert):
            self.children(statement, spot)
            return
        maybe = spot._replace(conditional=True)
        match statement:
            case ast.If():
                self.branch(statement, spot)
            case ast.For() | ast.AsyncFor() | ast.While():
                self.expression(statement.test if isinstance(statement, ast.While) else statement.iter, spot)
                self.block([*statement.body, *statement.orelse], maybe)
            case ast.Try() | ast.TryStar():
                caught = any(not _ends(handler.body) for handler in statement.handlers)
                self.block(statement.body, spot._replace(guarded=spot.guarded or caught))
                for handler in statement.handlers:
                    self.block(handler.body, maybe)
                self.block([*statement.orelse, *statement.finalbody], spot)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    self.expression(item.context_expr, spot)
                caught = any(_suppresses(item.context_expr) for item in items)
                self.block(body, spot._replace(guarded=spot.guarded or caught))
            case ast.Match(subject=subject, cases=cases):
                self.expression(subject, spot)
                for case in cases:
                    self.block(case.body, maybe)
            case _:
                self.children(statement, spot)

    def branch(self, statement: ast.If, spot: Spot) -> None:
        self.expression(statement.test, spot)
        if _ends(statement.body):
            self.tested += [(tested, spot) for tested in _emptiness(statement.test)]
        started = not spot.scope and _is_main(statement.test)
        inner = Spot(MAIN, spot.name) if started else spot._replace(conditional=True)
        self.block(statement.body, inner)
        self.block(statement.orelse, spot._replace(conditional=True))

    def function(self, function: ast.FunctionDef | ast.AsyncFunctionDef, spot: Spot) -> None:
        name = _below(spot.name, function.name)
        given = function.args
        around = [*function.decorator_list, *given.defaults, *filter(None, given.kw_defaults)]
        annotations = [arg.annotation for arg in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        for value in [*around, *filter(None, annotations)]:
            self.expression(value, spot._replace(owner=name))
        self.block(function.body, Spot(name, name))

    def assignment(self, target: ast.expr, value: ast.expr | None, spot: Spot) -> None:
        self.targets[id(value)] = dotted(target)
        named = (spot.scope, dotted(target))
        self.bound[named] = self.bound.get(named, 0) + 1
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            # `x = os.environ.get("X", "").strip()`: what is read is what is called on.
            self.called[id(value.func.value)] = dotted(target)
        if not spot.scope and isinstance(value, ast.Constant) and isinstance(value.value, str):
            self.constants[dotted(target)] = value.value

    def expression(self, node: ast.expr, spot: Spot) -> None:
        self.expressions.append((node, spot))
        match node:
            case ast.Name() | ast.Constant():
                pass
            case ast.Attribute(value=value):
                self.expression(value, spot)
            case ast.BoolOp(op=op, values=[first, *rest]):
                if isinstance(op, ast.Or):
                    self.fallbacks[id(first)] = rest[-1]
                self.expression(first, spot)
                self.perhaps(rest, spot)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.expression(test, spot)
                self.perhaps([body, orelse], spot)
            case ast.Lambda(body=body):
                self.perhaps([body], spot)
            case ast.NamedExpr(target=target, value=value):
                self.targets[id(value)] = dotted(target)
                self.expression(value, spot)
            case ast.Call(keywords=keywords) if spot.name != spot.scope and keywords:
                self.field(node, spot)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self.children(node, spot._replace(conditional=True))
            case _:
                self.children(node, spot)

    def perhaps(self, nodes: list[ast.expr], spot: Spot) -> None:
        """Expressions that are evaluated only if others say so."""
        maybe = spot if spot.conditional else spot._replace(conditional=True)
        for node in nodes:
            self.expression(node, maybe)

    def field(self, call: ast.Call, spot: Spot) -> None:
        """A call in the body of a class: a lambda for `default_factory` runs when the class makes an object."""
        for value in [call.func, *call.args]:
            self.expression(value, spot)
        for given in call.keywords:
            if given.arg == "default_factory" and isinstance(given.value, ast.Lambda):
                self.expression(given.value.body, Spot(spot.name, spot.name))
            else:
                self.expression(given.value, spot)

    def children(self, node: ast.AST, spot: Spot) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expression(child, spot)
            elif isinstance(child, ast.keyword | ast.comprehension):
                self.children(child, spot)


def _below(scope: str, name: str) -> str:
    return f"{scope}.{name}" if scope else name


def _ends(body: list[ast.stmt]) -> bool:
    """Whether `body` ends in a way that ends the program, as far as nobody catches it."""
    match body[-1]:
        case ast.Raise():
            return True
        case ast.Expr(value=ast.Call(func=func)):
            return dotted(func) in _EXITS
        case _:
            return False


def _may_return(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.If | ast.For | ast.AsyncFor | ast.While | ast.Try | ast.Match):
        return False
    return any(isinstance(node, ast.Return) for node in ast.walk(statement))


def _suppresses(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == "suppress"


def _is_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and dotted(test.left) == "__name__"


def _emptiness(test: ast.expr) -> list[ast.expr]:
    """The expressions of which each alone, being empty, makes `test` true."""
    match test:
        case ast.BoolOp(op=ast.Or(), values=values):
            return [found for value in values for found in _emptiness(value)]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return [operand.value if isinstance(operand, ast.NamedExpr) else operand]
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None | "")]):
            return [left.value if isinstance(left, ast.NamedExpr) else left]
        case ast.Compare(ops=[ast.NotIn()]):
            return [test]
        case _:
            return []
