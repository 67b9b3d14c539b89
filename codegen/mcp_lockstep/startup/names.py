"""What the name of a variable tells: the system's own, and those of common libraries."""

from __future__ import annotations

import re

_SYSTEM = frozenset(
    "HOME PATH USER USERNAME LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TEMP TMP PWD TERM COLORTERM NO_COLOR FORCE_COLOR "
    "COLUMNS LINES EDITOR VISUAL PAGER BROWSER APPDATA LOCALAPPDATA USERPROFILE PROGRAMDATA PROGRAMFILES SYSTEMROOT "
    "WINDIR COMSPEC HOSTNAME COMPUTERNAME DISPLAY WAYLAND_DISPLAY CI GITHUB_ACTIONS PYTEST_CURRENT_TEST READTHEDOCS "
    "ALLUSERSPROFILE PUBLIC PROCESSOR_ARCHITECTURE VIRTUAL_ENV CONDA_PREFIX CURL_CA_BUNDLE REQUESTS_CA_BUNDLE".split()
)
_SYSTEM_FORMS = (
    r"(?:XDG_|LC_|PYTHON|SSL_CERT_|PYTEST_|UV_)\w*|\w+_PROXY|(?:COMMON)?PROGRAM(?:FILES|W6432)(?:\(X86\))?"
)
_LIBRARIES = r"(?:FASTMCP_|MCP_|UVICORN_|HTTPX_|WEB_CONCURRENCY|FORWARDED_ALLOW_IPS|NODE_|OTEL_|LOGFIRE_)\w*"


def is_common(name: str) -> bool:
    """Whether `name` is set by systems, shells and CI: nobody declares it."""
    return name.upper() in _SYSTEM or re.fullmatch(_SYSTEM_FORMS, name.upper()) is not None


def is_for_library(name: str) -> bool:
    """Whether a library that servers are built on reads `name` by itself."""
    return is_common(name) or re.fullmatch(_LIBRARIES, name.upper()) is not None
