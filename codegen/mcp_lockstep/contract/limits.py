"""What the SDK of a generated server cannot send, from the table `[wire]` of its `target.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, cast

from mcp_lockstep.bundled import resources
from mcp_lockstep.contract.codes import RESOURCE_UNMATCHABLE, TARGET_DROPS, TARGET_REFUSES
from mcp_lockstep.contract.model import KINDS, Contract, Kind, root_is_object, shown
from mcp_lockstep.contract.origin import Origin, Origins
from mcp_lockstep.contract.shapes import SHAPE_OF, deviations
from mcp_lockstep.contract.uris import unmatchable
from mcp_lockstep.documents.data import JsonObject, as_object, text_of
from mcp_lockstep.findings import Finding
from mcp_lockstep.records import NamedTuple

Fate = Literal["kept", "dropped", "refused"]


class Limits(NamedTuple):
    """What becomes of the parts of a contract that not every SDK sends.

    kept: sent as it is; dropped: left out; refused: the whole list fails, so the tool is not registered.
    """

    unknown_keys: Fate = "kept"
    null_keys: Fate = "kept"
    execution_in_discover: Fate = "kept"
    input_root_not_object: Fate = "kept"
    output_root_not_object_in_handshake: Fate = "kept"
    uri_template_unmatchable: Fate = "kept"


_NO_LIMITS = Limits()


@cache
def target_limits(target: str) -> Limits:
    """The limits of a target that comes with the package. Raises FileNotFoundError for one that does not."""
    import tomli

    text = resources.read("templates", target, "target.toml").decode("utf-8")
    data = tomli.loads(text)
    base = data.get("extends")
    limits = target_limits(base) if isinstance(base, str) and base != "_common" else _NO_LIMITS
    return parse_limits(as_object(data.get("wire")) or {}, limits)


def parse_limits(table: Mapping[str, object], base: Limits = _NO_LIMITS) -> Limits:
    """The limits that a `[wire]` table states, over those of `base`. Raises ValueError for any other key."""
    stated = {key.replace("-", "_"): value for key, value in table.items()}
    if strange := sorted(stated.keys() - set(Limits._fields)):
        raise ValueError(f"[wire] has no key {strange[0].replace('_', '-')!r}")
    for key, value in stated.items():
        if value not in {"kept", "dropped", "refused"}:
            raise ValueError(
                f"[wire] {key.replace('_', '-')} is {value!r}; kept, dropped or refused is wanted"
            )
    return base._replace(**cast("dict[str, Fate]", stated))


def published(contract: Contract, limits: Limits) -> tuple[JsonObject, ...]:
    """The tools that a server with these limits registers: those that would make the whole list fail stay out."""
    refuses = limits.input_root_not_object == "refused"
    return tuple(tool for tool in contract.tools if root_is_object(tool) or not refuses)


def readable(template: JsonObject, limits: Limits) -> bool:
    """Whether the SDK can read the values of an address back under a resource template."""
    return limits.uri_template_unmatchable == "kept" or not unmatchable(text_of(template.get("uriTemplate")))


def undeliverable(contract: Contract, origins: Origins, limits: Limits) -> tuple[Finding, ...]:
    """What clients of a server with these limits would not get. `origins` has the place of each item."""
    return tuple(_undeliverable(contract, origins, limits))


def _undeliverable(contract: Contract, origins: Origins, limits: Limits) -> Iterator[Finding]:
    for kind in KINDS:
        for item, origin in zip(contract.of(kind), origins.of(kind), strict=True):
            yield from _dropped(kind, item, origin, limits)
            if kind == "tools":
                yield from _tool(item, origin, limits)
            if kind == "resourceTemplates" and not readable(item, limits):
                problem = unmatchable(text_of(item.get("uriTemplate")))
                yield origin.below("uriTemplate").finding(
                    RESOURCE_UNMATCHABLE, f"cannot be read back: {problem}"
                )


def _dropped(kind: Kind, item: JsonObject, origin: Origin, limits: Limits) -> Iterator[Finding]:
    if limits.unknown_keys == limits.null_keys == "kept":
        return
    for deviation in deviations(item, SHAPE_OF[kind]):
        here = origin.below(*deviation.parts)
        if deviation.kind == "unknown" and limits.unknown_keys != "kept":
            yield here.finding(TARGET_DROPS, "is no key of the protocol, so the SDK leaves it out")
        if deviation.kind == "null" and limits.null_keys != "kept":
            yield here.finding(TARGET_DROPS, "is null, so the SDK leaves it out", have="null")


def _tool(tool: JsonObject, origin: Origin, limits: Limits) -> Iterator[Finding]:
    if "execution" in tool and limits.execution_in_discover != "kept":
        message = "is not sent to clients of revision 2026-07-28, which has no such key"
        # The revision took the key away; nobody can mend that, and older clients do get it.
        yield origin.below("execution").finding(TARGET_DROPS, message, level="note")
    if not root_is_object(tool) and as_object(tool.get("inputSchema")) is not None:
        yield from _root(origin.below("inputSchema"), tool["inputSchema"], limits.input_root_not_object, "")
    output = as_object(tool.get("outputSchema"))
    if output is not None and output.get("type") != "object":
        older = " of revisions before 2026-07-28"
        yield from _root(
            origin.below("outputSchema"), output, limits.output_root_not_object_in_handshake, older
        )


def _root(here: Origin, schema: object, fate: Fate, clients: str) -> Iterator[Finding]:
    found = cast("JsonObject", schema).get("type")
    have = "no type" if found is None else f"type {shown(found)}"
    if fate == "refused":
        message = f'has {have} at its root; "type": "object" is wanted, or no tool at all can be listed'
        yield here.finding(TARGET_REFUSES, message, have=have, want='"type": "object"')
    elif fate == "dropped":
        message = f"has {have} at its root, so clients{clients} get the tool without it"
        yield here.finding(TARGET_DROPS, message, have=have, want='"type": "object"')
