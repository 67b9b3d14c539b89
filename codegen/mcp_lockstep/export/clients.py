"""A client's configuration for one server: the common `mcpServers` form, and the one of VS Code with `inputs`."""

from __future__ import annotations

from typing import Literal

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import JsonObject, as_object
from mcp_lockstep.export import codes
from mcp_lockstep.findings import Finding, Refused
from mcp_lockstep.launch.derive import Launch, Variable, Word, launches, value_word
from mcp_lockstep.launch.package import Input, Remote, Setting, remotes_of
from mcp_lockstep.rules.manifest import text

Form = Literal["common", "vscode"]

_HTTP = {"streamable-http": "http", "sse": "sse"}


class _Asked:
    """What stands for inputs in the configuration, and those that the user is asked for."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.inputs: dict[str, Input] = {}

    def filled(self, word: Word) -> str:
        """The word with defaults in it, and a place for every answer that has none."""
        return word.filled(self._answer)

    def _answer(self, one: Input) -> str:
        if one.default is not None and not one.secret:
            return one.default
        self.inputs[one.name] = one
        return f"${{input:{one.name}}}" if self.form == "vscode" else f"<{one.name}>"


def client_config(document: JsonDocument, form: Form) -> JsonObject:
    """The configuration for the first package that speaks stdio, else the first remote, else the first package.

    What only the user knows is `<NAME>` in the common form and an input in that of VS Code. Refused where
    server.json names nothing that a client could use.
    """
    asked, data = _Asked(form), as_object(document.data) or {}
    name = text(data.get("name")).rpartition("/")[2] or "server"
    entry = _entry(data, asked)
    if not entry:
        message = f"{document.path} names no package that clients start, and no remote"
        raise Refused(Finding(codes.NOTHING_TO_EXPORT, document.place(""), message))
    if form == "common":
        return {"mcpServers": {name: entry}}
    inputs = [_prompt(one) for one in asked.inputs.values()]
    return {**({"inputs": inputs} if inputs else {}), "servers": {name: entry}}


def _entry(data: JsonObject, asked: _Asked) -> JsonObject:
    """How to reach the server; empty where server.json says no way."""
    derived = [launch for launch in launches(data) if launch.words]
    for launch in derived:
        if launch.transport == "stdio":
            return _command(launch, asked)
    remotes = remotes_of(data)
    if remotes:
        return _remote(remotes[0], asked)
    for launch in derived:
        settings = (*launch.source.arguments, *launch.source.environment)
        return _address(launch.transport, Word(launch.source.url, _url_inputs(settings)), (), asked)
    return {}


def _command(launch: Launch, asked: _Asked) -> JsonObject:
    command, *arguments = (asked.filled(word) for word in launch.words)
    environment = {
        one.name: asked.filled(one.value) for one in map(_wanted, launch.environment) if one.value.text
    }
    entry: JsonObject = {"type": "stdio"} if asked.form == "vscode" else {}
    return {**entry, "command": command, "args": arguments, **({"env": environment} if environment else {})}


def _wanted(variable: Variable) -> Variable:
    """An optional secret is asked for, too: nobody writes it into a file."""
    if variable.value.text or not variable.input.secret:
        return variable
    return variable._replace(value=Word(f"{{{variable.input.name}}}", (variable.input,)))


def _remote(remote: Remote, asked: _Asked) -> JsonObject:
    return _address(remote.transport, Word(remote.url, remote.variables), remote.headers, asked)


def _address(transport: str, url: Word, headers: tuple[Setting, ...], asked: _Asked) -> JsonObject:
    values = {header.flag: asked.filled(value_word(header)) for header in headers if header.flag}
    sent = {name: value for name, value in values.items() if value}
    kind = _HTTP.get(transport, transport)
    return {"type": kind, "url": asked.filled(url), **({"headers": sent} if sent else {})}


def _url_inputs(settings: tuple[Setting, ...]) -> tuple[Input, ...]:
    """What the address of a package may name: variables and arguments, these with their dashes, by their values."""
    named = ((setting.flag or setting.input.name, setting) for setting in settings)
    return tuple(
        setting.input._replace(name=name, default=setting.value or setting.input.default)
        for name, setting in named
    )


def _prompt(one: Input) -> JsonObject:
    picked = bool(one.choices) and not one.secret
    prompt: JsonObject = {
        "type": "pickString" if picked else "promptString",
        "id": one.name,
        "description": one.description or one.name,
    }
    if picked:
        prompt["options"] = list(one.choices)
    if one.secret:
        prompt["password"] = True
    return prompt
