//! Accesses at computed addresses: one of several objects is concerned, at a place that only the values decide.
//!
//! Each place of the access in the cells of each object that the address may lead into has a condition: the pointer is that
//! address. A read is a choice between the places. After a write, a cell is changed at its places, stays where the
//! write is at a place elsewhere, and is any value where the write only overlaps it. In an array the offset is the index. An
//! access that concerns a part of an element reads any value and makes the whole array any value.
//!
//! Law: objects do not overlap, so the first byte of an access lies in one of them at most. It is stated for the
//! conditions of each access (`in_one`), because for all pairs of objects it would be quadratic in arithmetic. Address variables are chosen
//! when the activation begins and stay apart until it returns (`laws`).

use program::{EdgeId, VarKind};
use term::{Op, Term};

use crate::Refusal;
use crate::block::{Encoder, State};
use crate::layout::{ArrayOf, Cell, MAX_WHOLE, bytes_of, direct};
use crate::points::FrameId;
use crate::tuning::Tuning;

/// What an access concerns.
pub(crate) enum Target {
    /// Nothing that is modelled.
    Nothing,
    /// This object, at this offset.
    One(usize, u64),
    /// One of these objects, where the pointer leads.
    OneOf(Vec<usize>, Term),
}

/// A place in the modelled part of memory, and when the access is there.
struct Place {
    object: usize,
    at: u64,
    here: Term,
}

/// Elements of an array that an access concerns.
struct Elements {
    /// Their indices, ascending.
    places: Vec<Term>,
    /// When it does.
    inside: Term,
    /// Whether there is no other way for the access to lie in the object.
    is_sure: bool,
}

impl Encoder<'_> {
    /// What an access at this address concerns.
    pub(crate) fn target(
        &mut self,
        edge: EdgeId,
        frame: FrameId,
        state: &State,
        address: Term,
    ) -> Result<Target, Refusal> {
        if let Some((object, offset)) = direct(self.program, self.source, self.slots, address) {
            let object = self.memory.objects.find(self.program, frame, object);
            // Objects in columns are none of ours.
            let object = object.filter(|&object| self.site_of_object(object).is_none());
            return Ok(object.map_or(Target::Nothing, |object| Target::One(object, offset)));
        }
        let Some(objects) = self.memory.targets.get(&(frame, edge)).cloned() else { return Ok(Target::Nothing) };
        let pointer = self.value(edge, frame, state, address)?;
        // The pointer may have got its value on the paths of this block.
        let (base, offset) = self.base_and_offset(pointer);
        Ok(match objects.iter().find(|&&object| self.base(state, object) == base) {
            Some(&object) => Target::One(object, offset),
            None => Target::OneOf(objects, pointer),
        })
    }
    /// The term without the constants that are added to it, and their sum.
    fn base_and_offset(&self, pointer: Term) -> (Term, u64) {
        let (mut base, mut offset) = (pointer, 0u64);
        while let (Op::BvAdd, &[left, right]) = (self.own.op(base), self.own.args(base)) {
            match (self.own.small_value(left), self.own.small_value(right)) {
                (_, Some(value)) => (base, offset) = (left, offset.wrapping_add(value)),
                (Some(value), None) => (base, offset) = (right, offset.wrapping_add(value)),
                (None, None) => break,
            }
        }
        let width = self.program.pointer_width;
        (base, if width >= 64 { offset } else { offset & ((1 << width) - 1) })
    }

    /// What is read through the pointer; `any` where it leads to no place that is modelled.
    pub(crate) fn load_computed(
        &mut self,
        state: &State,
        objects: &[usize],
        address: Term,
        pointer: Term,
        any: Term,
    ) -> Term {
        let sort = self.own.sort_of(any);
        let Some(size) = bytes_of(&self.own, sort) else { return any };
        let mut read = any;
        let mut inside_each = Vec::new();
        let offset = self.base_and_offset(pointer).1;
        for &object in objects {
            if let Some(array) = self.memory.array_at(object) {
                if let Some(elements) = self.elements(array, state, address, pointer, size) {
                    let bits = self.select_each(state[self.memory.array_slot(array)], &elements.places);
                    let value = self.of_sort(bits, sort);
                    read = self.own.ite(elements.inside, value, read);
                }
                inside_each.push(self.starts_in(state, pointer, object));
            }
            let mut places = Vec::new();
            for (cell, at) in self.memory.places(object, size, offset) {
                let here = self.is_at(state, pointer, object, at);
                let value = self.read_part(state, cell, at, size, sort);
                read = self.own.ite(here, value, read);
                places.push(here);
            }
            if !places.is_empty() {
                inside_each.push(self.own.or(&places));
            }
        }
        self.in_one(&inside_each);
        read
    }
    /// Writes the bits through the pointer.
    pub(crate) fn store_computed(
        &mut self,
        state: &mut State,
        objects: &[usize],
        address: Term,
        pointer: Term,
        size: u64,
        bits: Term,
    ) {
        let objects: Vec<usize> = objects.iter().copied().filter(|&object| !self.is_read_only(object)).collect();
        let mut places = Vec::new();
        let offset = self.base_and_offset(pointer).1;
        for &object in &objects {
            if let Some(array) = self.memory.array_at(object) {
                let here = match self.elements(array, state, address, pointer, size) {
                    Some(elements) => elements.inside,
                    None => self.lies_in(state, pointer, object, size),
                };
                places.push(Place { object, at: 0, here });
            }
            for (_, at) in self.memory.places(object, size, offset) {
                let here = self.is_at(state, pointer, object, at);
                places.push(Place { object, at, here });
            }
        }
        self.places_in_one(state, pointer, &places);
        for object in objects {
            if let Some(array) = self.memory.array_at(object) {
                let slot = self.memory.array_slot(array);
                let elements = self.elements(array, state, address, pointer, size);
                state[slot] = self.write_elements(state, pointer, array, elements, bits);
            }
            for cell in self.memory.cells_of(object) {
                self.write_cell(state, pointer, cell, size, &places, bits);
            }
        }
    }
    /// Bytes become any value: this many at the pointer, or all of the object that it leads into.
    pub(crate) fn forget_computed(&mut self, state: &mut State, objects: &[usize], pointer: Term, size: Option<u64>) {
        let objects: Vec<usize> = objects.iter().copied().filter(|&object| !self.is_read_only(object)).collect();
        // Every place of this size in a small object is distinguished; of a large one all is forgotten.
        let known = |encoder: &Self, object: usize| {
            let whole = encoder.size_of(object);
            size.filter(|&size| {
                (1..=whole).contains(&size) && whole <= MAX_WHOLE && encoder.memory.array_at(object).is_none()
            })
        };
        let mut places = Vec::new();
        for &object in &objects {
            match known(self, object) {
                Some(size) => {
                    for at in 0..=self.size_of(object) - size {
                        let here = self.is_at(state, pointer, object, at);
                        places.push(Place { object, at, here });
                    }
                }
                None => {
                    let here = self.starts_in(state, pointer, object);
                    places.push(Place { object, at: 0, here });
                }
            }
        }
        self.places_in_one(state, pointer, &places);
        for object in objects {
            let Some(size) = known(self, object) else {
                let here = places.iter().find(|place| place.object == object).expect("it has one place").here;
                for slot in self.slots_of(object) {
                    let any = self.fresh_for(slot);
                    state[slot] = self.own.ite(here, any, state[slot]);
                }
                continue;
            };
            let sort = self.own.bv_sort(size as u32 * 8);
            let any = self.fresh_own("memory", sort);
            for cell in self.memory.cells_of(object) {
                self.write_cell(state, pointer, cell, size, &places, any);
            }
        }
    }

    /// The cell after a write of `size` bytes at one of the places. At a place that touches this cell, they are written
    /// there; at another, this one stays. Anywhere else it is any value if the bytes touch it.
    fn write_cell(&mut self, state: &mut State, pointer: Term, cell: usize, size: u64, places: &[Place], bits: Term) {
        let slot = self.memory.first_slot + cell;
        let Cell { object, from, to } = self.memory.cells[cell];
        let touches = |place: &&Place| place.object == object && place.at < to && from < place.at + size;
        let old = state[slot];
        let elsewhere: Vec<Term> = places.iter().filter(|place| !touches(place)).map(|place| place.here).collect();
        let elsewhere = self.own.or(&elsewhere);
        let overlaps = self.overlaps(state, pointer, cell, size);
        let any = self.fresh_for(slot);
        let unknown = self.own.ite(overlaps, any, old);
        let mut new = self.own.ite(elsewhere, old, unknown);
        for place in places.iter().filter(touches) {
            let (low, high) = (place.at.max(from), (place.at + size).min(to));
            let part = if (low, high) == (place.at, place.at + size) {
                bits
            } else {
                self.own.extract(bits, ((high - place.at) * 8) as u32 - 1, ((low - place.at) * 8) as u32)
            };
            let written = self.write_part(old, cell, low, high - low, part);
            new = self.own.ite(place.here, written, new);
        }
        state[slot] = new;
    }
    /// The law for conditions that each say that the first byte of one access lies in another object.
    fn in_one(&mut self, inside_each: &[Term]) {
        let Some((&first, others)) = inside_each.split_first() else { return };
        let mut before = first;
        for &inside in others {
            let both = self.own.and(&[before, inside]);
            let not_both = self.own.not(both);
            self.known.push(not_both);
            before = self.own.or(&[before, inside]);
        }
    }
    fn places_in_one(&mut self, state: &State, pointer: Term, places: &[Place]) {
        let mut inside_each = Vec::new();
        for places in places.chunk_by(|a, b| a.object == b.object) {
            let object = places[0].object;
            let inside = if self.memory.array_at(object).is_some() {
                // Also between the places of elements.
                self.starts_in(state, pointer, object)
            } else {
                let here: Vec<Term> = places.iter().map(|place| place.here).collect();
                self.own.or(&here)
            };
            inside_each.push(inside);
        }
        self.in_one(&inside_each);
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
    /// Whether the pointer leads to a byte of the object.
    fn starts_in(&mut self, state: &State, pointer: Term, object: usize) -> Term {
        let offset = self.offset_in(state, pointer, object);
        let size = self.own.bv(self.program.pointer_width, self.size_of(object));
        self.own.bv_ult(offset, size)
    }
    /// Whether all bytes of an access of this size through the pointer lie in the object.
    fn lies_in(&mut self, state: &State, pointer: Term, object: usize, size: u64) -> Term {
        let Some(last) = self.size_of(object).checked_sub(size) else { return self.own.truth(false) };
        let offset = self.offset_in(state, pointer, object);
        let last = self.own.bv(self.program.pointer_width, last);
        self.own.bv_ule(offset, last)
    }
    /// The elements that an access through the pointer concerns, if it concerns a small whole number of them.
    fn elements(&mut self, array: usize, state: &State, address: Term, pointer: Term, size: u64) -> Option<Elements> {
        let ArrayOf { object, element } = self.memory.arrays[array];
        if !size.is_multiple_of(element) || size / element > Tuning::DEFAULT.max_computed_elements {
            return None;
        }
        let width = self.program.pointer_width;
        let index = self.offset_in(state, pointer, object);
        let mut places = vec![index];
        for number in 1..size / element {
            let distance = self.own.bv(width, number * element);
            places.push(self.own.bv_add(index, distance));
        }
        let is_multiple = element == 1 || self.is_multiple(object, address, element);
        // Where one element begins, all of it lies in the object.
        let inside = if size == element {
            self.starts_in(state, pointer, object)
        } else {
            self.lies_in(state, pointer, object, size)
        };
        if is_multiple {
            return Some(Elements { places, inside, is_sure: size == element });
        }
        let n_low = element.trailing_zeros();
        let (low, zero) = (self.own.extract(index, n_low - 1, 0), self.own.bv(n_low, 0));
        let is_place = self.own.eq(low, zero);
        let inside = self.own.and(&[inside, is_place]);
        Some(Elements { places, inside, is_sure: false })
    }
    /// The array after a write: where it concerns whole elements, those are written; elsewhere in the object, all is any value.
    fn write_elements(
        &mut self,
        state: &State,
        pointer: Term,
        array: usize,
        elements: Option<Elements>,
        bits: Term,
    ) -> Term {
        let slot = self.memory.array_slot(array);
        let ArrayOf { object, element } = self.memory.arrays[array];
        let old = state[slot];
        if let Some(Elements { places, inside, is_sure: true }) = &elements {
            let written = self.own.store(old, places[0], bits);
            return self.own.ite(*inside, written, old);
        }
        let (somewhere, any) = (self.starts_in(state, pointer, object), self.fresh_for(slot));
        let unknown = self.own.ite(somewhere, any, old);
        let Some(Elements { places, inside, .. }) = elements else { return unknown };
        let mut written = old;
        for (number, &place) in places.iter().enumerate() {
            let width = element as u32 * 8;
            let low = number as u32 * width;
            let part = if places.len() == 1 { bits } else { self.own.extract(bits, low + width - 1, low) };
            written = self.own.store(written, place, part);
        }
        self.own.ite(inside, written, unknown)
    }
    /// Whether the address is that of this object plus multiples of the size of an element, as far as its form shows it. Sizes
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
