"""Make Python models of a schema: they accept what the schema accepts and give it back unchanged."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable

from mcp_lockstep import __version__
from mcp_lockstep.cli.output import print_findings
from mcp_lockstep.cli.printable import printable
from mcp_lockstep.config import ModelJob
from mcp_lockstep.config.styles import KINDS, PROFILES, PYDANTICS, PYTHONS
from mcp_lockstep.findings import EXIT_ORDER, Finding, Place, Refused, exit_code, nearest
from mcp_lockstep.generated.modules import MODELS_HALF_ASKED, Task, current, task, tasks
from mcp_lockstep.making import making
from mcp_lockstep.named import for_command
from mcp_lockstep.plan import Change, Generated, Plan, apply, changes, emit, recover
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Disk, Tree

EXAMPLES = """\
  mcp-lockstep models mcp@2026-07-28 -o src/weather/protocol.py
  mcp-lockstep models --check
  mcp-lockstep models forecast.schema.json -o models.py --check
  mcp-lockstep models forecast.schema.json -o models.py --profile ergonomic --target-pydantic 2.12
  mcp-lockstep models forecast.schema.json -o forecast_types.py --kind typeddict -v
  mcp-lockstep models git:v1.2:forecast.schema.json -o old_models.py
  mcp-lockstep models server -o server_json.py --patches patches.toml
  mcp-lockstep models mcp@2026-07-28 -o protocol.py --instances tests/instances
"""


class Home(NamedTuple):
    """Where a file or folder is written: below the folder `root`, which exists, at `path`."""

    root: str
    path: str


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `models`."""
    parser.add_argument(
        "schema",
        metavar="SCHEMA",
        nargs="?",
        help="NAME@REVISION, a path, git:REV:PATH or an https address (default: all that the configuration names)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", default="", help="the module to write")
    _choice(parser, "--profile", PROFILES, "how close the models keep to the schema")
    _choice(parser, "--kind", KINDS, "what the models are")
    _choice(parser, "--target-python", PYTHONS, "the oldest Python that the module must run on")
    _choice(parser, "--target-pydantic", PYDANTICS, "the oldest pydantic that the module must run on")
    parser.add_argument("--patches", metavar="FILE", default="", help="changes to the schema, JSON or TOML")
    parser.add_argument("--check", action="store_true", help="write nothing; show a diff and return 1")
    parser.add_argument("-v", "--verbose", action="store_true", help="show notes too: what a kind cannot say")
    parser.add_argument("--force", action="store_true", help="replace files that were edited or are not ours")
    parser.add_argument(
        "--instances",
        metavar="DIR",
        default="",
        help="write valid and broken examples of every definition too",
    )


def _choice(parser: argparse.ArgumentParser, flag: str, choices: tuple[str, ...], text: str) -> None:
    parser.add_argument(
        flag,
        choices=choices,
        default=choices[0],
        type=_meant(choices),
        help=f"{text} (default: {choices[0]})",
    )


def _meant(choices: tuple[str, ...]) -> Callable[[str], str]:
    """A reader of one of `choices` that says what was perhaps meant."""

    def value(text: str) -> str:
        near = "" if text in choices else nearest(text, choices)
        if near:
            raise argparse.ArgumentTypeError(f"{text!r} is not a choice; did you mean {near!r}?")
        return text

    return value


def run(options: argparse.Namespace) -> int:
    """Write the module, or all configured ones, or show what would be written; examples where they are asked for."""
    if not options.schema or not options.output:
        return _configured(options)
    job = ModelJob(
        options.schema, options.output, options.profile, options.kind, options.patches,
        options.target_python, options.target_pydantic,
    )  # fmt: skip
    wanted = task(job, for_command())
    module = home(options.output)
    code = _put(module, _module(module, wanted, options), options)
    if options.instances and code in (0, 1):
        with making("`models --instances`"):
            from mcp_lockstep.models.examples import example_files

            examples = home(options.instances)
            code = max(code, _put(examples, example_files(wanted, examples.path), options))
    return code


def _configured(options: argparse.Namespace) -> int:
    """Do what the configuration of this folder asks for, one module after the other."""
    if options.schema or options.output or options.instances:
        message = (
            "a SCHEMA and `-o FILE` go together; without both, the modules of the configuration are made"
        )
        raise Refused(
            Finding(MODELS_HALF_ASKED, Place(options.schema or options.output or "models"), message)
        )
    project = Project(Tree(Disk(".")))
    found = [*tasks(project)]
    print_findings(project.broken)
    codes: list[int] = [exit_code(tuple(project.broken))]
    for wanted in found:
        try:
            if isinstance(wanted, Refused):
                raise wanted
            module = home(wanted.job.output)
            codes.append(_put(module, _module(module, wanted, options), options))
        except Refused as refused:
            print_findings(refused.findings)
            codes.append(exit_code(refused.findings))
    if not found and not project.broken:
        sys.stdout.write("no modules: `[[tool.mcp-lockstep.models]]` names none\n")
    return next(code for code in EXIT_ORDER if code in codes)


def home(path: str) -> Home:
    """The place of `path`: in the working folder where it is below, else in the nearest folder there is."""
    full, here = os.path.realpath(path), os.path.realpath(".")
    root = os.path.dirname(full)
    while not os.path.isdir(root):
        root = os.path.dirname(root)
    if full.startswith(os.path.join(here, "")):
        return Home(".", os.path.relpath(full, here).replace(os.sep, "/"))
    return Home(root, os.path.relpath(full, root).replace(os.sep, "/"))


def _module(at: Home, wanted: Task, options: argparse.Namespace) -> tuple[Generated, ...]:
    """The module to write. What is current is not made, and the making half is not loaded."""
    if not options.force and current(Tree(Disk(at.root)).read(at.path), wanted.recipe):
        return (Generated(at.path, wanted.recipe, str),)
    with making("`models`"):
        from mcp_lockstep.models.file import module_file

        made = module_file(wanted)
    if not made.text:
        raise Refused(*made.findings)
    print_findings(made.findings, verbose=options.verbose)
    notes = sum(finding.severity == "note" for finding in made.findings)
    if notes and not options.verbose:
        sys.stdout.write(f"{notes} {'note' if notes == 1 else 'notes'} (-v)\n")
    return (Generated(at.path, wanted.recipe, lambda: made.text),)


def _put(at: Home, writes: tuple[Generated, ...], options: argparse.Namespace) -> int:
    """Write what is stale, or show it; 3 where something is not ours to replace."""
    tree = Tree(Disk(at.root))
    force = frozenset(write.path for write in writes) if options.force else frozenset[str]()
    emitted = emit(tree, writes, force)
    refused = tuple(_hinted(finding, options) for finding in emitted.findings)
    changed = changes(tree, emitted.files, ())
    print_findings(refused)
    if options.check:
        _show((*changed, *_refused_changes(tree, writes, refused)))
        return exit_code(refused) or int(bool(changed))
    if changed:
        recover(at.root)
        apply(at.root, Plan(changed))
    sys.stdout.write("".join(_told(changed, writes, refused)))
    return exit_code(refused)


def _show(changed: tuple[Change, ...]) -> None:
    if changed:
        # Loaded only here: what comes with it costs more than finding a module unchanged.
        from mcp_lockstep.cli.sync import diff

        sys.stdout.write(diff(changed))


def _refused_changes(
    tree: Tree, writes: tuple[Generated, ...], refused: tuple[Finding, ...]
) -> Iterable[Change]:
    """What would become of the files that are not replaced."""
    paths = {finding.place.path for finding in refused}
    for write in writes:
        if write.path in paths:
            yield Change(write.path, tree.read(write.path), write.make().encode("utf-8"))


def _hinted(finding: Finding, options: argparse.Namespace) -> Finding:
    from shlex import join

    again = join(["mcp-lockstep", *options.words, *([] if "--force" in options.words else ["--force"])])
    return finding._replace(hint=f"take the edit back, or replace the file: `{again}`")


def _told(
    changed: tuple[Change, ...], writes: tuple[Generated, ...], refused: tuple[Finding, ...]
) -> Iterable[str]:
    if len(changed) > 5:
        folder = os.path.dirname(changed[0].path)
        yield f"wrote {len(changed)} files in {printable(folder)}\n"
    else:
        yield from (f"wrote {printable(change.path)}\n" for change in changed)
    if not changed and not refused:
        what = printable(writes[0].path) if len(writes) == 1 else f"{len(writes)} files"
        yield f"unchanged: {what} ({__version__})\n"
