//! Configs of every shape: each list shape alone, then all sections mixed by a fixed sequence.

use super::oracle::Setting;

pub(super) struct Case {
    pub(super) config: String,
    pub(super) platform: String,
}

/// Values of `platform_toolsets.<p>`; the empty text leaves the key out.
const LISTS: &[&str] = &[
    "",
    "null",
    "~",
    "web",
    "5",
    "1.5",
    "true",
    "2026-01-02",
    "{web: true}",
    "[]",
    "''",
    "'[]'",
    r#"'["web","file"]'"#,
    r#""['web', 'memory',]""#,
    "'[web, file]'",
    r#"'["web"] # mine'"#,
    r#"' ["web", 7, None, true]'"#,
    r#"'["web", 7, None, [1, "a"]]'"#,
    "[web]",
    "[web, web, file]",
    "[web, no_mcp]",
    "[no_mcp]",
    "[web, no_mcp, gh]",
    "[web, gh]",
    "[gh]",
    "[gh, lin, sleeping]",
    "[web, sleeping]",
    "[web, mcp-gh]",
    "[web, 12306]",
    "[web, '12306']",
    "[web, 007, 1e3, yes, off, 0x1F, 1_000, 3.10]",
    "[hermes-cli]",
    "[hermes-cli, spotify]",
    "[hermes-cli, gh]",
    "[hermes-cli, no_mcp]",
    "[hermes-telegram, discord, x_search]",
    "[hermes]",
    "[hermes, kanban]",
    "[hermes-telegrm]",
    "[bogus]",
    "[web, bogus]",
    "[all]",
    "['*']",
    "[all, web]",
    "[safe]",
    "[debugging]",
    "[web, debugging]",
    "[coding]",
    "[search]",
    "[project, web]",
    "[desktop_ui, onboarding]",
    "[hermes-gateway]",
    "[hermes-discord]",
    "[web, discord, discord_admin]",
    "[hermes-webhook]",
    "[hermes-acp]",
    "[hermes-api-server]",
    "[hermes-sms]",
    "[hermes-irc]",
    "[hermes-feishu, web]",
    "[feishu_doc]",
    "[kanban]",
    "[todo, null]",
    "[web_tools]",
    "[browser-cdp]",
    "[stt]",
    "[context_engine]",
    "[video, video_gen, homeassistant, spotify]",
    "[x_search]",
    r#"'[1+2j, "web"]'"#,
    r#"'[-1.5e3-2J, 3j, -0j, "file"]'"#,
    r#"'[1+2, "web"]'"#,
    "[a2a]",
    "[hermes-cli, a2a]",
    "[weather]",
    "[hermes-cli, weather]",
    "[[web]]",
    "[{web: true}]",
    "[memory, 'Web', ' web']",
    "[yuanbao, computer_use]",
    "[web, '${NOT_SET_ANYWHERE}']",
    "[\"w\\u00e9b\", 'ünïcode']",
];

const PLATFORMS: &[&str] = &[
    "cli",
    "telegram",
    "discord",
    "feishu",
    "webhook",
    "api_server",
    "cron",
    "homeassistant",
    "yuanbao",
    "slack",
    "whatsapp_cloud",
    "wecom_callback",
    "sms",
    "irc",
    "acp",
    "foo",
    "desktop",
    "spotify",
    "kanban",
];

const SERVERS: &[&str] = &[
    "",
    "mcp_servers:\n",
    "mcp_servers: {}\n",
    "mcp_servers: []\n",
    "mcp_servers:\n  gh: {command: x}\n  lin: {url: 'https://h.invalid'}\n  sleeping: {command: x, enabled: false}\n  12306: {command: z}\n",
    "mcp_servers:\n  gh: {command: x, enabled: 'no'}\n  lin: {command: x, enabled: 0}\n  zed: {command: x, enabled: 0.0}\n  sleeping: {command: x, enabled: OFF}\n",
    "mcp_servers:\n  gh: {command: x, enabled: nope}\n  lin: {command: x, enabled: null}\n  sleeping: {command: x, disabled: true}\n  odd: {command: x, enabled: []}\n",
    "mcp_servers:\n  gh: 'https://h.invalid'\n  lin: null\n  sleeping: []\n  good: {command: x}\n",
    "mcp_servers:\n  memory: {command: x}\n  safe: {command: x}\n  gh: {command: x}\n  hermes-cli: {command: x}\n",
    "mcp_servers:\n  yes: {command: x}\n  null: {command: x}\n  1.5: {command: x}\n  'a b': {command: x}\n  kanban: {command: x, enabled: false}\n",
    "mcp_servers:\n  gh: &gh {command: x, enabled: false}\n  lin: {<<: *gh, enabled: true}\n  zed: *gh\n",
];

/// Values of `agent.disabled_toolsets`.
const DENIES: &[&str] = &[
    "",
    "",
    "agent:\n",
    "agent: {disabled_toolsets: }\n",
    "agent: {disabled_toolsets: []}\n",
    "agent: {disabled_toolsets: [memory]}\n",
    "agent:\n  disabled_toolsets: memory\n",
    "agent:\n  disabled_toolsets: \"['memory', 'web']\"\n",
    "agent:\n  disabled_toolsets: ' todo '\n",
    "agent:\n  disabled_toolsets: [' web ', null, 7, gh]\n",
    "agent: {disabled_toolsets: [debugging]}\n",
    "agent: {disabled_toolsets: [safe, skills]}\n",
    "agent: {disabled_toolsets: [coding]}\n",
    "agent: {disabled_toolsets: [hermes-cli]}\n",
    "agent: {disabled_toolsets: [hermes-feishu, hermes-discord]}\n",
    "agent: {disabled_toolsets: [all]}\n",
    "agent: {disabled_toolsets: ['*', web]}\n",
    "agent: {disabled_toolsets: [web_tools, browser_tools]}\n",
    "agent: {disabled_toolsets: [browser, search]}\n",
    "agent: {disabled_toolsets: [gh, mcp-lin, '12306', sleeping]}\n",
    "agent: {disabled_toolsets: {memory: true}}\n",
    "agent: {disabled_toolsets: [weather, a2a, x_search, kanban]}\n",
    "agent: {disabled_toolsets: 5}\n",
];

const KNOWN: &[&str] = &[
    "",
    "",
    "known_plugin_toolsets:\n",
    "known_plugin_toolsets: {cli: }\n",
    "known_plugin_toolsets: {cli: [weather, a2a]}\n",
    "known_plugin_toolsets: {cli: [spotify], telegram: [weather]}\n",
    "known_plugin_toolsets: {cli: {weather: 1}}\n",
    "known_plugin_toolsets: {cli: weather}\n",
    "known_builtin_toolsets: {cli: [web, file]}\nknown_plugin_toolsets: {}\n",
    "known_builtin_toolsets:\n",
];

const REST: &[&str] = &[
    "",
    "",
    "context: {engine: lcm}\n",
    "context: {engine: Compressor}\n",
    "context: {engine: ' '}\n",
    "context:\n",
    "context: lcm\n",
    "toolsets: [kanban]\n",
    "toolsets: kanban\n",
    "toolsets: {kanban: 1}\n",
    "toolsets: []\ncontext: {engine: 5}\n",
    "toolsets:\nmodel: {default: x}\n",
    "max_turns: 5\n",
];

pub(super) fn all(setting: Setting) -> Vec<Case> {
    let mut cases = Vec::new();
    for (idx, list) in LISTS.iter().enumerate() {
        // Each shape alone, with servers every other time; in the settings with tokens or a plugin, a part of them.
        if setting == Setting::Plain || idx % 3 == 0 {
            cases.push(case("cli", list, &[SERVERS[if idx % 2 == 0 { 4 } else { 0 }]]));
        }
    }
    for platform in PLATFORMS {
        cases.push(case(platform, "", &[]));
        cases.push(case(platform, "[web]", &[SERVERS[4]]));
        cases.push(case(platform, &format!("[hermes-{platform}]"), &[]));
    }
    for deny in DENIES {
        cases.push(case("cli", "", &[deny, SERVERS[4]]));
        // Servers with names that toolsets have too.
        cases.push(case("cli", "", &[deny, SERVERS[8]]));
        cases.push(case("telegram", "[web, memory, hermes-cli]", &[deny, SERVERS[8]]));
    }
    for known in KNOWN {
        cases.push(case("cli", "[web, todo]", &[known]));
    }
    // A fixed sequence (Numerical Recipes' generator): the same configs in every run.
    let mut seed: u32 = 20_260_924;
    let mut pick = |len: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % len
    };
    for _ in 0..160 {
        let platform = PLATFORMS[pick(PLATFORMS.len())];
        let list = LISTS[pick(LISTS.len())];
        let rest = [
            SERVERS[pick(SERVERS.len())],
            DENIES[pick(DENIES.len())],
            KNOWN[pick(KNOWN.len())],
            REST[pick(REST.len())],
        ];
        cases.push(case(if pick(2) == 0 { "cli" } else { platform }, list, &rest));
    }
    for section in [
        "platform_toolsets:\n",
        "platform_toolsets: []\n",
        "platform_toolsets: text\n",
        "",
        "# only a comment\n",
        "mcp_servers: text\n",
        "known_plugin_toolsets: 7\n",
        "agent: text\n",
    ] {
        cases.push(Case { config: section.to_owned(), platform: "cli".into() });
    }
    cases
}

fn case(platform: &str, list: &str, sections: &[&str]) -> Case {
    let mut config = String::new();
    if !list.is_empty() {
        // A second platform beside it must not matter.
        config.push_str(&format!("platform_toolsets:\n  other: [web, no_mcp]\n  {platform}: {list}\n"));
    }
    for section in sections {
        config.push_str(section);
    }
    Case { config, platform: platform.to_owned() }
}
