//! Select, drain, update, run effects, draw when something changed. Nothing runs while nothing happens.

use std::io;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{Event, EventStream};
use futures::StreamExt;
use ratatui::layout::Rect;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use crate::app::effect::Effect;
use crate::app::message::Message;
use crate::app::state::State;
use crate::app::update;
use crate::runtime::{Runner, Session};

use super::glyphs;
use super::input::{self, Pending};
use super::mouse::{self, Asked};
use super::settings::{Settings, UiSettings};
use super::terminal::{self, Screen};
use super::view::{self, Drawn, Look};

/// Why the UI ended with an error. The terminal is restored by then.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    #[error("cannot use the terminal: {0}")]
    Terminal(io::Error),
    #[error("cannot start the runtime: {0}")]
    Runtime(io::Error),
}

static RUNNING: AtomicBool = AtomicBool::new(false);

/// Whether [`run`] runs, which hears the signals that end the program too.
pub fn is_running() -> bool {
    RUNNING.load(Ordering::SeqCst)
}

/// Runs the terminal UI until the user quits or the terminal goes away.
pub fn run(session: Session, ui: &UiSettings) -> Result<(), TuiError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(TuiError::Runtime)?;
    RUNNING.store(true, Ordering::SeqCst);
    let result = runtime.block_on(run_loop(session, ui));
    terminal::leave();
    // A question to Hermes that still runs must not keep the user waiting; the worker ends with its handle.
    runtime.shutdown_background();
    match result {
        // The terminal is gone: nobody is there to be told.
        Err(TuiError::Terminal(error)) if is_terminal_gone(&error) => Ok(()),
        result => result,
    }
}

fn is_terminal_gone(error: &io::Error) -> bool {
    // EIO is what reading or writing a hung-up terminal gives on Linux and macOS.
    const EIO: i32 = 5;
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::UnexpectedEof)
        || error.raw_os_error() == Some(EIO)
}

/// What the loop holds beside the state.
struct Ui {
    screen: Screen,
    settings: Settings,
    no_color: bool,
    editor: Vec<String>,
    config_path: Option<std::path::PathBuf>,
    pending: Pending,
    dragging: bool,
    /// The list's share of the width, once the divider was dragged.
    split: Option<u16>,
    drawn: Drawn,
    dirty: bool,
    /// Another program had the terminal: interrupts of that time were not ours.
    lent: bool,
    quit: bool,
}

async fn run_loop(session: Session, ui: &UiSettings) -> Result<(), TuiError> {
    let settings = ui.read();
    let (sender, mut arrivals) = mpsc::unbounded_channel();
    let mut start = session.start();
    start.themes = settings.themes.names();
    let problems = settings.problems.iter().map(|text| (crate::app::notice::Severity::Warning, text.clone()));
    start.notices.extend(problems);
    let mut state = State::new(start);
    state.theme.clone_from(&settings.theme.name);
    state.mouse = settings.mouse;
    let mut ui = Ui {
        screen: Screen::enter(settings.mouse).map_err(TuiError::Terminal)?,
        no_color: ui.no_color,
        editor: ui.editor.clone(),
        config_path: session.config_path(),
        settings,
        pending: Pending::default(),
        dragging: false,
        split: None,
        drawn: Drawn::default(),
        dirty: true,
        lent: false,
        quit: false,
    };
    let mut signals = Signals::listen().map_err(TuiError::Terminal)?;
    // The first frame comes before anything is asked.
    ui.draw(&mut state).map_err(TuiError::Terminal)?;
    let mut runner = Runner::new(session, sender);
    let effects = update::start(&mut state);
    ui.run_effects(&mut state, &mut runner, effects).map_err(TuiError::Terminal)?;
    let mut events = EventStream::new();
    while !ui.quit {
        ui.draw(&mut state).map_err(TuiError::Terminal)?;
        tokio::select! {
            event = events.next() => match event {
                Some(Ok(event)) => ui.event(&mut state, &mut runner, event).map_err(TuiError::Terminal)?,
                Some(Err(error)) => return Err(TuiError::Terminal(error)),
                None => return Ok(()),
            },
            Some(message) = arrivals.recv() => ui.message(&mut state, &mut runner, message).map_err(TuiError::Terminal)?,
            heard = signals.next() => match heard {
                Heard::End => ui.quit = true,
                Heard::Continued => ui.retake().map_err(TuiError::Terminal)?,
            },
        }
        // Whatever else is there already is taken before the next draw.
        while let Ok(message) = arrivals.try_recv() {
            ui.message(&mut state, &mut runner, message).map_err(TuiError::Terminal)?;
        }
        if std::mem::take(&mut ui.lent) {
            signals = Signals::listen().map_err(TuiError::Terminal)?;
        }
    }
    drop(ui);
    runner.finish().await;
    Ok(())
}

impl Ui {
    fn draw(&mut self, state: &mut State) -> io::Result<()> {
        if !std::mem::take(&mut self.dirty) {
            return Ok(());
        }
        let size = self.screen.size()?;
        let frame = Rect::new(0, 0, size.width, size.height);
        if self.drawn.areas.frame != frame && self.drawn.areas.frame != Rect::default() {
            self.screen.forget()?;
        }
        let look = Look {
            theme: &self.settings.theme,
            glyphs: if self.settings.ascii { &glyphs::ASCII } else { &glyphs::UNICODE },
            keymap: &self.settings.keymap,
            no_color: self.no_color,
            pending: &self.pending.0,
            split: self.split,
        };
        let drawn = &mut self.drawn;
        self.screen.draw(|frame| {
            *drawn = view::paint(frame.buffer_mut(), state, &look);
            if let Some(cursor) = drawn.cursor {
                frame.set_cursor_position(cursor);
            }
        })
    }

    fn event(&mut self, state: &mut State, runner: &mut Runner, event: Event) -> io::Result<()> {
        let message = match event {
            Event::Key(key) => {
                self.dirty |= !self.pending.0.is_empty();
                let message = input::key(&key, state, &self.settings.keymap, &mut self.pending);
                self.dirty |= !self.pending.0.is_empty();
                message
            }
            Event::Paste(text) => input::paste(text, state),
            Event::Mouse(event) => match mouse::asked(&event, state, &self.drawn, &mut self.dragging) {
                Some(Asked::Message(message)) => Some(message),
                Some(Asked::Split(split)) => {
                    self.dirty |= self.split.replace(split) != Some(split);
                    None
                }
                None => None,
            },
            Event::Resize(..) => {
                self.dirty = true;
                None
            }
            Event::FocusGained | Event::FocusLost => None,
        };
        message.map_or(Ok(()), |message| self.message(state, runner, message))
    }

    fn message(&mut self, state: &mut State, runner: &mut Runner, message: Message) -> io::Result<()> {
        self.dirty = true;
        let effects = update::update(state, message);
        self.run_effects(state, runner, effects)
    }

    /// Runs what the terminal answers itself; the rest is the runner's.
    fn run_effects(&mut self, state: &mut State, runner: &mut Runner, effects: Vec<Effect>) -> io::Result<()> {
        for effect in effects {
            match effect {
                Effect::Quit => self.quit = true,
                Effect::Redraw => self.screen.forget()?,
                Effect::SetMouse(mouse) => self.screen.set_mouse(mouse)?,
                Effect::SetTheme(name) => match self.settings.themes.load(&name) {
                    Ok(theme) => self.settings.theme = theme,
                    Err(error) => state.fail(format!("{error}.")),
                },
                Effect::CopyText(text) => {
                    let how = self.screen.copy(&text).map_err(|error| format!("Not copied: {error}."));
                    self.message(state, runner, Message::Copied { how })?;
                }
                Effect::Suspend => self.suspend()?,
                Effect::OpenEditor => self.edit(state, runner)?,
                effect => runner.run(effect),
            }
        }
        Ok(())
    }

    fn suspend(&mut self) -> io::Result<()> {
        self.screen.lend(terminal::stop)??;
        (self.dirty, self.lent) = (true, true);
        Ok(())
    }

    /// After a stop from outside everything is painted again.
    fn retake(&mut self) -> io::Result<()> {
        self.dirty = true;
        self.screen.retake()
    }

    /// Runs the user's editor on the file, then reads it again.
    fn edit(&mut self, state: &mut State, runner: &mut Runner) -> io::Result<()> {
        let Some(path) = self.config_path.clone() else { return Ok(()) };
        let Some((program, words)) = self.editor.split_first() else {
            state.fail("No editor is known: set VISUAL or EDITOR.".into());
            return Ok(());
        };
        let status = self.screen.lend(|| Command::new(program).args(words).arg(&path).status())?;
        (self.dirty, self.lent) = (true, true);
        match status {
            Ok(_) => runner.run(Effect::Reload),
            Err(error) => state.fail(format!("The editor {program} did not start: {error}.")),
        }
        Ok(())
    }
}

/// What a signal asks for.
enum Heard {
    /// To end; each way the terminal is restored.
    End,
    /// The program was stopped and goes on.
    Continued,
}

struct Signals {
    terminate: Signal,
    hang_up: Signal,
    interrupt: Signal,
    go_on: Signal,
}

impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            go_on: signal(SignalKind::from_raw(signal_hook::consts::SIGCONT))?,
        })
    }

    async fn next(&mut self) -> Heard {
        tokio::select! {
            _ = self.terminate.recv() => Heard::End,
            _ = self.hang_up.recv() => Heard::End,
            _ = self.interrupt.recv() => Heard::End,
            _ = self.go_on.recv() => Heard::Continued,
        }
    }
}
