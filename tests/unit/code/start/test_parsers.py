"""The flags that a program takes, and whether these are all."""

from __future__ import annotations

import pytest

from mcp_lockstep.code.observe import observe
from mcp_lockstep.code.start.parsers import Flags, read_flags

ARGPARSE = "import argparse, sys\np = argparse.ArgumentParser()\n{0}\np.parse_args()\n"
CLICK = "import click\n@click.command()\n{0}\ndef main(**given): ...\n"


def flags(text: str) -> Flags:
    return read_flags([observe("src/w/server.py", text.encode())])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ARGPARSE.format('p.add_argument("--port", "-p", type=int)'), {"--port", "-p"}),
        (ARGPARSE.format('p.add_argument("place")'), set[str]()),
        (
            ARGPARSE.format('p.add_argument("--x", action=argparse.BooleanOptionalAction)'),
            {"--x", "--no-x"},
        ),
        (CLICK.format('@click.option("--port", "-p", "port")'), {"--port", "-p"}),
        (CLICK.format('@click.option("--shout/--no-shout")'), {"--shout", "--no-shout"}),
        (CLICK.format("@click.version_option()"), {"--version"}),
        ("import typer\ndef main(max_days: int = 3): ...\ntyper.run(main)", {"--max-days", "--no-max-days"}),
        (
            'import typer\napp = typer.Typer()\n@app.command()\ndef main(x: int = typer.Option(3, "--ex")): ...',
            {"--x", "--no-x", "--ex"},
        ),
    ],
)
def test_flags_that_are_all_seen(text: str, expected: set[str]) -> None:
    found = flags(text)
    ours = {"-h", "--help", "--install-completion", "--show-completion"}
    assert ({flag.text for flag in found.flags} - ours, found.unknown) == (expected, "")


@pytest.mark.parametrize(
    "text",
    [
        ARGPARSE.format("p.add_argument(*names)"),
        ARGPARSE.format('p.add_argument("--a", **more)'),
        ARGPARSE.format("for n in names: p.add_argument(n)"),
        ARGPARSE.format("p.parse_known_args()"),
        ARGPARSE.format("print(sys.argv)"),
        ARGPARSE.format("library.more(p)"),
        ARGPARSE.format("q = argparse.ArgumentParser(parents=[p])"),
        CLICK.format("@other.options()"),
        CLICK.format("@unknown"),
        'import click\n@click.command(context_settings={"ignore_unknown_options": True})\ndef main(): ...',
        "import typer, fire\ntyper.run(main)",
        "import typer\nfrom w.x import main\ntyper.run(main)",
        "import argparse\ndef f(:",
        "x = 1  # mcp",
    ],
)
def test_programs_that_may_take_more(text: str) -> None:
    assert flags(text).unknown


def test_the_beginning_of_a_long_flag_is_enough() -> None:
    found = flags(ARGPARSE.format('p.add_argument("--port", "-p")'))
    assert [found.takes(text) for text in ("--port", "--po", "--ports", "-p", "--", "-x")] == [
        True,
        True,
        False,
        True,
        False,
        False,
    ]
