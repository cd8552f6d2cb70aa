"""A client made with the official Python SDK, which does every step with our server and writes a line of JSON for each:
`client.py stdio REVISION COMMAND ...` or `client.py http|sse REVISION URL`.
"""

import json
import sys
from collections.abc import Awaitable, Callable

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.sse import sse_client
from mcp_types import CreateMessageResult, ElicitResult, TextContent

STEP_SECONDS = 15
heard: list[float] = []
Step = Callable[[Client], Awaitable[None]]


def report(step: str, why: str | None = None, revision: str | None = None) -> None:
    line = {"step": step, "ok": why is None, "why": why, "revision": revision}
    print(json.dumps({name: value for name, value in line.items() if value is not None}), flush=True)


def reason(error: BaseException) -> str:
    """The first cause inside of groups."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


def check(condition: bool, what: object) -> None:
    if not condition:
        raise AssertionError(str(what))


async def answer(_context: object, _params: object) -> ElicitResult:
    return ElicitResult(action="accept", content={"name": "Ada"})


async def speak(_context: object, _params: object) -> CreateMessageResult:
    return CreateMessageResult(role="assistant", content=TextContent(type="text", text="so be it"), model="peer")


async def hear(progress: float, _total: float | None, _message: str | None) -> None:
    heard.append(progress)


async def text_of(client: Client, name: str, arguments: dict | None = None) -> str:
    result = await client.call_tool(name, arguments)
    check(not result.is_error, result)
    return "".join(block.text for block in result.content if block.type == "text")


async def list_tools(client: Client) -> None:
    names: list[str] = []
    cursor = None
    while True:
        page = await client.list_tools(cursor=cursor)
        names += [tool.name for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            break
    check({"echo", "change"} <= set(names), names)


async def call(client: Client) -> None:
    text = await text_of(client, "echo", {"text": "zwölf 字"})
    check(text == "zwölf 字", text)


async def fail(client: Client) -> None:
    result = await client.call_tool("fail")
    check(result.is_error is True and result.content[0].text == "out of paper", result)


async def progress(client: Client) -> None:
    await client.call_tool("steps", {"count": 3}, progress_callback=hear)
    check(heard == [1, 2, 3], heard)


async def resources(client: Client) -> None:
    listed = await client.list_resources()
    check(len(listed.resources) > 0, listed)
    read = await client.read_resource("table://text")
    check(read.contents[0].text == "plain words", read)


async def prompts(client: Client) -> None:
    listed = await client.list_prompts()
    check(len(listed.prompts) > 0, listed)
    got = await client.get_prompt("letter", {"to": "Ada"})
    check(got.messages[0].content.text == "Write to Ada, plainly.", got)


async def ask(client: Client) -> None:
    text = await text_of(client, "ask_form")
    check(json.loads(text)["name"] == "Ada", text)


async def sample(client: Client) -> None:
    text = await text_of(client, "ask_model")
    check(text == "so be it", text)


async def cancel(client: Client) -> None:
    """Gives a call up and waits until the server says that it heard."""
    with anyio.move_on_after(0.5) as scope:
        await client.call_tool("wait")
    check(scope.cancelled_caught, "the call that was given up gave a result")
    while json.loads(await text_of(client, "memory"))["cancelled"] == 0:
        await anyio.sleep(0.1)


STEPS: dict[str, Step] = {
    "list": list_tools,
    "call": call,
    "fail": fail,
    "progress": progress,
    "resources": resources,
    "prompts": prompts,
    "ask": ask,
    "sample": sample,
    "cancel": cancel,
}


async def take(step: str, client: Client) -> None:
    try:
        with anyio.fail_after(STEP_SECONDS):
            await STEPS[step](client)
        report(step)
    except Exception as error:  # noqa: BLE001 - whatever it is, the line tells
        report(step, reason(error))


async def meet(way: str, revision: str, target: list[str]) -> None:
    server: object = target[0]
    if way == "stdio":
        server = StdioServerParameters(command=target[0], args=target[1:])
    elif way == "sse":
        server = sse_client(target[0])
    mode = "auto" if revision >= "2026" else "legacy"
    open_now = False
    try:
        async with Client(server, mode=mode, elicitation_callback=answer, sampling_callback=speak) as client:
            open_now = True
            report("connect", revision=client.protocol_version)
            for step in STEPS:
                await take(step, client)
        report("close")
    except Exception as error:  # noqa: BLE001 - whatever it is, the line tells
        report("close" if open_now else "connect", reason(error))


if __name__ == "__main__":
    anyio.run(meet, sys.argv[1], sys.argv[2], sys.argv[3:])
