//! What a run takes from outside: values of inputs, choices, and memory off the fast path.

use base::{Id, Place};

use crate::model::{AccessKind, InputId, InputKind, Shown};

use super::code::{Block, BlockKind, NO_REG, Reg};
use super::execute::Execution;
use super::inputs::{Consumed, Origin, Request};
use super::memory::{Asked, BadAccess, Extent, Fetched, GAP, Handle, Part, words_of};
use super::wide::{Words, to_u128, words_for};
use super::{Lifespan, Limits, MemoryError, Outcome, Run, Touched, Unclear, UndefinedAt, floats, wide};
use crate::tuning::Tuning;

impl Execution<'_> {
    /// A value of this width from the supplier.
    pub(super) fn draw(
        &mut self,
        origin: Origin,
        occurrence: u64,
        offset: Option<u64>,
        width: u32,
        shown: Shown,
    ) -> Words {
        self.draw_piecewise(origin, occurrence, offset, width, shown, false)
    }
    fn draw_piecewise(
        &mut self,
        origin: Origin,
        occurrence: u64,
        offset: Option<u64>,
        width: u32,
        shown: Shown,
        is_element: bool,
    ) -> Words {
        let info = match origin {
            Origin::Input(input) => Some(&self.code.inputs[input.index()]),
            _ => None,
        };
        match info.map(|info| &info.kind) {
            Some(InputKind::Order { .. }) => self.run.ordered = true,
            Some(kind) if kind.is_uncontrolled() => self.run.external = true,
            _ => {}
        }
        let mut words = Words::new();
        let mut left = width;
        let mut drawn = 0;
        while left > 0 {
            let piece = left.min(128);
            let at = offset.map(|offset| offset + u64::from(drawn) * 16);
            let request =
                Request { origin, info, width: piece, shown, occurrence, offset: at, piece: drawn, is_element };
            drawn += 1;
            let value = self.inputs.value(&request) & (u128::MAX >> (128 - piece));
            record(&mut self.run, self.limits, Consumed { origin, width: piece, value, occurrence, offset: at });
            self.notes.received(Consumed { origin, width: piece, value, occurrence, offset: at });
            words.extend([value as u64, (value >> 64) as u64]);
            left -= piece;
        }
        words.truncate(words_for(width));
        words
    }

    /// Counts a request for the input.
    pub(super) fn ask(&mut self, input: InputId) -> Asked {
        let count = &mut self.asked[input.index()];
        *count += 1;
        Asked { input, occurrence: *count - 1 }
    }

    /// An element of an array of unspecified contents is read for the first time.
    pub(super) fn draw_element(&mut self, asked: Asked, offset: u64, width: u32) -> u64 {
        let shown = self.code.inputs[asked.input.index()].shown;
        self.draw_piecewise(Origin::Input(asked.input), asked.occurrence, Some(offset), width, shown, true)[0]
    }
    /// Whether two arrays hold the same everywhere; `None` if the supplier cannot decide.
    pub(super) fn same_arrays(&mut self, one: u64, other: u64, index_width: u32, width: u32) -> Option<bool> {
        if one == other {
            return Some(true);
        }
        let mut indices = Vec::new();
        for array in [one, other] {
            indices.extend_from_slice(self.arrays.touched(array));
            if let Some(asked) = self.arrays.asked(array) {
                indices.extend(self.inputs.indices(asked.input, asked.occurrence)?);
            }
        }
        let most = if index_width >= 64 { u64::MAX } else { (1 << index_width) - 1 };
        indices.retain(|&index| index <= most);
        indices.sort_unstable();
        indices.dedup();
        for &index in &indices {
            if self.element(one, index, width) != self.element(other, index, width) {
                return Some(false);
            }
        }
        let is_whole = most != u64::MAX && indices.len() as u64 == most + 1;
        Some(is_whole || self.rest(one, width) == self.rest(other, width))
    }
    pub(super) fn element(&mut self, array: u64, index: u64, width: u32) -> u64 {
        match self.arrays.select(array, index) {
            Ok(value) => value,
            Err(asked) => {
                let value = self.draw_element(asked, index, width);
                self.arrays.learn(array, index, value);
                value
            }
        }
    }
    /// What stands at all indices that were never touched.
    fn rest(&mut self, array: u64, width: u32) -> u64 {
        match self.arrays.asked(array) {
            None => self.arrays.constant_rest(array),
            Some(asked) => {
                let shown = self.code.inputs[asked.input.index()].shown;
                self.draw_piecewise(Origin::Input(asked.input), asked.occurrence, None, width, shown, true)[0]
            }
        }
    }

    pub(super) fn choose(&mut self, regs: &[u64], table: u32) -> Result<usize, Outcome> {
        let table = &self.code.choices[table as usize];
        let is_enabled = |&&(reg, _): &&(Reg, u32)| reg == NO_REG || regs[reg as usize] != 0;
        let n_enabled = table.ways.iter().filter(is_enabled).count();
        let number = match n_enabled {
            0 => return Err(Outcome::Blocked(table.at)),
            1 => 0,
            n => {
                let number = self.inputs.choose(n) % n;
                let origin = Origin::Choice(n as u32);
                record(
                    &mut self.run,
                    self.limits,
                    Consumed { origin, width: 32, value: number as u128, occurrence: 0, offset: None },
                );
                number
            }
        };
        let way = table.ways.iter().filter(is_enabled).nth(number).expect("the number is below the count");
        Ok(way.1 as usize)
    }

    pub(super) fn undefined(&mut self, what: Unclear, at: usize) {
        if self.run.undefined.is_none() {
            let (edge, place) = (self.code.edge_of(at), self.code.place_of(at));
            self.run.undefined = Some(UndefinedAt { what, edge, place });
        }
    }

    // ---- memory

    /// How a run ends at an invalid access.
    #[cold]
    pub(super) fn bad(&mut self, what: BadAccess, at: usize, address: u64) -> Outcome {
        self.bad_of(what, at, self.touched(address))
    }
    pub(super) fn bad_of(&mut self, what: BadAccess, at: usize, object: Option<Touched>) -> Outcome {
        let (edge, place) = (self.code.edge_of(at), self.code.place_of(at));
        let error = MemoryError { what, edge, place, object };
        self.undefined(Unclear::Memory(what), at);
        Outcome::MemoryError(error)
    }
    /// The object that the address misses by little.
    pub(super) fn touched(&self, address: u64) -> Option<Touched> {
        let handle = self.memory.nearest(address)?;
        let extent = self.memory.extent(handle);
        let state = match extent.live {
            true => Lifespan::Live,
            false if self.memory.is_heap(handle) => Lifespan::Freed,
            false => Lifespan::Ended,
        };
        let offset = address - extent.base;
        let touched = self.known_of(extent, offset as i64, state);
        (offset < extent.size.saturating_add(GAP)).then_some(touched)
    }
    /// What is known of an object.
    pub(super) fn known_of(&self, extent: &Extent, offset: i64, state: Lifespan) -> Touched {
        let (allocated, freed) =
            (self.code.place_of(extent.allocated as usize), self.code.place_of(extent.freed as usize));
        Touched { object: extent.object, size: extent.size, offset, state, allocated, freed }
    }
    /// Where live heap objects were allocated, some of them.
    pub(super) fn left(&self) -> Vec<Option<Place>> {
        let live = self.memory.live_objects(Part::Heap).take(Tuning::DEFAULT.max_left_objects);
        live.map(|extent| self.code.place_of(extent.allocated as usize)).collect()
    }

    /// A load that needs values from the supplier, or is not of a common size.
    pub(super) fn load(&mut self, at: usize, address: u64, bytes: u32, site: u32) -> Result<Words, Outcome> {
        let shown = self.code.sites[site as usize];
        let Some(handle) = self.memory.containing(site, address, u64::from(bytes)) else {
            return Err(self.bad(BadAccess::Read, at, address));
        };
        let extent = self.memory.extent(handle);
        let offset = address - extent.base;
        let (origin, occurrence) =
            extent.input.map_or((Origin::Automatic, 0), |asked| (Origin::Input(asked.input), asked.occurrence));
        let mut known: Vec<Option<u8>> = (0..u64::from(bytes)).map(|i| self.memory.peek(handle, address + i)).collect();
        if known.iter().all(Option::is_none) {
            // Draw what the program reads, not byte by byte: suppliers know about numbers.
            let words = self.draw(origin, occurrence, Some(offset), 8 * bytes, shown);
            for i in 0..bytes {
                let byte = (words[i as usize / 8] >> (8 * (i % 8))) as u8;
                self.memory.poke(handle, address + u64::from(i), byte);
            }
            return Ok(words);
        }
        for (i, byte) in known.iter_mut().enumerate() {
            if byte.is_none() {
                let drawn = self.draw(origin, occurrence, Some(offset + i as u64), 8, shown)[0] as u8;
                self.memory.poke(handle, address + i as u64, drawn);
                *byte = Some(drawn);
            }
        }
        let bytes: Vec<u8> = known.into_iter().flatten().collect();
        Ok(words_of(&bytes))
    }

    pub(super) fn load_block(&mut self, regs: &mut [u64], block: Block, at: usize) -> Result<(), Outcome> {
        let address = regs[block.address as usize];
        if block.how == BlockKind::Truth
            && let Fetched::Value(byte) = self.memory.read(block.site, address, 1)
        {
            regs[block.reg as usize] = u64::from(byte != 0);
            return Ok(());
        }
        let words = self.load(at, address, block.bytes, block.site)?;
        match block.how {
            BlockKind::Plain => regs[block.reg as usize..][..words.len()].copy_from_slice(&words),
            BlockKind::Truth => regs[block.reg as usize] = u64::from(words[0] != 0),
            BlockKind::Float(encoding) => {
                let bits = to_u128(&words);
                let value = floats::decode(encoding, bits);
                // A NaN has no single encoding, so it is never inexact.
                self.run.approximate |= floats::encode(encoding, value) != bits && !value.is_nan();
                regs[block.reg as usize] = value.to_bits();
            }
        }
        Ok(())
    }

    pub(super) fn store_block(&mut self, regs: &[u64], block: Block, at: usize) -> Result<(), Outcome> {
        let address = regs[block.address as usize];
        let words = match block.how {
            BlockKind::Float(encoding) => {
                let bits = floats::encode(encoding, f64::from_bits(regs[block.reg as usize]));
                wide::from_u128(bits, encoding.width())
            }
            _ => Words::from_slice(&regs[block.reg as usize..][..block.bytes.div_ceil(8) as usize]),
        };
        let Some(handle) = self.memory.containing(block.site, address, u64::from(block.bytes)) else {
            return Err(self.bad(BadAccess::Write, at, address));
        };
        if self.memory.extent(handle).read_only {
            return Err(self.bad(BadAccess::ReadOnly, at, address));
        }
        for i in 0..block.bytes {
            let byte = (words[i as usize / 8] >> (8 * (i % 8))) as u8;
            self.memory.poke(handle, address + u64::from(i), byte);
        }
        Ok(())
    }

    /// Copies what both objects have room for, and ends the old one.
    pub(super) fn move_object(&mut self, old: u64, new: u64, size: u64, at: usize) -> Result<(), BadAccess> {
        let from = self.memory.around(old).ok_or(BadAccess::Free)?;
        let length = self.memory.extent(from).size.min(size);
        if !self.memory.is_valid(AccessKind::Free, 0, old, 0) {
            return Err(BadAccess::Free);
        }
        for offset in 0..length {
            // Bytes that were never written are drawn, as a copy by the program would.
            let byte = match self.memory.peek(from, old + offset) {
                Some(byte) => byte,
                None => self.load_byte(from, old + offset),
            };
            if let Some(to) = self.memory.around(new) {
                self.memory.poke(to, new + offset, byte);
            }
            if self.memory.over_limit() {
                break;
            }
        }
        self.memory.free(old, at)
    }
    /// An unwritten byte inside an object, from the supplier.
    fn load_byte(&mut self, handle: Handle, address: u64) -> u8 {
        let extent = self.memory.extent(handle);
        let offset = address - extent.base;
        let (origin, occurrence) =
            extent.input.map_or((Origin::Automatic, 0), |asked| (Origin::Input(asked.input), asked.occurrence));
        let byte = self.draw(origin, occurrence, Some(offset), 8, Shown::Plain)[0] as u8;
        self.memory.poke(handle, address, byte);
        byte
    }

    pub(super) fn forget(&mut self, address: u64, size: Option<u64>, input: InputId, at: usize) -> Result<(), Outcome> {
        let asked = self.ask(input);
        let is_outside = matches!(self.code.inputs[input.index()].kind, InputKind::External(_));
        self.shown_outside |= size.is_none() && is_outside;
        let Some(handle) = self.memory.around(address) else {
            // Without a size a function without a body may have written there, or may not.
            return match size {
                Some(1..) => Err(self.bad(BadAccess::Write, at, address)),
                _ => Ok(()),
            };
        };
        let extent = self.memory.extent(handle);
        let (from, length) = match size {
            Some(size) => (address, size),
            // One past the end is not inside.
            None if address - extent.base >= extent.size => return Ok(()),
            None => (extent.base, extent.size),
        };
        if length > extent.size - (from - extent.base) {
            return Err(self.bad(BadAccess::Write, at, address));
        }
        if extent.read_only {
            // Such a function cannot have written there, and keeping the bytes is one of the choices.
            return match size {
                Some(1..) => Err(self.bad(BadAccess::ReadOnly, at, address)),
                _ => Ok(()),
            };
        }
        let inputs = &self.code.inputs;
        let is_external = |input: InputId| inputs[input.index()].kind.is_uncontrolled();
        self.memory.forget(handle, from, length, asked, is_external);
        Ok(())
    }
}

fn record(run: &mut Run, limits: &Limits, answer: Consumed) {
    run.n_inputs += 1;
    if run.inputs.len() < limits.recorded_inputs {
        run.inputs.push(answer);
    }
}
