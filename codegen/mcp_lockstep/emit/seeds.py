"""Files that are written once, where none stands yet, and then belong to the user."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, count
from typing import TYPE_CHECKING

from mcp_lockstep.code.imports import names_used
from mcp_lockstep.contract.model import KINDS, Argument, Contract, Variable
from mcp_lockstep.documents.prose import one_line, summary
from mcp_lockstep.emit.imports import import_block, origins
from mcp_lockstep.emit.manifest import manifest, port_variable
from mcp_lockstep.emit.options import OwnOptions, own_options
from mcp_lockstep.emit.render import LINE, pitch, render, render_python, to_json
from mcp_lockstep.emit.settings import (
    argument_views,
    checked_choices,
    header_views,
    parsable,
    variable_views,
)
from mcp_lockstep.emit.views import FunctionView, ProjectView, free_name, prompt_views, resource_views
from mcp_lockstep.naming import Identifier
from mcp_lockstep.plan import Seed

if TYPE_CHECKING:
    from mcp_lockstep.models.contract import ToolView

CONTRACT = "contract.json"
"""The file of a new project that holds what the server promises."""

_TEXTS: Mapping[str, str] = {
    "pyproject.toml": "pyproject.toml.jinja",
    "README.md": "README.md.jinja",
    ".gitignore": "gitignore.jinja",
    ".github/workflows/ci.yml": "github/ci.yml.jinja",
    ".github/workflows/publish.yml": "github/publish.yml.jinja",
}
_MODULES: Mapping[str, str] = {
    "__init__.py": "src/init.py.jinja",
    "__main__.py": "src/main.py.jinja",
    "app.py": "src/app.py.jinja",
    "server.py": "src/server.py.jinja",
    "settings.py": "src/settings.py.jinja",
}


def seeds(view: ProjectView) -> tuple[Seed, ...]:
    """Everything of a new project that is the user's. Refused where a template cannot be rendered."""
    return (*_project(view), *_function_seeds(view))


def _function_seeds(view: ProjectView) -> tuple[Seed, ...]:
    """One module for each tool, prompt and resource, and the packages that hold them."""
    return tuple(_packaged(view, ((folder, make()) for folder, _, make in _functions(view))))


def seeds_for(view: ProjectView, missing: Container[str], there: Iterable[str]) -> tuple[Seed, ...]:
    """The modules of those functions whose tool, prompt or address is in `missing`, and the packages for them.

    None of them has a path that is `there` already: what stands in that module serves something else.
    """
    taken = set(there)
    chosen = ((folder, _free(make(), taken)) for folder, key, make in _functions(view) if key in missing)
    return tuple(_packaged(view, chosen))


def _functions(view: ProjectView) -> Iterator[tuple[str, str, Callable[[], Seed]]]:
    """The package of each function, its name or address in the contract, and what makes its module."""
    decorators = view.templates.target.decorators
    for tool in view.models().tools:
        yield "tools", tool.name, partial(_function, view, "tools", decorators.tool, tool.name, tool)
    for one in prompt_views(view.contract):
        yield "prompts", one.key, partial(_function, view, "prompts", decorators.prompt, one.key, one)
    for one in resource_views(view.contract):
        yield "resources", one.key, partial(_function, view, "resources", decorators.resource, one.key, one)


def _packaged(view: ProjectView, modules: Iterable[tuple[str, Seed]]) -> Iterator[Seed]:
    """`modules`, the first of each package after what makes the package."""
    made: set[str] = set()
    for folder, seed in modules:
        if folder not in made:
            made.add(folder)
            yield _package(view, folder)
        yield seed


def _free(seed: Seed, taken: set[str]) -> Seed:
    """`seed` with a number at the end of its name where that is taken; it takes the name."""
    numbered = (f"{seed.path.removesuffix('.py')}_{number}.py" for number in count(2))
    path = next(path for path in chain([seed.path], numbered) if path not in taken)
    taken.add(path)
    return seed._replace(path=path)


def settings_text(view: ProjectView) -> str:
    """The settings module that a new project would get."""
    return render_python(view.templates, _MODULES["settings.py"], _values(view))


def _contract_text(contract: Contract) -> str:
    """`contract.json`: the lists that hold something, in the contract's own order."""
    return (
        to_json({kind: list(contract.of(kind)) for kind in KINDS if contract.of(kind) or kind == "tools"})
        + "\n"
    )


def _project(view: ProjectView) -> Iterable[Seed]:
    values = _values(view)
    for path, template in _TEXTS.items():
        if view.name or path != ".github/workflows/publish.yml":
            yield Seed(path, render(view.templates, template, values))
    if view.name:
        yield Seed("server.json", to_json(manifest(view)) + "\n")
    yield Seed(CONTRACT, _contract_text(view.contract))
    for path, template in _MODULES.items():
        yield Seed(f"{view.folder}/{path}", render_python(view.templates, template, values))
    yield Seed(f"{view.folder}/py.typed", "")
    yield Seed(
        "tests/test_contract.py", render_python(view.templates, "tests/test_contract.py.jinja", values)
    )


def _values(view: ProjectView) -> Mapping[str, object]:
    """What the templates of a project get."""
    asked = view.interface
    told: tuple[Variable, ...] = (*asked.variables, *asked.headers)
    own = own_options(asked.arguments, asked.transport)
    arguments = argument_views(asked.arguments, own)
    mixed = {argument.flag.startswith("-") for argument in arguments} == {True, False}
    return {
        "view": view,
        "target": view.templates.target,
        "summary": pitch(view.description, 500) or f"The server {one_line(view.label)}",
        "own": own,
        "variables": variable_views(asked.variables),
        "headers": header_views(asked.headers),
        "arguments": arguments,
        # With flags between them argparse takes optional positional arguments for absent otherwise.
        "parse": "parse_intermixed_args" if mixed else "parse_args",
        "port": port_variable(view),
        "required": [(v.name, _sample(v.choices)) for v in asked.variables if v.required and _open(v)],
        "needed": [text for argument in asked.arguments for text in _given(argument, own)],
        "flags": any(one.format == "boolean" for one in told) or "_is_true" in repr(arguments),
        "numbers": any(one.format == "number" and not one.required and _open(one) for one in told),
        "choices": any(map(checked_choices, told)) or "_one_of" in repr(arguments),
    }


def _sample(choices: tuple[str, ...]) -> str:
    """A value for the project's own tests, which only list."""
    return choices[0] if choices else "1"


def _given(argument: Argument, own: OwnOptions) -> tuple[str, ...]:
    """What the project's own tests pass for an argument that the server does not start without."""
    needed = argument.required and _open(argument) and argument.name not in own.flags
    if not needed or argument.switch or not parsable(argument):
        return ()
    value = _sample(argument.choices)
    return (argument.name, value) if argument.name else (value,)


def _open(one: Variable | Argument) -> bool:
    """Whether somebody has to say what the value is."""
    return one.value is None and one.default is None


def _package(view: ProjectView, folder: str) -> Seed:
    path = f"{view.folder}/{folder}/__init__.py"
    return Seed(path, render_python(view.templates, "src/package.py.jinja", {"view": view, "kind": folder}))


def _function(
    view: ProjectView, folder: str, decorator: str, key: str, found: ToolView | FunctionView
) -> Seed:
    """The module of a function that is not written yet."""
    models = () if isinstance(found, FunctionView) else found.imports
    modules = origins(names_used(found.signature), view.package, models)
    modules[f"{view.package}.app"] = {"mcp"}
    function = free_name(found.function, {name for group in modules.values() for name in group})
    values = {
        "key": key,
        "decorator": Identifier(decorator),
        "function": function,
        "signature": found.signature.wrapped(LINE - len(f"async def {function}:"), LINE),
        "summary": summary(found.description) or summary(key) or key,
        "imports": import_block(modules, view.package),
    }
    path = f"{view.folder}/{folder}/{found.module}.py"
    return Seed(path, render_python(view.templates, "src/function.py.jinja", values))
