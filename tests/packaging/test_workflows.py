"""Each `run:` step of the release workflow and of the action, in order, against stand-ins for everything outside."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import pytest

from archives import SDIST, TOP, metadata, write_sdist
from backends import MANIFEST, write_project
from stand_ins import PUBLISHER, StandIns, program, stand_ins
from stdio_servers import HEAD
from workflows import Runner, Yaml, load, steps_of, texts

pytestmark = [
    pytest.mark.xdist_group("packaging"),
    pytest.mark.skipif(sys.platform == "win32", reason="the steps are for bash"),
    pytest.mark.skipif(
        not all(map(shutil.which, ("bash", "git"))), reason="bash or git is not installed here"
    ),
]

RELEASE, ACTION = ".github/workflows/release.yml", "action.yml"
GH_RELEASE = """\
import io, os, sys, tarfile
assert sys.argv[1:5] == ["release", "download", "--repo", "modelcontextprotocol/registry"]
assert os.environ["GH_TOKEN"] == "of-the-job"
raw = open(os.environ["STAND_IN_PUBLISHER"], "rb").read()
entry = tarfile.TarInfo("mcp-publisher")
entry.size, entry.mode = len(raw), 0o755
folder, name = (sys.argv[sys.argv.index(option) + 1] for option in ("--dir", "--pattern"))
with tarfile.open(os.path.join(folder, name), "w:gz") as out:
    out.addfile(entry, io.BytesIO(raw))
"""
GH_API = """\
import json, os, sys
state = os.environ["STAND_IN_COMMENTS"]
comments = json.load(open(state)) if os.path.exists(state) else []
words = sys.argv[1:]
if "--method" not in words:
    ours = (number for number, body in enumerate(comments, 7) if body.startswith("<!-- mcp-lockstep -->"))
    print(*ours, sep="\\n")
else:
    body = open(words[words.index("--field") + 1].removeprefix("body=@")).read()
    if "POST" in words:
        comments.append(body)
    else:
        comments[int(words[4].rpartition("/")[2]) - 7] = body
    json.dump(comments, open(state, "w"))
"""


def jobs(root: Path) -> Yaml:
    return cast("Yaml", load(root / RELEASE)["jobs"])


@pytest.fixture
def outside() -> Iterator[StandIns]:
    with stand_ins() as server:
        yield server


@pytest.fixture
def release(tmp_path: Path, outside: StandIns) -> Runner:
    """A project whose server answers, and a runner whose index, registry and `gh` are stand-ins."""
    project = write_project(tmp_path / "work/project", "hatchling")
    body = HEAD.replace("def serve(", "TOOLS = []\n\ndef serve(").rpartition("TOOLS = [")[0]
    module = project / "src/acme_weather/__init__.py"
    module.write_text(f"{body}\n\ndef main():\n    serve([])\n", encoding="utf-8")
    publisher = program(tmp_path / "programs", "publisher", PUBLISHER)
    program(tmp_path / "bin", "gh", GH_RELEASE)
    temp = tmp_path / "temp"
    temp.mkdir()
    env = {
        "PATH": os.pathsep.join([str(tmp_path / "bin"), os.path.dirname(sys.executable), os.environ["PATH"]]),
        "PIP_INDEX_URL": f"{outside.url}/simple",
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_FIND_LINKS": "",
        "PIP_RETRIES": "0",
        "PIP_CONFIG_FILE": os.devnull,
        "UV_NO_CACHE": "1",
        "UV_OFFLINE": "0",
        "STAND_IN_PUBLISHER": str(publisher),
        "ACTIONS_ID_TOKEN_REQUEST_URL": f"{outside.url}/oidc",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "of-the-runner",
    }
    values = {
        "inputs.path": "project",
        "inputs.build-options": "--no-isolation",
        "inputs.package": "mcp-lockstep",
        "inputs.upload-url": f"{outside.url}/upload",
        "inputs.registry-url": outside.url,
        "inputs.wait": "60",
        "secrets.index-token": "secret",
        "github.token": "of-the-job",
    }
    return Runner(tmp_path / "work", temp, values, env)


needs_tools = pytest.mark.skipif(
    not all(map(find_spec, ("build", "uv", "hatchling", "yaml"))), reason="build or uv is not installed here"
)


@needs_tools
def test_a_release_runs_from_the_build_to_the_registry(
    root: Path, release: Runner, outside: StandIns
) -> None:
    found = jobs(root)
    said = release.run_all(steps_of(found["build"]))
    assert "in step: io.github.acme/weather 1.2.0 (dist/acme_weather-1.2.0-py3-none-any.whl)" in said
    assert "clients run: uvx acme-weather@1.2.0" in said
    assert "answers as tides 1.0" in said
    dist = release.work / "project/dist"
    assert sorted(path.name for path in dist.iterdir() if path.suffix != "") == [
        "acme_weather-1.2.0-py3-none-any.whl",
        "acme_weather-1.2.0.tar.gz",
    ]

    # download-artifact puts them beside, not into, the checkout of the next job.
    shutil.copytree(dist, release.work / "dist")
    release.run_all(steps_of(found["upload"]))
    assert sorted(outside.files) == sorted(
        path.name for path in dist.iterdir() if path.suffix in (".whl", ".gz")
    )

    release.run_all(steps_of(found["registry"]))
    assert outside.published == [MANIFEST]
    asked = [line for line in outside.log if "simple" not in line and "files" not in line]
    assert asked == [
        "POST /upload",
        "POST /upload",
        "GET /oidc",
        "POST /v0/auth/github-oidc",
        "POST /v0/publish",
    ]
    assert outside.log.count("GET /simple/acme-weather/") == 2


@needs_tools
def test_what_is_out_of_step_stops_before_the_upload(root: Path, release: Runner) -> None:
    manifest = release.work / "project/server.json"
    manifest.write_text(json.dumps({**MANIFEST, "version": "1.1.0"}, indent=2), encoding="utf-8")
    by_name = {step.name: step for step in steps_of(jobs(root)["build"])}
    done = release.run(by_name["Check the project"])
    assert done.returncode == 1
    assert "::error file=server.json,line=5," in done.stdout
    assert release.run(by_name["Build"]).returncode == 0
    done = release.run(by_name["Check what was built"])
    assert done.returncode == 1
    assert "LS6204 artefact-version-differs" in done.stdout


@needs_tools
def test_an_index_that_offers_nothing_ends_the_wait(root: Path, release: Runner) -> None:
    release.values.update({"inputs.wait": "0", "steps.release.outputs.name": "acme_weather"})
    release.values["steps.release.outputs.version"] = "1.2.0"
    (step,) = [step for step in steps_of(jobs(root)["registry"]) if step.name == "Wait for the index"]
    done = release.run(step)
    assert done.returncode == 1
    assert "::error::the index does not offer acme_weather 1.2.0 after 0 seconds" in done.stdout


@pytest.mark.parametrize("file", [RELEASE, ACTION])
def test_no_expression_becomes_part_of_a_script(file: str, root: Path) -> None:
    data = load(root / file)
    holders = list(cast("Yaml", data["jobs"]).values()) if file == RELEASE else [data["runs"]]
    steps = [step for holder in holders for step in steps_of(holder)]
    assert len(steps) > 5
    assert [step.name for step in steps if "${{" in step.run] == []
    assert [text for text in texts(data) if "https://" in text] == []


def test_rights_are_given_where_they_are_needed(root: Path) -> None:
    data = load(root / RELEASE)
    assert data["permissions"] == {"contents": "read"}
    rights = {name: cast("Yaml", job).get("permissions", {}) for name, job in jobs(root).items()}
    assert rights == {
        "build": {},
        "upload": {"id-token": "write"},
        "registry": {"contents": "read", "id-token": "write"},
    }


@pytest.fixture
def action(tmp_path: Path) -> Runner:
    """A pull request on a repository with a project and a contract; `gh` is a stand-in."""
    project = write_project(tmp_path / "work", "hatchling")
    contract = {
        "tools": [{"name": "forecast", "inputSchema": {"type": "object", "properties": {"city": {}}}}]
    }
    (project / "contract.json").write_text(json.dumps(contract, indent=2), encoding="utf-8")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run(
            ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", *words], cwd=project, check=True
        )
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=project, capture_output=True, encoding="utf-8", check=True
    ).stdout.strip()
    program(tmp_path / "bin", "gh", GH_API)
    temp = tmp_path / "temp"
    temp.mkdir()
    env = {
        "PATH": os.pathsep.join([str(tmp_path / "bin"), os.path.dirname(sys.executable), os.environ["PATH"]]),
        "STAND_IN_COMMENTS": str(tmp_path / "comments.json"),
    }
    values = {
        "inputs.path": ".",
        "inputs.strict": "true",
        "inputs.contract": "contract.json",
        "github.event.pull_request.base.sha": head,
        "github.event.pull_request.number": "5",
        "github.repository": "acme/weather",
        "github.token": "of-the-job",
    }
    return Runner(project, temp, values, env)


def test_the_action_checks_compares_and_comments(root: Path, action: Runner, tmp_path: Path) -> None:
    (_, sarif, compare, comment, fail, check) = steps_of(load(root / ACTION)["runs"])
    contract = action.work / "contract.json"
    text = contract.read_text(encoding="utf-8").replace('"city"', '"place"').replace('"forecast"', '"tides"')
    contract.write_text(text, encoding="utf-8")
    assert action.run_all((sarif, compare, comment, comment, check)) == ""
    report = json.loads((action.temp / "mcp-lockstep.sarif").read_text(encoding="utf-8"))
    assert report["version"] == "2.1.0"
    (body,) = json.loads((tmp_path / "comments.json").read_text(encoding="utf-8"))
    assert body.startswith("<!-- mcp-lockstep -->\n")
    assert "forecast" in body
    assert "tides" in action.summary
    assert action.values["steps.compare.outputs.breaking"] == "1"
    assert action.run(fail).returncode == 1


def test_the_action_says_what_is_out_of_step(root: Path, action: Runner) -> None:
    (_, sarif, _, _, _, check) = steps_of(load(root / ACTION)["runs"])
    stale = json.dumps({**MANIFEST, "version": "1.1.0"}, indent=2)
    (action.work / "server.json").write_text(stale, encoding="utf-8")
    done = action.run(check)
    assert done.returncode == 1
    assert "::error file=server.json,line=5,col=14," in done.stdout
    assert action.run(sarif).returncode == 0
    report = json.loads((action.temp / "mcp-lockstep.sarif").read_text(encoding="utf-8"))
    assert [one["ruleId"] for one in report["runs"][0]["results"]] == ["LS1021"]


def test_paths_of_the_action_stand_one_a_line_and_may_be_patterns(root: Path, action: Runner) -> None:
    (_, sarif, _, _, _, check) = steps_of(load(root / ACTION)["runs"])
    package = {f"{TOP}/PKG-INFO": metadata()}
    for name in ("with space", "other"):
        write_sdist(action.work / "dist" / name / SDIST, package)
    (action.work / "dist/SHA256SUMS").write_bytes(b"")
    for paths in ("dist/*/*.tar.gz", f"dist/with space/{SDIST}\ndist/other/*\n", "dist/SHA*\n\n**/*.gz"):
        action.values["inputs.path"] = paths
        done = action.run(check)
        assert (done.returncode, done.stderr) == (0, "")
        named = set(re.findall(r"^::notice file=([^,]+),.*LS6206", done.stdout, re.MULTILINE))
        assert named == {f"dist/{name}/{SDIST}" for name in ("with space", "other")}
        assert action.run(sarif).returncode == 0
    action.values["inputs.path"] = "dist/*.whl"
    done = action.run(check)
    assert (done.returncode, "dist/*.whl is not there" in done.stdout) == (2, True)


def test_a_path_is_a_path_whatever_it_is_called(root: Path, action: Runner) -> None:
    (*_, check) = steps_of(load(root / ACTION)["runs"])
    action.values["inputs.path"] = "$(touch planted); touch planted\n`touch planted`\n"
    assert action.run(check).returncode == 2
    assert not (action.work / "planted").exists()


def test_a_contract_that_cannot_be_read_fails(root: Path, action: Runner) -> None:
    (_, _, compare, *_) = steps_of(load(root / ACTION)["runs"])
    (action.work / "contract.json").write_text("{", encoding="utf-8")
    assert action.run(compare).returncode != 0


def test_the_action_installs_its_own_code(root: Path, action: Runner, tmp_path: Path) -> None:
    (install, *_) = steps_of(load(root / ACTION)["runs"])
    calls = tmp_path / "calls"
    python = program(
        tmp_path / "bin", "python3", f"import sys\nopen({str(calls)!r}, 'a').write(f'{{sys.argv[1:]}}\\n')\n"
    )
    folder = action.temp / "mcp-lockstep/bin"
    folder.mkdir(parents=True)
    shutil.copy(python, folder / "python")
    for package, expected in (("", "/the/action[gen]"), ("mcp-lockstep==0.1.0", "mcp-lockstep==0.1.0")):
        action.values.update({"inputs.package": package, "github.action_path": "/the/action"})
        assert action.run(install).returncode == 0
        assert calls.read_text(encoding="utf-8").splitlines()[-1].endswith(f"'{expected}']")
    assert str(folder) in action.paths
