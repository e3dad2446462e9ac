use super::*;

fn keys(text: &str) -> Sequence {
    parse_sequence(text).unwrap_or_default()
}

fn with(toml: &str) -> (Keymap, Vec<String>) {
    Keymap::with_overrides(&toml.parse().unwrap_or_default(), "config.toml")
}

#[test]
fn every_line_of_the_default_table_reads_and_no_key_is_taken_twice() {
    let mut seen = std::collections::HashSet::new();
    for (context, texts, action) in defaults::TABLE {
        for text in texts.split_whitespace() {
            assert!(parse_sequence(text).is_ok(), "{text} of {}", action.name());
            assert!(seen.insert((context, text)), "{text} is bound twice in {}", context.name());
        }
    }
}

#[test]
fn every_action_has_a_key() {
    let keymap = Keymap::default();
    let unbound: Vec<_> = Action::ALL
        .iter()
        .filter(|action| keymap.bindings().all(|(_, _, bound)| bound != **action))
        .map(|action| action.name())
        .collect();
    assert!(unbound.is_empty(), "{unbound:?}");
}

#[test]
fn no_default_needs_alt_or_a_key_terminals_confuse() {
    for (_, text, action) in Keymap::default().bindings() {
        for confused in ["alt-", "ctrl-m", "ctrl-i", "ctrl-h", "ctrl-j"] {
            assert!(!text.contains(confused), "{} needs {text}", action.name());
        }
    }
}

#[test]
fn the_first_key_of_a_sequence_waits_for_the_second() {
    let keymap = Keymap::default();
    assert_eq!(keymap.lookup(Context::List, &keys("g")), Lookup::Prefix);
    assert_eq!(keymap.lookup(Context::List, &keys("g,g")), Lookup::Action(Action::Top));
    assert_eq!(keymap.lookup(Context::List, &keys("g,x")), Lookup::None);
    assert_eq!(keymap.continuations(Context::List, &keys("g")), [("g".to_owned(), Action::Top)]);
}

#[test]
fn a_place_comes_before_what_works_everywhere() {
    let keymap = Keymap::default();
    assert_eq!(keymap.lookup(Context::Text, &keys("ctrl-p")), Lookup::Action(Action::Up));
    assert_eq!(keymap.lookup(Context::List, &keys("ctrl-p")), Lookup::Action(Action::Palette));
    assert_eq!(keymap.lookup(Context::Scroll, &keys("ctrl-l")), Lookup::Action(Action::Redraw));
}

#[test]
fn an_action_can_be_rebound_and_unbound() {
    let (keymap, problems) = with("toggle = \"x ctrl-t\"\nquit = \"\"");
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(keymap.keys_of(Action::Toggle, Context::List), ["x", "ctrl-t"]);
    assert_eq!(keymap.lookup(Context::List, &keys("space")), Lookup::None);
    assert_eq!(keymap.lookup(Context::List, &keys("q")), Lookup::None);
}

#[test]
fn a_clash_names_the_file_and_both_actions_and_keeps_their_defaults() {
    let (keymap, problems) = with("toggle = \"x\"\nquit = \"x\"");
    assert_eq!(problems.len(), 1);
    for part in ["config.toml", "'x'", "quit", "toggle"] {
        assert!(problems[0].contains(part), "{problems:?}");
    }
    assert_eq!(keymap.lookup(Context::List, &keys("space")), Lookup::Action(Action::Toggle));
    assert_eq!(keymap.lookup(Context::List, &keys("q")), Lookup::Action(Action::Quit));
}

#[test]
fn taking_another_actions_default_key_is_said() {
    let (keymap, problems) = with("log = \"q\"");
    assert_eq!(keymap.lookup(Context::List, &keys("q")), Lookup::Action(Action::Log));
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("quit") && problems[0].contains("log"), "{problems:?}");
}

#[test]
fn two_actions_can_swap_keys() {
    let (keymap, problems) = with("log = \"q\"\nquit = \"L\"");
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(keymap.lookup(Context::List, &keys("q")), Lookup::Action(Action::Log));
    assert_eq!(keymap.lookup(Context::List, &keys("L")), Lookup::Action(Action::Quit));
}

#[test]
fn an_unknown_action_and_an_unreadable_key_are_said_and_change_nothing() {
    let (keymap, problems) = with("togle = \"x\"\nundo = \"hyper-x\"\n[nowhere]\nquit = \"x\"");
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert_eq!(keymap.lookup(Context::List, &keys("u")), Lookup::Action(Action::Undo));
}

#[test]
fn shift_is_part_of_a_letter_however_the_terminal_reports_it() {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    let event = |letter, modifiers| Key::of_event(&KeyEvent::new(KeyCode::Char(letter), modifiers));
    assert_eq!(event('E', KeyModifiers::SHIFT), event('E', KeyModifiers::NONE));
    assert_eq!(event('e', KeyModifiers::SHIFT), event('E', KeyModifiers::NONE));
    assert_eq!(event('S', KeyModifiers::CONTROL), Key::parse("ctrl-s").ok());
}
