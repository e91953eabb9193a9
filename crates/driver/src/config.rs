//! `uforia.toml`: options and settings that hold for a folder and those inside it.
//!
//! The file is looked for in the current folder and upward, or named by `--config`. A section is a command with its long options,
//! or a component with its settings. What the file says is turned into words that stand before those of the command line, so that
//! both are checked by the same definition; an option that is given on the command line is left out of the file's words.
//! Every key is checked, also those of other commands, and what is wrong is reported with its place.

mod tasks;

use std::path::{Path, PathBuf};

use base::settings::Row;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, ValueHint};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::args::refusal;
use crate::options::TaskEntry;
use crate::settings;

pub use tasks::selected;

/// The name of the file.
pub const NAME: &str = "uforia.toml";

/// The file that holds for a command line: the one it names, or the nearest one. None if there is none, or none is wanted.
pub fn path(given: &ArgMatches) -> Option<PathBuf> {
    let named = given.try_get_one::<String>("config").ok().flatten();
    let unwanted = given.try_get_one::<bool>("no-config").ok().flatten().copied().unwrap_or(true);
    match named {
        Some(path) => Some(PathBuf::from(path)),
        None if unwanted => None,
        None => {
            let folder = std::env::current_dir().ok()?;
            folder.ancestors().map(|folder| folder.join(NAME)).find(|path| path.is_file())
        }
    }
}

/// The words that the file adds to a command line. `given`: what the command line says itself.
pub fn words(path: &Path, all: &clap::Command, command: &str, given: &ArgMatches) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    words_of(path, &text, all, command, given)
}

/// The tasks that the file lists.
pub fn tasks(path: &Path, all: &clap::Command, given: &ArgMatches) -> Result<Vec<TaskEntry>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let at = |offset: usize| place(path, &text, offset);
    tasks::tasks_of(path, parsed(path, &text)?.get_ref(), &at, all, given)
}

/// What `--show-config` prints: the options that hold, and where each comes from.
pub fn shown(given: &ArgMatches, words: &[String], of_the_file: &[String], tasks: &[TaskEntry]) -> String {
    let path = path(given);
    let mut text = match &path {
        Some(path) => format!("file: {}\n", path.display()),
        None => "file: none\n".to_owned(),
    };
    for word in words {
        let source = if of_the_file.contains(word) { NAME } else { "command line" };
        text.push_str(&format!("{word}  [{source}]\n"));
    }
    if words.is_empty() {
        text.push_str("all options have their defaults\n");
    }
    for task in tasks {
        let options = if task.words.is_empty() { String::new() } else { format!("  {}", task.words.join(" ")) };
        text.push_str(&format!("task {}: {}{options}\n", task.name, task.files.join(" ")));
    }
    text
}

/// `FILE:LINE:COLUMN`.
fn place(path: &Path, text: &str, offset: usize) -> String {
    let before = &text[..offset.min(text.len())];
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{}:{}:{column}", path.display(), before.matches('\n').count() + 1)
}

fn parsed<'t>(path: &Path, text: &'t str) -> Result<Spanned<DeTable<'t>>, String> {
    let at = |error: &toml::de::Error| place(path, text, error.span().map_or(0, |span| span.start));
    DeTable::parse(text).map_err(|error| format!("{}: {}", at(&error), error.message()))
}

fn words_of(
    path: &Path,
    text: &str,
    all: &clap::Command,
    command: &str,
    given: &ArgMatches,
) -> Result<Vec<String>, String> {
    let at = |offset: usize| place(path, text, offset);
    let parsed = parsed(path, text)?;
    let mut words = Vec::new();
    for (section, table) in parsed.get_ref() {
        let name = section.get_ref().as_ref();
        if name == "task" {
            continue;
        }
        let DeValue::Table(table) = table.get_ref() else {
            return Err(format!("{}: `{name}` stands outside of a section such as [check]", at(section.span().start)));
        };
        let owner = all.find_subcommand(name);
        if owner.is_none() && !settings::tables().iter().any(|table| table.component == name) {
            return Err(format!("{}: there is no command and no component `{name}`", at(section.span().start)));
        }
        for (key, value) in table {
            let entry = Entry { section: name, key: key.get_ref().as_ref(), value, folder: path.parent() };
            let found = entry.words(all, owner).map_err(|why| format!("{}: {why}", at(key.span().start)))?;
            let concerns = match &found {
                Found::Option(option, _) => name == command && !is_overridden(owner, option, given),
                Found::Setting(_) => given.try_contains_id("set").is_ok(),
            };
            if concerns {
                words.extend(found.into_words());
            }
        }
    }
    Ok(words)
}

/// One line of the file.
struct Entry<'a> {
    section: &'a str,
    key: &'a str,
    value: &'a Spanned<DeValue<'a>>,
    folder: Option<&'a Path>,
}

/// What a line says, as words of the command line.
enum Found {
    Option(Box<Arg>, Vec<String>),
    Setting(String),
}

impl Found {
    fn into_words(self) -> Vec<String> {
        match self {
            Found::Option(_, words) => words,
            Found::Setting(word) => vec![word],
        }
    }
}

impl Entry<'_> {
    fn words(&self, all: &clap::Command, owner: Option<&clap::Command>) -> Result<Found, String> {
        let Entry { section, key, .. } = self;
        let options = owner.into_iter().flat_map(clap::Command::get_arguments);
        let is_meant = |option: &&Arg| option.get_long() == Some(key) && !NOT_IN_A_FILE.contains(key);
        if let Some(option) = options.into_iter().find(is_meant) {
            let words = self.option_words(option)?;
            check(all, section, &words)?;
            return Ok(Found::Option(Box::new(option.clone()), words));
        }
        let row = |table: &&'static base::Table| if table.component == *section { table.row(key) } else { None };
        match settings::tables().iter().find_map(row) {
            Some(row) => Ok(Found::Setting(self.setting_word(row)?)),
            None => Err(format!("there is no option or setting `{key}` of `{section}`")),
        }
    }

    fn option_words(&self, option: &Arg) -> Result<Vec<String>, String> {
        let key = self.key;
        if !option.get_action().takes_values() {
            return match self.value.get_ref() {
                DeValue::Boolean(true) => Ok(vec![format!("--{key}")]),
                DeValue::Boolean(false) => Ok(Vec::new()),
                _ => Err(format!("`{key}` is true or false")),
            };
        }
        let values = match (self.value.get_ref(), option.get_action()) {
            (DeValue::Array(values), ArgAction::Append) => {
                values.iter().map(|value| self.text(value)).collect::<Result<Vec<_>, _>>()?
            }
            _ => vec![self.text(self.value)?],
        };
        let is_path = matches!(option.get_value_hint(), ValueHint::FilePath | ValueHint::DirPath);
        let word = |value: String| {
            let is_path = is_path || value.ends_with(".prp");
            format!("--{key}={}", if is_path && value != "-" { self.inside_folder(value) } else { value })
        };
        Ok(values.into_iter().map(word).collect())
    }

    fn setting_word(&self, row: &Row) -> Result<String, String> {
        let word = format!("{}.{}={}", self.section, row.name, self.text(self.value)?);
        settings::assignment(&word)?;
        Ok(format!("--set={word}"))
    }

    /// A value as it would stand on the command line; the elements of a list with commas between them.
    fn text(&self, value: &Spanned<DeValue<'_>>) -> Result<String, String> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Boolean(flag) => Ok(flag.to_string()),
            DeValue::Float(number) => Ok(number.as_str().to_owned()),
            DeValue::Integer(number) if number.radix() == 16 => Ok(format!("0x{}", number.as_str())),
            DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().to_owned()),
            DeValue::Array(values) => {
                let texts: Result<Vec<String>, String> = values.iter().map(|value| self.text(value)).collect();
                Ok(texts?.join(","))
            }
            _ => Err(format!("`{}` takes a text, a number, true or false, or a list of these", self.key)),
        }
    }

    /// Paths are relative to the folder of the file.
    fn inside_folder(&self, path: String) -> String {
        match self.folder {
            Some(folder) => folder.join(path).to_string_lossy().into_owned(),
            None => path,
        }
    }
}

/// Options that make no sense in the file.
const NOT_IN_A_FILE: &[&str] = &["help", "version", "config", "no-config", "show-config", "task", "set"];

/// Checks the values of an option by itself.
fn check(all: &clap::Command, command: &str, words: &[String]) -> Result<(), String> {
    let line = [command.to_owned()].into_iter().chain(words.iter().cloned());
    match all.clone().no_binary_name(true).try_get_matches_from(line) {
        Err(error) if error.kind() != ErrorKind::MissingRequiredArgument => Err(refusal(all, command, &error)),
        _ => Ok(()),
    }
}

/// Whether the command line gives this option, or one that excludes it.
fn is_overridden(owner: Option<&clap::Command>, option: &Arg, given: &ArgMatches) -> bool {
    let Some(owner) = owner else { return false };
    let is_given = |other: &Arg| {
        let id = other.get_id().as_str();
        let is_there = given.try_contains_id(id).unwrap_or(false);
        is_there && given.value_source(id) == Some(clap::parser::ValueSource::CommandLine)
    };
    let excludes = |one: &Arg, other: &Arg| {
        owner.get_arg_conflicts_with(one).iter().any(|excluded| excluded.get_id() == other.get_id())
    };
    let is_repeated = matches!(option.get_action(), ArgAction::Append);
    (is_given(option) && !is_repeated)
        || owner.get_arguments().any(|other| is_given(other) && (excludes(other, option) || excludes(option, other)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::command_line;

    fn check_words(text: &str, line: &str) -> Result<Vec<String>, String> {
        let all = command_line();
        let words = ["check"].into_iter().chain(line.split_whitespace());
        let matches = all.clone().no_binary_name(true).try_get_matches_from(words).expect("the line is right");
        let (command, given) = matches.subcommand().expect("it is named");
        words_of(Path::new("folder/uforia.toml"), text, &all, command, given)
    }

    #[test]
    fn sections_are_commands_and_components() {
        let text = "[check]\nseed = 7\ntimeout = \"60s\"\nstats = true\nquiet = false\ninclude = [\"a\", \"/b\"]\n\
            [lower]\nemit = \"dot\"\n[euf]\nprecision = \"bits\"\n[refine]\nlines = [3, 5]\nexplain = true\n";
        let mut words = check_words(text, "a.c").expect("it is right");
        words.sort();
        let expected = [
            "--include=/b",
            "--include=folder/a",
            "--seed=7",
            "--set=euf.precision=bits",
            "--set=refine.explain=true",
            "--set=refine.lines=3,5",
            "--stats",
            "--timeout=60s",
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn the_command_line_has_precedence() {
        let text = "[check]\nseed = 7\nquiet = true\ninclude = [\"a\"]\n";
        assert_eq!(check_words(text, "--seed 8 -v -I b a.c"), Ok(vec!["--include=folder/a".to_owned()]));
    }

    #[test]
    fn what_is_wrong_is_reported_with_its_place() {
        let wrong = |text: &str| check_words(text, "a.c").expect_err("it is wrong");
        assert_eq!(
            wrong("[check]\n  sed = 7\n"),
            "folder/uforia.toml:2:3: there is no option or setting `sed` of `check`"
        );
        assert_eq!(wrong("[chek]\n"), "folder/uforia.toml:1:2: there is no command and no component `chek`");
        assert_eq!(wrong("seed = 7\n"), "folder/uforia.toml:1:1: `seed` stands outside of a section such as [check]");
        assert_eq!(wrong("[lower]\nstats = 3\n"), "folder/uforia.toml:2:1: `stats` is true or false");
        assert_eq!(wrong("[bmc]\nunwind = 0\n"), "folder/uforia.toml:2:1: bmc.unwind: `0`: from 1 to 4294967295");
        assert!(wrong("[check]\ntimeout = \"soon\"\n").starts_with("folder/uforia.toml:2:1: --timeout: `soon`"));
        assert!(wrong("[check]\nconfig = \"x\"\n").contains("no option or setting `config`"));
        assert!(wrong("[check\n").starts_with("folder/uforia.toml:1:"));
    }
}
