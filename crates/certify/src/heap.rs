//! Allocated objects as state: where the object lies that an `Alloc` made last, how large it is, and whether it is live.
//!
//! The evidence says for which `Alloc` edges this is recorded. Nothing else of it is believed: which edges begin and end these
//! objects is read off the program, and which of them a pointer may be derived from is found anew (`program::origin`).
//!
//! **Why this is right.** A probe must not be answered with *valid* unless the bytes lie inside a live object that the address
//! may be derived from; it may always be answered with *invalid*, since otherwise the answer is free. An object recorded as live is live: its record is made by
//! its `Alloc` and replaced by the next, and what ends it clears the record: a `Free` or a move of an address that may be derived from the site and equals
//! its first byte, and for memory on the stack the return of its function. Other frees end other objects. So the bytes at
//! `t - base <=u size - n` are inside a live object. A *tag* is set where an object of a site begins and cleared at the address that a free
//! ends; since no address is handed out twice (`claim` refuses programs where that could matter), the tag of a site at an
//! address says that its object there is live, and the size of objects of a tagged site is a constant.
//!
//! A new object lies at an address where no live object begins, and one past its end is an address too.

use base::FastMap;
use program::origin::{OUTSIDE, Targets};
use program::{AccessKind, Action, Class, EdgeId, HeapPart, Lifetime, Program, Recorded, TAG_BITS};
use term::{Sort, SortKind, Term, Terms};

use crate::Refusal;
use crate::block::{Encoder, State};
use crate::claim::refused;
use crate::points::FrameId;

/// The recorded allocations.
#[derive(Default)]
pub(crate) struct Heap {
    sites: Vec<Site>,
    index: FastMap<(FrameId, EdgeId), usize>,
    /// What probes ask about, and what frees and moves end: the recorded sites with the classes of offsets.
    targets: FastMap<(FrameId, EdgeId), Vec<(usize, Class)>>,
}

/// A recorded allocation.
struct Site {
    frame: FrameId,
    lifetime: Lifetime,
    /// If it is a constant.
    size: Option<u64>,
    is_tagged: bool,
}

impl Heap {
    /// Finds the edges that the evidence names.
    pub fn new(
        program: &Program,
        terms: &Terms,
        named: &[(FrameId, &Recorded)],
        function_of: impl Fn(FrameId) -> program::FunId,
    ) -> Result<Heap, Refusal> {
        let mut heap = Heap::default();
        if named.len() >= 1 << TAG_BITS {
            return Err(refused("too many allocations are recorded"));
        }
        for &(frame, &Recorded { edge, is_tagged, .. }) in named {
            let info =
                program.edges.get(edge).filter(|info| program.locations[info.from].function == function_of(frame));
            let Some(Action::Alloc { size, lifetime, .. }) = info.map(|info| &info.action) else {
                return Err(refused("what is recorded is no allocation"));
            };
            let size = terms.small_value(*size);
            if is_tagged && (*lifetime != Lifetime::Heap || size.is_none()) {
                return Err(refused("objects are tagged that have no tag"));
            }
            if heap.index.insert((frame, edge), heap.sites.len()).is_some() {
                return Err(refused("an allocation is recorded twice"));
            }
            heap.sites.push(Site { frame, lifetime: *lifetime, size, is_tagged });
        }
        Ok(heap)
    }
    /// Whether nothing is recorded.
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }
    /// Notes what a probe, a free or a move may concern.
    pub fn note(
        &mut self,
        frame: FrameId,
        edge: EdgeId,
        targets: &Targets,
        alloc_of: impl Fn(u32) -> Option<(FrameId, EdgeId)>,
    ) {
        let mut found = Vec::new();
        for (origin, class) in targets.iter() {
            if origin == OUTSIDE {
                found.extend((0..self.sites.len()).map(|site| (site, Class::ANY)));
            } else if let Some(&site) = alloc_of(origin).and_then(|key| self.index.get(&key)) {
                found.push((site, class));
            }
        }
        self.targets.insert((frame, edge), found);
    }
    /// How many slots are needed.
    pub fn n_slots(&self) -> usize {
        if self.sites.is_empty() { 0 } else { 3 * self.sites.len() + 1 }
    }
    /// The sort of a slot, counted from the first of these.
    pub fn sort(&self, own: &mut Terms, width: u32, slot: usize) -> Sort {
        let word = own.bv_sort(width);
        if slot == 3 * self.sites.len() {
            let tag = own.bv_sort(TAG_BITS);
            return own.sort(SortKind::Array(word, tag));
        }
        if slot % 3 == part(HeapPart::Live) { own.bool_sort() } else { word }
    }
}

/// Which of a site's slots holds the part.
fn part(part: HeapPart) -> usize {
    match part {
        HeapPart::Base => 0,
        HeapPart::Size => 1,
        HeapPart::Live => 2,
    }
}

/// What an `Alloc` says of its object before it is made.
pub(crate) struct Coming {
    site: Option<(usize, Term)>,
}

impl<'a> Encoder<'a> {
    fn heap(&self) -> Option<&'a Heap> {
        self.memory.claim.as_ref().map(|claim| &claim.heap).filter(|heap| !heap.is_empty())
    }
    fn heap_slot(&self, site: usize, of: HeapPart) -> usize {
        let first = self.memory.claim.as_ref().map_or(0, |claim| claim.first_heap_slot());
        self.memory.first_claim_slot() + first + 3 * site + part(of)
    }
    fn tags_slot(&self, heap: &Heap) -> usize {
        self.heap_slot(heap.sites.len(), HeapPart::Base)
    }
    /// No object is live before the program starts.
    pub(crate) fn first_heap(&mut self, state: &mut State) {
        let Some(heap) = self.heap() else { return };
        for site in 0..heap.sites.len() {
            state[self.heap_slot(site, HeapPart::Live)] = self.own.truth(false);
        }
        let slot = self.tags_slot(heap);
        let (none, sort) = (self.own.bv(TAG_BITS, 0), self.own.sort_of(state[slot]));
        state[slot] = self.own.const_array(sort, none);
    }
    /// What is known before an `Alloc`: the size is computed, and what is moved has ended.
    pub(crate) fn heap_before(
        &mut self,
        edge: EdgeId,
        frame: FrameId,
        state: &mut State,
        size: Term,
        moved: Option<Term>,
    ) -> Result<Coming, Refusal> {
        let Some(heap) = self.heap() else { return Ok(Coming { site: None }) };
        let size = match heap.index.get(&(frame, edge)) {
            Some(&site) => Some((site, self.value(edge, frame, state, size)?)),
            None => None,
        };
        if let Some(moved) = moved {
            self.heap_free(edge, frame, state, moved)?;
        }
        Ok(Coming { site: size })
    }
    /// The object was made.
    pub(crate) fn heap_begin(&mut self, state: &mut State, coming: Coming, address: Term) {
        let (Some(heap), Some((site, size))) = (self.heap(), coming.site) else { return };
        let end = self.own.bv_not(size);
        let has_end = self.own.bv_ule(address, end);
        self.known.push(has_end);
        for other in (0..heap.sites.len()).filter(|&other| other != site) {
            let (live, base) =
                (state[self.heap_slot(other, HeapPart::Live)], state[self.heap_slot(other, HeapPart::Base)]);
            let (ended, differs) = (self.own.not(live), self.own.ne(address, base));
            let is_new = self.own.or(&[ended, differs]);
            self.known.push(is_new);
        }
        let tags = self.tags_slot(heap);
        if heap.sites[site].is_tagged {
            let (none, tag) = (self.own.bv(TAG_BITS, 0), self.own.bv(TAG_BITS, site as u64 + 1));
            let here = self.own.select(state[tags], address);
            let is_new = self.own.eq(here, none);
            self.known.push(is_new);
            state[tags] = self.own.store(state[tags], address, tag);
        }
        state[self.heap_slot(site, HeapPart::Base)] = address;
        state[self.heap_slot(site, HeapPart::Size)] = size;
        state[self.heap_slot(site, HeapPart::Live)] = self.own.truth(true);
    }
    /// The object that begins at the address ends.
    pub(crate) fn heap_free(
        &mut self,
        edge: EdgeId,
        frame: FrameId,
        state: &mut State,
        address: Term,
    ) -> Result<(), Refusal> {
        let Some(heap) = self.heap() else { return Ok(()) };
        let Some(targets) = heap.targets.get(&(frame, edge)) else {
            return Err(Refusal::malformed("what a free ends is not known"));
        };
        let address = self.value(edge, frame, state, address)?;
        let mut is_tagged = false;
        for &(site, _) in targets {
            is_tagged |= heap.sites[site].is_tagged;
            let slot = self.heap_slot(site, HeapPart::Live);
            let differs = self.own.ne(address, state[self.heap_slot(site, HeapPart::Base)]);
            state[slot] = self.own.and(&[state[slot], differs]);
        }
        if is_tagged {
            let (slot, none) = (self.tags_slot(heap), self.own.bv(TAG_BITS, 0));
            state[slot] = self.own.store(state[slot], address, none);
        }
        Ok(())
    }
    /// Memory on the stack ends with its function.
    pub(crate) fn heap_leave(&mut self, state: &mut State, callee: FrameId) {
        let Some(heap) = self.heap() else { return };
        for (number, site) in heap.sites.iter().enumerate() {
            if site.lifetime == Lifetime::Frame && site.frame == callee {
                state[self.heap_slot(number, HeapPart::Live)] = self.own.truth(false);
            }
        }
    }
    /// When an access is valid because it lies inside a recorded object.
    pub(crate) fn heap_valid(
        &mut self,
        edge: EdgeId,
        frame: FrameId,
        state: &State,
        pointer: Term,
        bytes: u64,
        access: AccessKind,
    ) -> Vec<Term> {
        let mut ways = Vec::new();
        let Some(heap) = self.heap() else { return ways };
        let Some(targets) = heap.targets.get(&(frame, edge)) else { return ways };
        let width = self.program.pointer_width;
        for &(number, class) in targets {
            let site = &heap.sites[number];
            let [base, size, live] =
                [HeapPart::Base, HeapPart::Size, HeapPart::Live].map(|of| state[self.heap_slot(number, of)]);
            if access == AccessKind::Free {
                if site.lifetime == Lifetime::Heap {
                    let is_base = self.own.eq(pointer, base);
                    ways.push(self.own.and(&[live, is_base]));
                }
            } else {
                let offset = self.own.bv_sub(pointer, base);
                let size = site.size.map_or(size, |size| self.own.bv(width, size));
                let bytes = self.own.bv(width, bytes);
                let (has_room, last) = (self.own.bv_ule(bytes, size), self.own.bv_sub(size, bytes));
                let is_before = self.own.bv_ule(offset, last);
                ways.push(self.own.and(&[live, has_room, is_before]));
            }
            let is_inside = match access {
                AccessKind::Free => class.first == 0,
                _ => class.first.checked_add(bytes).zip(site.size).is_some_and(|(end, size)| end <= size),
            };
            if site.is_tagged && class.stride == 0 && is_inside {
                let (offset, tag) = (self.own.bv(width, class.first), self.own.bv(TAG_BITS, number as u64 + 1));
                let first = self.own.bv_sub(pointer, offset);
                let here = self.own.select(state[self.tags_slot(heap)], first);
                ways.push(self.own.eq(here, tag));
            }
        }
        ways
    }
    /// What evidence names of the object that an `Alloc` made last.
    pub(crate) fn recorded(&self, state: &State, frame: FrameId, edge: EdgeId, of: HeapPart) -> Option<Term> {
        let &site = self.heap()?.index.get(&(frame, edge))?;
        Some(state[self.heap_slot(site, of)])
    }
    /// The tags of all addresses.
    pub(crate) fn tags(&self, state: &State) -> Option<Term> {
        Some(state[self.tags_slot(self.heap()?)])
    }
}
