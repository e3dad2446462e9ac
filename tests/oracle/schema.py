"""Asks the installed Hermes which definitions it sends for the tools of a server. Used by tests only.

Reads JSON lines {"server": name, "tools": [{"name", "description", "input_schema": JSON text}]} on stdin. Each is
answered with {"definitions": [text or null], "registered": [name]}: the text of each tool converted and sanitised by
itself, null where Hermes stops, and the sorted names that a registration of all of them leaves.
"""

import json
import os
import sys
from types import SimpleNamespace

answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

from tools.schema_sanitizer import sanitize_tool_schemas  # noqa: E402

try:
    from tools import mcp_tool_registration as registration
    from tools.mcp_tool_schema import _convert_mcp_schema
except ImportError:
    from tools.mcp_tool import _convert_mcp_schema

    registration = None


def definition(server, tool):
    try:
        array = sanitize_tool_schemas([{"type": "function", "function": _convert_mcp_schema(server, tool)}])
        return json.dumps(array[0], ensure_ascii=False)
    except Exception as error:
        print(type(error).__name__, error, file=sys.stderr)
        return None


def registered(server, tools):
    """What a live registration leaves, by the code that does it."""
    if registration is not None:
        candidates = registration._tool_candidates(server, tools, lambda name: True, 5)
        return sorted(kept.registry_name for kept in registration._resolve_name_collisions(server, candidates))
    from tools import mcp_tool
    from tools.registry import registry

    capabilities = SimpleNamespace(resources=None, prompts=None)
    initialized = SimpleNamespace(capabilities=capabilities)
    connected = SimpleNamespace(_tools=tools, tool_timeout=5, session=None, initialize_result=initialized)
    names = sorted(set(mcp_tool._register_server_tools(server, connected, {})))
    for name in names:
        registry.deregister(name)
    return names


for line in sys.stdin:
    question = json.loads(line)
    server = question["server"]
    tools = [
        SimpleNamespace(
            name=tool["name"], description=tool["description"], inputSchema=json.loads(tool["input_schema"])
        )
        for tool in question["tools"]
    ]
    answer = {"definitions": [definition(server, tool) for tool in tools], "registered": registered(server, tools)}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
