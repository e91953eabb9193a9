//! Evidence, made ready for checking: which nodes have invariants, and what their symbols are in a state.
//!
//! An invariant may mention bound symbols: it is claimed for every value of them. To *prove* it is to prove it for a
//! constant that stands for any value and of which nothing else is known ([`Evidence::claim`]); to *use* it is to
//! use some of its instances: that for this constant, and those for the terms that the evidence names at the node
//! ([`Evidence::assumption`]). Which ones it names is no question of trust: all of them follow from the claim.

use base::{FastMap, OrderedMap};
use program::{Instance, Program, Storage};
use term::{Op, Sort, Term};
use verdict::Proof;

use crate::Refusal;
use crate::block::{Encoder, State};
use crate::points::{FrameId, Node, Points};
use crate::translate::Translation;

/// By bound symbol: a term of the encoder's store.
pub(crate) type Values = FastMap<Term, Term>;

/// Invariants by node, and the instances behind their symbols.
pub(crate) struct Evidence<'a> {
    proof: &'a Proof,
    /// By symbol: activation and storage.
    symbols: FastMap<Term, (FrameId, Storage)>,
    /// The terms that are put in for bound symbols where the invariant of a node is assumed.
    places: OrderedMap<Node, Vec<Term>>,
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
        let is_symbol = |term: Term| {
            term.index() < proof.terms.len()
                && matches!(proof.terms.op(term), Op::Symbol(_))
                && proof.terms.args(term).is_empty()
        };
        for (symbol, Instance { frame, storage }) in &proof.symbols {
            if !is_symbol(*symbol) {
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
        for (number, bound) in proof.bound.iter().enumerate() {
            if !is_symbol(*bound) || symbols.contains_key(bound) || proof.bound[..number].contains(bound) {
                return Err(Refusal::malformed(
                    "what the evidence binds is no symbol, or already stands for something",
                ));
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
        let mut places: OrderedMap<Node, Vec<Term>> = OrderedMap::default();
        for (point, place) in &proof.places {
            // Invariants are assumed nowhere else.
            if place.index() >= proof.terms.len() || !proof.invariants.iter().any(|(other, _)| other == point) {
                return Err(Refusal::malformed("the evidence puts in a term where it has no invariant"));
            }
            let frame = points.frame(&point.frame)?;
            places.entry(points.node(frame, point.loc)).or_default().push(*place);
        }
        Ok(Evidence { proof, symbols, places, invariants, dead })
    }

    /// What the evidence's symbols stand for.
    pub fn storage(&self) -> impl Iterator<Item = (FrameId, Storage)> + '_ {
        self.proof.symbols.iter().filter_map(|(symbol, _)| self.symbols.get(symbol).copied())
    }
    /// A constant for each bound symbol of which nothing is known.
    pub fn any_values(&self, encoder: &mut Encoder<'_>) -> Values {
        let mut translation = Translation::new(&self.proof.terms);
        let mut any = Values::new();
        for &symbol in &self.proof.bound {
            let sort = translation.sort(&mut encoder.own, self.proof.terms.sort_of(symbol));
            any.insert(symbol, encoder.fresh_own("any", sort));
        }
        any
    }
    /// What must be shown for the invariant of a cutpoint to hold in this state, as one formula of the encoder's store: that it
    /// holds for these values of its bound symbols, which must be those of [`Evidence::any_values`].
    pub fn claim(&self, encoder: &mut Encoder<'_>, node: Node, state: &State, any: &Values) -> Result<Term, Refusal> {
        let invariants = self.invariants.get(&node).map_or(&[][..], |list| list);
        let parts: Result<Vec<Term>, Refusal> =
            invariants.iter().map(|&invariant| self.put(encoder, state, invariant, any)).collect();
        Ok(encoder.own.and(&parts?))
    }
    /// What may be used where the invariant of a cutpoint holds in this state: the claim, and more of its instances.
    pub fn assumption(
        &self,
        encoder: &mut Encoder<'_>,
        node: Node,
        state: &State,
        any: &Values,
    ) -> Result<Term, Refusal> {
        let claim = self.claim(encoder, node, state, any)?;
        let terms = &self.proof.terms;
        let mut parts = vec![claim];
        for &invariant in self.invariants.get(&node).map_or(&[][..], |list| list) {
            let mentioned = terms.subterms(&[invariant]);
            for &symbol in self.proof.bound.iter().filter(|symbol| mentioned.contains(symbol)) {
                let places = self.places.get(&node).into_iter().flatten();
                for &place in places.filter(|&&place| terms.sort_of(place) == terms.sort_of(symbol)) {
                    let mut values = any.clone();
                    values.insert(symbol, self.put(encoder, state, place, any)?);
                    parts.push(self.put(encoder, state, invariant, &values)?);
                }
            }
        }
        Ok(if parts.len() == 1 { claim } else { encoder.own.and(&parts) })
    }
    /// A term of the evidence in this state, with these values of bound symbols.
    fn put(&self, encoder: &mut Encoder<'_>, state: &State, term: Term, bound: &Values) -> Result<Term, Refusal> {
        let terms = &self.proof.terms;
        let mut translation = Translation::new(terms);
        // Values of memory are made first, as they need more than the store.
        let mut values = FastMap::new();
        for symbol in terms.subterms(&[term]) {
            if matches!(terms.op(symbol), Op::Symbol(_)) && terms.args(symbol).is_empty() {
                let sort = translation.sort(&mut encoder.own, terms.sort_of(symbol));
                let value = match bound.get(&symbol) {
                    Some(&value) => value,
                    None => self.value(encoder, state, symbol, sort)?,
                };
                values.insert(symbol, value);
            }
        }
        let Encoder { own, invariant_terms, .. } = encoder;
        let made = |term: Term| {
            invariant_terms.insert(term, ());
        };
        translation.term(own, term, |_, symbol| Ok(values[&symbol]), made)
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
            Storage::Live { object } => encoder.live(frame, state, object),
            Storage::Column { column } => {
                encoder.column(state, column).filter(|&value| encoder.own.sort_of(value) == sort)
            }
            Storage::Used => encoder.used(state).filter(|&value| encoder.own.sort_of(value) == sort),
            Storage::Allocated { edge } => {
                encoder.allocated(state, frame, edge).filter(|&value| encoder.own.sort_of(value) == sort)
            }
            Storage::Heap { edge, part } => {
                encoder.recorded(state, frame, edge, part).filter(|&value| encoder.own.sort_of(value) == sort)
            }
            Storage::Tags => encoder.tags(state).filter(|&value| encoder.own.sort_of(value) == sort),
        };
        value.ok_or_else(|| {
            Refusal::malformed(format!("the evidence speaks of memory that is not modelled: `{}`", name()))
        })
    }
}

/// Whether the activation has this storage.
fn fits(program: &Program, points: &Points<'_>, frame: FrameId, storage: Storage) -> bool {
    let owner = match storage {
        Storage::Column { .. } | Storage::Used | Storage::Tags => None,
        Storage::Allocated { edge } | Storage::Heap { edge, .. } => match program.edges.get(edge) {
            Some(edge) => Some(program.locations[edge.from].function),
            None => return false,
        },
        Storage::Variable(var) => match program.vars.get(var) {
            Some(_) => program.function_of(var),
            None => return false,
        },
        Storage::Bytes { object, .. } | Storage::Array { object, .. } | Storage::Live { object } => {
            match program.objects.get(object) {
                Some(object) => object.owner,
                None => return false,
            }
        }
    };
    // What lives as long as the program is named in the entry function's activation by convention.
    owner.is_none_or(|owner| owner == points.frames[frame].function)
}
