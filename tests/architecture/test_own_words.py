"""Nothing is copied from what others published, and no file names the host of a package registry."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from package_source import assert_none

PROSE_SUFFIXES = (".json", ".toml", ".py", ".md", ".jinja", ".yaml", ".yml", ".txt")
DESCRIPTION = re.compile(r'"description":\s*"((?:[^"\\]|\\.){60,})"')
SENTENCE = 60
"""So many equal characters at the start of a description are no accident."""

REGISTRY_HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("crates", "io"),
        ("deb", "debian", "org"),
        ("proxy", "golang", "org"),
    )
)
"""Written in parts, so that this file doesn't name one either."""

FORMAT_VALUES = ("codegen/", "schemas/", "templates/", "tests/")
"""Here a host stands as a value of the server.json format, which is about registries."""

FORMAT_KEY = re.compile(r'"?registryBaseUrl"?')


def tracked(root: Path) -> Mapping[str, str]:
    """The text of every file that git tracks, by path relative to the checkout."""
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        pytest.skip("not a git checkout")
    names = [name for name in done.stdout.split("\0") if name]
    return {
        n: (root / n).read_text(encoding="utf-8", errors="replace") for n in names if (root / n).is_file()
    }


def published_sentences(texts: Iterable[str]) -> frozenset[str]:
    """How the long descriptions of published documents begin."""
    return frozenset(found[:SENTENCE] for text in texts for found in DESCRIPTION.findall(text))


def copied(files: Mapping[str, str], sentences: Iterable[str]) -> list[str]:
    """Files of the project in which a published sentence stands word for word."""
    prose = {name: text for name, text in files.items() if name.endswith(PROSE_SUFFIXES)}
    return [f"{name}: {part}" for part in sentences for name, text in prose.items() if part in text]


def registry_hosts(files: Mapping[str, str]) -> list[str]:
    """`path:line` of every registry host that is no value of the server.json format."""
    return [
        f"{name}:{number}"
        for name, text in files.items()
        if not name.startswith(FORMAT_VALUES)
        for number, line in enumerate(text.splitlines(), 1)
        if any(host in line for host in REGISTRY_HOSTS) and not FORMAT_KEY.search(line)
    ]


@pytest.fixture(scope="module")
def files(root: Path) -> Mapping[str, str]:
    return tracked(root)


def test_no_published_prose_stands_in_the_project(files: Mapping[str, str], shared: Path) -> None:
    documents = [*shared.glob("upstream/**/*.json"), *shared.glob("seeds/*.json")]
    sentences = published_sentences(path.read_text(encoding="utf-8", errors="replace") for path in documents)
    assert len(sentences) > 100
    assert_none(copied(files, sentences))


def test_no_file_names_a_registry_host(files: Mapping[str, str]) -> None:
    assert_none(registry_hosts(files))


def test_a_copied_sentence_is_seen() -> None:
    sentence = "The words that somebody published " * 3
    sentences = published_sentences([f'{{"description": "{sentence}"}}', '{"description": "short"}'])
    assert len(sentences) == 1
    assert copied({"schemas/a.toml": f"x = '{sentence}'", "b.bin": sentence}, sentences) == [
        f"schemas/a.toml: {sentence[:SENTENCE]}"
    ]


def test_a_registry_host_is_seen() -> None:
    host = REGISTRY_HOSTS[0]
    planted = {
        "Makefile": f"a\n\tpip install -i https://{host}/simple x\n",
        "examples/weather/server.json": f'"registryBaseUrl": "https://{host}"',
        "codegen/mcp_lockstep/rules/hosts.py": f'HOST = "{host}"',
    }
    assert registry_hosts(planted) == ["Makefile:2"]
