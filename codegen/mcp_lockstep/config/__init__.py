"""The configuration: `[tool.mcp-lockstep]` in pyproject.toml, or the same table in mcp-lockstep.toml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast, get_origin

from mcp_lockstep.config.overrides import NO_OVERRIDES, REST, Overrides
from mcp_lockstep.config.styles import (
    KINDS,
    PROFILES,
    PYDANTICS,
    PYTHONS,
    Kind,
    Profile,
    Pydantic,
    Python,
    Style,
)
from mcp_lockstep.documents import TomlDocument
from mcp_lockstep.documents.data import as_object
from mcp_lockstep.documents.pointer import escape_part
from mcp_lockstep.findings import SEVERITY_ORDER, Code, Finding, Place, Position, nearest
from mcp_lockstep.records import NamedTuple
from mcp_lockstep.tree import Tree, safe

OWN_FILE = "mcp-lockstep.toml"
PYPROJECT = "pyproject.toml"
TABLE = "/tool/mcp-lockstep"
"""Where the configuration stands in pyproject.toml, as a pointer."""
T = TypeVar("T")
C = TypeVar("C", bound=str)

CONFIG_UNKNOWN_KEY = Code(
    "LS0101",
    "config-unknown-key",
    "error",
    "The configuration has a key that mcp-lockstep does not know.",
    "A misspelt key would be ignored in silence. Correct it or take it out.",
    exit=2,
)
CONFIG_WRONG_VALUE = Code(
    "LS0102",
    "config-wrong-value",
    "error",
    "A value of the configuration is of the wrong kind.",
    "The message names the kind that is wanted.",
    exit=2,
)
CONFIG_TWICE = Code(
    "LS0103",
    "config-twice",
    "error",
    "The configuration stands in two files.",
    f"Keep `[tool.mcp-lockstep]` in {PYPROJECT} or the table in {OWN_FILE}, not both.",
    exit=2,
)
CONFIG_NO_EFFECT = Code(
    "LS0108",
    "config-no-effect",
    "warning",
    "The configuration sets a key that this version does nothing with.",
    "The key has a meaning, but what it steers is not there yet. Take it out until it is.",
)
_NOT_YET = frozenset({"lenient", "plugins"})
"""Keys that are known and have no effect yet."""
CODES = (CONFIG_NO_EFFECT, CONFIG_UNKNOWN_KEY, CONFIG_WRONG_VALUE, CONFIG_TWICE)


class OwnPlace(NamedTuple):
    """One more place of a fact: a whole file (`VERSION`), `file#/pointer`, or a file and a pattern with one group."""

    fact: str
    place: str
    pattern: str = ""


class ModelJob(NamedTuple):
    """One model module to keep: a schema (as the command line names it) and the file it becomes."""

    schema: str
    output: str
    profile: Profile = "exact"
    kind: Kind = "pydantic"
    patches: str = ""
    target_python: Python = PYTHONS[0]
    target_pydantic: Pydantic = PYDANTICS[0]
    overrides: Overrides = NO_OVERRIDES
    shares: str = ""

    @property
    def style(self) -> Style:
        """What the models are to be like."""
        return Style(self.profile, self.kind, self.target_python, self.target_pydantic)


class Config(NamedTuple):
    """What the user decided; every field has a default, so that no configuration is a configuration.

    `path` is the file that it stands in (empty: none), `servers` the folders of a monorepo, `ignore` maps a code
    to the reason, `owners` a fact to the place that decides, `renames` `TOOL.OLD` to the new parameter name.
    """

    path: str = ""
    name: str = ""
    sdk: str = "mcp2"
    contract: str = ""
    schema: str = ""
    version: str = ""
    registry: str = "official"
    lenient: bool = False
    extends: str = ""
    build_backend: str = ""
    backend_path: tuple[str, ...] = ()
    build_strict: bool = False
    templates: str = ""
    plugins: tuple[str, ...] = ()
    ignore: Mapping[str, str] = {}
    owners: Mapping[str, str] = {}
    severity: Mapping[str, str] = {}
    renames: Mapping[str, str] = {}
    places: tuple[OwnPlace, ...] = ()
    models: tuple[ModelJob, ...] = ()
    servers: tuple[str, ...] = ()

    @property
    def moves(self) -> bool:
        """Whether an answer depends on what no file of the project tells: where a git revision points to."""
        return any(job.schema.startswith("git:") for job in self.models)


def read_config(tree: Tree) -> tuple[Config, tuple[Finding, ...]]:
    """The configuration of the project, and what is wrong with it. Refused when a file cannot be read."""
    homes = ((PYPROJECT, TABLE), (OWN_FILE, ""))
    found = [table for path, pointer in homes if (table := _table(tree, path, pointer)) is not None]
    if not found:
        return Config(), ()
    own, findings = found[0], found[0].findings
    config = _config(own)
    if config.extends:
        config = _extended(tree, config, own)
    for key in () if findings else sorted(_NOT_YET & own.keys):
        own.warn(key, f"`{key}` is set, and this version does nothing with it")
    if len(found) > 1:
        message = f"{PYPROJECT} and {OWN_FILE} both hold the configuration"
        findings.append(Finding(CONFIG_TWICE, Place(OWN_FILE), message, hint=CONFIG_TWICE.explain))
    return config, tuple(findings)


def _config(table: _Table) -> Config:
    config = Config(
        path=table.document.path,
        name=table.text("name"),
        sdk=table.choice("sdk", "mcp2", "mcp1", "fastmcp4", "fastmcp3"),
        contract=table.file("contract"),
        schema=table.text("schema"),
        version=table.choice("version", "", "bumped", "stamped", "build"),
        registry=table.choice("registry", "official", "private"),
        lenient=table.flag("lenient"),
        extends=table.file("extends"),
        build_backend=table.text("build-backend"),
        backend_path=table.files("backend-path"),
        build_strict=table.flag("build-strict"),
        templates=table.file("templates"),
        plugins=table.texts("plugins"),
        ignore=table.mapping("ignore"),
        owners=table.mapping("owners"),
        severity=table.levels("severity"),
        renames=table.mapping("renames"),
        places=tuple(map(_own_place, table.tables("places"))),
        models=tuple(map(_model_job, table.tables("models"))),
        servers=tuple(map(_server, table.tables("servers"))),
    )
    table.close()
    return config


def _extended(tree: Tree, config: Config, own: _Table) -> Config:
    """`config` over the shared policy that it extends: single keys are replaced, tables are merged."""
    shared = _table(tree, config.extends, "")
    if shared is None:
        own.wrong("extends", "a TOML file of the project")
        return config
    policy = _config(shared)
    own.findings += shared.findings
    values: list[object] = []
    for field in Config._fields:
        theirs: object = getattr(policy, field)
        mine: object = getattr(config, field)
        stated = field == "path" or field.replace("_", "-") in own.keys
        entries = as_object(mine)
        both = {**(as_object(theirs) or {}), **entries} if entries is not None else None
        values.append(both if both is not None else mine if stated else theirs)
    return Config._make(values)


def _own_place(table: _Table) -> OwnPlace:
    place = OwnPlace(table.text("fact"), table.text("place"), table.text("pattern"))
    table.close("fact", "place")
    return place


def _model_job(table: _Table) -> ModelJob:
    job = ModelJob(
        table.text("schema"),
        table.file("output"),
        table.choice("profile", *PROFILES),
        table.choice("kind", *KINDS),
        table.file("patches"),
        table.choice("target-python", *PYTHONS),
        table.choice("target-pydantic", *PYDANTICS),
        _overrides(table),
        table.file("shares"),
    )
    table.close("schema", "output")
    return job


def _overrides(table: _Table) -> Overrides:
    extra, append = table.text_or_mapping("extra"), table.file_or_texts("append")
    return Overrides(
        table.text("base-class"),
        ({REST: extra} if extra else {}) if isinstance(extra, str) else extra,
        table.mapping("types"),
        table.mapping("names"),
        () if isinstance(append, str) else append,
        append if isinstance(append, str) else "",
    )


def _server(table: _Table) -> str:
    path = table.file("path")
    table.close("path")
    return path


class _Table:
    """One table, read key by key; what was never asked for is unknown when it is closed."""

    def __init__(
        self, document: TomlDocument, pointer: str, values: Mapping[str, object], findings: list[Finding]
    ) -> None:
        self.document, self.pointer, self.findings = document, pointer, findings
        self._values = values
        self._asked: list[str] = []

    def text(self, key: str) -> str:
        return self._read(key, "a text", str, "")

    def file(self, key: str) -> str:
        value = self.text(key)
        if value and not safe(value):
            self.wrong(key, "a path inside the project")
            return ""
        return value

    def files(self, key: str) -> tuple[str, ...]:
        values = self.texts(key)
        if not all(safe(value) for value in values):
            self.wrong(key, "a list of paths inside the project")
        return tuple(value for value in values if safe(value))

    def choice(self, key: str, *choices: C) -> C:
        usual: str = choices[0]
        value = self._read(key, "a text", str, usual)
        known = choices if key not in self._values else (choice for choice in choices if choice)
        found = next((choice for choice in known if choice == value), None)
        if found is None:
            near = nearest(value, choices)
            hint = f'did you mean "{near}"?' if near else ""
            self.wrong(key, " or ".join(f'"{choice}"' for choice in choices if choice), hint)
            return choices[0]
        return found

    def flag(self, key: str) -> bool:
        return self._read(key, "true or false", bool, False)

    def texts(self, key: str) -> tuple[str, ...]:
        items = self._read(key, "a list of texts", list[object], [])
        if not all(isinstance(item, str) for item in items):
            self.wrong(key, "a list of texts")
        return tuple(item for item in items if isinstance(item, str))

    def mapping(self, key: str) -> Mapping[str, str]:
        items = self._read(key, "a table of texts", dict[str, object], {})
        if not all(isinstance(item, str) for item in items.values()):
            self.wrong(key, "a table of texts")
        return {name: item for name, item in items.items() if isinstance(item, str)}

    def text_or_mapping(self, key: str) -> str | Mapping[str, str]:
        return self.text(key) if isinstance(self._values.get(key), str) else self.mapping(key)

    def file_or_texts(self, key: str) -> str | tuple[str, ...]:
        return self.file(key) if isinstance(self._values.get(key), str) else self.texts(key)

    def levels(self, key: str) -> Mapping[str, str]:
        levels = self.mapping(key)
        if not all(level in SEVERITY_ORDER for level in levels.values()):
            self.wrong(key, f"a table of {', '.join(SEVERITY_ORDER)}")
        return {code: level for code, level in levels.items() if level in SEVERITY_ORDER}

    def tables(self, key: str) -> list[_Table]:
        items = self._read(key, "an array of tables", list[object], [])
        if not all(isinstance(item, dict) for item in items):
            self.wrong(key, "an array of tables")
        return [
            _Table(self.document, f"{self.pointer}/{key}/{index}", values, self.findings)
            for index, item in enumerate(items)
            if (values := as_object(item)) is not None
        ]

    def close(self, *required: str) -> None:
        """Report what nobody asked for, and what is required and not there."""
        for key in self._values:
            if key not in self._asked:
                self._unknown(key)
        for key in required:
            if key not in self._values:
                message = f"`{key}` is missing in {self._place('')}"
                self.findings.append(
                    Finding(CONFIG_WRONG_VALUE, self._place(""), message, self._position(""))
                )

    def _read(self, key: str, wanted: str, kind: type[T], default: T) -> T:
        self._asked.append(key)
        value = self._values.get(key, default)
        if isinstance(value, get_origin(kind) or kind):
            return cast(T, value)
        self.wrong(key, wanted)
        return default

    def _place(self, key: str) -> Place:
        return self.document.place(self._pointer(key))

    def _position(self, key: str) -> Position:
        return self.document.where(self._pointer(key))

    def _pointer(self, key: str) -> str:
        return f"{self.pointer}/{escape_part(key)}" if key else self.pointer

    @property
    def keys(self) -> frozenset[str]:
        """The keys that stand in the table."""
        return frozenset(self._values)

    def warn(self, key: str, message: str) -> None:
        """Report a key that has no effect."""
        place, position = self._place(key), self._position(key)
        self.findings.append(
            Finding(CONFIG_NO_EFFECT, place, message, position, hint=CONFIG_NO_EFFECT.explain)
        )

    def wrong(self, key: str, wanted: str, hint: str = "") -> None:
        """Report a value of another kind than is wanted."""
        have = repr(self._values.get(key))
        place, position = self._place(key), self._position(key)
        message = f"`{key}` is {have}, {wanted} is wanted"
        self.findings.append(
            Finding(CONFIG_WRONG_VALUE, place, message, position, have=have, want=wanted, hint=hint)
        )

    def _unknown(self, key: str) -> None:
        near = nearest(key, self._asked)
        hint = f"did you mean `{near}`?" if near else f"known here: {', '.join(sorted(self._asked))}"
        message = f"`{key}` is not a key of the configuration"
        self.findings.append(
            Finding(CONFIG_UNKNOWN_KEY, self._place(key), message, self._position(key), hint=hint)
        )


def _table(tree: Tree, path: str, pointer: str) -> _Table | None:
    raw = tree.read(path)
    if raw is None:
        return None
    document = TomlDocument(path, raw)
    values = as_object(document.data) or {}
    for key in pointer.split("/")[1:]:
        inner = as_object(values.get(key))
        if inner is None:
            return None
        values = inner
    return _Table(document, pointer, values, [])
