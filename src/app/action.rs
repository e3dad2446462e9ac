//! What a person can ask for, by name. Help, palette and key map are generated from this one table.

use super::modal::Modal;
use super::state::State;

macro_rules! actions {
    ($($variant:ident, $name:literal, $group:ident, $title:literal, $help:literal;)*) => {
        /// A wish, as a key, a click or the palette expresses it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action { $($variant),* }

        impl Action {
            /// Every action, in the order help shows them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name in a key configuration.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The section of the help it belongs to.
            pub fn group(self) -> Group {
                match self { $(Self::$variant => Group::$group),* }
            }

            /// A few words: hints and lists.
            pub fn title(self) -> &'static str {
                match self { $(Self::$variant => $title),* }
            }

            /// One sentence.
            pub fn help(self) -> &'static str {
                match self { $(Self::$variant => $help),* }
            }
        }
    };
}

/// Sections of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    Switch,
    Save,
    Look,
    Move,
    Program,
}

impl Group {
    pub fn title(self) -> &'static str {
        match self {
            Self::Switch => "Switching",
            Self::Save => "Saving",
            Self::Look => "Looking",
            Self::Move => "Moving",
            Self::Program => "Program",
        }
    }
}

actions! {
    Toggle, "toggle", Switch, "toggle", "Switches the focused toolset, server or server tool on or off on this platform.";
    ToggleGroup, "toggle-group", Switch, "toggle all shown", "Switches every shown row like the focused one: all on, or all off when they are on.";
    Mark, "mark", Switch, "mark rows", "Begins to mark rows: moving marks more, toggle switches all of them at once, back ends it.";
    ToggleEverywhere, "toggle-everywhere", Switch, "switch everywhere", "Switches the focused server on or off for every platform (its enabled flag).";
    Undo, "undo", Switch, "undo", "Takes the last switch back.";
    Redo, "redo", Switch, "redo", "Makes an undone switch again.";
    Review, "review", Save, "review", "Shows what would change, in names, figures and text, before anything is written.";
    Confirm, "confirm", Save, "confirm", "Takes the offered choice: saves in the review, opens the chosen entry in a list.";
    UndoSave, "undo-save", Save, "undo last save", "Puts the file back as it was before the last save of this session.";
    Discard, "discard", Save, "discard draft", "Forgets every unsaved switch.";
    Copy, "copy", Save, "copy command", "Copies the command line that would make the same switches.";
    OpenEditor, "open-editor", Save, "open in editor", "Opens config.yaml in your editor and reads it again afterwards.";
    Open, "open", Look, "details", "Opens or closes a row, or its details where the window is narrow.";
    Preview, "preview", Look, "what the model sees", "Shows the array tool by tool, the listing of deferred tools, and how far it is to another form.";
    Savings, "savings", Look, "what switching off saves", "Says for everything that is on what switching it off alone would save, and why it may save nothing.";
    Settings, "settings", Look, "tool search settings", "Shows and changes when tools are deferred, how they are listed, and what that does at once.";
    Lab, "lab", Look, "search lab", "Shows what the model would find behind the bridge, and why a tool is not found.";
    Advice, "advice", Look, "advice", "Says, with numbers, whether this set-up should use the bridge and what would change that.";
    Presets, "presets", Switch, "presets", "Switches everything as a preset has it, or keeps what is on under a name.";
    Reset, "reset", Switch, "back to default", "Takes the focused setting out of the file, so that Hermes' own counts.";
    NextPage, "next-page", Look, "next page", "Turns to the next page of a view.";
    PreviousPage, "previous-page", Look, "previous page", "Turns to the page before.";
    Filter, "filter", Look, "filter", "Narrows the rows while you type: letters in order, !word, is:on, is:off, server:, toolset:, >500.";
    NextPlatform, "next-platform", Look, "next platform", "Shows the next platform.";
    PreviousPlatform, "previous-platform", Look, "previous platform", "Shows the platform before this one.";
    PickPlatform, "pick-platform", Look, "platforms", "Chooses the platform to show.";
    PickProfile, "pick-profile", Look, "profiles", "Chooses another Hermes profile.";
    PickTheme, "pick-theme", Look, "themes", "Chooses the colours.";
    Probe, "probe", Look, "ask server", "Starts or reaches the focused MCP server, asks for its tools and ends it; again while it is asked: calls that off.";
    Refresh, "refresh", Look, "ask Hermes again", "Asks Hermes again what exists and what is sent.";
    Log, "log", Look, "messages", "Shows the messages of this session.";
    Down, "down", Move, "down", "Moves to the next row.";
    Up, "up", Move, "up", "Moves to the row before.";
    PageDown, "page-down", Move, "page down", "Moves a page down.";
    PageUp, "page-up", Move, "page up", "Moves a page up.";
    HalfPageDown, "half-page-down", Move, "half page down", "Moves half a page down.";
    HalfPageUp, "half-page-up", Move, "half page up", "Moves half a page up.";
    Top, "top", Move, "top", "Moves to the first row.";
    Bottom, "bottom", Move, "bottom", "Moves to the last row.";
    Expand, "expand", Move, "open row", "Shows the tools of a toolset or server.";
    Collapse, "collapse", Move, "close row", "Hides them, or moves to the row above them.";
    ExpandAll, "expand-all", Move, "open all", "Shows every tool; again hides them.";
    DetailDown, "detail-down", Move, "scroll details down", "Scrolls the details without leaving the list.";
    DetailUp, "detail-up", Move, "scroll details up", "Scrolls the details without leaving the list.";
    Back, "back", Program, "back", "Closes the top layer, then the filter. Never quits.";
    Help, "help", Program, "help", "Lists every key that works, with what it does.";
    Palette, "palette", Program, "commands", "Finds any action by name and runs it.";
    Mouse, "mouse", Program, "mouse on or off", "Gives the mouse back to the terminal, for selecting text, or takes it again.";
    Redraw, "redraw", Program, "redraw", "Paints the whole screen again.";
    Suspend, "suspend", Program, "suspend", "Puts the program in the background; `fg` brings it back.";
    Interrupt, "interrupt", Program, "cancel, twice quits", "Closes what is open; with nothing open a second press within a second quits and keeps the draft.";
    Quit, "quit", Program, "quit", "Quits; asks first when there are unsaved switches.";
}

impl Action {
    /// Finds an action by its configuration name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| action.name() == name)
    }

    /// Whether it would do something now, or in words why not.
    pub fn available(self, state: &State) -> Result<(), String> {
        let no = |reason: &str| Err(reason.to_owned());
        match self {
            Self::Review | Self::Discard if state.draft.is_empty() => no("there is nothing unsaved"),
            Self::Copy if matches!(state.modals.last(), Some(Modal::Sheet(_) | Modal::Advice { .. })) => Ok(()),
            Self::Reset if !matches!(state.modals.last(), Some(Modal::Settings(_))) => no("no setting is in focus"),
            Self::NextPage | Self::PreviousPage
                if !matches!(state.modals.last(), Some(Modal::Sheet(_) | Modal::Settings(_))) =>
            {
                no("no view with pages is open")
            }
            Self::Copy if state.draft.is_empty() => no("there is nothing unsaved to copy as a command"),
            Self::Undo if !state.history.can_undo() => no("there is nothing to undo"),
            Self::Redo if !state.history.can_redo() => no("there is nothing to redo"),
            Self::UndoSave if !state.can_undo_save => no("nothing was saved in this session"),
            Self::Toggle | Self::ToggleGroup | Self::ToggleEverywhere | Self::Reset => {
                state.read_only.as_ref().map_or(Ok(()), |reason| Err(reason.clone()))
            }
            Self::Confirm
                if !state.filter.typing
                    && matches!(state.modals.last(), None | Some(Modal::Log { .. } | Modal::Detail)) =>
            {
                no("nothing asks for an answer")
            }
            Self::PickProfile if state.place.profiles.len() < 2 => no("there is only one profile"),
            Self::OpenEditor if state.place.sample => no("the sample has no file"),
            _ => Ok(()),
        }
    }
}
