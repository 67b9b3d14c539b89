"""Every rule planted in every sample project where it applies: one finding, at that place; and none before."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from mcp_lockstep.cli import run
from mcp_lockstep.findings import Finding
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.pipeline.sync import prepare
from mcp_lockstep.project import Project
from mcp_lockstep.rules.manifest import JsonObject
from mcp_lockstep.tree import Memory, Tree
from planted import PLANTS, Plant, located, planted
from tally import TALLY

PROJECTS = sorted((Path(__file__).resolve().parents[2] / "fixtures/projects").glob("*/project"))
MADE_LATER = ("hatch-vcs-stamped", "pdm-scm", "placeholder-stamped", "poetry-dynamic")
"""Projects whose version is made by a build or a release."""

Files = dict[str, bytes]


class Base(NamedTuple):
    """A sample project with a server.json, and what is said of it before anything is planted."""

    files: Files
    data: JsonObject
    said: frozenset[tuple[str, str]]
    unfit: frozenset[str] = frozenset()
    """Rules that say nothing here: a version that a build or a release makes is compared with nothing."""


def judged(files: Files) -> tuple[Finding, ...]:
    return judge_tree(Project(Tree(Memory(files)))).findings


def key(finding: Finding) -> tuple[str, str]:
    return finding.code.slug, str(finding.place)


def bases(source: Path, folder: Path) -> list[Base]:
    """The project, adopted where it has no server.json; each server of a monorepo is one."""
    shutil.copytree(source, folder)
    (folder / ".git").mkdir()
    if (config := folder / "git-config").exists():
        config.rename(folder / ".git/config")
    if not (folder / "server.json").exists():
        run(["adopt", "--yes", str(folder)])
    found: list[Base] = []
    for manifest in sorted(folder.rglob("server.json")):
        root = manifest.parent
        files = {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}
        data = json.loads(files["server.json"])
        files["server.json"] = located(data)[0].encode()
        made = b"{{VERSION}}" in files["server.json"] or source.parent.name in MADE_LATER
        unfit = frozenset({"version-drift", "local-version"}) if made else frozenset[str]()
        found.append(Base(files, data, frozenset(map(key, judged(files))), unfit))
    return found


@pytest.fixture(scope="module", params=PROJECTS, ids=[path.parent.name for path in PROJECTS])
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Base]:
    made = bases(request.param, tmp_path_factory.mktemp("planted") / "project")
    if not made:
        pytest.skip("nobody can know the name of its server")
    return made


def wrong(base: Base, plant: Plant) -> str:
    """What is not as it should be; empty where one new finding stands where the fault was planted."""
    made = planted(base.data, plant)
    if made is None:
        return ""
    place = f"server.json#{made.pointer}"
    if plant.slug in base.unfit or any(place == said for _, said in base.said):
        return ""
    found = judged({**base.files, "server.json": made.text.encode()})
    new = [f for f in found if key(f) not in base.said and f.code.slug != plant.along]
    TALLY[f"planted: {plant.severity}s"] += 1
    TALLY["planted: other errors that were found"] += sum(
        f.severity == "error" and str(f.place) != place for f in new
    )
    if len(new) == 1:
        (finding,) = new
        at_place = (str(finding.place), *finding.position[:2]) == (place, *made.where)
        # A value that drifts at the same time is told once, as the worse of the two.
        same = finding.code.slug == plant.slug and finding.severity == plant.severity
        if at_place and (same or (finding.fixable and finding.severity == "error")):
            TALLY[f"planted: {plant.severity}s found once, at the place"] += 1
            return ""
    told = [f"{f.severity} {f.code.slug} {f.place}:{f.position.line}:{f.position.column}" for f in new]
    return f"{plant.slug} at {place}:{made.where[0]}:{made.where[1]} gives {told}"


@pytest.mark.parametrize("plant", PLANTS, ids=[f"{plant.slug}-{plant.into or 'file'}" for plant in PLANTS])
def test_one_finding_at_the_place(plant: Plant, case: list[Base]) -> None:
    assert [text for base in case if (text := wrong(base, plant))] == []


@pytest.mark.parametrize("plant", PLANTS, ids=[f"{plant.slug}-{plant.into or 'file'}" for plant in PLANTS])
def test_what_is_said_to_be_mended_is_mended(plant: Plant, case: list[Base]) -> None:
    for base in case:
        made = planted(base.data, plant)
        files = {**base.files, "server.json": made.text.encode()} if made else {}
        if any(finding.fixable for finding in judged(files)):
            after = {
                c.path: c.after for c in prepare(Tree(Memory(files))).plan.changes if c.after is not None
            }
            assert [key(finding) for finding in judged({**files, **after}) if finding.fixable] == []


def test_only_what_is_listed_is_found_before(case: list[Base], request: pytest.FixtureRequest) -> None:
    name = next(path.parent.name for path in PROJECTS if path.parent.name in request.node.name)
    listed = {*_listed(name, "found.txt"), *_listed(name, "left.txt")}
    assert all(said <= listed for said in ({slug for slug, _ in base.said} for base in case))


def _listed(name: str, file: str) -> list[str]:
    path = PROJECTS[0].parents[1] / name / file
    return (
        [line.split()[2] for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    )
