//! Files that the user asked for: refused early, written whole, never at the cost of an input.
//!
//! Before any work each output is tried: its folder must take a file, and it must be neither an input (by whatever name or link) nor another
//! output. A file is written beside its place and renamed, so a reader sees the old text or the new one, never half of it. Devices and pipes
//! are opened and written as they are. A write that fails at the end costs the exit code, not the verdict.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::{Command, Settings};
use crate::output::message;

/// Tries every output of the command line. `inputs` are files that are read, besides those that the settings name.
pub fn prepare(settings: &Settings, inputs: &[&str]) -> Result<(), Failure> {
    let mut read: Vec<&str> = settings.files.iter().map(String::as_str).chain(inputs.iter().copied()).collect();
    read.push(&settings.file);
    read.extend(settings.inputs.as_deref());
    if settings.property.ends_with(".prp") {
        read.push(&settings.property);
    }
    let mut seen: Vec<(&str, PathBuf)> = Vec::new();
    for (option, to) in named(settings) {
        let Ok(place) = Place::of(&to) else { return Err(cannot(&to, &io::Error::from(io::ErrorKind::NotFound))) };
        if let Some(input) = read.iter().find(|input| is_same_file(&to, input)) {
            return Err(Failure::Usage(format!(
                "--{option} {to} would overwrite the input {input}; take another name"
            )));
        }
        if let Place::Plain(path) = &place {
            if let Some((other, _)) = seen.iter().find(|(_, known)| known == path) {
                return Err(Failure::Usage(format!("--{option} and --{other} name the same file {to}")));
            }
            seen.push((option, path.clone()));
        }
        place.probe().map_err(|error| cannot(&to, &error))?;
    }
    Ok(())
}

/// The options that name outputs, with the files.
fn named(settings: &Settings) -> Vec<(&'static str, String)> {
    let is_check = settings.command == Command::Check;
    let copy = settings.harness.as_deref().map(report::harness::copy_name);
    let outputs = [
        ("json", settings.json.clone().filter(|to| to != "-")),
        ("sarif", settings.sarif.clone()),
        ("html", settings.html.clone()),
        // For `validate` the witness is an input.
        ("witness", settings.witness.clone().filter(|_| is_check)),
        ("harness", settings.harness.clone()),
        ("harness", copy),
        ("emit-arg", settings.emit_arg.clone()),
        ("output", settings.output.clone().filter(|to| to != "-")),
    ];
    outputs.into_iter().filter_map(|(option, to)| Some((option, to?))).collect()
}

fn cannot(to: &str, error: &io::Error) -> Failure {
    Failure::CannotWrite(format!("cannot write {to}: {error}"))
}

/// Whether both names are the same file: by inode, so links count.
fn is_same_file(one: &str, other: &str) -> bool {
    let regular = |name: &str| std::fs::metadata(name).ok().filter(Metadata::is_file);
    let id = |metadata: Metadata| (metadata.dev(), metadata.ino());
    matches!((regular(one).map(id), regular(other).map(id)), (Some(one), Some(other)) if one == other)
}

/// Writes the text, and says why not.
pub fn write(to: &str, text: impl AsRef<[u8]>) -> Result<(), Exit> {
    Place::of(to).and_then(|place| place.write(text.as_ref())).map_err(|error| {
        message(&format!("uforia: cannot write {to}: {error}\n"));
        Exit::CannotWrite
    })
}

/// Where a text goes.
enum Place {
    /// A file, present or to be made, with all links on the way followed.
    Plain(PathBuf),
    /// A device, a pipe, or something else that is not replaced.
    Special(PathBuf),
}

impl Place {
    fn of(to: &str) -> io::Result<Place> {
        let path = Path::new(to);
        // `/dev/stdout` may be a regular file that the shell has opened; it must keep its inode.
        if path.starts_with("/dev") || path.starts_with("/proc") {
            return Ok(Place::Special(path.to_owned()));
        }
        if path.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        Ok(match (std::fs::metadata(path), path.is_symlink()) {
            (Ok(metadata), _) if metadata.is_file() => Place::Plain(path.canonicalize()?),
            // Not a regular file, or a link to nowhere.
            (Ok(_), _) | (Err(_), true) => Place::Special(path.to_owned()),
            (Err(_), false) => {
                let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
                Place::Plain(folder(path).canonicalize()?.join(name))
            }
        })
    }
    /// Fails if the output cannot be opened; changes nothing.
    fn probe(&self) -> io::Result<()> {
        match self {
            Place::Plain(path) => match beside(path) {
                Ok(_) => Ok(()),
                Err(error) => OpenOptions::new().write(true).open(path).map(|_| ()).map_err(|_| error),
            },
            // To open a pipe may mean to wait for its reader.
            Place::Special(path) if is_pipe(path) => Ok(()),
            Place::Special(path) => OpenOptions::new().append(true).create(true).open(path).map(|_| ()),
        }
    }
    fn write(&self, text: &[u8]) -> io::Result<()> {
        match self {
            Place::Plain(path) => match beside(path) {
                Ok(mut file) => {
                    file.write_all(text)?;
                    file.persist(path).map(|_| ()).map_err(|error| error.error)
                }
                // A folder that takes no new file, but a file in it that can be written.
                Err(error) => File::options().write(true).truncate(true).open(path).map_err(|_| error)?.write_all(text),
            },
            Place::Special(path) => OpenOptions::new().append(true).create(true).open(path)?.write_all(text),
        }
    }
}

fn is_pipe(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new file beside this one, with its permissions or those that the user's mask gives.
fn beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let kept = std::fs::metadata(path).map(|metadata| metadata.permissions());
    let permissions = kept.unwrap_or_else(|_| std::fs::Permissions::from_mode(0o666));
    tempfile::Builder::new().prefix(".uforia-").permissions(permissions).tempfile_in(folder(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(json: &str, input: &str) -> Settings {
        let mut settings = Settings::new(Command::Check);
        (settings.json, settings.file) = (Some(json.to_owned()), input.to_owned());
        settings
    }

    #[test]
    fn an_input_is_never_an_output_by_any_name() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        std::fs::write(at("a.c"), "int main;").expect("our own folder");
        std::os::unix::fs::symlink(at("a.c"), at("soft")).expect("our own folder");
        std::fs::hard_link(at("a.c"), at("hard")).expect("our own folder");
        for name in ["a.c", "./a.c", "soft", "hard"] {
            let refused = prepare(&settings(&at(name), &at("a.c")), &[]);
            assert!(
                matches!(&refused, Err(Failure::Usage(said)) if said.contains("would overwrite")),
                "{name}: {refused:?}"
            );
        }
        assert!(matches!(prepare(&settings(&at("no/such"), &at("a.c")), &[]), Err(Failure::CannotWrite(_))));
        assert!(matches!(prepare(&settings(&at("."), &at("a.c")), &[]), Err(Failure::CannotWrite(_))));
        assert!(prepare(&settings(&at("new"), &at("a.c")), &[]).is_ok());
        let mut twice = settings(&at("new"), &at("a.c"));
        twice.sarif = Some(at("./new"));
        assert!(matches!(prepare(&twice, &[]), Err(Failure::Usage(said)) if said.contains("the same file")));
        let left = std::fs::read_dir(folder.path()).expect("our own folder").count();
        assert_eq!(left, 3, "trying leaves nothing behind");
    }

    #[test]
    fn a_text_takes_the_place_of_another_and_keeps_links_and_permissions() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        std::fs::write(at("old"), "old").expect("our own folder");
        std::fs::set_permissions(at("old"), std::fs::Permissions::from_mode(0o640)).expect("our own file");
        std::os::unix::fs::symlink("old", at("link")).expect("our own folder");
        write(&at("link"), "new").expect("it can be written");
        assert_eq!(std::fs::read_to_string(at("old")).expect("it is there"), "new");
        assert!(Path::new(&at("link")).is_symlink());
        let mode = std::fs::metadata(at("old")).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        write("/dev/null", "x").expect("it takes everything");
        assert_eq!(write("/dev/full", "x"), Err(Exit::CannotWrite));
    }
}
