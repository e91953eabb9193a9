//! Development tasks as commands: `cargo xtask check`.
//!
//! Each command is one file with a `run` function and one line in [`COMMANDS`]; the list that
//! `cargo xtask` prints comes from the same table.

#![forbid(unsafe_code)]

mod assertions;
mod bench;
mod certify_mutants;
mod check;
mod corpus;
mod cross;
mod differential;
mod euf_table;
mod facts;
mod flags;
mod fuzz;
mod growth;
mod harnesses;
mod interpolants;
mod meaning;
mod meaning_boogie;
mod nightly;
mod passes;
mod picture;
mod plot;
mod queries;
mod refine;
mod refine_counts;
mod smt_bench;
mod smt_fuzz;
mod speed;
mod tidy;
mod tool;
mod ufo_table;
mod uninterpreted;
mod upgrade;
mod witnesses;

use std::process::ExitCode;

/// A task: its name, one line for the list of commands, and its function.
struct Command {
    name: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Result<(), String>,
}

/// All tasks, in the order of the list.
const COMMANDS: &[Command] = &[
    Command {
        name: "check",
        help: "format, lints and documentation with warnings as errors, tidy: run it before each commit",
        run: check::run,
    },
    Command {
        name: "tidy",
        help: "only the project's rules: headers, crate dependencies, paper keys, …",
        run: tidy::run,
    },
    Command {
        name: "nightly",
        help: "the long suites with a summary; --quick: the small counts of CI (--quick --only --corpus --seed)",
        run: nightly::run,
    },
    Command {
        name: "assertions",
        help: "--assertions each against one check for each assertion (--engine --limit --only --words --rows --binary)",
        run: assertions::run,
    },
    Command {
        name: "differential",
        help: "random C programs, compiled and interpreted, must agree (--count --model --seed --jobs --keep --shrink)",
        run: differential::run,
    },
    Command {
        name: "boogie",
        help: "random Boogie programs with contracts against an interpreter of the source (--count --seed --seconds --out --binary)",
        run: meaning_boogie::run,
    },
    Command {
        name: "meaning",
        help: "front ends and checker against compilers, the standard and themselves (--csmith --generated --torture --terms --mutants --count --seed --model --out)",
        run: meaning::run,
    },
    Command {
        name: "corpus",
        help: "`corpus lower` and `corpus run`: every C task of a corpus through the tool (--corpus --set --jobs)",
        run: corpus::run,
    },
    Command {
        name: "growth",
        help: "time and memory of programs that double in size (--family --seconds --lines --record --instructions)",
        run: growth::run,
    },
    Command { name: "speed", help: "seconds and megabytes of lowering, steps a second of running", run: speed::run },
    Command { name: "fuzz", help: "mutated programs against the front end (--minutes --seed --jobs)", run: fuzz::run },
    Command {
        name: "passes",
        help: "the interpreter agrees before and after each pass (--count --seed --corpus --set --runs --edges --jobs)",
        run: passes::run,
    },
    Command {
        name: "certify-mutants",
        help: "mutants of evidence: certify must agree with a walk through all states (--count --seed --solver)",
        run: certify_mutants::run,
    },
    Command {
        name: "smt-fuzz",
        help: "random formulas: our solver must agree with Z3, cvc5 and Bitwuzla (--count --seed --python)",
        run: smt_fuzz::run,
    },
    Command {
        name: "euf-table",
        help: "what `euf` solves by set, and functions against predicates (--seconds --every --sets --levels --results)",
        run: euf_table::run,
    },
    Command {
        name: "interpolants",
        help: "random contradictions: interpolants of all methods are what they must be (--count --seed --foreign --python)",
        run: interpolants::run,
    },
    Command {
        name: "ufo-table",
        help: "the tables of the paper on UFO, resumable (--sets --instances --seconds --every --out --print --corpus --binary)",
        run: ufo_table::run,
    },
    Command {
        name: "facts",
        help: "every fact that the analysis yields on the corpus passes the checker (--every --ticks --corpus)",
        run: facts::run,
    },
    Command {
        name: "upgrade",
        help: "edited programs with evidence of the version before, and poisoned evidence (--count --poison --timeout --seed --least --binary FOLDER…)",
        run: upgrade::run,
    },
    Command {
        name: "harnesses",
        help: "harnesses of the corpus, compiled and run (--timeout --every --corpus)",
        run: harnesses::run,
    },
    Command {
        name: "witnesses",
        help: "our own witnesses of the corpus, checked by our validator (--timeout --every --set --keep --corpus)",
        run: witnesses::run,
    },
    Command {
        name: "cross",
        help: "every engine on generated programs and a corpus, verdicts compared (--engines --timeout --count --seed --every --random-settings)",
        run: cross::run,
    },
    Command {
        name: "bench",
        help: "every engine over a corpus: table, history, pictures (--engines --timeout --sets --every --docs --record)",
        run: bench::run,
    },
    Command {
        name: "picture",
        help: "the tool at work on a terminal, as SVG: picture OUT.svg [--seconds S] [--shown TEXT] WORDS…",
        run: picture::run,
    },
    Command {
        name: "queries",
        help: "what unrolled programs of the corpus ask a solver, as scripts (--out --steps --every --corpus)",
        run: queries::run,
    },
    Command {
        name: "smt-bench",
        help: "the solver's speed as ratios, into docs/benchmarks.md; with --release (--only --queries --million --python)",
        run: smt_bench::run,
    },
    Command {
        name: "uninterpreted",
        help: "generated uninterpreted programs against ground truth; `table` for the corpus (--count --seed --family --mode)",
        run: uninterpreted::run,
    },
    Command {
        name: "refine",
        help: "tables of the engine refine: heuristics, flattening, bmc (--sets --list --integers --bound --limit --long --slowest --expected --rows --pictures --only --corpus --binary)",
        run: refine::run,
    },
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = args.split_first() else {
        eprint!("{}", usage());
        return ExitCode::from(64);
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        print!("{}", usage());
        return ExitCode::SUCCESS;
    }
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprintln!("xtask: there is no command `{name}`\n\n{}", usage());
        return ExitCode::from(64);
    };
    match (command.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {name}: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The list of commands.
fn usage() -> String {
    let width = COMMANDS.iter().map(|command| command.name.len()).max().unwrap_or(0);
    let mut text = String::from("usage: cargo xtask COMMAND [arguments]\n\n");
    for command in COMMANDS {
        text.push_str(&format!("  {:width$}  {}\n", command.name, command.help));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_name_of_its_own_and_a_line_of_help() {
        for (index, command) in COMMANDS.iter().enumerate() {
            assert!(!command.help.is_empty());
            assert!(COMMANDS[..index].iter().all(|earlier| earlier.name != command.name), "{} twice", command.name);
            assert!(usage().contains(command.help));
        }
    }
}
