@mcp.contract("x")
def x(
    a,  # type: int
    b,  # type: str
):
    # type: (...) -> None
    ...
