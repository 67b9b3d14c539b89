@mcp.contract("x")
def x(city: str): return city
