//! Where free values come from: the interface, and two plain suppliers.
//!
//! A run asks for a value when it meets a `Havoc`, when it first reads memory of unspecified
//! contents, and when it reads outside every object. It also asks which way to go where several
//! edges are enabled. All answers are recorded in order, so a [`ScriptedInputs`] made of them
//! repeats the run.

use super::classes::Comparison;
use crate::model::{Input, InputId, InputKind, Shown};

/// What a value is used for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// The program names the input.
    Input(InputId),
    /// The first contents of an automatic object.
    Automatic,
    /// A read outside every live object.
    Outside,
    /// Which of this many enabled edges to take.
    Choice(u32),
}

/// A question to the supplier.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// What it is used for.
    pub origin: Origin,
    /// The input, if the program names one.
    pub info: Option<&'a Input>,
    /// How many bits are wanted, at most 128; wider values come in pieces, the low one first. A
    /// float is asked for by its encoding, `long double` by its 80 bits and `__float128` by that of a `double`.
    pub width: u32,
    /// How the value reads in the source.
    pub shown: Shown,
    /// How often the program had asked for this input before: each `Havoc`, `Forget` and `Alloc` that names it asks
    /// once, however often the memory it fills is then read. Zero where the program names no input.
    pub occurrence: u64,
    /// For memory of unspecified contents: the byte of the object that is read first.
    pub offset: Option<u64>,
    /// Which piece of a wide value this is, counting from zero.
    pub piece: u32,
    /// Whether the request is for an element of an array; then the offset is its index, and without an offset the
    /// request is for the default element.
    pub is_element: bool,
}

/// One answer, as recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Consumed {
    /// What it was wanted for.
    pub origin: Origin,
    /// How many bits.
    pub width: u32,
    /// The value, zero above the width.
    pub value: u128,
    /// How often the program had asked for this input before.
    pub occurrence: u64,
    /// For memory: the byte of the object where the value begins.
    pub offset: Option<u64>,
}

/// A supplier of free values.
pub trait Inputs {
    /// A value; bits above the width are ignored.
    fn value(&mut self, request: &Request<'_>) -> u128;
    /// Which of `n` ways to go, at least two; the answer counts modulo `n`.
    fn choose(&mut self, n: usize) -> usize;
    /// For an array that this input stands for: all indices at which the supplier has something particular to say.
    /// None if it does not know; then arrays of this supplier cannot be compared.
    fn indices(&mut self, _input: InputId, _occurrence: u64) -> Option<Vec<u64>> {
        None
    }
    /// A value of the supplier is compared with a number: the supplier then tries values that answer otherwise, too. False if it does not,
    /// and the answer is a decision that depends on the value.
    fn narrow(&mut self, _comparison: &Comparison) -> bool {
        false
    }
    /// What an uninterpreted function gives for these arguments; bits above the width are ignored. The default
    /// is the function that is zero everywhere. Elements of uninterpreted sorts are numbers of
    /// [`ELEMENT_WIDTH`] bits.
    fn apply(&mut self, _function: &str, _args: &[u128]) -> u128 {
        0
    }
}

// law: inputs and counterexamples have this width.
/// The bits of an element of an uninterpreted sort; equality is all that such elements have.
pub const ELEMENT_WIDTH: u32 = 32;

/// Zero, and always the first way.
#[derive(Clone, Copy, Default, Debug)]
pub struct ZeroInputs;

impl Inputs for ZeroInputs {
    fn indices(&mut self, _: InputId, _: u64) -> Option<Vec<u64>> {
        Some(Vec::new())
    }
    fn value(&mut self, _: &Request<'_>) -> u128 {
        0
    }
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

/// Values in order, then zeros.
#[derive(Clone, Debug)]
pub struct ScriptedInputs {
    values: Vec<u128>,
    next: usize,
    missing: u64,
    only_nondet: bool,
}

impl ScriptedInputs {
    /// The values answer every question, choices included: this repeats a recorded run.
    pub fn for_everything(values: Vec<u128>) -> Self {
        ScriptedInputs { values, next: 0, missing: 0, only_nondet: false }
    }
    /// The values answer calls of `__VERIFIER_nondet_*` only; everything else is zero.
    pub fn for_nondet(values: Vec<u128>) -> Self {
        ScriptedInputs { only_nondet: true, ..ScriptedInputs::for_everything(values) }
    }
    /// The answers of a recorded run.
    pub fn replay(consumed: &[Consumed]) -> Self {
        ScriptedInputs::for_everything(consumed.iter().map(|answer| answer.value).collect())
    }
    /// How many values were used.
    pub fn consumed(&self) -> usize {
        self.next
    }
    /// How many questions came after the last value.
    pub fn missing(&self) -> u64 {
        self.missing
    }
    fn take(&mut self) -> u128 {
        match self.values.get(self.next) {
            Some(&value) => {
                self.next += 1;
                value
            }
            None => {
                self.missing += 1;
                0
            }
        }
    }
}

impl Inputs for ScriptedInputs {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        let is_nondet = matches!(request.info, Some(Input { kind: InputKind::Nondet(_), .. }));
        if self.only_nondet && !is_nondet { 0 } else { self.take() }
    }
    fn choose(&mut self, n: usize) -> usize {
        if self.only_nondet { 0 } else { (self.take() % n as u128) as usize }
    }
}
