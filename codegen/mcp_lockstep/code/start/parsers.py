"""The flags that a program takes, as argparse, click and typer are told them, and whether these are all."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from mcp_lockstep.code.injected import FunctionNode
from mcp_lockstep.code.mentions import PARSERS
from mcp_lockstep.code.module import Module
from mcp_lockstep.code.modules import Origins
from mcp_lockstep.code.source import callee, dotted, last_name
from mcp_lockstep.code.start.read import keyword, literal, position_of
from mcp_lockstep.findings import Position
from mcp_lockstep.records import NamedTuple

_KNOWN = frozenset({"argparse", "click", "typer"})
_OTHERS = frozenset(
    {"fire", "docopt", "tyro", "cyclopts", "absl", "getopt", "optparse", "simple_parsing", "jsonargparse"}
    | {"tap", "configargparse", "rich_click", "asyncclick", "plac", "cappa", "arguably", "clize", "invoke"}
)
_OPEN_KEYWORDS = frozenset(
    {"parents", "fromfile_prefix_chars", "conflict_handler", "params", "cls", "prefix_chars"}
    | {"context_settings", "cli_parse_args", "argument_default"}
)
PARSES = frozenset({"parse_args", "parse_intermixed_args"})
"""What makes a parser of argparse read a command line that it knows whole."""

_OPEN_CALLS = frozenset({"parse_known_args", "parse_known_intermixed_args", "add_typer_group", "CliApp"})
_FIXED = {
    "help_option": ("--help",),
    "version_option": ("--version",),
    "confirmation_option": ("--yes",),
    "password_option": ("--password",),
}
_COMMANDS = ("command", "callback", "group")
_TYPER = ("--install-completion", "--show-completion")


class Flag(NamedTuple):
    """One flag, and where the program is told it."""

    text: str
    path: str
    position: Position


class Flags(NamedTuple):
    """The flags of a program. `unknown` says why there may be more; empty where all are seen."""

    flags: tuple[Flag, ...] = ()
    unknown: str = ""

    def takes(self, flag: str) -> bool:
        """Whether the program knows `flag`; argparse and click take the beginning of a long one."""
        long = flag.startswith("--") and len(flag) > 2
        return any(known.text == flag or (long and known.text.startswith(flag)) for known in self.flags)


def read_flags(modules: Sequence[Module]) -> Flags:
    """The flags of all parsers in `modules`, and whether that is all that a command line can hold."""
    functions = {symbol.rpartition(".")[2] for module in modules for symbol in module.defs}
    readers = [_Reader(module, functions) for module in modules if _worth(module)]
    flags = tuple(flag for reader in readers for flag in reader.flags)
    reasons = [reason for reader in readers for reason in reader.reasons]
    reasons += [f"{module.path} cannot be read" for module in modules if module.findings]
    reasons += [reason for module in modules for reason in _other_ways(module)]
    if not any(reader.parses for reader in readers):
        reasons.append("no parser is seen")
    return Flags(flags, next(iter(reasons), ""))


def _worth(module: Module) -> bool:
    return any(word in module.text for word in PARSERS)


def _other_ways(module: Module) -> Iterator[str]:
    for origin in module.imports.values():
        first = origin.lstrip(".").partition(".")[0]
        if first in _OTHERS and not origin.startswith("."):
            yield f"{module.path} uses {first}"
        if origin == "sys.argv":
            yield f"{module.path} reads sys.argv"


class _Reader:
    """Reads one module: every call that tells a parser a flag, and every way round the parser."""

    def __init__(self, module: Module, functions: Iterable[str]) -> None:
        self.module = module
        self.functions = functions
        self.origin = Origins(module).of
        self.flags: list[Flag] = []
        self.reasons: list[str] = []
        self.parses = False
        self.parsers: set[str] = set()
        nodes = [*module.nodes()]
        for node in nodes:
            if isinstance(node, ast.Assign | ast.AnnAssign):
                self.assigned(node)
        for node in nodes:
            self.look(node)

    def look(self, node: ast.AST) -> None:
        match node:
            case ast.Call():
                self.call(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.function(node)
            case ast.Attribute() if self.origin(node) == "sys.argv":
                self.reasons.append(f"{self.module.path} reads sys.argv")
            case ast.Attribute(attr="args", value=ast.Name(id="ctx" | "context")):
                self.reasons.append(f"{self.module.path} takes what no parser was told")
            case _:
                pass

    def assigned(self, node: ast.Assign | ast.AnnAssign) -> None:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(node.value, ast.Call) and self.is_parser(node.value):
            self.parsers.add(dotted(target))

    def is_parser(self, call: ast.Call) -> bool:
        made = last_name(call.func)
        groups = ("add_parser", "add_subparsers", "add_argument_group", "add_mutually_exclusive_group")
        return made == "ArgumentParser" or made in groups

    def call(self, call: ast.Call) -> None:
        name, library = last_name(call.func), self.origin(call.func).partition(".")[0]
        if name == "ArgumentParser":
            self.add(("-h", "--help"), call)
        if name == "add_argument" or (library in ("click", "typer") and name in ("option", "Option")):
            self.told(call)
        elif library == "click" and name in _FIXED:
            self.add(_FIXED[name] if not call.args else (), call)
            self.told(call)
        elif library == "typer" and name in ("run", "Typer"):
            self.typer(call)
        elif name in _OPEN_CALLS or any(given.arg in _OPEN_KEYWORDS for given in call.keywords):
            self.open(call)
        elif name in PARSES:
            self.parses = True
        elif name not in self.functions and any(dotted(arg) in self.parsers - {""} for arg in call.args):
            self.reasons.append(f"{self.module.path} hands a parser to {dotted(call.func) or 'a function'}")

    def told(self, call: ast.Call) -> None:
        """A call that gives a parser flags, or the name of a positional argument."""
        for arg in call.args:
            text = literal(arg)
            if text is None and not self.is_typer_default(call, arg):
                self.reasons.append(f"{self.module.path} computes a flag")
            elif text is not None and text.startswith("-"):
                self.add([part for part in text.split("/") if part.strip().startswith("-")], call)
                self.negated(text, call)
        if any(given.arg is None for given in call.keywords):
            self.reasons.append(f"{self.module.path} computes an option")

    def is_typer_default(self, call: ast.Call, arg: ast.expr) -> bool:
        """`typer.Option(8000, "--port")`: what comes first is no flag."""
        return last_name(call.func) == "Option" and arg is call.args[0] and "typer" in self.origin(call.func)

    def negated(self, text: str, call: ast.Call) -> None:
        action = last_name(keyword(call, "action"))
        if action == "BooleanOptionalAction" and text.startswith("--"):
            self.add([f"--no-{text[2:]}"], call)

    def typer(self, call: ast.Call) -> None:
        if any(given.arg in _OPEN_KEYWORDS for given in call.keywords):
            self.open(call)
        self.add(("--help", *_TYPER), call)
        self.parses = True
        if last_name(call.func) == "run":
            wanted = {dotted(arg) for arg in call.args}
            for symbol, node in self.module.defs.items():
                if symbol in wanted:
                    self.parameters(node)
            if not wanted & {*self.module.defs}:
                self.reasons.append(f"{self.module.path} runs a function of another module")

    def function(self, function: FunctionNode) -> None:
        """A command of click or typer; further decorators may give it more options."""
        named = [callee(decorator) for decorator in function.decorator_list]
        commands = [node for node in named if last_name(node) in _COMMANDS]
        if not commands or not _KNOWN.intersection(o.partition(".")[0] for o in self.module.imports.values()):
            return
        self.parses = True
        if any(self.origin(node).startswith("click.") for node in commands):
            self.add(("--help",), function)
        else:
            self.parameters(function)
        self.reasons += [
            f"{self.module.path} decorates a command with {dotted(node) or 'something'}"
            for node in named
            if not self.is_plain(node)
        ]

    def is_plain(self, decorator: ast.expr) -> bool:
        """Whether all flags that a decorator gives are seen: it is one of click or typer, or of this package."""
        if last_name(decorator) in (*_COMMANDS, *self.functions):
            return True
        return self.origin(decorator).partition(".")[0] in _KNOWN

    def parameters(self, function: FunctionNode) -> None:
        """The flags that typer derives from the names of parameters."""
        given = function.args
        for arg in (*given.args, *given.kwonlyargs):
            name = arg.arg.replace("_", "-").strip("-")
            self.add((f"--{name}", f"--no-{name}"), arg)

    def add(self, texts: Iterable[str], node: ast.expr | FunctionNode | ast.arg) -> None:
        source = self.module.source
        at = source.position(node) if source is not None and not isinstance(node, ast.expr) else Position()
        at = position_of(self.module, node) if isinstance(node, ast.expr) else at
        self.flags += [Flag(text.strip().split("=")[0], self.module.path, at) for text in texts]

    def open(self, call: ast.Call) -> None:
        self.reasons.append(
            f"{self.module.path} sets up {dotted(call.func) or 'a parser'} in a way that is not read"
        )
