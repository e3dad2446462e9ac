//! The real program in a real pseudo-terminal: what a person's terminal shows, and what is left of it afterwards.
//!
//! Nothing sleeps: each step waits until the screen shows what it must.

#![cfg(unix)]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program running in a terminal of its own.
pub(crate) struct Session {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    parser: vt100::Parser,
    /// Everything written so far.
    raw: Vec<u8>,
}

/// A folder of its own for home, config, cache and state.
struct Folders {
    root: tempfile::TempDir,
}

impl Folders {
    fn new() -> Self {
        Self { root: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn command(&self, args: &[&str]) -> CommandBuilder {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_hermes-tools"));
        command.args(args);
        command.env_clear();
        for (name, value) in
            [("HOME", "home"), ("XDG_CONFIG_HOME", "config"), ("XDG_CACHE_HOME", "cache"), ("XDG_STATE_HOME", "state")]
        {
            command.env(name, self.path(value));
        }
        command.env("PATH", self.path("no-programs"));
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.cwd(self.root.path());
        command
    }

    /// A Hermes home with this config, and a catalog file of what the sample has.
    fn home(&self, config: &str) -> (PathBuf, Vec<String>) {
        let home = self.path("hermes");
        std::fs::create_dir(&home).unwrap();
        let file = home.join("config.yaml");
        std::fs::write(&file, config).unwrap();
        let catalog = self.path("catalog.json");
        let document = serde_json::to_vec(&hermes_tools::sources::sample::catalog()).unwrap();
        std::fs::write(&catalog, document).unwrap();
        let text = |path: &Path| path.display().to_string();
        (file, vec!["--hermes-home".into(), text(&home), "--catalog".into(), text(&catalog)])
    }
}

impl Session {
    pub(crate) fn start(command: CommandBuilder, cols: u16, rows: u16) -> Self {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(count) = reader.read(&mut buffer) {
                if count == 0 || sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            writer: pair.master.take_writer().unwrap(),
            master: pair.master,
            child,
            output,
            parser: vt100::Parser::new(cells(rows), cells(cols), 0),
            raw: Vec::new(),
        }
    }

    /// Takes output until the condition holds.
    fn wait(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        self.wait_within(PATIENCE, what, holds);
    }

    /// The same, for a program that needs its time.
    pub(crate) fn wait_within(&mut self, patience: Duration, what: &str, holds: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + patience;
        while !holds(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "no {what} in time; the screen:\n{}", self.parser.screen().contents());
            if let Ok(bytes) = self.output.recv_timeout(left.min(Duration::from_millis(100))) {
                self.parser.process(&bytes);
                self.raw.extend(bytes);
            }
        }
    }

    #[cfg(feature = "real-hermes")]
    pub(crate) fn screen(&self) -> String {
        self.parser.screen().contents()
    }

    fn shows(&mut self, text: &str) {
        self.wait(text, |session| session.parser.screen().contents().contains(text));
    }

    fn hides(&mut self, text: &str) {
        self.wait(&format!("screen without {text}"), |session| !session.parser.screen().contents().contains(text));
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let pid = i32::try_from(self.child.process_id().unwrap()).unwrap();
        rustix::process::kill_process(rustix::process::Pid::from_raw(pid).unwrap(), signal).unwrap();
    }

    /// Waits for the end; returns the exit code and what the terminal was left like.
    fn end(&mut self) -> u32 {
        let deadline = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(
                Instant::now() < deadline,
                "the program does not end; the screen:\n{}",
                self.parser.screen().contents()
            );
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(20)) {
                self.parser.process(&bytes);
                self.raw.extend(bytes);
            }
        };
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(300)) {
            self.parser.process(&bytes);
            self.raw.extend(bytes);
        }
        status.exit_code()
    }

    fn assert_restored(&self) {
        let screen = self.parser.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is still on");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is still captured");
        assert!(!screen.bracketed_paste(), "bracketed paste is still on");
        assert!(!screen.hide_cursor(), "the cursor is still hidden");
        let text = String::from_utf8_lossy(&self.raw);
        assert!(!text.contains("\u{1b}]0;") && !text.contains("\u{1b}]2;"), "the title was touched");
    }

    /// The row the text stands on.
    fn row_of(&self, text: &str) -> u16 {
        let screen = self.parser.screen();
        let found = screen.rows(0, screen.size().1.get()).position(|row| row.contains(text));
        u16::try_from(found.unwrap_or_else(|| panic!("{text} is not on screen"))).unwrap()
    }
}

fn cells(count: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(count).unwrap()
}

fn sample(folders: &Folders) -> Session {
    Session::start(folders.command(&["--sample"]), 100, 30)
}

const CONFIG: &str = "# mine\nplatform_toolsets:\n  cli: [web, browser, terminal]   # what I use\nmodel: x\n";

fn home_session(folders: &Folders) -> (PathBuf, Session) {
    let (file, args) = folders.home(CONFIG);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    (file, Session::start(folders.command(&args), 100, 30))
}

#[test]
fn it_starts_shows_the_sample_and_quits_leaving_the_terminal_as_it_was() {
    let folders = Folders::new();
    let mut session = sample(&folders);
    session.shows("Toolsets");
    session.shows("sample");
    assert!(session.parser.screen().alternate_screen());
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_restored();
}

#[test]
fn a_switch_is_reviewed_saved_and_changes_only_its_bytes() {
    let folders = Folders::new();
    let (file, mut session) = home_session(&folders);
    session.shows("browser");
    session.press("/browser");
    session.shows("enter keeps");
    session.press("\r");
    session.hides("enter keeps");
    session.press(" ");
    session.shows("1 unsaved");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), CONFIG, "nothing is written before the save");
    session.press("\x13");
    session.shows("enter saves");
    session.shows("browser off for cli");
    session.press("\r");
    session.shows("Saved 1");
    session.press("q");
    assert_eq!(session.end(), 0);
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.starts_with("# mine\nplatform_toolsets:\n  cli: [web, terminal]   # what I use\n"), "{saved}");
    assert!(saved.contains("\nmodel: x\n"), "{saved}");
}

#[test]
fn quitting_without_saving_asks_and_leaves_the_bytes() {
    let folders = Folders::new();
    let (file, mut session) = home_session(&folders);
    session.shows("browser");
    session.press("j ");
    session.shows("1 unsaved");
    session.press("q");
    session.shows("Quit with unsaved switches?");
    session.press("y");
    assert_eq!(session.end(), 0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), CONFIG);
    session.assert_restored();
}

#[test]
fn two_interrupts_quit_and_the_draft_is_offered_at_the_next_start() {
    let folders = Folders::new();
    let (file, args) = folders.home(CONFIG);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut session = Session::start(folders.command(&args), 100, 30);
    session.shows("browser");
    session.press("j ");
    session.shows("1 unsaved");
    session.press("\x03");
    session.shows("ctrl-c again");
    session.press("\x03");
    assert_eq!(session.end(), 0);
    session.assert_restored();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), CONFIG);
    let mut session = Session::start(folders.command(&args), 100, 30);
    session.shows("Unsaved switches from last time");
    session.press("y");
    session.shows("1 unsaved");
    session.press("u");
    session.shows("nothing unsaved");
    session.press("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn signals_end_it_and_restore_the_terminal() {
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::HUP, rustix::process::Signal::INT] {
        let folders = Folders::new();
        let mut session = sample(&folders);
        session.shows("Toolsets");
        session.signal(signal);
        session.end();
        session.assert_restored();
    }
}

#[test]
fn a_terminal_that_goes_away_ends_it() {
    let folders = Folders::new();
    let mut session = sample(&folders);
    session.shows("Toolsets");
    let Session { mut child, master, writer, output, .. } = session;
    drop((master, writer, output));
    let deadline = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "it runs on without a terminal");
        std::thread::yield_now();
    }
}

#[test]
fn without_colour_the_focused_row_is_reversed_and_no_colour_is_written() {
    let folders = Folders::new();
    let mut command = folders.command(&["--sample"]);
    command.env("NO_COLOR", "1");
    let mut session = Session::start(command, 100, 30);
    session.shows("Toolsets");
    session.press("j");
    // Header, column heads, the heading and the first toolset come before it.
    session.wait("the second toolset in focus", |session| {
        let screen = session.parser.screen();
        screen.cursor_position() == (4, 2) && screen.cell(4, 45).is_some_and(vt100::Cell::inverse)
    });
    let screen = session.parser.screen();
    let (row, _) = screen.cursor_position();
    for col in 0..40 {
        assert!(screen.cell(row, col).unwrap().inverse(), "column {col} of row {row}");
    }
    for row in 0..30 {
        for col in 0..100 {
            let cell = screen.cell(row, col).unwrap();
            assert_eq!((cell.fgcolor(), cell.bgcolor()), (vt100::Color::Default, vt100::Color::Default));
        }
    }
    session.press("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn a_resize_redraws_and_keeps_the_draft() {
    let folders = Folders::new();
    let mut session = sample(&folders);
    session.shows("Toolsets");
    session.press("j ");
    session.shows("1 unsaved");
    for (cols, rows, text) in [(60, 20, "1 unsaved"), (20, 5, "Too small"), (120, 40, "1 unsaved")] {
        session.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        session.parser.screen_mut().set_size(cells(rows), cells(cols));
        session.shows(text);
    }
    session.press("u");
    session.shows("nothing unsaved");
    session.press("q");
    assert_eq!(session.end(), 0);
}

#[test]
fn the_wheel_and_clicks_work_and_can_be_given_back() {
    let folders = Folders::new();
    let mut session = sample(&folders);
    session.shows("Toolsets");
    assert_ne!(session.parser.screen().mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    let row = session.row_of("[x] ") + 1;
    session.press(&format!("\x1b[<0;3;{row}M\x1b[<0;3;{row}m"));
    session.shows("1 unsaved");
    // Beyond the edge: nothing happens, nothing breaks.
    session.press("\x1b[<0;500;500M\x1b[<0;500;500m");
    session.press("m");
    session.wait("the mouse given back", |session| {
        session.parser.screen().mouse_protocol_mode() == vt100::MouseProtocolMode::None
    });
    session.press("uq");
    assert_eq!(session.end(), 0);
}

/// The program as a job of a shell that has job control, as at a prompt: after a stop the shell says so, and a line
/// brings the job back.
fn job_of_a_shell(folders: &Folders) -> Session {
    let script = r#"set -m; "$0" --sample; echo the job stopped; read -r line; fg"#;
    let mut command = folders.command(&[]);
    let program = command.get_argv()[0].clone();
    *command.get_argv_mut() = ["/bin/sh".into(), "-c".into(), script.into(), program].to_vec();
    Session::start(command, 100, 30)
}

#[test]
fn suspending_gives_the_terminal_back_and_continuing_takes_it_again() {
    let folders = Folders::new();
    let mut session = job_of_a_shell(&folders);
    session.shows("Toolsets");
    session.press("\x1a");
    session.shows("the job stopped");
    assert!(!session.parser.screen().alternate_screen());
    session.press("\r");
    session.shows("Toolsets");
    assert!(session.parser.screen().alternate_screen());
    session.press("j ");
    session.shows("1 unsaved");
    session.press("uq");
    assert_eq!(session.end(), 0);
    session.assert_restored();
}

#[test]
fn suspending_where_no_shell_could_continue_it_goes_on() {
    let folders = Folders::new();
    let mut session = sample(&folders);
    session.shows("Toolsets");
    session.press("\x1aj ");
    session.shows("1 unsaved");
    session.press("uq");
    assert_eq!(session.end(), 0);
}

#[test]
fn after_a_stop_from_outside_everything_is_painted_again() {
    let folders = Folders::new();
    let mut session = sample(&folders);
    session.shows("Toolsets");
    session.signal(rustix::process::Signal::STOP);
    let stat = format!("/proc/{}/stat", session.child.process_id().unwrap());
    session.wait("the stop", |_| std::fs::read_to_string(&stat).unwrap().contains(") T "));
    // Whoever has the terminal meanwhile leaves another screen, and other modes.
    session.parser.process(b"\x1b[?1049l\x1b[?2004l\x1b[2Jsomebody else's words");
    session.signal(rustix::process::Signal::CONT);
    session.shows("Toolsets");
    session.hides("somebody else's words");
    assert!(session.parser.screen().alternate_screen() && session.parser.screen().bracketed_paste());
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_restored();
}

#[test]
fn a_signal_ends_it_although_the_terminal_takes_nothing_any_more() {
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::HUP] {
        let folders = Folders::new();
        // Far more cells than a terminal nobody reads takes.
        let size = PtySize { rows: 300, cols: 500, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut child = pair.slave.spawn_command(folders.command(&["--sample"])).unwrap();
        drop(pair.slave);
        // Something has been drawn, so it listens; the rest is never read.
        let mut reader = pair.master.try_clone_reader().unwrap();
        reader.read_exact(&mut [0; 64]).unwrap();
        let pid = rustix::process::Pid::from_raw(i32::try_from(child.process_id().unwrap()).unwrap()).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
        let deadline = Instant::now() + PATIENCE;
        while child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "it runs on");
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_mistake_in_the_settings_is_said_and_costs_only_itself() {
    let folders = Folders::new();
    std::fs::create_dir_all(folders.path("config/hermes-tools")).unwrap();
    std::fs::write(folders.path("config/hermes-tools/config.toml"), "[keys]\nnonsense = \"x\"\nquit = \"ctrl-q\"\n")
        .unwrap();
    let mut session = sample(&folders);
    session.shows("'nonsense' is no action");
    session.press("?");
    session.shows("Keys and what they do");
    session.press("quit");
    session.shows("ctrl-q");
    session.press("\x1b");
    session.hides("Keys and what they do");
    session.press("\x11");
    assert_eq!(session.end(), 0);
}

/// The first start ever beside a real Hermes: nothing is kept yet, the sample stands in until Hermes answers, and then
/// everything can be switched and saved, by that version's rules.
#[cfg(feature = "real-hermes")]
fn first_start_beside(version: &str, config: &str, kept: &str) {
    let folders = Folders::new();
    let home = folders.path("hermes");
    std::fs::create_dir(&home).unwrap();
    let file = home.join("config.yaml");
    std::fs::write(&file, config).unwrap();
    let launcher = crate::installs::launcher(version).display().to_string();
    let home = home.display().to_string();
    let mut session = Session::start(folders.command(&["--hermes", &launcher, "--hermes-home", &home]), 120, 40);
    session.shows("confirmed");
    session.press("/browser");
    session.shows("enter keeps");
    session.press("\r");
    session.hides("enter keeps");
    session.press(" ");
    session.shows("1 unsaved");
    session.press("\x13");
    session.shows("enter saves");
    session.press("\r");
    session.shows("Saved 1");
    session.press("q");
    assert_eq!(session.end(), 0);
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.contains(kept), "{saved}");
    assert!(!saved.contains("browser, web"), "{saved}");
}

#[cfg(feature = "real-hermes")]
#[test]
fn a_first_start_beside_hermes_0_19_reads_the_file_as_it_does_and_saves() {
    // Equal keys: the last one counts here, and would be an error to the sample's rules.
    first_start_beside(
        "v19",
        "x: 1\nplatform_toolsets:\n  cli: [browser, web]  # mine\nx: 2\n",
        "  cli: [web]  # mine\nx: 2\n",
    );
}

#[cfg(feature = "real-hermes")]
#[test]
fn a_first_start_beside_hermes_0_22_can_switch_and_save() {
    first_start_beside("v22", "platform_toolsets:\n  cli: [browser, web]  # mine\n", "  cli: [web]  # mine\n");
}

#[test]
fn a_server_that_is_asked_ends_with_us() {
    let folders = Folders::new();
    let script = folders.path("deaf.sh");
    std::fs::write(&script, "trap '' TERM HUP\nsleep 300 &\nread -r _\nsleep 300\n").unwrap();
    let config = format!(
        "mcp_servers:\n  deaf: {{command: /bin/sh, args: ['{}'], env: {{PATH: /usr/bin:/bin}}}}\n",
        script.display()
    );
    let (_, args) = folders.home(&config);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let runs = || {
        let all = std::fs::read_dir("/proc").unwrap().flatten();
        let words = all.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
        let name = script.display().to_string();
        words.filter(|words| String::from_utf8_lossy(words).contains(&name)).count()
    };
    let ask = |session: &mut Session| {
        session.shows("deaf");
        session.press("/deaf");
        session.shows("enter keeps");
        session.press("\r");
        session.hides("enter keeps");
        session.press("r");
        session.shows("Being asked now");
        session.wait("running server", |_| runs() > 0);
    };
    let mut session = Session::start(folders.command(&args), 100, 30);
    ask(&mut session);
    session.press("r");
    session.shows("called off");
    session.wait("end of the server", |_| runs() == 0);
    session.press("r");
    session.wait("running server", |_| runs() > 0);
    session.press("q");
    assert_eq!(session.end(), 0);
    session.assert_restored();
    assert_eq!(runs(), 0);
    let mut session = Session::start(folders.command(&args), 100, 30);
    ask(&mut session);
    session.signal(rustix::process::Signal::TERM);
    session.wait("end of the server", |_| runs() == 0);
}
