"""What uv has to look at to build a project again."""

from __future__ import annotations

import pytest

from mcp_lockstep.adopt.hook import with_cache_keys
from mcp_lockstep.cachekeys import CACHE_KEYS_MISSING, judge_cache_keys, missing_keys
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

SYSTEM = '[build-system]\nrequires = ["hatchling", "mcp-lockstep>=0.1"]\nbuild-backend = "hatchling.build"\n'
STATIC = '[project]\nname = "weather"\nversion = "1.2.8"\n'
CONFIG = '[tool.mcp-lockstep]\ncontract = "contract.json"\n'
ALL = '[tool.uv]\ncache-keys = [{ file = "pyproject.toml" }, { file = "server.json" }, { file = "contract.json" }]\n'


def project(pyproject: str, *others: str) -> Project:
    files = {"pyproject.toml": pyproject, "server.json": "{}", **dict.fromkeys(others, "{}")}
    return Project(Tree(Memory({path: text.encode() for path, text in files.items()})))


@pytest.mark.parametrize(
    ("pyproject", "others"),
    [
        (SYSTEM + STATIC + CONFIG, ("contract.json",)),
        (STATIC + CONFIG + "[tool.uv]\n", ("contract.json",)),
        (SYSTEM + STATIC + CONFIG + ALL, ("contract.json",)),
        (SYSTEM + STATIC + CONFIG + '[tool.uv]\ncache-keys = [{ file = "*.json" }]', ("contract.json",)),
        (SYSTEM + STATIC + CONFIG + '[tool.uv]\ncache-keys = ["*.json"]', ("contract.json",)),
        (
            SYSTEM
            + STATIC
            + '[tool.mcp-lockstep]\ncontract = "c"\n[tool.uv]\ncache-keys = [{ file = "**/*.json" }]',
            ("c/a.json",),
        ),
    ],
)
def test_nothing_is_lacking(pyproject: str, others: tuple[str, ...]) -> None:
    """Without uv, without a hook, or with all keys."""
    assert missing_keys(project(pyproject, *others)) == ()
    assert list(judge_cache_keys(project(pyproject, *others))) == []


@pytest.mark.parametrize(
    ("pyproject", "others", "lacking"),
    [
        (
            SYSTEM + STATIC + CONFIG,
            ("contract.json", "uv.lock"),
            [{"file": "pyproject.toml"}, {"file": "server.json"}, {"file": "contract.json"}],
        ),
        (
            SYSTEM + STATIC + CONFIG,
            ("uv.lock", "src/weather/__init__.py"),
            [{"file": "pyproject.toml"}, {"file": "server.json"}, {"dir": "src"}],
        ),
        (
            SYSTEM + STATIC + CONFIG + '[tool.uv]\ncache-keys = [{ file = "server.json" }]\n',
            ("contract.json",),
            [{"file": "contract.json"}],
        ),
        (
            SYSTEM + STATIC + '[tool.mcp-lockstep]\ncontract = "tools"\n[tool.uv]\n',
            ("tools/a.json", "setup.cfg"),
            [
                {"file": "pyproject.toml"},
                {"file": "setup.cfg"},
                {"file": "server.json"},
                {"file": "tools/**/*.json"},
            ],
        ),
        (
            SYSTEM + '[project]\nname = "weather"\ndynamic = ["version"]\n[tool.uv]\n',
            (),
            [
                {"file": "pyproject.toml"},
                {"file": "server.json"},
                {"git": {"commit": True, "tags": True}},
            ],
        ),
        (
            SYSTEM
            + STATIC
            + '[[tool.mcp-lockstep.models]]\nschema = "s.json"\noutput = "m.py"\n[tool.uv]\ncache-keys = []',
            ("s.json",),
            [{"file": "server.json"}, {"file": "s.json"}],
        ),
    ],
)
def test_what_is_lacking_is_found_and_added(
    pyproject: str, others: tuple[str, ...], lacking: list[object]
) -> None:
    found = project(pyproject, *others)
    assert list(missing_keys(found)) == lacking
    (finding,) = judge_cache_keys(found)
    assert (finding.code.slug, finding.severity) == ("uv-cache-keys-missing", "warning")
    mended = with_cache_keys(found)
    assert mended is not None
    again = project(mended.decode(), *others)
    assert again.broken == []
    assert missing_keys(again) == ()
    assert list(judge_cache_keys(again)) == []


@pytest.mark.parametrize(
    ("pattern", "schema", "covered"),
    [
        ("./s.json", "s.json", True),
        ("*.json", "schemas/s.json", True),
        ("schemas/*.json", "schemas/deep/s.json", True),
        ("schemas/**/*.json", "schemas/s.json", True),
        ("schemas/**", "schemas/deep/s.json", True),
        ("*/s.json", "schemas/s.json", True),
        ("*/s.json", "schemas/deep/s.json", False),
        ("*.{toml,json}", "s.json", True),
        ("s.jso?", "s.json", True),
        ("[s].json", "s.json", True),
        ("schemas", "schemas/s.json", False),
        ("schemas/", "schemas/s.json", False),
        ("s.json", "schemas/s.json", False),
    ],
)
def test_patterns_are_read_as_uv_reads_them(pattern: str, schema: str, covered: bool) -> None:
    """What uv 0.13.9 built again after a change of the file, tried one by one."""
    job = f'[[tool.mcp-lockstep.models]]\nschema = "{schema}"\noutput = "m.py"\n'
    keys = f'[tool.uv]\ncache-keys = [{{ file = "server.json" }}, {{ file = "{pattern}" }}]\n'
    lacking = missing_keys(project(SYSTEM + STATIC + job + keys, schema))
    assert lacking == (() if covered else ({"file": schema},))


def test_the_finding_stands_at_the_list() -> None:
    (finding,) = judge_cache_keys(
        project(
            SYSTEM + STATIC + CONFIG + '[tool.uv]\ncache-keys = [{ file = "server.json" }]\n', "contract.json"
        )
    )
    assert (str(finding.place), finding.position.line) == ("pyproject.toml:tool.uv.cache-keys", 10)
    assert "does not see a change of contract.json" in finding.message


def test_the_message_names_what_uv_does_not_see_and_nothing_else() -> None:
    dynamic = '[project]\nname = "weather"\ndynamic = ["version"]\n'
    found = project(
        SYSTEM + dynamic + CONFIG + "[tool.uv]\n", "contract.json", "setup.cfg", "src/weather/a.py"
    )
    (finding,) = judge_cache_keys(found)
    assert finding.message.startswith(
        "`uv sync` does not see a change of server.json, contract.json, the commit: "
    )


@pytest.mark.parametrize(("uv", "told"), [("[tool.uv]\n", 1), (ALL, 0), ("", 0)])
def test_check_tells_it(uv: str, told: int) -> None:
    findings = judge_tree(project(SYSTEM + STATIC + CONFIG + uv, "contract.json")).findings
    assert [finding.code for finding in findings].count(CACHE_KEYS_MISSING) == told
