//! The memory machine: what loads, stores and allocations do to the columns of a layout that holds (`claim`).
//!
//! **Why this is right.** Addresses are never handed out twice, so an address belongs to at most one object of a run.
//! *Relation*: for every live object of a site and every cell of it in a column, the column holds the bytes there, at the index of its
//! form. *Kept by stores*: a valid store goes to a cell of the column that its route names (K4); other cells of the object
//! are in other columns or at other indices (K2), other objects have other addresses, so other indices in cell columns, and no part in
//! columns of one object (K5). A store without a route makes every column any value that it may touch (K6). *Kept by a new object*: no cell of it was
//! ever written, so let the column's first value at its address be what the object starts with; the encoding leaves it open.
//! Columns of one object become any value where the object begins. *Loads* read the related cell. So every strict
//! run has a run here with the same words; runs beyond that only make the check harder.
//!
//! The address of an object that runs make at most once is a constant of the run, also before the object exists: it differs from all
//! other addresses of that kind. An object of another site begins at an address that is not in use, and differs from these.

use base::Bits;
use program::{Class, Form, Member, Part};
use term::{Op, Sort, SortKind, Term, Terms};

use crate::block::{Encoder, State};
use crate::claim::{Claim, Route, What};
use crate::layout::is_live;
use crate::points::FrameId;
use crate::tuning::Tuning;

impl Claim {
    /// The sort of a slot of the claim, counted from its first.
    pub fn sort(&self, own: &mut Terms, width: u32, slot: usize) -> Sort {
        let index = own.bv_sort(width);
        match self.columns.get(slot) {
            Some(column) => {
                let element = own.bv_sort(column.bytes as u32 * 8);
                match column.form {
                    Form::Scalar => element,
                    Form::Offset | Form::Cell => own.sort(SortKind::Array(index, element)),
                }
            }
            None if slot >= self.first_heap_slot() => self.heap.sort(own, width, slot - self.first_heap_slot()),
            None if slot == self.used_slot() => {
                let bit = own.bv_sort(1);
                own.sort(SortKind::Array(index, bit))
            }
            None => index,
        }
    }
}

impl<'a> Encoder<'a> {
    fn claim(&self) -> Option<&'a Claim> {
        self.memory.claim.as_ref()
    }
    fn claim_slot(&self, slot: usize) -> usize {
        self.memory.first_claim_slot() + slot
    }
    /// What happens to columns on the edge.
    pub(crate) fn route(&self, frame: FrameId, edge: program::EdgeId) -> Option<&'a Route> {
        self.claim()?.routes.get(&(frame, edge))
    }
    /// The address of the object of a site that is constant or of which one object is live.
    fn base_of(&self, claim: &Claim, state: &State, site: usize) -> Term {
        let place = claim.places[site];
        match (place.base, place.what) {
            (Some(slot), _) => state[self.claim_slot(slot)],
            (None, What::Object(object)) => self.base(state, object),
            (None, What::Alloc(..)) => unreachable!("an allocation on a cycle has no single address"),
        }
    }
    fn number(&mut self, value: u64) -> Term {
        self.own.bv(self.program.pointer_width, value)
    }
    fn sum(&mut self, base: Term, offset: u64) -> Term {
        if offset == 0 {
            return base;
        }
        let offset = self.number(offset);
        self.own.bv_add(base, offset)
    }
    /// The address less a constant, which meets the constant that was added.
    fn less(&mut self, address: Term, shift: u64) -> Term {
        if shift == 0 {
            return address;
        }
        let (shift, null) = (self.number(shift), self.number(0));
        let minus = self.own.bv_sub(null, shift);
        if let (Op::BvAdd, &[left, right]) = (self.own.op(address), self.own.args(address)) {
            for (rest, literal) in [(left, right), (right, left)] {
                if self.own.small_value(literal).is_some() {
                    let sum = self.own.bv_add(literal, minus);
                    let is_zero = self.own.small_value(sum) == Some(0);
                    return if is_zero { rest } else { self.own.bv_add(rest, sum) };
                }
            }
        }
        self.own.bv_add(address, minus)
    }
    fn index(&mut self, claim: &Claim, state: &State, column: usize, address: Term) -> Term {
        if claim.columns[column].form != Form::Offset {
            return self.less(address, claim.columns[column].shift());
        }
        let base = self.base_of(claim, state, claim.columns[column].members[0].site as usize);
        match (self.own.op(address), self.own.args(address)) {
            (Op::BvAdd, &[left, right]) if left == base => right,
            (Op::BvAdd, &[left, right]) if right == base => left,
            _ if address == base => self.number(0),
            _ => self.own.bv_sub(address, base),
        }
    }

    /// What is read, as bits.
    pub(crate) fn read_columns(&mut self, state: &State, parts: &[Part], pointer: Term) -> Option<Term> {
        let claim = self.claim()?;
        let mut all: Option<Term> = None;
        let mut at = 0;
        for part in parts {
            let value = match part.column.map(|column| column as usize) {
                None => {
                    let sort = self.own.bv_sort(part.bytes as u32 * 8);
                    self.fresh_own("memory", sort)
                }
                Some(column) => {
                    let contents = state[self.claim_slot(column)];
                    if claim.columns[column].form == Form::Scalar {
                        contents
                    } else {
                        let place = self.sum(pointer, at);
                        let index = self.index(claim, state, column, place);
                        self.note_bases(state);
                        self.read_place(contents, index)
                    }
                }
            };
            all = Some(match all {
                None => value,
                Some(below) => self.own.concat(value, below),
            });
            at += part.bytes;
        }
        all
    }
    /// Writes the bits.
    pub(crate) fn write_columns(&mut self, state: &mut State, parts: &[Part], pointer: Term, bits: Term) {
        let Some(claim) = self.claim() else { return };
        let mut at = 0;
        for part in parts {
            if let Some(column) = part.column.map(|column| column as usize) {
                let low = at as u32 * 8;
                let piece = match parts.len() {
                    1 => bits,
                    _ => self.own.extract(bits, low + part.bytes as u32 * 8 - 1, low),
                };
                let slot = self.claim_slot(column);
                if claim.columns[column].form == Form::Scalar {
                    state[slot] = piece;
                } else {
                    let place = self.sum(pointer, at);
                    let index = self.index(claim, state, column, place);
                    state[slot] = self.own.store(state[slot], index, piece);
                }
            }
            at += part.bytes;
        }
    }
    /// Columns become any value: those that the route may touch, cell by cell where it is about a few cells of one object.
    pub(crate) fn spoil(&mut self, state: &mut State, route: &Route, pointer: Term, bytes: Option<u64>) {
        let Some(claim) = self.claim() else { return };
        for &column in &route.touched {
            let slot = self.claim_slot(column);
            let info = &claim.columns[column];
            let cells = match (info.form, route.only, bytes) {
                (Form::Cell, Some((site, first)), Some(bytes)) => {
                    cells_in(&info.members, info.bytes, site, first, bytes)
                }
                _ => None,
            };
            let Some(cells) = cells else {
                state[slot] = self.fresh_for(slot);
                continue;
            };
            for offset in cells {
                let sort = self.own.bv_sort(info.bytes as u32 * 8);
                let any = self.fresh_own("memory", sort);
                let place = self.sum(pointer, offset);
                let place = self.less(place, info.shift());
                state[slot] = self.own.store(state[slot], place, any);
            }
        }
    }

    /// Columns that belong to one object become any value, or zero, where it begins.
    pub(crate) fn begin_columns(&mut self, state: &mut State, site: usize, is_zero: bool) {
        let Some(claim) = self.claim() else { return };
        for (column, info) in claim.columns.iter().enumerate() {
            if info.form == Form::Cell || info.members[0].site as usize != site {
                continue;
            }
            let slot = self.claim_slot(column);
            state[slot] = self.fresh_for(slot);
            if is_zero {
                let zero = self.own.bits(Bits::zero(info.bytes as u32 * 8));
                let sort = self.own.sort_of(state[slot]);
                state[slot] = if info.form == Form::Scalar { zero } else { self.own.const_array(sort, zero) };
            }
        }
    }
    /// The site of the object that an activation has, if it is one of the claim's.
    pub(crate) fn site_of_object(&self, object: usize) -> Option<usize> {
        self.claim()?.objects.get(&object).copied()
    }
    /// Whether the object's address stays when its activation begins.
    pub(crate) fn has_constant_address(&self, object: usize) -> bool {
        self.claim().is_some_and(|claim| claim.is_constant(object))
    }
    /// A new address: one that is not in use, and becomes so.
    pub(crate) fn begin_at(&mut self, frame: FrameId, state: &mut State, site: usize, address: Term) {
        let Some(claim) = self.claim().filter(|claim| claim.places[site].is_counted) else { return };
        let slot = self.claim_slot(claim.used_slot());
        let (yes, no) = (self.own.bv(1, 1), self.own.bv(1, 0));
        let is_used = self.own.select(state[slot], address);
        let is_new = self.own.eq(is_used, no);
        self.known.push(is_new);
        let memory = self.memory;
        let is_other = |&object: &usize| {
            is_live(self.program, self.points, frame, memory.objects.list[object])
                && claim.objects.get(&object) != Some(&site)
        };
        let named: Vec<Term> =
            memory.taken.iter().copied().filter(is_other).map(|object| self.base(state, object)).collect();
        for constant in self.constants(state).into_iter().chain(named) {
            let differs = self.own.ne(address, constant);
            self.known.push(differs);
        }
        state[slot] = self.own.store(state[slot], address, yes);
    }
    /// Addresses that are constants of a run belong to different objects.
    fn note_bases(&mut self, state: &State) {
        if !self.reads.has_constants {
            self.reads.has_constants = true;
            for constant in self.constants(state) {
                self.reads.note(constant);
            }
        }
    }
    /// The addresses of the claim's objects that are constants of a run.
    pub(crate) fn constants(&self, state: &State) -> Vec<Term> {
        let Some(claim) = self.claim() else { return Vec::new() };
        let sites = (0..claim.places.len()).filter(|&site| claim.places[site].once);
        sites.map(|site| self.base_of(claim, state, site)).collect()
    }
    /// The address of what an `Alloc` edge makes, if evidence may speak of it.
    pub(crate) fn allocated(&self, state: &State, frame: FrameId, edge: program::EdgeId) -> Option<Term> {
        let claim = self.claim()?;
        let &site = claim.allocs.get(&(frame, edge))?;
        claim.places[site].base.map(|slot| state[self.claim_slot(slot)])
    }
    /// A column that evidence names.
    pub(crate) fn column(&self, state: &State, column: u32) -> Option<Term> {
        let claim = self.claim()?;
        claim.columns.get(column as usize).map(|_| state[self.claim_slot(column as usize)])
    }
    /// The set of addresses in use.
    pub(crate) fn used(&self, state: &State) -> Option<Term> {
        let claim = self.claim().filter(|claim| claim.has_used)?;
        Some(state[self.claim_slot(claim.used_slot())])
    }

    /// An `Alloc` of the claim's; false if it is none.
    pub(crate) fn alloc_columns(
        &mut self,
        state: &mut State,
        frame: FrameId,
        edge: program::EdgeId,
        slot: usize,
        is_zero: bool,
        size: Option<u64>,
    ) -> bool {
        let Some(claim) = self.claim() else { return false };
        let Some(&site) = claim.allocs.get(&(frame, edge)) else { return false };
        match claim.places[site].base {
            Some(base) => state[slot] = state[self.claim_slot(base)],
            None => {
                state[slot] = self.fresh_for(slot);
                self.reads.note(state[slot]);
                self.begin_at(frame, state, site, state[slot]);
            }
        }
        self.begin_columns(state, site, is_zero);
        if is_zero {
            self.zero_cells(state, site, state[slot], size);
        }
        true
    }
    /// Zeros in the cells of a new object that lie in columns with others, as far as its size is known.
    fn zero_cells(&mut self, state: &mut State, site: usize, base: Term, size: Option<u64>) {
        let (Some(claim), Some(size)) = (self.claim(), size) else { return };
        for (column, info) in claim.columns.iter().enumerate().filter(|(_, info)| info.form == Form::Cell) {
            let slot = self.claim_slot(column);
            let zero = self.own.bits(Bits::zero(info.bytes as u32 * 8));
            for member in info.members.iter().filter(|member| member.site as usize == site) {
                let cells = cells_in(&[*member], info.bytes, site, 0, size).unwrap_or_default();
                for offset in cells.into_iter().filter(|at| at.checked_add(info.bytes).is_some_and(|end| end <= size)) {
                    let place = self.sum(base, offset);
                    let place = self.less(place, info.shift());
                    state[slot] = self.own.store(state[slot], place, zero);
                }
            }
        }
    }
    /// What columns hold before the program starts.
    pub(crate) fn first_columns(&mut self, state: &mut State) {
        let Some(claim) = self.claim() else { return };
        self.first_heap(state);
        if claim.has_used {
            let slot = self.claim_slot(claim.used_slot());
            let (no, sort) = (self.own.bv(1, 0), self.own.sort_of(state[slot]));
            state[slot] = self.own.const_array(sort, no);
        }
        for (column, info) in claim.columns.iter().enumerate() {
            let mut sites: Vec<usize> = info.members.iter().map(|member| member.site as usize).collect();
            sites.dedup();
            for site in sites {
                if let What::Object(object) = claim.places[site].what
                    && self.memory.initial(self.program, object, 0, 1).is_some()
                {
                    self.first_cells(state, claim, column, site, object);
                }
            }
        }
    }
    /// What a column holds of a static object before the program starts; any value if that is much.
    fn first_cells(&mut self, state: &mut State, claim: &Claim, column: usize, site: usize, object: usize) {
        let (info, slot, size) = (&claim.columns[column], self.claim_slot(column), self.size_of(object));
        let given = self.program.objects[self.memory.objects.list[object].1].init.len() as u64;
        // The rest is zero, and so may be what lies outside of the object or between cells where the column has no other.
        let length = if info.form == Form::Offset { given.min(size) } else { size };
        let Some(cells) = cells_in(&info.members, info.bytes, site, 0, length) else { return };
        if info.form == Form::Offset {
            let zero = self.own.bits(Bits::zero(info.bytes as u32 * 8));
            let sort = self.own.sort_of(state[slot]);
            state[slot] = self.own.const_array(sort, zero);
        }
        for at in cells.into_iter().filter(|at| at.checked_add(info.bytes).is_some_and(|end| end <= size)) {
            let Some(bits) = self.memory.initial(self.program, object, at, info.bytes) else { continue };
            if info.form == Form::Offset && bits.is_zero() {
                continue;
            }
            let value = self.own.bits(bits);
            state[slot] = match info.form {
                Form::Scalar => value,
                Form::Offset => {
                    let index = self.number(at);
                    self.own.store(state[slot], index, value)
                }
                Form::Cell => {
                    let base = self.base(state, object);
                    let index = self.sum(base, at);
                    let index = self.less(index, info.shift());
                    self.own.store(state[slot], index, value)
                }
            };
        }
    }
}

/// The cells of a site in a part of its objects, as distances from the begin of the part; none if there are too many.
fn cells_in(members: &[Member], bytes: u64, site: usize, from: u64, length: u64) -> Option<Vec<u64>> {
    let end = from.checked_add(length)?;
    let mut cells = Vec::new();
    for member in members.iter().filter(|member| member.site as usize == site) {
        let Class { first, stride } = member.class;
        let mut at = first;
        if stride != 0 && at.checked_add(bytes)? <= from {
            // The first cell that reaches into the part.
            at = at.checked_add((from - at - bytes) / stride * stride)?;
        }
        while at < end {
            if at.checked_add(bytes)? > from {
                cells.push(at.wrapping_sub(from));
            }
            if stride == 0 {
                break;
            }
            at = at.checked_add(stride)?;
            if cells.len() > Tuning::DEFAULT.max_column_cells {
                return None;
            }
        }
    }
    Some(cells)
}
