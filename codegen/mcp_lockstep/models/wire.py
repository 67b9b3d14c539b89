"""How a protocol's messages are read by their method. `support` writes this file's code into generated modules.

Self-contained on purpose: nothing here may import the package but the base class, which a module has of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Generic, Literal, NamedTuple, NoReturn, TypeVar

from pydantic import Field, StrictStr, TypeAdapter, ValidationError
from pydantic_core import from_json

from mcp_lockstep.models.base import JsonInt, Struct
from mcp_lockstep.models.judge import is_list, is_object

# Written into generated modules from here on.


R = TypeVar("R")


class Response(Struct, Generic[R]):
    """The envelope of a result, which is what the method of the request promises."""

    id: Annotated[StrictStr | JsonInt, Field(union_mode="left_to_right")]
    jsonrpc: Literal["2.0"]
    result: R


class Method(NamedTuple):
    """What goes with a method: the class of the message, the types of parameters and result (None: there is none)."""

    message: type[Struct]
    params: Any
    result: Any = None


class MessageError(ValueError):
    """A message that cannot be taken, why, and what to answer.

    `code` is the one of JSON-RPC, `id` that of the message (None where it has none) and `method` its method or
    that of the request it answers (empty: unknown). Where the shape is wrong, the cause says what and where.
    """

    def __init__(self, code: int, message: str, request: str | int | None = None, method: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.id = request
        self.method = method


NEAR = 200
"""The first bytes of a text, among which most senders write the id and begin the result."""


def is_id(value: object) -> bool:
    """Whether `value` can be the id of a request: a text or a whole number."""
    return (isinstance(value, str | int) and not isinstance(value, bool)) or is_whole(value)


def is_whole(value: object) -> bool:
    """Whether `value` is a number like `5.0`."""
    return isinstance(value, float) and value.is_integer()


def id_of(message: Struct) -> str | int | None:
    """The id in a message; None for one without."""
    found = getattr(message, "id", None)
    if isinstance(found, float) and found.is_integer():
        return int(found)
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None


class Channel:
    """The messages of one side, each read as the class of its method and not as a union.

    `answers` are the requests whose results this side sends, `rest` the classes of requests and notifications whose
    method no class names, `response` that of results where a schema does not tie them to methods, `error` that of
    errors, and `bare` says that the classes leave the keys `jsonrpc` and `id` to the envelope.
    """

    def __init__(
        self, requests: Mapping[str, Method], notifications: Mapping[str, Method],
        answers: Mapping[str, Method], error: type[Struct], *,
        rest: tuple[type[Struct], type[Struct]] | None = None, response: type[Struct] | None = None, bare: bool = False,
    ) -> None:  # fmt: skip
        self.requests, self.known, self.answers = requests, {**notifications, **requests}, answers
        self.error, self.rest, self.response, self.bare = error, rest, response, bare
        self.read: Callable[[bytes], Any] | None = None
        self.takers: dict[str, Callable[[bytes], Any]] = {}
        self.results: dict[str, type[Struct]] = {}

    def message(self, data: object, pending: Mapping[Any, str]) -> Any:
        """The message in `data`, JSON as text or parsed. MessageError where there is none.

        A text is read once, by what it seems to be: its class must name the method and its result have the id that
        was found, so what is taken is right. Everything else is read again, to say what it is or is not.
        """
        if isinstance(data, str):
            data = data.encode("utf-8", "surrogatepass")
        if not isinstance(data, bytes):
            return self.parsed(data, pending)
        try:
            if pending and data.find(b'"result"', 0, NEAR) > 0:
                start = data.find(b'"id"', 0, NEAR) + 5
                key = from_json(data[start : data.find(b",", start)])
                method = pending[key]
                made = (self.takers.get(method) or self.taker(method))(data)
                made = made if made.id == key else None
            else:
                made = (self.read or self.reader())(data)
                made = made if not self.bare or self.enveloped(made) else None
        except (LookupError, TypeError, ValueError):
            made = None
        return self.parsed(loaded(data), pending) if made is None else made

    def batch(self, data: object, pending: Mapping[Any, str]) -> list[Any]:
        """The messages in `data`, a list of them or one alone; requests and answers do not mix."""
        value = loaded(data) if isinstance(data, bytes | str) else data
        if not is_list(value):
            return [self.parsed(value, pending)]
        if len({is_object(item) and "method" in item for item in value}) > 1:
            raise MessageError(-32600, "a batch holds requests and notifications, or results and errors")
        return [self.parsed(item, pending) for item in value]

    def reader(self) -> Callable[[bytes], Any]:
        """What reads requests and notifications from text; built when the first one comes."""
        classes = dict.fromkeys(method.message for method in self.known.values())
        kind: Any = None
        for cls in classes:
            kind = cls if kind is None else kind | cls
        tagged: Any = Annotated[kind, Field(discriminator="method")] if len(classes) > 1 else kind
        self.read = TypeAdapter(tagged).validator.validate_json
        return self.read

    def taker(self, method: str) -> Callable[[bytes], Any]:
        """What reads the result of a method from text, built when the first one comes. KeyError: not asked for."""
        self.takers[method] = TypeAdapter(self.result(method)).validator.validate_json
        return self.takers[method]

    def result(self, method: str) -> type[Struct]:
        """The envelope of the result of a method; built when the first one comes."""
        if method not in self.results:
            generic: Any = Response
            self.results[method] = generic[self.answers[method].result]
        return self.results[method]

    def enveloped(self, made: Struct | None) -> bool:
        """Whether the envelope around a request or notification is right."""
        extra: dict[str, Any] = getattr(made, "model_extra", None) or {}
        needs_id = getattr(made, "method", "") in self.requests
        return extra.get("jsonrpc") == "2.0" and (not needs_id or is_id(extra.get("id")))

    def parsed(self, value: object, pending: Mapping[Any, str]) -> Any:
        """The message of a JSON value, and exactly what is wrong where there is none."""
        if not is_object(value):
            raise MessageError(-32600, f"a message is an object, not {type(value).__name__}")
        own = value.get("id") if is_id(value.get("id")) else None
        if "method" in value:
            return self.called(value, own)
        if "error" in value:
            return taken(self.error, value, own, "")
        if "result" not in value:
            raise MessageError(-32600, "a message has `method`, `result` or `error`", own)
        if self.response is not None:
            return taken(self.response, value, own, "")
        method = None if own is None else pending.get(own)
        if method is None:
            raise MessageError(-32600, f"a result with the id {value.get('id')!r} that no request has", own)
        if method not in self.answers:
            raise MessageError(
                -32600, f"a result of {method!r}, which this side is not asked for", own, method
            )
        return taken(self.result(method), value, own, method)

    def called(self, message: dict[str, Any], own: Any) -> Any:
        """The request or notification in `message`."""
        method = message["method"]
        if not isinstance(method, str):
            raise MessageError(-32600, f"`method` is a text, not {type(method).__name__}", own)
        found = self.known.get(method)
        if found is not None:
            cls = found.message
        elif self.rest is not None:
            cls = self.rest[0 if "id" in message else 1]
        else:
            raise MessageError(-32601, f"this side has no method {method!r}", own, method)
        made = taken(cls, message, own, method)
        if self.bare and not self.enveloped(made):
            raise MessageError(-32600, "`jsonrpc` is not '2.0', or `id` no text or whole number", own, method)
        return made


def loaded(data: bytes | str) -> object:
    """The JSON value in a text. MessageError where it is none."""
    try:
        return from_json(data)
    except ValueError as error:
        raise MessageError(-32700, f"not JSON: {error}") from None


def taken(cls: type[Struct], message: dict[str, Any], own: Any, method: str) -> Any:
    """`message` as `cls`. MessageError with the cause where it is none."""
    try:
        return cls.model_validate(message)
    except ValidationError as error:
        refused(error, own, method)


def refused(error: ValidationError, own: Any, method: str) -> NoReturn:
    """Raise what `error` means to the other side: wrong parameters, or no proper message."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    code = -32602 if first["loc"][:1] == ("params",) else -32600
    place = ".".join(map(str, first["loc"])) or "the message"
    raise MessageError(code, f"{method or 'the message'}: {place}: {first['msg']}", own, method) from error


def result_of(methods: Mapping[str, Method], method: str, value: object) -> Any:
    """`value` as the result of `method`. MessageError where it is none, or the method has none."""
    found = methods.get(method)
    if found is None or found.result is None:
        raise MessageError(-32601, f"no result of {method!r} is known", None, method)
    try:
        return TypeAdapter(found.result).validate_python(value)
    except ValidationError as error:
        refused(error, None, method)
