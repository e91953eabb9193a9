//! `cargo xtask passes`: the interpreter gives the same outcome before and after each pass.
//!
//! `--count N` random programs from `--seed S`, for `--model lp64|ilp32|both`; with `--corpus` (and `--folder DIR`,
//! `--set NAME`) every C task of the corpus that lowers. `--runs R` inputs each, at most `--edges E` edges a run,
//! on `--jobs J` threads. `--one SEED` or `--file FILE` looks at one program only.

use crate::corpus;
use crate::flags::Flags;
use cfront::DataModel;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use term::Terms;
use testkit::cgen::{self, Config};
use testkit::ours;
use testkit::passes::{self, Seen};

/// Does what the flags say.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let models = flags.models()?;
    let count = flags.number("--count", 1000)?;
    let seed = flags.number("--seed", 1)?;
    let work = Work {
        runs: flags.number("--runs", 8)?,
        edges: flags.number("--edges", 200_000)?,
        jobs: flags.number("--jobs", 2)?.max(1) as usize,
    };
    let one = flags.value("--one")?;
    let file = flags.value("--file")?;
    let folder = flags.value("--folder")?;
    let set = flags.value("--set")?;
    let corpus = flags.flag("--corpus");
    flags.finish()?;
    let programs: Vec<Job> = if let Some(file) = file {
        vec![Job { name: file.clone(), text: Text::File(file.into()), model: models[models.len() - 1] }]
    } else if corpus {
        let mut tasks = corpus::tasks(folder)?;
        tasks.retain(|task| set.as_ref().is_none_or(|set| *set == task.set));
        let model = |name: &str| if name == "lp64" { DataModel::Lp64 } else { DataModel::Ilp32 };
        let job = |task: corpus::Task| Job { name: task.name, text: Text::File(task.path), model: model(task.model) };
        tasks.into_iter().map(job).collect()
    } else {
        let seeds = match one {
            Some(one) => vec![one.parse().map_err(|_| "--one needs a seed".to_string())?],
            None => (seed..seed + count).collect::<Vec<u64>>(),
        };
        let of = |seed: u64| Job {
            name: format!("seed {seed}"),
            text: Text::Random(seed),
            model: models[seed as usize % models.len()],
        };
        seeds.into_iter().map(of).collect()
    };
    work.all(&programs)
}

/// How much is done for each program.
struct Work {
    runs: u64,
    edges: u64,
    jobs: usize,
}

/// A program to look at.
struct Job {
    name: String,
    text: Text,
    model: DataModel,
}

enum Text {
    Random(u64),
    File(PathBuf),
}

/// What became of a program.
enum Comparison {
    Same(Seen),
    NotInlined,
    NotLowered,
    Differs(String),
}

impl Work {
    fn all(&self, programs: &[Job]) -> Result<(), String> {
        let start = Instant::now();
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(job) = programs.get(index) else { return };
                        let compared = self.compare(job);
                        if let Comparison::Differs(what) = &compared {
                            println!("{}: {what}", job.name);
                        }
                        let mut results = results.lock().expect("no thread panics while it holds the results");
                        results.push(compared);
                        if results.len().is_multiple_of(500) {
                            eprintln!(
                                "{} of {} programs, {} s",
                                results.len(),
                                programs.len(),
                                start.elapsed().as_secs()
                            );
                        }
                    }
                });
            }
        });
        let results = results.into_inner().expect("no thread panics while it holds the results");
        let (mut seen, mut same, mut refused, mut unread, mut bad) = (Seen::default(), 0, 0, 0, 0);
        for compared in &results {
            match compared {
                Comparison::Same(one) => {
                    seen.add(one);
                    same += 1;
                }
                Comparison::NotInlined => refused += 1,
                Comparison::NotLowered => unread += 1,
                Comparison::Differs(_) => bad += 1,
            }
        }
        println!(
            "{} programs: {same} the same after each pass, {refused} not inlined, {unread} not lowered, {bad} differ; {} s",
            results.len(),
            start.elapsed().as_secs()
        );
        println!(
            "{} pairs of runs compared, {} met a limit, {} differ by where objects lie; {} first runs reach an error",
            seen.runs, seen.unknown, seen.wild, seen.errors
        );
        println!(
            "edges {} as lowered, {} after all passes; loads and stores {} inlined, {} after all passes",
            seen.edges_before, seen.edges_after, seen.accesses_before, seen.accesses_after
        );
        if bad > 0 { Err(format!("{bad} programs differ")) } else { Ok(()) }
    }

    fn compare(&self, job: &Job) -> Comparison {
        let (text, seed) = match &job.text {
            Text::Random(seed) => (cgen::generate(*seed, &Config::for_seed(*seed, job.model)), *seed),
            Text::File(path) => match std::fs::read_to_string(path) {
                Ok(text) => (text, 1),
                Err(error) => return Comparison::Differs(format!("cannot read {}: {error}", path.display())),
            },
        };
        let is_random = matches!(job.text, Text::Random(_));
        let (runs, edges) = (self.runs, self.edges);
        let compared = ours::lowered(&job.name, &text, job.model, move |program, terms| {
            let (mut program, mut terms): (_, Terms) = (program.clone(), terms.clone());
            if is_random {
                // Every other program must reach the error on its first run, the others must not.
                passes::enliven(&mut program, &mut terms, seed, None);
                let result = passes::result_of(&program, &terms, edges, seed);
                passes::enliven(&mut program, &mut terms, u64::MAX, result.map(|value| value ^ (seed & 1)));
            }
            passes::compare(&program, &mut terms, runs, edges, seed)
        });
        match compared {
            Ok(Ok(Some(seen))) => Comparison::Same(seen),
            Ok(Ok(None)) => Comparison::NotInlined,
            Ok(Err(what)) => Comparison::Differs(what),
            Err(ours::Answer::Panicked(what)) => Comparison::Differs(format!("panic: {what}")),
            Err(_) => Comparison::NotLowered,
        }
    }
}
