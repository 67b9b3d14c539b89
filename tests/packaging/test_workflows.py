"""Each `run:` step of the release workflow and of the action, in order, against stand-ins for everything outside."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import pytest
import yaml

from archives import SDIST, TOP, metadata, write_sdist
from backends import MANIFEST, write_project
from repositories import git
from stand_ins import PUBLISHER, StandIns, program, stand_ins
from stdio_servers import HEAD
from workflows import Runner, Step, Yaml, inputs_of, jobs, load, steps_of, texts

pytestmark = [
    pytest.mark.xdist_group("packaging"),
    pytest.mark.skipif(sys.platform == "win32", reason="the steps are for bash"),
    pytest.mark.skipif(
        not all(map(shutil.which, ("bash", "git"))), reason="bash or git is not installed here"
    ),
]

SEED = "examples/weather/.github/workflows/publish.yml"
RELEASE, ACTION = ".github/workflows/release.yml", "action.yml"
WORKFLOWS = (RELEASE, ".github/workflows/release-build.yml", ".github/workflows/release-registry.yml")
SARIF, COMPARE = "Write findings for code scanning", "Compare the contract with the base of the pull request"
COMMENT, FAIL = "Comment on the pull request", "Fail on a breaking change"
INSTALLED = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
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
CURL = """\
import io, os, sys, tarfile
raw = os.environ["STAND_IN_PUBLISHER"].encode()
entry = tarfile.TarInfo("mcp-publisher")
entry.size, entry.mode = len(raw), 0o755
with tarfile.open(fileobj=sys.stdout.buffer, mode="w|gz") as out:
    out.addfile(entry, io.BytesIO(raw))
"""
GH_API = """\
import json, os, subprocess, sys
state = os.environ["STAND_IN_COMMENTS"]
comments = json.load(open(state)) if os.path.exists(state) else []
words = sys.argv[1:]
if "--method" not in words:
    assert words[1:3] == ["--paginate", "repos/acme/weather/issues/5/comments"]
    for page in (comments[:2], comments[2:]):
        filter = ["jq", "-r", words[words.index("--jq") + 1]]
        subprocess.run(filter, input=json.dumps(page), encoding="utf-8", check=True)
elif os.environ.get("STAND_IN_REFUSES"):
    sys.exit("gh: Resource not accessible by integration (HTTP 403)")
else:
    method, address = words[words.index("--method") + 1:][:2]
    body = open(words[words.index("--field") + 1].removeprefix("body=@")).read()
    assert len(body) <= 65536
    if method == "POST":
        assert address == "repos/acme/weather/issues/5/comments"
        comments.append({"id": 100 + len(comments), "user": {"type": "Bot"}, "body": body})
    else:
        (one,) = [one for one in comments if address == f"repos/acme/weather/issues/comments/{one['id']}"]
        one["body"] = body
    json.dump(comments, open(state, "w"))
"""


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[StandIns]:
    certificate = tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    files = ["-keyout", str(certificate), "-out", str(certificate) + ".public"]
    subprocess.run([*command, *files], capture_output=True, check=True)
    with certificate.open("ab") as out:
        out.write(Path(f"{certificate}.public").read_bytes())
    with stand_ins(certificate) as server:
        yield server


@pytest.fixture
def release(tmp_path: Path, outside: StandIns) -> Runner:
    """A project whose server answers, and a runner whose index, registry and `gh` are stand-ins."""
    project = write_project(tmp_path / "repository", "hatchling")
    body = HEAD.replace("def serve(", "TOOLS = []\n\ndef serve(").rpartition("TOOLS = [")[0]
    module = project / "src/acme_weather/__init__.py"
    module.write_text(f"{body}\n\ndef main():\n    serve([])\n", encoding="utf-8")
    publisher = program(tmp_path / "programs", "publisher", PUBLISHER)
    program(tmp_path / "bin", "gh", GH_RELEASE)
    temp = tmp_path / "temp"
    temp.mkdir()
    env = {
        "PATH": os.pathsep.join([str(tmp_path / "bin"), INSTALLED]),
        "PIP_INDEX_URL": "",
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_FIND_LINKS": "",
        "PIP_RETRIES": "0",
        "PIP_CONFIG_FILE": os.devnull,
        "UV_NO_CACHE": "1",
        "UV_OFFLINE": "0",
        "UV_INSECURE_HOST": "127.0.0.1",
        "UV_PUBLISH_URL": f"{outside.secure_url}/upload/",
        "STAND_IN_PUBLISHER": str(publisher),
        "ACTIONS_ID_TOKEN_REQUEST_URL": f"{outside.url}/oidc",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "of-the-runner",
        "GITHUB_ACTIONS": "true",
        "GITHUB_REF_TYPE": "tag",
        "GITHUB_REF_NAME": "v1.2.0",
    }
    values = {
        "inputs.build-options": "--no-isolation",
        "inputs.index-url": f"{outside.url}/simple",
        "inputs.registry-url": outside.url,
        "inputs.wait": "60",
        "github.token": "of-the-job",
    }
    runner = Runner(tmp_path, temp, values, env)
    runner.repository = project
    return runner


needs_tools = pytest.mark.skipif(
    not (all(map(find_spec, ("build", "uv", "hatchling", "yaml"))) and shutil.which("openssl")),
    reason="build, uv or openssl is not installed here",
)


@needs_tools
def test_a_release_runs_from_the_build_to_the_registry(
    root: Path, release: Runner, outside: StandIns
) -> None:
    build, upload, registry = jobs(root / RELEASE)
    said = release.run_job(build)
    assert "in step: io.github.acme/weather 1.2.0 (dist/acme_weather-1.2.0-py3-none-any.whl)" in said
    assert "clients run: uvx acme-weather@1.2.0" in said
    assert "answers as tides 1.0" in said
    built = ["acme_weather-1.2.0-py3-none-any.whl", "acme_weather-1.2.0.tar.gz"]
    assert sorted(path.name for path in release.artifacts["dist"].iterdir() if path.suffix != "") == built

    release.run_job(upload)
    assert sorted(outside.files) == built

    release.run_job(registry)
    assert outside.published == [MANIFEST]
    asked = [line for line in outside.log if "simple" not in line and "files" not in line]
    assert asked == [
        "GET /_/oidc/audience",
        "GET /oidc",
        "POST /_/oidc/mint-token",
        "POST /upload/",
        "POST /upload/",
        "POST /_/oidc/burn-token",
        "GET /oidc",
        "POST /v0/auth/github-oidc",
        "POST /v0/publish",
    ]
    assert outside.log.count("GET /simple/acme-weather/") == 2


@needs_tools
def test_a_server_in_a_folder_with_capitals_and_packages_beside_the_one_for_python(
    root: Path, release: Runner, outside: StandIns, tmp_path: Path
) -> None:
    project = tmp_path / "monorepo/servers/weather"
    project.parent.mkdir(parents=True)
    release.repository.rename(project)
    release.repository = tmp_path / "monorepo"
    image = {
        "registryType": "oci",
        "identifier": "ghcr.io/acme/weather:1.2.0",
        "transport": {"type": "stdio"},
    }
    (package,) = cast("list[Yaml]", MANIFEST["packages"])
    script = {**package, "registryType": "npm", "identifier": "@acme/weather"}
    manifest = {
        **MANIFEST,
        "name": "io.github.Acme/Weather",
        "packages": [{**package, "identifier": "Acme.Weather"}, image, script],
    }
    (project / "server.json").write_text(json.dumps(manifest, indent=2), encoding="utf-8")
    for file, old, new in (
        ("pyproject.toml", 'acme-weather = "', '"Acme.Weather" = "'),
        ("pyproject.toml", "acme-weather", "Acme.Weather"),
        ("README.md", "io.github.acme/weather", "io.github.Acme/Weather"),
    ):
        text = (project / file).read_text(encoding="utf-8").replace(old, new)
        (project / file).write_text(text, encoding="utf-8")
    release.values.update({"inputs.path": "servers/weather", "inputs.artifact": "weather"})
    (build, upload, registry) = jobs(root / RELEASE)
    said = release.run_job(build)
    assert "in step: io.github.Acme/Weather 1.2.0 (dist/acme_weather-1.2.0.tar.gz)" in said
    assert "answers as tides 1.0" in said
    assert said.count("not started: it is not in dist/acme_weather-1.2.0-py3-none-any.whl") == 2
    release.artifacts["dist"] = release.artifacts["weather"]
    release.run_job(upload)
    release.run_job(registry)
    assert outside.published == [manifest]


@needs_tools
@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/v0/publish", 500, "Error: 500: "),
        ("/v0/publish", 422, "Error: 422: "),
        ("/v0/auth/github-oidc", 403, "Error: 403: "),
        ("", 0, 'Error: 400: {"error": "this version is published"}'),
    ],
)
def test_a_registry_that_refuses_fails_the_job(
    path: str, status: int, said: str, root: Path, release: Runner, outside: StandIns
) -> None:
    outside.refused[path] = status
    before: list[Yaml] = [] if path else [{"version": "1.2.0"}]
    outside.published += before
    folder = release.temp / "published"
    folder.mkdir()
    manifest = {**MANIFEST, "packages": []}
    (folder / "server.json").write_text(json.dumps(manifest), encoding="utf-8")
    program(release.temp, "mcp-publisher", PUBLISHER)
    (*_, registry) = jobs(root / RELEASE)
    done = release.run(registry.steps[-1])
    assert done.returncode == 1
    assert done.stderr.startswith(said)
    assert outside.published == before


@needs_tools
def test_what_is_out_of_step_stops_before_the_upload(root: Path, release: Runner) -> None:
    manifest = release.repository / "server.json"
    manifest.write_text(json.dumps({**MANIFEST, "version": "1.1.0"}, indent=2), encoding="utf-8")
    (build, *_) = jobs(root / RELEASE)
    release.work, release.values = release.repository, {**build.defaults, **release.values}
    by_name = {step.name: step for step in build.steps}
    done = release.run(by_name["Check the project"])
    assert done.returncode == 1
    assert "::error file=server.json,line=5," in done.stdout
    assert release.run(by_name["Build"]).returncode == 0
    done = release.run(by_name["Check what was built"])
    assert done.returncode == 1
    assert "LS6204 artefact-version-differs" in done.stdout


@needs_tools
@pytest.mark.parametrize(
    ("kind", "tag", "code"),
    [
        ("tag", "v1.2.0", 0),
        ("tag", "v1.3.0", 1),
        ("branch", "v1.3.0", 0),
        ("tag", "$(touch planted)-1.2.0", 0),
    ],
)
def test_a_tag_of_another_version_stops_before_the_upload(
    kind: str, tag: str, code: int, root: Path, release: Runner
) -> None:
    (build, *_) = jobs(root / RELEASE)
    release.work, release.values = release.repository, {**build.defaults, **release.values}
    release.env.update({"GITHUB_REF_TYPE": kind, "GITHUB_REF_NAME": tag})
    by_name = {step.name: step for step in build.steps}
    assert release.run(by_name["Build"]).returncode == 0
    done = release.run(by_name["Check what was built"])
    assert done.returncode == code, done.stdout
    assert ("LS6212 artefact-tag-differs" in done.stdout) is bool(code)
    assert not (release.work / "planted").exists()


@needs_tools
@pytest.mark.parametrize("offered", [(), ("acme_weather-1.2.0.tar.gz",)])
def test_an_index_that_offers_no_wheel_ends_the_wait(
    offered: tuple[str, ...], root: Path, release: Runner, outside: StandIns
) -> None:
    outside.files.update(dict.fromkeys(offered, b""))
    outside.delay = 0
    (*_, registry) = jobs(root / RELEASE)
    release.values.update({"inputs.wait": "0", "steps.release.outputs.name": "acme_weather"})
    release.values["steps.release.outputs.version"] = "1.2.0"
    (step,) = [step for step in registry.steps if step.name == "Wait for the index"]
    done = release.run(step)
    assert done.returncode == 1
    assert "::error::the index does not offer acme_weather 1.2.0 after 0 seconds" in done.stdout
    assert not [line for line in outside.log if line.startswith("GET /files/")]


@pytest.mark.parametrize(
    ("succeeds", "code", "slept"), [(1, 0, "0"), (3, 0, "0 15 30"), (9, 1, "0 15 30 60 120")]
)
def test_the_workflow_of_a_new_project_waits_until_the_registry_sees_the_upload(
    succeeds: int, code: int, slept: str, root: Path, tmp_path: Path
) -> None:
    build, publish = jobs(root / SEED)
    assert "id-token" not in str(cast("Yaml", load(root / SEED)["jobs"])["build"])
    assert [step.run for step in build.steps if step.run][
        -1
    ] == 'mcp-lockstep check --tag="$GITHUB_REF_NAME" . dist/*'
    program(tmp_path / "bin", "curl", CURL)
    program(tmp_path / "bin", "sleep", "import sys\nopen('slept', 'a').write(sys.argv[1] + ' ')\n")
    script = f'#!/bin/sh\necho "$@" >> calls\n[ $1 = login ] || [ $(grep -c publish calls) = {succeeds} ]\n'
    env = {"PATH": os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]]), "STAND_IN_PUBLISHER": script}
    runner = Runner(tmp_path, tmp_path, {}, env)
    done = runner.run(publish.steps[-1])
    assert done.returncode == code, done.stderr
    assert (tmp_path / "slept").read_text(encoding="utf-8").strip() == slept
    calls = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
    assert calls == ["login github-oidc", *["publish"] * len(slept.split())]


@pytest.mark.parametrize("file", [*WORKFLOWS, ACTION])
def test_no_expression_becomes_part_of_a_script(file: str, root: Path) -> None:
    data = load(root / file)
    holders = [data["runs"]] if file == ACTION else list(cast("Yaml", data["jobs"]).values())
    steps = [step for holder in holders if "steps" in cast("Yaml", holder) for step in steps_of(holder)]
    assert len(steps) > 2
    assert [step.name for step in steps if "${{" in step.run] == []
    assert [text for text in texts(data) if "https://" in text] == []


@pytest.mark.parametrize("file", [*WORKFLOWS, ACTION])
def test_other_peoples_actions_are_the_platforms_and_pinned(file: str, root: Path) -> None:
    """An organisation that asks for pinned actions asks it of those inside ours, too."""
    used = re.findall(r"uses: *(.+)", (root / file).read_text(encoding="utf-8"))
    assert used
    pinned = r"(?:actions/[\w-]+|github/codeql-action/upload-sarif)@[0-9a-f]{40} # v[0-9]+\.[0-9]+\.[0-9]+"
    local = r"\./\.github/workflows/[\w-]+\.yml"
    assert [name for name in used if re.fullmatch(f"{pinned}|{local}", name) is None] == []
    # One action is one version everywhere.
    everywhere = {
        line
        for one in (*WORKFLOWS, ACTION)
        for line in re.findall(pinned, (root / one).read_text(encoding="utf-8"))
    }
    assert len(everywhere) == 5


@pytest.mark.parametrize("file", WORKFLOWS)
def test_a_caller_grants_what_every_job_of_a_called_workflow_asks_for(file: str, root: Path) -> None:
    """GitHub refuses to start a workflow otherwise, be the job one that `if:` would leave out."""
    data = load(root / file)
    assert data["permissions"] == {"contents": "read"}
    for job in cast("dict[str, Yaml]", data["jobs"]).values():
        granted = cast("Yaml", job.get("permissions", data["permissions"]))
        if "uses" in job:
            called = load(root / str(job["uses"]))
            for inner in cast("dict[str, Yaml]", called["jobs"]).values():
                assert (
                    cast("Yaml", inner.get("permissions", called["permissions"])).items() <= granted.items()
                )


def test_the_identity_is_kept_from_what_the_build_runs(root: Path) -> None:
    rights = {
        f"{file} {name}": cast("Yaml", job).get("permissions")
        for file in WORKFLOWS
        for name, job in cast("Yaml", load(root / file)["jobs"]).items()
    }
    assert {name.rpartition("/")[2]: given for name, given in rights.items()} == {
        "release.yml build": None,
        "release.yml upload": {"id-token": "write"},
        "release.yml registry": {"contents": "read", "id-token": "write"},
        "release-build.yml build": None,
        "release-registry.yml registry": {"contents": "read", "id-token": "write"},
    }


def test_the_page_names_every_input_and_no_other(root: Path) -> None:
    text = (root / "docs/ci.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([\w.-]+)` \|(.*)\|$", text, re.MULTILINE))
    action = cast("Yaml", load(root / ACTION)["inputs"])
    assert {*action} - {*rows} == {"package"}
    for file in WORKFLOWS[1:]:
        named = re.findall(r"`([\w-]+)`", rows[Path(file).name].rpartition("|")[2])
        assert named == [*inputs_of(load(root / file))]


def test_the_workflow_to_copy_is_the_one_that_is_tested(root: Path) -> None:
    text = (root / "docs/ci.md").read_text(encoding="utf-8")
    (page,) = re.findall(r"```yaml\n(# \.github/workflows/release\.yml.*?)```", text, re.DOTALL)
    ours = (root / RELEASE).read_text(encoding="utf-8")
    called = re.sub(r"\./(\.github/workflows/\S+)", r"OWNER/mcp-lockstep/\1@v0", ours)
    own = yaml.safe_load(called)
    # What others install from an index is made of this checkout here.
    assert [own["jobs"][half].pop("with") for half in ("build", "registry")] == [{"package": "."}] * 2
    assert yaml.safe_load(page) == own


def write_contract(folder: Path, **properties: object) -> None:
    schema = {"type": "object", "properties": {"city": {}, **properties}}
    contract = {"tools": [{"name": "forecast", "inputSchema": schema}]}
    (folder / "contract.json").write_text(json.dumps(contract, indent=2), encoding="utf-8")


@pytest.fixture
def action(tmp_path: Path) -> Runner:
    """A pull request on a repository with a project and a contract; `gh` is a stand-in, `jq` in it is real."""
    project = write_project(tmp_path / "work", "hatchling")
    write_contract(project)
    git(project, "init", "-q")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "one")
    program(tmp_path / "bin", "gh", GH_API)
    temp = tmp_path / "temp"
    (temp / "mcp-lockstep/bin").mkdir(parents=True)
    os.symlink(str(shutil.which("mcp-lockstep", path=INSTALLED)), temp / "mcp-lockstep/bin/mcp-lockstep")
    env = {
        "PATH": os.pathsep.join([str(tmp_path / "bin"), os.environ["PATH"]]),
        "STAND_IN_COMMENTS": str(tmp_path / "comments.json"),
        "GITHUB_SHA": "0" * 40,
    }
    values = {
        "inputs.path": ".",
        "inputs.strict": "true",
        "inputs.sarif": "false",
        "inputs.fail-on-breaking": "false",
        "inputs.contract": "contract.json",
        "github.event.pull_request.base.sha": git(project, "rev-parse", "HEAD"),
        "github.event.pull_request.number": "5",
        "github.repository": "acme/weather",
        "github.token": "of-the-job",
    }
    return Runner(project, temp, values, env)


@pytest.fixture
def steps(root: Path) -> Mapping[str, Step]:
    """The steps of the action, by name."""
    return {step.name: step for step in steps_of(load(root / ACTION)["runs"])}


needs_jq = pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed here")


def comments(action: Runner) -> list[dict[str, str]]:
    path = Path(action.env["STAND_IN_COMMENTS"])
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def test_nothing_that_fails_hides_another_step(steps: Mapping[str, Step]) -> None:
    (install, check, *others) = steps.values()
    assert (install.condition, check.condition) == ("", "")
    assert [step.name for step in others if not step.condition.startswith("!cancelled() && ")] == []


@needs_jq
def test_the_action_checks_compares_and_comments_once(action: Runner, steps: Mapping[str, Step]) -> None:
    by_hand = {"id": 9, "user": {"type": "User"}, "body": "<!-- mcp-lockstep contract.json --> look"}
    path = Path(action.env["STAND_IN_COMMENTS"])
    path.write_text(json.dumps([by_hand, by_hand, by_hand]), encoding="utf-8")
    contract = action.work / "contract.json"
    text = contract.read_text(encoding="utf-8")
    contract.write_text(text.replace('"city"', '"place"'), encoding="utf-8")
    said = "clients run: uvx acme-weather@1.2.0\nin step: io.github.acme/weather 1.2.0 (10 places)\n"
    assert action.run_all((steps["Check"], steps[SARIF])) == said
    action.run_all((steps[COMPARE], steps[COMMENT]))
    contract.write_text(text.replace('"forecast"', '"tides"'), encoding="utf-8")
    action.run_all((steps[COMPARE], steps[COMMENT]))
    report = json.loads((action.temp / "mcp-lockstep.sarif").read_text(encoding="utf-8"))
    assert report["version"] == "2.1.0"
    assert action.values["steps.sarif.outputs.category"] == "mcp-lockstep/."
    (*before, ours) = comments(action)
    assert before == [by_hand, by_hand, by_hand]
    assert ours["body"].startswith("<!-- mcp-lockstep contract.json -->\n")
    assert "tides" in ours["body"]
    assert "place" not in ours["body"]
    assert "place" in action.summary
    assert action.values["steps.compare.outputs.breaking"] == "1"
    assert action.run(steps[FAIL]).returncode == 1
    assert action.paths == []


@needs_jq
def test_who_leaves_the_contract_alone_gets_no_comment(action: Runner, steps: Mapping[str, Step]) -> None:
    action.run_all((steps[COMPARE], steps[COMMENT]))
    assert comments(action) == []
    write_contract(action.work, days={})
    action.run_all((steps[COMPARE], steps[COMMENT]))
    write_contract(action.work)
    action.run_all((steps[COMPARE], steps[COMMENT]))
    assert [one["body"].endswith(": no difference\n") for one in comments(action)] == [True]


@needs_jq
def test_each_contract_has_its_comment(action: Runner, steps: Mapping[str, Step]) -> None:
    for number in (1, 2, 1):
        action.values["inputs.contract"] = f"{number}.json"
        (action.work / f"{number}.json").write_text('{"tools": []}', encoding="utf-8")
        action.run_all((steps[COMPARE], steps[COMMENT]))
    assert [one["body"].splitlines() for one in comments(action)] == [
        [
            f"<!-- mcp-lockstep {number}.json -->",
            f"**{number}.json** is new: there is nothing to compare it with.",
        ]
        for number in (1, 2)
    ]


@needs_jq
def test_who_may_not_comment_finds_the_comparison_in_the_summary(
    action: Runner, steps: Mapping[str, Step]
) -> None:
    action.env["STAND_IN_REFUSES"] = "1"
    write_contract(action.work, days={})
    said = action.run_all((steps[COMPARE], steps[COMMENT]))
    assert "::warning title=mcp-lockstep compare::no comment could be written" in said
    assert "days" in action.summary
    assert comments(action) == []


def test_a_contract_that_is_gone_breaks_and_one_that_never_was_is_no_matter(
    action: Runner, steps: Mapping[str, Step]
) -> None:
    (action.work / "contract.json").unlink()
    said = action.run_all((steps[COMPARE],))
    assert said.endswith("**contract.json** is gone: whoever uses the server loses all of it.\n")
    assert action.values.pop("steps.compare.outputs.breaking") == "1"
    action.values["inputs.contract"] = "other.json"
    said = action.run_all((steps[COMPARE],))
    assert said == "::notice title=mcp-lockstep compare::there is no other.json, here or in the base\n"
    assert "steps.compare.outputs.breaking" not in action.values


@pytest.mark.parametrize("shallow", [False, True])
def test_what_others_changed_in_the_base_meanwhile_is_no_change_of_this_one(
    shallow: bool, action: Runner, steps: Mapping[str, Step], tmp_path: Path
) -> None:
    git(action.work, "checkout", "-qb", "ours")
    write_contract(action.work, ours={})
    git(action.work, "commit", "-qam", "ours")
    git(action.work, "checkout", "-q", "-")
    (action.work / "contract.json").write_text(
        '{"tools": [], "prompts": [{"name": "theirs"}]}', encoding="utf-8"
    )
    git(action.work, "commit", "-qam", "theirs")
    git(action.work, "checkout", "-q", "--detach")
    git(action.work, "merge", "-q", "-s", "ours", "-m", "for this run", "ours")
    action.env["GITHUB_SHA"] = git(action.work, "rev-parse", "HEAD")
    if shallow:
        git(action.work, "branch", "run")
        git(tmp_path, "clone", "-q", "--depth=1", "--branch=run", action.work.as_uri(), "shallow")
        action.work = tmp_path / "shallow"
    assert "no difference" in action.run_all((steps[COMPARE],))
    action.env["GITHUB_SHA"] = "0" * 40
    assert "breaking" in action.run_all((steps[COMPARE],))


@needs_jq
def test_nothing_that_a_schema_says_is_markup_or_too_long(action: Runner, steps: Mapping[str, Step]) -> None:
    hostile = "@everyone `x` <!-- mcp-lockstep contract.json --> | </details> [a](javascript:b) #1\n# head ::error::x"
    tools = [
        {
            "name": f"{number} {hostile}",
            "inputSchema": {"type": "object", "properties": {hostile: {"const": hostile}}},
        }
        for number in range(2000)
    ]
    (action.work / "contract.json").write_text(json.dumps({"tools": tools}), encoding="utf-8")
    said = action.run_all((steps[COMPARE], steps[COMMENT]))
    assert [line for line in said.splitlines() if line.startswith("::")] == []
    ((comment),) = comments(action)
    marker, *lines = comment["body"].splitlines()
    assert marker == "<!-- mcp-lockstep contract.json -->"
    assert [line for line in lines if re.search(r"[@`\[#]|<!--|-->", re.sub(r"&#\d+;", "", line))] == [
        line for line in lines if line.endswith("prints all of them.")
    ]
    assert all(line.count("|") == 6 for line in lines if line.startswith("|"))


def test_the_action_says_what_is_out_of_step(action: Runner, steps: Mapping[str, Step]) -> None:
    stale = json.dumps({**MANIFEST, "version": "1.1.0"}, indent=2)
    (action.work / "server.json").write_text(stale, encoding="utf-8")
    done = action.run(steps["Check"])
    assert done.returncode == 1
    assert "::error file=server.json,line=5,col=14," in done.stdout
    assert action.run(steps[SARIF]).returncode == 0
    report = json.loads((action.temp / "mcp-lockstep.sarif").read_text(encoding="utf-8"))
    assert [one["ruleId"] for one in report["runs"][0]["results"]] == ["LS1021"]


def test_a_switch_that_is_none_is_not_taken_for_off(action: Runner, steps: Mapping[str, Step]) -> None:
    action.values.update(
        {"inputs.fail-on-breaking": "yes", "inputs.package": "", "github.action_path": "/the/action"}
    )
    done = action.run(steps["Install mcp-lockstep"])
    assert done.returncode == 2
    assert done.stdout.startswith(
        "::error title=mcp-lockstep::strict, sarif and fail-on-breaking are true or false,"
    )


def test_several_projects_are_lines(action: Runner, steps: Mapping[str, Step]) -> None:
    for name in ("one", "the other"):
        write_project(action.work / "servers" / name, "hatchling")
    stale = json.dumps({**MANIFEST, "version": "1.1.0"}, indent=2)
    (action.work / "servers/the other/server.json").write_text(stale, encoding="utf-8")
    action.values["inputs.path"] = "servers/one\nservers/the other\n"
    done = action.run(steps["Check"])
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=servers/the other/server.json,line=5,")
    assert done.stdout.endswith("1 error; `mcp-lockstep sync 'servers/the other'` mends 1\n")
    action.run_all((steps[SARIF],))
    assert action.values["steps.sarif.outputs.category"] == "mcp-lockstep/servers/one servers/the other"


def test_paths_of_the_action_may_be_patterns(action: Runner, steps: Mapping[str, Step]) -> None:
    package = {f"{TOP}/PKG-INFO": metadata()}
    for name in ("with space", "other"):
        write_sdist(action.work / "dist" / name / SDIST, package)
    (action.work / "dist/SHA256SUMS").write_bytes(b"")
    for paths in ("dist/*/*.tar.gz", f"dist/with space/{SDIST}\ndist/other/*\n", "dist/SHA*\n\n**/*.gz"):
        action.values["inputs.path"] = paths
        done = action.run(steps["Check"])
        assert (done.returncode, done.stderr) == (0, "")
        named = set(re.findall(r"^::notice file=([^,]+),.*LS6206", done.stdout, re.MULTILINE))
        assert named == {f"dist/{name}/{SDIST}" for name in ("with space", "other")}
        assert action.run(steps[SARIF]).returncode == 0
    action.values["inputs.path"] = "dist/*.whl"
    done = action.run(steps["Check"])
    assert (done.returncode, "dist/*.whl is not there" in done.stdout) == (2, True)


def test_a_path_is_a_path_whatever_it_is_called(action: Runner, steps: Mapping[str, Step]) -> None:
    action.values["inputs.path"] = "$(touch planted); touch planted\n`touch planted`\n"
    done = action.run(steps["Check"])
    assert (done.returncode, done.stdout.count("LS0011")) == (2, 2)
    assert not (action.work / "planted").exists()


def test_a_contract_that_cannot_be_read_fails(action: Runner, steps: Mapping[str, Step]) -> None:
    (action.work / "contract.json").write_text("{", encoding="utf-8")
    assert action.run(steps[COMPARE]).returncode != 0
    assert "steps.compare.outputs.breaking" not in action.values


def test_the_action_installs_its_own_code(action: Runner, steps: Mapping[str, Step], tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    python = program(
        tmp_path / "bin", "python3", f"import sys\nopen({str(calls)!r}, 'a').write(f'{{sys.argv[1:]}}\\n')\n"
    )
    shutil.copy(python, action.temp / "mcp-lockstep/bin/python")
    for package, expected in (("", "/the/action"), ("mcp-lockstep==0.1.0", "mcp-lockstep==0.1.0")):
        action.values.update({"inputs.package": package, "github.action_path": "/the/action"})
        assert action.run(steps["Install mcp-lockstep"]).returncode == 0
        assert calls.read_text(encoding="utf-8").splitlines()[-1].endswith(f"'{expected}']")
