"""The `run:` steps of an action or a workflow, run by bash one after the other, as a runner does it.

Expressions are looked up as they are written. Of the `uses:` steps, a checkout and the exchange of artifacts are
played; the others are left out, and `if:` is the caller's to judge.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, cast

import yaml

Yaml = dict[str, object]
_ON = cast("str", True)
"""What YAML 1.1 makes of the key `on`."""
_EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


class Step(NamedTuple):
    """One step: either `run` or `uses`, the latter with what it is given."""

    name: str
    id: str
    run: str
    env: Mapping[str, str]
    folder: str
    shell: str
    condition: str
    uses: str
    given: Mapping[str, str]


class Job(NamedTuple):
    """One job of a workflow, or of the workflow that it calls: its steps, and what the inputs are without a caller."""

    name: str
    steps: tuple[Step, ...]
    defaults: Mapping[str, str]


def load(path: Path) -> Yaml:
    """A YAML file that holds a mapping."""
    return cast("Yaml", yaml.safe_load(path.read_text(encoding="utf-8")))


def jobs(path: Path) -> Iterator[Job]:
    """The jobs of a workflow, those of the local workflows that it calls in their places."""
    data = load(path)
    defaults = {f"inputs.{name}": str(item["default"]) for name, item in inputs_of(data).items()}
    for name, job in cast("dict[str, Yaml]", data["jobs"]).items():
        if "uses" in job:
            yield from jobs(path.parents[2] / str(job["uses"]))
        else:
            yield Job(name, steps_of(job), defaults)


def inputs_of(workflow: Yaml) -> Mapping[str, Yaml]:
    """The inputs of a workflow that is called; none of one that is not."""
    called = cast("Yaml", cast("Yaml", workflow[_ON]).get("workflow_call", {}))
    return cast("dict[str, Yaml]", called.get("inputs", {}))


def steps_of(holder: object) -> tuple[Step, ...]:
    """The steps of a job, or of the `runs` of an action."""
    found = cast("list[Yaml]", cast("Yaml", holder)["steps"])
    return tuple(
        Step(
            str(step.get("name", "")),
            str(step.get("id", "")),
            str(step.get("run", "")),
            {key: str(value) for key, value in cast("Yaml", step.get("env", {})).items()},
            str(step.get("working-directory", "")),
            str(step.get("shell", "")),
            str(step.get("if", "")),
            str(step.get("uses", "")),
            {key: str(value) for key, value in cast("Yaml", step.get("with", {})).items()},
        )
        for step in found
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
    """A machine that runs steps in the folder `work`; `values` are what expressions stand for.

    `repository` is what a checkout gets.
    """

    def __init__(self, work: Path, temp: Path, values: Mapping[str, str], env: Mapping[str, str]) -> None:
        self.work, self.temp = work, temp
        self.repository = work
        self.artifacts: dict[str, Path] = {}
        self.values = {**values, "runner.temp": str(temp)}
        self.paths: list[str] = []
        self._files = {name: temp / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        self.env = {**os.environ, **env, "RUNNER_TEMP": str(temp)}
        for name, path in self._files.items():
            path.touch()
            self.env[name] = str(path)

    @property
    def summary(self) -> str:
        """What was written to the summary of the job."""
        return self._files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")

    def run(self, step: Step) -> subprocess.CompletedProcess[str]:
        """Run one step by the bash that a runner calls; its outputs are there for the next."""
        env = {**self.env, **{key: self.filled(value) for key, value in step.env.items()}}
        env["PATH"] = os.pathsep.join([*reversed(self.paths), env["PATH"]])
        # A step that names its shell gets it with `pipefail`.
        options = ("--noprofile", "--norc", "-eo", "pipefail") if step.shell == "bash" else ("-e",)
        done = subprocess.run(
            ["bash", *options, "-c", step.run],
            cwd=self.work / self.filled(step.folder),
            env=env,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )
        self._take_over(step)
        return done

    def run_job(self, job: Job) -> str:
        """Run a job in an empty folder of its own; what it prints. Fails with what a failing step said."""
        self.work = self.temp / "jobs" / job.name
        self.work.mkdir(parents=True)
        self.values = {**job.defaults, **self.values}
        said = ""
        for step in job.steps:
            given = {key: self.filled(value) for key, value in step.given.items()}
            if step.run:
                said += self.run_all((step,))
            elif "/checkout@" in step.uses:
                shutil.copytree(self.repository, self.work, dirs_exist_ok=True)
            elif "/upload-artifact@" in step.uses:
                assert given["name"] not in self.artifacts
                self.artifacts[given["name"]] = self.work / given["path"]
            elif "/download-artifact@" in step.uses:
                shutil.copytree(self.artifacts[given["name"]], self.work / given["path"], dirs_exist_ok=True)
        return said

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
