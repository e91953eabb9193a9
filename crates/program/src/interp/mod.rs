//! The interpreter: a program executed on given inputs, with full memory and real floats.
//!
//! It is the oracle for everything that follows: it knows no solver, and its meaning is that of
//! the model and of SMT-LIB's total operators, nothing else. A [`Machine`] is made once for a
//! program and runs it as often as wanted.
//!
//! * `compile` and `layout`, `action`, `choice`, `expression`, `emit`, `recursion`: from program to
//!   register code (`code`, `float_code`);
//! * `execute`: the loop; `access`, `memory`, `arrays`, `floats`, `narrow`, `wide`: what the instructions do;
//! * `leap` and `rounds`: many rounds of a counting loop done at once;
//! * [`Inputs`] and its suppliers: zeros, a script, random values in many styles;
//! * `questions` and `classes`: all answers of a supplier, one for each class of values that behave alike;
//! * `shadow`, `shadow_values`, `shadow_memory`, `shadow_order` with `mark` and `byte_marks`: the same run with the origin of each value and what it depends on;
//! * `tracked`: which heap objects pointers lead to;
//! * [`trace`]: the same run in terms of the source; `spot`: places in memory in words.
//!
//! A run notes the first undefined operation it meets (a failing `Check`) and goes on with the total meaning of the
//! operators. A memory access that is not inside a live object ends the run: see [`MemoryError`].

mod access;
mod action;
mod arrays;
mod byte_marks;
mod choice;
mod classes;
mod code;
mod compile;
mod dictionary;
mod emit;
mod execute;
mod expression;
mod extended;
mod float_code;
mod floats;
mod inputs;
mod layout;
mod leap;
mod mark;
mod memory;
mod narrow;
mod passed;
mod questions;
mod random_inputs;
mod recursion;
mod rounds;
mod shadow;
mod shadow_memory;
mod shadow_order;
mod shadow_values;
mod spot;
mod trace;
mod tracked;
mod visits;
mod wide;

#[cfg(test)]
mod tests;

pub use classes::Comparison;
pub use dictionary::Dictionary;
pub use inputs::{Consumed, ELEMENT_WIDTH, Inputs, Origin, Request, ScriptedInputs, ZeroInputs};
pub use memory::BadAccess;
pub use passed::Passed;
pub use questions::Questions;
pub use random_inputs::RandomInputs;
pub use trace::{Entry, Event, Happened, Step, Trace, trace};
pub use visits::{Visit, visits};

use base::{Budget, Place};
use term::Terms;

use crate::model::{Action, AssertionId, EdgeId, InputId, Loc, ObjectId, Program, Undefined};

use code::Code;
use leap::LeapSettings;
use memory::Memory;

/// The 80 bits of this number as a `long double`.
pub fn long_double(value: f64) -> u128 {
    extended::from_double(value)
}
/// The `double` that is the same number as this `long double`, if there is one.
pub fn double_of_long_double(bits: u128) -> Option<f64> {
    let nearest = extended::to_double(bits);
    let is_same = !nearest.is_nan() && extended::from_double(nearest) == bits;
    is_same.then_some(nearest)
}

/// A program made ready to run.
pub struct Machine {
    code: Code,
    /// The memory every run starts from.
    memory: Memory,
    registers: Vec<u64>,
    leap_settings: LeapSettings,
}

/// How far a run may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Edges that are taken one by one, counted to within a straight line.
    pub edges: u64,
    /// Activations at once.
    pub call_depth: usize,
    /// Bytes of the program's memory that were touched, with what it takes to keep them.
    pub memory: u64,
    /// How many answers of the supplier are recorded; later ones are only counted.
    pub recorded_inputs: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { edges: u64::MAX, call_depth: 1_000_000, memory: 1 << 30, recorded_inputs: 1 << 20 }
    }
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// The first undefined operation, if any was met; a memory error is one.
    pub undefined: Option<UndefinedAt>,
    /// The answers of the supplier in order, as far as the limits let them be recorded.
    pub inputs: Vec<Consumed>,
    /// How many answers there were.
    pub n_inputs: u64,
    /// How many edges were taken one by one (a failed assumption counts as one).
    pub edges: u64,
    /// How many more were leapt over, as rounds of a counting loop; `u64::MAX` stands for all larger numbers.
    pub leapt: u64,
    /// Whether a value came from a function without a body, or from a choice of a value that C leaves open.
    pub external: bool,
    /// Whether the run chose one of the orders of evaluation that C leaves open.
    pub ordered: bool,
    /// Whether a result of arithmetic in more than the precision of `double` was used: binary128 is only approximated, and
    /// to how many bits an operator on `long double` rounds depends on the environment.
    pub approximate: bool,
    /// The object of the last probe that failed, as far as it is known.
    pub touched: Option<Touched>,
    /// The address that this probe asked about.
    pub probed: Option<u64>,
    /// Where heap objects were allocated that were not freed when the run ended, some of them; only of programs that are
    /// asked about leaks.
    pub left: Vec<Option<Place>>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The assertion failed.
    Error(AssertionId),
    /// The entry function returned, with its result if it has one.
    Returned(Option<u128>),
    /// No edge was enabled: a failed assumption, or the end of the run.
    Blocked(Loc),
    /// A memory access was invalid.
    MemoryError(MemoryError),
    /// A shadow run came to a decision that the program alone does not determine, and was asked to end there.
    Undetermined,
    /// A limit was reached.
    Limit(Limit),
    /// The cancel flag is set.
    Cancelled,
    /// Something that cannot be executed.
    Unsupported {
        /// What.
        what: String,
        /// Where in the source.
        place: Option<Place>,
    },
}

/// What a shadow run looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watch {
    /// The first decision that depends on an uncontrolled input or on where objects lie; the run goes on.
    Uncontrolled,
    /// The first decision that depends on any input, too; the run ends there.
    Everything {
        /// Inputs of at most this width (bits) are ignored, and so are choices if this is not zero: the caller tries all
        /// their values.
        enumerated: u32,
    },
}

/// A decision of a shadow run that the program alone does not determine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decided {
    /// On what it depends.
    pub by: Dependence,
    /// The edge of the decision.
    pub edge: Option<EdgeId>,
    /// Where in the source.
    pub place: Option<Place>,
}

/// What a decision depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dependence {
    /// The value of an input.
    Input(InputId),
    /// Memory that was not written.
    Contents,
    /// Which of several enabled edges was taken.
    Choice,
    /// The value of an uninterpreted function.
    Function,
    /// Where objects lie in memory.
    Layout,
    /// The bits of a NaN that an operation made.
    Nan,
}

/// Which limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Too many edges.
    Edges,
    /// Too many activations.
    CallDepth,
    /// Too much memory, or no address left.
    Memory,
    /// The ticks of the budget; an edge is a tick.
    Ticks,
}

/// An undefined operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UndefinedAt {
    /// What was undefined.
    pub what: Unclear,
    /// The edge it was met on.
    pub edge: Option<EdgeId>,
    /// Where in the source.
    pub place: Option<Place>,
}

/// A memory access that is not inside a live object, or writes where nothing may be written: the run ends there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryError {
    /// What went wrong.
    pub what: BadAccess,
    /// The edge it was met on.
    pub edge: Option<EdgeId>,
    /// Where in the source.
    pub place: Option<Place>,
    /// The object that was missed, as far as it is known.
    pub object: Option<Touched>,
}

/// An object that an invalid access belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touched {
    /// The object of the program; none for one that was allocated.
    pub object: Option<ObjectId>,
    /// Its size in bytes.
    pub size: u64,
    /// Where the access begins, counted from the start of the object.
    pub offset: i64,
    /// Whether it exists.
    pub state: Lifespan,
    /// Where it was allocated, if it was.
    pub allocated: Option<Place>,
    /// Where it was freed.
    pub freed: Option<Place>,
}

/// Whether an object exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifespan {
    /// It does.
    Live,
    /// Its block or its activation has ended.
    Ended,
    /// It was freed.
    Freed,
}

/// What C gives no meaning to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unclear {
    /// A `Check` of the program failed.
    Operation(Undefined),
    /// A memory access went wrong.
    Memory(BadAccess),
}

/// A program that cannot be made ready.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// What stands in the way.
    pub what: String,
}

impl Machine {
    /// Compiles the program.
    pub fn new(program: &Program, terms: &Terms) -> Result<Machine, Unsupported> {
        Machine::prepare(program, terms, false)
    }

    fn prepare(program: &Program, terms: &Terms, tracing: bool) -> Result<Machine, Unsupported> {
        let mut code = compile::compile(program, terms, tracing).map_err(|what| Unsupported { what })?;
        let full = |_| Unsupported { what: "static objects that do not fit the address space".to_owned() };
        let (memory, addresses) =
            Memory::new(code.pointer_width, &code.statics, program.functions.len(), code.sites.len() as u32)
                .map_err(full)?;
        for (object, address) in code.statics.iter().zip(addresses) {
            if let Some(register) = code.registers.get_mut(object.address as usize) {
                *register = address;
            }
        }
        Ok(Machine { registers: Vec::new(), code, memory, leap_settings: LeapSettings::DEFAULT })
    }

    /// Runs the program from the start.
    pub fn run(&mut self, inputs: &mut dyn Inputs, limits: &Limits, budget: &Budget) -> Run {
        self.execute(inputs, limits, budget, &mut execute::NoNotes, &mut shadow::NoShadow)
    }

    /// Whether floats are computed.
    pub fn has_floats(&self) -> bool {
        !self.code.floats.is_empty()
    }
    /// How many instructions the program has become.
    pub fn n_instructions(&self) -> usize {
        self.code.instrs.len()
    }
}

/// The program without its checks for these operations. Only the first undefined operation of a run is noted, and one that
/// does not matter must not hide another.
pub fn without_checks(program: &Program, terms: &Terms, is_left_out: impl Fn(Undefined) -> bool) -> Program {
    let mut program = program.clone();
    let yes = terms.clone().truth(true);
    for edge in program.edges.iter_mut() {
        if matches!(edge.action, Action::Check { what, .. } if is_left_out(what)) {
            edge.action = Action::Assume(yes);
        }
    }
    program
}
