@mcp.contract("x")
def x(*, a: dict[str, str] = {"(": "x"}, f=lambda a, b=(1, 2): {a: b}, b: "str" = "):", c=f"{1:>{2}}"): return a[1:2]
