//! Memory: what reads and writes mean in formulas, object by object.
//!
//! An access whose address is an object's address plus a constant, as written or by what the pointer was assigned since the last
//! cutpoint, concerns a part of one cell, or in an object that is an array the element at that offset. An access at any other address may
//! concern every live object that the address may lead into (`points_to`, `computed`).
//!
//! What lies outside the object, on the heap or in an object that is no more is any value when read, and nothing
//! changes when it is written.

use base::Bits;
use program::{EdgeId, ObjectId};
use term::{FpOp, Op, Sort, SortKind, Term};

use crate::Refusal;
use crate::block::{Encoder, State};
use crate::computed::Target;
use crate::layout::{Cell, bytes_of};
use crate::points::FrameId;

/// Static arrays with more elements start with any contents; where more become any value, all do.
const MAX_ELEMENTS: u64 = 256;

impl Encoder<'_> {
    /// What is read: the value for a slot of this sort.
    pub(crate) fn load(
        &mut self,
        edge: EdgeId,
        frame: FrameId,
        state: &State,
        address: Term,
        slot: usize,
    ) -> Result<Term, Refusal> {
        let any = self.fresh_for(slot);
        let sort = self.own.sort_of(any);
        let Some(size) = bytes_of(&self.own, sort) else { return Ok(any) };
        Ok(match self.target(edge, frame, state, address)? {
            Target::Nothing => any,
            Target::One(object, offset) => self.read(state, object, offset, size, sort).unwrap_or(any),
            Target::OneOf(objects, pointer) => self.load_computed(state, &objects, address, pointer, any),
        })
    }
    /// Writes the value.
    pub(crate) fn store(
        &mut self,
        edge: EdgeId,
        frame: FrameId,
        state: &mut State,
        address: Term,
        value: Term,
    ) -> Result<(), Refusal> {
        let value = self.value(edge, frame, state, value)?;
        let Some(size) = bytes_of(&self.own, self.own.sort_of(value)) else {
            return Err(Refusal::Unsupported { what: "a write of a value without bytes".to_owned(), at: None });
        };
        let bits = self.bits_of_value(value);
        match self.target(edge, frame, state, address)? {
            Target::Nothing => {}
            Target::One(object, _) if self.is_read_only(object) => {}
            Target::One(object, offset) => {
                if let Some(array) = self.memory.array_at(object) {
                    if self.is_element(object, offset, size) {
                        let slot = self.memory.array_slot(array);
                        let index = self.own.bv(self.program.pointer_width, offset);
                        state[slot] = self.own.store(state[slot], index, bits);
                    }
                } else if let Some(cell) = self.memory.cell_with(object, offset, size) {
                    let slot = self.memory.first_slot + cell;
                    state[slot] = self.write_part(state[slot], cell, offset, size, bits);
                }
            }
            Target::OneOf(objects, pointer) => self.store_computed(state, &objects, address, pointer, size, bits),
        }
        Ok(())
    }
    /// The bytes that could have been written become any value.
    pub(crate) fn forget(
        &mut self,
        edge: EdgeId,
        frame: FrameId,
        state: &mut State,
        address: Term,
        size: Option<Term>,
    ) -> Result<(), Refusal> {
        let size = size.and_then(|size| self.source.small_value(size));
        match self.target(edge, frame, state, address)? {
            Target::Nothing => {}
            // Of a read-only object nothing can have been written.
            Target::One(object, _) if self.is_read_only(object) => {}
            Target::One(object, offset) => {
                // A constant size that stays within the object; otherwise all of it.
                let whole = self.size_of(object);
                let end = size.and_then(|size| offset.checked_add(size)).filter(|&end| end <= whole);
                let (from, to) = end.map_or((0, whole), |end| (offset, end));
                self.forget_range(state, object, from, to);
            }
            Target::OneOf(objects, pointer) => self.forget_computed(state, &objects, pointer, size),
        }
        Ok(())
    }
    /// New objects of an activation: their contents are unspecified and they may lie elsewhere than the last ones.
    /// Returns what is known of the addresses.
    pub(crate) fn begin_objects(&mut self, frame: FrameId, state: &mut State) -> Term {
        let function = self.points.frames[frame].function;
        for &object in &self.program.functions[function].objects {
            let slot = self.slots.slot(frame, self.program.objects[object].address);
            state[slot] = self.fresh_for(slot);
            self.set_live(frame, object, true, state);
            if let Some(object) = self.memory.objects.find(self.program, frame, object) {
                for slot in self.slots_of(object) {
                    state[slot] = self.fresh_for(slot);
                }
            }
        }
        self.apart(frame, state)
    }

    /// The value of bytes that evidence names, as a term of this sort.
    pub(crate) fn bytes(
        &mut self,
        frame: FrameId,
        state: &State,
        object: ObjectId,
        offset: u64,
        size: u64,
        sort: Sort,
    ) -> Option<Term> {
        let object = self.memory.objects.find(self.program, frame, object)?;
        if bytes_of(&self.own, sort) != Some(size) {
            return None;
        }
        self.read(state, object, offset, size, sort)
    }
    /// The object that evidence names as an array of elements of this size. Of a small object that we keep as one cell it is the
    /// array of the cell's parts, with zeros at all other places, where no access leads.
    pub(crate) fn array(&mut self, frame: FrameId, state: &State, object: ObjectId, element: u64) -> Option<Term> {
        let object = self.memory.objects.find(self.program, frame, object)?;
        if let Some(array) = self.memory.array_at(object) {
            let is_same = self.memory.arrays[array].element == element;
            return is_same.then(|| state[self.memory.array_slot(array)]);
        }
        let size = self.size_of(object);
        let cell = self.memory.cell_with(object, 0, size).filter(|_| element > 0 && size.is_multiple_of(element))?;
        let width = self.program.pointer_width;
        let (index, part) = (self.own.bv_sort(width), self.own.bv_sort(element as u32 * 8));
        let sort = self.own.sort(SortKind::Array(index, part));
        let zero = self.own.bits(Bits::zero(element as u32 * 8));
        let mut array = self.own.const_array(sort, zero);
        for at in (0..size / element).map(|number| number * element) {
            let (place, value) = (self.own.bv(width, at), self.read_part(state, cell, at, element, part));
            array = self.own.store(array, place, value);
        }
        Some(array)
    }
    /// The first contents of what static objects hold.
    pub(crate) fn first_contents(&mut self, state: &mut State) {
        let memory = self.memory;
        for (place, cell) in memory.cells.iter().enumerate() {
            if let Some(bits) = memory.initial(self.program, cell.object, cell.from, cell.to - cell.from) {
                state[memory.first_slot + place] = self.own.bits(bits);
            }
        }
        for (place, array) in memory.arrays.iter().enumerate() {
            let n_elements = self.size_of(array.object) / array.element;
            let is_zero = self.program.objects[memory.objects.list[array.object].1].init.iter().all(|&byte| byte == 0);
            let n_listed = if is_zero { n_elements.min(1) } else { n_elements };
            if n_listed > MAX_ELEMENTS {
                continue;
            }
            let first = |number: u64| memory.initial(self.program, array.object, number * array.element, array.element);
            let Some(elements) = (0..n_listed).map(first).collect::<Option<Vec<Bits>>>() else { continue };
            // No access reaches places outside the object or between elements, so they may hold anything from the start:
            // what most of the others hold, as evidence may think.
            let is_one = elements.iter().all(|element| *element == elements[0]);
            let zero = Bits::from_u64(array.element as u32 * 8, 0);
            let background = elements.first().filter(|_| is_one).unwrap_or(&zero).clone();
            let slot = memory.array_slot(place);
            let sort = self.own.sort_of(state[slot]);
            let everywhere = self.own.bits(background.clone());
            state[slot] = self.own.const_array(sort, everywhere);
            for (number, bits) in elements.into_iter().enumerate().filter(|(_, bits)| *bits != background) {
                let offset = number as u64 * array.element;
                let (index, element) = (self.own.bv(self.program.pointer_width, offset), self.own.bits(bits));
                state[slot] = self.own.store(state[slot], index, element);
            }
        }
    }

    /// These bytes of the object become any value; the others stay.
    fn forget_range(&mut self, state: &mut State, object: usize, from: u64, to: u64) {
        for cell in self.memory.cells_of(object) {
            let Cell { from: start, to: end, .. } = self.memory.cells[cell];
            let (low, high) = (from.max(start), to.min(end));
            if low < high {
                let slot = self.memory.first_slot + cell;
                let any = self.fresh_bytes(high - low);
                state[slot] = self.write_part(state[slot], cell, low, high - low, any);
            }
        }
        let Some(array) = self.memory.array_at(object).filter(|_| from < to) else { return };
        let (slot, element) = (self.memory.array_slot(array), self.memory.arrays[array].element);
        let touched = from / element..to.div_ceil(element);
        if (from, to) == (0, self.size_of(object)) || touched.end - touched.start > MAX_ELEMENTS {
            state[slot] = self.fresh_for(slot);
            return;
        }
        for start in touched.map(|number| number * element) {
            let (low, high) = (from.max(start), to.min(start + element));
            let index = self.own.bv(self.program.pointer_width, start);
            let (old, any) = (self.own.select(state[slot], index), self.fresh_bytes(high - low));
            let new = self.replaced(old, element, low - start, high - low, any);
            state[slot] = self.own.store(state[slot], index, new);
        }
    }
    fn fresh_bytes(&mut self, n_bytes: u64) -> Term {
        let sort = self.own.bv_sort(n_bytes as u32 * 8);
        self.fresh_own("memory", sort)
    }

    // ---- arrays

    /// The distance of a pointer from the base of the object.
    pub(crate) fn offset_in(&mut self, state: &State, pointer: Term, object: usize) -> Term {
        let base = self.base(state, object);
        // What was added to the base is the offset; in circuits that would have to be found out.
        match (self.own.op(pointer), self.own.args(pointer)) {
            (Op::BvAdd, &[left, right]) if left == base => right,
            (Op::BvAdd, &[left, right]) if right == base => left,
            _ if pointer == base => self.own.bv(self.program.pointer_width, 0),
            _ => self.own.bv_sub(pointer, base),
        }
    }
    fn is_element(&self, object: usize, offset: u64, size: u64) -> bool {
        offset.is_multiple_of(size) && offset.checked_add(size).is_some_and(|end| end <= self.size_of(object))
    }

    // ---- parts

    pub(crate) fn size_of(&self, object: usize) -> u64 {
        self.program.objects[self.memory.objects.list[object].1].size
    }
    /// The slots of the object's cells or array.
    pub(crate) fn slots_of(&self, object: usize) -> Vec<usize> {
        let array = self.memory.array_at(object).map(|array| self.memory.array_slot(array));
        self.memory.cells_of(object).map(|cell| self.memory.first_slot + cell).chain(array).collect()
    }
    /// What these bytes of the object hold, if they are modelled.
    fn read(&mut self, state: &State, object: usize, offset: u64, size: u64, sort: Sort) -> Option<Term> {
        if let Some(array) = self.memory.array_at(object) {
            if size != self.memory.arrays[array].element || !self.is_element(object, offset, size) {
                return None;
            }
            let index = self.own.bv(self.program.pointer_width, offset);
            let element = self.own.select(state[self.memory.array_slot(array)], index);
            return Some(self.of_sort(element, sort));
        }
        let cell = self.memory.cell_with(object, offset, size)?;
        Some(self.read_part(state, cell, offset, size, sort))
    }

    pub(crate) fn is_read_only(&self, object: usize) -> bool {
        self.program.objects[self.memory.objects.list[object].1].read_only
    }
    pub(crate) fn base(&self, state: &State, object: usize) -> Term {
        let (frame, object) = self.memory.objects.list[object];
        state[self.slots.slot(frame, self.program.objects[object].address)]
    }
    pub(crate) fn address(&mut self, state: &State, object: usize, offset: u64) -> Term {
        let base = self.base(state, object);
        if offset == 0 {
            return base;
        }
        let offset = self.own.bv(self.program.pointer_width, offset);
        self.own.bv_add(base, offset)
    }
    pub(crate) fn read_part(&mut self, state: &State, cell: usize, at: u64, size: u64, sort: Sort) -> Term {
        let whole = state[self.memory.first_slot + cell];
        let Cell { from, to, .. } = self.memory.cells[cell];
        let bits = if (at, at + size) == (from, to) {
            whole
        } else {
            let low = ((at - from) * 8) as u32;
            self.own.extract(whole, low + size as u32 * 8 - 1, low)
        };
        self.of_sort(bits, sort)
    }
    /// The bits as a value of this sort.
    pub(crate) fn of_sort(&mut self, bits: Term, sort: Sort) -> Term {
        match *self.own.sort_kind(sort) {
            SortKind::Bool => {
                let zero = self.own.bv(8, 0);
                self.own.ne(bits, zero)
            }
            SortKind::Float(..) => self.own.fp(FpOp::FromBits, &[bits], sort),
            _ => bits,
        }
    }
    pub(crate) fn write_part(&mut self, whole: Term, cell: usize, at: u64, size: u64, bits: Term) -> Term {
        let Cell { from, to, .. } = self.memory.cells[cell];
        self.replaced(whole, to - from, at - from, size, bits)
    }
    /// A value of so many bytes with some of them replaced.
    fn replaced(&mut self, whole: Term, n_bytes: u64, at: u64, size: u64, bits: Term) -> Term {
        let mut new = bits;
        if at > 0 {
            let below = self.own.extract(whole, (at * 8) as u32 - 1, 0);
            new = self.own.concat(new, below);
        }
        if at + size < n_bytes {
            let above = self.own.extract(whole, (n_bytes * 8) as u32 - 1, ((at + size) * 8) as u32);
            new = self.own.concat(above, new);
        }
        new
    }
    fn bits_of_value(&mut self, value: Term) -> Term {
        match *self.own.sort_kind(self.own.sort_of(value)) {
            SortKind::Bool => {
                let (one, zero) = (self.own.bv(8, 1), self.own.bv(8, 0));
                self.own.ite(value, one, zero)
            }
            SortKind::Float(exponent, significand) => {
                let sort = self.own.bv_sort(exponent + significand);
                self.own.fp(FpOp::ToBits, &[value], sort)
            }
            _ => value,
        }
    }
}
