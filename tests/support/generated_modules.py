"""Generated modules of models, imported from their source."""

from __future__ import annotations

import itertools
import sys
import types
import warnings
from typing import Any

_COUNT = itertools.count()


def loaded(source: str) -> Any:
    """The module that `source` makes; a warning while it compiles or runs fails the test."""
    module = types.ModuleType(f"generated_models_{next(_COUNT)}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Pydantic looks for the names in annotations in `sys.modules`.
        sys.modules[module.__name__] = module
        exec(compile(source, f"{module.__name__}.py", "exec", dont_inherit=True), module.__dict__)
    return module
