@mcp.contract("x")
def x(
    b: int,  # type: str
):
    # type: (...) -> None
    ...
