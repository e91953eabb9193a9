//! Memory: what reads and writes mean in formulas, object by object.
//!
//! Of each object we model cells: the byte ranges that the program or the evidence names by a constant offset,
//! overlapping ones made one. A cell is a slot of the state that holds a bit-vector. An access whose address is written
//! as an object's address plus a constant concerns a part of one cell. An access through any other pointer may
//! concern every place of its size in the cells of every live object that the pointer may lead into
//! (`points_to`); where it is none of these places, a read is any value, and a write makes the cells it may
//! overlap any value. What lies outside the object, on the heap or in an object that is no more is any value
//! when read, and no cell changes when it is written. So is whatever else is not modelled.

use base::{FastMap, Id};
use program::{Action, EdgeId, ObjectId, Program, Storage, VarKind};
use term::{FpOp, Op, Sort, SortKind, Term, Terms};

use crate::Refusal;
use crate::block::{Encoder, State};
use crate::points::{FrameId, How, Node, Points};
use crate::points_to::PointsTo;
use crate::slots::Slots;

/// The objects of the expanded program.
pub(crate) struct Objects {
    /// Activation and object; static ones are in the entry function's.
    pub list: Vec<(FrameId, ObjectId)>,
    index: FastMap<(FrameId, ObjectId), usize>,
}

impl Objects {
    pub fn new(program: &Program, points: &Points<'_>) -> Self {
        let root = FrameId::new(0);
        let statics = program.objects.ids().filter(|&object| program.objects[object].owner.is_none());
        let mut list: Vec<(FrameId, ObjectId)> = statics.map(|object| (root, object)).collect();
        for (frame, activation) in points.frames.iter_enumerated() {
            list.extend(program.functions[activation.function].objects.iter().map(|&object| (frame, object)));
        }
        let mut index = FastMap::new();
        for (place, &at) in list.iter().enumerate() {
            index.insert(at, place);
        }
        Objects { list, index }
    }
    /// The object as a run in this activation sees it.
    pub fn find(&self, program: &Program, frame: FrameId, object: ObjectId) -> Option<usize> {
        let frame = if program.objects[object].owner.is_none() { FrameId::new(0) } else { frame };
        self.index.get(&(frame, object)).copied()
    }
}

/// Some bytes of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cell {
    object: usize,
    from: u64,
    to: u64,
}

/// The cells, and what each pointer may lead into.
pub(crate) struct Memory {
    objects: Objects,
    /// Sorted by object and place.
    cells: Vec<Cell>,
    /// The slot of the first cell.
    first_slot: usize,
    /// Objects that accesses through pointers may concern; those that are live there.
    targets: FastMap<(FrameId, EdgeId), Vec<usize>>,
    /// Objects whose addresses are taken.
    taken: Vec<usize>,
}

/// Cells wider than this many bytes are not modelled, nor are more than so many in one object.
const MAX_CELL: u64 = 1024;
/// Pairs of places whose addresses are known to differ.
const MAX_APART: usize = 5000;

impl Memory {
    /// Finds the cells of the program, and those that the evidence names.
    pub fn new(
        program: &Program,
        terms: &Terms,
        points: &Points<'_>,
        slots: &Slots,
        named: impl Iterator<Item = (FrameId, Storage)>,
    ) -> Self {
        let objects = Objects::new(program, points);
        let mut ranges: Vec<Cell> = Vec::new();
        let mut add = |object: usize, from: u64, size: u64| {
            let whole = program.objects[objects.list[object].1].size;
            if let Some(to) = from.checked_add(size).filter(|&to| to <= whole && size > 0) {
                ranges.push(Cell { object, from, to });
            }
        };
        for (frame, storage) in named {
            if let Storage::Bytes { object, offset, size } = storage
                && let Some(object) = objects.find(program, frame, object)
            {
                add(object, offset, size);
            }
        }
        let mut through_pointers = Vec::new();
        for node in (0..points.hops.len()).map(Node::new) {
            for hop in &points.hops[node] {
                let How::Step(edge) = hop.how else { continue };
                let frame = points.place(node).frame;
                let (address, size) = match &program.edges[edge].action {
                    Action::Load { var, address } => (*address, bytes_of(terms, program.vars[*var].sort)),
                    Action::Store { address, value } => (*address, bytes_of(terms, terms.sort_of(*value))),
                    Action::Forget { address, .. } => (*address, None),
                    _ => continue,
                };
                match (direct(program, terms, slots, address), size) {
                    (Some((object, offset)), Some(size)) => {
                        if let Some(object) = objects.find(program, frame, object) {
                            add(object, offset, size);
                        }
                    }
                    (Some(_), None) => {}
                    (None, _) => through_pointers.push((frame, edge, address)),
                }
            }
        }
        let cells = merged(ranges);
        let mut memory =
            Memory { objects, cells, first_slot: slots.vars.len(), targets: FastMap::new(), taken: Vec::new() };
        if memory.cells.is_empty() || through_pointers.is_empty() {
            return memory;
        }
        let found = PointsTo::new(program, terms, points, slots, &memory.objects);
        for (frame, edge, address) in through_pointers {
            let set = found.of_term(frame, address);
            let objects = &memory.objects.list;
            let targets = (0..objects.len())
                .filter(|&object| set.contains(object) && is_live(program, points, frame, objects[object]))
                .collect();
            memory.targets.insert((frame, edge), targets);
        }
        let taken = found.taken();
        memory.taken = (0..memory.objects.list.len()).filter(|&object| taken.contains(object)).collect();
        memory
    }
    /// How many cells there are.
    pub fn n_cells(&self) -> usize {
        self.cells.len()
    }
    /// The width of the slot of a cell.
    pub fn width(&self, slot: usize) -> u32 {
        let cell = self.cells[slot - self.first_slot];
        (cell.to - cell.from) as u32 * 8
    }
    /// The first contents of a static object's cell; `None` for what is unspecified.
    pub fn initial(&self, program: &Program, slot: usize) -> Option<base::Bits> {
        let cell = self.cells[slot - self.first_slot];
        let object = &program.objects[self.objects.list[cell.object].1];
        if object.owner.is_some() {
            return None;
        }
        let mut words = vec![0u64; (cell.to - cell.from).div_ceil(8) as usize];
        for at in cell.from..cell.to {
            let byte = usize::try_from(at).ok().and_then(|at| object.init.get(at)).copied().unwrap_or(0);
            let place = (at - cell.from) as usize;
            words[place / 8] |= u64::from(byte) << (place % 8 * 8);
        }
        Some(base::Bits::from_words(self.width(slot), &words))
    }
    fn cells_of(&self, object: usize) -> impl Iterator<Item = usize> + use<> {
        let start = self.cells.partition_point(|cell| cell.object < object);
        let end = self.cells.partition_point(|cell| cell.object <= object);
        start..end
    }
    /// The cell that holds these bytes.
    fn cell_with(&self, object: usize, from: u64, size: u64) -> Option<usize> {
        let to = from.checked_add(size)?;
        self.cells_of(object).find(|&cell| self.cells[cell].from <= from && to <= self.cells[cell].to)
    }
    /// Where an access of this size can lie in the modelled part of the object.
    fn places(&self, object: usize, size: u64) -> Vec<(usize, u64)> {
        let mut places = Vec::new();
        for cell in self.cells_of(object) {
            let Cell { from, to, .. } = self.cells[cell];
            let mut at = from;
            while at + size <= to {
                places.push((cell, at));
                at += size;
            }
        }
        places
    }
}

/// How many bytes a value of the sort takes in memory.
fn bytes_of(terms: &Terms, sort: Sort) -> Option<u64> {
    match *terms.sort_kind(sort) {
        SortKind::Bool => Some(1),
        SortKind::BitVec(width) if width % 8 == 0 => Some(u64::from(width) / 8),
        SortKind::Float(exponent, significand) if (exponent + significand) % 8 == 0 => {
            Some(u64::from(exponent + significand) / 8)
        }
        _ => None,
    }
}

/// The object and the offset, if the address is written as an object's address plus constants.
fn direct(program: &Program, terms: &Terms, slots: &Slots, address: Term) -> Option<(ObjectId, u64)> {
    let mut object = None;
    let mut offset = 0u64;
    let mut todo = vec![(address, true)];
    while let Some((term, positive)) = todo.pop() {
        match terms.op(term) {
            Op::Value => {
                let value = terms.small_value(term)?;
                offset = if positive { offset.wrapping_add(value) } else { offset.wrapping_sub(value) };
            }
            Op::BvAdd => todo.extend(terms.args(term).iter().map(|&arg| (arg, positive))),
            Op::BvSub => todo.extend([(terms.arg(term, 0), positive), (terms.arg(term, 1), !positive)]),
            Op::Symbol(_) if positive && object.is_none() => match program.vars[slots.var(term)?].kind {
                VarKind::AddressOf(found) => object = Some(found),
                _ => return None,
            },
            _ => return None,
        }
    }
    let width = program.pointer_width;
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    Some((object?, offset & mask))
}

/// Overlapping ranges made one; too wide ones left out.
fn merged(mut ranges: Vec<Cell>) -> Vec<Cell> {
    ranges.sort_unstable_by_key(|cell| (cell.object, cell.from, cell.to));
    let mut cells: Vec<Cell> = Vec::new();
    for range in ranges {
        match cells.last_mut() {
            Some(last) if last.object == range.object && range.from < last.to => last.to = last.to.max(range.to),
            _ => cells.push(range),
        }
    }
    cells.retain(|cell| cell.to - cell.from <= MAX_CELL);
    cells
}

/// Whether the object exists while a run is in the activation.
fn is_live(program: &Program, points: &Points<'_>, frame: FrameId, (home, object): (FrameId, ObjectId)) -> bool {
    let mut at = Some(frame);
    while let Some(frame) = at {
        if frame == home {
            return true;
        }
        at = points.frames[frame].caller.map(|(caller, _)| caller);
    }
    program.objects[object].owner.is_none()
}

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
            let cell = object.and_then(|object| self.memory.cell_with(object, offset, size));
            return Ok(match cell {
                Some(cell) => self.read_part(state, cell, offset, size, sort),
                None => any,
            });
        }
        let Some(targets) = self.memory.targets.get(&(frame, edge)).cloned() else { return Ok(any) };
        let pointer = self.value(edge, frame, state, address)?;
        let mut read = any;
        for object in targets {
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
            if let Some(cell) = self.memory.cell_with(object, offset, size) {
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
        let targets = match direct(self.program, self.source, self.slots, address) {
            Some((object, offset)) => {
                let Some(object) = self.memory.objects.find(self.program, frame, object) else { return };
                // A constant size that stays within the object; otherwise all of it.
                let size =
                    size.and_then(|size| self.source.small_value(size)).and_then(|size| offset.checked_add(size));
                let end = size.filter(|&end| end <= self.program.objects[self.memory.objects.list[object].1].size);
                let within = |cell: Cell| end.is_none_or(|end| cell.from < end && offset < cell.to);
                let cells = self.memory.cells_of(object).filter(|&cell| within(self.memory.cells[cell]));
                cells.collect::<Vec<usize>>()
            }
            None => {
                let targets = self.memory.targets.get(&(frame, edge)).cloned().unwrap_or_default();
                targets.into_iter().flat_map(|object| self.memory.cells_of(object)).collect()
            }
        };
        for cell in targets {
            let slot = self.memory.first_slot + cell;
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
            if let Some(object) = self.memory.objects.find(self.program, frame, object) {
                for cell in self.memory.cells_of(object) {
                    let slot = self.memory.first_slot + cell;
                    state[slot] = self.fresh_for(slot);
                }
            }
        }
        self.apart(frame, state)
    }
    /// Live objects lie apart: known places of different ones have different addresses, and none is null.
    pub(crate) fn apart(&mut self, frame: FrameId, state: &State) -> Term {
        let live: Vec<usize> = self
            .memory
            .taken
            .iter()
            .copied()
            .filter(|&object| is_live(self.program, self.points, frame, self.memory.objects.list[object]))
            .collect();
        let mut places: Vec<(usize, Term)> = Vec::new();
        for &object in &live {
            let mut offsets: Vec<u64> = self.memory.cells_of(object).map(|cell| self.memory.cells[cell].from).collect();
            if offsets.first() != Some(&0) {
                offsets.insert(0, 0);
            }
            for offset in offsets {
                places.push((object, self.address(state, object, offset)));
            }
        }
        let mut facts = Vec::new();
        for (i, &(object, address)) in places.iter().enumerate() {
            let null = self.own.bv(self.program.pointer_width, 0);
            facts.push(self.own.ne(address, null));
            for &(other, place) in &places[..i] {
                if other != object && facts.len() < MAX_APART {
                    facts.push(self.own.ne(place, address));
                }
            }
        }
        self.own.and(&facts)
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
        let cell = self.memory.cell_with(object, offset, size)?;
        Some(self.read_part(state, cell, offset, size, sort))
    }

    // ---- parts

    fn is_read_only(&self, object: usize) -> bool {
        self.program.objects[self.memory.objects.list[object].1].read_only
    }
    fn base(&self, state: &State, object: usize) -> Term {
        let (frame, object) = self.memory.objects.list[object];
        state[self.slots.slot(frame, self.program.objects[object].address)]
    }
    fn address(&mut self, state: &State, object: usize, offset: u64) -> Term {
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
}
