"""Classes of pydantic-settings: one variable per field, by prefix and name or by alias."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from mcp_lockstep.code.mentions import SETTINGS
from mcp_lockstep.code.module import Module
from mcp_lockstep.code.source import dotted, last_name, takes_none
from mcp_lockstep.code.start.read import Found, Need, Read, Unknown, keyword, literal, position_of, texts
from mcp_lockstep.records import NamedTuple

_PLAIN = frozenset({"str", "int", "float", "bool", "Path", "SecretStr", "HttpUrl", "AnyUrl"})


class Options(NamedTuple):
    """The configuration of a class: None for a prefix that is computed."""

    prefix: str | None = ""
    delimiter: str = ""
    exact: bool = False
    by_name: bool = False


class Declared(NamedTuple):
    """One settings class where it is written."""

    module: Module
    symbol: str
    node: ast.ClassDef


def settings_classes(modules: Iterable[Module]) -> dict[str, tuple[str, ...]]:
    """Name -> names of the bases, of every class of the package that descends from `BaseSettings`."""
    bases: dict[str, tuple[str, ...]] = {}
    for module in modules:
        for symbol, named in module.classes.items():
            bases[symbol.rpartition(".")[2]] = tuple(name.rpartition(".")[2] for name in named)
    known = {SETTINGS}
    while grown := {name for name, above in bases.items() if name not in known and known.intersection(above)}:
        known |= grown
    return {name: bases[name] for name in known - {SETTINGS}}


def read_settings(classes: Mapping[str, tuple[str, ...]], modules: Iterable[Module]) -> Found:
    """What the settings classes named `classes` read."""
    declared = {one.node.name: one for module in modules for one in _declared(module, classes)}
    parents = {name for above in classes.values() for name in above}
    reads: list[Read] = []
    unknown: list[Unknown] = []
    prefixes: list[str] = []
    for name, one in declared.items():
        line = [declared[above] for above in _line(name, classes) if above in declared]
        options = _options(line)
        if options.prefix is None:
            reason = f"the prefix of {name} is computed"
            unknown.append(Unknown(one.module.path, position_of(one.module, one.node), reason))
            continue
        elsewhere = name in parents or _has_other_sources(line)
        for field in _fields(line, one, options):
            reads.append(field._replace(need="optional") if elsewhere else field)
            prefixes += [f"{field.name}{options.delimiter}"] if options.delimiter else []
        unknown += [Unknown(m.path, position_of(m, n), "an alias is computed") for m, n in _computed(line)]
    return Found(tuple(reads), tuple(unknown), tuple(prefixes))


def _line(name: str, classes: Mapping[str, tuple[str, ...]]) -> list[str]:
    """`name` and the classes that it descends from, the nearest first."""
    found = [name]
    for above in found:
        found += [base for base in classes.get(above, ()) if base not in found]
    return found


def _declared(module: Module, classes: Mapping[str, tuple[str, ...]]) -> Iterator[Declared]:
    names = [symbol for symbol in module.classes if symbol.rpartition(".")[2] in classes]
    if not names or module.tree is None:
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef) and node.name in classes:
            symbol = next(symbol for symbol in names if symbol.rpartition(".")[2] == node.name)
            yield Declared(module, symbol, node)


def _has_other_sources(line: list[Declared]) -> bool:
    """Whether the command line, or what the class says itself, may give the fields their values."""
    for one in line:
        if "CliApp" in one.module.text:
            return True
        for node in ast.walk(one.node):
            match node:
                case ast.FunctionDef(name="settings_customise_sources" | "customise_sources"):
                    return True
                case ast.keyword(arg="cli_parse_args" | "cli_settings_source", value=value):
                    if literal(value) != "false":
                        return True
                case ast.Constant(value="cli_parse_args") | ast.Name(id="cli_parse_args"):
                    return True
                case _:
                    pass
    return False


def _options(line: list[Declared]) -> Options:
    for one in line:
        for statement in one.node.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id="model_config")], value=ast.Call(keywords=given)):
                    return _of({k.arg: k.value for k in given if k.arg})
                case ast.Assign(targets=[ast.Name(id="model_config")], value=ast.Dict() as written):
                    keys = map(literal, filter(None, written.keys))
                    return _of({k: v for k, v in zip(keys, written.values, strict=False) if k})
                case ast.ClassDef(name="Config", body=body):
                    plain = [s for s in body if isinstance(s, ast.Assign)]
                    return _of({dotted(s.targets[0]): s.value for s in plain})
                case _:
                    pass
    return Options()


def _of(given: Mapping[str, ast.expr]) -> Options:
    prefix = given.get("env_prefix")
    by_name = {"populate_by_name", "validate_by_name", "allow_population_by_field_name"}
    return Options(
        literal(prefix) if prefix is not None else "",
        literal(given.get("env_nested_delimiter")) or "",
        literal(given.get("case_sensitive")) == "true",
        any(literal(given.get(key)) == "true" for key in by_name),
    )


def _fields(line: list[Declared], one: Declared, options: Options) -> Iterator[Read]:
    seen: set[str] = set()
    for owner in line:
        for statement in owner.node.body:
            if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
                continue
            field = statement.target.id
            if field in seen or field.startswith("_") or field == "model_config" or _is_class_var(statement):
                continue
            seen.add(field)
            need, default = _default(statement)
            if _takes_less(statement.annotation, options):
                need = "optional"
            names = _names(field, statement, options)
            at = position_of(owner.module, statement.target)
            here: Need = need if owner.module is one.module else "optional"
            group = names if len(names) > 1 else ()
            for name in names:
                yield Read(name, owner.module.path, at, here, default, one.symbol, group=group)


def _takes_less(annotation: ast.expr, options: Options) -> bool:
    """Whether a field may do without its variable: by `None`, as older versions do, or by those of its parts."""
    return takes_none(annotation) or (bool(options.delimiter) and ast.unparse(annotation) not in _PLAIN)


def _is_class_var(statement: ast.AnnAssign) -> bool:
    return last_name(statement.annotation) == "ClassVar"


def _names(field: str, statement: ast.AnnAssign, options: Options) -> tuple[str, ...]:
    plain = f"{options.prefix}{field}"
    plain = plain if options.exact else plain.upper()
    aliases = [name for call in _field_calls(statement) for name in _aliases(call) or ()]
    if not aliases:
        return (plain,)
    exact = [name if options.exact else name.upper() for name in aliases]
    return (*dict.fromkeys(exact), *((plain,) if options.by_name else ()))


def _aliases(call: ast.Call) -> tuple[str, ...] | None:
    """The names that `Field` gives; None where one is computed."""
    for key in ("validation_alias", "alias", "env"):
        given = keyword(call, key)
        if given is None:
            continue
        if isinstance(given, ast.Call) and last_name(given.func) == "AliasChoices":
            found = [texts(arg) for arg in given.args]
            return tuple(name for names in found if names for name in names) if all(found) else None
        return texts(given)
    return ()


def _computed(line: list[Declared]) -> Iterator[tuple[Module, ast.expr]]:
    for one in line:
        for statement in one.node.body:
            if isinstance(statement, ast.AnnAssign):
                yield from ((one.module, call) for call in _field_calls(statement) if _aliases(call) is None)


def _field_calls(statement: ast.AnnAssign) -> list[ast.Call]:
    """`Field(...)` as the value or inside `Annotated`."""
    nodes = [statement.value] if statement.value is not None else []
    if isinstance(statement.annotation, ast.Subscript) and isinstance(statement.annotation.slice, ast.Tuple):
        nodes += statement.annotation.slice.elts
    return [node for node in nodes if isinstance(node, ast.Call) and last_name(node.func) == "Field"]


def _default(statement: ast.AnnAssign) -> tuple[Need, str | None]:
    given = [statement.value, *(_given(call) for call in _field_calls(statement))]
    for value in given:
        if value is None or (isinstance(value, ast.Call) and last_name(value.func) == "Field"):
            continue
        if isinstance(value, ast.Constant) and value.value is ...:
            break
        return "optional", literal(value) or None
    return "needed", None


def _given(call: ast.Call) -> ast.expr | None:
    first = call.args[0] if call.args else keyword(call, "default")
    return first if first is not None else keyword(call, "default_factory")
