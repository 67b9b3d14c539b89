"""What a server offers, and the signatures that are agreed on: by its code, or by a contract where it has one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mcp_lockstep.code.link import Surface
from mcp_lockstep.code.module import Function, Module
from mcp_lockstep.code.source import Source
from mcp_lockstep.documents import Edit
from mcp_lockstep.findings import Finding, Place
from mcp_lockstep.project import Project
from mcp_lockstep.records import NamedTuple

if TYPE_CHECKING:
    from mcp_lockstep.code.sides import Outcome
    from mcp_lockstep.contract.sources import Offer


class Rewrite(NamedTuple):
    """A function of the contract, what the merge decided about its signature, and the two places that say it."""

    tool: str
    function: Function
    source: Source
    outcome: Outcome
    places: tuple[Place, Place]


class Kept(NamedTuple):
    """What is wrong with the surface, what mends it, and the signatures that are then agreed on (tool -> text).

    `code` is what the user's modules register, `stubs` what the contract asks of them (None: not known), `offer`
    the contract as read (None: the project has none), `missing` the items that no function serves,
    `unused` the edits that take out imports of models that are gone.
    """

    findings: tuple[Finding, ...] = ()
    code: Surface = Surface()
    stubs: Module | None = None
    rewrites: tuple[Rewrite, ...] = ()
    agreed: Mapping[str, str] = {}
    offer: Offer | None = None
    missing: frozenset[str] = frozenset()
    orphans: tuple[Function, ...] = ()
    unused: tuple[Edit, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The two places of each signature: in the contract and in the code."""
        return tuple(place for rewrite in self.rewrites for place in rewrite.places)


def is_contract_first(project: Project) -> bool:
    """Whether the contract decides which tools there are."""
    return bool(project.config.contract) and project.config.owners.get("tools") != "code"
