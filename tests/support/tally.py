"""What the tests counted, told at the end of the run, from every worker."""

from __future__ import annotations

from collections import Counter

TALLY: Counter[str] = Counter()
"""What was counted in this process -> how often."""
