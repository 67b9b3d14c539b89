"""Addresses: which are fetched, and what is said of those that are not."""

from __future__ import annotations

import io
import urllib.error
from urllib.request import OpenerDirector

import pytest

from mcp_lockstep.findings import Finding, Refused
from mcp_lockstep.named import address as module
from mcp_lockstep.named.address import fetch, is_address, plain_address


class Answers:
    """Stands in for the network."""

    def __init__(self, answer: bytes | Exception) -> None:
        self.answer, self.asked = answer, list[tuple[object, object]]()

    def open(self, opener: OpenerDirector, url: str, timeout: float) -> io.BytesIO:
        self.asked.append((url, timeout))
        if isinstance(self.answer, Exception):
            raise self.answer
        return io.BytesIO(self.answer)


def answering(monkeypatch: pytest.MonkeyPatch, answer: bytes | Exception) -> Answers:
    answers = Answers(answer)
    monkeypatch.setattr(
        OpenerDirector, "open", lambda opener, url, timeout: answers.open(opener, url, timeout)
    )
    return answers


def refused(url: str) -> Finding:
    with pytest.raises(Refused) as caught:
        fetch(url)
    (finding,) = caught.value.findings
    assert finding.code.slug == "schema-not-fetched"
    return finding


def test_the_bytes_at_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = answering(monkeypatch, b"{}")
    assert fetch("https://example.com/a.json?x=1") == b"{}"
    assert answers.asked == [("https://example.com/a.json?x=1", module.PATIENCE)]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://example.com/a.json", "is http, and only https is fetched"),
        ("file:///etc/passwd", "is file, and only https is fetched"),
        ("ftp://example.com/a", "is ftp, and only https is fetched"),
        ("https://me:secret@example.com/a", "holds credentials"),
        ("https://", "names no host"),
        ("https://[::1", "is no address"),
    ],
)
def test_what_is_never_fetched(monkeypatch: pytest.MonkeyPatch, url: str, said: str) -> None:
    answers = answering(monkeypatch, b"{}")
    finding = refused(url)
    assert said in finding.message
    assert "secret" not in f"{finding.message}{finding.place}"
    assert answers.asked == []


def test_no_answer_and_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, urllib.error.URLError("no route to host"))
    finding = refused("https://example.com/a?token=secret")
    assert finding.message == "https://example.com/a cannot be fetched: no route to host"
    monkeypatch.setattr(module, "MAX_BYTES", 3)
    answering(monkeypatch, b"1234")
    assert "gives more than 3 bytes" in refused("https://example.com/a").message


def test_only_https_has_a_handler() -> None:
    opener = module._opener()
    with pytest.raises(urllib.error.URLError, match="unknown url type"):
        opener.open("http://127.0.0.1:9/")
    with pytest.raises(urllib.error.URLError, match="unknown url type"):
        opener.open("file:///etc/hostname")


def test_addresses_are_told_from_paths() -> None:
    assert [is_address(text) for text in ("https://a/b", "a/b.json", "C:/a", "git:a:b")] == [
        True, False, False, False,
    ]  # fmt: skip
    assert plain_address("https://a/b?c#d") == plain_address("https://a/b#d") == "https://a/b"
