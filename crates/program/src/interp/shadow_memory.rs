//! Accesses of a shadow run: by the object that the address was derived from, with the marks of bytes.

use crate::model::AccessKind;

use super::code::{Block, BlockKind, Instr, NO_REG, Reg};
use super::execute::Execution;
use super::mark::{Form, Mark};
use super::memory::{BadAccess, Fetched, Handle};
use super::shadow::Marks;
use super::tracked::Tracking;
use super::{Lifespan, Limit, Outcome, Touched};

impl Marks {
    /// Whether the access of the instruction is valid, and the marks of what it reads and writes.
    pub(super) fn memory(
        &mut self,
        run: &mut Execution<'_>,
        regs: &[u64],
        at: usize,
        instr: &Instr,
    ) -> Result<(), Outcome> {
        match *instr {
            Instr::Load { bytes, to, address, site } => {
                self.regs[to as usize] = self.load(run, regs, at, address, u32::from(bytes), site)?;
            }
            Instr::Store { bytes, from, address, .. } => {
                let (address, mark) = self.address(regs, address);
                self.access(run, at, (address, mark), u64::from(bytes), AccessKind::Write)?;
                self.store_word(run, address, u32::from(bytes), from, regs)?;
            }
            Instr::LoadBlock { index } => self.load_block(run, regs, at, run.code.blocks[index as usize])?,
            Instr::StoreBlock { index } => self.store_block(run, regs, at, run.code.blocks[index as usize])?,
            Instr::Forget { address, size, .. } => {
                self.forget(run, regs, at, address, (size != NO_REG).then_some(size))?;
            }
            Instr::Alloc { index } => {
                let alloc = run.code.allocs[index as usize];
                self.decide(run, at, self.regs[alloc.size as usize])?;
                if alloc.moved != NO_REG {
                    self.move_object(run, at, self.address(regs, alloc.moved), regs[alloc.size as usize])?;
                }
            }
            Instr::Free { address } => {
                let (address, mark) = self.address(regs, address);
                if mark.form == Form::Number && address == 0 {
                    self.decide(run, at, mark)?;
                } else {
                    let handle = self.access(run, at, (address, mark), 0, AccessKind::Free)?;
                    self.bytes.clear(address, run.memory.extent(handle).size);
                }
            }
            Instr::Probe { index } => {
                let probe = run.code.probes[index as usize];
                if probe.access == AccessKind::Track {
                    return self.track(run, regs, at, probe.to);
                }
                let (address, mark) = self.address(regs, probe.address);
                let is_null = mark.form == Form::Number && address == 0;
                let is_valid = match self.reaches(run, address, mark, probe.bytes, probe.access) {
                    Err(None) => {
                        self.access(run, at, (address, mark), probe.bytes, probe.access)?;
                        false
                    }
                    answer => answer.is_ok() || is_null && probe.access == AccessKind::Free,
                };
                self.probed = Some(is_valid);
                self.probed_object = self.touched(run, address, mark);
                let exact = matches!(mark.form, Form::Number | Form::Pointer) && !mark.layout;
                let mark = Mark { form: Form::Number, base: 0, offset: 0, layout: !exact, ..mark };
                self.regs[probe.to as usize] = mark;
            }
            _ => unreachable!("{instr:?} accesses no memory"),
        }
        Ok(())
    }

    /// Answers whether all memory is tracked.
    fn track(&mut self, run: &mut Execution<'_>, regs: &[u64], at: usize, to: Reg) -> Result<(), Outcome> {
        let (tracking, doubt) = self.tracking(run, regs);
        self.regs[to as usize] = Mark::default();
        let known = |base: u64| {
            let extent = run.memory.extent(run.memory.object_at(base)?);
            Some(run.known_of(extent, 0, Lifespan::Live))
        };
        match tracking {
            Tracking::All => self.probed = Some(true),
            Tracking::Lost(base) => {
                self.probed = Some(false);
                self.probed_object = known(base);
                if let Some(mark) = doubt {
                    self.decide_by(run, at, mark)?;
                }
            }
            Tracking::Unclear(base) => {
                let place = known(base).and_then(|object| object.allocated).or_else(|| run.code.place_of(at));
                let what = "whether a pointer still leads to allocated memory".to_owned();
                return Err(Outcome::Unsupported { what, place });
            }
        }
        Ok(())
    }
    /// The object that an access of this size is in; or how the run ends.
    fn access(
        &mut self,
        run: &mut Execution<'_>,
        at: usize,
        (address, mark): (u64, Mark),
        bytes: u64,
        kind: AccessKind,
    ) -> Result<Handle, Outcome> {
        self.decide_address(run, at, mark)?;
        let handle = self.reaches(run, address, mark, bytes, kind).map_err(|what| match what {
            Some(what) => {
                let touched = self.touched(run, address, mark);
                run.bad_of(what, at, touched)
            }
            None => Outcome::Unsupported {
                what: format!("an access to the address {address:#x}, which belongs to no object"),
                place: run.code.place_of(at),
            },
        })?;
        if !self.regions.is_empty() {
            let extent = run.memory.extent(handle);
            let (address, bytes) = if kind == AccessKind::Free { (extent.base, extent.size) } else { (address, bytes) };
            self.order_access(run, at, address, bytes, kind != AccessKind::Read)?;
        }
        Ok(handle)
    }
    /// The object that an access is in; what is wrong, or none for an address that the program names as a number.
    fn reaches(
        &self,
        run: &Execution<'_>,
        address: u64,
        mark: Mark,
        bytes: u64,
        kind: AccessKind,
    ) -> Result<Handle, Option<BadAccess>> {
        let wrong = match kind {
            AccessKind::Read => BadAccess::Read,
            AccessKind::Write => BadAccess::Write,
            AccessKind::Free | AccessKind::Track => BadAccess::Free,
        };
        if mark.is_plain() && address >= 4096 {
            return Err(None);
        }
        let has_origin = matches!(mark.form, Form::Pointer | Form::Weak);
        let handle = run.memory.object_at(mark.base).filter(|_| has_origin).ok_or(Some(wrong))?;
        let extent = run.memory.extent(handle);
        let is_inside = bytes <= extent.size && address.wrapping_sub(extent.base) <= extent.size - bytes;
        let is_start = kind != AccessKind::Free || run.memory.is_heap(handle) && address == extent.base;
        if !extent.live || !is_inside || !is_start {
            return Err(Some(wrong));
        }
        if kind == AccessKind::Write && extent.read_only {
            return Err(Some(BadAccess::ReadOnly));
        }
        Ok(handle)
    }
    /// What is known of the object that an access belongs to.
    fn touched(&self, run: &Execution<'_>, address: u64, mark: Mark) -> Option<Touched> {
        if mark.form == Form::Number {
            return None;
        }
        let offset = self.world(run).offset(address, mark.base);
        if let Some(handle) = run.memory.object_at(mark.base) {
            let extent = run.memory.extent(handle);
            let state = match extent.live {
                true => Lifespan::Live,
                false if run.memory.is_heap(handle) => Lifespan::Freed,
                false => Lifespan::Ended,
            };
            return Some(run.known_of(extent, offset, state));
        }
        let &(object, size) = self.ended.get(&mark.base)?;
        Some(Touched { object, size, offset, state: Lifespan::Ended, allocated: None, freed: None })
    }
    fn address(&self, regs: &[u64], reg: Reg) -> (u64, Mark) {
        (regs[reg as usize], self.regs[reg as usize])
    }

    /// Bytes that are read for the first time get the mark of the input that they come from.
    fn draw_bytes(&mut self, run: &Execution<'_>, handle: Handle, address: u64, bytes: u32) {
        let input = run.memory.extent(handle).input.map(|asked| asked.input);
        let unknown: Vec<u64> =
            (0..u64::from(bytes)).filter(|&i| run.memory.peek(handle, address + i).is_none()).collect();
        // As the machine asks: for all at once if nothing is known, else byte by byte.
        let width = if unknown.len() == bytes as usize { 8 * bytes } else { 8 };
        let mark = self.drawn(run, input, width);
        for i in unknown {
            self.bytes.set_number(address + i, mark);
        }
    }
    fn load(
        &mut self,
        run: &mut Execution<'_>,
        regs: &[u64],
        at: usize,
        address: Reg,
        bytes: u32,
        site: u32,
    ) -> Result<Mark, Outcome> {
        let (address, mark) = self.address(regs, address);
        let handle = self.access(run, at, (address, mark), u64::from(bytes), AccessKind::Read)?;
        let value = match run.memory.read(site, address, u64::from(bytes)) {
            Fetched::Value(value) => value,
            _ => {
                self.draw_bytes(run, handle, address, bytes);
                0
            }
        };
        Ok(self.bytes.load(&self.world(run), address, bytes, value))
    }
    fn load_block(&mut self, run: &mut Execution<'_>, regs: &[u64], at: usize, block: Block) -> Result<(), Outcome> {
        let (address, mark) = self.address(regs, block.address);
        let handle = self.access(run, at, (address, mark), u64::from(block.bytes), AccessKind::Read)?;
        self.draw_bytes(run, handle, address, block.bytes);
        let mut marks = Vec::new();
        for start in (0..block.bytes).step_by(8) {
            let bytes = (block.bytes - start).min(8);
            let byte = |i: u32| run.memory.peek(handle, address + u64::from(start + i)).unwrap_or(0);
            let value = (0..bytes).rev().fold(0, |value, i| value << 8 | u64::from(byte(i)));
            marks.push(self.bytes.load(&self.world(run), address + u64::from(start), bytes, value));
        }
        match block.how {
            BlockKind::Plain => self.regs[block.reg as usize..][..marks.len()].copy_from_slice(&marks),
            BlockKind::Truth | BlockKind::Float(_) => {
                let all = marks.iter().fold(Mark::default(), |all, mark| all.number_of(&mark.as_number()));
                self.regs[block.reg as usize] = all;
            }
        }
        Ok(())
    }
    fn store_block(&mut self, run: &mut Execution<'_>, regs: &[u64], at: usize, block: Block) -> Result<(), Outcome> {
        let (address, mark) = self.address(regs, block.address);
        self.access(run, at, (address, mark), u64::from(block.bytes), AccessKind::Write)?;
        for start in (0..block.bytes).step_by(8) {
            let word = match block.how {
                BlockKind::Float(_) => block.reg,
                _ => block.reg + start / 8,
            };
            self.store_word(run, address + u64::from(start), (block.bytes - start).min(8), word, regs)?;
        }
        Ok(())
    }
    fn store_word(
        &mut self,
        run: &Execution<'_>,
        address: u64,
        bytes: u32,
        from: Reg,
        regs: &[u64],
    ) -> Result<(), Outcome> {
        let (value, mark) = (regs[from as usize], self.regs[from as usize]);
        let world = self.world(run);
        self.bytes.store(&world, address, bytes, value, mark);
        if self.bytes.used() > run.limits.memory { Err(Outcome::Limit(Limit::Memory)) } else { Ok(()) }
    }
    fn forget(
        &mut self,
        run: &mut Execution<'_>,
        regs: &[u64],
        at: usize,
        address: Reg,
        size: Option<Reg>,
    ) -> Result<(), Outcome> {
        let (address, mark) = self.address(regs, address);
        let size = match size {
            Some(reg) => {
                self.decide(run, at, self.regs[reg as usize])?;
                Some(regs[reg as usize])
            }
            None => None,
        };
        match size {
            Some(0) => Ok(()),
            Some(size) => {
                self.access(run, at, (address, mark), size, AccessKind::Write)?;
                self.bytes.clear(address, size);
                Ok(())
            }
            None => {
                self.decide_address(run, at, mark)?;
                // A function without a body may have written to the object, if there is one.
                let world = self.world(run);
                if let Some(handle) = run.memory.around(address) {
                    let extent = run.memory.extent(handle);
                    let is_derived = mark.base == extent.base && world.offset(address, mark.base) >= 0;
                    let (base, size) = (extent.base, extent.size);
                    if is_derived && !extent.read_only && address - base < size {
                        self.bytes.clear(base, size);
                    } else if !is_derived {
                        // The machine finds objects by address: this one the function has not been given.
                        return Err(Outcome::Unsupported {
                            what: "a pointer outside its object that is passed to a function without a body".to_owned(),
                            place: run.code.place_of(at),
                        });
                    }
                }
                Ok(())
            }
        }
    }
    /// The contents of an object go to the one that is about to be allocated.
    fn move_object(
        &mut self,
        run: &mut Execution<'_>,
        at: usize,
        (address, mark): (u64, Mark),
        size: u64,
    ) -> Result<(), Outcome> {
        if mark.form == Form::Number && address == 0 {
            return self.decide(run, at, mark);
        }
        let handle = self.access(run, at, (address, mark), 0, AccessKind::Free)?;
        let length = run.memory.extent(handle).size.min(size);
        let input = run.memory.extent(handle).input.map(|asked| asked.input);
        // The machine asks byte by byte.
        let mark = self.drawn(run, input, 8);
        for byte in (address..address + length).filter(|&byte| run.memory.peek(handle, byte).is_none()) {
            self.bytes.set_number(byte, mark);
        }
        self.moving = Some((address, length));
        Ok(())
    }
}
