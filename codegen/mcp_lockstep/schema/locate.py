"""Where a `$ref` leads inside one schema. Nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote, urldefrag, urljoin

from mcp_lockstep.documents.pointer import unescape_part
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.schema.values import Json, Node, Path, as_list, as_map, subschemas


class Index(NamedTuple):
    """The addresses of one schema: absolute URIs, each with the path that it stands for."""

    resources: dict[str, Path]
    anchors: dict[str, Path]
    bases: dict[Path, str]


def walk(node: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Every schema in `node`, itself first, with its path."""
    yield path, node
    if isinstance(node, dict):
        for step, child in subschemas(node):
            yield from walk(child, path + step)


def index(root: Node) -> Index:
    """The identifiers and anchors in `root`."""
    found = Index({"": ()}, {}, {})
    _collect(root, (), "", found)
    return found


def _collect(node: Json, path: Path, base: str, found: Index) -> None:
    if not isinstance(node, dict):
        return
    identifier = node.get("$id", node.get("id"))
    if isinstance(identifier, str) and not (identifier.startswith("#") or ("$ref" in node and path)):
        base = _absolute(base, identifier)[0]
        found.resources.setdefault(base, path)
        found.bases[path] = base
    elif isinstance(identifier, str) and identifier.startswith("#"):
        found.anchors.setdefault(f"{base}{identifier}", path)
    for keyword in ("$anchor", "$dynamicAnchor"):
        anchor = node.get(keyword)
        if isinstance(anchor, str):
            found.anchors.setdefault(f"{base}#{anchor}", path)
    for step, child in subschemas(node):
        _collect(child, path + step, base, found)


def located(root: Node, at: Path, target: str, found: Index) -> Path | None:
    """The path in `root` that `target`, a reference that stands at `at`, leads to; None where it leads out."""
    base = _base(at, found)
    uri, fragment = (base, target[1:]) if target.startswith("#") else _absolute(base, target)
    start = found.resources.get(uri)
    if start is None:
        return None
    if fragment and not fragment.startswith("/"):
        return found.anchors.get(f"{uri}#{unquote(fragment)}")
    steps = tuple(unescape_part(part) for part in unquote(fragment).split("/")[1:])
    return start + steps if isinstance(value_at(root, start + steps), dict | bool) else None


def _absolute(base: str, target: str) -> tuple[str, str]:
    """`target` seen from `base`, without and as its fragment; what is no address stays as it is."""
    try:
        found = urldefrag(urljoin(base, target))
        return found.url, found.fragment
    except ValueError:
        return target, ""


def _base(at: Path, found: Index) -> str:
    for length in range(len(at), -1, -1):
        if at[:length] in found.bases:
            return found.bases[at[:length]]
    return ""


def value_at(root: Json, path: Path) -> Json:
    """The value at `path`; None where there is none."""
    for part in path:
        if isinstance(root, list):
            items = as_list(root)
            root = items[int(part)] if part.isdecimal() and int(part) < len(items) else None
        else:
            root = as_map(root).get(part)
    return root
