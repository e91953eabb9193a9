//! Doing the tasks: `--jobs` of them at a time, each in a process of its own.

use std::io::{IsTerminal, Read};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cfront::DataModel;
use report::json::Json;

use super::gather::Gathered;
use super::record::{self, Kept, Record};
use super::{Task, table};
use crate::exit::Exit;
use crate::memory::MemoryLimit;
use crate::output::message;
use crate::processor;
use crate::supervise::{Context, Outcome};

/// How often a process is looked at.
const PULSE: Duration = Duration::from_millis(5);
/// How long a process may go on after its time limit; it should have ended by itself.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a process has to end when it is told to.
const FAREWELL: Duration = Duration::from_millis(400);

/// Options that the campaign itself follows; what a task needs of them is said for each task.
const OWN: &[&str] =
    &["jobs", "resume", "json", "sarif", "quiet", "verbose", "stats", "property", "data-model", "memory", "threads"];

/// Does all tasks that are not done yet.
pub fn run(context: &Context, gathered: &Gathered) -> Outcome {
    let settings = &context.settings;
    if !settings.quiet {
        gathered.notes.iter().for_each(|note| message(&format!("uforia: {note}\n")));
    }
    let mut kept = None;
    let mut known = Vec::new();
    if let Some(name) = &settings.resume {
        match Kept::open(name, &kept_options(context)) {
            Ok((file, records)) => (kept, known) = (Some(file), records),
            Err(said) => {
                message(&format!("uforia: {said}\n"));
                return Outcome::Answered(Exit::Usage);
            }
        }
    }
    // A result without its part of the SARIF file has to be found again if one is wanted.
    known.retain(|record| settings.sarif.is_none() || record.sarif.is_some());
    let done = |task: &Task| known.iter().rev().find(|record| record.task == task.name).cloned();
    let records: Vec<Option<Record>> = gathered.tasks.iter().map(done).collect();
    let n_known = records.iter().flatten().count();
    if n_known > 0 {
        context.log(&format!("{n_known} of {} tasks are done already", records.len()));
    }
    let state = Mutex::new(State { next: 0, records, kept, running: Vec::new(), failed: None });
    let jobs = settings.jobs.unwrap_or(1).max(1) as usize;
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(gathered.tasks.len()) {
            scope.spawn(|| one_after_another(context, &gathered.tasks, jobs, &state));
        }
    });
    let state = state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    finish(context, gathered, state)
}

/// What the threads share.
struct State {
    next: usize,
    records: Vec<Option<Record>>,
    kept: Option<Kept>,
    running: Vec<String>,
    failed: Option<String>,
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn one_after_another(context: &Context, tasks: &[Task], jobs: usize, state: &Mutex<State>) {
    loop {
        let (index, task) = {
            let mut state = lock(state);
            while state.records.get(state.next).is_some_and(Option::is_some) {
                state.next += 1;
            }
            let Some(task) = tasks.get(state.next) else { return };
            if context.stopping() || state.failed.is_some() {
                return;
            }
            state.next += 1;
            state.running.push(task.name.clone());
            show_progress(context, &state);
            (state.next - 1, task)
        };
        let record = do_task(context, task, jobs);
        let mut state = lock(state);
        state.running.retain(|name| *name != task.name);
        match record {
            Ok(Some(record)) => {
                context.log(&format!("{}: {} {}", record.task, record.verdict, record.reason));
                let written = state.kept.as_mut().map_or(Ok(()), |kept| kept.add(&record));
                if let Err(said) = written {
                    state.failed = Some(said);
                }
                state.records[index] = Some(record);
            }
            Ok(None) => {}
            Err(said) => state.failed = Some(said),
        }
        show_progress(context, &state);
    }
}

/// Checks one program; none if it was interrupted.
fn do_task(context: &Context, task: &Task, jobs: usize) -> Result<Option<Record>, String> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find the own program: {error}"))?;
    let sarif = context.settings.sarif.is_some().then(|| scratch_file(context)).transpose()?;
    let mut command = Command::new(own);
    command.args(words(context, task, jobs));
    if let Some(sarif) = &sarif {
        command.arg(format!("--sarif={sarif}"));
    }
    command.arg("--").arg(&task.file);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("cannot start a process: {error}"))?;
    let out = collect(child.stdout.take());
    let err = collect(child.stderr.take());
    let limit = context.settings.timeout.map(|timeout| timeout + PATIENCE);
    let code = wait(context, &mut child, start, limit);
    let gather = |from: std::thread::JoinHandle<String>| from.join().unwrap_or_default();
    let (out, err) = (gather(out), gather(err));
    let mut record = told(task, code, &out, &err, start.elapsed());
    if let Some(sarif) = &sarif {
        record.sarif = std::fs::read_to_string(sarif).ok().and_then(|text| report::sarif::parts(&text));
        let _ = std::fs::remove_file(sarif);
    }
    if record.verdict == "UNKNOWN" && (context.stopping() || record.reason.starts_with("interrupted")) {
        return Ok(None);
    }
    if record.exit_code >= 64 && !context.settings.quiet {
        message(&format!("uforia: {}:\n{err}", task.name));
    }
    Ok(Some(record))
}

/// What the process said, in the words of a record.
fn told(task: &Task, code: Option<i32>, out: &str, err: &str, time: Duration) -> Record {
    let json = out.lines().find(|line| line.starts_with('{')).and_then(|line| Json::read(line).ok());
    let text = |name: &str| json.as_ref()?.get(name)?.as_text().map(str::to_owned);
    let number = |name: &str| json.as_ref()?.get(name)?.as_float();
    let complaint = || err.lines().next().unwrap_or("it said nothing").trim_start_matches("uforia: ").to_owned();
    let reason = match code {
        Some(_) => text("reason").unwrap_or_else(complaint),
        None => "it was ended from outside".to_owned(),
    };
    Record {
        task: task.name.clone(),
        verdict: text("verdict").filter(|_| code.is_some()).unwrap_or_else(|| "UNKNOWN".to_owned()),
        reason,
        expected: task.expected,
        exit_code: code.map_or(u64::from(Exit::Unknown.code()), |code| code.unsigned_abs().into()),
        seconds: time.as_secs_f64(),
        cpu_seconds: number("cpu_seconds"),
        engine: text("engine"),
        sarif: None,
    }
}

/// The options of the command line that hold for each task; those that a results file is kept for.
fn kept_options(context: &Context) -> Vec<String> {
    let is_kept = |word: &&String| {
        let name = word.trim_start_matches("--").split('=').next().unwrap_or_default();
        !matches!(name, "jobs" | "resume" | "json" | "sarif" | "quiet" | "verbose" | "stats")
    };
    context.settings.words.iter().filter(is_kept).cloned().collect()
}

/// The words for one task.
fn words(context: &Context, task: &Task, jobs: usize) -> Vec<String> {
    let settings = &context.settings;
    let is_own = |word: &str| OWN.contains(&word.trim_start_matches("--").split('=').next().unwrap_or_default());
    let mut words: Vec<String> = vec!["check".into(), "--quiet".into(), "--json=-".into()];
    words.extend(settings.words.iter().filter(|word| !is_own(word)).cloned());
    let property = task.property.as_ref().or(settings.is_given("property").then_some(&settings.property));
    words.extend(property.map(|property| format!("--property={property}")));
    let model = if task.data_model.unwrap_or(settings.data_model) == DataModel::Ilp32 { "ilp32" } else { "lp64" };
    words.push(format!("--data-model={model}"));
    // Tasks that run side by side share what there is.
    let share = || MemoryLimit::find(None).resident().map(|bytes| bytes / jobs as u64);
    let memory = settings.memory.or_else(|| if jobs > 1 { share() } else { None });
    words.extend(memory.map(|bytes| format!("--memory={bytes}")));
    let threads = settings.threads.or_else(|| (jobs > 1).then(|| (processor::cores() / jobs).max(1) as u32));
    words.extend(threads.map(|threads| format!("--threads={threads}")));
    words
}

/// A name for a file that is read and removed again.
fn scratch_file(context: &Context) -> Result<String, String> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let mut folders = context.temporary.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if folders.is_empty() {
        let folder = std::env::temp_dir().join(format!("uforia-campaign-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        folders.push(folder);
    }
    Ok(folders[0].join(format!("{}.sarif", NEXT.fetch_add(1, Ordering::Relaxed))).to_string_lossy().into_owned())
}

fn collect(from: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut from) = from {
            // A pipe that breaks has said what it had to say.
            let _ = from.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Waits for the process; it is told to end when the campaign is stopped, and ended when it does not listen.
fn wait(context: &Context, child: &mut Child, start: Instant, limit: Option<Duration>) -> Option<i32> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.code(),
            Ok(None) => {}
            Err(_) => return None,
        }
        if context.stopping() {
            // A polite word first: the process removes its temporary files.
            let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).stderr(Stdio::null()).status();
            let told = Instant::now();
            while told.elapsed() < FAREWELL && matches!(child.try_wait(), Ok(None)) {
                std::thread::sleep(PULSE);
            }
        }
        if context.stopping() || limit.is_some_and(|limit| start.elapsed() > limit) {
            let _ = child.kill();
            return child.wait().ok().and_then(|status| status.code());
        }
        std::thread::sleep(PULSE);
    }
}

/// One line on the terminal: how many are done, and which are not.
fn show_progress(context: &Context, state: &State) {
    if context.settings.quiet || !std::io::stderr().is_terminal() {
        return;
    }
    let done = state.records.iter().flatten().count();
    let running: String = state.running.join(", ").chars().take(60).collect();
    message(&format!("\r\x1b[K{done} of {} tasks done, at work on {running}", state.records.len()));
    if state.running.is_empty() {
        message("\r\x1b[K");
    }
}

/// The table, the files, the answer.
fn finish(context: &Context, gathered: &Gathered, state: State) -> Outcome {
    let settings = &context.settings;
    let n_tasks = gathered.tasks.len();
    let records: Vec<Record> = state.records.into_iter().flatten().collect();
    if let Some(said) = &state.failed {
        message(&format!("uforia: {said}\n"));
    }
    if let Some(to) = &settings.json {
        let lines: String = records.iter().map(|record| format!("{}\n", record.to_json())).collect();
        if to == "-" {
            context.output.print(&lines);
        } else if let Err(error) = std::fs::write(to, lines) {
            message(&format!("uforia: cannot write {to}: {error}\n"));
            return Outcome::Answered(Exit::CannotWrite);
        }
    }
    if let Some(to) = &settings.sarif {
        let parts: Vec<&Json> = records.iter().filter_map(|record| record.sarif.as_ref()).collect();
        let text = report::sarif::joined(env!("CARGO_PKG_VERSION"), &parts);
        if let Err(error) = std::fs::write(to, text) {
            message(&format!("uforia: cannot write {to}: {error}\n"));
            return Outcome::Answered(Exit::CannotWrite);
        }
    }
    if !settings.quiet {
        context.output.print(&table::table(&records));
        context.output.print(&table::sum(&records, n_tasks));
    }
    for wrong in records.iter().filter(|record| record.is_wrong()) {
        let Record { task, verdict, .. } = wrong;
        let expected = wrong.expectation();
        message(&format!("uforia: {task}: {verdict}, but the definition says {expected}; please report it\n"));
    }
    if records.len() < n_tasks {
        let (word, exit) = match &state.failed {
            Some(_) => ("stopped", Exit::CannotWrite),
            None => ("interrupted", Exit::Unknown),
        };
        let next = settings
            .resume
            .as_ref()
            .map_or("--resume FILE keeps what is done".to_owned(), |_| "the same command goes on from here".to_owned());
        context.output.print(&format!("UNKNOWN: {word} after {} of {n_tasks} tasks; {next}\n", records.len()));
        return Outcome::Answered(exit);
    }
    context.output.print(&table::answer(&records, n_tasks));
    Outcome::Answered(record::exit(&records))
}
