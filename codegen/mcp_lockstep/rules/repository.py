"""Rules for `repository`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import At, Fault, Manifest, is_template, plain, shown
from mcp_lockstep.rules.secrets import secret_in

REPOSITORY_URL = Code(
    "LS2050",
    "invalid-repository-url",
    "error",
    "`repository.url` is no address of a repository on the host that `repository.source` names.",
    "The registry takes https://HOST/OWNER/NAME only: no ssh form, no credentials, no path into the tree, no "
    "subgroups, the host in lower case. The whole `repository` may be left out.",
    registry="invalid-repository-url",
)
REPOSITORY_SOURCE = Code(
    "LS2051",
    "repository-source-unsupported",
    "error",
    "`repository.source` names a host that the registry does not know.",
    "Only `github` and `gitlab`, spelt like that, are taken. Leave `repository` out for any other host.",
    registry="invalid-repository-url",
)
SUBFOLDER = Code(
    "LS2052",
    "invalid-subfolder-path",
    "error",
    "`repository.subfolder` is not a plain relative path.",
    "No slash at either end, no `.` or `..` or empty segment; letters, digits, `-`, `_`, `.` and `/` only.",
    registry="invalid-subfolder-path",
)

_HOSTS = {"github": "github.com", "gitlab": "gitlab.com"}
_SSH = r"(?:ssh://)?git@([\w.-]+)[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?"


def repository(manifest: Manifest) -> Iterator[Fault]:
    """A repository, where there is one, can be found by the registry."""
    here = At("", manifest.data).child("repository")
    if not here.data:
        return
    url, source = here.text("url"), here.text("source")
    if source and not is_template(source) and source not in _HOSTS:
        yield _source(here, source, url)
    elif source in _HOSTS and url and not is_template(url):
        yield from _url(here, source, url)
    subfolder = here.text("subfolder")
    if subfolder and not is_template(subfolder) and not is_plain_path(subfolder):
        yield Fault(
            SUBFOLDER,
            here.to("subfolder"),
            f"`repository.subfolder` is {shown(subfolder)}; a plain relative path is wanted.",
            have=subfolder,
            want="a path like src/server",
            hint=f'Write "{clean}".' if (clean := _cleaned(subfolder)) else "Remove it if it is the root.",
        )


def _source(here: At, source: str, url: str) -> Fault:
    meant = source.lower() if source.lower() in _HOSTS else None
    meant = meant or next((name for name, host in _HOSTS.items() if f"//{host}/" in url), None)
    return Fault(
        REPOSITORY_SOURCE,
        here.to("source"),
        f"`repository.source` is {shown(source)}; the registry takes github or gitlab.",
        have=source,
        want=meant or "github or gitlab",
        hint=f'Write "{meant}".' if meant else "Leave `repository` out.",
    )


def _url(here: At, source: str, url: str) -> Iterator[Fault]:
    host = _HOSTS[source]
    # An address with credentials is told as such.
    if _is_repository(url, host) or secret_in(url):
        return
    yield Fault(
        REPOSITORY_URL,
        here.to("url"),
        f"`repository.url` is {shown(url)}; https://{host}/OWNER/NAME is wanted for the source {source}.",
        have=plain(url),
        want=f"https://{host}/OWNER/NAME",
        hint=_meant_url(url, host),
    )


def _meant_url(url: str, host: str) -> str:
    ssh = re.fullmatch(_SSH, url, re.ASCII)
    if ssh and ssh[1].lower() == host:
        return f'Write "https://{host}/{ssh[2]}".'
    inside = re.match(rf"(?:git\+)?https?://(?:www\.)?{re.escape(host)}/([\w.-]+/[\w.-]+)", url, re.I | re.A)
    return f'Write "https://{host}/{inside[1]}".' if inside else "Leave `repository` out if it is elsewhere."


def is_plain_path(path: str) -> bool:
    """Whether the registry takes `path` as a folder of a repository."""
    return all(_is_word(segment) and segment not in {".", ".."} for segment in path.split("/"))


def _is_repository(url: str, host: str) -> bool:
    """Whether `url` is http(s)://[www.]HOST/OWNER/NAME, a slash at the end or not."""
    for start in ("https://", "http://"):
        if url.startswith(start):
            bare = url[len(start) :].removeprefix("www.")
            segments = bare.removeprefix(f"{host}/").removesuffix("/").split("/")
            return bare.startswith(f"{host}/") and len(segments) == 2 and all(map(_is_word, segments))
    return False


def _is_word(segment: str) -> bool:
    bare = segment.replace("-", "").replace("_", "").replace(".", "")
    return segment.isascii() and segment != "" and (bare == "" or bare.isalnum())


def _cleaned(path: str) -> str:
    segments = [s for s in path.replace("\\", "/").split("/") if s not in {"", "."}]
    clean = "/".join(segments)
    return clean if clean and is_plain_path(clean) else ""
