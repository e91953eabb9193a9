//! Uninterpreted programs: generated ones against ground truth, and the table of the corpus.
//!
//! `uninterpreted --count N --seed S` verifies N programs of each family; every answer passes the checker, none may contradict
//! what the program's paths say or what runs on small random models do, and the unknown ones are counted. `--family NAME` takes one family,
//! `--mode NAME` another mode of the engine. `uninterpreted table` runs the binary on the Boogie tasks of the corpus and
//! writes what it says beside the published figures into docs/benchmarks.md.

use std::process::Command as Process;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use base::{Budget, FastMap, Random};
use program::interp::{Inputs, Limits, Machine, Outcome, Request};
use term::Terms;
use testkit::golden::workspace;
use testkit::uninterpreted::Program;
use testkit::uninterpreted::families::{Family, rewritten};
use testkit::uninterpreted::truth::{Bound, truth};
use uforia::context::Context;
use uforia::options::{Command, Settings};
use uforia::output::Output;
use verdict::Verdict;

use crate::flags::Flags;

/// Does what the arguments say.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    if flags.word().as_deref() == Some("table") {
        let corpus = flags.value("--corpus")?;
        flags.finish()?;
        return table(corpus);
    }
    let mut flags = Flags::new(args);
    let count = flags.number("--count", 200)?;
    let seed = flags.number("--seed", 0)?;
    let only = flags.value("--family")?;
    let mode = flags.value("--mode")?;
    flags.finish()?;
    if let Some(name) = &only
        && Family::ALL.iter().all(|(_, known)| known != name)
    {
        return Err(format!("--family: there is no family `{name}`"));
    }
    let worker = std::thread::Builder::new().stack_size(256 << 20);
    let work = move || generated(count, seed, only.as_deref(), mode.as_deref());
    worker.spawn(work).map_err(|error| error.to_string())?.join().map_err(|_| "the engine panicked".to_owned())?
}

// ---- generated programs

/// How far the paths of a program are followed.
const BOUND: Bound = Bound { length: 90, total: 3000 };
/// Runs on small random models.
const RUNS: u64 = 20;

/// A checked answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Safe,
    Unsafe,
    Unknown,
}

fn generated(count: u64, seed: u64, only: Option<&str>, mode: Option<&str>) -> Result<(), String> {
    let mut wrong = Vec::new();
    println!("| family | programs | safe | unsafe | unknown | paths decided | seconds | slowest |");
    println!("|---|---|---|---|---|---|---|---|");
    for (number, (family, name)) in Family::ALL.into_iter().enumerate() {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let (mut answers, mut decided) = ([0u64; 3], 0u64);
        let start = Instant::now();
        let mut slowest = (0.0, 0);
        for index in 0..count {
            // Families and seeds do not share programs.
            let own = seed.wrapping_mul(1_000_003).wrapping_add(index).wrapping_mul(5).wrapping_add(number as u64);
            let program = family.program(own);
            let clock = Instant::now();
            let (answer, complaint) = measure(&program, mode, own);
            if clock.elapsed().as_secs_f64() > slowest.0 {
                slowest = (clock.elapsed().as_secs_f64(), own);
            }
            answers[answer as usize] += 1;
            let known = truth(&program, BOUND);
            decided += u64::from(known.error || known.complete);
            let mut complain = |why: &str| wrong.push(format!("{name} {own}: {why}\n{}", program.to_boogie()));
            if let Some(complaint) = complaint {
                complain(&complaint);
            }
            match answer {
                Answer::Safe if known.error => complain("safe, and a path fails"),
                Answer::Unsafe if known.complete && !known.error => complain("unsafe, and no path fails"),
                _ => {}
            }
            if family == Family::Metamorphic {
                let other = rewritten(&program, &mut Random::new(own));
                let (second, complaint) = measure(&other, mode, own);
                if let Some(complaint) = complaint {
                    complain(&format!("rewritten: {complaint}\n{}", other.to_boogie()));
                }
                if let (Answer::Safe, Answer::Unsafe) | (Answer::Unsafe, Answer::Safe) = (answer, second) {
                    complain(&format!("{answer:?}, and {second:?} in other words\n{}", other.to_boogie()));
                }
            }
        }
        let [safe, unsafe_, unknown] = answers;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "| {name} | {count} | {safe} | {unsafe_} | {unknown} ({:.2} %) | {decided} | {seconds:.0} | {:.2} s (seed {}) |",
            unknown as f64 * 100.0 / count.max(1) as f64,
            slowest.0,
            slowest.1
        );
    }
    if wrong.is_empty() {
        println!("\nno disagreement");
        return Ok(());
    }
    Err(wrong.join("\n"))
}

/// The engine's answer, and what is wrong with it.
fn measure(program: &Program, mode: Option<&str>, seed: u64) -> (Answer, Option<String>) {
    let text = program.to_boogie();
    let mut terms = Terms::new();
    let compiled = match bplfront::compile("generated.bpl", &text, &mut terms) {
        Ok(compiled) => compiled.program,
        Err(found) => return (Answer::Unknown, Some(format!("the front end refuses it: {found:?}"))),
    };
    let mut settings = Settings::new(Command::Check);
    settings.engine = Some(uforia::engines::DECIDES.name.to_owned());
    if let Some(mode) = mode {
        settings.chosen.set(uforia::engines::DECIDES.settings.component, "mode", mode);
    }
    let context = Context::new(settings, Output::standard());
    let Ok(conclusion) = uforia::verify::verify(&context, &compiled, &terms, None) else {
        return (Answer::Unknown, Some("it was stopped".to_owned()));
    };
    let complaint = conclusion.bugs.first().cloned();
    match conclusion.verdict {
        Verdict::Safe(_) => (Answer::Safe, complaint.or_else(|| failing_run(&compiled, &terms, seed))),
        Verdict::Unsafe(_) => (Answer::Unsafe, complaint),
        Verdict::Endless(_) | Verdict::Unknown(_) => (Answer::Unknown, complaint),
    }
}

/// A run on a small random model that fails the assertion.
fn failing_run(program: &program::Program, terms: &Terms, seed: u64) -> Option<String> {
    let mut machine = Machine::new(program, terms).ok()?;
    let limits = Limits { edges: 2000, ..Limits::default() };
    let budget = Budget::ticks(u64::MAX, AtomicBool::new(false).into());
    for number in 0..RUNS {
        let mut model = SmallModel::new(seed.wrapping_add(number.wrapping_mul(7919)));
        if let Outcome::Error(_) = machine.run(&mut model, &limits, &budget).outcome {
            return Some(format!("safe, and run {number} fails"));
        }
    }
    None
}

/// Functions over two or three elements, chosen when they are first asked for.
struct SmallModel {
    random: Random,
    size: u64,
    tables: FastMap<(String, Vec<u128>), u128>,
}

impl SmallModel {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let size = 2 + random.below(2);
        SmallModel { random, size, tables: FastMap::new() }
    }
}

impl Inputs for SmallModel {
    fn value(&mut self, _: &Request<'_>) -> u128 {
        u128::from(self.random.below(self.size))
    }
    fn choose(&mut self, n: usize) -> usize {
        self.random.below(n as u64) as usize
    }
    fn apply(&mut self, function: &str, args: &[u128]) -> u128 {
        let value = u128::from(self.random.below(self.size));
        *self.tables.get_or_insert_with((function.to_owned(), args.to_vec()), || value)
    }
}

// ---- the table

/// Runs of each task; their processor time is the mean.
const REPEATS: u32 = 5;

fn table(corpus: Option<String>) -> Result<(), String> {
    let folder = corpus.map_or_else(|| workspace().join("../shared/benchmarks"), std::path::PathBuf::from);
    let list = std::fs::read_to_string(folder.join("manifest.csv"))
        .map_err(|error| format!("there is no corpus in {}: {error}; name it with --corpus DIR", folder.display()))?;
    let binary = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("uforia");
    if !binary.is_file() {
        return Err("build the binary first: cargo build --release".to_owned());
    }
    let mut lines = Vec::new();
    let (mut all, mut worst, mut n, mut right) = (0.0, 0.0f64, 0, 0);
    for line in list.lines().skip(1) {
        let mut columns = line.split(',');
        let mut next = || columns.next().unwrap_or_default();
        let (path, _, language, expected) = (next(), next(), next(), next());
        if language != "bpl" {
            continue;
        }
        let file = folder.join(path);
        let before = children_seconds();
        let mut said = String::new();
        for _ in 0..REPEATS {
            let output = Process::new(&binary).arg("check").arg(&file).output().map_err(|error| error.to_string())?;
            said = String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned();
        }
        let seconds = (children_seconds() - before) / f64::from(REPEATS);
        let answer = said.split(':').next().unwrap_or_default().to_lowercase();
        let report = Process::new(&binary).args(["lower", "--emit", "coherence"]).arg(&file).output();
        let report = report.map_err(|error| error.to_string())?;
        let report = String::from_utf8_lossy(&report.stdout).into_owned();
        let parts = report.lines().last().unwrap_or_default();
        let numbers: Vec<&str> = parts.split(' ').filter(|word| word.chars().all(|c| c.is_ascii_digit())).collect();
        let paths = if report.contains("coherent on all paths\n") && !report.contains("not coherent on all paths") {
            "all"
        } else if report.contains("not coherent on paths") {
            "no"
        } else {
            "consistent"
        };
        let name =
            std::path::Path::new(path).file_stem().map_or(path.into(), |stem| stem.to_string_lossy().into_owned());
        let published = PUBLISHED.iter().find(|row| format!("benchmark{}", row.0) == name);
        let theirs = match published {
            Some((_, time, ultimate, coherent, other)) => {
                let ultimate = ultimate.map_or("timeout".to_owned(), |time| format!("{time}"));
                format!("{time} | {coherent}/{other} | {ultimate}")
            }
            None => "– | – | –".to_owned(),
        };
        (all, worst, n) = (all + seconds, worst.max(seconds), n + 1);
        right += u32::from(answer == expected);
        let numbers = numbers.join("/");
        lines.push(format!("| {name} | {answer} | {seconds:.3} | {numbers} | {paths} | {theirs} |"));
    }
    let mut text = format!(
        "Written by `cargo run --release -p xtask -- uninterpreted table`. {right} of {n} answers are as published, each checked \
         (proofs replayed, models executed). Seconds of processor time for the whole process: {all:.2} for all of them, at most \
         {worst:.3}. Parts are the sub-programs for the choices at branches outside loops, coherent/not, exactly counted; the last of ours says on \
         which paths the whole program is coherent. Published: seconds, parts, and what Ultimate took, on another machine.\n\n\
         | program | answer | seconds | parts | coherent on | published | parts | Ultimate |\n|---|---|---|---|---|---|---|---|\n"
    );
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    print!("{text}");
    let file = workspace().join("docs/benchmarks.md");
    let before = std::fs::read_to_string(&file).unwrap_or_default();
    std::fs::write(&file, with_section(&before, "Uninterpreted programs", &text)).map_err(|error| error.to_string())?;
    if right == n { Ok(()) } else { Err(format!("{} answers are not as published", n - right)) }
}

/// The page with this section replaced, or at its end.
fn with_section(page: &str, title: &str, body: &str) -> String {
    let heading = format!("\n## {title}\n");
    let (before, after) = match page.split_once(&heading) {
        Some((before, rest)) => {
            (before.to_owned(), rest.find("\n## ").map_or(String::new(), |at| rest[at..].to_owned()))
        }
        None => (page.trim_end().to_owned() + "\n", String::new()),
    };
    format!("{before}{heading}\n{}\n{after}", body.trim())
}

/// Processor time of processes that we started and that have ended.
fn children_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may contain anything, the third field comes first.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(13) + ticks(14)) / 100.0
}

/// The published figures for the generated programs: number, seconds, seconds of Ultimate unless it ran out of time, coherent
/// parts, other parts [HongEtAl-FM'21], Table 1.
const PUBLISHED: &[(u32, f64, Option<f64>, u32, u32)] = &[
    (0, 1.424, Some(1.816), 2, 10),
    (1, 1.162, Some(1.958), 6, 12),
    (2, 33.647, None, 12, 15),
    (3, 10.101, None, 8, 10),
    (4, 0.212, Some(1.606), 3, 9),
    (5, 3.01, None, 6, 12),
    (6, 2.011, None, 4, 8),
    (7, 15.395, None, 6, 12),
    (8, 0.091, Some(1.593), 3, 9),
    (9, 0.066, Some(1.582), 4, 4),
    (10, 0.2, Some(1.796), 5, 13),
    (11, 9.522, None, 15, 12),
    (12, 0.089, Some(1.589), 3, 5),
    (13, 0.115, Some(1.559), 2, 6),
    (14, 254.083, Some(46.887), 8, 0),
    (15, 0.107, Some(1.587), 6, 6),
    (16, 0.842, Some(95.587), 7, 1),
    (17, 9.65, Some(1.562), 3, 9),
    (18, 73.801, Some(1.585), 4, 4),
    (19, 186.273, Some(1.909), 12, 0),
    (20, 1.139, Some(1.614), 4, 4),
    (21, 1.404, Some(1.645), 3, 5),
    (22, 0.165, Some(1.613), 6, 2),
    (23, 3.191, None, 12, 15),
    (24, 0.211, Some(1.592), 4, 8),
    (25, 9.361, Some(1.56), 0, 12),
    (26, 1.723, None, 10, 8),
    (27, 0.231, Some(1.627), 5, 13),
    (28, 0.298, Some(1.674), 7, 5),
    (29, 1.843, None, 6, 6),
    (30, 31.438, Some(1.748), 10, 8),
    (31, 0.071, Some(1.589), 2, 6),
    (32, 3.836, Some(1.588), 2, 10),
    (33, 0.152, Some(1.556), 3, 9),
    (34, 9.955, None, 6, 21),
    (35, 60.027, Some(1.606), 9, 3),
    (36, 0.121, Some(1.619), 6, 6),
    (37, 1.466, Some(1.598), 6, 6),
    (38, 2.138, None, 6, 12),
    (39, 3.38, None, 6, 12),
    (40, 1.662, None, 5, 7),
    (41, 0.281, Some(1.586), 8, 4),
    (42, 0.023, Some(1.645), 2, 1),
    (43, 33.946, Some(1.626), 8, 0),
    (44, 2.064, Some(1.914), 2, 6),
    (45, 18.148, None, 5, 13),
    (46, 0.185, None, 2, 1),
    (47, 1.736, Some(1.806), 9, 9),
    (48, 27.209, Some(1.899), 12, 0),
    (49, 10.421, None, 4, 4),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_replaced_and_the_others_stay() {
        let page = "# Page\n\n## One\n\n1\n\n## Two\n\n2\n";
        let replaced = with_section(page, "One", "new");
        assert_eq!(replaced, "# Page\n\n## One\n\nnew\n\n## Two\n\n2\n");
        assert_eq!(with_section(page, "Three", "3"), "# Page\n\n## One\n\n1\n\n## Two\n\n2\n\n## Three\n\n3\n");
    }
}
