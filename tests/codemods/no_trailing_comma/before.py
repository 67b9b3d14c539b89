@mcp.contract("x")
def x(
    *,
    a: int  # first
    # last words
): ...
