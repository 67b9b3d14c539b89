"""The description that fits, of the distribution or of the README."""

from __future__ import annotations

import pytest

from mcp_lockstep.adopt.description import LONGEST, short_description
from mcp_lockstep.adopt.plan import Given, adopt
from mcp_lockstep.adopt.repository import Checkout
from mcp_lockstep.tree import Memory, Tree
from weather import pyproject

BARE = pyproject().replace('description = "Tells the weather."\n', "")
GIVEN = Given(name="io.github.acme/weather")


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("Counts widgets.", "Counts widgets."),
        ("  Counts\n  widgets.\t", "Counts widgets."),
        ("x" * 100, "x" * 100),
        ("x" * 101, ""),
        ("\U0001f600" * 100, "\U0001f600" * 100),
        ("word " * 30, ("word " * 20).strip()),
        ("a" * 96 + " b, cdefghijk", "a" * 96 + " b"),
        ("One sentence that is long enough. " + "y" * 90, "One sentence that is long enough."),
        ("Add your description here", ""),
        ("[describe me]", ""),
        ("left\u202eright", "left right"),
        ("", ""),
    ],
)
def test_a_description_that_fits(text: str, short: str) -> None:
    assert short_description(text) == short
    assert len(short) <= LONGEST


@pytest.mark.parametrize(
    ("project", "readme", "description", "source"),
    [
        (pyproject(), "# W\n\nForecasts.\n", "Tells the weather.", "pyproject.toml:project.description"),
        (BARE, "# W\n\nForecasts.\n", "Forecasts.", "the first paragraph of README.md"),
        (
            pyproject().replace("Tells the weather.", "Add your description here"),
            "# W\n\nForecasts.\n",
            "Forecasts.",
            "the first paragraph of README.md",
        ),
        (BARE, f"# W\n\n{'x' * 99}.\n", f"{'x' * 99}.", "the first paragraph of README.md"),
    ],
)
def test_where_it_comes_from(project: str, readme: str, description: str, source: str) -> None:
    files = {"pyproject.toml": project.encode(), "README.md": readme.encode()}
    adoption = adopt(Tree(Memory(files)), Checkout(), GIVEN)
    assert adoption.missing == ()
    assert (f"description {description}", source) in adoption.grounds
    (made,) = [change.after for change in adoption.plan.changes if change.path == "server.json"]
    assert made is not None and f'"description": "{description}"'.encode() in made


@pytest.mark.parametrize(
    "readme", ["", "# W\n", f"# W\n\n{'x' * 100}.\n", "# W\n\nForecasts for [cities].\n"]
)
def test_what_the_readme_does_not_say(readme: str) -> None:
    files = {"pyproject.toml": BARE.encode(), "README.md": readme.encode()}
    adoption = adopt(Tree(Memory(files)), Checkout(), GIVEN)
    assert [finding.code.slug for finding in adoption.missing] == ["server-description-unknown"]
