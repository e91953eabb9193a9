//! Completions and the manual page, given to the programs that read them.

use std::process::{Command, Stdio};

use crate::support::{Folder, Said, listen, uforia};

/// Runs a program; none if it is not on this machine.
fn try_run(program: &str, args: &[&str]) -> Option<Said> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    match command.spawn() {
        Ok(child) => Some(listen(child, "")),
        Err(_) => {
            eprintln!("THERE IS NO {program} ON THIS MACHINE: NOTHING WAS TESTED WITH IT");
            None
        }
    }
}

/// What bash offers for these words. The function is called as bash calls it: with the program, the word, and the word before it.
fn offered(script: &str, words: &[&str]) -> Option<Vec<String>> {
    let line = format!(
        "source '{script}'; compopt() {{ :; }}; COMP_WORDS=(uforia {}); COMP_CWORD={}; \
         _uforia_equals uforia \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        words.len()
    );
    let said = try_run("bash", &["--norc", "-c", &line])?.exits(0);
    assert_eq!(said.err, "", "{words:?}");
    Some(said.out.lines().map(str::to_owned).collect())
}

#[test]
fn bash_completes_commands_options_and_values() {
    let folder = Folder::new("bash");
    let script = folder.file("uforia.bash", uforia(&["completions", "bash"]).exits(0).out);
    let check = |words: &[&str], expected: &[&str]| {
        if let Some(offered) = offered(&script, words) {
            assert_eq!(offered, expected, "{words:?}");
        }
    };
    check(&["check", "--har"], &["--harness"]);
    check(&["--har"], &["--harness"]);
    check(&["run", "--z"], &["--zero"]);
    check(&["check", "--z"], &[""]);
    check(&["valid"], &["validate"]);
    check(&["check", "--data-model", ""], &["lp64", "ilp32"]);
    check(&["check", "--data-model", "=", "il"], &["ilp32"]);
    check(&["check", "--data-model", "="], &["lp64", "ilp32"]);
    check(&["completions", ""], &["-h", "-V", "--help", "--version", "bash", "zsh", "fish"]);
    check(&["check", "--timeout", ""], &[""]);
    check(&["check", "--json", &script[..script.len() - 5]], &[script.as_str()]);
}

#[test]
fn zsh_and_fish_read_their_scripts() {
    let folder = Folder::new("zsh");
    let zsh = folder.file("_uforia", uforia(&["completions", "zsh"]).exits(0).out);
    if let Some(said) = try_run("zsh", &["-f", "-n", &zsh]) {
        assert_eq!((said.code, said.err.as_str()), (0, ""));
    }
    let line = format!("autoload -U compinit; compinit -u -d {zsh}.dump; source {zsh}; print $_comps[uforia]");
    if let Some(said) = try_run("zsh", &["-f", "-c", &line]) {
        assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "_uforia\n", ""));
    }
    let fish = folder.file("uforia.fish", uforia(&["completions", "fish"]).exits(0).out);
    let ask = |line: &str| try_run("fish", &["--no-config", "-c", &format!("source {fish}; complete -C '{line}'")]);
    if let Some(said) = ask("uforia check --har") {
        assert!(said.out.starts_with("--harness\t") && said.err.is_empty(), "{said:?}");
    }
    if let Some(said) = ask("uforia program.c --har") {
        assert!(said.out.starts_with("--harness\t") && said.err.is_empty(), "{said:?}");
    }
    if let Some(said) = ask("uforia run --engi") {
        assert_eq!(said.out, "", "the engine is an option of check");
    }
}

#[test]
fn the_manual_page_is_set_without_warnings() {
    let folder = Folder::new("man");
    let page = folder.file("uforia.1", uforia(&["man"]).exits(0).out);
    if let Some(said) = try_run("groff", &["-man", "-Tutf8", "-ww", "-z", &page]) {
        assert_eq!((said.code, said.err.as_str()), (0, ""));
    }
    let Some(said) = try_run("groff", &["-man", "-Tascii", "-P-cbou", &page]) else { return };
    for command in uforia::args::command_line().get_subcommands() {
        for long in command.get_arguments().filter_map(clap::Arg::get_long) {
            assert!(said.out.contains(&format!("--{long}")), "--{long} is missing:\n{}", said.out);
        }
    }
    assert!(said.out.contains("UNSAFE") && said.out.contains("EXIT STATUS"), "{}", said.out);
}
