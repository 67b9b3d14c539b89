"""Talking to a server that may do anything: pages, noise, silence, errors, and ending, together with its children."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from mcp_lockstep.contract.model import Contract
from mcp_lockstep.documents.data import JsonObject
from mcp_lockstep.findings import Finding, Refused
from mcp_lockstep.launch.run import Served, differences, talk
from mcp_lockstep.launch.wire import masked, running
from stdio_servers import program

PROMISED = Contract(
    tools=tuple({"name": name, "inputSchema": {"type": "object"}} for name in ("high", "low", "mean"))
)


def served(
    folder: Path,
    body: str,
    *,
    timeout: float = 20.0,
    secrets: tuple[str, ...] = (),
    contract: Contract | None = None,
) -> Served:
    with running(
        program(folder, body), os.environ, name="tides", timeout=timeout, secrets=secrets
    ) as session:
        return talk(session, contract)


def refused(folder: Path, body: str, *, timeout: float = 20.0, secrets: tuple[str, ...] = ()) -> Finding:
    with pytest.raises(Refused) as caught:
        served(folder, body, timeout=timeout, secrets=secrets)
    (finding,) = caught.value.findings
    return finding


def test_a_server_is_asked_for_what_it_announces(tmp_path: Path) -> None:
    found = served(tmp_path, "serve(TOOLS)", contract=PROMISED)
    assert (found.server, found.protocol, found.findings) == ("tides 1.0", "2025-11-25", ())
    assert [tool["name"] for tool in found.lists.tools] == ["high", "low", "mean"]
    assert found.lists.prompts == ()


@pytest.mark.parametrize("pages", [2, 3])
def test_pages_are_put_together(pages: int, tmp_path: Path) -> None:
    found = served(tmp_path, f"serve(TOOLS, pages={pages})", contract=PROMISED)
    assert (len(found.lists.tools), found.findings) == (3, ())


def test_what_is_not_announced_is_not_asked_for(tmp_path: Path) -> None:
    assert served(tmp_path, "serve(TOOLS, {})").lists == Contract()


def test_a_server_may_ask_in_between(tmp_path: Path) -> None:
    body = 'send({"id": 7, "method": "ping"})\nsend({"id": "r", "method": "roots/list"})\n'
    body += 'send({"method": "notifications/message", "params": {}})\nserve(TOOLS)'
    assert len(served(tmp_path, body).lists.tools) == 3


def test_print_is_a_finding_and_no_end(tmp_path: Path) -> None:
    found = served(tmp_path, 'print("starting with hunter2")\nserve(TOOLS)', secrets=("hunter2",))
    (finding,) = found.findings
    assert finding.code.slug == "server-writes-no-json"
    assert "'starting with ***'" in finding.message


def test_a_crash_shows_what_was_said_without_secrets(tmp_path: Path) -> None:
    finding = refused(tmp_path, 'raise SystemExit("no hunter2 today")', secrets=("hunter2",))
    assert finding.code.slug == "server-ended"
    assert finding.message == "tides ended with 1 before it answered initialize"
    assert finding.hint == "it said: no *** today"


def test_a_server_that_failed_is_told_whoever_holds_its_output(tmp_path: Path) -> None:
    child = "[sys.executable, '-c', 'import time; time.sleep(60)']"
    body = f"import subprocess\nsubprocess.Popen({child}, stderr=subprocess.DEVNULL)\nraise SystemExit(3)"
    finding = refused(tmp_path, body)
    assert finding.code.slug == "server-ended"
    assert finding.message == "tides ended with 3 before it answered initialize"


def test_silence_ends(tmp_path: Path) -> None:
    finding = refused(tmp_path, "time.sleep(600)", timeout=0.3)
    assert finding.code.slug == "server-silent"
    assert finding.message == "tides does not answer initialize within 0.3 seconds"


def test_a_flood_ends(tmp_path: Path) -> None:
    body = 'while True:\n    send({"method": "notifications/message"})'
    assert refused(tmp_path, body, timeout=0.3).code.slug == "server-silent"


def test_an_error_in_place_of_a_list(tmp_path: Path) -> None:
    finding = refused(tmp_path, 'serve(TOOLS, {"prompts": {}})')
    assert finding.code.slug == "server-refuses"
    assert finding.message == "tides answers prompts/list with an error: no prompts/list"


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with (
        pytest.raises(Refused) as caught,
        running([str(tmp_path / "x")], {}, name="x", timeout=1, secrets=()),
    ):
        pass
    assert caught.value.findings[0].code.slug == "runner-missing"


def test_a_command_with_a_zero_byte(tmp_path: Path) -> None:
    with (
        pytest.raises(Refused) as caught,
        running([str(tmp_path / "x"), "a\0b"], {}, name="x", timeout=1, secrets=()),
    ):
        pass
    (finding,) = caught.value.findings
    assert (finding.code.slug, finding.message.rpartition(": ")[2]) == (
        "runner-missing",
        "embedded null byte",
    )


def test_a_line_nested_too_deep_is_noise(tmp_path: Path) -> None:
    body = 'print("[" * 100_000, flush=True)\nserve(TOOLS, {})'
    (finding,) = served(tmp_path, body).findings
    assert finding.code.slug == "server-writes-no-json"


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are those of POSIX")
def test_nothing_is_left_running(tmp_path: Path) -> None:
    child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    body = f"import subprocess\nchild = subprocess.Popen([sys.executable, '-c', {child!r}])\n"
    body += f"open({str(tmp_path / 'pids')!r}, 'w').write(str(child.pid))\nserve(TOOLS)"
    served(tmp_path, body)
    pid = int((tmp_path / "pids").read_text(encoding="utf-8"))
    deadline = time.monotonic() + 10
    while _alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _alive(pid)


def _alive(pid: int) -> bool:
    """Whether the process runs; one that ended and was not collected by whoever inherited it does not."""
    status = Path(f"/proc/{pid}/stat")
    if status.parent.parent.exists():
        try:
            return status.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_longest_secret_is_masked_first() -> None:
    assert masked("abcd abc", ["abc", "abcd"]) == "*** ***"


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        ("a/b c", "a/b%20c"),
        ("a/b c", "a%2Fb%20c"),
        ("a/b c", "a%2Fb+c"),
        ('say "no"', 'say \\"no\\"'),
        ("Schlüssel", "Schl\\u00fcssel"),
        ("it's\there", "it's\\there"),
        ("first line\n  last line\n", "last line"),
    ],
)
def test_a_secret_is_masked_as_programs_write_it(secret: str, said: str) -> None:
    assert masked(f"no {said}, no entry", [secret]) == "no ***, no entry"


def test_a_short_line_of_a_secret_is_in_every_other_word() -> None:
    assert masked("an end", ["begin\nen"]) == "an end"


def test_a_text_that_differs_is_told_as_the_contract_has_it() -> None:
    """What the server says may hold a secret of this machine, of which a message would show a part."""
    one: JsonObject = {"name": "a", "title": "A", "description": "Ebb.", "inputSchema": {"type": "object"}}
    now: JsonObject = {**one, "title": "B", "description": "Flow.", "inputSchema": {"type": "string"}}
    (found,) = differences(Contract(tools=(now,)), Contract(tools=(one,)))
    assert found.message == (
        "tool 'a': title differs from the contract, which says \"A\"; description differs from the contract, which "
        'says "Ebb."; inputSchema differs from the contract'
    )


def test_differences_name_each_item_and_key() -> None:
    now = Contract(
        tools=({"name": "high", "inputSchema": {"type": "object"}, "description": "x"}, {"name": "new"}),
        prompts=({"name": "p", "title": None},),
    )
    then = PROMISED._replace(prompts=({"name": "p"},))
    assert [finding.message for finding in differences(now, then)] == [
        "tool 'high': description is not in the contract",
        "tool 'low': the server does not list it",
        "tool 'mean': the server does not list it",
        "tool 'new': the contract does not have it",
    ]
