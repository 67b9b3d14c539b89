"""The server object: its name, its version, what it tells clients about itself."""

from __future__ import annotations

from weather._generated.runtime import ContractServer

mcp = ContractServer(
    name="weather",
    version="0.1.0",
)
