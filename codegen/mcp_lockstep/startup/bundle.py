"""The `manifest.json` of an MCPB bundle: what it asks the user for, and which tools it lists."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import JsonObject, as_object, objects, table, text_of
from mcp_lockstep.documents.pointer import make_pointer
from mcp_lockstep.facts.codes import (
    BUNDLE_ASKS_NOTHING,
    BUNDLE_LACKS,
    BUNDLE_SHOWS,
    BUNDLE_TOOLS,
    BUNDLE_UNKNOWN,
)
from mcp_lockstep.facts.tool_table import Tools
from mcp_lockstep.findings import Code, Finding
from mcp_lockstep.launch.package import Package, Setting
from mcp_lockstep.startup.beside import USED, answers_by_arguments, passed_by

_CONFIG = "/server/mcp_config"


def judge_bundle(document: JsonDocument, packages: Iterable[Package], tools: Tools) -> Iterator[Finding]:
    """What a bundle says otherwise than server.json, the contract and the code do, or than it does itself."""
    data = as_object(document.data) or {}
    if table(data, "server", "mcp_config"):
        yield from _asked(document, data)
        yield from _passed(document, data, packages)
    yield from _tools(document, data, tools)


def _asked(document: JsonDocument, data: JsonObject) -> Iterator[Finding]:
    """What is asked for and used nowhere, and what is used and never asked for."""
    used = dict.fromkeys(re.findall(USED, json.dumps(data.get("server"), ensure_ascii=False)))
    declared = table(data, "user_config")
    for name in used:
        if name not in declared:
            message = (
                f"the command of the bundle has ${{user_config.{name}}}, and user_config has no {name!r}"
            )
            yield _finding(document, BUNDLE_UNKNOWN, _CONFIG, message)
    for name in declared:
        if name not in used:
            message = f"user_config asks for {name!r}, and nothing in the command of the bundle uses it"
            yield _finding(document, BUNDLE_ASKS_NOTHING, make_pointer(("user_config", name)), message)


def _passed(document: JsonDocument, data: JsonObject, packages: Iterable[Package]) -> Iterator[Finding]:
    """What server.json says of a variable, and the bundle does not."""
    passed = table(data, "server", "mcp_config", "env")
    otherwise, loose = passed_by(data), answers_by_arguments(data)
    for name, setting in _declared(packages).items():
        needed = setting.input.required and setting.input.default is None and setting.value is None
        if name not in passed:
            if needed and name not in otherwise and not loose:
                message = f"the bundle does not pass {name}, which server.json says the server needs"
                yield _finding(document, BUNDLE_LACKS, f"{_CONFIG}/env", message, want=name)
            continue
        asked = re.fullmatch(USED, text_of(passed[name]))
        option = as_object(table(data, "user_config").get(asked[1])) if asked else None
        if option is not None and asked and setting.input.secret and option.get("sensitive") is not True:
            message = (
                f"{name} is a secret in server.json, and user_config does not say that {asked[1]!r} is one"
            )
            pointer = make_pointer(("user_config", asked[1]))
            yield _finding(document, BUNDLE_SHOWS, pointer, message, want='"sensitive": true')


def _declared(packages: Iterable[Package]) -> Mapping[str, Setting]:
    """The variables of all packages, each once."""
    found: dict[str, Setting] = {}
    for package in packages:
        for setting in package.environment:
            found.setdefault(setting.flag, setting)
    return found


def _tools(document: JsonDocument, data: JsonObject, tools: Tools) -> Iterator[Finding]:
    """Tools that are listed and not there, and those that are there and not listed, where the list is to be whole."""
    if "tools" not in data or data.get("tools_generated") is True or not tools.described:
        return
    listed = {text_of(tool.get("name")): index for index, tool in enumerate(objects(data["tools"]))}
    for name, index in listed.items():
        if tools.complete and name not in tools.described:
            message = f"the bundle lists the tool {name!r}, and the server has none"
            yield _finding(document, BUNDLE_TOOLS, f"/tools/{index}", message, have=name)
    for name in tools.described:
        if name not in listed:
            message = f"the bundle does not list the tool {name!r}"
            yield _finding(document, BUNDLE_TOOLS, "/tools", message, want=name)


def _finding(
    document: JsonDocument,
    code: Code,
    pointer: str,
    message: str,
    have: str | None = None,
    want: str | None = None,
) -> Finding:
    fact = "tools" if code is BUNDLE_TOOLS else "environment"
    hint = "`mcp-lockstep export mcpb` prints a manifest with all of it"
    return Finding(
        code, document.place(pointer), message, document.where(pointer), have, want, hint, fact=fact
    )
