//! The settings of a command: what the command line, or a user of the library, asks for.
//!
//! The arguments of the command line that set them are in `arguments`.

use std::time::Duration;

use cfront::DataModel;
use smt::Backend;

pub use crate::commands::{COMMANDS, Command, CommandSpec, spec};
use crate::settings::Chosen;
use crate::tuning::Tuning;

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

/// What reads C programs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum FrontEnd {
    /// Our own front end.
    #[default]
    Own,
    /// clang, by way of LLVM IR.
    Clang,
}

/// When to do something optional.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// In any case.
    Always,
    /// Not at all.
    Never,
    /// Where it makes sense.
    Auto,
}

/// A task of `uforia.toml`; names of files are relative to the current folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskEntry {
    /// Its name.
    pub name: String,
    /// The files of its program.
    pub files: Vec<String>,
    /// Its options, as words of the command line.
    pub words: Vec<String>,
}

/// The parsed command line; fixed after its check.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What to do.
    pub command: Command,
    /// The input, `-` for standard input.
    pub file: String,
    /// The other files of the program, which are linked with the first.
    pub more: Vec<String>,
    /// All inputs: task definitions, folders and files that are not linked are a campaign.
    pub files: Vec<String>,
    /// The options that were given, normalised: one word each, with long names, sorted by name, repeated ones as they count.
    pub words: Vec<String>,
    /// The folder with evidence of earlier runs.
    pub cache: Option<String>,
    /// How many tasks of a campaign are done at a time.
    pub jobs: Option<u32>,
    /// The file that keeps the results of a campaign.
    pub resume: Option<String>,
    /// Sizes of the types.
    pub data_model: DataModel,
    /// Words for cargo where the input is a package.
    pub cargo_args: Option<String>,
    /// Write the test for an error of a Rust harness behind the harness.
    pub insert_test: bool,
    /// What reads C.
    pub front_end: FrontEnd,
    /// Whether there is always memory.
    pub malloc: cfront::Malloc,
    /// The name of a property or of a property file.
    pub property: String,
    /// Only list the assertions.
    pub list_assertions: bool,
    /// The function of a C program where runs start; `None`: `main`.
    pub function: Option<String>,
    /// What global variables hold where runs start in that function.
    pub globals: cfront::Globals,
    /// The compilation database, or its folder.
    pub compile_commands: Option<String>,
    /// Several C files are one task each, not one program.
    pub separate: bool,
    /// The engine to use; `None`: the portfolio.
    pub engine: Option<String>,
    /// The file `uforia.toml` and those of its options that are among these.
    pub config: Option<String>,
    /// What was set for single components.
    pub chosen: Chosen,
    /// Where the graph of the engine `ufo` goes.
    pub emit_arg: Option<String>,
    /// Say what the answer rests on.
    pub explain: bool,
    /// The procedure of a Boogie program where runs begin; `None`: each procedure is checked by itself.
    pub entry: Option<String>,
    /// List what the answer rests on.
    pub assumptions: bool,
    /// The largest number of lines of a counterexample that are printed; zero: all.
    pub trace_lines: usize,
    /// The one assertion to check, counted from one.
    pub assertion: Option<u32>,
    /// Whether a verdict about each assertion is wanted.
    pub each: bool,
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
    /// Where the answer goes as a page for a browser.
    pub html: Option<String>,
    /// Where a witness goes.
    pub witness: Option<String>,
    /// Where a harness for the error goes.
    pub harness: Option<String>,
    /// The solver that is also asked about each obligation of a proof.
    pub second_opinion: Option<String>,
    /// Whether the engines of the portfolio exchange facts.
    pub share: bool,
    /// Whether an archive for a bug report is written when we meet a bug of our own.
    pub bug_bundle: When,
    /// Whether the display is drawn.
    pub progress: When,
    /// Whether there are colours.
    pub color: When,
    /// Whether `UNKNOWN` is a failure.
    pub fails_on_unknown: bool,
    /// The tasks of `uforia.toml` to check, if no file is named.
    pub tasks: Vec<TaskEntry>,
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
    /// The backend for hard propositional queries.
    pub sat: Backend,
}

impl Settings {
    /// The defaults.
    pub fn new(command: Command) -> Self {
        Settings {
            command,
            file: String::new(),
            more: Vec::new(),
            files: Vec::new(),
            words: Vec::new(),
            cache: None,
            jobs: None,
            resume: None,
            data_model: DataModel::Lp64,
            cargo_args: None,
            insert_test: false,
            front_end: FrontEnd::default(),
            malloc: cfront::Malloc::default(),
            property: crate::property::NAMES[0].to_owned(),
            list_assertions: false,
            function: None,
            globals: cfront::Globals::default(),
            compile_commands: None,
            separate: false,
            engine: None,
            config: None,
            chosen: Chosen::default(),
            emit_arg: None,
            explain: false,
            entry: None,
            assumptions: false,
            trace_lines: Tuning::DEFAULT.max_trace_lines,
            assertion: None,
            each: false,
            timeout: None,
            memory: None,
            threads: None,
            seed: 0,
            json: None,
            sarif: None,
            html: None,
            witness: None,
            harness: None,
            second_opinion: None,
            share: true,
            bug_bundle: When::Auto,
            progress: When::Auto,
            color: When::Auto,
            fails_on_unknown: true,
            tasks: Vec::new(),
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
