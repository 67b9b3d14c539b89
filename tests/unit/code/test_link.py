from __future__ import annotations

from textwrap import dedent

import pytest

from mcp_lockstep.code.link import Surface, link, stubs
from mcp_lockstep.code.modules import Modules, module_name
from mcp_lockstep.code.observe import observe

APP = "from weather._generated.runtime import ContractServer\nmcp = ContractServer(name='w', version='1')\n"
TOOL = "@mcp.tool()\ndef f(a: int): ...\n"


def see(**files: str) -> Surface:
    modules = [
        observe("src/weather/" + path.replace("__", "/") + ".py", dedent(text).encode())
        for path, text in files.items()
    ]
    return link(modules)


def names(surface: Surface) -> list[str | None]:
    return [function.name for function in surface.functions]


@pytest.mark.parametrize(
    "line",
    [
        "from weather.app import mcp",
        "from .app import mcp",
        "from . import app\nmcp = app.mcp",
        "import weather.app\nmcp = weather.app.mcp",
        "import weather.app as a\nmcp = a.mcp",
        "from .app import mcp as server\nmcp = server",
        "from .again import mcp",
        "from fastmcp import FastMCP\nmcp: FastMCP = make()",
        "from .app import create\nmcp = create()",
        "from .app import Mine\nmcp = Mine('x')",
        "from fastmcp import FastMCP as F\nmcp = F('x')",
        "import fastmcp as f\nmcp = f.FastMCP('x')",
    ],
)
def test_the_server_is_found_through(line: str) -> None:
    app = APP + "def create():\n    server = mcp\n    return server\nclass Mine(ContractServer): ...\n"
    surface = see(app=app, again="from weather.app import mcp as server\nmcp = server\n", x=f"{line}\n{TOOL}")
    assert names(surface) == ["f"]
    assert not surface.is_open("tool")
    assert not surface.findings


def test_a_server_that_a_function_is_given() -> None:
    surface = see(
        x="""
        from fastmcp import FastMCP

        def register(app: FastMCP | None) -> None:
            @app.tool()
            def f(): ...

        def register_more(app: "FastMCP[None]") -> None:
            @app.tool()
            def g(): ...

        def register_all(mcp):
            @mcp.tool()
            def h(): ...
        """
    )
    assert names(surface) == ["f", "g", "h"]
    assert [f.symbol for f in surface.functions] == ["register.f", "register_more.g", "register_all.h"]


def test_a_server_in_a_class() -> None:
    surface = see(
        x="""
        class Weather:
            tools = FastMCP("w")

            def __init__(self):
                self.app = FastMCP("x")

            def register(self):
                @self.app.tool()
                def f(): ...

                @self.tools.tool()
                def g(): ...
        """
    )
    assert names(surface) == ["f", "g"]


def test_another_kind_of_object_registers_nothing() -> None:
    surface = see(x="from pydantic_ai import Agent\nagent = Agent()\n@agent.tool\ndef f(): ...\n")
    assert names(surface) == []
    assert not surface.is_open("tool")


def test_an_unknown_object_leaves_the_list_open() -> None:
    surface = see(x="from other import thing\n@thing.tool\ndef f(): ...\n")
    assert names(surface) == []
    assert surface.is_open("tool")
    assert surface.findings == ()


def test_an_unknown_object_with_a_telling_name_is_a_server() -> None:
    surface = see(x=f"from other import mcp\n{TOOL}")
    assert names(surface) == ["f"]
    assert not surface.is_open("tool")


def test_a_file_that_does_not_parse_leaves_all_lists_open() -> None:
    surface = see(app=APP, x=f"from weather.app import mcp\n{TOOL}", y="mcp = (")
    assert names(surface) == ["f"]
    assert all(surface.is_open(kind) for kind in ("tool", "prompt", "resource"))
    assert [finding.code.slug for finding in surface.findings] == ["python-not-parsed"]


def test_dynamic_registration_is_a_note_and_leaves_the_list_open() -> None:
    surface = see(app=APP, x="from weather.app import mcp\nfor f in F:\n    mcp.tool()(f)\n")
    assert surface.is_open("tool")
    assert not surface.is_open("prompt")
    assert {(f.code.slug, f.severity, f.position.line) for f in surface.findings} == {
        ("dynamic-tool", "note", 3)
    }


def test_one_finding_for_one_dynamic_registration() -> None:
    assert len(see(app=APP, x="from weather.app import mcp\nmcp.tool()(make())\n").findings) == 1


def test_mounting_on_something_else_opens_nothing() -> None:
    assert not see(app=APP, x="web = Starlette()\nweb.mount('/mcp', mcp)\n").is_open("tool")


def test_an_imported_function_is_completed() -> None:
    surface = see(
        app=APP + "from .impl import forecast as f\nmcp.add_tool(f)\n",
        impl="def forecast(city: str, mcp: int) -> str: ...\n",
    )
    (function,) = surface.functions
    assert (function.path, function.symbol) == ("src/weather/impl.py", "forecast")
    assert str(function.signature) == "(*, city: str, mcp: int) -> str"


def test_duplicates_name_both_places() -> None:
    second = "from .app import mcp as m\n@m.tool(name='f')\ndef g(): ...\n"
    surface = see(app=APP, x=f"from weather.app import mcp\n{TOOL}", y=second)
    (finding,) = surface.findings
    assert (finding.code.slug, finding.severity) == ("duplicate-tool", "error")
    assert str(finding.place) == "src/weather/y.py::g"
    assert finding.message == "tool 'f' is registered twice: g and f (src/weather/x.py:3)"
    assert surface.of("tool")["f"].symbol == "f"


@pytest.mark.parametrize(
    "code",
    [
        "a = FastMCP('a')\nb = FastMCP('b')\n@a.tool()\ndef f(): ...\n@b.tool(name='f')\ndef g(): ...\n",
        "mcp = FastMCP('a')\nif X:\n  @mcp.tool()\n  def f(): ...\nelse:\n  @mcp.tool()\n  def f(): ...\n",
        "mcp = FastMCP('a')\n@mcp.tool()\ndef f(): ...\n@mcp.prompt(name='f')\ndef g(): ...\n",
    ],
)
def test_no_duplicates(code: str) -> None:
    assert see(x=code).findings == ()


def test_names_that_lead_in_a_circle_end() -> None:
    surface = see(x="from .y import thing\n@thing.tool\ndef f(): ...\n", y="from .x import thing  # mcp\n")
    assert surface.is_open("tool")


def test_stubs_are_read_and_registered_nowhere() -> None:
    module = observe("stubs.py", b"@stub('a-b', ABArguments)\ndef a_b(*, c: str) -> D: ...\n")
    assert {name: str(f.signature) for name, f in stubs(module).items()} == {"a-b": "(*, c: str) -> D"}
    assert link([module]).functions == ()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/weather/app.py", "weather.app"),
        ("weather/__init__.py", "weather"),
        ("server.py", "server"),
    ],
)
def test_module_names(path: str, name: str) -> None:
    assert module_name(path) == name


@pytest.mark.parametrize(
    ("paths", "name", "found"),
    [
        (["lib/w/__init__.py", "lib/w/app.py"], "w.app", "lib/w/app.py"),
        (["lib/w/__init__.py", "lib/w/app.py"], "w", "lib/w/__init__.py"),
        (["lib/w/__init__.py", "lib/w/app.py"], "lib.w.app", "lib/w/app.py"),
        (["lib/w/__init__.py", "lib/w/app.py"], "app", ""),
        (["src/acme/w/__init__.py", "src/acme/w/app.py"], "acme.w.app", "src/acme/w/app.py"),
        (["src/acme/w/__init__.py", "src/acme/w/app.py"], "w.app", "src/acme/w/app.py"),
        (["w/__init__.py", "w/x/app.py"], "x.app", ""),
        (["a/app.py", "lib/a/app.py"], "a.app", "a/app.py"),
        (["lib/a/app.py", "a/app.py"], "a.app", "a/app.py"),
        (["server.py"], "server", "server.py"),
    ],
)
def test_a_module_is_found_below_what_a_build_takes_packages_from(
    paths: list[str], name: str, found: str
) -> None:
    modules = Modules(observe(path, b"") for path in paths)
    assert getattr(modules.named.get(name), "path", "") == found
