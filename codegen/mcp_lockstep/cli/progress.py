"""A sign of life for work that takes longer than a second."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

_WORTH_A_BAR = 100
"""So many files take long enough to be looked at."""


@contextmanager
def progress(what: str) -> Generator[None]:
    """Show `what` on standard error while the work goes on, if that is a terminal."""
    if not _can_show():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


@contextmanager
def counted(what: str, total: int) -> Generator[Callable[[int], None]]:
    """Show how much of `total` is done, if that is a terminal; what it gives is called with every number done."""
    if total < _WORTH_A_BAR or not _can_show():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    # Lines that go to the same terminal are printed above the bar; lines that go to a file go there.
    bar = Progress(
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=False,
    )
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


def _can_show() -> bool:
    """Whether somebody looks on, and what shows it is installed (`[terminal]`)."""
    if not sys.stderr.isatty():
        return False
    from importlib.util import find_spec

    return find_spec("rich") is not None
