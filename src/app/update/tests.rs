//! Key scripts over the sample: what a person does, and what state and effects follow.
//!
//! A script is words: an action's name (`down`, `toggle`), `"text` for typed letters, `@row` to put the cursor on a row.

mod panes;

use proptest::prelude::*;

use super::*;
use crate::app::sheet::{Mark, Page, Sheet};
use crate::app::state::{Place, Source, Start};
use crate::app::tree::RowId;
use crate::engine::catalog::Catalog;
use crate::engine::draft::Target;
use crate::engine::meter::TokenCounts;
use crate::engine::yaml::Document;
use crate::sources::sample;

pub(crate) fn state_of(config: &str) -> State {
    let catalog = Catalog::new(sample::catalog());
    let document = match Document::parse(config, catalog.rules().dialect) {
        Ok(document) => document,
        Err(error) => panic!("{error}"),
    };
    State::new(Start {
        place: Place {
            file: "~/.hermes/config.yaml".into(),
            profile: "default".into(),
            profiles: vec!["default".into(), "work".into()],
            chosen: "default",
            sample: false,
            command_options: String::new(),
        },
        document: Arc::new(document),
        read_only: None,
        catalog: Arc::new(catalog),
        source: Source::Live,
        age_s: Some(0),
        surface: None,
        context_tokens: Some(200_000),
        platform: None,
        notices: Vec::new(),
        recovered: Vec::new(),
        counts: Arc::new(TokenCounts::default()),
        themes: vec!["terminal".into(), "mono".into()],
        presets: vec!["evening".into()],
    })
}

pub(crate) fn sample_state() -> State {
    state_of(sample::config_text())
}

/// Puts the cursor on the row with this name, opening nothing.
fn go_to(state: &mut State, name: &str) {
    let report = Arc::clone(&state.derived.now);
    let found = state.tree.rows.iter().position(|row| match row.spot.id(&report) {
        RowId::Toolset(key) => key.as_str() == name,
        RowId::Server(key) => key.as_str() == name,
        RowId::NoMcp => name == "no_mcp",
        RowId::Toolsets => name == "Toolsets",
        RowId::Servers => name == "Servers",
        RowId::Tool(_, tool) => tool.as_str() == name,
        RowId::ServerTool(_, tool) => tool.as_str().ends_with(name),
        RowId::Bridge => name == "(bridge)",
    });
    match found {
        Some(idx) => state.tree.move_to(idx, &report),
        None => panic!("there is no row {name}"),
    }
}

fn play(state: &mut State, script: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    for word in script.split_whitespace() {
        if let Some(text) = word.strip_prefix('"') {
            for letter in text.chars() {
                effects.extend(update(state, Message::Typed(letter)));
            }
        } else if let Some(name) = word.strip_prefix('@') {
            go_to(state, name);
        } else {
            match Action::named(word) {
                Some(action) => effects.extend(update(state, Message::Act(action))),
                None => panic!("there is no action {word}"),
            }
        }
    }
    // Whatever changes what is on show asks for savings too.
    effects.retain(|effect| !matches!(effect, Effect::Ablate { .. }));
    effects
}

fn notices(state: &State) -> Vec<String> {
    state.notices.shown().map(|notice| notice.text.clone()).collect()
}

fn is_on(state: &State, toolset: &str) -> bool {
    state.derived.now.toolsets.iter().any(|row| row.key.as_str() == toolset && row.on)
}

fn server_on(state: &State, server: &str) -> bool {
    state.derived.now.servers.iter().any(|row| row.name.as_str() == server && row.on)
}

#[test]
fn the_cursor_starts_on_the_first_toolset() {
    let state = sample_state();
    assert!(matches!(state.tree.spot(), Some(Spot::Toolset(0))));
}

#[test]
fn space_switches_a_toolset_shows_it_and_asks_hermes_to_confirm() {
    let mut state = sample_state();
    assert!(is_on(&state, "browser"));
    let bytes = state.derived.now.totals.json_bytes.value();
    let effects = play(&mut state, "@browser toggle");
    assert!(!is_on(&state, "browser"));
    assert!(state.derived.now.totals.json_bytes.value() < bytes, "the figures follow in the same step");
    let asked = effects.iter().any(|effect| matches!(effect, Effect::Assemble { ops, .. } if !ops.is_empty()));
    assert!(asked, "{effects:?}");
    assert!(
        matches!(state.tree.spot(), Some(Spot::Toolset(idx)) if state.derived.now.toolsets[idx].key.as_str() == "browser")
    );
}

#[test]
fn switching_back_leaves_nothing_unsaved() {
    let mut state = sample_state();
    play(&mut state, "@browser toggle toggle");
    assert!(state.draft.is_empty());
    assert!(state.derived.plan.ops.is_empty());
    assert_eq!(state.derived.now.selection, state.derived.saved.selection);
}

#[test]
fn undo_says_what_it_undid_and_redo_makes_it_again() {
    let mut state = sample_state();
    play(&mut state, "@browser toggle undo");
    assert!(is_on(&state, "browser"));
    assert!(notices(&state).iter().any(|text| text == "Undid: browser off for cli."), "{:?}", notices(&state));
    play(&mut state, "redo");
    assert!(!is_on(&state, "browser"));
    assert!(notices(&state).iter().any(|text| text == "Redid: browser off for cli."), "{:?}", notices(&state));
    play(&mut state, "undo undo");
    assert!(notices(&state).iter().any(|text| text.contains("nothing to undo")));
}

#[test]
fn a_tool_of_a_toolset_has_no_switch_and_the_notice_names_the_toolset() {
    let mut state = sample_state();
    play(&mut state, "@browser expand down toggle");
    assert!(state.draft.is_empty());
    assert!(notices(&state).iter().any(|text| text.contains("toolset browser")), "{:?}", notices(&state));
}

#[test]
fn space_on_a_server_is_about_this_platform_and_e_about_all() {
    let mut state = sample_state();
    play(&mut state, "@github toggle");
    let targets: Vec<_> = state.draft.wishes().map(|(target, on)| (target.clone(), on)).collect();
    assert_eq!(targets, [(Target::ServerOn("cli".into(), "github".into()), false)]);
    assert!(!server_on(&state, "github"));
    play(&mut state, "undo toggle-everywhere");
    let targets: Vec<_> = state.draft.wishes().map(|(target, on)| (target.clone(), on)).collect();
    assert_eq!(targets, [(Target::Server("github".into()), false)]);
}

#[test]
fn a_servers_tool_is_switched_by_its_own_name() {
    let mut state = sample_state();
    play(&mut state, "@filesystem expand down toggle");
    let targets: Vec<_> = state.draft.wishes().map(|(target, _)| target.clone()).collect();
    assert!(
        matches!(targets.as_slice(), [Target::ServerTool(server, tool)] if server.as_str() == "filesystem" && !tool.starts_with("mcp")),
        "{targets:?}"
    );
}

#[test]
fn a_group_switch_is_one_step_about_the_shown_rows_only_and_says_how_many() {
    let mut state = sample_state();
    play(&mut state, "filter \"skills confirm");
    assert!(!state.filter.typing, "enter keeps the filter and gives the keys back to the list");
    let shown: Vec<_> = state.tree.rows.iter().filter(|row| row.hit && matches!(row.spot, Spot::Toolset(_))).collect();
    assert_eq!(shown.len(), 1, "the filter narrows to one toolset");
    play(&mut state, "toggle-group");
    assert!(!is_on(&state, "skills") && is_on(&state, "browser"));
    assert!(notices(&state).iter().any(|text| text.contains("Switched 1 ")), "{:?}", notices(&state));
    play(&mut state, "undo");
    assert!(is_on(&state, "skills") && state.draft.is_empty());
}

#[test]
fn the_filter_keeps_the_cursor_on_its_row_while_that_matches() {
    let mut state = sample_state();
    play(&mut state, "@browser filter \"b");
    let here = |state: &State| state.tree.spot().map(|spot| spot.id(&state.derived.now));
    assert_eq!(here(&state), Some(RowId::Toolset("browser".into())));
    play(&mut state, "\"rowserqqz");
    assert!(state.tree.rows.is_empty() && state.tree.shown == 0 && state.tree.total > 0);
    play(&mut state, "back");
    assert_eq!(state.filter.text, "");
    assert!(!state.tree.rows.is_empty());
}

#[test]
fn a_new_catalog_moves_neither_cursor_nor_draft() {
    let mut state = sample_state();
    play(&mut state, "@memory toggle @skills");
    let mut document = sample::catalog();
    document.toolsets.retain(|toolset| toolset.key.as_str() != "web");
    let catalog = Arc::new(Catalog::new(document));
    let generation = state.generation;
    let _ = update(
        &mut state,
        Message::CatalogArrived { generation, catalog, source: Source::Live, age_s: Some(0), reread: None },
    );
    assert_eq!(state.tree.spot().map(|spot| spot.id(&state.derived.now)), Some(RowId::Toolset("skills".into())));
    assert!(!is_on(&state, "memory") && state.draft.len() == 1);
}

#[test]
fn escape_closes_layers_then_the_filter_and_never_quits() {
    let mut state = sample_state();
    let effects = play(&mut state, "filter \"web confirm help back back back back back");
    assert!(state.modals.is_empty() && state.filter.text.is_empty());
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Quit)));
}

#[test]
fn quitting_asks_only_with_a_draft_and_the_first_answer_stays() {
    let mut state = sample_state();
    assert!(matches!(play(&mut state, "quit").as_slice(), [Effect::Quit]));
    let effects = play(&mut state, "@browser toggle quit confirm");
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Quit)), "enter on the safe answer stays");
    assert!(!state.draft.is_empty() && state.modals.is_empty());
    let effects = play(&mut state, "quit \"y");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Quit)));
    let forgets = |effect: &Effect| matches!(effect, Effect::StoreRecovery { wishes } if wishes.is_empty());
    assert!(effects.iter().any(forgets), "a draft thrown away is not offered again");
}

#[test]
fn one_interrupt_arms_a_second_quits_and_the_draft_is_kept_for_next_time() {
    let mut state = sample_state();
    play(&mut state, "@browser toggle");
    let effects = play(&mut state, "interrupt");
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Quit)));
    assert!(state.interrupt_armed);
    let effects = play(&mut state, "interrupt");
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Quit)));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::StoreRecovery { .. })));
    // Another key in between disarms; a layer is closed first.
    let mut state = sample_state();
    let effects = play(&mut state, "interrupt down interrupt help interrupt");
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Quit)));
    assert!(state.modals.is_empty());
}

#[test]
fn the_review_shows_names_figures_and_text_and_enter_saves_once() {
    let mut state = sample_state();
    play(&mut state, "@browser toggle review");
    let Some(Modal::Review(review)) = state.modals.last() else { panic!("no review") };
    assert_eq!(review.off, ["browser off for cli"]);
    assert!(review.on.is_empty());
    assert!(review.changes[0].after.json_bytes.value() < review.changes[0].before.json_bytes.value());
    assert!(!review.diff.is_empty());
    let saves = |effects: &[Effect]| effects.iter().filter(|effect| matches!(effect, Effect::Save { .. })).count();
    assert_eq!(saves(&play(&mut state, "confirm confirm")), 1, "a second enter while saving does nothing");
}

#[test]
fn a_save_empties_the_draft_and_a_failed_one_keeps_it() {
    let mut state = sample_state();
    play(&mut state, "@browser toggle review confirm");
    let _ = update(&mut state, Message::SaveFailed { text: "the disk is full".into() });
    assert!(!state.draft.is_empty());
    assert!(notices(&state).iter().any(|text| text.contains("the disk is full")));
    let ops = state.derived.plan.ops.clone();
    let text = state.document.edit(&ops).unwrap_or_default();
    let document = Document::parse(&text, state.document.dialect()).map(Arc::new);
    let Ok(document) = document else { panic!("the edited text reads") };
    let _ = update(&mut state, Message::Saved { document, reapplied: false });
    assert!(state.draft.is_empty() && state.modals.is_empty() && state.can_undo_save);
    assert!(!is_on(&state, "browser"), "the saved file is the new baseline");
}

#[test]
fn the_copied_command_makes_the_same_switches() {
    let mut state = sample_state();
    let effects = play(&mut state, "@browser toggle @memory toggle @github toggle-everywhere copy");
    let text = effects.iter().find_map(|effect| match effect {
        Effect::CopyText(text) => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(text, Some("hermes-tools disable github\nhermes-tools disable browser memory --platform cli"));
}

#[test]
fn a_read_only_home_says_why_instead_of_switching() {
    let mut state = sample_state();
    state.read_only = Some("this install is managed".into());
    play(&mut state, "@browser toggle");
    assert!(state.draft.is_empty());
    assert!(notices(&state).iter().any(|text| text.contains("this install is managed")));
}

#[test]
fn a_kept_draft_is_offered_and_brought_back() {
    let mut state = sample_state();
    state.recovered = vec![(Target::Toolset("cli".into(), "browser".into()), false)];
    state.modals.push(Modal::Ask { ask: crate::app::modal::Ask::Recover, selected: 0 });
    play(&mut state, "confirm");
    assert!(!is_on(&state, "browser") && state.draft.len() == 1);
}

#[test]
fn platforms_have_their_own_switches_and_the_draft_counts_all() {
    let mut state = sample_state();
    play(&mut state, "@browser toggle next-platform");
    assert_ne!(state.platform.as_str(), "cli");
    assert_eq!(state.draft.len(), 1);
    assert_eq!(state.unsaved_by_platform().get("cli"), Some(&1));
    play(&mut state, "previous-platform");
    assert!(!is_on(&state, "browser"));
}

#[test]
fn the_palette_runs_what_was_found_by_name() {
    let mut state = sample_state();
    play(&mut state, "palette \"platforms confirm");
    let is_platforms =
        matches!(state.modals.last(), Some(Modal::Picker(picker)) if picker.kind == PickerKind::Platforms);
    assert!(is_platforms, "{:?}", state.modals);
}

#[test]
fn typed_letters_in_a_list_are_no_actions() {
    let mut state = sample_state();
    let effects = play(&mut state, "help \"quit");
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Quit)));
    assert!(matches!(state.modals.last(), Some(Modal::Picker(picker)) if picker.query == "quit"));
}

fn any_message() -> impl Strategy<Value = Message> {
    let quiet = |action: &&Action| !matches!(action, Action::Discard);
    let actions: Vec<Action> = Action::ALL.iter().filter(quiet).copied().collect();
    prop_oneof![
        6 => proptest::sample::select(actions).prop_map(Message::Act),
        2 => proptest::char::range('a', 'z').prop_map(Message::Typed),
        1 => Just(Message::Erased),
        1 => (0usize..60).prop_map(Message::RowClicked),
        1 => (0usize..60).prop_map(Message::BoxClicked),
        1 => (0usize..60).prop_map(Message::EntryClicked),
        1 => (-9isize..9).prop_map(Message::ListScrolled),
        1 => (0usize..40, 0usize..40, any::<bool>()).prop_map(|(list_rows, modal_rows, detail_beside)| {
            Message::Viewport(crate::app::message::Viewport { list_rows, modal_rows, detail_beside })
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_stream_of_messages_leaves_a_whole_state_and_undoing_all_returns_to_the_file(
        messages in proptest::collection::vec(any_message(), 1..40)
    ) {
        let mut state = sample_state();
        for message in messages {
            let _ = update(&mut state, message);
            prop_assert!(state.tree.rows.is_empty() || state.tree.cursor < state.tree.rows.len());
            prop_assert_eq!(state.draft.is_empty(), state.derived.plan.ops.is_empty());
        }
        state.modals.clear();
        while state.history.can_undo() {
            let _ = update(&mut state, Message::Act(Action::Undo));
        }
        prop_assert!(state.draft.is_empty());
        prop_assert_eq!(&state.derived.now.selection, &state.derived.saved.selection);
    }
}

#[test]
fn quitting_without_the_draft_leaves_nothing_planned() {
    let mut state = sample_state();
    play(&mut state, "down toggle quit");
    assert!(matches!(state.modals.last(), Some(Modal::Ask { .. })), "{:?}", state.modals.last());
    let effects = update(&mut state, Message::Typed('y'));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Quit)));
    assert!(state.draft.is_empty() && state.derived.plan.ops.is_empty());
}

/// The open view of what the model sees.
fn sheet(state: &State) -> &Sheet {
    match state.modals.last() {
        Some(Modal::Sheet(sheet)) => sheet,
        other => panic!("another layer is open: {other:?}"),
    }
}

#[test]
fn the_preview_marks_what_the_draft_does_to_the_array() {
    let mut state = sample_state();
    play(&mut state, "preview");
    assert!(sheet(&state).rows.iter().all(|(mark, _)| *mark == Mark::Same));
    play(&mut state, "back @web toggle @todo toggle preview");
    let mark = |name: &str| sheet(&state).rows.iter().find(|(_, row)| row.name == name).map(|(mark, _)| *mark);
    assert_eq!(mark("web_search"), Some(Mark::Gone));
    assert_eq!(mark("todo_list"), Some(Mark::Gone));
    assert_eq!(mark("read_file"), Some(Mark::Same));
    assert_eq!(mark("tool_search"), Some(Mark::Changed), "its number of deferred tools is another");
}

#[test]
fn the_preview_turns_pages_and_copies_what_is_on_them() {
    let mut state = sample_state();
    play(&mut state, "preview confirm");
    assert!(sheet(&state).open);
    let copied = |effects: Vec<Effect>| match effects.as_slice() {
        [Effect::CopyText(text)] => text.clone(),
        other => panic!("{other:?}"),
    };
    let definition = copied(play(&mut state, "copy"));
    assert_eq!(definition, sheet(&state).rows[0].1.definition.as_ref().map_or("", |definition| definition.text()));
    let listing = copied(play(&mut state, "next-page copy"));
    assert!(listing.starts_with("Deferred tool catalog"), "{listing}");
    play(&mut state, "next-page next-page");
    assert_eq!(sheet(&state).page, Page::Array);
    play(&mut state, "previous-page");
    assert_eq!(sheet(&state).page, Page::Budget);
    play(&mut state, "preview");
    assert!(state.modals.is_empty(), "the same key closes it");
}

#[test]
fn an_older_answer_about_savings_is_dropped() {
    let mut state = sample_state();
    let asked = |effects: Vec<Effect>| {
        effects.iter().find_map(|effect| match effect {
            Effect::Ablate { generation, .. } => Some(*generation),
            _ => None,
        })
    };
    let first = asked(update(&mut state, Message::Act(Action::Down))).expect("the first report asks");
    assert_eq!(asked(update(&mut state, Message::Act(Action::Down))), None, "the same report asks once");
    let second = asked(update(&mut state, Message::Act(Action::Toggle))).expect("another report asks again");
    update(&mut state, Message::Ablated { generation: first, rows: Vec::new() });
    assert!(state.savings.rows.is_none());
    update(&mut state, Message::Ablated { generation: second, rows: Vec::new() });
    assert!(state.savings.rows.is_some());
    update(&mut state, Message::Act(Action::Undo));
    assert!(state.savings.rows.is_none(), "old ones are not shown");
}
