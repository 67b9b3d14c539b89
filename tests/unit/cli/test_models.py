"""`mcp-lockstep models`: what it prints, writes and returns."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from mcp_lockstep.__main__ import main

SCHEMA = '{"title": "Forecast", "type": "object", "properties": {"days": {"type": "integer"}}}'


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "forecast.json").write_text(SCHEMA, encoding="utf-8")


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def call(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["models", *words])
    return code, capsys.readouterr().out


def test_a_module_is_written_and_then_unchanged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("forecast.json", "-o", "src/a b/models.py")
    assert call(capsys, *asked) == (0, "wrote src/a b/models.py\n")
    text = (tmp_path / "src/a b/models.py").read_text(encoding="utf-8")
    assert "__all__ = [\n    'Forecast',\n]" in text
    code, out = call(capsys, *asked)
    assert code == 0
    assert out.startswith("unchanged: src/a b/models.py")
    assert files(tmp_path) == ["forecast.json", "src/a b/models.py"]


def test_the_same_bytes_from_every_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call(capsys, "forecast.json", "-o", "one.py")
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")
    assert call(capsys, "../forecast.json", "-o", "../more/two.py")[0] == 0
    assert (tmp_path / "one.py").read_bytes() == (tmp_path / "more/two.py").read_bytes()


def test_what_is_unchanged_needs_no_making_half(capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "forecast.json", "-o", "m.py")
    program = (
        "import sys; from mcp_lockstep.__main__ import main; code = main(sys.argv[1:]); "
        "heavy = {'pydantic', 'libcst', 'datamodel_code_generator', 'jsonschema', 'mcp_lockstep.pipeline.sync'}; "
        "sys.exit(code or ','.join(heavy & set(sys.modules)) or 0)"
    )
    for more in ([], ["--check"]):
        command = [sys.executable, "-c", program, "models", "forecast.json", "-o", "m.py", *more]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_check_shows_a_diff_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = call(capsys, "forecast.json", "-o", "m.py", "--check")
    assert (code, files(tmp_path)) == (1, ["forecast.json"])
    assert out.startswith("--- /dev/null\n+++ b/m.py\n")
    call(capsys, "forecast.json", "-o", "m.py")
    assert call(capsys, "forecast.json", "-o", "m.py", "--check")[0] == 0
    (tmp_path / "forecast.json").write_text(SCHEMA.replace("integer", "string"), encoding="utf-8")
    code, out = call(capsys, "forecast.json", "-o", "m.py", "--check")
    assert code == 1
    assert "+    days: StrictStr | MISSING = MISSING" in out


@pytest.mark.parametrize("foreign", [True, False])
def test_what_is_not_ours_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str], foreign: bool) -> None:
    path = tmp_path / "m.py"
    call(capsys, "forecast.json", "-o", "m.py")
    made = path.read_bytes()
    path.write_bytes(b"print()\n" if foreign else made + b"# mine\n")
    theirs = path.read_bytes()
    code, out = call(capsys, "forecast.json", "-o", "m.py")
    assert (code, path.read_bytes()) == (3, theirs)
    assert "generated-unsealed" in out if foreign else "generated-edited" in out
    assert "`mcp-lockstep models forecast.json -o m.py --force`" in out
    code, out = call(capsys, "forecast.json", "-o", "m.py", "--check")
    assert code == 3
    assert ("-print()" if foreign else "-# mine") in out
    assert call(capsys, "forecast.json", "-o", "m.py", "--force") == (0, "wrote m.py\n")
    assert path.read_bytes() == made


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nope.json", "-o", "m.py"], 2, "nope.json is not there"),
        (["mcp@draft", "-o", "m.py"], 2, "schemas pull mcp@draft SOURCE"),
        (["git:HEAD:x.json", "-o", "m.py"], 2, "git knows no revision 'HEAD'"),
        (["http://127.0.0.1:1/a.json", "-o", "m.py"], 2, "only https is fetched"),
        (["forecast.json", "-o", "m.py", "--profile", "ergonomic", "--kind", "typeddict"], 2, "LS4020"),
        (["forecast.json", "-o", "m.py", "--profile", "ergonomc"], 2, "did you mean 'ergonomic'?"),
        (["forecast.json", "-o", "m.py", "--target-python", "2.7"], 2, "invalid choice: '2.7'"),
        (["forecast.json", "-o", "m.py", "--patches", "p.toml"], 2, "p.toml is not there"),
        (["bad.json", "-o", "m.py"], 2, "bad.json:1:10: error LS4004 schema-reference-broken"),
        (["broken.json", "-o", "m.py"], 2, "not-json"),
        (["forecast.json", "-o", "."], 2, "folder"),
        (["forecast.json"], 2, ""),
    ],
)
def test_what_cannot_be_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: Sequence[str], code: int, said: str
) -> None:
    (tmp_path / "bad.json").write_text('{"$ref": "#/nope"}', encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    assert main(["models", *words]) == code
    printed = capsys.readouterr()
    assert said in printed.out + printed.err
    assert "m.py" not in files(tmp_path)


def test_patches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patch = '[[patches]]\npointer = "/properties/days/type"\nold = "integer"\nnew = "string"\nreason = "so it is"\n'
    (tmp_path / "p.toml").write_text(patch, encoding="utf-8")
    assert call(capsys, "forecast.json", "-o", "m.py", "--patches", "p.toml")[0] == 0
    assert "days: StrictStr" in (tmp_path / "m.py").read_text(encoding="utf-8")
    (tmp_path / "p.toml").write_text(patch.replace("integer", "number"), encoding="utf-8")
    code, out = call(capsys, "forecast.json", "-o", "m.py", "--patches", "p.toml")
    assert code == 2
    assert "p.toml:1:3: error LS4022 patch-unfit" in out


def test_instances(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("forecast.json", "-o", "m.py", "--instances", "tests/examples")
    assert call(capsys, *words) == (0, "wrote m.py\nwrote tests/examples/document.json\n")
    data = json.loads((tmp_path / "tests/examples/document.json").read_text(encoding="utf-8"))
    assert data["document"] == "forecast.json"
    assert data["valid"] and data["invalid"]
    code, out = call(capsys, *words, "--check")
    assert (code, out) == (0, "")
    assert call(capsys, *words)[1].count("unchanged") == 2


def test_what_a_kind_cannot_say_is_counted_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = '{"type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}'
    schema += ', "additionalProperties": false}'
    (tmp_path / "n.json").write_text(schema, encoding="utf-8")
    words = ("n.json", "-o", "n.py", "--kind", "dataclass")
    assert call(capsys, *words) == (0, "1 note (-v)\nwrote n.py\n")
    assert call(capsys, *words) == (0, "unchanged: n.py (0.1.0)\n")
    code, out = call(capsys, *words, "-v", "--force")
    assert code == 0
    assert "n.json:1:70: note LS4030 schema-beyond-kind: n.json#/properties/a/pattern is not checked" in out


CONFIGURED = """\
[[models]]
schema = "forecast.json"
output = "a/exact.py"
[[models]]
schema = "forecast.json"
output = "easy.py"
profile = "ergonomic"
names = { Forecast = "Weather" }
append = ["Any2 = Weather | None"]
"""


def test_all_modules_of_the_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mcp-lockstep.toml").write_text(CONFIGURED, encoding="utf-8")
    code, out = call(capsys, "--check")
    assert (code, out.count("--- /dev/null")) == (1, 2)
    assert call(capsys) == (0, "wrote a/exact.py\nwrote easy.py\n")
    assert call(capsys, "--check")[0] == 0
    assert "class Weather(Struct):" in (tmp_path / "easy.py").read_text(encoding="utf-8")
    (tmp_path / "mcp-lockstep.toml").write_text(CONFIGURED.replace("Any2", "Other"), encoding="utf-8")
    code, out = call(capsys, "--check")
    assert code == 1
    assert "-Any2 = Weather | None\n+Other = Weather | None\n" in out
    assert "a/exact.py" not in out


def test_one_module_that_cannot_be_made_keeps_no_other_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CONFIGURED.replace('append = ["Any2 = Weather | None"]', "") + 'extra = { Wether = "allow" }\n'
    (tmp_path / "mcp-lockstep.toml").write_text(text, encoding="utf-8")
    code, out = call(capsys)
    assert code == 2
    assert "mcp-lockstep.toml:10:20: error LS4023 models-override-impossible" in out
    assert "did you mean Weather?" in out
    assert (tmp_path / "a/exact.py").is_file()


def test_without_a_configuration_there_is_nothing_to_make(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys) == (0, "no modules: `[[tool.mcp-lockstep.models]]` names none\n")


@pytest.mark.parametrize("words", [["forecast.json"], ["-o", "m.py"]])
def test_half_of_what_is_needed(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out = call(capsys, *words)
    assert (code, "models-half-asked" in out) == (2, True)
