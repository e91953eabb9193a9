//! The way back: from evidence about the shaped program to evidence about the system as written.
//!
//! Engines work on a program that was shaped for them: bits became truth values, functions tables, arrays cells, truth
//! values locations, and inputs that equations define are gone. None of this is trusted. An
//! invariant is translated back to the symbols of the file (`invariant`), a run into states and inputs of the file
//! (`run`), and the checker looks at both on the plain program.

mod invariant;
mod lemmas;
mod run;

use program::Program;
use term::{Op, SortKind, Substitution, Symbol, Term, Terms};

use crate::lower::Lowered;
use crate::plain::Plain;
use crate::system::System;

/// The program that engines work on, and how to speak of it in the words of the file.
#[derive(Clone, Debug)]
pub struct Shaped {
    pub(crate) lowered: Lowered,
    /// Functions, with the tables that they became.
    pub(crate) tables: Vec<(Symbol, Term)>,
    /// Truth values, with the bits that they were.
    pub(crate) bits: Vec<(Term, Term)>,
    pub(crate) plain: Plain,
    /// As written.
    pub(crate) system: System,
}

/// Why evidence cannot be expressed over the symbols of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BackError {
    /// The budget is used up or the run was cancelled.
    Stopped(base::Stopped),
    /// There are no words for it.
    NoWords(&'static str),
    /// There should be words for it: a mistake of ours.
    Wrong(String),
}

impl From<base::Stopped> for BackError {
    fn from(stopped: base::Stopped) -> Self {
        BackError::Stopped(stopped)
    }
}

impl Shaped {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.lowered.program
    }

    /// Changes the program without moving its heads: errors may be taken out.
    pub fn change_program(&mut self, change: impl FnOnce(Program) -> Program) {
        let program = std::mem::take(&mut self.lowered.program);
        self.lowered.program = change(program);
    }

    /// What the symbols of the shaped program are in the file, as far as they are something: pairs for a substitution.
    fn words(&self, terms: &mut Terms) -> Vec<(Term, Term)> {
        let mut pairs = Vec::new();
        for &(truth, bit) in &self.bits {
            let one = terms.bv(1, 1);
            pairs.push((truth, terms.eq(bit, one)));
        }
        for cell in &self.lowered.cells {
            let read = terms.select(cell.array, cell.index);
            let mut put_in = Substitution::new(terms, &pairs);
            pairs.push((cell.state.now.term, put_in.apply(terms, read)));
        }
        pairs
    }
    /// The formula with applications in place of reads of tables.
    fn without_tables(&self, terms: &mut Terms, formula: Term) -> Term {
        if self.tables.is_empty() {
            return formula;
        }
        let mut done = base::FastMap::new();
        for old in terms.subterms(&[formula]) {
            let args: Vec<Term> = terms.args(old).iter().map(|arg| done[arg]).collect();
            let table = match terms.op(old) {
                Op::Select => self.tables.iter().find(|(_, table)| *table == args[0]),
                _ => None,
            };
            let new = match table {
                Some(&(function, _)) => application(terms, function, args[1]),
                None => terms.rebuild(old, &args),
            };
            done.insert(old, new);
        }
        done[&formula]
    }
}

/// The function applied to the parts of an index of its table; the first argument has the highest bits.
fn application(terms: &mut Terms, function: Symbol, index: Term) -> Term {
    let mut high = terms.width(index);
    let mut args = Vec::new();
    for sort in terms.symbol_args(function).to_vec() {
        let width = match terms.sort_kind(sort) {
            SortKind::BitVec(width) => *width,
            _ => 1,
        };
        let part = terms.extract(index, high - 1, high - width);
        high -= width;
        args.push(match terms.sort_kind(sort) {
            SortKind::Bool => {
                let one = terms.bv(1, 1);
                terms.eq(part, one)
            }
            _ => part,
        });
    }
    let value = terms.apply(function, &args);
    if !terms.is_bool(value) {
        return value;
    }
    let (one, zero) = (terms.bv(1, 1), terms.bv(1, 0));
    terms.ite(value, one, zero)
}
