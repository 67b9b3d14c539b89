"""The codes of what keeps a project from being adopted: `LS011x`."""

from __future__ import annotations

from mcp_lockstep.findings import Code

NAME_UNKNOWN = Code(
    "LS0111",
    "server-name-unknown",
    "error",
    "Nothing in the project says what the server is called in the registry.",
    "A published name never changes, so none is made up. Give it with `--name NAMESPACE/NAME`, or put it into "
    "`[tool.mcp-lockstep]`, server.json or the ownership marker of the README. A repository on GitHub gives "
    "io.github.OWNER/NAME by itself; one on another host gives no namespace that a login could prove.",
)
DESCRIPTION_UNKNOWN = Code(
    "LS0112",
    "server-description-unknown",
    "error",
    "Nothing in the project says in a hundred characters what the server does.",
    "server.json needs one sentence. Write it as `description` in pyproject.toml, in place of any sample text, or "
    "right behind the heading of the README, and run `mcp-lockstep adopt` again.",
)
PACKAGE_UNKNOWN = Code(
    "LS0113",
    "published-package-unknown",
    "error",
    "Nothing in the project says how clients get the server.",
    "A distribution for PyPI has a name and a version in pyproject.toml; an image stands, with its host and a tag that "
    "stays, in a workflow or a compose file that builds it. Else write a server.json with `remotes`, or with "
    '`"packages": [{"registryType": "oci", "identifier": "HOST/OWNER/NAME:TAG", "transport": {"type": "stdio"}}]`, and '
    "run `mcp-lockstep adopt` again: it fills in the rest.",
)
NOTHING_TO_ADOPT = Code(
    "LS0114",
    "nothing-to-adopt",
    "error",
    "The folder holds no server: no server.json, and no distribution that a build describes.",
    "Name the folder of the project. `mcp-lockstep new` makes a server where there is none.",
    exit=2,
)
HOOK_IMPOSSIBLE = Code(
    "LS0115",
    "build-hook-impossible",
    "warning",
    "The build of this project cannot take the hook.",
    "The hook goes into hatchling, setuptools, pdm-backend, or in front of uv_build, flit, poetry-core, meson-python "
    "and scikit-build-core, named in `[build-system]` of pyproject.toml; all but hatchling look for the configuration "
    "in that file alone. Elsewhere let a release job run `mcp-lockstep check`.",
)
VERSION_UNKNOWN = Code(
    "LS0116",
    "server-version-unknown",
    "error",
    "Nothing in the project says which version it is.",
    "server.json needs one. Write it as `version` in `[project]`, or list it in `dynamic` if the build makes it.",
)
NAMED_ALREADY = Code(
    "LS0117",
    "server-named-already",
    "error",
    "The server has another name than the one that was given.",
    "A published name never changes, and nothing renames a server by itself. Leave `--name` out, or change the name "
    "in the configuration and in server.json first.",
    exit=2,
)
NAME_OF_SEVERAL = Code(
    "LS0118",
    "server-name-of-several",
    "error",
    "Several servers would get one name.",
    "A registry knows a server by its name: each needs its own. Adopt the folders one after the other with `--name`, "
    "or list those that are servers as `[[servers]]` in the configuration of the folder above them.",
    exit=2,
)
ADDRESS_UNKNOWN = Code(
    "LS0119",
    "server-address-unknown",
    "error",
    "The server listens for HTTP, and nothing says in plain text at which address.",
    "Clients start the server and then connect to the `url` of its transport. It is taken from the host, port and path "
    "that the code passes, or the SDK's own where it passes none; what is computed is not guessed. On a terminal "
    "`mcp-lockstep adopt` asks for it; otherwise write a server.json with `packages` and their `transport`, and run it "
    "again: it fills in the rest.",
)
CODES = (
    NAME_UNKNOWN,
    DESCRIPTION_UNKNOWN,
    PACKAGE_UNKNOWN,
    NOTHING_TO_ADOPT,
    HOOK_IMPOSSIBLE,
    VERSION_UNKNOWN,
    NAMED_ALREADY,
    NAME_OF_SEVERAL,
    ADDRESS_UNKNOWN,
)
