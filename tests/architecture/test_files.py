"""Who writes files, and in which encoding text is opened."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

import pytest

from package_source import PACKAGE, Source, assert_none, package_sources, python_files, source

WRITERS = {
    "plan": "the one door for project files",
    "memo": "a cache outside the project",
    "hooks": "files inside the artefact that is being built",
    "archive.adding": "a member of that artefact",
}
"""Parts and modules that may write, and what."""

WRITING_METHODS = frozenset(
    {"write_text", "write_bytes", "unlink", "mkdir", "rmdir", "touch", "symlink_to", "hardlink_to"}
)
WRITING_FUNCTIONS = re.compile(
    r"os\.(remove|unlink|mkdir|makedirs|rmdir|removedirs|renames?|replace|symlink|link|truncate|chmod|utime|write)"
    r"|(shutil|tempfile)\.(?!which\b)\w+"
)
TEXT_METHODS = frozenset({"read_text", "write_text"})
TEXT_PROCESSES = frozenset(
    {
        "subprocess.run",
        "subprocess.Popen",
        "subprocess.check_output",
        "subprocess.check_call",
        "subprocess.call",
    }
)
NOT_TEXT_OPENERS = frozenset({"os.open", "tarfile.open", "webbrowser.open", "zipfile.open"})
"""Functions called `open` that have no text mode of their own."""


def calls(module: Source) -> Iterator[tuple[str, ast.Call]]:
    """Every call with the function as written: `os.replace`, `path.write_text`, `open`."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def mode_of(call: ast.Call, *, position: int) -> str | None:
    """The mode of an `open` call as text; "r" where none is given, None where it is computed."""
    given = [keyword.value for keyword in call.keywords if keyword.arg == "mode"] or call.args[
        position : position + 1
    ]
    if not given:
        return "r"
    value = given[0].value if isinstance(given[0], ast.Constant) else None
    return value if isinstance(value, str) else None


def opens(name: str, call: ast.Call) -> str | None:
    """The mode, if this call opens a file; None otherwise. `x.open(...)` counts if it may be a path's."""
    if name in {"open", "io.open"}:
        return mode_of(call, position=1) or "?"
    if name.endswith(".open") and name not in NOT_TEXT_OPENERS:
        mode = mode_of(call, position=0)
        return mode if mode and set(mode) <= set("rwaxbt+") else None
    return None


def writes(name: str, call: ast.Call) -> bool:
    """Whether the call may change the file system."""
    mode = opens(name, call)
    if mode is not None:
        return bool(set(mode) & set("wax+?"))
    method = name.rpartition(".")[2]
    if method in WRITING_METHODS or WRITING_FUNCTIONS.fullmatch(name):
        return True
    # `str.replace` takes two arguments, `Path.replace` and `Path.rename` one.
    return method in {"replace", "rename"} and len(call.args) == 1 and not call.keywords


def writes_elsewhere(modules: Iterable[Source]) -> list[str]:
    """Calls that write files in a part that must not."""
    return [
        f"{module.at(call)}: {name}"
        for module in modules
        if not {module.part, module.module.removeprefix(f"{PACKAGE}.")} & {*WRITERS}
        for name, call in calls(module)
        if writes(name, call)
    ]


def opens_text(name: str, call: ast.Call) -> bool:
    """Whether the call reads or writes text, so that an encoding matters."""
    mode = opens(name, call)
    if mode is not None:
        return "b" not in mode
    if name in TEXT_PROCESSES:
        return any(k.arg in {"text", "universal_newlines", "errors"} for k in call.keywords)
    return name.rpartition(".")[2] in TEXT_METHODS or name == "io.TextIOWrapper"


def without_encoding(modules: Iterable[Source]) -> list[str]:
    """Calls that open text in whatever encoding the machine has."""
    return [
        f"{module.at(call)}: {name}"
        for module in modules
        for name, call in calls(module)
        if opens_text(name, call) and not any(keyword.arg == "encoding" for keyword in call.keywords)
    ]


def test_only_the_plan_writes_project_files() -> None:
    assert_none(writes_elsewhere(package_sources()))


def test_text_is_opened_with_an_encoding() -> None:
    everything = python_files("codegen", "templates", "tests", "bench", "tools", "examples")
    assert_none(without_encoding(everything))


@pytest.mark.parametrize(
    "text",
    [
        "open(p, 'w')",
        "open(p, mode='ab')",
        "open(p, mode)",
        "p.open('x')",
        "p.write_text(t, encoding='utf-8')",
        "os.replace(a, b)",
        "p.rename(q)",
        "shutil.copytree(a, b)",
        "p.unlink(missing_ok=True)",
    ],
)
def test_a_write_outside_the_plan_is_seen(text: str) -> None:
    assert len(writes_elsewhere([source(text)])) == 1
    assert writes_elsewhere([source(text, f"{PACKAGE}.plan")]) == []


@pytest.mark.parametrize(
    "text", ["open(p, 'rb')", "open(p)", "p.open('rb')", "a.replace('x', 'y')", "archive.open(name)"]
)
def test_a_read_is_no_write(text: str) -> None:
    assert writes_elsewhere([source(text)]) == []


@pytest.mark.parametrize(
    "text",
    [
        "open(p)",
        "open(p, 'w')",
        "p.open()",
        "p.read_text()",
        "p.write_text(t)",
        "subprocess.run(c, text=True)",
    ],
)
def test_text_without_an_encoding_is_seen(text: str) -> None:
    assert len(without_encoding([source(text)])) == 1


@pytest.mark.parametrize(
    "text",
    [
        "open(p, 'rb')",
        "open(p, encoding='utf-8')",
        "p.read_text(encoding='utf-8')",
        "p.open('rb')",
        "os.open(p, f)",
    ],
)
def test_bytes_and_named_encodings_pass(text: str) -> None:
    assert without_encoding([source(text)]) == []
