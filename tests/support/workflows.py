"""The `run:` steps of an action or a workflow, run by bash one after the other, as a runner does it.

Expressions are looked up as they are written; `uses:` steps are left out, and `if:` is the caller's to judge.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, cast

import yaml

Yaml = dict[str, object]
_EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


class Step(NamedTuple):
    """One `run:` step."""

    name: str
    id: str
    run: str
    env: Mapping[str, str]
    folder: str
    condition: str


def load(path: Path) -> Yaml:
    """A YAML file that holds a mapping."""
    return cast("Yaml", yaml.safe_load(path.read_text(encoding="utf-8")))


def steps_of(holder: object) -> tuple[Step, ...]:
    """The `run:` steps of a job, or of the `runs` of an action."""
    found = cast("list[Yaml]", cast("Yaml", holder)["steps"])
    return tuple(
        Step(
            str(step.get("name", "")),
            str(step.get("id", "")),
            str(step["run"]),
            {key: str(value) for key, value in cast("Yaml", step.get("env", {})).items()},
            str(step.get("working-directory", "")),
            str(step.get("if", "")),
        )
        for step in found
        if "run" in step
    )


def texts(value: object) -> Iterator[str]:
    """Every text in a parsed YAML file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in cast("Yaml", value).values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from texts(item)


class Runner:
    """A machine that runs steps in the folder `work`; `values` are what expressions stand for."""

    def __init__(self, work: Path, temp: Path, values: Mapping[str, str], env: Mapping[str, str]) -> None:
        self.work, self.temp = work, temp
        self.values = {**values, "runner.temp": str(temp)}
        self.paths: list[str] = []
        self._files = {name: temp / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        self._env = {**os.environ, **env, "RUNNER_TEMP": str(temp)}
        for name, path in self._files.items():
            path.touch()
            self._env[name] = str(path)

    @property
    def summary(self) -> str:
        """What was written to the summary of the job."""
        return self._files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")

    def run(self, step: Step) -> subprocess.CompletedProcess[str]:
        """Run one step by the bash that a runner calls; its outputs are there for the next."""
        env = {**self._env, **{key: self.filled(value) for key, value in step.env.items()}}
        env["PATH"] = os.pathsep.join([*reversed(self.paths), env["PATH"]])
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.run],
            cwd=self.work / self.filled(step.folder),
            env=env,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )
        self._take_over(step)
        return done

    def run_all(self, steps: Iterable[Step]) -> str:
        """Run steps until one fails; what they print. Fails with what that one said."""
        said = ""
        for step in steps:
            done = self.run(step)
            said += done.stdout
            assert done.returncode == 0, f"{step.name}:\n{done.stdout}{done.stderr}"
        return said

    def filled(self, text: str) -> str:
        """`text` with every expression looked up. KeyError for one that nobody knows."""
        return _EXPRESSION.sub(lambda found: self.values[found[1]], text)

    def _take_over(self, step: Step) -> None:
        for line in self._files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition("=")
            self.values[f"steps.{step.id}.outputs.{name}"] = value
        self.paths += self._files["GITHUB_PATH"].read_text(encoding="utf-8").splitlines()
        for name in ("GITHUB_OUTPUT", "GITHUB_PATH"):
            self._files[name].write_text("", encoding="utf-8")
