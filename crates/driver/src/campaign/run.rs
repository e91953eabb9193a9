//! Doing the tasks: `--jobs` of them at a time, each in a process of its own.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use base::Stopped;
use cfront::DataModel;
use report::Reason;
use report::answer::{Answer, VerdictName};
use verdict::Code;

use super::gather::Gathered;
use super::record::{self, Kept, Record};
use super::{Task, key, table};
use crate::args;
use crate::child::ENDS_WITH_INPUT;
use crate::colours::has_terminal;
use crate::command::page;
use crate::context::Context;
use crate::display::Lines;
use crate::exit::Exit;
use crate::memory::MemoryLimit;
use crate::options::Settings;
use crate::output::message;
use crate::outputs;
use crate::processor;
use crate::tuning::Tuning;

/// Options that the campaign itself follows; what a task needs of them is said for each task.
const OWN: &[&str] = &[
    "jobs",
    "cargo-args",
    "resume",
    "separate",
    "json",
    "sarif",
    "html",
    "color",
    "fail-on",
    "quiet",
    "verbose",
    "stats",
    "property",
    "data-model",
    "memory",
    "threads",
];

/// Does all tasks that are not done yet.
pub fn run(context: &Context, gathered: &Gathered) -> Result<Exit, Stopped> {
    let settings = &context.settings;
    if !settings.quiet {
        gathered.notes.iter().for_each(|note| message(&format!("uforia: {note}\n")));
    }
    let mut kept = None;
    let mut known = Vec::new();
    if let Some(name) = &settings.resume {
        match Kept::open(name) {
            Ok((file, records)) => (kept, known) = (Some(file), records),
            Err(said) => {
                message(&format!("uforia: {said}\n"));
                return Ok(Exit::Usage);
            }
        }
    }
    let records = gathered.tasks.iter().map(|_| None).collect();
    let state =
        Mutex::new(State { next: 0, records, known, kept, running: Vec::new(), failed: None, lines: Lines::default() });
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
    /// Results of earlier campaigns.
    known: Vec<Record>,
    kept: Option<Kept>,
    running: Vec<String>,
    failed: Option<String>,
    lines: Lines,
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn one_after_another(context: &Context, tasks: &[Task], jobs: usize, state: &Mutex<State>) {
    loop {
        let (index, task) = {
            let mut state = lock(state);
            let Some(task) = tasks.get(state.next) else { return };
            if context.stopping() || state.failed.is_some() {
                return;
            }
            state.next += 1;
            state.running.push(task.name.clone());
            show_progress(context, &mut state);
            (state.next - 1, task)
        };
        // The key is made when the task's turn comes: it costs a run of the preprocessor.
        let key = context.settings.resume.as_ref().and_then(|_| key::key(context, task));
        if let Some(record) = kept_result(context, state, task, key.as_deref()) {
            let mut state = lock(state);
            state.running.retain(|name| *name != task.name);
            state.records[index] = Some(record);
            continue;
        }
        let record = do_task(context, task, jobs).map(|record| record.map(|record| Record { key, ..record }));
        let mut state = lock(state);
        state.running.retain(|name| *name != task.name);
        match record {
            Ok(Some(record)) => {
                context.log(&format!("{}: {}", record.task, record.answer.line()));
                let written = state.kept.as_mut().map_or(Ok(()), |kept| kept.add(&record));
                if let Err(said) = written {
                    state.failed = Some(said);
                }
                state.records[index] = Some(record);
            }
            Ok(None) => {}
            Err(said) => state.failed = Some(said),
        }
        show_progress(context, &mut state);
    }
}

/// The result of an earlier campaign for exactly this, if there is one.
fn kept_result(context: &Context, state: &Mutex<State>, task: &Task, key: Option<&str>) -> Option<Record> {
    let state = lock(state);
    let mut of_task = state.known.iter().rev().filter(|record| record.task == task.name).peekable();
    let is_known = of_task.peek().is_some();
    // What the definition expects is that of today.
    let found = of_task.find(|record| key.is_some() && record.key.as_deref() == key).cloned();
    match &found {
        Some(_) => context.log(&format!("{}: the result is kept", task.name)),
        None if is_known => message(&format!(
            "uforia: {}: the program, the property or the settings have changed; it is checked again\n",
            task.name
        )),
        None => {}
    }
    found.map(|record| Record { expected: task.expected, ..record })
}

/// Checks one program; none if it was interrupted.
fn do_task(context: &Context, task: &Task, jobs: usize) -> Result<Option<Record>, String> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find the own program: {error}"))?;
    let mut command = Command::new(own);
    command.args(words(context, task, jobs));
    command.arg("--").arg(&task.file).args(&task.more);
    // The process ends when the pipe ends, so also when we are killed.
    command.env(ENDS_WITH_INPUT, "1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("cannot start a process: {error}"))?;
    let out = collect(child.stdout.take());
    let err = collect(child.stderr.take());
    let timeout = settings_of(context, task).and_then(|settings| settings.timeout);
    let limit = timeout.map(|timeout| timeout + Duration::from_millis(Tuning::DEFAULT.campaign_overtime_milliseconds));
    let code = wait(context, &mut child, start, limit);
    let gather = |from: std::thread::JoinHandle<String>| from.join().unwrap_or_default();
    let (out, err) = (gather(out), gather(err));
    let answer = said(task, code, &out, &err, start.elapsed());
    let is_interrupted = code.is_some() && answer.reasons.first().is_some_and(|one| one.code == Code::Interrupted);
    if answer.verdict == VerdictName::Unknown && (context.stopping() || is_interrupted) {
        return Ok(None);
    }
    if answer.exit_code >= 64 {
        let said = if context.settings.quiet { format!(" {}\n", answer.reason) } else { format!("\n{err}") };
        message(&format!("uforia: {}:{said}", task.name));
    }
    Ok(Some(Record { task: task.name.clone(), key: None, expected: task.expected, answer }))
}

/// The answer of the process; if it gave none, why.
fn said(task: &Task, code: Option<i32>, out: &str, err: &str, time: Duration) -> Answer {
    let given = out.lines().find(|line| line.starts_with('{')).and_then(|line| Answer::read(line).ok());
    let complaint = || err.lines().next().unwrap_or("it said nothing").trim_start_matches("uforia: ").to_owned();
    let answer = given.filter(|_| code.is_some()).unwrap_or_else(|| {
        let reason = match code.map(Exit::of) {
            None => Reason::new(Code::Interrupted, "it was ended from outside"),
            Some(Exit::Usage) => Reason::new(Code::Usage, complaint()),
            Some(Exit::BadInput) => Reason::new(Code::InvalidProgram, complaint()),
            Some(Exit::CannotRead) => Reason::new(Code::CannotRead, complaint()),
            Some(Exit::CannotWrite) => Reason::new(Code::CannotWrite, complaint()),
            Some(_) => Reason::new(Code::Panic, complaint()),
        };
        Answer::unknown(env!("CARGO_PKG_VERSION"), &task.file, reason)
    });
    let exit_code = code.and_then(|code| u8::try_from(code).ok()).unwrap_or(Exit::Unknown.code());
    Answer { exit_code, seconds: (time.as_secs_f64() * 1000.0).round() / 1000.0, ..answer }
}

/// The words for one task.
fn words(context: &Context, task: &Task, jobs: usize) -> Vec<String> {
    let settings = &context.settings;
    let is_own = |word: &str| OWN.contains(&word.trim_start_matches("--").split('=').next().unwrap_or_default());
    let mut words: Vec<String> = vec!["check".into(), "--no-config".into(), "--quiet".into(), "--json=-".into()];
    words.extend(settings.words.iter().filter(|word| !is_own(word)).cloned());
    let property = task.property.as_ref().or(settings.is_given("property").then_some(&settings.property));
    words.extend(property.map(|property| format!("--property={property}")));
    words.extend(task.entry.iter().map(|entry| format!("--entry={entry}")));
    let model = if task.data_model.unwrap_or(settings.data_model) == DataModel::Ilp32 { "ilp32" } else { "lp64" };
    words.push(format!("--data-model={model}"));
    // Tasks that run side by side share what there is.
    let share = || MemoryLimit::find(None).resident().map(|bytes| bytes / jobs as u64);
    let memory = settings.memory.or_else(|| if jobs > 1 { share() } else { None });
    words.extend(memory.map(|bytes| format!("--memory={bytes}")));
    let threads = settings.threads.or_else(|| (jobs > 1).then(|| (processor::cores() / jobs).max(1) as u32));
    words.extend(threads.map(|threads| format!("--threads={threads}")));
    words.extend(task.words.iter().cloned());
    words
}

/// The settings of a task with options of its own; those of the campaign for others.
pub fn settings_of(context: &Context, task: &Task) -> Option<Settings> {
    if task.words.is_empty() {
        return Some((*context.settings).clone());
    }
    let mut line = words(context, task, 1);
    line.push("--".to_owned());
    line.push(task.file.clone());
    line.extend(task.more.iter().cloned());
    match args::parse(&line) {
        Ok(args::Request::Work(settings)) => Some(*settings),
        _ => None,
    }
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

/// Waits for the process; when the campaign is stopped, the process gets SIGTERM, and is killed if it does not end.
fn wait(context: &Context, child: &mut Child, start: Instant, limit: Option<Duration>) -> Option<i32> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.code(),
            Ok(None) => {}
            Err(_) => return None,
        }
        if context.stopping() {
            // SIGTERM first: the process removes its temporary files.
            let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).stderr(Stdio::null()).status();
            let asked = Instant::now();
            while asked.elapsed() < Duration::from_millis(Tuning::DEFAULT.campaign_end_milliseconds)
                && matches!(child.try_wait(), Ok(None))
            {
                std::thread::sleep(Duration::from_millis(Tuning::DEFAULT.campaign_poll_milliseconds));
            }
        }
        if context.stopping() || limit.is_some_and(|limit| start.elapsed() > limit) {
            let _ = child.kill();
            return child.wait().ok().and_then(|status| status.code());
        }
        std::thread::sleep(Duration::from_millis(Tuning::DEFAULT.campaign_poll_milliseconds));
    }
}

/// One line on the terminal: how many are done, and which are not.
fn show_progress(context: &Context, state: &mut State) {
    if context.settings.quiet || !has_terminal() {
        return;
    }
    let done = state.records.iter().flatten().count();
    let running = state.running.join(", ");
    state.lines.show(&[format!("{done} of {} tasks done, running {running}", state.records.len())]);
}

/// The table, the files, the answer.
fn finish(context: &Context, gathered: &Gathered, state: State) -> Result<Exit, Stopped> {
    let settings = &context.settings;
    let n_tasks = gathered.tasks.len();
    drop(state.lines);
    let records: Vec<Record> = state.records.into_iter().flatten().collect();
    if let Some(said) = &state.failed {
        message(&format!("uforia: {said}\n"));
    }
    let mut written = Ok(());
    if let Some(to) = &settings.json {
        let lines: String = records.iter().map(Record::line).collect();
        if to == "-" {
            context.output.print(&lines);
        } else {
            written = outputs::write(to, lines);
        }
    }
    if let Some(to) = &settings.sarif {
        let answers: Vec<&Answer> = records.iter().map(|record| &record.answer).collect();
        written = outputs::write(to, report::sarif::file(env!("CARGO_PKG_VERSION"), &answers)).and(written);
    }
    if let Some(to) = &settings.html {
        let answers: Vec<(&str, &Answer)> =
            records.iter().map(|record| (record.task.as_str(), &record.answer)).collect();
        written = page::write_all(to, &answers).and(written);
    }
    if !settings.quiet {
        context.output.print(&table::table(&records));
        context.output.print(&table::assumptions(&records));
        context.output.print(&table::sum(&records, n_tasks));
    }
    for wrong in records.iter().filter(|record| record.is_wrong()) {
        let (task, verdict, expected) = (&wrong.task, wrong.answer.verdict, wrong.expectation());
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
        return Ok(written.err().unwrap_or(exit));
    }
    context.output.print(&table::answer(&records, n_tasks));
    Ok(written.err().unwrap_or_else(|| record::exit(&records)))
}
