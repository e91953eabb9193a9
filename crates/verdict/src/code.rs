//! Stable codes for the reasons of an `UNKNOWN`. Tools and users refer to a code; `uforia explain CODE` prints its page (`reasons`).
//!
//! A code keeps its meaning for ever: a reason that is no longer given keeps its number, and a new one takes the next free number of its group.

use std::fmt;

use crate::reasons::{REASONS, Reason};

/// Which reason it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Code {
    /// The time limit was reached.
    OutOfTime,
    /// The memory limit was reached.
    OutOfMemory,
    /// The effort that one step may cost was reached.
    OutOfTicks,
    /// A bounded search came to its end without an error.
    Bounded,
    /// A signal or the user stopped the run.
    Interrupted,
    /// A construct of the language that is not modelled.
    Construct,
    /// Recursion.
    Recursion,
    /// The program is too large after inlining.
    ProgramSize,
    /// The evidence is too large to be checked.
    EvidenceSize,
    /// Memory on the stack that may be used after its function has returned.
    StackAddress,
    /// Mathematical integers or reals in a transition system.
    Numbers,
    /// An operation that the interpreter cannot execute.
    Execution,
    /// The error comes only after undefined behaviour.
    OnlyUndefined,
    /// A value from a function without a body.
    NoBody,
    /// Memory that is not modelled.
    Memory,
    /// Where objects lie in memory.
    Layout,
    /// What uninterpreted functions give.
    Uninterpreted,
    /// A choice that C leaves open, such as the order of evaluation.
    Unspecified,
    /// Floating-point arithmetic.
    Floats,
    /// Mathematical numbers.
    RealNumbers,
    /// A value that is not initialised.
    Uninitialised,
    /// A part of the program that is read more coarsely than the source.
    Approximated,
    /// A value that the counterexample does not name.
    Unnamed,
    /// The engine reached a limit of its own.
    GaveUp,
    /// An engine that lists states found too many.
    States,
    /// Refinement found nothing new.
    NoProgress,
    /// The program is not coherent.
    NotCoherent,
    /// Executions decided nothing.
    Runs,
    /// An answer that the input language cannot express.
    NoWords,
    /// The solver gave no answer.
    Solver,
    /// No engine could be started.
    NoEngine,
    /// Nothing shows that a loop ends, nor that it does not.
    NoRanking,
    /// The program states nothing to verify.
    NothingToVerify,
    /// The input is not a valid program.
    InvalidProgram,
    /// A file cannot be read, or a tool is missing.
    CannotRead,
    /// A file cannot be written.
    CannotWrite,
    /// The command line asks for something that does not exist.
    Usage,
    /// The checker rejected the evidence of an engine.
    Rejected,
    /// A part of uforia failed.
    Panic,
    /// Another solver contradicts the checker.
    SecondOpinion,
}

/// What codes with the same first two digits have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// U01xx: a limit on time, memory or steps.
    Limit,
    /// U02xx: something that is not modelled.
    Unsupported,
    /// U03xx: the error depends on something that is left open.
    Open,
    /// U04xx: an engine gave up.
    GaveUp,
    /// U05xx: there is nothing to verify.
    Nothing,
    /// U06xx: the input or the command line.
    Input,
    /// U09xx: a bug in uforia.
    Internal,
}

impl Code {
    /// The line of the table about it.
    pub fn reason(self) -> &'static Reason {
        &REASONS[self as usize]
    }
    /// The group it belongs to.
    pub fn group(self) -> Group {
        match &self.reason().name[1..3] {
            "01" => Group::Limit,
            "02" => Group::Unsupported,
            "03" => Group::Open,
            "04" => Group::GaveUp,
            "05" => Group::Nothing,
            "06" => Group::Input,
            _ => Group::Internal,
        }
    }
    /// Whether it is a bug in uforia.
    pub fn is_bug(self) -> bool {
        self.group() == Group::Internal
    }
    /// How much the reason says about the program, as opposed to the effort that was spent: of several reasons the highest is given.
    pub fn rank(self) -> u32 {
        match (self, self.group()) {
            (_, Group::Internal) => 6,
            (_, Group::Unsupported | Group::Input) => 5,
            (Code::OnlyUndefined, _) => 4,
            (_, Group::Open) => 3,
            (Code::Bounded, _) => 2,
            (_, Group::GaveUp | Group::Nothing) => 1,
            (_, Group::Limit) => 0,
        }
    }
    /// Whether the reason concerns the program, so that more effort of the same kind would not help.
    pub fn concerns_program(self) -> bool {
        self.rank() >= Code::Memory.rank()
    }
    /// The code with this name, such as `U0104`.
    pub fn by_name(name: &str) -> Option<Code> {
        REASONS.iter().find(|reason| reason.name.eq_ignore_ascii_case(name)).map(|reason| reason.code)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.reason().name)
    }
}
