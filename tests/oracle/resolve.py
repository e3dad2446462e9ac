"""Asks the installed Hermes which toolsets a config switches on. Used by tests only.

Reads JSON lines {"config": text, "platform": key} on stdin and answers each with {"enabled": [...]}, or
{"error": text} where Hermes itself stops. With "server" and "tools" in the question, the answer is {"admitted":
[...]}: those of the tools that Hermes registers under the server's filter. Without a platform the answer is
{"servers": [...]}, the enabled servers. The config is written into HERMES_HOME
and loaded the way Hermes loads it; whatever Hermes prints goes to stderr.
"""

import json
import os
import sys
from types import SimpleNamespace

answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

from hermes_cli import tools_config  # noqa: E402
from hermes_cli.config import load_config  # noqa: E402

import model_tools  # noqa: E402,F401  registers every tool, as a session does

path = os.path.join(os.environ["HERMES_HOME"], "config.yaml")


def admitted(settings, tools):
    """The tools of a connected server that pass its filter, by the code that registers them."""
    try:
        from tools.mcp_tool_registration import _make_tool_filter
    except ImportError:
        from tools import mcp_tool

        capabilities = SimpleNamespace(resources=None, prompts=None)
        server = SimpleNamespace(
            _tools=[SimpleNamespace(name=name, description="", inputSchema={}) for name in tools],
            tool_timeout=5,
            session=None,
            initialize_result=SimpleNamespace(capabilities=capabilities),
        )
        # A name of its own, so that what is registered changes no later answer.
        registered = mcp_tool._register_server_tools("under_test", server, settings)
        return [name for name in tools if f"mcp__under_test__{name}" in registered]
    passes = _make_tool_filter("under_test", settings)
    return [name for name in tools if passes(name)]


def answer_to(question):
    config = load_config()
    if "server" in question:
        return {"admitted": admitted(config["mcp_servers"][question["server"]], question["tools"])}
    if "platform" not in question:
        return {"servers": sorted(tools_config.enabled_mcp_server_names(config))}
    return {"enabled": sorted(tools_config._get_platform_tools(config, question["platform"]))}


for line in sys.stdin:
    question = json.loads(line)
    # A new file each time: Hermes caches by modification time and size.
    fresh = path + ".new"
    with open(fresh, "w", encoding="utf-8") as file:
        file.write(question["config"])
    os.replace(fresh, path)
    try:
        answer = answer_to(question)
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
