"""What nobody is to see: no finding holds it, and nothing that is printed.

Two doors: a finding about a server.json is made without what that file says to be secret (`without_secrets`), and
every line that a command prints loses what looks like a secret wherever it came from (`masked_text`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import cast

from mcp_lockstep.documents import Document, Edit, JsonDocument, apply_edits, value_at
from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.documents.places import place_pointer
from mcp_lockstep.documents.pointer import escape_part
from mcp_lockstep.findings import Finding

MASK = "***"

_NO_DATA = (
    r"(?<!(?:map|row).key)(?<!(?:sort|join|item|json|dict|i18n).key)"
    r"(?<!(?:cache|group|index|order|field|range|shard|issue|space|board).key)"
    r"(?<!(?:public|column|object|lookup|unique|locale|config).key)(?<!(?:primary|foreign|natural|setting|project|feature).key)"
    r"(?<!(?:property|metadata).key)(?<!(?:partition|composite).key)(?<!translation.key)"
)
"""Behind the last word of what is called a key: it is somebody's, and finds no data."""
_SECRET_NAME = (
    r"(?i)(?:^|[_\W]|(?<=[a-z]))(?:api_?-?key|token|secret|password|passwd|credentials?|authorization)$"
)
_KEY_NAME = rf"(?i)[a-z0-9][_.-]key{_NO_DATA}$"
KEY_FORMS = (
    r"\b(?:gh[opsur]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|sk-[\w-]{16,}|xox[abeprs]-[\w-]{10,})",
    r"\b(?:AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|pypi-[\w-]{32,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,})",
    r"\beyJ[\w-]{8,2000}+\.[\w-]{8,}\.[\w-]*",
)
"""Keys that tell by themselves whose they are; bounded, for one may seem to begin at every hyphen of a long text."""

WORDS = r"(?-i:(?:[a-z]{2,20}|(?:19|20)[0-9]{2})(?:-(?:[a-z]{2,20}|(?:19|20)[0-9]{2}))+)"
"""Words and years between hyphens, as in the name of a page."""
NO_KEYS = r"(?:required|optional|enabled|disabled)"
"""What says of a secret how it is asked for."""
_END = r"(?![^&;#\s\"'`])"
QUERY_FORMS = (
    (
        r"(?i:(?<=[?&;#])((?:[\w.-]*(?:key|token|secret|password|passwd|pwd|credentials?))=)"
        rf"(?!{NO_KEYS}{_END})(?!(?<=[?&;#]key=){WORDS}{_END})[^&;#\s\"'`]+)"
    ),
    rf"(?i:(?<=[?&;#])((?:code|auth|authorization|sig|signature)=)(?=[^&;#]*[0-9])(?!{WORDS}{_END})[\w.~%+/=-]{{12,}})",
)
"""Parameters of an address that hold a secret, each with its name as the one group."""

_PLAIN = rf"(?:[0-9]{{1,4}}|true|false|yes|no|on|off|none|null|auto|{NO_KEYS})(?![^\s\"'`,;&])"

_FORMS = (
    # credentials of an address; a user alone is none, unless it is as long as a key
    r"(?<=//)(?:[^/@:\s\"'`]*:[^/@\s\"'`]*|(?=[^/@:\s\"'`]*[0-9])[^/@:\s\"'`]{16,})(?=@)",
    *QUERY_FORMS,
    # NAME=value, as in a shell and in .env files
    r"(?i:((?:\b[\w-]{0,80}[_-]|(?<![A-Za-z0-9]))(?:api[_-]?key|token|secret|password)=)(?![<{$*\s])[^\s\"'`,;&]+)",
    rf"(?i:((?:\b[\w-]{{0,80}})[_-](?:passwd|passphrase|pass|pwd|key{_NO_DATA})=)(?![<{{$*\s])(?!{_PLAIN})[^\s\"'`,;&]+)",
    r"(?i:(\bbearer\s+)(?![<{$*])[\w.~+/=-]{8,})",
    *KEY_FORMS,
)
_SIGNS = (
    "//",
    "=",
    *"earer gho_ ghp_ ghs_ ghu_ ghr_ github_pat_ glpat- sk- xox AKIA AIza pypi- npm_ hf_ eyJ".split(),
)
"""One of these is in every text that has something to mask."""

VALUE_KEYS = ("value", "default", "choices", "placeholder")
"""What an input of server.json has of a value."""

_TOLD_KEYS = ("placeholder", "description")
"""What an input of server.json tells its user: samples stand there, and no value."""

_SAMPLE_WORD = (
    r"(?:(?:your|my|some|the|example|test)[-_ ]?)?"
    r"(?:(?:api|access|auth|secret|private|db|database|bot|stripe|github)[-_ ]?)*"
    r"(?:password|passwd|passphrase|pass|pwd|secret|token|key|credentials?|value)(?:[-_ ]?here)?"
    r"|your[-_ ][a-z_ -]+|change[-_ ]?me|replace[-_ ]?me|required|optional|(?:[a-z]{2,6}[-_])*(?:x{3,}|\.{3,}|\*{3,})"
    r"|<[^<>]*>|\[[^\[\]]*\]|\$?\{[^{}]*\}|\.{3}|\*{3,}"
)
_SAMPLE = rf"(?i:(?:[\w.-]*:)?(?:{_SAMPLE_WORD}))"
"""What a user is to put a secret of their own for, maybe with a user's name before it."""

_WORDY = r"(?=.*[a-z]{4})(?:P[/_-]){2,}P".replace(
    "P", r"(?:[A-Za-z]{1,20}|[A-Z]?[a-z]*[0-9]{1,4}[A-Za-z]?|[A-Z]+[0-9]{1,4})"
)
"""A name of readable words, as models and files have."""

_KEY_LENGTH = 24
_SHORT = 4
"""So few characters stand in every sentence: they are masked as a whole value only."""


def masked_text(text: str) -> str:
    """`text` without the credentials and keys in it that tell by their form what they are."""
    # Nearly no line has one, and compiling the pattern costs more than all else that is printed.
    if not any(sign in text for sign in _SIGNS):
        return text
    return _compiled().sub(lambda found: next(filter(None, found.groups()), "") + MASK, text)


@cache
def _compiled() -> re.Pattern[str]:
    return re.compile("|".join(_FORMS), re.ASCII)


def _masked_told(text: str) -> str:
    """`text`, which tells a user what to give, with the secrets in it masked, and the samples of one left."""

    def told(found: re.Match[str]) -> str:
        name = next(filter(None, found.groups()), "")
        return found[0] if is_sample(found[0][len(name) :].rstrip(".:!?)")) else name + MASK

    return _compiled().sub(told, text)


def is_sample(text: str) -> bool:
    """Whether a text stands for a secret that its reader has, and is none: `YOUR_KEY`, `user:password`."""
    return re.fullmatch(_SAMPLE, text, re.ASCII) is not None


def looks_like_key(text: str) -> bool:
    """Whether a value is a key by its form: it tells whose it is, or is long, with both cases and digits."""
    if masked_text(text) != text:
        return True
    kinds = (str.isupper, str.islower, str.isdigit)
    return (
        len(text) >= _KEY_LENGTH
        and re.fullmatch(r"[\w+/=-]+", text, re.ASCII) is not None
        and re.fullmatch(_WORDY, text, re.ASCII) is None
        and all(any(kind(char) for char in text) for kind in kinds)
    )


def is_secret_name(name: str) -> bool:
    """Whether what is called `name` is nobody's business; broader than what a user is told to mark."""
    # Most names end otherwise, and the pattern is long.
    if name[-3:].lower() == "key" and re.search(_KEY_NAME, name) is not None:
        return True
    return re.search(_SECRET_NAME, name) is not None


def masked(value: object) -> object:
    """A copy of `value` in which no secret is left."""
    return _masked(value, "", within=False)


def _masked(value: object, name: str, *, within: bool) -> object:
    """A copy of `value`, known as `name`; `within`: what it stands in is a secret."""
    if isinstance(value, dict):
        data = cast("JsonObject", value)
        inner = _is_secret(data, name)
        return {
            key: _masked(item, key, within=within or (inner and _holds(key, item)))
            for key, item in data.items()
        }
    if isinstance(value, list):
        return [_masked(item, name, within=within) for item in cast("list[object]", value)]
    if within or (isinstance(value, str) and is_secret_name(name)):
        return MASK
    if not isinstance(value, str):
        return value
    if name in _TOLD_KEYS and _is_told(value):
        return _masked_told(value)
    return MASK if name in VALUE_KEYS and looks_like_key(value) and "//" not in value else masked_text(value)


def _is_told(text: str) -> bool:
    """Whether a text is a sample, or has one in it where a secret would stand."""
    return is_sample(text) or _masked_told(text) != masked_text(text)


def _holds(key: str, item: object) -> bool:
    """Whether a member of a secret input is the secret: what shows its form with a sample is none."""
    if key == "placeholder" and isinstance(item, str):
        return not _is_told(item)
    return key in VALUE_KEYS


def secret_pointers(value: object) -> Iterator[str]:
    """The pointers of the scalars that `masked` changes."""
    return _changed(value, masked(value), "")


def _changed(value: object, copy: object, pointer: str) -> Iterator[str]:
    if isinstance(value, dict):
        data, other = cast("JsonObject", value), cast("JsonObject", copy)
        for key, item in data.items():
            yield from _changed(item, other[key], f"{pointer}/{escape_part(key)}")
    elif isinstance(value, list):
        pairs = zip(cast("list[object]", value), cast("list[object]", copy), strict=True)
        for index, (item, shown) in enumerate(pairs):
            yield from _changed(item, shown, f"{pointer}/{index}")
    elif value != copy:
        yield pointer


def json_without_secrets(document: JsonDocument) -> str:
    """The text of a JSON file with a mask in place of every secret."""
    spans = (document.spans[pointer] for pointer in secret_pointers(document.data))
    edits = [Edit(document.path, start, end, f'"{MASK}"') for start, end in spans]
    return apply_edits(document.text, edits)


def without_secrets(document: Document, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """`findings` with the secrets of `document` masked in whatever those about it quote."""
    if not any(finding.place.path == document.path for finding in findings):
        return tuple(findings)
    secrets: dict[str, list[tuple[str, str]]] = {}
    hidden: set[str] = set()
    copy = masked(document.data)
    for pointer in secret_pointers(document.data):
        value, shown = value_at(document.data, pointer), str(value_at(copy, pointer))
        if isinstance(value, str) and is_sample(value):
            continue
        if shown == MASK:
            hidden.add(pointer)
        if isinstance(value, str) and value:
            secrets.setdefault(_input(pointer), []).append((value, shown))
    return tuple(
        _discreet(finding, secrets, hidden) if finding.place.path == document.path else finding
        for finding in findings
    )


def _discreet(
    finding: Finding, secrets: Mapping[str, Sequence[tuple[str, str]]], hidden: Collection[str]
) -> Finding:
    pointer = place_pointer(finding.place)
    if pointer in hidden:
        # What is wanted may be a part of what is there; a hint that quotes nothing has none of it.
        quoting = '"' in finding.hint or "`" in finding.hint
        finding = finding._replace(
            have=finding.have and MASK, want=None, hint="" if quoting else finding.hint
        )
    return _quoting(finding, secrets.get(_input(pointer), ()))


def _input(pointer: str) -> str:
    """The object that a value, or one of its choices, belongs to."""
    return re.sub(r"(/choices/\d+|/[^/]*)$", "", pointer)


def _quoting(finding: Finding, secrets: Iterable[tuple[str, str]]) -> Finding:
    for value, mask in sorted(secrets, key=lambda pair: -len(pair[0])):
        written = json.dumps(value, ensure_ascii=False)
        if len(value) < _SHORT:
            finding = finding._replace(
                message=finding.message.replace(written, f'"{mask}"'),
                have=mask if finding.have == value else finding.have,
                want=mask if finding.want == value else finding.want,
                hint=finding.hint.replace(written, f'"{mask}"'),
            )
            continue
        for text in (written[1:-1], value):
            finding = finding._replace(
                message=finding.message.replace(text, mask),
                have=finding.have and finding.have.replace(text, mask),
                want=finding.want and finding.want.replace(text, mask),
                hint=finding.hint.replace(text, mask),
            )
    return finding


def _is_secret(data: JsonObject, name: str) -> bool:
    """Whether an object is an input whose value is nobody's business: it says so, or its name does."""
    if data.get("isSecret") is True or data.get("is_secret") is True:
        return True
    own = data.get("name")
    if any(is_secret_name(text) for text in (own, name) if isinstance(text, str)):
        return True
    # What stands in a header of one's own is a key more often than not, unless everybody chooses from one list.
    return name == "headers" and "choices" not in data and data.get("isSecret") is not False


def discreet(finding: Finding) -> Finding:
    """`finding` as it may be printed, whoever made it."""
    return finding._replace(
        place=finding.place._replace(path=masked_text(finding.place.path)),
        message=masked_text(finding.message),
        have=finding.have and masked_text(finding.have),
        want=finding.want and masked_text(finding.want),
        hint=masked_text(finding.hint),
    )
