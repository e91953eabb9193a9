//! A run in terms of the source: inputs received, assignments, branches, calls.
//!
//! The same program is compiled once more with notes in the code, and the same loop executes it;
//! the code for fast runs has no notes, so recording costs it nothing. Of a long run the first and
//! the last steps are kept, and only of those values become text. Once the first steps are there, rounds of counting
//! loops are leapt over; the last steps are then those after the last leap.

use std::collections::VecDeque;

use base::{Budget, Id, Place};
use term::Terms;

use crate::model::{Action, EdgeId, FunId, Lifetime, ObjectId, Program, Shown, Var, VarKind};
use crate::source_types::TypeNumber;

use super::code::{Code, Format, Note, VariableAt};
use super::execute::Notes;
use super::inputs::{Consumed, Inputs, Origin};
use super::leap::Leap;
use super::memory::{Memory, function_address};
use super::shadow::NoShadow;
use super::spot::{Numbers, Spot, reading};
use super::{Limits, Machine, Run, Unsupported, floats};
use crate::tuning::Tuning;

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<V = String> {
    /// Where in the source.
    pub place: Option<Place>,
    /// In which function.
    pub function: FunId,
    /// What happened.
    pub event: Event<V>,
    /// Its entry in the log of the trace.
    pub entry: usize,
}

/// What the run did on an edge, for those who ask what depends on what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What.
    pub happened: Happened,
    /// In which activation; they are numbered from zero in the order of their calls.
    pub activation: u32,
    /// The address of the bytes that were read or written, freed, allocated or asked about.
    pub address: u64,
    /// How many bytes.
    pub bytes: u32,
    /// The first byte of the object there, as far as it is known.
    pub base: u64,
}

/// An entry of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happened {
    /// The edge was taken; a call has returned.
    Took(EdgeId),
    /// The call was begun.
    Called(EdgeId),
    /// The function returned.
    Returned(FunId),
}

/// What happened in a step. Values are text, as they read in the source language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event<V = String> {
    /// A free value came in.
    Received {
        /// Where from.
        origin: Origin,
        /// The value.
        value: V,
    },
    /// A variable that the user declared got a value.
    Assigned {
        /// Which.
        var: Var,
        /// The value.
        value: V,
    },
    /// A value was written to memory.
    Stored {
        /// The static or automatic object, if it is one; heap objects have no name.
        object: Option<ObjectId>,
        /// The offset in the object, or the address if it has no name.
        offset: u64,
        /// How the place reads.
        to: String,
        /// The value.
        value: V,
    },
    /// A variable of the front end got a value from memory.
    Loaded {
        /// Which.
        var: Var,
        /// How the place reads.
        from: String,
        /// The value.
        value: V,
    },
    /// An object was freed.
    Freed {
        /// The pointer.
        value: V,
    },
    /// One of several ways was taken.
    Branched {
        /// Which edge.
        edge: EdgeId,
    },
    /// A function was called.
    Called {
        /// Which.
        function: FunId,
        /// Its arguments.
        args: Vec<V>,
    },
    /// A function returned.
    Returned {
        /// Which.
        function: FunId,
        /// Its result, if it has one.
        value: Option<V>,
    },
}

impl Step<Raw> {
    fn in_words(&self, program: &Program) -> Step {
        let show = |value: &Raw| value.show(program);
        let event = match &self.event {
            Event::Received { origin, value } => Event::Received { origin: *origin, value: show(value) },
            Event::Assigned { var, value } => Event::Assigned { var: *var, value: show(value) },
            Event::Stored { object, offset, to, value } => {
                Event::Stored { object: *object, offset: *offset, to: to.clone(), value: show(value) }
            }
            Event::Loaded { var, from, value } => Event::Loaded { var: *var, from: from.clone(), value: show(value) },
            Event::Freed { value } => Event::Freed { value: show(value) },
            Event::Branched { edge } => Event::Branched { edge: *edge },
            Event::Called { function, args } => {
                Event::Called { function: *function, args: args.iter().map(show).collect() }
            }
            Event::Returned { function, value } => {
                Event::Returned { function: *function, value: value.as_ref().map(show) }
            }
        };
        Step { place: self.place, function: self.function, event, entry: self.entry }
    }
}

/// A value that may become text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Raw {
    /// The low words; `more` has the others.
    words: [u64; 2],
    more: Vec<u64>,
    width: u32,
    shown: Shown,
    format: Option<Format>,
    /// For a pointer: where it leads, and to what.
    spot: Option<Spot>,
    target: Option<TypeNumber>,
}

/// The steps of a run, the middle left out if there were too many.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    /// The first steps.
    pub first: Vec<Step>,
    /// How many steps are left out after them.
    pub n_skipped: u64,
    /// The last steps.
    pub last: VecDeque<Step>,
    /// What the run did, edge by edge; empty if it was too long.
    pub log: Vec<Entry>,
}

/// Runs the program and records its steps, at most `keep` at the start and at the end.
pub fn trace(
    program: &Program,
    terms: &Terms,
    inputs: &mut dyn Inputs,
    limits: &Limits,
    budget: &Budget,
    keep: usize,
) -> Result<(Run, Trace), Unsupported> {
    let mut machine = Machine::prepare(program, terms, true)?;
    let mut n_outgoing = vec![0u32; program.locations.len()];
    for edge in &program.edges {
        n_outgoing[edge.from.index()] += 1;
    }
    let (first, last) = (Vec::new(), VecDeque::new());
    let numbers = Numbers::default();
    let mut recorder = Recorder {
        program,
        n_outgoing,
        received: Vec::new(),
        numbers,
        keep,
        first,
        n_skipped: 0,
        last,
        log: Log::default(),
    };
    let run = machine.execute(inputs, limits, budget, &mut recorder, &mut NoShadow);
    let Recorder { first, n_skipped, last, log, .. } = recorder;
    let log = if log.is_cut { Vec::new() } else { log.entries };
    let first = first.iter().map(|step| step.in_words(program)).collect();
    Ok((run, Trace { first, n_skipped, last: last.iter().map(|step| step.in_words(program)).collect(), log }))
}

struct Recorder<'a> {
    program: &'a Program,
    n_outgoing: Vec<u32>,
    /// Values that came in on the edge under way.
    received: Vec<Consumed>,
    numbers: Numbers,
    keep: usize,
    first: Vec<Step<Raw>>,
    n_skipped: u64,
    last: VecDeque<Step<Raw>>,
    log: Log,
}

/// The log under way.
#[derive(Default)]
struct Log {
    entries: Vec<Entry>,
    /// Open activations, and how many there were.
    open: Vec<u32>,
    n_activations: u32,
    /// The address that the edge under way is about, its object, and how many bytes.
    address: (u64, u64, u32),
    /// Whether something is missing.
    is_cut: bool,
}

impl Log {
    fn push(&mut self, happened: Happened) {
        if self.entries.len() >= Tuning::DEFAULT.max_logged_edges {
            self.is_cut = true;
            return;
        }
        let (address, base, bytes) = std::mem::take(&mut self.address);
        let activation = self.open.last().copied().unwrap_or(0);
        self.entries.push(Entry { happened, activation, address, bytes, base });
    }
}

impl Recorder<'_> {
    fn push(&mut self, place: Option<Place>, function: FunId, event: Event<Raw>) {
        let step = Step { place, function, event, entry: self.log.entries.len().saturating_sub(1) };
        if self.first.len() < self.keep {
            self.first.push(step);
            return;
        }
        if self.last.len() >= self.keep {
            self.last.pop_front();
            self.n_skipped = self.n_skipped.saturating_add(1);
        }
        self.last.push_back(step);
    }

    /// How many steps a note of a round without inputs makes.
    fn n_steps(&self, note: Note) -> u64 {
        let Note::After(id) = note else { return 1 };
        let edge = &self.program.edges[id];
        if matches!(edge.action, Action::Assume(_)) {
            return u64::from(self.n_outgoing[edge.from.index()] > 1);
        }
        let mut n_assigned = 0;
        edge.action.for_each_target(|var| n_assigned += u64::from(self.is_declared(var)));
        n_assigned
    }

    /// Whether the user has declared the variable.
    fn is_declared(&self, var: Var) -> bool {
        let variable = &self.program.vars[var];
        // What the front end counts is not declared by the user.
        matches!(variable.kind, VarKind::Global | VarKind::Param(_) | VarKind::Local(_)) && !variable.name.contains('!')
    }

    fn assigned(&mut self, code: &Code, registers: &[u64], memory: &Memory, edge: EdgeId, var: Var) {
        if self.is_declared(var) {
            let value = self.value(code, registers, memory, var);
            let edge = &self.program.edges[edge];
            let function = self.program.locations[edge.from].function;
            self.push(edge.place, function, Event::Assigned { var, value });
        }
    }

    fn value(&mut self, code: &Code, registers: &[u64], memory: &Memory, var: Var) -> Raw {
        let shown = self.program.vars[var].shown;
        let ty = self.program.source_types.of_var(var);
        let value = match code.variables[var.index()] {
            Some(at) => Raw::read(registers, at, shown),
            None => Raw { words: [0; 2], more: Vec::new(), width: 0, shown, format: None, spot: None, target: None },
        };
        self.typed(code, memory, value, ty)
    }
    /// The value as one of this type, with the object that it points into.
    fn typed(&mut self, code: &Code, memory: &Memory, mut value: Raw, ty: Option<TypeNumber>) -> Raw {
        if let Some((shown, target)) = reading(self.program, ty) {
            (value.shown, value.target) = (shown, target);
        }
        if value.shown == Shown::Pointer && value.words[0] != 0 {
            value.spot = Spot::of(code, self.program, memory, &mut self.numbers, value.words[0]);
        }
        value
    }
}

impl Notes for Recorder<'_> {
    fn received(&mut self, answer: Consumed) {
        self.received.push(answer);
    }

    fn may_leap(&self) -> bool {
        self.first.len() >= self.keep
    }

    fn leapt(&mut self, leap: &Leap) {
        self.log.is_cut = true;
        // The trace has at most one gap, so it reaches up to here.
        let n_steps = |notes: &[Note]| notes.iter().map(|&note| self.n_steps(note)).sum::<u64>();
        let left_out = n_steps(&leap.notes).saturating_mul(leap.rounds).saturating_add(n_steps(&leap.notes_before));
        self.n_skipped = self.n_skipped.saturating_add(self.last.len() as u64).saturating_add(left_out);
        self.last.clear();
    }

    /// Takes note of a step. Long: one arm for each kind of note.
    fn note(&mut self, code: &Code, registers: &[u64], memory: &Memory, note: Note) {
        let program = self.program;
        match note {
            Note::After(id) => {
                let edge = &program.edges[id];
                let function = program.locations[edge.from].function;
                if let Action::Alloc { var, .. } = edge.action {
                    let address = self.value(code, registers, memory, var).words[0];
                    self.log.address = (address, address, 0);
                }
                let (address, _, bytes) = self.log.address;
                self.log.push(Happened::Took(id));
                if let Action::Load { var, .. } = edge.action
                    && !self.is_declared(var)
                    && let Some(spot) = Spot::of(code, program, memory, &mut self.numbers, address)
                {
                    let (from, ty) = spot.name(program, u64::from(bytes));
                    let value = self.value(code, registers, memory, var);
                    let value = self.typed(code, memory, value, ty);
                    self.push(edge.place, function, Event::Loaded { var, from, value });
                }
                if matches!(edge.action, Action::Free { lifetime: Lifetime::Heap, .. }) && address != 0 {
                    let spot = Spot::of(code, program, memory, &mut self.numbers, address).map(Spot::freed);
                    let value = Raw {
                        words: [address, 0],
                        more: Vec::new(),
                        width: program.pointer_width,
                        shown: Shown::Pointer,
                        format: None,
                        spot,
                        target: None,
                    };
                    self.push(edge.place, function, Event::Freed { value });
                }
                for answer in std::mem::take(&mut self.received) {
                    let shown = match (answer.origin, &edge.action) {
                        (Origin::Input(input), Action::Havoc { .. }) => program.inputs[input].shown,
                        (_, Action::Load { var, .. }) => program.vars[*var].shown,
                        _ => Shown::Plain,
                    };
                    let words = [answer.value as u64, (answer.value >> 64) as u64];
                    let format = match (shown, answer.width) {
                        (Shown::Float, 32) => Some(Format::Single),
                        (Shown::Float, 64) => Some(Format::Double),
                        (Shown::Float, 80) => Some(Format::Extended),
                        _ => None,
                    };
                    let value =
                        Raw { words, more: Vec::new(), width: answer.width, shown, format, spot: None, target: None };
                    self.push(edge.place, function, Event::Received { origin: answer.origin, value });
                }
                match &edge.action {
                    Action::Assume(_) if self.n_outgoing[edge.from.index()] > 1 => {
                        self.push(edge.place, function, Event::Branched { edge: id });
                    }
                    action => action.for_each_target(|var| self.assigned(code, registers, memory, id, var)),
                }
            }
            Note::Store { edge, address, value } => {
                let edge = &program.edges[edge];
                let function = program.locations[edge.from].function;
                let address = registers[address as usize];
                let extent = memory.around(address).map(|handle| memory.extent(handle));
                let named = extent.and_then(|extent| extent.object.map(|object| (object, address - extent.base)));
                let (object, offset) = named.map_or((None, address), |(object, offset)| (Some(object), offset));
                let bytes = u64::from(value.width.div_ceil(8));
                // Where the type is not known: as in C, most numbers are signed.
                let value = Raw::read(registers, value, Shown::Signed);
                let spot = Spot::of(code, program, memory, &mut self.numbers, address);
                let base = memory.nearest(address).map_or(0, |handle| memory.extent(handle).base);
                self.log.address = (address, base, bytes as u32);
                let (to, ty) = match &spot {
                    Some(spot) => spot.name(program, bytes),
                    None => ("memory".to_owned(), None),
                };
                let value = self.typed(code, memory, value, ty);
                self.push(edge.place, function, Event::Stored { object, offset, to, value });
                // Its entry follows.
                let kept = if self.last.is_empty() { self.first.last_mut() } else { self.last.back_mut() };
                if let Some(step) = kept {
                    step.entry = self.log.entries.len();
                }
            }
            Note::Address { address, bytes } => {
                let address = registers[address as usize];
                let base = memory.nearest(address).map_or(0, |handle| memory.extent(handle).base);
                self.log.address = (address, base, bytes);
            }
            Note::Call(id) => {
                self.log.push(Happened::Called(id));
                let edge = &program.edges[id];
                let function = program.locations[edge.from].function;
                if let Action::Call { function: callee, .. } = edge.action {
                    let params = &program.functions[callee].params;
                    let args = params.iter().map(|&param| self.value(code, registers, memory, param)).collect();
                    self.push(edge.place, function, Event::Called { function: callee, args });
                }
                self.log.n_activations += 1;
                self.log.open.push(self.log.n_activations);
            }
            Note::Return(function) => {
                self.log.push(Happened::Returned(function));
                self.log.open.pop();
                let info = &program.functions[function];
                let value = info.result.map(|var| self.value(code, registers, memory, var));
                let place = program.locations[info.exit].place.or(info.place);
                self.push(place, function, Event::Returned { function, value });
            }
        }
    }
}

impl Raw {
    fn read(registers: &[u64], VariableAt { reg, width, format }: VariableAt, shown: Shown) -> Raw {
        let words = &registers[reg as usize..][..super::wide::words_for(width)];
        let word = |at: usize| words.get(at).copied().unwrap_or(0);
        let more = words.get(2..).unwrap_or(&[]).to_vec();
        Raw { words: [word(0), word(1)], more, width, shown, format, spot: None, target: None }
    }
    /// The value as it reads in the source language.
    fn show(&self, program: &Program) -> String {
        if let Some(format) = self.format {
            return floats::show(format, self.words);
        }
        let value = super::wide::to_u128(&self.words);
        match self.shown {
            _ if self.width == 0 => "?".to_owned(),
            _ if self.width > 128 => {
                let words = self.more.iter().rev().chain(self.words.iter().rev());
                let digits: String = words.map(|word| format!("{word:016x}")).collect();
                format!("0x{}", digits.trim_start_matches('0'))
            }
            Shown::Signed => {
                let shift = 128 - self.width;
                (((value << shift) as i128) >> shift).to_string()
            }
            Shown::Plain if self.width == 1 => (value == 1).to_string(),
            Shown::Pointer if value == 0 => "NULL".to_owned(),
            Shown::Pointer => match &self.spot {
                Some(spot) => spot.pointer(program, self.target),
                None => {
                    match program.functions.ids().find(|function| function_address(function.index()) as u128 == value) {
                        Some(function) => format!("&{}", program.functions[function].name),
                        None if value < 1 << 16 => format!("{value:#x}"),
                        None => "a pointer into no live object".to_owned(),
                    }
                }
            },
            Shown::Plain | Shown::Unsigned | Shown::Float => value.to_string(),
        }
    }
}
