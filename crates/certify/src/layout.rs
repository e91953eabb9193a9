//! Layout: which parts of memory are modelled, and how.
//!
//! Of each object we model *cells*: the byte ranges that the program or the evidence names by a constant offset,
//! overlapping ones made one; a cell is a slot of the state that holds a bit-vector. An object that is accessed
//! at computed places, always with one size that divides its own, is one *array* instead, from byte offsets to
//! elements; so is a large one that is accessed with several sizes, unless its parts have names. Everything
//! else is any value whenever it is read.

use base::{Bits, Budget, FastMap, Id};
use program::{Action, EdgeId, ObjectId, Program, Storage, Var, VarKind};
use term::{Op, Sort, SortKind, Term, Terms};

use crate::Refusal;
use crate::claim::{Claim, Named};
use crate::flow::Flow;
use crate::laws::mentioned;
use crate::points::{FrameId, How, Node, Points};
use crate::points_to::PointsTo;
use crate::slots::Slots;
use crate::stale::{Stale, stale};
use crate::valid::may_have_ended;

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
pub(crate) struct Cell {
    pub object: usize,
    pub from: u64,
    pub to: u64,
}

/// An object as an array of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ArrayOf {
    pub object: usize,
    /// Bytes of an element.
    pub element: u64,
}

/// Cells and arrays, and what each pointer may lead into.
pub(crate) struct Memory {
    pub objects: Objects,
    /// Sorted by object and place.
    pub cells: Vec<Cell>,
    /// Sorted by object; these have no cells.
    pub arrays: Vec<ArrayOf>,
    /// The slot of the first cell; arrays come after the cells.
    pub first_slot: usize,
    /// Objects that accesses at computed addresses may concern; those that are live there.
    pub targets: FastMap<(FrameId, EdgeId), Vec<usize>>,
    /// Objects whose addresses are taken.
    pub taken: Vec<usize>,
    /// Address variables of functions that stand in terms.
    pub functions: Vec<Var>,
    /// Objects that may end before their activation returns. Each has a slot of sort Bool, after those of the arrays: whether
    /// it is live.
    pub ending: Vec<usize>,
    /// By node and place in `ending`: whether the object may have ended when a run comes there.
    pub may_have_ended: Vec<Vec<bool>>,
    /// Probes through pointers that may be older than the object that lives.
    pub stale: Stale,
    /// The layout that the evidence claims, if it does. Its objects have no cells and arrays here, and its slots come last.
    pub claim: Option<Claim>,
}

/// An access at an address that is not a constant distance from one object.
struct Computed {
    node: Node,
    frame: FrameId,
    edge: EdgeId,
    address: Term,
    /// In bytes; none where the action has no size.
    size: Option<u64>,
}

// law: how the checker divides memory into cells.
/// Objects with up to this many bytes that pointers lead into are one cell.
pub(crate) const MAX_WHOLE: u64 = 64;
/// Cells wider than this many bytes are not modelled.
const MAX_CELL: u64 = 1024;

impl Memory {
    /// Finds the cells of the program, and those that the evidence names. Long: the steps share their intermediate results.
    pub fn new(
        program: &Program,
        terms: &Terms,
        points: &Points<'_>,
        slots: &Slots,
        named: impl Iterator<Item = (FrameId, Storage)>,
        layout: Option<&Named<'_>>,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        let objects = Objects::new(program, points);
        let claim =
            layout.map(|layout| Claim::new(program, terms, points, slots, &objects, layout, budget)).transpose()?;
        let is_claimed = |object: usize| claim.as_ref().is_some_and(|claim| claim.has_object(object));
        let mut ranges: Vec<Cell> = Vec::new();
        let mut wanted_arrays: Vec<ArrayOf> = Vec::new();
        let size_of = |object: usize| program.objects[objects.list[object].1].size;
        let mut add = |object: usize, from: u64, size: u64| {
            let to = from.checked_add(size).filter(|&to| to <= size_of(object) && size > 0);
            if let Some(to) = to.filter(|_| !is_claimed(object)) {
                ranges.push(Cell { object, from, to });
            }
        };
        for (frame, storage) in named {
            match storage {
                Storage::Bytes { object, offset, size } => {
                    if let Some(object) = objects.find(program, frame, object) {
                        add(object, offset, size);
                    }
                }
                Storage::Array { object, element } => {
                    let object = objects.find(program, frame, object);
                    let object = object.filter(|&object| !is_claimed(object));
                    wanted_arrays.extend(object.map(|object| ArrayOf { object, element }));
                }
                Storage::Variable(_)
                | Storage::Live { .. }
                | Storage::Column { .. }
                | Storage::Used
                | Storage::Allocated { .. }
                | Storage::Heap { .. }
                | Storage::Tags => {}
            }
        }
        let mut computed = Vec::new();
        for node in (0..points.hops.len()).map(Node::new) {
            for hop in &points.hops[node] {
                let How::Step(edge) = hop.how else { continue };
                let frame = points.place(node).frame;
                let (address, size) = match &program.edges[edge].action {
                    Action::Load { var, address } => (*address, bytes_of(terms, program.vars[*var].sort)),
                    Action::Store { address, value } => (*address, bytes_of(terms, terms.sort_of(*value))),
                    Action::Forget { address, .. } | Action::Probe { address, .. } => (*address, None),
                    _ => continue,
                };
                match (direct(program, terms, slots, address), size) {
                    (Some((object, offset)), Some(size)) => {
                        if let Some(object) = objects.find(program, frame, object) {
                            add(object, offset, size);
                        }
                    }
                    (Some(_), None) => {}
                    (None, _) => computed.push(Computed { node, frame, edge, address, size }),
                }
            }
        }
        let mut memory = Memory {
            objects,
            cells: Vec::new(),
            arrays: Vec::new(),
            first_slot: slots.vars.len(),
            targets: FastMap::new(),
            taken: Vec::new(),
            functions: Vec::new(),
            ending: Vec::new(),
            may_have_ended: Vec::new(),
            stale: Stale::new(),
            claim: None,
        };
        memory.ending = ending(program, &memory.objects);
        if !memory.ending.is_empty() {
            memory.may_have_ended = may_have_ended(program, terms, points, slots, &memory);
        }
        memory.claim = claim;
        let mut sizes = memory.resolve(program, terms, points, slots, &computed);
        memory.stale = stale(program, terms, points, slots, &memory);
        memory.add_mentioned(program, &mentioned(program, terms, slots));
        for array in &wanted_arrays {
            sizes[array.object].push(array.element);
        }
        memory.arrays = arrays(program, &memory.objects, &sizes, &ranges, &wanted_arrays);
        // A small object that is accessed through pointers only has no cell so far.
        for (object, sizes) in sizes.iter().enumerate() {
            let size = program.objects[memory.objects.list[object].1].size;
            if !sizes.is_empty() && (1..=MAX_WHOLE).contains(&size) {
                ranges.push(Cell { object, from: 0, to: size });
            }
        }
        ranges.retain(|range| memory.array_at(range.object).is_none());
        memory.cells = merged(ranges);
        Ok(memory)
    }
    /// Finds the objects that accesses at computed addresses may touch. Returns, by object, the sizes of these accesses.
    fn resolve(
        &mut self,
        program: &Program,
        terms: &Terms,
        points: &Points<'_>,
        slots: &Slots,
        computed: &[Computed],
    ) -> Vec<Vec<u64>> {
        let mut sizes: Vec<Vec<u64>> = vec![Vec::new(); self.objects.list.len()];
        if computed.is_empty() || self.objects.list.is_empty() {
            return sizes;
        }
        let found = PointsTo::new(program, terms, points, slots, &self.objects);
        let flow = Flow::new(&found, points);
        for &Computed { node, frame, edge, address, size } in computed {
            let set = flow.of_term(node, frame, address);
            let objects = &self.objects.list;
            let is_probe = matches!(program.edges[edge].action, Action::Probe { .. });
            let is_ours = |object: usize| is_probe || self.claim.as_ref().is_none_or(|claim| !claim.has_object(object));
            let targets: Vec<usize> = (0..objects.len())
                .filter(|&object| set.contains(object) && is_live(program, points, frame, objects[object]))
                .filter(|&object| is_ours(object))
                .collect();
            if let Some(size) = size {
                // At an offset that is no multiple of the size, elements of that size would only be touched in part.
                let added = constant_part(terms, address) | size;
                let common = 1 << added.trailing_zeros();
                let is_between = size.is_power_of_two() && common < size;
                for &object in &targets {
                    sizes[object].push(size);
                    sizes[object].extend(is_between.then_some(common));
                }
            }
            self.targets.insert((frame, edge), targets);
        }
        let taken = found.taken();
        self.taken = (0..self.objects.list.len()).filter(|&object| taken.contains(object)).collect();
        sizes
    }
    /// Objects and functions whose addresses stand in terms.
    fn add_mentioned(&mut self, program: &Program, mentioned: &[Var]) {
        for &var in mentioned {
            match program.vars[var].kind {
                VarKind::AddressOfFunction(_) => self.functions.push(var),
                VarKind::AddressOf(object) => {
                    let list = &self.objects.list;
                    self.taken.extend((0..list.len()).filter(|&place| list[place].1 == object));
                }
                _ => {}
            }
        }
        self.taken.sort_unstable();
        self.taken.dedup();
    }
    /// How many slots cells and arrays take.
    pub fn n_slots(&self) -> usize {
        self.cells.len() + self.arrays.len() + self.ending.len() + self.claim.as_ref().map_or(0, Claim::n_slots)
    }
    /// The slot of the first column.
    pub fn first_claim_slot(&self) -> usize {
        self.first_slot + self.cells.len() + self.arrays.len() + self.ending.len()
    }
    /// The slot that says whether the object is live, if it may end early.
    pub fn live_slot(&self, object: usize) -> Option<usize> {
        let place = self.ending.binary_search(&object).ok()?;
        Some(self.first_slot + self.cells.len() + self.arrays.len() + place)
    }
    /// The place of the object among the arrays.
    pub fn array_at(&self, object: usize) -> Option<usize> {
        self.arrays.binary_search_by_key(&object, |array| array.object).ok()
    }
    /// The slot of an array.
    pub fn array_slot(&self, array: usize) -> usize {
        self.first_slot + self.cells.len() + array
    }
    /// The sort of the slot, in this store.
    pub fn sort(&self, own: &mut Terms, pointer_width: u32, slot: usize) -> Sort {
        if let Some(claim) = self.claim.as_ref().filter(|_| slot >= self.first_claim_slot()) {
            return claim.sort(own, pointer_width, slot - self.first_claim_slot());
        }
        let place = slot - self.first_slot;
        match self.cells.get(place) {
            Some(cell) => own.bv_sort((cell.to - cell.from) as u32 * 8),
            None => match self.arrays.get(place - self.cells.len()) {
                Some(array) => {
                    let element = own.bv_sort(array.element as u32 * 8);
                    let index = own.bv_sort(pointer_width);
                    own.sort(SortKind::Array(index, element))
                }
                None => own.bool_sort(),
            },
        }
    }
    /// Some bytes of the object's first contents, if it is static.
    pub fn initial(&self, program: &Program, object: usize, from: u64, size: u64) -> Option<Bits> {
        let object = &program.objects[self.objects.list[object].1];
        if object.owner.is_some() {
            return None;
        }
        let mut words = vec![0u64; size.div_ceil(8) as usize];
        for place in 0..size as usize {
            let at = usize::try_from(from).ok().and_then(|from| from.checked_add(place));
            let byte = at.and_then(|at| object.init.get(at)).copied().unwrap_or(0);
            words[place / 8] |= u64::from(byte) << (place % 8 * 8);
        }
        Some(Bits::from_words(size as u32 * 8, &words))
    }
    /// The places of the object's cells.
    pub fn cells_of(&self, object: usize) -> impl Iterator<Item = usize> + use<> {
        let start = self.cells.partition_point(|cell| cell.object < object);
        let end = self.cells.partition_point(|cell| cell.object <= object);
        start..end
    }
    /// The cell that holds these bytes.
    pub fn cell_with(&self, object: usize, from: u64, size: u64) -> Option<usize> {
        let to = from.checked_add(size)?;
        self.cells_of(object).find(|&cell| self.cells[cell].from <= from && to <= self.cells[cell].to)
    }
    /// Where an access of this size can lie in the modelled part of the object: at multiples of the size from the begin of a
    /// cell, and at those plus `offset` from the begin of the object.
    pub fn places(&self, object: usize, size: u64, offset: u64) -> Vec<(usize, u64)> {
        let mut places = Vec::new();
        for cell in self.cells_of(object) {
            let Cell { from, to, .. } = self.cells[cell];
            // How far after the begin of the cell the first place is.
            let other = (offset % size + size - from % size) % size;
            for first in [from].into_iter().chain((other != 0).then_some(from + other)) {
                let mut at = first;
                while at + size <= to {
                    places.push((cell, at));
                    at += size;
                }
            }
        }
        places
    }
}

/// How many bytes a value of the sort takes in memory.
pub(crate) fn bytes_of(terms: &Terms, sort: Sort) -> Option<u64> {
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
pub(crate) fn direct(program: &Program, terms: &Terms, slots: &Slots, address: Term) -> Option<(ObjectId, u64)> {
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

/// The sum of the constants that are added in the address.
fn constant_part(terms: &Terms, address: Term) -> u64 {
    let mut sum = 0u64;
    let mut todo = vec![address];
    while let Some(term) = todo.pop() {
        match terms.op(term) {
            Op::Value => sum = sum.wrapping_add(terms.small_value(term).unwrap_or(0)),
            Op::BvAdd => todo.extend_from_slice(terms.args(term)),
            _ => {}
        }
    }
    sum
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

/// The objects that are accessed at computed places with one size only, a power of two that divides their own; and large ones that
/// are accessed with several.
///
/// Points-to sets forget the order of statements, so an object that runs access with one size can seem to be accessed with
/// several. Its elements are those that the evidence names, otherwise as large as all accesses allow. A small object stays one cell, of
/// which every part is known; a large one with direct accesses of several sizes, a structure, has cells.
fn arrays(
    program: &Program,
    objects: &Objects,
    sizes: &[Vec<u64>],
    ranges: &[Cell],
    wanted: &[ArrayOf],
) -> Vec<ArrayOf> {
    let size_of = |object: usize| program.objects[objects.list[object].1].size;
    let divides = |array: &ArrayOf| {
        let whole = size_of(array.object);
        let is_size = array.element.is_power_of_two() && array.element <= MAX_CELL;
        is_size && whole > array.element && whole.is_multiple_of(array.element)
    };
    let is_only_size = |array: &ArrayOf| {
        let ArrayOf { object, element } = *array;
        let has_place = |range: &Cell| range.to - range.from == element && range.from.is_multiple_of(element);
        sizes[object].iter().all(|&size| size == element)
            && ranges.iter().filter(|range| range.object == object).all(has_place)
    };
    let common = |object: usize| {
        let mut direct = ranges.iter().filter(|range| range.object == object);
        let first = direct.clone().next().map(|range| range.to - range.from);
        let is_structure = direct.clone().any(|range| Some(range.to - range.from) != first);
        let ends = direct.by_ref().flat_map(|range| [range.from, range.to]);
        let bits = ends.chain(sizes[object].iter().copied()).fold(size_of(object), |bits, size| bits | size);
        let element = 1 << bits.trailing_zeros().min(10);
        (!is_structure && !sizes[object].is_empty()).then_some(ArrayOf { object, element })
    };
    let array_of = |object: usize| {
        let first = sizes[object].first().map(|&element| ArrayOf { object, element });
        let one_size = first.filter(|array| divides(array) && is_only_size(array));
        if one_size.is_some() || size_of(object) <= MAX_WHOLE {
            return one_size;
        }
        let named = wanted.iter().copied().find(|array| array.object == object && divides(array));
        named.or_else(|| common(object).filter(divides))
    };
    (0..objects.list.len()).filter_map(array_of).collect()
}

/// The objects that a block ends before the activation returns, ascending.
fn ending(program: &Program, objects: &Objects) -> Vec<usize> {
    let mut ends: FastMap<ObjectId, ()> = FastMap::new();
    for edge in &program.edges {
        if let Action::End { object } = edge.action {
            ends.insert(object, ());
        }
    }
    (0..objects.list.len()).filter(|&object| ends.contains_key(&objects.list[object].1)).collect()
}

/// Whether the object exists while a run is in the activation.
pub(crate) fn is_live(
    program: &Program,
    points: &Points<'_>,
    frame: FrameId,
    (home, object): (FrameId, ObjectId),
) -> bool {
    let mut at = Some(frame);
    while let Some(frame) = at {
        if frame == home {
            return true;
        }
        at = points.frames[frame].caller.map(|(caller, _)| caller);
    }
    program.objects[object].owner.is_none()
}
