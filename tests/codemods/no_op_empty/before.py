@mcp.contract("ping")
def ping(
    # nothing yet
): ...
