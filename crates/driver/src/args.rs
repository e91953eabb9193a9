//! From the words of the command line to [`Settings`], by the table in `options`.
//!
//! The first word names the command; without one the command is `check`. Options may stand before
//! or after the file, as `--name value` or `--name=value`; `--` ends them. A misspelt word is
//! answered with the nearest one there is.

use crate::options::{COMMANDS, Command, Effect, OPTIONS, OptionSpec, Settings};

/// What the command line asks for.
#[derive(Debug)]
pub enum Request {
    /// Do this.
    Work(Box<Settings>),
    /// Print the help: of one command, or the overview.
    Help(Option<Command>),
    /// Print the version.
    Version,
    /// Print this text: completions, the manual page.
    Print(String),
}

/// Reads the words after the program's name. `Err` is a message for the user (exit code 64).
pub fn parse(words: &[String]) -> Result<Request, String> {
    let (command, named, words) = match words.first() {
        None => return Err("nothing to do: give the file of a program".to_owned()),
        Some(first) if first == "help" => return help(&words[1..]),
        Some(first) => match command_named(first) {
            Some(command) => (command, true, &words[1..]),
            None => (Command::Check, false, words),
        },
    };
    let mut settings = Settings::new(command);
    let mut files: Vec<&String> = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--" {
            files.extend(words.by_ref());
        } else if word == "-" || !word.starts_with('-') {
            files.push(word);
        } else if word == "--help" || word == "-h" {
            return Ok(Request::Help(named.then_some(command)));
        } else if word == "--version" || word == "-V" {
            return Ok(Request::Version);
        } else {
            apply(command, &mut settings, word, &mut words)?;
        }
    }
    if let Some(why) = COMMANDS.iter().find(|spec| spec.command == command).and_then(|spec| spec.not_built) {
        let name = crate::options::spec(command).name;
        return Err(format!("`{name}` is not built yet: {why}"));
    }
    match command {
        Command::Completions => return completions(&files),
        Command::Man if files.is_empty() => return Ok(Request::Print(crate::manual::page())),
        Command::Man => return Err(format!("`man` takes no file, but got `{}`", files[0])),
        _ => {}
    }
    settings.file = the_file(command, named, &files)?;
    settings.files = files.into_iter().cloned().collect();
    consistent(&settings)?;
    Ok(Request::Work(Box::new(settings)))
}

fn help(words: &[String]) -> Result<Request, String> {
    match words.first() {
        None => Ok(Request::Help(None)),
        Some(name) => match command_named(name) {
            Some(command) => Ok(Request::Help(Some(command))),
            None => Err(format!("there is no command `{name}`{}", did_you_mean(name, command_names()))),
        },
    }
}

fn completions(shells: &[&String]) -> Result<Request, String> {
    let known = crate::completions::SHELLS;
    match shells {
        [] => Err(format!("`completions` needs the name of a shell: {}", known.join(", "))),
        [shell] => match crate::completions::script(shell) {
            Some(script) => Ok(Request::Print(script)),
            None => Err(format!("`{shell}` is not a shell that we know: {}", known.join(", "))),
        },
        _ => Err("one shell at a time".to_owned()),
    }
}

fn command_named(word: &str) -> Option<Command> {
    COMMANDS.iter().find(|spec| spec.name == word).map(|spec| spec.command)
}

fn command_names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|spec| spec.name)
}

/// Applies one option, taking its value from the word itself or from the words that follow.
fn apply(
    command: Command,
    settings: &mut Settings,
    word: &str,
    rest: &mut std::slice::Iter<'_, String>,
) -> Result<(), String> {
    let (option, shown, mut attached) = find(command, word)?;
    let mut value = || -> Result<String, String> {
        match attached.take() {
            Some(value) => Ok(value),
            None => rest.next().cloned().ok_or_else(|| format!("{shown} needs a value: {}", option.help)),
        }
    };
    match &option.effect {
        Effect::Flag(set) => {
            set(settings);
            settings.words.push(format!("--{}", option.long));
            if attached.is_some() { Err(format!("{shown} takes no value")) } else { Ok(()) }
        }
        Effect::Value(_, set) => {
            let value = value()?;
            settings.words.push(format!("--{}={value}", option.long));
            set(settings, &value).map_err(|message| format!("{shown}: {message}"))
        }
        Effect::NotBuilt(_, why) => Err(format!("{shown} is not built yet: {why}")),
    }
}

/// The option that a word such as `--seed=3`, `-v` or `-oFILE` means, its name as shown to the user, and an attached value.
fn find(command: Command, word: &str) -> Result<(&'static OptionSpec, String, Option<String>), String> {
    let of_command = || OPTIONS.iter().filter(move |option| option.on.contains(&command));
    if let Some(long) = word.strip_prefix("--") {
        let (name, attached) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (long, None),
        };
        if let Some(option) = of_command().find(|option| option.long == name) {
            return Ok((option, format!("--{name}"), attached));
        }
        return Err(unknown(command, &format!("--{name}"), name));
    }
    let mut letters = word.chars().skip(1);
    let letter = letters.next().expect("a lone dash is a file");
    let attached: String = letters.collect();
    match of_command().find(|option| option.short == Some(letter)) {
        Some(option) => Ok((option, format!("-{letter}"), (!attached.is_empty()).then_some(attached))),
        None => Err(unknown(command, word, word.trim_start_matches('-'))),
    }
}

/// What to say about an option that the command does not have.
fn unknown(command: Command, shown: &str, name: &str) -> String {
    let command_name = crate::options::spec(command).name;
    if let Some(option) = OPTIONS.iter().find(|option| option.long == name) {
        let owners: Vec<&str> = option.on.iter().map(|&owner| crate::options::spec(owner).name).collect();
        return format!("{shown} is an option of {}, not of {command_name}", owners.join(", "));
    }
    let names = OPTIONS.iter().filter(|option| option.on.contains(&command)).map(|option| option.long);
    let names = names.chain(["help", "version"]);
    match nearest(name, names) {
        Some(meant) => format!("unknown option {shown}: did you mean --{meant}?"),
        None => format!("unknown option {shown}: `uforia {command_name} --help` lists them"),
    }
}

fn the_file(command: Command, named: bool, files: &[&String]) -> Result<String, String> {
    match files {
        [] => Err(format!("`{}` needs the file of a program", crate::options::spec(command).name)),
        [file] => {
            // A lone word that looks like no file is more likely a misspelt command.
            let is_file = file.contains(['.', '/']) || file.as_str() == "-" || std::path::Path::new(file).is_dir();
            if !named && !is_file {
                return Err(format!("there is no command `{file}`{}", did_you_mean(file, command_names())));
            }
            Ok((*file).clone())
        }
        [.., last] if !named && files.iter().any(|word| command_named(word).is_some()) => {
            Err(format!("the command comes first: uforia COMMAND [options] {last}"))
        }
        [first, ..] if !named && !first.contains(['.', '/']) && nearest(first, command_names()).is_some() => {
            Err(format!("there is no command `{first}`{}", did_you_mean(first, command_names())))
        }
        [first, ..] if command == Command::Check => Ok((*first).clone()),
        [first, second, ..] => {
            Err(format!("one file at a time: got `{first}` and `{second}`; quote names that contain spaces"))
        }
    }
}

/// Settings that contradict one another.
fn consistent(settings: &Settings) -> Result<(), String> {
    if settings.quiet && settings.verbose {
        return Err("--quiet and --verbose contradict each other".to_owned());
    }
    if settings.command == Command::Run {
        let ways = usize::from(settings.zero)
            + usize::from(settings.inputs.is_some())
            + usize::from(settings.random.is_some());
        if ways == 0 {
            return Err("`run` needs to know the inputs: --inputs FILE, --zero, or --random N".to_owned());
        }
        if ways > 1 {
            return Err("--inputs, --zero and --random exclude one another".to_owned());
        }
        if settings.inputs.as_deref() == Some("-") && settings.file == "-" {
            return Err("the program and its inputs cannot both come from standard input".to_owned());
        }
    }
    Ok(())
}

fn did_you_mean<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    match nearest(word, candidates) {
        Some(meant) => format!(": did you mean `{meant}`?"),
        None => " (`uforia --help` lists the commands; a file has a name such as program.c)".to_owned(),
    }
}

/// The candidate that a typing error would explain.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = |candidate: &str| candidate.chars().count().max(word.chars().count()).div_ceil(3);
    candidates
        .map(|candidate| (edits(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= allowed(candidate) || is_start(word, candidate))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn is_start(word: &str, candidate: &str) -> bool {
    word.len() >= 3 && candidate.starts_with(word)
}

/// Levenshtein's distance.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    fn settings(line: &str) -> Settings {
        match parse(&words(line)) {
            Ok(Request::Work(settings)) => *settings,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn refusal(line: &str) -> String {
        match parse(&words(line)) {
            Err(message) => message,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn check_is_the_default_command() {
        assert_eq!(settings("a.c").command, Command::Check);
        assert_eq!(settings("--seed 3 a.c").seed, 3);
        assert_eq!(settings("run --zero a.c").command, Command::Run);
    }

    #[test]
    fn values_are_attached_or_follow() {
        assert_eq!(settings("check --seed=7 a.c").seed, 7);
        assert_eq!(settings("check a.c --seed 8").seed, 8);
        assert_eq!(settings("lower -oout.cfa a.c").output.as_deref(), Some("out.cfa"));
        assert_eq!(settings("lower -o out.cfa a.c").output.as_deref(), Some("out.cfa"));
        assert_eq!(settings("check -I x -Iy -D A=1 a.c").include, ["x", "y"]);
        assert_eq!(settings("check -- -strange-name.c").file, "-strange-name.c");
    }

    #[test]
    fn a_misspelt_word_is_answered_with_the_nearest() {
        assert_eq!(refusal("check --sed 3 a.c"), "unknown option --sed: did you mean --seed?");
        assert_eq!(refusal("check --time 3s a.c"), "unknown option --time: did you mean --timeout?");
        assert_eq!(refusal("chek a.c"), "there is no command `chek`: did you mean `check`?");
        assert!(refusal("check --frobnicate a.c").contains("--help"));
    }

    #[test]
    fn an_option_of_another_command_is_named_as_such() {
        assert_eq!(refusal("check --zero a.c"), "--zero is an option of run, not of check");
    }

    #[test]
    fn check_takes_several_files_and_remembers_the_options() {
        let settings = settings("check a.c -j2 --seed 7 b.c --stats");
        assert_eq!(settings.files, ["a.c", "b.c"]);
        assert_eq!(settings.words, ["--jobs=2", "--seed=7", "--stats"]);
        assert!(settings.is_given("seed") && !settings.is_given("property"));
    }

    #[test]
    fn wrong_uses_are_explained() {
        assert!(refusal("").contains("nothing to do"));
        assert!(refusal("check").contains("needs the file"));
        assert!(refusal("lower a.c b.c").contains("one file at a time"));
        assert!(refusal("completions").contains("bash, zsh, fish"));
        assert!(refusal("completions tcsh").contains("not a shell"));
        assert!(refusal("man a.c").contains("takes no file"));
        assert!(refusal("check --seed").contains("needs a value"));
        assert!(refusal("check --stats=yes a.c").contains("takes no value"));
        assert!(refusal("run a.c").contains("--zero"));
        assert!(refusal("run --zero --random 3 a.c").contains("exclude one another"));
        assert!(refusal("run --inputs - -").contains("standard input"));
        assert!(refusal("-q -v a.c").contains("contradict"));
        assert!(refusal("--stats run a.c").contains("the command comes first"));
    }
}
