"""What a project says about its server, and where it says it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.adopt.description import short_description
from mcp_lockstep.adopt.images import PLACEHOLDER, Image, find_image
from mcp_lockstep.adopt.repository import Checkout, Repository, parse_repository, remote_address
from mcp_lockstep.code.module import Module
from mcp_lockstep.code.observe import observe
from mcp_lockstep.code.start.transports import Spoken, read_transports
from mcp_lockstep.documents.data import table, text_of
from mcp_lockstep.facts.description import readmes
from mcp_lockstep.facts.distribution import Distribution, read_distribution
from mcp_lockstep.facts.readers.image import DOCKERFILES, labels
from mcp_lockstep.facts.release import Mode, stamps, version_mode, workflows
from mcp_lockstep.placeholders import is_template
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules import judge_data
from mcp_lockstep.rules.name import fault_of_name, server_name
from mcp_lockstep.startup.packages import counted, own_entries

_LABELLED = ("repository", "source", "sourcecode", "code", "github", "gitlab", "homepage")
_LONGEST_TITLE = 100
_TO_PYPI = r"gh-action-pypi-publish|\b(?:uv|poetry|flit|hatch|pdm|maturin)\s+publish\b|\btwine\s+upload\b"
_TO_IMAGES = r"docker/build-push-action|\bdocker\s+(?:buildx\s+build\b[^\n]*--push|push)\b"


class Hint(NamedTuple):
    """A value, and who says it, as the end of a sentence."""

    value: str
    source: str


class Known(NamedTuple):
    """What is known of a server before anything is asked.

    `names`: the name in the registry, the best source first; `rivals`: repositories that would give different
    names, so that none of them counts; `spare`: the name after the distribution, for where nothing states one and
    that of the repository is taken by a server beside it. `on_pypi`: whether the distribution is for PyPI; `image`:
    what is released where it is not. `speaks`: how the console script speaks to those who start it, with the address
    where that is known.
    """

    names: tuple[Hint, ...] = ()
    rivals: tuple[Hint, ...] = ()
    spare: Hint | None = None
    title: str = ""
    description: Hint = Hint("", "")
    repository: Repository | None = None
    subfolder: str = ""
    website: str = ""
    distribution: Distribution = Distribution()
    mode: Mode = "bumped"
    on_pypi: bool = False
    image: Image | None = None
    speaks: Spoken = Spoken("stdio")


def read_known(project: Project, checkout: Checkout) -> Known:
    """Everything that the files of `project` and the clone that they lie in say about its server."""
    distribution = read_distribution(project)
    modules = [observe(path, raw) for path in project.modules if (raw := project.raw(path)) is not None]
    cloned = parse_repository(remote_address(checkout.config))
    declared = _declared_repository(project, distribution)
    repository = cloned or declared
    on_pypi = distribution.name is not None and _for_pypi(project, distribution, checkout)
    image = None if on_pypi else find_image(project, checkout, repository)
    mode = _mode(project, distribution, checkout)
    stated = tuple(_stated_names(project, modules))
    derived, rivals = _derived(distribution, checkout, cloned, declared)
    return Known(
        (*stated, *derived),
        rivals,
        None if stated or not derived else _spare(derived[0], distribution),
        _title(modules),
        _description(project, distribution),
        None if rivals else repository,
        checkout.subfolder,
        _website(distribution, repository),
        distribution,
        "stamped" if image is not None and PLACEHOLDER in image.tag and mode == "bumped" else mode,
        on_pypi,
        image,
        _speaks(project, modules),
    )


def _speaks(project: Project, modules: list[Module]) -> Spoken:
    """How the console script surely speaks to those who start it; stdio where the code leaves that open."""
    starts = own_entries(project)
    return read_transports([*counted(project, modules, starts)], starts).started or Spoken("stdio")


def usable(name: str, registry: str = "official") -> bool:
    """Whether a registry takes `name`, and nobody wrote it as a sample."""
    if registry == "private":
        return not fault_of_name(name, registry)
    return not judge_data({"name": name}, (server_name,))


def _stated_names(project: Project, modules: list[Module]) -> Iterator[Hint]:
    """The names that stand somewhere in full; what the user configured or published counts as it is."""
    manifest = project.manifest_data
    for name, source in ((project.config.name, project.config.path), (manifest.get("name"), "server.json")):
        if isinstance(name, str) and name:
            yield Hint(name, source)
    texts = readmes(project)
    npm = project.document("package.json") if "package.json" in project.tree.folder("") else None
    groups = (
        *((text.path, {marker.name for marker in text.markers}) for text in texts),
        ("the label of the image", set(_labels(project))),
        (
            "the code",
            {
                text
                for m in modules
                for s in m.servers
                for v in s.repeated
                if (text := v.text) and "/" in text
            },
        ),
        ("package.json", {text_of(table(npm.data).get("mcpName"))} if npm else set[str]()),
    )
    for source, found in groups:
        names = {name for name in found if usable(name, project.config.registry)}
        if len(names) == 1:
            yield Hint(names.pop(), source)


def _derived(
    distribution: Distribution,
    checkout: Checkout,
    cloned: Repository | None,
    declared: Repository | None,
) -> tuple[tuple[Hint, ...], tuple[Hint, ...]]:
    """The name that the repository gives; where clone and project.urls give different ones, both as rivals."""
    found = [
        Hint(name, source)
        for repository, source in ((cloned, "the remote of the clone"), (declared, "project.urls"))
        if repository and (name := _name_in(repository, checkout, distribution)) and usable(name)
    ]
    if len({hint.value.lower() for hint in found}) > 1:
        return (), tuple(found)
    return tuple(found[:1]), ()


def _spare(derived: Hint, distribution: Distribution) -> Hint | None:
    """The name that the distribution gives in the namespace of the one that is `derived`."""
    if distribution.name is None or not distribution.name.text:
        return None
    name = f"{derived.value.partition('/')[0]}/{distribution.name.text}"
    return Hint(name, f"{derived.source} and {distribution.name.place}") if usable(name) else None


def _name_in(repository: Repository, checkout: Checkout, distribution: Distribution) -> str:
    """The name by the registry's rule for GitHub; a server in a folder of its own goes by what it builds."""
    if repository.source != "github":
        return ""
    own = (distribution.name and distribution.name.text) or checkout.subfolder.rpartition("/")[2]
    return f"io.github.{repository.owner}/{own if checkout.subfolder else repository.name}"


def _declared_repository(project: Project, distribution: Distribution) -> Repository | None:
    labelled = {re.sub(r"[\W_]", "", label).lower(): address for label, address in distribution.urls.items()}
    addresses = [labelled[label] for label in _LABELLED if label in labelled]
    if not addresses and "package.json" in project.tree.folder(""):
        document = project.document("package.json")
        declared = table(document.data).get("repository") if document else None
        addresses.append(text_of(table(declared).get("url")) or text_of(declared))
    return next((found for address in addresses if (found := parse_repository(address))), None)


def _labels(project: Project) -> Iterator[str]:
    """The names that an image is labelled with, in Dockerfiles and in workflows."""
    texts = ((project.raw(path) or b"").decode("utf-8", "replace") for path in DOCKERFILES)
    return (name for text in (*texts, *workflows(project)) for name, _ in labels(text))


def _title(modules: list[Module]) -> str:
    """The name that the server tells its clients, where it is one to be read and there is one server."""
    names = {server.name.text for module in modules for server in module.servers if server.name}
    name = (names.pop() or "").strip() if len(names) == 1 else ""
    shown = name.isprintable() and "/" not in name and (" " in name or name != name.lower())
    return name if shown and len(name) <= _LONGEST_TITLE else ""


def _description(project: Project, distribution: Distribution) -> Hint:
    """What the distribution says that it does, cut to fit; else what the README does in a sentence that fits."""
    stated = distribution.description
    if stated is not None and (short := short_description(stated.text or "")):
        return Hint(short, str(stated.place))
    for readme in readmes(project)[:1]:
        if (said := readme.first_paragraph) == short_description(said):
            return Hint(said, f"the first paragraph of {readme.path}")
    return Hint("", "")


def _website(distribution: Distribution, repository: Repository | None) -> str:
    """The homepage, where it is a page of its own."""
    labelled = {label.lower(): address for label, address in distribution.urls.items()}
    address = labelled.get("homepage") or labelled.get("website") or ""
    elsewhere = parse_repository(address) is None and not (repository and address.startswith(repository.url))
    return address if address.startswith("https://") and elsewhere and "@" not in address else ""


def _mode(project: Project, distribution: Distribution, checkout: Checkout) -> Mode:
    """How versions get into server.json; a value that no commit holds is made by the build."""
    manifest = project.manifest_data
    if (found := version_mode(project)) is not None:
        return found
    if is_template(text_of(manifest.get("version"))) or any(map(stamps, checkout.workflows)):
        return "stamped"
    return "build" if distribution.version is not None and distribution.version.text is None else "bumped"


def _for_pypi(project: Project, distribution: Distribution, checkout: Checkout) -> bool:
    """Whether a distribution goes to PyPI: not where it says so, nor where releases push images and nothing else."""
    if distribution.private:
        return False
    texts = (*workflows(project), *checkout.workflows)
    pushes = any(re.search(_TO_IMAGES, text) for text in texts)
    return not pushes or any(re.search(_TO_PYPI, text) for text in texts)
