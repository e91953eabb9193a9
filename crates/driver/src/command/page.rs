//! The report for a browser: one page for an answer, or an index with a page for each task.

use std::path::{Path, PathBuf};

use report::html::{self, Attachment};
use report::{Answer, harness};

use crate::context::Context;
use crate::exit::Exit;
use crate::frontend::{source_again, text_of};
use crate::input;
use crate::output::message;
use crate::outputs;

/// Writes the page, if asked for.
pub fn write(context: &Context, answer: &Answer, attachments: &[Attachment]) -> Result<(), Exit> {
    let Some(to) = &context.settings.html else { return Ok(()) };
    let mut source = |file: &str| match file == context.settings.file {
        true => source_again(context).map(input::decoded),
        false => text_of(file),
    };
    outputs::write(to, html::page(answer, &mut source, attachments))
}

/// The harness as a file to save, with the copy of the program that it may need.
pub fn attachments(name: &str, made: harness::Harness) -> Vec<Attachment> {
    let copy = made.copy.map(|(name, text)| Attachment { name, text });
    std::iter::once(Attachment { name: name.to_owned(), text: made.text }).chain(copy).collect()
}

/// Writes the index `to` and the pages of the tasks into a folder beside it.
pub fn write_all(to: &str, answers: &[(&str, &Answer)]) -> Result<(), Exit> {
    let folder = folder(to);
    if let Err(error) = std::fs::create_dir_all(&folder) {
        message(&format!("uforia: cannot write {}: {error}\n", folder.display()));
        return Err(Exit::CannotWrite);
    }
    let name_of_folder = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut rows = Vec::new();
    for (index, (task, answer)) in answers.iter().enumerate() {
        let name = format!("{:03}-{}.html", index + 1, plain(task));
        let page = html::page(answer, &mut |file| text_of(file), &[]);
        outputs::write(&folder.join(&name).to_string_lossy(), page)?;
        rows.push(((*task).to_owned(), *answer, format!("{}/{name}", percent_encoded(&name_of_folder))));
    }
    outputs::write(to, html::index(env!("CARGO_PKG_VERSION"), &rows))
}

/// `report.html`: `report-tasks`.
fn folder(to: &str) -> PathBuf {
    let path = Path::new(to);
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    path.with_file_name(format!("{stem}-tasks"))
}

/// The end of a name with letters that files and addresses have without quoting.
fn plain(task: &str) -> String {
    let base = task.trim_end_matches('/').rsplit('/').next().unwrap_or(task);
    let kept = base.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' });
    kept.take(60).collect()
}

fn percent_encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'-' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_pages_need_no_quoting() {
        assert_eq!(plain("a b/c\"<&>é:x.c"), "c____é:x.c".replace(['é', ':'], "_"));
        assert_eq!(percent_encoded("a b%é"), "a%20b%25%C3%A9");
        assert_eq!(folder("out/report.html"), Path::new("out/report-tasks"));
    }
}
