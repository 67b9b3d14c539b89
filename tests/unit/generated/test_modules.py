"""Modules of models that a project keeps: missing, stale, edited, impossible; what `sync` makes of them."""

from __future__ import annotations

import json

import pytest

from mcp_lockstep.config import ModelJob
from mcp_lockstep.config.overrides import NO_OVERRIDES, Overrides
from mcp_lockstep.findings import Refused, exit_code
from mcp_lockstep.generated.modules import task, tasks
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.named import for_project
from mcp_lockstep.named.pins import pull
from mcp_lockstep.pipeline import emitted
from mcp_lockstep.pipeline.sync import PLAIN, Order, prepare
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

Files = dict[str, bytes]
OUT = "src/x/models.py"
SCHEMA = b'{"title": "Forecast", "type": "object", "properties": {"days": {"type": "integer"}}}'
PATCHES = {
    "patches": [{"pointer": "/properties/days/minimum", "new": 1, "reason": "no days are no forecast"}]
}


def config(*jobs: str) -> bytes:
    tables = "".join(f"[[tool.mcp-lockstep.models]]\n{job}\n" for job in jobs)
    return f'[project]\nname = "x"\nversion = "1"\n{tables}'.encode()


def job(schema: str = "forecast.json", output: str = OUT, more: str = "") -> str:
    return f"schema = {json.dumps(schema)}\noutput = {json.dumps(output)}\n{more}"


def project(*jobs: str) -> Files:
    return {"pyproject.toml": config(*jobs or (job(),)), "forecast.json": SCHEMA}


def told(files: Files) -> list[tuple[str, str]]:
    findings = judge_tree(Project(Tree(Memory(files)))).findings
    return sorted((finding.code.slug, str(finding.place)) for finding in findings)


def synced(files: Files, order: Order = PLAIN) -> Files:
    plan = prepare(Tree(Memory(files)), order).plan
    return {**files, **{change.path: change.after for change in plan.changes if change.after is not None}}


@pytest.fixture(scope="module")
def kept() -> Files:
    return synced(project())


def test_a_missing_module_is_told_and_made_once(kept: Files) -> None:
    assert told(project()) == [("generated-missing", OUT)]
    assert b"class Forecast(Struct):" in kept[OUT]
    assert told(kept) == []
    assert synced(kept) == kept


def test_nothing_is_made_for_what_is_current(kept: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise AssertionError("made")

    monkeypatch.setattr(emitted, "_module", fails)
    assert synced(kept) == kept


def test_another_schema_makes_it_stale_and_key_order_does_not(kept: Files) -> None:
    turned = json.dumps(dict(reversed(json.loads(SCHEMA).items())), indent=4).encode()
    assert told({**kept, "forecast.json": turned}) == []
    changed = {**kept, "forecast.json": SCHEMA.replace(b"integer", b"string")}
    assert told(changed) == [("generated-stale", OUT)]
    assert b"StrictStr" in synced(changed)[OUT]


def test_patches_count(kept: Files) -> None:
    files = {
        **kept,
        "pyproject.toml": config(job(more='patches = "p.json"')),
        "p.json": json.dumps(PATCHES).encode(),
    }
    assert told(files) == [("generated-stale", OUT)]
    after = synced(files)
    assert told(after) == []
    assert b"Field(ge=1)" in after[OUT]
    del files["p.json"]
    assert told(files) == [("file-missing", "pyproject.toml:tool.mcp-lockstep.models.0.patches")]


WRONG_PATCHES = [
    ('patches = [{pointer = "/title"', "not-toml", "p.toml"),
    ('[[patch]]\npointer = "/title"\n', "patch-malformed", "p.toml"),
    ('[[patches]]\npointer = "/title"\nnew = "T"\n', "patch-malformed", "p.toml:patches.0"),
    ('[[patches]]\npointer = "/a/b"\nnew = 1\nreason = "why"\n', "patch-unfit", "p.toml:patches.0"),
]


@pytest.mark.parametrize(("text", "slug", "place"), WRONG_PATCHES)
@pytest.mark.parametrize("made", [False, True])
def test_patches_that_cannot_be_carried_out_are_told_and_nothing_is_made(
    kept: Files, text: str, slug: str, place: str, made: bool
) -> None:
    changed = {"pyproject.toml": config(job(more='patches = "p.toml"')), "p.toml": text.encode()}
    files = {**(kept if made else project()), **changed}
    assert told(files) == [(slug, place)]
    done = prepare(Tree(Memory(files)))
    assert (done.plan.changes, [finding.code.slug for finding in done.left]) == ((), [slug])


def test_patches_are_carried_out_once_and_whatever_else_their_file_holds(kept: Files) -> None:
    patches = (
        'made = 2026-07-28\n[[patches]]\npointer = "/title"\nold = "Forecast"\nnew = "T"\nreason = "why"\n'
    )
    files = {
        **kept,
        "pyproject.toml": config(job(more='patches = "p.toml"')),
        "p.toml": patches.encode(),
    }
    assert told(files) == [("generated-stale", OUT)]
    after = synced(files)
    assert told(after) == [] and b"class T(Struct):" in after[OUT]
    # What was made of them is compared by its recipe alone.
    assert told({**after, OUT: after[OUT].replace(b"class T(", b"class U(")}) == [("generated-edited", OUT)]


def test_an_edited_module_is_left_and_forced(kept: Files) -> None:
    edited = {**kept, OUT: kept[OUT] + b"# mine\n"}
    assert told(edited) == [("generated-edited", OUT)]
    left = prepare(Tree(Memory(edited)))
    assert not left.plan.changes
    assert exit_code(left.left) == 3
    assert synced(edited, Order(force=frozenset({OUT}))) == kept


def test_a_file_of_somebody_else_is_left() -> None:
    files = {**project(), OUT: b"print()\n"}
    assert told(files) == [("generated-unsealed", OUT)]
    assert synced(files)[OUT] == b"print()\n"


@pytest.mark.parametrize(
    ("table", "slug", "key"),
    [
        (job("mcp@draft"), "schema-not-pulled", "schema"),
        (job("https://example.com/a.json"), "schema-not-pulled", "schema"),
        (job("nope.json"), "file-missing", "schema"),
        (job("../a.json"), "file-outside-project", "schema"),
        (job("sever"), "schema-not-bundled", "schema"),
        (job(more='kind = "typeddict"\nprofile = "ergonomic"'), "models-not-offered", "kind"),
    ],
)
def test_a_job_that_cannot_be_done(table: str, slug: str, key: str) -> None:
    place = f"pyproject.toml:tool.mcp-lockstep.models.0{'.' if key else ''}{key}"
    assert told(project(table)) == [(slug, place)]
    result = prepare(Tree(Memory(project(table))))
    assert not result.plan.changes
    assert exit_code(result.left) == 2


def test_two_jobs_for_one_file() -> None:
    found = told(project(job(), job("mcp")))
    assert ("config-wrong-value", "pyproject.toml:tool.mcp-lockstep.models.1.output") in found


def test_a_schema_that_no_models_can_be_made_of_stops_only_its_own_module() -> None:
    files = {**project(job(), job("bad.json", "src/x/bad.py")), "bad.json": b'{"$ref": "#/nope"}'}
    result = prepare(Tree(Memory(files)))
    assert OUT in {change.path for change in result.plan.changes}
    assert "schema-reference-broken" in {finding.code.slug for finding in result.left}


def test_pulling_the_published_document_makes_it_stale() -> None:
    files = {**project(job("acme@1")), **pull(Tree(Memory({})), "acme@1", "a.json", SCHEMA).files}
    kept = synced(files)
    assert told(kept) == []
    again = pull(Tree(Memory(kept)), "acme@1", "a.json", SCHEMA + b"\n").files
    assert told({**kept, **again}) == [("generated-stale", OUT)]


def test_a_generated_module_is_no_code_of_the_users(kept: Files) -> None:
    files = {**kept, "src/x/__init__.py": b""}
    assert Project(Tree(Memory(files))).modules == ("src/x/__init__.py",)


def test_recipes_differ_in_what_is_asked_for() -> None:
    files = {"a.json": SCHEMA, "b.json": SCHEMA, "p.json": json.dumps(PATCHES).encode()}
    reach = for_project(Tree(Memory(files)))
    jobs: tuple[ModelJob, ...] = (
        ModelJob("a.json", "o.py"),
        ModelJob("b.json", "o.py"),
        ModelJob("a.json", "o.py", patches="p.json"),
        ModelJob("mcp", "o.py"),
    )
    plain = jobs[0]
    jobs += (
        plain._replace(profile="ergonomic"),
        plain._replace(target_python="3.10"),
        plain._replace(target_pydantic="2.12"),
    )
    assert len({task(job, reach).recipe for job in jobs}) == 7
    assert task(plain, reach).recipe == task(plain._replace(output="other.py"), reach).recipe
    with pytest.raises(Refused, match="TypedDict"):
        task(plain._replace(kind="typeddict", profile="ergonomic"), reach)


@pytest.mark.parametrize(
    ("style", "line"),
    [
        ('profile = "ergonomic"', "days: JsonInt | None = None"),
        ('kind = "dataclass"', "days: int | None = None"),
        ('kind = "typeddict"', "days: NotRequired[int]"),
        ('kind = "typeddict"\ntarget-python = "3.10"', "class Forecast(TypedDict, total=False):"),
        ('target-pydantic = "2.12"', "# runs on: pydantic 2.12"),
    ],
)
def test_the_style_of_a_job(kept: Files, style: str, line: str) -> None:
    files = {**kept, "pyproject.toml": config(job(more=style))}
    assert told(files) == [("generated-stale", OUT)]
    made = synced(files)
    assert line in made[OUT].decode()
    assert told(made) == []


def test_a_kind_that_cannot_be_made_is_told_where_it_fails() -> None:
    files = project(job(more='kind = "msgspec"'))
    result = prepare(Tree(Memory(files)))
    assert OUT not in {change.path for change in result.plan.changes}
    assert ("msgspec-cannot-decode", "forecast.json#") in {(f.code.slug, str(f.place)) for f in result.left}
    assert exit_code(result.left) == 2


OVERRIDDEN = """\
[[models]]
schema = "a.json"
output = "o.py"
base-class = "Base"
extra = { Note = "closed" }
types = { date = "datetime" }
names = { Note = "class" }
append = ["A = Note", "import os"]
"""


def test_overrides_that_are_misspelt_have_their_place() -> None:
    opened = Project(Tree(Memory({"a.json": SCHEMA, "mcp-lockstep.toml": OVERRIDDEN.encode()})))
    (refused,) = tasks(opened)
    assert isinstance(refused, Refused)
    assert [(str(f.place), f.position.line, f.code.slug) for f in refused.findings] == [
        ("mcp-lockstep.toml:models.0.base-class", 4, "models-override-impossible"),
        ("mcp-lockstep.toml:models.0.extra.Note", 5, "models-override-impossible"),
        ("mcp-lockstep.toml:models.0.types.date", 6, "models-override-impossible"),
        ("mcp-lockstep.toml:models.0.names.Note", 7, "models-override-impossible"),
        ("mcp-lockstep.toml:models.0.append.1", 8, "models-override-impossible"),
    ]
    assert refused.findings[4].position.column == 23


def test_overrides_belong_to_the_recipe() -> None:
    files = {"a.json": SCHEMA, "more.py": b"X = 1\r\n", "other.py": b"X = 1\n", "third.py": b"X = 2\n"}
    reach = for_project(Tree(Memory(files)))
    overrides = (
        NO_OVERRIDES,
        Overrides("a.B"),
        Overrides(extra={"*": "allow"}),
        Overrides(types={"date": "a.B"}),
        Overrides(names={"date": "a.B"}),
        Overrides(append=("A = B",)),
        Overrides(append_file="more.py"),
        Overrides(append_file="third.py"),
    )
    recipes = [task(ModelJob("a.json", "o.py", overrides=found), reach).recipe for found in overrides]
    assert len({*recipes}) == len(recipes)
    assert (
        task(ModelJob("a.json", "o.py", overrides=Overrides(append_file="other.py")), reach).recipe
        == recipes[6]
    )
    with pytest.raises(Refused, match=r"the file to append nope\.py is not there"):
        task(ModelJob("a.json", "o.py", overrides=Overrides(append_file="nope.py")), reach)


def test_overrides_that_the_schema_does_not_allow_have_their_place_too() -> None:
    files = project(job(more='names = { Forcast = "Weather" }'))
    (finding,) = [f for f in prepare(Tree(Memory(files)), PLAIN).left if "override" in f.code.slug]
    assert str(finding.place) == "pyproject.toml:tool.mcp-lockstep.models.0.names.Forcast"
    assert (finding.position.line, finding.hint) == (7, "did you mean Forecast?")
    done = synced(project(job(more='names = { Forecast = "Weather" }')))
    assert b"class Weather(Struct):" in done[OUT]
    assert told(done) == []
