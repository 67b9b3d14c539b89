"""Files that are ours: their recipes without generating, their text only when somebody asks."""

from __future__ import annotations

from collections.abc import Callable

from mcp_lockstep.bundled.targets import Templates
from mcp_lockstep.emit.views import ProjectView
from mcp_lockstep.generated.recipe import seal_json, seal_python
from mcp_lockstep.generated.sealed import recipes
from mcp_lockstep.plan import Generated
from mcp_lockstep.project import GENERATED_FOLDER

_SOURCE = "contract.json"


def generated(view: ProjectView) -> tuple[Generated, ...]:
    """Every generated file of a project. Without [gen] their recipes are right, and only `make` cannot be called."""
    folder = f"{view.folder}/{GENERATED_FOLDER}"
    made = recipes(view.contract, view.templates)
    makers: dict[str, Callable[[], str]] = {
        "__init__.py": lambda: '"""Generated: what the contract asks of the code."""\n',
        "models.py": lambda: view.models().source,
        "stubs.py": lambda: _stubs(view),
        **{name: _runtime(view.templates, name) for name in view.templates.target.runtime},
    }
    files = [
        Generated(f"{folder}/{name}", made[name], _sealed(made[name], make)) for name, make in makers.items()
    ]
    document = view.contract.document()
    return (
        Generated(
            f"{folder}/contract.json",
            made["contract.json"],
            lambda: seal_json(made["contract.json"], _SOURCE, document),
        ),
        *files,
    )


def _sealed(made: str, make: Callable[[], str]) -> Callable[[], str]:
    return lambda: seal_python(made, _SOURCE, make().rstrip("\n") + "\n")


def _runtime(templates: Templates, name: str) -> Callable[[], str]:
    return lambda: templates.text(name)


def _stubs(view: ProjectView) -> str:
    from mcp_lockstep.emit.stubs import stubs

    return stubs(view)
