from mcp.server import MCPServer as Server
from fastmcp import FastMCP

mcp = FastMCP("io.github.harbour/tide-table", version=r"2.5.0", instructions="Version 2.4.0 of été")


def other() -> FastMCP:
    inner = FastMCP(name="inner", version="""2.5.0""")
    return inner


def main() -> None:
    mcp.run()
