@mcp.contract("x")
def x(*, a: dict[str, str] = {"(": ":", ")": ","}, b: "str" = "):"): return a[1:2]
