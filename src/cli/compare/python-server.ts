/**
 * The same two tools once more, as a server in the standard library of Python: nothing of it is shared with this program but what goes
 * over the wire. A program for `python3 -c`; it speaks the handshake revisions, one request at a time.
 */

import { NEWEST_LEGACY } from '../../protocol/dialects/index.ts'

export const PYTHON_SERVER: string = `
import ast, json, operator, os, platform, sys

BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}

def evaluate(node):
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        return BINARY[type(node.op)](evaluate(node.left), evaluate(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -evaluate(node.operand)
    raise ValueError("Only numbers, + - * / and parentheses are allowed.")

def calculator(expr):
    value = evaluate(ast.parse(expr[:200].strip(), mode="eval").body)
    return str(int(value)) if value == int(value) else str(value)

def weather(city):
    return f"{city} 今天晴，25℃（mock）"

TOOLS = {"calculator": (calculator, "expr"), "weather": (weather, "city")}

def listed(name, argument):
    schema = {"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]}
    return {"name": name, "description": "The same tool in Python", "inputSchema": schema}

def handle(method, params):
    if method == "initialize":
        info = {"name": "python", "version": platform.python_version()}
        return {"protocolVersion": "${NEWEST_LEGACY.revision}", "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [listed(name, argument) for name, (_run, argument) in TOOLS.items()]}
    if method == "tools/call" and params.get("name") in TOOLS:
        run, argument = TOOLS[params["name"]]
        try:
            text, failed = run(params.get("arguments", {})[argument]), False
        except Exception as error:
            text, failed = str(error), True
        return {"content": [{"type": "text", "text": text}], "isError": failed}
    return None

for line in sys.stdin.buffer:
    message = json.loads(line)
    if "id" not in message or "method" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    result = handle(message["method"], message.get("params") or {})
    if result is None:
        answer["error"] = {"code": -32601, "message": "Method not found"}
    else:
        answer["result"] = result
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode("utf-8") + b"\\n")
    sys.stdout.buffer.flush()
`
