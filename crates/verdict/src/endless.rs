//! Runs without end: evidence that one exists.
//!
//! The evidence fixes the values of some inputs, each to one constant. What it claims is that one program, the *closed program*, is safe. It is
//! the program with these inputs replaced by their values, in which every way to end is an error: the return of the entry function, a location
//! without an edge, a failed assumption, an invalid access to memory, and an operation that C leaves undefined (signed overflow among
//! them, after which C promises nothing).
//!
//! **If no run of the closed program reaches an error, every run of it is infinite**, and it has runs: from each location that a run comes to, some
//! edge can be taken. A run of the closed program is a run of the program in which these inputs have their values; inputs that are not fixed
//! may have any. So the program has a run without end. The invariants of the proof are a closed recurrent set.
//!
//! Values that a user of the program does not control (functions without a body, what C leaves open) cannot be fixed.

use base::{Bits, FastMap, Id, Place};
use program::{AccessKind, Action, AssertionId, EdgeId, InputId, InputKind, Lifetime, Loc, Mark, Program, VarKind};
use term::{Op, Sort, SortKind, Term, Terms};

use crate::Proof;
use crate::changing::Changing;

/// Evidence that a run does not end.
#[derive(Clone)]
pub struct Endless {
    /// Inputs that always have this value; a truth value has one bit.
    pub answers: Vec<(InputId, Bits)>,
    /// That the closed program is safe: its points and instances are those of that program.
    pub proof: Proof,
}

/// Why there is no closed program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotClosed {
    /// The answers do not belong to the program.
    Malformed(&'static str),
    /// The program does something of which it is not known whether it ends the run.
    Unsupported(&'static str, Option<Place>),
}

/// Makes the closed program. `terms` is the program's store, to which new terms are added.
pub fn closed(program: &Program, terms: &mut Terms, answers: &[(InputId, Bits)]) -> Result<Program, NotClosed> {
    let mut values: FastMap<InputId, Bits> = FastMap::new();
    for (input, value) in answers {
        let kind = program.inputs.get(*input).map(|input| &input.kind);
        if !matches!(kind, Some(InputKind::Nondet(_) | InputKind::Uninitialised(_))) {
            return Err(NotClosed::Malformed("an answer is for no input that can be chosen"));
        }
        if values.insert(*input, value.clone()).is_some() {
            return Err(NotClosed::Malformed("an input has two answers"));
        }
    }
    let entry = program.entry.ok_or(NotClosed::Malformed("the program has no entry"))?;
    if program.functions[entry].entry == program.functions[entry].exit {
        return Err(NotClosed::Malformed("the program ends at once"));
    }
    let mut new = Changing::new(program, terms);
    let ends = new.answer_ends().ok_or(NotClosed::Malformed("the program does not ask whether runs end"))?;
    let mut maker = Maker { new, ends, values };
    for id in program.edges.ids() {
        maker.fix(id)?;
    }
    maker.blocked(program);
    let old = program.functions[entry].exit;
    let end = maker.new.location(entry, program.locations[old].place);
    maker.new.program.locations[end].mark = Mark::Error(ends);
    for edge in maker.new.program.edges.iter_mut().filter(|edge| edge.to == old) {
        edge.to = end;
    }
    for id in program.edges.ids() {
        maker.guard(program, id)?;
    }
    Ok(maker.new.program)
}

struct Maker<'a> {
    new: Changing<'a>,
    ends: AssertionId,
    values: FastMap<InputId, Bits>,
}

impl Maker<'_> {
    /// Inputs with an answer have it.
    fn fix(&mut self, id: EdgeId) -> Result<(), NotClosed> {
        let input = match self.new.program.edges[id].action {
            Action::Havoc { var, input } => {
                let Some(value) = self.values.get(&input) else { return Ok(()) };
                let sort = self.new.program.vars[var].sort;
                let term = match *self.new.terms.sort_kind(sort) {
                    SortKind::BitVec(width) if width == value.width() => self.new.terms.bits(value.clone()),
                    SortKind::Bool if value.width() == 1 => self.new.terms.truth(!value.is_zero()),
                    _ => return Err(NotClosed::Malformed("an answer has another width than its input")),
                };
                self.new.program.edges[id].action = Action::Assign(vec![(var, term)]);
                return Ok(());
            }
            Action::Forget { input, .. } => Some(input),
            Action::Alloc { input, .. } => input,
            _ => None,
        };
        match input {
            Some(input) if self.values.contains_key(&input) => {
                Err(NotClosed::Malformed("the contents of memory have an answer"))
            }
            _ => Ok(()),
        }
    }
    /// Where no edge can be taken, the run ends.
    fn blocked(&mut self, program: &Program) {
        let mut conditions: Vec<Option<Vec<Term>>> = vec![Some(Vec::new()); program.locations.len()];
        for edge in &program.edges {
            let known = &mut conditions[edge.from.index()];
            match edge.action {
                Action::Assume(condition) => {
                    if let Some(known) = known {
                        known.push(condition);
                    }
                }
                _ => *known = None,
            }
        }
        for (loc, known) in conditions.into_iter().enumerate() {
            let (loc, location) = (Loc::new(loc), &program.locations[Loc::new(loc)]);
            let is_exit = program.functions[location.function].exit == loc;
            let Some(known) = known.filter(|_| !is_exit && !matches!(location.mark, Mark::Error(_))) else { continue };
            if known.is_empty() {
                self.new.program.locations[loc].mark = Mark::Error(self.ends);
                continue;
            }
            let goes_on = self.new.terms.or(&known);
            let ends = self.new.terms.not(goes_on);
            self.new.error(loc, ends, self.ends, location.place);
        }
    }
    /// An operation without a meaning, and an access that may be invalid, end the run.
    fn guard(&mut self, program: &Program, id: EdgeId) -> Result<(), NotClosed> {
        let edge = &program.edges[id];
        let (place, is_address) = (edge.place, |address: Term| {
            program.vars.iter().any(|var| var.term == address && matches!(var.kind, VarKind::AddressOf(_)))
        });
        let (address, bytes, access) = match edge.action {
            Action::Check { holds, .. } => {
                let fails = self.new.terms.not(holds);
                if self.new.terms.op(holds) == Op::False {
                    // A run that comes here ends; the edge stays, since the law wants no condition `false`.
                    let to = self.new.program.edges[id].from;
                    self.new.error(to, fails, self.ends, place);
                } else {
                    self.new.error(edge.from, fails, self.ends, place);
                    self.new.program.edges[id].action = Action::Assume(holds);
                }
                return Ok(());
            }
            Action::Load { var, address } => (address, self.bytes(program.vars[var].sort, place)?, AccessKind::Read),
            Action::Store { address, value } => {
                (address, self.bytes(self.new.terms.sort_of(value), place)?, AccessKind::Write)
            }
            Action::Free { address, lifetime: Lifetime::Heap } => (address, 0, AccessKind::Free),
            Action::Forget { address, .. } if !is_address(address) => {
                return Err(NotClosed::Unsupported("memory that unknown code may write", place));
            }
            Action::Alloc { moved: Some(_), .. } => {
                return Err(NotClosed::Unsupported("memory that `realloc` moves", place));
            }
            _ => return Ok(()),
        };
        let sort = self.new.terms.bool_sort();
        let function = program.locations[edge.from].function;
        let var = self.new.temp(function, "valid", sort);
        let valid = self.new.program.vars[var].term;
        let asked = self.new.step(edge.from, Action::Probe { var, address, bytes, access }, place);
        let fails = self.new.terms.not(valid);
        self.new.error(asked, fails, self.ends, place);
        let goes_on = self.new.step(asked, Action::Assume(valid), place);
        self.new.program.edges[id].from = goes_on;
        Ok(())
    }
    /// How many bytes a value of the sort has in memory.
    fn bytes(&self, sort: Sort, place: Option<Place>) -> Result<u64, NotClosed> {
        match *self.new.terms.sort_kind(sort) {
            SortKind::BitVec(width) => Ok(u64::from(width) / 8),
            SortKind::Bool => Ok(1),
            SortKind::Float(8, 24) => Ok(4),
            SortKind::Float(11, 53) => Ok(8),
            _ => Err(NotClosed::Unsupported("a value in memory of a size that is not fixed", place)),
        }
    }
}
