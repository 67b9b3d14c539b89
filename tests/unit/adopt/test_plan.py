"""What a plan writes into files that are there, and what keeps it from writing at all."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from mcp_lockstep.adopt.known import read_known
from mcp_lockstep.adopt.plan import Adoption, Given, adopt
from mcp_lockstep.adopt.repository import Checkout
from mcp_lockstep.findings import Finding
from mcp_lockstep.project import Project
from mcp_lockstep.tree import Memory, Tree

REMOTE = '[remote "origin"]\n\turl = https://{}/{}.git\n'
PROJECT = """\
[build-system]
requires = ["{backend}"]
build-backend = "{backend}"

[project]
name = "weather-mcp"
version = "1.2.0"
description = "Forecasts."
scripts = {{ weather-mcp = "weather_mcp:main" }}
"""


def adopted(
    files: Mapping[str, str], given: Given | None = None, remote: str = "github.com/acme/weather"
) -> Adoption:
    host, _, path = remote.partition("/")
    tree = Tree(Memory({path: text.encode() for path, text in files.items()}))
    return adopt(tree, Checkout(REMOTE.format(host, path) if remote else ""), given or Given())


def after(adoption: Adoption, path: str) -> str:
    (raw,) = (change.after for change in adoption.plan.changes if change.path == path)
    return (raw or b"").decode()


def project(backend: str = "hatchling.build", more: str = "") -> dict[str, str]:
    return {"pyproject.toml": PROJECT.format(backend=backend) + more, "README.md": "# Weather\n"}


@pytest.mark.parametrize(
    ("files", "source"),
    [
        ({"README.md": "mcp-name: org.acme/readme\n"}, "org.acme/readme"),
        ({"Dockerfile": "LABEL io.modelcontextprotocol.server.name=org.acme/label\n"}, "org.acme/label"),
        (
            {"Dockerfile": "# LABEL io.modelcontextprotocol.server.name=org.acme/no\n"},
            "io.github.acme/weather",
        ),
        ({"package.json": '{"mcpName": "org.acme/npm"}'}, "org.acme/npm"),
        ({"README.md": "mcp-name: org.acme/one\n\nmcp-name: org.acme/two\n"}, "io.github.acme/weather"),
        ({"README.md": "mcp-name: io.github.your-name/x1\n"}, "io.github.acme/weather"),
        ({"weather_mcp/__init__.py": 'mcp = FastMCP("org.acme/code")\n'}, "org.acme/code"),
    ],
)
def test_where_the_name_comes_from(files: dict[str, str], source: str) -> None:
    adoption = adopted({**project(), **files})
    assert f'name = "{source}"\n' in after(adoption, "pyproject.toml")
    assert f'"name": "{source}"' in after(adoption, "server.json")


@pytest.mark.parametrize(
    "remote", ["", "gitlab.com/acme/weather", "git.example/acme/weather", "github.com/a/weather!"]
)
def test_no_name_is_made_up(remote: str) -> None:
    adoption = adopted(project(), remote=remote)
    assert [finding.code.slug for finding in adoption.missing] == ["server-name-unknown"]
    assert adoption.plan.changes == ()


def test_a_name_that_is_given() -> None:
    adoption = adopted(project(), Given(name="org.acme/given"), remote="")
    assert '"name": "org.acme/given"' in after(adoption, "server.json")


def test_nothing_is_renamed() -> None:
    files = {**project(), "server.json": '{"name": "org.acme/there", "packages": []}'}
    (finding,) = adopted(files, Given(name="org.acme/given")).missing
    assert (finding.code.slug, finding.have, finding.want) == (
        "server-named-already",
        "org.acme/there",
        "org.acme/given",
    )


def test_an_existing_server_json_keeps_its_style() -> None:
    files = {**project(), "server.json": '{\r\n\t"name": "org.acme/w1",\r\n\t"remotes": []\r\n}\r\n'}
    assert after(adopted(files), "server.json").startswith(
        '{\r\n\t"name": "org.acme/w1",\r\n\t"remotes": [],\r\n\t"$schema": "https://'
    )


def test_own_keys_of_the_configuration_stay() -> None:
    adoption = adopted(project(more='\n[tool.mcp-lockstep] # ours\nregistry = "private"\n'))
    end = '[tool.mcp-lockstep] # ours\nregistry = "private"\nname = "io.github.acme/weather"\nversion = "bumped"\n'
    assert after(adoption, "pyproject.toml").endswith(end)


@pytest.mark.parametrize(
    ("files", "slug"),
    [
        ({"README.md": "# Notes\n"}, "nothing-to-adopt"),
        ({"Dockerfile": "FROM python\n"}, "published-package-unknown"),
        ({"server.json": "{"}, "not-json"),
        ({"pyproject.toml": "[project"}, "not-toml"),
        ({"pyproject.toml": "[tool.mcp-lockstep]\nnaem = 'x'\n"}, "config-unknown-key"),
        (
            {"pyproject.toml": PROJECT.format(backend="x").replace("Forecasts.", "TODO")},
            "server-description-unknown",
        ),
        (
            {"pyproject.toml": PROJECT.format(backend="x").replace('version = "1.2.0"', "")},
            "server-version-unknown",
        ),
        (
            {"pyproject.toml": PROJECT.format(backend="x") + 'classifiers = ["Private :: No Upload"]\n'},
            "published-package-unknown",
        ),
    ],
)
def test_what_keeps_it_from_writing(files: dict[str, str], slug: str) -> None:
    adoption = adopted(files)
    assert slug in [finding.code.slug for finding in adoption.missing]
    assert adoption.plan.changes == ()


@pytest.mark.parametrize(
    ("backend", "lines"),
    [
        (
            "hatchling.build",
            ['requires = ["hatchling.build", "mcp-lockstep"]', "[tool.hatch.build.hooks.mcp-lockstep]"],
        ),
        ("setuptools.build_meta", ['requires = ["setuptools.build_meta", "mcp-lockstep"]']),
        ("pdm.backend", ['requires = ["pdm.backend", "mcp-lockstep"]']),
        (
            "uv_build",
            [
                'build-backend = "mcp_lockstep.hooks.backend"',
                'version = "bumped"\nbuild-backend = "uv_build"',
            ],
        ),
    ],
)
def test_the_hook(backend: str, lines: list[str]) -> None:
    adoption = adopted(project(backend), Given(hook=True))
    text = after(adoption, "pyproject.toml")
    assert all(line in text for line in lines)
    again = adopted(
        {**project(backend), **{c.path: (c.after or b"").decode() for c in adoption.plan.changes}},
        Given(hook=True),
    )
    assert again.plan.changes == ()


def test_a_project_without_pyproject_is_told_so() -> None:
    files = {path: text for path, text in project().items() if path != "pyproject.toml"}
    files["server.json"] = '{"name": "io.github.acme/weather", "description": "Weather.", "version": "1.2.0"}'
    adoption = adopted(files, Given(hook=True))
    (found,) = [one for one in adoption.plan.findings if one.code.slug == "build-hook-impossible"]
    assert found.message == "there is no pyproject.toml, which is where a build is given a hook"


def test_a_backend_without_hook_is_told() -> None:
    adoption = adopted(project("maturin"), Given(hook=True))
    assert "build-hook-impossible" in [finding.code.slug for finding in adoption.plan.findings]
    assert 'requires = ["maturin"]' in after(adoption, "pyproject.toml")


def impossible(files: Mapping[str, str]) -> Finding:
    adoption = adopted(files, Given(hook=True))
    (found,) = [one for one in adoption.plan.findings if one.code.slug == "build-hook-impossible"]
    text = next((after(adoption, c.path) for c in adoption.plan.changes if c.path == "pyproject.toml"), "")
    assert '"mcp-lockstep"' not in text, "nothing of the hook is written"
    return found


def test_a_backend_in_the_tree_is_put_behind_ours_by_hand() -> None:
    files = project("own")
    system = 'build-backend = "own"\n'
    files["pyproject.toml"] = files["pyproject.toml"].replace(system, f'{system}backend-path = ["_build"]\n')
    found = impossible(files)
    assert (found.position[:2], str(found.place)) == ((4, 16), "pyproject.toml:build-system.backend-path")
    for words in (
        "move `backend-path` to [tool.mcp-lockstep]",
        '`build-backend = "own"`',
        '`build-backend = "mcp_lockstep.hooks.backend"`',
        '"mcp-lockstep" among `requires`',
    ):
        assert words in found.hint


@pytest.mark.parametrize("backend", ["setuptools.build_meta", "pdm.backend", "uv_build"])
def test_a_configuration_that_the_hook_would_not_find(backend: str) -> None:
    """These look at `[tool.mcp-lockstep]` alone: the hook would be silent, or lack the name of the real backend."""
    files = {**project(backend), "mcp-lockstep.toml": 'name = "io.github.acme/weather"\n'}
    found = impossible(files)
    said = f"the configuration is in mcp-lockstep.toml, and where {backend} builds it is looked for in "
    assert found.message == f"{said}pyproject.toml alone"
    assert found.hint.startswith("move it to [tool.mcp-lockstep] in pyproject.toml, ")


def test_hatchling_finds_either_configuration() -> None:
    files = {**project(), "mcp-lockstep.toml": 'name = "io.github.acme/weather"\n'}
    adoption = adopted(files, Given(hook=True))
    assert "[tool.hatch.build.hooks.mcp-lockstep]" in after(adoption, "pyproject.toml")
    assert [one.code.slug for one in adoption.plan.findings if one.severity != "note"] == []


@pytest.mark.parametrize(
    "hostile", ['"""', "\\", "a\nb", "{{x}}", "\u202e", "'; DROP", "</script>", "x" * 300]
)
def test_hostile_texts_end_in_sound_files(hostile: str) -> None:
    import json

    import tomli

    files = project()
    files["pyproject.toml"] = files["pyproject.toml"].replace(
        '"Forecasts."', json.dumps(f"Tells {hostile} of it")
    )
    adoption = adopted(files)
    made = json.loads(after(adoption, "server.json"))
    assert made["description"].startswith("Tells")
    assert len(made["description"]) <= 100
    assert "\u202e" not in made["description"]
    assert tomli.loads(after(adoption, "pyproject.toml"))["tool"]["mcp-lockstep"]["version"] == "bumped"


def test_a_release_job_above_a_member_stamps_its_version() -> None:
    stamping = "run: sed -i s/0.0.0/$VERSION/ servers/tides/server.json\n"
    checkout = Checkout(REMOTE.format("github.com", "acme/servers"), "servers/tides", (stamping,))
    known = read_known(Project(Tree(Memory({k: v.encode() for k, v in project().items()}))), checkout)
    assert known.mode == "stamped"
    pushing = Checkout(checkout.config, checkout.subfolder, ("uses: docker/build-push-action@v6\n",))
    known = read_known(Project(Tree(Memory({k: v.encode() for k, v in project().items()}))), pushing)
    assert (known.mode, known.on_pypi) == ("bumped", False)


PRIVATE = PROJECT.format(backend="hatchling.build") + 'classifiers = ["Private :: No Upload"]\n'
LABEL = 'LABEL io.modelcontextprotocol.server.name="io.github.acme/weather"\n'


def image_project(workflow: str, **files: str) -> dict[str, str]:
    return {
        "pyproject.toml": PRIVATE,
        "Dockerfile": f"FROM python:3.12\n{LABEL}",
        ".github/workflows/release.yml": workflow,
        **files,
    }


BLOCK = "            ghcr.io/acme/weather:"
ENV, REGISTRY, IMAGE = "env:\n  REGISTRY: ghcr.io\n", "${{ env.REGISTRY }}", "${{ env.IMAGE }}"
PUSH = "jobs:\n  b:\n    steps:\n      - uses: docker/build-push-action@v5\n        with:\n          push: true\n"


@pytest.mark.parametrize(
    ("workflow", "identifier", "version", "mode"),
    [
        (
            f"{PUSH}          tags: ghcr.io/acme/weather:1.2.0\n",
            "ghcr.io/acme/weather:1.2.0",
            "1.2.0",
            "bumped",
        ),
        (
            f"{PUSH}          tags: |\n{BLOCK}latest\n{BLOCK}1.2.0\n",
            "ghcr.io/acme/weather:1.2.0",
            "1.2.0",
            "bumped",
        ),
        (
            "      - run: docker push ghcr.io/acme/weather:1.2.0\n",
            "ghcr.io/acme/weather:1.2.0",
            "1.2.0",
            "bumped",
        ),
        (
            "      - run: docker build . -t quay.io/acme/weather:1.2.0 && docker push quay.io/acme/weather:1.2.0\n",
            "quay.io/acme/weather:1.2.0",
            "1.2.0",
            "bumped",
        ),
        (
            f"{PUSH}          tags: ghcr.io/${{{{ github.repository }}}}:${{{{ github.ref_name }}}}\n",
            "ghcr.io/acme/weather:{{VERSION}}",
            "1.2.0",
            "stamped",
        ),
        (
            f"{ENV}  IMAGE: ${{{{ github.repository }}}}\n{PUSH}          tags: {REGISTRY}/{IMAGE}:1.2.0\n",
            "ghcr.io/acme/weather:1.2.0",
            "1.2.0",
            "bumped",
        ),
        (
            f"env:\n  REGISTRY: 'ghcr.io'\n{PUSH}          images: {REGISTRY}/acme/weather\n",
            "ghcr.io/acme/weather:{{VERSION}}",
            "1.2.0",
            "stamped",
        ),
        (
            '    env:\n      IMAGE: quay.io/acme/weather\n    steps:\n      - run: docker push "$IMAGE:1.2.0"\n',
            "quay.io/acme/weather:1.2.0",
            "1.2.0",
            "bumped",
        ),
        (
            "      - run: docker build -t quay.io/acme/weather:1.2 --tag=quay.io/acme/weather:1.2.0 . --push\n",
            "quay.io/acme/weather:1.2.0",
            "1.2.0",
            "bumped",
        ),
        (
            f"{PUSH}          tags: |\n{BLOCK}1.2.0-slim\n{BLOCK}1.2.0\n{BLOCK}1.2.0-alpine3.20\n{BLOCK}1\n",
            "ghcr.io/acme/weather:1.2.0",
            "1.2.0",
            "bumped",
        ),
        (
            f"{PUSH}          tags: |\n{BLOCK}1.2.0-alpine\n{BLOCK}1.2\n",
            "ghcr.io/acme/weather:1.2.0-alpine",
            "1.2.0",
            "bumped",
        ),
        (
            f"{PUSH}          tags: |\n{BLOCK}${{{{ inputs.v }}}}-alpine\n{BLOCK}${{{{ inputs.v }}}}\n",
            "ghcr.io/acme/weather:{{VERSION}}",
            "1.2.0",
            "stamped",
        ),
        (
            f"{PUSH}          tags: ghcr.io/acme/weather:v${{{{ inputs.v }}}}-slim\n",
            "ghcr.io/acme/weather:v{{VERSION}}-slim",
            "1.2.0",
            "stamped",
        ),
    ],
)
def test_an_image_that_a_workflow_pushes(workflow: str, identifier: str, version: str, mode: str) -> None:
    adoption = adopted(image_project(workflow), Given())
    data = json.loads(after(adoption, "server.json"))
    package = {"registryType": "oci", "identifier": identifier, "transport": {"type": "stdio"}}
    assert (data["name"], data["version"], data["packages"]) == ("io.github.acme/weather", version, [package])
    assert f'version = "{mode}"' in after(adoption, "pyproject.toml")
    assert [f for f in adoption.plan.findings if f.severity == "error"] == []


@pytest.mark.parametrize(
    "workflow",
    [
        f"{PUSH}          tags: ghcr.io/acme/weather:latest\n",
        f"{PUSH}          tags: ghcr.io/acme/weather:1.2.0,ghcr.io/acme/other:1.2.0\n",
        f"{PUSH}          tags: ${{{{ steps.meta.outputs.tags }}}}\n",
        f"{PUSH}          tags: ghcr.io/acme/weather:${{{{ github.sha }}}}\n",
        f"{PUSH}          tags: ghcr.io/acme/weather:$GITHUB_SHA\n",
        f"{PUSH}          tags: ghcr.io/acme/weather:py3.12\n",
        f"{PUSH}          tags: ${{{{ env.REGISTRY }}}}/acme/weather:1.2.0\n",
        f"{ENV}{PUSH}        env:\n          REGISTRY: a.b\n          tags: {REGISTRY}/acme/weather:1.2.0\n",
        f"env:\n  TAG: ${{{{ github.sha }}}}\n{PUSH}          tags: ghcr.io/acme/weather:${{{{ env.TAG }}}}\n",
        f"{PUSH}          tags: ghcr.io/acme/weather:${{{{ inputs.v }}}}-${{{{ inputs.os }}}}\n",
        "on: { push: { tags: v1.2.0 } }\n",
    ],
)
def test_an_image_that_is_not_known(workflow: str) -> None:
    adoption = adopted(image_project(workflow), Given())
    (finding,) = adoption.missing
    assert finding.code.slug == "published-package-unknown"
    assert '"registryType": "oci"' in finding.hint


@pytest.mark.parametrize(
    "part",
    ["docker build ", "docker push -a ", "tags: a,", "$a", "${{ a }}", "\n", " ", "env:\n ", "env:\n  A: b\n", "  a:\n",
     "docker build \\\n", "tags:\n  a\n", "io.modelcontextprotocol.server.name ", "sed -i server.json "],
)  # fmt: skip
def test_a_hostile_workflow_takes_no_time(part: str) -> None:
    # With a search from each of them to the end of the line, or of the blank lines, this would take hours.
    text = f"server.json publish\n{part * (300_000 // len(part))}"
    files = image_project(text, **{"compose.yaml": text, "Dockerfile": text})
    assert adopted(files, Given()).missing != ()


def test_an_image_on_a_host_with_a_port() -> None:
    workflow = f"{PUSH}          tags: images.acme.dev:5000/acme/weather:1.2.0\n"
    adoption = adopted(image_project(workflow), Given())
    (package,) = json.loads(after(adoption, "server.json"))["packages"]
    assert package["identifier"] == "images.acme.dev:5000/acme/weather:1.2.0"


def test_an_image_that_a_compose_file_builds() -> None:
    built = "  w:\n    build: .\n    image: ghcr.io/acme/weather:1.2.0\n"
    compose = f"services:\n{built}  db:\n    image: docker.io/x/db:16\n"
    adoption = adopted({"pyproject.toml": PRIVATE, "Dockerfile": LABEL, "compose.yaml": compose}, Given())
    assert (
        json.loads(after(adoption, "server.json"))["packages"][0]["identifier"]
        == "ghcr.io/acme/weather:1.2.0"
    )


def test_the_summary_says_what_a_server_json_that_is_there_says() -> None:
    """The distribution is not released, and the code of the server speaks HTTP at an address that is computed."""
    data = {
        "name": "com.acme/billing",
        "description": "Invoices.",
        "version": "1.2.0",
        "packages": [
            {
                "registryType": "oci",
                "identifier": "ghcr.io/acme/billing:1.2.0",
                "transport": {"type": "streamable-http", "url": "http://localhost:8080/mcp"},
            },
            {"registryType": "npm", "identifier": "@acme/billing", "transport": {"type": "stdio"}},
        ],
        "remotes": [{"type": "streamable-http", "url": "https://mcp.acme.com/mcp"}],
    }
    server = 'import os\nfrom fastmcp import FastMCP\nmcp = FastMCP("b")\n\ndef main():\n'
    server += '    mcp.run(transport="http", port=int(os.environ["PORT"]))\n'
    adoption = adopted({**project(), "server.json": json.dumps(data), "weather_mcp/__init__.py": server})
    assert [f"{value} ({source})" for value, source in adoption.grounds] == [
        "name com.acme/billing (server.json)",
        "version 1.2.0, bumped (pyproject.toml:project.version)",
        "image ghcr.io/acme/billing:1.2.0 (server.json)",
        "streamable-http at http://localhost:8080/mcp (server.json)",
        "npm package @acme/billing (server.json)",
        "streamable-http at https://mcp.acme.com/mcp (server.json)",
    ]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"Dockerfile": "FROM python:3.13\n"}, ["Dockerfile"]),
        ({"docker/Dockerfile": "# LABEL io.modelcontextprotocol.server.name=a/b\n"}, ["docker/Dockerfile"]),
        ({"Dockerfile": 'LABEL io.modelcontextprotocol.server.name="io.github.acme/weather"\n'}, []),
        ({"Dockerfile": "FROM x\n", "compose.yaml": "io.modelcontextprotocol.server.name: org.acme/a\n"}, []),
        ({}, []),
    ],
)
def test_an_image_needs_the_label_of_its_server(files: dict[str, str], told: list[str]) -> None:
    image = {
        "registryType": "oci",
        "identifier": "ghcr.io/acme/weather:1.2.0",
        "transport": {"type": "stdio"},
    }
    data = {"name": "io.github.acme/weather", "description": "F.", "version": "1.2.0", "packages": [image]}
    findings = adopted({**project(), **files, "server.json": json.dumps(data)}).plan.findings
    said = [finding for finding in findings if finding.code.slug == "image-without-label"]
    assert [finding.place.path for finding in said] == told
    assert {finding.want for finding in said} <= {
        'LABEL io.modelcontextprotocol.server.name="io.github.acme/weather"'
    }
