"""Rules for packages: what each kind of package registry asks for, and forbids, beyond the schema."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import Fault, Manifest, Package, field, is_template, plain, shown, since

SPACES = Code(
    "LS2100",
    "package-name-has-spaces",
    "error",
    "A package's `identifier` has a space in it.",
    "No package registry has such names. Arguments belong into `packageArguments`.",
    registry="package-name-has-spaces",
)
TYPE_UNSUPPORTED = Code(
    "LS2101",
    "registry-type-unsupported",
    "error",
    "`registryType` names a kind of registry that is not supported.",
    "Supported are pypi, npm, nuget, cargo, oci and mcpb, spelt like that. Only publishing checks it; "
    "validation alone lets any text pass.",
)
IDENTIFIER_EMPTY = Code(
    "LS2102",
    "package-identifier-empty",
    "error",
    "A package's `identifier` is empty.",
    "It is the name to install: a distribution, an image reference or the address of a bundle.",
)
VERSION_REQUIRED = Code(
    "LS2103",
    "package-version-required",
    "error",
    "A package has no `version`.",
    "For pypi, npm, nuget and cargo the registry looks up exactly this version when the file is published. "
    "It must be released there first.",
)
HASH_FORBIDDEN = Code(
    "LS2104",
    "file-hash-forbidden",
    "error",
    "`fileSha256` stands in a package that is no bundle.",
    "Only mcpb packages have one file whose hash could be compared.",
)
BASE_URL_WRONG = Code(
    "LS2105",
    "registry-base-url-wrong",
    "error",
    "`registryBaseUrl` is not the address of the public registry.",
    "The official registry compares it letter by letter, final slash and all. It is best left out.",
)

LOCAL_VERSION = Code(
    "LS2106",
    "local-version",
    "warning",
    "The version of a pypi package has a local part (`+...`).",
    "PyPI takes no such releases, so the registry does not find this one. Build the release from a tag, or set the "
    "version without it.",
)

BASE_URLS = {
    "pypi": "https://pypi.org",
    "npm": "https://registry.npmjs.org",
    "nuget": "https://api.nuget.org/v3/index.json",
    "cargo": "https://crates.io",
}
"""The only `registryBaseUrl` that each named registry may have."""

TYPES = (*BASE_URLS, "oci", "mcpb")
_FORMER_NUGET = "https://api.nuget.org"
_MEANT_TYPES = {
    "pip": "pypi",
    "python": "pypi",
    "uvx": "pypi",
    "node": "npm",
    "npx": "npm",
    "docker": "oci",
    "docker-hub": "oci",
    "dockerhub": "oci",
    "ghcr": "oci",
    "crates": "cargo",
    "crates.io": "cargo",
    "dxt": "mcpb",
}


def identifiers(_manifest: Manifest, package: Package) -> Iterator[Fault]:
    """Every identifier is a name without spaces."""
    identifier, here = package.identifier, package.at.to("identifier")
    if package.at.data.get("identifier") == "":
        message = f"{field(here)} is empty; the name of the package is wanted."
        yield Fault(
            IDENTIFIER_EMPTY, here, message, have='""', want="the name of the package", hint=_name_of(package)
        )
    elif " " in identifier and not is_template(identifier):
        message = f"{field(here)} is {shown(identifier)}; a name without spaces is wanted."
        yield Fault(
            SPACES,
            here,
            message,
            identifier,
            "a name without spaces",
            "Arguments have a field of their own.",
        )


def _name_of(package: Package) -> str:
    match package.kind:
        case "oci":
            return "Write the image with its tag: ghcr.io/OWNER/NAME:VERSION."
        case "mcpb":
            return "Write the address that the bundle is downloaded from."
        case kind:
            return f"Write the name that the package has {f'on {kind}' if kind in BASE_URLS else 'there'}."


def registry_types(_manifest: Manifest, package: Package) -> Iterator[Fault]:
    """Every package is of a kind that the registry knows."""
    kind = package.at.data.get("registryType")
    if not isinstance(kind, str) or kind in TYPES or is_template(kind):
        return
    folded = kind.strip().lower()
    meant = folded if folded in TYPES else _MEANT_TYPES.get(folded)
    here = package.at.to("registryType")
    yield Fault(
        TYPE_UNSUPPORTED,
        here,
        f"{field(here)} is {shown(kind)}; the registry knows {', '.join(TYPES)}.",
        have=kind,
        want=meant or ", ".join(TYPES),
        hint=f'Write "{meant}".'
        if meant
        else "Publish it in one of these as well, or offer it under `remotes`.",
    )


def released(_manifest: Manifest, package: Package) -> Iterator[Fault]:
    """A package with a name in a registry has a version, and no hash."""
    if "version" not in package.at.data:
        yield Fault(
            VERSION_REQUIRED,
            package.at.to("version"),
            f"{field(package.at.pointer)} has no `version`; the registry asks for one of every {package.kind} "
            "package.",
            want="an exact version",
            hint="Add the version that is released there.",
        )
    if package.at.data.get("fileSha256"):
        yield hash_forbidden(package)


def local_versions(_manifest: Manifest, package: Package) -> Iterator[Fault]:
    """A package on PyPI has a version that can be uploaded there."""
    version = package.version
    public, plus, _ = version.partition("+")
    if plus and not is_template(version) and public[:1].isdigit():
        here = package.at.to("version")
        message = f"{field(here)} is {shown(version)}; PyPI takes no version with a local part."
        yield Fault(LOCAL_VERSION, here, message, version, public, f"Release and write {public}.")


def hash_forbidden(package: Package) -> Fault:
    """`fileSha256` in a package that is no bundle."""
    here = package.at.to("fileSha256")
    message = f"{field(here)} is set; the registry refuses it in {package.kind} packages."
    return Fault(HASH_FORBIDDEN, here, message, shown(package.at.data["fileSha256"]), None, "Remove it.")


def base_urls(manifest: Manifest, package: Package) -> Iterator[Fault]:
    """The address of a public registry, where it is given, is the usual one."""
    url, want = package.at.text("registryBaseUrl"), BASE_URLS[package.kind]
    if not url or url == want or is_template(url):
        return
    former = url == _FORMER_NUGET
    usual = former or url.rstrip("/").lower() == want
    elsewhere = (
        f'Release it at {want} and remove the key; for a registry of your own set `registry = "private"`.'
    )
    here = package.at.to("registryBaseUrl")
    yield Fault(
        BASE_URL_WRONG,
        here,
        f"{field(here)} is {shown(url)}; the registry takes {want} or nothing.",
        have=plain(url),
        want=want,
        hint="Remove the key: it is the default." if usual else elsewhere,
        # The older address is still in the registry's manual, but not in the code that was read.
        level=(since(manifest, "2025-12-11") or "warning") if former else None,
    )
