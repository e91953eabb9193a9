//! Points-to by location: a pointer that is assigned anew leads into the new object alone.
//!
//! After `p = a; …; p = b;` a set for all locations is {a, b}, and a write through the second `p` would concern `a` too. So the
//! slots that carry several objects in the sets for all locations (`points_to`) get one set per node: the least
//! solution of the equations along the hops, in which an assignment replaces the set of its slot. The contents of objects stay
//! as they are for all locations.

use base::{FastMap, Id};
use program::{Action, EdgeId};
use term::{Op, Term};

use crate::points::{FrameId, Hop, How, Node, Points, START};
use crate::points_to::{PointsTo, Set};
use crate::tuning::Tuning;

/// The sets of the slots that carry several objects.
pub(crate) struct Flow<'a> {
    everywhere: &'a PointsTo<'a>,
    /// By slot: its place among those that have a set per node.
    place: FastMap<usize, usize>,
    /// By node, if runs come there: the set of each place.
    at: Vec<Option<Vec<u32>>>,
    sets: Vec<Set>,
    known: FastMap<Set, u32>,
}

impl<'a> Flow<'a> {
    /// Finds the sets of every node.
    pub fn new(everywhere: &'a PointsTo<'a>, points: &Points<'_>) -> Self {
        let mut place = FastMap::new();
        for (slot, set) in everywhere.carried.iter().enumerate() {
            if set.has_several() {
                place.insert(slot, place.len());
            }
        }
        if place.len().saturating_mul(points.hops.len()) > Tuning::DEFAULT.max_flow_sets {
            place = FastMap::new();
        }
        let at = vec![None; points.hops.len()];
        let mut flow = Flow { everywhere, place, at, sets: Vec::new(), known: FastMap::new() };
        if !flow.place.is_empty() {
            flow.solve(points);
        }
        flow
    }
    /// What a term of the program carries at the node, which is one of this activation.
    pub fn of_term(&self, node: Node, frame: FrameId, term: Term) -> Set {
        match &self.at[node.index()] {
            Some(state) => self.carried(state, frame, term),
            None => self.everywhere.of_term(frame, term),
        }
    }

    fn solve(&mut self, points: &Points<'_>) {
        let empty = self.id(Set::empty(self.everywhere.n_objects));
        let start = Node::new(START as usize);
        self.at[start.index()] = Some(vec![empty; self.place.len()]);
        let mut todo = vec![start];
        let mut is_queued = vec![false; points.hops.len()];
        while let Some(node) = todo.pop() {
            is_queued[node.index()] = false;
            for hop in &points.hops[node] {
                let Some(before) = self.at[node.index()].clone() else { unreachable!("only reached nodes are queued") };
                let after = self.after(points, node, hop, before);
                if self.join(hop.to, after) && !std::mem::replace(&mut is_queued[hop.to.index()], true) {
                    todo.push(hop.to);
                }
            }
        }
    }
    /// Whether something was new at the node.
    fn join(&mut self, node: Node, new: Vec<u32>) -> bool {
        let Some(mut old) = self.at[node.index()].take() else {
            self.at[node.index()] = Some(new);
            return true;
        };
        let mut changed = false;
        for (old, new) in old.iter_mut().zip(new) {
            if *old == new {
                continue;
            }
            let mut both = self.sets[*old as usize].clone();
            if both.add(&self.sets[new as usize]) {
                *old = self.id(both);
                changed = true;
            }
        }
        self.at[node.index()] = Some(old);
        changed
    }
    fn id(&mut self, set: Set) -> u32 {
        if let Some(&id) = self.known.get(&set) {
            return id;
        }
        let id = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.known.insert(set, id);
        id
    }
    /// What the slot carries in the state; a slot without a set per node carries the same everywhere.
    fn of_slot<'b>(&'b self, state: &[u32], slot: usize) -> &'b Set {
        match self.place.get(&slot) {
            Some(&place) => &self.sets[state[place] as usize],
            None => &self.everywhere.carried[slot],
        }
    }
    fn carried(&self, state: &[u32], frame: FrameId, term: Term) -> Set {
        let PointsTo { terms, slots, n_objects, .. } = *self.everywhere;
        let mut set = Set::empty(n_objects);
        for symbol in terms.subterms(&[term]) {
            if let (Op::Symbol(_), Some(var)) = (terms.op(symbol), slots.var(symbol)) {
                set.add(self.of_slot(state, slots.slot(frame, var)));
            }
        }
        set
    }
    /// The state after the hop. The sets on the right are those before it.
    fn after(&mut self, points: &Points<'_>, node: Node, hop: &Hop, before: Vec<u32>) -> Vec<u32> {
        let frame = points.place(node).frame;
        let PointsTo { program, slots, n_objects, .. } = *self.everywhere;
        let action = |edge: EdgeId| &program.edges[edge].action;
        let mut new: Vec<(usize, Set)> = Vec::new();
        match hop.how {
            How::Begin => {}
            How::Enter(edge, callee) => {
                let Action::Call { function, args, .. } = action(edge) else { unreachable!("only calls enter") };
                for (&param, &arg) in program.functions[*function].params.iter().zip(args) {
                    new.push((slots.slot(callee, param), self.carried(&before, frame, arg)));
                }
            }
            How::Leave(edge, callee) => {
                let Action::Call { function, result, .. } = action(edge) else { unreachable!("only calls are left") };
                if let (&Some(target), Some(result)) = (result, program.functions[*function].result) {
                    let set = self.of_slot(&before, slots.slot(callee, result)).clone();
                    new.push((slots.slot(points.place(hop.to).frame, target), set));
                }
            }
            How::Step(edge) => match action(edge) {
                Action::Assign(pairs) => {
                    for &(var, value) in pairs {
                        new.push((slots.slot(frame, var), self.carried(&before, frame, value)));
                    }
                }
                Action::Havoc { var, input } => {
                    let is_external = self.everywhere.is_external(*input);
                    let set = if is_external { Set::full(n_objects) } else { Set::empty(n_objects) };
                    new.push((slots.slot(frame, *var), set));
                }
                Action::Alloc { var, .. } => {
                    let mut set = Set::empty(n_objects);
                    set.insert(n_objects);
                    new.push((slots.slot(frame, *var), set));
                }
                Action::Load { var, address } => {
                    let places = self.carried(&before, frame, *address);
                    new.push((slots.slot(frame, *var), self.everywhere.contents_of(&places)));
                }
                _ => {}
            },
        }
        let mut after = before;
        for (slot, set) in new {
            if let Some(&place) = self.place.get(&slot) {
                after[place] = self.id(set);
            }
        }
        after
    }
}
