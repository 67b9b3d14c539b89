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


def test_other_services_and_the_configuration() -> None:
    script = "script: sed -i s/0/$VERSION/ server.json\n"
    assert version_mode(project(script, path=".gitlab-ci.yml")) == "stamped"
    assert version_mode(project(script, '[tool.mcp-lockstep]\nversion = "bumped"\n')) == "bumped"


def test_a_version_that_nothing_stamps_drifts() -> None:
    assert [finding.code.slug for finding in judge_tree(project(), only="version").findings] == [
        "version-elsewhere"
    ]
