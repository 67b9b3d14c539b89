@mcp.contract("x")
def x(city: str, *, days: int = 3, mode: Literal["a", "b"] = "a"): return city
