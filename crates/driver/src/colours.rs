//! What standard error and standard output can show: whether they are terminals, and whether there are colours.

use std::io::IsTerminal;

use crate::options::When;

/// Whether standard error is a terminal that can move its cursor.
pub fn has_terminal() -> bool {
    std::io::stderr().is_terminal() && !is_dumb()
}

fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term == "dumb")
}

/// Whether to write colours: as `--color` says; without it as the environment says, else on a terminal.
pub fn has_colours(asked: When, is_terminal: bool) -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    match asked {
        When::Always => true,
        When::Never => false,
        // Any text that is not empty counts for `NO_COLOR`.
        When::Auto if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) => false,
        When::Auto => is_set("CLICOLOR_FORCE") || is_terminal && !is_dumb(),
    }
}

/// The text in a colour, if there are colours.
pub fn paint(text: &str, colour: &str, has_colours: bool) -> String {
    if has_colours { format!("\x1b[1;{colour}m{text}\x1b[0m") } else { text.to_owned() }
}
