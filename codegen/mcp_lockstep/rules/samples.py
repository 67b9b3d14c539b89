"""Rules for samples: texts and names that a scaffold wrote because it did not know better ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import At, Fault, Manifest, field, members, shown, text

PLACEHOLDER_TEXT = Code(
    "LS2023",
    "placeholder-text",
    "warning",
    "A text, a name or a value was left as the tool that made the file wrote it.",
    "Such a text passes every check of the registry and is published for good: a published version never "
    "changes. What a user is to replace stands under `placeholder` of an argument, variable or header, or is a "
    "`{variable}` of an address; a `default` is what everybody gets who fills in nothing.",
)

_BRACKETS = {"[": "]", "<": ">"}
_LONGEST = 1000
"""Characters that are looked at: what is longer is no sample."""

_WHOLE = (
    r"(?:todo|fixme|tbd)(?:\s*[:(\u2013\u2014-].*)?",
    r"(?:todo|fixme) (?:describe|write|add|fill)\b.*",
    r"lorem ipsum\b.*|(?:brief|short|server) description",
    r"(?:add |enter |insert )?your (?:\w+ ){0,4}(?:description|server|project|title|name|package|tool)(?: here)?",
    r"(?:(?:a|the) )?(?:\w+ )?description here",
    r"(?:(?:a|the) )?(?:\w+ )?description (?:of|for) (?:what )?(?:your|my) (?:\w+ ){0,3}(?:server|project)(?: does)?",
)
"""What a description or a title is as a whole when nobody wrote one."""
_BEGINNINGS = ("todo", "fixme", "tbd", "lorem", "your ", "add your", "enter your", "insert your")

_IN_BRACKETS = (
    r"[\[<](?:(?:describe|insert|add|enter|write|specify|replace|fill)\b[^\[\]<>]*"
    r"\b(?:your|here|what|description|name)\b[\w ,.'-]*|your(?: [\w-]+){1,4}|(?:todo|fixme)\b[^\[\]<>]*"
    r"|(?:(?:brief|short|server) )?description here)[\]>](?!\()"
)
"""A part of a text that tells the reader what to write there; `[beta]`, `[optional]` and links are none."""

_NOUNS = """account apikey api application app bucket client company database dockerhub docker domain email endpoint
github gitlab handle hostname host image instance key mcp namespace name npm nuget organi[sz]ation org owner package
password project pypi region repository repo scope secret server service site subdomain team tenant token tool url
username user website workspace here id""".split()
_NAMES = (
    rf"(?<![\w{{$-])your[-_]?(?:(?:{'|'.join(_NOUNS)})[-_]?)++(?![\w}}@-])",
    r"\[your\b[^\[\]]*\]|<(?:your|insert|replace|enter)\b[^<>]*>",
)
"""A name all of whose words are general ones: `your-username`, `YOUR_API_KEY`, `<your repo name>`."""

_IN_NAMES = (
    *_NAMES,
    r"<[a-z][^<>]*>",
    r"(?:[./@]|\A)(?:owner|username|user|org)/repo(?:sitory)?(?:[-_]name)?(?:\.git)?/?\Z",
)
_IN_VALUES = (
    *_NAMES,
    r"(?<![\w-])(?:insert|put|enter|paste)[-_][\w-]*[-_]here\b",
    r"\A(?:bearer |basic |token )?<[\w .-]+>\Z",
    r"\A(?:change|replace)[-_ ]?me\Z",
)


def placeholders(manifest: Manifest) -> Iterator[Fault]:
    """Texts, names and values are not those that a tool wrote for lack of better ones."""
    for key in ("description", "title"):
        value = text(manifest.data.get(key))
        named = key == "title" and value.strip().startswith("Todo") and ":" not in value
        if not named and is_placeholder(value):
            yield _placeholder(f"/{key}", value, f"Write the {key} before you publish.")
    for at, key in _sample_names(manifest):
        what = "name of the package" if key == "identifier" else "address"
        yield _placeholder(at.to(key), at.text(key), f"Write the {what} before you publish.")
    for package in manifest.packages:
        for variable in package.variables:
            name = variable.text("name")
            if name.startswith("YOUR_"):
                hint = "Name a variable that the server reads, or remove the entry."
                yield _placeholder(variable.to("name"), name, hint)
    yield from _inputs(manifest)


def _sample_names(manifest: Manifest) -> Iterator[tuple[At, str]]:
    """Every name or address that is a sample: the object it stands in, and its key."""
    if is_sample_name(text(manifest.data.get("websiteUrl"))):
        yield At("", manifest.data), "websiteUrl"
    if is_sample_name(text(members(manifest.data.get("repository")).get("url"))):
        yield At("", manifest.data).child("repository"), "url"
    for package in manifest.packages:
        if is_sample_name(package.identifier):
            yield package.at, "identifier"
        if is_sample_name(package.transport.text("url")):
            yield package.transport, "url"
    for remote in manifest.remotes:
        if is_sample_name(remote.text("url")):
            yield remote, "url"


def _inputs(manifest: Manifest) -> Iterator[Fault]:
    """What everybody gets who fills in nothing, and what is said about an input."""
    for at in manifest.inputs:
        for key in ("default", "value"):
            if key in at.data and is_sample_value(at.text(key)):
                hint = "Take it out; what a user sees until there is a value is `placeholder`."
                yield _placeholder(at.to(key), at.text(key), hint)
        said = at.text("description")
        if said[:4].upper() in ("TODO", "FIXM", "TBD") and is_placeholder(said):
            yield _placeholder(at.to("description"), said, "Say what it is for, or take it out.")


def _placeholder(pointer: str, value: str, hint: str) -> Fault:
    message = f"{field(pointer)} is still the sample {shown(value)}; one of your own is wanted."
    return Fault(PLACEHOLDER_TEXT, pointer, message, value, None, hint)


def is_placeholder(value: str) -> bool:
    """Whether a text is a sample, or says in brackets what is to be written there."""
    bare = value.strip()[:_LONGEST].lower()
    if bare and _BRACKETS.get(bare[0]) == bare[-1] and bare.count(bare[0]) == bare.count(bare[-1]) == 1:
        return True
    # Compiling the patterns costs more than all that is judged in most files.
    if ("[" in bare or "<" in bare) and _compiled(_IN_BRACKETS).search(bare):
        return True
    told = "description" in bare or bare.startswith(_BEGINNINGS)
    return told and _compiled(*_WHOLE).fullmatch(bare.rstrip(" .!")) is not None


def is_sample_name(name: str) -> bool:
    """Whether a name or an address is a sample, or has a part that is one."""
    lower = name[:_LONGEST].lower()
    if not ("your" in lower or "<" in lower or "/repo" in lower):
        return False
    return _compiled(*_IN_NAMES).search(lower) is not None


def is_sample_value(value: str) -> bool:
    """Whether a default or a value is a sample: what everybody would get and nobody can use."""
    lower = value[:_LONGEST].lower()
    if not ("your" in lower or "<" in lower or lower.endswith(("me", "here"))):
        return False
    return _compiled(*_IN_VALUES).search(lower) is not None


@cache
def _compiled(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.ASCII)
