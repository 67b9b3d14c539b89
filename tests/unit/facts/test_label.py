"""The label of an image: a place of the server's name, and the proof that a registry asks of an image."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_lockstep.facts.readers.image import LABEL
from mcp_lockstep.findings import Finding
from mcp_lockstep.judge import judge_tree
from mcp_lockstep.pipeline.sync import prepare
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Disk, Memory, Tree
from packages import package
from weather import NAME, manifest, pyproject

IMAGE = package("oci", "ghcr.io/acme/weather:1.0.0")
WHOLE = f'LABEL {LABEL}="{NAME}"\n'
OTHER = f'LABEL {LABEL}="io.github.acme/tides"\n'
SAYS = "      tags: ghcr.io/acme/weather:1.0.0\n"


def files(*packages: object, **more: str) -> dict[str, bytes]:
    texts = {"server.json": manifest(*(packages or (IMAGE,))), "README.md": "# Weather\n", **more}
    return {path: text.encode() for path, text in texts.items()}


def found(texts: dict[str, bytes]) -> list[Finding]:
    return [f for f in judge_tree(Project(Tree(Memory(texts)))).findings if f.severity != "note"]


def told(**more: str) -> list[tuple[str, str, str]]:
    return [(f.severity, f.code.slug, str(f.place)) for f in found(files(**more))]


@pytest.mark.parametrize(
    ("text", "spot"),
    [
        (OTHER, (1, 44)),
        (f"FROM x\nLABEL a=b \\\n      {LABEL}=io.github.acme/tides \\\n      c=d\n", (3, 43)),
        (f"FROM x\r\nLABEL {LABEL} io.github.acme/tides\r\n", (2, 43)),
        (f"\ufeffFROM é\nLABEL '{LABEL}'='io.github.acme/tides'\n", (2, 46)),
    ],
)
def test_a_label_with_another_name_is_drift_and_mended_where_it_stands(
    text: str, spot: tuple[int, int]
) -> None:
    texts = files(Dockerfile=text)
    (finding,) = found(texts)
    assert (finding.code.slug, str(finding.place)) == ("server-name-drift", f"Dockerfile#{LABEL}")
    assert (finding.have, finding.want, finding.position[:2]) == ("io.github.acme/tides", NAME, spot)
    (change,) = prepare(Tree(Memory(texts))).plan.changes
    assert (change.path, change.after) == ("Dockerfile", text.replace("io.github.acme/tides", NAME).encode())


@pytest.mark.parametrize(
    "more",
    [
        {"Dockerfile": WHOLE},
        {"Containerfile": WHOLE},
        {"docker/Dockerfile": WHOLE},
        {"Dockerfile": f'ARG NAME\nLABEL {LABEL}="$NAME"\n'},
        {"Dockerfile": f"# {OTHER}{WHOLE}"},
        {"Dockerfile": "FROM x\n", "docker-compose.yml": f"    labels:\n      {LABEL}: {NAME}\n"},
        {"Dockerfile": "FROM x\n", "Makefile": f"image:\n\tdocker build --label {LABEL}=$(NAME) .\n"},
        {"Dockerfile": "FROM x\n", "scripts/image.sh": f'docker build --label "{LABEL}=$1" .\n'},
        {"Dockerfile": "FROM x\n", ".github/workflows/release.yml": f"{SAYS}      labels: {LABEL}={NAME}\n"},
        {"Dockerfile": "FROM x\n", "PKG-INFO": "Metadata-Version: 2.4\n"},
        {},
    ],
)
def test_an_image_that_is_labelled_or_built_elsewhere(more: dict[str, str]) -> None:
    assert told(**more) == []


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"Dockerfile": "FROM x\n"}, "Dockerfile"),
        ({"docker/Dockerfile": f"  # {WHOLE}"}, "docker/Dockerfile"),
        (
            {"Dockerfile": "FROM x\n", ".github/workflows/release.yml": f"{SAYS}# {LABEL}={NAME}\n"},
            "Dockerfile",
        ),
    ],
)
def test_an_image_without_a_label(more: dict[str, str], path: str) -> None:
    (finding,) = found(files(**more))
    assert (finding.severity, finding.code.id, str(finding.place)) == ("warning", "LS0110", path)
    assert finding.want == f'LABEL {LABEL}="{NAME}"'
    assert finding.hint == f"add to {path}: {finding.want}"


def test_nobody_reads_a_label_of_what_is_no_image_or_for_a_registry_of_ones_own() -> None:
    pypi = files(package(version="1.0.0"), **{"pyproject.toml": pyproject(), "Dockerfile": OTHER})
    assert [f.code.slug for f in found(pypi)] == ["readme-marker-missing"]
    assert told(Dockerfile="FROM x\n", **{"mcp-lockstep.toml": 'registry = "private"\n'}) == []


def test_a_dockerfile_that_is_no_text_says_nothing() -> None:
    texts = {**files(), "Dockerfile": b"FROM x # \xff\n" + WHOLE.encode()}
    assert found(texts) == []


@pytest.mark.parametrize("labelled", [True, False])
def test_the_workflows_of_the_clone_above(tmp_path: Path, labelled: bool) -> None:
    step = f"labels: {LABEL}={NAME}\n" if labelled else "labels: a=b\n"
    texts = {f"servers/weather/{path}": raw for path, raw in files(Dockerfile="FROM x\n").items()}
    for path, raw in {**texts, ".github/workflows/release.yml": step.encode(), ".git/HEAD": b""}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(raw)
    tree = Tree(Disk(str(tmp_path / "servers/weather")))
    slugs = [f.code.slug for f in judge_tree(Project(tree)).findings if f.severity != "note"]
    assert slugs == ([] if labelled else ["image-without-label"])
    assert tree.asked()["../../.github/workflows/release.yml"] == step.encode()
