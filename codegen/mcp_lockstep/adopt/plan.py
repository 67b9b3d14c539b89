"""From what is known of a project to the plan of its adoption; nothing is planned while something is missing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from mcp_lockstep.adopt import manifest
from mcp_lockstep.adopt.codes import (
    ADDRESS_UNKNOWN,
    DESCRIPTION_UNKNOWN,
    NAME_UNKNOWN,
    NAMED_ALREADY,
    NOTHING_TO_ADOPT,
    PACKAGE_UNKNOWN,
    VERSION_UNKNOWN,
)
from mcp_lockstep.adopt.edits import configured, inserted
from mcp_lockstep.adopt.hook import with_cache_keys, with_hook
from mcp_lockstep.adopt.known import Hint, Known, read_known
from mcp_lockstep.adopt.repository import Checkout
from mcp_lockstep.code.observe import observe
from mcp_lockstep.config import OWN_FILE, PYPROJECT
from mcp_lockstep.documents.data import JsonObject, table, text_of
from mcp_lockstep.facts.codes import DISAGREE
from mcp_lockstep.facts.marker import judge_marker
from mcp_lockstep.facts.read import read_facts
from mcp_lockstep.findings import Code, Finding, Place
from mcp_lockstep.judge import judge_tree, wanted
from mcp_lockstep.launch.package import packages_of, remotes_of
from mcp_lockstep.lock import LOCK, Lock, read_lock, render_lock
from mcp_lockstep.parts import judge_startup
from mcp_lockstep.plan import Change, Plan, changes
from mcp_lockstep.project import MANIFEST, Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Tree

_MISSING: Mapping[str, tuple[Code, str]] = {
    "name": (NAME_UNKNOWN, "the name of the server in the registry is not known"),
    "description": (DESCRIPTION_UNKNOWN, "no description of the server is known"),
    "version": (VERSION_UNKNOWN, "the version of the server is not known"),
    "packages": (PACKAGE_UNKNOWN, "what clients install or connect to is not known"),
    "url": (ADDRESS_UNKNOWN, "the server listens for HTTP, at an address that is not known"),
}
_BUILDS = (PYPROJECT, "setup.cfg", "setup.py", "Dockerfile", "Containerfile")


class Given(NamedTuple):
    """What the user gave: the hook, and (empty: what the project says) name, description and address of the server.

    `taken` are the names of servers beside it.
    """

    name: str = ""
    description: str = ""
    hook: bool = False
    url: str = ""
    taken: frozenset[str] = frozenset()


class Adoption(NamedTuple):
    """What an adoption writes, what it goes by, what keeps it from being written at all, and the server's name."""

    plan: Plan = Plan()
    grounds: tuple[Hint, ...] = ()
    missing: tuple[Finding, ...] = ()
    name: str = ""


def adopt(tree: Tree, checkout: Checkout, given: Given) -> Adoption:
    """The plan for the project in `tree`, which lies in `checkout`."""
    project = Project(tree)
    known = read_known(project, checkout)
    unusable = tuple(f for f in project.broken if f.severity == "error" and f.code.exit == 2)
    if unusable:
        return Adoption(missing=tuple(dict.fromkeys(unusable)))
    if project.manifest is None and not known.distribution.name and not _builds_something(project):
        return Adoption(missing=(_nothing(),))
    name = given.name or next((hint.value for hint in known.names), "")
    if name in given.taken and known.spare is not None:
        name = known.spare.value
    data, raw = _manifest(project, known, name, given)
    lacking = tuple(_missing(project, known, data, given.name))
    if lacking:
        return Adoption(missing=lacking)
    keys = {"name": text_of(data.get("name")), "version": known.mode}
    files: dict[str, bytes | None] = {MANIFEST: raw, **configured(project, keys)}
    hook = _hooked(project, files) if given.hook else None
    if isinstance(hook, bytes):
        files[PYPROJECT] = hook
    keyed = with_cache_keys(Project(tree.over(files)))
    if keyed is not None:
        files[PYPROJECT] = keyed
    planned, left = _written(tree, files)
    hooked = (hook,) if isinstance(hook, Finding) else ()
    plan = Plan(planned, (*hooked, *left))
    packages = _made_packages(known, given) if project.manifest is None else _stated_packages(data)
    grounds = (*_grounds(known, data, given), *packages)
    return Adoption(plan, grounds, name=text_of(data.get("name")))


def _hooked(project: Project, files: Mapping[str, bytes | None]) -> bytes | Finding:
    """pyproject.toml with the build hook, over what is written anyway."""
    home = OWN_FILE if OWN_FILE in files else PYPROJECT
    return with_hook(files.get(PYPROJECT) or project.raw(PYPROJECT), home)


def _builds_something(project: Project) -> bool:
    return any(name in _BUILDS for name in project.tree.folder(""))


def _manifest(project: Project, known: Known, name: str, given: Given) -> tuple[JsonObject, bytes]:
    """server.json after the adoption, as data and as bytes."""
    own = project.manifest_data
    description = text_of(own.get("description")) or given.description or known.description.value
    schema = project.config.schema
    if project.manifest is None:
        data = manifest.made(known, name, description, schema, given.url)
        return data, f"{json.dumps(data, indent=2, ensure_ascii=False)}\n".encode()
    wanted = manifest.additions(own, known, name, description, schema)
    after = inserted(project.manifest, wanted)
    return table(after.data), after.raw


def _missing(project: Project, known: Known, data: JsonObject, given: str) -> Iterator[Finding]:
    """A finding for each thing that nobody says, and for a name other than the one `given`.

    The packages of an existing server.json are as it says.
    """
    for name, path in ((project.config.name, project.config.path), (text_of(data.get("name")), MANIFEST)):
        if given and name not in ("", given):
            message = f"{path} says the server is called {name}, not {given}"
            yield Finding(
                NAMED_ALREADY, Place(path), message, have=name, want=given, hint=NAMED_ALREADY.explain
            )
    home = MANIFEST if project.pyproject is None else PYPROJECT
    for key in manifest.missing(data):
        if key in ("packages", "url") and project.manifest is not None:
            continue
        code, message = _MISSING[key]
        hint = code.explain
        if key == "name" and known.rivals:
            said = " but ".join(f"{rival.source} gives {rival.value}" for rival in known.rivals)
            message, hint = f"{message}: {said}", "say which: `mcp-lockstep adopt --name NAMESPACE/NAME`"
        yield Finding(code, Place(home), message, hint=hint)


def _written(tree: Tree, files: Mapping[str, bytes | None]) -> tuple[tuple[Change, ...], tuple[Finding, ...]]:
    """`files`, the ownership marker where it is wanted, the lock of what then agrees; and what is left to say."""
    project = Project(tree.over(files))
    modules = [observe(path, raw) for path in project.modules if (raw := project.raw(path)) is not None]
    marker = judge_marker(project, read_facts(project, modules)).edits
    startup = judge_startup(project, modules).edits
    after = {**files, **{c.path: c.after for c in changes(tree, files, (*marker, *startup))}}
    adopted = Project(tree.over(after))
    judged = judge_tree(adopted)
    base = read_lock(tree)[0] or Lock()
    disputed = {f.fact for f in judged.findings if f.code in DISAGREE.values()}
    facts = {fact: value for fact, value in judged.lock.facts.items() if fact not in disputed}
    after[LOCK] = render_lock(Lock({**base.facts, **facts}, judged.lock.tools))
    left = judge_tree(Project(tree.over(after))).findings
    return changes(tree, after, ()), wanted(left, adopted.config)


def _grounds(known: Known, data: JsonObject, given: Given) -> Iterator[Hint]:
    """What the plan goes by: each value with its source."""
    name = text_of(data.get("name"))
    hints = (*known.names, *([known.spare] if known.spare else []))
    source = next((hint.source for hint in hints if hint.value == name), "")
    yield Hint(f"name {name}", "you" if name == given.name else source or "server.json")
    stated = known.distribution.version
    number = stated.text if stated and stated.text else text_of(data.get("version"))
    version = f"version {number}, {known.mode}" if number else f"version {known.mode}"
    yield Hint(version, str(stated.place) if stated else "server.json")
    if known.description.value == data.get("description"):
        yield Hint(f"description {known.description.value}", known.description.source)


def _made_packages(known: Known, given: Given) -> Iterator[Hint]:
    """What a new server.json says of packages: each value with its source."""
    if known.distribution.name and known.on_pypi:
        yield Hint(f"package {known.distribution.name.text} on PyPI", str(known.distribution.name.place))
    elif known.image is not None:
        yield Hint(f"image {known.image.reference}", known.image.source)
    if known.speaks.kind != "stdio" and (known.on_pypi or known.image is not None):
        url = known.speaks.url or given.url
        yield Hint(f"{known.speaks.kind} at {url}", "the code" if known.speaks.url else "you")


def _stated_packages(data: JsonObject) -> Iterator[Hint]:
    """What a server.json that is there says of packages and remotes."""
    for package in packages_of(data):
        kind = {"oci": "image {}", "pypi": "package {} on PyPI"}.get(
            package.kind, f"{package.kind} package {{}}"
        )
        yield Hint(kind.format(package.identifier), MANIFEST)
        if package.url:
            yield Hint(f"{package.transport} at {package.url}", MANIFEST)
    for remote in remotes_of(data):
        yield Hint(f"{remote.transport} at {remote.url}", MANIFEST)


def _nothing() -> Finding:
    message = "there is no server here to adopt"
    return Finding(NOTHING_TO_ADOPT, Place(""), message, hint=NOTHING_TO_ADOPT.explain)
