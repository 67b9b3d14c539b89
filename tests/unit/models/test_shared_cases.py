"""The collected cases about models, through the command: what each of them expects, with its instances."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from generated_modules import loaded
from mcp_lockstep.__main__ import main
from mcp_lockstep.naming import class_name
from tally import TALLY

COMMAND = (sys.executable, "-m", "mcp_lockstep", "models", "input.json", "-o", "models.py")


class Made:
    """The module that the command makes of a case."""

    def __init__(self, folder: Path, output: Path) -> None:
        assert main(["models", str(folder / "input.json"), "-o", str(output)]) == 0
        self.source = output.read_text(encoding="utf-8")
        self.schema = json.loads((folder / "input.json").read_text(encoding="utf-8-sig"))
        self.module = loaded(self.source)
        self.root: Any = getattr(self.module, class_name(self.schema["title"]))


def exact_texts(made: Made) -> None:
    assert made.root.__doc__ == made.schema["description"]
    for name, field in made.root.model_fields.items():
        assert field.description == made.schema["properties"][name]["description"]


def header_is_comments(made: Made) -> None:
    head = made.source.split("\nfrom ", 1)[0].split("\nimport ", 1)[0]
    assert all(line.startswith("#") or not line for line in head.splitlines())
    assert not re.search(r"20\d\d-\d\d-\d\dT|/tmp/", made.source)


def default_beside_reference(made: Made) -> None:
    assert made.root().level == "low"


def both_literals(made: Made) -> None:
    assert "Literal['newt', 'eft']" in made.source
    assert "discriminator='kind'" in made.source


def tagged_and_typed(made: Made) -> None:
    assert "discriminator='type'" in made.source
    assert type(made.root.model_validate({"content": [], "id": 5}).id) is int
    assert type(made.root.model_validate({"content": [], "id": "5"}).id) is str


def distinct_names(made: Made) -> None:
    names = {
        name if field.alias is None else field.alias: name for name, field in made.root.model_fields.items()
    }
    assert names.keys() == made.schema["properties"].keys()
    assert all(name.isidentifier() for name in names.values())
    assert len({*names.values()}) == len(names)


def types_moved(made: Made) -> None:
    distinct_names(made)
    assert made.root.model_validate({"Color": "red"}).Color == "red"


def literal_values(made: Made) -> None:
    assert "Enum" not in made.source
    assert made.root.model_validate({"v": 1}).v is not True
    assert made.root.model_validate({"v": True}).v is True


def absent_stays_absent(made: Made) -> None:
    assert made.root.model_fields["must"].is_required()
    assert made.root.model_validate({"must": None}).model_dump() == {"must": None}


def fresh_defaults(made: Made) -> None:
    one, two = made.root(), made.root()
    assert type(one.opt).__name__ == "Opt"
    one.tags.append("y")
    one.map["a"] = one.opt
    assert (two.tags, two.map) == (["x"], {})
    assert two.opt is not one.opt
    assert two.model_dump(by_alias=True) == {"tags": ["x"], "opt": {"depth": 2}, "map": {}}


def names_from_titles_and_places(made: Made) -> None:
    kinds = {name: str(field.annotation) for name, field in made.root.model_fields.items()}
    assert "State" in kinds["a"] and kinds["a"] == kinds["b"] != kinds["c"]
    assert not re.search(r"class \w+\d\b", made.source)


def names_from_definitions(made: Made) -> None:
    assert {"A", "B", "C"} <= {*made.module.__all__}


def digits_stay(made: Made) -> None:
    assert "9007199254740993" in made.source
    found = made.root.model_validate({"i": 1.0, "b": "aGk=", "b2": "aGk="})
    assert (found.b, found.b2) == ("aGk=", "aGk=")


def unix_newlines(made: Made) -> None:
    assert "\r" not in made.source
    assert "\ufeff" not in made.source


def nothing_more(made: Made) -> None:
    assert made.root is not None


EXPECTED: dict[str, Callable[[Made], None]] = {
    "38-docstring-breakout": exact_texts,
    "40-header-comment-breakout": header_is_comments,
    "41-allof-overlapping-objects": nothing_more,
    "43-ref-siblings": default_beside_reference,
    "44-union-literal-many": both_literals,
    "46-mcp-style-untagged-union": tagged_and_typed,
    "47-pattern-properties": nothing_more,
    "49-keyword-and-odd-names": distinct_names,
    "50-leading-underscore-meta": distinct_names,
    "52-field-named-like-its-type": types_moved,
    "53-enum-odd-members": literal_values,
    "55-nullable-is-not-optional": absent_stays_absent,
    "56-mutable-and-nested-defaults": fresh_defaults,
    "58-same-shape-different-meaning": names_from_titles_and_places,
    "59-titles-as-names": names_from_definitions,
    "61-number-and-format-edges": digits_stay,
    "62-bom-crlf-utf16": unix_newlines,
    "64-formatter-config-leaks": nothing_more,
}


def test_no_case_is_left_out(shared: Path) -> None:
    index = json.loads((shared / "cases/index.json").read_text(encoding="utf-8"))
    assert {case["dir"] for case in index if case["kind"] == "models"} == EXPECTED.keys()


@pytest.mark.parametrize("case", EXPECTED)
def test_a_case_behaves_as_expected(shared: Path, tmp_path: Path, case: str) -> None:
    folder = shared / "cases" / case
    made = Made(folder, tmp_path / "models.py")
    EXPECTED[case](made)
    adapter: TypeAdapter[Any] = TypeAdapter(made.root)
    instances = folder / "instances.json"
    given = (
        json.loads(instances.read_text(encoding="utf-8"))
        if instances.exists()
        else {"valid": [], "invalid": []}
    )
    for value in given["valid"]:
        found = adapter.validate_python(value, by_alias=True, by_name=False)
        assert adapter.dump_python(found, mode="json", by_alias=True, exclude_unset=True) == value
    for value in given["invalid"]:
        with pytest.raises(ValidationError):
            adapter.validate_python(value, by_alias=True, by_name=False)
    TALLY["cases about models: behave as expected"] += 1
    TALLY["cases about models: instances"] += len(given["valid"]) + len(given["invalid"])


@pytest.mark.parametrize(
    "case", ["40-header-comment-breakout", "62-bom-crlf-utf16", "64-formatter-config-leaks"]
)
def test_the_surroundings_change_no_byte(shared: Path, tmp_path: Path, case: str) -> None:
    found: set[bytes] = set()
    for place, extra in enumerate(({}, {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONHASHSEED": "7"})):
        here = tmp_path / str(place) / "deep"
        here.mkdir(parents=True)
        for name in ("input.json", *(["pyproject.toml"] if place else [])):
            source = shared / "cases" / case / name
            if source.exists():
                (here / name).write_bytes(source.read_bytes())
        environment = {**os.environ, **extra}
        subprocess.run(COMMAND, cwd=here, env=environment, check=True, capture_output=True)
        found.add((here / "models.py").read_bytes())
    assert len(found) == 1
