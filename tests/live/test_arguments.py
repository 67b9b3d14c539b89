"""Arguments of real tools over the wire: the verdict is the schema's, and what is good arrives equal in value."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import pytest

from argument_sets import ArgumentSet, argument_sets
from emitted import project_view, tool_list, write
from mcp_lockstep.contract.model import Contract, root_is_object
from mcp_lockstep.documents.data import JsonObject, as_object
from mcp_lockstep.naming import package_name
from mcp_lockstep.schema.values import Json
from tally import TALLY
from wire import DISCOVER, Lines, read_result, stdio

TOOL_LISTS = sorted((Path(__file__).resolve().parents[3] / "shared/toollists").glob("*.json"))
ECHO = '''"""Answers with what a function was given, by the names on the wire."""

from __future__ import annotations

import json
from typing import Any

from pydantic import MISSING, BaseModel

from {package}._generated.checks import TOOLS
from {package}._generated.runtime import ToolError


def echo(tool: str, given: dict[str, Any]) -> ToolError:
    stub = TOOLS[tool]
    assert stub.arguments is not None
    fields = stub.arguments.model_fields
    found: dict[str, Any] = {{}}
    for name, value in given.items():
        if value is MISSING:
            continue
        if name in fields:
            found[fields[name].alias or name] = dumped(value)
        else:
            found.update(dumped(value))
    return ToolError("echo " + json.dumps(found))


def dumped(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True, exclude_unset=True)
    if isinstance(value, dict):
        return {{key: dumped(item) for key, item in value.items()}}
    return [dumped(item) for item in value] if isinstance(value, list) else value
'''

BATCH = 64
"""Requests that are under way at once."""


def echoing(name: str, contract: Contract, folder: Path) -> Path:
    """A generated project in which every tool answers with its own arguments, as the text of a tool error."""
    project = write(project_view(name, contract), folder)
    package = str(package_name(name))
    (project / "src" / package / "echo.py").write_text(ECHO.format(package=package), encoding="utf-8")
    for module in (project / "src" / package / "tools").glob("[!_]*.py"):
        text = module.read_text(encoding="utf-8")
        tool = text.partition("@mcp.contract(")[2].partition(")\n")[0]
        head, _, rest = text.partition("\n\n\n@mcp.")
        body = rest.replace("raise NotImplementedError", f"raise echo({tool}, dict(locals()))")
        module.write_text(f"{head}\nfrom {package}.echo import echo\n\n\n@mcp.{body}", encoding="utf-8")
    return project


def same(left: object, right: object) -> bool:
    """Whether two JSON values are equal as JSON Schema has it: `5` is `5.0`, `1` is not `true`."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and left == right


def expected(schema: JsonObject, arguments: Mapping[str, object]) -> JsonObject:
    """What the function is to get: what was sent, less what nobody declared, and the defaults of what was not."""
    properties = as_object(schema.get("properties")) or {}
    declared = {name: as_object(part) or {} for name, part in properties.items()}
    takes_more = "additionalProperties" in schema or "patternProperties" in schema
    required = cast("list[str]", schema.get("required") or [])
    defaults = {
        name: part["default"] for name, part in declared.items() if "default" in part and name not in required
    }
    sent = {name: value for name, value in arguments.items() if takes_more or name in declared}
    return {**defaults, **sent}


def path_text(case: ArgumentSet) -> str:
    """The path of the broken keyword as messages write it."""
    parts = (
        f".{part}"
        if isinstance(part, str) and part.isidentifier()
        else f"[{json.dumps(part, ensure_ascii=False)}]"
        for part in case.path
    )
    return "$" + "".join(parts)


def faults_of(wire: Lines, tool: JsonObject) -> Iterator[str]:
    """Call a tool with every set of arguments that its schema suggests; what is wrong with the answers."""
    cases = list(argument_sets(cast("Json", tool["inputSchema"])))
    for start in range(0, len(cases), BATCH):
        batch = cases[start : start + BATCH]
        asked = [{"name": tool["name"], "arguments": case.arguments} for case in batch]
        for case, answer in zip(batch, wire.ask_all("tools/call", asked), strict=True):
            TALLY[f"argument sets, {'valid' if case.valid else 'broken'}"] += 1
            TALLY[f"argument sets about {case.keyword}"] += 1
            yield from wrong(tool, case, answer)


def wrong(tool: JsonObject, case: ArgumentSet, answer: JsonObject) -> Iterator[str]:
    """What is wrong with the answer to one set of arguments."""
    schema = as_object(tool["inputSchema"]) or {}
    failed, text, _ = read_result(answer)
    told = f"{tool['name']} {json.dumps(case.arguments)[:200]} ({case.keyword} at {path_text(case)})"
    assert failed, told
    echoed = text.partition("echo ")[2] if text.startswith("echo ") or ": echo " in text[:200] else ""
    if not case.valid:
        if echoed:
            yield f"accepted: {told}"
        elif path_text(case) not in text:
            yield f"no path: {told}: {text[:300]}"
    elif not echoed:
        yield f"rejected: {told}: {text[:300]}"
    elif not same(json.loads(echoed), expected(schema, case.arguments)):
        yield f"changed: {told}: {echoed[:300]} instead of {json.dumps(expected(schema, case.arguments))[:300]}"


@pytest.mark.parametrize("path", TOOL_LISTS, ids=lambda path: cast("Path", path).stem)
def test_arguments_are_what_the_schema_says(path: Path, mcp2_python: str, tmp_path: Path) -> None:
    contract = tool_list(path)
    project = echoing(path.stem, contract, tmp_path)
    faults: list[str] = []
    with stdio([mcp2_python, "-m", str(package_name(path.stem))], project, DISCOVER) as wire:
        for tool in filter(root_is_object, contract.tools):
            TALLY["tools called"] += 1
            faults += faults_of(wire, tool)
    assert not faults, f"{len(faults)} faults\n" + "\n".join(faults[:20])
