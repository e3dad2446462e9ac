//! The first line: program, platform, file and how it was chosen, model and window, which Hermes answered when.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use crate::app::state::{Source, State};
use crate::tui::figure;
use crate::tui::layout::Areas;
use crate::tui::widget::line;

use super::Look;

pub(super) fn draw(buffer: &mut Buffer, state: &State, look: &Look<'_>, areas: &Areas) {
    let theme = look.theme;
    let cols = usize::from(areas.header.width);
    let platform = state.platform_label();
    let start = [
        (" hermes-tools ".to_owned(), theme.title),
        (format!(" {platform} {} ", look.glyphs.open), theme.accent.patch(theme.title)),
    ];
    let mut used: usize = start.iter().map(|(text, _)| line::width(text)).sum();
    let mut pieces = start.to_vec();
    // In the order they are dropped from: the last ones go first.
    let unsure = match state.source {
        Source::Sample => theme.warning,
        Source::Snapshot | Source::Live => theme.dim,
    };
    let optional = [
        (hermes_text(state), unsure),
        (place_text(state), Style::new()),
        (model_text(state), theme.dim),
        (format!("via {}", state.place.chosen), theme.dim),
    ];
    let mut kept: Vec<usize> = Vec::new();
    for (idx, (text, _)) in optional.iter().enumerate() {
        let needed = line::width(text) + 2;
        if !text.is_empty() && used + needed <= cols {
            used += needed;
            kept.push(idx);
        }
    }
    for idx in [1, 3, 2, 0].into_iter().filter(|idx| kept.contains(idx)) {
        let (text, style) = &optional[idx];
        pieces.push((format!(" {text} "), *style));
    }
    line::draw(buffer, areas.header, &pieces);
}

fn hermes_text(state: &State) -> String {
    let version = &state.catalog.document().hermes.version;
    let age = state.age_s.map_or_else(String::new, |seconds| format!(", {}", figure::age(seconds)));
    match state.source {
        Source::Sample => "sample, no Hermes".into(),
        Source::Live if state.derived.is_confirmed => format!("Hermes {version}, confirmed"),
        Source::Live => format!("Hermes {version}, live"),
        Source::Snapshot => format!("Hermes {version}, snapshot{age}"),
    }
}

fn place_text(state: &State) -> String {
    format!("{}: {}", state.place.profile, state.place.file)
}

fn model_text(state: &State) -> String {
    let window = state.context_tokens().map_or_else(String::new, |tokens| format!(" {}", figure::window(tokens)));
    match &state.catalog.facts().model {
        Some(model) => format!("{model}{window}"),
        None => window.trim().to_owned(),
    }
}
