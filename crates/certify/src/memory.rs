//! Memory: what reads and writes mean in formulas, object by object.
//!
//! An access whose address is written as an object's address plus a constant concerns a part of one cell. An access at a
//! computed address may concern every place of its size in the cells of every live object that the address may
//! lead into (`points_to`); where it is none of these places, a read is any value, and a write makes the
//! cells it may overlap any value. In an object that is an array, the offset is the index; what is not in bounds or not at a
//! multiple of the element's size has no place there.
//!
//! What lies outside the object, on the heap or in an object that is no more is any value when read, and nothing
//! changes when it is written.

use base::Bits;
use program::{EdgeId, ObjectId, VarKind};
use term::{FpOp, Op, Sort, SortKind, Term};

use crate::Refusal;
use crate::block::{Encoder, State};
use crate::layout::{Cell, bytes_of, direct};
use crate::points::FrameId;

/// Static arrays with more elements start with any contents.
const MAX_FIRST_ELEMENTS: u64 = 256;

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
        if let Some((object, offset)) = direct(self.program, self.source, self.slots, address) {
            let object = self.memory.objects.find(self.program, frame, object);
            return Ok(object.and_then(|object| self.read(state, object, offset, size, sort)).unwrap_or(any));
        }
        let Some(targets) = self.memory.targets.get(&(frame, edge)).cloned() else { return Ok(any) };
        let pointer = self.value(edge, frame, state, address)?;
        let mut read = any;
        for object in targets {
            if let Some(array) = self.memory.array_at(object) {
                let is_multiple = self.is_multiple(object, address, size);
                let (index, inside) = self.index(state, pointer, object, is_multiple);
                let element = self.own.select(state[self.memory.array_slot(array)], index);
                let value = self.of_sort(element, sort);
                read = self.own.ite(inside, value, read);
            }
            for (cell, at) in self.memory.places(object, size) {
                let here = self.is_at(state, pointer, object, at);
                let value = self.read_part(state, cell, at, size, sort);
                read = self.own.ite(here, value, read);
            }
        }
        Ok(read)
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
        if let Some((object, offset)) = direct(self.program, self.source, self.slots, address) {
            let Some(object) = self.memory.objects.find(self.program, frame, object) else { return Ok(()) };
            if self.is_read_only(object) {
                return Ok(());
            }
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
            return Ok(());
        }
        let Some(mut targets) = self.memory.targets.get(&(frame, edge)).cloned() else { return Ok(()) };
        targets.retain(|&object| !self.is_read_only(object));
        let pointer = self.value(edge, frame, state, address)?;
        let mut places = Vec::new();
        for &object in &targets {
            for (cell, at) in self.memory.places(object, size) {
                let here = self.is_at(state, pointer, object, at);
                places.push((cell, at, here));
            }
        }
        for object in targets {
            if let Some(array) = self.memory.array_at(object) {
                let slot = self.memory.array_slot(array);
                let is_multiple = self.is_multiple(object, address, size);
                state[slot] = self.write_element(state, pointer, object, slot, bits, is_multiple);
            }
            for cell in self.memory.cells_of(object) {
                let slot = self.memory.first_slot + cell;
                let old = state[slot];
                // At a known place: in this cell, it is written there; in another, this one stays. Anywhere else:
                // who knows.
                let elsewhere: Vec<Term> = places.iter().filter(|place| place.0 != cell).map(|place| place.2).collect();
                let elsewhere = self.own.or(&elsewhere);
                let overlaps = self.overlaps(state, pointer, cell, size);
                let any = self.fresh_for(slot);
                let unknown = self.own.ite(overlaps, any, old);
                let mut new = self.own.ite(elsewhere, old, unknown);
                for &(_, at, here) in places.iter().filter(|place| place.0 == cell) {
                    let written = self.write_part(old, cell, at, size, bits);
                    new = self.own.ite(here, written, new);
                }
                state[slot] = new;
            }
        }
        Ok(())
    }
    /// All that could have been written becomes any value.
    pub(crate) fn forget(
        &mut self,
        edge: EdgeId,
        frame: FrameId,
        state: &mut State,
        address: Term,
        size: Option<Term>,
    ) {
        let slots: Vec<usize> = match direct(self.program, self.source, self.slots, address) {
            Some((object, offset)) => {
                let Some(object) = self.memory.objects.find(self.program, frame, object) else { return };
                // A constant size that stays within the object; otherwise all of it.
                let size =
                    size.and_then(|size| self.source.small_value(size)).and_then(|size| offset.checked_add(size));
                let end = size.filter(|&end| end <= self.program.objects[self.memory.objects.list[object].1].size);
                let within = |cell: Cell| end.is_none_or(|end| cell.from < end && offset < cell.to);
                let cells = self.memory.cells_of(object).filter(|&cell| within(self.memory.cells[cell]));
                let array = self.memory.array_at(object).map(|array| self.memory.array_slot(array));
                cells.map(|cell| self.memory.first_slot + cell).chain(array).collect()
            }
            None => {
                let targets = self.memory.targets.get(&(frame, edge)).cloned().unwrap_or_default();
                targets.into_iter().flat_map(|object| self.slots_of(object)).collect()
            }
        };
        for slot in slots {
            state[slot] = self.fresh_for(slot);
        }
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
    /// The object that evidence names as an array of elements of this size.
    pub(crate) fn array(&self, frame: FrameId, state: &State, object: ObjectId, element: u64) -> Option<Term> {
        let object = self.memory.objects.find(self.program, frame, object)?;
        let array = self.memory.array_at(object).filter(|&array| self.memory.arrays[array].element == element)?;
        Some(state[self.memory.array_slot(array)])
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
            if n_listed > MAX_FIRST_ELEMENTS {
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

    // ---- arrays

    /// The offset of a pointer in an array, and when it is the place of an element.
    fn index(&mut self, state: &State, pointer: Term, object: usize, is_multiple: bool) -> (Term, Term) {
        let index = self.offset_in(state, pointer, object);
        let size = self.own.bv(self.program.pointer_width, self.size_of(object));
        let inside = self.own.bv_ult(index, size);
        let element = self.memory.array_at(object).map_or(1, |array| self.memory.arrays[array].element);
        if is_multiple || element == 1 {
            return (index, inside);
        }
        let n_low = element.trailing_zeros();
        let (low, zero) = (self.own.extract(index, n_low - 1, 0), self.own.bv(n_low, 0));
        let is_place = self.own.eq(low, zero);
        (index, self.own.and(&[inside, is_place]))
    }
    /// The distance of a pointer from the base of the object.
    pub(crate) fn offset_in(&mut self, state: &State, pointer: Term, object: usize) -> Term {
        let base = self.base(state, object);
        // What was added to the base is the offset; in circuits that would have to be found out.
        match (self.own.op(pointer), self.own.args(pointer)) {
            (Op::BvAdd, &[left, right]) if left == base => right,
            (Op::BvAdd, &[left, right]) if right == base => left,
            _ => self.own.bv_sub(pointer, base),
        }
    }
    /// The array after a write: at the place of an element, there; elsewhere in or near it, who knows.
    fn write_element(
        &mut self,
        state: &State,
        pointer: Term,
        object: usize,
        slot: usize,
        bits: Term,
        is_multiple: bool,
    ) -> Term {
        let old = state[slot];
        let (index, inside) = self.index(state, pointer, object, is_multiple);
        let written = self.own.store(old, index, bits);
        if is_multiple {
            return self.own.ite(inside, written, old);
        }
        let size = self.own.bv(self.program.pointer_width, self.size_of(object));
        let somewhere = self.own.bv_ult(index, size);
        let any = self.fresh_for(slot);
        let unknown = self.own.ite(somewhere, any, old);
        self.own.ite(inside, written, unknown)
    }
    fn is_element(&self, object: usize, offset: u64, size: u64) -> bool {
        offset.is_multiple_of(size) && offset.checked_add(size).is_some_and(|end| end <= self.size_of(object))
    }

    // ---- parts

    pub(crate) fn size_of(&self, object: usize) -> u64 {
        self.program.objects[self.memory.objects.list[object].1].size
    }
    /// The slots of the object's cells or array.
    fn slots_of(&self, object: usize) -> Vec<usize> {
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
    fn base(&self, state: &State, object: usize) -> Term {
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
    fn is_at(&mut self, state: &State, pointer: Term, object: usize, offset: u64) -> Term {
        let address = self.address(state, object, offset);
        self.own.eq(pointer, address)
    }
    /// Whether an access of this size through the pointer touches the cell: it starts less than its size before
    /// the cell, or in it.
    fn overlaps(&mut self, state: &State, pointer: Term, cell: usize, size: u64) -> Term {
        let Cell { object, from, to } = self.memory.cells[cell];
        let width = self.program.pointer_width;
        let base = self.base(state, object);
        let first = self.own.bv(width, from.wrapping_sub(size - 1));
        let length = self.own.bv(width, to - from + size - 1);
        let offset = self.own.bv_sub(pointer, base);
        let distance = self.own.bv_sub(offset, first);
        self.own.bv_ult(distance, length)
    }
    fn read_part(&mut self, state: &State, cell: usize, at: u64, size: u64, sort: Sort) -> Term {
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
    fn of_sort(&mut self, bits: Term, sort: Sort) -> Term {
        match *self.own.sort_kind(sort) {
            SortKind::Bool => {
                let zero = self.own.bv(8, 0);
                self.own.ne(bits, zero)
            }
            SortKind::Float(..) => self.own.fp(FpOp::FromBits, &[bits], sort),
            _ => bits,
        }
    }
    fn write_part(&mut self, whole: Term, cell: usize, at: u64, size: u64, bits: Term) -> Term {
        let Cell { from, to, .. } = self.memory.cells[cell];
        let mut new = bits;
        if at > from {
            let below = self.own.extract(whole, ((at - from) * 8) as u32 - 1, 0);
            new = self.own.concat(new, below);
        }
        if at + size < to {
            let above = self.own.extract(whole, ((to - from) * 8) as u32 - 1, ((at + size - from) * 8) as u32);
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
    /// Whether the address is that of this object plus multiples of the size, as far as its form shows it. Sizes
    /// are powers of two, so wrapping around changes nothing.
    fn is_multiple(&self, object: usize, address: Term, size: u64) -> bool {
        let terms = self.source;
        let mut todo = vec![(address, true)];
        let mut n_bases = 0;
        while let Some((term, may_be_base)) = todo.pop() {
            let args = terms.args(term);
            let value = |place: usize| terms.small_value(args[place]);
            let fits = match terms.op(term) {
                Op::Value => terms.small_value(term).is_some_and(|value| value % size == 0),
                Op::BvAdd => {
                    todo.extend(args.iter().map(|&arg| (arg, may_be_base)));
                    true
                }
                Op::BvSub => {
                    todo.extend([(args[0], may_be_base), (args[1], false)]);
                    true
                }
                Op::BvMul => (0..2).any(|place| value(place).is_some_and(|factor| factor % size == 0)),
                Op::BvShl => value(1).is_some_and(|by| by >= u64::from(size.trailing_zeros())),
                Op::Symbol(_) if may_be_base => {
                    n_bases += 1;
                    let address = VarKind::AddressOf(self.memory.objects.list[object].1);
                    self.slots.var(term).is_some_and(|var| self.program.vars[var].kind == address)
                }
                _ => false,
            };
            if !fits {
                return false;
            }
        }
        n_bases == 1
    }
}
