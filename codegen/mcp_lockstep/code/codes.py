"""The kinds of findings about Python code, LS35xx: files that cannot be read, registrations, signatures."""

from __future__ import annotations

from mcp_lockstep.findings import Code

NOT_PARSED = Code(
    "LS3501",
    "python-not-parsed",
    "warning",
    "A Python file of the package does not parse.",
    "Code is read, never imported, so a file with a syntax error, or with syntax newer than the running "
    "Python, hides the tools that it registers. No tool is called missing while such a file exists, and the "
    "file is not edited.",
)
NOT_UTF8 = Code(
    "LS3502",
    "python-not-utf8",
    "warning",
    "A Python file of the package is not UTF-8.",
    "Only UTF-8 source is read. No tool is called missing while such a file exists, and the file is not "
    "edited.",
)
DYNAMIC_TOOL = Code(
    "LS3503",
    "dynamic-tool",
    "note",
    "Something is registered whose name or function is only known at run time.",
    "A tool that is registered from a lambda, a loop, another server or a computed name cannot be compared "
    "with the contract. The list of tools is open from then on: none is called missing in code.",
)
DUPLICATE_TOOL = Code(
    "LS3504",
    "duplicate-tool",
    "error",
    "Two functions are registered under one name on one server.",
    "The SDKs only log it: mcp keeps the first function, fastmcp the last. Rename or remove one of the two.",
)
