//! Tasks of `uforia.toml`: programs of a project, each with its files and options of its own.
//!
//! ```toml
//! [[task]]
//! name = "ring"
//! files = ["src/ring.c", "proofs/ring_model.c"]
//! function = "ring_push"
//! ```
//!
//! Any other key is a long option of `check`. It replaces the one of `[check]`, and an option of the command line replaces it.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Entry, Found, is_overridden};
use crate::options::TaskEntry;

/// Options that are about all tasks together.
const FOR_ALL: &[&str] = &[
    "json", "sarif", "html", "resume", "jobs", "separate", "task", "quiet", "verbose", "progress", "color", "fail-on",
];

/// The tasks in the order of the file. `at` gives the place of an offset.
pub fn tasks_of(
    path: &Path,
    parsed: &DeTable<'_>,
    at: &dyn Fn(usize) -> String,
    all: &clap::Command,
    given: &clap::ArgMatches,
) -> Result<Vec<TaskEntry>, String> {
    let Some((key, value)) = parsed.iter().find(|(key, _)| key.get_ref().as_ref() == "task") else {
        return Ok(Vec::new());
    };
    let DeValue::Array(entries) = value.get_ref() else {
        return Err(format!("{}: a task begins with [[task]]", at(key.span().start)));
    };
    let mut tasks: Vec<TaskEntry> = Vec::new();
    for entry in entries {
        let start = at(entry.span().start);
        let DeValue::Table(table) = entry.get_ref() else {
            return Err(format!("{start}: a task begins with [[task]]"));
        };
        let task = task(path, table, &start, at, all, given)?;
        if tasks.iter().any(|known| known.name == task.name) {
            return Err(format!("{start}: two tasks are called `{}`; `name` distinguishes them", task.name));
        }
        tasks.push(task);
    }
    Ok(tasks)
}

fn task(
    path: &Path,
    table: &DeTable<'_>,
    start: &str,
    at: &dyn Fn(usize) -> String,
    all: &clap::Command,
    given: &clap::ArgMatches,
) -> Result<TaskEntry, String> {
    let owner = all.find_subcommand("check");
    let mut first = String::new();
    let mut task = TaskEntry { name: String::new(), files: Vec::new(), words: Vec::new() };
    for (key, value) in table {
        let place = at(key.span().start);
        let entry = Entry { section: "check", key: key.get_ref().as_ref(), value, folder: path.parent() };
        let text = |value: &Spanned<DeValue<'_>>| entry.text(value).map_err(|why| format!("{place}: {why}"));
        match entry.key {
            "name" => task.name = text(value)?,
            "files" => {
                let names = match value.get_ref() {
                    DeValue::Array(values) => values.iter().map(text).collect::<Result<Vec<_>, _>>()?,
                    _ => vec![text(value)?],
                };
                first = names.first().cloned().unwrap_or_default();
                task.files = names.into_iter().map(|name| entry.inside_folder(name)).collect();
            }
            key if FOR_ALL.contains(&key) => {
                return Err(format!("{place}: `{key}` is for all tasks together; it belongs to [check]"));
            }
            _ => match entry.words(all, owner).map_err(|why| format!("{place}: {why}"))? {
                Found::Option(option, words) if !is_overridden(owner, &option, given) => task.words.extend(words),
                Found::Option(..) => {}
                Found::Setting(word) => task.words.push(word),
            },
        }
    }
    if task.files.is_empty() {
        return Err(format!("{start}: a task needs `files`"));
    }
    if task.name.is_empty() {
        task.name = first;
    }
    Ok(task)
}

/// The tasks of these names; all if none is given.
pub fn selected(tasks: Vec<TaskEntry>, names: &[String]) -> Result<Vec<TaskEntry>, String> {
    if let Some(name) = names.iter().find(|name| tasks.iter().all(|task| task.name != **name)) {
        let known: Vec<&str> = tasks.iter().map(|task| task.name.as_str()).collect();
        let known = if known.is_empty() { "there are none".to_owned() } else { known.join(", ") };
        return Err(format!("there is no task `{name}` in uforia.toml: {known}"));
    }
    Ok(tasks.into_iter().filter(|task| names.is_empty() || names.contains(&task.name)).collect())
}
