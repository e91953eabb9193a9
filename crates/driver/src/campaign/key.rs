//! What a kept result is about: a hash of everything that can change the answer.
//!
//! The preprocessed text counts, so a changed header does too; of the property, what the file says; of the settings, all that engines see.
//! A program that cannot be read has no key, and its result is never taken from a file.

use cfront::DataModel;
use report::sha256;

use super::{Task, run};
use crate::context::Context;
use crate::frontend;
use crate::input;

/// Options that change how results are shown, or how many are made at a time, but not what they are.
const SHOWN_ONLY: &[&str] = &[
    "jobs",
    "resume",
    "json",
    "sarif",
    "html",
    "color",
    "fail-on",
    "quiet",
    "verbose",
    "stats",
    "progress",
    "cache",
    "property",
    "data-model",
];

/// The key of the task, if its program can be read.
pub fn key(context: &Context, task: &Task) -> Option<String> {
    let mut settings = run::settings_of(context, task)?;
    settings.file.clone_from(&task.file);
    settings.more.clone_from(&task.more);
    settings.data_model = task.data_model.unwrap_or(settings.data_model);
    settings.property = task.property.clone().unwrap_or(settings.property);
    let property = frontend::chosen_property(&settings.property).ok()?;
    let model = if settings.data_model == DataModel::Ilp32 { "ilp32" } else { "lp64" };
    let is_kept = |word: &&String| {
        let name = word.trim_start_matches("--").split('=').next().unwrap_or_default();
        !SHOWN_ONLY.contains(&name)
    };
    let mut parts =
        vec![env!("CARGO_PKG_VERSION").to_owned(), format!("{property:?}"), model.to_owned(), task.file.clone()];
    parts.extend(task.entry.clone());
    parts.extend(context.settings.words.iter().filter(is_kept).cloned());
    parts.extend(task.words.iter().cloned());
    let context = Context { settings: settings.into(), ..context.clone() };
    for file in std::iter::once(&task.file).chain(&task.more) {
        let bytes = input::read(file).ok()?;
        parts.push(frontend::preprocessed_file(&context, file, &bytes).ok()?);
    }
    // The length in front of each part keeps different lists apart.
    let whole: String = parts.iter().map(|part| format!("{}:{part}", part.len())).collect();
    Some(sha256::hex(whole.as_bytes()))
}
