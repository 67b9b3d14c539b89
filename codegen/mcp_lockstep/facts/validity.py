"""Whether what a place says can be the value of its fact at all: a range is no version, one word no server name."""

from __future__ import annotations

from mcp_lockstep.facts.codes import NAME_UNUSABLE, VERSION_UNUSABLE
from mcp_lockstep.facts.normal import is_version
from mcp_lockstep.facts.table import Reading
from mcp_lockstep.findings import Finding
from mcp_lockstep.rules.name import fault_of_name
from mcp_lockstep.rules.version import VERSION_RANGE, fault_of_version


def fault_of(reading: Reading, registry: str = "official") -> str:
    """Why the value of a reading decides nothing, as the end of a sentence; empty where it can be the fact's value."""
    if reading.state != "known" or reading.value is None:
        return ""
    match reading.fact:
        case "version":
            return _fault_of_version(reading, reading.value)
        case "name" if registry == "official":
            return fault_of_name(reading.value)
        case _:
            return ""


def unusable(reading: Reading, fault: str) -> Finding:
    """The finding about a value that decides nothing; it has no position yet."""
    code, words, want = (
        (NAME_UNUSABLE, "the server name", "NAMESPACE/NAME")
        if reading.fact == "name"
        else (VERSION_UNUSABLE, "the version", "an exact version")
    )
    message = f"{words} is {reading.value!r}: {fault}; it is not compared, and no place follows it"
    hint = f"write {want} by hand"
    return Finding(code, reading.place, message, have=reading.value, want=want, hint=hint, fact=reading.fact)


def _fault_of_version(reading: Reading, value: str) -> str:
    code, reason, _ = fault_of_version(value)
    # The registry takes some pre-releases for ranges (1.0.0-next.1); to everybody else they are versions.
    by_accident = code is VERSION_RANGE and value.strip().partition("-")[0].replace(".", "").isdigit()
    if code is not None and not by_accident:
        return reason.replace("which", "it", 1)
    if any(char.isspace() for char in value.strip()):
        return "it has a space in it"
    if reading.home == "pyproject" and not is_version(value):
        return "it is no version in the sense of PEP 440"
    return ""
