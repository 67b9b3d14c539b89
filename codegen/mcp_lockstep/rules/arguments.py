"""Rules for arguments and environment variables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.findings import Code
from mcp_lockstep.placeholders import is_free_template
from mcp_lockstep.rules.manifest import At, Fault, Manifest, Package, elements, field, shown

NAME_REQUIRED = Code(
    "LS2160",
    "named-argument-name-required",
    "error",
    "A named argument has an empty `name`.",
    "The name is the flag as it is typed, dashes and all. An argument without a flag is of type positional.",
    registry="named-argument-name-required",
)
NAME_INVALID = Code(
    "LS2161",
    "invalid-named-argument-name",
    "error",
    "The `name` of a named argument is more than a flag.",
    "It holds the flag only: no value, no space, no `<`, `>` or `$`.",
    registry="invalid-named-argument-name",
)
VALUE_REPEATS_NAME = Code(
    "LS2162",
    "argument-value-starts-with-name",
    "error",
    "The `value` of a named argument repeats its flag.",
    "Clients put the flag in front of the value, so that it would stand there twice.",
    registry="argument-value-starts-with-name",
)
DEFAULT_REPEATS_NAME = Code(
    "LS2163",
    "argument-default-starts-with-name",
    "error",
    "The `default` of a named argument repeats its flag.",
    "Clients put the flag in front of the value, so that it would stand there twice.",
    registry="argument-default-starts-with-name",
)
ENV_NAME = Code(
    "LS2164",
    "env-name-not-portable",
    "warning",
    "The name of an environment variable cannot be set from a shell.",
    "Letters, digits and underscores, no digit first: anything else cannot be exported by a POSIX shell.",
)
DEFAULT_NO_CHOICE = Code(
    "LS2165",
    "default-not-a-choice",
    "warning",
    "The `default` is none of the `choices`.",
    "A client that offers the choices cannot show the default, and one that checks refuses it.",
)

_REPEATS = (("value", VALUE_REPEATS_NAME), ("default", DEFAULT_REPEATS_NAME))


def named_arguments(_manifest: Manifest, package: Package) -> Iterator[Fault]:
    """A named argument has a flag, and has it once."""
    for argument in package.arguments:
        name = argument.data.get("name")
        if argument.text("type") == "named" and isinstance(name, str) and not is_free_template(name):
            yield from _named(argument, name)


def _named(argument: At, name: str) -> Iterator[Fault]:
    here = argument.to("name")
    if not name:
        message = f"{field(here)} is empty; the flag is wanted."
        yield Fault(NAME_REQUIRED, here, message, '""', "a flag", 'Write the flag, or "type": "positional".')
        return
    strange = next((c for c in name if c in "<> $"), "")
    if strange:
        message = (
            f"{field(here)} is {shown(name)}, with the character {shown(strange)}; the flag alone is wanted."
        )
        flag = re.split(r"[<> $=]", name)[0].rstrip("-")
        hint = "Write the flag as it is typed, without what a user chooses."
        if flag:
            hint = f'Write "{flag}" here and what follows as `value` or `valueHint`.'
        yield Fault(NAME_INVALID, here, message, name, flag or "a flag", hint)
    for key, code in _REPEATS:
        value = argument.text(key)
        if value.startswith(name):
            rest = value[len(name) :].lstrip("= ")
            message = f"{field(argument.to(key))} is {shown(value)}, which repeats the flag {shown(name)}."
            hint = f"Write {shown(rest)}." if rest else f"Remove `{key}`: the flag alone needs none."
            yield Fault(code, argument.to(key), message, value, rest or None, hint)


def variable_names(_manifest: Manifest, package: Package) -> Iterator[Fault]:
    """Environment variables can be set from a shell."""
    for variable in package.variables:
        name = variable.text("name")
        if not name or (name.isascii() and name.isidentifier()) or is_free_template(name):
            continue
        meant = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").upper()
        meant = f"_{meant}" if meant[:1].isdigit() else meant
        here = variable.to("name")
        message = f"{field(here)} is {shown(name)}; letters, digits and underscores are wanted."
        hint = f"Call it {meant}, here and in the code." if meant else ""
        yield Fault(ENV_NAME, here, message, name, meant or None, hint)


def choices(manifest: Manifest) -> Iterator[Fault]:
    """A default is one of the choices."""
    for at in manifest.inputs:
        if "choices" not in at.data:
            continue
        default, allowed = at.data.get("default"), elements(at.data["choices"])
        if isinstance(default, str) and default and allowed and default not in allowed:
            listed = ", ".join(map(shown, allowed[:8]))
            here = at.to("default")
            message = f"{field(here)} is {shown(default)}; one of the choices is wanted: {listed}."
            yield Fault(
                DEFAULT_NO_CHOICE, here, message, default, listed, "Add it to `choices`, or take another."
            )
