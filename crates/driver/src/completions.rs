//! Completions for shells, made from the tables of commands and options.

use crate::commands::{COMMANDS, Command, CommandSpec};
use crate::options::{Effect, OPTIONS, OptionSpec, choices};

/// The shells that we write for.
pub const SHELLS: &[&str] = &["bash", "zsh", "fish"];

/// The script for this shell.
pub fn script(shell: &str) -> Option<String> {
    match shell {
        "bash" => Some(bash()),
        "zsh" => Some(zsh()),
        "fish" => Some(fish()),
        _ => None,
    }
}

/// What follows an option.
enum Value {
    Nothing,
    OneOf(Vec<&'static str>),
    File(&'static str),
    Other(&'static str),
}

fn value(option: &OptionSpec, command: Command) -> Value {
    let Effect::Value(shown, _) = option.effect else { return Value::Nothing };
    let choices = choices(option, command);
    if !choices.is_empty() {
        Value::OneOf(choices)
    } else if shown.contains("FILE") || shown.contains("DIR") {
        Value::File(shown)
    } else {
        Value::Other(shown)
    }
}

fn options(command: Command) -> impl Iterator<Item = &'static OptionSpec> {
    let is_built = |option: &&OptionSpec| !matches!(option.effect, Effect::NotBuilt(..));
    OPTIONS.iter().filter(move |option| option.on.contains(&command)).filter(is_built)
}

fn names(option: &OptionSpec) -> Vec<String> {
    let short = option.short.map(|letter| format!("-{letter}"));
    std::iter::once(format!("--{}", option.long)).chain(short).collect()
}

fn command_names() -> Vec<&'static str> {
    COMMANDS.iter().map(|spec| spec.name).collect()
}

fn bash() -> String {
    let mut text = format!(
        "# Completions of uforia for bash; made by `uforia completions bash`.\n\
         _uforia() {{\n\
         \x20   local cur prev command=check\n\
         \x20   COMPREPLY=()\n\
         \x20   cur=${{COMP_WORDS[COMP_CWORD]}}\n\
         \x20   prev=${{COMP_WORDS[COMP_CWORD-1]}}\n\
         \x20   # Bash takes --name=value for three words.\n\
         \x20   if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD-2]}}; fi\n\
         \x20   if ((COMP_CWORD > 1)); then\n\
         \x20       case ${{COMP_WORDS[1]}} in\n\
         \x20           {}) command=${{COMP_WORDS[1]}} ;;\n\
         \x20       esac\n\
         \x20   fi\n\
         \x20   case $command:$prev in\n",
        command_names().join(" | ")
    );
    for spec in COMMANDS {
        for option in options(spec.command) {
            let patterns: Vec<String> = names(option).iter().map(|name| format!("{}:{name}", spec.name)).collect();
            let patterns = patterns.join(" | ");
            match value(option, spec.command) {
                Value::Nothing => {}
                Value::OneOf(choices) => text.push_str(&format!(
                    "        {patterns}) COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return ;;\n",
                    choices.join(" ")
                )),
                Value::File(_) => {
                    text.push_str(&format!("        {patterns}) COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n"))
                }
                Value::Other(_) => text.push_str(&format!("        {patterns}) return ;;\n")),
            }
        }
    }
    text.push_str("    esac\n    if [[ $cur == -* ]]; then\n        case $command in\n");
    for spec in COMMANDS {
        let words: Vec<String> = options(spec.command).flat_map(names).chain(["--help".to_owned()]).collect();
        let words = words.join(" ");
        text.push_str(&format!("            {}) COMPREPLY=($(compgen -W '{words}' -- \"$cur\")) ;;\n", spec.name));
    }
    text.push_str(&format!(
        "        esac\n\
         \x20       return\n\
         \x20   fi\n\
         \x20   case $command in\n\
         \x20       completions) COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return ;;\n\
         \x20       man) return ;;\n\
         \x20   esac\n\
         \x20   ((COMP_CWORD == 1)) && COMPREPLY=($(compgen -W '{}' -- \"$cur\"))\n\
         \x20   COMPREPLY+=($(compgen -f -- \"$cur\"))\n\
         }}\n\
         complete -o filenames -F _uforia uforia\n",
        SHELLS.join(" "),
        command_names().join(" ")
    ));
    text
}

fn zsh() -> String {
    // Brackets and colons have a meaning of their own in the descriptions of zsh.
    let plain = |text: &str| text.replace('\'', "'\\''").replace('[', "(").replace(']', ")").replace(':', ";");
    let mut text = String::from(
        "#compdef uforia\n\
         # Completions of uforia for zsh; made by `uforia completions zsh`.\n\
         _uforia() {\n\
         \x20   local command=check\n\
         \x20   local -a commands\n\
         \x20   commands=(\n",
    );
    for CommandSpec { name, summary, .. } in COMMANDS {
        text.push_str(&format!("        '{name}:{}'\n", plain(summary)));
    }
    text.push_str(&format!(
        "    )\n\
         \x20   if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n\
         \x20       _describe -t commands command commands\n\
         \x20       _files\n\
         \x20       return\n\
         \x20   fi\n\
         \x20   case $words[2] in\n\
         \x20       {}) command=$words[2]; shift words; ((CURRENT--)) ;;\n\
         \x20   esac\n\
         \x20   case $command in\n",
        command_names().join("|")
    ));
    for spec in COMMANDS {
        text.push_str(&format!("        {})\n            _arguments -S \\\n", spec.name));
        for option in options(spec.command) {
            let follows = match value(option, spec.command) {
                Value::Nothing => String::new(),
                Value::OneOf(choices) => format!(":value:({})", choices.join(" ")),
                Value::File(shown) => format!(":{}:_files", plain(shown)),
                Value::Other(shown) => format!(":{}: ", plain(shown)),
            };
            for name in names(option) {
                let equals = match (follows.is_empty(), name.starts_with("--")) {
                    (true, _) => "",
                    (false, true) => "=",
                    (false, false) => "+",
                };
                let help = plain(option.help);
                text.push_str(&format!("                '{name}{equals}[{help}]{follows}' \\\n"));
            }
        }
        text.push_str("                '--help[tell about the command]' \\\n");
        let argument = match spec.command {
            Command::Completions => format!("':shell:({})'", SHELLS.join(" ")),
            Command::Man => "':nothing: '".to_owned(),
            _ => "'*:file:_files'".to_owned(),
        };
        text.push_str(&format!("                {argument}\n            ;;\n"));
    }
    text.push_str(
        "    esac\n}\nif [[ $funcstack[1] == _uforia ]]; then _uforia \"$@\"; else compdef _uforia uforia; fi\n",
    );
    text
}

fn fish() -> String {
    let plain = |text: &str| text.replace('\\', "\\\\").replace('\'', "\\'");
    let mut text = String::from("# Completions of uforia for fish; made by `uforia completions fish`.\n");
    for CommandSpec { name, summary, .. } in COMMANDS {
        text.push_str(&format!("complete -c uforia -n __fish_use_subcommand -a {name} -d '{}'\n", plain(summary)));
    }
    text.push_str(&format!(
        "complete -c uforia -f -n '__fish_seen_subcommand_from completions' -a '{}'\n",
        SHELLS.join(" ")
    ));
    let others: Vec<&str> = command_names().into_iter().filter(|name| *name != "check").collect();
    for spec in COMMANDS {
        let when = match spec.command {
            // Without a command the command is `check`.
            Command::Check => format!("not __fish_seen_subcommand_from {}", others.join(" ")),
            _ => format!("__fish_seen_subcommand_from {}", spec.name),
        };
        for option in options(spec.command) {
            let short = option.short.map_or(String::new(), |letter| format!(" -s {letter}"));
            let follows = match value(option, spec.command) {
                Value::Nothing => String::new(),
                Value::OneOf(choices) => format!(" -x -a '{}'", choices.join(" ")),
                Value::File(_) => " -r -F".to_owned(),
                Value::Other(_) => " -x".to_owned(),
            };
            let help = plain(option.help);
            text.push_str(&format!("complete -c uforia -n '{when}' -l {}{short}{follows} -d '{help}'\n", option.long));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_of_every_command_is_in_every_script() {
        for shell in SHELLS {
            let script = script(shell).expect("the shell is known");
            for spec in COMMANDS {
                assert!(script.contains(spec.name));
                for option in options(spec.command) {
                    assert!(script.contains(option.long), "{shell} lacks {}", option.long);
                }
            }
        }
        assert!(script("tcsh").is_none());
    }
}
