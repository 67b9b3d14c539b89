"""From a package to the command that a client derives: runner, its arguments, the package, the server's arguments.

As the clients do that are known to read server.json: the runner goes by `registryType` unless `runtimeHint`
names another; `docker` gets `run -i --rm` and the names of the variables; `dnx` gets `--yes` and `--`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from mcp_lockstep.launch.package import Input, Package, Setting, packages_of
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.rules.image import parse_reference
from mcp_lockstep.rules.manifest import JsonObject
from mcp_lockstep.secrecy import MASK, is_secret_name, looks_like_key, masked_text

RUNNERS = {"pypi": "uvx", "npm": "npx", "oci": "docker", "nuget": "dnx"}
"""The program that clients start packages of each kind with."""

_FROM = {"pypi": "--index-url", "npm": "--registry", "nuget": "--source"}
"""The option that makes a runner ask another registry than the public one."""

_PUBLIC = r"https?://(?:pypi\.org|pypi\.python\.org|registry\.npmjs\.org|api\.nuget\.org)(?:[:/]|$)"

CONTAINER_RUNNERS = frozenset({"docker", "podman", "nerdctl"})


class Word(NamedTuple):
    """One word of a command; each of `inputs` stands in it as `{name}`. One that is `hidden` is shown to nobody."""

    text: str
    inputs: tuple[Input, ...] = ()
    hidden: bool = False

    def filled(self, answer: Callable[[Input], str]) -> str:
        """The word with what `answer` says for each input."""
        if not self.inputs:
            return self.text
        answers = {one.name: one for one in self.inputs}
        return re.sub(
            r"\{([^{}]+)\}",
            lambda found: answer(answers[found[1]]) if found[1] in answers else found[0],
            self.text,
        )


class Variable(NamedTuple):
    """An environment variable that a client sets, or asks the user for."""

    name: str
    value: Word
    input: Input


class Launch(NamedTuple):
    """What a client runs for one package; `words` is empty where it runs nothing by itself.

    `package` are the words that name the package and everything before them, `arguments` those after; `cwd` is
    empty: clients start servers wherever they like. `notes` are sentences for people.
    """

    source: Package
    runner: tuple[Word, ...]
    arguments: tuple[Word, ...]
    environment: tuple[Variable, ...]
    transport: str
    cwd: str = ""
    notes: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[Word, ...]:
        """The command."""
        return (*self.runner, *self.arguments)

    @property
    def argv(self) -> tuple[str, ...]:
        """The command with defaults filled in, `<name>` where the user has to say something, and no secrets."""
        return tuple(MASK if word.hidden else word.filled(_public_input) for word in self.words)

    @property
    def env(self) -> tuple[str, ...]:
        """The names of the variables that reach the server."""
        return tuple(variable.name for variable in self.environment)

    @property
    def command(self) -> str:
        """The command as one types it."""
        from shlex import quote

        return " ".join(word if re.fullmatch(r"<[\w.-]+>", word) else quote(word) for word in self.argv)


def launches(data: JsonObject) -> tuple[Launch, ...]:
    """What a client runs for each package of a parsed server.json."""
    return tuple(map(launch_of, packages_of(data)))


def launch_of(package: Package) -> Launch:
    """What a client runs for one package."""
    arguments = tuple(word for setting in package.arguments for word in words_of(setting))
    environment = tuple(
        Variable(setting.flag, value_word(setting), setting.input)
        for setting in package.environment
        if setting.flag
    )
    notes = tuple(_notes(package))
    runner = tuple(_runner(package, bool(arguments)))
    kept = arguments if runner else ()
    return Launch(package, runner, kept, environment, package.transport or "stdio", notes=notes)


class Script(NamedTuple):
    """How uvx starts a package: its options, the console script that it looks for, and what that gets."""

    options: tuple[Word, ...]
    name: str
    arguments: tuple[Word, ...]


def script_of(launch: Launch) -> Script:
    """The script is called like the identifier, unless a last `--from` takes that: then it is the first argument."""
    options = launch.runner[1:-1]
    if options and options[-1].text == "--from" and launch.arguments:
        first, *rest = launch.arguments
        return Script(options[:-1], first.filled(shown_input), tuple(rest))
    return Script(options, launch.source.identifier, launch.arguments)


def shown_input(one: Input) -> str:
    """What stands for an input in a command that is shown."""
    return f"<{one.name}>" if one.default is None else one.default


def _public_input(one: Input) -> str:
    hidden = one.secret or is_secret_name(one.name) or looks_like_key(one.default or "")
    return f"<{one.name}>" if hidden else shown_input(one)


def is_hidden(setting: Setting) -> bool:
    """Whether the value that a setting always has is a secret: it says so, or its name or its form does."""
    value = setting.value
    if value is None or (setting.variables and value.startswith("{") and value.endswith("}")):
        return False
    return setting.input.secret or is_secret_name(setting.flag) or looks_like_key(value)


def runner_of(package: Package) -> str:
    """The program that starts a package; empty where clients start none."""
    return package.hint or RUNNERS.get(package.kind, "")


def words_of(setting: Setting) -> Iterator[Word]:
    """The words of one argument; none for an optional one that has neither value nor default."""
    if is_switch(setting):
        yield Word(setting.flag)
        return
    value = value_word(setting)
    if value.text:
        if setting.flag:
            yield Word(setting.flag)
        yield value


def is_switch(setting: Setting) -> bool:
    """Whether a named argument is its flag and nothing else, which clients write in any case."""
    if not setting.flag or setting.value is not None:
        return False
    one = setting.input
    bare = not (one.format or one.description or one.name != setting.flag.lstrip("-"))
    return one.default is None and not one.choices and (one.format == "boolean" or bare)


def value_word(setting: Setting) -> Word:
    """The value of an argument, a variable or a header; empty where it is the user's choice to give one."""
    if setting.value is not None:
        return Word(setting.value, setting.variables, is_hidden(setting))
    one = setting.input
    wanted = one.default is not None or one.required
    return Word(f"{{{one.name}}}", (one,)) if wanted else Word("")


def _runner(package: Package, arguments: bool) -> Iterator[Word]:
    program = runner_of(package)
    if package.kind not in RUNNERS or not package.identifier:
        return
    yield Word(program)
    if program in CONTAINER_RUNNERS:
        yield from map(Word, ("run", "-i", "--rm"))
    runtime = [word for setting in package.runtime for word in words_of(setting)]
    yield from runtime
    if package.kind == "oci":
        yield from (Word(word) for variable in package.environment for word in ("-e", variable.flag))
    elsewhere = () if _FROM.get(package.kind) in [word.text for word in runtime] else from_words(package)
    yield from elsewhere if package.kind != "nuget" else ()
    yield Word(reference(package))
    if package.kind == "nuget":
        yield from () if {"--yes", "-y"} & {word.text for word in runtime} else (Word("--yes"),)
        yield from elsewhere
        yield from (Word("--"),) if arguments else ()


def from_words(package: Package) -> tuple[Word, ...]:
    """What clients write for `registryBaseUrl`: nothing for the public registry, which runners ask anyway."""
    option, base = _FROM.get(package.kind), package.base_url
    if option is None or not base or re.match(_PUBLIC, base):
        return ()
    return Word(option), Word(base, hidden=masked_text(base) != base)


def reference(package: Package) -> str:
    """The package with its version, as its runner takes it."""
    if package.kind != "oci":
        between = "==" if runner_of(package) == "pipx" else "@"
        return f"{package.identifier}{between}{package.version}" if package.version else package.identifier
    parsed = parse_reference(package.identifier)
    # Until 2025-09-29 the host and the version of an image stood beside the identifier.
    host = package.base_url.partition("://")[2].strip("/") if parsed and not parsed.host else ""
    tag = f":{package.version}" if package.version and parsed and not (parsed.tag or parsed.digest) else ""
    return f"{host}/{package.identifier}{tag}" if host else f"{package.identifier}{tag}"


def _notes(package: Package) -> Iterator[str]:
    match package.kind:
        case "mcpb":
            yield f"clients open the bundle {package.identifier}; the command stands in its manifest.json"
        case "cargo":
            yield f"clients start no crates: users run `cargo install {reference(package)}` and configure the binary"
        case kind if kind not in RUNNERS:
            yield f"clients start no packages of the kind {kind or 'without a name'}"
        case _:
            pass
    optional = [one.flag or one.input.name for one in package.arguments if not any(words_of(one))]
    if optional:
        yield f"optional arguments: {', '.join(optional)}"
