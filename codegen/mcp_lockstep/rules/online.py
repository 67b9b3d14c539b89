"""Rules of the official registry that nobody can judge from files: named, so that `explain` knows them, never reported.

They look at what is published elsewhere or registered already, or at who asks.
"""

from __future__ import annotations

from mcp_lockstep.findings import Code

NOT_SIGNED_IN = Code(
    "LS2500",
    "registry-sign-in",
    "error",
    "Publishing needs a token, and the one that was sent is missing, expired or wrong.",
    "The registry answers with status 401. Sign in again with the registry's own program.",
)
NAMESPACE_NOT_YOURS = Code(
    "LS2501",
    "registry-namespace-not-yours",
    "error",
    "The token does not allow names in the namespace of the server.",
    "The registry answers with status 403. io.github.LOGIN/ belongs to a login exactly as GitHub spells it, or to "
    "an organisation of which you are an owner; a reversed domain belongs to whoever proves it by DNS or HTTP.",
)
VERSION_TAKEN = Code(
    "LS2502",
    "registry-version-taken",
    "error",
    "The server has this version in the registry already.",
    "A published version never changes, not even after it was deleted: raise `version`. A suffix like `-1` sorts "
    "below the version without it.",
)
VERSIONS_FULL = Code(
    "LS2503",
    "registry-versions-full",
    "error",
    "The server has 10,000 versions in the registry.",
    "That is the limit for one name.",
)
REMOTE_TAKEN = Code(
    "LS2504",
    "registry-remote-taken",
    "error",
    "Another server in the registry has the same remote address.",
    "An address belongs to the name that published it first; a deprecated entry keeps it, a deleted one does not. "
    "After a change of name delete the old entry first. Ignoring deprecated ones was proposed.",
)
REPOSITORY_UNREACHABLE = Code(
    "LS2505",
    "registry-repository-unreachable",
    "note",
    "The address of the repository does not answer.",
    "Asking it was proposed for the registry, and not decided when this was written.",
)
PYPI_NOT_PROVEN = Code(
    "LS2510",
    "registry-pypi-not-proven",
    "error",
    "The release on PyPI is not there, or its description does not name the server.",
    "The registry reads the description of exactly the version in `packages`: release there first, with "
    "`mcp-name: NAME` in the README. `mcp-lockstep check` judges the README before the release.",
)
NPM_NOT_PROVEN = Code(
    "LS2511",
    "registry-npm-not-proven",
    "error",
    "The release on npm is not there, or its `mcpName` is not the server's name.",
    "`mcpName` in package.json has to equal the name letter by letter, in exactly the version that `packages` names.",
)
NUGET_NOT_PROVEN = Code(
    "LS2512",
    "registry-nuget-not-proven",
    "error",
    "The release on NuGet is not there, or its README does not name the server.",
    "The README of exactly the version in `packages` needs the text `mcp-name: NAME`.",
)
CARGO_NOT_PROVEN = Code(
    "LS2513",
    "registry-cargo-not-proven",
    "error",
    "The release of a crate is not there, or its README does not name the server.",
    "The text `mcp-name: NAME` has to be visible there: comments are removed from what that registry shows.",
)
IMAGE_NOT_PROVEN = Code(
    "LS2514",
    "registry-image-not-proven",
    "error",
    "The image cannot be pulled by everybody, or its label does not name the server.",
    "The label `io.modelcontextprotocol.server.name` in the image's configuration has to equal the name. A registry "
    "of images that answers with status 429 is taken for a yes.",
)
BUNDLE_UNREACHABLE = Code(
    "LS2515",
    "registry-bundle-unreachable",
    "error",
    "The address of a bundle does not answer with status 200.",
    "Upload the release asset first. Its hash is not compared.",
)
GO_NOT_PROVEN = Code(
    "LS2516",
    "registry-go-not-proven",
    "note",
    "The version of a Go module is not on the proxy.",
    "Packages of this kind were proposed for the registry, and not decided when this was written.",
)
REGISTRY_INTERNAL = Code(
    "LS2519",
    "registry-internal",
    "error",
    "The registry could not read its own schema, or what it was sent.",
    "Nothing in a file that `mcp-lockstep validate` takes leads there. Send the file again, or tell the registry.",
    registry="schema-parse-error schema-missing-id schema-resource-error schema-compile-error "
    "schema-validation-error json-marshal-error json-unmarshal-error",
)

_ONLINE = frozenset(
    (
        NOT_SIGNED_IN,
        NAMESPACE_NOT_YOURS,
        VERSION_TAKEN,
        VERSIONS_FULL,
        REMOTE_TAKEN,
        REPOSITORY_UNREACHABLE,
        PYPI_NOT_PROVEN,
        NPM_NOT_PROVEN,
        NUGET_NOT_PROVEN,
        CARGO_NOT_PROVEN,
        IMAGE_NOT_PROVEN,
        BUNDLE_UNREACHABLE,
        GO_NOT_PROVEN,
        REGISTRY_INTERNAL,
    )
)


def needs_network(code: Code) -> bool:
    """Whether only the registry itself can tell: no command of ours reports such a code."""
    return code in _ONLINE
