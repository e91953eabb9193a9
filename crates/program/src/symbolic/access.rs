//! Access to memory: which object an address belongs to, and what is read and written there.
//!
//! An address is a choice between words of the form *base + offset*, or numbers in the first page, which no object contains. Anything else is refused: its origin is
//! not known. A run ends at its first invalid access, so of an access only what happens inside the object matters: an
//! offset that lies nowhere inside ends the path, and one that may lie inside is taken to do so. `Probe` gives the whole condition.

use std::rc::Rc;

use term::{Op, Term};

use crate::model::AccessKind;
use crate::tuning::Tuning;

use super::Trouble;
use super::explore::Explorer;
use super::guards::{Guard, NEVER};
use super::objects::{Object, Span};
use super::state::State;
use super::words::Key;

// law: no object lies there.
/// The first addresses, in which no object lies.
const FIRST_PAGE: u64 = 4096;

/// Where an address may lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// Whether the address is this one, a truth value.
    pub when: Term,
    pub key: Key,
    pub offset: Term,
}

impl Explorer<'_> {
    /// The objects that the address may belong to, each with its offset. An address that may be null or another small number belongs to none
    /// then; with another number it is refused.
    pub(super) fn targets(&mut self, guard: Guard, address: Term) -> Result<Vec<Target>, Trouble> {
        let mut found = Vec::new();
        let mut work = vec![(guard, self.truth(true), address)];
        while let Some((guard, when, address)) = work.pop() {
            if guard == NEVER {
                continue;
            }
            if let Some((key, offset)) = self.store.words.pointer(address) {
                found.push(Target { when, key, offset });
            } else if let Some((condition, then, otherwise)) = self.store.words.choice(address) {
                let holds = self.guard_of(condition)?;
                let fails = self.guards.not(holds);
                for (side, address, is_then) in [(holds, then, true), (fails, otherwise, false)] {
                    let condition = if is_then { condition } else { self.store.words.terms.not(condition) };
                    let guard = self.guards.and(guard, side);
                    let when = self.store.words.terms.and(&[when, condition]);
                    work.push((guard, when, address));
                }
                if work.len() + found.len() > Tuning::DEFAULT.max_targets {
                    return Err(self.limit("an address that may be one of too many"));
                }
            } else {
                let info = self.store.words.info(address);
                if info.has_base || info.most >= FIRST_PAGE {
                    return Err(self.unsupported("an address whose object is not known"));
                }
            }
        }
        Ok(found)
    }
    /// The live object behind a key.
    fn object(&self, state: &State, key: Key) -> Option<Rc<Object>> {
        let object = state.objects.get(&key)?;
        (self.store.words.terms.op(object.live) != Op::False).then(|| Rc::clone(object))
    }
    /// The offsets inside the object at which this number of bytes may be accessed.
    fn offsets(&mut self, object: &Object, offset: Term, bytes: u64) -> Result<Vec<u64>, Trouble> {
        let Some(last) = object.capacity.checked_sub(bytes) else { return Ok(Vec::new()) };
        let words = &mut self.store.words;
        if let Some(value) = words.constant(offset) {
            return Ok(if value <= last { vec![value] } else { Vec::new() });
        }
        if let Some(values) = words.values(offset) {
            return Ok(values.iter().copied().filter(|&value| value <= last).collect());
        }
        let info = words.info(offset);
        let step = 1u64 << info.zeros.min(32);
        let (first, last) = (info.least.checked_next_multiple_of(step), last.min(info.most));
        let Some(first) = first.filter(|&first| first <= last) else { return Ok(Vec::new()) };
        if (last - first) / step >= Tuning::DEFAULT.max_symbolic_values as u64 {
            return Err(self.limit("an access at one of too many places"));
        }
        Ok((first..=last).step_by(step as usize).collect())
    }
    /// What is read; none if the run ends here in any case.
    pub(super) fn load(&mut self, state: &State, address: Term, bytes: u64) -> Result<Option<Term>, Trouble> {
        let mut loaded: Option<Term> = None;
        for Target { when, key, offset } in self.targets(state.guard, address)? {
            let Some(object) = self.object(state, key) else { continue };
            let mut list = Vec::new();
            for at in self.offsets(&object, offset, bytes)? {
                let word = self.store.read(&object, at, bytes);
                list.push((at, word));
            }
            self.spend(1 + list.len() as u64 / 4)?;
            if list.is_empty() {
                continue;
            }
            let word = self.store.look_up(offset, &list);
            loaded = Some(match loaded {
                None => word,
                Some(other) => self.store.words.ite(when, word, other),
            });
        }
        Ok(loaded)
    }
    /// Writes the word; whether the run goes on.
    pub(super) fn store(&mut self, state: &mut State, address: Term, bytes: u64, word: Term) -> Result<bool, Trouble> {
        let mut goes_on = false;
        for Target { when, key, offset } in self.targets(state.guard, address)? {
            let Some(object) = self.object(state, key) else { continue };
            if object.read_only {
                continue;
            }
            let places = self.offsets(&object, offset, bytes)?;
            self.spend(1 + places.len() as u64 / 4)?;
            if places.is_empty() {
                continue;
            }
            goes_on = true;
            drop(object);
            let object = Rc::make_mut(state.objects.get_mut(&key).expect("it is live"));
            let is_only = places.len() == 1;
            let width = self.program.pointer_width;
            for at in places {
                let words = &mut self.store.words;
                let number = words.number(width, at);
                let here = if is_only {
                    when
                } else {
                    let is_here = words.apply(Op::Eq, &[offset, number]);
                    words.terms.and(&[when, is_here])
                };
                let old = self.store.read(object, at, bytes);
                let new = self.store.words.ite(here, word, old);
                self.store.write(object, at, bytes, new);
            }
        }
        Ok(goes_on)
    }
    /// Whether the access would be valid now, as a truth value.
    pub(super) fn validity(
        &mut self,
        state: &State,
        address: Term,
        bytes: u64,
        access: AccessKind,
    ) -> Result<Term, Trouble> {
        if access == AccessKind::Track {
            return Err(self.unsupported("a question about all of memory"));
        }
        let width = self.program.pointer_width;
        let zero = self.store.words.number(width, 0);
        let mut ways = Vec::new();
        if access == AccessKind::Free {
            ways.push(self.equal(state, address, zero)?);
        }
        for Target { when, key, offset } in self.targets(state.guard, address)? {
            let Some(object) = self.object(state, key) else { continue };
            let words = &mut self.store.words;
            let is_inside = match access {
                AccessKind::Write if object.read_only => continue,
                AccessKind::Free if object.span != Span::Heap => continue,
                AccessKind::Free => words.apply(Op::Eq, &[offset, zero]),
                AccessKind::Read | AccessKind::Write | AccessKind::Track => {
                    let bytes = words.number(width, bytes);
                    let fits = words.apply(Op::BvUle, &[bytes, object.size]);
                    let room = words.apply(Op::BvSub, &[object.size, bytes]);
                    let is_below = words.apply(Op::BvUle, &[offset, room]);
                    words.terms.and(&[fits, is_below])
                }
            };
            ways.push(self.store.words.terms.and(&[when, object.live, is_inside]));
        }
        Ok(self.store.words.terms.or(&ways))
    }
    /// Ends the heap object that begins at the address; whether the run goes on.
    pub(super) fn free(&mut self, state: &mut State, address: Term) -> Result<bool, Trouble> {
        let zero = self.store.words.number(self.program.pointer_width, 0);
        let is_null = self.equal(state, address, zero)?;
        let mut goes_on = self.store.words.terms.op(is_null) != Op::False;
        for Target { when, key, offset } in self.targets(state.guard, address)? {
            let Some(object) = self.object(state, key) else { continue };
            if object.span != Span::Heap || !self.offsets(&object, offset, 0)?.contains(&0) {
                continue;
            }
            goes_on = true;
            drop(object);
            let no = self.truth(false);
            let object = Rc::make_mut(state.objects.get_mut(&key).expect("it is live"));
            object.live = self.store.words.ite(when, no, object.live);
        }
        Ok(goes_on)
    }

    /// Ends the array of variable length that begins at the address, if one does.
    pub(super) fn end_frame_object(&mut self, state: &mut State, address: Term) -> Result<(), Trouble> {
        let zero = self.store.words.number(self.program.pointer_width, 0);
        for Target { when, key, offset } in self.targets(state.guard, address)? {
            let is_start = self.store.words.apply(Op::Eq, &[offset, zero]);
            let ends = self.store.words.terms.and(&[when, is_start]);
            let no = self.truth(false);
            if let Some(object) =
                state.objects.get_mut(&key).filter(|object| matches!(object.span, Span::Activation(_)))
            {
                let object = Rc::make_mut(object);
                object.live = self.store.words.ite(ends, no, object.live);
            }
        }
        Ok(())
    }

    // ---- comparisons of addresses

    /// Whether two words are equal. What the laws of memory do not decide about addresses stays open.
    pub(super) fn equal(&mut self, state: &State, a: Term, b: Term) -> Result<Term, Trouble> {
        self.compare(state, Op::Eq, a, b, &mut Tuning::DEFAULT.max_targets.clone())
    }
    /// A comparison where at least one side is an address: by its parts, and by the laws of memory.
    pub(super) fn compare(
        &mut self,
        state: &State,
        op: Op,
        a: Term,
        b: Term,
        parts: &mut usize,
    ) -> Result<Term, Trouble> {
        let words = &mut self.store.words;
        if !words.info(a).has_base && !words.info(b).has_base {
            return Ok(words.apply(op, &[a, b]));
        }
        for (side, is_left) in [(a, true), (b, false)] {
            if let Some((when, then, otherwise)) = self.store.words.choice(side)
                && *parts > 0
            {
                *parts -= 1;
                let mut part = |side: Term| {
                    let (a, b) = if is_left { (side, b) } else { (a, side) };
                    self.compare(state, op, a, b, parts)
                };
                let (then, otherwise) = (part(then)?, part(otherwise)?);
                return Ok(self.store.words.ite(when, then, otherwise));
            }
        }
        let (left, right) = (self.store.words.pointer(a), self.store.words.pointer(b));
        Ok(match (left, right) {
            // Of one object: the offsets decide equality; they decide the order if neither sum wraps around.
            (Some((key, x)), Some((other, y))) if key == other => {
                let is_near = |explorer: &mut Self, offset| explorer.is_within(state, key, offset, true);
                let is_ordered = matches!(op, Op::BvUlt | Op::BvUle) && is_near(self, x) && is_near(self, y);
                if op == Op::Eq || is_ordered {
                    self.store.words.apply(op, &[x, y])
                } else {
                    self.store.words.terms.make(op, &[a, b])
                }
            }
            (Some((key, x)), Some((other, y))) if op == Op::Eq && self.are_apart(state, (key, x), (other, y)) => {
                self.truth(false)
            }
            (Some((key, x)), None) if op == Op::Eq && self.is_small(b) && self.is_within(state, key, x, true) => {
                self.truth(false)
            }
            (None, Some((key, y))) if op == Op::Eq && self.is_small(a) && self.is_within(state, key, y, true) => {
                self.truth(false)
            }
            _ => self.store.words.terms.make(op, &[a, b]),
        })
    }
    fn is_small(&mut self, term: Term) -> bool {
        let info = self.store.words.info(term);
        !info.has_base && info.most < FIRST_PAGE
    }
    /// Whether the offset lies inside the object or, if that is allowed, one past its end. Where the object has ended, it was so while it was live.
    fn is_within(&mut self, state: &State, key: Key, offset: Term, or_at_end: bool) -> bool {
        let size = match state.objects.get(&key) {
            Some(object) => self.store.words.info(object.size).least,
            None => self.functions.get(&key).map_or(0, |_| 1),
        };
        let most = self.store.words.info(offset).most;
        most < size || or_at_end && most == size
    }
    /// Whether addresses of two objects differ wherever these lie: both are live and both offsets lie inside.
    fn are_apart(&mut self, state: &State, one: (Key, Term), other: (Key, Term)) -> bool {
        let mut shared = 0;
        for (key, offset) in [one, other] {
            let is_live = match state.objects.get(&key) {
                Some(object) => {
                    shared += u32::from(object.shared);
                    self.store.words.terms.op(object.live) == Op::True
                }
                None => self.functions.contains_key(&key),
            };
            if !is_live || !self.is_within(state, key, offset, false) {
                return false;
            }
        }
        shared < 2
    }
}
