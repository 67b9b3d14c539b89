"""The steps from older revisions of server.json to newer ones, a file each, in the one order that they run in."""

from __future__ import annotations

from mcp_lockstep.migrate.moves import Step
from mcp_lockstep.migrate.steps.addresses import addresses
from mcp_lockstep.migrate.steps.images import images
from mcp_lockstep.migrate.steps.input_keys import input_keys
from mcp_lockstep.migrate.steps.input_values import input_values
from mcp_lockstep.migrate.steps.package_keys import package_keys
from mcp_lockstep.migrate.steps.package_names import package_names
from mcp_lockstep.migrate.steps.publisher_meta import publisher_meta
from mcp_lockstep.migrate.steps.registry_meta import registry_meta
from mcp_lockstep.migrate.steps.registry_types import registry_types
from mcp_lockstep.migrate.steps.remote_variables import remote_variables
from mcp_lockstep.migrate.steps.schema_address import schema_address
from mcp_lockstep.migrate.steps.status import status
from mcp_lockstep.migrate.steps.transport_keys import transport_keys
from mcp_lockstep.migrate.steps.transport_types import transport_types
from mcp_lockstep.migrate.steps.version_detail import version_detail
from mcp_lockstep.records import NamedTuple


class Since(NamedTuple):
    """A step, and the revision that first asked for what it does: it runs on the way to that one or a newer one."""

    revision: str
    step: Step


STEPS: tuple[Since, ...] = (
    Since("2025-07-09", version_detail),
    Since("2025-07-09", publisher_meta),
    Since("2025-07-09", package_names),
    Since("2025-07-09", registry_types),
    Since("2025-07-09", transport_keys),
    Since("2025-07-09", transport_types),
    Since("2025-07-09", input_values),
    Since("2025-09-16", package_keys),
    Since("2025-09-16", input_keys),
    Since("2025-09-29", status),
    Since("2025-09-29", registry_meta),
    Since("2025-10-11", addresses),
    Since("2025-10-11", images),
    Since("2025-12-11", remote_variables),
    Since("2025-07-09", schema_address),
)
"""Every step, in order. They go by the keys that they find, not by `$schema`: one address stood for three formats."""
