//! The shadow run: the same machine with a mark beside each register and each byte.
//!
//! [`Marks`] sees every instruction before it is executed and computes the mark of its result from those of its
//! operands (`shadow_values`, `shadow_memory`, `mark`). An access is valid if the origin of the address is live and contains it, whatever lies at
//! the address. Where the way of the run is decided (a jump, an address, a size), the mark of what decides is looked at: the
//! first one that the program alone does not determine is remembered, or ends the run, as [`Watch`] says.
//!
//! Plain runs use [`NoShadow`], which the compiler removes from the loop.

use base::{Budget, FastMap, Id};

use crate::model::{InputId, ObjectId};

use super::byte_marks::ByteMarks;
use super::classes::Test;
use super::code::{Code, Instr, NO_REG, Reg};
use super::execute::{Execution, NoNotes};
use super::inputs::Inputs;
use super::leap::LeapSettings;
use super::mark::{Cause, Form, Mark, World};
use super::shadow_order::Region;
use super::tracked::Kept;
use super::wide::words_for;
use super::{Decided, Dependence, Limit, Limits, Machine, Outcome, Run, Touched, Watch};
use crate::tuning::Tuning;

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
    /// The object of the probed access, if the shadow knows better.
    fn touched(&self) -> Option<Option<Touched>>;
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
    #[inline(always)]
    fn touched(&self) -> Option<Option<Touched>> {
        None
    }
}

/// The marks of a run.
pub(super) struct Marks {
    pub watch: Watch,
    pub regs: Vec<Mark>,
    saved: Vec<Mark>,
    pub bytes: ByteMarks,
    decided: Option<Decided>,
    unnamed: Option<Decided>,
    /// Objects of activations that have ended.
    pub ended: FastMap<u64, (Option<ObjectId>, u64)>,
    n_ended: usize,
    pub functions_end: u64,
    pub pointer_width: u32,
    pub probed: Option<bool>,
    pub probed_object: Option<Touched>,
    /// Regions of the order of evaluation that are open, outermost first.
    pub regions: Vec<Region>,
    /// The input about the order of evaluation that was asked for last.
    pub last_order: Option<InputId>,
    /// Where the contents of the object come from that is about to be allocated, and how many bytes.
    pub moving: Option<(u64, u64)>,
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
        let leap_settings = std::mem::replace(&mut self.leap_settings, LeapSettings::NEVER);
        let run = self.execute(inputs, limits, budget, &mut NoNotes, &mut marks);
        self.leap_settings = leap_settings;
        if let (None, Some(input)) = (marks.decided, marks.order_at_end(&self.code, &run.outcome)) {
            let place = self.code.inputs[input.index()].place;
            marks.decided = Some(Decided { by: Dependence::Input(input), edge: None, place });
        }
        (run, marks.decided, marks.unnamed)
    }
    /// Runs the program from the start and executes every edge one by one.
    pub fn run_without_leaps(&mut self, inputs: &mut dyn Inputs, limits: &Limits, budget: &Budget) -> Run {
        let leap_settings = std::mem::replace(&mut self.leap_settings, LeapSettings::NEVER);
        let run = self.run(inputs, limits, budget);
        self.leap_settings = leap_settings;
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
            probed_object: None,
            regions: Vec::new(),
            last_order: None,
            moving: None,
        }
    }
    pub(super) fn world<'a>(&self, run: &'a Execution<'_>) -> World<'a> {
        World { memory: &run.memory, pointer_width: self.pointer_width, functions_end: self.functions_end }
    }

    /// The mark of a variable.
    pub(super) fn mark_of(&self, kept: Kept) -> Mark {
        match kept {
            Kept::Now(reg) => self.regs[reg as usize],
            Kept::Saved(at) => self.saved[at],
        }
    }

    // ---- decisions

    /// The way of the run depends on this.
    #[inline]
    pub(super) fn decide(&mut self, run: &Execution<'_>, at: usize, mark: Mark) -> Result<(), Outcome> {
        if mark.is_plain() { Ok(()) } else { self.decide_by(run, at, mark.as_number()) }
    }
    /// The run accesses memory at this address.
    pub(super) fn decide_address(&mut self, run: &Execution<'_>, at: usize, mark: Mark) -> Result<(), Outcome> {
        match mark.form {
            Form::Number | Form::Pointer if mark.is_determined() => Ok(()),
            Form::Number | Form::Pointer => self.decide_by(run, at, mark),
            Form::Negative | Form::Part { .. } | Form::Weak => self.decide_by(run, at, mark.as_number()),
        }
    }
    #[cold]
    pub(super) fn decide_by(&mut self, run: &Execution<'_>, at: usize, mark: Mark) -> Result<(), Outcome> {
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

    fn leave(&mut self, run: &Execution<'_>, function: u32) {
        self.close_regions(run.calls.len());
        let callee = &run.code.functions[function as usize];
        let activation = run.calls.last().expect("a return follows a call");
        for extent in run.memory.since(activation.stack) {
            if self.n_ended < Tuning::DEFAULT.max_ended_objects {
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
        // What an earlier activation has left in local variables is not there.
        for &local in &code.functions[function as usize].local_roots {
            self.regs[local as usize] = Mark::default();
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
    fn touched(&self) -> Option<Option<Touched>> {
        Some(self.probed_object)
    }

    fn before(&mut self, run: &mut Execution<'_>, regs: &[u64], at: usize, instr: &Instr) -> Result<(), Outcome> {
        match *instr {
            Instr::JumpEq { left, right, .. } | Instr::JumpNe { left, right, .. } => {
                self.jump(run, regs, at, Test::Equal, left, right)?;
            }
            Instr::JumpUlt { left, right, .. } => {
                self.jump(run, regs, at, Test::Less { or_equal: false }, left, right)?;
            }
            Instr::JumpUle { left, right, .. } => {
                self.jump(run, regs, at, Test::Less { or_equal: true }, left, right)?;
            }
            Instr::JumpSlt { left, right, shift, .. } => {
                let width = 64 - u32::from(shift);
                self.jump(run, regs, at, Test::SignedLess { or_equal: false, width }, left, right)?;
            }
            Instr::JumpSle { left, right, shift, .. } => {
                let width = 64 - u32::from(shift);
                self.jump(run, regs, at, Test::SignedLess { or_equal: true, width }, left, right)?;
            }
            Instr::JumpIf { when, .. } | Instr::JumpUnless { when, .. } | Instr::Switch { on: when, .. } => {
                self.decide(run, at, self.regs[when as usize])?;
            }
            Instr::Choose { table, .. } => self.choose(run, regs, at, table)?,
            Instr::SaveFrame { function } => {
                let (first, count) = run.code.functions[function as usize].frame;
                self.saved.extend_from_slice(&self.regs[first as usize..][..count as usize]);
                if self.saved.len() as u64 > run.limits.memory / 32 {
                    return Err(Outcome::Limit(Limit::Memory));
                }
            }
            Instr::Return { function, .. } => self.leave(run, function),
            Instr::Load { .. }
            | Instr::Store { .. }
            | Instr::LoadBlock { .. }
            | Instr::StoreBlock { .. }
            | Instr::Forget { .. }
            | Instr::Alloc { .. }
            | Instr::Free { .. }
            | Instr::Probe { .. } => self.memory(run, regs, at, instr)?,
            Instr::Order { index } => self.order(run, regs, at, index as usize)?,
            Instr::Begin { .. }
            | Instr::End { .. }
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
            _ => self.value(run, regs, instr),
        }
        Ok(())
    }
}
