from __future__ import annotations

from textwrap import dedent

import pytest

from mcp_lockstep.code.module import Function, Module
from mcp_lockstep.code.observe import observe
from mcp_lockstep.findings import Position


def see(text: str) -> Module:
    module = observe("src/weather/x.py", dedent(text).encode())
    assert not module.findings
    return module


def only(text: str) -> Function:
    (function,) = see(text).functions
    return function


def test_a_file_without_a_telling_word_is_not_parsed() -> None:
    assert observe("x.py", b"def f(:\n") == Module("x.py", raw=b"def f(:\n")


def test_a_contract_function() -> None:
    function = only(
        '''
        from weather.app import mcp

        @mcp.contract("get-forecast")
        async def get_forecast(*, city: str, days: int = 3, ctx: Context) -> Forecast:
            """Forecast for a city."""
            raise NotImplementedError
        '''
    )
    assert (function.kind, function.how, function.name) == ("tool", "contract", "get-forecast")
    assert (function.server, function.symbol) == ("mcp", "get_forecast")
    assert str(function.signature) == "(*, city: str, days: int = 3) -> Forecast"
    assert function.contexts == ("ctx",)
    assert function.position == Position(5, 11, 5, 23)
    assert function.untouched
    assert not function.keep


@pytest.mark.parametrize(
    ("registration", "kind", "how", "name"),
    [
        ("@mcp.tool\ndef f(): ...", "tool", "decorator", "f"),
        ("@mcp.tool()\ndef f(): ...", "tool", "decorator", "f"),
        ("@mcp.tool('x')\ndef f(): ...", "tool", "decorator", "x"),
        ("@server.tool(name='x')\ndef f(): ...", "tool", "decorator", "x"),
        ("@mcp.tool(name=None)\ndef f(): ...", "tool", "decorator", "f"),
        ("@mcp.tool(name=N)\ndef f(): ...", "tool", "decorator", None),
        ("N = 'known'\n@mcp.tool(name=N)\ndef f(): ...", "tool", "decorator", "known"),
        ("@mcp.tool(**options)\ndef f(): ...", "tool", "decorator", None),
        ("@mcp.contract(NAME)\ndef f(): ...", "tool", "contract", None),
        ("@mcp.prompt()\ndef f(): ...", "prompt", "decorator", "f"),
        ("@mcp.contract_prompt('p')\ndef f(): ...", "prompt", "contract", "p"),
        ("@mcp.resource('a://{b}')\ndef f(b): ...", "resource", "decorator", "a://{b}"),
        ("@mcp.resource(uri='a://b')\ndef f(): ...", "resource", "decorator", "a://b"),
        ("@mcp.contract_resource('a://b')\ndef f(): ...", "resource", "contract", "a://b"),
        ("@stub('x-y', XYArguments)\ndef f(): ...", "stub", "contract", "x-y"),
        ("def f(): ...\nmcp.tool()(f)", "tool", "call", "f"),
        ("def f(): ...\nmcp.tool(name='x')(f)", "tool", "call", "x"),
        ("def f(): ...\nmcp.tool(f)", "tool", "call", "f"),
        ("def f(): ...\nmcp.add_tool(f, name='x')", "tool", "call", "x"),
        ("def f(): ...\ng = mcp.tool(f, name='x')", "tool", "call", "x"),
        ("def f(): ...\nmcp.add_tool(Tool.from_function(f, name='x'))", "tool", "call", "x"),
        ("def f(): ...\nmcp.add_prompt(Prompt.from_function(f))", "prompt", "call", "f"),
        ("def f(): ...\nmcp = MCPServer('m', tools=[Tool.from_function(f)])", "tool", "call", "f"),
        ("T = [types.Tool(name='x', inputSchema={})]", "tool", "literal", "x"),
        ("T = {'x': Tool(name='x', inputSchema={})}", "tool", "literal", "x"),
    ],
)
def test_registrations(registration: str, kind: str, how: str, name: str | None) -> None:
    function = only(registration)
    assert (function.kind, function.how, function.name) == (kind, how, name)
    assert (function.node is not None) == (how != "literal")


def test_a_method_is_registered_without_self() -> None:
    function = only(
        """
        class Weather:
            def __init__(self):
                self.mcp = FastMCP("w")
                self.mcp.add_tool(self.forecast)

            def forecast(self, city: str) -> str:
                return city
        """.replace("add_tool(self.forecast)", "add_tool(len)")
    )
    assert (function.name, function.node, function.server) == (None, None, "self.mcp")
    function = only(
        """
        class Weather:
            def forecast(self, city: str) -> str:
                return city

            def register(self):
                self.mcp.add_tool(self.forecast)
        """
    )
    assert (function.name, function.symbol) == ("forecast", "Weather.forecast")
    assert str(function.signature) == "(*, city: str) -> str"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("mcp.add_tool(lambda c: c, name='three')", "no def"),
        ("for f in F:\n    mcp.tool()(f)", "no def"),
        ("mcp.mount(other)", "mcp.mount() changes"),
        ("mcp.remove_tool('x')", "mcp.remove_tool() changes"),
        ("mcp = FastMCP.from_openapi(spec)", "makes the tools"),
        ("mcp = MCPServer('m', tools=make())", "computed"),
        ("@server.list_tools()\nasync def f():\n    return [Tool(name=t.name) for t in T]", "computes"),
    ],
)
def test_what_opens_the_list(code: str, reason: str) -> None:
    (opening,) = see(code).openings
    assert reason in opening.reason
    assert opening.kind == "tool"


def test_a_literal_listing_is_closed() -> None:
    module = see("@server.list_tools()\nasync def f():\n    return [Tool(name='x', inputSchema={})]")
    assert not module.openings
    assert [f.name for f in module.functions] == ["x"]


def test_an_imported_function_is_known_by_its_own_name() -> None:
    function = only("from .impl import forecast as f\nmcp.add_tool(f)")
    assert (function.name, function.symbol, function.node) == ("forecast", ".impl.forecast", None)


@pytest.mark.parametrize(
    ("code", "symbol", "text", "span"),
    [
        ('__version__ = "1.2"  # mcp', "__version__", "1.2", '"1.2"'),
        ('__version__: str = "1.2"', "__version__", "1.2", '"1.2"'),
        ('__version__ = version = "1.2"', "__version__", "1.2", '"1.2"'),
        ('__version__ = version("weather")', "__version__", None, 'version("weather")'),
        ('mcp = MCPServer("w", version="1.0")', "mcp.version", "1.0", '"1.0"'),
        ("mcp = MCPServer('w', version=('1.0'))", "mcp.version", "1.0", "'1.0'"),
        ("mcp = MCPServer('w', version=f'{a}')", "mcp.version", None, "f'{a}'"),
        ("mcp = MCPServer('w', version=__version__)", "mcp.version", None, "__version__"),
        ("mcp = MCPServer('w', **options)", "mcp.version", None, "MCPServer('w', **options)"),
        ("mcp = MCPServer('io.github.a/w')", "mcp.name", "io.github.a/w", "'io.github.a/w'"),
        ("def make():\n    mcp = FastMCP('w', version='1')", "make.mcp.version", "1", "'1'"),
        ("def make():\n    return FastMCP('w', version='1')", "make.FastMCP.version", "1", "'1'"),
        ("mcp = FastMCP('w')\nmcp._mcp_server.version = '1'", "mcp.version", "1", "'1'"),
        ("from mcp.server import Server\ns = Server('é', version='1')", "s.version", "1", "'1'"),
        ("é = 1; mcp = MCPServer('é', version='1')", "mcp.version", "1", "'1'"),
    ],
)
def test_values(code: str, symbol: str, text: str | None, span: str) -> None:
    module = see(code)
    (value,) = module.values
    assert (value.symbol, value.text) == (symbol, text)
    assert module.source is not None
    assert module.source.text[slice(*value.span)] == span


def test_a_fallback_is_no_version() -> None:
    (value,) = see(
        """
        try:
            __version__ = version("mcp-weather")
        except PackageNotFoundError:
            __version__ = "0.0.0"
        """
    ).values
    assert value.text is None


def test_no_value_for_a_display_name() -> None:
    module = see("mcp = MCPServer('Weather')")
    assert module.values == ()
    assert module.servers[0].version is None
    assert module.servers[0].name is not None
    assert module.servers[0].name.text == "Weather"


def test_another_class_called_server_is_no_server() -> None:
    assert see("from http.server import Server\ns = Server('mcp', version='1')").servers == ()


@pytest.mark.parametrize(
    ("body", "untouched"),
    [
        ("raise NotImplementedError", True),
        ("'''Doc.'''\n    raise NotImplementedError()", True),
        ("'''Doc # not a comment.'''\n    raise NotImplementedError", True),
        ("raise NotImplementedError  # soon", False),
        ("# soon\n    raise NotImplementedError", False),
        ("raise NotImplementedError('soon')", False),
        ("'''Doc.'''", False),
        ("x = 1\n    raise NotImplementedError", False),
        ("raise ValueError", False),
        ("...", False),
    ],
)
def test_untouched(body: str, untouched: bool) -> None:
    assert only(f"@mcp.tool()\ndef f():\n    {body}\n").untouched is untouched


@pytest.mark.parametrize(
    ("code", "keep"),
    [
        ("# mcp-lockstep: keep\n@mcp.tool()\ndef f(): ...", True),
        ("# mcp-lockstep: keep\n# for reasons\n@mcp.tool()\ndef f(): ...", True),
        ("@mcp.tool()\n# mcp-lockstep: keep\ndef f(): ...", True),
        ("@mcp.tool()\ndef f():  # mcp-lockstep: keep (ours)\n    ...", True),
        ("@mcp.tool()\ndef f(\n    a,  # mcp-lockstep: keep\n):\n    ...", True),
        ("# mcp-lockstep: keep\n\n@mcp.tool()\ndef f(): ...", False),
        ("@mcp.tool()\ndef f():\n    ...\n    # mcp-lockstep: keep\n", False),
        ("@mcp.tool('# mcp-lockstep: keep')\ndef f(): ...", False),
        ("# mcp-lockstep: keeper\n@mcp.tool()\ndef f(): ...", False),
    ],
)
def test_keep(code: str, keep: bool) -> None:
    assert only(code).keep is keep


@pytest.mark.parametrize(
    "annotation",
    [
        "Context",
        "mcp.Context",
        "'Context'",
        "Context[Any]",
        "Context | None",
        "Optional[Context]",
        "Annotated[Context, 1]",
        "'Context[Any, Any] | None'",
        "Annotated[str, Resolve(f)]",
        "Optional[Annotated[str, Resolve(f)]]",
        "'Annotated[mcp.Context, 1] | None'",
    ],
)
def test_injected_parameters(annotation: str) -> None:
    function = only(f"@mcp.tool()\ndef f(a: int, c: {annotation}): ...")
    assert function.contexts == ("c",)
    assert str(function.signature) == "(*, a: int)"


def test_a_dependency_default_is_injected() -> None:
    function = only("@mcp.tool()\ndef f(a: int, d: Db = Depends(db), *, c=CurrentContext()): ...")
    assert function.contexts == ("d", "c")


def test_a_name_with_context_in_it_is_a_parameter() -> None:
    assert only("@mcp.tool()\ndef f(context: str, c: 'MyContext'): ...").contexts == ()


def test_positions_count_code_points_and_the_byte_order_mark() -> None:
    raw = "\ufeffé = 'é'; mcp = MCPServer('é', version='1')\r\n@mcp.tool()\r\ndef é𝒻(): ...\r\n".encode()
    module = observe("x.py", raw)
    (function,) = module.functions
    text = raw.decode()
    assert text[slice(*module.values[0].span)] == "'1'"
    assert text[slice(*function.span)] == "@mcp.tool()\r\ndef é𝒻(): ..."
    assert function.name == "éf"
    column = text.index("'1'")
    assert module.values[0].position == Position(1, column, 1, column + 3)


def test_a_form_feed_is_no_line_end() -> None:
    module = see("\x0c\nmcp = 1\n\x0c@mcp.tool()\ndef f(): ...\n")
    assert module.functions[0].position.line == 4


@pytest.mark.parametrize(
    ("raw", "slug"),
    [
        (b"mcp = (\n", "python-not-parsed"),
        (b"mcp = '\xff'\n", "python-not-utf8"),
        (b"mcp = '\0'\n", "python-not-parsed"),
        (b"mcp = " + b"(" * 9999 + b")" * 9999, "python-not-parsed"),
        (b"mcp = " + b"-" * 99999 + b"1", "python-not-parsed"),
        (b"mcp = a" + b".b" * 99999, "python-not-parsed"),
        (b"@mcp.tool()\ndef f(a: x" + b" | x" * 1200 + b"): ...", "python-not-parsed"),
        ("mcp = 1\n".encode("utf-16"), "python-not-utf8"),
    ],
)
def test_what_cannot_be_read_is_a_finding(raw: bytes, slug: str) -> None:
    module = observe("x.py", raw)
    (finding,) = module.findings
    assert finding.code.slug == slug
    assert finding.severity == "warning"
    assert module.functions == ()


def test_the_position_of_a_syntax_error() -> None:
    (finding,) = observe("x.py", b"mcp = 1\nmcp = = 2\n").findings
    assert (finding.position.line, finding.position.column) == (2, 7)


def test_new_syntax_of_the_running_python() -> None:
    function = only(
        """
        match mode:
            case "a":
                @mcp.tool()
                def f(x: int) -> str:
                    return f"{x}"
            case _:
                pass
        """
    )
    assert function.conditional


def test_invalid_escapes_warn_nobody() -> None:
    assert see("mcp = '\\d'").functions == ()


@pytest.mark.parametrize(
    ("registration", "description"),
    [
        ('@mcp.tool\ndef f():\n    """What it does.\n\n    Args: x\n    """', "What it does.\n\nArgs: x"),
        ("@mcp.tool()\ndef f(): ...", ""),
        ('@mcp.tool(description="Said")\ndef f():\n    """Not said."""', "Said"),
        ('@mcp.tool(description="Said " "twice")\ndef f(): ...', "Said twice"),
        ('@mcp.tool(description=None)\ndef f():\n    """Said."""', "Said."),
        ('@mcp.tool(description=TEXT)\ndef f():\n    """Not said."""', None),
        ('@mcp.tool("f", **options)\ndef f():\n    """Perhaps said."""', None),
        ('def f():\n    """Said."""\nmcp.add_tool(f)', "Said."),
        ('def f():\n    """Not said."""\nmcp.add_tool(f, description="Said")', "Said"),
        ('def f():\n    """Not said."""\nmcp.add_tool(Tool.from_function(f, description="Said"))', "Said"),
        ('def f():\n    """Not said."""\nmcp.tool(description="Said")(f)', "Said"),
        ('def f():\n    """Not said."""\nmcp.tool(f, description="Said")', "Said"),
        ('from other import f\nmcp.add_tool(f, description="Said")', "Said"),
        ("from other import f\nmcp.add_tool(f)", None),
        ('T = [Tool(name="f", description="Said", inputSchema={})]', "Said"),
        ('T = [Tool(name="f", inputSchema={})]', None),
    ],
)
def test_what_a_tool_says_it_does(registration: str, description: str | None) -> None:
    assert only(registration).description == description
