//! From the words of the command line to tasks: files, task definitions, folders.
//!
//! A folder stands for all task definitions in it and below it; if there are none, for all programs. The order is that of the names, so two
//! runs see the same list.

use std::path::Path;

use super::{Task, cargo, definition};
use crate::failure::Failure;
use crate::frontend;
use crate::input;
use crate::options::Settings;

/// What there is to do.
#[derive(Debug, Default)]
pub struct Gathered {
    /// In the order of the words.
    pub tasks: Vec<Task>,
    /// What was passed over, one line each.
    pub notes: Vec<String>,
}

// law: the stack holds this many levels.
/// No collection is deeper.
const MAX_DEPTH: usize = 32;

/// Extensions of programs that a folder is searched for.
const PROGRAMS: &[&str] = &["c", "i", "bpl", "vmt", "btor", "btor2", "cfa"];

/// Finds the tasks that the words name.
pub fn gather(settings: &Settings) -> Result<Gathered, Failure> {
    let mut gathered = Gathered::default();
    let mut n_left_out = 0;
    let mut define = |name: &str, text: &str, to: &mut Vec<Task>| -> Result<(), Failure> {
        let wanted = match settings.is_given("property") {
            true => Some(frontend::chosen_property(&settings.property)?),
            false => None,
        };
        let read = |file: &str| {
            let bytes = Path::new(file).is_file().then(|| input::read(file).ok()).flatten()?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        };
        let found = definition::tasks(name, text, wanted.as_ref(), &read).map_err(Failure::CannotRead)?;
        n_left_out += found.n_left_out;
        to.extend(found.tasks);
        Ok(())
    };
    for entry in &settings.tasks {
        let (file, more) = entry.files.split_first().expect("the file of tasks was checked");
        for file in &entry.files {
            input::language(file)?;
        }
        let (name, more, words) = (entry.name.clone(), more.to_vec(), entry.words.clone());
        gathered.tasks.push(Task { name, more, words, ..Task::of(file) });
    }
    for word in &settings.files {
        let path = Path::new(word);
        if let Some(manifest) = cargo::manifest(word) {
            cargo::gather(settings, &manifest, &mut gathered)?;
        } else if path.is_dir() {
            let mut files = Vec::new();
            walk(path, MAX_DEPTH, &mut files)
                .map_err(|error| Failure::CannotRead(format!("cannot read {word}: {error}")))?;
            let before = gathered.tasks.len();
            for file in files.iter().filter(|file| has_extension(file, &["yml"])) {
                let text = text_of(file)?;
                if definition::is_one(&text)
                    && let Err(failure) = define(file, &text, &mut gathered.tasks)
                {
                    gathered.notes.push(failure.reason().text);
                }
            }
            if gathered.tasks.len() == before && gathered.notes.is_empty() {
                let programs = files.iter().filter(|file| has_extension(file, PROGRAMS));
                gathered.tasks.extend(programs.map(|file| Task::of(file)));
            }
            if gathered.tasks.len() == before && gathered.notes.is_empty() {
                let message = format!("{word}: the folder holds neither task definitions (.yml) nor programs");
                return Err(Failure::CannotRead(message));
            }
        } else if has_extension(word, &["yml"]) {
            define(word, &text_of(word)?, &mut gathered.tasks)?;
        } else {
            // A misspelt extension is said before hours of work.
            input::language(word)?;
            gathered.tasks.push(Task::of(word));
        }
    }
    if n_left_out > 0 {
        let plural = if n_left_out == 1 { "y was" } else { "ies were" };
        gathered.notes.push(format!("{n_left_out} propert{plural} left out: not asked for, or not checked by uforia"));
    }
    if gathered.tasks.is_empty() {
        let notes = gathered.notes.join("; ");
        return Err(Failure::CannotRead(format!("there is nothing to check: {notes}")));
    }
    Ok(gathered)
}

fn text_of(file: &str) -> Result<String, Failure> {
    Ok(String::from_utf8_lossy(&input::read(file)?).into_owned())
}

fn has_extension(file: &str, extensions: &[&str]) -> bool {
    let own = Path::new(file).extension().and_then(|extension| extension.to_str());
    own.is_some_and(|own| extensions.iter().any(|extension| own.eq_ignore_ascii_case(extension)))
}

/// All files below the folder, sorted; hidden ones are passed over, and links to folders: they may lead in a circle.
fn walk(folder: &Path, depth: usize, files: &mut Vec<String>) -> std::io::Result<()> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)?.filter_map(Result::ok).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if depth > 0 {
                walk(&path, depth - 1, files)?;
            }
        } else if path.is_dir() {
            continue;
        } else if let Some(name) = path.to_str() {
            files.push(name.to_owned());
        }
    }
    Ok(())
}
