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
SIGNATURE_BEHIND = Code(
    "LS3510",
    "signature-behind",
    "error",
    "The contract changed a parameter that the function still has as it was.",
    "The contract owns the arguments of a tool. `sync` edits that one parameter of the function and leaves "
    "its order, comments, decorators and body alone.",
)
SIGNATURE_CONFLICT = Code(
    "LS3511",
    "signature-conflict",
    "error",
    "The contract and the function changed the same parameter, each in its own way.",
    "Nothing is written for the tool until one side is taken: edit the function or the contract, or name the "
    "place that shall win with `sync --accept PLACE`.",
    exit=3,
)
PARAMETER_CHANGED = Code(
    "LS3512",
    "parameter-changed-in-code",
    "error",
    "The function requires a parameter, or gives it a default, otherwise than the contract.",
    "A client sees the contract and leaves out what has a default there. The contract is never written from "
    "code: change one of the two.",
)
PARAMETER_UNKNOWN = Code(
    "LS3513",
    "parameter-only-in-code",
    "error",
    "The function has a parameter that the contract does not name.",
    "No client passes it. Add it to the contract, or take it out of the function. A renamed argument belongs "
    "into `[tool.mcp-lockstep.renames]`.",
)
PARAMETER_LOST = Code(
    "LS3514",
    "parameter-missing-in-code",
    "error",
    "The function lost a parameter that the contract names.",
    "A client that passes the argument gets an error. Put the parameter back, or take it out of the contract.",
)
ANNOTATION_CHANGED = Code(
    "LS3515",
    "annotation-changed-in-code",
    "note",
    "The function annotates a parameter or its result otherwise than the contract's types.",
    "Annotations of a function are its author's: they are kept, and the arguments are checked against the "
    "contract in any case.",
)
PARAMETER_STILL_USED = Code(
    "LS3516",
    "parameter-still-used",
    "warning",
    "The body uses a parameter that the contract has removed or renamed.",
    "Bodies are never edited. Without the parameter the name is undefined when the line runs.",
)
POSITIONAL_ONLY = Code(
    "LS3517",
    "positional-only-parameter",
    "error",
    "A parameter of a tool is positional-only.",
    "Arguments are passed by name. Take the `/` out of the parameter list.",
)
FUNCTION_KEPT = Code(
    "LS3518",
    "function-kept",
    "note",
    "A function marked `# mcp-lockstep: keep` is out of step with the contract.",
    "The comment says that the function is left alone. Remove the comment to have it compared and edited.",
)
NAME_TAKEN = Code(
    "LS3519",
    "name-taken",
    "error",
    "A name that the contract asks for already means something else here.",
    "An edit would change the meaning of the user's code. Rename what stands in the way.",
)
NOT_EDITABLE = Code(
    "LS3520",
    "signature-not-editable",
    "error",
    "The parameter list cannot be edited by rule.",
    "The result of the edit would not be the signature that the contract asks for, so nothing is written. "
    "Edit the function by hand.",
)
ORPHAN = Code(
    "LS3521",
    "orphaned-function",
    "warning",
    "A function is registered under a name that the contract does not have.",
    "The function is kept: it may hold work, or wait for the contract. `sync --prune` removes it when it is an "
    "untouched stub.",
)
NOT_IMPLEMENTED = Code(
    "LS3522",
    "tool-not-implemented",
    "error",
    "No function is registered for a tool of the contract.",
    "A client that calls the tool gets an error, and a generated server does not start. `sync` writes a stub.",
)
MODEL_GONE = Code(
    "LS3523",
    "model-gone",
    "error",
    "A module imports a generated model that does not exist.",
    "The contract no longer asks for the model, so the import fails and the server does not start. `sync` takes out "
    "an import that nothing uses; what uses it is for its author to change.",
)
