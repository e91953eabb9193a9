//! `cargo xtask corpus lower` and `cargo xtask corpus run`: checks against the public corpus.
//!
//! `lower` sends every C task through the front end and prints a table per set; it fails below 99 %
//! or at any crash. `run` executes every C task on zero and random inputs: the error calls of unsafe
//! tasks should be met, those of safe tasks never.
//!
//! Both take `--corpus DIR` (default: `../shared/benchmarks` beside the project), `--set NAME`,
//! `--jobs N`, `--timeout S`, `--binary FILE`; `run` also `--random N` (how many random runs a task gets).

use crate::flags::Flags;
use crate::tool::{self, Ran};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use testkit::golden::workspace;

/// A task of the corpus.
pub(crate) struct Task {
    pub(crate) path: PathBuf,
    pub(crate) name: String,
    pub(crate) set: String,
    /// `c`, `bpl`, `vmt` or `btor2`.
    pub(crate) language: String,
    /// Whether no error is reached, as the manifest says.
    pub(crate) safe: bool,
    pub(crate) model: &'static str,
}

/// Does what the first word says.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut flags = Flags::new(args);
    let corpus = flags.value("--corpus")?;
    let only = flags.value("--set")?;
    let jobs = flags.number("--jobs", 2)? as usize;
    let random = flags.number("--random", 2000)?;
    let timeout = flags.number("--timeout", 0)?;
    let binary = flags.value("--binary")?;
    let word = flags.word();
    flags.finish()?;
    let which = match word.as_deref() {
        Some("lower") => lower as fn(&Ask) -> Result<(), String>,
        Some("run") => execute,
        _ => return Err("say `corpus lower` or `corpus run`".into()),
    };
    let mut tasks = tasks(corpus)?;
    if let Some(only) = only {
        tasks.retain(|task| task.set == only);
    }
    which(&Ask { tasks, binary: tool::binary(binary)?, jobs: jobs.max(1), random, timeout })
}

/// What to do it with.
struct Ask {
    tasks: Vec<Task>,
    binary: PathBuf,
    jobs: usize,
    random: u64,
    /// Zero for the command's own default.
    timeout: u64,
}

/// The C tasks of the corpus.
pub(crate) fn tasks(chosen: Option<String>) -> Result<Vec<Task>, String> {
    let mut tasks = all_tasks(chosen)?;
    tasks.retain(|task| task.language == "c");
    if tasks.is_empty() { Err("the corpus lists no C task".into()) } else { Ok(tasks) }
}

/// Reads the corpus's list of tasks, all languages.
pub(crate) fn all_tasks(chosen: Option<String>) -> Result<Vec<Task>, String> {
    let folder = match chosen {
        Some(folder) => PathBuf::from(folder),
        None => workspace().join("../shared/benchmarks"),
    };
    let list = folder.join("manifest.csv");
    let text = std::fs::read_to_string(&list).map_err(|error| {
        format!(
            "there is no corpus: {}: {error}\nThis command needs a folder of verification tasks with a manifest.csv \
             (columns path, set, language, expected, data_model); name it with --corpus DIR",
            list.display()
        )
    })?;
    let mut tasks = Vec::new();
    for line in text.lines().skip(1) {
        let mut columns = line.split(',');
        let mut next = || columns.next().unwrap_or_default();
        let (name, set, language, expected, model) = (next(), next(), next(), next(), next());
        tasks.push(Task {
            path: folder.join(name),
            name: name.to_string(),
            set: set.to_string(),
            language: language.to_string(),
            safe: expected == "safe",
            model: if model.eq_ignore_ascii_case("lp64") { "lp64" } else { "ilp32" },
        });
    }
    if tasks.is_empty() {
        return Err(format!("{} lists no task", list.display()));
    }
    Ok(tasks)
}

/// Runs every task on several threads and collects the results of `check`, in the order of the list.
fn all<T: Send>(ask: &Ask, check: impl Fn(&Task) -> Result<T, String> + Sync) -> Result<Vec<T>, String> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Result<T, String>>>> = Mutex::new(ask.tasks.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..ask.jobs {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = ask.tasks.get(index) else { return };
                    let result = check(task);
                    results.lock().expect("no thread panics while it holds the results")[index] = Some(result);
                    if index % 50 == 49 {
                        eprintln!("{} of {} tasks", index + 1, ask.tasks.len());
                    }
                }
            });
        }
    });
    let results = results.into_inner().expect("no thread panics while it holds the results");
    results.into_iter().map(|result| result.expect("every task was checked")).collect()
}

fn words<'a>(task: &'a Task, more: &[&'a str]) -> Vec<&'a str> {
    let path = task.path.to_str().unwrap_or_default();
    let mut words = more.to_vec();
    words.extend(["--data-model", task.model, path]);
    words
}

/// One line of the table.
#[derive(Default)]
struct Row {
    tasks: usize,
    accepted: usize,
    refused: usize,
    invalid: usize,
    crashed: usize,
    slowest: f64,
    megabytes: u64,
}

impl Row {
    fn add(&mut self, ran: &Ran) {
        self.tasks += 1;
        match ran.code {
            _ if ran.crashed() || ran.timed_out => self.crashed += 1,
            Some(0) => self.accepted += 1,
            Some(2) => self.refused += 1,
            _ => self.invalid += 1,
        }
        self.slowest = self.slowest.max(ran.seconds);
        self.megabytes = self.megabytes.max(ran.megabytes);
    }
    fn print(&self, name: &str) {
        println!(
            "{name:24}{:>7}{:>10}{:>9}{:>9}{:>9}{:>11.2}{:>9}",
            self.tasks, self.accepted, self.refused, self.invalid, self.crashed, self.slowest, self.megabytes
        );
    }
}

fn lower(ask: &Ask) -> Result<(), String> {
    let limit = Duration::from_secs(if ask.timeout == 0 { 60 } else { ask.timeout });
    let results = all(ask, |task| tool::run(&ask.binary, &words(task, &["lower", "--stats"]), limit))?;
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut total = Row::default();
    for (task, ran) in ask.tasks.iter().zip(&results) {
        rows.entry(&task.set).or_default().add(ran);
        total.add(ran);
    }
    println!(
        "{:24}{:>7}{:>10}{:>9}{:>9}{:>9}{:>11}{:>9}",
        "set", "tasks", "accepted", "refused", "invalid", "crashed", "slowest s", "max MB"
    );
    for (set, row) in &rows {
        row.print(set);
    }
    total.print("all");
    for (task, ran) in ask.tasks.iter().zip(&results) {
        if ran.code != Some(0) || ran.crashed() {
            let is_error =
                |line: &&str| line.contains("error") || line.contains("unsupported") || line.contains("panic");
            let word = ran.errors.lines().find(is_error).or_else(|| ran.errors.lines().next()).unwrap_or("(silent)");
            let what = if ran.timed_out { "time" } else { "" };
            println!("{} {:?}{what}: {}", task.name, ran.code, shortened(word));
        }
    }
    let share = 100.0 * total.accepted as f64 / total.tasks as f64;
    println!("{share:.1} % accepted");
    if total.crashed > 0 {
        return Err(format!("{} tasks crashed the front end or hung it", total.crashed));
    }
    if share < 99.0 { Err("less than 99 % of the tasks were accepted".into()) } else { Ok(()) }
}

fn execute(ask: &Ask) -> Result<(), String> {
    let seconds = if ask.timeout == 0 { 10 } else { ask.timeout };
    let (time, tries) = (format!("{seconds}s"), ask.random.to_string());
    let limit = Duration::from_secs(seconds * 2 + 20);
    let results = all(ask, |task| {
        let more = ["run", "--random", tries.as_str(), "--timeout", time.as_str(), "-q"];
        tool::run(&ask.binary, &words(task, &more), limit)
    })?;
    let mut rows: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let (mut wrong, mut crashed, mut missed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut reached, mut doubtful, mut n_unsafe) = (0, 0, 0);
    for (task, ran) in ask.tasks.iter().zip(&results) {
        let row = rows.entry(&task.set).or_default();
        let hit = ran.code == Some(1);
        // A run that met something undefined or unknown first proves nothing.
        let clean = hit
            && !ran.output.lines().any(|l| ["undefined:", "order:", "note:"].iter().any(|word| l.starts_with(word)));
        row[usize::from(task.safe) * 2] += 1;
        row[usize::from(task.safe) * 2 + 1] += usize::from(hit);
        n_unsafe += usize::from(!task.safe);
        if ran.crashed() || ran.timed_out {
            crashed.push(format!(
                "{}: {:?} {}",
                task.name,
                ran.code,
                shortened(ran.errors.lines().next().unwrap_or(""))
            ));
        }
        match (task.safe, hit) {
            (true, true) if clean => wrong.push(task.name.clone()),
            (true, true) => doubtful += 1,
            (false, true) => {
                reached += 1;
                doubtful += usize::from(!clean);
            }
            (false, false) => {
                missed.push(format!("{}: {}", task.name, shortened(ran.output.lines().last().unwrap_or("(silent)"))));
            }
            (true, false) => {}
        }
    }
    println!("{:24}{:>8}{:>9}{:>8}{:>9}", "set", "unsafe", "reached", "safe", "reached");
    for (set, row) in &rows {
        println!("{set:24}{:>8}{:>9}{:>8}{:>9}", row[0], row[1], row[2], row[3]);
    }
    for line in &missed {
        println!("not reached: {line}");
    }
    for line in &crashed {
        println!("CRASHED: {line}");
    }
    for name in &wrong {
        println!("SAFE, BUT REACHED: {name}");
    }
    println!(
        "{reached} of {n_unsafe} unsafe tasks reached their error, {} of {} safe ones; {doubtful} only through \
         something undefined or unknown",
        wrong.len(),
        ask.tasks.len() - n_unsafe
    );
    if !wrong.is_empty() {
        return Err(format!("{} safe tasks reached their error", wrong.len()));
    }
    if !crashed.is_empty() {
        return Err(format!("{} tasks crashed or hung", crashed.len()));
    }
    let wanted = n_unsafe * 130 / 184;
    if reached < wanted { Err(format!("fewer than {wanted} unsafe tasks reached their error")) } else { Ok(()) }
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

/// The largest C task, for measurements.
pub fn largest(corpus: Option<String>) -> Result<PathBuf, String> {
    let tasks = tasks(corpus)?;
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |m| m.len());
    let largest = tasks.into_iter().max_by_key(|task| size(&task.path));
    Ok(largest.ok_or("the corpus is empty")?.path)
}
