//! The bundle of a bug: what a developer needs to see an internal error again, in one archive in the current folder.
//!
//! When evidence is refused or an engine panics, the exit code is 70 and the user is asked to report it. The archive holds the preprocessed program, the
//! settings, the evidence as text, the reason and the version. Its name comes from its content, so the same bug gives the same file. It contains the
//! user's program, so it stays where it is until the user sends it. A bundle that cannot be written is passed over: the answer counts.

use std::io;
use std::path::Path;

use flate2::{Compression, GzBuilder};
use report::sha256;

use crate::child::ENDS_WITH_INPUT;
use crate::context::Context;
use crate::frontend;
use crate::input;
use crate::options::When;
use crate::output::{Output, message};
use crate::outputs;
use crate::progress::lock;

/// Writes the bundle and says where it is; none if it is not wanted or cannot be written.
pub fn write(context: &Context, reason: &str) -> Option<String> {
    let is_task = std::env::var_os(ENDS_WITH_INPUT).is_some();
    match context.settings.bug_bundle {
        When::Never => return None,
        // A campaign may have thousands of tasks.
        When::Auto if is_task => return None,
        When::Auto | When::Always => {}
    }
    let files = contents(context, reason)?;
    let name = name(&files);
    outputs::write(&name, archive(&files).ok()?).ok()?;
    message(&format!(
        "uforia: {name} holds the preprocessed program, the settings and the evidence; please report the bug with it (it contains your program)\n"
    ));
    Some(name)
}

/// The files of the archive.
type Files = Vec<(String, Vec<u8>)>;

fn contents(context: &Context, reason: &str) -> Option<Files> {
    let settings = &context.settings;
    let (kept, evidence) = {
        let mut progress = lock(&context.progress);
        (progress.input.take(), progress.evidence.join("\n"))
    };
    let program = match kept {
        Some(text) => text,
        None => text_of(context)?,
    };
    let extension = Path::new(&settings.file).extension().and_then(|extension| extension.to_str());
    let extension = extension.filter(|&extension| extension != "c").unwrap_or("i");
    let model = format!("{:?}", settings.data_model).to_lowercase();
    let options = settings.words.join("\n");
    let said = format!(
        "command: {}\nproperty: {}\ndata model: {model}\noptions:\n{options}\n",
        crate::commands::spec(settings.command).name,
        settings.property
    );
    let mut files = vec![
        (format!("program.{extension}"), program.into_bytes()),
        ("settings.txt".to_owned(), said.into_bytes()),
        ("reason.txt".to_owned(), format!("{reason}\n").into_bytes()),
        ("version.txt".to_owned(), crate::args::version().into_bytes()),
    ];
    if !evidence.is_empty() {
        files.push(("evidence.txt".to_owned(), evidence.into_bytes()));
    }
    if settings.property.ends_with(".prp") {
        files.extend(input::read(&settings.property).ok().map(|bytes| ("property.prp".to_owned(), bytes)));
    }
    Some(files)
}

/// The preprocessed text of the program, or what is in the file.
fn text_of(context: &Context) -> Option<String> {
    let file = &context.settings.file;
    if !Path::new(file).is_file() {
        return None;
    }
    let bytes = input::read(file).ok()?;
    // The cancel flag of the run may be set already.
    let fresh = Context::new((*context.settings).clone(), Output::to(Box::new(io::sink())));
    Some(frontend::preprocessed(&fresh, &bytes).unwrap_or_else(|_| input::decoded(bytes)))
}

fn name(files: &Files) -> String {
    let mut all = Vec::new();
    for (name, bytes) in files {
        all.extend(format!("{}:{name}{}:", name.len(), bytes.len()).into_bytes());
        all.extend(bytes);
    }
    format!("uforia-bug-{}.tar.gz", &sha256::hex(&all)[..12])
}

/// The archive: the same files give the same bytes.
fn archive(files: &Files) -> io::Result<Vec<u8>> {
    let packed = GzBuilder::new().mtime(0).write(Vec::new(), Compression::default());
    let mut builder = tar::Builder::new(packed);
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        builder.append_data(&mut header, format!("uforia-bug/{name}"), bytes.as_slice())?;
    }
    builder.into_inner()?.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Command, Settings};
    use std::io::Read;

    #[test]
    fn the_archive_holds_what_is_needed_to_see_the_bug_again() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let file = folder.path().join("a.c").to_string_lossy().into_owned();
        std::fs::write(&file, "#define X 3\nint main(void) { return X; }\n").expect("our own folder");
        let mut settings = Settings::new(Command::Check);
        (settings.file, settings.words) = (file, vec!["--seed=7".to_owned()]);
        let context = Context::new(settings, Output::standard());
        lock(&context.progress).evidence.push("x < 3".to_owned());
        let files = contents(&context, "the checker says no").expect("the file is there");
        assert_eq!(name(&files), name(&contents(&context, "the checker says no").expect("the file is there")));
        assert_ne!(name(&files), name(&contents(&context, "another reason").expect("the file is there")));
        let bytes = archive(&files).expect("memory is never full");
        let mut read = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let mut found = Vec::new();
        for entry in read.entries().expect("it is an archive") {
            let mut entry = entry.expect("it is an archive");
            let mut text = String::new();
            entry.read_to_string(&mut text).expect("it is text");
            found.push((entry.path().expect("a plain name").to_string_lossy().into_owned(), text));
        }
        let text =
            |name: &str| found.iter().find(|(other, _)| other.ends_with(name)).map_or("", |(_, text)| text.as_str());
        assert!(text("program.i").contains("return 3;"), "{found:?}");
        assert!(text("settings.txt").contains("--seed=7") && text("settings.txt").contains("lp64"), "{found:?}");
        assert_eq!((text("reason.txt"), text("evidence.txt")), ("the checker says no\n", "x < 3"));
        assert!(text("version.txt").contains(env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn without_a_program_or_with_never_there_is_no_bundle() {
        let mut settings = Settings::new(Command::Check);
        assert_eq!(write(&Context::new(settings.clone(), Output::standard()), "x"), None);
        settings.file = "crates/driver/src/bundle.rs".to_owned();
        settings.bug_bundle = When::Never;
        assert_eq!(write(&Context::new(settings, Output::standard()), "x"), None);
    }
}
