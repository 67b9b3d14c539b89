"""Words without which no code reads an environment variable or an argument: what needs no reader costs none."""

from __future__ import annotations

ENVIRONMENT = ("environ", "getenv", "envvar")
SETTINGS = "BaseSettings"
PARSERS = ("argparse", "click", "typer", "argv")
ANY = (*ENVIRONMENT, SETTINGS, *PARSERS)
