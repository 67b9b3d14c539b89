"""What a maintainer wants different from what a schema gives: base class, extras, types, names, further lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from mcp_lockstep.naming import ClassName, Identifier
from mcp_lockstep.records import NamedTuple

if TYPE_CHECKING:
    import ast

_EXTRAS = ("allow", "forbid", "ignore")
REST = "*"
"""The key of `extra` for all classes that are not named."""
BUILTIN_TYPES = frozenset("bool bytes dict float int list object str".split())
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", re.ASCII)


class Overrides(NamedTuple):
    """What is to be otherwise in a module of models; all empty where nothing is.

    `extra` maps classes (or `*`) to allow, forbid or ignore; `types` maps a pointer, `Class.field` or a format to
    a type; `names` maps a pointer, a class or `Class.field` to a name; `append` are aliases, `Alias = Class`, and
    `append_file` is a Python file with more. `appended` is the text of that file.
    """

    base_class: str = ""
    extra: Mapping[str, str] = {}
    types: Mapping[str, str] = {}
    names: Mapping[str, str] = {}
    append: tuple[str, ...] = ()
    append_file: str = ""
    appended: str = ""

    @property
    def inputs(self) -> tuple[str, ...]:
        """What belongs to the recipe of a module; nothing where there is none."""
        rows = (
            ("base", self.base_class),
            *(("extra", f"{key}={self.extra[key]}") for key in sorted(self.extra)),
            *(("type", f"{key}={self.types[key]}") for key in sorted(self.types)),
            *(("name", f"{key}={self.names[key]}") for key in sorted(self.names)),
            *(("append", line) for line in self.append),
            ("appended", self.appended),
        )
        return tuple(f"{what} {value}" for what, value in rows if value)

    @property
    def changes(self) -> tuple[str, ...]:
        """The keys that make models say something else than the schema."""
        found = (("base-class", self.base_class), ("extra", self.extra), ("types", self.types))
        return tuple(key for key, value in found if value)


class OverrideTrouble(NamedTuple):
    """An override that cannot be: the keys to it (`names`, `Tool`), what is wrong, and what is wanted."""

    key: tuple[str, ...]
    message: str
    have: str = ""
    want: str = ""
    hint: str = ""


NO_OVERRIDES = Overrides()


def misspelt(overrides: Overrides) -> Iterator[OverrideTrouble]:
    """The overrides that no schema can make right: values that are no names, no types, no aliases."""
    if overrides.base_class and not _is_dotted(overrides.base_class):
        yield _wrong(("base-class",), overrides.base_class, "a dotted path such as `weather.models.Base`")
    for name, policy in overrides.extra.items():
        if policy not in _EXTRAS:
            yield _wrong(("extra", name), policy, ", ".join(_EXTRAS))
    for what, found in overrides.types.items():
        if not _is_dotted(found) and found not in BUILTIN_TYPES:
            yield _wrong(("types", what), found, "a dotted path such as `datetime.datetime`")
    for what, name in overrides.names.items():
        if reason := _no_name(name, "." in what and not what.startswith(("/", "#"))):
            yield _wrong(("names", what), name, reason)
    for place, line in enumerate(overrides.append):
        if alias_of(line) is None:
            yield _wrong(
                ("append", str(place)), line, "an alias such as `Content = TextContent | ImageContent`"
            )


def _is_dotted(path: str) -> bool:
    """Whether `path` is a dotted path of Python names, none of them a keyword."""
    import keyword

    return bool(_DOTTED.fullmatch(path)) and not any(map(keyword.iskeyword, path.split(".")))


def alias_of(line: str) -> tuple[str, ast.expr] | None:
    """The name and the type of `Alias = Class | Other`; None for anything else, which is not written."""
    import ast

    try:
        body = ast.parse(line.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if len(body) != 1 or not isinstance(statement := body[0], ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Name) or _no_name(target.id, is_field=False):
        return None
    return (target.id, statement.value) if _is_type(statement.value) else None


def _is_type(node: ast.expr) -> bool:
    """Whether an expression is built of names only: `A`, `A | None`, `list[A]`, `dict[str, A]`."""
    import ast

    match node:
        case ast.Name() | ast.Constant(value=None):
            return True
        case ast.BinOp(op=ast.BitOr()):
            return _is_type(node.left) and _is_type(node.right)
        case ast.Subscript(value=ast.Name()):
            return _is_type(node.slice)
        case ast.Tuple():
            return bool(node.elts) and all(map(_is_type, node.elts))
        case _:
            return False


def _no_name(name: str, is_field: bool) -> str:
    """What is wanted in place of `name`; empty where it can be a class or a field."""
    try:
        _ = Identifier(name) if is_field else ClassName(name)
    except ValueError:
        return "a Python name that is no keyword" if is_field else "a class name that hides no builtin"
    return "a name without an underscore before it" if name.startswith("_") else ""


def _wrong(key: tuple[str, ...], have: str, want: str) -> OverrideTrouble:
    dotted = ".".join(key)
    return OverrideTrouble(key, f"`{dotted}` is {have!r}, {want} is wanted", have, want)
