"""The image that a project releases, as its workflows and compose files name it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mcp_lockstep.adopt.repository import Checkout, Repository
from mcp_lockstep.facts.release import workflows
from mcp_lockstep.findings import Refused
from mcp_lockstep.placeholders import is_template
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.image import parse_reference

PLACEHOLDER = "{{VERSION}}"
"""What stands for a version that is written later: no registry and no person takes it for one."""

COMPOSE = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
"""What a compose file is called."""
_EXPRESSION = r"\$\{\{[^{}\n]*\}\}|\$\{?\w+\}?"
_WORD = rf"(?:{_EXPRESSION}|[\w./:@-])+"
_NAMED = (
    rf"(?m)^[ \t-]*(?:tags|images):[ \t]*[\"']?({_WORD}(?:,{_WORD})*)",
    rf"\bdocker\s+push\s+(?:-\S+\s+)*[\"']?({_WORD})",
    rf"\bdocker\s+(?:buildx\s+)?build\b[^\n]*?\s(?:-t|--tag)[ =][\"']?({_WORD})",
)
_BUILD = r"(?i)\$[^}]*(?:\bsha\b|_sha\b|run_|matrix)"
"""A tag that is made of a commit, a run or a variant of the build, and so says no version."""
_BLOCK = r"(?m)^([ \t]*)(?:tags|images):[ \t]*[|>]?-?[ \t]*\n((?:\1[ \t]+\S.*\n?)+)"


class Image(NamedTuple):
    """An image by its name and tag; `tag` is a placeholder where a release job makes it. `source` says who names it."""

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
    return _only(stay) or next(iter(made), None)


def _only(images: Iterable[Image]) -> Image | None:
    """The one of `images` with the most precise tag: `1.2.0` beside `1.2` and `1`."""
    ordered = sorted(images, key=lambda image: (image.tag.count("."), len(image.tag)), reverse=True)
    return next(iter(ordered), None)


def _in_workflow(text: str) -> Iterator[str]:
    for pattern in _NAMED:
        for found in re.finditer(pattern, text):
            yield from found[1].split(",")
    for block in re.finditer(_BLOCK, text):
        yield from (line.strip(" \t-\"'") for line in block[2].splitlines())


def _in_compose(project: Project, path: str) -> Iterator[str]:
    """The images that a compose file builds itself; those that it only runs are of others."""
    try:
        raw = project.tree.read(path) if path in project.tree.folder("") else None
    except Refused:
        return
    text = (raw or b"").decode("utf-8", "replace").replace("\r\n", "\n")
    for service in re.split(r"(?m)^(?=[ \t]{1,4}[\w-]+:[ \t]*$)", text):
        if re.search(r"(?m)^\s+build:", service):
            yield from re.findall(rf"(?m)^\s+image:[ \t]*[\"']?({_WORD})", service)


def _image(text: str, source: str, repository: Repository | None) -> Image | None:
    """The image that `text` names with its host; expressions in its tag are a release's."""
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
    return Image(name, PLACEHOLDER if not tag or re.search(_EXPRESSION, tag) else tag, source)
