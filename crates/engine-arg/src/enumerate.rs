//! A label for one node without a proof: states that lead to the error are excluded one after the other.
//!
//! An interpolant need not come from a refutation [ChocklerIvriiMatsliah-HVC'12]. A model of the rest of the graph is a path from the
//! node to the error. With the inputs of the model, the conditions of the path are put back to the node: a cube of its
//! variables, in the program's own words, all states of which take the path. No edge leads into the cube from the labels before
//! it, and the literals that are needed to see that, fewer and fewer, are a clause of the label. When the rest has no
//! model left, the clauses are a label as it stands: each is implied by the edges, together they exclude the error.
//!
//! Unlike `clauses`, nothing is assumed about other nodes and nothing is kept: this is an interpolant between the labels before
//! the node and the rest of this graph.

use base::{Budget, Stopped};
use smt::{Answer, Query};
use term::{Op, Substitution, Term, Value};

use crate::condition::Copies;
use crate::edges::{EdgeRef, Taken};
use crate::implicant::{Cube, Implicant, fixes};
use crate::refine::Checked;
use crate::search::Search;

impl Checked<'_> {
    /// A label for the node at this place; none if a query has no answer, or it takes more than the budget.
    pub(crate) fn enumerated(
        &mut self,
        search: &mut Search<'_>,
        copies: &mut Copies,
        place: usize,
        budget: &Budget,
    ) -> Result<Option<Vec<Term>>, Stopped> {
        let node = self.slice.nodes[place];
        let mut label: Vec<Term> = Vec::new();
        loop {
            let mut assumptions = vec![copies.control(&mut search.terms, node)];
            for &clause in &label {
                assumptions.push(copies.at(search, self.arg, node, clause));
            }
            match self.rest.check(&search.terms, &Query::assuming(&assumptions), budget) {
                Ok(Answer::Unsat(_)) => return Ok(Some(label)),
                Ok(Answer::Sat(_)) => {}
                Ok(Answer::Unknown(_)) | Err(Stopped::OutOfTicks) => return Ok(None),
                Err(stopped) => return Err(stopped),
            }
            let cube = self.leading_to_error(search, copies, place);
            let cube = match self.excluded(search, place, cube, budget) {
                Err(Stopped::OutOfTicks) => return Ok(None),
                excluded => excluded?,
            };
            let Some(cube) = cube else { return Ok(None) };
            let cube = match self.enlarged(search, place, cube, budget) {
                Err(Stopped::OutOfTicks) => return Ok(None),
                enlarged => enlarged?,
            };
            let all = search.terms.and(&cube);
            label.push(search.terms.not(all));
        }
    }
    /// The cube of the states that take the path of the model from this place to the error, with the inputs of the model.
    fn leading_to_error(&mut self, search: &mut Search<'_>, copies: &mut Copies, root: usize) -> Cube {
        let (arg, slice) = (self.arg, self.slice);
        let cut_of = |place: usize| arg.nodes[slice.nodes[place]].cut.expect("the error is not in the slice");
        // The path, with the values of the inputs on the way.
        let mut path: Vec<(EdgeRef, Substitution)> = Vec::new();
        let mut place = root;
        while place < slice.nodes.len() {
            let (node, from) = (slice.nodes[place], cut_of(place));
            let mut pairs = Vec::new();
            let blocks = search.blocks;
            for input in &blocks.blocks[from].inputs {
                let there = copies.at(search, arg, node, input.symbol);
                let value = self.rest.model(&search.terms).expect("the query was satisfiable").value(there);
                match value {
                    Value::Bool(truth) => pairs.push((input.symbol, search.terms.truth(truth))),
                    Value::Bits(bits) => pairs.push((input.symbol, search.terms.bits(bits))),
                    _ => {}
                }
            }
            let (exit, to) = self.taken_exit(search, copies, place);
            path.push((EdgeRef { from, exit }, Substitution::new(&search.terms, &pairs)));
            place = to;
        }
        // Back to the node, condition by condition.
        let mut conditions: Vec<Term> = Vec::new();
        for (edge, inputs) in path.iter_mut().rev() {
            for condition in &mut conditions {
                let before = search.back(*edge, *condition);
                *condition = inputs.apply(&mut search.terms, before);
            }
            let guard = search.exit(*edge).guard;
            conditions.push(inputs.apply(&mut search.terms, guard));
        }
        let node = slice.nodes[root];
        let there: Vec<Term> = conditions.iter().map(|&condition| copies.at(search, arg, node, condition)).collect();
        let implicant = {
            let mut model = self.rest.model(&search.terms).expect("the query was satisfiable");
            Implicant::new(&search.terms, &mut model, &there, &[])
        };
        let mut cube = implicant.literals(&mut search.terms);
        for literal in &mut cube {
            *literal = copies.from(search, arg, node, *literal);
        }
        cube.retain(|&literal| search.terms.op(literal) != Op::True && !copies.is_foreign(&search.terms, literal));
        cube.sort_unstable();
        cube.dedup();
        cube
    }
    /// The exit that the model takes at this place.
    fn taken_exit(&mut self, search: &mut Search<'_>, copies: &mut Copies, place: usize) -> (usize, usize) {
        let (arg, slice) = (self.arg, self.slice);
        let node = slice.nodes[place];
        let from = arg.nodes[node].cut.expect("the error is not in the slice");
        for &(exit, to) in &slice.exits[place] {
            let guard = search.exit(EdgeRef { from, exit }).guard;
            let guard = copies.at(search, arg, node, guard);
            let way = copies.way(&mut search.terms, node, exit);
            let mut model = self.rest.model(&search.terms).expect("the query was satisfiable");
            if model.is_true(guard) && (slice.exits[place].len() == 1 || model.is_true(way)) {
                return (exit, to);
            }
        }
        unreachable!("the condition says that a run goes on")
    }
    /// The literals that are needed to see that no edge leads into the cube; none if one does, or there is no answer.
    fn excluded(
        &self,
        search: &mut Search<'_>,
        place: usize,
        cube: Cube,
        budget: &Budget,
    ) -> Result<Option<Cube>, Stopped> {
        let mut is_needed = vec![false; cube.len()];
        for &(parent, exit) in &self.slice.entries[place] {
            let from = self.arg.nodes[self.slice.nodes[parent]].cut.expect("the error has no children");
            let edge = EdgeRef { from, exit };
            let behind: Vec<Term> = cube.iter().map(|&literal| search.back(edge, literal)).collect();
            let mut assumptions = behind.clone();
            assumptions.push(search.exit(edge).guard);
            assumptions.extend(&self.labels[parent]);
            match search.take(edge, &assumptions, None, &[], budget)? {
                Taken::Never(core) => {
                    for (needed, literal) in is_needed.iter_mut().zip(&behind) {
                        *needed |= core.contains(literal);
                    }
                }
                Taken::May { .. } | Taken::Unknown => return Ok(None),
            }
        }
        Ok(Some(cube.into_iter().zip(is_needed).filter(|(_, needed)| *needed).map(|(literal, _)| literal).collect()))
    }
    /// A cube with fewer literals that no edge leads into either.
    fn enlarged(&self, search: &mut Search<'_>, place: usize, cube: Cube, budget: &Budget) -> Result<Cube, Stopped> {
        let mut kept = cube;
        let mut order = kept.clone();
        // Values say most; they stay longest.
        order.sort_by_key(|&literal| (fixes(&search.terms, literal).is_some(), literal));
        for literal in order {
            let Ok(at) = kept.binary_search(&literal) else { continue };
            let mut fewer = kept.clone();
            fewer.remove(at);
            if let Some(needed) = self.excluded(search, place, fewer, budget)? {
                kept = needed;
            }
        }
        Ok(kept)
    }
}
