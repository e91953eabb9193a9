//! Tracked memory: whether pointers lead to every live heap object.
//!
//! Roots are static objects, globals, live automatic objects, and the parameters and local variables of open activations. From
//! there the search goes through the contents of objects; a pointer into the middle of an object counts. The shadow run looks at
//! the origins of words, in two ways. *Surely* an object is reached by a whole pointer that the program alone
//! determines and that lies inside of it. *Perhaps* it is reached by any word that was made of its address, temporaries
//! included. What is not even perhaps reached is lost; what lies between is neither tracked nor lost for certain. The plain run
//! takes every word for the address that it is; it finds candidates, and the shadow run decides.

use base::FastMap;

use super::code::{Code, Reg};
use super::execute::{Activation, Execution};
use super::mark::{Cause, Form, Mark};
use super::memory::{Memory, Part};
use super::shadow::Marks;

/// Where the value of a variable lies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kept {
    /// In the register.
    Now(Reg),
    /// On the stack of saved registers.
    Saved(usize),
}

/// What the search came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tracking {
    /// All live heap objects are tracked.
    All,
    /// This one is lost.
    Lost(u64),
    /// Not certain for this one.
    Unclear(u64),
}

/// The registers of variables that may hold pointers, as far as they exist now. `all`: those of temporaries, too.
fn roots(code: &Code, calls: &[Activation], n_saved: usize, all: bool) -> Vec<Kept> {
    let globals: Vec<Reg> = if all { (0..code.n_global_registers).collect() } else { code.global_roots.clone() };
    let mut found: Vec<Kept> = globals.into_iter().map(Kept::Now).collect();
    let mut saved_end = n_saved;
    // Where the registers of an older activation of the function were saved.
    let mut older: FastMap<u32, usize> = FastMap::new();
    for activation in calls.iter().rev() {
        let function = &code.functions[activation.function as usize];
        let (first, count) = function.frame;
        let own: Vec<Reg> = if all { (first..first + count).collect() } else { function.roots.clone() };
        let start = older.get(&activation.function).copied();
        found.extend(own.into_iter().map(|reg| match start {
            None => Kept::Now(reg),
            Some(start) => Kept::Saved(start + (reg - first) as usize),
        }));
        if activation.saved {
            saved_end -= count as usize;
            older.insert(activation.function, saved_end);
        }
    }
    found
}

/// The bases of heap objects that are reached from the words and from static and automatic objects; `inside` gives the bases of
/// objects that the contents of an object lead to.
fn reached(memory: &Memory, words: &[u64], inside: &mut dyn FnMut(u64, u64) -> Vec<u64>) -> FastMap<u64, ()> {
    let mut seen: FastMap<u64, ()> = FastMap::new();
    let mut work: Vec<u64> = words.to_vec();
    for part in [Part::Static, Part::Stack] {
        for extent in memory.live_objects(part) {
            work.extend(inside(extent.base, extent.size));
        }
    }
    while let Some(base) = work.pop() {
        let Some(handle) = memory.object_at(base) else { continue };
        let extent = memory.extent(handle);
        if !extent.live || !memory.is_heap(handle) || seen.insert(base, ()).is_some() {
            continue;
        }
        work.extend(inside(base, extent.size));
    }
    seen
}

impl Execution<'_> {
    /// Whether all memory is tracked if every word is taken for an address.
    pub(super) fn tracks_by_value(&self, regs: &[u64]) -> bool {
        let memory = &self.memory;
        let base_of = |word: u64| memory.around(word).map(|handle| memory.extent(handle).base);
        let words: Vec<u64> = roots(self.code, &self.calls, self.saved.len(), false)
            .into_iter()
            .filter_map(|kept| match kept {
                Kept::Now(reg) => base_of(regs[reg as usize]),
                Kept::Saved(at) => base_of(self.saved[at]),
            })
            .collect();
        let bytes = u64::from(self.code.pointer_width) / 8;
        let mut inside = |base: u64, size: u64| -> Vec<u64> {
            let Some(handle) = memory.object_at(base) else { return Vec::new() };
            let starts = (0..(size + 1).saturating_sub(bytes)).step_by(bytes as usize / 2);
            let word = |at: u64| {
                (0..bytes).rev().try_fold(0, |word, i| Some(word << 8 | u64::from(memory.peek(handle, base + at + i)?)))
            };
            starts.filter_map(|at| base_of(word(at)?)).collect()
        };
        let seen = reached(memory, &words, &mut inside);
        memory.live_objects(Part::Heap).all(|extent| seen.contains_key(&extent.base))
    }
}

impl Marks {
    /// Whether all memory is tracked, by the origins of words; also the first mark that makes it doubtful that an object is lost.
    pub(super) fn tracking(&self, run: &Execution<'_>, regs: &[u64]) -> (Tracking, Option<Mark>) {
        let mut doubt = None;
        let mut perhaps = |mark: &Mark| {
            if mark.form == Form::Number && (mark.open != Cause::NONE || mark.layout) && doubt.is_none() {
                doubt = Some(*mark);
            }
            (mark.base != 0).then_some(mark.base)
        };
        let memory = &run.memory;
        let words: Vec<u64> = roots(run.code, &run.calls, run.saved.len(), true)
            .into_iter()
            .filter_map(|kept| perhaps(&self.mark_of(kept)))
            .collect();
        let maybe = reached(memory, &words, &mut |base, size| {
            self.bytes.marks_in(base, size).into_iter().filter_map(|mark| perhaps(&mark)).collect()
        });
        let unreached = |seen: &FastMap<u64, ()>| {
            memory.live_objects(Part::Heap).map(|extent| extent.base).find(|base| !seen.contains_key(base))
        };
        if let Some(lost) = unreached(&maybe) {
            return (if run.shown_outside { Tracking::Unclear(lost) } else { Tracking::Lost(lost) }, doubt);
        }
        let world = self.world(run);
        let is_inside = |base: u64, offset: i64| {
            let size = memory.object_at(base).map_or(0, |handle| memory.extent(handle).size);
            offset == 0 || offset > 0 && (offset as u64) < size
        };
        let words: Vec<u64> = roots(run.code, &run.calls, run.saved.len(), false)
            .into_iter()
            .filter_map(|kept| {
                let mark = self.mark_of(kept);
                let value = match kept {
                    Kept::Now(reg) => regs[reg as usize],
                    Kept::Saved(at) => run.saved[at],
                };
                let is_sure = mark.form == Form::Pointer && mark.is_determined();
                (is_sure && is_inside(mark.base, world.offset(value, mark.base))).then_some(mark.base)
            })
            .collect();
        let surely = reached(memory, &words, &mut |base, size| {
            let pointers = self.bytes.pointers_in(base, size, run.code.pointer_width / 8).into_iter();
            pointers.filter(|mark| is_inside(mark.base, mark.offset as i64)).map(|mark| mark.base).collect()
        });
        (unreached(&surely).map_or(Tracking::All, Tracking::Unclear), None)
    }
}
