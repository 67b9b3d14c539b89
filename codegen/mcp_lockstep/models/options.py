"""What can be asked of a module of models, and what comes back."""

from __future__ import annotations

from mcp_lockstep.config.overrides import NO_OVERRIDES, Overrides, OverrideTrouble
from mcp_lockstep.config.styles import USUAL, Style
from mcp_lockstep.findings import Finding
from mcp_lockstep.records import NamedTuple


class Shares(NamedTuple):
    """From where equal definitions are imported: how an import names the module, the name of its root, its schema."""

    module: str
    name: str
    schema: object


class ModelOptions(NamedTuple):
    """`name` is the class of the root schema (empty: from its title); `path` the file that findings name.

    `shares` is the module that has some of the definitions already.
    """

    name: str = ""
    path: str = "schema.json"
    style: Style = USUAL
    overrides: Overrides = NO_OVERRIDES
    shares: Shares | None = None


DEFAULTS = ModelOptions()


class ModelSource(NamedTuple):
    """The source of a module (without seal; empty where an error stopped it), its names, what is wrong.

    `names` maps each definition of the schema, and `""` for its root, to the class or alias it became; `troubles`
    are the overrides that cannot be granted, and then there is no source either.
    """

    source: str
    names: dict[str, str]
    findings: tuple[Finding, ...]
    troubles: tuple[OverrideTrouble, ...] = ()
