"""Run by another interpreter: what the models of a module say of values. Imports pydantic and nothing of ours.

Reads `{"module": PATH, "cases": [[CLASS, VALUE], ...]}` from standard input and writes the version of pydantic and, for
each case, the value as the model gives it back in an array, or an empty array where the model refuses it.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import warnings
from typing import Any

import pydantic


def module_at(path: str) -> Any:
    """The module in the file `path`; a warning while it runs is an error."""
    spec = importlib.util.spec_from_file_location("models_under_test", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        spec.loader.exec_module(module)
    return module


def back(adapter: Any, value: object) -> list[object]:
    """`value` as the model gives it back, alone in a list; an empty one where it is refused."""
    try:
        made = adapter.validate_json(json.dumps(value))
    except pydantic.ValidationError:
        return []
    return [json.loads(adapter.dump_json(made, by_alias=True, exclude_unset=True))]


def main() -> None:
    """Read, judge, write."""
    asked = json.loads(sys.stdin.read())
    module = module_at(asked["module"])
    adapters = {name: pydantic.TypeAdapter(getattr(module, name)) for name, _ in asked["cases"]}
    answers = [back(adapters[name], value) for name, value in asked["cases"]]
    sys.stdout.write(json.dumps([pydantic.VERSION, answers]))


if __name__ == "__main__":
    main()
