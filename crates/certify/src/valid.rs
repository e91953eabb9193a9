//! Which accesses are valid: what a `Probe` answers, and when automatic objects are live.
//!
//! An access is valid inside a live object that its address may be derived from (`points_to`), and for a write that object is
//! not read-only. Of objects on the heap it is known as far as they are recorded (`heap`). An object of an activation is live until the activation
//! returns; one that a block ends earlier has a slot of sort Bool, which `End` clears and a new beginning sets. At a point that no
//! way from an `End` leads to without a new beginning, the object is live independent of the evidence.

use base::Id;
use program::{AccessKind, Action, EdgeId, ObjectId, Program};
use term::{Term, Terms};

use crate::Refusal;
use crate::block::{Encoder, State};
use crate::layout::{Memory, direct};
use crate::points::{FrameId, How, Node, Points};
use crate::slots::Slots;

/// By node and place among the objects that may end early: whether the object may have ended there.
pub(crate) fn may_have_ended(
    program: &Program,
    terms: &Terms,
    points: &Points<'_>,
    slots: &Slots,
    memory: &Memory,
) -> Vec<Vec<bool>> {
    let n_nodes = points.hops.len();
    let mut ended = vec![vec![false; memory.ending.len()]; n_nodes];
    let place = |frame: FrameId, object: ObjectId| {
        let object = memory.objects.find(program, frame, object)?;
        memory.ending.binary_search(&object).ok()
    };
    let mut work: Vec<Node> = (0..n_nodes).map(Node::new).collect();
    while let Some(node) = work.pop() {
        let frame = points.place(node).frame;
        for hop in &points.hops[node] {
            let mut after = ended[node.index()].clone();
            match hop.how {
                How::Step(edge) => match &program.edges[edge].action {
                    Action::End { object } => {
                        if let Some(place) = place(frame, *object) {
                            after[place] = true;
                        }
                    }
                    Action::Forget { address, size, .. } => {
                        let named = whole_object(program, terms, slots, *address, *size);
                        if let Some(place) = named.and_then(|object| place(frame, object)) {
                            after[place] = false;
                        }
                    }
                    _ => {}
                },
                How::Enter(_, callee) => {
                    for &object in &program.functions[points.frames[callee].function].objects {
                        if let Some(place) = place(callee, object) {
                            after[place] = false;
                        }
                    }
                }
                _ => {}
            }
            let known = &mut ended[hop.to.index()];
            let is_new = after.iter().zip(known.iter()).any(|(after, known)| *after && !known);
            if is_new {
                known.iter_mut().zip(after).for_each(|(known, after)| *known |= after);
                work.push(hop.to);
            }
        }
    }
    ended
}

/// The object that is forgotten as a whole by its name, which begins anew.
fn whole_object(
    program: &Program,
    terms: &Terms,
    slots: &Slots,
    address: Term,
    size: Option<Term>,
) -> Option<ObjectId> {
    let (object, 0) = direct(program, terms, slots, address)? else { return None };
    let whole = program.objects[object].size;
    size.is_none_or(|size| terms.small_value(size) == Some(whole)).then_some(object)
}

impl Encoder<'_> {
    /// Objects that cannot have ended when a run comes to the node are live in the state.
    pub(crate) fn assume_live(&mut self, node: Node, state: &mut State) {
        let memory = self.memory;
        for (place, &object) in memory.ending.iter().enumerate() {
            if !memory.may_have_ended[node.index()][place]
                && let Some(slot) = memory.live_slot(object)
            {
                state[slot] = self.own.truth(true);
            }
        }
    }
    /// Whether an access would be valid, as far as it is known.
    pub(crate) fn probe(
        &mut self,
        edge: EdgeId,
        frame: FrameId,
        state: &State,
        address: Term,
        bytes: u64,
        access: AccessKind,
    ) -> Result<Term, Refusal> {
        if access == AccessKind::Track {
            // Which pointers there are is not modelled.
            let sort = self.own.bool_sort();
            return Ok(self.fresh_own("tracked", sort));
        }
        if let Some((object, offset)) = direct(self.program, self.source, self.slots, address) {
            let Some(object) = self.memory.objects.find(self.program, frame, object) else {
                return Ok(self.own.truth(false));
            };
            let offset = self.own.bv(self.program.pointer_width, offset);
            return Ok(self.inside(state, object, offset, bytes, access));
        }
        let targets = self.memory.targets.get(&(frame, edge)).cloned().unwrap_or_default();
        let pointer = self.value(edge, frame, state, address)?;
        let null = self.own.bv(self.program.pointer_width, 0);
        let is_null = self.own.eq(pointer, null);
        let sort = self.own.bool_sort();
        // Null is free to free, and nothing else may be done with it.
        let mut valid = self.fresh_own("valid", sort);
        let at_null = self.own.truth(access == AccessKind::Free);
        valid = self.own.ite(is_null, at_null, valid);
        for object in targets {
            if self.memory.stale.contains_key(&(frame, edge, object)) {
                continue; // It may be the address of an older object of this name.
            }
            let offset = self.offset_in(state, pointer, object);
            let inside = self.inside(state, object, offset, bytes, access);
            let yes = self.own.truth(true);
            valid = self.own.ite(inside, yes, valid);
        }
        let mut ways = self.heap_valid(edge, frame, state, pointer, bytes, access);
        if !ways.is_empty() {
            ways.push(valid);
            valid = self.own.or(&ways);
        }
        Ok(valid)
    }

    /// Whether an access at this offset of the object is valid.
    fn inside(&mut self, state: &State, object: usize, offset: Term, bytes: u64, access: AccessKind) -> Term {
        let size = self.size_of(object);
        let never = access == AccessKind::Free || access == AccessKind::Write && self.is_read_only(object);
        if never || bytes > size {
            return self.own.truth(false);
        }
        let last = self.own.bv(self.program.pointer_width, size - bytes);
        let inside = self.own.bv_ule(offset, last);
        match self.memory.live_slot(object) {
            Some(slot) => self.own.and(&[inside, state[slot]]),
            None => inside,
        }
    }

    /// Whether the object that evidence names is live, if that is recorded.
    pub(crate) fn live(&self, frame: FrameId, state: &State, object: ObjectId) -> Option<Term> {
        let object = self.memory.objects.find(self.program, frame, object)?;
        Some(state[self.memory.live_slot(object)?])
    }
    /// The object begins or ends.
    pub(crate) fn set_live(&mut self, frame: FrameId, object: ObjectId, live: bool, state: &mut State) {
        let object = self.memory.objects.find(self.program, frame, object);
        if let Some(slot) = object.and_then(|object| self.memory.live_slot(object)) {
            state[slot] = self.own.truth(live);
        }
    }
    /// An object that is forgotten as a whole by its name begins anew.
    pub(crate) fn begin_anew(&mut self, frame: FrameId, state: &mut State, address: Term, size: Option<Term>) {
        if let Some(object) = whole_object(self.program, self.source, self.slots, address, size) {
            self.set_live(frame, object, true, state);
        }
    }
}
