"""Rules for secrets: none in an address, and what a user is asked for is said to be one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.documents.pointer import unescape_part
from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import At, Fault, Manifest, field, is_template, plain, shown
from mcp_lockstep.rules.urls import parse_url

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

_SECRETS = r"(?:.*_)?(?:API_?KEY|TOKEN|SECRET|PASSWORD)"
_ENDS = ("KEY", "TOKEN", "SECRET", "PASSWORD")
_IN_QUERY = r"(?i)[?&]((?:[\w-]*[_-])?(?:api_?key|token|secret|password))=(?!\{|&|#|\Z)"


def credentials(manifest: Manifest) -> Iterator[Fault]:
    """No address holds a secret; one in `repository.url` is a fault of its form already."""
    for at, key in _addresses(manifest):
        address = at.text(key)
        if ("@" not in address and "=" not in address) or is_template(address):
            continue
        parsed = parse_url(address)
        user, colon, password = parsed.user.partition(":") if parsed else ("", "", "")
        asked = re.search(_IN_QUERY, address, re.ASCII)
        if colon and password and "{" not in password:
            said = f"a password of {shown(user)}"
        elif asked is not None:
            said = f"a value for {shown(asked[1])}"
        else:
            continue
        here = at.to(key)
        message = f"{field(here)} holds {said}; it would be published."
        hint = "Remove it and revoke it; clients can ask for it in a header."
        yield Fault(CREDENTIALS_IN_ADDRESS, here, message, plain(address), None, hint)


def _addresses(manifest: Manifest) -> Iterator[tuple[At, str]]:
    whole = At("", manifest.data)
    yield whole, "websiteUrl"
    yield from ((icon, "src") for icon in whole.children("icons"))
    for package in manifest.packages:
        yield package.at, "registryBaseUrl"
        yield package.at, "identifier"
        yield package.transport, "url"
    yield from ((remote, "url") for remote in manifest.remotes)


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
