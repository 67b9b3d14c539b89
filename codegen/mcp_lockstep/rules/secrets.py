"""Rules for secrets: none in an address or a value, and what a user is asked for is said to be one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.documents.pointer import unescape_part
from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import At, Fault, Manifest, field, is_template, plain, shown
from mcp_lockstep.rules.samples import is_sample_name
from mcp_lockstep.secrecy import KEY_FORMS, NO_KEYS, WORDS, looks_like_key, masked_text

CREDENTIALS_IN_ADDRESS = Code(
    "LS2080",
    "credentials-in-address",
    "error",
    "An address holds a password or a key.",
    "What is published can be read by everybody, for ever. Take it out, revoke it, and let clients ask for it: a "
    "header, or a `{variable}` of the address that is declared as secret.",
)
SECRET_SHOWN = Code(
    "LS2081",
    "secret-not-marked",
    "warning",
    "Something that a user is asked for is called like a secret, and is not said to be one.",
    'Clients keep what is `"isSecret": true` out of sight and out of plain files. If it is none, say '
    '`"isSecret": false`.',
)
KEY_GIVEN = Code(
    "LS2082",
    "key-published",
    "error",
    "A value or a default that everybody gets is somebody's key.",
    "What is published can be read by everybody, for ever, and every user would work with your key. Take it out, "
    'revoke it, and let clients ask for it: `"isSecret": true` without `value` and `default`.',
)

_SECRETS = r"(?:.*_)?(?:API_?KEY|TOKEN|SECRET|PASSWORD)"
_ENDS = ("KEY", "TOKEN", "SECRET", "PASSWORD")
_IN_QUERY = (
    r"[?&;#](?:(?P<name>(?:[\w.-]*[_.-])?(?:(?:api|access|auth|secret|private|subscription|functions)[_-]?key"
    r"|[a-z]*token|[a-z]*secret|password|passwd|pwd|credentials?))|(?P<weak>key|code|auth|authorization|sig|signature))"
    r"=(?P<value>[^&;#]*)"
)
"""Parameters of an address: of those called `weak` the value tells whether it is a secret."""
_LITERAL = r"(?![$*])[^{}<>\s]+"
_PLAIN = rf"[0-9]{{1,7}}|true|false|yes|no|none|null|{NO_KEYS}"
_WEAK = rf"(?!{WORDS}\Z)(?=.*[0-9])[\w.~%+/=-]{{12,}}"
_SHORTEST = 16
"""Characters of what can be a key in the place of a value."""
_LONG = 20
"""Characters of the shortest key that tells by its form what it is."""
_TOKEN = rf"[0-9a-f]{{{_LONG},}}"


def credentials(manifest: Manifest) -> Iterator[Fault]:
    """No address holds a secret."""
    for at, key in _addresses(manifest):
        address = at.text(key)
        if "//" not in address or not (said := secret_in(address)):
            continue
        here = at.to(key)
        message = f"{field(here)} holds {said}; it would be published."
        hint = "Remove it and revoke it; clients can ask for it in a header."
        yield Fault(CREDENTIALS_IN_ADDRESS, here, message, plain(address), None, hint)


def secret_in(address: str) -> str:
    """What kind of secret is in an address, in words; empty if there is none.

    What a client or a release job fills in (`{x}`, `{{X}}`, `$X`) is none, whatever it is called.
    """
    rest = address.partition("//")[2]
    if "@" in rest and (said := _user_info(re.split("[/?#]", rest, maxsplit=1)[0].rpartition("@")[0])):
        return said
    if "=" in rest:
        for found in re.finditer(_IN_QUERY, rest, re.ASCII | re.IGNORECASE):
            if _is_secret_value(found["value"], found["weak"] is not None):
                return f"a value for {shown(found['name'] or found['weak'])}"
    if len(rest) > _LONG:
        path = rest.partition("?")[0].partition("/")[2]
        return (
            "a key"
            if any(len(part) >= _LONG and masked_text(part) != part for part in path.split("/"))
            else ""
        )
    return ""


def _user_info(user: str) -> str:
    name, _, password = user.partition(":")
    if _is_literal(password):
        return "a password"
    # A name alone is no secret, unless it is a key that stands where the name does.
    is_key = _is_literal(name) and (looks_like_key(name) or re.fullmatch(_TOKEN, name.lower()) is not None)
    return "a key in the place of a user" if is_key else ""


def _is_secret_value(value: str, weak: bool) -> bool:
    if not _is_literal(value) or re.fullmatch(_PLAIN, value.lower()):
        return False
    return not weak or looks_like_key(value) or re.fullmatch(_WEAK, value, re.ASCII) is not None


def _is_literal(value: str) -> bool:
    if re.fullmatch(_LITERAL, value) is None or value[:3].upper() == "%7B":
        return False
    return not (is_template(value) or is_sample_name(value))


def _addresses(manifest: Manifest) -> Iterator[tuple[At, str]]:
    whole = At("", manifest.data)
    yield whole, "websiteUrl"
    if "repository" in manifest.data:
        yield whole.child("repository"), "url"
    yield from ((icon, "src") for icon in whole.children("icons"))
    for package in manifest.packages:
        yield package.at, "registryBaseUrl"
        yield package.at, "identifier"
        yield package.transport, "url"
    yield from ((remote, "url") for remote in manifest.remotes)


def keys_given(manifest: Manifest) -> Iterator[Fault]:
    """No input comes with a key that somebody has: what tells by its form, or is declared secret and looks like one."""
    for at in manifest.inputs:
        for key in ("value", "default"):
            if is_key(at.text(key), at.data.get("isSecret") is True):
                yield key_given(at.to(key))


def key_given(pointer: str) -> Fault:
    """The fault that the value at `pointer` is a key."""
    hint = "Take it out and revoke it; clients ask for what is secret and has no value."
    return Fault(KEY_GIVEN, pointer, f"{field(pointer)} is a key; it would be published.", hint=hint)


def is_key(value: str, secret: bool) -> bool:
    """Whether a value, which is declared `secret`, is a key and no sample of one; an address has a rule of its own."""
    if len(value) < _SHORTEST:
        return False
    forms = any(re.search(form, value, re.ASCII) for form in KEY_FORMS)
    if not (forms or (secret and "//" not in value and looks_like_key(value))):
        return False
    return any(map(str.isdigit, value)) and not (is_template(value) or is_sample_name(value))


def secrets_marked(manifest: Manifest) -> Iterator[Fault]:
    """What is called like a secret says whether it is one; what has a value is asked of nobody."""
    for at in manifest.inputs:
        last = unescape_part(at.pointer.rpartition("/")[2])
        name = at.text("name") or ("" if last.isdecimal() else last)
        if not is_secret(name) or {"isSecret", "is_secret", "value"}.intersection(at.data):
            continue
        message = f"{field(at.pointer)}: {shown(name)} is called like a secret, and is not declared as one."
        hint = 'Say `"isSecret": true`, or `false` if it is none.'
        yield Fault(SECRET_SHOWN, at.pointer, message, None, "true", hint)


def is_secret(name: str) -> bool:
    """Whether the last word of `name`, of a variable, a flag or a header, is that of a secret."""
    folded = name.strip("-").replace("-", "_").upper()
    return folded.endswith(_ENDS) and re.fullmatch(_SECRETS, folded) is not None
