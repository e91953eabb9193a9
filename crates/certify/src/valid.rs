//! Which accesses are valid: what a `Probe` answers, and when automatic objects are live.
//!
//! An access is valid inside a live object that its address may be derived from (`points_to`), and for a write that object is
//! not read-only. Of objects on the heap it is unknown. An object of an activation is live until the activation
//! returns; one that a block ends earlier has a slot of sort Bool, which `End` clears and a new beginning sets.

use program::{AccessKind, EdgeId, ObjectId};
use term::Term;

use crate::Refusal;
use crate::block::{Encoder, State};
use crate::layout::direct;
use crate::points::FrameId;

impl Encoder<'_> {
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
            let offset = self.offset_in(state, pointer, object);
            let inside = self.inside(state, object, offset, bytes, access);
            let yes = self.own.truth(true);
            valid = self.own.ite(inside, yes, valid);
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
        let Some((object, 0)) = direct(self.program, self.source, self.slots, address) else { return };
        let whole = self.program.objects[object].size;
        if size.is_none_or(|size| self.source.small_value(size) == Some(whole)) {
            self.set_live(frame, object, true, state);
        }
    }
}
