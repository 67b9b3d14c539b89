@mcp.contract("x")
def x(
    *,
    city: str,  # gone with its comment
    days: int = 3,
) -> str: ...
