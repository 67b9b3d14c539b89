"""What generated models are like: their profile, their kind, and the oldest Python and pydantic they run on."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from mcp_lockstep.records import NamedTuple

Profile: TypeAlias = Literal["exact", "ergonomic"]
Kind: TypeAlias = Literal["pydantic", "dataclass", "typeddict", "msgspec"]
Python: TypeAlias = Literal["3.11", "3.10", "3.12", "3.13", "3.14", "3.15"]
Pydantic: TypeAlias = Literal["2.14", "2.13", "2.12"]

PROFILES: tuple[Profile, ...] = get_args(Profile)
KINDS: tuple[Kind, ...] = get_args(Kind)
PYTHONS: tuple[Python, ...] = get_args(Python)
PYDANTICS: tuple[Pydantic, ...] = get_args(Pydantic)
"""The choices; the first one is what nobody needs to ask for."""


class Style(NamedTuple):
    """What was chosen of each."""

    profile: Profile = "exact"
    kind: Kind = "pydantic"
    python: Python = "3.11"
    pydantic: Pydantic = "2.14"

    @property
    def targets(self) -> tuple[str, ...]:
        """The oldest Python and pydantic, in words, where they are not the usual ones."""
        named = (("Python", self.python, PYTHONS[0]), ("pydantic", self.pydantic, PYDANTICS[0]))
        return tuple(f"{what} {version}" for what, version, usual in named if version != usual)

    @property
    def inputs(self) -> tuple[str, ...]:
        """What belongs to the recipe of a module."""
        return (self.profile, self.kind, *self.targets)

    @property
    def since(self) -> tuple[int, ...]:
        """The oldest Python as a tuple, to compare with."""
        return tuple(map(int, self.python.split(".")))

    def why_not(self) -> str:
        """Why no module is made in this style; empty where one is."""
        if self.kind == "typeddict" and self.profile == "ergonomic":
            return (
                "the keys of a TypedDict are the names on the wire, so the profile 'ergonomic' has nothing to change; "
                "take the profile 'exact'"
            )
        return ""


USUAL = Style()
"""What is made where nothing is asked for."""
