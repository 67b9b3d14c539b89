"""Start what a client would start, shake hands, ask for the lists, and hold them against the contract."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress

from mcp_lockstep import __version__
from mcp_lockstep.contract.model import KEYS, KINDS, WORDS, Contract, Kind, canonical, shown
from mcp_lockstep.documents.data import JsonObject, as_array, objects, table, text_of
from mcp_lockstep.facts.normal import normal_identifier, version_key
from mcp_lockstep.findings import Finding, Place, Refused
from mcp_lockstep.launch import codes
from mcp_lockstep.launch.derive import CONTAINER_RUNNERS, Launch, from_words, reference, script_of
from mcp_lockstep.launch.package import Input
from mcp_lockstep.launch.target import Target
from mcp_lockstep.launch.wire import SHORTEST_SECRET, Session, masked, running
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.secrecy import is_secret_name, looks_like_key

_PROTOCOL = "2025-11-25"
"""The revision that is offered: the newest with a handshake, which servers of both eras speak."""

_LISTS: Mapping[Kind, tuple[str, str]] = {
    "tools": ("tools/list", "tools"),
    "resources": ("resources/list", "resources"),
    "resourceTemplates": ("resources/templates/list", "resources"),
    "prompts": ("prompts/list", "prompts"),
}
"""The request for each list, and the capability that announces it."""

_PAGES = 1000
_NO_REASON = "error: subprocess-exited-with-error"
_INSTALL_TIMEOUT = 600
_REMOVAL_TIMEOUT = 20
_PASSED_ON = frozenset(
    (
        "HOME LOGNAME PATH SHELL TERM USER LANG LC_ALL TMPDIR APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT TEMP TMP "
        "PROCESSOR_ARCHITECTURE SYSTEMDRIVE SYSTEMROOT USERNAME USERPROFILE SSL_CERT_FILE SSL_CERT_DIR"
    ).split()
)
_PASSED_PREFIXES = ("UV_", "PIP_", "NPM_CONFIG_", "XDG_", "DOCKER_", "DOTNET_")
"""Clients give a server little of their environment; runners also get what they are configured by."""


class Served(NamedTuple):
    """What a running server said about itself, its four lists, and what is wrong with them."""

    server: str
    protocol: str
    lists: Contract
    findings: tuple[Finding, ...]


def run_launch(launch: Launch, target: Target, timeout: float) -> Served:
    """Start what clients start for `launch`, and talk to it. Refused where it cannot be started or doesn't answer."""
    environment, secrets = environment_of(launch)
    missing = tuple(_missing_arguments(launch))
    if missing:
        raise Refused(*missing)
    try:
        with _started(launch, target, secrets) as argv:
            name = launch.source.identifier
            with running(argv, environment, name=name, timeout=timeout, secrets=secrets) as session:
                served = talk(session, target.contract)
    except Refused as refused:
        raise Refused(*_without(secrets, refused.findings)) from None
    return served._replace(
        server=masked(served.server, secrets),
        protocol=masked(served.protocol, secrets),
        findings=_without(secrets, served.findings),
    )


def _without(secrets: Sequence[str], findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """`findings` without what a server made of the values that it was given: it may write them into any answer."""
    return tuple(
        one._replace(message=masked(one.message, secrets), hint=masked(one.hint, secrets)) for one in findings
    )


def environment_of(launch: Launch) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """The environment of the server, and the values in it that are not to be shown.

    A declared variable is taken from our own environment, else from its default. Refused where one is required
    and has neither.
    """
    kept = {name: value for name, value in os.environ.items() if _passed_on(name)}
    declared: dict[str, str] = {}
    missing: list[Finding] = []
    for variable in launch.environment:
        given = os.environ.get(variable.name)
        if given is None and not variable.value.text:
            continue
        unknown = [one for one in variable.value.inputs if one.default is None]
        if given is None and unknown:
            message = f"{launch.source.identifier} needs {variable.name}, which is not set here"
            hint = f"set {variable.name} in the environment of this command"
            missing.append(Finding(codes.INPUT_MISSING, Place(""), message, hint=hint))
            continue
        declared[variable.name] = given if given is not None else variable.value.filled(_default)
    if missing:
        raise Refused(*missing)
    return {**kept, **declared}, tuple(_secrets(launch, declared))


def _secrets(launch: Launch, declared: Mapping[str, str]) -> Iterator[str]:
    """The values that are not to be shown: those that say so, and all that only this machine knows."""
    public = {
        one.value.filled(_default)
        for one in launch.environment
        if not (one.input.secret or one.value.hidden or is_secret_name(one.name))
    }
    for value in dict.fromkeys(declared.values()):
        if len(value) >= SHORTEST_SECRET and (value not in public or looks_like_key(value)):
            yield value


def _passed_on(name: str) -> bool:
    upper = name.upper()
    return upper in _PASSED_ON or upper.startswith(_PASSED_PREFIXES) or upper.endswith("_PROXY")


def _default(one: Input) -> str:
    return one.default or ""


def _missing_arguments(launch: Launch) -> Iterator[Finding]:
    for word in launch.words:
        for one in word.inputs:
            if one.default is None:
                message = (
                    f"{launch.source.identifier} needs a value for {one.name}, which clients ask the user for"
                )
                yield Finding(
                    codes.INPUT_MISSING, Place(""), message, hint="give it a `default` to run it here"
                )


@contextmanager
def _started(launch: Launch, target: Target, secrets: Sequence[str]) -> Generator[Sequence[str]]:
    """The command that starts the server; where the package is this project's, of its files and not of PyPI's."""
    package, script = launch.source, script_of(launch)
    arguments = [word.filled(_default) for word in script.arguments]
    source = source_of(launch, target)
    uvx = shutil.which("uvx") if package.kind == "pypi" else None
    if uvx is not None and source:
        options = [word.filled(_default) for word in script.options]
        refresh = ("--refresh-package", package.identifier)
        yield [uvx, *options, *refresh, "--from", source, script.name, *arguments]
    elif package.kind == "pypi" and uvx is None:
        index = [word.text for word in from_words(package)]
        with _environment(source or reference(package).replace("@", "=="), index, secrets) as folder:
            yield [_script(folder, script.name), *arguments]
    else:
        program = shutil.which(launch.argv[0])
        if program is None:
            message = (
                f"{launch.argv[0]}, which clients start {package.identifier} with, is not installed here"
            )
            raise Refused(Finding(codes.RUNNER_MISSING, Place(""), message))
        words = [word.filled(_default) for word in launch.words[1:]]
        with _contained(program, words) if _is_container(launch) else nullcontext(words) as told:
            yield [program, *told]


def _is_container(launch: Launch) -> bool:
    return launch.argv[0] in CONTAINER_RUNNERS and "--cidfile" not in launch.argv


@contextmanager
def _contained(program: str, words: Sequence[str]) -> Generator[Sequence[str]]:
    """`words` of a command that starts a container, which is ended with it: it is no child of the program."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="mcp-lockstep-", ignore_cleanup_errors=True) as home:
        noted = os.path.join(home, "container")
        try:
            yield [*words[:1], "--cidfile", noted, *words[1:]]
        finally:
            with suppress(OSError, subprocess.TimeoutExpired):
                with open(noted, encoding="utf-8") as handle:
                    command = [program, "rm", "--force", handle.read().strip()]
                subprocess.run(command, capture_output=True, check=False, timeout=_REMOVAL_TIMEOUT)


def source_of(launch: Launch, target: Target) -> str:
    """The wheel, sdist or folder that the package is built from; empty where that is not here."""
    if launch.source.kind != "pypi":
        return ""
    if target.dist:
        return os.path.abspath(target.dist)
    own = text_of(target.project.table.get("name")) if target.project else ""
    if not own or normal_identifier(own) != normal_identifier(launch.source.identifier):
        return ""
    folder = os.path.join(target.root, "dist")
    wheels = [name for name in _names(folder) if name.endswith(".whl") and _is_of(name, launch)]
    newest = max(wheels, key=lambda name: os.path.getmtime(os.path.join(folder, name)), default="")
    return os.path.abspath(os.path.join(folder, newest) if newest else target.root)


def _names(folder: str) -> list[str]:
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def _is_of(wheel: str, launch: Launch) -> bool:
    name, _, rest = wheel.partition("-")
    same = normal_identifier(name) == normal_identifier(launch.source.identifier)
    return same and version_key(rest.partition("-")[0]) == version_key(launch.source.version)


@contextmanager
def _environment(requirement: str, index: Sequence[str], secrets: Sequence[str]) -> Generator[str]:
    """A new environment with `requirement` in it; gives the folder of its programs. Refused where that fails."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="mcp-lockstep-", ignore_cleanup_errors=True) as home:
        scripts = os.path.join(home, "Scripts" if sys.platform == "win32" else "bin")
        _installer([sys.executable, "-m", "venv", home], requirement, secrets)
        pip = [
            os.path.join(scripts, "python"),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]
        _installer([*pip, *index, requirement], requirement, secrets)
        yield scripts


def _installer(command: Sequence[str], requirement: str, secrets: Sequence[str]) -> None:
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=_INSTALL_TIMEOUT,
        )
        said, failed = done.stderr.strip() or done.stdout.strip(), done.returncode != 0
    except (OSError, subprocess.TimeoutExpired) as error:
        said, failed = str(error), True
    if failed:
        message = f"{here(requirement)} cannot be installed"
        raise Refused(Finding(codes.INSTALL_FAILED, Place(""), message, hint=masked(reason(said), secrets)))


def here(requirement: str) -> str:
    """A requirement as it is called in a message: a path as it is seen from the working folder."""
    if not os.path.exists(requirement):
        return requirement
    path = os.path.relpath(requirement)
    return "this folder" if path == os.curdir else path


def reason(said: str) -> str:
    """Of all that an installer said what is an error in its own words, else what it said last."""
    lines = [line.strip() for line in said.splitlines()]
    errors = [line for line in lines if line.startswith(("ERROR:", "error:")) and line != _NO_REASON]
    return "; ".join(dict.fromkeys(errors)) or "; ".join(lines[-5:])


def _script(folder: str, name: str) -> str:
    found = shutil.which(name, path=folder)
    # Programs are found without their suffix on Windows, and in any case on some file systems: uvx compares the name.
    if found is None or os.path.basename(found).removesuffix(".exe").removesuffix(".EXE") != name:
        others = sorted(set(_names(folder)))
        message = f"the package has no console script {name}: clients run `uvx {name}`"
        raise Refused(Finding(codes.SCRIPT_MISSING, Place(""), message, have=", ".join(others), want=name))
    return found


def talk(session: Session, contract: Contract | None) -> Served:
    """Shake hands with a running server and ask for the lists that it announces. Refused where it does not answer."""
    client: JsonObject = {"name": "mcp-lockstep", "version": __version__}
    hello = session.request(
        "initialize", {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": client}
    )
    if not isinstance(hello.get("protocolVersion"), str):
        raise session.refusal("answers initialize without a `protocolVersion`: clients end there")
    session.notify("notifications/initialized")
    announced = table(hello.get("capabilities"))
    lists = Contract(
        *(
            tuple(_list(session, kind, request)) if capability in announced else ()
            for kind, (request, capability) in _LISTS.items()
        )
    )
    info = table(hello.get("serverInfo"))
    server = f"{text_of(info.get('name'))} {text_of(info.get('version'))}".strip()
    findings = tuple(_noise(session)) + (tuple(differences(lists, contract)) if contract is not None else ())
    return Served(server, text_of(hello.get("protocolVersion")), lists, findings)


def _list(session: Session, kind: Kind, request: str) -> Iterator[JsonObject]:
    cursor: JsonObject = {}
    for _ in range(_PAGES):
        result = session.request(request, cursor)
        items = as_array(result.get(kind))
        if items is None:
            raise session.refusal(f"answers {request} without a list of `{kind}`")
        yield from objects(items)
        following = result.get("nextCursor")
        if not isinstance(following, str):
            return
        cursor = {"cursor": following}


def _noise(session: Session) -> Iterator[Finding]:
    if session.noise:
        message = f"the server writes {session.noise[:200]!r} where messages of the protocol are wanted"
        yield Finding(codes.SERVER_NOISY, Place(""), message)


def differences(served: Contract, promised: Contract) -> Iterator[Finding]:
    """What a running server lists, held against the contract, list by list."""
    for kind in KINDS:
        key = KEYS[kind]
        now = {text_of(item.get(key)): item for item in served.of(kind)}
        then = {text_of(item.get(key)): item for item in promised.of(kind)}
        for name in [*then, *(name for name in now if name not in then)]:
            if said := _difference(now.get(name), then.get(name)):
                yield Finding(codes.SERVED_DIFFERS, Place(""), f"{WORDS[kind]} {name!r}: {said}")


def _difference(now: JsonObject | None, then: JsonObject | None) -> str:
    if now is None or then is None:
        return "the contract does not have it" if then is None else "the server does not list it"
    keys = [key for key in {**then, **now} if canonical([now.get(key)]) != canonical([then.get(key)])]
    return "; ".join(_told(key, now.get(key), then.get(key)) for key in keys)


def _told(key: str, now: object, then: object) -> str:
    """That what is served under one key is not what is promised; what is served may hold a secret, cut in two."""
    if isinstance(now, str) and isinstance(then, str):
        return f"{key} differs from the contract, which says {shown(then)}"
    if now is None or then is None:
        return f"{key} is {'missing' if now is None else 'not in the contract'}"
    return f"{key} differs from the contract"
