"""Asks the bridge of the installed Hermes. Used by tests only; one process answers many questions.

Reads JSON lines on stdin and answers each with {"text": ...}, the JSON text the model would get, or with {"accepted":
{"name", "arguments"}} for a call that its tool would get. Questions:

{"config": text, "tools": [{"toolset", "definition"}]}   from now on this config and these tools, all of them new
{"search": arguments}, {"describe": arguments}, {"call": arguments}

Tools that Hermes does not know are registered, with a handler that does nothing; no tool is ever called.
"""

import json
import os
import sys

answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

import model_tools  # noqa: E402
from tools import tool_search  # noqa: E402
from tools.registry import registry  # noqa: E402

path = os.path.join(os.environ["HERMES_HOME"], "config.yaml")
current = []
registered = []
model_tools.get_tool_definitions = lambda *args, **kwargs: current
# Searches are counted in a file, and these are none.
tool_search._record_search_metric = lambda *args, **kwargs: None
dispatcher = model_tools.handle_function_call
load_settings = tool_search.load_config


class Accepted(Exception):
    pass


def accept(function_name, function_args, **kwargs):
    raise Accepted({"name": function_name, "arguments": function_args})


model_tools.handle_function_call = accept


def use(question):
    fresh = path + ".new"
    with open(fresh, "w", encoding="utf-8") as file:
        file.write(question["config"])
    os.replace(fresh, path)
    # Read once for all questions about it, not with every one.
    settings = load_settings()
    tool_search.load_config = tool_search.load_config_readonly = lambda: settings
    while registered:
        registry.deregister(registered.pop())
    current[:] = [tool["definition"] for tool in question["tools"]]
    for tool in question["tools"]:
        function = tool["definition"]["function"]
        if registry.get_entry(function["name"]) is None:
            registry.register(
                name=function["name"], toolset=tool["toolset"], schema=function, handler=lambda *args, **kwargs: "{}"
            )
            registered.append(function["name"])
    return {"text": "{}"}


def bridge(name, arguments):
    batch = getattr(model_tools, "_dispatch_bridge_tool", None)
    if batch is None:
        try:
            return {"text": dispatcher(name, arguments)}
        except Accepted as accepted:
            return {"accepted": accepted.args[0]}
    text, call = batch(name, arguments, None, None)
    if call is None:
        return {"text": text}
    name, arguments = call
    try:
        # As dispatch repairs them, which is what the check looked at.
        arguments = model_tools.coerce_tool_args(name, dict(arguments))
    except Exception:
        # A schema it stumbles over: the check then takes them as they are.
        pass
    return {"accepted": {"name": name, "arguments": arguments}}


for line in sys.stdin:
    question = json.loads(line)
    try:
        if "tools" in question:
            answer = use(question)
        else:
            [(tool, arguments)] = question.items()
            answer = bridge(f"tool_{tool}", arguments)
    except Exception as error:
        answer = {"failed": f"{type(error).__name__}: {error}"}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()
