"""Normal forms: two spellings of one identifier or one version become one text."""

from __future__ import annotations

import re
from functools import cache, lru_cache

_PRE = {"a": "a", "alpha": "a", "b": "b", "beta": "b", "c": "rc", "rc": "rc", "pre": "rc", "preview": "rc"}

_PATTERN = r"""
    v?
    (?: (?P<epoch>[0-9]+) ! )?
    (?P<release>[0-9]+ (?:\.[0-9]+)*)
    (?P<pre> [-_.]? (?P<pre_word>alpha|beta|preview|pre|rc|a|b|c) [-_.]? (?P<pre_number>[0-9]*) )?
    (?P<post> - (?P<post_bare>[0-9]+) | [-_.]? (?:post|rev|r) [-_.]? (?P<post_number>[0-9]*) )?
    (?P<dev> [-_.]? dev [-_.]? (?P<dev_number>[0-9]*) )?
    (?: \+ (?P<local>[a-z0-9]+ (?:[-_.][a-z0-9]+)*) )?
"""


def normal_identifier(text: str) -> str:
    """The spelling of a distribution name that package indexes compare (PEP 503)."""
    return re.sub("[-_.]+", "-", text).lower()


def normal_version(text: str) -> str:
    """The PEP 440 normal form of a version; the text itself, trimmed, where it is none.

    Pre-releases in the spelling of Semantic Versioning (`1.2.0-rc.1`) and a `v` before the number are read as
    what they mean; build metadata stays, as the local part.
    """
    trimmed = text.strip()
    if _is_plain(trimmed):
        return ".".join(map(_number, trimmed.split(".")))
    match = _compiled().fullmatch(trimmed.lower()) if trimmed.isascii() else None
    if match is None:
        return trimmed
    part = match.groupdict("")
    epoch = _number(part["epoch"])
    release = ".".join(map(_number, part["release"].split(".")))
    pre = _PRE[part["pre_word"]] + _number(part["pre_number"]) if part["pre"] else ""
    post = ".post" + _number(part["post_bare"] or part["post_number"]) if part["post"] else ""
    dev = ".dev" + _number(part["dev_number"]) if part["dev"] else ""
    head = "" if epoch == "0" else f"{epoch}!"
    return head + release + pre + post + dev + _local(part["local"])


def is_version(text: str) -> bool:
    """Whether `text` is a version as PEP 440 has it, in any spelling."""
    return text.isascii() and _is_valid(text.strip().lower())


def is_pep440(text: str) -> bool:
    """Whether `text` is a version as PEP 440 reads one, or the SemVer spelling of a pre-release."""
    trimmed = text.strip().lower()
    return trimmed.isascii() and _is_valid(trimmed)


@lru_cache(maxsize=256)
def version_key(text: str) -> str:
    """What two spellings of one release have in common: `1.2`, `1.2.0` and `v1.2` have `1.2`.

    For comparing only: it is not how the release is written.
    """
    version = normal_version(text)
    if _is_plain(version):
        while version.endswith(".0"):
            version = version[:-2]
        return version
    match = re.match(r"([0-9]+!)?[0-9]+(\.[0-9]+)*", version)
    if match is None or _compiled().fullmatch(version) is None:
        return version
    return re.sub(r"(\.0)+$", "", match[0]) + version[match.end() :]


def _is_plain(text: str) -> bool:
    """Whether `text` is a release as nearly all are, numbers and dots: it is told without the pattern, a slow one."""
    return text.isascii() and all(map(str.isdigit, text.split(".")))


def _is_valid(text: str) -> bool:
    return _is_plain(text) or _compiled().fullmatch(text) is not None


@cache
def _compiled() -> re.Pattern[str]:
    return re.compile(_PATTERN, re.VERBOSE | re.ASCII)


def _number(digits: str) -> str:
    """The digits without leading zeros, `0` for none. Never an int: those have a limit of digits."""
    return digits.lstrip("0") or "0"


def _local(text: str) -> str:
    parts = re.split("[-_.]", text) if text else []
    return "+" * bool(parts) + ".".join(_number(part) if part.isdigit() else part for part in parts)
