"""The image that a project releases, as its workflows and compose files name it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.adopt.repository import Checkout, Repository
from mcp_lockstep.facts.release import COMPOSE, workflows
from mcp_lockstep.findings import Refused
from mcp_lockstep.placeholders import is_template
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.image import parse_reference

PLACEHOLDER = "{{VERSION}}"
"""What stands for a version that is written later: no registry and no person takes it for one."""

_EXPRESSION = r"\$\{\{[^{}\n]*\}\}|\$\{?\w+\}?"
_WORD = rf"(?:{_EXPRESSION}|[\w./:@-])++"
_NAMED = (
    rf"(?m)^[ \t-]*(?:tags|images):[ \t]*[\"']?({_WORD}(?:,{_WORD})*)",
    rf"\bdocker\s+push\s+(?:-\S+\s+)*[\"']?({_WORD})",
)
_BUILDS = r"\bdocker\s+(?:buildx\s+)?build\b[^\n]*"
_TAG = rf"\s(?:-t|--tag)[ =][\"']?({_WORD})"
_BUILD = r"(?i)\$[^}]*(?:\bsha\b|_sha\b|run_|matrix)"
"""A tag that is made of a commit, a run or a variant of the build, and so says no version."""
_BLOCK = r"(?m)^([ \t]*)(?:tags|images):[ \t]*[|>]?-?[ \t]*\n((?:\1[ \t]+\S.*\n?)+)"
_ENV = r"(?m)^([ \t]*)env:[ \t]*\n((?:\1[ \t]+\S.*\n?)+)"
_PAIR = rf"(?m)^[ \t]+(\w+):[ \t]*([\"']?)({_WORD})\2[ \t]*$"


class Image(NamedTuple):
    """An image by its name and tag; a release job fills in a placeholder in `tag`. `source` says who names it."""

    name: str
    tag: str
    source: str

    @property
    def reference(self) -> str:
        """The image as `identifier` of a package."""
        return f"{self.name}:{self.tag}"


def find_image(project: Project, checkout: Checkout, repository: Repository | None) -> Image | None:
    """The one image that the project releases; None where there are none or several, or no tag that stays."""
    texts = (*workflows(project), *checkout.workflows)
    found = [("a workflow", one) for text in texts for one in _in_workflow(text)]
    found += [(path, one) for path in COMPOSE for one in _in_compose(project, path)]
    images = [image for source, text in found if (image := _image(text, source, repository))]
    if len({image.name for image in images}) != 1:
        return None
    stay = [image for image in images if re.match(r"v?\d", image.tag) and not is_template(image.tag)]
    made = [image for image in images if is_template(image.tag)]
    return min(stay or made, key=_order, default=None)


def _order(image: Image) -> tuple[int, int]:
    """The most precise tag first, `1.2.0` before `1.2`; of several the plain one, before `1.2.0-slim`."""
    version, _, variant = image.tag.partition("-")
    return -version.count("."), len(variant)


def _in_workflow(written: str) -> Iterator[str]:
    text = _with_values(written)
    for pattern in _NAMED:
        for found in re.finditer(pattern, text):
            yield from found[1].split(",")
    for line in re.finditer(_BUILDS, text):
        yield from re.findall(_TAG, line[0])
    for block in re.finditer(_BLOCK, text):
        yield from (line.strip(" \t-\"'") for line in block[2].splitlines())


def _with_values(text: str) -> str:
    """A workflow with the values of its `env:` in place of their names, where one name has one value."""
    values: dict[str, set[str]] = {}
    for block in re.finditer(_ENV, text):
        for pair in re.finditer(_PAIR, block[2]):
            values.setdefault(pair[1], set()).add(pair[3])

    def value(found: re.Match[str]) -> str:
        said = values.get(found[1] or found[2], set())
        return next(iter(said)) if len(said) == 1 else found[0]

    return re.sub(r"\$\{\{\s*env\.(\w+)\s*\}\}|\$\{?(\w+)\}?", value, text) if values else text


def _in_compose(project: Project, path: str) -> Iterator[str]:
    """The images that a compose file builds itself; those that it only runs are of others."""
    try:
        raw = project.tree.read(path) if path in project.tree.folder("") else None
    except Refused:
        return
    text = (raw or b"").decode("utf-8", "replace").replace("\r\n", "\n")
    for service in re.split(r"(?m)^(?=[ \t]{1,4}[\w-]+:[ \t]*$)", text):
        if re.search(r"(?m)^[ \t]+build:", service):
            yield from re.findall(rf"(?m)^[ \t]+image:[ \t]*[\"']?({_WORD})", service)


def _image(text: str, source: str, repository: Repository | None) -> Image | None:
    """The image that `text` names with its host; an expression in its tag is a release's."""
    if repository is not None and repository.source == "github":
        own = f"{repository.owner}/{repository.name}".lower()
        text = re.sub(r"\$\{\{\s*github\.repository\s*\}\}", own, text)
        text = re.sub(r"\$\{\{\s*github\.repository_owner\s*\}\}", repository.owner.lower(), text)
        text = re.sub(r"\$\{?GITHUB_REPOSITORY\}?(?!\w)", own, text)
    host, slash, rest = text.partition("/")
    path, _, tag = rest.partition(":")
    name = f"{host}{slash}{path}"
    parsed = parse_reference(name)
    # A name without a host may as well be a tag of git, on which a workflow starts.
    if parsed is None or not parsed.host or is_template(name) or "@" in text or re.search(_BUILD, tag):
        return None
    made, expressions = re.subn(_EXPRESSION, PLACEHOLDER, tag or PLACEHOLDER)
    return Image(name, made, source) if expressions < 2 else None
