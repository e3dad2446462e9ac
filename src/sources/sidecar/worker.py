"""Answers questions about one Hermes home, from inside that Hermes' own Python.

Started by hermes-tools with this text on stdin, followed by JSON lines {"id", "ask", ...}. Each is answered on stdout
by {"id", "ok": ...} or {"id", "error": text}. Behaviour is found by asking the installed code, never by its version.

What it must not do: write into the home, connect anywhere, start a server, or outlive its parent. An audit hook refuses
the first two whatever Hermes tries; the end of stdin ends the process even in the middle of an answer.
"""

import contextlib
import importlib
import json
import logging
import os
import queue
import signal
import sys
import threading
import time
import types

answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
os.dup2(2, 1)
sys.stdout = sys.stderr
sys.dont_write_bytecode = True
logging.disable(logging.CRITICAL)


# -- the end -------------------------------------------------------------------------------------------------------

questions = queue.SimpleQueue()


def end():
    """Ends this process at once, and whatever Hermes' checks started in its group."""
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def read():
    """Runs beside everything else, imports included: the end of stdin means that nobody waits for answers any more."""
    for line in sys.stdin.buffer:
        questions.put(line)
    end()


def end_with_parent():
    """Where the system can do it: the thread above cannot run while some import holds the interpreter."""
    if sys.platform != "linux":
        return
    try:
        import ctypes

        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
    except (ImportError, AttributeError, OSError):
        pass


threading.Thread(target=read, daemon=True).start()
end_with_parent()

HOME = os.path.realpath(os.environ["HERMES_HOME"])
BRIDGE, UNREGISTERED = "(bridge)", "(unregistered)"
BRIDGE_NAMES = ("tool_search", "tool_describe", "tool_call")
FORMS = ("none", "full", "names", "mixed", "groups")
# What each kind of process exports before its first availability check.
SURFACES = {
    "cli": {"HERMES_INTERACTIVE": "1"},
    "one-shot": {"HERMES_INTERACTIVE": "1", "HERMES_SINGLE_QUERY_SESSION": "1"},
    "tui": {"HERMES_INTERACTIVE": "1", "HERMES_GATEWAY_SESSION": "1", "HERMES_EXEC_ASK": "1"},
    "gateway": {"HERMES_EXEC_ASK": "1"},
    "cron": {},
    "inspect": {},
}
SURFACE_VARIABLES = sorted({name for variables in SURFACES.values() for name in variables})
for variable in SURFACE_VARIABLES:
    os.environ.pop(variable, None)

problems = []


# -- guards --------------------------------------------------------------------------------------------------------


def in_home(path):
    try:
        path = os.path.abspath(os.fspath(path))
    except (TypeError, ValueError):
        return False
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    return path == HOME or path.startswith(HOME + os.sep) or os.path.realpath(path).startswith(HOME + os.sep)


WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod"}


def refuse(event, args):
    if event == "open":
        path, mode, flags = args
        writes = flags & WRITING if isinstance(flags, int) else any(sign in (mode or "") for sign in "wax+")
        if writes and path is not None and not isinstance(path, int) and in_home(path):
            raise PermissionError(f"hermes-tools only looks: {os.path.basename(os.fspath(path))} stays as it is")
    elif event in CHANGES:
        places = args[:2] if event in ("os.rename", "os.link", "os.symlink") else args[:1]
        if any(in_home(place) for place in places if not isinstance(place, int)):
            raise PermissionError("hermes-tools only looks: the home stays as it is")
    elif event in ("socket.connect", "socket.sendto"):
        if isinstance(args[1], tuple):
            raise ConnectionRefusedError("hermes-tools opens no connection")
    elif event == "socket.getaddrinfo":
        raise ConnectionRefusedError("hermes-tools looks up no host")


def guard_databases():
    """Databases in the home are opened as empty ones in memory: merely importing some modules would create them."""
    import sqlite3

    connect = sqlite3.connect

    def connected(database, *args, **kwargs):
        name = os.fspath(database) if not isinstance(database, str) else database
        plain = name[5:].split("?")[0] if isinstance(name, str) and name.startswith("file:") else name
        if in_home(plain):
            kwargs.pop("uri", None)
            return connect(":memory:", *args, **kwargs)
        return connect(database, *args, **kwargs)

    sqlite3.connect = sqlite3.dbapi2.connect = connected


guard_databases()
sys.addaudithook(refuse)


# -- Hermes --------------------------------------------------------------------------------------------------------


def optional(module, name=None):
    """A module or one of its members, or None where this Hermes has none."""
    try:
        found = importlib.import_module(module)
    except ImportError:
        return None
    return found if name is None else getattr(found, name, None)


import hermes_cli  # noqa: E402
from hermes_cli import config as config_module  # noqa: E402

# The skeleton of a home, and copies of every config that parsed: both are writes, and neither is ours to make.
config_module.ensure_hermes_home = lambda *args, **kwargs: None
if optional("hermes_cli.config_backups") is not None:
    sys.modules["hermes_cli.config_backups"].backup_config = lambda *args, **kwargs: None

load_dotenv = optional("hermes_cli.env_loader", "load_hermes_dotenv")
if load_dotenv is not None:
    try:
        load_dotenv()
    except Exception as error:  # a broken .env is Hermes' to report
        problems.append(f".env: {type(error).__name__}")
for variable in SURFACE_VARIABLES:
    os.environ.pop(variable, None)

import model_tools  # noqa: E402
import toolsets  # noqa: E402
from hermes_cli import tools_config  # noqa: E402
from tools import registry as registry_module  # noqa: E402

registry = registry_module.registry
tool_search = optional("tools.tool_search")
plugins = optional("hermes_cli.plugins")
schema_cache = optional("tools.mcp_schema_cache")
mcp_registration = optional("tools.mcp_tool_registration")
parse_string_list = optional("agent.skill_utils", "parse_config_string_list")

try:
    plugins.discover_plugins()
except Exception as error:
    problems.append(f"plugins: {type(error).__name__}: {error}")

original_config_path = config_module.get_config_path
config_caches = [getattr(config_module, name, None) for name in ("_LOAD_CONFIG_CACHE", "_RAW_CONFIG_CACHE")]


@contextlib.contextmanager
def config_of(text):
    """Lets every reader of the config see `text` instead of the saved file. The text lives in memory only."""
    if text is None:
        yield
        return
    descriptor, folder = -1, None
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("hermes-tools-config")
        path = f"/proc/self/fd/{descriptor}"
    else:
        import tempfile

        folder = tempfile.mkdtemp(prefix="hermes-tools-")
        path = os.path.join(folder, "config.yaml")
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, text.encode("utf-8"))
        config_module.get_config_path = lambda: type(original_config_path())(path)
        forget_config()
        yield
    finally:
        config_module.get_config_path = original_config_path
        os.close(descriptor)
        if folder is not None:
            import shutil

            shutil.rmtree(folder, ignore_errors=True)
        forget_config()


def forget_config():
    for cache in config_caches:
        if isinstance(cache, dict):
            cache.clear()
    clear = getattr(model_tools, "_clear_tool_defs_cache", None)
    if clear is not None:
        clear()


current_surface = None


def enter(surface):
    """Makes this process look like one of that surface to every availability check."""
    global current_surface
    if surface == current_surface:
        return
    for variable in SURFACE_VARIABLES:
        os.environ.pop(variable, None)
    os.environ.update(SURFACES[surface])
    invalidate = getattr(registry_module, "invalidate_check_fn_cache", None)
    if invalidate is not None:
        invalidate()
    forget_config()
    current_surface = surface


@contextlib.contextmanager
def patched(module, **members):
    before = {name: getattr(module, name) for name in members}
    for name, member in members.items():
        setattr(module, name, member)
    try:
        yield
    finally:
        for name, member in before.items():
            setattr(module, name, member)


def section(config, name):
    found = config.get(name)
    return found if isinstance(found, dict) else {}


def dumped(value):
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")


# -- MCP tools from lists servers told -----------------------------------------------------------------------------------
#
# Two sources: Hermes' own cache of definitions, where it keeps one, and what servers told hermes-tools.

mcp_tool = optional("tools.mcp_tool")
mcp_types = optional("mcp.types")
told = {}
refused = {}
registered_for = None


def tell(lists):
    """Takes what servers told hermes-tools, as they told it. Answers which of it Hermes' MCP library does not take."""
    global registered_for
    told.clear()
    refused.clear()
    registered_for = None
    for listed in lists:
        name = listed["server"]
        try:
            if listed["refused"]:
                raise ValueError(listed["refused"])
            listed["parsed"] = parsed(listed["tools"])
        except Exception as error:
            refused[name] = refusal(error)
            listed["parsed"] = []
        told[name] = listed
    return refused


def parsed(tools):
    """One tool its library does not take costs Hermes the whole list."""
    if mcp_types is None:
        raise ValueError("this Hermes has no MCP library")
    return mcp_types.ListToolsResult.model_validate({"tools": tools}).tools


def refusal(error):
    """The first complaint of a validation, without the value it is about."""
    if not hasattr(error, "errors"):
        return str(error)
    first = error.errors(include_url=False, include_input=False)[0]
    place = first["loc"]
    row = f"tool {place[1] + 1}: " if len(place) > 1 and place[0] == "tools" else ""
    return f"{row}{'.'.join(str(step) for step in place[2:])}: {first['msg']}"


def mcp_entries():
    if schema_cache is None:
        return {}
    try:
        return schema_cache._load_all()
    except Exception as error:
        problems.append(f"MCP schema cache: {type(error).__name__}")
        return {}


def mcp_configs():
    load = optional("tools.mcp_tool_config", "_load_mcp_config") or optional("tools.mcp_tool", "_load_mcp_config")
    try:
        return {str(name): settings for name, settings in (load() if load else {}).items() if isinstance(settings, dict)}
    except Exception as error:
        problems.append(f"mcp_servers: {type(error).__name__}")
        return {}


def list_of(name, entries):
    """Which list of a server counts: ("told", list), ("cached", entry), or None. What it told counts, unless it told it
    under other settings, or Hermes has heard from it since."""
    listed, entry = told.get(name), entries.get(name)
    entry = entry if isinstance(entry, dict) else None
    if listed is None:
        return None if entry is None else ("cached", entry)
    written = (entry or {}).get("written_at")
    since = isinstance(written, (int, float)) and written > listed["taken_at"]
    return ("cached", entry) if entry is not None and (listed["stale"] or since) else ("told", listed)


def connected(name):
    """Stands in for a connected server."""
    listed = told[name]
    capabilities = {family: {} if listed[family] else None for family in ("resources", "prompts")}
    return types.SimpleNamespace(
        name=name,
        session=None,
        tool_timeout=300,
        initialize_result=types.SimpleNamespace(capabilities=types.SimpleNamespace(**capabilities)),
        _tools=listed["parsed"],
        _registered_tool_names=[],
    )


def register_told(name, settings):
    server = connected(name)
    if mcp_registration is None:
        with patched(mcp_tool, _make_check_fn=lambda name: lambda: True):
            mcp_tool._register_server_tools(name, server, settings)
        return
    tools = [
        {
            "name": tool.name,
            "description": tool.description or "",
            "inputSchema": getattr(tool, "input_schema", None) or getattr(tool, "inputSchema", None) or {},
        }
        for tool in server._tools
    ]
    entry = {"tools": tools, "utility_tools": mcp_registration._select_utility_schemas(name, server, settings)}
    mcp_registration._register_from_cache_sync(name, settings, entry)


def register_servers(filtered, connects=True):
    """Registers every enabled server's tools, without a connection; `filtered` applies the config's filters. A surface
    that `connects` no server has none."""
    global registered_for
    register = getattr(mcp_registration, "_register_from_cache_sync", None)
    if register is None and mcp_tool is None:
        return
    entries, configs = mcp_entries(), mcp_configs() if connects else {}
    wanted = json.dumps([filtered, configs, sorted(entries)], sort_keys=True, default=str)
    if wanted == registered_for:
        return
    for name, toolset in list(registry.get_tool_to_toolset_map().items()):
        if str(toolset).startswith("mcp-"):
            registry.deregister(name)
    for name, settings in configs.items():
        source = list_of(name, entries)
        if source is None:
            continue
        if not filtered:
            settings = {key: value for key, value in settings.items() if key != "tools"}
        try:
            if source[0] == "told":
                register_told(name, settings)
            elif register is not None:
                register(name, settings, source[1])
        except Exception as error:
            problems.append(f"MCP server {name}: {type(error).__name__}")
    registered_for = wanted


def server_lists():
    entries, configs = mcp_entries(), mcp_configs()
    lists = []
    for name in configs:
        source = list_of(name, entries)
        if source is not None:
            lists.append((told_list if source[0] == "told" else cached_list)(name, source[1], configs[name]))
    return lists


def told_list(name, listed, settings):
    names = [tool.get("name") for tool in listed["tools"]]
    return {
        "server": name,
        "source": "probe",
        "written_at": listed["taken_at"],
        "stale": listed["stale"],
        "refused": refused.get(name),
        "took_ms": listed["took_ms"],
        "names": [name for name in names if isinstance(name, str)],
    }


def cached_list(name, entry, settings):
    written = entry.get("written_at")
    try:
        fresh = schema_cache.config_fingerprint(settings) == entry.get("fingerprint")
    except Exception:
        fresh = False
    ttl = entry.get("ttl_ms")
    if isinstance(ttl, (int, float)) and isinstance(written, (int, float)):
        fresh = fresh and (time.time() - written) * 1000 < ttl
    names = [tool.get("name") for tool in schema_cache.tools_from_cache_entry(entry) if isinstance(tool, dict)]
    return {
        "server": name,
        "source": "schema-cache",
        "written_at": int(written) if isinstance(written, (int, float)) else None,
        "stale": not fresh,
        "names": [name for name in names if isinstance(name, str)],
    }


def origins():
    """Registered name -> (server, the server's own name), for the tools of servers."""
    prefixed = optional("tools.mcp_tool_schema", "mcp_prefixed_tool_name") or getattr(
        mcp_tool, "mcp_prefixed_tool_name", None
    )
    found = {}
    for listed in server_lists():
        for name in listed["names"]:
            if prefixed is not None:
                found[prefixed(listed["server"], name)] = (listed["server"], name)
    aliases = {toolset: alias for alias, toolset in registry.get_registered_toolset_aliases().items()}
    for name, toolset in registry.get_tool_to_toolset_map().items():
        if str(toolset).startswith("mcp-") and name not in found:
            found[name] = (aliases.get(toolset, toolset[len("mcp-") :]), None)
    return found


# -- rules: questions to the installed code ----------------------------------------------------------------------------


def resolved(config, platform="cli"):
    return tools_config._get_platform_tools(config, platform)


def with_environment(name, value, ask):
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        return ask()
    finally:
        os.environ.pop(name, None) if before is None else os.environ.__setitem__(name, before)


def asked(label, ask, otherwise):
    try:
        return ask()
    except Exception as error:
        problems.append(f"{label}: {type(error).__name__}: {error}")
        return otherwise


def dialect():
    with config_of("hermes_tools_probe: y\n"):
        return "ruamel" if config_module.load_config().get("hermes_tools_probe") is True else "py-yaml"


def admits(filters, name):
    make = getattr(mcp_registration, "_make_tool_filter", None)
    if make is not None:
        return make("probe", {"tools": filters})(name)
    return None


def enabled_floats():
    server = {"mcp_servers": {"probe": {"command": "x", "enabled": 0.0}}}
    return "probe" not in tools_config.enabled_mcp_server_names(server)


def toolsets_hide_servers():
    """Whether a tool of a server named like a toolset is left out when that name is resolved."""
    key = next(iter(sorted(toolsets.TOOLSETS)))
    schema = {"name": "hermes_tools_probe", "description": "x", "parameters": {"type": "object", "properties": {}}}
    registry.register(
        name="hermes_tools_probe",
        toolset=f"mcp-{key}",
        schema=schema,
        handler=lambda *args, **kwargs: "",
        check_fn=lambda: True,
        is_async=False,
        description="x",
    )
    try:
        registry.register_toolset_alias(key, f"mcp-{key}")
        return "hermes_tools_probe" not in toolsets.resolve_toolset(key)
    finally:
        registry.deregister("hermes_tools_probe")


def sampling_tools():
    handler = optional("tools.mcp_tool_sampling", "SamplingHandler") or getattr(mcp_tool, "SamplingHandler", None)
    return handler is not None and not hasattr(handler("probe", {}), "expose_client_tools")


def activation():
    if tool_search is None:
        return "absent"
    settings = tool_search.ToolSearchConfig.from_raw({})
    return "any-deferrable" if tool_search.should_activate(settings, 1, 1_000_000) else "threshold"


def plugin_keys_are_explicit():
    # A key that is a builtin row's too makes a list explicit in any case.
    own = {key for key, _, _ in tools_config.CONFIGURABLE_TOOLSETS}
    keys = [key for key in plugin_keys() if key not in own]
    if not keys:
        return False  # without a plugin of its own it changes nothing
    # Only the branch for lists without any known key adds what xAI credentials bring.
    with patched(tools_config, _xai_credentials_present=lambda: True):
        return "x_search" not in resolved({"platform_toolsets": {"cli": [keys[0]]}})


def schema_rules():
    """How a tool of a server becomes a definition, by converting tools of our own."""
    convert = optional("tools.mcp_tool_schema", "_convert_mcp_schema") or optional("tools.mcp_tool", "_convert_mcp_schema")
    sanitizer = optional("tools.schema_sanitizer")

    def function(properties, name="probe", description="x"):
        schema = {"type": "object", "properties": properties} if properties else {}
        tool = types.SimpleNamespace(name=name, description=description, inputSchema=schema)
        array = [{"type": "function", "function": convert("probe", tool)}]
        return sanitizer.sanitize_tool_schemas(array)[0]["function"]

    def parameters(properties):
        return function(properties)["parameters"]

    def sent(schema):
        return parameters({"a": schema})["properties"].get("a", {})

    branch = {"required": ["x"]}
    union = {"anyOf": [{"const": "x"}, {"const": "y"}]}
    length = asked("name limit", lambda: len(function({}, name="x" * 400)["name"]), 400)
    return {
        "name_limit": length if length < 400 else None,
        "collision": "none-or-first" if hasattr(mcp_registration, "_resolve_name_collisions") else "later-wins",
        "tags_removed": asked(
            "tag characters", lambda: function({}, description="x\U000e0041")["description"] == "x", False
        ),
        "const_unions_folded": asked("unions of constants", lambda: "enum" in sent(union), False),
        "fragments_kept": asked(
            "fragments", lambda: sent({"properties": {"x": {}}, "oneOf": [branch]})["oneOf"] == [branch], False
        ),
        "literals_kept": asked("literals", lambda: sent({"default": ["x"]})["default"] == ["x"], False),
        "required_always": asked("required lists", lambda: "required" in parameters({}), False),
        "properties_renamed": asked("property names", lambda: "$a" not in parameters({"$a": {}})["properties"], False),
        "required_flags_lifted": asked(
            "required flags", lambda: parameters({"a": {"required": True}}).get("required") == ["a"], False
        ),
    }


def rules():
    defaults = asked("default selection", lambda: resolved({}), set())
    probe = next((name for name in ("memory", "file", "web") if name in defaults), "web")
    glob = asked("filter globs", lambda: admits({"include": ["pro*"]}, "probe"), None)
    empty = asked("empty include", lambda: admits({"include": []}, "probe"), None)
    search = activation()
    settings = tool_search.ToolSearchConfig.from_raw({}) if tool_search is not None else None
    denied_text = {"agent": {"disabled_toolsets": f"['{probe}']"}}
    return {
        "dialect": asked("dialect", dialect, "py-yaml"),
        "list_literal_strings": asked(
            "list literals", lambda: resolved({"platform_toolsets": {"cli": '["web"]'}}) != defaults, False
        ),
        "legacy_hermes_name": asked(
            "legacy name", lambda: "web" in resolved({"platform_toolsets": {"cli": ["hermes"]}}), False
        ),
        "plugin_keys_are_explicit": asked("plugin keys", plugin_keys_are_explicit, False),
        "disabled_may_be_text": asked("denied as text", lambda: probe not in resolved(denied_text), False),
        "prune_stripped": asked(
            "pruning", lambda: "file" not in resolved({"agent": {"disabled_toolsets": ["debugging"]}}), False
        ),
        "root_kanban": asked(
            "root toolsets", lambda: "kanban" not in defaults and "kanban" in resolved({"toolsets": ["kanban"]}), False
        ),
        "hass_token_exempts": asked(
            "HASS_TOKEN", lambda: "homeassistant" in with_environment("HASS_TOKEN", "x", lambda: resolved({})), False
        ),
        "known_builtin_toolsets": hasattr(tools_config, "_enable_recently_shipped_toolsets"),
        "recently_shipped": sorted(getattr(tools_config, "_RECENTLY_SHIPPED_TOOLSETS", ())),
        "filter_globs": bool(glob),
        "empty_include": "nothing" if empty is False else "all",
        "enabled_floats": asked("enabled floats", enabled_floats, False),
        "mcp_schema_cache": schema_cache is not None,
        "toolsets_hide_servers": asked("servers named like toolsets", toolsets_hide_servers, False),
        "context_variables": hasattr(optional("tools.mcp_tool_config"), "_CONTEXT_VAR_RESOLVERS"),
        "sampling_tools": asked("sampling", sampling_tools, False),
        "activation": search,
        "builtins_deferrable": hasattr(settings, "effective_defer_tools"),
        "tiered_listing": hasattr(settings, "listing"),
        "schema": schema_rules(),
    }


# -- catalog -----------------------------------------------------------------------------------------------------------


def plugin_keys():
    return sorted(key for key, _, _ in plugins.get_plugin_toolsets()) if plugins is not None else []


def plugin_platforms():
    platforms = optional("gateway.platform_registry", "platform_registry")
    if platforms is None:
        return []
    if hasattr(platforms, "registered_names"):
        names = platforms.registered_names()
    else:
        names = [entry.name for entry in platforms.all_entries()]
    return sorted(set(names) - set(tools_config.PLATFORMS))


def platform_rows():
    rows = [
        {"key": key, "label": info["label"], "default_toolset": info["default_toolset"], "builtin": True}
        for key, info in tools_config.PLATFORMS.items()
    ]
    every = optional("hermes_cli.platforms", "get_all_platforms")
    labels = {key: info.label for key, info in (every() if every else {}).items()}
    for key in asked("plugin platforms", plugin_platforms, []):
        label = labels.get(key) or key
        rows.append({"key": key, "label": label, "default_toolset": f"hermes-{key}", "builtin": False})
    return rows


def tools_denied_by(name):
    posture = (toolsets.get_toolset(name) or {}).get("posture")
    if name.startswith("hermes-") or posture:
        return sorted(toolsets.bundle_non_core_tools(name))
    return sorted(toolsets.resolve_toolset(name))


def static_tools(name):
    try:
        return sorted(toolsets.resolve_toolset(name, include_registry=False))
    except TypeError:
        return sorted(toolsets.resolve_toolset(name))


def toolset_rows(platforms):
    checklist = {key: (label, about) for key, label, about in tools_config._get_effective_configurable_toolsets()}
    own = {key for key, _, _ in tools_config.CONFIGURABLE_TOOLSETS}
    from_plugins = set(plugin_keys())
    restricted = getattr(tools_config, "_TOOLSET_PLATFORM_RESTRICTIONS", {})
    bundles = [row["default_toolset"] for row in platforms if not row["builtin"]]
    # Hermes' own order; the first place of a name counts.
    names = dict.fromkeys(
        [*checklist, *toolsets.TOOLSETS, *sorted(toolsets._get_plugin_toolset_names()), *bundles]
    )
    rows = []
    for name in names:
        spec = toolsets.TOOLSETS.get(name, {})
        label, about = checklist.get(name, ("", spec.get("description", "")))
        if name.startswith("mcp-") and name not in spec:
            kind = "mcp"
        elif name in from_plugins and name not in own:
            kind = "plugin"
        elif name.startswith("hermes-") or spec.get("includes") or spec.get("posture"):
            kind = "bundle"
        else:
            kind = "builtin"
        session = spec.get("platforms")
        rows.append(
            {
                "key": name,
                "label": label,
                "description": about or spec.get("description", ""),
                "kind": kind,
                "configurable": name in checklist,
                "config_only": name in getattr(tools_config, "_CONFIG_ONLY_TOOLSETS", ()),
                "default_off": name in tools_config._DEFAULT_OFF_TOOLSETS,
                "restricted_to": sorted(restricted[name]) if name in restricted else None,
                "session_platforms": sorted(session) if session else None,
                "has_includes": bool(spec.get("includes")),
                "posture": bool(spec.get("posture")),
                "in_static_table": name in toolsets.TOOLSETS,
                "static_tools": static_tools(name),
                "tools": sorted(toolsets.resolve_toolset(name)),
                "denied_tools": tools_denied_by(name),
            }
        )
    return rows


def entry_of(name):
    return registry.get_entry(name)


def unavailable_because(entry):
    if entry is None:
        return "Hermes did not register it"
    missing = [name for name in (getattr(entry, "requires_env", None) or []) if not os.environ.get(str(name))]
    if missing:
        return "not set: " + ", ".join(str(name) for name in missing)
    check = getattr(entry, "check_fn", None)
    label = getattr(check, "__name__", None) or "its availability check"
    return f"{label.strip('_')} says no"


def is_available(entry):
    check = getattr(entry, "check_fn", None)
    if check is None:
        return True
    try:
        return bool(registry_module._check_fn_cached(check))
    except Exception:
        return False


def definitions_if_present():
    """Every registered tool's definition as it is sent when whatever it looks at is there."""
    before = registry_module._check_fn_cached
    registry_module._check_fn_cached = lambda check: True
    try:
        names = sorted({*toolsets.get_toolset_names(), *registry.get_registered_toolset_names()})
        array = model_tools.get_tool_definitions(
            enabled_toolsets=names, quiet_mode=True, skip_tool_search_assembly=True
        )
        found = {tool["function"]["name"]: tool for tool in array}
        for name in registry.get_all_tool_names():
            if name not in found:
                for tool in registry.get_definitions({name}, quiet=True):
                    found[name] = tool
    finally:
        registry_module._check_fn_cached = before
        forget_config()
    return found


def tool_rows():
    sent = definitions_if_present()
    toolset_of = registry.get_tool_to_toolset_map()
    origin = origins()
    rows = []
    for name in sorted(registry.get_all_tool_names()):
        entry = entry_of(name)
        definition = sent.get(name)
        if definition is None:
            definition = {"type": "function", "function": {**(registry.get_schema(name) or {}), "name": name}}
        available = is_available(entry)
        server, own_name = origin.get(name, (None, None))
        rows.append(
            {
                "name": name,
                "toolset": str(toolset_of.get(name) or UNREGISTERED),
                "server": server,
                "original_name": own_name,
                "definition": definition,
                "available": available,
                "unavailable_because": None if available else unavailable_because(entry),
            }
        )
    return rows


# -- disclosure: the wording of the bridge, with gaps where numbers and lists belong ----------------------------------

COUNT, LISTING, LABEL = "⟦count⟧", "⟦listing⟧", "⟦label⟧"


def bridge_search(form, connections, deferred):
    """The search tool as worded for a form of listing; older Hermes knows neither forms nor connections."""
    options = {"connections_granted": connections}
    if form != "none":
        options.update(listing=LISTING, listing_form=form)
    return tool_search.bridge_tool_schemas(COUNT if deferred else 0, **options)[0]


def listing_lines():
    """Header, heading and summary of the listing, from listings of twelve tools nobody knows."""
    listing = getattr(optional("tools.tool_search_catalog"), "build_catalog_listing_with_form", None)
    if listing is None:
        return None
    tools = [{"type": "function", "function": {"name": f"hermes_tools_probe_{n:02}"}} for n in range(12)]
    with contextlib.ExitStack() as patches:
        module = sys.modules["tools.tool_search_catalog"]
        if hasattr(module, "hidden_declared_sources"):
            patches.enter_context(patched(module, hidden_declared_sources=lambda: []))
        full, _ = listing(tools, max_tokens=100_000)
        texts = [listing(tools, max_tokens=tokens) for tokens in range(20, 80)]
    summed = next(text for text, form in texts if form == "groups")

    def gaps(line):
        return line.replace("other", LABEL, 1).replace("12", COUNT, 1)

    header, heading = full.split("\n")[:2]
    return {"header": header, "heading": gaps(heading), "summary": gaps(summed.split("\n")[1])}


def disclosure():
    if tool_search is None:
        return None
    settings = tool_search.ToolSearchConfig.from_raw({})
    tiered = hasattr(settings, "listing")
    if tiered:
        ways = [(form, connections, True) for form in FORMS for connections in (False, True)]
        ways += [("none", connections, False) for connections in (False, True)]
        search = [
            {"form": form, "connections": connections, "deferred": deferred, "definition": bridge_search(*way)}
            for way in ways
            for form, connections, deferred in [way]
        ]
        _, describe, call = tool_search.bridge_tool_schemas(0)
    else:
        found, describe, call = tool_search.bridge_tool_schemas(COUNT)
        search = [{"form": "none", "connections": False, "deferred": True, "definition": found}]
    catalog_module = optional("tools.tool_search_catalog")
    hidden = getattr(catalog_module, "hidden_declared_sources", None)
    return {
        "defaults": {
            "threshold_pct": settings.threshold_pct,
            "search_default_limit": settings.search_default_limit,
            "max_search_limit": settings.max_search_limit,
            "listing_max_tokens": getattr(settings, "listing_max_tokens", 4000),
        },
        "default_defer": sorted(getattr(settings, "effective_defer_tools", ())),
        "direct_toolsets": sorted(getattr(tool_search, "_DIRECT_SURFACE_TOOLSETS", ())),
        "unavailable_sources": asked("unavailable sources", hidden, []) if hidden else [],
        "wording": {"search": search, "describe": describe, "call": call, "lines": listing_lines()},
        "replies": asked("replies", replies, {}),
    }


# -- replies: what the bridge tools answer, asked of the installed code with names nobody has -------------------------

NAME, NAMES, KEY, MAX, ERROR = "⟦name⟧", "⟦names⟧", "⟦key⟧", "⟦max⟧", "⟦error⟧"
MANY = 4711


def bridge_answer(name, arguments):
    """The JSON text a bridge tool answers in a conversation without tools."""
    dispatch = getattr(model_tools, "_dispatch_bridge_tool", None)
    with patched(model_tools, get_tool_definitions=lambda *args, **kwargs: []):
        if dispatch is not None:
            return dispatch(name, arguments, None, None)[0]
        return model_tools.handle_function_call(name, arguments)


def bridge_error(name, arguments):
    return json.loads(bridge_answer(name, arguments))["error"]


def reason_no_json(text):
    try:
        json.loads(text)
    except ValueError as error:
        return str(error)


def with_all_deferrable(ask):
    with patched(tool_search, is_deferrable_tool_name=lambda *args, **kwargs: True):
        return ask()


def single_replies():
    """Of a bridge that takes one of each."""

    def call(**arguments):
        return bridge_error("tool_call", arguments)

    return {
        "no-query": lambda: bridge_error("tool_search", {}),
        "no-name": lambda: bridge_error("tool_describe", {}),
        "describe-not-deferrable": lambda: bridge_error("tool_describe", {"name": NAME}),
        "describe-not-available": lambda: with_all_deferrable(lambda: bridge_error("tool_describe", {"name": NAME})),
        "call-nothing": call,
        "call-bridge": lambda: call(name="tool_search").replace("'tool_search'", f"'{NAME}'"),
        "call-directly": lambda: call(name=NAME),
        "call-out-of-scope": lambda: with_all_deferrable(lambda: call(name=NAME)),
        "arguments-not-json": lambda: call(name=NAME, arguments="{").replace(reason_no_json("{"), ERROR),
        "arguments-not-an-object": lambda: call(name=NAME, arguments=[0]),
    }


def batch_replies():
    """Of a bridge that takes several of each."""
    good = {"name": NAME, "arguments": {}}

    def calls(*calls):
        return bridge_error("tool_call", {"calls": list(calls)})

    def second(call):
        return calls(good, call).replace("calls[1]", "calls[⟦position⟧]")

    def too_many(tool, key, limit):
        said = bridge_error(tool, {key: [f"hermes_tools_probe_{n}" for n in range(MANY)]})
        return said.replace(str(MANY), COUNT, 1).replace(str(limit), MAX, 1)

    def nothing_found():
        probe = {"type": "function", "function": {"name": "hermes_tools_probe"}}
        with patched(tool_search, _deferrable_in=lambda defs: [probe]):
            return json.loads(bridge_answer("tool_search", {"queries": ["zebra"]}))["results"][0]["hint"]

    def as_core():
        with patched(tool_search, _core_tool_names=lambda: frozenset({NAME})):
            return calls(good)

    def near():
        with patched(registry, get_all_tool_names=lambda: [f"hermes_tools_probe__{NAME}"]):
            return calls(good).replace(f"'hermes_tools_probe__{NAME}'", "⟦candidates⟧")

    def needs_window():
        direct = next(iter(tool_search._DIRECT_SURFACE_TOOLSETS))
        with patched(tool_search, _registry_toolset=lambda name: direct):
            return tool_search.out_of_scope_reason(NAME)

    def not_alone():
        retry = json.dumps({"calls": [good]}, ensure_ascii=False, separators=(",", ":"))
        said = calls(*[good] * MANY).replace(retry, "⟦retry⟧", 1)
        return said.replace(str(MANY), COUNT, 1).replace(str(MANY - 1), "⟦rest⟧", 1)

    def refused(arguments):
        parameters = {"type": "object", "properties": {"probe": {"type": "integer"}}, "required": [NAMES]}
        schema = {"name": NAME, "parameters": parameters}
        with patched(registry, get_schema=lambda name: schema):
            return json.loads(tool_search.validate_deferred_call_args(NAME, arguments))

    def invalid():
        error = refused({NAMES: 0, "probe": []})["error"]
        error = error.replace("arguments.probe", "⟦path⟧", 1).replace("(type)", "(⟦constraint⟧)", 1)
        return error.replace("[] is not of type 'integer'", "⟦detail⟧", 1)

    return {
        "not-a-list": lambda: bridge_error("tool_search", {}).replace("queries", KEY, 1),
        "only-blanks": lambda: bridge_error("tool_search", {"queries": [" "]}).replace("queries", KEY, 1),
        "too-many-queries": lambda: too_many("tool_search", "queries", tool_search._MAX_QUERIES_PER_CALL),
        "too-many-names": lambda: too_many("tool_describe", "names", tool_search._MAX_DESCRIBE_NAMES_PER_CALL),
        "nothing-found": nothing_found,
        "names-not-found": lambda: json.loads(bridge_answer("tool_describe", {"names": [NAME]}))["hint"],
        "call-directly": as_core,
        "call-unknown": lambda: calls(good),
        "call-unknown-near": near,
        "call-out-of-scope": lambda: with_all_deferrable(lambda: calls(good)),
        "call-needs-window": needs_window,
        "call-nothing": lambda: bridge_error("tool_call", {}),
        "calls-not-json": lambda: bridge_error("tool_call", {"calls": "{"}).replace(reason_no_json("{"), ERROR),
        "calls-not-a-list": calls,
        "call-not-an-object": lambda: second(0),
        "call-no-name": lambda: second({}),
        "call-bridge": lambda: second({"name": "tool_search"}).replace("'tool_search'", f"'{NAME}'"),
        "arguments-not-json": lambda: second({"name": NAME, "arguments": "{"}).replace(reason_no_json("{"), ERROR),
        "arguments-not-an-object": lambda: second({"name": NAME, "arguments": [0]}),
        "calls-not-alone": not_alone,
        "arguments-missing": lambda: refused({})["error"],
        "arguments-invalid": invalid,
        "arguments-hint": lambda: refused({})["hint"],
        "no-connections": lambda: calls({"name": "connectors__probe__probe", "arguments": {}}),
        "cut": lambda: sys.modules["tools.registry"]._TOOL_ERROR_TRUNCATION_MARKER,
    }


def replies():
    """The bridge's sentences with gaps. One that this Hermes cannot be made to say is left out."""
    batch = "queries" in tool_search.bridge_tool_schemas(1)[0]["function"]["parameters"]["properties"]
    texts = {}
    with contextlib.ExitStack() as patches:
        if hasattr(tool_search, "_record_search_metric"):
            # Searches are counted, and these are none.
            patches.enter_context(patched(tool_search, _record_search_metric=lambda *args, **kwargs: None))
        for reply, ask in (batch_replies if batch else single_replies)().items():
            said = asked(f"reply {reply}", ask, None)
            if isinstance(said, str):
                texts[reply] = said
    found = {"protocol": "batch" if batch else "single", "texts": texts}
    if batch:
        found["limits"] = {
            "queries": tool_search._MAX_QUERIES_PER_CALL,
            "names": tool_search._MAX_DESCRIBE_NAMES_PER_CALL,
            "error_chars": sys.modules["tools.registry"]._MAX_TOOL_ERROR_CHARS,
        }
    return found


def checked_parameters(rows):
    """Parameters as registered, by which calls are checked, of those tools that are sent with others."""
    if not hasattr(tool_search, "validate_deferred_call_args"):
        return {}
    found = {}
    for row in rows:
        registered = (registry.get_schema(row["name"]) or {}).get("parameters")
        if registered is not None and dumped(registered) != dumped(row["definition"]["function"].get("parameters")):
            found[row["name"]] = registered
    return found


def context_tokens():
    try:
        return int(model_tools._resolve_active_context_length()) or None
    except Exception:
        return None


def facts(config):
    model = section(config, "model")
    name = model.get("default") or model.get("model") or (config.get("model") if isinstance(config.get("model"), str) else None)
    portable = getattr(plugins, "get_portable_mcp_server_names_nowait", None)
    credentials = getattr(tools_config, "_xai_credentials_present", None)
    return {
        "xai_credentials": bool(asked("xAI credentials", credentials, False)) if credentials else False,
        "hass_token": bool(os.environ.get("HASS_TOKEN")),
        "model": str(name) if isinstance(name, str) and name else None,
        "provider": str(model["provider"]) if isinstance(model.get("provider"), str) and model["provider"] else None,
        "context_tokens": context_tokens(),
        "enabled_platforms": asked("enabled platforms", tools_config._get_enabled_platforms, ["cli"]),
        "portable_servers": sorted(asked("portable servers", portable, set())) if portable else [],
    }


def hermes():
    return {
        "version": str(getattr(hermes_cli, "__version__", "unknown")),
        "release_date": getattr(hermes_cli, "__release_date__", None),
        "python": sys.executable,
        "home": os.environ["HERMES_HOME"],
    }


def catalog(surface):
    enter(surface)
    forget_config()
    register_servers(filtered=False)
    config = config_module.load_config()
    platforms = platform_rows()
    document = {
        "format": "hermes-tools/catalog@1",
        "hermes": hermes(),
        "surface": surface,
        "taken_at": int(time.time()),
        "rules": rules(),
        "facts": facts(config),
        "platforms": platforms,
        "toolsets": toolset_rows(platforms),
        "tools": tool_rows(),
        "core_tools": list(toolsets._HERMES_CORE_TOOLS),
        "plugin_toolsets": plugin_keys(),
        "legacy_toolsets": {
            name: list(names) for name, names in getattr(model_tools, "_LEGACY_TOOLSET_MAP", {}).items()
        },
        "server_lists": server_lists(),
        "tool_search": asked("tool search", disclosure, None),
    }
    if document["tool_search"] is not None:
        document["tool_search"]["replies"]["parameters"] = checked_parameters(document["tools"])
    document["problems"] = sorted(set(problems))
    return document


# -- selections and arrays ---------------------------------------------------------------------------------------------


def resolve(config_text, platforms):
    with config_of(config_text):
        config = config_module.load_config()
        return {platform: sorted(tools_config._get_platform_tools(config, platform)) for platform in platforms}


def disabled_toolsets(config):
    raw = section(config, "agent").get("disabled_toolsets")
    return (parse_string_list(raw) if has_text_denials() else raw) or None


def has_text_denials():
    return parse_string_list is not None and hasattr(tools_config, "_prune_toolsets_stripped_by_disabled")


def needs_an_agent(config):
    """Memory providers and context engines append tools of their own: only a whole agent knows them."""
    provider = section(config, "memory").get("provider")
    engine = str(section(config, "context").get("engine") or "compressor").strip().lower()
    return bool(provider) or engine not in ("", "compressor")


def array_of(platform, enabled, disabled, config):
    if needs_an_agent(config):
        from hermes_cli.prompt_size import _build_inspection_agent

        return list(_build_inspection_agent(platform).tools or [])
    session_disabled = getattr(toolsets, "session_disabled_toolsets", None)
    if session_disabled is not None:
        disabled = session_disabled(disabled, platform)
    array = model_tools.get_tool_definitions(
        enabled_toolsets=enabled, disabled_toolsets=disabled, quiet_mode=True
    )
    prune = optional("agent.oneshot_footprint", "prune_oneshot_tools")
    if prune is not None:
        whole, array = array, prune(array)
        # With servers connected Hermes looks again before the first request, and appends what it finds new: what a
        # one-shot conversation was just spared.
        if any(str(toolset).startswith("mcp-") for toolset in registry.get_tool_to_toolset_map().values()):
            kept = {tool["function"]["name"] for tool in array}
            array += [tool for tool in whole if tool["function"]["name"] not in kept]
    drops = getattr(toolsets, "session_platform_tool_drops", None)
    if drops is not None:
        dropped = drops(platform)
        array = [tool for tool in array if tool["function"]["name"] not in dropped]
    return array


def names_selected(enabled, disabled):
    select = getattr(model_tools, "_select_tool_names", None)
    if select is not None:
        return set(select(enabled, disabled, True))
    chosen = set()
    for name in enabled:
        chosen.update(toolsets.resolve_toolset(name))
    for name in disabled if isinstance(disabled, list) else []:
        if toolsets.validate_toolset(name):
            chosen.difference_update(tools_denied_by(name))
    return chosen


def assemble(config_text, platform, surface, window):
    enter(surface)
    with config_of(config_text):
        register_servers(filtered=True, connects=surface != "inspect")
        config = config_module.load_config()
        enabled = sorted(tools_config._get_platform_tools(config, platform))
        disabled = disabled_toolsets(config)
        seen = {}

        def remember(definitions, **kwargs):
            result = assembler(definitions, **kwargs)
            seen.update(incoming=list(definitions), result=result, window=kwargs.get("context_length"))
            return result

        assembler = getattr(tool_search, "assemble_tool_defs", None)
        with contextlib.ExitStack() as patches:
            if assembler is not None:
                patches.enter_context(patched(tool_search, assemble_tool_defs=remember))
            if window is not None and hasattr(model_tools, "_resolve_active_context_length"):
                patches.enter_context(patched(model_tools, _resolve_active_context_length=lambda: window))
            array = array_of(platform, enabled, disabled, config)
        return {"enabled": enabled, "assembly": assembly(platform, surface, array, seen, names_selected(enabled, disabled))}


def assembly(platform, surface, array, seen, chosen):
    toolset_of = registry.get_tool_to_toolset_map()
    result = seen.get("result")
    sent = []
    for tool in array:
        name = tool["function"]["name"]
        row = BRIDGE if name in BRIDGE_NAMES else str(toolset_of.get(name) or UNREGISTERED)
        sent.append({"name": name, "toolset": row, "definition": tool})
    present = {tool["name"] for tool in sent}
    incoming = {tool["function"]["name"] for tool in seen.get("incoming", [])}
    activated = bool(result is not None and result.activated)
    absent = [{"name": name, "fate": "deferred"} for name in sorted(incoming - present) if activated]
    for name in sorted(set(chosen) - present - incoming):
        absent.append({"name": name, "fate": "unavailable", "why": unavailable_because(entry_of(name))})
    return {
        "platform": platform,
        "surface": surface,
        "tools": sent,
        "absent": absent,
        "tier": getattr(result, "tier", None) if hasattr(result, "listing_form") else None,
        "form": getattr(result, "listing_form", None) if activated else None,
        "activated": activated,
        "context_tokens": seen.get("window") or None,
    }


def hello():
    return {
        "hermes": hermes(),
        "python_version": sys.version.split()[0],
        "pid": os.getpid(),
        "capabilities": {
            "tool_search": tool_search is not None,
            "mcp_schema_cache": schema_cache is not None,
            "tiered_listing": tool_search is not None and hasattr(tool_search.ToolSearchConfig.from_raw({}), "listing"),
            "in_memory_config": hasattr(os, "memfd_create"),
        },
    }


HANDLERS = {
    "hello": lambda question: hello(),
    "tell": lambda question: tell(question["lists"]),
    "catalog": lambda question: catalog(question["surface"]),
    "resolve": lambda question: resolve(question.get("config_text"), question["platforms"]),
    "assemble": lambda question: assemble(
        question.get("config_text"), question["platform"], question["surface"], question.get("context_tokens")
    ),
}


# -- conversation ------------------------------------------------------------------------------------------------------

while True:
    line = questions.get()
    number = None
    try:
        question = json.loads(line)
        number = question["id"]
        text = dumped({"id": number, "ok": HANDLERS[question["ask"]](question)})
    except BaseException as error:  # SystemExit included: a question must not end the worker
        text = dumped({"id": number, "error": f"{type(error).__name__}: {error}"})
    try:
        answers.write(text + "\n")
        answers.flush()
    except OSError:
        end()
