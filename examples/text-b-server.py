"""A small MCP server over stdio in Python's standard library: a calculator and a mock weather report.

It exists so that clients in another language have a peer that shares no code with them. It speaks the
handshake revisions only, one request at a time, and keeps nothing but protocol on stdout.
Run it with: python3 examples/text-b-server.py
"""

import ast
import json
import math
import operator
import sys

REVISIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
LONGEST_EXPRESSION = 200

BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
UNARY = {ast.UAdd: operator.pos, ast.USub: operator.neg}


class RpcError(Exception):
    """The request itself is at fault; becomes the `error` member of its answer."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class ToolError(Exception):
    """The tool could not do it; becomes a result with `isError`, so that a model can try again."""


def evaluate(node):
    """Computes a parsed expression. Only numbers, + - * / and parentheses exist here: no names, no calls, no powers."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        return BINARY[type(node.op)](evaluate(node.left), evaluate(node.right))
    if isinstance(node, ast.UnaryOp) and type(node.op) in UNARY:
        return UNARY[type(node.op)](evaluate(node.operand))
    raise ToolError("Only numbers, + - * / and parentheses are allowed.")


def calculator(expr):
    if len(expr) > LONGEST_EXPRESSION:
        raise ToolError(f"The expression is longer than {LONGEST_EXPRESSION} characters.")
    try:
        value = evaluate(ast.parse(expr.strip(), mode="eval").body)
    except ZeroDivisionError:
        raise ToolError("Division by zero.") from None
    except OverflowError:
        raise ToolError("The result is too large.") from None
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ToolError("This is not an arithmetic expression.") from None
    if not math.isfinite(value):
        raise ToolError("The result is too large.")
    return str(int(value)) if value == int(value) else str(value)


def weather(city):
    return f"{city} 今天晴，25℃（mock）"


def one_string(name, description):
    """The input schema of a tool that takes one string."""
    return {
        "type": "object",
        "properties": {name: {"type": "string", "description": description}},
        "required": [name],
    }


TOOLS = {
    "calculator": (
        calculator,
        "Computes an arithmetic expression",
        one_string("expr", "Such as 23*7 or (1+2)/4"),
    ),
    "weather": (weather, "Tells the weather in a city (mock)", one_string("city", "Name of the city")),
}


def initialize(params):
    asked = params.get("protocolVersion")
    if not isinstance(asked, str):
        raise RpcError(INVALID_PARAMS, "protocolVersion is missing.")
    return {
        "protocolVersion": asked if asked in REVISIONS else REVISIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "text-b-server", "version": "1.0.0"},
    }


def list_tools(_params):
    return {
        "tools": [
            {"name": name, "description": description, "inputSchema": schema}
            for name, (_run, description, schema) in TOOLS.items()
        ]
    }


def call_tool(params):
    name, arguments = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str) or name not in TOOLS:
        raise RpcError(INVALID_PARAMS, f"Unknown tool: {name}")
    if not isinstance(arguments, dict):
        raise RpcError(INVALID_PARAMS, "arguments must be an object.")
    run, _description, schema = TOOLS[name]
    (wanted,) = schema["required"]
    try:
        if not isinstance(arguments.get(wanted), str):
            raise ToolError(f'{name} needs "{wanted}", a string.')
        return {"content": [{"type": "text", "text": run(arguments[wanted])}], "isError": False}
    except ToolError as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}


METHODS = {
    "initialize": initialize,
    "ping": lambda _params: {},
    "tools/list": list_tools,
    "tools/call": call_tool,
}


def is_id(value):
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def handle(message):
    """Gives the answer to one message, or None where there is none to give."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, "This is not a JSON-RPC 2.0 message.")
    if "method" not in message and ("result" in message or "error" in message):
        return None  # an answer, though nothing was asked
    method, params = message.get("method"), message.get("params")
    if not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, "method must be a string.")
    if "id" not in message:
        return None  # a notification: initialized, cancelled, or one we never heard of
    if not is_id(message["id"]):
        raise RpcError(INVALID_REQUEST, "id must be a string or an integer.")
    if method not in METHODS:
        raise RpcError(METHOD_NOT_FOUND, f"Method not found: {method}")
    if params is not None and not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "params must be an object.")
    return METHODS[method](params or {})


def answer(line):
    """Turns one line into the message to send back, or None."""
    request_id = None
    try:
        try:
            message = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            raise RpcError(PARSE_ERROR, "This line is not JSON in UTF-8.") from None
        if isinstance(message, dict) and is_id(message.get("id")):
            request_id = message["id"]
        result = handle(message)
        return None if result is None else {"jsonrpc": "2.0", "id": request_id, "result": result}
    except RpcError as error:
        return {"jsonrpc": "2.0", "id": request_id, "error": {"code": error.code, "message": str(error)}}


def main():
    # Bytes on both sides: what the terminal's encoding is must not matter. The end of stdin is the end of the server.
    for line in sys.stdin.buffer:
        if line.strip():
            reply = answer(line)
            if reply is not None:
                sys.stdout.buffer.write(json.dumps(reply, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
                sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
