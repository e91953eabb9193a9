//! The shadow run: the same machine with a mark beside each register and each byte.
//!
//! [`Marks::before`] sees every instruction before it is executed and computes the mark of its result from those of its
//! operands (`mark`). An access is valid if the origin of the address is live and contains it, whatever lies at
//! the address. Where the way of the run is decided (a jump, an address, a size), the mark of what decides is looked at: the
//! first one that the program alone does not determine is remembered, or ends the run, as [`Watch`] says.
//!
//! Plain runs use [`NoShadow`], which the compiler removes from the loop.

use base::{Budget, FastMap, Id};
use term::Op;

use crate::model::{AccessKind, InputId, ObjectId};

use super::byte_marks::ByteMarks;
use super::code::{ArrayInstr, Block, BlockKind, Code, FloatInstr, FloatOp, Instr, NO_REG, Rare, Reg};
use super::execute::{Execution, NoNotes};
use super::inputs::Inputs;
use super::leap::Patience;
use super::mark::{Arith, Cause, Form, Mark, Relation, World};
use super::memory::{BadAccess, Fetched, Handle};
use super::wide::words_for;
use super::{Decided, Dependence, Lifespan, Limit, Limits, Machine, Outcome, Run, Touched, Watch, floats};

/// What runs beside the machine.
pub(super) trait Shadow {
    /// Whether there is anything.
    const ON: bool;
    /// Before the instruction at this place is executed.
    fn before(&mut self, run: &mut Execution<'_>, regs: &[u64], at: usize, instr: &Instr) -> Result<(), Outcome>;
    /// After a function was entered.
    fn entered(&mut self, code: &Code, regs: &[u64], function: u32);
    /// After an object was allocated.
    fn allocated(&mut self, to: Reg, base: u64);
    /// Whether the probed access is valid, if the shadow knows better.
    fn probed(&self) -> Option<bool>;
}

/// Nothing.
pub(super) struct NoShadow;

impl Shadow for NoShadow {
    const ON: bool = false;
    #[inline(always)]
    fn before(&mut self, _: &mut Execution<'_>, _: &[u64], _: usize, _: &Instr) -> Result<(), Outcome> {
        Ok(())
    }
    #[inline(always)]
    fn entered(&mut self, _: &Code, _: &[u64], _: u32) {}
    #[inline(always)]
    fn allocated(&mut self, _: Reg, _: u64) {}
    #[inline(always)]
    fn probed(&self) -> Option<bool> {
        None
    }
}

/// Ended objects that are remembered, for messages.
const MAX_ENDED: usize = 1 << 16;

/// The marks of a run.
pub(super) struct Marks {
    watch: Watch,
    regs: Vec<Mark>,
    saved: Vec<Mark>,
    bytes: ByteMarks,
    decided: Option<Decided>,
    unnamed: Option<Decided>,
    /// Objects of activations that have ended.
    ended: FastMap<u64, (Option<ObjectId>, u64)>,
    n_ended: usize,
    functions_end: u64,
    pointer_width: u32,
    probed: Option<bool>,
    /// Where the contents of the object come from that is about to be allocated, and how many bytes.
    moving: Option<(u64, u64)>,
}

impl Machine {
    /// Runs the program from the start with a mark beside each value. Nothing is leapt over.
    pub fn run_shadow(
        &mut self,
        inputs: &mut dyn Inputs,
        limits: &Limits,
        budget: &Budget,
        watch: Watch,
    ) -> (Run, Option<Decided>) {
        let (run, decided, _) = self.run_watched(inputs, limits, budget, watch);
        (run, decided)
    }
    /// The same; also the first decision that depends on something that no supplier is asked for by name, which a script of
    /// inputs cannot determine.
    pub fn run_watched(
        &mut self,
        inputs: &mut dyn Inputs,
        limits: &Limits,
        budget: &Budget,
        watch: Watch,
    ) -> (Run, Option<Decided>, Option<Decided>) {
        let mut marks = Marks::new(&self.code, watch);
        let patience = std::mem::replace(&mut self.patience, Patience::NEVER);
        let run = self.execute(inputs, limits, budget, &mut NoNotes, &mut marks);
        self.patience = patience;
        (run, marks.decided, marks.unnamed)
    }
    /// Runs the program from the start and executes every edge one by one.
    pub fn run_without_leaps(&mut self, inputs: &mut dyn Inputs, limits: &Limits, budget: &Budget) -> Run {
        let patience = std::mem::replace(&mut self.patience, Patience::NEVER);
        let run = self.run(inputs, limits, budget);
        self.patience = patience;
        run
    }
}

impl Marks {
    fn new(code: &Code, watch: Watch) -> Marks {
        let mut regs = vec![Mark::default(); code.registers.len()];
        for &reg in code.statics.iter().map(|object| &object.address).chain(&code.function_addresses) {
            if let Some(mark) = regs.get_mut(reg as usize) {
                *mark = Mark::pointer(code.registers[reg as usize]);
            }
        }
        Marks {
            watch,
            regs,
            saved: Vec::new(),
            bytes: ByteMarks::new(),
            decided: None,
            unnamed: None,
            ended: FastMap::new(),
            n_ended: 0,
            functions_end: super::memory::function_address(code.functions.len()),
            pointer_width: code.pointer_width,
            probed: None,
            moving: None,
        }
    }
    fn world<'a>(&self, run: &'a Execution<'_>) -> World<'a> {
        World { memory: &run.memory, pointer_width: self.pointer_width, functions_end: self.functions_end }
    }

    // ---- decisions

    /// The way of the run depends on this.
    #[inline]
    fn decide(&mut self, run: &Execution<'_>, at: usize, mark: Mark) -> Result<(), Outcome> {
        if mark.is_plain() { Ok(()) } else { self.decide_by(run, at, mark.as_number()) }
    }
    /// The run accesses memory at this address.
    fn decide_address(&mut self, run: &Execution<'_>, at: usize, mark: Mark) -> Result<(), Outcome> {
        match mark.form {
            Form::Number | Form::Pointer if mark.is_determined() => Ok(()),
            Form::Number | Form::Pointer => self.decide_by(run, at, mark),
            Form::Negative | Form::Part { .. } | Form::Weak => self.decide_by(run, at, mark.as_number()),
        }
    }
    #[cold]
    fn decide_by(&mut self, run: &Execution<'_>, at: usize, mark: Mark) -> Result<(), Outcome> {
        let by = |cause: Cause| match cause.as_input() {
            Some(index) => Dependence::Input(InputId::new(index)),
            None if cause == Cause::CHOICE => Dependence::Choice,
            None if cause == Cause::FUNCTION => Dependence::Function,
            None => Dependence::Contents,
        };
        let (edge, place) = (run.code.edge_of(at), run.code.place_of(at));
        if mark.free.is_unnamed() && self.unnamed.is_none() {
            self.unnamed = Some(Decided { by: by(mark.free), edge, place });
        }
        let by = match self.watch {
            _ if mark.open != Cause::NONE => by(mark.open),
            _ if mark.layout => Dependence::Layout,
            _ if mark.nan => Dependence::Nan,
            Watch::Uncontrolled => return Ok(()),
            Watch::Everything { .. } => by(mark.free),
        };
        if self.decided.is_none() {
            self.decided = Some(Decided { by, edge, place });
        }
        match self.watch {
            Watch::Uncontrolled => Ok(()),
            Watch::Everything { .. } => Err(Outcome::Undetermined),
        }
    }

    // ---- values

    #[inline]
    fn set_arith(&mut self, run: &Execution<'_>, regs: &[u64], op: Arith, shift: u8, [to, left, right]: [Reg; 3]) {
        let (a, b) = (self.regs[left as usize], self.regs[right as usize]);
        self.regs[to as usize] = if a.is_plain() && b.is_plain() {
            Mark::default()
        } else {
            let (x, y) = (regs[left as usize], regs[right as usize]);
            self.world(run).arith(op, 64 - u32::from(shift), (x, a), (y, b))
        };
    }
    #[inline]
    fn compared(&self, run: &Execution<'_>, regs: &[u64], relation: Relation, left: Reg, right: Reg) -> Mark {
        let (a, b) = (self.regs[left as usize], self.regs[right as usize]);
        if a.is_plain() && b.is_plain() {
            return Mark::default();
        }
        self.world(run).compare(relation, (regs[left as usize], a), (regs[right as usize], b))
    }
    fn set_compared(&mut self, run: &Execution<'_>, regs: &[u64], relation: Relation, [to, left, right]: [Reg; 3]) {
        self.regs[to as usize] = self.compared(run, regs, relation, left, right);
    }
    fn jump(
        &mut self,
        run: &Execution<'_>,
        regs: &[u64],
        at: usize,
        relation: Relation,
        left: Reg,
        right: Reg,
    ) -> Result<(), Outcome> {
        let mark = self.compared(run, regs, relation, left, right);
        self.decide(run, at, mark)
    }
    /// A conjunction with zero is zero, whatever the other side depends on.
    fn set_and(&mut self, run: &Execution<'_>, regs: &[u64], [to, left, right]: [Reg; 3]) {
        let is_zero = |reg: Reg| regs[reg as usize] == 0 && self.regs[reg as usize].is_plain();
        if is_zero(left) || is_zero(right) {
            self.regs[to as usize] = Mark::default();
        } else {
            self.set_arith(run, regs, Arith::And, 64 - self.pointer_width as u8, [to, left, right]);
        }
    }
    /// A number that depends on all these registers.
    fn numbers(&self, regs: impl IntoIterator<Item = Reg>) -> Mark {
        let in_use = regs.into_iter().filter(|&reg| reg != NO_REG);
        in_use.fold(Mark::default(), |all, reg| all.number_of(&self.regs[reg as usize].as_number()))
    }
    fn set_words(&mut self, to: Reg, words: usize, mark: Mark) {
        self.regs[to as usize..][..words].fill(mark);
    }

    /// Values of bit-vectors wider than a register: whole words keep their marks.
    fn wide(&mut self, run: &Execution<'_>, index: u32) {
        let instr = &run.code.wide[index as usize];
        let words = words_for(instr.width);
        let first = instr.args[0];
        let copied: Option<Vec<Mark>> = match instr.op {
            Op::Extract { low, .. } if low % 64 == 0 && instr.width.is_multiple_of(64) => {
                Some(self.regs[(first.0 + low / 64) as usize..][..words].to_vec())
            }
            Op::Concat if instr.args.len() == 2 && instr.args[1].1.is_multiple_of(64) => {
                let of = |(reg, width): (Reg, u32)| self.regs[reg as usize..][..words_for(width)].iter().copied();
                Some(of(instr.args[1]).chain(of(first)).collect())
            }
            Op::ZeroExtend(_) => {
                let low = self.regs[first.0 as usize..][..words_for(first.1)].iter().copied();
                Some(low.chain(std::iter::repeat(Mark::default())).take(words).collect())
            }
            _ => None,
        };
        if let Some(marks) = copied {
            self.regs[instr.to as usize..][..words].copy_from_slice(&marks);
            return;
        }
        let all = self.numbers(instr.args.iter().flat_map(|&(reg, width)| reg..reg + words_for(width) as u32));
        self.set_words(instr.to, words, all);
    }

    /// The mark of a value of this width that the supplier gives.
    fn drawn(&self, run: &Execution<'_>, input: Option<InputId>, width: u32) -> Mark {
        if matches!(self.watch, Watch::Everything { enumerated } if width <= enumerated) {
            return Mark::default(); // All its values are tried.
        }
        let Some(input) = input else { return Mark { free: Cause::CONTENTS, ..Mark::default() } };
        let cause = Cause::input(input.index());
        let is_open = run.code.inputs[input.index()].kind.is_uncontrolled();
        Mark { free: cause, open: if is_open { cause } else { Cause::NONE }, ..Mark::default() }
    }

    // ---- memory

    /// The object that an access of so many bytes is in; or how the run ends.
    fn access(
        &mut self,
        run: &mut Execution<'_>,
        at: usize,
        (address, mark): (u64, Mark),
        bytes: u64,
        kind: AccessKind,
    ) -> Result<Handle, Outcome> {
        self.decide_address(run, at, mark)?;
        self.reaches(run, address, mark, bytes, kind).map_err(|what| match what {
            Some(what) => {
                let touched = self.touched(run, address, mark);
                run.bad_of(what, at, touched)
            }
            None => Outcome::Unsupported {
                what: format!("an access to the address {address:#x}, which belongs to no object"),
                place: run.code.place_of(at),
            },
        })
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
            AccessKind::Free => BadAccess::Free,
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
            return Some(Touched { object: extent.object, size: extent.size, offset, state });
        }
        let &(object, size) = self.ended.get(&mark.base)?;
        Some(Touched { object, size, offset, state: Lifespan::Ended })
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
        run.memory.begin_anew(address, size);
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
    fn leave(&mut self, run: &Execution<'_>, function: u32) {
        let callee = &run.code.functions[function as usize];
        let activation = run.calls.last().expect("whoever returns was called");
        for extent in run.memory.since(activation.stack) {
            if self.n_ended < MAX_ENDED {
                self.ended.insert(extent.base, (extent.object, extent.size));
                self.n_ended += 1;
            }
        }
        self.bytes.drop_pages(activation.stack.1, run.memory.stack_mark().1);
        let (result, width) = callee.result;
        if callee.handover != NO_REG {
            self.regs.copy_within(result as usize..result as usize + words_for(width), callee.handover as usize);
        }
        if activation.saved {
            let (first, count) = callee.frame;
            let from = self.saved.len() - count as usize;
            self.regs[first as usize..][..count as usize].copy_from_slice(&self.saved[from..]);
            self.saved.truncate(from);
        }
    }
    fn choose(&mut self, run: &Execution<'_>, regs: &[u64], at: usize, table: u32) -> Result<(), Outcome> {
        let code = run.code;
        let mut n_enabled = 0;
        for &(reg, _) in &code.choices[table as usize].ways {
            if reg != NO_REG {
                self.decide(run, at, self.regs[reg as usize])?;
            }
            n_enabled += usize::from(reg == NO_REG || regs[reg as usize] != 0);
        }
        if n_enabled > 1 && !matches!(self.watch, Watch::Everything { enumerated } if enumerated > 0) {
            self.decide(run, at, Mark { free: Cause::CHOICE, ..Mark::default() })?;
        }
        Ok(())
    }
}

impl Shadow for Marks {
    const ON: bool = true;

    fn entered(&mut self, code: &Code, regs: &[u64], function: u32) {
        for object in &code.functions[function as usize].objects {
            self.regs[object.address as usize] = Mark::pointer(regs[object.address as usize]);
        }
    }
    fn allocated(&mut self, to: Reg, base: u64) {
        self.regs[to as usize] = Mark::pointer(base);
        if let Some((old, length)) = self.moving.take() {
            self.bytes.copy(old, base, length);
            self.bytes.clear(old, length);
        }
    }
    fn probed(&self) -> Option<bool> {
        self.probed
    }

    fn before(&mut self, run: &mut Execution<'_>, regs: &[u64], at: usize, instr: &Instr) -> Result<(), Outcome> {
        match *instr {
            Instr::Move { to, from } => self.regs[to as usize] = self.regs[from as usize],
            Instr::MoveMany { to, from, count } => {
                self.regs.copy_within(from as usize..(from + count) as usize, to as usize);
            }
            Instr::MoveIf { to, when, from } => {
                let taken = if regs[when as usize] != 0 { from } else { to };
                self.regs[to as usize] = self.regs[taken as usize].also(&self.regs[when as usize]);
            }
            Instr::Not { to, from, .. } | Instr::Neg { to, from, .. } => {
                self.regs[to as usize] = self.regs[from as usize].negated();
            }
            Instr::Add { shift, to, left, right } => self.set_arith(run, regs, Arith::Add, shift, [to, left, right]),
            Instr::Sub { shift, to, left, right } => self.set_arith(run, regs, Arith::Sub, shift, [to, left, right]),
            Instr::Mul { shift, to, left, right } => self.set_arith(run, regs, Arith::Mul, shift, [to, left, right]),
            Instr::And { to, left, right } => self.set_and(run, regs, [to, left, right]),
            Instr::Or { to, left, right } | Instr::Xor { to, left, right } => {
                self.set_arith(run, regs, Arith::Or, 64 - self.pointer_width as u8, [to, left, right]);
            }
            Instr::Udiv { shift, to, left, right } => {
                self.set_arith(run, regs, Arith::Other, shift, [to, left, right]);
            }
            Instr::Shl { shift, to, left, right }
            | Instr::Lshr { shift, to, left, right }
            | Instr::Ashr { shift, to, left, right } => {
                self.set_arith(run, regs, Arith::Shift, shift, [to, left, right]);
            }
            Instr::Eq { to, left, right } => self.set_compared(run, regs, Relation::Equal, [to, left, right]),
            Instr::Ult { to, left, right } | Instr::Ule { to, left, right } => {
                self.set_compared(run, regs, Relation::Less, [to, left, right]);
            }
            Instr::Slt { to, left, right, .. } | Instr::Sle { to, left, right, .. } => {
                self.set_compared(run, regs, Relation::SignedLess, [to, left, right]);
            }
            Instr::Extract { shift, low, to, from } => {
                let mark = self.regs[from as usize];
                self.regs[to as usize] = if mark.is_plain() {
                    mark
                } else {
                    let value = regs[from as usize];
                    self.world(run).extract(value, mark, u32::from(low), 64 - u32::from(shift))
                };
            }
            Instr::SignExtend { to, from, .. } => self.regs[to as usize] = self.regs[from as usize].weak(),
            Instr::Concat { low_width, to, high, low } => {
                let (a, b) = (self.regs[high as usize], self.regs[low as usize]);
                self.regs[to as usize] = if a.is_plain() && b.is_plain() {
                    a
                } else {
                    let (x, y) = (regs[high as usize], regs[low as usize]);
                    self.world(run).concat((x, a), (y, b), u32::from(low_width))
                };
            }
            Instr::Rare { op: Rare::RotateLeft, to, left, .. } => {
                self.regs[to as usize] = self.regs[left as usize].weak();
            }
            Instr::Rare { op: Rare::Urem, shift, to, left, right } => {
                self.set_arith(run, regs, Arith::Remainder, shift, [to, left, right]);
            }
            Instr::Rare { to, left, right, .. } => self.regs[to as usize] = self.numbers([left, right]),
            Instr::Wide { index } => self.wide(run, index),
            Instr::Float { index } => {
                let FloatInstr { to, left, right, op, format, .. } = run.code.floats[index as usize];
                let inputs = floats::words_in(op);
                let result = floats::apply(op, format, &regs[left as usize..][..inputs], regs[right as usize]);
                let mark = self.numbers((left..left + inputs as u32).chain([right]));
                // What a float operator makes of a NaN does not depend on the bits of it.
                let shows_bits = matches!(op, FloatOp::IsNegative | FloatOp::ToEncoding(_));
                let nan = floats::is_nan(op, format, result[0]) || shows_bits && mark.nan;
                self.set_words(to, floats::words_out(op), Mark { nan, ..mark });
            }
            Instr::Apply { index } => {
                let instr = &run.code.applications[index as usize];
                let args = instr.args.iter().flat_map(|&(reg, width)| reg..reg + words_for(width) as u32);
                let mark = self.numbers(args).number_of(&Mark { free: Cause::FUNCTION, ..Mark::default() });
                self.set_words(instr.to, words_for(instr.width), mark);
            }
            Instr::Array { index } => {
                let ArrayInstr { to, array, index, element, .. } = run.code.arrays[index as usize];
                self.regs[to as usize] = self.numbers([array, index, element]);
            }
            Instr::JumpEq { left, right, .. } | Instr::JumpNe { left, right, .. } => {
                self.jump(run, regs, at, Relation::Equal, left, right)?;
            }
            Instr::JumpUlt { left, right, .. } | Instr::JumpUle { left, right, .. } => {
                self.jump(run, regs, at, Relation::Less, left, right)?;
            }
            Instr::JumpSlt { left, right, .. } | Instr::JumpSle { left, right, .. } => {
                self.jump(run, regs, at, Relation::SignedLess, left, right)?;
            }
            Instr::JumpIf { when, .. } | Instr::JumpUnless { when, .. } | Instr::Switch { on: when, .. } => {
                self.decide(run, at, self.regs[when as usize])?;
            }
            Instr::Choose { table, .. } => self.choose(run, regs, at, table)?,
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
            Instr::Havoc { index } => {
                let havoc = run.code.havocs[index as usize];
                let width = if havoc.is_array { u32::MAX } else { havoc.width };
                let mark = self.drawn(run, Some(havoc.input), width);
                self.set_words(havoc.to, words_for(havoc.width), mark);
            }
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
                let exact = matches!(mark.form, Form::Number | Form::Pointer) && !mark.layout;
                let mark = Mark { form: Form::Number, base: 0, offset: 0, layout: !exact, ..mark };
                self.regs[probe.to as usize] = mark;
            }
            Instr::SaveFrame { function } => {
                let (first, count) = run.code.functions[function as usize].frame;
                self.saved.extend_from_slice(&self.regs[first as usize..][..count as usize]);
                if self.saved.len() as u64 > run.limits.memory / 32 {
                    return Err(Outcome::Limit(Limit::Memory));
                }
            }
            Instr::Return { function, .. } => self.leave(run, function),
            Instr::End { .. }
            | Instr::Jump { .. }
            | Instr::Call { .. }
            | Instr::CallSaved { .. }
            | Instr::Undefined { .. }
            | Instr::Approximate
            | Instr::Count { .. }
            | Instr::Error { .. }
            | Instr::Blocked { .. }
            | Instr::Trap { .. }
            | Instr::Note { .. } => {}
        }
        Ok(())
    }
}
