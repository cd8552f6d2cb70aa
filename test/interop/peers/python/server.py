"""A server made with the official Python SDK, over its standard streams or HTTP: `server.py stdio` or `server.py http`."""

import asyncio
import socket
import sys
from typing import Annotated

import anyio
import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve, Sample
from mcp_types import CreateMessageResult, SamplingMessage, TextContent
from pydantic import BaseModel

server = MCPServer("python-peer", version="1.0.0", log_level="ERROR")
given_up = False


class Person(BaseModel):
    name: str


async def who() -> Elicit[Person]:
    return Elicit("Who is there?", Person)


async def word() -> Sample:
    question = TextContent(type="text", text="A word?")
    return Sample([SamplingMessage(role="user", content=question)], max_tokens=10)


@server.tool()
def echo(text: str) -> str:
    return text


@server.tool()
def fail() -> str:
    raise ToolError("out of paper")


@server.tool()
async def steps(count: int, ctx: Context) -> str:
    for step in range(1, count + 1):
        await ctx.report_progress(step, count)
    return "done"


@server.tool()
async def ask(person: Annotated[Person, Resolve(who)]) -> str:
    return f"hello {person.name}"


@server.tool()
async def sample(message: Annotated[CreateMessageResult, Resolve(word)]) -> str:
    return message.content.text


@server.tool()
async def wait() -> str:
    global given_up
    try:
        await anyio.sleep(60)
    except anyio.get_cancelled_exc_class():
        given_up = True
        raise
    return "nobody gave it up"


@server.tool(name="given-up")
def was_given_up() -> str:
    global given_up
    told, given_up = given_up, False
    return "yes" if told else "no"


@server.resource("peer://text", mime_type="text/plain")
def text() -> str:
    return "plain words"


@server.prompt()
def hello() -> str:
    return "Hello"


async def serve_http() -> None:
    """Both eras at /mcp, the old transport at /sse. Writes its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = server.streamable_http_app()
    app.router.routes.extend(server.sse_app().routes)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    await uvicorn.Server(uvicorn.Config(app, log_level="error")).serve(sockets=[listener])


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run()
    else:
        asyncio.run(serve_http())
