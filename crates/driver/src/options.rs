//! The options: one table from which parsing, `--help`, completions, the manual page and the check of `docs/usage.md` come.
//!
//! An option names the commands it belongs to and how it changes the [`Settings`]. An option whose
//! part is not built yet stands in the table too, so that it is refused with a plain word instead
//! of "unknown option".

use std::time::Duration;

use cfront::DataModel;
use smt::Backend;

pub use crate::commands::{COMMANDS, Command, CommandSpec, spec};
use crate::{engines, quantity, second_opinion};

/// How an option changes the settings.
pub enum Effect {
    /// It takes no value.
    Flag(fn(&mut Settings)),
    /// It takes a value, shown under this name in the help.
    Value(&'static str, fn(&mut Settings, &str) -> Result<(), String>),
    /// Its part is not built yet: the value it will take, and what will bring it.
    NotBuilt(Option<&'static str>, &'static str),
}

/// An option's line in the table.
pub struct OptionSpec {
    /// Its long name, without the dashes.
    pub long: &'static str,
    /// Its one-letter name.
    pub short: Option<char>,
    /// The commands it belongs to.
    pub on: &'static [Command],
    /// What it does, for the help.
    pub help: &'static str,
    /// How it changes the settings.
    pub effect: Effect,
}

/// What `lower` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Emit {
    /// Our text form.
    Cfa,
    /// A drawing for Graphviz.
    Dot,
    /// A transition system as VMT.
    Vmt,
    /// Whether the program is coherent, and the path that is not.
    Coherence,
}

/// Whether something is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// In any case.
    Always,
    /// Not at all.
    Never,
    /// Where it makes sense.
    Auto,
}

/// What the command line asked for; checked once, then fixed.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What to do.
    pub command: Command,
    /// The input, `-` for standard input.
    pub file: String,
    /// All inputs: several files, task definitions and folders are a campaign.
    pub files: Vec<String>,
    /// The options as they were given, each in one word.
    pub words: Vec<String>,
    /// How many tasks of a campaign are done at a time.
    pub jobs: Option<u32>,
    /// The file that keeps the results of a campaign.
    pub resume: Option<String>,
    /// Sizes of the types.
    pub data_model: DataModel,
    /// The name of a property or of a property file.
    pub property: String,
    /// Only list the assertions.
    pub list_assertions: bool,
    /// The engine to use; `None`: the portfolio.
    pub engine: Option<String>,
    /// At most so many loop iterations are unrolled.
    pub unwind: Option<u32>,
    /// What the engine `euf` reads in bits.
    pub euf: Option<String>,
    /// How the engine `trace` goes about it.
    pub trace_mode: Option<String>,
    /// How the engine `ufo` goes about it.
    pub ufo: Option<String>,
    /// Where the graph of the engine `ufo` goes.
    pub emit_arg: Option<String>,
    /// How the refine engine chooses statements.
    pub refine: Option<String>,
    /// Lines that the refine engine reads bit by bit from the start.
    pub refine_lines: Vec<u32>,
    /// Say what the answer rests on.
    pub explain: bool,
    /// The procedure of a Boogie program where runs begin; `None`: each procedure is checked by itself.
    pub entry: Option<String>,
    /// List what the answer rests on.
    pub assumptions: bool,
    /// The one assertion to check, counted from one.
    pub assertion: Option<u32>,
    /// Wall-clock limit.
    pub timeout: Option<Duration>,
    /// Limit on resident memory in bytes; `None`: decided from the machine.
    pub memory: Option<u64>,
    /// How many threads engines may use; `None`: decided from the machine.
    pub threads: Option<u32>,
    /// The seed of all random choices.
    pub seed: u64,
    /// Where the answer goes as JSON, `-` for standard output.
    pub json: Option<String>,
    /// Where the answer goes as SARIF.
    pub sarif: Option<String>,
    /// Where a witness goes.
    pub witness: Option<String>,
    /// Where a harness for the error goes.
    pub harness: Option<String>,
    /// The solver that is also asked about each obligation of a proof.
    pub second_opinion: Option<String>,
    /// Whether the engines of the portfolio tell one another what they prove.
    pub share: bool,
    /// Whether an archive for a bug report is written when we meet a bug of our own.
    pub bug_bundle: Wish,
    /// Whether the display is drawn.
    pub progress: Wish,
    /// Print counters.
    pub stats: bool,
    /// Say what is being done.
    pub verbose: bool,
    /// Print the answer only.
    pub quiet: bool,
    /// What `lower` prints.
    pub emit: Emit,
    /// `lower` runs all passes first.
    pub optimise: bool,
    /// Where `lower` writes; `None`: standard output.
    pub output: Option<String>,
    /// The file with the input values of `run`, `-` for standard input.
    pub inputs: Option<String>,
    /// `run` with zero for every input.
    pub zero: bool,
    /// `run` with this many attempts at random inputs.
    pub random: Option<u64>,
    /// Where `run` gives up; `None`: nowhere, and after a good while for random runs.
    pub max_edges: Option<u64>,
    /// Print the trace of a run.
    pub trace: bool,
    /// Folders for `#include`.
    pub include: Vec<String>,
    /// Macros for the preprocessor.
    pub define: Vec<String>,
    /// Who answers hard propositional queries.
    pub sat: Backend,
}

impl Settings {
    /// The defaults.
    pub fn new(command: Command) -> Self {
        Settings {
            command,
            file: String::new(),
            files: Vec::new(),
            words: Vec::new(),
            jobs: None,
            resume: None,
            data_model: DataModel::Lp64,
            property: "errors".to_owned(),
            list_assertions: false,
            engine: None,
            unwind: None,
            euf: None,
            trace_mode: None,
            entry: None,
            assertion: None,
            ufo: None,
            emit_arg: None,
            refine: None,
            refine_lines: Vec::new(),
            explain: false,
            assumptions: false,
            timeout: None,
            memory: None,
            threads: None,
            seed: 0,
            json: None,
            sarif: None,
            witness: None,
            harness: None,
            second_opinion: None,
            share: true,
            bug_bundle: Wish::Auto,
            progress: Wish::Auto,
            stats: false,
            verbose: false,
            quiet: false,
            emit: Emit::Cfa,
            optimise: false,
            output: None,
            inputs: None,
            zero: false,
            random: None,
            max_edges: None,
            trace: false,
            include: Vec::new(),
            define: Vec::new(),
            sat: Backend::BuiltIn,
        }
    }
    /// The long names of the options that were given.
    pub fn given(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.trim_start_matches('-').split('=').next().unwrap_or_default())
    }
    /// Whether this option was given.
    pub fn is_given(&self, long: &str) -> bool {
        self.given().any(|given| given == long)
    }
}

use Command::{Check, Lower, Run, Smt, Validate};

const PROGRAM: &[Command] = &[Check, Validate, Lower, Run];
const ALL: &[Command] = &[Check, Validate, Lower, Run, Smt];

/// All options, in the order of the help.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        long: "property",
        short: None,
        on: PROGRAM,
        help: "errors (default: also memory and division by zero), unreach-call, no-overflow, FILE.prp",
        effect: Effect::Value("P", |s, v| set(&mut s.property, v.to_owned())),
    },
    OptionSpec {
        long: "data-model",
        short: None,
        on: PROGRAM,
        help: "sizes of the types: lp64 (default) or ilp32 (32-bit long and pointers)",
        effect: Effect::Value("M", |s, v| set(&mut s.data_model, data_model(v)?)),
    },
    OptionSpec {
        long: "include",
        short: Some('I'),
        on: PROGRAM,
        help: "search this folder for #include files; may be repeated",
        effect: Effect::Value("DIR", |s, v| push(&mut s.include, v)),
    },
    OptionSpec {
        long: "define",
        short: Some('D'),
        on: PROGRAM,
        help: "define a macro, as NAME or NAME=TEXT; may be repeated",
        effect: Effect::Value("NAME", |s, v| push(&mut s.define, v)),
    },
    OptionSpec {
        long: "list-assertions",
        short: None,
        on: &[Check],
        help: "print the numbered assertions and stop",
        effect: Effect::Flag(|s| s.list_assertions = true),
    },
    OptionSpec {
        long: "assertion",
        short: None,
        on: &[Check],
        help: "check only this one of the assertions",
        effect: Effect::Value("N", |s, v| set(&mut s.assertion, Some(small_count(v)?))),
    },
    OptionSpec {
        long: "entry",
        short: None,
        on: PROGRAM,
        help: "Boogie: start here, and execute what is called (default: each procedure by itself)",
        effect: Effect::Value("NAME", |s, v| set(&mut s.entry, Some(v.to_owned()))),
    },
    OptionSpec {
        long: "engine",
        short: None,
        on: &[Check],
        help: "portfolio (default: several side by side), bmc, kind, refine, euf, ufo, explicit, trace",
        effect: Effect::Value("NAME", |s, v| set(&mut s.engine, Some(engine(v)?))),
    },
    OptionSpec {
        long: "unwind",
        short: None,
        on: &[Check],
        help: "unroll at most this many iterations of the loops",
        effect: Effect::Value("K", |s, v| set(&mut s.unwind, Some(small_count(v)?))),
    },
    OptionSpec {
        long: "euf",
        short: None,
        on: &[Check],
        help: "turns (default), uf, axioms, heavy, bits, single (cubes of single bits), predicates, paper",
        effect: Effect::Value("HOW", |s, v| set(&mut s.euf, Some(euf_level(v)?))),
    },
    OptionSpec {
        long: "trace",
        short: None,
        on: &[Check],
        help: "how the trace engine works: search (default), coherent, or paper-order",
        effect: Effect::Value("HOW", |s, v| set(&mut s.trace_mode, Some(trace_mode(v)?))),
    },
    OptionSpec {
        long: "ufo",
        short: None,
        on: &[Check],
        help: "how the ufo engine works: cpufo (default), uufo, bpufo, cp or bp",
        effect: Effect::Value("HOW", |s, v| set(&mut s.ufo, Some(ufo(v)?))),
    },
    OptionSpec {
        long: "emit-arg",
        short: None,
        on: &[Check],
        help: "with --engine ufo: draw its abstract reachability graph, for Graphviz",
        effect: Effect::Value("FILE.dot", |s, v| set(&mut s.emit_arg, Some(v.to_owned()))),
    },
    OptionSpec {
        long: "refine",
        short: None,
        on: &[Check],
        help: "how the refine engine chooses statements: h0 to h8 (default), min (fewest), flat (all)",
        effect: Effect::Value("HOW", |s, v| set(&mut s.refine, Some(heuristic(v)?))),
    },
    OptionSpec {
        long: "refine-lines",
        short: None,
        on: &[Check],
        help: "source lines, such as 12,17, that the refine engine reads bit by bit from the start",
        effect: Effect::Value("L,…", |s, v| set(&mut s.refine_lines, lines(v)?)),
    },
    OptionSpec {
        long: "explain",
        short: None,
        on: &[Check],
        help: "with --engine refine: say which statements of the source the proof needs bit by bit",
        effect: Effect::Flag(|s| s.explain = true),
    },
    OptionSpec {
        long: "assumptions",
        short: None,
        on: &[Check],
        help: "list what the answer rests on: what was assumed or approximated, who checked it",
        effect: Effect::Flag(|s| s.assumptions = true),
    },
    OptionSpec {
        long: "emit",
        short: None,
        on: &[Lower],
        help: "what to print: cfa (default), dot, coherence, or vmt",
        effect: Effect::Value("FORM", |s, v| set(&mut s.emit, emit(v)?)),
    },
    OptionSpec {
        long: "optimise",
        short: None,
        on: &[Lower],
        help: "show the program as engines see it: inlined, simplified, sliced",
        effect: Effect::Flag(|s| s.optimise = true),
    },
    OptionSpec {
        long: "output",
        short: Some('o'),
        on: &[Lower],
        help: "write to this file instead of standard output",
        effect: Effect::Value("FILE", |s, v| set(&mut s.output, Some(v.to_owned()))),
    },
    OptionSpec {
        long: "inputs",
        short: None,
        on: &[Run],
        help: "take input values from this file (- for standard input): numbers, # starts a comment",
        effect: Effect::Value("FILE", |s, v| set(&mut s.inputs, Some(v.to_owned()))),
    },
    OptionSpec {
        long: "zero",
        short: None,
        on: &[Run],
        help: "every input is zero",
        effect: Effect::Flag(|s| s.zero = true),
    },
    OptionSpec {
        long: "random",
        short: None,
        on: &[Run],
        help: "try up to N runs, zero first, then small values, then any; stop at the first error",
        effect: Effect::Value("N", |s, v| set(&mut s.random, Some(quantity::count(v)?))),
    },
    OptionSpec {
        long: "max-edges",
        short: None,
        on: &[Run],
        help: "give a run up after N steps (default: none; 2000000000 for each run of --random)",
        effect: Effect::Value("N", |s, v| set(&mut s.max_edges, Some(quantity::count(v)?))),
    },
    OptionSpec {
        long: "trace",
        short: None,
        on: &[Run],
        help: "print the steps of the run in terms of the source",
        effect: Effect::Flag(|s| s.trace = true),
    },
    OptionSpec {
        long: "sat",
        short: None,
        on: &[Smt],
        help: "who answers hard queries that have bits only: builtin (default) or cadical",
        effect: Effect::Value("SOLVER", |s, v| set(&mut s.sat, sat(v)?)),
    },
    OptionSpec {
        long: "timeout",
        short: None,
        on: ALL,
        help: "stop after this time: 500ms, 60s, 5min, 1h",
        effect: Effect::Value("TIME", |s, v| set(&mut s.timeout, Some(quantity::duration(v)?))),
    },
    OptionSpec {
        long: "memory",
        short: None,
        on: ALL,
        help: "stop at this much memory: 500MiB, 4GiB (default: three quarters of what there is)",
        effect: Effect::Value("SIZE", |s, v| set(&mut s.memory, Some(quantity::memory(v)?))),
    },
    OptionSpec {
        long: "threads",
        short: None,
        on: &[Check],
        help: "how many threads engines may use (default: as many as there are cores)",
        effect: Effect::Value("N", |s, v| set(&mut s.threads, Some(threads(v)?))),
    },
    OptionSpec {
        long: "share",
        short: None,
        on: &[Check],
        help: "on (default): engines of the portfolio tell one another what they prove; off: they do not",
        effect: Effect::Value("HOW", |s, v| set(&mut s.share, on_or_off(v)?)),
    },
    OptionSpec {
        long: "bug-bundle",
        short: None,
        on: &[Check, Validate],
        help: "after an internal error, write uforia-bug-….tar.gz: auto (not in campaigns), always, never",
        effect: Effect::Value("WHEN", |s, v| set(&mut s.bug_bundle, wish(v)?)),
    },
    OptionSpec {
        long: "progress",
        short: None,
        on: &[Check],
        help: "show what each engine is doing: auto (default: on a terminal), always, never",
        effect: Effect::Value("WHEN", |s, v| set(&mut s.progress, wish(v)?)),
    },
    OptionSpec {
        long: "seed",
        short: None,
        on: &[Check, Run],
        help: "the seed of all random choices (default 0); the same seed gives the same answer",
        effect: Effect::Value("N", |s, v| set(&mut s.seed, quantity::count(v)?)),
    },
    OptionSpec {
        long: "json",
        short: None,
        on: &[Check],
        help: "also write the answer as JSON to this file (- for standard output)",
        effect: Effect::Value("FILE", |s, v| set(&mut s.json, Some(v.to_owned()))),
    },
    OptionSpec {
        long: "sarif",
        short: None,
        on: &[Check],
        help: "also write the answer as SARIF 2.1.0, for code-scanning services and editors",
        effect: Effect::Value("FILE", |s, v| set(&mut s.sarif, Some(v.to_owned()))),
    },
    OptionSpec {
        long: "jobs",
        short: Some('j'),
        on: &[Check],
        help: "with several files: how many are checked at a time (default 1)",
        effect: Effect::Value("N", |s, v| set(&mut s.jobs, Some(threads(v)?))),
    },
    OptionSpec {
        long: "resume",
        short: None,
        on: &[Check],
        help: "with several files: keep results here as they come, and do not check again what is there",
        effect: Effect::Value("FILE", |s, v| set(&mut s.resume, Some(v.to_owned()))),
    },
    OptionSpec {
        long: "witness",
        short: None,
        on: &[Check, Validate],
        help: "write (check) or read (validate) a witness, format 2.0 in YAML",
        effect: Effect::Value("FILE", |s, v| set(&mut s.witness, Some(v.to_owned()))),
    },
    OptionSpec {
        long: "harness",
        short: None,
        on: &[Check],
        help: "for UNSAFE, write a C file that drives the compiled program into the error",
        effect: Effect::Value("FILE.c", |s, v| set(&mut s.harness, Some(v.to_owned()))),
    },
    OptionSpec {
        long: "second-opinion",
        short: None,
        on: &[Check, Validate],
        help: "for SAFE, also ask this solver on the PATH: z3, cvc5 or bitwuzla",
        effect: Effect::Value("SOLVER", |s, v| set(&mut s.second_opinion, Some(solver(v)?))),
    },
    OptionSpec {
        long: "stats",
        short: None,
        on: PROGRAM,
        help: "print sizes and times to standard error",
        effect: Effect::Flag(|s| s.stats = true),
    },
    OptionSpec {
        long: "verbose",
        short: Some('v'),
        on: ALL,
        help: "say what is being done, also when standard error is not a terminal",
        effect: Effect::Flag(|s| s.verbose = true),
    },
    OptionSpec {
        long: "quiet",
        short: Some('q'),
        on: ALL,
        help: "print the answer and errors only",
        effect: Effect::Flag(|s| s.quiet = true),
    },
];

/// The values that an option with a fixed list of them takes on this command, for completions.
pub fn choices(option: &OptionSpec, command: Command) -> Vec<&'static str> {
    match (option.long, command) {
        ("property", _) => vec!["errors", "unreach-call", "no-overflow"],
        ("data-model", _) => vec!["lp64", "ilp32"],
        ("engine", _) => {
            let names = engines::ENGINES.iter().map(|info| info.name);
            [engines::PORTFOLIO].into_iter().chain(names).collect()
        }
        ("share", _) => vec!["on", "off"],
        ("progress" | "bug-bundle", _) => vec!["auto", "always", "never"],
        ("euf", _) => vec!["turns", "uf", "axioms", "heavy", "bits", "single", "predicates", "paper"],
        ("trace", Check) => vec!["search", "coherent", "paper-order"],
        ("ufo", _) => vec!["cpufo", "uufo", "bpufo", "cp", "bp"],
        ("refine", _) => vec!["h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "min", "flat"],
        ("emit", _) => vec!["cfa", "dot", "coherence", "vmt"],
        ("second-opinion", _) => second_opinion::SOLVERS.to_vec(),
        ("sat", _) if cfg!(feature = "cadical") => vec!["builtin", "cadical"],
        ("sat", _) => vec!["builtin"],
        _ => Vec::new(),
    }
}

fn set<T>(slot: &mut T, value: T) -> Result<(), String> {
    *slot = value;
    Ok(())
}

fn push(list: &mut Vec<String>, value: &str) -> Result<(), String> {
    list.push(value.to_owned());
    Ok(())
}

fn data_model(text: &str) -> Result<DataModel, String> {
    match text.to_ascii_lowercase().as_str() {
        "lp64" => Ok(DataModel::Lp64),
        "ilp32" => Ok(DataModel::Ilp32),
        _ => Err(format!("`{text}` is not a data model: lp64 or ilp32")),
    }
}

fn sat(text: &str) -> Result<Backend, String> {
    match text {
        "builtin" => Ok(Backend::BuiltIn),
        #[cfg(feature = "cadical")]
        "cadical" => Ok(Backend::CADICAL),
        #[cfg(not(feature = "cadical"))]
        "cadical" => Err("this build has no CaDiCaL: build with --features cadical".to_owned()),
        _ => Err(format!("`{text}` is not a SAT solver: builtin or cadical")),
    }
}

fn emit(text: &str) -> Result<Emit, String> {
    match text {
        "cfa" => Ok(Emit::Cfa),
        "dot" => Ok(Emit::Dot),
        "vmt" => Ok(Emit::Vmt),
        "coherence" => Ok(Emit::Coherence),
        _ => Err(format!("`{text}` is not something to print: cfa, dot, vmt or coherence")),
    }
}

fn engine(text: &str) -> Result<String, String> {
    match engines::by_name(text) {
        Some(info) => Ok(info.name.to_owned()),
        None if text == engines::PORTFOLIO => Ok(text.to_owned()),
        None => Err(format!("`{text}` is not an engine: {}", engines::names())),
    }
}

fn solver(text: &str) -> Result<String, String> {
    let known = second_opinion::SOLVERS;
    if known.contains(&text) {
        Ok(text.to_owned())
    } else {
        Err(format!("`{text}` is not a solver we can ask: {}", known.join(", ")))
    }
}

fn euf_level(text: &str) -> Result<String, String> {
    match text {
        _ if engine_ic3::is_level(text) => Ok(text.to_owned()),
        _ => Err(format!("`{text}`: turns, uf, axioms, heavy, bits, single, predicates or paper")),
    }
}

fn ufo(text: &str) -> Result<String, String> {
    match engine_arg::Instance::by_name(text) {
        Some(instance) => Ok(instance.name.to_owned()),
        None => Err(format!("`{text}`: uufo, cpufo, bpufo, cp or bp")),
    }
}

fn trace_mode(text: &str) -> Result<String, String> {
    match engine_trace::Mode::by_name(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err(format!("`{text}`: search, coherent or paper-order")),
    }
}

fn heuristic(text: &str) -> Result<String, String> {
    if engine_bmc::is_heuristic(text) {
        return Ok(text.to_owned());
    }
    Err(format!("`{text}` is not a way to refine: h0 to h8, min or flat"))
}

fn lines(text: &str) -> Result<Vec<u32>, String> {
    text.split(',').map(|line| small_count(line.trim())).collect()
}

fn small_count(text: &str) -> Result<u32, String> {
    let count = quantity::count(text)?;
    u32::try_from(count).ok().filter(|&count| count > 0).ok_or_else(|| format!("`{text}`: from 1 to {}", u32::MAX))
}

fn on_or_off(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(format!("`{text}`: on or off")),
    }
}

fn wish(text: &str) -> Result<Wish, String> {
    match text {
        "always" => Ok(Wish::Always),
        "never" => Ok(Wish::Never),
        "auto" => Ok(Wish::Auto),
        _ => Err(format!("`{text}`: auto, always or never")),
    }
}

fn threads(text: &str) -> Result<u32, String> {
    let count = quantity::count(text)?;
    if (1..=4096).contains(&count) { Ok(count as u32) } else { Err(format!("`{text}`: from 1 to 4096 threads")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_taken() {
        let mut count = 0;
        for option in OPTIONS {
            for &command in option.on {
                for choice in choices(option, command) {
                    let Effect::Value(_, set) = option.effect else { panic!("--{} takes a value", option.long) };
                    assert_eq!(set(&mut Settings::new(command), choice), Ok(()), "--{} {choice}", option.long);
                    count += 1;
                }
            }
        }
        assert!(count > 30, "{count}");
    }

    #[test]
    fn no_command_has_two_options_of_one_name() {
        for (index, option) in OPTIONS.iter().enumerate() {
            for other in &OPTIONS[..index] {
                if option.on.iter().any(|command| other.on.contains(command)) {
                    assert_ne!(option.long, other.long);
                    assert!(option.short.is_none() || option.short != other.short, "-{:?} twice", option.short);
                }
            }
        }
    }
}
