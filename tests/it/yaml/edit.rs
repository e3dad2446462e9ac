//! Edits of the shapes people have, each with the exact text expected after it.

use hermes_tools::engine::plan::{NewValue, Op};
use hermes_tools::engine::rules::Dialect;
use hermes_tools::engine::yaml::{Document, EditRefused};

fn path(text: &str) -> Vec<String> {
    text.split('.').map(str::to_owned).collect()
}

fn list(at: &str, remove: &[usize], append: &[&str]) -> Op {
    Op::EditList { path: path(at), remove: remove.to_vec(), append: append.iter().map(ToString::to_string).collect() }
}

fn set_list(at: &str, items: &[&str]) -> Op {
    Op::Set { path: path(at), value: NewValue::List(items.iter().map(ToString::to_string).collect()) }
}

fn set(at: &str, value: bool) -> Op {
    Op::Set { path: path(at), value: NewValue::Bool(value) }
}

fn remove(at: &str) -> Op {
    Op::Remove { path: path(at) }
}

fn edit(text: &str, ops: &[Op]) -> Result<String, EditRefused> {
    Document::parse(text, Dialect::PyYaml).unwrap().edit(ops)
}

#[track_caller]
fn gives(before: &str, op: Op, after: &str) {
    assert_eq!(edit(before, &[op]).as_deref(), Ok(after), "from {before:?}");
}

#[track_caller]
fn refused(before: &str, op: Op, line: usize, why: &str) {
    match edit(before, std::slice::from_ref(&op)) {
        Err(EditRefused::Unsafe { place, reason }) => {
            assert!(reason.contains(why), "{reason:?} lacks {why:?}");
            assert_eq!(place.line, line, "{reason}");
        }
        other => panic!("{op:?} on {before:?} gave {other:?}"),
    }
}

const BLOCK: &str =
    "platform_toolsets:\n  cli:\n    - web # the web\n    # note\n    - file\n\n  telegram: [web, file] # t\nx: 1\n";

#[test]
fn a_block_list_keeps_its_other_items_comments_and_blank_lines() {
    gives(
        BLOCK,
        list("platform_toolsets.cli", &[0], &["terminal"]),
        "platform_toolsets:\n  cli:\n    # note\n    - file\n    - terminal\n\n  telegram: [web, file] # t\nx: 1\n",
    );
    gives(
        BLOCK,
        list("platform_toolsets.cli", &[0, 1], &[]),
        "platform_toolsets:\n  cli: []\n    # note\n\n  telegram: [web, file] # t\nx: 1\n",
    );
}

#[test]
fn a_flow_list_stays_one() {
    let at = "platform_toolsets.telegram";
    for (remove, append, now) in [
        (&[0usize][..], &[][..], "[file]"),
        (&[1], &[], "[web]"),
        (&[0, 1], &[], "[]"),
        (&[], &["no"], "[web, file, \"no\"]"),
        (&[1], &["x y"], "[web, \"x y\"]"),
        (&[0, 1], &["a", "b"], "[a, b]"),
    ] {
        gives(BLOCK, list(at, remove, append), &BLOCK.replace("[web, file]", now));
    }
    gives("a: [ ]\n", list("a", &[], &["x"]), "a: [x ]\n");
    gives("a: [b, c,]\n", list("a", &[0, 1], &[]), "a: []\n");
    gives("a: [b, c,]\n", list("a", &[1], &["d"]), "a: [b, d,]\n");
    gives("a: [\n  b, # x\n  c\n]\n", list("a", &[], &["d"]), "a: [\n  b, # x\n  c,\n  d\n]\n");
    refused("a: [\n  b, # x\n  c\n]\n", list("a", &[0], &[]), 2, "comment");
}

#[test]
fn the_lists_own_quoting_is_followed() {
    gives("a: [\"b\", \"c\"]\n", list("a", &[], &["d"]), "a: [\"b\", \"c\", \"d\"]\n");
    gives("a:\n- 'b'\n", list("a", &[], &["d"]), "a:\n- 'b'\n- 'd'\n");
    gives("a:\n-   b\n", list("a", &[], &["on"]), "a:\n-   b\n-   \"on\"\n");
}

#[test]
fn a_value_of_another_kind_is_replaced_and_its_comment_kept() {
    for (before, after) in [
        ("p:\n  cli: # c\n  b: 1\n", "p:\n  cli: # c\n    - web\n  b: 1\n"),
        ("p:\n  cli: ~ # c\n", "p:\n  cli: # c\n    - web\n"),
        ("p:\n  cli: text # c\n", "p:\n  cli: # c\n    - web\n"),
        ("p:\n  cli: {a: 1} # c\n", "p:\n  cli: # c\n    - web\n"),
        ("p:\n  cli:\n    a: 1\n    # c\n    b: 2\nz: 1\n", "p:\n  cli:\n    - web\n    # c\nz: 1\n"),
        ("p:\n  cli: |\n    text\n    more\nz: 1\n", "p:\n  cli:\n    - web\nz: 1\n"),
        ("p:\n  cli: !!str x\n", "p:\n  cli:\n    - web\n"),
        ("p: {cli: }\n", "p: {cli: [web] }\n"),
        ("p: {cli}\n", "p: {cli: [web]}\n"),
        ("p: {cli: x, b: 1}\n", "p: {cli: [web], b: 1}\n"),
        ("p:\n  cli: [a, b] # c\n", "p:\n  cli: [web] # c\n"),
        ("p:\n  ? cli\n  : x\n", "p:\n  ? cli\n  :\n    - web\n"),
        ("p:\n  'cli': x\n", "p:\n  'cli':\n    - web\n"),
    ] {
        gives(before, set_list("p.cli", &["web"]), after);
    }
    gives("s:\n  enabled: yes # c\n", set("s.enabled", false), "s:\n  enabled: false # c\n");
    gives("s:\n  enabled:\n    - x\nb: 1\n", set("s.enabled", true), "s:\n  enabled: true\nb: 1\n");
}

#[test]
fn missing_keys_and_parents_are_made_in_the_files_own_style() {
    for (before, after) in [
        ("", "p:\n  cli:\n    - web\n"),
        ("# only a comment\n", "# only a comment\np:\n  cli:\n    - web\n"),
        ("---\n", "---\np:\n  cli:\n    - web\n"),
        ("a: 1", "a: 1\np:\n  cli:\n    - web"),
        ("p:\n", "p:\n  cli:\n    - web\n"),
        ("p: # c\nb: 1\n", "p: # c\n  cli:\n    - web\nb: 1\n"),
        ("p: null\n", "p:\n  cli:\n    - web\n"),
        ("p: {}\n", "p: {cli: [web]}\n"),
        ("p: {a: [x]}\n", "p: {a: [x], cli: [web]}\n"),
        ("p:\n    a:\n    - x\n", "p:\n    a:\n    - x\n    cli:\n    - web\n"),
        ("p:\n  a: [x]\n# end\n", "p:\n  a: [x]\n  cli: [web]\n# end\n"),
        (
            "p:\n  a:\n    - x\n    # - y\n\n# next\nb: 1\n",
            "p:\n  a:\n    - x\n    # - y\n  cli:\n    - web\n\n# next\nb: 1\n",
        ),
        ("b:\n    c: 1\n", "b:\n    c: 1\np:\n    cli:\n      - web\n"),
        ("p:\r\n  a: [x]\r\n", "p:\r\n  a: [x]\r\n  cli: [web]\r\n"),
        ("\u{feff}p:\n  a: [x]\n", "\u{feff}p:\n  a: [x]\n  cli: [web]\n"),
        ("p:\n  a: |+\n    x\n\n", "p:\n  a: |+\n    x\n\n  cli:\n    - web\n"),
    ] {
        gives(before, set_list("p.cli", &["web"]), after);
    }
    gives(
        "mcp_servers:\n  gh:\n    args:\n    - x\n",
        set_list("mcp_servers.gh.tools.include", &["a"]),
        "mcp_servers:\n  gh:\n    args:\n    - x\n    tools:\n      include:\n      - a\n",
    );
    gives(
        "a: 1\n",
        set_list("known_builtin_toolsets.cli", &["a", "b"]),
        "a: 1\nknown_builtin_toolsets:\n  cli: [a, b]\n",
    );
    gives("a: 1\n", set("12306.on", true), "a: 1\n\"12306\":\n  \"on\": true\n");
}

#[test]
fn removing_a_key_takes_its_lines_and_nothing_else() {
    gives("a: 1\nb: 2 # c\n# d\nc: 3\n", remove("b"), "a: 1\n# d\nc: 3\n");
    gives("a:\n  b: 1\n# d\nc: 3\n", remove("a.b"), "a: {}\n# d\nc: 3\n");
    gives("a: {b: 1, c: 2}\n", remove("a.b"), "a: {c: 2}\n");
    gives("a: {b: 1, c: 2}\n", remove("a.c"), "a: {b: 1}\n");
    gives("a:\n  b:\n    - x\n    - y\n  c: 1", remove("a.c"), "a:\n  b:\n    - x\n    - y");
    gives("a: 1\n", remove("b"), "a: 1\n");
}

#[test]
fn aliases_merges_and_anchors_never_spread_an_edit() {
    gives("a: &x [web, file]\nb: *x\n", list("b", &[0], &["tts"]), "a: &x [web, file]\nb: [file, tts]\n");
    gives(
        "base: &b\n  enabled: true\n  url: u\nalpha: *b\n",
        set("alpha.enabled", false),
        "base: &b\n  enabled: true\n  url: u\nalpha: {<<: *b, enabled: false}\n",
    );
    gives(
        "base: &b {enabled: true}\nbeta:\n  <<: *b\n  x: 1\n",
        set("beta.enabled", false),
        "base: &b {enabled: true}\nbeta:\n  <<: *b\n  x: 1\n  enabled: false\n",
    );
    gives(
        "base: &b {list: [v, w]}\nbeta:\n  <<: *b\n",
        list("beta.list", &[0], &[]),
        "base: &b {list: [v, w]}\nbeta:\n  <<: *b\n  list:\n    - w\n",
    );
    refused("a: &x [web]\nb: *x\n", list("a", &[], &["file"]), 1, "shared");
    refused(
        "base: &b\n  tools: {include: [x], exclude: [z]}\nalpha: *b\n",
        set_list("alpha.tools.include", &["y"]),
        3,
        "shared",
    );
    refused("a: &x {b: 1}\nc: *x\n", remove("a"), 1, "line 2");
    refused("a:\n  - &x web\nb: [*x]\n", list("a", &[0], &[]), 2, "line 3");
    refused("base: &b {e: {f: 1}}\nbeta: {<<: *b}\n", set("beta.e.f", true), 2, "<<");
}

#[test]
fn what_cannot_be_edited_safely_is_refused_with_its_line() {
    refused("cli: [a]\ncli: [b]\n", list("cli", &[0], &[]), 2, "line 1");
    refused("- a\n", set("a.b", true), 1, "no mapping");
    refused("p: [web]\n", set_list("p.cli", &["web"]), 1, "'p' is a list");
    refused("p: text\n", list("p", &[0], &[]), 1, "text");
    assert!(Document::parse("a: 1\n---\nb: 2\n", Dialect::PyYaml).is_err());
    refused("c: [d]\na: |\n  x", set("b", true), 2, "would gain a line end");
    gives("c: [d]\na: |\n  x", list("c", &[0], &["e"]), "c: [e]\na: |\n  x");
    gives("c: [d]\na: |-\n  x", set("b", true), "c: [d]\na: |-\n  x\nb: true");
}

#[test]
fn several_operations_are_one_edit() {
    let ops = [
        list("platform_toolsets.cli", &[1], &["tts"]),
        set_list("known_builtin_toolsets.cli", &["web", "tts"]),
        set_list("known_builtin_toolsets.telegram", &["web"]),
        set("mcp_servers.x.enabled", false),
        remove("x"),
    ];
    let expected = "platform_toolsets:\n  cli:\n    - web # the web\n    # note\n    - tts\n\n  telegram: [web, file] # t\n\
                    known_builtin_toolsets:\n  cli: [web, tts]\n  telegram: [web]\nmcp_servers:\n  x:\n    enabled: false\n";
    assert_eq!(edit(BLOCK, &ops).unwrap(), expected);
}

#[test]
fn a_list_at_its_keys_column_is_told_from_the_list_in_its_first_item() {
    gives("b: 1\na:\n- [web,\nfile]\n- tts\n", list("a", &[1], &["x"]), "b: 1\na:\n- [web,\nfile]\n- x\n");
    gives("a:\n- [b, c]\n", list("a", &[], &["x"]), "a:\n- [b, c]\n- x\n");
    gives("a: &l\n- [b, c]\n", list("a", &[0], &["x"]), "a: &l\n- x\n");
    gives("a:\n- web\nx:\n- [a, b]\n", list("a", &[0], &["file"]), "a:\n- file\nx:\n- [a, b]\n");
}

#[test]
fn line_of_names_the_line_of_a_key() {
    let document = Document::parse(BLOCK, Dialect::Ruamel).unwrap();
    assert_eq!(document.line_of(&path("platform_toolsets.telegram")), Some(7));
    assert_eq!(document.line_of(&path("nothing")), None);
    let twice = Document::parse("a: 1\na: 2\n", Dialect::PyYaml).unwrap();
    assert_eq!(twice.line_of(&path("a")), Some(2));
}
