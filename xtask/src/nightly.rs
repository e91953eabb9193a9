//! `cargo xtask nightly`: the long suites, one after the other, with a summary.
//!
//! Each suite is a process of its own, so that a crash of one does not end the others. Its output goes to
//! `target/nightly/NAME.log`. `--quick`: the small counts that CI uses. `--only a,b`: these suites. `--corpus DIR`: also the
//! suites over a corpus of tasks. `--seed S` (1). The exit code is 1 if a suite fails.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use testkit::golden::workspace;

use crate::flags::Flags;

/// A suite. In its words `N` stands for the count, `SEED` for the seed and `CORPUS` for the folder of tasks.
struct Suite {
    name: &'static str,
    /// Cases of a nightly run, and of `--quick`; a suite whose quick count is zero is left out there.
    counts: (u64, u64),
    command: Words,
}

/// What a suite runs.
enum Words {
    /// A command of `cargo xtask`.
    Task(&'static str),
    /// `cargo test` with these words, and the variable that takes the count.
    Test(&'static str, &'static str),
    /// A script of the repository with its words.
    Script(&'static str),
}

use Words::{Script, Task, Test};

const SUITES: &[Suite] = &[
    Suite { name: "differential", counts: (3000, 100), command: Task("differential --count N --seed SEED") },
    Suite {
        name: "csmith",
        counts: (100, 2),
        command: Task("meaning --csmith --count N --seconds 3 --minutes 20 --seed SEED"),
    },
    Suite {
        name: "generated",
        counts: (100, 2),
        command: Task("meaning --generated --count N --seconds 3 --minutes 20 --seed SEED"),
    },
    Suite { name: "terms", counts: (3000, 50), command: Task("meaning --terms --count N --seed SEED") },
    Suite {
        name: "mutants",
        counts: (400, 5),
        command: Task("meaning --mutants --count N --seconds 3 --minutes 20 --seed SEED"),
    },
    Suite { name: "boogie", counts: (500, 5), command: Task("boogie --count N --seconds 3 --seed SEED") },
    Suite { name: "upgrade", counts: (500, 0), command: Task("upgrade --count 60 --poison N --timeout 5 --seed SEED") },
    Suite { name: "growth", counts: (1, 0), command: Task("growth --instructions") },
    Suite { name: "passes", counts: (2000, 20), command: Task("passes --count N --seed SEED") },
    Suite { name: "certify-mutants", counts: (20_000, 500), command: Task("certify-mutants --count N --seed SEED") },
    Suite {
        name: "interpolants",
        counts: (5000, 100),
        command: Task("interpolants --count N --foreign 0 --seed SEED"),
    },
    Suite { name: "uninterpreted", counts: (100, 0), command: Task("uninterpreted --count N --seed SEED") },
    Suite { name: "cross", counts: (100, 0), command: Task("cross --count N --timeout 2 --minutes 30 --seed SEED") },
    Suite { name: "fuzz", counts: (5, 0), command: Task("fuzz --minutes N --seed SEED") },
    Suite {
        name: "smt-scripts",
        counts: (2000, 0),
        command: Test("--release -p uforia-smt --test suite random", "SMT_SCRIPTS"),
    },
    Suite {
        name: "ufo-graphs",
        counts: (5000, 0),
        command: Test("--release -p uforia-engine-arg random_programs", "UFO_PROGRAMS"),
    },
    Suite {
        name: "layouts",
        counts: (30, 0),
        command: Test("--release -p uforia-cfront --test sema_against_cc", "UFORIA_ROUNDS"),
    },
    // The tests again, optimised and with all assertions on. The word is a variable that none of them reads.
    Suite {
        name: "checked",
        counts: (1, 0),
        command: Test(
            "--profile checked -p uforia-base -p uforia-term -p uforia-program -p uforia-proof -p uforia-sat \
             -p uforia-smt -p uforia-cfront -p uforia-certify",
            "UFORIA_CHECKED",
        ),
    },
    // Reports in a browser: skipped with a word where there is none and none can be installed.
    Suite { name: "pages", counts: (1, 0), command: Script("contrib/html/check.sh --install") },
    Suite { name: "corpus-lower", counts: (1, 0), command: Task("corpus lower --corpus CORPUS") },
    Suite { name: "corpus-run", counts: (200, 0), command: Task("corpus run --random N --corpus CORPUS") },
    Suite { name: "facts", counts: (5, 0), command: Task("facts --every N --corpus CORPUS") },
    Suite { name: "witnesses", counts: (10, 0), command: Task("witnesses --every N --timeout 5 --corpus CORPUS") },
    Suite { name: "harnesses", counts: (5, 0), command: Task("harnesses --every N --timeout 5 --corpus CORPUS") },
];

/// Runs the suites.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let quick = flags.flag("--quick");
    let only = flags.value("--only")?;
    let corpus = flags.value("--corpus")?;
    let seed = flags.number("--seed", 1)?;
    flags.finish()?;
    let chosen = chosen(only.as_deref(), quick, corpus.is_some())?;
    let folder = workspace().join("target/nightly");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut rows = Vec::new();
    for suite in chosen {
        let count = if quick { suite.counts.1.max(1) } else { suite.counts.0 };
        let start = Instant::now();
        let log = folder.join(format!("{}.log", suite.name));
        eprintln!("xtask: {} (output in {})", suite.name, log.display());
        let passed = execute(suite, count, seed, corpus.as_deref().unwrap_or_default(), &log)?;
        let output = fs::read_to_string(&log).unwrap_or_default();
        let last = output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("(no output)").to_owned();
        rows.push((suite.name, passed, start.elapsed().as_secs_f64(), last));
    }
    println!("{:<16} {:<7} {:>8}  last line of its output", "suite", "result", "seconds");
    for (name, passed, seconds, last) in &rows {
        println!("{name:<16} {:<7} {seconds:>8.1}  {last}", if *passed { "passed" } else { "FAILED" });
    }
    let failed: Vec<&str> = rows.iter().filter(|row| !row.1).map(|row| row.0).collect();
    println!("{} suites, {} failed", rows.len(), failed.len());
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// The suites to run. Without `--only`, those that need a corpus run only if there is one.
fn chosen(only: Option<&str>, quick: bool, has_corpus: bool) -> Result<Vec<&'static Suite>, String> {
    let Some(only) = only else {
        let fits = |suite: &&Suite| (has_corpus || !needs_corpus(suite)) && (!quick || suite.counts.1 > 0);
        return Ok(SUITES.iter().filter(fits).collect());
    };
    let by_name = |name: &str| {
        let suite = SUITES.iter().find(|suite| suite.name == name).ok_or_else(|| {
            let names: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
            format!("`{name}` is no suite; the suites are {}", names.join(", "))
        })?;
        if needs_corpus(suite) && !has_corpus {
            return Err(format!("{name} needs --corpus DIR"));
        }
        Ok(suite)
    };
    only.split(',').map(by_name).collect()
}

fn needs_corpus(suite: &Suite) -> bool {
    matches!(suite.command, Task(words) if words.contains("CORPUS"))
}

/// Runs one suite with its output in the log; whether it passed.
fn execute(suite: &Suite, count: u64, seed: u64, corpus: &str, log: &Path) -> Result<bool, String> {
    let put_in = |word: &str| match word {
        "N" => count.to_string(),
        "SEED" => seed.to_string(),
        "CORPUS" => corpus.to_owned(),
        other => other.to_owned(),
    };
    let mut command = match suite.command {
        Task(words) => {
            let own: PathBuf = std::env::current_exe().map_err(|error| error.to_string())?;
            let mut command = Command::new(own);
            command.args(words.split_whitespace().map(put_in));
            command
        }
        Test(words, variable) => {
            let mut command = Command::new(env!("CARGO"));
            command.args(["test", "--quiet"]).args(words.split_whitespace());
            command.env(variable, count.to_string());
            command
        }
        Script(words) => {
            let mut words = words.split_whitespace();
            let mut command = Command::new(workspace().join(words.next().unwrap_or_default()));
            command.args(words);
            command
        }
    };
    let failed = |error: std::io::Error| format!("{}: {error}", suite.name);
    let out = fs::File::create(log).map_err(failed)?;
    let err = out.try_clone().map_err(failed)?;
    command.current_dir(workspace()).stdin(Stdio::null()).stdout(out).stderr(err);
    Ok(command.status().map_err(failed)?.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suites_have_different_names_and_known_commands() {
        for (index, suite) in SUITES.iter().enumerate() {
            assert!(SUITES[..index].iter().all(|other| other.name != suite.name), "{}", suite.name);
            if let Task(words) = suite.command {
                let name = words.split_whitespace().next();
                assert!(crate::COMMANDS.iter().any(|command| Some(command.name) == name), "{}", suite.name);
            }
        }
    }

    #[test]
    fn suites_are_chosen_by_name_and_by_what_is_there() {
        let names = |only, quick, has_corpus| -> Vec<&str> {
            chosen(only, quick, has_corpus).expect("these suites exist").iter().map(|suite| suite.name).collect()
        };
        assert_eq!(names(Some("terms,fuzz"), true, false), ["terms", "fuzz"]);
        assert!(!names(None, true, true).contains(&"fuzz") && names(None, true, false).contains(&"terms"));
        assert!(names(None, false, true).contains(&"facts") && !names(None, false, false).contains(&"facts"));
        assert!(chosen(Some("facts"), false, false).is_err() && chosen(Some("nothing"), false, true).is_err());
    }
}
