"""Our steps around the commands of setuptools, on made ones: what runs when, what is written, whose class is kept."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast

import pytest

from mcp_lockstep.hooks import commands
from mcp_lockstep.hooks.built import Built, Kind, Verdict
from mcp_lockstep.hooks.commands import Command, extend

VERDICT = Verdict((), False, b"{}", ("contract.json", "schemas/a.json"))
LOG: list[object] = []


class Made:
    """A command of a project's own."""

    def __init__(self, distribution: Distribution) -> None:
        self.distribution = distribution

    def run(self) -> None:
        LOG.append("run")

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        os.makedirs(base_dir, exist_ok=True)
        LOG.append(("tree", tuple(files)))

    def egg2dist(self, egginfo_path: str, distinfo_path: str) -> None:
        os.makedirs(distinfo_path)
        LOG.append("dist-info")


class Distribution:
    """One of setuptools, as far as it is used; it has the commands of `classes`."""

    def __init__(self, **classes: type[Made]) -> None:
        self.cmdclass: dict[str, type[Made]] = {}
        self.metadata = self
        self._classes = classes

    def get_command_class(self, command: str) -> type[Made]:
        return self.cmdclass[command] if command in self.cmdclass else self._classes[command]

    def get_version(self) -> str:
        return "1.2.0"

    def get_long_description(self) -> str:
        return "# Weather\n"

    def command(self, name: str) -> Command:
        """An instance of the class that runs the command now."""
        return cast("Command", self.get_command_class(name)(self))


def extended(**classes: type[Made]) -> Distribution:
    distribution = Distribution(**classes)
    extend(cast("commands.Distribution", distribution))
    return distribution


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder in which every build is told nothing."""
    LOG.clear()
    monkeypatch.chdir(tmp_path)
    _deciding(monkeypatch, VERDICT)
    monkeypatch.setattr(
        commands, "rendered", lambda root, built: b"{}" if (root, built.kind) == (".", "wheel") else b""
    )
    for path in VERDICT.inputs:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(path, encoding="utf-8")
    return tmp_path


def _deciding(monkeypatch: pytest.MonkeyPatch, verdict: Verdict | None) -> None:
    def decide(root: str, built: Built) -> Verdict | None:
        LOG.append((root, built))
        if verdict is not None and verdict.refused:
            raise SystemExit("refused")
        return verdict

    monkeypatch.setattr(commands, "decide", decide)


@pytest.mark.parametrize(
    ("name", "kind"), [("sdist", "sdist"), ("bdist_wheel", "wheel"), ("editable_wheel", "editable")]
)
def test_a_command_is_judged_before_it_runs(name: str, kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    distribution = extended(**{name: Made})
    distribution.command(name).run()
    assert [(".", Built(kind, "1.2.0", "# Weather\n")), "run"] == LOG
    LOG.clear()
    _deciding(monkeypatch, VERDICT._replace(refused=True))
    with pytest.raises(SystemExit):
        distribution.command(name).run()
    assert "run" not in LOG


def test_the_class_of_a_project_is_kept_as_base() -> None:
    class Own(Made):
        def extra(self) -> str:
            return "own"

    distribution = extended(sdist=Own)
    assert isinstance(distribution.command("sdist"), Own)
    assert list(distribution.cmdclass) == ["sdist"], "what setuptools does not have is left alone"


def test_a_second_time_changes_nothing() -> None:
    """finalize is called again for distributions that setuptools makes on the way."""
    distribution = extended(sdist=Made, bdist_wheel=Made)
    before = dict(distribution.cmdclass)
    extend(cast("commands.Distribution", distribution))
    assert distribution.cmdclass == before
    distribution.command("sdist").run()
    assert len(LOG) == 2


def test_an_sdist_gets_server_json_and_what_it_lacks(here: Path) -> None:
    command = extended(sdist=Made).command("sdist")
    command.run()
    (here / "tree").mkdir()
    (here / "tree/contract.json").write_text("packed already", encoding="utf-8")
    os.link(here / "schemas/a.json", here / "tree/server.json")
    command.make_release_tree("tree", ["a.py"])
    assert LOG[-1] == ("tree", ("a.py",))
    found = {path.relative_to(here / "tree").as_posix() for path in (here / "tree").rglob("*.json")}
    assert found == {"contract.json", "schemas/a.json", "server.json"}
    assert (here / "tree/server.json").read_bytes() == b"{}"
    assert (here / "tree/contract.json").read_text(encoding="utf-8") == "packed already"
    assert (here / "schemas/a.json").read_text(encoding="utf-8") == "schemas/a.json", (
        "the link was not followed"
    )


@pytest.mark.parametrize("verdict", [None, VERDICT._replace(manifest=None)])
def test_nothing_is_added_where_there_is_nothing_to_put_in(
    verdict: Verdict | None, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _deciding(monkeypatch, verdict)
    command = extended(sdist=Made).command("sdist")
    command.run()
    command.make_release_tree("tree", [])
    assert [*(here / "tree").iterdir()] == []


def test_a_tree_that_is_made_without_a_run_is_left_alone(here: Path) -> None:
    """Some programs make the tree alone."""
    extended(sdist=Made).command("sdist").make_release_tree("tree", [])
    assert [*(here / "tree").iterdir()] == []


def test_the_metadata_of_a_wheel_gets_server_json(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where only the metadata is asked for: it has to be that of the wheel."""
    command = extended(bdist_wheel=Made).command("bdist_wheel")
    command.egg2dist("weather.egg-info", "weather.dist-info")
    assert (here / "weather.dist-info/mcp/server.json").read_bytes() == b"{}"
    monkeypatch.setattr(commands, "rendered", lambda root, built: None)
    command.egg2dist("weather.egg-info", "other.dist-info")
    assert [*(here / "other.dist-info").iterdir()] == []
