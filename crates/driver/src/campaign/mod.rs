//! `uforia check` on several files, on task definitions and on folders: a campaign.
//!
//! Each task is a process of its own, so that one that runs out of memory or meets a bug of ours costs only itself. Answers are kept as they
//! come (`--resume FILE`); a campaign that was stopped can be resumed. At the end stands a table.

mod cargo;
mod definition;
mod gather;
mod key;
pub mod record;
mod run;
mod table;

use cfront::DataModel;
use std::path::Path;
use std::sync::Arc;

use self::record::Expected;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::{Command, Settings};
use crate::output::{Output, message};
use crate::outputs;
use crate::supervise::{self, Work, supervise};

/// Something to check.
#[derive(Clone, Debug)]
pub struct Task {
    /// How it is called: the name of the definition or of the program.
    pub name: String,
    /// The program, or its first file.
    pub file: String,
    /// The other files of the program.
    pub more: Vec<String>,
    /// The harness, if the program has several.
    pub entry: Option<String>,
    /// The property, if the definition names one.
    pub property: Option<String>,
    /// The sizes of types, if the definition names them.
    pub data_model: Option<DataModel>,
    /// What the definition says, if it does.
    pub expected: Option<Expected>,
    /// Options of its own, as words of the command line.
    pub words: Vec<String>,
}

impl Task {
    /// A program of which nothing is known.
    fn of(file: &str) -> Task {
        Task {
            name: file.to_owned(),
            file: file.to_owned(),
            more: Vec::new(),
            entry: None,
            property: None,
            data_model: None,
            expected: None,
            words: Vec::new(),
        }
    }
}

/// Options that say something about one program.
const FOR_ONE: &[&str] = &["witness", "harness", "emit-arg", "list-assertions", "assertion", "assertions"];

/// Whether the command line asks for a campaign.
pub fn asked(settings: &Settings) -> bool {
    let is_more = |file: &String| file.ends_with(".yml") || Path::new(file).is_dir() || cargo::manifest(file).is_some();
    settings.command == Command::Check
        && settings.more.is_empty()
        && (!settings.tasks.is_empty()
            || settings.files.len() > 1
            || settings.resume.is_some()
            || settings.files.iter().any(is_more))
}

/// Runs the campaign. A definition with a single task is checked like a file.
pub fn start(mut settings: Settings) -> Exit {
    let gathered = match prepare(&settings) {
        Ok(gathered) => gathered,
        Err(failure) => {
            let reason = failure.reason().text;
            message(&format!("uforia: {reason}\n"));
            let last = if failure.exit() == Exit::Usage { String::new() } else { format!("UNKNOWN: {reason}\n") };
            return Output::standard().finish(&last).map_or(Exit::CannotWrite, |()| failure.exit());
        }
    };
    let files = |task: &'_ Task| [std::slice::from_ref(&task.file), &task.more].concat();
    let inputs: Vec<String> = gathered.tasks.iter().flat_map(files).collect();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    if let Err(failure) = outputs::prepare(&settings, &inputs) {
        return crate::entry::refused(&settings, &failure);
    }
    if let [task] = &gathered.tasks[..]
        && settings.resume.is_none()
        && settings.tasks.is_empty()
    {
        settings.file.clone_from(&task.file);
        settings.more.clone_from(&task.more);
        settings.entry = task.entry.clone().or(settings.entry);
        settings.property = task.property.clone().unwrap_or(settings.property);
        settings.data_model = task.data_model.unwrap_or(settings.data_model);
        let work = crate::command::work(settings.command);
        return supervise(&supervise::context(settings), work);
    }
    if let Some(option) = settings.given().find(|option| FOR_ONE.contains(option)) {
        message(&format!("uforia: --{option} is for one program at a time, and there are several\n"));
        return Exit::Usage;
    }
    let mut context = supervise::context(settings);
    // The time limit is that of each task.
    context.deadline = None;
    let gathered = Arc::new(gathered);
    let body = move |context: &Context| run::run(context, &gathered);
    supervise(&context, Work { body: Arc::new(body), stopped: |_, _| {} })
}

fn prepare(settings: &Settings) -> Result<gather::Gathered, Failure> {
    if settings.files.iter().any(|file| file == "-") {
        return Err(Failure::Usage("standard input is one program; it cannot be one of several".to_owned()));
    }
    let mut gathered = gather::gather(settings)?;
    let mut known = std::collections::BTreeSet::new();
    gathered.tasks.retain(|task| known.insert(task.name.clone()));
    Ok(gathered)
}
