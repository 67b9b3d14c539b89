"""What the runners themselves understand: their options, and which of them are followed by a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from mcp_lockstep.launch.package import Setting
from mcp_lockstep.records import NamedTuple

_UVX_VALUES = """
--from -w --with --with-editable --with-requirements -c --constraints --constraint -b --build-constraints
--build-constraint --overrides --override --env-file --python-platform --torch-backend --index --default-index -i
--index-url --extra-index-url -f --find-links --index-strategy --keyring-provider -P --upgrade-package
--upgrade-group --resolution --prerelease --prerelease-package --fork-strategy --exclude-newer
--exclude-newer-package --no-sources-package --reinstall-package --link-mode -C --config-setting
--config-settings --config-setting-package --config-settings-package --no-build-isolation-package
--no-build-package --no-binary-package --cache-dir --refresh-package -p --python --python-preference --color
--allow-insecure-host --trusted-host --directory --project --config-file --preview-features
--generate-shell-completion"""
_UVX_SWITCHES = """
--isolated --no-env-file --lfs -V --version --no-index -U --upgrade --no-upgrade --no-sources --reinstall
--force-reinstall --no-reinstall --compile-bytecode --compile --no-compile-bytecode --no-build-isolation
--build-isolation --no-build --build --no-binary --binary --require-build-hashes --no-require-build-hashes -n
--no-cache --no-cache-dir --refresh --no-refresh --managed-python --no-managed-python --no-python-downloads
--allow-python-downloads -q --quiet -v --verbose --system-certs --native-tls --no-native-tls --offline
--no-offline --no-progress --no-config --preview --no-preview --pre --show-resolution -h --help"""
_NPX_VALUES = """
-p --package -c --call --registry --cache --prefix --userconfig --globalconfig --loglevel -w --workspace --tag
--before --node-options --script-shell --shell --https-proxy --proxy --noproxy --cafile --ca --userconfig"""
_NPX_SWITCHES = """
-y --yes --no -n -q --quiet -s --silent -d -dd -ddd --verbose --offline --prefer-offline --prefer-online
--ignore-scripts --foreground-scripts --force -f --workspaces --ws --include-workspace-root -h --help -v --version
--ignore-existing --no-install -g --global"""
_DOCKER_VALUES = """
--add-host --annotation -a --attach --blkio-weight --blkio-weight-device --cap-add --cap-drop --cgroup-parent
--cgroupns --cidfile --cpu-count --cpu-percent --cpu-period --cpu-quota --cpu-rt-period --cpu-rt-runtime -c
--cpu-shares --cpus --cpuset-cpus --cpuset-mems --detach-keys --device --device-cgroup-rule --device-read-bps
--device-read-iops --device-write-bps --device-write-iops --dns --dns-opt --dns-option --dns-search --domainname
--entrypoint -e --env --env-file --expose --gpus --group-add --health-cmd --health-interval --health-retries
--health-start-interval --health-start-period --health-timeout -h --hostname --io-maxbandwidth --io-maxiops --ip
--ip6 --ipc --isolation --kernel-memory -l --label --label-file --link --link-local-ip --log-driver --log-opt
--mac-address -m --memory --memory-reservation --memory-swap --memory-swappiness --mount --name --net --network
--net-alias --network-alias --oom-score-adj --pid --pids-limit --platform -p --publish --pull --restart --runtime
--secret --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit -u --user
--userns --uts -v --volume --volume-driver --volumes-from -w --workdir"""
_DOCKER_SWITCHES = """
-d --detach --disable-content-trust --help --init -i --interactive --no-healthcheck --oom-kill-disable --privileged
-P --publish-all -q --quiet --read-only --replace --rm --sig-proxy -t --tty --use-api-socket"""
_DNX_VALUES = "--version --configfile --source --add-source -v --verbosity --framework --arch -a"
_DNX_SWITCHES = """
-y --yes --interactive --allow-roll-forward --prerelease --disable-parallel --ignore-failed-sources --no-http-cache
--no-cache -? -h --help -d --diagnostics"""


class Options(NamedTuple):
    """The options of a runner. `whole`: it refuses every option that is not listed here."""

    values: frozenset[str]
    switches: frozenset[str]
    whole: bool


class Token(NamedTuple):
    """One word of the runtime arguments, with the argument that it comes from."""

    text: str
    setting: Setting


class Scan(NamedTuple):
    """The words read as the runner reads them: options with their values, and the first word that is neither.

    A value is None where the option takes none, or where the words end before it.
    """

    options: tuple[tuple[Token, str | None], ...]
    free: Token | None
    unknown: tuple[Token, ...]


@cache
def options_of(runner: str) -> Options | None:
    """The options of a runner; None for one that is not known."""
    tables: Mapping[str, tuple[str, str, bool]] = {
        "uvx": (_UVX_VALUES, _UVX_SWITCHES, True),
        "npx": (_NPX_VALUES, _NPX_SWITCHES, False),
        "docker": (_DOCKER_VALUES, _DOCKER_SWITCHES, True),
        "podman": (_DOCKER_VALUES, _DOCKER_SWITCHES, False),
        "dnx": (_DNX_VALUES, _DNX_SWITCHES, True),
    }
    found = tables.get(runner)
    return found and Options(frozenset(found[0].split()), frozenset(found[1].split()), found[2])


def scan(tokens: Sequence[Token], known: Options) -> Scan:
    """Read the words before the package as the runner does; it stops at the first that is no option's."""
    options: list[tuple[Token, str | None]] = []
    unknown: list[Token] = []
    waiting = list(tokens)
    while waiting:
        token = waiting.pop(0)
        if not token.text.startswith("-") or token.text in ("-", "--"):
            return Scan(tuple(options), token, tuple(unknown))
        for text in _apart(token.text, known):
            name, equals, value = text.partition("=")
            if name in known.values:
                given = value if equals else waiting.pop(0).text if waiting else None
                options.append((Token(name, token.setting), given))
            elif name in known.switches:
                options.append((Token(name, token.setting), value if equals else None))
            else:
                unknown.append(token)
                # A word after it may be its value: nothing is said about that one.
                del waiting[: bool(waiting and not equals and not waiting[0].text.startswith("-"))]
    return Scan(tuple(options), None, tuple(unknown))


def _apart(text: str, known: Options) -> Sequence[str]:
    """`-it` as programs read it, `-i -t`, and `-eA=1` as `-e=A=1`; any other word as it is."""
    name = text.partition("=")[0]
    if text.startswith("--") or len(text) == 2 or name in known.values or name in known.switches:
        return (text,)
    if text[:2] in known.values:
        return (f"{text[:2]}={text[2:]}",)
    letters = tuple(f"-{letter}" for letter in text[1:])
    return letters if known.switches.issuperset(letters) else (text,)
