//! The help, made from the table in `options`.

use crate::options::{COMMANDS, Command, CommandSpec, Effect, OPTIONS, OptionSpec};

/// The name and version, as `--version` prints it.
pub fn version() -> String {
    format!("uforia {}\n", env!("CARGO_PKG_VERSION"))
}

/// What `uforia --help` prints.
pub fn overview() -> String {
    let mut text = String::from(
        "uforia, a software model checker: can this C program reach its error?\n\
         \n\
         usage: uforia [COMMAND] FILE [options]\n\
         \n\
         commands:\n",
    );
    for spec in COMMANDS {
        text.push_str(&format!("  {:<12}{}\n", spec.name, spec.summary));
    }
    text.push_str(
        "\nexamples:\n\
         \x20 uforia program.c                    verify a program\n\
         \x20 uforia run --random 1000 program.c  look for a failing run\n\
         \x20 uforia lower program.c              show the program as the engines see it\n\
         \n\
         languages, by extension: .c .i (C), .bpl (Boogie), .vmt .smt2 (VMT), .btor .btor2 (BTOR2), .cfa (uforia's text form)\n\
         \n\
         exit codes of check: 0 SAFE, 1 UNSAFE, 2 UNKNOWN, 64 bad usage, 65 not a valid program,\n\
         66 cannot read, 70 a bug in uforia, 74 cannot write\n\
         \n\
         `uforia COMMAND --help` tells more about a command; --version prints the version.\n",
    );
    text
}

/// What `uforia COMMAND --help` prints.
pub fn of(command: Command) -> String {
    let spec = crate::options::spec(command);
    let mut text = format!("uforia {}: {}\n\n", spec.name, spec.summary);
    text.push_str(&format!("usage: uforia {} {} [options]\n\n{}\n", spec.name, spec.arguments, spec.description));
    if let Some(why) = spec.not_built {
        text.push_str(&format!("It is not built yet: {why}.\n"));
        return text;
    }
    push_examples(&mut text, spec);
    let built = |option: &&OptionSpec| !matches!(option.effect, Effect::NotBuilt(..));
    let of_command = || OPTIONS.iter().filter(|option| option.on.contains(&command));
    text.push_str("\noptions:\n");
    for option in of_command().filter(built) {
        push_option(&mut text, option);
    }
    text.push_str("  -h, --help                this text\n");
    let later: Vec<String> =
        of_command().filter(|option| !built(option)).map(|option| format!("--{}", option.long)).collect();
    if !later.is_empty() {
        text.push_str("\nplanned, refused until then:\n");
        push_wrapped(&mut text, &later);
    }
    text
}

fn push_examples(text: &mut String, spec: &CommandSpec) {
    text.push_str("\nexamples:\n");
    for (line, what) in spec.examples {
        text.push_str(&format!("  {line}\n      {what}\n"));
    }
}

fn push_option(text: &mut String, option: &OptionSpec) {
    let short = option.short.map_or("    ".to_owned(), |letter| format!("-{letter}, "));
    let value = match option.effect {
        Effect::Value(name, _) | Effect::NotBuilt(Some(name), _) => format!(" {name}"),
        _ => String::new(),
    };
    let left = format!("{short}--{}{value}", option.long);
    text.push_str(&format!("  {left:<24}  {}\n", option.help));
}

fn push_wrapped(text: &mut String, words: &[String]) {
    let mut column = 0;
    for word in words {
        if column + word.len() > 90 {
            text.push('\n');
            column = 0;
        }
        text.push_str(if column == 0 { "  " } else { " " });
        text.push_str(word);
        column += word.len() + 1;
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_and_each_built_option_is_in_the_help() {
        for spec in COMMANDS {
            assert!(overview().contains(spec.name));
            if spec.not_built.is_some() {
                continue;
            }
            let text = of(spec.command);
            for option in OPTIONS.iter().filter(|option| option.on.contains(&spec.command)) {
                assert!(text.contains(&format!("--{}", option.long)), "--{} of {}", option.long, spec.name);
            }
            assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
        }
    }
}
