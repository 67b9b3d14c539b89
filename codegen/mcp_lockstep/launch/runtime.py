"""Whether the arguments of the runner are the runner's: uvx, npx, docker and dnx each know their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcp_lockstep.facts.normal import normal_identifier
from mcp_lockstep.launch import codes
from mcp_lockstep.launch.derive import CONTAINER_RUNNERS, RUNNERS, runner_of, words_of
from mcp_lockstep.launch.options import Scan, Token, options_of, scan
from mcp_lockstep.launch.package import Package, Setting
from mcp_lockstep.rules.image import parse_reference
from mcp_lockstep.rules.manifest import At, Fault, field, is_template, shown

_SOURCES = {"pypi": ("--from",), "npm": ("-p", "--package")}
"""Options that say which package the command comes from."""

_CLIENTS_OWN = frozenset({"run", "exec", "tool", "x", "uvx", "npx", "docker", "dnx"})
_UNFIT = {
    "pypi": frozenset({"python", "python3", "pip", "node", "npx", "npm", "docker", "dnx"}),
    "npm": frozenset({"node", "uvx", "python", "python3", "docker", "dnx"}),
    "oci": frozenset({"uvx", "npx", "node", "python", "python3", "dnx"}),
    "nuget": frozenset({"uvx", "npx", "node", "python", "python3", "docker"}),
}
_CLOSING = {
    "-d": "the container runs in the background",
    "--detach": "the container runs in the background",
    "-t": "a terminal changes what passes through it",
    "--tty": "a terminal changes what passes through it",
}


def runtime_arguments(package: Package) -> Iterator[Fault]:
    """Every runtime argument is an option of the runner, and leaves the package to the client."""
    known = options_of(runner_of(package))
    if known is None or package.kind not in RUNNERS or is_template(package.identifier):
        return
    tokens = [Token(word.text, setting) for setting in package.runtime for word in words_of(setting)]
    found = scan(tokens, known)
    yield from _sources(package, found)
    if found.free is not None:
        yield _free(package, found, found.free)
    elif known.whole:
        yield from (_unknown(package, token) for token in found.unknown if " " not in token.text)
    if package.kind == "oci" and runner_of(package) in CONTAINER_RUNNERS:
        yield from _container(package, found)


def runtime_hint(at: At, package: Package) -> Iterator[Fault]:
    """The hint names a program that can run packages of the kind."""
    hint = package.hint.strip().lower().removesuffix(".exe").removesuffix(".cmd")
    if hint in _UNFIT.get(package.kind, ()):
        here, fit = _hint_pointer(at), RUNNERS[package.kind]
        message = (
            f"{field(here)} is {shown(package.hint)}, which runs no {package.kind} packages; {fit} does."
        )
        yield Fault(codes.HINT_UNFIT, here, message, package.hint, fit, f'Write "{fit}", or remove the key.')
    elif hint == "uv" and package.kind == "pypi" and not _tool_run(package):
        here = _hint_pointer(at)
        message = f"{field(here)} is {shown(package.hint)}, and of its commands only `uv tool run` takes the "
        message += f"{package.identifier}@VERSION that clients write."
        hint = 'Write "uvx" and remove the runtime arguments that belong to `uv run`.'
        yield Fault(codes.HINT_UNFIT, here, message, package.hint, "uvx", hint)


def _tool_run(package: Package) -> bool:
    words = "\0".join(word.text for setting in package.runtime for word in words_of(setting))
    return "\0tool\0run\0" in f"\0{words}\0"


def _is_same_package(text: str, package: Package) -> bool:
    """Whether a word names the package, with or without a version, extras or tag."""
    if package.kind == "oci":
        one, other = parse_reference(text), parse_reference(package.identifier)
        return bool(one and other and (one.host, one.repository) == (other.host, other.repository))
    bare = re.split(r"(?<!^)@|[=<>~!]=|\[", text.strip(), maxsplit=1)[0]
    if package.kind == "npm":
        return bare == package.identifier
    return bool(bare) and normal_identifier(bare) == normal_identifier(package.identifier)


def _hint_pointer(at: At) -> str:
    return at.to("runtimeHint" if "runtimeHint" in at.data else "runtime_hint")


def _value_pointer(setting: Setting) -> str:
    return f"{setting.pointer}/value" if setting.value is not None else setting.pointer


def _sources(package: Package, found: Scan) -> Iterator[Fault]:
    for option, value in found.options:
        named = option.text in _SOURCES.get(package.kind, ()) and value is not None
        if named and _is_same_package(value or "", package):
            yield _repeats(package, option, value or "")


def _repeats(package: Package, token: Token, value: str) -> Fault:
    here = _value_pointer(token.setting)
    written = f"{token.text} {value}" if token.text != value else value
    message = f"{field(here)} makes {shown(written)} of the command, before the {shown(package.identifier)} "
    message += "that clients write themselves."
    hint = "Remove it."
    if package.kind == "pypi":
        hint = "Remove it: clients start the console script that is named like the identifier."
        if "[" in value:
            hint = f'Write "--with" and {shown(value)} instead: extras are added to what the identifier installs.'
    return Fault(codes.REPEATS_IDENTIFIER, here, message, value, None, hint)


def _free(package: Package, found: Scan, token: Token) -> Fault:
    here, runner = _value_pointer(token.setting), runner_of(package)
    if _is_same_package(token.text, package):
        return _repeats(package, token, token.text)
    given = any(option.text in _SOURCES.get(package.kind, ()) for option, _ in found.options)
    if given:
        message = f"{field(here)} is {shown(token.text)}: {runner} starts that and gives it "
        message += f"{shown(package.identifier)} as an argument."
    else:
        message = f"{field(here)} is {shown(token.text)}: {runner} takes it for the package, in place of "
        message += f"{shown(package.identifier)}."
    hint = "An argument of the server belongs into `packageArguments`."
    if token.text in _CLIENTS_OWN:
        hint = "Remove it: clients write it themselves."
    elif given and package.kind == "pypi":
        hint = f"Name a console script {package.identifier} and remove the runtime arguments."
    return Fault(codes.NOT_THE_RUNTIMES, here, message, token.text, None, hint)


def _unknown(package: Package, token: Token) -> Fault:
    setting = token.setting
    here = f"{setting.pointer}/name" if setting.flag == token.text else _value_pointer(setting)
    runner = "docker run" if runner_of(package) == "docker" else runner_of(package)
    message = f"{field(here)} is {shown(token.text)}, which is no option of {runner}."
    hint = "An option of the server belongs into `packageArguments`."
    return Fault(codes.OPTION_UNKNOWN, here, message, token.text, None, hint)


def _container(package: Package, found: Scan) -> Iterator[Fault]:
    names = {option.text for option, _ in found.options}
    if package.transport in ("stdio", ""):
        for option, value in found.options:
            off = value in ("false", "0", "f", "False", "FALSE")
            closes = off if option.text in ("-i", "--interactive") else option.text in _CLOSING and not off
            if closes:
                here = option.setting.pointer
                reason = _CLOSING.get(option.text, "the container gets no input")
                message = (
                    f"{field(here)} sets {shown(option.text)}: {reason}, and the client talks through it."
                )
                yield Fault(codes.INPUT_CLOSED, here, message, option.text, None, "Remove it.")
    elif _is_local(package.url) and not names & {
        "-p",
        "--publish",
        "-P",
        "--publish-all",
        "--net",
        "--network",
    }:
        here = f"{package.pointer}/transport/url"
        message = f"{field(here)} is {shown(package.url)}, and no runtime argument publishes the port."
        hint = 'Add a runtime argument "-p" with the value HOST_PORT:CONTAINER_PORT.'
        yield Fault(codes.PORT_NOT_PUBLISHED, here, message, package.url, None, hint)


def _is_local(url: str) -> bool:
    return re.match(r"https?://(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(?=[:/]|$)", url) is not None
