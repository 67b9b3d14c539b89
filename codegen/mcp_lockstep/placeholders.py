"""What is filled in later: by a release job (`{{X}}`, `${X}`, `$X`, `@X@`, `__X__`), by a client (`{x}`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.records import NamedTuple

_PATTERN = (
    r"\$?\{\{\s*(?P<braces>[^{}]*?)\s*\}\}"
    r"|\$\{(?P<curly>\w+)\}"
    r"|\$(?P<bare>[A-Za-z_]\w*)"
    r"|@(?P<at>[A-Z][A-Z0-9_]*)@"
    r"|__(?P<dunder>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)__"
)

_INPUTS = frozenset(
    {"runtimeArguments", "packageArguments", "environmentVariables", "headers", "variables"}
    | {"runtime_arguments", "package_arguments", "environment_variables"}
)


_HOLE = r"(?<!\$)\{([A-Za-z_][\w.-]*)\}"


class Placeholder(NamedTuple):
    """One placeholder in a text: its name, where it stands, and whether a shell would read it too (`$X`, `${X}`)."""

    name: str
    start: int
    end: int
    shell: bool

    @property
    def last(self) -> str:
        """The last part of a dotted name: `VERSION` of `env.VERSION`, `Version` of `.Version`."""
        return self.name.rpartition(".")[2].strip()


def placeholders(text: str) -> Iterator[Placeholder]:
    """Every placeholder in `text`, from left to right."""
    # Nearly no text has these characters; compiling the pattern costs as much as several rules.
    if "$" in text or "@" in text or "{{" in text or "__" in text:
        return map(_placeholder, re.finditer(_PATTERN, text))
    return iter(())


def _placeholder(found: re.Match[str]) -> Placeholder:
    name = next(group for group in found.groups() if group is not None)
    return Placeholder(name, *found.span(), shell=found.lastgroup in ("curly", "bare"))


def is_template(text: str) -> bool:
    """Whether a release job fills something into `text`."""
    return next(placeholders(text), None) is not None


def is_free(path: tuple[str | int, ...]) -> bool:
    """Whether a text of server.json is not the registry's to understand: what users fill in, and `_meta`.

    There a shell's `$X` is text like any other, and no release job fills it.
    """
    return path[:1] == ("_meta",) or not _INPUTS.isdisjoint(part for part in path if isinstance(part, str))


def is_free_template(text: str) -> bool:
    """Whether a release job fills something into a text that users fill in: `{{X}}`, not `$X`."""
    return any(not found.shell for found in placeholders(text))


def template_names(value: str) -> tuple[str, ...]:
    """The names between braces in `value`; `${x}` belongs to a shell, and JSON in braces is no name."""
    return tuple(re.findall(_HOLE, value)) if "{" in value else ()


def without_holes(value: str) -> str:
    """What is left of a template beside its `{names}`, a space in place of each."""
    return re.sub(_HOLE, " ", value)
