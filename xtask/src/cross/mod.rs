//! `cargo xtask cross`: engines against one another.
//!
//! Every engine on generated programs and on the tasks of a corpus, each with little time; then all verdicts about one program are compared with each
//! other, with runs on random inputs, and with what the corpus says. Answers that contradict each other, refused evidence and crashes are
//! findings; each is printed with the commands to repeat it, and generated programs are made small first.
//!
//! `cross [DIR]`: a folder with a `manifest.csv`; without one only generated programs. `--count N` (100) generated programs from `--seed S` (1), `--engines a,b`
//! (all), `--timeout S` (3), `--every K` of the corpus, `--integers`, `--minutes M` at most, `--binary FILE`, `--keep DIR` (`target/cross`): the programs of findings, and
//! `verdicts.csv`, from which a stopped run goes on. `--random-settings` draws the settings of each engine for each program. `--front-ends` compares
//! our C front end with clang instead (`front_ends`).

mod front_ends;
mod generate;
mod settings;
mod shrink;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use testkit::golden::workspace;

use crate::corpus;
use crate::flags::Flags;
use crate::tool;
use crate::witnesses::is_about_integers;

/// The interpreter on random inputs; it can only say `unsafe`.
const RUNS: &str = "runs";

/// What to do it with.
struct Setting {
    binary: PathBuf,
    engines: Vec<String>,
    timeout: u64,
    keep: PathBuf,
    has_random_settings: bool,
}

/// A program, and what is known about it.
struct Program {
    name: String,
    /// The seed of its random settings.
    seed: u64,
    file: PathBuf,
    model: &'static str,
    expected: Option<&'static str>,
    is_generated: bool,
}

/// Verdicts by program and engine.
type Verdicts = BTreeMap<(String, String), String>;

/// Compares.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    if flags.flag("--front-ends") {
        return front_ends::run(flags);
    }
    let count = flags.number("--count", 100)?;
    let seed = flags.number("--seed", 1)?;
    let timeout = flags.number("--timeout", 3)?;
    let every = flags.number("--every", 1)?.max(1) as usize;
    let minutes = flags.number("--minutes", u64::MAX / 120)?;
    let integers = flags.flag("--integers");
    let has_random_settings = flags.flag("--random-settings");
    let engines = flags.value("--engines")?;
    let keep = flags.value("--keep")?.map_or_else(|| workspace().join("target/cross"), PathBuf::from);
    let binary = flags.value("--binary")?;
    let folder = flags.word();
    flags.finish()?;
    let engines = match engines {
        Some(list) => list.split(',').map(str::to_owned).collect(),
        None => uforia::engines::ENGINES.iter().map(|info| info.name.to_owned()).collect(),
    };
    fs::create_dir_all(&keep).map_err(|error| format!("{}: {error}", keep.display()))?;
    let setting = Setting { binary: tool::binary(binary)?, engines, timeout, keep, has_random_settings };
    let mut programs = Vec::new();
    for seed in seed..seed + count {
        let file = setting.keep.join(format!("generated-{seed}.c"));
        programs.push(Program {
            name: format!("seed {seed}"),
            seed,
            file,
            model: if seed % 2 == 0 { "ilp32" } else { "lp64" },
            expected: None,
            is_generated: true,
        });
    }
    if let Some(folder) = folder {
        let wanted = |task: &corpus::Task| !integers || is_about_integers(task);
        for task in corpus::all_tasks(Some(folder))?.into_iter().filter(wanted).step_by(every) {
            let expected = Some(if task.safe { "safe" } else { "unsafe" });
            programs.push(Program {
                name: task.name,
                seed: seed + programs.len() as u64,
                file: task.path,
                model: task.model,
                expected,
                is_generated: false,
            });
        }
    }
    let deadline = Instant::now().checked_add(Duration::from_secs(minutes.saturating_mul(60)));
    compare(&setting, &programs, deadline)
}

fn compare(setting: &Setting, programs: &[Program], deadline: Option<Instant>) -> Result<(), String> {
    let state = if setting.has_random_settings { "verdicts-random-settings.csv" } else { "verdicts.csv" };
    let state = setting.keep.join(state);
    let mut verdicts = read(&state);
    let mut file = fs::OpenOptions::new().create(true).append(true).open(&state).map_err(|error| error.to_string())?;
    let (mut findings, mut n_done) = (Vec::new(), 0);
    for program in programs {
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            println!("out of time after {n_done} of {} programs", programs.len());
            break;
        }
        if program.is_generated {
            let seed = program.name.trim_start_matches("seed ").parse().map_err(|_| "a seed is a number")?;
            fs::write(&program.file, generate::generate(seed)).map_err(|error| error.to_string())?;
        }
        for engine in setting.engines.iter().map(String::as_str).chain([RUNS]) {
            let key = (program.name.clone(), engine.to_owned());
            if verdicts.contains_key(&key) {
                continue;
            }
            let verdict = measure(setting, engine, &program.file, program)?;
            writeln!(file, "{},{engine},{verdict}", program.name).map_err(|error| error.to_string())?;
            verdicts.insert(key, verdict);
        }
        n_done += 1;
        let answers = contradictions(program.expected, &of_program(&verdicts, &program.name));
        if answers.is_empty() {
            if program.is_generated {
                let _ = fs::remove_file(&program.file);
            }
        } else {
            findings.push(program.name.clone());
            print(setting, program, &answers);
        }
        if n_done % 20 == 0 {
            eprintln!("{n_done} of {} programs, {} findings", programs.len(), findings.len());
        }
    }
    summary(setting, programs, &verdicts, n_done);
    if findings.is_empty() { Ok(()) } else { Err(format!("{} findings: {}", findings.len(), findings.join(", "))) }
}

/// `safe`, `unsafe`, `unknown`, or `crash`.
fn measure(setting: &Setting, engine: &str, file: &Path, program: &Program) -> Result<String, String> {
    let words = command(setting, engine, file, program);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ran = tool::run(&setting.binary, &words, Duration::from_secs(setting.timeout + 10))?;
    let is_doubtful = ran.output.lines().any(|line| line.starts_with("undefined:") || line.starts_with("note:"));
    Ok(match ran.code {
        _ if ran.crashed() || ran.timed_out => "crash",
        Some(1) if engine == RUNS && is_doubtful => "unknown",
        Some(1) => "unsafe",
        // Runs that end well prove nothing.
        Some(0) if engine != RUNS => "safe",
        _ => "unknown",
    }
    .to_owned())
}

fn command(setting: &Setting, engine: &str, file: &Path, program: &Program) -> Vec<String> {
    let first: &[&str] = match engine {
        RUNS => &["run", "-q", "--random", "300", "--max-edges", "200000"],
        _ => &["check", "-q", "--engine", engine],
    };
    let mut words: Vec<String> = first.iter().map(|word| (*word).to_owned()).collect();
    if setting.has_random_settings {
        words.extend(settings::random(engine, program.seed));
    }
    let (time, path) = (format!("{}s", setting.timeout), file.to_string_lossy());
    words.extend(["--timeout", &time, "--data-model", program.model, "--no-config", &path].map(str::to_owned));
    words
}

/// The verdicts of one program, by engine.
fn of_program(verdicts: &Verdicts, name: &str) -> Vec<(String, String)> {
    let answers = verdicts.iter().filter(|((program, _), _)| program == name);
    answers.map(|((_, engine), verdict)| (engine.clone(), verdict.clone())).collect()
}

/// Pairs that contradict each other, and crashes. The engines of each come first.
fn contradictions(expected: Option<&str>, answers: &[(String, String)]) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    for (index, (engine, verdict)) in answers.iter().enumerate() {
        if verdict == "crash" {
            found.push((vec![engine.clone()], format!("{engine} crashes")));
        }
        let is_answer = |verdict: &str| matches!(verdict, "safe" | "unsafe");
        if !is_answer(verdict) {
            continue;
        }
        if let Some(expected) = expected.filter(|expected| expected != verdict) {
            found.push((vec![engine.clone()], format!("{engine} says {verdict}, the corpus says {expected}")));
        }
        for (other, opposite) in &answers[index + 1..] {
            if is_answer(opposite) && opposite != verdict {
                let message = format!("{engine} says {verdict}, {other} says {opposite}");
                found.push((vec![engine.clone(), other.clone()], message));
            }
        }
    }
    found
}

/// Prints the findings about a program, with the commands to repeat them; a generated program is made small first.
fn print(setting: &Setting, program: &Program, answers: &[(Vec<String>, String)]) {
    let mut file = program.file.clone();
    if program.is_generated
        && let Ok(text) = fs::read_to_string(&program.file)
        && let Some((engines, _)) = answers.first()
    {
        let small = setting.keep.join(format!("{}-small.c", program.name.replace(' ', "-")));
        let mut is_interesting = |text: &str| {
            if fs::write(&small, text).is_err() {
                return false;
            }
            let verdict = |engine: &String| measure(setting, engine, &small, program).unwrap_or_default();
            let again: Vec<(String, String)> = engines.iter().map(|engine| (engine.clone(), verdict(engine))).collect();
            !contradictions(None, &again).is_empty()
        };
        let text = shrink::shrink(&text, &mut is_interesting);
        if is_interesting(&text) {
            println!("{text}");
            file = small;
        }
    }
    for (engines, message) in answers {
        println!("FINDING {}: {message}", program.name);
        for engine in engines {
            println!("    uforia {}", command(setting, engine, &file, program).join(" "));
        }
    }
}

fn read(state: &Path) -> Verdicts {
    let text = fs::read_to_string(state).unwrap_or_default();
    let whole = &text[..text.rfind('\n').map_or(0, |at| at + 1)];
    // Half a line would be glued to the next one.
    if whole.len() < text.len() {
        let _ = fs::write(state, whole);
    }
    let row = |line: &str| {
        let mut columns = line.split(',');
        let (program, engine, verdict) = (columns.next()?, columns.next()?, columns.next()?);
        Some(((program.to_owned(), engine.to_owned()), verdict.to_owned()))
    };
    whole.lines().filter_map(row).collect()
}

fn summary(setting: &Setting, programs: &[Program], verdicts: &Verdicts, n_done: usize) {
    println!("{:12}{:>8}{:>8}{:>9}{:>8}", "engine", "safe", "unsafe", "unknown", "crash");
    for engine in setting.engines.iter().map(String::as_str).chain([RUNS]) {
        let count = |wanted: &str| {
            let key = |program: &Program| verdicts.get(&(program.name.clone(), engine.to_owned()));
            programs.iter().filter(|program| key(program).is_some_and(|verdict| verdict == wanted)).count()
        };
        let [safe, unsafe_, unknown, crash] = ["safe", "unsafe", "unknown", "crash"].map(count);
        println!("{engine:12}{safe:>8}{unsafe_:>8}{unknown:>9}{crash:>8}");
    }
    println!("{n_done} programs compared");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(engine, verdict)| ((*engine).to_owned(), (*verdict).to_owned())).collect()
    }

    #[test]
    fn contradictions_are_found_pair_by_pair() {
        let messages = |expected, pairs: &[(&str, &str)]| -> Vec<String> {
            contradictions(expected, &answers(pairs)).into_iter().map(|(_, message)| message).collect()
        };
        assert!(messages(Some("safe"), &[("bmc", "unknown"), ("kind", "safe"), ("euf", "safe")]).is_empty());
        assert_eq!(messages(None, &[("bmc", "unsafe"), ("kind", "safe")]), ["bmc says unsafe, kind says safe"]);
        assert_eq!(messages(Some("safe"), &[("bmc", "unsafe")]), ["bmc says unsafe, the corpus says safe"]);
        assert_eq!(messages(None, &[("ufo", "crash"), ("kind", "safe")]), ["ufo crashes"]);
    }
}
