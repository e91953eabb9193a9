//! Reads of columns, decided where the text decides them.
//!
//! What was stored at the same place is what is read there; a store elsewhere is passed over. Two places are *elsewhere* if they are one
//! term plus different literals, or sums with the addresses of two different objects: a strict run accesses only cells of the object that
//! the address was derived from, and objects have no byte in common. A read of a choice between arrays, or at a choice
//! between places, is a choice between reads.

use base::FastMap;
use term::{Op, Term};

use crate::block::Encoder;

/// What is known of places.
#[derive(Default)]
pub(crate) struct Reads {
    /// Addresses of pairwise different objects.
    bases: FastMap<Term, ()>,
    /// Whether those are among them that are constants of a run.
    pub has_constants: bool,
    known: FastMap<(Term, Term), Term>,
}

impl Reads {
    /// One more address of an object that has no other.
    pub fn note(&mut self, base: Term) {
        self.bases.insert(base, ());
    }
}

/// A place as a sum.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sum {
    /// The address of an object, if there is one in the sum.
    base: Option<Term>,
    literals: u64,
    /// Whether that is all of the sum.
    is_plain: bool,
    /// Whether the rest may be an address too, so that the place may be derived from another object.
    is_mixed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Same,
    Elsewhere,
    Open,
}

impl Encoder<'_> {
    /// What the array holds at the place.
    pub(crate) fn read_place(&mut self, array: Term, index: Term) -> Term {
        // Arrays first come below; a list of our own instead of recursion.
        let mut todo = vec![(array, index)];
        while let Some(&(array, index)) = todo.last() {
            if self.reads.known.contains_key(&(array, index)) {
                todo.pop();
                continue;
            }
            let needed = self.needed(array, index);
            let open = needed.iter().copied().find(|&key| !self.reads.known.contains_key(&key));
            match open {
                Some(key) => todo.push(key),
                None => {
                    let value = self.put_together(array, index, &needed);
                    self.reads.known.insert((array, index), value);
                    todo.pop();
                }
            }
        }
        self.reads.known[&(array, index)]
    }
    /// The reads that this one is made of.
    fn needed(&self, array: Term, index: Term) -> Vec<(Term, Term)> {
        match (self.own.op(array), self.own.args(array)) {
            (Op::Store, &[under, place, _]) => match self.relation(place, index) {
                Relation::Elsewhere => vec![(under, index)],
                Relation::Same => Vec::new(),
                Relation::Open => self.by_place(array, index),
            },
            (Op::Ite, &[_, then, otherwise]) => vec![(then, index), (otherwise, index)],
            _ => Vec::new(),
        }
    }
    /// The reads at the branches of a choice between places.
    fn by_place(&self, array: Term, index: Term) -> Vec<(Term, Term)> {
        match (self.own.op(index), self.own.args(index)) {
            (Op::Ite, &[_, then, otherwise]) => vec![(array, then), (array, otherwise)],
            _ => Vec::new(),
        }
    }
    fn put_together(&mut self, array: Term, index: Term, needed: &[(Term, Term)]) -> Term {
        let known = |encoder: &Self, place: usize| encoder.reads.known[&needed[place]];
        let (op, args) = (self.own.op(array), self.own.args(array).to_vec());
        match (op, &args[..]) {
            (Op::ConstArray, &[everywhere]) => everywhere,
            (Op::Store, &[_, place, value]) => match (self.relation(place, index), needed.len()) {
                (Relation::Same, _) => value,
                (Relation::Elsewhere, _) => known(self, 0),
                (Relation::Open, 2) => {
                    let condition = self.own.arg(index, 0);
                    self.choice(condition, known(self, 0), known(self, 1))
                }
                (Relation::Open, _) => self.own.select(array, index),
            },
            (Op::Ite, &[condition, ..]) => self.choice(condition, known(self, 0), known(self, 1)),
            _ => self.own.select(array, index),
        }
    }
    fn choice(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        if then == otherwise { then } else { self.own.ite(condition, then, otherwise) }
    }

    fn relation(&self, one: Term, other: Term) -> Relation {
        if one == other {
            return Relation::Same;
        }
        let (one, other) = (self.sum_of(one), self.sum_of(other));
        let (Some(one), Some(other)) = (one, other) else { return Relation::Open };
        match (one.base, other.base) {
            (Some(a), Some(b)) if a != b && !one.is_mixed && !other.is_mixed => Relation::Elsewhere,
            (a, b) if a == b && one.is_plain && other.is_plain => {
                if one.literals == other.literals {
                    Relation::Same
                } else {
                    Relation::Elsewhere
                }
            }
            _ => Relation::Open,
        }
    }
    /// The place as a sum; none if two objects' addresses are in it.
    fn sum_of(&self, place: Term) -> Option<Sum> {
        let mut sum = Sum { base: None, literals: 0, is_plain: true, is_mixed: false };
        let mut todo = vec![(place, true)];
        while let Some((term, positive)) = todo.pop() {
            match (self.own.op(term), self.own.args(term)) {
                (Op::BvAdd, args) => todo.extend(args.iter().map(|&arg| (arg, positive))),
                (Op::BvSub, &[left, right]) => todo.extend([(left, positive), (right, !positive)]),
                (Op::Value, _) => {
                    let value = self.own.small_value(term)?;
                    let value = if positive { value } else { value.wrapping_neg() };
                    sum.literals = sum.literals.wrapping_add(value);
                }
                _ if positive && self.reads.bases.contains_key(&term) => {
                    if sum.base.replace(term).is_some() {
                        return None;
                    }
                }
                // Products, shifts and words of fewer bits are indices beside an address.
                (Op::BvMul | Op::BvShl | Op::ZeroExtend(_) | Op::SignExtend(_), _) => sum.is_plain = false,
                _ => (sum.is_plain, sum.is_mixed) = (false, true),
            }
        }
        let width = self.program.pointer_width;
        if width < 64 {
            sum.literals &= (1 << width) - 1;
        }
        Some(sum)
    }
}
