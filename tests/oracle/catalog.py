"""Prints what an installed Hermes has, as a catalog document without tools. Used by tests only.

Selection needs toolsets and platforms alone, so definitions are left out. The rules are the test's own, given as
JSON in the first argument.
"""

import json
import os
import sys

answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

import model_tools  # noqa: E402
import toolsets  # noqa: E402
from hermes_cli import tools_config  # noqa: E402
from hermes_cli.plugins import discover_plugins, get_plugin_toolsets  # noqa: E402

discover_plugins()
plugins = {key for key, _, _ in get_plugin_toolsets()}
checklist = {key: label for key, label, _ in tools_config._get_effective_configurable_toolsets()}
own_rows = {key for key, _, _ in tools_config.CONFIGURABLE_TOOLSETS}
restricted = tools_config._TOOLSET_PLATFORM_RESTRICTIONS


def plugin_platforms():
    from gateway.platform_registry import platform_registry

    if hasattr(platform_registry, "registered_names"):
        names = platform_registry.registered_names()
    else:
        names = [entry.name for entry in platform_registry.all_entries()]
    return sorted(set(names) - set(tools_config.PLATFORMS))


def denied(name):
    posture = (toolsets.get_toolset(name) or {}).get("posture")
    if name.startswith("hermes-") or posture:
        return sorted(toolsets.bundle_non_core_tools(name))
    return sorted(toolsets.resolve_toolset(name))


def kind(name, spec):
    if name in plugins and name not in own_rows:
        return "plugin"
    if name.startswith("hermes-") or spec.get("includes") or spec.get("posture"):
        return "bundle"
    return "builtin"


def row(name):
    spec = toolsets.TOOLSETS.get(name, {})
    platforms = spec.get("platforms")
    return {
        "key": name,
        "label": checklist.get(name, ""),
        "kind": kind(name, spec),
        "configurable": name in checklist,
        "config_only": name in getattr(tools_config, "_CONFIG_ONLY_TOOLSETS", ()),
        "default_off": name in tools_config._DEFAULT_OFF_TOOLSETS,
        "restricted_to": sorted(restricted[name]) if name in restricted else None,
        "session_platforms": sorted(platforms) if platforms else None,
        "has_includes": bool(spec.get("includes")),
        "posture": bool(spec.get("posture")),
        "in_static_table": name in toolsets.TOOLSETS,
        "static_tools": sorted(toolsets.resolve_toolset(name, include_registry=False)),
        "tools": sorted(toolsets.resolve_toolset(name)),
        "denied_tools": denied(name),
    }


more = plugin_platforms()
bundles = [f"hermes-{platform}" for platform in more]
# Hermes' own order; the first place of a name counts.
names = dict.fromkeys([*checklist, *toolsets.TOOLSETS, *sorted(toolsets._get_plugin_toolset_names()), *bundles])
platforms = [
    {"key": key, "label": info["label"], "default_toolset": info["default_toolset"], "builtin": True}
    for key, info in tools_config.PLATFORMS.items()
] + [{"key": key, "label": key, "default_toolset": f"hermes-{key}", "builtin": False} for key in more]
json.dump(
    {
        "format": "hermes-tools/catalog@1",
        "hermes": {"version": "under test", "home": os.environ["HERMES_HOME"]},
        "surface": "inspect",
        "taken_at": 0,
        "rules": json.loads(sys.argv[1]),
        "facts": {
            "xai_credentials": tools_config._xai_credentials_present(),
            "hass_token": bool(os.environ.get("HASS_TOKEN")),
        },
        "platforms": platforms,
        "toolsets": [row(name) for name in names],
        "tools": [],
        "plugin_toolsets": sorted(plugins),
        "legacy_toolsets": model_tools._LEGACY_TOOLSET_MAP,
    },
    answer,
)
answer.flush()
