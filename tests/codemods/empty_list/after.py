@mcp.contract("x")
def x(*, city: str) -> str: raise NotImplementedError
