"""What `check` says that `sync` mends is mended by it, and what it cannot mend is said to be mended by nobody."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from made import contract_data, made_project, with_contract
from mcp_lockstep.documents.data import objects, table
from mcp_lockstep.findings import Finding, Refused, exit_code
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.lock import LOCK
from mcp_lockstep.pipeline.sync import Order, prepare
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree
from packages import package
from weather import NAME, VERSION, manifest, pyproject

Files = Mapping[str, bytes]
FORECAST = "src/weather/tools/get_forecast.py"
MODELS = "src/weather/_generated/models.py"
MARKER = f"<!-- mcp-name: {NAME} -->"
CODE = """\
import argparse
import os

from mcp.server import MCPServer

mcp = MCPServer("weather", version="1.0.0")
{top}


@mcp.tool()
def forecast(city: str) -> str:
    \"\"\"Forecast.\"\"\"
    return city


def main() -> None:
    {body}
    mcp.run()
"""


def found(files: Files) -> tuple[Finding, ...]:
    return judge_tree(Project(Tree(Memory(dict(files))))).findings


def slugs(findings: tuple[Finding, ...]) -> set[str]:
    return {finding.code.slug for finding in findings if finding.severity != "note"}


def promised(findings: tuple[Finding, ...]) -> set[str]:
    """The codes of which a finding says that `sync` mends it."""
    beginnings = ("`mcp-lockstep sync`", "Run `mcp-lockstep sync`")
    return {f.code.slug for f in findings if f.fixable or f.hint.startswith(beginnings)}


def followed(files: Files) -> Files:
    """The files after a `sync`."""
    after: dict[str, bytes | None] = {**files}
    after |= {change.path: change.after for change in prepare(Tree(Memory(dict(files)))).plan.changes}
    return {path: raw for path, raw in after.items() if raw is not None}


def project(
    top: str = "", body: str = "pass", more: Mapping[str, str | None] | None = None, **entry: object
) -> Files:
    """A sound project without a contract, with code of its own; `entry` is more of its package in server.json."""
    texts = {
        "pyproject.toml": pyproject(),
        "README.md": f"# Weather\n\n{MARKER}\n",
        "server.json": manifest({**package(), "version": VERSION, **entry}),
        "src/weather/__init__.py": CODE.format(top=top, body=body),
        **(more or {}),
    }
    return {path: text.encode() for path, text in texts.items() if text is not None}


TABLE = "<!-- tools:start -->\n{}<!-- tools:end -->\n"
KEY = 'KEY = os.environ["WEATHER_KEY"]'
PARSED = 'p = argparse.ArgumentParser(); p.add_argument("--city", required=True); p.parse_args()'
PLACES = '[[tool.mcp-lockstep.places]]\nfact = "version"\nplace = "{}"\n'
FACTS: list[tuple[Files, set[str]]] = [
    (project(), set()),
    (project(version="1.1"), {"version-drift"}),
    (project(identifier="Weather"), set()),
    (project('__version__ = "1.1"'), {"version-drift"}),
    (project('__version__ = "1." "1"'), set()),
    (project('__version__ = "1.1"\n__version__ = "1.2"'), set()),
    (
        project(more={"pyproject.toml": pyproject() + PLACES.format("VERSION"), "VERSION": "0.9\n"}),
        {"version-drift"},
    ),
    (project(more={"README.md": ""}), {"readme-marker-missing"}),
    (project(more={"README.md": "\ufeff# Weather\r\n"}), {"readme-marker-missing"}),
    (project(more={"README.md": None}), set()),
    (project(more={"README.md": "<!-- mcp-name: io.github.acme/other -->"}), {"server-name-drift"}),
    (project(more={"README.md": MARKER + TABLE.format("")}), {"readme-tools-drift"}),
    (project(more={"README.md": MARKER + TABLE.format("| a |\n|---|\n| gone |\n")}), {"readme-tools-drift"}),
    (project(more={"README.md": f"{MARKER}\n```\n<!-- tools:start -->\n```\n"}), set()),
    (project(KEY), {"environment-needed-undeclared"}),
    (project(KEY, environmentVariables={}), set()),
    (project(body=KEY), {"environment-needed-undeclared"}),
    (project(body=PARSED), {"argument-needed-undeclared"}),
    (project(body=PARSED, packageArguments={}), set()),
    (project(KEY, version="1.1", more={"mcp-lockstep.lock": "lock = 7\n"}), set()),
]
"""Projects, and the codes of which it is said that `sync` mends them."""


@pytest.mark.parametrize(("files", "codes"), FACTS)
def test_a_fact(files: Files, codes: set[str]) -> None:
    assert promised(found(files)) == codes
    if codes:
        assert promised(found(followed(files))) == set()


def asked(**changed: object) -> Files:
    """The made project with more in the inputSchema of get-forecast."""
    files = made_project()
    contract = contract_data(files)
    for tool in objects(contract["tools"]):
        if tool["name"] == "get-forecast":
            table(tool, "inputSchema", "properties").update(changed)
    return with_contract(files, contract)


def renamed(old: str, new: str) -> Files:
    """The made project whose contract calls a tool otherwise."""
    files = made_project()
    contract = contract_data(files)
    for tool in objects(contract["tools"]):
        tool["name"] = new if tool["name"] == old else tool["name"]
    return with_contract(files, contract)


HOURS = asked(hours={"enum": ["all", "day"]})
STALE = {"generated-stale"}
TAKEN = HOURS[FORECAST].replace(b"from weather.app", b"from enum import Enum as Hours\nfrom weather.app")
HELD: list[tuple[Files, set[str]]] = [
    (HOURS, STALE),
    ({**HOURS, MODELS: HOURS[MODELS] + b"# mine\n"}, set()),
    ({**HOURS, MODELS: b"x = 1\n"}, set()),
    ({**HOURS, "mcp-lockstep.lock": b"lock = 7\n"}, set()),
    ({path: raw for path, raw in HOURS.items() if path != MODELS}, {"generated-missing", "generated-stale"}),
    ({path: raw for path, raw in HOURS.items() if not path.startswith("src/")}, set()),
    (
        {path: raw for path, raw in HOURS.items() if path != FORECAST},
        {"generated-stale", "tool-not-implemented"},
    ),
    (renamed("get-forecast", "get_forecast"), {"generated-stale", "tool-not-implemented"}),
    ({**HOURS, FORECAST: b"# moved\n"}, {"generated-stale", "tool-not-implemented"}),
]
"""Projects whose contract asks for more, and the codes of which it is said that `sync` mends them."""


@pytest.mark.parametrize(("files", "codes"), HELD)
def test_what_a_contract_asks_for(files: Files, codes: set[str]) -> None:
    assert promised(found(files)) == codes
    if codes:
        assert promised(found(followed(files))) == set()


def test_a_signature_whose_names_are_taken() -> None:
    ahead = {**followed(HOURS), LOCK: HOURS[LOCK], FORECAST: TAKEN}
    assert (promised(found(ahead)), slugs(found(ahead))) == (set(), {"signature-behind", "name-taken"})
    (behind,) = (finding for finding in found(ahead) if finding.code.slug == "signature-behind")
    assert behind.hint == f"rename {FORECAST}::Hours first: `mcp-lockstep sync` edits it then"
    freed = {**ahead, FORECAST: TAKEN.replace(b"Enum as Hours", b"Enum as Times")}
    assert promised(found(freed)) == {"signature-behind"}
    assert slugs(found(followed(freed))) == set()


def test_what_a_sync_left_is_not_said_to_be_mended_by_the_next() -> None:
    files = {**HOURS, MODELS: HOURS[MODELS] + b"# mine\n"}
    left = prepare(Tree(Memory(files))).left
    assert "generated-stale" in slugs(left) and promised(left) == set()
    bad = "[[tool.mcp-lockstep.models]]\nschema = 's.json'\noutput = 'm.py'\n"
    wrong = project(more={"pyproject.toml": pyproject() + bad, "s.json": '{"$ref": "#/gone"}'})
    (finding,) = found(wrong)
    assert finding.hint == "`mcp-lockstep sync` makes it, or says why it cannot"
    left = prepare(Tree(Memory(dict(wrong)))).left
    assert (slugs(left), promised(left)) == ({"schema-reference-broken", "generated-missing"}, set())


def test_a_contract_that_no_models_can_be_made_of_keeps_nothing_else_from_being_mended() -> None:
    files = asked(city={"type": "string", "pattern": "("})
    files = {
        **files,
        "server.json": files["server.json"].replace(b'"version": "0.1.0"', b'"version": "0.0.9"'),
    }
    done = prepare(Tree(Memory(dict(files))))
    assert [change.path for change in done.plan.changes] == ["server.json"]
    assert (slugs(done.left), promised(done.left)) == (
        {"schema-pattern-unsupported", "generated-stale"},
        set(),
    )
    assert exit_code(done.left) == 2
    with pytest.raises(Refused):
        prepare(Tree(Memory(dict(files))), Order(force=frozenset({MODELS})))
