//! The program as IC3 sees it: edges between cutpoints, each a condition and a substitution.
//!
//! A literal of a cube at the target of an edge becomes, by putting in the values that the block computes, a
//! term over the state at its source and the inputs: one step backwards is a substitution. Each literal is
//! put through each edge once.

use base::{FastMap, IndexVec, define_id};
use encode::{Blocks, Cut, CutKind};
use program::{AssertionId, Program};
use term::{Substitution, Term, Terms};

define_id!(EdgeNo, "An edge between cutpoints.");

/// An edge between cutpoints.
pub(crate) struct Edge {
    pub from: Cut,
    pub to: Cut,
    /// Over the state at the source and the inputs.
    pub guard: Term,
    /// From variables to their values behind the edge.
    back: Substitution,
}

/// All edges, sorted by what is asked of them.
pub(crate) struct System {
    pub edges: IndexVec<EdgeNo, Edge>,
    /// By cutpoint: the edges that lead there.
    pub incoming: IndexVec<Cut, Vec<EdgeNo>>,
    /// The edges into an error.
    pub errors: Vec<(EdgeNo, AssertionId)>,
    pub entry: Cut,
    /// By edge and literal.
    put_back: FastMap<(EdgeNo, Term), Term>,
}

impl System {
    pub fn new(program: &Program, terms: &Terms, blocks: &Blocks) -> Self {
        let mut edges = IndexVec::new();
        let mut incoming = IndexVec::new();
        incoming.grow_to(blocks.cutpoints.len(), Vec::new());
        let mut errors = Vec::new();
        for (from, block) in blocks.blocks.iter_enumerated() {
            for exit in &block.exits {
                let pairs: Vec<(Term, Term)> =
                    exit.values.iter().map(|&(var, value)| (program.vars[var].term, value)).collect();
                let back = Substitution::new(terms, &pairs);
                let edge = edges.push(Edge { from, to: exit.to, guard: exit.guard, back });
                match blocks.cutpoints[exit.to].kind {
                    CutKind::Error(assertion) => errors.push((edge, assertion)),
                    _ => incoming[exit.to].push(edge),
                }
            }
        }
        System { edges, incoming, errors, entry: blocks.entry(), put_back: FastMap::new() }
    }
    /// The literal, which speaks of the state behind the edge, in terms of the state before it.
    pub fn back(&mut self, terms: &mut Terms, edge: EdgeNo, literal: Term) -> Term {
        if let Some(&done) = self.put_back.get(&(edge, literal)) {
            return done;
        }
        let done = self.edges[edge].back.apply(terms, literal);
        self.put_back.insert((edge, literal), done);
        done
    }
}
