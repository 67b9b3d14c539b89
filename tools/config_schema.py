"""The JSON Schema of the configuration, made by asking the reader of the configuration what it reads."""

from __future__ import annotations

import json
from typing import cast

from mcp_lockstep import config
from mcp_lockstep.findings import SEVERITY_ORDER

Schema = dict[str, object]
_PATH: Schema = {
    "type": "string",
    "description": "A path inside the project.",
    "pattern": r"^(?!/)(?![^/\\]*:)(?!(.*[/\\])?\.\.([/\\]|$))",
}


class Recorder:
    """Stands in for a table of the configuration: writes down each key that is asked for, and what it may be."""

    def __init__(self) -> None:
        self.properties: dict[str, Schema] = {}
        self.required: list[str] = []
        self.document = self
        self.path = ""
        self._children: dict[str, Recorder] = {}

    def text(self, key: str) -> str:
        return self._note(key, {"type": "string"})

    def file(self, key: str) -> str:
        return self._note(key, _PATH)

    def files(self, key: str) -> tuple[str, ...]:
        return tuple(self._note(key, {"type": "array", "items": {**_PATH, "minLength": 1}}))

    def choice(self, key: str, *choices: str) -> str:
        return self._note(key, {"enum": [choice for choice in choices if choice]})

    def flag(self, key: str) -> bool:
        return bool(self._note(key, {"type": "boolean"}))

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(self._note(key, {"type": "array", "items": {"type": "string"}}))

    def mapping(self, key: str) -> dict[str, str]:
        return dict.fromkeys(
            self._note(key, {"type": "object", "additionalProperties": {"type": "string"}}), ""
        )

    def text_or_mapping(self, key: str) -> dict[str, str]:
        texts = {"type": "object", "additionalProperties": {"type": "string"}}
        return dict.fromkeys(self._note(key, {"anyOf": [{"type": "string"}, texts]}), "")

    def file_or_texts(self, key: str) -> str:
        return self._note(key, {"anyOf": [_PATH, {"type": "array", "items": {"type": "string"}}]})

    def levels(self, key: str) -> dict[str, str]:
        self._note(key, {"type": "object", "additionalProperties": {"enum": list(SEVERITY_ORDER)}})
        return {}

    def tables(self, key: str) -> list[Recorder]:
        self._children[key] = Recorder()
        return [self._children[key]]

    def close(self, *required: str) -> None:
        self.required += required

    def schema(self) -> Schema:
        """What was asked for, as a closed object."""
        children = {key: {"type": "array", "items": child.schema()} for key, child in self._children.items()}
        properties = dict(sorted({**self.properties, **children}.items()))
        found: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        return {**found, "required": self.required} if self.required else found

    def _note(self, key: str, schema: Schema) -> str:
        self.properties[key] = schema
        return ""


def config_schema() -> str:
    """schemas/config.json: `[tool.mcp-lockstep]` of pyproject.toml, or the whole of mcp-lockstep.toml."""
    recorder = Recorder()
    # The reader itself is the one list of keys; it is asked through a table that only takes notes.
    config._config(cast("config._Table", recorder))  # pyright: ignore[reportPrivateUsage]  # it has no other caller
    whole: Schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "urn:mcp-lockstep:config",
        "title": "Configuration of mcp-lockstep",
        **recorder.schema(),
    }
    return json.dumps(whole, indent=2) + "\n"
