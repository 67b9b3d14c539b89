"""One wheel of ours for all tests of builds, and environments to build in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from building import Workshop, unpacked_wheel, workshop


class Ours(NamedTuple):
    """The wheel, and the folder that holds what is in it."""

    wheel: Path
    folder: Path


@pytest.fixture(scope="session")
def ours(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Ours:
    """A wheel of this checkout."""
    return Ours(*unpacked_wheel(root, tmp_path_factory.mktemp("ours")))


@pytest.fixture(scope="session")
def own_wheel(ours: Ours) -> Path:
    """The wheel; what it was built from lies beside it, in `checkout`."""
    return ours.wheel


@pytest.fixture(scope="session")
def shop(ours: Ours, tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """An environment for builds; nothing is installed into it."""
    return workshop(tmp_path_factory.mktemp("shop") / "env", ours.folder)


@pytest.fixture
def new_shop(ours: Ours, tmp_path: Path) -> Callable[[], Workshop]:
    """A function that makes an environment to install into."""
    return lambda: workshop(tmp_path / "env", ours.folder)
