"""Imports of models that are gone: who is named, and which bytes a sync takes out."""

from __future__ import annotations

import pytest

from mcp_lockstep.code.leftover import leftovers, names_in
from mcp_lockstep.code.observe import observe
from mcp_lockstep.documents import apply_edits

PATH = "src/weather/tools/get.py"
MODELS = """\
from pydantic import MISSING, BaseModel
from typing_extensions import TypeAliasType

__all__ = [
    'Forecast',
    'Place',
]


class Struct(BaseModel):
    Units: str


class Forecast(Struct): ...
Place = TypeAliasType("Place", str)
"""
REST = "\nimport os\n\n\n@mcp.contract('get')\ndef get(place: Place) -> Forecast: ...\n"


def tidied(text: str) -> tuple[str, list[tuple[str | None, bool]]]:
    found = leftovers(observe(PATH, text.encode()), "weather._generated.models", names_in(MODELS))
    return apply_edits(text, found.edits), [(finding.have, finding.fixable) for finding in found.findings]


def test_a_module_may_import_what_the_models_define_and_what_they_import() -> None:
    assert names_in(MODELS) >= {"Forecast", "Place", "Struct", "MISSING", "BaseModel", "TypeAliasType"}
    assert "Units" not in names_in(MODELS)
    text = "from weather._generated.models import MISSING, Forecast, Place, Struct\n" + REST
    assert tidied(text) == (text, [])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from weather._generated.models import Units\n", ""),
        ("from weather._generated.models import Units  # degrees\n", ""),
        ("from .._generated.models import Units\r\n", ""),
        ("from weather._generated.models import (\n    Units,\n)\n", ""),
        ("from weather._generated.models import Units, Wind\n", ""),
        ("from weather._generated.models import Units as U\n", ""),
        ("from weather._generated.models import Units, Place\n", "from weather._generated.models import Place\n"),
        ("from weather._generated.models import Place, Units, Wind\n", "from weather._generated.models import Place\n"),
        (
            "from weather._generated.models import (\n    Forecast,\n    Units,\n    Place,\n)\n",
            "from weather._generated.models import (\n    Forecast,\n    Place,\n)\n",
        ),
        ("from weather._generated.models import (\n    Place,\n    Units,\n)\n",
         "from weather._generated.models import (\n    Place,\n)\n"),
    ],
)  # fmt: skip
def test_an_unused_import_of_a_model_that_is_gone_is_taken_out(before: str, after: str) -> None:
    mended, told = tidied(before + REST)
    assert mended == after + REST
    assert set(told) <= {("Units", True), ("Wind", True)}
    assert ("Units", True) in told


@pytest.mark.parametrize(
    "text",
    [
        "from weather._generated.models import Units\n\ndef f(units: Units) -> None: ...\n",
        "from weather._generated.models import Units\n\ndef f(units: 'list[Units]') -> None: ...\n",
        "from weather._generated.models import Units\n\n__all__ = ['Units']\n",
        "from weather._generated.models import Units as U\n\nprint(U.C)\n",
        "import os; from weather._generated.models import Units\n",
        "from weather._generated.models import Units; import os\n",
    ],
)
def test_what_is_used_or_shares_its_line_is_named_and_left(text: str) -> None:
    assert tidied(text) == (text, [("Units", False)])


@pytest.mark.parametrize(
    "text",
    [
        "from other.models import Units\n",
        "try:\n    from weather._generated.models import Units\nexcept ImportError:\n    Units = str\n",
        "from weather._generated.models import *\n",
        "from weather._generated import models\n",
    ],
)
def test_other_modules_and_guarded_imports_are_left_alone(text: str) -> None:
    assert tidied(text) == (text, [])
