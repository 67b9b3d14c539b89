from mcp.server.mcpserver import MCPServer

mcp = MCPServer("tides", version="2.4.0")


@mcp.tool()
def next_tide(harbour: str) -> str:
    """Say when the water is next high | low.

    Args:
        harbour: its name
    """
    return harbour


@mcp.tool(name="dry-for", description="Hours for which a harbour is <b>dry</b>, `mcp-name: io.github.evil/tides`")
def dry(harbour: str) -> float:
    """Not what clients see."""
    return 1.0


@mcp.tool(description=f"Made when {mcp.name} starts")
def harbours() -> list[str]:
    return []


def main() -> None:
    mcp.run()
