"""Whether what clients fill in can be filled in: templates, switches, and values that only a shell would read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.findings import Severity
from mcp_lockstep.launch import codes
from mcp_lockstep.launch.derive import is_switch
from mcp_lockstep.launch.package import Package, Setting
from mcp_lockstep.placeholders import template_names
from mcp_lockstep.rules.manifest import Fault, field, shown

_SHELL = r"\$\{([A-Za-z_][\w.:-]*)\}"
_STAMPED = r"(?i)version|tag|sha|commit|build"
"""Names that a release job fills in; those are judged on the rendered copy."""


def templates(package: Package) -> Iterator[Fault]:
    """Values have `{x}` in them, not `${X}`, and `x` is declared."""
    for setting in _settings(package):
        value = setting.value if setting.value is not None else setting.default
        if value is None:
            continue
        here = setting.at.to("default" if setting.value is None else "value")
        names = re.findall(_SHELL, value) if "$" in value else ()
        shell = [name for name in names if not re.search(_STAMPED, name)]
        if shell:
            yield _shell(package, here, value, shell[0])
        elif setting.value is not None and "{" in value:
            yield from _undeclared(setting, here, value)


def switches(package: Package) -> Iterator[Fault]:
    """A flag that may be left out is no named argument."""
    for setting in package.arguments:
        boolean, one = setting.at.text("format") == "boolean", setting.input
        if one.required or not setting.flag:
            continue
        if is_switch(setting):
            message = (
                f"{field(setting.pointer)}: clients write {shown(setting.flag)} whether it is wanted or not."
            )
            hint = "Let an environment variable switch it, or give the flag a value."
            if not boolean:
                hint = 'Add "isRequired": true if it has to be there; else let an environment variable switch it.'
            level: Severity | None = None if boolean else "note"
            yield Fault(codes.SWITCH_ALWAYS_ON, setting.pointer, message, setting.flag, None, hint, level)
        elif boolean and setting.value is None and one.default in ("true", "false"):
            written = f"{setting.flag} {one.default}"
            message = f"{field(setting.pointer)}: clients write {shown(written)}, which a flag without a value refuses."
            hint = 'Keep it if the program takes "true" and "false" there; else let an environment variable switch it.'
            yield Fault(codes.SWITCH_ALWAYS_ON, setting.pointer, message, written, None, hint, "note")


def single_words(package: Package) -> Iterator[Fault]:
    """A flag and its value are two words of a command."""
    for setting in (*package.runtime, *package.arguments):
        value = setting.value or ""
        if setting.flag or not value.startswith("-"):
            continue
        if found := re.fullmatch(r"(--?[A-Za-z][\w-]*)\s+(\S.*)", value):
            here = setting.at.to("value")
            message = f"{field(here)} is {shown(value)}, which reaches the program as one word."
            hint = f'Write a named argument with "name": {shown(found[1])} and "value": {shown(found[2])}.'
            yield Fault(codes.SEVERAL_WORDS, here, message, value, None, hint)


def _settings(package: Package) -> tuple[Setting, ...]:
    return (*package.runtime, *package.arguments, *package.environment, *package.headers)


def _shell(package: Package, here: str, value: str, name: str) -> Fault:
    message = f"{field(here)} is {shown(value)}; clients leave `${{{name}}}` as it stands."
    if name in {setting.flag for setting in package.environment}:
        hint = f"The variable {name} is declared and reaches the server by itself; name no value for it here."
    else:
        meant = re.sub(r"\W+", "_", name.rpartition(":")[2]).lower()
        hint = f'Write {{{meant}}} and add "variables": {{"{meant}": {{"isRequired": true}}}} beside it.'
    return Fault(codes.SHELL_VARIABLE, here, message, value, None, hint)


def _undeclared(setting: Setting, here: str, value: str) -> Iterator[Fault]:
    declared = {variable.name for variable in setting.variables}
    for name in dict.fromkeys(template_names(value)):
        if name not in declared:
            message = f"{field(here)} is {shown(value)}; `variables` beside it has no {shown(name)}."
            hint = f'Add "variables": {{{shown(name)}: {{"isRequired": true}}}}.'
            yield Fault(codes.VARIABLE_UNDECLARED, here, message, value, None, hint)
