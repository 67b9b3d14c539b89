"""The contract as a fixture, in a pytest of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from stdio_servers import HEAD

pytest_plugins = ["pytester"]

TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("high", "low", "mean")]
TEST = "def test_contract(lockstep_contract):\n    lockstep_contract.assert_kept()\n"
PLUGIN = ("-p", "mcp_lockstep.pytest_plugin", "-p", "no:cacheprovider")


@pytest.fixture
def server(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project whose server lists high, low and mean, with the test."""
    package = Path(pytester.mkdir("src")) / "tides"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(f"{HEAD}serve(TOOLS)\n", encoding="utf-8")
    pytester.makepyfile(test_contract=TEST)
    return pytester


def contract(pytester: pytest.Pytester, tools: object) -> None:
    (pytester.path / "contract.json").write_text(json.dumps({"tools": tools}), encoding="utf-8")


def run(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess(*PLUGIN, *options)


def test_a_server_that_keeps_its_contract_passes(server: pytest.Pytester) -> None:
    contract(server, TOOLS)
    run(server).assert_outcomes(passed=1)


def test_a_server_that_does_not_is_shown_as_a_diff(server: pytest.Pytester) -> None:
    changed = {"name": "low", "inputSchema": {"type": "object", "required": ["port"]}}
    contract(server, [TOOLS[0], changed, {"name": "max", "inputSchema": {"type": "object"}}])
    result = run(server)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*the server does not keep its contract",
            "*--- contract/tool/low",
            "*+++ served/tool/low",
            '*-    "required": [[]',
            "*tool/max: the server does not list it",
            "*tool/mean: the contract does not have it",
        ]
    )
    assert "Traceback" not in result.stdout.str()


@pytest.mark.parametrize(
    "options", [(), ("-n", "2"), ("--import-mode=importlib",), ("--import-mode=append",)]
)
def test_it_is_the_same_however_tests_are_run(options: Sequence[str], server: pytest.Pytester) -> None:
    contract(server, TOOLS)
    for number in (1, 2):
        server.makepyfile(**{f"test_{number}": TEST})
    run(server, *options).assert_outcomes(passed=3)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("conftest.py", 'pytest_plugins = ["mcp_lockstep.pytest_plugin"]\n'),
        ("pytest.ini", "[pytest]\naddopts = -p mcp_lockstep.pytest_plugin\nlockstep_timeout = 20\n"),
    ],
)
def test_it_is_asked_for_in_a_file(file: str, text: str, server: pytest.Pytester) -> None:
    contract(server, TOOLS)
    (server.path / file).write_text(text, encoding="utf-8")
    server.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_a_package_in_a_namespace_is_called_by_its_whole_name(server: pytest.Pytester) -> None:
    contract(server, TOOLS)
    (server.path / "src/acme").mkdir()
    (server.path / "src/tides").rename(server.path / "src/acme/tides")
    run(server).assert_outcomes(passed=1)


@pytest.mark.parametrize("started", [".", "servers", "servers/tides/src"])
def test_a_project_in_a_folder_of_pytests_root_is_named(
    started: str, server: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    contract(server, TOOLS)
    project = server.mkdir("servers") / "tides"
    project.mkdir()
    for name in ("src", "contract.json"):
        (server.path / name).rename(project / name)
    (project / "here.txt").write_text("", encoding="utf-8")
    main = project / "src/tides/__main__.py"
    main.write_text(f"{HEAD}assert os.path.exists('here.txt')\nserve(TOOLS)\n", encoding="utf-8")
    server.makeini("[pytest]\nlockstep_project = servers/tides\n")
    monkeypatch.chdir(server.path / started)
    run(
        server, "--rootdir", str(server.path), "-c", str(server.path / "tox.ini"), str(server.path)
    ).assert_outcomes(passed=1)


@pytest.mark.parametrize("given", ["soon", "0", "nan", "inf"])
def test_a_timeout_that_is_none_is_a_sentence(given: str, server: pytest.Pytester) -> None:
    contract(server, TOOLS)
    server.makeini(f"[pytest]\nlockstep_timeout = {given}\n")
    result = run(server)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"`lockstep_timeout` is '{given}', a number of seconds is wanted"])


def test_what_a_handshake_client_cannot_take_is_not_asked_for(server: pytest.Pytester) -> None:
    odd = {**TOOLS[0], "outputSchema": {"type": "array"}}
    contract(server, [odd, *TOOLS[1:], {"name": "rootless", "inputSchema": {}}])
    run(server).assert_outcomes(passed=1)


def test_command_and_contract_can_be_set(server: pytest.Pytester) -> None:
    other = server.makepyfile(other=f"{HEAD}\nserve(TOOLS[:1])\n")
    (server.path / "api.json").write_text(json.dumps({"tools": TOOLS[:1]}), encoding="utf-8")
    server.makeini(
        f"[pytest]\nlockstep_command = {sys.executable} {other}\nlockstep_contract = api.json\nlockstep_timeout = 20\n"
    )
    run(server).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("main", "expected"),
    [
        ("import sys; sys.exit('no key')", "*no key*"),
        (
            None,
            "*set `lockstep_command`, in pytest's settings, to what starts the server: no package has a __main__.py",
        ),
    ],
)
def test_a_server_that_does_not_start_is_a_sentence(
    main: str | None, expected: str, server: pytest.Pytester
) -> None:
    contract(server, TOOLS)
    path = server.path / "src/tides/__main__.py"
    path.unlink() if main is None else path.write_text(main, encoding="utf-8")
    result = run(server)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([expected])
    assert "Traceback" not in result.stdout.str()
    assert "another exception" not in result.stdout.str()


def test_a_contract_that_is_not_there_is_a_sentence(server: pytest.Pytester) -> None:
    (server.path / "contract.json").unlink(missing_ok=True)
    result = run(server)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "LS0011 file-missing: contract.json is not there; *",
            "put there what the server is to answer to tools/list, or set `lockstep_contract` to where it is",
        ]
    )


def test_nobody_who_does_not_ask_gets_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\n\ndef test_it():\n    assert not [m for m in sys.modules if 'lockstep' in m]\n"
    )
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
