"""A sign of life for work that takes longer than a second."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import TextIO

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
    """Show how much of `total` is done, if that is a terminal; what it gives is called with every number done.

    What is printed to the same terminal comes at each call, above the bar, as it was written.
    """
    if total < _WORTH_A_BAR or not _can_show():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False)
    above = _Above(sys.stdout) if sys.stdout.isatty() else None
    with bar, redirect_stdout(above or sys.stdout):
        task = bar.add_task(what, total=total)

        def advance(done: int) -> None:
            bar.advance(task, done)
            if above is not None and above.getvalue():
                bar.stop()
                above.empty()
                bar.start()

        yield advance
    if above is not None:
        above.empty()


class _Above(StringIO):
    """What is printed to `terminal` while a bar stands there.

    Rich would draw the bar anew for every line, which takes ten times as long as all else, and break long lines.
    """

    def __init__(self, terminal: TextIO) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return True

    def empty(self) -> None:
        """Hand over what was printed."""
        self._terminal.write(self.getvalue())
        self._terminal.flush()
        self.seek(0)
        self.truncate()


def _can_show() -> bool:
    """Whether somebody looks on, and what shows it is installed (`[terminal]`)."""
    if not sys.stderr.isatty():
        return False
    from importlib.util import find_spec

    return find_spec("rich") is not None
