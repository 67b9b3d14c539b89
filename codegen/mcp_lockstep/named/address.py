"""The one place that uses the network for a schema: an https address that the user named, and nothing beyond it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.named.codes import NOT_FETCHED
from mcp_lockstep.tree import MAX_BYTES

if TYPE_CHECKING:
    from urllib.request import OpenerDirector

PATIENCE = 30.0
"""Seconds without an answer before a fetch is given up."""


def is_address(text: str) -> bool:
    """Whether `text` is an address (`https://...`), not a path."""
    return "://" in text


def plain_address(url: str) -> str:
    """`url` without query and fragment, in which tokens may stand: how an address is recorded and compared."""
    return url.partition("#")[0].partition("?")[0]


def fetch(url: str) -> bytes:
    """The bytes at an https address. Refused for any other kind, credentials in it, too much, or no answer."""
    if why := _forbidden(url):
        raise _refused(url, why)
    from http.client import HTTPException

    try:
        with _opener().open(url, timeout=PATIENCE) as answer:
            raw: bytes = answer.read(MAX_BYTES + 1)
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise _refused(url, f"cannot be fetched: {reason}") from None
    if len(raw) > MAX_BYTES:
        raise _refused(url, f"gives more than {MAX_BYTES:,} bytes")
    return raw


def _forbidden(url: str) -> str:
    """Why an address is not fetched; empty where it is."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
    except ValueError as error:
        return f"is no address: {error}"
    if parts.scheme != "https":
        return f"is {parts.scheme}, and only https is fetched"
    if "@" in parts.netloc:
        return "holds credentials, which would end up in the project"
    return "" if parts.hostname else "names no host"


def _opener() -> OpenerDirector:
    """An opener that knows https only, for redirections too."""
    from urllib.request import (
        HTTPDefaultErrorHandler,
        HTTPErrorProcessor,
        HTTPRedirectHandler,
        HTTPSHandler,
        OpenerDirector,
        ProxyHandler,
        UnknownHandler,
    )

    opener = OpenerDirector()
    handlers = (
        ProxyHandler, UnknownHandler, HTTPDefaultErrorHandler, HTTPRedirectHandler, HTTPErrorProcessor,
        HTTPSHandler,
    )  # fmt: skip
    for handler in handlers:
        opener.add_handler(handler())
    return opener


def _refused(url: str, why: str) -> Refused:
    shown = plain_address(url)
    if "@" in shown:
        shown = f"{shown.partition('://')[0]}://***@{shown.rpartition('@')[2]}"
    return Refused(Finding(NOT_FETCHED, Place(shown), f"{shown} {why}", hint=NOT_FETCHED.explain))
