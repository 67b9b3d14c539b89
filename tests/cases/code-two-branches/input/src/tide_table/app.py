import os

from fastmcp import FastMCP

if os.environ.get("TIDES_FAST"):
    mcp = FastMCP("Tides", version="2.3.0")
else:
    mcp = FastMCP("Tides", version='2.3.1')
