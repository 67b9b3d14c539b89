"""The text of a parameter list taken apart, and the text of one parameter made to say something else."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import unicodedata
from typing import TYPE_CHECKING

from mcp_lockstep.code.normal import same_annotation, same_default
from mcp_lockstep.code.parameters import Item, ParameterList
from mcp_lockstep.code.signature import Parameter
from mcp_lockstep.code.source import Source

if TYPE_CHECKING:
    import libcst as cst

_HEAD = "def f("


def read(inner: str) -> ParameterList | None:
    """The items of the parameter list `inner`, by libcst (`[gen]`); None when it cannot read them."""
    import libcst as cst

    try:
        module = cst.parse_module(f"{_HEAD}{inner}): pass\n")
    except cst.ParserSyntaxError:
        return None
    function = cst.ensure_type(module.body[0], cst.FunctionDef)
    given = function.params
    marks = [given.posonly_ind, *given.params, given.star_arg, *given.kwonly_params, given.star_kwarg]
    nodes = [*given.posonly_params, *marks]
    found = [node for node in nodes if node is not None and not isinstance(node, cst.MaybeSentinel)]
    lead = module.code_for_node(function.whitespace_before_params) if found else inner
    trailing = bool(found) and isinstance(found[-1].comma, cst.Comma)
    return ParameterList(lead, [_item(module, node) for node in found], trailing=trailing)


def _item(module: cst.Module, node: cst.Param | cst.ParamStar | cst.ParamSlash) -> Item:
    import libcst as cst

    blank, core = "", "/" if isinstance(node, cst.ParamSlash) else "*"
    if isinstance(node, cst.ParamSlash):
        blank = module.code_for_node(node.whitespace_after)
    elif isinstance(node, cst.Param):
        blank, nothing = module.code_for_node(node.whitespace_after_param), cst.SimpleWhitespace("")
        bare = node.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_param=nothing)
        core = module.code_for_node(bare)
    glue, after = "", ""
    if isinstance(node.comma, cst.Comma):
        glue = module.code_for_node(node.comma.whitespace_before)
        after = module.code_for_node(node.comma.whitespace_after)
    return Item(_name(core), core, glue, after + blank)


def _name(core: str) -> str:
    """The name that a caller can pass; what begins with `*` or `/` for anything else."""
    word = re.match(r"\w+", core)
    return unicodedata.normalize("NFKC", word.group()) if word else "**" if core.startswith("**") else core


def changed(core: str, wanted: Parameter) -> str:
    """The text `core` of a parameter made to say `wanted`, in its own spelling where that says the same."""
    source = Source("", f"{_HEAD}{core}): pass")
    function = ast.parse(source.text).body[0]
    if not isinstance(function, ast.FunctionDef):
        return core
    arg = function.args.args[0]
    default = function.args.defaults[0] if function.args.defaults else None
    core = _defaulted(core, source, arg, default, wanted)
    core = _annotated(core, source, arg, wanted.annotation)
    name = re.match(r"\w+", core)
    return core if arg.arg == wanted.name or name is None else wanted.name + core[name.end() :]


def _defaulted(core: str, source: Source, arg: ast.arg, default: ast.expr | None, wanted: Parameter) -> str:
    if default is None:
        equal = " = " if arg.annotation or wanted.annotation else "="
        return f"{core}{equal}{expression(wanted.default)}" if wanted.default else core
    start, end = (at - len(_HEAD) for at in source.span(default))
    if wanted.default:
        same = same_default(ast.unparse(default), wanted.default)
        return core if same else core[:start] + expression(wanted.default) + core[end:]
    before = source.span(arg)[1] - len(_HEAD)
    return core[: core.index("=", before)].rstrip()


def _annotated(core: str, source: Source, arg: ast.arg, wanted: str) -> str:
    if arg.annotation is None:
        end = source.span(arg)[1] - len(_HEAD)
        return f"{core[:end]}: {expression(wanted)}{core[end:]}" if wanted else core
    if same_annotation(ast.unparse(arg.annotation), wanted) or not wanted:
        return core
    start, end = (at - len(_HEAD) for at in source.span(arg.annotation))
    return core[:start] + expression(wanted) + core[end:]


def made(wanted: Parameter) -> str:
    """The text of a new parameter."""
    annotation = expression(wanted.annotation) if wanted.annotation else ""
    return str(Parameter(wanted.name, annotation, expression(wanted.default) if wanted.default else ""))


def expression(text: str) -> str:
    """`text`, a Python expression on one line, with its strings in double quotes where that needs no escape."""
    if "'" not in text:
        return text
    parts: list[str] = []
    at = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        string = token.string
        plain = (
            string[:1] == "'" and not string.startswith("'''") and '"' not in string and "\\" not in string
        )
        if token.type == tokenize.STRING and plain:
            parts += [text[at : token.start[1]], f'"{string[1:-1]}"']
            at = token.end[1]
    return "".join([*parts, text[at:]])
