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


def stage(version: str) -> int:
    """How far a version is from being released: 0 a release, 1 a pre-release, 2 a development or local version.

    What PEP 440 does not read counts as a release.
    """
    text = version.strip().lower()
    match = _compiled().fullmatch(text) if version.isascii() and not _is_plain(text) else None
    if match is None:
        return 0
    return 2 if match["dev"] or match["local"] else 1 if match["pre"] else 0


def is_later(version: str, than: str) -> bool:
    """Whether `version` comes after `than` in the order of PEP 440; never where either is no such version.

    Of local versions of one release none is later than another.
    """
    if not (is_version(version) and is_version(than)):
        return False
    return _order(version) > _order(than)


def _order(version: str) -> tuple[object, ...]:
    match = _compiled().fullmatch(version.strip().lower())
    part = match.groupdict("") if match is not None else {}
    release = re.sub(r"(\.0+)+$", "", part["release"]).split(".")
    early = part["dev"] and not part["pre"] and not part["post"]
    return (
        _rank(part["epoch"]),
        tuple(map(_rank, release)),
        "" if early else _PRE[part["pre_word"]] if part["pre"] else "z",
        _rank(part["pre_number"]),
        _rank(part["post_bare"] or part["post_number"]) if part["post"] else (-1, ""),
        not part["dev"],
        _rank(part["dev_number"]),
        part["local"] != "",
    )


def _rank(digits: str) -> tuple[int, str]:
    # Numbers of any length in their order, without an int.
    number = _number(digits)
    return len(number), number


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
