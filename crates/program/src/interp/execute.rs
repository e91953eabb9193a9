//! The loop that executes register code.
//!
//! Every edge is paid for from a small ration of fuel; when it is used up, limits, budget and flag
//! are looked at and a new ration is handed out. So the common instructions count and ask nothing.

use base::{Budget, Id, Stopped};

use crate::model::{AccessKind, InputId};

use super::arrays::Arrays;
use super::code::{ArrayInstr, ArrayOp, Code, FloatInstr, Instr, NO_REG, Note, Reg, SwitchTable};
use super::inputs::{Consumed, Inputs, Origin};
use super::leap::{Leap, Tries};
use super::memory::{BadAccess, Fetched, Memory, Part};
use super::narrow::{mask, rare, signed, top};
use super::shadow::Shadow;
use super::wide::{Words, to_u128, words_for};
use super::{Limit, Limits, Machine, Outcome, Run, Unclear, floats, wide};
use crate::tuning::Tuning;

/// Receives the notes of code compiled for tracing.
pub(super) trait Notes {
    /// A note was passed with these registers.
    fn note(&mut self, code: &Code, registers: &[u64], memory: &Memory, note: Note);
    /// A value was received.
    fn received(&mut self, answer: Consumed);
    /// Whether loops may be leapt over, which produces no notes.
    fn may_leap(&self) -> bool;
    /// Rounds of a loop were leapt over.
    fn leapt(&mut self, leap: &Leap);
}

/// Ignores all notes.
pub(super) struct NoNotes;

impl Notes for NoNotes {
    fn note(&mut self, _: &Code, _: &[u64], _: &Memory, _: Note) {}
    fn received(&mut self, _: Consumed) {}
    fn may_leap(&self) -> bool {
        true
    }
    fn leapt(&mut self, _: &Leap) {}
}

/// An activation of a function.
pub(super) struct Activation {
    /// Where the caller goes on; `u32::MAX` for the entry function.
    back: u32,
    pub function: u32,
    /// Whether the frame lies on the stack of saved registers.
    pub saved: bool,
    /// The stack before its objects.
    pub stack: (u32, u64),
}

pub(super) struct Execution<'a> {
    pub code: &'a Code,
    pub memory: Memory,
    pub calls: Vec<Activation>,
    pub saved: Vec<u64>,
    pub inputs: &'a mut dyn Inputs,
    pub notes: &'a mut dyn Notes,
    pub limits: &'a Limits,
    pub budget: &'a Budget,
    pub run: Run,
    /// How often each input was asked for.
    pub asked: Vec<u64>,
    pub arrays: Arrays,
    /// Edges handed out as fuel so far, and those reported to the budget.
    pub granted: u64,
    pub spent: u64,
    pub tries: Tries,
    /// Whether a function without a body has got a pointer.
    pub shown_outside: bool,
}

impl Machine {
    pub(super) fn execute<S: Shadow>(
        &mut self,
        inputs: &mut dyn Inputs,
        limits: &Limits,
        budget: &Budget,
        notes: &mut dyn Notes,
        shadow: &mut S,
    ) -> Run {
        let mut memory = self.memory.clone();
        memory.set_limit(limits.memory);
        let mut registers = std::mem::take(&mut self.registers);
        registers.clear();
        registers.extend_from_slice(&self.code.registers);
        let mut execution = Execution {
            code: &self.code,
            memory,
            calls: Vec::new(),
            saved: Vec::new(),
            inputs,
            notes,
            limits,
            budget,
            run: Run {
                outcome: Outcome::Cancelled,
                undefined: None,
                inputs: Vec::new(),
                n_inputs: 0,
                edges: 0,
                leapt: 0,
                external: false,
                ordered: false,
                approximate: false,
                touched: None,
                probed: None,
                left: Vec::new(),
            },
            asked: vec![0; self.code.inputs.len()],
            arrays: Arrays::new(),
            granted: 0,
            spent: 0,
            tries: Tries::new(self.leap_settings),
            shown_outside: false,
        };
        let mut fuel = 0;
        let outcome = match execution.enter(&mut registers, self.code.entry, u32::MAX, false) {
            Ok(start) => match execution.refuel(fuel) {
                Ok(ration) => {
                    fuel = ration;
                    shadow.entered(&self.code, &registers, self.code.entry);
                    execution.go(&mut registers, start, &mut fuel, shadow)
                }
                Err(outcome) => outcome,
            },
            Err(outcome) => outcome,
        };
        if self.code.asks_for_leaks {
            execution.run.left = execution.left();
        }
        let Execution { mut run, granted, spent, .. } = execution;
        run.edges = granted.wrapping_sub(fuel as u64);
        run.outcome = outcome;
        // Short runs pay too; whether the budget could afford it is the next run's question.
        let _ = budget.spend(run.edges - spent);
        self.registers = registers;
        run
    }
}

impl Execution<'_> {
    /// The interpreter loop. Long: it is one `match` over all instructions with the state in local variables, so that they
    /// stay in registers.
    fn go<S: Shadow>(&mut self, regs: &mut [u64], start: usize, fuel_left: &mut i64, shadow: &mut S) -> Outcome {
        let code = self.code;
        let instrs = &code.instrs[..];
        let mut pc = start;
        let mut fuel = *fuel_left;
        macro_rules! get {
            ($reg:expr) => {
                regs[$reg as usize]
            };
        }
        macro_rules! set {
            ($reg:expr, $value:expr) => {{
                let value = $value;
                regs[$reg as usize] = value;
            }};
        }
        macro_rules! spend {
            ($edges:expr) => {
                fuel -= i64::from($edges);
                if fuel < 0 {
                    match self.pause(fuel, regs, pc) {
                        Ok(next) => (fuel, pc) = next,
                        Err(outcome) => break outcome,
                    }
                }
            };
        }
        macro_rules! jump_if {
            ($condition:expr, $edges:expr, $target:expr) => {{
                if $condition {
                    pc = $target as usize;
                }
                spend!($edges);
            }};
        }
        let outcome = loop {
            let instr = &instrs[pc];
            if S::ON
                && let Err(outcome) = shadow.before(self, regs, pc, instr)
            {
                break outcome;
            }
            pc += 1;
            match *instr {
                Instr::Move { to, from } => set!(to, get!(from)),
                Instr::MoveMany { to, from, count } => {
                    regs.copy_within(from as usize..(from + count) as usize, to as usize);
                }
                Instr::MoveIf { to, when, from } => {
                    if get!(when) != 0 {
                        set!(to, get!(from));
                    }
                }
                Instr::Not { shift, to, from } => set!(to, !get!(from) & mask(shift)),
                Instr::Neg { shift, to, from } => set!(to, get!(from).wrapping_neg() & mask(shift)),
                Instr::Add { shift, to, left, right } => set!(to, get!(left).wrapping_add(get!(right)) & mask(shift)),
                Instr::Sub { shift, to, left, right } => set!(to, get!(left).wrapping_sub(get!(right)) & mask(shift)),
                Instr::Mul { shift, to, left, right } => set!(to, get!(left).wrapping_mul(get!(right)) & mask(shift)),
                Instr::And { to, left, right } => set!(to, get!(left) & get!(right)),
                Instr::Or { to, left, right } => set!(to, get!(left) | get!(right)),
                Instr::Xor { to, left, right } => set!(to, get!(left) ^ get!(right)),
                Instr::Udiv { shift, to, left, right } => {
                    set!(to, get!(left).checked_div(get!(right)).unwrap_or(mask(shift)));
                }
                Instr::Shl { shift, to, left, right } => {
                    let by = get!(right);
                    set!(to, if by < 64 - u64::from(shift) { get!(left) << by & mask(shift) } else { 0 });
                }
                Instr::Lshr { shift, to, left, right } => {
                    let by = get!(right);
                    set!(to, if by < 64 - u64::from(shift) { get!(left) >> by } else { 0 });
                }
                Instr::Ashr { shift, to, left, right } => {
                    set!(to, (signed(get!(left), shift) >> get!(right).min(63)) as u64 & mask(shift));
                }
                Instr::Eq { to, left, right } => set!(to, u64::from(get!(left) == get!(right))),
                Instr::Ult { to, left, right } => set!(to, u64::from(get!(left) < get!(right))),
                Instr::Ule { to, left, right } => set!(to, u64::from(get!(left) <= get!(right))),
                Instr::Slt { shift, to, left, right } => {
                    set!(to, u64::from(top(get!(left), shift) < top(get!(right), shift)));
                }
                Instr::Sle { shift, to, left, right } => {
                    set!(to, u64::from(top(get!(left), shift) <= top(get!(right), shift)));
                }
                Instr::Extract { shift, low, to, from } => set!(to, get!(from) >> (low & 63) & mask(shift)),
                Instr::SignExtend { shift, from_shift, to, from } => {
                    set!(to, signed(get!(from), from_shift) as u64 & mask(shift));
                }
                Instr::Concat { low_width, to, high, low } => set!(to, get!(high) << (low_width & 63) | get!(low)),
                Instr::Rare { op, shift, to, left, right } => {
                    set!(to, rare(op, shift, get!(left), get!(right)));
                }
                Instr::Wide { index } => self.wide(regs, index),
                Instr::Float { index } => self.float(regs, index),
                Instr::Array { index } => {
                    if !self.array(regs, index) {
                        let what = "equality of arrays whose elements are not all known".to_owned();
                        break Outcome::Unsupported { what, place: code.place_of(pc - 1) };
                    }
                }
                Instr::Apply { index } => self.apply(regs, index),

                Instr::Jump { edges, target } => {
                    pc = target as usize;
                    spend!(edges);
                }
                Instr::JumpEq { edges, left, right, target } => jump_if!(get!(left) == get!(right), edges, target),
                Instr::JumpNe { edges, left, right, target } => jump_if!(get!(left) != get!(right), edges, target),
                Instr::JumpUlt { edges, left, right, target } => jump_if!(get!(left) < get!(right), edges, target),
                Instr::JumpUle { edges, left, right, target } => jump_if!(get!(left) <= get!(right), edges, target),
                Instr::JumpSlt { shift, edges, left, right, target } => {
                    jump_if!(top(get!(left), shift) < top(get!(right), shift), edges, target);
                }
                Instr::JumpSle { shift, edges, left, right, target } => {
                    jump_if!(top(get!(left), shift) <= top(get!(right), shift), edges, target);
                }
                Instr::JumpIf { edges, when, target } => jump_if!(get!(when) != 0, edges, target),
                Instr::JumpUnless { edges, when, target } => jump_if!(get!(when) == 0, edges, target),
                Instr::Switch { edges, on, table } => {
                    pc = lookup(&code.switches[table as usize], get!(on));
                    spend!(edges);
                }
                Instr::Choose { edges, table } => {
                    match self.choose(regs, table) {
                        Ok(target) => pc = target,
                        Err(outcome) => break outcome,
                    }
                    spend!(edges);
                }

                Instr::Load { bytes, to, address, site } => {
                    let address = get!(address);
                    let value = match self.memory.read(site, address, u64::from(bytes)) {
                        Fetched::Value(value) => value,
                        Fetched::Unknown => match self.load(pc - 1, address, u32::from(bytes), site) {
                            Ok(words) => words[0],
                            Err(outcome) => break outcome,
                        },
                        Fetched::Outside => break self.bad(BadAccess::Read, pc - 1, address),
                    };
                    set!(to, value);
                }
                Instr::Store { bytes, from, address, site } => {
                    let address = get!(address);
                    if let Err(bad) = self.memory.write(site, address, u64::from(bytes), get!(from)) {
                        break self.bad(bad, pc - 1, address);
                    }
                }
                Instr::LoadBlock { index } => {
                    if let Err(outcome) = self.load_block(regs, code.blocks[index as usize], pc - 1) {
                        break outcome;
                    }
                }
                Instr::StoreBlock { index } => {
                    if let Err(outcome) = self.store_block(regs, code.blocks[index as usize], pc - 1) {
                        break outcome;
                    }
                }
                Instr::Havoc { index } => {
                    let havoc = code.havocs[index as usize];
                    let shown = code.inputs[havoc.input.index()].shown;
                    let asked = self.ask(havoc.input);
                    if havoc.is_array {
                        set!(havoc.to, self.arrays.drawn(asked));
                        continue;
                    }
                    let words = self.draw(Origin::Input(havoc.input), asked.occurrence, None, havoc.width, shown);
                    regs[havoc.to as usize..][..words.len()].copy_from_slice(&words);
                }
                Instr::Forget { address, size, input } => {
                    let size = if size == NO_REG { None } else { Some(get!(size)) };
                    if let Err(outcome) = self.forget(get!(address), size, InputId::new(input as usize), pc - 1) {
                        break outcome;
                    }
                    if self.memory.over_limit() {
                        break Outcome::Limit(Limit::Memory);
                    }
                }
                Instr::Alloc { index } => {
                    let alloc = code.allocs[index as usize];
                    let part = if alloc.frame { Part::Stack } else { Part::Heap };
                    let zeroed = alloc.input.is_none();
                    let asked = alloc.input.map(|input| self.ask(input));
                    let moved = if alloc.moved == NO_REG { 0 } else { get!(alloc.moved) };
                    let size = get!(alloc.size);
                    let align = if alloc.frame { 1 } else { u64::from(code.pointer_width) / 4 };
                    let Ok(address) = self.memory.allocate(part, size, align, zeroed, asked, None) else {
                        break Outcome::Limit(Limit::Memory);
                    };
                    self.memory.allocated_by(part, pc - 1);
                    if moved != 0
                        && let Err(bad) = self.move_object(moved, address, size, pc - 1)
                    {
                        break self.bad(bad, pc - 1, moved);
                    }
                    set!(alloc.to, address);
                    shadow.allocated(alloc.to, address);
                }
                Instr::Free { address } => {
                    let address = get!(address);
                    if address != 0
                        && let Err(bad) = self.memory.free(address, pc - 1)
                    {
                        break self.bad(bad, pc - 1, address);
                    }
                }

                Instr::Begin { address } => match self.memory.begin_anew(get!(address)) {
                    Ok(None) => {}
                    Ok(Some(base)) => {
                        set!(address, base);
                        shadow.allocated(address, base);
                    }
                    Err(_) => break Outcome::Limit(Limit::Memory),
                },
                Instr::End { address } => self.memory.end(get!(address)),
                Instr::Order { .. } => {}
                Instr::Probe { index } => {
                    let probe = code.probes[index as usize];
                    let address = get!(probe.address);
                    let is_valid = match shadow.probed() {
                        Some(is_valid) => is_valid,
                        None if probe.access == AccessKind::Track => self.tracks_by_value(regs),
                        None => self.memory.is_valid(probe.access, probe.site, address, probe.bytes),
                    };
                    if !is_valid {
                        self.run.probed = Some(address);
                        self.run.touched = shadow.touched().unwrap_or_else(|| self.touched(address));
                    }
                    // Whether a write to a constant fails is up to the implementation: some have no memory that cannot be written.
                    if !is_valid
                        && probe.access == AccessKind::Write
                        && self.memory.is_valid(AccessKind::Read, probe.site, address, probe.bytes)
                    {
                        self.undefined(Unclear::Memory(BadAccess::ReadOnly), pc - 1);
                    }
                    set!(probe.to, u64::from(is_valid));
                }

                Instr::Call { edges, function } => {
                    match self.enter(regs, function, pc as u32, false) {
                        Ok(target) => pc = target,
                        Err(outcome) => break outcome,
                    }
                    shadow.entered(code, regs, function);
                    spend!(edges);
                }
                Instr::SaveFrame { function } => {
                    let (first, count) = code.functions[function as usize].frame;
                    self.saved.extend_from_slice(&regs[first as usize..][..count as usize]);
                }
                Instr::CallSaved { edges, function } => {
                    match self.enter(regs, function, pc as u32, true) {
                        Ok(target) => pc = target,
                        Err(outcome) => break outcome,
                    }
                    shadow.entered(code, regs, function);
                    spend!(edges);
                }
                Instr::Return { edges, function } => {
                    match self.leave(regs, function) {
                        Ok(target) => pc = target,
                        Err(outcome) => {
                            fuel -= i64::from(edges);
                            break outcome;
                        }
                    }
                    spend!(edges);
                }

                Instr::Undefined { what } => self.undefined(Unclear::Operation(what), pc - 1),
                Instr::Approximate => self.run.approximate = true,
                Instr::Count { edges } => {
                    spend!(edges);
                }
                Instr::Error { edges, assertion } => {
                    fuel -= i64::from(edges);
                    break Outcome::Error(assertion);
                }
                Instr::Blocked { edges, at } => {
                    fuel -= i64::from(edges);
                    break Outcome::Blocked(at);
                }
                Instr::Trap { index } => {
                    let what = code.traps[index as usize].clone();
                    break Outcome::Unsupported { what, place: code.place_of(pc - 1) };
                }
                Instr::Note { index } => self.notes.note(code, regs, &self.memory, code.notes[index as usize]),
            }
        };
        *fuel_left = fuel;
        outcome
    }

    /// Fuel and where to go on, unless it is time to stop.
    #[cold]
    #[inline(never)]
    fn pause(&mut self, fuel: i64, regs: &mut [u64], pc: usize) -> Result<(i64, usize), Outcome> {
        let ration = self.refuel(fuel)?;
        if !self.tries.due(self.spent) || !self.notes.may_leap() {
            return Ok((ration, pc));
        }
        let Some(leap) = self.tries.leap(self.code, regs, pc, self.spent) else { return Ok((ration, pc)) };
        self.run.leapt = self.run.leapt.saturating_add(leap.edges);
        self.notes.leapt(&leap);
        Ok((ration, leap.pc))
    }

    /// A new ration, unless it is time to stop. Fuel goes in and out by value, so that the loop can
    /// keep it in a register.
    #[cold]
    #[inline(never)]
    fn refuel(&mut self, fuel: i64) -> Result<i64, Outcome> {
        let taken = self.granted.wrapping_sub(fuel as u64);
        if taken > self.limits.edges {
            return Err(Outcome::Limit(Limit::Edges));
        }
        if self.memory.over_limit() || self.arrays.used() > self.limits.memory {
            return Err(Outcome::Limit(Limit::Memory));
        }
        let news = taken - self.spent;
        self.spent = taken;
        match self.budget.spend(news) {
            Ok(()) => {}
            Err(Stopped::Cancelled) => return Err(Outcome::Cancelled),
            Err(Stopped::OutOfTicks) => return Err(Outcome::Limit(Limit::Ticks)),
        }
        let ration = Tuning::DEFAULT.edges_between_checks.min(self.tries.shortest_gap()).min(self.limits.edges - taken);
        self.granted = taken + ration;
        Ok(ration as i64)
    }

    // ---- calls

    fn enter(&mut self, regs: &mut [u64], function: u32, back: u32, saved: bool) -> Result<usize, Outcome> {
        let callee = &self.code.functions[function as usize];
        if self.calls.len() >= self.limits.call_depth {
            return Err(Outcome::Limit(Limit::CallDepth));
        }
        if saved && (self.saved.len() as u64) > self.limits.memory / 8 {
            return Err(Outcome::Limit(Limit::Memory));
        }
        self.calls.push(Activation { back, function, saved, stack: self.memory.stack_mark() });
        for object in &callee.objects {
            match self.memory.allocate(Part::Stack, object.size, object.align, false, None, Some(object.id)) {
                Ok(base) => regs[object.address as usize] = base,
                Err(_) => return Err(Outcome::Limit(Limit::Memory)),
            }
        }
        Ok(callee.entry as usize)
    }

    fn leave(&mut self, regs: &mut [u64], function: u32) -> Result<usize, Outcome> {
        let callee = &self.code.functions[function as usize];
        let activation = self.calls.pop().expect("a return follows a call");
        self.memory.pop_to(activation.stack);
        let (result, width) = callee.result;
        if callee.handover != NO_REG {
            regs.copy_within(result as usize..result as usize + words_for(width), callee.handover as usize);
        }
        if activation.back == u32::MAX {
            let value = (result != NO_REG).then(|| to_u128(&regs[result as usize..][..words_for(width)]));
            return Err(Outcome::Returned(value));
        }
        if activation.saved {
            let (first, count) = callee.frame;
            let from = self.saved.len() - count as usize;
            regs[first as usize..][..count as usize].copy_from_slice(&self.saved[from..]);
            self.saved.truncate(from);
        }
        Ok(activation.back as usize)
    }

    fn wide(&self, regs: &mut [u64], index: u32) {
        let instr = &self.code.wide[index as usize];
        let args: Vec<(Words, u32)> = instr
            .args
            .iter()
            .map(|&(reg, width)| (Words::from_slice(&regs[reg as usize..][..words_for(width)]), width))
            .collect();
        let result = wide::apply(instr.op, instr.width, &args).expect("only operators of bit-vectors are wide");
        regs[instr.to as usize..][..result.len()].copy_from_slice(&result);
    }

    fn apply(&mut self, regs: &mut [u64], index: u32) {
        let instr = &self.code.applications[index as usize];
        let args: Vec<u128> =
            instr.args.iter().map(|&(reg, width)| to_u128(&regs[reg as usize..][..words_for(width)])).collect();
        let value = self.inputs.apply(&instr.function, &args);
        let result = wide::from_u128(value, instr.width);
        regs[instr.to as usize..][..result.len()].copy_from_slice(&result);
    }

    /// Returns false if the result is not determined.
    fn array(&mut self, regs: &mut [u64], index: u32) -> bool {
        let ArrayInstr { op, to, array, index, element, width } = self.code.arrays[index as usize];
        let at = |reg: Reg| if reg == NO_REG { 0 } else { regs[reg as usize] };
        let result = match op {
            ArrayOp::Constant => self.arrays.constant(at(element)),
            ArrayOp::Store => self.arrays.store(at(array), at(index), at(element)),
            ArrayOp::Select => self.element(at(array), at(index), width),
            ArrayOp::Same { index_width } => match self.same_arrays(at(array), at(element), index_width, width) {
                Some(same) => u64::from(same),
                None => return false,
            },
        };
        regs[to as usize] = result;
        true
    }

    fn float(&mut self, regs: &mut [u64], index: u32) {
        let FloatInstr { op, to, left, right, format, approximate } = self.code.floats[index as usize];
        let result = floats::apply(op, format, &regs[left as usize..][..floats::words_in(op)], regs[right as usize]);
        self.run.approximate |= approximate || floats::needs_full_precision(op, &result);
        regs[to as usize..][..result.len()].copy_from_slice(&result);
    }
}

fn lookup(table: &SwitchTable, value: u64) -> usize {
    let target = match table {
        SwitchTable::Dense { first, targets, default } => {
            targets.get(value.wrapping_sub(*first) as usize).copied().unwrap_or(*default)
        }
        SwitchTable::Sparse { values, targets, default } => {
            values.binary_search(&value).map_or(*default, |index| targets[index])
        }
    };
    target as usize
}
