"""Modules of models to keep: what each is made of, told without making it, and whether the file there is of that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from mcp_lockstep.config import CONFIG_WRONG_VALUE, ModelJob
from mcp_lockstep.config.overrides import NO_OVERRIDES, Overrides, OverrideTrouble, misspelt
from mcp_lockstep.contract.model import canonical
from mcp_lockstep.documents import Document, JsonDocument, PythonDocument, TomlDocument
from mcp_lockstep.documents.codes import FILE_MISSING
from mcp_lockstep.documents.data import table
from mcp_lockstep.documents.pointer import escape_part
from mcp_lockstep.findings import Code, Finding, Place, Position, Refused
from mcp_lockstep.generated.patches import PATCH_MALFORMED, patched, read_patches
from mcp_lockstep.generated.recipe import foreign, read_seal, recipe
from mcp_lockstep.generated.sealed import Expected, judge_seals
from mcp_lockstep.named import Named, Reach, for_project, resolve
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple

MODELS_NOT_OFFERED = Code(
    "LS4020",
    "models-not-offered",
    "error",
    "Models of that kind and profile are not made.",
    "The message says why. Pydantic models of the profile `exact` are always made: they accept what the schema accepts "
    "and nothing else, and give it back unchanged.",
    exit=2,
)
OVERRIDE_IMPOSSIBLE = Code(
    "LS4023",
    "models-override-impossible",
    "error",
    "Something that the configuration asks of a module of models cannot be done.",
    "The message names the key, what stands there and what is wanted. The schema decides which classes and fields "
    "there are; `mcp-lockstep models` without these keys shows them.",
    exit=2,
)
MODELS_HALF_ASKED = Code(
    "LS4024",
    "models-half-asked",
    "error",
    "`models` was given a schema without a file to write, or a file without a schema.",
    "`mcp-lockstep models SCHEMA -o FILE` makes one module; `mcp-lockstep models` makes all that the configuration "
    "names.",
    exit=2,
)
CODES = (MODELS_NOT_OFFERED, OVERRIDE_IMPOSSIBLE, MODELS_HALF_ASKED)


class Task(NamedTuple):
    """One module to keep, everything it is made of, and the recipe that its seal must carry."""

    job: ModelJob
    schema: Named
    patches: Document | None
    recipe: str
    shares: Task | None = None
    where: Callable[[str], tuple[Place, Position]] = lambda pointer: (Place("", "", pointer), Position())

    def impossible(self, trouble: OverrideTrouble) -> Finding:
        """The finding about an override, at its key in the configuration."""
        place, position = self.where("".join(f"/{escape_part(part)}" for part in trouble.key))
        have, want = trouble.have or None, trouble.want or None
        hint = trouble.hint or OVERRIDE_IMPOSSIBLE.explain
        return Finding(OVERRIDE_IMPOSSIBLE, place, trouble.message, position, have=have, want=want, hint=hint)


def task(job: ModelJob, reach: Reach) -> Task:
    """What `job` asks for. Refused for what is not there, is not offered, or cannot be overridden."""
    reason = job.style.why_not()
    if reason:
        hint = MODELS_NOT_OFFERED.explain
        raise Refused(Finding(MODELS_NOT_OFFERED, Place(job.output), reason, have=job.kind, hint=hint))
    schema = resolve(job.schema, reach)
    patches = _patches(job.patches, reach)
    job = job._replace(overrides=_with_text(job.overrides, reach))
    profile, kind, *targets = job.style.inputs
    changes = "" if patches is None else canonical(table(patches.data).get("patches"))
    parts = (schema.key, profile, kind, changes, *targets, *job.overrides.inputs)
    return Task(job, schema, patches, recipe("models", *parts))


def current(raw: bytes | None, wanted: str) -> bool:
    """Whether the bytes at the place of a generated file are ours, as written, and of the recipe `wanted`."""
    seal = read_seal(raw) if raw is not None else None
    return seal is not None and seal.intact and seal.recipe == wanted


def due(wanted: Task, raw: bytes | None) -> bool:
    """Whether the module is to be made: nothing is there, or one of ours that nobody edited, of another recipe."""
    return raw is None or (not current(raw, wanted.recipe) and foreign(wanted.job.output, raw) is None)


def tasks(project: Project) -> Iterator[Task | Refused]:
    """The configured jobs in order; for one that cannot be done, why, with its place in the configuration."""
    seen: set[str] = set()
    made: dict[str, Task] = {}
    reach = for_project(project.tree)
    for index, job in enumerate(project.config.models):
        if not job.schema or not job.output:
            # Told where the configuration is read.
            continue
        if job.output in seen:
            yield _twice(project, index, job.output)
            continue
        seen.add(job.output)
        try:
            found = task(job, reach)._replace(where=partial(_at, project, index))
        except Refused as refused:
            yield Refused(*(_placed(project, index, job, finding) for finding in refused.findings))
            continue
        wrong = [*map(found.impossible, misspelt(job.overrides)), *_unshared(found, made)]
        if not wrong:
            found = made[job.output] = _with_shared(found, made.get(job.shares))
        yield Refused(*wrong) if wrong else found


def _with_shared(found: Task, other: Task | None) -> Task:
    """`found` with the module that has some of its definitions: what that is made of counts here too."""
    if other is None:
        return found
    return found._replace(shares=other, recipe=recipe("shares", found.recipe, other.recipe, other.job.output))


def _unshared(found: Task, made: Mapping[str, Task]) -> Iterator[Finding]:
    """Why `found` cannot import from the module that it names."""
    job = found.job
    if not job.shares:
        return
    other, (place, where) = made.get(job.shares), found.where("/shares")
    want = "the output of a table above it, in the same package"
    if other is None or relative_import(job.output, job.shares) == "":
        message = f"`shares` names {job.shares}, from which {job.output} cannot import"
    elif {job.kind, other.job.kind} != {"pydantic"} or job.style != other.job.style:
        message, want = (
            f"{job.output} and {job.shares} are not of one style",
            "pydantic models of one profile",
        )
    elif NO_OVERRIDES not in (job.overrides, other.job.overrides) or job.overrides != other.job.overrides:
        message, want = (
            f"{job.output} and {job.shares} have overrides of their own",
            "none in modules that share",
        )
    else:
        return
    yield Finding(CONFIG_WRONG_VALUE, place, message, where, have=job.shares, want=want)


def relative_import(path: str, target: str) -> str:
    """How the module at `path` names the one at `target` in an import; empty where no package holds both."""
    own, other = path.split("/")[:-1], target.removesuffix(".py").split("/")
    common = 0
    while common < min(len(own), len(other) - 1) and own[common] == other[common]:
        common += 1
    below = other[common:]
    if not target.endswith(".py") or (own and not common) or not all(part.isidentifier() for part in below):
        return ""
    return "." * (len(own) - common + 1) + ".".join(below)


def _at(project: Project, index: int, pointer: str) -> tuple[Place, Position]:
    return project.configured(f"/models/{index}{pointer}")


def judge_jobs(project: Project) -> Iterator[Finding]:
    """What is wrong with the configured modules of models: not to be made, missing, stale, edited, not ours."""
    for found in tasks(project):
        if isinstance(found, Refused):
            yield from found.findings
        else:
            expected = Expected(found.job.output, found.recipe)
            stale = due(found, project.raw(found.job.output))
            yield from (stale and _unfit(found)) or judge_seals(project, (expected,), found.schema.label)


def _unfit(found: Task) -> tuple[Finding, ...]:
    """Why the patches cannot be carried out; those of a module that was made from them were."""
    try:
        if found.patches is not None:
            patched(found.schema.data(), found.patches)
    except Refused as refused:
        return refused.findings
    return ()


def _with_text(overrides: Overrides, reach: Reach) -> Overrides:
    """`overrides` with the text of the file to append. Refused where it is not there."""
    if not overrides.append_file:
        return overrides
    raw = reach.file(overrides.append_file)
    if raw is None:
        message = f"the file to append {overrides.append_file} is not there"
        raise Refused(Finding(FILE_MISSING, Place(overrides.append_file), message, hint="name a Python file"))
    return overrides._replace(
        appended=PythonDocument(overrides.append_file, raw).source.replace("\r\n", "\n")
    )


def _patches(path: str, reach: Reach) -> Document | None:
    if not path:
        return None
    raw = reach.file(path)
    if raw is None:
        message = f"the file of patches {path} is not there"
        raise Refused(Finding(FILE_MISSING, Place(path), message, hint="name a JSON or TOML file"))
    document = TomlDocument(path, raw) if path.lower().endswith(".toml") else JsonDocument(path, raw)
    read_patches(document)
    return document


def _placed(project: Project, index: int, job: ModelJob, finding: Finding) -> Finding:
    """A finding about the text of the job itself stands in the configuration; one about what a file holds, there."""
    named = (("schema", job.schema), ("patches", job.patches), ("append", job.overrides.append_file))
    for key, text in named:
        if (finding.place, finding.position) == (
            Place(text),
            Position(),
        ) and finding.code is not PATCH_MALFORMED:
            place, where = project.configured(f"/models/{index}/{key}")
            return finding._replace(place=place, position=where)
    if finding.code is MODELS_NOT_OFFERED:
        place, where = project.configured(f"/models/{index}/kind")
        return finding._replace(place=place, position=where)
    return finding


def _twice(project: Project, index: int, output: str) -> Refused:
    place, where = project.configured(f"/models/{index}/output")
    message = f"two tables of `models` write {output}"
    return Refused(Finding(CONFIG_WRONG_VALUE, place, message, where, have=output, want="a file of its own"))
