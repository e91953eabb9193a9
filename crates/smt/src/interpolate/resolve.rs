//! One refutation, read at each cut: partial interpolants along the resolutions of the log.
//!
//! McMillan's labelling ([McMillan-CAV'03]): at a cut, a clause of the left gives the disjunction of its shared
//! literals, a clause of the right gives true; resolving on a literal known only on the left joins by "or", on any
//! other by "and". A lemma of equality gives an interpolant of its own (`equality.rs`). Literals of the result come
//! from clauses of the left, with their polarity.
//!
//! The log's hints are in the order of propagation; walking them backwards from the conflict gives the resolutions.

use base::{Budget, FastMap, Stopped};
use proof::{Lit, Log, Step};
use term::{Term, Terms};

use super::encode::Coloured;
use super::equality::Lemmas;
use super::lift;

/// A partial interpolant, by its place in a list of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Partial(u32);

/// How a partial interpolant is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Shape {
    True,
    False,
    Literal(Lit),
    Formula(Term),
    And(Partial, Partial),
    Or(Partial, Partial),
}

const TRUE: Partial = Partial(0);
const FALSE: Partial = Partial(1);

/// Partial interpolants, equal ones made once.
pub(super) struct Partials {
    shapes: Vec<Shape>,
    known: FastMap<Shape, Partial>,
}

impl Partials {
    fn new() -> Self {
        let mut partials = Partials { shapes: Vec::new(), known: FastMap::new() };
        partials.make(Shape::True);
        partials.make(Shape::False);
        partials
    }
    pub fn shape(&self, partial: Partial) -> Shape {
        self.shapes[partial.0 as usize]
    }
    fn make(&mut self, shape: Shape) -> Partial {
        let shapes = &mut self.shapes;
        *self.known.get_or_insert_with(shape, || {
            shapes.push(shape);
            Partial(shapes.len() as u32 - 1)
        })
    }
    fn and(&mut self, a: Partial, b: Partial) -> Partial {
        match (a, b) {
            (FALSE, _) | (_, FALSE) => FALSE,
            (TRUE, other) | (other, TRUE) => other,
            _ if a == b => a,
            _ => self.make(Shape::And(a.min(b), a.max(b))),
        }
    }
    fn or(&mut self, a: Partial, b: Partial) -> Partial {
        match (a, b) {
            (TRUE, _) | (_, TRUE) => TRUE,
            (FALSE, other) | (other, FALSE) => other,
            _ if a == b => a,
            _ => self.make(Shape::Or(a.min(b), a.max(b))),
        }
    }
}

/// The interpolant at this cut, from a trimmed log that ends in the empty clause; `None` if some lemma gives none, or
/// there are too many pieces.
pub(super) fn interpolant(
    terms: &mut Terms,
    coloured: &mut Coloured,
    lemmas: &mut Lemmas,
    log: &Log,
    cut: usize,
    budget: &Budget,
) -> Result<Option<Term>, Stopped> {
    let mut partials = Partials::new();
    let mut of_clause: FastMap<u32, Partial> = FastMap::new();
    let mut clauses: FastMap<u32, &[u32]> = FastMap::new();
    let mut last = TRUE;
    for step in log.steps() {
        budget.spend(1)?;
        match step {
            Step::Delete { .. } => continue,
            Step::Input { id, lits } => {
                last = TRUE;
                if coloured.home(id.0) < cut {
                    last = FALSE;
                    for lit in lits.iter().map(|&code| Lit::from_code(code)) {
                        if coloured.span_of(lit.var()).is_right(cut) {
                            let literal = partials.make(Shape::Literal(lit));
                            last = partials.or(last, literal);
                        }
                    }
                }
                of_clause.insert(id.0, last);
                clauses.insert(id.0, lits);
            }
            Step::Lemma { id, lits } => {
                let lits_of: Vec<Lit> = lits.iter().map(|&code| Lit::from_code(code)).collect();
                let Some(formula) = lemmas.interpolant(terms, coloured, &lits_of, cut, budget)? else {
                    return Ok(None);
                };
                last = match terms.op(formula) {
                    term::Op::True => TRUE,
                    term::Op::False => FALSE,
                    _ => partials.make(Shape::Formula(formula)),
                };
                of_clause.insert(id.0, last);
                clauses.insert(id.0, lits);
            }
            Step::Derived { id, lits, hints } => {
                budget.spend(hints.len() as u64)?;
                let chain = chain(lits, hints, &clauses);
                let Some((&(conflict, _), rest)) = chain.split_last() else { return Ok(None) };
                last = of_clause[&conflict];
                let mut open: FastMap<Lit, ()> = FastMap::new();
                let look = |open: &mut FastMap<Lit, ()>, clause: u32| {
                    for &code in clauses[&clause] {
                        open.insert(Lit::from_code(code), ());
                    }
                };
                look(&mut open, conflict);
                for &(hint, pivot) in rest.iter().rev() {
                    let Some(pivot) = pivot else { continue };
                    // A hint that propagated something the rest does not need is left out.
                    if open.remove(&!pivot).is_none() {
                        continue;
                    }
                    look(&mut open, hint);
                    open.remove(&pivot);
                    let other = of_clause[&hint];
                    last = if coloured.span_of(pivot.var()).is_right(cut) {
                        partials.and(last, other)
                    } else {
                        partials.or(last, other)
                    };
                }
                of_clause.insert(id.0, last);
                clauses.insert(id.0, lits);
            }
        }
    }
    lift::formula(terms, coloured, &partials, last, budget)
}

/// The clauses of a derivation in the order of propagation, each with the literal that it makes true; the last is
/// the one that becomes false.
fn chain(lits: &[u32], hints: &[u32], clauses: &FastMap<u32, &[u32]>) -> Vec<(u32, Option<Lit>)> {
    let mut is_true: FastMap<Lit, ()> = FastMap::new();
    for &code in lits {
        is_true.insert(!Lit::from_code(code), ());
    }
    let mut chain = Vec::with_capacity(hints.len());
    for &hint in hints {
        let mut open =
            clauses[&hint].iter().map(|&code| Lit::from_code(code)).filter(|lit| !is_true.contains_key(&!*lit));
        let first = open.next();
        match first {
            None => {
                chain.push((hint, None));
                return chain;
            }
            Some(unit) => {
                is_true.insert(unit, ());
                chain.push((hint, Some(unit)));
            }
        }
    }
    // The checker would not accept this; nothing is derived.
    Vec::new()
}
