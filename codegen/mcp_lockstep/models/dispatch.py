"""What a protocol's module has besides its models: the methods of each side, and the reading of messages by them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from mcp_lockstep.models.plan import ClassPlan, FieldPlan, ModulePlan
from mcp_lockstep.models.types import Renderer, annotated
from mcp_lockstep.models.unions import Unions
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.values import nodes, reference

WIRE_NAMES = tuple(
    "Channel ClientMessage Generic Message MessageError Method NamedTuple R Response ServerMessage TypeAdapter".split()
)
"""Names that no class of a protocol may have: those of what reads its messages."""

_SIDED = re.compile(r"(Client|Server|JsonRpc)(Request|Notification)")
_SIDES = (("Client", "Server"), ("Server", "Client"), ("JsonRpc", ""))
"""The first words of the unions of one side, and of those of the side that it answers."""
_ERRORS = ("JSONRPCErrorResponse", "JSONRPCError", "JsonRpcError")
_RESPONSE = "JsonRpcResponse"
_BATCH = "JSONRPCBatchRequest"
_OF_A_TASK = "CreateTaskResult"


class Dispatch(NamedTuple):
    """The statements after the models of a module, and the names in them that are for users."""

    code: str = ""
    names: tuple[str, ...] = ()


class _Group(NamedTuple):
    """A union of messages: its name, the class of each method, the class for all other methods (empty: none)."""

    name: str
    methods: dict[str, str]
    rest: str

    @property
    def constant(self) -> str:
        """`CLIENT_REQUESTS` for `ClientRequest`."""
        return f"{re.sub('(?<=[a-z])(?=[A-Z])', '_', self.name).upper()}S"


def speaks(names: Iterable[str]) -> bool:
    """Whether definitions of these names are those of a protocol: unions of what each side says."""
    return any(_SIDED.fullmatch(name) for name in names)


def dispatch(planned: ModulePlan) -> Dispatch:
    """How messages are read, for the module of a protocol; nothing for any other."""
    if not speaks(planned.all_definitions):
        return Dispatch()
    protocol = _Protocol(planned)
    sides = [side for side in _SIDES if protocol.of(side[0])]
    if not sides or not protocol.error:
        return Dispatch()
    groups = [group for group in protocol.groups.values() if group.methods]
    parts = [protocol.table(group) for group in groups]
    names = [group.constant for group in groups]
    for own, other in sides:
        code, added = _side(protocol, own, other)
        parts.append(code)
        names += added
    results = protocol.results(groups)
    if results:
        parts.append(
            _results(results, [group.constant for group in groups if group.name.endswith("Request")])
        )
        names.append("parse_result")
    used = ["Response"] if any("Response[" in part for part in parts) else []
    return Dispatch("\n\n".join(parts), (*names, "MessageError", "Method", "id_of", *used))


class _Protocol:
    """The messages of a module."""

    def __init__(self, planned: ModulePlan) -> None:
        self.classes = {cls.name: cls for cls in planned.classes}
        self.definitions = planned.all_definitions
        self.unions = Unions(planned)
        self.renderer = Renderer(unions=self.unions)
        self.error = next((name for name in _ERRORS if name in self.classes), "")
        self.groups = {
            name: group
            for name in self.definitions
            if (group := self._group(name)) is not None and group.methods
        }

    def of(self, word: str) -> list[_Group]:
        """The requests and notifications whose union begins with `word`."""
        both = [self.groups.get(f"{word}{kind}") for kind in ("Request", "Notification")]
        return [group for group in both if group is not None]

    def method(self, name: str) -> str:
        """The method of a class of messages; empty where it takes any or none."""
        field = self.field(name, "method")
        texts = self.unions.texts(field.node) if field is not None and field.required else ()
        return texts[0] if len(texts) == 1 else ""

    def field(self, name: str, wire: str) -> FieldPlan | None:
        """The field of a class with a name on the wire."""
        fields = self.classes[name].fields if name in self.classes else ()
        return next((field for field in fields if field.wire == wire), None)

    def _group(self, name: str) -> _Group | None:
        if not name.endswith(("Request", "Notification")):
            return None
        if name in self.classes:
            return _Group(name, {self.method(name): self._named(name)}, "") if self._alone(name) else None
        node = self.definitions[name]
        members = [reference(part) or "" for part in (nodes(node, "anyOf") if "anyOf" in node else [node])]
        if not all(self.field(member, "method") for member in members):
            return None
        rest = [member for member in members if not self.method(member)]
        methods = {self.method(member): member for member in members if self.method(member)}
        return _Group(name, methods, rest[0] if len(rest) == 1 else "")

    def _alone(self, name: str) -> bool:
        """Whether a class is all that a side can say."""
        return _SIDED.fullmatch(name) is not None and bool(self.method(name))

    def _named(self, name: str) -> str:
        """The class by its own name, where a side can say one thing and that is written out again."""
        same = [
            cls.name for cls in self.classes.values() if _alike(cls, self.classes[name]) and cls.name != name
        ]
        return same[0] if same else name

    def table(self, group: _Group) -> str:
        """The statement for the methods of a group."""
        rows = [
            f"    {method!r}: Method({', '.join(self._entry(cls, group))}),\n"
            for method, cls in sorted(group.methods.items())
        ]
        told = "messages" if _SIDED.fullmatch(group.name) else "messages within messages"
        return (
            f"{group.constant}: Final[Mapping[str, Method]] = {{\n{''.join(rows)}}}\n"
            f'"""By method, the {told} of `{group.name}`."""\n'
        )

    def _entry(self, cls: str, group: _Group) -> list[str]:
        params = self.field(cls, "params")
        entry = [cls, "None" if params is None else self.renderer.text(params.node)]
        result = self.result(cls) if group.name.endswith("Request") else None
        return entry if result is None else [*entry, str(result)]

    def result(self, cls: str) -> str | None:
        """The type of the result of a request: its own, or another that the protocol allows."""
        own = f"{cls.removesuffix('Request')}Result"
        response = self.field(f"{own}Response", "result")
        if response is not None:
            node = response.node
            found = [reference(part) or "" for part in (nodes(node, "anyOf") if "anyOf" in node else [node])]
        elif own in self.definitions:
            found = [own, _OF_A_TASK] if self._as_task(cls) else [own]
        else:
            found = ["EmptyResult"] if "EmptyResult" in self.definitions else []
        found.sort(key=lambda name: name != own)
        return self._first(found) if found and all(found) else None

    def _as_task(self, cls: str) -> bool:
        """Whether what is asked for may be done later, and a task is the result."""
        params = self.field(cls, "params")
        name = "" if params is None else reference(params.node) or ""
        return _OF_A_TASK in self.classes and self.field(name, "task") is not None

    def _first(self, names: list[str]) -> str:
        """A union whose first member is tried first, if it asks for something that the others do not know."""
        first, *others = (self.classes.get(name) for name in names)
        if not others or first is None or not all(other and _asks_more(first, other) for other in others):
            return " | ".join(names)
        return annotated(" | ".join(names), ("union_mode='left_to_right'",))

    def results(self, groups: list[_Group]) -> dict[str, list[str]]:
        """The types of results, each with its methods."""
        found: dict[str, list[str]] = {}
        for group in groups:
            for method, cls in sorted(group.methods.items()):
                result = self.result(cls) if group.name.endswith("Request") else None
                if result is not None and method not in found.setdefault(result, []):
                    found[result].append(method)
        return found

    def bare(self, word: str) -> bool:
        """Whether the classes of a side leave the envelope out."""
        return not any(
            self.field(cls, "jsonrpc") for group in self.of(word) for cls in group.methods.values()
        )

    def has(self, name: str) -> bool:
        return name in self.definitions


def _alike(a: ClassPlan, b: ClassPlan) -> bool:
    """Whether two classes hold the same."""
    return [field.node for field in a.fields] == [field.node for field in b.fields]


def _asks_more(a: ClassPlan, b: ClassPlan) -> bool:
    known = {field.wire for field in b.fields}
    return any(field.required and field.wire not in known for field in a.fields)


def _side(protocol: _Protocol, own: str, other: str) -> tuple[str, list[str]]:
    """The functions that read what a side says, and their names."""
    word = "" if own == "JsonRpc" else own.lower()
    alias = f"{own}Message" if word else "Message"
    function = f"parse_{word}_message" if word else "parse_message"
    answers = next((group for group in protocol.of(other) if group.name.endswith("Request")), None)
    channel = f"FROM_{word.upper()}" if word else "FROM_PEER"
    types = _types(protocol, own, answers)
    of = f"a {word}" if word else "the other side"
    code = (
        f"{channel} = Channel({', '.join(_arguments(protocol, own, answers))})\n\n"
        f"if TYPE_CHECKING:\n    {alias}: TypeAlias = {types!r}\n"
        f'else:\n    {alias} = TypeAliasType("{alias}", {types!r})\n'
        f'"""What {of} says."""\n\n\n{_FUNCTION.format(function, alias, channel, of)}'
    )
    names = [alias, function]
    if protocol.has(_BATCH):
        batch = function.replace("message", "batch")
        code += f"\n\n{_SEVERAL.format(batch, alias, channel, of)}"
        names.append(batch)
    return code, names


def _arguments(protocol: _Protocol, own: str, answers: _Group | None) -> Iterable[str]:
    groups = {kind: protocol.groups.get(f"{own}{kind}") for kind in ("Request", "Notification")}
    yield from ("{}" if group is None else group.constant for group in groups.values())
    yield "{}" if answers is None else answers.constant
    yield protocol.error
    rest = [group.rest for group in groups.values() if group is not None and group.rest]
    if len(rest) == len(groups):
        yield f"rest=({', '.join(rest)})"
    if protocol.has(_RESPONSE):
        yield f"response={_RESPONSE}"
    if protocol.bare(own):
        yield "bare=True"


def _types(protocol: _Protocol, own: str, answers: _Group | None) -> str:
    """The classes that a message of a side may be of."""
    members = [
        group.name if group.name not in protocol.classes else next(iter(group.methods.values()))
        for group in protocol.of(own)
    ]
    if protocol.has(_RESPONSE):
        members.append(_RESPONSE)
    if answers is not None:
        results = " | ".join(_plain(result) for result in protocol.results([answers]))
        members.append(f"Response[{' | '.join(dict.fromkeys(results.split(' | ')))}]")
    return " | ".join([*members, protocol.error])


def _plain(result: str) -> str:
    """A type of results as it is written for type checkers."""
    return result.removeprefix("Annotated[").partition(",")[0]


def _results(results: Mapping[str, list[str]], tables: list[str]) -> str:
    """`parse_result`, which type checkers know for each method."""
    lines = ["if TYPE_CHECKING:\n"]
    for result, methods in results.items():
        literal = f"Literal[{', '.join(map(repr, methods))}]"
        lines += [
            "    @overload\n",
            f"    def parse_result(method: {literal}, value: object) -> {_plain(result)}: ...\n",
        ]
    lines += ["    @overload\n", "    def parse_result(method: str, value: object) -> object: ...\n\n"]
    merged = ", ".join(f"**{table}" for table in tables)
    return f"RESULTS: Final[Mapping[str, Method]] = {{{merged}}}\n\n{''.join(lines)}{_RESULT}"


_FUNCTION = '''\
def {0}(data: object, pending: Mapping[Any, str] = {{}}) -> {1}:
    """The message of {3} in `data`, JSON (bytes, text or parsed), as the class of its method.

    `pending` maps the ids of the requests that wait for a result to their methods. MessageError, with the code to
    answer, for an unknown method, a result that nobody waits for, and a wrong shape.
    """
    message: {1} = {2}.message(data, pending)
    return message
'''
_SEVERAL = '''\
def {0}(data: object, pending: Mapping[Any, str] = {{}}) -> list[{1}]:
    """The messages of {3} in `data`: those of a batch, or one alone. MessageError where one cannot be taken."""
    messages: list[{1}] = {2}.batch(data, pending)
    return messages
'''
_RESULT = '''\
    def parse_result(method: str, value: object) -> object:
        """The result of a request of `method`, from parsed JSON. MessageError where it is none."""
        return result_of(RESULTS, method, value)

else:

    def parse_result(method: str, value: object) -> object:
        """The result of a request of `method`, from parsed JSON. MessageError where it is none."""
        return result_of(RESULTS, method, value)
'''
