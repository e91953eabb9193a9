//! From the words of the command line to [`Settings`], by `clap`.
//!
//! Without a command the command is `check`, so the root has the options of `check` beside the commands. `clap` ends a wrong use with
//! exit code 2, which is `UNKNOWN` here; so its errors are turned into our own messages, with exit code 64.

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, ValueHint};

use crate::arguments::{self, FILE, INPUT_SOURCE, NOT_BUILT};
use crate::options::{COMMANDS, Command, CommandSpec, Settings, TaskEntry, spec};
use crate::tuning::Tuning;
use crate::{completions, config, explain, manual, quoting, settings};

/// What the command line asks for.
#[derive(Debug)]
pub enum Request {
    /// Execute this command.
    Work(Box<Settings>),
    /// Print this text: help, version, completions, the manual page.
    Print(String),
}

/// The name and version, as `--version` prints it.
pub fn version() -> String {
    format!("uforia {}\n", env!("CARGO_PKG_VERSION"))
}

/// The help that lists the commands.
pub fn overview() -> String {
    command_line().render_help().to_string()
}

/// Reads the words after the program's name. `Err` is a message for the user (exit code 64).
pub fn parse(words: &[String]) -> Result<Request, String> {
    let words = &quoting::expand(words)?[..];
    if words.is_empty() {
        return Err("nothing to do: give the file of a program".to_owned());
    }
    if words[0] == "help" {
        return help(words.get(1));
    }
    let all = command_line();
    let matched = |words: &[String]| all.clone().no_binary_name(true).try_get_matches_from(words);
    let mut matches = match matched(words) {
        Ok(matches) => matches,
        Err(error) if !error.use_stderr() => return Ok(Request::Print(error.render().to_string())),
        Err(error) => return Err(refusal(&all, &words[0], &error)),
    };
    let (command, named, given) = chosen_command(&matches);
    let (mut config, mut of_the_file, mut tasks) = (None, Vec::new(), Vec::new());
    if let Some(path) = config::path(given) {
        of_the_file = config::words(&path, &all, spec(command).name, given)?;
        config =
            Some(format!("{} gives {}", path.display(), of_the_file.join(" "))).filter(|_| !of_the_file.is_empty());
        tasks = chosen_tasks(config::tasks(&path, &all, given)?, command, given)?;
        let (name, rest) = words.split_at(usize::from(named));
        let mut line = [name, &of_the_file, rest].concat();
        if let [task] = &tasks[..]
            && !given.contains_id("resume")
        {
            // One task is checked like files of the command line, whose options come last.
            line = [name, &of_the_file, &task.words, rest, &["--".to_owned()], &task.files].concat();
            of_the_file.extend(std::mem::take(&mut tasks).remove(0).words);
        }
        matches = matched(&line).map_err(|error| refusal(&all, &words[0], &error))?;
    } else if command == Command::Check && given.contains_id("task") {
        return Err("--task chooses a task of uforia.toml, and there is none".to_owned());
    }
    let (command, named, given) = chosen_command(&matches);
    match command {
        Command::Completions => {
            let shell = given.get_one::<String>(SHELL).expect("the shell is required");
            return Ok(Request::Print(completions::script(shell)));
        }
        Command::Man => return Ok(Request::Print(manual::page())),
        Command::Settings => return Ok(Request::Print(settings::list())),
        Command::Explain => return explain::page(given.get_one::<String>(CODE)).map(Request::Print),
        _ => {}
    }
    let mut settings = arguments::settings_of(command, given);
    if given.try_get_one::<bool>("show-config").ok().flatten() == Some(&true) {
        return Ok(Request::Print(config::shown(given, &settings.words, &of_the_file, &tasks)));
    }
    settings.config = config;
    settings.tasks = tasks;
    if !settings.tasks.is_empty() {
        return Ok(Request::Work(Box::new(settings)));
    }
    settings.file = the_file(command, named, &settings.files)?;
    settings.more = linked(&settings)?;
    if settings.inputs.as_deref() == Some("-") && settings.file == "-" {
        return Err("the program and its inputs cannot both come from standard input".to_owned());
    }
    Ok(Request::Work(Box::new(settings)))
}

/// The tasks of the file that are to be checked: none if the command line names a file.
fn chosen_tasks(tasks: Vec<TaskEntry>, command: Command, given: &ArgMatches) -> Result<Vec<TaskEntry>, String> {
    if command != Command::Check {
        return Ok(Vec::new());
    }
    let names: Vec<String> = given.get_many("task").into_iter().flatten().cloned().collect();
    match given.contains_id(FILE) {
        false => config::selected(tasks, &names),
        true if names.is_empty() => Ok(Vec::new()),
        true => Err("--task chooses a task of uforia.toml; it excludes files".to_owned()),
    }
}

/// The command, whether it is named, and what belongs to it.
fn chosen_command(matches: &ArgMatches) -> (Command, bool, &ArgMatches) {
    match matches.subcommand() {
        Some((name, given)) => (by_name(name).expect("clap knows the commands of the table").command, true, given),
        None => (Command::Check, false, matches),
    }
}

/// `help` and `help COMMAND`.
fn help(name: Option<&String>) -> Result<Request, String> {
    match name.map(|name| (name, by_name(name))) {
        None => Ok(Request::Print(overview())),
        Some((_, Some(spec))) => parse(&[spec.name.to_owned(), "--help".to_owned()]),
        Some((name, None)) => Err(no_command(name)),
    }
}

/// The command line as `clap` sees it; also completions, the manual page and tests read it.
pub fn command_line() -> clap::Command {
    let root = clap::Command::new("uforia").args(file_argument(Command::Check));
    with_commands(root)
}

/// The command line without the file of `check` before a command: the scripts of `clap_complete` know either files or commands there.
pub(crate) fn command_line_for_shells() -> clap::Command {
    with_commands(clap::Command::new("uforia"))
}

fn with_commands(root: clap::Command) -> clap::Command {
    with_options(root, Command::Check)
        .about("a software model checker")
        .override_usage("uforia [COMMAND] FILE [options]")
        .help_template(OVERVIEW)
        .subcommands(COMMANDS.iter().map(command))
        .disable_help_subcommand(true)
        .args_conflicts_with_subcommands(true)
        .args_override_self(true)
        .max_term_width(Tuning::DEFAULT.max_help_columns)
}

/// The id of the argument of `completions`.
const SHELL: &str = "SHELL";
/// The id of the argument of `explain`.
const CODE: &str = "CODE";

fn command(spec: &CommandSpec) -> clap::Command {
    let CommandSpec { name, arguments, description, .. } = spec;
    let examples: String = spec.examples.iter().map(|(line, what)| format!("  {line}\n      {what}\n")).collect();
    let template = format!(
        "uforia {name}: {{about}}\n\nusage: {{usage}}\n\n{description}\n\nexamples:\n{examples}\n{{all-args}}\n"
    );
    let own = clap::Command::new(*name).display_name("uforia").args(file_argument(spec.command));
    with_options(own, spec.command)
        .about(spec.summary)
        .override_usage(format!("uforia {name} {arguments} [options]"))
        .help_template(template)
}

fn file_argument(command: Command) -> Option<Arg> {
    let argument = |id| Arg::new(id).help_heading("arguments");
    let file = argument(FILE).value_hint(ValueHint::FilePath);
    match command {
        Command::Check => {
            let help = "programs, task definitions (.yml), folders; - for standard input";
            Some(file.action(ArgAction::Append).num_args(1..).help(help))
        }
        Command::Smt => Some(file.help("the script; - for standard input")),
        Command::Completions => {
            let shells = PossibleValuesParser::new(completions::SHELLS);
            Some(argument(SHELL).required(true).help("the shell").value_parser(shells))
        }
        Command::Explain => Some(argument(CODE).help("a code such as U0104; all codes if it is left out")),
        Command::Man | Command::Settings => None,
        Command::Lower | Command::Run => {
            let help = "the program; several C files are linked; - for standard input";
            Some(file.action(ArgAction::Append).num_args(1..).help(help))
        }
        _ => Some(file.help("the program; - for standard input")),
    }
}

fn with_options(to: clap::Command, command: Command) -> clap::Command {
    let to = to.version(env!("CARGO_PKG_VERSION")).disable_help_flag(true).disable_version_flag(true);
    let to = to.args(arguments::options(command));
    match command {
        // Its options name the group.
        Command::Run => to.group(ArgGroup::new(INPUT_SOURCE).required(true)),
        _ => to,
    }
}

const OVERVIEW: &str = "uforia, a software model checker: can this program reach an error?

usage: {usage}

commands:
{subcommands}

examples:
  uforia program.c                    verify a program
  uforia run --random 1000 program.c  look for a failing run
  uforia lower program.c              show the program as the engines see it

languages, by extension: .c .i (C), .rs (Rust), .cpp .cc .cxx (C++), .ll .bc (LLVM), .bpl (Boogie), .vmt .smt2 (VMT), .btor .btor2 (BTOR2), .cfa (uforia's text form)

exit codes of check: 0 SAFE, 1 UNSAFE, 2 UNKNOWN, 64 bad usage, 65 not a valid program,
66 cannot read, 70 a bug in uforia, 74 cannot write

`uforia COMMAND --help` describes a command and its options; --version prints the version.
";

/// The message for a wrong use. `first`: the word that may name the command.
pub(crate) fn refusal(all: &clap::Command, first: &str, error: &clap::Error) -> String {
    let name = by_name(first).map_or("check", |spec| spec.name);
    let command = all.find_subcommand(name).expect("every command of the table is there");
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        _ => String::new(),
    };
    // Without the name of the value: `--seed <N>`.
    let bare = |text: String| text.split(' ').next().unwrap_or_default().to_owned();
    let (arg, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    match error.kind() {
        ErrorKind::UnknownArgument if arg.starts_with('-') => {
            unknown(all, name, &arg, &text(ContextKind::SuggestedArg))
        }
        ErrorKind::UnknownArgument => match command.get_positionals().next() {
            Some(argument) => {
                let what = argument.get_id().as_str().to_lowercase();
                format!("one {what} at a time: `{arg}` is one too many; quote names that contain spaces")
            }
            None => format!("`{name}` takes no file, but got `{arg}`"),
        },
        ErrorKind::InvalidValue if value.is_empty() => format!("{} needs a value: {arg}", bare(arg.clone())),
        ErrorKind::InvalidValue if arg.starts_with('-') => {
            format!("{}: `{value}` is not one of {}", bare(arg), alternatives(&text(ContextKind::ValidValue)))
        }
        ErrorKind::InvalidValue => {
            let what = arg.trim_matches(['<', '>']).to_lowercase();
            format!("`{value}` is not a {what} that is supported: {}", text(ContextKind::ValidValue))
        }
        ErrorKind::TooManyValues => format!("{} takes no value", bare(arg)),
        ErrorKind::MissingRequiredArgument => {
            let shells =
                if name == "completions" { format!(": {}", completions::SHELLS.join(", ")) } else { String::new() };
            let needed = arg.strip_prefix('<').and_then(|arg| arg.strip_suffix('>')).unwrap_or(&arg).replace('|', ", ");
            format!("`{name}` needs {}{shells}", alternatives(&needed))
        }
        ErrorKind::ArgumentConflict => {
            format!("{} and {} exclude one another", bare(arg), bare(text(ContextKind::PriorArg)))
        }
        ErrorKind::ValueValidation => {
            let reason = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
            format!("{}: {reason}", bare(arg))
        }
        _ => error.to_string().trim_start_matches("error: ").trim_end().to_owned(),
    }
}

/// `a, b or c`.
fn alternatives(list: &str) -> String {
    list.rsplit_once(", ").map_or(list.to_owned(), |(most, last)| format!("{most} or {last}"))
}

/// The message about an option that the command does not have.
fn unknown(all: &clap::Command, name: &str, shown: &str, suggested: &str) -> String {
    let long = shown.trim_start_matches('-');
    if let Some((_, why)) = NOT_BUILT.iter().find(|(known, _)| *known == long) {
        return format!("{shown} is not built yet: {why}");
    }
    let is_option = |option: &Arg| shown.starts_with("--") && option.get_long() == Some(long);
    let owners: Vec<&str> = all
        .get_subcommands()
        .filter(|command| command.get_arguments().any(is_option))
        .map(clap::Command::get_name)
        .collect();
    if !owners.is_empty() {
        return format!("{shown} is an option of {}, not of {name}", owners.join(", "));
    }
    match suggested {
        "" => format!("unknown option {shown}: `uforia {name} --help` lists them"),
        meant => format!("unknown option {shown}: did you mean {meant}?"),
    }
}

fn by_name(word: &str) -> Option<&'static CommandSpec> {
    COMMANDS.iter().find(|spec| spec.name == word)
}

/// The first file, after a check for words that look like commands.
/// The files that are linked with the first one: if all are C, and are not to be checked one by one.
fn linked(settings: &Settings) -> Result<Vec<String>, String> {
    let is_c = |file: &String| {
        let extension = std::path::Path::new(file).extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("c") || extension.eq_ignore_ascii_case("i"))
    };
    let (n_files, is_check) = (settings.files.len(), settings.command == Command::Check);
    if n_files < 2 || settings.separate || is_check && !settings.files.iter().all(is_c) {
        return Ok(Vec::new());
    }
    if let Some(file) = settings.files.iter().find(|file| !is_c(file)) {
        return Err(format!("{file}: only C files (.c, .i) are linked to one program"));
    }
    if let Some(option) = settings.given().find(|option| ["jobs", "resume"].contains(option)) {
        let message = "is for several tasks, and several C files are one program";
        return Err(format!("--{option} {message}; --separate makes each file a task"));
    }
    Ok(settings.files[1..].to_vec())
}

fn the_file(command: Command, named: bool, files: &[String]) -> Result<String, String> {
    let Some((first, more)) = files.split_first() else {
        let or = if command == Command::Check { ", or tasks in uforia.toml" } else { "" };
        return Err(format!("`{}` needs the file of a program{or}", spec(command).name));
    };
    if named {
        return Ok(first.clone());
    }
    if files.len() > 1 && files.iter().any(|word| by_name(word).is_some()) {
        return Err(format!("the command comes first: uforia COMMAND [options] {}", files[files.len() - 1]));
    }
    // A word that does not look like a file is more likely a misspelt command.
    let is_file = first.contains(['.', '/']) || first == "-" || std::path::Path::new(first).is_dir();
    if is_file || (!more.is_empty() && nearest(first).is_none()) { Ok(first.clone()) } else { Err(no_command(first)) }
}

fn no_command(word: &str) -> String {
    match nearest(word) {
        Some(meant) => format!("there is no command `{word}`: did you mean `{meant}`?"),
        None => format!(
            "there is no command `{word}` (`uforia --help` lists the commands; a file has a name such as program.c)"
        ),
    }
}

/// The command that a typing error would explain.
fn nearest(word: &str) -> Option<&'static str> {
    let is_start = |name: &str| word.len() >= 3 && name.starts_with(word);
    let is_close = |name: &str, distance| distance <= name.len().max(word.chars().count()).div_ceil(3);
    let distances = COMMANDS.iter().map(|spec| (strsim::levenshtein(word, spec.name), spec.name));
    distances.filter(|&(distance, name)| is_close(name, distance) || is_start(name)).min().map(|(_, name)| name)
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
        assert!(refusal("check --xyzzy a.c").contains("--help"));
    }

    #[test]
    fn an_option_of_another_command_is_named_as_such() {
        assert_eq!(refusal("check --zero a.c"), "--zero is an option of run, not of check");
    }

    #[test]
    fn check_takes_several_files_and_remembers_the_options() {
        let settings = settings("check a.c -j2 --seed 7 b.c --stats --separate");
        assert_eq!(settings.files, ["a.c", "b.c"]);
        assert_eq!(settings.words, ["--jobs=2", "--seed=7", "--separate", "--stats"]);
        assert!(settings.is_given("seed") && !settings.is_given("property"));
    }

    #[test]
    fn remembered_options_have_a_normal_form_that_gives_the_same_settings() {
        let one = settings("check --seed 1 -qD A=1 --stats -I x --data-model ILP32 --seed 0x7 -DB --define= a.c");
        let words =
            ["--data-model=ILP32", "--define=A=1", "--define=B", "--define=", "--include=x", "--quiet", "--seed=0x7"];
        assert_eq!(one.words[..7], words);
        let again = settings(&format!("check {} a.c", one.words.join(" ")));
        assert_eq!(format!("{one:?}"), format!("{again:?}"));
        assert_eq!(one.words, settings("--stats -q -DA=1 -DB -D= -I x --seed=0x7 --data-model ILP32 a.c").words);
    }

    #[test]
    fn a_command_without_options_has_the_defaults() {
        let is_printed =
            |command| matches!(command, Command::Completions | Command::Explain | Command::Man | Command::Settings);
        for spec in COMMANDS.iter().filter(|spec| !is_printed(spec.command) && spec.command != Command::Run) {
            let mut parsed = settings(&format!("{} a.c", spec.name));
            (parsed.file, parsed.files) = (String::new(), Vec::new());
            assert_eq!(format!("{parsed:?}"), format!("{:?}", Settings::new(spec.command)));
        }
    }

    #[test]
    fn help_and_version_are_printed() {
        let printed = |line: &str| match parse(&words(line)) {
            Ok(Request::Print(text)) => text,
            other => panic!("{line}: {other:?}"),
        };
        assert!(COMMANDS.iter().all(|spec| overview().contains(spec.name)));
        for spec in COMMANDS {
            let text = printed(&format!("{} --help", spec.name));
            assert_eq!(text, printed(&format!("{} -h", spec.name)));
            assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
            let command = command_line().find_subcommand(spec.name).expect("it is in the table").clone();
            for long in command.get_arguments().filter_map(Arg::get_long) {
                assert!(text.contains(&format!("--{long}")), "--{long} of {}", spec.name);
            }
            assert_eq!(printed(&format!("{} -V", spec.name)), version());
        }
        assert_eq!(printed("-h"), overview());
        assert_eq!(printed("--version"), version());
    }

    #[test]
    fn clap_finds_the_command_line_consistent() {
        command_line().debug_assert();
    }

    #[test]
    fn wrong_uses_are_explained() {
        assert!(refusal("check --unwind -1 a.c").contains("`-1` is not a number"));
        assert!(refusal("completions bash zsh").contains("one shell at a time"));
        assert_eq!(refusal("help chek"), "there is no command `chek`: did you mean `check`?");
        assert_eq!(refusal("check --emit dot a.c"), "--emit is an option of lower, not of check");
        assert_eq!(refusal("--progress soon a.c"), "--progress: `soon` is not one of auto, always or never");
        assert!(refusal("").contains("nothing to do"));
        assert!(refusal("check").contains("needs the file"));
        assert!(refusal("lower a.c b.bpl").contains("only C files"));
        assert!(refusal("check -j2 a.c b.c").contains("--separate"));
        assert!(refusal("smt a.smt2 b.smt2").contains("one file at a time"));
        assert!(refusal("completions").contains("bash, zsh, fish"));
        assert!(refusal("completions tcsh").contains("not a shell"));
        assert!(refusal("man a.c").contains("takes no file"));
        assert!(refusal("check --seed").contains("needs a value"));
        assert!(refusal("check --stats=yes a.c").contains("takes no value"));
        assert!(refusal("run a.c").contains("--zero"));
        assert!(refusal("run --zero --random 3 a.c").contains("exclude one another"));
        assert!(refusal("run --inputs - -").contains("standard input"));
        assert!(refusal("-q -v a.c").contains("exclude one another"));
        assert!(refusal("--stats run a.c").contains("the command comes first"));
    }
}
