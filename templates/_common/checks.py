"""What the contract asks: what is listed, arguments that its schemas accept, functions of its signatures.

Plain Python, the same in every project; it needs pydantic and jsonschema and nothing else.
"""

from __future__ import annotations

import inspect
import json
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from pydantic import BaseModel

Function = Callable[..., Any]
FunctionT = TypeVar("FunctionT", bound=Function)
Json: TypeAlias = dict[str, Any]

LISTS = {
    "tools/list": ("tools", "name"),
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
    "prompts/list": ("prompts", "name"),
}
"""For each list call the list in `contract.json` and the key that tells its items apart."""

_VARIADIC = frozenset({inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD})
_SHOWN = 5
_LENGTH = 120


class Stub(NamedTuple):
    """What the contract asks of one function: its signature, and how it gets what came over the wire.

    `arguments` takes the arguments of a tool; `names` is the parameter for each argument of a prompt and for
    each variable of a resource template.
    """

    function: Function
    arguments: type[BaseModel] | None = None
    names: Mapping[str, str] = {}

    @property
    def extra(self) -> str | None:
        """The parameter of a tool that takes the arguments that its schema does not name, if there is one."""
        fields = self.arguments.model_fields if self.arguments else {}
        parameters = inspect.signature(self.function).parameters
        return next((name for name in parameters if name not in fields), None)


TOOLS: dict[str, Stub] = {}
PROMPTS: dict[str, Stub] = {}
RESOURCES: dict[str, Stub] = {}


def stub(name: str, arguments: type[BaseModel]) -> Callable[[FunctionT], FunctionT]:
    """Note the signature that the contract asks of the tool `name`."""
    return lambda function: _noted(TOOLS, name, Stub(function, arguments), function)


def prompt_stub(name: str, names: Mapping[str, str]) -> Callable[[FunctionT], FunctionT]:
    """Note the signature that the contract asks of the prompt `name`."""
    return lambda function: _noted(PROMPTS, name, Stub(function, None, names), function)


def resource_stub(uri: str, names: Mapping[str, str]) -> Callable[[FunctionT], FunctionT]:
    """Note the signature that the contract asks of the resource or resource template `uri`."""
    return lambda function: _noted(RESOURCES, uri, Stub(function, None, names), function)


def _noted(stubs: dict[str, Stub], name: str, noted: Stub, function: FunctionT) -> FunctionT:
    stubs[name] = noted
    return function


def read_contract() -> dict[str, list[Json]]:
    """The lists of `contract.json`, less the tools that would keep every client from the whole list."""
    # Importing the stubs fills TOOLS, PROMPTS and RESOURCES; they import this module.
    from . import stubs

    text = files(stubs.__package__ or "").joinpath("contract.json").read_text(encoding="utf-8")
    document = json.loads(text)
    lists: dict[str, list[Json]] = {kind: document.get(kind) or [] for kind, _ in LISTS.values()}
    lists["tools"] = [tool for tool in lists["tools"] if tool["inputSchema"].get("type") == "object"]
    strange = [tool["name"] for tool in lists["tools"] if tool["name"] not in TOOLS]
    if strange:
        raise SystemExit(
            f"{stubs.__name__} lacks {strange[0]!r} of contract.json; `mcp-lockstep sync` mends it"
        )
    return lists


def for_handshake(item: Json) -> Json:
    """A list item as clients of before 2026-07-28 can take it: they know output schemas for objects only."""
    output = item.get("outputSchema")
    if output is None or output.get("type") == "object":
        return item
    return {key: value for key, value in item.items() if key != "outputSchema"}


def misfits(function: Function, wanted: Function, context: type) -> Iterator[str]:
    """What keeps `function` from being called as `wanted` is; a parameter of type `context` is free."""
    free = context_parameter(function, context)
    given = {name: p for name, p in inspect.signature(function).parameters.items() if name != free}
    asked = inspect.signature(wanted).parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in given.values())
    for name, parameter in asked.items():
        mine = given.get(name)
        if mine is None or mine.kind in _VARIADIC:
            if not takes_any:
                yield f"the parameter `{_spelled(parameter)}` is missing"
        elif mine.kind is mine.POSITIONAL_ONLY:
            yield f"the parameter `{name}` can only be given by position"
        elif mine.default is mine.empty and parameter.default is not mine.empty:
            yield f"a call may leave `{name}` out; it needs a default: `{_spelled(parameter)}`"
    for name, mine in given.items():
        if name not in asked and mine.default is mine.empty and mine.kind not in _VARIADIC:
            yield f"the contract has nothing for the parameter `{_spelled(mine)}`"


def _spelled(parameter: inspect.Parameter) -> str:
    """A parameter as it is written in a signature; annotations that were never evaluated are texts."""
    annotation = parameter.annotation
    if not isinstance(annotation, str):
        return str(parameter)
    default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
    return f"{parameter.name}: {annotation}{default}"


def context_parameter(function: Function, context: type) -> str | None:
    """The parameter annotated with `context` or a form of it such as `Context[State]`, if there is one."""
    for name, parameter in inspect.signature(function).parameters.items():
        annotation = _evaluated(parameter.annotation, function)
        found = getattr(annotation, "__origin__", annotation)
        if isinstance(found, type) and issubclass(found, context):
            return name
        if isinstance(annotation, str) and re.match(rf"(\w+\.)*{context.__name__}\b", annotation):
            return name
    return None


def _evaluated(annotation: object, function: Function) -> object:
    """The object that a text annotation names; the text where it names none at run time."""
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, getattr(inspect.unwrap(function), "__globals__", {}))
    except Exception:  # noqa: BLE001 - a name that only a type checker imports, or anything else
        return annotation


def stray(kind: str, stubs: Mapping[str, Stub], name: str) -> str:
    """What to say of a function for a `kind` (tool, prompt, resource) `name` that the contract does not have."""
    near = get_close_matches(name, stubs, 1)
    return f"the contract has no {kind} {name!r}" + (f"; is it {near[0]!r}?" if near else "")


def import_all(name: str) -> None:
    """Import a package and everything below it, where there is one."""
    if find_spec(name) is None:
        return
    package = import_module(name)
    for module in pkgutil.walk_packages(package.__path__, f"{name}."):
        import_module(module.name)


def is_async(function: Function) -> bool:
    """Whether calling `function`, or an object with `__call__`, gives something to wait for."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


def where(function: Function) -> str:
    """`file:line` of a function, as far as that is known."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else repr(function)


class _Error(Protocol):
    """The part of jsonschema's error that is read here."""

    validator: str | None
    validator_value: Any
    instance: Any
    schema: Any
    message: str
    absolute_path: Sequence[str | int]
    relative_path: Sequence[str | int]
    relative_schema_path: Sequence[str | int]
    context: Sequence[_Error]


class Schema:
    """A JSON Schema, compiled in its own dialect when it is first needed. `format` only annotates."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema

    @cached_property
    def _errors(self) -> Callable[[object], Iterator[_Error]]:
        # By name: jsonschema has no types of its own, and its stubs are not everywhere.
        validators = import_module("jsonschema.validators")
        dialect = validators.validator_for(self._schema, default=validators.Draft202012Validator)
        # The bundled metaschemas only: a registry without a way to fetch cannot be led to the network.
        validator = dialect(self._schema, registry=import_module("jsonschema_specifications").REGISTRY)
        return cast("Callable[[object], Iterator[_Error]]", validator.iter_errors)

    def problems(self, value: object) -> tuple[str, ...]:
        """One line for each thing that is wrong: where it stands, what is given, what is allowed."""
        try:
            found = list(islice(self._errors(value), 4 * _SHOWN))
        except RecursionError:
            return ("$: nested too deeply",)
        except OverflowError:
            # `multipleOf` divides by a float, and an integer may be too large to become one.
            return ("$: holds a number too large to be checked",)
        lines = list(dict.fromkeys(line for error in found for line in _lines(error)))
        return (*lines[:_SHOWN], *(["and more"] if len(lines) > _SHOWN else []))


def _lines(error: _Error) -> Iterable[str]:
    match error.validator:
        case "anyOf" | "oneOf" if error.context:
            return _alternatives(error)
        case "required" | "dependentRequired":
            return [_line([*error.absolute_path, name], "nothing", "a value") for name in _missing(error)]
        case "additionalProperties" | "unevaluatedProperties":
            return _unknown(error)
        case _:
            return [_line(error.absolute_path, _short(error.instance), _allowed(error))]


def _allowed(error: _Error) -> str:
    value = error.validator_value
    match error.validator:
        case "type":
            return value if isinstance(value, str) else " or ".join(value)
        case "enum":
            return "one of " + ", ".join(map(_short, value))
        case "const":
            return _short(value)
        case "oneOf":
            return "what exactly one of its forms accepts"
        case None:
            return "nothing"
        case keyword:
            return f"{keyword} {_short(value)}"


def _line(path: Sequence[str | int], given: str, allowed: str) -> str:
    return f"{json_path(path)}: given {given}, allowed {allowed}"


def _missing(error: _Error) -> Iterator[str]:
    required = error.validator_value
    if isinstance(required, dict):
        required = [name for key, names in required.items() if key in error.instance for name in names]
    return (name for name in required if name not in error.instance)


def _unknown(error: _Error) -> Iterable[str]:
    """Extra properties, one by one; of unevaluated ones jsonschema tells the names in its message only."""
    known = error.schema.get("properties", {}) if error.validator == "additionalProperties" else None
    if known is None:
        return [f"{json_path(error.absolute_path)}: {error.message}"]
    patterns = error.schema.get("patternProperties", {})
    extra = (n for n in error.instance if n not in known and not any(re.search(p, n) for p in patterns))
    allowed = "only " + (", ".join(map(_short, known)) or "none")
    return [_line([*error.absolute_path, name], _short(error.instance[name]), allowed) for name in extra]


def _alternatives(error: _Error) -> Iterable[str]:
    """The faults of the form that the value was meant for; where none stands out, what each form allows."""
    forms: dict[str | int, list[_Error]] = {}
    for fault in error.context:
        forms.setdefault(fault.relative_schema_path[0], []).append(fault)
    meant = [faults for faults in forms.values() if not any(map(_tells_apart, faults))]
    if len(meant) == 1:
        return [line for fault in meant[0] for line in _lines(fault)]
    shown = list(dict.fromkeys(next(iter(_lines(faults[0]))) for faults in meant or forms.values()))
    given = f"{json_path(error.absolute_path)}: given {_short(error.instance)}"
    return [f"{given}, it fits none of its forms: {'; '.join(shown[:_SHOWN])}"]


def _tells_apart(fault: _Error) -> bool:
    """Whether a fault says that another form was meant: another type, another tag."""
    if fault.validator == "type":
        return not fault.relative_path
    return fault.validator in {"const", "enum"} and len(fault.relative_path) <= 1


def json_path(parts: Iterable[str | int]) -> str:
    """`$.location.lat`, `$.days[0]`, `$["x-y"]`."""
    return "$" + "".join(
        f".{part}" if str(part).isidentifier() else f"[{json.dumps(part)}]" for part in parts
    )


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]}..."
