//! Signals that end the program, taken on a thread of their own: neither a Hermes that hangs nor a terminal that takes no
//! more output may keep it alive, and what we started ends with it.

use std::sync::Once;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::sources::child;
use crate::tui;

/// How long the terminal UI, which hears the same signals, may take to end by itself.
const GRACE: Duration = Duration::from_secs(2);

/// Starts listening, once. Needed where Hermes is started or a terminal is held; other verbs die as any program does.
pub(super) fn watch() {
    static WATCHING: Once = Once::new();
    WATCHING.call_once(|| {
        let ignored = ignored();
        let wanted = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
        // Without a thread to hear them, signals end the program as ever.
        if let Ok(mut signals) = Signals::new(wanted) {
            std::thread::spawn(move || signals.forever().for_each(end));
        }
    });
}

fn end(signal: i32) {
    // The user's editor has the terminal: its interrupts are not ours.
    if signal == SIGINT && tui::has_lent_terminal() {
        return;
    }
    if tui::is_running() {
        std::thread::sleep(GRACE);
    }
    child::end_all();
    tui::abandon_terminal();
    // Ends the process as the signal does by itself, which is what whoever waits for it is told.
    let _ = emulate_default_handler(signal);
}

/// The signals whoever started us wants ignored (`nohup`), as bits; none where the system does not say.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}
