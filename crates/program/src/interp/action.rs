//! From actions to instructions.

use base::{FastMap, Id};
use term::Term;

use crate::model::{Action, EdgeId, FunId, Lifetime, OrderStep, Shown, Var};

use super::code::{Allocation, Block, BlockKind, Format, Havoc, Instr, NO_REG, Note, Probe, Reg, VariableAt};
use super::compile::{Compiler, Refusal, Shape, Stub};

impl Compiler<'_> {
    pub(super) fn action(&mut self, edge: EdgeId, chosen: bool) -> Result<(), Refusal> {
        let program = self.program;
        let info = &program.edges[edge];
        match &info.action {
            Action::Assume(_) if chosen => {}
            Action::Assume(condition) => {
                let blocked = self.blocked_label(info.from);
                self.jump_when(*condition, false, blocked)?;
            }
            Action::Assign(assignments) => self.assign(assignments)?,
            Action::Havoc { var, input } => {
                let (to, shape) = self.variable(*var)?;
                let index = self.code.havocs.len() as u32;
                let is_array = matches!(shape, Shape::Array { .. });
                self.code.havocs.push(Havoc { to, width: shape.width(), input: *input, is_array });
                self.emit(Instr::Havoc { index });
            }
            Action::Load { var, address } => self.load(*var, *address)?,
            Action::Store { address, value } => self.store(*address, *value)?,
            Action::Forget { address, size, input } => {
                self.begin(*address, *size)?;
                let address = self.narrow(*address)?;
                let size = size.map_or(Ok(NO_REG), |size| self.narrow(size))?;
                self.emit(Instr::Forget { address, size, input: input.index() as u32 });
            }
            Action::Call { function, args, result } => self.call(edge, *function, args, *result)?,
            Action::Alloc { var, size, lifetime, input, moved } => {
                let moved = moved.map_or(Ok(NO_REG), |moved| self.narrow(moved))?;
                let size = self.narrow(*size)?;
                let (to, _) = self.variable(*var)?;
                let index = self.code.allocs.len() as u32;
                let frame = *lifetime == Lifetime::Frame;
                self.code.allocs.push(Allocation { to, size, frame, input: *input, moved });
                self.emit(Instr::Alloc { index });
            }
            Action::Free { address, lifetime: Lifetime::Frame } => {
                let address = self.narrow(*address)?;
                self.emit(Instr::End { address });
            }
            Action::Free { address, lifetime: Lifetime::Heap } => {
                let address = self.narrow(*address)?;
                self.note(Note::Address { address, bytes: 0 });
                self.emit(Instr::Free { address });
            }
            Action::End { object } => {
                let (address, _) = self.variable(program.objects[*object].address)?;
                self.emit(Instr::End { address });
            }
            Action::Probe { var, address, bytes, access } => {
                let address = self.narrow(*address)?;
                let (to, _) = self.variable(*var)?;
                self.note(Note::Address { address, bytes: u32::try_from(*bytes).unwrap_or(u32::MAX) });
                let site = self.new_site(Shown::Plain);
                let index = self.code.probes.len() as u32;
                self.code.probes.push(Probe { to, address, bytes: *bytes, access: *access, site });
                self.emit(Instr::Probe { index });
            }
            Action::Order(step) => {
                let address = match step {
                    OrderStep::Bits { address, .. } => self.narrow(*address)?,
                    _ => NO_REG,
                };
                let index = self.code.orders.len() as u32;
                self.code.orders.push((*step, address));
                self.emit(Instr::Order { index });
            }
            Action::Check { what, holds } => {
                let label = self.new_label();
                let back = self.new_label();
                self.jump_when(*holds, false, label)?;
                // Both ways meet again here, so what was pending must be counted.
                self.flush_pending();
                self.bind(back);
                self.stubs.push(Stub::Undefined { label, what: *what, back, edge: edge.index() as u32 });
            }
        }
        Ok(())
    }

    /// A bit-vector of at most 64 bits, such as an address or a size.
    /// An automatic object that is forgotten as a whole by its name begins anew, if its block has ended.
    fn begin(&mut self, address: Term, size: Option<Term>) -> Result<(), Refusal> {
        let program = self.program;
        let Some(object) = self.ending.get(&address).copied() else { return Ok(()) };
        let object = &program.objects[object];
        if size.is_none_or(|size| self.terms.small_value(size) == Some(object.size)) {
            let (address, _) = self.variable(object.address)?;
            self.emit(Instr::Begin { address });
        }
        Ok(())
    }
    pub(super) fn narrow(&mut self, term: Term) -> Result<Reg, Refusal> {
        match self.shape(self.terms.sort_of(term))? {
            Shape::Bits(width) if width <= 64 => self.value(term, None),
            _ => Err("an address or size of more than 64 bits".to_owned()),
        }
    }

    pub(super) fn assign(&mut self, assignments: &[(Var, Term)]) -> Result<(), Refusal> {
        if let [(var, term)] = assignments {
            let (to, shape) = self.variable(*var)?;
            let from = self.value(*term, Some(to))?;
            self.copy(to, from, shape.words());
            return Ok(());
        }
        // All right sides first; a right side that is a variable changed here is put aside.
        let mut targets = Vec::with_capacity(assignments.len());
        for (var, _) in assignments {
            targets.push(self.variable(*var)?);
        }
        let mut is_target = FastMap::new();
        for (to, _) in &targets {
            is_target.insert(*to, ());
        }
        let mut values = Vec::with_capacity(assignments.len());
        for ((_, term), (_, shape)) in assignments.iter().zip(&targets) {
            let mut from = self.value(*term, None)?;
            if is_target.contains_key(&from) {
                let aside = self.fresh(shape.words());
                self.copy(aside, from, shape.words());
                from = aside;
            }
            values.push(from);
        }
        for ((to, shape), from) in targets.into_iter().zip(values) {
            self.copy(to, from, shape.words());
        }
        Ok(())
    }

    /// Moves a value unless it is there already.
    pub(super) fn copy(&mut self, to: Reg, from: Reg, words: u32) {
        match words {
            _ if to == from => {}
            1 => self.emit(Instr::Move { to, from }),
            count => self.emit(Instr::MoveMany { to, from, count }),
        }
    }

    pub(super) fn load(&mut self, var: Var, address: Term) -> Result<(), Refusal> {
        let address = self.narrow(address)?;
        let (to, shape) = self.variable(var)?;
        let site = self.new_site(self.program.vars[var].shown);
        let (bytes, how) = in_memory(shape)?;
        self.note(Note::Address { address, bytes });
        if how == BlockKind::Plain && matches!(bytes, 1 | 2 | 4 | 8) {
            self.emit(Instr::Load { bytes: bytes as u8, to, address, site });
        } else {
            let index = self.code.blocks.len() as u32;
            self.code.blocks.push(Block { reg: to, address, bytes, site, how });
            self.emit(Instr::LoadBlock { index });
        }
        Ok(())
    }

    pub(super) fn store(&mut self, address: Term, value: Term) -> Result<(), Refusal> {
        let address = self.narrow(address)?;
        let shape = self.shape(self.terms.sort_of(value))?;
        let from = self.value(value, None)?;
        let site = self.new_site(Shown::Plain);
        let (bytes, how) = in_memory(shape)?;
        let format = match shape {
            Shape::Float(format, _) => Some(format),
            _ => None,
        };
        let shown = VariableAt { reg: from, width: shape.width(), format };
        self.note(Note::Store { edge: EdgeId::new(self.current_edge as usize), address, value: shown });
        // A truth value is its byte already.
        if !matches!(how, BlockKind::Float(_)) && matches!(bytes, 1 | 2 | 4 | 8) {
            self.emit(Instr::Store { bytes: bytes as u8, from, address, site });
        } else {
            let index = self.code.blocks.len() as u32;
            self.code.blocks.push(Block { reg: from, address, bytes, site, how });
            self.emit(Instr::StoreBlock { index });
        }
        Ok(())
    }

    pub(super) fn call(
        &mut self,
        edge: EdgeId,
        callee: FunId,
        args: &[Term],
        result: Option<Var>,
    ) -> Result<(), Refusal> {
        let program = self.program;
        let info = &program.functions[callee];
        if info.params.len() != args.len() {
            return Err(format!("a call of {} with another number of arguments", info.name));
        }
        let caller = program.locations[program.edges[edge].from].function;
        let group = self.group_of[callee.index()];
        // Only a call inside a cycle of the call graph can meet a live frame of its callee.
        let saved = group != usize::MAX && group == self.group_of[caller.index()];
        let mut values = Vec::with_capacity(args.len());
        for (&param, &arg) in info.params.iter().zip(args) {
            let (to, shape) = self.variable(param)?;
            // The frame of the callee is not in use, so arguments are computed where they belong.
            let from = self.value(arg, (!saved).then_some(to))?;
            if saved && self.is_in_frame(from, callee) {
                // A parameter may be overwritten before it is passed on.
                let aside = self.fresh(shape.words());
                self.copy(aside, from, shape.words());
                values.push((to, aside, shape.words()));
            } else {
                values.push((to, from, shape.words()));
            }
        }
        let function = callee.index() as u32;
        if saved {
            self.emit(Instr::SaveFrame { function });
        }
        for (to, from, words) in values {
            self.copy(to, from, words);
        }
        self.note(Note::Call(edge));
        let edges = self.take_pending();
        self.emit(if saved { Instr::CallSaved { edges, function } } else { Instr::Call { edges, function } });
        if let Some(var) = result
            && let Some(result) = info.result
        {
            let (to, shape) = self.variable(var)?;
            let (from, _) = self.variable(result)?;
            let from = if group == usize::MAX { from } else { self.code.functions[callee.index()].handover };
            self.copy(to, from, shape.words());
        }
        Ok(())
    }

    pub(super) fn is_in_frame(&self, reg: Reg, function: FunId) -> bool {
        let (first, count) = self.code.functions[function.index()].frame;
        (first..first + count).contains(&reg)
    }
}

/// How many bytes a value has in memory, and how they are read.
fn in_memory(shape: Shape) -> Result<(u32, BlockKind), Refusal> {
    match shape {
        Shape::Truth => Ok((1, BlockKind::Truth)),
        Shape::Bits(width) if width % 8 == 0 => Ok((width / 8, BlockKind::Plain)),
        Shape::Bits(width) => Err(format!("a memory access of {width} bits")),
        Shape::Array { .. } => Err("an array in memory".to_owned()),
        Shape::Float(Format::Single, _) => Ok((4, BlockKind::Plain)),
        Shape::Float(Format::Double, None) => Ok((8, BlockKind::Plain)),
        Shape::Float(Format::Extended, _) => Ok((10, BlockKind::Plain)),
        Shape::Float(Format::Double, Some(encoding)) => Ok((encoding.width() / 8, BlockKind::Float(encoding))),
    }
}
