"""Wheels and sdists made member by member, sound and hostile ones."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

WHEEL = "weather-1.2.0-py3-none-any.whl"
SDIST = "weather-1.2.0.tar.gz"
INFO = "weather-1.2.0.dist-info"
TOP = "weather-1.2.0"


def metadata(name: str = "weather", version: str = "1.2.0", description: str = "") -> str:
    """A metadata file with `description` as its body; one that names the server where that is empty."""
    body = description or "# Weather\n\n<!-- mcp-name: io.github.acme/weather -->\n"
    return f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\nSummary: Forecasts.\n\n{body}"


def record(members: Mapping[str, bytes], name: str) -> bytes:
    """The RECORD of a wheel with these members."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for member, raw in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(raw).digest()).rstrip(b"=").decode()
        writer.writerow([member, f"sha256={digest}", len(raw)])
    writer.writerow([name, "", ""])
    return out.getvalue().encode()


def write_wheel(path: Path, members: Mapping[str, str | bytes], info: str = INFO) -> Path:
    """A wheel with these members, a WHEEL and a RECORD that describes them."""
    every = {f"{info}/WHEEL": "Wheel-Version: 1.0\n", **members}
    raw = {name: text.encode() if isinstance(text, str) else text for name, text in every.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**raw, f"{info}/RECORD": record(raw, f"{info}/RECORD")}.items():
            archive.writestr(name, content)
    return path


def write_sdist(path: Path, members: Mapping[str, str | bytes], more: Iterable[tarfile.TarInfo] = ()) -> Path:
    """An sdist with these files, and with members of other kinds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as archive:
        for name, text in members.items():
            raw = text.encode() if isinstance(text, str) else text
            entry = tarfile.TarInfo(name)
            entry.size = len(raw)
            archive.addfile(entry, io.BytesIO(raw))
        for entry in more:
            archive.addfile(entry)
    return path


def members_of(path: Path) -> dict[str, bytes]:
    """Every file of a wheel or an sdist, RECORD left out."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist() if not name.endswith("/RECORD")}
    found: dict[str, bytes] = {}
    with tarfile.open(path) as sdist:
        for member in sdist:
            handle = sdist.extractfile(member)
            if handle is not None:
                found[member.name] = handle.read()
    return found


def rewrite(path: Path, changes: Mapping[str, str | bytes | None]) -> Path:
    """The artefact at `path` with some members replaced, added or (None) left out; a wheel gets a new RECORD."""
    members: dict[str, str | bytes] = dict(members_of(path))
    for name, content in changes.items():
        if content is None:
            members.pop(name, None)
        else:
            members[name] = content
    if path.suffix == ".whl":
        info = next(name.partition("/")[0] for name in members if ".dist-info/" in name)
        return write_wheel(path, members, info)
    return write_sdist(path, members)
