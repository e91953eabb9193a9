//! A run told in the words of the source: what was received, assigned, decided, called.
//!
//! The same program is compiled once more with notes in the code, and the same loop executes it;
//! the code for fast runs has no notes, so recording costs it nothing. Of a long run the first and
//! the last steps are kept.

use std::collections::VecDeque;

use base::{Budget, Id, Place};
use term::Terms;

use crate::model::{Action, EdgeId, FunId, ObjectId, Program, Shown, Var, VarKind};

use super::code::{Code, Format, Note, VariableAt};
use super::execute::Notes;
use super::inputs::{Consumed, Inputs, Origin};
use super::memory::Memory;
use super::{Limits, Machine, Run, Unsupported, floats};

/// One step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where in the source.
    pub place: Option<Place>,
    /// In which function.
    pub function: FunId,
    /// What happened.
    pub event: Event,
}

/// What happened in a step. Values are text, as they read in the source language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A free value came in.
    Received {
        /// Where from.
        origin: Origin,
        /// The value.
        value: String,
    },
    /// A variable that the user declared got a value.
    Assigned {
        /// Which.
        var: Var,
        /// The value.
        value: String,
    },
    /// A value was written to memory.
    Stored {
        /// The static or automatic object, if it is one; heap objects have no name.
        object: Option<ObjectId>,
        /// The offset in the object, or the address if it has no name.
        offset: u64,
        /// The value.
        value: String,
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
        args: Vec<String>,
    },
    /// A function returned.
    Returned {
        /// Which.
        function: FunId,
        /// Its result, if it has one.
        value: Option<String>,
    },
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
    let mut recorder = Recorder { program, n_outgoing, received: Vec::new(), keep, trace: Trace::default() };
    let run = machine.execute(inputs, limits, budget, &mut recorder);
    Ok((run, recorder.trace))
}

struct Recorder<'a> {
    program: &'a Program,
    n_outgoing: Vec<u32>,
    /// Values that came in on the edge under way.
    received: Vec<Consumed>,
    keep: usize,
    trace: Trace,
}

impl Recorder<'_> {
    fn push(&mut self, place: Option<Place>, function: FunId, event: Event) {
        let step = Step { place, function, event };
        if self.trace.first.len() < self.keep {
            self.trace.first.push(step);
            return;
        }
        self.trace.last.push_back(step);
        if self.trace.last.len() > self.keep {
            self.trace.last.pop_front();
            self.trace.n_skipped += 1;
        }
    }

    fn assigned(&mut self, code: &Code, registers: &[u64], edge: EdgeId, var: Var) {
        let info = &self.program.vars[var];
        if matches!(info.kind, VarKind::Global | VarKind::Param(_) | VarKind::Local(_)) {
            let value = self.show(code, registers, var);
            let edge = &self.program.edges[edge];
            let function = self.program.locations[edge.from].function;
            self.push(edge.place, function, Event::Assigned { var, value });
        }
    }

    fn show(&self, code: &Code, registers: &[u64], var: Var) -> String {
        match code.variables[var.index()] {
            Some(VariableAt { reg, width, format }) => {
                let words = &registers[reg as usize..][..super::wide::words_for(width)];
                show_value(words, width, self.program.vars[var].shown, format)
            }
            None => "?".to_owned(),
        }
    }
}

impl Notes for Recorder<'_> {
    fn received(&mut self, answer: Consumed) {
        self.received.push(answer);
    }

    fn note(&mut self, code: &Code, registers: &[u64], memory: &Memory, note: Note) {
        let program = self.program;
        match note {
            Note::After(id) => {
                let edge = &program.edges[id];
                let function = program.locations[edge.from].function;
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
                        _ => None,
                    };
                    let value = show_value(&words, answer.width, shown, format);
                    self.push(edge.place, function, Event::Received { origin: answer.origin, value });
                }
                match &edge.action {
                    Action::Assume(_) if self.n_outgoing[edge.from.index()] > 1 => {
                        self.push(edge.place, function, Event::Branched { edge: id });
                    }
                    action => {
                        let mut targets = Vec::new();
                        action.for_each_target(|var| targets.push(var));
                        for var in targets {
                            self.assigned(code, registers, id, var);
                        }
                    }
                }
            }
            Note::Store { edge, address, value: VariableAt { reg, width, format } } => {
                let edge = &program.edges[edge];
                let function = program.locations[edge.from].function;
                let address = registers[address as usize];
                let extent = memory.around(address).map(|handle| memory.extent(handle));
                let named = extent.and_then(|extent| extent.object.map(|object| (object, address - extent.base)));
                let (object, offset) = named.map_or((None, address), |(object, offset)| (Some(object), offset));
                let words = &registers[reg as usize..][..super::wide::words_for(width)];
                // How the bytes read is not known here; as in C, most numbers are signed.
                let value = show_value(words, width, Shown::Signed, format);
                self.push(edge.place, function, Event::Stored { object, offset, value });
            }
            Note::Call(id) => {
                let edge = &program.edges[id];
                let function = program.locations[edge.from].function;
                if let Action::Call { function: callee, .. } = edge.action {
                    let params = &program.functions[callee].params;
                    let args = params.iter().map(|&param| self.show(code, registers, param)).collect();
                    self.push(edge.place, function, Event::Called { function: callee, args });
                }
            }
            Note::Return(function) => {
                let info = &program.functions[function];
                let value = info.result.map(|var| self.show(code, registers, var));
                let place = program.locations[info.exit].place.or(info.place);
                self.push(place, function, Event::Returned { function, value });
            }
        }
    }
}

/// A value as it reads in the source language.
fn show_value(words: &[u64], width: u32, shown: Shown, format: Option<Format>) -> String {
    if let Some(format) = format {
        return floats::show(format, words[0]);
    }
    let value = super::wide::to_u128(words);
    match shown {
        _ if width > 128 => {
            let digits: String = words.iter().rev().map(|word| format!("{word:016x}")).collect();
            format!("0x{}", digits.trim_start_matches('0'))
        }
        Shown::Signed => {
            let shift = 128 - width;
            (((value << shift) as i128) >> shift).to_string()
        }
        Shown::Plain if width == 1 => (value == 1).to_string(),
        Shown::Pointer => format!("{value:#x}"),
        Shown::Plain | Shown::Unsigned | Shown::Float => value.to_string(),
    }
}
