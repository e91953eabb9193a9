//! `compile_commands.json`: how the files of a project are compiled.
//!
//! The file is a list of commands, each with the folder it runs in, the file it compiles, and its words ([JSON Compilation Database] of clang). Of
//! these we take what the preprocessor needs. Options that only concern code generation, warnings or outputs are passed over. Options that change what
//! the program means in a way that the front end does not treat, such as `-funsigned-char`, are refused.
//!
//! [JSON Compilation Database]: https://clang.llvm.org/docs/JSONCompilationDatabase.html

use std::path::{Path, PathBuf};

use base::Severity;
use cfront::DataModel;
use serde::Deserialize;

use crate::failure::Failure;
use crate::input::{self, about};
use crate::quoting;

/// The name of the file in the folder that `-p` names.
const NAME: &str = "compile_commands.json";

/// A command of the list.
#[derive(Deserialize)]
struct Entry {
    directory: String,
    file: String,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// What a command says to the preprocessor.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// The words, with paths that do not depend on the folder.
    pub words: Vec<String>,
    /// The data model, if an option chooses it.
    pub model: Option<DataModel>,
    /// Options that change what the program means, and that are not treated.
    pub refused: Vec<String>,
}

/// Options whose value is a path.
const PATHS: &[&str] = &["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I"];
/// Other options for the preprocessor that have a value.
const VALUES: &[&str] = &["-D", "-U"];
/// Options with a value, in a word of its own, that do not concern us.
const SKIPPED_WITH_VALUE: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-x",
    "-arch",
    "-target",
    "--param",
    "-Xlinker",
    "-Xassembler",
    "-z",
    "-L",
    "-l",
    "-T",
];
/// Options that change what a program means.
const REFUSED: &[&str] = &[
    "-funsigned-char",
    "-fno-signed-char",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-ffast-math",
    "-Ofast",
    "-funsafe-math-optimizations",
    "-fassociative-math",
    "-freciprocal-math",
    "-frounding-math",
    "-ftrapv",
    "-mlong-double-64",
    "-mlong-double-128",
    "-fsingle-precision-constant",
    "-mx32",
];

/// The flags of a file. `database`: a folder, or the list itself. `None`: the list does not contain the file.
pub fn flags(database: &str, file: &str) -> Result<Option<Flags>, Failure> {
    let mut path = PathBuf::from(database);
    if path.is_dir() {
        path = path.join(NAME);
    }
    let name = path.to_string_lossy().into_owned();
    let bytes = input::read(&name)?;
    let broken = |message: String| Failure::Invalid(vec![about(&name, 0, &message)]);
    let entries: Vec<Entry> = serde_json::from_slice(&bytes).map_err(|error| broken(error.to_string()))?;
    let wanted = std::fs::canonicalize(file).unwrap_or_else(|_| PathBuf::from(file));
    // A relative folder is one beside the list.
    let base = path.parent().map(Path::to_path_buf).unwrap_or_default();
    for entry in entries {
        let folder = base.join(&entry.directory);
        let compiled = folder.join(&entry.file);
        if std::fs::canonicalize(&compiled).unwrap_or(compiled) != wanted {
            continue;
        }
        let words = match (entry.arguments, entry.command) {
            (Some(words), _) => words,
            (None, Some(command)) => {
                quoting::split(&command).map_err(|why| broken(format!("the command of {}: {why}", entry.file)))?
            }
            (None, None) => return Err(broken(format!("{} has neither `arguments` nor `command`", entry.file))),
        };
        return Ok(Some(of_words(&words, &folder)));
    }
    Ok(None)
}

/// What the words of a command say; the first one names the compiler.
fn of_words(words: &[String], folder: &Path) -> Flags {
    let mut flags = Flags::default();
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        let with_value = |options: &'static [&'static str]| options.iter().find(|option| word.starts_with(**option));
        if let Some(option) = with_value(PATHS) {
            let joined = word[option.len()..].trim_start_matches('=');
            let value = if joined.is_empty() { rest.next().map_or("", String::as_str) } else { joined };
            flags.words.extend([(*option).to_owned(), folder.join(value).to_string_lossy().into_owned()]);
        } else if let Some(option) = with_value(VALUES) {
            let joined = &word[option.len()..];
            let value = if joined.is_empty() { rest.next().map_or("", String::as_str) } else { joined };
            flags.words.push(format!("{option}{value}"));
        } else if SKIPPED_WITH_VALUE.contains(&word.as_str()) {
            rest.next();
        } else if word.starts_with("-std=") || word == "-ansi" || word == "-undef" {
            flags.words.push(word.clone());
        } else if word == "-pthread" {
            flags.words.push("-D_REENTRANT=1".to_owned());
        } else if word == "-m32" || word == "-m64" {
            flags.model = Some(if word == "-m32" { DataModel::Ilp32 } else { DataModel::Lp64 });
        } else if REFUSED.iter().any(|option| word == option || word.starts_with(&format!("{option}="))) {
            flags.refused.push(word.clone());
        }
    }
    flags
}

/// The words for the preprocessor, if the list contains the file and its options are treated.
pub fn preprocessor_words(database: &str, file: &str, model: DataModel) -> Result<Option<Vec<String>>, Failure> {
    let Some(flags) = flags(database, file)? else { return Ok(None) };
    if !flags.refused.is_empty() {
        let refused = flags.refused.iter().map(|option| {
            let mut found = about(file, 0, &format!("option `{option}` of {NAME}"));
            found.severity = Severity::Unsupported;
            found
        });
        return Err(Failure::Invalid(refused.collect()));
    }
    if let Some(own) = flags.model.filter(|own| *own != model) {
        let wanted = if own == DataModel::Ilp32 { "ilp32" } else { "lp64" };
        return Err(Failure::Usage(format!(
            "{NAME} compiles {file} for another data model: give --data-model {wanted}"
        )));
    }
    Ok(Some(flags.words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(command: &str) -> Flags {
        let words = quoting::split(command).expect("it is well formed");
        of_words(&words, Path::new("/b"))
    }

    #[test]
    fn the_options_of_the_preprocessor_are_taken() {
        let found = check(
            "cc -Iinc -I /x -isystem sys -DA=1 -D B='\"c d\"' -UA -include x.h -std=c99 -O2 -Wall -c -o a.o a.c -MD -MF a.d",
        );
        let words = [
            "-I",
            "/b/inc",
            "-I",
            "/x",
            "-isystem",
            "/b/sys",
            "-DA=1",
            "-DB=\"c d\"",
            "-UA",
            "-include",
            "/b/x.h",
            "-std=c99",
        ];
        assert_eq!(found.words, words);
        assert_eq!((found.model, found.refused.len()), (None, 0));
    }

    #[test]
    fn options_that_change_the_meaning_are_refused() {
        assert_eq!(check("cc -funsigned-char -fno-strict-aliasing -c a.c").refused, ["-funsigned-char"]);
        assert_eq!(check("cc -fpack-struct=2 a.c").refused, ["-fpack-struct=2"]);
        assert_eq!(check("cc -m32 a.c").model, Some(DataModel::Ilp32));
    }
}
