"""Rules for the server's name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import Fault, Manifest, is_template, members, shown, text
from mcp_lockstep.rules.samples import is_sample_name

INVALID_SERVER_NAME = Code(
    "LS2030",
    "invalid-server-name",
    "error",
    "`name` is not NAMESPACE/NAME as the registry wants it.",
    "Both parts have two characters or more and begin and end with a letter or digit; between them the "
    "namespace takes dots and hyphens, the name underscores too. The schema alone is laxer. 200 characters "
    "at most.",
    registry="invalid-server-name",
)
NAME_PLACEHOLDER = Code(
    "LS2031",
    "name-placeholder",
    "warning",
    "`name` was left as the tool that made the file wrote it.",
    "Nobody owns such a name, so no token may publish it. A server's name cannot be changed after "
    "publishing.",
)

OWNER_CASE = Code(
    "LS2032",
    "name-owner-case",
    "warning",
    "The namespace spells the owner of the repository with other capitals than `repository.url`.",
    "The registry compares letter by letter with the login as GitHub spells it, here and in the ownership marker "
    "alike. One of the two spellings is not that; a name cannot be changed after publishing.",
)

_SHORTEST, _LONGEST = 3, 200
_SCHEMA = r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+"
_GITHUB = "io.github."


def server_name(manifest: Manifest) -> Iterator[Fault]:
    """The name has the form that publishing asks for."""
    name = manifest.data.get("name")
    if not isinstance(name, str) or is_template(name):
        return
    if _is_sample(name):
        yield Fault(
            NAME_PLACEHOLDER,
            "/name",
            f"`name` is the sample name {shown(name)}; a name in a namespace of yours is wanted.",
            have=name,
            want="io.github.OWNER/NAME or a reversed domain of yours",
            hint="Write OWNER as GitHub spells it.",
        )
    wrong = fault_of_name(name)
    if wrong:
        yield Fault(
            INVALID_SERVER_NAME,
            "/name",
            f"`name` is {shown(name)}: {wrong}.",
            have=name,
            want="NAMESPACE/NAME",
            hint="Write it like io.github.OWNER/NAME: letters, digits, dots and hyphens.",
        )


def owner_case(manifest: Manifest) -> Iterator[Fault]:
    """The owner in the namespace is spelt like the owner in the address of the repository."""
    namespace = text(manifest.data.get("name")).partition("/")[0]
    url = text(members(manifest.data.get("repository")).get("url"))
    if f"/{namespace.removeprefix(_GITHUB)}/" in url:
        return
    found = re.match(r"https?://(?:www\.)?github\.com/([\w.-]+)/", url, re.ASCII | re.IGNORECASE)
    mine = namespace.removeprefix(_GITHUB)
    if found is None or not namespace.startswith(_GITHUB) or mine == found[1]:
        return
    if mine.lower() == found[1].lower():
        message = f"`name` belongs to {shown(mine)}, and `repository.url` to {shown(found[1])}."
        hint = "Write both as GitHub shows the login, in the README's marker too."
        yield Fault(OWNER_CASE, "/name", message, mine, found[1], hint)


def _is_sample(name: str) -> bool:
    return name.lower().startswith("com.example/") or is_sample_name(name)


def fault_of_name(name: str, registry: str = "official") -> str:
    """What is wrong with a server name, as the end of a sentence; empty if nothing is.

    In a private `registry` a name is what the schema lets through.
    """
    if registry == "private" and re.fullmatch(_SCHEMA, name, re.ASCII) and len(name) <= _LONGEST:
        return ""
    namespace, slash, short = name.partition("/")
    if not slash:
        return "it has no slash between namespace and name"
    if "/" in short:
        return "it has more than one slash"
    if len(name) > _LONGEST:
        return f"it has {len(name)} characters, {_LONGEST} are allowed"
    return _fault_of_part("namespace", namespace) or _fault_of_part("name", short)


def _strange(value: str, allowed: str) -> str:
    """The first character that is no ASCII letter or digit, nor `allowed`; empty where there is none."""
    bare = value
    for char in allowed:
        bare = bare.replace(char, "")
    fits = bare.isascii() and (bare.isalnum() or not bare)
    return "" if fits else next(c for c in bare if not (c.isascii() and c.isalnum()))


def _fault_of_part(part: str, value: str) -> str:
    what = f"the {part} before the slash" if part == "namespace" else "the name after the slash"
    if not value:
        return f"{what} is empty"
    allowed = "._-" if part == "name" else ".-"
    if strange := _strange(value, allowed):
        return f"{what} has the character {shown(strange)}"
    if len(value) == 1:
        return f"{what} has one character, two are the least"
    if not (value[0].isalnum() and value[-1].isalnum()):
        return f"{what} must begin and end with a letter or digit"
    return ""
