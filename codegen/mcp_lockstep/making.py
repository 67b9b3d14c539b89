"""The door between the keeping half and the making half: what needs `[gen]` is loaded here, and only when needed."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from mcp_lockstep.findings import Code, Finding, Place, Refused

MAKING_HALF_MISSING = Code(
    "LS0302",
    "making-half-missing",
    "error",
    "The command makes code, and the packages for that are not installed.",
    "`pip install mcp-lockstep` is the keeping half; `pip install 'mcp-lockstep[gen]'` adds the making half.",
    exit=2,
)
CODES = (MAKING_HALF_MISSING,)
_PACKAGES = frozenset({"black", "datamodel_code_generator", "jinja2", "jsonschema", "libcst", "pydantic"})


@contextmanager
def making(what: str) -> Generator[None]:
    """Where the making half is needed. Refused with the command to type where it is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        message = f"{what} needs the making half of mcp-lockstep, and {error.name} is not installed"
        hint = "pip install 'mcp-lockstep[gen]'"
        raise Refused(Finding(MAKING_HALF_MISSING, Place(""), message, hint=hint)) from None
