"""Generate MCP servers from schemas, and keep code, server.json and every repeated fact in step."""

__version__ = "0.1.0"
