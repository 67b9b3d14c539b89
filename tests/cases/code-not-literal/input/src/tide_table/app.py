from importlib.metadata import version

from fastmcp import FastMCP

mcp = FastMCP("Tides", version=version("tide-table"))


def main() -> None:
    mcp.run()
