//! The manual page, by `clap_mangen`: one page with a section for each command.

use clap::Arg;
use clap::builder::PossibleValue;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::args::command_line;
use crate::commands::{COMMANDS, CommandSpec};

/// The whole page.
pub fn page() -> String {
    let mut all = command_line().long_about(DESCRIPTION);
    all.build();
    let man = Man::new(all.clone()).title("UFORIA").manual("User Commands");
    let mut page = written(|to| {
        man.render_title(to)?;
        man.render_name_section(to)?;
        man.render_synopsis_section(to)?;
        man.render_description_section(to)
    });
    for spec in COMMANDS {
        let command = all.find_subcommand(spec.name).expect("every command of the table is there");
        page.push_str(&section(spec, command.clone().long_about(spec.description)));
    }
    page.push_str(&terms("EXIT STATUS", EXIT_CODES));
    page.push_str(&terms("ENVIRONMENT", VARIABLES));
    page
}

const DESCRIPTION: &str = "Reads a program with an error call and answers whether that call can be reached: SAFE with an invariant that was checked, \
UNSAFE with an input that drives the program into the error, or UNKNOWN with the reason. The last line of standard output is the answer. \
Without a command the command is check.

The file extension selects the language: .c and .i (C), .rs (Rust), .cpp, .cc and .cxx (C++), .ll and .bc (LLVM), .bpl (Boogie), .vmt and .smt2 (VMT), .btor and .btor2 (BTOR2), .cfa (uforia's text form). \
A file named - is C on standard input. Task definitions (.yml) and folders stand for all their tasks.";

/// The exit codes of `check`.
const EXIT_CODES: &[(&str, &str)] = &[
    ("0", "SAFE; for other commands: done"),
    ("1", "UNSAFE"),
    ("2", "UNKNOWN: a limit, an interruption, a construct that cannot be treated soundly"),
    ("64", "the command line is wrong, or asks for a part that is not built yet"),
    ("65", "the input is not a valid program; the diagnostics are on standard error"),
    ("66", "a file cannot be read, or there is no C compiler"),
    ("70", "a bug in uforia: please report it"),
    ("74", "the output cannot be written"),
];

const VARIABLES: &[(&str, &str)] = &[
    ("CC", "The C compiler whose preprocessor reads files with directives."),
    ("NO_COLOR", "If set, output has no colours, unless --color says otherwise."),
    ("CLICOLOR_FORCE", "If set and not 0, output has colours also where it is no terminal."),
    ("SOURCE_DATE_EPOCH", "The time in witnesses, in seconds since 1970."),
];

/// The section of a command; the sections that `clap_mangen` makes become parts of it.
fn section(spec: &CommandSpec, command: clap::Command) -> String {
    let man = Man::new(command.mut_args(with_values));
    let parts = written(|to| {
        man.render_synopsis_section(to)?;
        man.render_description_section(to)?;
        man.render_options_section(to)
    });
    let mut head = Roff::new();
    head.control("SH", [format!("UFORIA {}", spec.name.to_uppercase()).as_str()]);
    let mut examples = Roff::new();
    examples.control("SS", ["EXAMPLES"]);
    for (line, what) in spec.examples {
        examples.control("PP", []).control("EX", []).text([roman(*line)]).control("EE", []);
        examples.control("RS", ["4"]).text([roman(*what)]).control("RE", []);
    }
    head.to_roff() + &parts.replace("\n.SH ", "\n.SS ") + &examples.to_roff()
}

/// The values of an option follow its help on one line, instead of one line each.
fn with_values(option: Arg) -> Arg {
    let values = option.get_possible_values();
    let values: Vec<&str> = values.iter().filter(|value| !value.is_hide_set()).map(PossibleValue::get_name).collect();
    match option.get_help() {
        Some(help)
            if !values.is_empty() && option.get_action().takes_values() && !option.is_hide_possible_values_set() =>
        {
            let help = format!("{help}; one of {}", values.join(", "));
            option.help(help).hide_possible_values(true)
        }
        _ => option,
    }
}

fn terms(heading: &str, terms: &[(&str, &str)]) -> String {
    let mut section = Roff::new();
    section.control("SH", [heading]);
    for (term, meaning) in terms {
        section.control("TP", []).text([bold(*term)]).text([roman(*meaning)]);
    }
    section.to_roff()
}

fn written(render: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    render(&mut bytes).expect("a vector can be written");
    String::from_utf8(bytes).expect("the page is text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_every_command_and_every_option() {
        let page = page();
        for command in command_line().get_subcommands() {
            assert!(page.contains(&format!(".SH \"UFORIA {}\"", command.get_name().to_uppercase())), "{page}");
            for long in command.get_arguments().filter_map(Arg::get_long) {
                assert!(page.contains(&format!("\\-\\-{}", long.replace('-', "\\-"))), "--{long}");
            }
        }
        for (code, _) in EXIT_CODES {
            assert!(page.contains(&format!("\\fB{code}\\fR\n")));
        }
    }
}
