"""The lines in docs/sdk-maintainers.md give what the installed `mcp_types` has; what differs is listed."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel

from mcp_lockstep.config import TABLE
from mcp_lockstep.generated.modules import Task, tasks
from mcp_lockstep.models.file import module_file
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

PAGE = (Path(__file__).parents[3] / "docs/sdk-maintainers.md").read_text(encoding="utf-8")
LINES = PAGE.split("```toml\n")[1].split("```")[0]
REVISIONS = ("2025_11_25", "2026_07_28")

pytest.importorskip("mcp_types._v2026_07_28", reason="mcp-types is not installed")

RENAMED = {
    "2025_11_25": {
        "Elicitation1": "RequestsElicitation",
        "Error1": "URLElicitationRequiredErrorBody",
        "Items1": "UntitledMultiSelectEnumSchemaItems",
        "Params1": "ElicitationCompleteNotificationParams",
        "Params2": "Params",
        "Params3": "Params",
        "Requests1": "TasksRequests",
        "Sampling1": "RequestsSampling",
        "Tasks1": "ServerCapabilitiesTasks",
        "Tools1": "ServerCapabilitiesTools",
    },
    "2026_07_28": {
        "Data1": "ErrorData",
        "Error1": "HeaderMismatchErrorBody",
        "Error2": "MissingRequiredClientCapabilityErrorBody",
        "Error3": "UnsupportedProtocolVersionErrorBody",
        "Items1": "UntitledMultiSelectEnumSchemaItems",
    },
}
"""Numbered classes there, and what says whose they are here. Params, Params2 and Params3 are equal, so one class."""

OURS = {
    "2025_11_25": "Action Format IncludeContext Mode NumberSchemaType TaskSupport Theme",
    "2026_07_28": "Action CacheScope Format IncludeContext Mode NumberSchemaType Theme "
    "SubscriptionsListenResultResponse",
}
"""Enumerations have a name here and stand in place there; the response is a definition that they leave out."""

FIELDS = {("2025_11_25", "Tasks", "list"), ("2025_11_25", "Tasks1", "list")}
"""A field `list` would hide the builtin in its class, so it is `list_`, on the wire `list`."""

_ANY = """
CallToolResult.structuredContent Error.data HeaderMismatchErrorBody.data InternalError.data InvalidParamsError.data
InvalidRequestError.data MethodNotFoundError.data ParseError.data ToolResultContent.structuredContent
"""
_MODE = "ElicitRequestFormParams.mode"
_PATCHED = "ElicitResult.content RequestedSchema.properties"
TYPES = {
    "2025_11_25": {_MODE, "Error.data", "InputSchema.properties", "OutputSchema.properties", *_PATCHED.split()},
    "2026_07_28": {
        _MODE, "ResultMetaObject.serverInfo", "SubscriptionsListenResultMeta.serverInfo",
        *_PATCHED.split(), *_ANY.split(),
    },
}  # fmt: skip
"""Types that differ: patched by them before they generate; `Any | None`, which is `Any`; a default that they add."""


class Module:
    """A module of models: what it holds when imported, and what its source says about types."""

    def __init__(self, module: ModuleType, source: str) -> None:
        self.module = module
        body = ast.parse(source).body
        self.names = {name for statement in body for name in _defined(statement)}
        self.classes: dict[str, type[BaseModel]] = {
            name: found
            for name in self.names
            if inspect.isclass(found := getattr(module, name)) and issubclass(found, BaseModel)
            if name == found.__name__ != "Struct"
        }
        for cls in self.classes.values():
            cls.model_rebuild()
        self.types: dict[tuple[str, str], ast.expr] = {}
        self.aliases: dict[str, ast.expr] = {}
        for statement in body:
            self._note(statement)

    def _note(self, statement: ast.stmt) -> None:
        match statement:
            case ast.ClassDef():
                for part in statement.body:
                    if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                        self.types[statement.name, part.target.id] = part.annotation
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="TypeAliasType"), args=args)
            ):
                self.aliases[name] = args[1]
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.aliases[name] = value
            case _:
                pass

    def type_of(self, name: str, field: str) -> ast.expr:
        """The annotation of a field, which a base class may have."""
        for cls in self.classes[name].__mro__:
            if (cls.__name__, field) in self.types:
                return self.types[cls.__name__, field]
        raise KeyError(field)


def _defined(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            return [name] if not name.startswith("_") else []
        case ast.If(body=body):
            return [name for inner in body for name in _defined(inner)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case _:
            return []


SCALARS = {
    "JsonInt": {"int"}, "JsonNumber": {"number"}, "StrictStr": {"str"}, "StrictBool": {"bool"}, "float": {"number"},
}  # fmt: skip


def shape(node: ast.expr, module: Module, kept: set[str], renamed: dict[str, str]) -> frozenset[Any]:
    """The alternatives of a type; names in `kept` stay names, other aliases are what they stand for."""

    def of(part: ast.expr) -> frozenset[Any]:
        return shape(part, module, kept, renamed)

    match node:
        case ast.Constant(value=str(text)):
            return of(ast.parse(text, mode="eval").body)
        case ast.BinOp(left=left, right=right):
            both = of(left) | of(right)
            return both - {"int"} if "number" in both else both
        case ast.Name(id=name) if name in module.aliases and name not in kept | SCALARS.keys():
            return of(module.aliases[name])
        case ast.Name(id=name):
            return frozenset(SCALARS.get(name, {renamed.get(name, name)}))
        case ast.Subscript(value=ast.Name(id=head), slice=inner):
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            if head == "Annotated":
                return of(parts[0])
            if head == "Literal":
                return frozenset(repr(ast.literal_eval(part)) for part in parts)
            if head == "Union":
                return frozenset[Any]().union(*map(of, parts))
            return frozenset([(head, *map(of, parts))])
        case _:
            return frozenset([ast.unparse(node)])


@pytest.fixture(scope="module", params=REVISIONS)
def both(request: pytest.FixtureRequest) -> tuple[str, Module, Module]:
    """A revision, the module that the documented lines give, and the installed one."""
    revision: str = request.param
    project = Project(Tree(Memory({"pyproject.toml": LINES.encode()})))
    assert project.broken == []
    (wanted,) = [task for task in tasks(project) if isinstance(task, Task) and revision in task.job.output]
    made = module_file(wanted)
    assert made.findings == ()
    name = f"made_{revision}"
    ours = sys.modules[name] = ModuleType(name)
    exec(compile(made.text, f"{name}.py", "exec", dont_inherit=True), ours.__dict__)
    theirs = importlib.import_module(f"mcp_types._v{revision}")
    return revision, Module(ours, made.text), Module(theirs, inspect.getsource(theirs))


def test_at_most_fifteen_lines() -> None:
    assert TABLE == "/tool/mcp-lockstep"
    assert len(LINES.splitlines()) <= 15


def test_public_names(both: tuple[str, Module, Module]) -> None:
    revision, ours, theirs = both
    exported: set[str] = {*ours.module.__all__}
    assert theirs.names - exported == RENAMED[revision].keys()
    assert exported - theirs.names == {*OURS[revision].split(), *RENAMED[revision].values()} - theirs.names


def pairs(revision: str, ours: Module, theirs: Module) -> list[tuple[str, type[BaseModel], type[BaseModel]]]:
    return [
        (name, ours.classes[mine], cls)
        for name, cls in sorted(theirs.classes.items())
        if (mine := RENAMED[revision].get(name, name)) in ours.classes
    ]


def test_classes(both: tuple[str, Module, Module]) -> None:
    revision, ours, theirs = both
    compared = {name for name, _, _ in pairs(revision, ours, theirs)}
    # A class without a field there is a type for any object here.
    assert theirs.classes.keys() - compared == ({"MetaObject"} if revision == "2026_07_28" else set())
    base = importlib.import_module("mcp_types._wire_base").WireModel
    assert all(issubclass(cls, base) for cls in ours.classes.values())


def test_fields(both: tuple[str, Module, Module]) -> None:
    revision, ours, theirs = both
    for name, mine, cls in pairs(revision, ours, theirs):
        theirs_by_wire = {
            info.alias or key: (key, info.is_required()) for key, info in cls.model_fields.items()
        }
        ours_by_wire = {
            info.alias or key: (key, info.is_required()) for key, info in mine.model_fields.items()
        }
        assert ours_by_wire.keys() == theirs_by_wire.keys(), name
        differ = {wire for wire, found in theirs_by_wire.items() if ours_by_wire[wire] != found}
        differ -= {wire for wire in differ if (revision, name, wire) in FIELDS}
        assert (name, differ) == (name, set())


def test_extra(both: tuple[str, Module, Module]) -> None:
    revision, ours, theirs = both
    differ = {
        name: (mine.model_config.get("extra"), cls.model_config.get("extra"))
        for name, mine, cls in pairs(revision, ours, theirs)
        if mine.model_config.get("extra") != cls.model_config.get("extra")
    }
    assert differ == {}


def test_types(both: tuple[str, Module, Module]) -> None:
    revision, ours, theirs = both
    kept = ours.names & theirs.names
    found: set[str] = set()
    for name, mine, cls in pairs(revision, ours, theirs):
        keys = {info.alias or key: key for key, info in mine.model_fields.items()}
        for key, info in cls.model_fields.items():
            wire = info.alias or key
            there = shape(theirs.type_of(name, key), theirs, kept, RENAMED[revision])
            here = shape(ours.type_of(mine.__name__, keys[wire]), ours, kept, {})
            if there != here:
                found.add(f"{mine.__name__}.{wire.rpartition('/')[2]}")
    assert found == TYPES[revision]


def test_every_difference_is_documented() -> None:
    numbered = {name for names in RENAMED.values() for name in names.values()}
    named = {name for names in OURS.values() for name in names.split()}
    missing = [
        name for name in {*numbered, *named, *TYPES["2025_11_25"], *TYPES["2026_07_28"]} if name not in PAGE
    ]
    assert missing == []
