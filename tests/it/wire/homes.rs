//! The homes that conversations are held in: what people's configs say about tools and servers.

use std::path::PathBuf;

/// Where `tests/run` put the npm servers.
fn npm_folder() -> PathBuf {
    std::env::var_os("HERMES_TOOLS_TEST_MCP")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cache/hermes-tools-tests/mcp"))
}

/// The `node` on PATH, by its whole path: for the bare word 0.22 fetches a Node.js of its own.
fn node() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let found = std::env::split_paths(&path).map(|folder| folder.join("node")).find(|file| file.exists());
    found.unwrap_or_else(|| panic!("there is no node on PATH"))
}

/// One entry of `mcp_servers`: one of the reference servers, with more lines below it.
fn npm(name: &str, package: &str, argument: &str, more: &str) -> String {
    let script = npm_folder().join("node_modules/@modelcontextprotocol").join(package).join("dist/index.js");
    assert!(script.exists(), "{} is missing: tests/run fetches it", script.display());
    format!(
        "  {name}:\n    command: '{}'\n    args: ['{}'{argument}]\n    connect_timeout: 120\n{more}",
        node().display(),
        script.display()
    )
}

/// A generated server with so many tools.
fn many(name: &str, count: usize) -> String {
    let python = crate::installs::folder("v22").join("bin/python");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/many_tools.py");
    let python = python.display();
    format!(
        "  {name}:\n    command: '{python}'\n    args: ['{script}', '{count}', resources]\n    connect_timeout: 120\n"
    )
}

/// Three real servers; the third has the name of a toolset, as people who follow its documentation have it.
pub(super) fn three_servers() -> String {
    let everything = npm("everything", "server-everything", "", "");
    let files = npm("my-files", "server-filesystem", ", '[USER]'", "");
    let memory = npm("memory", "server-memory", "", "");
    format!("mcp_servers:\n{everything}{files}{memory}")
}

/// The same behind every kind of filter.
pub(super) fn filters() -> String {
    let everything = npm(
        "everything",
        "server-everything",
        "",
        "    tools: {include: ['get-*', echo], exclude: [echo], prompts: false}\n",
    );
    let files = npm(
        "my-files",
        "server-filesystem",
        ", '[USER]'",
        "    tools:\n      exclude: [write_file, '*_directory', read_file]\n",
    );
    let memory = npm("graph", "server-memory", "", "    tools: {include: []}\n");
    format!("mcp_servers:\n{everything}{files}{memory}")
}

/// 0.22 lists names only.
pub(super) fn listed_by_name() -> String {
    format!("tools:\n  tool_search: {{listing_max_tokens: 2000}}\nmcp_servers:\n{}", many("ledger", 150))
}

/// 0.22 lists small groups, and counts the large one.
pub(super) fn listed_in_part() -> String {
    let everything = npm("everything", "server-everything", "", "");
    format!("tools:\n  tool_search: {{listing_max_tokens: 400}}\nmcp_servers:\n{everything}{}", many("ledger", 150))
}

/// 0.22 only counts.
pub(super) fn counted() -> String {
    let servers = format!("{}{}", many("ledger", 120), many("archive", 90));
    format!("tools:\n  tool_search: {{listing_max_tokens: 200, defer: []}}\nmcp_servers:\n{servers}")
}

/// Nothing is deferred.
pub(super) fn bridge_off() -> String {
    format!("tools:\n  tool_search: {{enabled: off}}\n{}", three_servers())
}

/// Other built-ins than usual are deferred, and a platform list picks among toolsets and servers.
pub(super) fn own_choice() -> String {
    format!(
        "platform_toolsets:\n  cli: [web, terminal, file, todo, memory, skills, delegation, code_execution, everything]\n\
         tools:\n  tool_search: {{defer: [patch, skill_manage, memory]}}\n{}",
        three_servers()
    )
}

/// Some toolsets, and one of them denied again: what is gone changes the words of what stays.
pub(super) fn selected() -> &'static str {
    "platform_toolsets:\n  cli: [web, terminal, file, code_execution, delegation, tts]\nagent:\n  disabled_toolsets: [tts]\n"
}
