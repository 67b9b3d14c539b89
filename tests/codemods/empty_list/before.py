@mcp.contract("x")
def x(): raise NotImplementedError
