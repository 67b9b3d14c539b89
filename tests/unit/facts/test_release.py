"""Who writes the version into server.json, as workflows show it."""

from __future__ import annotations

import pytest

from mcp_lockstep.facts.release import version_mode
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

MANIFEST = '{"name": "io.github.acme/weather", "version": "0.0.0"}'


def project(workflow: str = "", config: str = "", path: str = ".github/workflows/release.yml") -> Project:
    files = {
        "server.json": MANIFEST,
        path: workflow,
        "pyproject.toml": f'[project]\nname = "w"\nversion = "1.0"\n{config}',
    }
    return Project(Tree(Memory({path: text.encode() for path, text in files.items()})))


@pytest.mark.parametrize(
    "line",
    [
        "jq --arg v \"$TAG\" '.version = $v' server.json > tmp.json && mv tmp.json server.json",
        "jq '.version = env.VERSION' server.json \\\n          > x && mv -f x ./server.json",
        "jq '.version = env.VERSION' in.json | sponge server.json",
        'sed -i "s/0.0.0/$VERSION/" server.json',
        "sed -i.bak -e s/__VERSION__/1/ mcp/server.json",
        "sed --in-place s/0/$VERSION/ 'server.json'",
        "yq -i '.version = strenv(VERSION)' server.json",
        "envsubst '$VERSION' < server.template.json > server.json",
        "echo $GITHUB_REF | tee server.json",
        "mcp-lockstep render --version 1 -o server.json",
        "python -c \"p = Path('server.json'); p.write_text(p.read_text().replace('0', VERSION))\"",
    ],
)
def test_a_job_that_writes_the_version(line: str) -> None:
    assert version_mode(project(f"steps:\n  - run: {line}\n")) == "stamped"
    assert judge_tree(project(f"steps:\n  - run: {line}\n"), only="version").findings == ()


@pytest.mark.parametrize(
    "line",
    [
        "mcp-publisher publish",
        "jq -r .version server.json",
        "jq .version server.json > version.txt",
        "cat server.json",
        "cp server.json dist/  # version",
        "jq '.version' server.json > server.json.version",
        "mcp-publisher validate server.json && sed -i s/version/x/ README.md",
        "jq '.name = \"x\"' a.json > server.json",
        "sed -i s/0/$VERSION/ server.json && git commit -am release",
        "# sed -i s/0/$VERSION/ server.json",
        "# comment\n  #  jq .version a > server.json",
    ],
)
def test_a_job_that_does_not(line: str) -> None:
    assert version_mode(project(f"steps:\n  - run: |\n      {line}\n")) is None


STAMP = """\
import json, sys
data = json.load(open("server.json"))
data["version"] = sys.argv[1]
json.dump(data, open("server.json", "w"))
"""
GIVEN = STAMP.replace('"server.json"', "sys.argv[1]").replace("sys.argv[1]\njson", "V\njson")
SCRIPTS = {
    "scripts/stamp.py": STAMP,
    "scripts/given.py": GIVEN,
    "scripts/set.mjs": "const f = 'server.json'; fs.writeFileSync(f, render(version));",
    "scripts/validate.py": STAMP,
    "scripts/look.py": "print(json.load(open('server.json'))['version'])",
    "scripts/readme.py": (
        "v = json.load(open('server.json'))['version']\nPath('README.md').write_text(f'version {v}')"
    ),
    "Makefile": (
        "build:\n\tpython -m build\n\nstamp: build\n\tsed -i s/0.0.0/$(V)/ server.json\n\nlook:\n\tjq . server.json\n"
        "run:\n\tpython scripts/look.py server.json\n"
        "long:\n\tsed -i \\\n\t\ts/0.0.0/$(VERSION)/ \\\n\t\tserver.json\n"
    ),
}


def released(line: str, more: str = "      - run: mcp-publisher publish\n") -> Project:
    workflow = f"jobs:\n  r:\n    steps:\n      - run: {line}\n{more}"
    files = {"server.json": MANIFEST, ".github/workflows/release.yml": workflow, **SCRIPTS}
    files["pyproject.toml"] = '[project]\nname = "w"\nversion = "1.0"\n'
    return Project(Tree(Memory({path: text.encode() for path, text in files.items()})))


@pytest.mark.parametrize(
    "line",
    [
        "python scripts/stamp.py",
        "python3 scripts/given.py server.json",
        "uv run scripts/stamp.py server.json",
        "uv run --no-project python ./scripts/stamp.py",
        "./scripts/stamp.py",
        "node scripts/set.mjs",
        "make stamp",
        "make -s stamp",
        "make long",
        "perl -pi -e 's/0.0.0/1/' server.json",
        "node -e \"const f='server.json';require('fs').writeFileSync(f,'')\"",
    ],
)
def test_what_a_release_runs_before_it_publishes(line: str) -> None:
    assert version_mode(released(line)) == "stamped"
    assert judge_tree(released(line), only="version").findings == ()


@pytest.mark.parametrize(
    "line",
    [
        "mcp-publisher validate server.json",
        "jq . server.json",
        "check-jsonschema --schemafile s.json server.json",
        "cat server.json",
        "python -m json.tool server.json",
        "python scripts/validate.py server.json",
        "python scripts/look.py server.json",
        "python scripts/readme.py",
        "python scripts/gone.py server.json",
        "make look",
        "make run",
        "make build",
        "perl -ne 'print if /version/' server.json",
        "python scripts/stamp.py && git commit -am x",
    ],
)
def test_what_only_looks_at_it(line: str) -> None:
    assert version_mode(released(line)) is None


def test_a_script_that_runs_without_a_release_is_no_stamp() -> None:
    assert version_mode(released("python scripts/stamp.py", "")) is None


@pytest.mark.parametrize("line", ["python scripts/stamp.py", "make stamp"])
def test_what_runs_after_the_release_is_no_stamp(line: str) -> None:
    assert version_mode(released("mcp-publisher publish", f"      - run: {line}\n")) is None


def test_other_services_and_the_configuration() -> None:
    script = "script: sed -i s/0/$VERSION/ server.json\n"
    assert version_mode(project(script, path=".gitlab-ci.yml")) == "stamped"
    assert version_mode(project(script, '[tool.mcp-lockstep]\nversion = "bumped"\n')) == "bumped"


def test_a_version_that_nothing_stamps_drifts() -> None:
    assert [finding.code.slug for finding in judge_tree(project(), only="version").findings] == [
        "version-elsewhere"
    ]
