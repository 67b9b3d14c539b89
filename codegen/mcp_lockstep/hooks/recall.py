"""The unchanged case: a build of the same bytes that was told nothing is told nothing again, without being judged.

An isolated build has its own copy of us, and often of the project, each in a folder that is gone afterwards. So a
verdict is found by contents: of us, of what is built, of every file that was read; never by where they lie.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from mcp_lockstep import __version__
from mcp_lockstep.hooks.built import Built, Verdict
from mcp_lockstep.memo import key_of, remember, replay, sources

_SITE = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))


def recalled(root: str, built: Built) -> Verdict | None:
    """The verdict on the last such build, if it was a clean one and nothing that it read has changed since."""
    answer = replay(_key(built)) if _is_here(root) else None
    if answer is None:
        return None
    manifest, *inputs = map(bytes.fromhex, answer.split("\n"))
    return Verdict((), False, manifest, tuple(path.decode("utf-8", "surrogateescape") for path in inputs))


def keep(root: str, built: Built, verdict: Verdict, read: Mapping[str, bytes | None]) -> None:
    """Keep a verdict without findings. `read`: what was read of the project, as `memo` takes it."""
    if verdict.manifest is not None and _is_here(root):
        inputs = (path.encode("utf-8", "surrogateescape").hex() for path in verdict.inputs)
        remember(_key(built), read, "\n".join([verdict.manifest.hex(), *inputs]))


def _key(built: Built) -> str:
    description = "-" if built.description is None else built.description.encode("utf-8", "replace").hex()
    return key_of("a build", _ourselves(), built.kind, built.version, description)


def _ourselves() -> str:
    """Which mcp-lockstep this is: the checksums of its files as its installer recorded them; else its sources."""
    record = os.path.join(_SITE, f"mcp_lockstep-{__version__}.dist-info", "RECORD")
    try:
        with open(record, encoding="latin-1") as handle:
            return "".join(sorted(line for line in handle if line.startswith("mcp_lockstep/")))
    except OSError:
        return "\n".join(sources())


def _is_here(root: str) -> bool:
    """Whether `root` is the working folder: the files that were read are named from there."""
    return os.path.realpath(root) == os.getcwd()
