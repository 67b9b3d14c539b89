"""Kinds of findings about exports, LS275x."""

from __future__ import annotations

from mcp_lockstep.findings import Code

NOTHING_TO_EXPORT = Code(
    "LS2750",
    "nothing-to-export",
    "error",
    "There is nothing that could be exported in this form.",
    "Exports are made from server.json, a client's configuration from its packages or remotes.",
    exit=2,
)
LIST_CANNOT_CARRY = Code(
    "LS2751",
    "list-cannot-carry",
    "warning",
    "Something in server.json has no place in a registry list.",
    "A registry list takes one package of npm, pypi or oci, one remote, and plain values: no flags, nothing that a "
    "user is asked for. What it cannot carry is left out, or written as its default.",
)
AUTHOR_MISSING = Code(
    "LS2752",
    "bundle-author-missing",
    "warning",
    "A bundle names its author, and the project names none.",
    "The owner in the server's name was taken. Write `authors` in `[project]`.",
)
SECRET_LEFT_OUT = Code(
    "LS2753",
    "secret-not-exported",
    "warning",
    "server.json holds a secret, which is not exported.",
    "Exports are passed on. Clients ask for a value that is declared with `isSecret` and without `value` and "
    "`default`; what was published once has to be revoked.",
)

CODES = (NOTHING_TO_EXPORT, LIST_CANNOT_CARRY, AUTHOR_MISSING, SECRET_LEFT_OUT)
