@mcp.contract("x")
def x(
    *,
    a: int,  # first
    b: int
    # last words
): ...
