"""Rules for an MCPB `manifest.json`, the file inside a bundle."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.bundled import catalog
from mcp_lockstep.documents.pointer import escape_part
from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import Fault, JsonObject, elements, members, shown
from mcp_lockstep.rules.schema import evaluator, worded
from mcp_lockstep.rules.secrets import is_key, key_given

BUNDLE_REVISION_MISSING = Code(
    "LS2190",
    "bundle-revision-missing",
    "error",
    "A bundle's manifest does not say which revision of the format it keeps to.",
    "Programs that open a bundle choose their reader by `manifest_version`. The schema lets it be absent.",
)
BUNDLE_REVISION_UNKNOWN = Code(
    "LS2191",
    "bundle-revision-unknown",
    "error",
    "A bundle's manifest names a revision of the format that is not known.",
    "The file is judged by the newest bundled revision instead. `mcp-lockstep schemas list` prints the "
    "known ones.",
)
BUNDLE_REVISION_KEY = Code(
    "LS2192",
    "bundle-revision-key",
    "warning",
    "A bundle's manifest names its revision under the former key.",
    "`dxt_version` is the name from before the format was called MCPB. Use `manifest_version`.",
)

_KEYS = ("manifest_version", "dxt_version")


def _bundle_revision(data: JsonObject) -> str:
    """The revision that a bundle's manifest is judged by: its own, or the newest if it names no known one."""
    named = next((data[key] for key in _KEYS if key in data), None)
    return named if isinstance(named, str) and named in catalog.revisions("mcpb") else catalog.newest("mcpb")


def bundle_revision_named(data: JsonObject) -> Iterator[Fault]:
    """A bundle's manifest names a known revision."""
    key = next((key for key in _KEYS if key in data), None)
    known = catalog.revisions("mcpb")
    if key is None:
        message = "manifest.json has no `manifest_version`; the revision of the format is wanted."
        hint = f'Add "manifest_version": "{known[-1]}".'
        yield Fault(BUNDLE_REVISION_MISSING, "/manifest_version", message, None, known[-1], hint)
    elif data[key] not in known:
        message = f"`{key}` is {shown(data[key])}; known are {', '.join(known)}."
        yield Fault(BUNDLE_REVISION_UNKNOWN, f"/{key}", message, shown(data[key]), ", ".join(known))
    elif key == "dxt_version":
        message = "`dxt_version` is the former name of `manifest_version`."
        yield Fault(BUNDLE_REVISION_KEY, "/dxt_version", message, key, "manifest_version", "Rename the key.")


def bundle_schema(data: JsonObject) -> Iterator[Fault]:
    """Everything that the schema of the manifest's revision forbids."""
    yield from map(worded, evaluator("mcpb", _bundle_revision(data)).violations(data))


def bundle_keys(data: JsonObject) -> Iterator[Fault]:
    """No bundle comes with a key that somebody has, in its command or as what a user is offered."""
    for pointer, text in _texts(members(data.get("server")).get("mcp_config"), "/server/mcp_config"):
        if is_key(text, secret=False):
            yield key_given(pointer)
    for name, given in members(data.get("user_config")).items():
        option = members(given)
        default = option.get("default")
        if isinstance(default, str) and is_key(default, option.get("sensitive") is True):
            yield key_given(f"/user_config/{escape_part(name)}/default")


def _texts(value: object, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield pointer, value
    for key, item in members(value).items():
        yield from _texts(item, f"{pointer}/{escape_part(key)}")
    for index, item in enumerate(elements(value)):
        yield from _texts(item, f"{pointer}/{index}")
