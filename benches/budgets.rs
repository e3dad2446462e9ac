//! What a person waits for, at the sizes that are promised: `cargo bench`. Times depend on the machine; set two lines of
//! one run against each other.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use divan::{Bencher, black_box};
use hermes_tools::app::effect::Effect;
use hermes_tools::app::state::{Place, Source, Start, State};
use hermes_tools::app::update;
use hermes_tools::engine::catalog::{Catalog, CatalogDocument, Surface};
use hermes_tools::engine::draft::{Draft, Target};
use hermes_tools::engine::filter::{Filter, Owner, Subject};
use hermes_tools::engine::meter::{TokenCounts, compact};
use hermes_tools::engine::plan::{self, NewValue, Op};
use hermes_tools::engine::report::{self, Inputs, PlatformReport};
use hermes_tools::engine::search::{Entry, Index};
use hermes_tools::engine::value::Value;
use hermes_tools::engine::yaml::Document;
use hermes_tools::sources::sample;
use hermes_tools::sources::tokens::{self, Tokenizer};
use hermes_tools::tui::keymap::Keymap;
use hermes_tools::tui::theme::{self, Theme};
use hermes_tools::tui::{self, Look, Pending};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

const SIZES: [usize; 2] = [3_300, 100_000];

fn main() {
    divan::main();
}

/// A catalog of a size and the config that has all its servers.
struct Case {
    catalog: Catalog,
    config: Value,
    counts: TokenCounts,
}

impl Case {
    fn new(tools: usize) -> Self {
        let catalog = Catalog::new(sample::synthetic(tools));
        let config = document(&sample::synthetic_config(tools), &catalog).value().clone();
        Self { catalog, config, counts: TokenCounts::default() }
    }

    fn report(&self, config: &Value) -> PlatformReport {
        report::platform(&Inputs {
            catalog: &self.catalog,
            config,
            platform: &"cli".into(),
            surface: Surface::Cli,
            assembly: None,
            counts: &self.counts,
            context_tokens: Some(200_000),
        })
    }

    fn toggle(&self, target: &Target, on: bool) -> PlatformReport {
        let mut draft = Draft::default();
        draft.apply(&[(target.clone(), on)], |target| plan::state(&self.config, &self.catalog, target));
        let plan = plan::plan(&self.config, &self.catalog, &draft).unwrap_or_else(|refusal| panic!("{refusal}"));
        self.report(&plan::apply(&self.config, &plan.ops))
    }
}

fn document(text: &str, catalog: &Catalog) -> Document {
    Document::parse(text, catalog.rules().dialect).unwrap_or_else(|error| panic!("{error}"))
}

fn snapshot(tools: usize) -> String {
    serde_json::to_string(&sample::synthetic(tools)).unwrap_or_else(|error| panic!("{error}"))
}

#[divan::bench(args = [3_300], sample_count = 20)]
fn snapshot_parse(bencher: Bencher<'_, '_>, tools: usize) {
    let text = snapshot(tools);
    bencher.bench(|| serde_json::from_str::<CatalogDocument>(black_box(&text)));
}

#[divan::bench(args = [3_300], sample_count = 20)]
fn snapshot_to_first_report(bencher: Bencher<'_, '_>, tools: usize) {
    let text = snapshot(tools);
    let config = Case::new(tools).config;
    bencher.bench(|| {
        let document = serde_json::from_str(black_box(&text)).unwrap_or_else(|error| panic!("{error}"));
        let case = Case { catalog: Catalog::new(document), config: config.clone(), counts: TokenCounts::default() };
        case.report(&case.config)
    });
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn catalog_look_ups(bencher: Bencher<'_, '_>, tools: usize) {
    let document = sample::synthetic(tools);
    bencher.with_inputs(|| document.clone()).bench_values(Catalog::new);
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn first_report(bencher: Bencher<'_, '_>, tools: usize) {
    bencher.with_inputs(|| Case::new(tools)).bench_refs(|case| case.report(&case.config));
}

#[divan::bench(args = SIZES)]
fn report(bencher: Bencher<'_, '_>, tools: usize) {
    let case = Case::new(tools);
    bencher.bench(|| case.report(&case.config));
}

#[divan::bench(args = SIZES)]
fn toggle_toolset(bencher: Bencher<'_, '_>, tools: usize) {
    let case = Case::new(tools);
    let target = Target::Toolset("cli".into(), "web".into());
    bencher.bench(|| case.toggle(&target, false));
}

#[divan::bench(args = SIZES)]
fn toggle_server(bencher: Bencher<'_, '_>, tools: usize) {
    let case = Case::new(tools);
    let target = Target::Server("server-007".into());
    bencher.bench(|| case.toggle(&target, false));
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn filter(bencher: Bencher<'_, '_>, tools: usize) {
    let case = Case::new(tools);
    bencher.bench(|| {
        let mut filter = Filter::parse("invoice list");
        let names = case.catalog.document().tools.iter().map(|tool| tool.name.as_str());
        names
            .filter(|name| {
                filter.score(&Subject { name, owner: Owner::Server("server"), on: true, tokens: None }).is_some()
            })
            .count()
    });
}

/// The tools of a synthetic catalog, all deferred.
fn deferred(catalog: &Catalog) -> Vec<usize> {
    (0..catalog.document().tools.len()).filter(|place| catalog.document().tools[*place].server.is_some()).collect()
}

#[divan::bench(args = SIZES, sample_count = 10)]
fn search_first_index(bencher: Bencher<'_, '_>, tools: usize) {
    let catalog = Catalog::new(sample::synthetic(tools));
    let places = deferred(&catalog);
    bencher.bench(|| Index::of(&catalog, black_box(&places)));
}

/// One server less behind the bridge, and a query: what a key press in the search lab costs.
#[divan::bench(args = SIZES)]
fn search_another_set(bencher: Bencher<'_, '_>, tools: usize) {
    let catalog = Catalog::new(sample::synthetic(tools));
    let places = deferred(&catalog);
    let mut index = Index::of(&catalog, &places);
    let mut fewer = false;
    bencher.bench_local(|| {
        fewer = !fewer;
        let entries =
            places[if fewer { 50 } else { 0 }..].iter().map(|place| Entry::of(&catalog.document().tools[*place]));
        index.replace(entries.collect());
        index.search(black_box("create invoices for a customer payment"), 5).len()
    });
}

#[divan::bench(args = SIZES)]
fn search_query(bencher: Bencher<'_, '_>, tools: usize) {
    let catalog = Catalog::new(sample::synthetic(tools));
    let index = Index::of(&catalog, &deferred(&catalog));
    bencher.bench(|| index.search(black_box("create invoices for a customer payment"), 5));
}

/// One edit of a config of 40 KB, read back under both dialects.
#[divan::bench(sample_count = 20)]
fn edit_yaml(bencher: Bencher<'_, '_>) {
    let catalog = Catalog::new(sample::synthetic(25_000));
    let text: String = sample::synthetic_config(25_000).chars().take(40_000).collect();
    let whole = text.rfind("  server-").map_or(text.as_str(), |end| &text[..end]);
    let document = document(whole, &catalog);
    let path = ["mcp_servers", "server-250", "enabled"].map(str::to_owned).to_vec();
    let ops = [Op::Set { path, value: NewValue::Bool(false) }];
    bencher.bench(|| document.edit(&ops));
}

#[divan::bench(args = [330], sample_count = 10)]
fn count_tokens(bencher: Bencher<'_, '_>, tools: usize) {
    let items: Vec<_> = sample::synthetic(tools).tools.iter().map(|tool| compact(&tool.definition)).collect();
    bencher.bench(|| tokens::count(Tokenizer::O200kBase, &items));
}

/// The screen of a person who has every server of a catalog on and every row open.
struct Screen {
    state: State,
    keymap: Keymap,
    theme: Theme,
    pending: Pending,
    terminal: Terminal<TestBackend>,
}

impl Screen {
    fn new(catalog: &Arc<Catalog>, document: &Arc<Document>) -> Self {
        let start = Start {
            place: Place::default(),
            document: Arc::clone(document),
            read_only: None,
            catalog: Arc::clone(catalog),
            source: Source::Snapshot,
            age_s: Some(60),
            surface: None,
            context_tokens: Some(200_000),
            platform: None,
            notices: Vec::new(),
            recovered: Vec::new(),
            counts: Arc::new(TokenCounts::default()),
            themes: Vec::new(),
            presets: Vec::new(),
        };
        let mut screen = Self {
            state: State::new(start),
            keymap: Keymap::default(),
            theme: theme::fallback(),
            pending: Pending::default(),
            terminal: Terminal::new(TestBackend::new(120, 40)).unwrap_or_else(|error| panic!("{error}")),
        };
        screen.press(KeyCode::Char('+'));
        screen
    }

    /// A key from the terminal until its frame is drawn, as the event loop does it.
    fn press(&mut self, code: KeyCode) -> Vec<Effect> {
        let event = KeyEvent::new(code, KeyModifiers::NONE);
        let message = tui::meaning(&event, &self.state, &self.keymap, &mut self.pending);
        let effects = message.map(|message| update::update(&mut self.state, message)).unwrap_or_default();
        let (state, look) = (&mut self.state, Look::new(&self.theme, &self.keymap));
        let drawn = self.terminal.draw(|frame| {
            tui::paint(frame.buffer_mut(), state, &look);
        });
        drawn.unwrap_or_else(|error| panic!("{error}"));
        effects
    }
}

/// Each key on a fresh screen after `before` was pressed there. Budgets: 5 ms at 3,300 tools, 16 ms at 100,000.
fn key_to_frame(bencher: Bencher<'_, '_>, tools: usize, before: &[KeyCode], key: KeyCode) {
    let catalog = Arc::new(Catalog::new(sample::synthetic(tools)));
    let document = Arc::new(document(&sample::synthetic_config(tools), &catalog));
    let ready = || {
        let mut screen = Screen::new(&catalog, &document);
        for key in before {
            screen.press(*key);
        }
        screen
    };
    bencher.with_inputs(ready).bench_refs(|screen| screen.press(key));
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn key_cursor_down(bencher: Bencher<'_, '_>, tools: usize) {
    key_to_frame(bencher, tools, &[], KeyCode::Down);
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn key_page_down(bencher: Bencher<'_, '_>, tools: usize) {
    key_to_frame(bencher, tools, &[], KeyCode::PageDown);
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn key_toggle_toolset(bencher: Bencher<'_, '_>, tools: usize) {
    key_to_frame(bencher, tools, &[], KeyCode::Char(' '));
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn key_toggle_tool(bencher: Bencher<'_, '_>, tools: usize) {
    // Up from the last row, the sentinel, to the last tool of the last server.
    key_to_frame(bencher, tools, &[KeyCode::End, KeyCode::Up], KeyCode::Char(' '));
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn key_toggle_server_here(bencher: Bencher<'_, '_>, tools: usize) {
    key_to_frame(
        bencher,
        tools,
        &[KeyCode::End, KeyCode::Up, KeyCode::Char('h'), KeyCode::Char('h')],
        KeyCode::Char(' '),
    );
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn key_toggle_server_everywhere(bencher: Bencher<'_, '_>, tools: usize) {
    key_to_frame(bencher, tools, &[KeyCode::End, KeyCode::Up], KeyCode::Char('E'));
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn key_filter_letter(bencher: Bencher<'_, '_>, tools: usize) {
    key_to_frame(bencher, tools, &[KeyCode::Char('/')], KeyCode::Char('i'));
}
