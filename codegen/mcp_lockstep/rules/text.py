"""Rules for what people read: description and title."""

from __future__ import annotations

from collections.abc import Iterator

from mcp_lockstep.findings import Code
from mcp_lockstep.rules.manifest import Fault, Manifest, field, shown, text
from mcp_lockstep.rules.violation import Violation

DESCRIPTION_TOO_LONG = Code(
    "LS2020",
    "description-too-long",
    "error",
    "`description` has more characters than the revision of the file allows.",
    "The registry refuses the file with status 422. Characters are code points, not bytes. Shorten the text "
    "by hand: nothing is cut or copied by itself.",
)
DESCRIPTION_BLANK = Code(
    "LS2021",
    "description-blank",
    "error",
    "`description` says nothing.",
    "An empty description is refused by the registry; one of spaces only shows up as an empty line in "
    "clients.",
)
TITLE_BLANK = Code(
    "LS2022",
    "title-blank",
    "error",
    "`title` consists of spaces.",
    "The registry refuses such a title. Leave `title` out where the name is good enough to show.",
    registry="title-whitespace-only",
)


def description_too_long(violation: Violation, allower: str) -> Fault:
    """A schema's `maxLength` of a server's description: the length, the limit, and who (`allower`) sets it."""
    length, limit = len(text(violation.value)), violation.limit
    return Fault(
        DESCRIPTION_TOO_LONG,
        violation.pointer,
        f"{field(violation.pointer)} has {length} characters; {allower} allows at most {limit}.",
        have=f"{length} characters",
        want=f"at most {limit} characters",
        hint="Shorten it; a longer text belongs into the README.",
    )


def description(manifest: Manifest) -> Iterator[Fault]:
    """A description that says something."""
    value = manifest.data.get("description")
    if isinstance(value, str) and not value.strip():
        yield Fault(
            DESCRIPTION_BLANK,
            "/description",
            f"`description` is {shown(value)}; one sentence about what the server does is wanted.",
            have=value,
            want="one sentence",
            hint="Say in one sentence what a user can do with the server.",
        )


def title(manifest: Manifest) -> Iterator[Fault]:
    """A title, where there is one, that shows."""
    value = text(manifest.data.get("title"))
    if value and not value.strip():
        yield Fault(
            TITLE_BLANK,
            "/title",
            f"`title` is {shown(value)}; a name to show is wanted, or no `title` at all.",
            have=value,
            hint="Write the name to show, or remove the key.",
        )
