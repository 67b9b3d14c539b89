"""The judge: a validator of a document's dialect, with its errors told as keywords at paths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import quote, urldefrag

from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.instances.document import Schemas
from mcp_lockstep.schema.instances.values import Path, Position
from mcp_lockstep.schema.values import Json

if TYPE_CHECKING:
    from jsonschema import ValidationError

DOCUMENT = "urn:mcp-lockstep:document"


class Fault(NamedTuple):
    """One failed keyword at one part of the instance; `branches` are the failures inside each alternative."""

    position: Position
    path: Path
    branches: tuple[tuple[Fault, ...], ...] = ()


class Judge:
    """Judges instances of the schema at `pointer`; formats are annotations and nothing is fetched."""

    def __init__(self, schemas: Schemas, pointer: str) -> None:
        from jsonschema_specifications import REGISTRY  # pyright: ignore[reportMissingTypeStubs]  # it has none
        from referencing import Resource
        from referencing.jsonschema import DRAFT202012, Schema

        self._schemas = schemas
        root: dict[str, Json] = schemas.root if isinstance(schemas.root, dict) else {}
        resource = Resource[Schema].from_contents(root, default_specification=DRAFT202012)
        # References are relative to the name of the document; one without a name gets ours.
        name = root.get("$id")
        url = (urldefrag(name).url if isinstance(name, str) else "") or DOCUMENT
        registry = REGISTRY.with_resource(url, resource).crawl()
        reference = {"$ref": f"{url}#{quote(pointer, safe='/~')}" if pointer else url}
        self._validator = schemas.dialect.validator(reference, registry=registry)

    def accepts(self, value: Json) -> bool:
        """Whether the schema accepts the value. A reference that cannot be resolved accepts nothing."""
        from referencing.exceptions import Unresolvable

        try:
            return self._validator.is_valid(value)
        except (Unresolvable, RecursionError):
            return False

    def faults(self, value: Json) -> tuple[Fault, ...]:
        """What is wrong with a value; empty if nothing is."""
        from referencing.exceptions import Unresolvable

        try:
            return self._told(self._validator.iter_errors(value))
        except (Unresolvable, RecursionError):
            return (Fault(Position("", "$ref"), ()),)

    def _told(self, errors: Iterable[ValidationError]) -> tuple[Fault, ...]:
        return tuple(map(self._fault, errors))

    def _fault(self, error: ValidationError) -> Fault:
        branches: dict[object, list[ValidationError]] = {}
        for inner in error.context or ():
            branches.setdefault(inner.schema_path[0], []).append(inner)
        pointer = self._schemas.pointer_of(error.schema) or ""
        keyword = str(error.validator)
        position = Position(f"{pointer}/{keyword}", keyword)
        if keyword == "not" and pointer in self._schemas.false:
            position = Position(pointer, "false")
        told = tuple(self._told(branch) for branch in branches.values())
        return Fault(position, tuple(error.absolute_path), told)


def blamed(faults: tuple[Fault, ...], wanted: Position, path: Path) -> tuple[Position, ...] | None:
    """The keywords that fail beside `wanted` at the same part; None if it is not what is wrong.

    Alternatives fail as a consequence: of each failed union one branch must fail for `wanted`.
    """
    for index, fault in enumerate(faults):
        others = tuple(
            other for other in faults[:index] + faults[index + 1 :] if not _consequence(other, wanted, path)
        )
        if any(other.path != path for other in others):
            continue
        found = _blamed_in(fault, wanted, path)
        if found is not None:
            return tuple(dict.fromkeys((*(other.position for other in others), *found)))
    return None


def _blamed_in(fault: Fault, wanted: Position, path: Path) -> tuple[Position, ...] | None:
    if fault.path == path and _names(fault.position, wanted):
        return ()
    branches = (blamed(branch, wanted, path) for branch in fault.branches)
    return min((found for found in branches if found is not None), key=len, default=None)


def _consequence(fault: Fault, wanted: Position, path: Path) -> bool:
    # A property counts as unevaluated when the subschema that evaluates it fails, so the parent object fails too.
    inner = len(path) > len(fault.path) and path[: len(fault.path)] == fault.path
    return inner and fault.position.keyword.startswith("unevaluated") and fault.position != wanted


def _names(position: Position, wanted: Position) -> bool:
    # An entry of a list (`/required/0`) is reported under the keyword that holds the list.
    if position.keyword != wanted.keyword:
        return False
    return position.pointer == wanted.pointer or wanted.pointer.startswith(position.pointer + "/")
