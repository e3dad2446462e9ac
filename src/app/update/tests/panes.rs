//! Settings, presets, the lab and advice by keys.

use super::*;
use crate::app::modal::Modal;
use crate::engine::preset::{On, Preset};

fn pane(state: &State) -> &crate::app::panes::SettingsPane {
    match state.modals.last() {
        Some(Modal::Settings(pane)) => pane,
        other => panic!("{other:?} is no settings pane"),
    }
}

#[test]
fn a_setting_changes_what_is_sent_at_once_and_can_be_taken_back() {
    let mut state = sample_state();
    let before = state.derived.now.totals.json_bytes.value();
    let form = |state: &State| state.derived.now.disclosure.listing.form;
    let full = form(&state);
    play(
        &mut state,
        "settings down down down previous-page previous-page previous-page previous-page previous-page previous-page",
    );
    assert_eq!(state.draft.len(), 1, "six steps of one setting are one wish");
    assert!(form(&state) != full && state.derived.now.totals.json_bytes.value() < before);
    assert!(pane(&state).larger.is_some(), "it says how far the larger form is");
    play(&mut state, "undo undo undo undo undo undo");
    assert_eq!((state.draft.len(), form(&state)), (0, full));
    play(&mut state, "redo reset");
    assert_eq!(state.draft.len(), 0, "the default is what the file says");
}

#[test]
fn what_is_typed_into_a_setting_is_checked_there() {
    let mut state = sample_state();
    play(&mut state, "settings down down down confirm \"5 confirm");
    assert!(pane(&state).problem.as_deref().is_some_and(|text| text.contains("200")));
    assert!(state.draft.is_empty());
    for _ in 0.."5".len() {
        update(&mut state, Message::Erased);
    }
    play(&mut state, "\"900 confirm");
    assert_eq!((state.draft.len(), pane(&state).typed.as_deref()), (1, None));
    play(&mut state, "confirm \"x back");
    assert!(pane(&state).typed.is_none() && pane(&state).problem.is_none(), "back closes the field alone");
    play(&mut state, "back review");
    match state.modals.last() {
        Some(Modal::Review(review)) => assert_eq!(review.on, ["tool search: listing_max_tokens 900"]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn space_goes_round_the_words_of_a_setting() {
    let mut state = sample_state();
    play(&mut state, "settings");
    let mut seen = Vec::new();
    for _ in 0..3 {
        play(&mut state, "toggle");
        let settings = &state.derived.now.disclosure.settings;
        seen.push(crate::engine::setting::Setting::Enabled.shown(settings));
    }
    assert_eq!(seen, ["on", "off", "auto"]);
    assert!(state.draft.is_empty());
}

#[test]
fn a_preset_is_one_step_of_the_draft() {
    let mut state = sample_state();
    let effects = play(&mut state, "presets confirm");
    assert!(matches!(effects.as_slice(), [Effect::LoadPreset { name }] if name == "evening"), "{effects:?}");
    let on = On { toolsets: ["memory".into()].into(), servers: ["github".into()].into() };
    let preset = Preset { name: "evening".into(), platforms: [("cli".into(), on)].into() };
    update(&mut state, Message::PresetLoaded(Box::new(preset)));
    let report = &state.derived.now;
    let on: Vec<&str> =
        report.toolsets.iter().filter(|row| row.on && row.locked.is_none()).map(|row| row.key.as_str()).collect();
    assert_eq!(on, ["memory"]);
    assert!(server_on(&state, "github") && !server_on(&state, "filesystem"));
    play(&mut state, "undo");
    assert!(state.draft.is_empty());
}

#[test]
fn what_is_on_is_kept_under_a_typed_name() {
    let mut state = sample_state();
    play(&mut state, "toggle");
    let effects = play(&mut state, "presets \"late confirm");
    match effects.as_slice() {
        [Effect::KeepPreset { preset }] => {
            assert_eq!(preset.name, "late");
            assert!(!preset.platforms["cli"].toolsets.contains("web"), "with the draft");
        }
        other => panic!("{other:?}"),
    }
    let effects = play(&mut state, "presets \"../x confirm");
    assert!(effects.iter().all(|effect| !matches!(effect, Effect::KeepPreset { .. })), "{effects:?}");
}

#[test]
fn the_lab_finds_what_the_draft_defers() {
    let mut state = sample_state();
    play(&mut state, "lab \"issues");
    let found = |state: &State| match state.modals.last() {
        Some(Modal::Lab(lab)) => lab.row(0).map(|(name, rank, _)| (name.to_owned(), rank)),
        other => panic!("{other:?}"),
    };
    assert!(found(&state).is_some_and(|(name, rank)| name.contains("issue") && rank == Some(1)));
    play(&mut state, "confirm");
    assert!(
        matches!(state.modals.last(), Some(Modal::Lab(lab)) if lab.described.as_ref().is_some_and(|text| text.contains("parameters")))
    );
    play(&mut state, "back @github toggle lab \"issues");
    assert_eq!(found(&state), None, "the server is off with the draft");
}

#[test]
fn advice_is_about_the_draft() {
    let mut state = sample_state();
    let tax = |state: &State| match state.modals.last() {
        Some(Modal::Advice { counsel, .. }) => counsel.tax.tokens_per_turn,
        other => panic!("{other:?}"),
    };
    play(&mut state, "advice");
    let before = tax(&state);
    play(&mut state, "back @file toggle advice");
    assert!(tax(&state) < before);
}

#[test]
fn a_server_is_asked_called_off_and_its_answer_shown() {
    use crate::app::state::Asked;
    use crate::engine::server::probe::{Listing, Probe, ProbeState};
    let mut state = sample_state();
    let effects = play(&mut state, "@notes probe");
    assert!(matches!(effects.as_slice(), [Effect::Probe { servers }] if servers[0].as_str() == "notes"), "{effects:?}");
    assert_eq!(state.asked.get("notes"), Some(&Asked::Waiting));
    let effects = play(&mut state, "probe");
    assert!(
        matches!(effects.as_slice(), [Effect::CancelProbe { server }] if server.as_str() == "notes"),
        "{effects:?}"
    );
    let answer = |state| Probe { server: "notes".into(), state, took_ms: 5, said: Vec::new(), noise_lines: 0 };
    let effects = update(&mut state, Message::Probed(Box::new(answer(ProbeState::Failed { why: "no".into() }))));
    assert!(effects.is_empty(), "nothing was told, so Hermes is not asked: {effects:?}");
    assert!(notices(&state).iter().any(|text| text == "notes: no."));
    play(&mut state, "probe");
    let effects = update(&mut state, Message::Probed(Box::new(answer(ProbeState::Ready(Listing::default())))));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::LoadCatalog { .. })), "{effects:?}");
    play(&mut state, "@web probe");
    assert!(notices(&state).iter().any(|text| text.contains("Only MCP servers")));
}

#[test]
fn marked_rows_are_switched_together_as_one_step() {
    let mut state = sample_state();
    play(&mut state, "@web mark down down");
    assert_eq!(state.tree.marked(&state.derived.now).map(|rows| rows.count()), Some(3));
    play(&mut state, "toggle");
    assert!(!is_on(&state, "web") && !is_on(&state, "browser") && !is_on(&state, "terminal") && is_on(&state, "file"));
    assert!(state.tree.anchor.is_none(), "what was switched is no longer marked");
    play(&mut state, "undo");
    assert!(state.draft.is_empty() && is_on(&state, "web"));
    // Marked upwards, over a heading; back ends it and nothing else.
    play(&mut state, "@terminal mark up up up back");
    assert!(state.tree.anchor.is_none() && state.draft.is_empty());
    play(&mut state, "@web mark mark toggle");
    assert!(!is_on(&state, "web") && is_on(&state, "browser"), "marking twice is not marking");
}
