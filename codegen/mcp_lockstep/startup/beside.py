"""Variables that a package is given otherwise than by server.json: a bundle's manifest, a file that docker reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from mcp_lockstep.documents.data import JsonObject, as_array, as_object, table, text_of
from mcp_lockstep.launch.package import Package
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple

USED = r"\$\{user_config\.([^{}]+)\}"
"""How the command of a bundle takes an answer of the user's."""

_PLATFORMS = ("darwin", "win32", "linux")
_ENV_FILE = r"--env-file(?:=|\s|$)"


class Beside(NamedTuple):
    """The `names` that are surely given; `is_open` where there may be any others."""

    names: frozenset[str] = frozenset()
    is_open: bool = False


def given_beside(project: Project, package: Package) -> Beside:
    """What clients of `package` give its server without server.json declaring it."""
    if package.kind == "mcpb":
        if project.bundle is None:
            return Beside(is_open=True)
        data = as_object(project.bundle.data) or {}
        return Beside(passed_by(data), is_open=answers_by_arguments(data))
    for setting in package.runtime:
        words = setting.flag or setting.value or ""
        if re.match(_ENV_FILE, words) or (setting.flag in ("-e", "--env") and "{" in _name(setting.value)):
            return Beside(is_open=True)
    return Beside()


def passed_by(bundle: JsonObject) -> frozenset[str]:
    """The variables that the parsed manifest of a bundle passes, by its command line, too, on every platform."""
    stated = table(bundle, "compatibility").get("platforms")
    platforms = [text_of(one) for one in as_array(stated) or ()] or _PLATFORMS
    config = table(bundle, "server", "mcp_config")
    found = [{*_names(config), *_names(table(config, "platform_overrides", one))} for one in platforms]
    return frozenset(found[0].intersection(*found[1:]))


def answers_by_arguments(data: JsonObject) -> bool:
    """Whether an answer that no variable gets is an argument: a program may take that instead of the variable."""
    config = table(data, "server", "mcp_config")
    given = (config, *map(as_object, table(config, "platform_overrides").values()))
    words = json.dumps([one.get("args") for one in given if one], ensure_ascii=False)
    variables = json.dumps([one.get("env") for one in given if one], ensure_ascii=False)
    asked = table(data, "user_config")
    texts = {name for name in asked if table(asked, name).get("type", "string") == "string"}
    return bool(texts.intersection(re.findall(USED, words)).difference(re.findall(USED, variables)))


def _names(config: JsonObject) -> Iterator[str]:
    yield from table(config, "env")
    for word in as_array(config.get("args")) or ():
        # `sh -c "KEY=..."`, `docker run -e KEY`.
        yield from re.findall(r"\b[A-Za-z_]\w*\b(?==)", text_of(word))
        if re.fullmatch(r"[A-Z_][A-Z0-9_]*", text_of(word)):
            yield text_of(word)


def _name(value: str | None) -> str:
    return (value or "").partition("=")[0]
