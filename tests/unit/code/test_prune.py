from __future__ import annotations

import pytest

from mcp_lockstep.code.observe import observe
from mcp_lockstep.code.prune import prune

STUB = '@mcp.contract("t")\ndef t(*, a: int):\n    """T."""\n    raise NotImplementedError\n'


def run(text: str) -> str | None:
    """The text that is left; empty for the whole file, None when the function stays."""
    module = observe("x.py", text.encode())
    pruned = prune(module, module.functions[-1])
    if pruned is None:
        return None
    if pruned.edit is None:
        return ""
    return text[: pruned.edit.start] + pruned.edit.text + text[pruned.edit.end :]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f'"""Doc."""\n\nfrom weather.app import mcp\n\n__all__ = ["t"]\n\n\n{STUB}', ""),
        (STUB, ""),
        (f"import a\n\nx = 1\n\n\n{STUB}", "import a\n\nx = 1\n"),
        (f"x = 1\n\n# section\n\n# about t\n{STUB}\n\ny = 2\n", "x = 1\n\n# section\n\n\ny = 2\n"),
        (f"import a\n# a note to keep\n\n{STUB}", "import a\n# a note to keep\n"),
        (f"x = 1\n{STUB}".replace("\n", "\r\n"), "x = 1\r\n"),
        (f"x = 1\n{STUB}".removesuffix("\n"), "x = 1\n"),
        (STUB.replace("raise", "return 1; raise"), None),
        (STUB.replace("NotImplementedError", "NotImplementedError  # soon"), None),
        (f"# mcp-lockstep: keep\n{STUB}", None),
        (
            f"def g():\n{STUB.replace('@', '    @').replace('def', '    def')}".replace(
                '    "', '        "'
            ).replace("    raise", "        raise"),
            None,
        ),
    ],
)
def test_prune(before: str, after: str | None) -> None:
    assert run(before) == after
