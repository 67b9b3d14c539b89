"""What an image starts, in the forms in which Dockerfiles say it."""

from __future__ import annotations

import pytest

from mcp_lockstep.project import Project
from mcp_lockstep.startup.image import image_entries
from mcp_lockstep.tree import Memory, Tree

SCRIPTS = {"weather": "weather.cli:main"}


def started(dockerfile: str, path: str = "Dockerfile") -> tuple[str, ...]:
    return image_entries(Project(Tree(Memory({path: dockerfile.encode()}))), SCRIPTS)


@pytest.mark.parametrize(
    ("dockerfile", "entries"),
    [
        ('ENTRYPOINT ["weather"]\n', ("weather.cli:main",)),
        (
            'ENTRYPOINT ["uv", "run"]\nCMD ["/app/.venv/bin/weather", "--transport", "stdio"]\n',
            ("weather.cli:main",),
        ),
        ('CMD ["python", "-m", "weather.server"]\n', ("weather.server", "weather.server.__main__")),
        ("ENTRYPOINT exec python3.12 -u server.py --fast\n", ("server",)),
        ('CMD ["python", "/app/src/weather/main.py"]\r\n', ("weather.main",)),
        ('ENTRYPOINT ["python", \\\n  "-m", "weather"]\n', ("weather", "weather.__main__")),
        ('FROM a AS b\nENTRYPOINT ["weather"]\nFROM c\nCMD ["node", "x.js"]\n', ()),
        ('CMD ["old"]\nENTRYPOINT ["weather"]\n', ("weather.cli:main",)),
        ('# ENTRYPOINT ["weather"]\nCMD ["sh"]\n', ()),
        ('ENTRYPOINT ["weather"\nCMD "\n', ()),
        ("", ()),
    ],
)
def test_what_is_started(dockerfile: str, entries: tuple[str, ...]) -> None:
    assert started(dockerfile) == entries


def test_other_names_of_the_file() -> None:
    assert started('CMD ["weather"]\n', "docker/Dockerfile") == ("weather.cli:main",)
    assert started('CMD ["weather"]\n', "Dockerfile.dev") == ()
