@mcp.contract("x")
def x(
    city: str,
    # the rest
    **rest: object,  # ignored
): ...
