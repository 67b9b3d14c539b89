@mcp.contract("x")
def x(
    city: str,
    *,
    days: int,
    # the rest
    **rest: object,  # ignored
): ...
