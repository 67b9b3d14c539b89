"""Words without which no code reads a variable or an argument, or serves: what needs no reader costs none."""

from __future__ import annotations

ENVIRONMENT = ("environ", "getenv", "envvar")
SETTINGS = "BaseSettings"
PARSERS = ("argparse", "click", "typer", "argv")
ANY = (*ENVIRONMENT, SETTINGS, *PARSERS)
STDIO = ('"stdio"', "'stdio'", "stdio_server", "run_stdio")
HTTP = (
    "streamable",
    "http_app",
    "run_http",
    '"http"',
    "'http'",
    '"sse"',
    "'sse'",
    "sse_app",
    "run_sse",
    "SseServer",
)
