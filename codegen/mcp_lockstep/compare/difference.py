"""One difference between two promises, and whom it breaks."""

from __future__ import annotations

from typing import Literal

from mcp_lockstep.findings import Code, Severity
from mcp_lockstep.records import NamedTuple

Certainty = Literal["no", "maybe", "yes"]

Class = Literal["breaking", "may-break", "compatible", "cosmetic"]
"""Worst first: breaks somebody, may break somebody (not decided), breaks nobody, changes no value at all."""

Party = Literal["writers", "readers"]
"""writers: who produces values and sends them; readers: who receives them and counts on their form."""

Role = Literal["input", "output", "both"]
"""What values of a schema are for the users of a server: they write them, they read them, or both."""

CLASSES: tuple[Class, ...] = ("breaking", "may-break", "compatible", "cosmetic")

PARTIES: tuple[Party, ...] = ("writers", "readers")

SEVERITIES: dict[Class, Severity] = {
    "breaking": "error",
    "may-break": "warning",
    "compatible": "note",
    "cosmetic": "note",
}


class Difference(NamedTuple):
    """One thing that is not as it was. `old_at` and `new_at` are JSON pointers; `old` and `new` short texts.

    `writers` and `readers` say whether it breaks those parties; from the engine they say whether the schema
    accepts less (`writers`) or more (`readers`) than before. `latent`: it accepts less only of what nobody
    declared. `cosmetic`: it changes no value. `hint` is a sentence or empty.
    """

    code: Code
    old_at: str
    new_at: str
    old: str | None = None
    new: str | None = None
    writers: Certainty = "no"
    readers: Certainty = "no"
    latent: bool = False
    cosmetic: bool = False
    hint: str = ""

    @property
    def grade(self) -> Class:
        """How bad it is."""
        if self.cosmetic:
            return "cosmetic"
        if "yes" in (self.writers, self.readers):
            return "breaking"
        return "may-break" if "maybe" in (self.writers, self.readers) else "compatible"

    @property
    def breaks(self) -> tuple[Party, ...]:
        """The parties that it breaks, or may break where that is not decided."""
        word = {"breaking": "yes", "may-break": "maybe"}.get(self.grade)
        return tuple([party for party in PARTIES if getattr(self, party) == word])

    @property
    def severity(self) -> Severity:
        """As a finding: error, warning or note."""
        return SEVERITIES[self.grade]

    @property
    def pointer(self) -> str:
        """Where it shows: in the new document, or in the old one for what is gone."""
        return self.new_at if self.new is not None or self.old is None else self.old_at

    def seen_by(self, role: Role) -> Difference:
        """A difference of the engine as it concerns the users of a schema in that role."""
        return self._replace(
            writers="no" if role == "output" else self.writers,
            readers="no" if role == "input" else self.readers,
        )

    def below(self, old_at: str, new_at: str) -> Difference:
        """The same difference in the documents that hold the compared ones at these pointers."""
        return self._replace(old_at=old_at + self.old_at, new_at=new_at + self.new_at)
