//! The only code that changes terminal modes: enter, leave, suspend, copy; and the hook that leaves on a panic.
//!
//! Whatever was switched on is switched off again, in every way out. Nothing is asked of the terminal that could leave
//! us waiting, and its title is never touched.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, KeyboardEnhancementFlags,
    PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};
use crossterm::{cursor, execute, queue};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::{Rect, Size};
use ratatui::{Terminal, TerminalOptions, Viewport};

/// The screen is ours at the moment.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// Another program has it for a while.
static LENT: AtomicBool = AtomicBool::new(false);

/// The thread that draws.
static DRAWS: Mutex<Option<ThreadId>> = Mutex::new(None);

/// How long a terminal that takes output may take for a few bytes.
const TAKES_WITHIN: Duration = Duration::from_millis(200);

/// How long the system may take to stop a process that was told to.
const STOPS_WITHIN: Duration = Duration::from_millis(300);

/// The terminal while we draw on it; leaves on drop.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<io::Stdout>>,
    mouse: bool,
}

impl Screen {
    /// Takes the screen over.
    pub(super) fn enter(mouse: bool) -> io::Result<Self> {
        hook_panics();
        *DRAWS.lock().unwrap_or_else(PoisonError::into_inner) = Some(std::thread::current().id());
        enter_modes(&mut io::stdout(), mouse)?;
        let terminal = fixed_terminal().inspect_err(|_| leave())?;
        Ok(Self { terminal, mouse })
    }

    /// The size the terminal has now; the next draw is for the size [`Self::forget`] found last.
    pub(super) fn size(&self) -> io::Result<Size> {
        self.terminal.size()
    }

    /// Draws one frame as a whole: a terminal that understands shows no half of it.
    pub(super) fn draw(&mut self, render: impl FnOnce(&mut ratatui::Frame<'_>)) -> io::Result<()> {
        queue!(io::stdout(), BeginSynchronizedUpdate)?;
        let drawn = self.terminal.draw(render).map(|_| ());
        execute!(io::stdout(), EndSynchronizedUpdate)?;
        drawn
    }

    /// Paints everything again with the next draw, at the size the terminal has now.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        execute!(io::stdout(), crossterm::terminal::Clear(crossterm::terminal::ClearType::All))?;
        self.terminal = fixed_terminal()?;
        Ok(())
    }

    pub(super) fn set_mouse(&mut self, mouse: bool) -> io::Result<()> {
        self.mouse = mouse;
        if mouse { execute!(io::stdout(), EnableMouseCapture) } else { execute!(io::stdout(), DisableMouseCapture) }
    }

    /// Gives the screen back while something else runs, then takes it again.
    pub(super) fn lend<T>(&mut self, run: impl FnOnce() -> T) -> io::Result<T> {
        LENT.store(true, Ordering::SeqCst);
        leave();
        let result = run();
        LENT.store(false, Ordering::SeqCst);
        enter_modes(&mut io::stdout(), self.mouse)?;
        self.forget()?;
        Ok(result)
    }

    /// Takes the screen again after a stop from outside: whoever had it meanwhile left it in another state.
    pub(super) fn retake(&mut self) -> io::Result<()> {
        self.lend(|| ())
    }

    /// Copies through the terminal (OSC 52), which works over SSH too.
    pub(super) fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(io::stdout(), crossterm::clipboard::CopyToClipboard::to_clipboard_from(text))
    }
}

/// A terminal of the present size that never resizes by itself. ratatui's own resize and `clear` ask the terminal where
/// its cursor is: one that does not answer would keep us waiting, and a resize in the middle of a draw would end us.
fn fixed_terminal() -> io::Result<Terminal<CrosstermBackend<io::Stdout>>> {
    let (columns, rows) = crossterm::terminal::size()?;
    let viewport = Viewport::Fixed(Rect::new(0, 0, columns, rows));
    Terminal::with_options(CrosstermBackend::new(io::stdout()), TerminalOptions { viewport })
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

fn enter_modes(out: &mut impl Write, mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    ENTERED.store(true, Ordering::SeqCst);
    let entered = (|| {
        // A mode some program left on would send us reports as text: off first.
        queue!(out, EnterAlternateScreen, DisableMouseCapture, EnableBracketedPaste)?;
        // Terminals without it ignore the request; asking first could hang on those that never answer.
        queue!(out, PushKeyboardEnhancementFlags(KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES))?;
        if mouse {
            queue!(out, EnableMouseCapture)?;
        }
        out.flush()
    })();
    entered.inspect_err(|_| leave())
}

fn leave_modes(out: &mut impl Write) -> io::Result<()> {
    queue!(
        out,
        EndSynchronizedUpdate,
        DisableMouseCapture,
        PopKeyboardEnhancementFlags,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show
    )?;
    out.flush()
}

/// Gives the screen back, once; does nothing when it is not ours. A terminal that is gone cannot be told, and that is
/// no error.
pub(super) fn leave() {
    if ENTERED.swap(false, Ordering::SeqCst) {
        let _ = leave_modes(&mut io::stdout());
        let _ = disable_raw_mode();
    }
}

/// Whether [`Screen::lend`] runs something.
pub fn has_lent_terminal() -> bool {
    LENT.load(Ordering::SeqCst)
}

/// Gives the screen back from another thread than the drawing one, which may wait for a terminal that takes nothing:
/// waits for it no longer than a moment.
pub fn abandon_terminal() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    let (done, told) = mpsc::channel();
    // Not through `stdout()`: the drawing thread holds its lock.
    std::thread::spawn(move || {
        let mut codes = Vec::new();
        let left = leave_modes(&mut codes);
        let terminal = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
        if let (Ok(()), Ok(terminal)) = (left, terminal) {
            let _ = std::fs::File::from(terminal).write_all(&codes);
        }
        let _ = done.send(());
    });
    let _ = told.recv_timeout(TAKES_WITHIN);
    let _ = disable_raw_mode();
}

/// Stops the job as the terminal's own ctrl-z would; returns when it was continued. Where no shell could continue it
/// (the program leads its session), the system ignores that, and this returns at once.
pub(super) fn stop() -> io::Result<()> {
    let continued = Arc::new(AtomicBool::new(false));
    let heard = signal_hook::flag::register(signal_hook::consts::SIGCONT, Arc::clone(&continued))?;
    rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
    let told = Instant::now();
    while !continued.load(Ordering::SeqCst) && told.elapsed() < STOPS_WITHIN {
        std::thread::sleep(Duration::from_millis(5));
    }
    signal_hook::low_level::unregister(heard);
    Ok(())
}

/// On a panic of the drawing thread the screen is given back before the message is printed, so that it can be read. One
/// of a task beside it ends only that task, which is reported on the screen; the screen stays.
fn hook_panics() {
    static HOOKED: AtomicBool = AtomicBool::new(false);
    if HOOKED.swap(true, Ordering::SeqCst) {
        return;
    }
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let draws = *DRAWS.lock().unwrap_or_else(PoisonError::into_inner) == Some(std::thread::current().id());
        if !draws && ENTERED.load(Ordering::SeqCst) {
            return;
        }
        leave();
        before(info);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaving_switches_off_all_that_entering_switches_on() {
        let mut entered = Vec::new();
        queue!(
            entered,
            EnterAlternateScreen,
            EnableBracketedPaste,
            PushKeyboardEnhancementFlags(KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES),
            EnableMouseCapture
        )
        .expect("writes to memory");
        let mut left = Vec::new();
        leave_modes(&mut left).expect("writes to memory");
        let (entered, left) = (String::from_utf8_lossy(&entered), String::from_utf8_lossy(&left));
        for mode in ["?1049", "?2004", "?1000", "?1002", "?1003", "?1006"] {
            assert!(entered.contains(&format!("{mode}h")), "{mode} is not switched on");
            assert!(left.contains(&format!("{mode}l")), "{mode} stays on");
        }
        assert!(entered.contains("[>1u") && left.contains("[<1u"), "the keyboard mode is pushed and popped");
        assert!(left.contains("?25h"), "the cursor stays hidden");
        assert!(!entered.contains("\u{1b}]") && !left.contains("\u{1b}]"), "no title is set");
    }

    #[test]
    fn a_panic_gives_the_screen_back_before_its_message() {
        ENTERED.store(true, Ordering::SeqCst);
        hook_panics();
        // A task beside the drawing thread leaves the screen alone.
        assert!(std::thread::spawn(|| panic!("planned")).join().is_err());
        assert!(ENTERED.load(Ordering::SeqCst), "a task's panic took the screen away");
        let drawing = std::thread::spawn(|| {
            *DRAWS.lock().expect("is whole") = Some(std::thread::current().id());
            panic!("planned")
        });
        assert!(drawing.join().is_err());
        assert!(!ENTERED.load(Ordering::SeqCst), "the hook did not leave the screen");
    }
}
