//! Completions for shells, by `clap_complete`.
//!
//! Its scripts expect a command, or files, but not both: a file in place of the command (`uforia program.c`) is added here. A test checks
//! that the places to change are still there.

use clap_complete::aot::{Bash, Fish, Generator, Zsh, generate};

use crate::args::command_line_for_shells;

/// The shells with a script.
pub const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// The script for one of [`SHELLS`].
pub fn script(shell: &str) -> String {
    match shell {
        "bash" => generated(Bash) + BASH_EQUALS,
        "zsh" => changed(generated(Zsh), ZSH_FILES),
        "fish" => changed(generated(Fish), FISH_FILES) + FISH_SHELLS,
        _ => unreachable!("the command line takes these shells only"),
    }
}

fn generated(shell: impl Generator) -> String {
    let mut bytes = Vec::new();
    generate(shell, &mut command_line_for_shells(), "uforia", &mut bytes);
    String::from_utf8(bytes).expect("scripts are text")
}

fn changed(script: String, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(script, |script, (from, to)| script.replacen(from, to, 1))
}

/// Bash splits `--name=value` into three words, which the script does not expect.
const BASH_EQUALS: &str = r#"
_uforia_equals() {
    case "$2:$3" in
        "=:"*) _uforia "$1" "" "${COMP_WORDS[COMP_CWORD-1]}" ;;
        *":=") _uforia "$1" "$2" "${COMP_WORDS[COMP_CWORD-2]}" ;;
        *) _uforia "$@" ;;
    esac
}
complete -F _uforia_equals -o bashdefault -o default uforia
"#;

/// In place of a command there may be a file; then the options of `check` follow.
const ZSH_FILES: &[(&str, &str)] = &[
    ("\":: :_uforia_commands\"", "\":: :{_uforia_commands; _files}\""),
    ("            (check)\n", "            (check|*.*|*/*)\n"),
];

/// After a file the options of `check` follow.
const FISH_FILES: &[(&str, &str)] = &[(
    "    contains -- $cmd[1] $argv\n",
    "    string match -q -r '[./]' -- $cmd[1]\n    and set cmd[1] check\n    contains -- $cmd[1] $argv\n",
)];

/// The script has no values of arguments that are not options.
const FISH_SHELLS: &str =
    "complete -c uforia -n \"__fish_uforia_using_subcommand completions\" -f -a \"bash zsh fish\"\n";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::command_line;

    #[test]
    fn every_option_of_every_command_is_in_every_script() {
        for shell in SHELLS {
            let script = script(shell);
            for command in command_line().get_subcommands() {
                assert!(script.contains(command.get_name()));
                for long in command.get_arguments().filter_map(clap::Arg::get_long) {
                    assert!(script.contains(long), "{shell} lacks {long}");
                }
            }
        }
    }

    #[test]
    fn the_scripts_have_the_places_that_are_changed() {
        for (script, changes) in [(generated(Zsh), ZSH_FILES), (generated(Fish), FISH_FILES)] {
            for (place, _) in changes {
                assert_eq!(script.matches(place).count(), 1, "{place}");
            }
        }
        assert!(generated(Bash).contains("\n_uforia() {") || generated(Bash).starts_with("_uforia() {"));
    }
}
