"""A schema document made ready: a copy whose every part knows its pointer, its references and its routes."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote, urldefrag, urljoin

from mcp_lockstep.documents.pointer import escape_part, unescape_part
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.instances.dialect import Dialect, dialect_of
from mcp_lockstep.schema.instances.regex import Regex, regex
from mcp_lockstep.schema.values import REFERENCES, Json

MAPS = ("properties", "patternProperties", "dependentSchemas", "dependencies")
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
SINGLES = (
    "additionalItems", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else",
    "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip
IN_PLACE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies")
"""Applicators whose subschemas apply to the same part of the instance, as references do."""
HIDDEN = ("not", "if", "contains", "unevaluatedItems", "unevaluatedProperties")
"""Applicators whose inner failures a validator does not report one by one."""
OWN_FALSE = ("additionalItems", "additionalProperties", "items", "unevaluatedItems", "unevaluatedProperties")
"""Applicators that report `false` under their own name."""
MAX_DEPTH = 200
ANYTHING = "(?:)"
ENDLESS = 10**6
DEEPEST = 24
DEEPEST_UNEVALUATED = 8
"""How deep an instance may be; validators take twice as long per level for recursive `unevaluated` keywords."""


class SchemaUnusable(ValueError):
    """A schema document that nothing can be made from: nested too deeply, or not a schema at all."""


class Edge(NamedTuple):
    """The step from a schema to one of its subschemas; `key` is the property, pattern or index if there is one."""

    keyword: str
    key: str | int | None
    target: str


class Schemas:
    """One root document, copied. False subschemas become `{"not": {}}` and patterns that only ECMA-262 reads are
    rewritten for Python, so that a validator can judge the copy; pointers are those of the original.
    """

    def __init__(self, root: Json) -> None:
        self.pointers: dict[int, str] = {}
        self._parts: dict[str, Json] = {}
        self.root = self._copy(root, "", 0)
        self.dialect: Dialect = dialect_of(self.root)
        self.false: dict[str, None] = {}
        self.unreadable: dict[str, str] = {}
        self.endless: dict[str, None] = {}
        self.deepest = DEEPEST
        self._bases: dict[str, str] = {}
        self._resources: dict[str, str] = {"": ""}
        self._anchors: dict[tuple[str, str], str] = {}
        self._edges: dict[str, tuple[Edge, ...]] = {}
        self._heights: dict[str, int] | None = None
        self._sources: dict[tuple[str, str], str] = {}
        self._originals: dict[str, str] = {}
        self._register("", "")
        if self.root is False:
            self.root = self._mark("")

    def _copy(self, value: Json, pointer: str, depth: int) -> Json:
        if depth > MAX_DEPTH:
            raise SchemaUnusable(f"the schema is nested more than {MAX_DEPTH} levels deep")
        copy: Json = value
        if isinstance(value, dict):
            copy = {
                key: self._copy(part, f"{pointer}/{escape_part(key)}", depth + 1)
                for key, part in value.items()
            }
            self.pointers[id(copy)] = pointer
        elif isinstance(value, list):
            copy = [self._copy(part, f"{pointer}/{index}", depth + 1) for index, part in enumerate(value)]
        self._parts[pointer] = copy
        return copy

    def _register(self, pointer: str, base: str) -> None:
        part = self._parts[pointer]
        if isinstance(part, dict):
            name = part.get("$id", part.get("id"))
            if isinstance(name, str) and not name.startswith("#"):
                base = urldefrag(urljoin(base, name)).url
                self._resources.setdefault(base, pointer)
            self._bases[pointer] = base
            for keyword in ("$anchor", "$dynamicAnchor", "$id"):
                anchor = part.get(keyword)
                if isinstance(anchor, str) and (keyword != "$id" or anchor.startswith("#")):
                    self._anchors.setdefault((base, anchor.lstrip("#")), pointer)
            for key in part:
                if key not in ("enum", "const", "default", "examples"):
                    self._register(f"{pointer}/{escape_part(key)}", base)
        elif isinstance(part, list):
            for index in range(len(part)):
                self._register(f"{pointer}/{index}", base)

    def pointer_of(self, part: object) -> str | None:
        """Where a dictionary of the copy stands, by identity."""
        return self.pointers.get(id(part))

    def at(self, pointer: str) -> Json:
        """The part of the copy at a pointer; KeyError where there is none."""
        return self._parts[pointer]

    def has(self, pointer: str) -> bool:
        """Whether the document has a part at `pointer`."""
        return pointer in self._parts

    def fields(self, pointer: str) -> dict[str, Json]:
        """The keywords of the schema at `pointer` that its dialect knows; empty for a boolean schema."""
        part = self._parts[pointer]
        if not isinstance(part, dict):
            return {}
        if self.dialect.lone_references and "$ref" in part:
            return {"$ref": part["$ref"]}
        known = {key: value for key, value in part.items() if key in self.dialect.keywords}
        if "if" not in known:
            known.pop("then", None)
            known.pop("else", None)
        return known

    def source(self, pointer: str, keyword: str) -> str:
        """The key of `patternProperties` as the author wrote it."""
        return self._sources.get((pointer, keyword), keyword)

    def resolve(self, pointer: str, reference: str) -> str | None:
        """The pointer that a reference at `pointer` means; None where the document does not hold it."""
        base = self._bases.get(pointer, "")
        url, fragment = (
            (base, reference[1:]) if reference.startswith("#") else urldefrag(urljoin(base, reference))
        )
        resource = self._resources.get(url)
        if resource is None:
            return None
        if not fragment:
            return resource
        if not fragment.startswith("/"):
            return self._anchors.get((url, unquote(fragment)))
        tokens = unquote(fragment).split("/")[1:]
        target = resource + "".join(f"/{escape_part(unescape_part(token))}" for token in tokens)
        return target if target in self._parts else None

    def edges(self, pointer: str) -> tuple[Edge, ...]:
        """The subschemas of the schema at `pointer`, in the order of the document."""
        known = self._edges.get(pointer)
        if known is None:
            self._edges[pointer] = known = tuple(self._find_edges(pointer))
            for edge in known:
                self._prepare(edge)
        return known

    def edge(self, pointer: str, keyword: str, key: str | int | None = None) -> Edge | None:
        """The step from `pointer` by a keyword and key."""
        return next((e for e in self.edges(pointer) if e.keyword == keyword and e.key == key), None)

    def _find_edges(self, pointer: str) -> Iterator[Edge]:
        part = self._parts[pointer]
        if not isinstance(part, dict):
            return
        self._translate_patterns(pointer, part)
        for keyword, value in self.fields(pointer).items():
            base = f"{pointer}/{escape_part(keyword)}"
            if keyword.startswith("unevaluated"):
                self.deepest = DEEPEST_UNEVALUATED
            if keyword in REFERENCES and isinstance(value, str):
                target = self.resolve(pointer, value)
                if target is not None:
                    yield Edge(keyword, None, target)
            elif keyword in MAPS and isinstance(value, dict):
                subschemas = [key for key, sub in value.items() if isinstance(sub, dict | bool)]
                yield from (
                    Edge(keyword, key, f"{base}/{escape_part(self.source(pointer, key))}")
                    for key in subschemas
                )
            elif keyword in LISTS or (keyword == "items" and isinstance(value, list)):
                count = len(value) if isinstance(value, list) else 0
                yield from (Edge(keyword, index, f"{base}/{index}") for index in range(count))
            elif keyword in (*SINGLES, "items") and isinstance(value, dict | bool):
                yield Edge(keyword, None, base)

    def _prepare(self, edge: Edge) -> None:
        if self._parts.get(edge.target) is not False or edge.keyword in OWN_FALSE:
            return
        mark = self._mark(edge.target)
        parent, _, token = edge.target.rpartition("/")
        holder = self._parts[parent]
        if isinstance(holder, list):
            holder[int(token)] = mark
        elif isinstance(holder, dict):
            name = unescape_part(token)
            holder[
                next((key for key in (edge.key, name) if isinstance(key, str) and key in holder), name)
            ] = mark

    def _mark(self, pointer: str) -> dict[str, Json]:
        # A false schema has no identity to recognise its error by; `{"not": {}}` says the same and has.
        anything: dict[str, Json] = {}
        mark: dict[str, Json] = {"not": anything}
        for place, part in ((pointer, mark), (f"{pointer}/not", anything)):
            self.pointers[id(part)] = place
            self._parts[place] = part
        self.false[pointer] = None
        return mark

    def _translate_patterns(self, pointer: str, part: dict[str, Json]) -> None:
        pattern = part.get("pattern")
        if isinstance(pattern, str):
            part["pattern"] = self._translated(f"{pointer}/pattern", pattern)
        patterns = part.get("patternProperties")
        if isinstance(patterns, dict):
            for key in list(patterns):
                readable = self._translated(f"{pointer}/patternProperties/{escape_part(key)}", key)
                self._sources[pointer, readable] = key
                patterns[readable] = patterns.pop(key)

    def _translated(self, pointer: str, source: str) -> str:
        usable = regex(source).usable
        if usable is None:
            self.unreadable[pointer] = f"the regular expression cannot be read: {regex(source).fault}"
            self._originals[ANYTHING] = source
            return ANYTHING
        self._originals[usable] = source
        return usable

    def regex(self, readable: str) -> Regex:
        """The expression behind a pattern of the copy, as the author wrote it."""
        return regex(self._originals.get(readable, readable))

    def routes(self, start: str) -> dict[str, tuple[Edge, ...]]:
        """The shortest way from `start` to each schema whose failures a validator reports, nearest first.

        Subschemas that only a condition, `not` or `contains` uses are prepared but have no route.
        """
        if self._parts[start] is False:
            self._parts[start] = self._mark(start)
        order = [start]
        self._prepare_all(order, {start: None})
        self._end_loops(order)
        found: dict[str, tuple[Edge, ...]] = {start: ()}
        queue = [start]
        for pointer in queue:
            for edge in self.edges(pointer):
                if edge.keyword in HIDDEN or edge.target in found or self._parts[edge.target] is False:
                    continue
                found[edge.target] = (*found[pointer], edge)
                queue.append(edge.target)
        return found

    def _prepare_all(self, queue: list[str], seen: dict[str, None]) -> None:
        for pointer in queue:
            for edge in self.edges(pointer):
                if edge.target not in seen:
                    seen[edge.target] = None
                    queue.append(edge.target)

    def _end_loops(self, pointers: list[str]) -> None:
        # A schema that refers to itself for the same part of the instance makes validators recurse without end;
        # nothing can be said to satisfy it, so it counts as false.
        done: dict[str, None] = {}
        for start in pointers:
            stack = [(start, iter(self._in_place(start)))]
            while stack:
                pointer, edges = stack[-1]
                edge = next(edges, None)
                if edge is None:
                    done[pointer] = None
                    stack.pop()
                elif edge.target in (loop := [place for place, _ in stack]):
                    self._end_loop(loop[loop.index(edge.target) :])
                elif edge.target not in done:
                    stack.append((edge.target, iter(self._in_place(edge.target))))

    def _in_place(self, pointer: str) -> list[Edge]:
        return [edge for edge in self.edges(pointer) if edge.keyword in (*IN_PLACE, *REFERENCES)]

    def _end_loop(self, loop: list[str]) -> None:
        for pointer in loop:
            part = self._parts[pointer]
            if isinstance(part, dict) and any(keyword in part for keyword in REFERENCES):
                part.clear()
                part.update(self._mark(pointer))
                self.pointers[id(part)] = pointer
                self._parts[pointer] = part
                self._edges.pop(pointer, None)
                self.endless[pointer] = None

    def height(self, pointer: str) -> int:
        """How many levels the smallest instance of a schema needs; `ENDLESS` where there is no finite one."""
        if self._heights is None or pointer not in self._heights:
            self._heights = self._find_heights(pointer)
        return self._heights[pointer]

    def _find_heights(self, start: str) -> dict[str, int]:
        self._prepare_all(order := [start], {start: None})
        nodes = [*(node for node in self._heights or {} if node not in order), *order]
        heights = dict.fromkeys(nodes, ENDLESS)
        for _ in range(len(nodes)):
            before = dict(heights)
            for pointer in reversed(nodes):
                heights[pointer] = self._own_height(pointer, heights)
            if heights == before:
                break
        return heights

    def _own_height(self, pointer: str, heights: dict[str, int]) -> int:
        fields = self.fields(pointer)
        required = fields.get("required")
        names = required if isinstance(required, list) else []
        least: dict[str, int] = {}
        height = 0
        for keyword, key, target in self.edges(pointer):
            below = heights.get(target, ENDLESS)
            if keyword in ("anyOf", "oneOf"):
                least[keyword] = min(least.get(keyword, ENDLESS), below)
            elif keyword == "allOf" or keyword in REFERENCES:
                height = max(height, below)
            elif (keyword == "properties" and key in names) or (
                keyword == "items" and fields.get("minItems")
            ):
                height = max(height, below + 1)
        return min(ENDLESS, max([height, *least.values()]))
