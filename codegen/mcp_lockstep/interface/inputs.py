"""Inputs of server.json as a program reads them: environment variables, headers and arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mcp_lockstep.contract.model import Argument, Variable
from mcp_lockstep.launch.derive import is_switch
from mcp_lockstep.launch.package import Input, Setting, setting_at
from mcp_lockstep.placeholders import template_names
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.manifest import At, JsonObject


class _Settled(NamedTuple):
    """What is known of a value before the program starts: what it always is, what it is otherwise, if it must be."""

    value: str | None
    default: str | None
    required: bool


def variable_of(item: JsonObject) -> Variable:
    """An environment variable or a header."""
    setting = setting_at(At("", item))
    one, settled = setting.input, _settled(setting)
    return Variable(
        setting.flag,
        one.description,
        settled.required,
        one.secret,
        settled.value,
        settled.default,
        one.choices,
        one.format,
        item,
    )


def argument_of(item: JsonObject) -> Argument:
    """An argument of the command line."""
    setting = setting_at(At("", item))
    one, settled = setting.input, _settled(setting)
    hint = item.get("valueHint")
    return Argument(
        setting.flag,
        one.description,
        settled.required,
        item.get("isRepeated") is True,
        settled.value,
        hint if isinstance(hint, str) else "",
        settled.default,
        one.choices,
        one.format,
        is_switch(setting),
        item,
    )


def _settled(setting: Setting) -> _Settled:
    """A value with holes in it is what the user's answers make of it, and always there."""
    one, answers = setting.input, {variable.name: variable for variable in setting.variables}
    names = [name for name in template_names(setting.value or "") if name in answers]
    if setting.value is None or not names:
        return _Settled(setting.value, one.default, one.required)
    if any(answers[name].default is None for name in names):
        return _Settled(None, None, one.required or any(answers[name].required for name in names))
    filled = re.sub(r"\{([^{}]+)\}", lambda hole: _answer(answers, hole), setting.value)
    return _Settled(None, filled, one.required)


def _answer(answers: Mapping[str, Input], hole: re.Match[str]) -> str:
    answer = answers[hole[1]].default if hole[1] in answers else None
    return hole[0] if answer is None else answer
