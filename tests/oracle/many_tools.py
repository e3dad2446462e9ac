"""many_tools.py COUNT [resources]: an MCP server on stdio with COUNT generated tools, listed twenty a page.

Stands in for the large servers people have. Each schema differs, and between them they hold what servers in the field
send: definitions with references, nullable unions, constants, defaults, odd property names, no schema at all.
"""

import json
import sys

COUNT, PAGE = int(sys.argv[1]), 20
VERBS = ("list", "create", "update", "delete", "search", "export", "archive", "count")
THINGS = ("invoice", "customer", "ticket", "branch", "message", "calendar event", "document", "warehouse item")


def schema(number):
    properties = {
        "identifier": {"type": "string", "description": f"Which one, for operation {number}; “quoted” naïvely."},
        "limit": {"type": "integer", "default": 10 + number, "minimum": 1},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None, "title": "Note"},
    }
    if number % 3 == 0:
        properties["shade"] = {"anyOf": [{"const": "red"}, {"const": "green"}]}
    if number % 4 == 0:
        properties["ratio"] = {"type": ["number", "null"], "examples": [1e-7, 1.5, 100000000000000000000]}
    found = {"type": "object", "properties": properties, "required": ["identifier"]}
    if number % 5 == 0:
        found["definitions"] = {"Range": {"type": "object", "properties": {"from": {"type": "string"}}}}
        properties["range"] = {"$ref": "#/definitions/Range"}
    if number % 7 == 0:
        properties["odd name$"] = {"type": "string"}
    if number % 11 == 0:
        found = {"type": "object"}
    return found


def tool(number):
    verb, thing = VERBS[number % len(VERBS)], THINGS[number // len(VERBS) % len(THINGS)]
    name = f"{verb}-{thing.replace(' ', '_')}-{number}"
    description = f"Lets one {verb} a {thing} and reports what was done. Number {number} of its kind."
    return {"name": name, "description": description, "inputSchema": schema(number)}


def answer(method, params):
    if method == "initialize":
        capabilities = {"tools": {"listChanged": False}}
        if "resources" in sys.argv:
            capabilities["resources"] = {}
        version = params.get("protocolVersion", "2025-06-18")
        return {"protocolVersion": version, "capabilities": capabilities, "serverInfo": {"name": "many", "version": "1"}}
    if method == "tools/list":
        start = int(params.get("cursor") or 0)
        page = {"tools": [tool(number) for number in range(start, min(start + PAGE, COUNT))]}
        if start + PAGE < COUNT:
            page["nextCursor"] = str(start + PAGE)
        return page
    return {}


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = answer(message.get("method"), message.get("params") or {})
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
