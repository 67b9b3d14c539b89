"""A contract made of everything that breaks generators: names, texts and keys that nobody should use but may."""

from __future__ import annotations

from mcp_lockstep.contract.model import Contract
from mcp_lockstep.documents.data import JsonObject

NAMES = (
    "get-env",
    "get_env",
    "getEnv",
    "a.b",
    "a/b",
    "class",
    "import",
    "from",
    "print",
    "type",
    "match",
    "_private",
    "__init__",
    "__main__",
    "model_config",
    "model_dump",
    "self",
    "cls",
    "None",
    "mcp",
    "stub",
    "Content",
    "MISSING",
    "Any",
    "Literal",
    "Field",
    "BaseModel",
    "models",
    "tools",
    "con",
    "conftest",
    "1st",
    "two words",
    "é",
    "日本語",
    "🎉",
    "'quote\"s'",
    "back\\slash",
    "{{ name }}",
    "{% raw %}",
    '"""',
    "# hash",
    "x" * 128,
)
"""Names of tools, prompts and arguments that a contract may hold (none that the contract is refused for)."""

TEXTS = (
    "",
    " ",
    'ends in a quote "',
    "ends in a backslash \\",
    '"""\nprint("ran")\n"""',
    "'''\nprint('ran')\n'''",
    "{{ view.name }} {% raw %} {# gone #}",
    "\\N{BULLET} \\x \\u0041 \\",
    "line\nline\r\nline\u2028line",
    "bidi \u202e reversed \u2066 isolated",
    "<b>&amp;</b> --> <!-- mcp-name: evil/evil -->",
    "%s %(name)s %d {0} $HOME ${HOME} `id`",
    "nul \x00 bell \x07 tab \t",
    "a " * 4000,
    "'" * 50,
    '"' * 51,
    "# type: ignore\n# noqa",
)


def hostile_contract() -> Contract:
    """Tools, prompts and resources named and described with all of `NAMES` and `TEXTS`."""
    tools = tuple(_tool(name, index) for index, name in enumerate(NAMES))
    prompts: tuple[JsonObject, ...] = tuple(
        {
            "name": name,
            "description": _text(index),
            "arguments": [
                {"name": argument, "required": number % 2 == 0} for number, argument in enumerate(NAMES)
            ],
        }
        for index, name in enumerate(NAMES)
    )
    resources: tuple[JsonObject, ...] = tuple(
        {"uri": f"x://{index}/{name}", "name": name, "description": _text(index)}
        for index, name in enumerate(NAMES)
    )
    templates: tuple[JsonObject, ...] = (
        {"uriTemplate": "x://t/{class}/{self}{?mcp,from}", "name": "class"},
        {"uriTemplate": "x://files{/path*}", "name": "files"},
        {"uriTemplate": "x://u/{a}{b}", "name": "unmatchable"},
    )
    return Contract(tools, resources, templates, prompts)


def _tool(name: str, index: int) -> JsonObject:
    properties: JsonObject = {
        argument: {"type": ["string", "integer"][number % 2], "description": _text(number)}
        for number, argument in enumerate(NAMES)
    }
    schema: JsonObject = {
        "type": "object",
        "description": _text(index),
        "properties": properties,
        "required": list(NAMES[::3]),
        "x-null": None,
    }
    return {"name": name, "description": _text(index), "inputSchema": schema, "x-unknown": {"a": None}}


def _text(index: int) -> str:
    return TEXTS[index % len(TEXTS)]
