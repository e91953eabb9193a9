//! Passes: programs made smaller and simpler before an engine sees them.
//!
//! A pass takes a program and gives a new one with a [`BackMap`]: each change of the program comes
//! with the translation of evidence back. Maps compose, so that after all passes one map leads from the engine's
//! program to the program as lowered.
//!
//! Laws, for every pass:
//! 1. The new program has the same errors on the same inputs, or more of them (slicing): `SAFE` carries
//!    over, and `UNSAFE` is replayed on the program as lowered.
//! 2. A variable keeps its id and its symbol; a pass may stop using variables and add new ones at the
//!    end. The same holds for objects and inputs.
//! 3. Whatever the pass relied on (constants, copies, dead edges) is among its facts, so that an
//!    invariant of the new program, together with the facts, is one of the old program. Facts stand
//!    at the *joins*: the locations on cycles with several incoming edges. Heads of a weak topological
//!    order and targets of back edges are always among them.
//! 4. Every cycle of the old program runs through a cycle of the new one, or through a point among the
//!    `cuts`.
//! 5. Switches stay equalities, and nothing is concluded from undefined behaviour.
//! 6. Inputs are kept or dropped as a whole: if one place that asks for an input matters, all places stay
//!    that ask for it, so that the n-th value in the new program is the n-th value in the old one.
//!
//! The order of the files: [`select`] chooses the property; [`tail`] makes loops of tail calls; [`inline()`] makes one function of all; [`copies`],
//! [`probes`], [`scalars`], [`dead`], [`mod@slice`], [`merge`] and [`contract`] make it simpler; [`mod@floats`] replaces floats by their encodings; [`all`] puts
//! them in order.

pub mod all;
mod arrays;
pub mod contract;
pub mod copies;
pub mod dead;
pub mod floats;
pub mod inline;
mod lifetimes;
pub mod liveness;
pub mod merge;
mod names;
mod pieces;
pub mod probes;
mod reads;
mod regions;
pub mod scalars;
pub mod select;
pub mod shape;
pub mod slice;
pub mod tail;

#[cfg(test)]
mod tests;

pub use all::{Optimised, Options, PassStats, optimise};
pub use inline::{InlineOptions, Inlined, inline};
pub use liveness::Liveness;

use base::{IndexVec, OrderedMap, Place};
use term::{Term, Terms};

use crate::{EdgeId, Frame, InputId, Instance, Layout, Loc, ObjectId, Point, Program, Storage, Var};

/// How to speak of a new program in the words of the old one.
#[derive(Clone, Debug, Default)]
pub struct BackMap {
    /// The old point that each location of the new program stands for.
    pub points: IndexVec<Loc, Point>,
    /// What each variable of the new program is in the old one. A variable that lives only between two cutpoints may
    /// stand for nothing: then this names a variable that the old program does not have.
    pub instances: IndexVec<Var, Instance>,
    /// What each object of the new program is in the old one.
    pub objects: IndexVec<ObjectId, (Frame, ObjectId)>,
    /// Where the values of each input of the new program go in the old one.
    pub inputs: IndexVec<InputId, Source>,
    /// The old edges that each edge of the new program stands for, in order.
    pub edges: IndexVec<EdgeId, Vec<EdgeId>>,
    /// What the pass relied on: terms over the new program's variables, each true whenever the old program
    /// is at the point; `false` for points that are never reached.
    pub facts: Vec<(Point, Term)>,
    /// Old points that cut the cycles which the new program no longer has. The facts say all there is to say
    /// about them.
    pub cuts: Vec<Point>,
    /// Which columns of the new program hold what memory of the program as lowered, once a pass has made some.
    pub layout: Option<Layout>,
    /// Symbols of encodings, or of arrays of them, each with the symbol of the floats that the old program has instead.
    pub encodings: Vec<(Term, Term)>,
}

/// What an input of the new program is in the old one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// The input; none for values that no input of the old program supplies (memory outside every object, the
    /// first contents of an automatic object).
    pub input: Option<InputId>,
    /// For bytes of memory: the byte of the object where the value begins, or the array's elements count from.
    pub offset: Option<u64>,
}

/// Why a pass cannot do it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// A function that calls itself.
    Recursion,
    /// The program would become too large.
    Size,
    /// Memory on the stack may outlive its function.
    Stack,
}

/// Something that a pass cannot do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// Which kind of obstacle it is.
    pub obstacle: Obstacle,
    /// What, as a noun: "recursion of f".
    pub what: String,
    /// Where in the source.
    pub place: Option<Place>,
}

impl BackMap {
    /// The map of a pass that changes nothing.
    pub fn identity(program: &Program) -> BackMap {
        let here = Frame::default;
        BackMap {
            points: program.locations.ids().map(|loc| Point { frame: here(), loc }).collect(),
            instances: program
                .vars
                .ids()
                .map(|var| Instance { frame: here(), storage: Storage::Variable(var) })
                .collect(),
            objects: program.objects.ids().map(|object| (here(), object)).collect(),
            inputs: program.inputs.ids().map(|input| Source { input: Some(input), offset: None }).collect(),
            edges: program.edges.ids().map(|edge| vec![edge]).collect(),
            facts: Vec::new(),
            cuts: Vec::new(),
            layout: None,
            encodings: Vec::new(),
        }
    }

    /// The map from the program after both passes to the one before both; `self` is that of the first.
    ///
    /// # Panics
    /// If the second pass inlines calls: only the first one does.
    pub fn then(mut self, second: BackMap) -> BackMap {
        let mut facts = std::mem::take(&mut self.facts);
        let mut cuts = std::mem::take(&mut self.cuts);
        let point = |point: &Point| {
            assert!(point.frame.0.is_empty(), "only the first pass inlines calls");
            self.points[point.loc].clone()
        };
        let instance = |instance: &Instance| {
            // These are in words of the program as lowered from the start.
            if instance.storage.is_of_lowered() {
                return instance.clone();
            }
            assert!(instance.frame.0.is_empty(), "only the first pass inlines calls");
            let of = |object: ObjectId, storage: &dyn Fn(ObjectId) -> Storage| {
                let (frame, object) = &self.objects[object];
                Instance { frame: frame.clone(), storage: storage(*object) }
            };
            match instance.storage {
                // A variable that the second pass made up for itself stays what it is: nothing in the old program.
                Storage::Variable(var) => self.instances.get(var).unwrap_or(instance).clone(),
                Storage::Bytes { object, offset, size } => {
                    of(object, &|object| Storage::Bytes { object, offset, size })
                }
                Storage::Array { object, element } => of(object, &|object| Storage::Array { object, element }),
                Storage::Live { object } => of(object, &|object| Storage::Live { object }),
                Storage::Column { .. }
                | Storage::Used
                | Storage::Allocated { .. }
                | Storage::Heap { .. }
                | Storage::Tags => instance.clone(),
            }
        };
        let source = |source: &Source| match source.input {
            None => *source,
            Some(input) => {
                let before = self.inputs[input];
                let offset = match (before.offset, source.offset) {
                    (Some(base), Some(more)) => Some(base + more),
                    (base, more) => base.or(more),
                };
                Source { input: before.input, offset }
            }
        };
        facts.extend(second.facts.iter().map(|(at, fact)| (point(at), *fact)));
        cuts.extend(second.cuts.iter().map(point));
        BackMap {
            points: second.points.iter().map(point).collect(),
            instances: second.instances.iter().map(instance).collect(),
            // An object that the second pass made up for itself is nothing in the old program.
            objects: second.objects.iter().map(|old| self.objects.get(old.1).unwrap_or(old).clone()).collect(),
            inputs: second.inputs.iter().map(source).collect(),
            edges: second
                .edges
                .iter()
                .map(|edges| edges.iter().flat_map(|&edge| self.edges[edge].iter().copied()).collect())
                .collect(),
            facts,
            cuts,
            layout: second.layout.or(self.layout),
            encodings: self.encodings.into_iter().chain(second.encodings).collect(),
        }
    }

    /// Invariants of the old program, made of invariants at cutpoints of the new one: those, each with the facts about its
    /// point, and the cuts with theirs. The terms are over the new program's variables.
    pub fn evidence(&self, terms: &mut Terms, invariants: &[(Loc, Term)]) -> Vec<(Point, Term)> {
        let mut said: OrderedMap<Point, Vec<Term>> = OrderedMap::default();
        for &(loc, invariant) in invariants {
            said.entry(self.points[loc].clone()).or_default().push(invariant);
        }
        for point in &self.cuts {
            said.entry(point.clone()).or_default();
        }
        for (point, fact) in &self.facts {
            if let Some(known) = said.get_mut(point) {
                known.push(*fact);
            }
        }
        said.into_iter().map(|(point, parts)| (point, floats::decoded(terms, &self.encodings, &parts))).collect()
    }

    /// A new location of the program that stands where the old one stood.
    pub(crate) fn location_like(&mut self, program: &mut Program, like: Loc) -> Loc {
        let location = crate::Location {
            function: program.locations[like].function,
            place: program.locations[like].place,
            mark: crate::Mark::None,
        };
        self.points.push(self.points[like].clone());
        program.locations.push(location)
    }
    /// A new edge of the program, made of an old one.
    pub(crate) fn edge_like(&mut self, program: &mut Program, edge: crate::Edge, like: Option<EdgeId>) -> EdgeId {
        self.edges.push(like.map_or_else(Vec::new, |like| self.edges[like].clone()));
        program.edges.push(edge)
    }
}
