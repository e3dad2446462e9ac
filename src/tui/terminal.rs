//! The only code that changes terminal modes: enter, leave, suspend, copy; and the hook that leaves on a panic.
//!
//! Whatever was switched on is switched off again, in every way out. Nothing is asked of the terminal that could leave
//! us waiting, and its title is never touched.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

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

/// The terminal while we draw on it; leaves on drop.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<io::Stdout>>,
    mouse: bool,
}

impl Screen {
    /// Takes the screen over.
    pub(super) fn enter(mouse: bool) -> io::Result<Self> {
        hook_panics();
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
        leave();
        let result = run();
        enter_modes(&mut io::stdout(), self.mouse)?;
        self.forget()?;
        Ok(result)
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

/// On a panic the screen is given back before the message is printed, so that it can be read.
fn hook_panics() {
    static HOOKED: AtomicBool = AtomicBool::new(false);
    if HOOKED.swap(true, Ordering::SeqCst) {
        return;
    }
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
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
        let outcome = std::thread::spawn(|| panic!("planned")).join();
        assert!(outcome.is_err());
        assert!(!ENTERED.load(Ordering::SeqCst), "the hook did not leave the screen");
    }
}
