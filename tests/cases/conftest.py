"""The option that writes what the cases expect anew, for a person to review."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write again what the cases expect")
