"""How the time for models grows with the schema, in CPU time of this process: `python bench/growth.py [--rounds N]`.

Each kind of schema at three sizes, each twice the one before. `n log n` allows a factor of 2.2 to 2.3 per doubling at
these sizes; ends with 1 where a factor is over 2.6, which leaves room for noise.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/support"))

import sizes
from mcp_lockstep.models import generate_models
from mcp_lockstep.schema.values import Node

MOST = 2.6


def seconds(schema: Node, rounds: int) -> float:
    """The median CPU time of making models, or refusing to."""
    times: list[float] = []
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        generate_models(schema)
        times.append(time.process_time() - start)
    return statistics.median(times)


def main() -> int:
    """Measure, print, and say by the exit code whether the growth is as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="runs of each size (default: 5)")
    rounds = parser.parse_args().rounds
    generate_models(sizes.definitions(3))
    rows = (
        ("definitions", sizes.definitions, (500, 1000, 2000)),
        ("members of a union", sizes.union, (75, 150, 300)),
        ("levels of arrays", sizes.nested, (24, 48, 96)),
        ("levels of arrays, refused", sizes.nested, (125, 250, 500)),
    )
    worst = 0.0
    for what, make, counts in rows:
        times = [seconds(make(count), rounds) for count in counts]
        factors = [after / before for before, after in pairwise(times)]
        worst = max(worst, *factors)
        figures = "  ".join(
            f"{count:>5}: {took * 1000:8.1f} ms" for count, took in zip(counts, times, strict=True)
        )
        print(f"{what:28}{figures}  factors {', '.join(f'{factor:.2f}' for factor in factors)}")
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())
