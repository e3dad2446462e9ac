"""Answers JSON lines with what the installed Hermes makes of tools it is told of: which it defers, how it lists them.

A question is {"tools": [{"toolset", "definition"}], "settings": any, "context": number or null}. The tools are really
registered while it is answered, because Hermes asks its registry about each name.
"""

import hashlib
import json
import os
import sys

answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
os.dup2(2, 1)
sys.stdout = sys.stderr

import model_tools  # noqa: E402, F401
from tools import tool_search  # noqa: E402
from tools.registry import registry  # noqa: E402


def assembled(question):
    tools = question["tools"]
    registered = []
    for tool in tools:
        function = tool["definition"]["function"]
        if registry.get_entry(function["name"]) is None:
            registry.register(
                name=function["name"], toolset=tool["toolset"], schema=function, handler=lambda *_, **__: "{}"
            )
            registered.append(function["name"])
    try:
        try:
            settings = tool_search.ToolSearchConfig.from_raw(question["settings"])
        except Exception:  # as its own loader does
            settings = tool_search.ToolSearchConfig.from_raw(None)
        definitions = [tool["definition"] for tool in tools]
        # The caller does not come here at all when tool search is off.
        if settings.enabled == "off":
            return answer(definitions, None)
        result = tool_search.assemble_tool_defs(definitions, context_length=question["context"], config=settings)
        return answer(result.tool_defs, result)
    finally:
        for name in registered:
            registry.deregister(name)


def answer(array, result):
    text = json.dumps(array, ensure_ascii=False)
    search = next((tool for tool in array if tool["function"]["name"] == "tool_search"), None)
    return {
        "names": [tool["function"]["name"] for tool in array],
        "sha256": hashlib.sha256(text.encode("utf-8")).hexdigest(),
        "search": search and search["function"]["description"],
        "activated": bool(result and result.activated),
        "tier": getattr(result, "tier", 0),
        "form": getattr(result, "listing_form", "none"),
    }


for line in sys.stdin:
    answers.write(json.dumps(assembled(json.loads(line)), ensure_ascii=False) + "\n")
    answers.flush()
