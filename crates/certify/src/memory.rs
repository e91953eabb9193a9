//! Memory: what reads and writes mean in formulas, object by object.
//!
//! An access whose address is an object's address plus a constant, as written or by what the pointer was assigned since the last
//! cutpoint, concerns parts of the cells that it touches, or in an object that is an array parts of the elements that it touches. An
//! access at any other address may concern every live object that the address may lead into (`points_to`, `computed`).
//!
//! What lies outside the object, on the heap or in an object that is no more is any value when read, and nothing
//! changes when it is written.

use std::ops::Range;

use base::Bits;
use program::{EdgeId, ObjectId};
use term::{FpOp, Op, Sort, SortKind, Term};
use verdict::Code;

use crate::Refusal;
use crate::block::{Encoder, State};
use crate::computed::Target;
use crate::layout::{ArrayOf, Cell, bytes_of};
use crate::points::FrameId;
use crate::tuning::Tuning;

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
        if let Some(parts) = self.route(frame, edge).and_then(|route| route.parts.as_ref()) {
            let pointer = self.value(edge, frame, state, address)?;
            let bits = self.read_columns(state, parts, pointer);
            return Ok(bits.map_or(any, |bits| self.of_sort(bits, sort)));
        }
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
            return Err(Refusal::unknown(Code::Construct, "a write of a value without bytes", None));
        };
        let bits = self.bits_of_value(value);
        if let Some(route) = self.route(frame, edge) {
            let pointer = self.value(edge, frame, state, address)?;
            match &route.parts {
                Some(parts) => {
                    self.write_columns(state, parts, pointer, bits);
                    return Ok(());
                }
                None => self.spoil(state, route, pointer, Some(size)),
            }
        }
        match self.target(edge, frame, state, address)? {
            Target::Nothing => {}
            Target::One(object, _) if self.is_read_only(object) => {}
            Target::One(object, offset) => {
                let end = offset.checked_add(size).filter(|&end| end <= self.size_of(object));
                if let Some(end) = end {
                    self.write_range(state, object, offset, end, Some(bits));
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
        if let Some(route) = self.route(frame, edge).filter(|route| !route.touched.is_empty()) {
            let pointer = self.value(edge, frame, state, address)?;
            self.spoil(state, route, pointer, size);
        }
        match self.target(edge, frame, state, address)? {
            Target::Nothing => {}
            // Of a read-only object nothing can have been written.
            Target::One(object, _) if self.is_read_only(object) => {}
            Target::One(object, offset) => {
                // A constant size that stays within the object; otherwise all of it.
                let whole = self.size_of(object);
                let end = size.and_then(|size| offset.checked_add(size)).filter(|&end| end <= whole);
                let (from, to) = end.map_or((0, whole), |end| (offset, end));
                self.write_range(state, object, from, to, None);
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
            let number = self.memory.objects.find(self.program, frame, object);
            if !number.is_some_and(|number| self.has_constant_address(number)) {
                state[slot] = self.fresh_for(slot);
            }
            if let Some(site) = number.and_then(|number| self.site_of_object(number)) {
                self.begin_columns(state, site, false);
                if !number.is_some_and(|number| self.has_constant_address(number)) {
                    self.reads.note(state[slot]);
                    self.begin_at(frame, state, site, state[slot]);
                }
            }
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
        self.first_columns(state);
        for (place, cell) in memory.cells.iter().enumerate() {
            if let Some(bits) = memory.initial(self.program, cell.object, cell.from, cell.to - cell.from) {
                state[memory.first_slot + place] = self.own.bits(bits);
            }
        }
        for (place, array) in memory.arrays.iter().enumerate() {
            let n_elements = self.size_of(array.object) / array.element;
            let given = self.program.objects[memory.objects.list[array.object].1].init.len() as u64;
            // What is not given is zero.
            let n_given = given.div_ceil(array.element).min(n_elements);
            let first = |number: u64| memory.initial(self.program, array.object, number * array.element, array.element);
            let Some(elements) = (0..n_given.max(1)).map(first).collect::<Option<Vec<Bits>>>() else { continue };
            // No access reaches places outside the object or between elements, so they may hold anything from the start:
            // what most of the others hold, as evidence may think.
            let is_one = elements.len() as u64 == n_elements && elements.iter().all(|element| *element == elements[0]);
            let zero = Bits::from_u64(array.element as u32 * 8, 0);
            let background = elements.first().filter(|_| is_one).unwrap_or(&zero).clone();
            if elements.iter().filter(|&bits| *bits != background).count() as u64 > Tuning::DEFAULT.max_elements {
                continue;
            }
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

    /// These bytes of the object become those of the bits, or any value; the others stay.
    fn write_range(&mut self, state: &mut State, object: usize, from: u64, to: u64, bits: Option<Term>) {
        for cell in self.memory.cells_of(object) {
            let Cell { from: start, to: end, .. } = self.memory.cells[cell];
            let (low, high) = (from.max(start), to.min(end));
            if low < high {
                let slot = self.memory.first_slot + cell;
                let part = self.part_or_any(bits, from..to, low..high);
                state[slot] = self.write_part(state[slot], cell, low, high - low, part);
            }
        }
        let Some(array) = self.memory.array_at(object).filter(|_| from < to) else { return };
        let (slot, element) = (self.memory.array_slot(array), self.memory.arrays[array].element);
        let touched = from / element..to.div_ceil(element);
        let is_forgotten = bits.is_none() && (from, to) == (0, self.size_of(object));
        if is_forgotten || touched.end - touched.start > Tuning::DEFAULT.max_elements {
            state[slot] = self.fresh_for(slot);
            return;
        }
        for start in touched.map(|number| number * element) {
            let (low, high) = (from.max(start), to.min(start + element));
            let index = self.own.bv(self.program.pointer_width, start);
            let part = self.part_or_any(bits, from..to, low..high);
            let new = if high - low == element {
                part
            } else {
                let old = self.own.select(state[slot], index);
                self.replaced(old, element, low - start, high - low, part)
            };
            state[slot] = self.own.store(state[slot], index, new);
        }
    }
    /// Of bits that are written to the bytes of `whole`, those for the bytes of `part`; without bits any value.
    fn part_or_any(&mut self, bits: Option<Term>, whole: Range<u64>, part: Range<u64>) -> Term {
        match bits {
            None => self.fresh_bytes(part.end - part.start),
            Some(bits) if part == whole => bits,
            Some(bits) => {
                let (low, high) = ((part.start - whole.start) * 8, (part.end - whole.start) * 8);
                self.own.extract(bits, high as u32 - 1, low as u32)
            }
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
    /// What these bytes of an array hold, if they lie in it and there are not too many elements.
    fn read_elements(&mut self, state: &State, array: usize, from: u64, to: u64) -> Option<Term> {
        let ArrayOf { object, element } = self.memory.arrays[array];
        let touched = from / element..to.div_ceil(element);
        if to > self.size_of(object) || touched.end - touched.start > Tuning::DEFAULT.max_elements {
            return None;
        }
        let (start, end) = (touched.start * element, touched.end * element);
        let width = self.program.pointer_width;
        let places: Vec<Term> = touched.map(|number| self.own.bv(width, number * element)).collect();
        let all = self.select_each(state[self.memory.array_slot(array)], &places);
        if (from, to) == (start, end) {
            return Some(all);
        }
        Some(self.own.extract(all, ((to - start) * 8) as u32 - 1, ((from - start) * 8) as u32))
    }

    /// The elements at these places as one value, the first one lowest.
    pub(crate) fn select_each(&mut self, array: Term, places: &[Term]) -> Term {
        let (&first, others) = places.split_first().expect("an access has bytes");
        let mut all = self.own.select(array, first);
        for &place in others {
            let above = self.own.select(array, place);
            all = self.own.concat(above, all);
        }
        all
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
            let bits = self.read_elements(state, array, offset, offset.checked_add(size)?)?;
            return Some(self.of_sort(bits, sort));
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
            SortKind::Float(..) => self.float_of(bits, sort),
            _ => bits,
        }
    }
    /// Law: what is read where a float was stored is that float, and known bits are a known float.
    fn float_of(&mut self, bits: Term, sort: Sort) -> Term {
        if let (Op::Fp(FpOp::ToBits), &[value]) = (self.own.op(bits), self.own.args(bits))
            && self.own.sort_of(value) == sort
        {
            return value;
        }
        let known = self.own.value(bits).and_then(|bits| self.own.try_numeral(sort, &bits.to_hex()));
        known.unwrap_or_else(|| self.own.fp(FpOp::FromBits, &[bits], sort))
    }
    pub(crate) fn write_part(&mut self, whole: Term, cell: usize, at: u64, size: u64, bits: Term) -> Term {
        let Cell { from, to, .. } = self.memory.cells[cell];
        self.replaced(whole, to - from, at - from, size, bits)
    }
    /// A value of `n_bytes` bytes with some of them replaced.
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
