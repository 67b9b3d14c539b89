"""What users wait for, in CPU time against its budgets: `python bench/run.py [--rounds N] [WORD...]`.

Rows whose name holds none of the words are left out. Ends with 1 where a budget is exceeded.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from build_rows import build_rows
from mcp_lockstep.bundled import resources
from measure import Command, Result, Row, compare
from sample_projects import add_bulk, tool_list, write_manifests, write_project

PYTHON = sys.executable
BIN = Path(PYTHON).parent
PARSE = "import ast, pathlib; [ast.parse(p.read_bytes()) for p in pathlib.Path().rglob('*.py')]"

ONE_CORE = (
    "import os, sys; hasattr(os, 'sched_setaffinity') and os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); "
    "from mcp_lockstep.__main__ import main; sys.exit(main(sys.argv[1:]))"
)
"""The command on one core: the time of workers, which are nobody's children, is not seen from here."""


def check_rows(base: Path) -> Iterator[Row]:
    """`check` with and without the memo."""
    for tools in (50, 2000):
        project = write_project(base / f"check-{tools}", tools)
        cache = base / f"cache-{tools}"
        env = {"XDG_CACHE_HOME": str(cache)}
        check = Command((str(BIN / "mcp-lockstep"), "check"), project, env)
        empty = Command((PYTHON, "-c", "pass"), project)
        yield Row(f"check, unchanged, {tools} tools : python -c pass", check, empty, 2.5)
        cold = check._replace(fresh=(cache,))
        if tools == 50:
            yield Row("check, no memo, 50 tools : python -c pass", cold, empty, 10)
        else:
            parse = Command((PYTHON, "-c", PARSE), project)
            yield Row("check, no memo, 2000 tools in 200 modules : ast.parse", cold, parse, 2)


def many_rows(base: Path) -> Iterator[Row]:
    """`check` where there is much to read, and little of it about tools."""
    cache = base / "cache-many"
    check = Command((str(BIN / "mcp-lockstep"), "check"), base, {"XDG_CACHE_HOME": str(cache)}, (cache,))
    parse = Command((PYTHON, "-c", PARSE), base)
    large = write_project(base / "large", 10)
    add_bulk(large, 20_000)
    yield Row(
        "check, no memo, 20000 lines : ast.parse", check._replace(cwd=large), parse._replace(cwd=large), 2
    )
    folder = base / "many"
    for number in range(200):
        write_project(folder / f"project-{number:03}", 10)
    every = check._replace(argv=(*check.argv, "-r"), cwd=folder)
    yield Row("check -r, no memo, 200 projects : ast.parse", every, parse._replace(cwd=folder), 2)


def making_rows(base: Path) -> Iterator[Row]:
    """`new` and `models` against datamodel-codegen on the same input."""
    tools = base / "tools.json"
    tools.write_text(json.dumps(tool_list(10)), encoding="utf-8")
    made = base / "made"
    new = (str(BIN / "mcp-lockstep"), "new", str(made), "--from", str(tools), "--name", "io.github.acme/made")
    fresh = Command(new, base, fresh=(made,))
    codegen = (str(BIN / "datamodel-codegen"), "--input", str(tools), "--output", str(base / "other.py"))
    yield Row(
        "new, 10 tools : datamodel-codegen mcp-tools",
        fresh,
        Command((*codegen, "--input-file-type", "mcp-tools"), base),
        0.8,
    )


def parsing(base: Path) -> Iterator[Result]:
    """A generated module of the protocol against the SDK, on the official examples, if both are there."""
    examples = Path(__file__).parents[2] / "shared/upstream/mcp/2026-07-28/examples"
    if not examples.is_dir() or find_spec("mcp_types") is None:
        return
    module = base / "protocol.py"
    subprocess.run((str(BIN / "mcp-lockstep"), "models", "mcp@2026-07-28", "-o", str(module)), check=True)
    script = Path(__file__).with_name("parse_messages.py")
    run = subprocess.run((PYTHON, str(script), str(examples), str(module)), check=True, capture_output=True)
    found: dict[str, float] = json.loads(run.stdout)
    nothing = Command((), base)
    for against, what, budget in (("path", "the SDK", 3.8), ("models", "its models alone", 2.2)):
        row = Row(f"parse 10000 messages : {what}", nothing, nothing, 1 / budget)
        yield Result(row, found["own"] * 10, found[against] * 10)


def bulk_rows(base: Path) -> Iterator[Row]:
    """`validate`, every rule, against a program that judges the same files by the schema alone, where it is there."""
    other = shutil.which("check-jsonschema", path=f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}")
    if other is None:
        return
    folder = write_manifests(base / "manifests", 10_000)
    names = tuple(sorted(path.name for path in folder.iterdir()))
    schema = base / "server.schema.json"
    schema.write_bytes(resources.read("schemas", "server", "2025-12-11.json"))
    yield Row(
        "validate, 10000 files, every rule : check-jsonschema",
        Command((PYTHON, "-c", ONE_CORE, "validate", "."), folder),
        Command((other, "--schemafile", str(schema), *names), folder),
        0.33,
    )


def show(results: list[Result]) -> None:
    """Print the table."""
    width = max(len(result.row.what) for result in results)
    print(f"{'what':{width}}  {'ms':>8}  {'against':>8}  {'ratio':>6}  {'budget':>6}")
    for result in results:
        verdict = "ok" if result.within else "OVER"
        of = "medians" if result.row.unit == "times" else "least"
        figures = f"{result.own:8.0f}  {result.other:8.0f}  {result.measured:6.2f}  {result.row.budget:6.2f}"
        print(f"{result.row.what:{width}}  {figures}  {verdict} ({of})")


def main() -> int:
    """Measure, print, and say by the exit code whether everything is within its budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11, help="runs of each side (default: 11)")
    parser.add_argument("words", nargs="*", help="only rows whose name holds one of these")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        makers = (check_rows, many_rows, making_rows, build_rows, bulk_rows)
        rows = [row for make in makers for row in make(Path(folder))]
        wanted = [row for row in rows if not options.words or any(word in row.what for word in options.words)]
        results = [compare(row, options.rounds) for row in wanted]
        if not options.words or any(word in "parse 10000 messages" for word in options.words):
            results += parsing(Path(folder))
    if results:
        show(results)
    return int(not all(result.within for result in results))


if __name__ == "__main__":
    sys.exit(main())
