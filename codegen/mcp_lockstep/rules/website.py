"""Rules for `websiteUrl` and `icons`: https addresses."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import At, Fault, Manifest, field, is_template, plain, shown, text
from mcp_lockstep.rules.urls import parse_url

WEBSITE_INVALID = Code(
    "LS2060",
    "invalid-website-url",
    "error",
    "`websiteUrl` cannot be read as an address.",
    "Control characters, spaces in the host, `%` without two hex digits and ports that are no numbers are "
    "refused.",
    registry="invalid-website-url",
)
WEBSITE_RELATIVE = Code(
    "LS2061",
    "website-url-must-be-absolute",
    "error",
    "`websiteUrl` is not a whole address.",
    "Clients show it as it is: it begins with https:// and names a host.",
    registry="website-url-must-be-absolute",
)
WEBSITE_SCHEME = Code(
    "LS2062",
    "website-url-invalid-scheme",
    "error",
    "`websiteUrl` is not an https address.",
    "The registry refuses every other scheme, http too.",
    registry="website-url-invalid-scheme",
)
ICON_INVALID = Code(
    "LS2063",
    "icon-src-invalid-url",
    "error",
    "An icon's `src` cannot be read as an address.",
    "Control characters, spaces in the host, `%` without two hex digits and ports that are no numbers are "
    "refused.",
    registry="icon-src-invalid-url",
)
ICON_RELATIVE = Code(
    "LS2064",
    "icon-src-not-absolute",
    "error",
    "An icon's `src` is not a whole address.",
    "Nothing of the package is shown before it is installed: the image must stand on the web.",
    registry="icon-src-not-absolute",
)
ICON_SCHEME = Code(
    "LS2065",
    "icon-src-invalid-scheme",
    "error",
    "An icon's `src` is not an https address.",
    "The registry refuses http: and data: addresses.",
    registry="icon-src-invalid-scheme",
)

_WEBSITE = (WEBSITE_INVALID, WEBSITE_RELATIVE, WEBSITE_SCHEME)
_ICON = (ICON_INVALID, ICON_RELATIVE, ICON_SCHEME)


def website(manifest: Manifest) -> Iterator[Fault]:
    """The website, where there is one, is an https address."""
    yield from _https("/websiteUrl", text(manifest.data.get("websiteUrl")), _WEBSITE)


def icons(manifest: Manifest) -> Iterator[Fault]:
    """Every icon is an https address."""
    for icon in At("", manifest.data).children("icons"):
        yield from _https(icon.to("src"), icon.text("src"), _ICON)


def _https(pointer: str, address: str, codes: tuple[Code, Code, Code]) -> Iterator[Fault]:
    if not address or is_template(address):
        return
    invalid, relative, scheme = codes
    parsed = parse_url(address)
    if parsed is None:
        code = invalid
    elif not parsed.scheme:
        code = relative
    elif parsed.scheme != "https":
        code = scheme
    else:
        return
    yield Fault(
        code,
        pointer,
        f"{field(pointer)} is {shown(address)}; an address that begins with https:// is wanted.",
        have=plain(address),
        want="https://...",
        hint=_hint(pointer, address),
    )


def _hint(pointer: str, address: str) -> str:
    if _is_http(address):
        return f'Write "https{address[4:]}" if that answers.'
    if address[:8].lower() == "https://":
        return "Write a host behind https://, and %XX for whatever an address may not hold."
    what = "page" if pointer == "/websiteUrl" else "image"
    return f"Publish the {what} and write its whole address, or remove the key."


def _is_http(address: str) -> bool:
    """Whether `address` is a plain http one, so that an `s` may be all that it lacks."""
    return address.lower().startswith("http://") and "@" not in address
