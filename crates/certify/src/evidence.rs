//! Evidence, made ready for checking: which nodes have invariants, and what their symbols are in a state.

use base::{FastMap, OrderedMap};
use program::{Instance, Program, Storage};
use term::{Op, Sort, Term};
use verdict::Proof;

use crate::Refusal;
use crate::block::{Encoder, State};
use crate::points::{FrameId, Node, Points};
use crate::translate::Translation;

/// Invariants by node, and the instances behind their symbols.
pub(crate) struct Evidence<'a> {
    proof: &'a Proof,
    /// By symbol: activation and storage.
    symbols: FastMap<Term, (FrameId, Storage)>,
    /// What holds at each cutpoint, as a list of conjuncts of the evidence's store.
    pub invariants: OrderedMap<Node, Vec<Term>>,
    /// Cutpoints where the evidence says `false`.
    pub dead: FastMap<Node, ()>,
}

impl<'a> Evidence<'a> {
    /// Finds the nodes and instances that the proof names; those must exist.
    pub fn new(proof: &'a Proof, points: &mut Points<'_>) -> Result<Self, Refusal> {
        let program = points.program;
        let mut symbols = FastMap::new();
        for (symbol, Instance { frame, storage }) in &proof.symbols {
            let is_symbol = symbol.index() < proof.terms.len()
                && matches!(proof.terms.op(*symbol), Op::Symbol(_))
                && proof.terms.args(*symbol).is_empty();
            if !is_symbol {
                return Err(Refusal::malformed("the evidence gives an instance to a term that is no symbol"));
            }
            let frame = points.frame(frame)?;
            if !fits(program, points, frame, *storage) {
                return Err(Refusal::malformed("the evidence names storage in an activation that does not have it"));
            }
            if symbols.insert(*symbol, (frame, *storage)).is_some_and(|old| old != (frame, *storage)) {
                return Err(Refusal::malformed("the evidence gives two instances to one symbol"));
            }
        }
        let mut invariants: OrderedMap<Node, Vec<Term>> = OrderedMap::default();
        let mut dead = FastMap::new();
        for (point, invariant) in &proof.invariants {
            let frame = points.frame(&point.frame)?;
            let is_here = program
                .locations
                .get(point.loc)
                .is_some_and(|location| location.function == points.frames[frame].function);
            if !is_here {
                return Err(Refusal::malformed("the evidence names a location in an activation of another function"));
            }
            if invariant.index() >= proof.terms.len() || !proof.terms.is_bool(*invariant) {
                return Err(Refusal::malformed("an invariant is no formula"));
            }
            let node = points.node(frame, point.loc);
            if points.error(node).is_some() {
                // Nothing may reach it whatever the evidence says, and nothing leaves it.
                continue;
            }
            if proof.terms.op(*invariant) == Op::False {
                dead.insert(node, ());
            }
            invariants.entry(node).or_default().push(*invariant);
        }
        Ok(Evidence { proof, symbols, invariants, dead })
    }

    /// What the evidence's symbols stand for.
    pub fn storage(&self) -> impl Iterator<Item = (FrameId, Storage)> + '_ {
        self.proof.symbols.iter().filter_map(|(symbol, _)| self.symbols.get(symbol).copied())
    }
    /// The invariant of a cutpoint in this state, as one formula of the encoder's store.
    pub fn invariant(&self, encoder: &mut Encoder<'_>, node: Node, state: &State) -> Result<Term, Refusal> {
        let terms = &self.proof.terms;
        let mut translation = Translation::new(terms);
        let mut parts = Vec::new();
        for &invariant in self.invariants.get(&node).map_or(&[][..], |list| list) {
            // Values of memory are made first, as they need more than the store.
            let mut values = FastMap::new();
            for symbol in terms.subterms(&[invariant]) {
                if matches!(terms.op(symbol), Op::Symbol(_)) && terms.args(symbol).is_empty() {
                    let sort = translation.sort(&mut encoder.own, terms.sort_of(symbol));
                    values.insert(symbol, self.value(encoder, state, symbol, sort)?);
                }
            }
            let Encoder { own, invariant_terms, .. } = encoder;
            let made = |term: Term| {
                invariant_terms.insert(term, ());
            };
            parts.push(translation.term(own, invariant, |_, symbol| Ok(values[&symbol]), made)?);
        }
        Ok(encoder.own.and(&parts))
    }
    fn value(&self, encoder: &mut Encoder<'_>, state: &State, symbol: Term, sort: Sort) -> Result<Term, Refusal> {
        let name = || self.proof.terms.to_smtlib(symbol);
        let Some(&(frame, storage)) = self.symbols.get(&symbol) else {
            return Err(Refusal::malformed(format!("the evidence does not say what `{}` stands for", name())));
        };
        let value = match storage {
            Storage::Variable(var) => Some(state[encoder.slots.slot(frame, var)]),
            Storage::Bytes { object, offset, size } => encoder.bytes(frame, state, object, offset, size, sort),
            Storage::Array { object, element } => encoder.array(frame, state, object, element),
        };
        value.ok_or_else(|| {
            Refusal::malformed(format!("the evidence speaks of memory that is not modelled: `{}`", name()))
        })
    }
}

/// Whether the activation has this storage.
fn fits(program: &Program, points: &Points<'_>, frame: FrameId, storage: Storage) -> bool {
    let owner = match storage {
        Storage::Variable(var) => match program.vars.get(var) {
            Some(_) => program.function_of(var),
            None => return false,
        },
        Storage::Bytes { object, .. } | Storage::Array { object, .. } => match program.objects.get(object) {
            Some(object) => object.owner,
            None => return false,
        },
    };
    // What lives as long as the program is named in the entry function's activation by convention.
    owner.is_none_or(|owner| owner == points.frames[frame].function)
}
