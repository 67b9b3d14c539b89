"""server.json as an entry of a registry list, and a finding for each thing that a list cannot carry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mcp_lockstep.documents import JsonDocument
from mcp_lockstep.documents.data import JsonObject, as_object
from mcp_lockstep.documents.kinds import sign_of
from mcp_lockstep.export import codes
from mcp_lockstep.findings import Finding, Refused, Severity
from mcp_lockstep.launch.derive import launch_of, reference, shown_input, value_word, words_of
from mcp_lockstep.launch.package import Input, Package, Remote, Setting, packages_of, remotes_of
from mcp_lockstep.rules.manifest import elements, field, members, shown, text

_KINDS = ("npm", "pypi", "oci")
_KEPT = ("title", "description", "version")
_LEFT_OUT = ("websiteUrl", "repository", "icons", "_meta", "website_url")


class _Maker:
    """Collects what is lost on the way of the server that stands at `root` of a document."""

    def __init__(self, document: JsonDocument, root: str = "") -> None:
        self.document = document
        self.root = root
        self.findings: list[Finding] = []

    def lost(self, pointer: str, what: str, hint: str = "", level: Severity | None = None) -> None:
        """Say that the value at `pointer` has no place in a list."""
        document, pointer = self.document, self.root + pointer
        message = f"{field(pointer)}: {what}"
        self.findings.append(
            Finding(
                codes.LIST_CANNOT_CARRY,
                document.place(pointer),
                message,
                document.where(pointer),
                hint=hint,
                level=level,
            )
        )

    def entry(self, data: JsonObject) -> JsonObject:
        """The entry of the server."""
        name = text(data.get("name"))
        if not name:
            place, where = self.document.place(self.root), self.document.where(self.root)
            message = f"{place} has no `name`, by which a list knows a server"
            raise Refused(Finding(codes.NOTHING_TO_EXPORT, place, message, where))
        server: JsonObject = {"name": self._name(name)}
        server |= {key: data[key] for key in _KEPT if key in data}
        for key in _LEFT_OUT:
            if key in data:
                self.lost(f"/{key}", "a list has no such field", level="note")
        if packages := list(self._packages(packages_of(data))):
            server["packages"] = packages
        if remotes := list(self._remotes(remotes_of(data))):
            server["remotes"] = remotes
        return server

    def _name(self, name: str) -> str:
        # A list's names have no slash; with a full stop the owner stays recognisable.
        listed = name.replace("/", ".")
        if listed != name:
            self.lost("/name", f"a name in a list has no slash; {shown(listed)} is written", level="note")
        return listed

    def _packages(self, packages: tuple[Package, ...]) -> Iterator[JsonObject]:
        fit = [package for package in packages if package.kind in _KINDS]
        for package in packages:
            if package.kind not in _KINDS:
                self.lost(package.pointer, f"a list has no {package.kind} packages, only {', '.join(_KINDS)}")
        for package in fit[1:]:
            self.lost(package.pointer, "a list has one package for a server; the first is written")
        yield from map(self._package, fit[:1])

    def _package(self, package: Package) -> JsonObject:
        if package.version and package.kind != "oci":
            hint = f"readers of the list run {package.identifier} in its newest version"
            self.lost(f"{package.pointer}/version", "a package in a list has no version", hint)
        if package.hint:
            self.lost(f"{package.pointer}/runtimeHint", "a list has no such field", level="note")
        oci = package.kind == "oci"
        out: JsonObject = {"registryType": package.kind}
        if package.base_url and not oci:
            out["registryBaseUrl"] = package.base_url
        out["identifier"] = reference(package) if oci else package.identifier
        out["transport"] = self._transport(package)
        out |= _filled(
            {
                "runtimeArguments": list(self._arguments(package.runtime)),
                "packageArguments": list(self._arguments(package.arguments)),
                "environmentVariables": [self._pair(one) for one in package.environment if one.flag],
            }
        )
        return out

    def _transport(self, package: Package) -> JsonObject:
        if launch_of(package).transport == "stdio":
            return {"type": "stdio"}
        settings = (*package.arguments, *package.environment)
        answers = {one.flag or one.input.name: one.value or one.input.default for one in settings}
        url = self._url(f"{package.pointer}/transport/url", package.url, answers)
        headers = [self._pair(one) for one in package.headers]
        return {"type": package.transport, "url": url, **_filled({"headers": headers})}

    def _remotes(self, remotes: tuple[Remote, ...]) -> Iterator[JsonObject]:
        for remote in remotes[1:]:
            self.lost(remote.pointer, "a list has one remote for a server; the first is written")
        for remote in remotes[:1]:
            answers = {one.name: one.default for one in remote.variables}
            url = self._url(f"{remote.pointer}/url", remote.url, answers)
            headers = [self._pair(one) for one in remote.headers]
            yield {"type": remote.transport, "url": url, **_filled({"headers": headers})}

    def _url(self, pointer: str, url: str, answers: Mapping[str, str | None]) -> str:
        filled = url
        for name, answer in answers.items():
            filled = filled.replace(f"{{{name}}}", answer if answer is not None else f"{{{name}}}")
        if "{" in url:
            self.lost(pointer, f"an address in a list has no variables; {shown(filled)} is written")
        return filled

    def _arguments(self, settings: tuple[Setting, ...]) -> Iterator[JsonObject]:
        for setting in settings:
            words = tuple(words_of(setting))
            if any(_unanswered(one) for word in words for one in word.inputs):
                self.lost(setting.pointer, "an argument in a list has a fixed value; it is left out")
                continue
            if not words:
                self.lost(setting.pointer, "an argument in a list cannot be optional; it is left out")
            elif any(word.inputs for word in words):
                self.lost(setting.pointer, "an argument in a list has a fixed value; the default is written")
            for word in words:
                yield {"type": "positional", "value": word.filled(shown_input)}

    def _pair(self, setting: Setting) -> JsonObject:
        word, one = value_word(setting), setting.input
        words = [name for name, holds in (("required", one.required), ("secret", one.secret)) if holds]
        if words:
            self.lost(setting.pointer, f"a list cannot say that it is {' and '.join(words)}")
        if any(map(_unanswered, word.inputs)) or not word.text:
            if word.inputs and not words:
                self.lost(setting.pointer, "a value in a list is fixed; the name alone is written")
            return {"name": setting.flag}
        if word.inputs:
            self.lost(setting.pointer, "a value in a list is fixed; the default is written", level="note")
        return {"name": setting.flag, "value": word.filled(shown_input)}


def registry_list(document: JsonDocument) -> tuple[JsonObject, tuple[Finding, ...]]:
    """A registry list with the server of a server.json, or with those of a list; and what is lost in it."""
    entries: list[JsonObject] = []
    findings: list[Finding] = []
    for root, data in _servers(as_object(document.data) or {}):
        maker = _Maker(document, root)
        entries.append({"server": maker.entry(data)})
        findings += maker.findings
    return {"servers": list(entries)}, tuple(findings)


def _servers(data: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Every server, with the pointer to it."""
    if sign_of(data).kind != "registry list":
        yield "", data
        return
    for index, entry in enumerate(map(members, elements(data["servers"]))):
        server = as_object(entry.get("server"))
        yield (f"/servers/{index}", entry) if server is None else (f"/servers/{index}/server", server)


def _unanswered(one: Input) -> bool:
    return one.default is None


def _filled(data: JsonObject) -> JsonObject:
    return {key: value for key, value in data.items() if elements(value)}
