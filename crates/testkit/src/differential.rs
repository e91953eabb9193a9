//! The differential test of meaning: random programs, compiled by the system's compiler and
//! interpreted by us, must give the same checksum, and we must find nothing undefined in them.
//!
//! Programs are compiled in batches: many go into one file, distinguished by a prefix of their names,
//! because starting a compiler costs more than a short program. When anything about a batch is odd,
//! its programs are looked at one by one, in the text that a user would see.

use crate::cgen::{self, Config};
use crate::compiler::{self, Problem, TempFolder};
use crate::ours::{self, Answer};
use crate::split;
use cfront::DataModel;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What to compare.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The first seed; program `i` has the seed `seed + i`.
    pub seed: u64,
    /// How many programs.
    pub count: u64,
    /// For which data model.
    pub model: DataModel,
    /// How many threads.
    pub jobs: usize,
    /// How many programs go into one executable.
    pub batch: u64,
    /// Where failing programs are kept.
    pub keep: Option<PathBuf>,
    /// Whether each program is split into two files, to be linked.
    pub split: bool,
}

/// A program that did not pass.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its seed.
    pub seed: u64,
    /// Its data model.
    pub model: DataModel,
    /// What happened.
    pub what: Verdict,
}

/// How a program fared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The checksums agree.
    Agrees,
    /// The compiler rejects the program, or the compiled program ends badly: the generator's bug.
    GeneratorFault(String),
    /// We refuse the program.
    Refused(String),
    /// We see something undefined where there is nothing.
    Undefined(String),
    /// We panicked, or gave no answer.
    NoAnswer(String),
    /// The checksums differ.
    Differs {
        /// What the compiled program computes.
        compiled: u32,
        /// What we compute.
        ours: u32,
    },
}

impl Verdict {
    /// A word for tables and file names.
    pub fn kind(&self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::GeneratorFault(_) => "generator-fault",
            Verdict::Refused(_) => "refused",
            Verdict::Undefined(_) => "undefined",
            Verdict::NoAnswer(_) => "no-answer",
            Verdict::Differs { .. } => "differs",
        }
    }
}

/// A program that runs longer than this with us would be a bug of the generator's estimate.
const MOST_EDGES: u64 = 200_000_000;
const RUN_LIMIT: Duration = Duration::from_secs(20);

/// Compares the given number of programs; `progress` receives the numbers of programs and failures so far.
pub fn compare(settings: &Settings, progress: &(dyn Fn(u64, u64) + Sync)) -> Vec<Failure> {
    let batches = settings.count.div_ceil(settings.batch);
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= batches {
                        return;
                    }
                    let first = index * settings.batch;
                    let size = settings.batch.min(settings.count - first);
                    let seeds: Vec<u64> = (first..first + size).map(|i| settings.seed.wrapping_add(i)).collect();
                    let found = match settings.split {
                        true => compare_split(&seeds, settings.model, optimisation(index)),
                        false => compare_batch(&seeds, settings.model, optimisation(index)),
                    };
                    for failure in &found {
                        keep(settings, failure);
                    }
                    let mut failures = failures.lock().expect("no thread panics while it holds the list");
                    failures.extend(found);
                    progress(done.fetch_add(size, Ordering::Relaxed) + size, failures.len() as u64);
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no thread panics while it holds the list");
    failures.sort_by_key(|failure| failure.seed);
    failures
}

/// Mostly without optimisation, which is fast; sometimes with, which finds what the compiler sees otherwise.
fn optimisation(batch: u64) -> &'static str {
    match batch % 8 {
        3 => "-O1",
        6 => "-O2",
        _ => "-O0",
    }
}

fn compare_batch(seeds: &[u64], model: DataModel, optimisation: &str) -> Vec<Failure> {
    let compiled = run_batch(seeds, model, optimisation);
    let mut failures = Vec::new();
    for (position, &seed) in seeds.iter().enumerate() {
        let verdict = match &compiled {
            Ok(checksums) if checksums.len() == seeds.len() => {
                let text = cgen::generate(seed, &Config::for_seed(seed, model));
                checked(&text, model, checksums[position])
            }
            _ => compare_one(seed, model, optimisation),
        };
        if verdict != Verdict::Agrees {
            // Alone, to be sure that it is not about the company it was in.
            let what = compare_one(seed, model, optimisation);
            let what = if what == Verdict::Agrees {
                Verdict::GeneratorFault(format!("only in a batch: {verdict:?}"))
            } else {
                what
            };
            failures.push(Failure { seed, model, what });
        }
    }
    failures
}

/// Programs in two files each, against `cc a.c b.c`. One that cannot be split agrees.
fn compare_split(seeds: &[u64], model: DataModel, optimisation: &str) -> Vec<Failure> {
    let compare = |&seed: &u64| {
        let text = cgen::generate(seed, &Config::for_seed(seed, model));
        let files = split::split(&text, seed)?;
        let verdict = match split_checksum(&files, model, &[optimisation]) {
            Ok(compiled) => {
                let [first, second] = files;
                let files = vec![("a.c".to_owned(), first), ("b.c".to_owned(), second)];
                verdict(ours::interpret_files(files, model, &[], MOST_EDGES), compiled)
            }
            // The size of an array whose length only its initialiser says, or a bug in the compiler.
            Err(Problem::Rejected(_)) => Verdict::Agrees,
            Err(problem) => Verdict::GeneratorFault(problem.to_string()),
        };
        (verdict != Verdict::Agrees).then_some(Failure { seed, model, what: verdict })
    };
    seeds.iter().filter_map(compare).collect()
}

/// What `main` of a program of two files returns, compiled with these further flags.
pub fn split_checksum(files: &[String; 2], model: DataModel, flags: &[&str]) -> Result<u32, Problem> {
    let folder = TempFolder::new();
    let wrapped = files.iter().map(|file| format!("#define main checked_main\n#line 1\n{file}"));
    let main = "extern int printf(const char *, ...);\nextern int checked_main(void);\n\
                int main(void) { printf(\"%u\\n\", (unsigned)checked_main()); return 0; }\n";
    let mut paths = Vec::new();
    for (name, text) in ["a.c", "b.c", "main.c"].iter().zip(wrapped.chain([main.to_owned()])) {
        let path = folder.path().join(name);
        std::fs::write(&path, text).map_err(|e| Problem::Rejected(e.to_string()))?;
        paths.push(path);
    }
    let executable = folder.path().join("program");
    compiler::compile(&paths, &executable, model, flags)?;
    let output = compiler::run(&executable, RUN_LIMIT)?;
    output.trim().parse().map_err(|_| Problem::BadRun(format!("it printed {output:?}")))
}

/// One file with all programs; the checksums in order.
fn run_batch(seeds: &[u64], model: DataModel, optimisation: &str) -> Result<Vec<u32>, Problem> {
    let mut text = String::new();
    let mut calls = String::new();
    for (position, &seed) in seeds.iter().enumerate() {
        let config = Config { prefix: format!("p{position}_"), ..Config::for_seed(seed, model) };
        text.push_str(&cgen::generate(seed, &config));
        calls.push_str(&format!("    printf(\"%u\\n\", p{position}_program());\n"));
    }
    text.push_str(&format!("extern int printf(const char *, ...);\nint main(void)\n{{\n{calls}    return 0;\n}}\n"));
    let output = compile_and_run(&text, model, &[optimisation], RUN_LIMIT)?;
    Ok(output.lines().filter_map(|line| line.parse().ok()).collect())
}

/// One program alone.
pub fn compare_one(seed: u64, model: DataModel, optimisation: &str) -> Verdict {
    let text = cgen::generate(seed, &Config::for_seed(seed, model));
    match checksum(&text, model, &[optimisation]) {
        Ok(compiled) => checked(&text, model, compiled),
        // A bug in the compiler is no result about us or the generator.
        Err(problem) if problem.to_string().contains("internal compiler error") => Verdict::Agrees,
        Err(problem) => Verdict::GeneratorFault(problem.to_string()),
    }
}

/// What a program's `main` returns when compiled with these further flags.
pub fn checksum(text: &str, model: DataModel, flags: &[&str]) -> Result<u32, Problem> {
    let text = format!(
        "#define main checked_main\n#line 1\n{text}\n#undef main\nextern int printf(const char *, ...);\n\
         int main(void) {{ printf(\"%u\\n\", (unsigned)checked_main()); return 0; }}\n"
    );
    let output = compile_and_run(&text, model, flags, RUN_LIMIT)?;
    output.trim().parse().map_err(|_| Problem::BadRun(format!("it printed {output:?}")))
}

fn compile_and_run(text: &str, model: DataModel, flags: &[&str], limit: Duration) -> Result<String, Problem> {
    let folder = TempFolder::new();
    let (source, executable) = (folder.path().join("program.c"), folder.path().join("program"));
    std::fs::write(&source, text).map_err(|e| Problem::Rejected(e.to_string()))?;
    compiler::compile(&[source], &executable, model, flags)?;
    compiler::run(&executable, limit)
}

/// What we say about a program of which the compiled checksum is known.
pub fn checked(text: &str, model: DataModel, compiled: u32) -> Verdict {
    verdict(ours::interpret("program.c", text, model, &[], MOST_EDGES), compiled)
}

fn verdict(result: ours::Result, compiled: u32) -> Verdict {
    match (result.answer, result.undefined) {
        (Answer::Returned(Some(value)), None) if value as u32 == compiled => Verdict::Agrees,
        (Answer::Returned(Some(value)), _) if value as u32 != compiled => {
            Verdict::Differs { compiled, ours: value as u32 }
        }
        (Answer::Returned(_), Some(undefined)) => Verdict::Undefined(undefined),
        (Answer::Unsupported(text) | Answer::Invalid(text), _) => Verdict::Refused(text),
        (other, undefined) => Verdict::NoAnswer(format!("{other:?}, undefined: {undefined:?}")),
    }
}

fn keep(settings: &Settings, failure: &Failure) {
    let Some(folder) = &settings.keep else { return };
    let model = model_name(failure.model);
    let text = cgen::generate(failure.seed, &Config::for_seed(failure.seed, failure.model));
    let header = format!("// data-model: {model}\n// seed: {}\n// {:?}\n", failure.seed, failure.what);
    let path = folder.join(format!("{model}-{}-{}.c", failure.what.kind(), failure.seed));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, header + &text));
    if let Err(error) = written {
        eprintln!("cannot keep {}: {error}", path.display());
    }
}

/// `ilp32` or `lp64`.
pub fn model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ilp32",
        DataModel::Lp64 => "lp64",
    }
}
