"""From what is known of a server to the view that its files are made from."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from mcp_lockstep.bundled.targets import Templates
from mcp_lockstep.contract.limits import published, target_limits
from mcp_lockstep.contract.sources import Offer
from mcp_lockstep.documents.data import text_of
from mcp_lockstep.emit.request import Request
from mcp_lockstep.emit.views import ProjectView
from mcp_lockstep.findings import Refused
from mcp_lockstep.generated.sealed import home
from mcp_lockstep.interface import Interface
from mcp_lockstep.naming import DistributionName, ImportName, distribution_name, package_name
from mcp_lockstep.project import Project

if TYPE_CHECKING:
    from mcp_lockstep.models.contract import ContractModels

_FIRST_VERSION = "0.1.0"


def view_of_offer(offer: Offer, interface: Interface, templates: Templates, request: Request) -> ProjectView:
    """The view of a project that does not exist yet."""
    identity = offer.identity
    name = request.name or identity.name
    short = name.rpartition("/")[2] or identity.label or request.folder
    return ProjectView(
        name=name,
        label=short,
        distribution=DistributionName(interface.distribution or distribution_name(short)),
        package=ImportName(package_name(interface.distribution or short)),
        version=interface.version or _FIRST_VERSION,
        templates=templates,
        contract=offer.contract,
        models=_models(offer, templates),
        title=identity.title,
        description=identity.description,
        website=identity.website,
        instructions=identity.instructions,
        icons=identity.icons,
        interface=interface,
        hook=request.hook,
    )


def view_of_project(project: Project, offer: Offer) -> ProjectView:
    """The view of a project that exists: enough for its generated files and for functions to add.

    Refused where there is no package to put them into.
    """
    base, package = home(project)
    distribution = distribution_name(text_of(project.table.get("name")) or package)
    return ProjectView(
        name=project.config.name,
        label=str(distribution),
        distribution=distribution,
        package=package,
        base=base,
        version=text_of(project.table.get("version")) or _FIRST_VERSION,
        templates=project.templates,
        contract=offer.contract,
        models=_models(offer, project.templates),
    )


def _models(offer: Offer, templates: Templates) -> Callable[[], ContractModels]:
    """The models, made once. Refused where a schema cannot become one: without models there is no project."""
    tools = published(offer.contract, target_limits(templates.target.name))
    sent = zip(offer.contract.tools, offer.origins.tools, strict=True)
    origins = [origin for tool, origin in sent if tool in tools]

    @cache
    def made() -> ContractModels:
        from mcp_lockstep.models.contract import contract_models

        models = contract_models(tools, origins)
        errors = [finding for finding in models.findings if finding.severity == "error"]
        if errors:
            raise Refused(*errors)
        return models

    return made
