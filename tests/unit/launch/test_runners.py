"""`launch --run` from the arguments of the runner to the comparison with the contract, with stand-ins for runners.

There is no Docker, npm or .NET where the tests run. What stands for them notes its arguments and becomes a server.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from mcp_lockstep.__main__ import main
from packages import named, package, positional, server
from runners import Runner, runner

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the runners are scripts")

TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("high", "low", "mean")]
IMAGE = "ghcr.io/acme/tides:1.2.0"
KEY = {"name": "TIDES_KEY", "isRequired": True, "isSecret": True}
SECRET = 'hunter2 "quoted" \\ é'
ANSWERS = "  answers as tides 1.0 (2025-11-25): 3 tools"
FOLDER = named("-v", "{folder}:/data", variables={"folder": {"default": "/srv/tides"}})


class Kind(NamedTuple):
    """A package of one kind, the program that starts it, and what that is called with."""

    program: str
    package: Mapping[str, object]
    argv: Sequence[str]
    shown: str


KINDS = {
    "oci": Kind(
        "docker",
        package(
            "oci",
            IMAGE,
            runtimeArguments=[FOLDER],
            environmentVariables=[KEY, {"name": "UNITS", "default": "metric"}],
            packageArguments=[positional("serve"), named("--days", "3")],
        ),
        f"run -i --rm -v /srv/tides:/data -e TIDES_KEY -e UNITS {IMAGE} serve --days 3".split(),
        f"docker run -i --rm -v /srv/tides:/data -e TIDES_KEY -e UNITS {IMAGE} serve --days 3",
    ),
    "oci with podman": Kind(
        "podman",
        package("oci", IMAGE, runtimeHint="podman", environmentVariables=[KEY]),
        ["run", "-i", "--rm", "-e", "TIDES_KEY", IMAGE],
        f"podman run -i --rm -e TIDES_KEY {IMAGE}",
    ),
    "nuget": Kind(
        "dnx",
        package("nuget", "Acme.Tides", environmentVariables=[KEY], packageArguments=[positional("mcp")]),
        ["Acme.Tides@1.2.0", "--yes", "--", "mcp"],
        "dnx Acme.Tides@1.2.0 --yes -- mcp",
    ),
    "npm": Kind(
        "npx",
        package(
            "npm",
            "@acme/tides",
            runtimeArguments=[positional("-y")],
            environmentVariables=[KEY],
            packageArguments=[named("--city", default="New York")],
        ),
        ["-y", "@acme/tides@1.2.0", "--city", "New York"],
        "npx -y @acme/tides@1.2.0 --city 'New York'",
    ),
}


@pytest.fixture(params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[str(request.param)]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    monkeypatch.setenv("TIDES_KEY", SECRET)
    monkeypatch.setenv("TIDES_OTHER", "not declared")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return root


def stands_in(here: Path, kind: Kind, body: str = "serve(TOOLS)", tools: object = TOOLS) -> Runner:
    """A project with the one package, and a program that becomes the server of `body`."""
    (here / "mcp-lockstep.toml").write_text('contract = "contract.json"\n', encoding="utf-8")
    (here / "contract.json").write_text(json.dumps({"tools": tools}), encoding="utf-8")
    (here / "server.json").write_text(json.dumps(server(kind.package), indent=2), encoding="utf-8")
    return runner(here.parent, kind.program, body)


def launched(capsys: pytest.CaptureFixture[str], timeout: float = 30) -> tuple[int, str]:
    """The exit code and the output of `launch --run`, which holds no value of a variable."""
    capsys.readouterr()
    code = main(("launch", "--run", "--timeout", str(timeout)))
    caught = capsys.readouterr()
    assert "hunter2" not in caught.out + caught.err
    assert "Traceback" not in caught.out + caught.err
    return code, caught.out


def without_note_of_id(argv: list[str]) -> list[str]:
    """The arguments of `docker run` without the one that is ours."""
    if "--cidfile" not in argv:
        return argv
    at = argv.index("--cidfile")
    return argv[:at] + argv[at + 2 :]


def test_from_the_arguments_to_the_contract(
    kind: Kind, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in = stands_in(here, kind)
    code, out = launched(capsys)
    first, *rest = stand_in.calls()
    assert without_note_of_id(first.argv) == [*kind.argv]
    assert first.environment["TIDES_KEY"] == SECRET
    assert "TIDES_OTHER" not in first.environment
    assert [call.argv for call in rest] == ([["rm", "--force", "c0ffee"]] if first.argv[0] == "run" else [])
    assert (code, out.splitlines()[0], out.splitlines()[-1]) == (0, f"clients run: {kind.shown}", ANSWERS)


def test_a_default_reaches_the_container_by_name(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stand_in = stands_in(here, KINDS["oci"])
    launched(capsys)
    assert stand_in.calls()[0].environment["UNITS"] == "metric"


def test_the_file_for_the_id_of_the_container_is_gone(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stand_in = stands_in(here, KINDS["oci"])
    launched(capsys)
    argv = stand_in.calls()[0].argv
    assert not Path(argv[argv.index("--cidfile") + 1]).parent.exists()


def test_a_container_that_notes_its_id_itself_is_left_to(
    here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = package("oci", IMAGE, runtimeArguments=[named("--cidfile", str(tmp_path / "id"))])
    stand_in = stands_in(here, KINDS["oci"]._replace(package=own))
    assert launched(capsys)[0] == 0
    assert [call.argv.count("--cidfile") for call in stand_in.calls()] == [1]


BAD_KEY = """\
sys.stdin.readline()
send({"id": 1, "error": {"code": 1, "message": "bad key " + os.environ["TIDES_KEY"]}})
time.sleep(600)
"""
FAULTS: dict[str, tuple[str, str, str]] = {
    "exits at once": (
        "raise SystemExit(3)",
        "LS2704 server-ended: {0} ended with 3 before it",
        "said nothing",
    ),
    "ends with a message": (
        'raise SystemExit("cannot open " + os.environ["TIDES_KEY"])',
        "LS2704 server-ended: {0} ended with 1 before it answered initialize",
        "it said: cannot open ***",
    ),
    "hangs": (
        "time.sleep(600)",
        "LS2705 server-silent: {0} does not answer initialize within 1 seconds",
        "said nothing",
    ),
    "writes without end": (
        'while True:\n    print("noise", flush=True)',
        "LS2705 server-silent: {0} does not answer initialize within 1 seconds",
        "said nothing",
    ),
    "answers with an error": (
        'serve(TOOLS, {"prompts": {}})',
        "LS2707 server-refuses: {0} answers prompts/list with an error: no prompts/list",
        "said nothing",
    ),
    "tells the key in an error": (
        BAD_KEY,
        "LS2707 server-refuses: {0} answers initialize with an error: bad key ***",
        "said nothing",
    ),
    "does not know what it speaks": (
        'sys.stdin.readline()\nsend({"id": 1, "result": {"capabilities": {}}})\ntime.sleep(600)',
        "LS2707 server-refuses: {0} answers initialize without a `protocolVersion`: clients end there",
        "said nothing",
    ),
}


@pytest.mark.parametrize(
    ("name", "fault"), [*(("npm", fault) for fault in FAULTS), ("oci", "exits at once"), ("nuget", "hangs")]
)
def test_a_server_that_no_client_can_use(
    name: str, fault: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body, told, hint = FAULTS[fault]
    kind = KINDS[name]
    stands_in(here, kind, body)
    code, out = launched(capsys, 1 if "1 seconds" in told else 30)
    identifier = kind.package["identifier"]
    assert code == 1
    assert f"server.json:7:5: error {told.format(identifier)}" in out
    assert hint in out
    assert "answers as" not in out


def test_a_list_that_is_none(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = (
        'for line in sys.stdin:\n    message = json.loads(line)\n    if message["method"] == "tools/list":\n'
    )
    body += '        send({"id": message["id"], "result": {"tools": {}}})\n    elif "id" in message:\n'
    body += '        send({"id": message["id"], **respond(message, [], None, 1)})'
    stands_in(here, KINDS["npm"], body)
    code, out = launched(capsys)
    assert code == 1
    assert "LS2707 server-refuses: @acme/tides answers tools/list without a list of `tools`" in out


NOISES = {
    "garbage before the messages": ('print("starting up")\nserve(TOOLS)', "'starting up'"),
    "the key, in any spelling": (
        'key = os.environ["TIDES_KEY"]\nprint(key, json.dumps(key), repr(key))\nserve(TOOLS)',
        "'*** \"***\" \\'***\\''",
    ),
    "half a message": ('sys.stdout.write("{\\"jsonrpc\\": \\n")\nserve(TOOLS)', "'{\"jsonrpc\":'"),
}


@pytest.mark.parametrize("noise", NOISES)
def test_a_server_that_writes_something_else_between(
    noise: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body, told = NOISES[noise]
    stands_in(here, KINDS["nuget"], body)
    code, out = launched(capsys)
    assert code == 1
    assert f"server.json:7:5: error LS2706 server-writes-no-json: the server writes {told}" in out
    assert ANSWERS in out


def test_what_goes_to_the_error_output_is_nobody_s_business(
    kind: Kind, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = 'print(os.environ["TIDES_KEY"], "x" * 200_000, file=sys.stderr, flush=True)\nserve(TOOLS)'
    stands_in(here, kind, body)
    code, out = launched(capsys)
    assert (code, out.splitlines()[-1]) == (0, ANSWERS)


def test_a_long_line_of_the_error_output_is_cut(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stands_in(here, KINDS["npm"], 'raise SystemExit("x" * 100_000)')
    code, out = launched(capsys)
    assert code == 1
    assert f"it said: {'x' * 500}\n" in out


def test_a_name_that_holds_the_key(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = 'TOOLS[0]["name"] = os.environ["TIDES_KEY"]\nserve(TOOLS)'
    stands_in(here, KINDS["npm"], body)
    code, out = launched(capsys)
    assert code == 1
    assert "the contract does not have it" in out


def test_lists_that_differ_from_the_contract(
    kind: Kind, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    promised = [TOOLS[0], {**TOOLS[1], "description": "Ebb."}, {**TOOLS[0], "name": "spring"}]
    stands_in(here, kind, tools=promised)
    code, out = launched(capsys)
    assert code == 1
    assert [line.partition("served-differs: ")[2] for line in out.splitlines() if "LS2708" in line] == [
        "tool 'low': description is missing",
        "tool 'spring': the server does not list it",
        "tool 'mean': the contract does not have it",
    ]
    assert out.count("server.json:7:5: error LS2708") == 3
    assert ANSWERS in out


def test_a_runner_that_is_not_installed(
    kind: Kind, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = stands_in(here, kind)
    (stand_in.folder / kind.program).unlink()
    monkeypatch.setenv("PATH", str(stand_in.folder))
    code, out = launched(capsys)
    identifier = kind.package["identifier"]
    assert code == 2
    assert (
        f"server.json:7:5: error LS2701 runner-missing: {kind.program}, which clients start {identifier} with, "
        "is not installed here" in out
    )


def test_a_runner_that_is_no_program(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stand_in = stands_in(here, KINDS["npm"])
    (stand_in.folder / "npx").write_text("#!/nowhere/node\n", encoding="utf-8")
    code, out = launched(capsys)
    assert code == 2
    assert "error LS2701 runner-missing: @acme/tides cannot be started: " in out


def test_a_key_that_is_not_set(
    kind: Kind, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = stands_in(here, kind)
    monkeypatch.delenv("TIDES_KEY")
    code, out = launched(capsys)
    assert code == 2
    assert "server.json:7:5: error LS2702 input-missing: " in out
    assert stand_in.calls() == []


def test_one_package_that_does_not_start_keeps_no_other_from_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stands_in(here, KINDS["npm"], "raise SystemExit(1)")
    runner(here.parent, "npx", "raise SystemExit(1)")
    other = here.parent / "other"
    other.mkdir()
    working = runner(other, "dnx", "serve(TOOLS)")
    (here.parent / "bin/dnx").symlink_to(working.folder / "dnx")
    both = server(KINDS["npm"].package, KINDS["nuget"].package)
    (here / "server.json").write_text(json.dumps(both, indent=2), encoding="utf-8")
    code, out = launched(capsys)
    assert code == 1
    assert out.count("LS2704 server-ended") == 1
    assert ANSWERS in out


ORPHAN = """\
import signal, subprocess
child = subprocess.Popen([sys.executable, "-c", CHILD])
with open(PIDS, "w", encoding="utf-8") as handle:
    handle.write(f"{os.getpid()} {child.pid}")
signal.signal(signal.SIGTERM, signal.SIG_IGN)
"""
CHILD = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"


@pytest.mark.parametrize("then", ["serve(TOOLS)", "time.sleep(600)", "raise SystemExit(1)"])
@pytest.mark.parametrize("name", ["npm", "oci"])
def test_nothing_is_left_running(
    name: str, then: str, here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pids = tmp_path / "pids"
    body = ORPHAN.replace("CHILD", repr(CHILD)).replace("PIDS", repr(str(pids))) + then
    stand_in = stands_in(here, KINDS[name], body)
    _, out = launched(capsys, 1 if "sleep" in then else 30)
    assert ("ended with 1 before it answered initialize" in out) == ("Exit" in then)
    left = [int(pid) for pid in pids.read_text(encoding="utf-8").split()]
    deadline = time.monotonic() + 10
    while any(map(_alive, left)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [pid for pid in left if _alive(pid)] == []
    removed = [call.argv for call in stand_in.calls() if call.argv[0] == "rm"]
    assert removed == ([["rm", "--force", "c0ffee"]] if name == "oci" else [])


def _alive(pid: int) -> bool:
    """Whether the process runs; one that ended and was not collected by whoever inherited it does not."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] != "Z"
