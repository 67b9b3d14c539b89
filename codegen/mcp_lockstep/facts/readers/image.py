"""Dockerfiles: the label by which a registry tells whose an image is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.documents import Span
from mcp_lockstep.facts.table import Reading
from mcp_lockstep.findings import Place
from mcp_lockstep.placeholders import is_template
from mcp_lockstep.project import Project

LABEL = "io.modelcontextprotocol.server.name"
DOCKERFILES = ("Dockerfile", "Containerfile", "docker/Dockerfile")
_LABELLED = re.escape(LABEL) + r"[\"']?\s*+(?:[=:]\s*+|(?<=\s))[\"']?([^\"'\s\\,]+)"


def labels(text: str) -> Iterator[tuple[str, Span]]:
    """The names that an image is labelled with in a Dockerfile, a workflow or a compose file, comments aside."""
    for found in re.finditer(_LABELLED, text):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        if not line.lstrip(" \t").startswith("#"):
            yield found[1], found.span(1)


def read(project: Project) -> Iterator[Reading]:
    """One reading per label that is written out: the first at `#io.modelcontextprotocol.server.name`."""
    for path in DOCKERFILES:
        try:
            text = (project.raw(path) or b"").decode("utf-8")
        except UnicodeDecodeError:
            continue
        for index, (name, span) in enumerate(labels(text)):
            if not is_template(name):
                address = LABEL if index == 0 else f"{LABEL}/{index + 1}"
                yield Reading("name", "image", Place(path, "#", address), name, span=span)
