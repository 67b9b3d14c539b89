"""What one Python module says about a server, as data."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, TypeAlias

from mcp_lockstep.code.injected import FunctionNode
from mcp_lockstep.code.signature import Signature, signature_of, without
from mcp_lockstep.code.source import Source, is_none
from mcp_lockstep.code.values import Server, Value
from mcp_lockstep.documents.spans import Span
from mcp_lockstep.findings import Finding, Position
from mcp_lockstep.records import NamedTuple

Kind = Literal["tool", "prompt", "resource", "stub"]
LISTED: tuple[Kind, ...] = ("tool", "prompt", "resource")
"""What a server has lists of."""

How = Literal["contract", "decorator", "call", "literal"]

Binding: TypeAlias = "ast.Call | ast.Name | ast.Attribute"
"""What a name is bound to, as far as it matters: the call that makes it, its annotation, or another name."""


class Function(NamedTuple):
    """One registration and, where there is one, the function behind it.

    `name` is the tool's or prompt's name, or the resource's URI or template; None when it is only known at
    run time. `server` is the expression in front of the method (`mcp`, `self.mcp`); empty for stubs and
    `Tool` literals. `symbol` is the dotted way to the function (`register.get_forecast`), or its origin
    where it is imported and `node` is None; empty without a function. `scope` is the dotted prefix
    (`register.`) of where the registration stands.
    `signature` leaves out `contexts`, the injected parameters. `variadic`: takes `**kwargs`. `conditional`:
    under an `if`, `try` or loop. `untouched`: the body is a docstring and `raise NotImplementedError`,
    without a comment anywhere. `keep`: marked by a `# mcp-lockstep: keep` comment. `stated` is the description that the
    registration passes. `span` runs in code points
    from the first decorator to the last character; `position` is that of the name behind `def`, or of the
    registration where there is no function.
    """

    path: str
    kind: Kind
    how: How
    name: str | None
    server: str
    scope: str
    symbol: str
    position: Position
    span: Span
    node: FunctionNode | None = None
    contexts: tuple[str, ...] = ()
    variadic: bool = False
    conditional: bool = False
    untouched: bool = False
    keep: bool = False
    stated: ast.expr | None = None

    @property
    def description(self) -> str | None:
        """What the registration, else the docstring, says the function is for; None when that is computed."""
        if isinstance(self.stated, ast.Constant) and isinstance(self.stated.value, str):
            return self.stated.value
        if self.node is None or not (self.stated is None or is_none(self.stated)):
            return None
        return ast.get_docstring(self.node) or ""

    @property
    def signature(self) -> Signature:
        """The signature as the contract sees it; made when somebody compares it."""
        return Signature() if self.node is None else _signature(self.node, self.contexts)


@cache
def _signature(node: FunctionNode, contexts: tuple[str, ...]) -> Signature:
    return without(signature_of(node), contexts)


class Opening(NamedTuple):
    """Why a list is not fully known: `server` is the expression it happens on, empty: the whole package."""

    kind: Kind
    path: str
    server: str
    scope: str
    position: Position
    reason: str


class Module(NamedTuple):
    """What one file says. The keys of all mappings are scope-qualified (`register.mcp`: `mcp` in `register`).

    `imports` maps a local name to its dotted origin, with one leading dot per relative level; `bindings`,
    `defs` and `classes` (name to base classes) are what `link` needs; `source` and `tree` are None for a file
    that was not worth parsing (`raw` is its bytes, for `observe.parsed`), or that does not parse (then
    `findings` says so).
    """

    path: str
    functions: tuple[Function, ...] = ()
    servers: tuple[Server, ...] = ()
    values: tuple[Value, ...] = ()
    openings: tuple[Opening, ...] = ()
    imports: Mapping[str, str] = {}
    bindings: Mapping[str, Binding] = {}
    defs: Mapping[str, FunctionNode] = {}
    classes: Mapping[str, tuple[str, ...]] = {}
    source: Source | None = None
    tree: ast.Module | None = None
    findings: tuple[Finding, ...] = ()
    raw: bytes = b""

    @property
    def text(self) -> str:
        """The text of the file; empty for one that was not worth parsing, or does not parse."""
        return "" if self.source is None else self.source.text

    def nodes(self) -> Iterator[ast.AST]:
        """Every node of the syntax tree; none where there is no tree."""
        return iter(()) if self.tree is None else ast.walk(self.tree)

    def calls(self) -> Iterator[ast.Call]:
        """Every call in the file."""
        return (node for node in self.nodes() if isinstance(node, ast.Call))
