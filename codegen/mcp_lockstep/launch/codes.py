"""Kinds of findings about what clients run (LS26xx) and about running it (LS270x)."""

from __future__ import annotations

from mcp_lockstep.findings import Code

REPEATS_IDENTIFIER = Code(
    "LS2600",
    "runtime-argument-repeats-identifier",
    "error",
    "A runtime argument names the package that clients name anyway.",
    "Clients write the runner, the runtime arguments, then the identifier with its version by themselves. A package "
    "that is named before that stands there twice: it becomes an argument of the server, or the runner stops.",
)
NOT_THE_RUNTIMES = Code(
    "LS2601",
    "runtime-argument-of-server",
    "error",
    "A runtime argument is a word that the runner takes for the package.",
    "Runtime arguments are options of the runner (uvx, npx, docker run, dnx) and stand before the package. Arguments "
    "of the server belong into `packageArguments`; words that clients write by themselves (`run`, `-y`) into neither.",
)
OPTION_UNKNOWN = Code(
    "LS2602",
    "runtime-option-unknown",
    "warning",
    "A runtime argument is no option of the runner.",
    "The runner stops at options that it does not know. An option of the server belongs into `packageArguments`.",
)
SCRIPT_MISSING = Code(
    "LS2603",
    "script-name-mismatch",
    "error",
    "The package has no console script that is named like its identifier.",
    "Clients run `uvx IDENTIFIER`, and uvx starts the script of exactly that name, letter by letter; it does not take "
    "another one, even where that is the only one. Runtime arguments cannot name it: the identifier follows them.",
)
SHELL_VARIABLE = Code(
    "LS2604",
    "shell-variable-in-template",
    "warning",
    "A value has `${X}` in it, which no client fills in.",
    "There is no shell: the server gets the text as it stands. Write `{x}` and declare `x` in `variables`; clients "
    "ask the user for it. An environment variable that is declared reaches the server by itself.",
)
VARIABLE_UNDECLARED = Code(
    "LS2605",
    "argument-variable-undeclared",
    "warning",
    "A value uses a `{variable}` that `variables` beside it does not declare.",
    "Clients fill in what is declared there and leave everything else as it stands.",
)
SWITCH_ALWAYS_ON = Code(
    "LS2606",
    "switch-always-present",
    "warning",
    "An optional switch is one that clients always write.",
    "server.json cannot say that a flag may be left out: clients write every named argument, and some ask for a value. "
    "Let an environment variable do it, or a value (`--mode safe`).",
)
INPUT_CLOSED = Code(
    "LS2607",
    "container-input-closed",
    "error",
    "A runtime argument takes the container's input away from the client.",
    "Over stdio the client talks to the server through its input and output: `-i` has to hold, `-t` and `-d` must not.",
)
PORT_NOT_PUBLISHED = Code(
    "LS2608",
    "container-port-not-published",
    "warning",
    "A container serves HTTP on a port that is not published.",
    "An address on this machine reaches into a container only through `-p HOST:CONTAINER` or the host's network.",
)
HINT_UNFIT = Code(
    "LS2609",
    "runtime-hint-unfit",
    "warning",
    "`runtimeHint` names a program that does not run packages of this kind.",
    "Clients that heed the hint start this program with the identifier and its version behind it.",
)
SEVERAL_WORDS = Code(
    "LS2610",
    "several-words-in-argument",
    "warning",
    "One argument holds a flag and its value, with a space between them.",
    "There is no shell that takes them apart: the program gets them as one word.",
)

NOTHING_TO_LAUNCH = Code(
    "LS2700",
    "nothing-to-launch",
    "error",
    "There is no server.json that could be read.",
    "A client derives a command from each package in it, and connects to each remote.",
    exit=2,
)
RUNNER_MISSING = Code(
    "LS2701",
    "runner-missing",
    "error",
    "The program that clients start the package with is not installed here.",
    "`launch --run` starts what a client would start. A Python project or a wheel is run without uvx, too.",
    exit=2,
)
INPUT_MISSING = Code(
    "LS2702",
    "input-missing",
    "error",
    "The command needs something that a client asks the user for.",
    "Variables are taken from the environment of `launch --run`. An argument needs a default to be run here.",
    exit=2,
)
INSTALL_FAILED = Code(
    "LS2703",
    "install-failed",
    "error",
    "The package cannot be installed.",
    "What the installer says last is shown. A client's user gets the same.",
)
SERVER_ENDED = Code(
    "LS2704",
    "server-ended",
    "error",
    "The server ended before it had answered.",
    "What it wrote to its error output is shown, without the values of variables.",
)
SERVER_SILENT = Code(
    "LS2705",
    "server-silent",
    "error",
    "The server does not answer.",
    "A client waits for the answer to `initialize` first. Give a slow one more time: `--timeout SECONDS`.",
)
SERVER_NOISY = Code(
    "LS2706",
    "server-writes-no-json",
    "error",
    "The server writes something to its output that is no message of the protocol.",
    "Over stdio the output belongs to the protocol. Logs and `print` belong to the error output (`sys.stderr`).",
)
SERVER_REFUSES = Code(
    "LS2707",
    "server-refuses",
    "error",
    "The server answers a request of the protocol with an error.",
    "A server that announces a list has to answer the request for it.",
)
SERVED_DIFFERS = Code(
    "LS2708",
    "served-differs",
    "error",
    "The running server lists something else than the contract says.",
    "The contract is what the project promises. An old wheel, or code beside the contract, serves something else.",
)
NOT_OVER_STDIO = Code(
    "LS2709",
    "not-over-stdio",
    "note",
    "The package speaks HTTP, which `launch --run` does not.",
    "Start the command that is shown and point a client at the address.",
)

CODES = (
    REPEATS_IDENTIFIER,
    NOT_THE_RUNTIMES,
    OPTION_UNKNOWN,
    SCRIPT_MISSING,
    SHELL_VARIABLE,
    VARIABLE_UNDECLARED,
    SWITCH_ALWAYS_ON,
    INPUT_CLOSED,
    PORT_NOT_PUBLISHED,
    HINT_UNFIT,
    SEVERAL_WORDS,
    NOTHING_TO_LAUNCH,
    RUNNER_MISSING,
    INPUT_MISSING,
    INSTALL_FAILED,
    SERVER_ENDED,
    SERVER_SILENT,
    SERVER_NOISY,
    SERVER_REFUSES,
    SERVED_DIFFERS,
    NOT_OVER_STDIO,
)
