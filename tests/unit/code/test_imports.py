from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from mcp_lockstep.code.imports import Imported, Needed, import_edits, needed_imports
from mcp_lockstep.code.modules import absolute
from mcp_lockstep.code.observe import observe
from mcp_lockstep.code.signature import parse_signature
from mcp_lockstep.code.source import Parsed, parse

MODELS = "weather._generated.models"
UNITS, PLACE = Needed(MODELS, "Units"), Needed(MODELS, "Place")
MISSING = Needed("pydantic", "MISSING")
LITERAL = Needed("typing", "Literal")


def run(text: str, *needed: Needed) -> tuple[str, Imported]:
    parsed = parse("src/weather/tools/x.py", text.encode())
    assert isinstance(parsed, Parsed)
    imported = import_edits(parsed, "weather.tools", needed)
    for edit in reversed(imported.edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    ast.parse(text.removeprefix("\ufeff"))
    return text, imported


CASES = {
    "nothing needed": ("import a\n", (), "import a\n"),
    "there already": (
        f"from {MODELS} import Place, Units\n",
        (UNITS, PLACE),
        f"from {MODELS} import Place, Units\n",
    ),
    "there, relative": (
        "from .._generated.models import Units\n",
        (UNITS,),
        "from .._generated.models import Units\n",
    ),
    "there by star": (f"from {MODELS} import *\n", (UNITS,), f"from {MODELS} import *\n"),
    "into a line, sorted": (
        f"from {MODELS} import Forecast, Units  # types\n",
        (PLACE, Needed(MODELS, "A"), Needed(MODELS, "Z"), Needed(MODELS, "MAX")),
        f"from {MODELS} import MAX, A, Forecast, Place, Z, Units  # types\n".replace(
            "Place, Z, Units", "Place, Units, Z"
        ),
    ),
    "into a relative line": (
        "from .._generated.models import Place\n",
        (UNITS,),
        "from .._generated.models import Place, Units\n",
    ),
    "into parentheses": (
        f"from {MODELS} import (\n    Forecast,\n    Zone,  # last\n)\n",
        (UNITS, Needed(MODELS, "Zulu")),
        f"from {MODELS} import (\n    Forecast,\n    Units,\n    Zulu,\n    Zone,  # last\n)\n",
    ),
    "behind the last in parentheses": (
        f"from {MODELS} import (\n    Forecast,\n    Place,\n)\n",
        (UNITS,),
        f"from {MODELS} import (\n    Forecast,\n    Place,\n    Units,\n)\n",
    ),
    "behind the last without a comma": (
        f"from {MODELS} import (Forecast,\n    Place)\n",
        (UNITS,),
        f"from {MODELS} import (Forecast,\n    Place,\n    Units)\n",
    ),
    "new lines in their sections": (
        "from __future__ import annotations\n\nimport json\n\nfrom weather.app import mcp\n\n\ndef f(): ...\n",
        (UNITS, MISSING, LITERAL),
        "\n".join(
            [
                "from __future__ import annotations\n",
                "import json",
                "from typing import Literal\n",
                "from pydantic import MISSING\n",
                f"from {MODELS} import Units",
                "from weather.app import mcp\n\n",
                "def f(): ...\n",
            ]
        ),
    ),
    "behind a section": (
        "import httpx\n\nfrom weather.app import mcp\n",
        (MISSING,),
        "import httpx\nfrom pydantic import MISSING\n\nfrom weather.app import mcp\n",
    ),
    "before the only section": (
        "from weather.app import mcp  # ours\n",
        (MISSING,),
        "from pydantic import MISSING\n\nfrom weather.app import mcp  # ours\n",
    ),
    "behind the docstring": (
        '"""Doc."""  # x\n\n\ndef f(): ...\n',
        (MISSING,),
        '"""Doc."""  # x\n\nfrom pydantic import MISSING\n\n\ndef f(): ...\n',
    ),
    "behind the future": (
        "from __future__ import annotations\n\n\ndef f(): ...\n",
        (UNITS,),
        f"from __future__ import annotations\n\nfrom {MODELS} import Units\n\n\ndef f(): ...\n",
    ),
    "at the top": (
        "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n# about f\ndef f(): ...\n",
        (UNITS,),
        f"#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nfrom {MODELS} import Units\n\n# about f\ndef f(): ...\n",
    ),
    "at the top behind a byte order mark": (
        "\ufeffdef f(): ...\n",
        (UNITS,),
        f"\ufefffrom {MODELS} import Units\n\ndef f(): ...\n",
    ),
    "line ends are kept": (
        "import a\r\n\r\nx = 1\r\n",
        (MISSING,),
        "import a\r\nfrom pydantic import MISSING\r\n\r\nx = 1\r\n",
    ),
    "no last line end": ("import a", (MISSING,), "import a\nfrom pydantic import MISSING"),
    "another statement on the line": (
        "import a; x = 1\n",
        (MISSING,),
        "import a\nfrom pydantic import MISSING; x = 1\n",
    ),
}


@pytest.mark.parametrize(("before", "needed", "after"), CASES.values(), ids=CASES.keys())
def test_import_edits(before: str, needed: tuple[Needed, ...], after: str) -> None:
    assert run(before, *needed)[0] == after
    assert run(after, *needed)[0] == after


@pytest.mark.parametrize(
    ("code", "meaning"),
    [
        ("class Units: ...", "defined in this module"),
        ("Units = int", "defined in this module"),
        ("from other import Units", "imported from other.Units"),
        ("from other import X as Units", "imported from other.X"),
        (f"from {MODELS} import Other as Units", f"imported from {MODELS}.Other"),
    ],
)
def test_a_name_that_means_something_else(code: str, meaning: str) -> None:
    text, imported = run(f"{code}\n", UNITS)
    assert text == f"{code}\n"
    (finding,) = imported.findings
    assert (finding.code.slug, finding.severity) == ("name-taken", "error")
    assert meaning in finding.message


def test_what_a_stub_needs() -> None:
    stubs = observe(
        "stubs.py",
        dedent(
            """
            from typing import Literal
            from pydantic import MISSING
            from .models import Forecast, Units, ToolArguments, Place as P

            @stub("t", ToolArguments)
            def t(*, a: int, b: Units | MISSING = MISSING, c: Literal["Forecast"], d: P) -> "list[Other]": ...
            """
        ).encode(),
    )
    signature = stubs.functions[0].signature
    assert needed_imports(signature, stubs.imports, "weather._generated") == (LITERAL, MISSING, UNITS)
    assert needed_imports(parse_signature("() -> Forecast"), stubs.imports, "weather._generated") == (
        Needed(MODELS, "Forecast"),
    )


@pytest.mark.parametrize(
    ("origin", "package", "expected"),
    [
        ("a.b", "x.y", "a.b"),
        (".a", "x.y", "x.y.a"),
        ("..a.b", "x.y", "x.a.b"),
        ("..", "x.y", "x"),
        (".a", "", "a"),
    ],
)
def test_absolute_names(origin: str, package: str, expected: str) -> None:
    assert absolute(origin, package) == expected
