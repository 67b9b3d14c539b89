"""A server from a contract, spoken to by a real client, broken, and mended. Run by `make demo`.

Everything happens in a temporary folder. Ends with 1 where a step does not go as it says.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from mcp import Client, StdioServerParameters, stdio_client

CONTRACT = Path(__file__).resolve().parent / "weather/contract.json"

TOOL = "src/weather/tools/get_forecast.py"

BODY = """\
    name = place if isinstance(place, str) else f"{place.lat}, {place.lon}"
    first = date(2026, 7, 28)
    dates = [str(first + timedelta(n)) for n in range(days)]
    found = [Day(date=day, sky="clear", low=14.0 + n, high=23.0 + n) for n, day in enumerate(dates)]
    return Forecast(place=name, days=found)
"""
"""What a developer writes into the seeded function."""


def step(text: str) -> None:
    """Print the heading of a step."""
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n== {text}", flush=True)


def run(*arguments: str, cwd: Path, ends_with: int = 0) -> None:
    """Run one mcp-lockstep command as a person would, its output shown; stop if it ends with another code."""
    print(f"$ mcp-lockstep {' '.join(arguments)}", flush=True)
    done = subprocess.run([sys.executable, "-m", "mcp_lockstep", *arguments], cwd=cwd, check=False)
    if done.returncode != ends_with:
        raise SystemExit(f"expected exit code {ends_with}, got {done.returncode}")


def replace(file: Path, old: str, new: str) -> None:
    """Edit one file by hand; stop if the text is not there."""
    text = file.read_text(encoding="utf-8")
    if old not in text:
        raise SystemExit(f"{file} does not hold {old!r}")
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def write_a_body(project: Path) -> None:
    """Fill in one function, as the project's developer would."""
    module = project / TOOL
    replace(module, "    raise NotImplementedError\n", BODY)
    replace(
        module,
        "from __future__ import annotations\n",
        "from __future__ import annotations\n\nfrom datetime import date, timedelta\n",
    )
    replace(module, "import Forecast", "import Day, Forecast")
    print(textwrap.indent(module.read_text(encoding="utf-8"), "    "))


async def talk(project: Path) -> None:
    """Start the server over stdio and speak to it with the SDK's own client."""
    contract = json.loads((project / "contract.json").read_text(encoding="utf-8"))
    environment = {**os.environ, "PYTHONPATH": str(project / "src")}
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "weather"], env=environment, cwd=project
    )
    with open(os.devnull, "w", encoding="utf-8") as log:
        async with Client(stdio_client(command, errlog=log)) as client:
            await converse(client, contract["tools"])


async def converse(client: Client, promised: list[object]) -> None:
    """List the tools, and call one, rightly and wrongly; stop if an answer is not what the contract says."""
    listed = (await client.list_tools()).tools
    published = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed]
    print(f"tools/list: {', '.join(tool.name for tool in listed)}")
    print(f"the same as contract.json: {published == promised}")
    answer = await client.call_tool("get-forecast", {"place": {"lat": 52.5, "lon": 13.4}, "days": 2})
    print(f"get-forecast: {json.dumps(answer.structured_content)}")
    wrong = await client.call_tool("get-forecast", {"place": "Berlin", "days": 99})
    print(f"with days = 99: {getattr(wrong.content[0], 'text', '')}")
    if published != promised or answer.is_error or not wrong.is_error:
        raise SystemExit("the server does not do what its contract says")


def main() -> None:
    """All steps, in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        here, project = Path(folder), Path(folder) / "weather"
        (here / "contract.json").write_bytes(CONTRACT.read_bytes())
        step("1. A server from a contract")
        run("new", "weather", "--from", "contract.json", "--name", "io.github.acme/weather", cwd=here)
        step("2. The developer writes the body of one tool")
        write_a_body(project)
        step("3. A client speaks to it")
        asyncio.run(talk(project))
        step("4. Nothing is out of step")
        run("check", cwd=project)
        step("5. Somebody edits the version in server.json alone")
        replace(project / "server.json", '"version": "0.1.0"', '"version": "0.2.0"')
        run("check", cwd=project, ends_with=1)
        step("6. sync mends it")
        run("sync", cwd=project)
        run("check", cwd=project)
        step("7. The contract promises one more argument; sync edits the signature, the body stays")
        replace(
            project / "contract.json",
            '"days": {',
            '"language": {"type": "string", "default": "en"}, "days": {',
        )
        run("check", cwd=project, ends_with=1)
        run("sync", cwd=project)
        print(textwrap.indent((project / TOOL).read_text(encoding="utf-8"), "    "))
        asyncio.run(talk(project))
        run("check", cwd=project)


if __name__ == "__main__":
    main()
