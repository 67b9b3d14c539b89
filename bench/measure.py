"""CPU time of child processes, side by side in one run, so that the machine's load falls on both sides."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple


class Command(NamedTuple):
    """What to run: arguments, folder, additions to the environment, the folders to remove before each run."""

    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str] = {}
    fresh: tuple[Path, ...] = ()


class Row(NamedTuple):
    """One comparison: `command` may take at most `budget` times the CPU time of `against`, or so many ms more."""

    what: str
    command: Command
    against: Command
    budget: float
    unit: Literal["times", "ms more"] = "times"


class Result(NamedTuple):
    """Milliseconds of user and system time of both sides, as `compare` sums up their runs."""

    row: Row
    own: float
    other: float

    @property
    def ratio(self) -> float:
        return self.own / self.other

    @property
    def measured(self) -> float:
        """What the budget is for, in the unit of the row."""
        return self.ratio if self.row.unit == "times" else self.own - self.other

    @property
    def within(self) -> bool:
        return self.measured <= self.row.budget


def cpu_time(command: Command) -> float:
    """User and system time of one run in milliseconds, its own children included.

    Raises RuntimeError with the output when it fails.
    """
    for folder in command.fresh:
        shutil.rmtree(folder, ignore_errors=True)
    # Users have bytecode; the warm-up run of `compare` writes it.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | dict(command.env)
    with subprocess.Popen(
        command.argv, cwd=command.cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        output = process.stdout.read() if process.stdout else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        text = output.decode("utf-8", "replace")
        raise RuntimeError(f"{' '.join(command.argv)} ended with {process.returncode}:\n{text}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def compare(row: Row, rounds: int) -> Result:
    """Run both sides alternately, after one run of each that does not count.

    Ratios are of medians. Differences are of the least: whatever else the machine does is added to a run, and a small
    difference of two medians is mostly that.
    """
    sides = (row.command, row.against)
    for side in sides:
        cpu_time(side)
    times = [[cpu_time(side) for side in sides] for _ in range(rounds)]
    middle: Callable[[Sequence[float]], float] = statistics.median if row.unit == "times" else min
    own, other = (middle(column) for column in zip(*times, strict=True))
    return Result(row, own, other)
