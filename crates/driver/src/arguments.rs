//! The arguments of the command line: for each option its `clap` argument, and the field of [`Settings`] that it sets.
//!
//! An option names the commands it belongs to. Parsing, `--help`, completions, the manual page and the test of `docs/usage.md` use
//! these arguments through [`crate::args::command_line`].

use std::ffi::OsStr;

use base::settings::{Kind, Row};
use cfront::DataModel;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::parser::{MatchesError, ValueSource};
use clap::{Arg, ArgAction, ArgMatches, ValueHint};
use smt::Backend;

use crate::options::{Command, Emit, FrontEnd, Settings, When};
use crate::settings::{Chosen, assignment, tables};
use crate::{engines, quantity, second_opinion};

/// The settings that a parsed command line selects; an option that was not given has its default.
pub(crate) fn settings_of(command: Command, given: &ArgMatches) -> Settings {
    let defaults = Settings::new(command);
    let text = |id| one::<String>(given, id);
    let flag = |id| one::<bool>(given, id).unwrap_or_default();
    let of_rows = |long| text(long).filter(|_| command == Check);
    let mut chosen = chosen_rows(of_rows, &many(given, "set"));
    if flag("explain") {
        chosen.set(engine_bmc::REFINE.settings.component, "explain", "true");
    }
    if text("emit-arg").is_some() {
        chosen.set(engine_arg::UFO.settings.component, "draw-graph", "true");
    }
    Settings {
        files: many(given, FILE),
        words: words(command, given),
        jobs: one(given, "jobs"),
        cache: text("cache"),
        resume: text("resume"),
        data_model: one(given, "data-model").unwrap_or(defaults.data_model),
        cargo_args: text("cargo-args"),
        insert_test: flag("insert-test"),
        front_end: one(given, "front-end").unwrap_or_default(),
        malloc: one(given, "malloc").unwrap_or_default(),
        property: text("property").unwrap_or_else(|| defaults.property.clone()),
        list_assertions: flag("list-assertions"),
        function: text("function"),
        globals: one(given, "globals").unwrap_or_default(),
        compile_commands: text("compile-commands"),
        separate: flag("separate"),
        engine: text("engine"),
        chosen,
        emit_arg: text("emit-arg"),
        explain: flag("explain"),
        entry: text("entry"),
        assumptions: flag("assumptions"),
        trace_lines: one::<u64>(given, "trace-lines")
            .map_or(defaults.trace_lines, |lines| usize::try_from(lines).unwrap_or(0)),
        assertion: one(given, "assertion"),
        each: text("assertions").is_some_and(|which| which == "each"),
        timeout: one(given, "timeout"),
        memory: one(given, "memory"),
        threads: one(given, "threads"),
        seed: one(given, "seed").unwrap_or(defaults.seed),
        json: text("json"),
        sarif: text("sarif"),
        html: text("html"),
        witness: text("witness"),
        harness: text("harness"),
        second_opinion: text("second-opinion"),
        share: one(given, "share").unwrap_or(defaults.share),
        bug_bundle: one(given, "bug-bundle").unwrap_or(defaults.bug_bundle),
        progress: one(given, "progress").unwrap_or(defaults.progress),
        color: one(given, "color").unwrap_or(defaults.color),
        fails_on_unknown: text("fail-on").is_none_or(|least| least != "unsafe"),
        stats: flag("stats"),
        verbose: flag("verbose"),
        quiet: flag("quiet"),
        emit: one(given, "emit").unwrap_or(defaults.emit),
        optimise: flag("optimise"),
        output: text("output"),
        inputs: text("inputs"),
        zero: flag("zero"),
        random: one(given, "random"),
        max_edges: one(given, "max-edges"),
        trace: flag(RUN_TRACE),
        include: many(given, "include"),
        define: many(given, "define"),
        sat: one(given, "sat").unwrap_or(defaults.sat),
        ..defaults
    }
}

/// What the options of the rows say. `given` is the text of an option that was given.
fn chosen_rows(given: impl Fn(&'static str) -> Option<String>, words: &[String]) -> Chosen {
    let mut chosen = Chosen::default();
    for table in tables() {
        for row in table.rows {
            if let Some(value) = row.option.and_then(|long| given(long.name)) {
                chosen.set(table.component, row.name, &value);
            }
        }
    }
    for word in words {
        chosen.assign(word).expect("the command line has checked it");
    }
    chosen
}

/// The value of an argument; none if it was not given, or if the command does not have it.
fn one<T: Clone + Send + Sync + 'static>(given: &ArgMatches, id: &str) -> Option<T> {
    of_command(given.try_get_one::<T>(id)).cloned()
}

/// All values of an argument that may be repeated.
fn many(given: &ArgMatches, id: &str) -> Vec<String> {
    of_command(given.try_get_many::<String>(id)).into_iter().flatten().cloned().collect()
}

fn of_command<T>(found: Result<Option<T>, MatchesError>) -> Option<T> {
    match found {
        Ok(found) => found,
        Err(MatchesError::UnknownArgument { .. }) => None,
        Err(error) => panic!("an argument is read with the type of its parser: {error}"),
    }
}

/// The given options in a normal form, from which the same settings can be made again.
fn words(command: Command, given: &ArgMatches) -> Vec<String> {
    let mut options: Vec<Arg> = options(command).collect();
    // What the file says is among the others.
    let of_the_file = ["config", "no-config", "show-config", "task"];
    options.retain(|option| option.get_long().is_none_or(|long| !of_the_file.contains(&long)));
    options.sort_by(|one, other| one.get_long().cmp(&other.get_long()));
    let mut words = Vec::new();
    for option in options {
        let (id, long) = (option.get_id().as_str(), option.get_long().expect("options have long names"));
        if !given.try_contains_id(id).unwrap_or(false) || given.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        if option.get_action().takes_values() {
            let values = given.get_raw(id).into_iter().flatten();
            words.extend(values.map(|value| format!("--{long}={}", value.to_string_lossy())));
        } else {
            words.push(format!("--{long}"));
        }
    }
    words
}

use Command::{Check, Lower, Run, Smt, Validate};

const PROGRAM: &[Command] = &[Check, Validate, Lower, Run];
const WORK: &[Command] = &[Check, Validate, Lower, Run, Smt];
const ALL: &[Command] = Command::ALL;

/// The id of the argument that names the input.
pub(crate) const FILE: &str = "FILE";
/// The id of `run --trace`; `check --trace HOW` takes a value.
const RUN_TRACE: &str = "run-trace";
/// The group of options of `run` of which exactly one is given.
pub(crate) const INPUT_SOURCE: &str = "input-source";

/// Options whose part is not built yet, and what they need. They are refused, and are in no help text.
pub(crate) const NOT_BUILT: &[(&str, &str)] = &[];

/// The options of a command, in the order of the help.
pub(crate) fn options(command: Command) -> impl Iterator<Item = Arg> {
    let sections = [
        ("program and property", program_options()),
        ("engines", engine_options()),
        ("output of lower", lower_options()),
        ("execution", run_options()),
        ("solver", vec![(&[Smt][..], sat())]),
        ("limits", limit_options()),
        ("results", result_options()),
        ("general", general_options()),
    ];
    sections.into_iter().flat_map(move |(heading, options)| {
        let of_command = options.into_iter().filter(move |(on, _)| on.contains(&command));
        of_command.map(move |(_, option)| option.help_heading(heading))
    })
}

/// An option, and the commands it belongs to.
type OnCommands = (&'static [Command], Arg);

fn program_options() -> Vec<OnCommands> {
    vec![
        (PROGRAM, property()),
        (PROGRAM, data_model()),
        (PROGRAM, malloc()),
        (PROGRAM, front_end()),
        (
            PROGRAM,
            value("include", "DIR", "search this folder for #include files; may be repeated")
                .short('I')
                .action(ArgAction::Append)
                .value_hint(ValueHint::DirPath),
        ),
        (
            PROGRAM,
            value("define", "NAME", "define a macro, as NAME or NAME=TEXT; may be repeated")
                .short('D')
                .action(ArgAction::Append),
        ),
        (
            PROGRAM,
            value(
                "compile-commands",
                "DIR",
                "take the preprocessor's options of each C file from compile_commands.json in this folder (or from this file)",
            )
            .short('p')
            .value_hint(ValueHint::AnyPath),
        ),
        (
            &[Check, Lower, Run],
            value("function", "NAME", "runs start in this function of a C program, with any arguments (default: main)"),
        ),
        (&[Check, Lower, Run], globals()),
        (
            &[Check],
            value(
                "cargo-args",
                "WORDS",
                "with a cargo package: options for cargo, such as \"-p NAME --features LIST\"",
            ),
        ),
        (&[Check], flag("insert-test", "for UNSAFE in Rust: write a #[test] with the inputs behind the harness")),
        (&[Check], flag("separate", "several C files are one task each; without it they are linked to one program")),
        (&[Check], flag("list-assertions", "print the numbered assertions and stop")),
        (&[Check], value("assertion", "N", "check only this assertion").value_parser(positive)),
        (
            &[Check],
            value("assertions", "HOW", "one verdict about all assertions (together, the default), or a verdict about each of them")
                .value_parser(["together", "each"]),
        ),
        (
            PROGRAM,
            value(
                "entry",
                "NAME",
                "runs start in this function, by its path or the end of it (Rust, C++, LLVM), or procedure (Boogie; default: each one is checked by itself)",
            ),
        ),
    ]
}

fn engine_options() -> Vec<OnCommands> {
    let names = [engines::PORTFOLIO].into_iter().chain(engines::ENGINES.iter().map(|info| info.name));
    let engine = choice("engine", "NAME", "the engine (default: portfolio, several side by side)", names);
    let drawing = file("emit-arg", "FILE.dot", "with --engine ufo: draw its abstract reachability graph, for Graphviz");
    let share =
        choice("share", "HOW", "whether the engines of the portfolio exchange facts (default: on)", ["on", "off"])
            .value_parser(PossibleValuesParser::new(["on", "off"]).map(|text| text == "on"));
    let of_rows = row_options().into_iter();
    let all = [engine].into_iter().chain(of_rows).chain([set_option(), drawing, share]);
    all.map(|option| (&[Check][..], option)).collect()
}

fn lower_options() -> Vec<OnCommands> {
    vec![
        (&[Lower], emit()),
        (&[Lower], flag("optimise", "show the program as engines see it: inlined, simplified, sliced")),
        (&[Lower], file("output", "FILE", "write to this file instead of standard output").short('o')),
    ]
}

fn run_options() -> Vec<OnCommands> {
    vec![
        (
            &[Run],
            file(
                "inputs",
                "FILE",
                "read input values from this file (- for standard input): numbers, # starts a comment",
            )
            .group(INPUT_SOURCE),
        ),
        (&[Run], flag("zero", "every input is zero").group(INPUT_SOURCE)),
        (
            &[Run],
            value("random", "N", "at most N runs: zero first, then small values, then any; stop at the first error")
                .value_parser(quantity::count)
                .group(INPUT_SOURCE),
        ),
        (
            &[Run],
            value(
                "max-edges",
                "N",
                "stop a run after N steps (default: no limit; 2000000000 for each run of --random)",
            )
            .value_parser(quantity::count),
        ),
        (&[Run], flag("trace", "print the steps of the run in terms of the source").id(RUN_TRACE)),
    ]
}

fn limit_options() -> Vec<OnCommands> {
    vec![
        (WORK, value("timeout", "TIME", "stop after this time: 500ms, 60s, 5min, 1h").value_parser(quantity::duration)),
        (
            WORK,
            value(
                "memory",
                "SIZE",
                "stop at this much memory: 500MiB, 4GiB (default: three quarters of what is available)",
            )
            .value_parser(quantity::memory),
        ),
        (
            &[Check],
            value("threads", "N", "number of threads for engines (default: the number of cores)").value_parser(threads),
        ),
        (
            &[Check],
            value("jobs", "N", "with several files: number of tasks that are checked at a time (default: 1)")
                .short('j')
                .value_parser(threads),
        ),
    ]
}

fn result_options() -> Vec<OnCommands> {
    vec![
        (&[Check], file("json", "FILE", "also write the answer as JSON to this file (- for standard output)")),
        (
            &[Check],
            file("sarif", "FILE", "also write the answer as SARIF 2.1.0, for code-scanning services and editors"),
        ),
        (&[Check], file("html", "FILE.html", "also write a report for a browser, one page for each task")),
        (
            &[Check],
            file("resume", "FILE", "with several files: append results to this file, and skip tasks that are in it"),
        ),
        (
            &[Check],
            value("cache", "DIR", "keep evidence in this folder, and try that of earlier runs again")
                .value_hint(ValueHint::DirPath),
        ),
        (&[Check, Validate], file("witness", "FILE", "write (check) or read (validate) a witness, format 2.0 in YAML")),
        (
            &[Check],
            value(
                "trace-lines",
                "N",
                "for UNSAFE: print at most N lines of the run into the error (default: 40; 0: all)",
            )
            .value_parser(quantity::count),
        ),
        (
            &[Check],
            file("harness", "FILE.c", "for UNSAFE: write a C file that drives the compiled program into the error"),
        ),
        (
            &[Check, Validate],
            choice(
                "second-opinion",
                "SOLVER",
                "for SAFE: also check the obligations with this solver on the PATH",
                second_opinion::SOLVERS,
            ),
        ),
        (
            &[Check],
            flag(
                "explain",
                "say what became of loop invariants in the source; with --engine refine: list the statements that the proof needs bit by bit",
            ),
        ),
        (
            &[Check],
            flag("assumptions", "list what the answer rests on: assumptions, approximations, checks of the evidence"),
        ),
        (
            &[Check, Validate],
            when("bug-bundle", "after an internal error, write uforia-bug-*.tar.gz (default: auto, not in campaigns)"),
        ),
    ]
}

fn general_options() -> Vec<OnCommands> {
    vec![
        (
            &[Check, Run],
            value("seed", "N", "seed of all random choices (default: 0); the same seed gives the same answer")
                .value_parser(quantity::count),
        ),
        (
            WORK,
            file(
                "config",
                "FILE.toml",
                "read options from this file (default: uforia.toml in this folder or one above)",
            ),
        ),
        (WORK, flag("no-config", "do not look for uforia.toml").conflicts_with("config")),
        (WORK, flag("show-config", "print the options that hold, and where each comes from, and stop")),
        (
            &[Check],
            value("task", "NAME", "check only this task of uforia.toml; may be repeated").action(ArgAction::Append),
        ),
        (
            &[Check],
            choice("fail-on", "VERDICT", "the least verdict that fails (default: unknown)", ["unsafe", "unknown"]),
        ),
        (WORK, when("color", "colours in the output (default: auto, on a terminal)")),
        (&[Check], when("progress", "show the state of each engine (default: auto, on a terminal)")),
        (PROGRAM, flag("stats", "print sizes and times to standard error")),
        (
            WORK,
            flag("verbose", "log each step, also when standard error is not a terminal")
                .short('v')
                .conflicts_with("quiet"),
        ),
        (WORK, flag("quiet", "print the answer and errors only").short('q')),
        (ALL, Arg::new("help").long("help").short('h').action(ArgAction::Help).help("print this help")),
        (ALL, Arg::new("version").long("version").short('V').action(ArgAction::Version).help("print the version")),
    ]
}

fn flag(long: &'static str, help: &'static str) -> Arg {
    Arg::new(long).long(long).help(help).action(ArgAction::SetTrue)
}

fn value(long: &'static str, shown: &'static str, help: &'static str) -> Arg {
    let option = Arg::new(long).long(long).value_name(shown).help(help).value_hint(ValueHint::Other);
    option.allow_negative_numbers(true)
}

fn file(long: &'static str, shown: &'static str, help: &'static str) -> Arg {
    value(long, shown, help).value_hint(ValueHint::FilePath)
}

fn choice(
    long: &'static str,
    shown: &'static str,
    help: &'static str,
    values: impl IntoIterator<Item = impl Into<PossibleValue>>,
) -> Arg {
    value(long, shown, help).value_parser(PossibleValuesParser::new(values))
}

fn when(long: &'static str, help: &'static str) -> Arg {
    let parser = PossibleValuesParser::new(["auto", "always", "never"]).map(|text| match text.as_str() {
        "always" => When::Always,
        "never" => When::Never,
        _ => When::Auto,
    });
    value(long, "WHEN", help).value_parser(parser)
}

fn property() -> Arg {
    let help = "errors (default: assertions, error calls, memory errors, division by zero), unreach-call, no-overflow, valid-memsafety, valid-memcleanup, valid-deref, valid-free, valid-memtrack, termination, FILE.prp";
    value("property", "P", help).value_parser(PropertyParser).hide_possible_values(true)
}

/// Any text is taken; the named properties are for completions.
#[derive(Clone)]
struct PropertyParser;

impl TypedValueParser for PropertyParser {
    type Value = String;

    fn parse_ref(&self, command: &clap::Command, arg: Option<&Arg>, text: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, text)
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(crate::property::NAMES.iter().map(PossibleValue::new)))
    }
}

fn malloc() -> Arg {
    let parser = PossibleValuesParser::new(["never-fails", "may-fail"]).map(|text| match text.as_str() {
        "may-fail" => cfront::Malloc::MayFail,
        _ => cfront::Malloc::NeverFails,
    });
    value("malloc", "HOW", "whether malloc may return null (default: never-fails)").value_parser(parser)
}

fn front_end() -> Arg {
    let parser = PossibleValuesParser::new(["own", "clang"])
        .map(|text| if text == "clang" { FrontEnd::Clang } else { FrontEnd::Own });
    value("front-end", "NAME", "what reads C: own, or clang by way of LLVM IR, for a second opinion (default: own)")
        .value_parser(parser)
}

fn globals() -> Arg {
    let parser = PossibleValuesParser::new(["any", "initial"]).map(|text| match text.as_str() {
        "initial" => cfront::Globals::Initial,
        _ => cfront::Globals::Any,
    });
    let help = "with --function: what global variables that the program writes hold at the start (default: any)";
    value("globals", "HOW", help).value_parser(parser)
}

fn data_model() -> Arg {
    let parser = PossibleValuesParser::new(["lp64", "ilp32"])
        .map(|text| if text.eq_ignore_ascii_case("ilp32") { DataModel::Ilp32 } else { DataModel::Lp64 });
    let help = "sizes of the types (default: lp64; ilp32: 32-bit long and pointers)";
    value("data-model", "M", help).ignore_case(true).value_parser(parser)
}

fn emit() -> Arg {
    let parser = PossibleValuesParser::new(["cfa", "dot", "vmt", "coherence"]).map(|text| match text.as_str() {
        "dot" => Emit::Dot,
        "vmt" => Emit::Vmt,
        "coherence" => Emit::Coherence,
        _ => Emit::Cfa,
    });
    value("emit", "FORM", "the form of the output (default: cfa)").value_parser(parser)
}

fn sat() -> Arg {
    let cadical = PossibleValue::new("cadical").hide(!cfg!(feature = "cadical"));
    let parser =
        PossibleValuesParser::new([PossibleValue::new("builtin"), cadical]).try_map(|text| match text.as_str() {
            #[cfg(feature = "cadical")]
            "cadical" => Ok(Backend::CADICAL),
            #[cfg(not(feature = "cadical"))]
            "cadical" => Err("this build has no CaDiCaL: build with --features cadical"),
            _ => Ok::<_, &str>(Backend::BuiltIn),
        });
    value("sat", "SOLVER", "the SAT solver for hard queries over bit-vectors (default: builtin)").value_parser(parser)
}

fn positive(text: &str) -> Result<u32, String> {
    let count = quantity::count(text)?;
    u32::try_from(count).ok().filter(|&count| count > 0).ok_or_else(|| format!("`{text}`: from 1 to {}", u32::MAX))
}

fn threads(text: &str) -> Result<u32, String> {
    let count = quantity::count(text)?;
    if (1..=4096).contains(&count) { Ok(count as u32) } else { Err(format!("`{text}`: from 1 to 4096")) }
}

/// The options of the command line that the rows have, each once.
fn row_options() -> Vec<Arg> {
    let mut options: Vec<Arg> = Vec::new();
    for row in tables().into_iter().flat_map(|table| table.rows) {
        let Some(long) = row.option else { continue };
        if options.iter().any(|known| known.get_long() == Some(long.name)) {
            continue;
        }
        let option = Arg::new(long.name).long(long.name).value_name(long.value).help(option_help(row));
        let option = option.value_hint(ValueHint::Other).allow_negative_numbers(true);
        options.push(match row.kind {
            Kind::Choice(names) => option.value_parser(PossibleValuesParser::new(names.iter().map(|(name, _)| name))),
            kind => option.value_parser(move |text: &str| kind.check(text).map(|()| text.to_owned())),
        });
    }
    options
}

/// `--set`.
fn set_option() -> Arg {
    let help = "set COMPONENT.NAME=VALUE, such as kind.unwind=5; may be repeated; `uforia settings` lists the names";
    let option = Arg::new("set").long("set").value_name("NAME=VALUE").help(help).action(ArgAction::Append);
    option.value_hint(ValueHint::Other).value_parser(|word: &str| assignment(word).map(|_| word.to_owned()))
}

/// The help of a row as that of an option: it begins with a small letter and ends with the default.
fn option_help(row: &Row) -> String {
    let text = row.help.trim_end_matches('.');
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_lowercase).collect();
    let default = (row.default)();
    let default = if matches!(default.as_str(), "" | "none") { default } else { format!(" (default: {default})") };
    format!("{first}{}{}", letters.as_str(), if default == "none" { "" } else { &default })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_that_is_not_built_is_no_option() {
        let longs: Vec<_> = ALL
            .iter()
            .flat_map(|&command| options(command))
            .map(|option| option.get_long().map(str::to_owned))
            .collect();
        assert!(NOT_BUILT.iter().all(|(name, _)| !longs.contains(&Some((*name).to_owned()))));
    }
}
