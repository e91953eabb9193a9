//! The manual page, made from the tables of commands and options.
//!
//! In the macros of `man`: `.SH` a section, `.SS` a part of it, `.TP` a term with its explanation, `.EX` an example.

use crate::commands::{COMMANDS, CommandSpec};
use crate::options::{Effect, OPTIONS, OptionSpec};

/// The whole page.
pub fn page() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(
        ".TH UFORIA 1 \"\" \"uforia {version}\" \"User Commands\"\n\
         .SH NAME\n\
         uforia \\- a software model checker\n\
         .SH SYNOPSIS\n\
         .B uforia\n\
         .RI [ command ]\n\
         .IR file .\\|.\\|.\n\
         .RI [ options ]\n\
         .SH DESCRIPTION\n\
         Reads a program with an error call and answers whether that call can be reached:\n\
         .B SAFE\n\
         with an invariant that was checked,\n\
         .B UNSAFE\n\
         with an input that drives the program into the error, or\n\
         .B UNKNOWN\n\
         with the reason. The last line of standard output is the answer.\n\
         Without a command the command is\n\
         .BR check .\n\
         .PP\n\
         The language is told by the extension: .c and .i (C), .bpl (Boogie), .vmt and .smt2 (VMT), .btor and .btor2 (BTOR2), .cfa\n\
         (uforia's text form). A file named \\- is C on standard input. Task definitions (.yml) and folders stand for all their tasks.\n\
         .SH COMMANDS\n"
    );
    for spec in COMMANDS {
        push_command(&mut text, spec);
    }
    text.push_str(".SH EXIT STATUS\n");
    for (code, meaning) in EXIT_CODES {
        text.push_str(&format!(".TP\n.B {code}\n{}\n", escaped(meaning)));
    }
    text.push_str(
        ".SH ENVIRONMENT\n\
         .TP\n.B CC\nThe C compiler whose preprocessor reads files with directives.\n\
         .TP\n.B NO_COLOR\nIf set, nothing is printed in colours.\n\
         .TP\n.B SOURCE_DATE_EPOCH\nThe time that witnesses carry, in seconds since 1970.\n",
    );
    text
}

/// What `check` ends with.
const EXIT_CODES: &[(&str, &str)] = &[
    ("0", "SAFE; for other commands: done"),
    ("1", "UNSAFE"),
    ("2", "UNKNOWN: a limit, an interruption, something that cannot be treated soundly"),
    ("64", "the command line is wrong, or asks for a part that is not built yet"),
    ("65", "the input is not a valid program; the diagnostics are on standard error"),
    ("66", "a file cannot be read, or there is no C compiler"),
    ("70", "a bug of uforia: please report it"),
    ("74", "the output cannot be written"),
];

fn push_command(text: &mut String, spec: &CommandSpec) {
    text.push_str(&format!(".SS \"uforia {} {}\"\n", spec.name, escaped(spec.arguments)));
    for (index, paragraph) in spec.description.split("\n\n").enumerate() {
        if index > 0 {
            text.push_str(".PP\n");
        }
        text.push_str(&format!("{}\n", escaped(paragraph)));
    }
    let is_built = |option: &&OptionSpec| !matches!(option.effect, Effect::NotBuilt(..));
    for option in OPTIONS.iter().filter(|option| option.on.contains(&spec.command)).filter(is_built) {
        let long = format!("\\fB\\-\\-{}\\fR", escaped(option.long));
        let short = option.short.map_or(String::new(), |letter| format!("\\fB\\-{letter}\\fR, "));
        let value = match option.effect {
            Effect::Value(name, _) => format!(" \\fI{}\\fR", escaped(name)),
            _ => String::new(),
        };
        text.push_str(&format!(".TP\n{short}{long}{value}\n{}\n", escaped(option.help)));
    }
    text.push_str(".PP\nExamples:\n");
    for (line, what) in spec.examples {
        text.push_str(&format!(".PP\n.EX\n{}\n.EE\n.RS 4\n{}\n.RE\n", escaped(line), escaped(what)));
    }
}

/// Text that means itself: no line is a request, and a dash is the dash of command lines.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for line in text.split('\n') {
        if !escaped.is_empty() {
            escaped.push('\n');
        }
        if line.starts_with(['.', '\'']) {
            escaped.push_str("\\&");
        }
        for c in line.chars() {
            match c {
                '\\' => escaped.push_str("\\e"),
                '-' => escaped.push_str("\\-"),
                '\'' => escaped.push_str("\\(aq"),
                '`' => escaped.push_str("\\(ga"),
                '~' => escaped.push_str("\\(ti"),
                '^' => escaped.push_str("\\(ha"),
                '"' => escaped.push_str("\\(dq"),
                '…' => escaped.push_str(".\\|.\\|."),
                c => escaped.push(c),
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_every_command_and_every_option() {
        let page = page();
        for spec in COMMANDS {
            assert!(page.contains(&format!(".SS \"uforia {} ", spec.name)), "{}", spec.name);
        }
        for option in OPTIONS.iter().filter(|option| !matches!(option.effect, Effect::NotBuilt(..))) {
            assert!(page.contains(&format!("\\-\\-{}", escaped(option.long))), "--{}", option.long);
        }
        for (code, _) in EXIT_CODES {
            assert!(page.contains(&format!(".B {code}\n")));
        }
    }

    #[test]
    fn text_is_not_taken_for_requests() {
        assert_eq!(escaped("a -b\n.c 'd'\\n"), "a \\-b\n\\&.c \\(aqd\\(aq\\en");
    }
}
