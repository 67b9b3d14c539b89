"""What only a build can see: LS60xx."""

from __future__ import annotations

from mcp_lockstep.findings import Code

BUILT_VERSION_DIFFERS = Code(
    "LS6001",
    "built-version-differs",
    "error",
    "The version that the build makes is not the one in server.json.",
    'The version comes from a tag or a plugin, so no file could be compared before. Set `version = "build"` in '
    "`[tool.mcp-lockstep]` where the build is to put it into server.json, or write the version that is released.",
)
DESCRIPTION_UNMARKED = Code(
    "LS6002",
    "description-unmarked",
    "error",
    "The description that the build makes does not hold the ownership marker.",
    "The registry looks for it in the description of the uploaded package, not in the repository. Put "
    "`<!-- mcp-name: NAMESPACE/NAME -->` into the file that becomes the description; where a plugin makes the "
    "description of pieces, into a piece that stays.",
)
CODES = (BUILT_VERSION_DIFFERS, DESCRIPTION_UNMARKED)
