//! What an engine works on and with.

use base::{Budget, SettingError, Stopped, Table, Values};
use program::Program;
use program::pass::BackMap;
use term::Terms;
use verdict::{Counterexample, Verdict, Why};

use crate::each::Each;
use crate::facts::Facts;
use crate::ground::Ground;
use crate::picture::Picture;

/// A program to be verified.
pub struct Task {
    /// The program as the front end lowered it (with the property chosen); evidence speaks of this one.
    pub lowered: Program,
    /// The same, inlined and optimised; engines work on this one.
    pub program: Program,
    /// How to speak of the second in the words of the first.
    pub map: BackMap,
    /// The store of both programs' terms. An engine works on a copy of its own.
    pub terms: Terms,
    /// Facts that were proved before engines start.
    pub known: Facts,
    /// What engines share.
    pub(crate) ground: Ground,
}

impl Task {
    /// A program as lowered, the same optimised, and the way back.
    pub fn new(lowered: Program, program: Program, map: BackMap, terms: Terms) -> Self {
        Task { lowered, program, map, terms, known: Facts::new(), ground: Ground::default() }
    }
    /// The same task with nothing shared.
    pub fn alone(&self) -> Self {
        Task::new(self.lowered.clone(), self.program.clone(), self.map.clone(), self.terms.clone())
    }
}

/// What a run of an engine is given.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// How much effort may be spent, and the flag that ends it.
    pub budget: &'a Budget,
    /// Where random choices come from.
    pub seed: u64,
    /// What engines share.
    pub facts: &'a Facts,
    /// Receives progress and counters.
    pub observer: &'a dyn Observer,
    /// Whether a counterexample is feasible: it is replayed on the program as lowered.
    pub replay: &'a dyn Fn(&Counterexample) -> Result<(), Why>,
    /// Takes verdicts about single assertions; none if one verdict about all is wanted.
    pub each: Option<&'a dyn Each>,
}

/// Receives the progress of an engine. All of it may be ignored.
pub trait Observer: Send + Sync {
    /// The engine begins something else: a short noun.
    fn phase(&self, phase: &'static str);
    /// How far the engine has come, in the user's terms: "no error within 12 iterations". It is shown while working and
    /// printed at the end when time runs out.
    fn progress(&self, text: String);
    /// A counter that is printed at the end if the user asked for counters; the last value counts, also when time ran out.
    fn count(&self, name: &'static str, value: u64);
    /// The engine imports a fact that another engine has proved.
    fn imported(&self, source: &'static str);
    /// A picture of what the engine works on, if it was asked for; one after each change, the last one counts most.
    fn picture(&self, picture: Picture);
}

/// Ignores everything.
pub struct Silent;

impl Observer for Silent {
    fn phase(&self, _: &'static str) {}
    fn progress(&self, _: String) {}
    fn count(&self, _: &'static str, _: u64) {}
    fn imported(&self, _: &'static str) {}
    fn picture(&self, _: Picture) {}
}

/// An algorithm that verifies programs.
pub trait Engine: Send {
    /// Verifies the program.
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped>;
}

/// What the driver knows of an engine.
pub struct EngineInfo {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line for `--help`.
    pub help: &'static str,
    /// What there is to set.
    pub settings: &'static Table,
    /// Makes one with these values, which are checked first.
    pub make: fn(&Values) -> Result<Box<dyn Engine>, SettingError>,
}

impl EngineInfo {
    /// Makes one with values that were checked when they were read.
    pub fn build(&self, values: &Values) -> Box<dyn Engine> {
        (self.make)(values).expect("values are checked when they are read")
    }
}
