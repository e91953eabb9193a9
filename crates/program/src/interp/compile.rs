//! From program to register code: registers, functions, and the order of locations.
//!
//! The code of a function is laid out along its edges: after an edge comes the code of the
//! location it leads to, unless that exists already and a jump is needed. Whatever cannot be
//! executed becomes a trap at its place, so that a run is refused only if it gets there.

use std::rc::Rc;

use base::{FastMap, Id};
use term::{Sort, SortKind, Term, Terms};

use crate::model::{Action, EdgeId, FunId, Lifetime, Loc, Mark, Program, Shown, Var, VarKind};

use super::code::{
    Allocation, AutomaticObject, Block, BlockKind, Code, Encoding, Format, FunctionCode, Havoc, Instr, Label, NO_REG,
    Note, Reg, StaticObject, VariableAt,
};
use super::memory::function_address;
use super::recursion::recursive_groups;
use super::wide::words_for;

/// A reason why something cannot be executed.
pub(super) type Refusal = String;

/// What a sort looks like in registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Truth,
    Bits(u32),
    /// Computed in this format; the encoding if that is wider.
    Float(Format, Option<Encoding>),
}

impl Shape {
    /// How many bits of registers.
    pub(super) fn width(self) -> u32 {
        match self {
            Shape::Truth => 1,
            Shape::Bits(width) => width,
            Shape::Float(Format::Single, _) => 32,
            Shape::Float(Format::Double, _) => 64,
        }
    }
    /// How many registers.
    pub(super) fn words(self) -> u32 {
        words_for(self.width()) as u32
    }
}

/// A translation in progress.
pub(super) struct Compiler<'a> {
    pub program: &'a Program,
    pub terms: &'a Terms,
    pub code: Code,
    /// The register of each variable's term.
    pub variables: FastMap<Term, Reg>,
    pub registers: Vec<Reg>,
    pub constants: FastMap<Vec<u64>, Reg>,
    /// Registers for intermediate values, by how many words they have, and how many are in use.
    pub scratch: Vec<(Vec<Reg>, usize)>,
    /// Values known on this edge, with the number of the edge.
    pub known: FastMap<Term, (u32, Reg)>,
    pub known_log: Vec<Term>,
    pub round: u32,
    /// Where each label is; jumps name labels until the end.
    pub labels: Vec<u32>,
    /// Edges since they were last counted.
    pub pending: u32,
    pub current_edge: u32,
    tracing: bool,
    group_of: Vec<usize>,
    outgoing: Vec<Rc<[EdgeId]>>,
    n_incoming: Vec<u32>,
    location_label: Vec<Option<Label>>,
    emitted: Vec<bool>,
    work: Vec<Work>,
    pub stubs: Vec<Stub>,
}

/// Code that is still to be written.
enum Work {
    Location(Loc),
    Edge(EdgeId, Label),
}

/// Small pieces of code out of the way.
pub(super) enum Stub {
    Blocked { label: Label, at: Loc, edge: u32 },
    Undefined { label: Label, what: crate::model::Undefined, back: Label, edge: u32 },
}

/// The program as code; with `tracing`, notes stand where something can be told.
pub(super) fn compile(program: &Program, terms: &Terms, tracing: bool) -> Result<Code, Refusal> {
    let entry = program.entry.ok_or("a program without entry")?;
    if !program.functions[entry].params.is_empty() {
        return Err("an entry function with parameters".to_owned());
    }
    if program.pointer_width == 0 || program.pointer_width > 64 {
        return Err(format!("pointers of {} bits", program.pointer_width));
    }
    let mut outgoing: Vec<Vec<EdgeId>> = vec![Vec::new(); program.locations.len()];
    let mut n_incoming = vec![0; program.locations.len()];
    for (id, edge) in program.edges.iter_enumerated() {
        outgoing[edge.from.index()].push(id);
        n_incoming[edge.to.index()] += 1;
    }
    let mut compiler = Compiler {
        program,
        terms,
        code: Code {
            pointer_width: program.pointer_width,
            places: program.edges.iter().map(|edge| edge.place).collect(),
            inputs: program.inputs.iter().cloned().collect(),
            functions: vec![FunctionCode::default(); program.functions.len()],
            entry: entry.index() as u32,
            ..Code::default()
        },
        variables: FastMap::new(),
        registers: Vec::new(),
        constants: FastMap::new(),
        scratch: Vec::new(),
        known: FastMap::new(),
        known_log: Vec::new(),
        round: 1,
        labels: Vec::new(),
        pending: 0,
        current_edge: u32::MAX,
        tracing,
        group_of: recursive_groups(program),
        outgoing: outgoing.into_iter().map(Rc::from).collect(),
        n_incoming,
        location_label: vec![None; program.locations.len()],
        emitted: vec![false; program.locations.len()],
        work: Vec::new(),
        stubs: Vec::new(),
    };
    compiler.place_variables();
    for function in program.functions.ids() {
        compiler.function(function);
    }
    compiler.resolve_labels();
    Ok(compiler.code)
}

impl Compiler<'_> {
    // ---- registers

    /// Globals first, then one frame for each function.
    fn place_variables(&mut self) {
        let program = self.program;
        self.registers = vec![NO_REG; program.vars.len()];
        self.code.variables = vec![None; program.vars.len()];
        let mut by_function = vec![Vec::new(); program.functions.len()];
        for (var, variable) in program.vars.iter_enumerated() {
            let owner = match variable.kind {
                VarKind::Param(f) | VarKind::Local(f) | VarKind::Temp(f) => Some(f),
                VarKind::AddressOf(object) => program.objects[object].owner,
                VarKind::Global | VarKind::AddressOfFunction(_) => None,
            };
            match owner {
                Some(function) => by_function[function.index()].push(var),
                None => self.place_variable(var),
            }
        }
        for (function, vars) in by_function.into_iter().enumerate() {
            let first = self.code.registers.len() as Reg;
            for var in vars {
                self.place_variable(var);
            }
            self.code.functions[function].frame = (first, self.code.registers.len() as Reg - first);
        }
        for (id, function) in program.functions.iter_enumerated() {
            if let Some(address) = function.address
                && self.registers[address.index()] != NO_REG
            {
                self.code.registers[self.registers[address.index()] as usize] = function_address(id.index());
            }
        }
        for (id, function) in program.functions.iter_enumerated() {
            let result = match function.result.map(|var| self.variable(var)) {
                Some(Ok((reg, shape))) => (reg, shape.width()),
                _ => (NO_REG, 0),
            };
            let recursive = self.group_of[id.index()] != usize::MAX;
            let handover =
                if recursive && result.0 != NO_REG { self.new_registers(words_for(result.1) as u32) } else { NO_REG };
            let code = &mut self.code.functions[id.index()];
            (code.result, code.handover) = (result, handover);
        }
        for (id, object) in program.objects.iter_enumerated() {
            if object.owner.is_none() {
                self.code.statics.push(StaticObject {
                    id,
                    size: object.size,
                    align: u64::from(object.align),
                    init: object.init.clone(),
                    read_only: object.read_only,
                    address: self.registers[object.address.index()],
                });
            }
        }
    }

    /// A variable of a sort that has no registers keeps `NO_REG`; whoever uses it is refused.
    fn place_variable(&mut self, var: Var) {
        let variable = &self.program.vars[var];
        if let Ok(shape) = self.shape(variable.sort) {
            let reg = self.new_registers(shape.words());
            self.registers[var.index()] = reg;
            self.variables.insert(variable.term, reg);
            let format = match shape {
                Shape::Float(format, _) => Some(format),
                _ => None,
            };
            self.code.variables[var.index()] = Some(VariableAt { reg, width: shape.width(), format });
        }
    }

    fn new_registers(&mut self, count: u32) -> Reg {
        let first = self.code.registers.len();
        assert!(first + (count as usize) < u32::MAX as usize, "registers are numbered in 32 bits");
        self.code.registers.resize(first + count as usize, 0);
        first as Reg
    }

    /// A register (or several) whose value is needed on this edge only.
    pub(super) fn fresh(&mut self, words: u32) -> Reg {
        let size = words as usize;
        if self.scratch.len() <= size {
            self.scratch.resize_with(size + 1, Default::default);
        }
        let (pool, used) = &self.scratch[size];
        if *used == pool.len() {
            let reg = self.new_registers(words);
            self.scratch[size].0.push(reg);
        }
        let (pool, used) = &mut self.scratch[size];
        *used += 1;
        pool[*used - 1]
    }

    /// The register that holds this constant.
    pub(super) fn constant(&mut self, words: &[u64]) -> Reg {
        if let Some(&reg) = self.constants.get(words) {
            return reg;
        }
        let reg = self.new_registers(words.len() as u32);
        self.code.registers[reg as usize..][..words.len()].copy_from_slice(words);
        self.constants.insert(words.to_vec(), reg);
        reg
    }

    /// How values of the sort are kept.
    pub(super) fn shape(&self, sort: Sort) -> Result<Shape, Refusal> {
        match self.terms.sort_kind(sort) {
            SortKind::Bool => Ok(Shape::Truth),
            SortKind::BitVec(width) => Ok(Shape::Bits(*width)),
            SortKind::Float(8, 24) => Ok(Shape::Float(Format::Single, None)),
            SortKind::Float(11, 53) => Ok(Shape::Float(Format::Double, None)),
            SortKind::Float(15, 64) => Ok(Shape::Float(Format::Double, Some(Encoding::Extended))),
            SortKind::Float(15, 113) => Ok(Shape::Float(Format::Double, Some(Encoding::Quad))),
            SortKind::Float(exponent, significand) => {
                Err(format!("floating point with {exponent} exponent and {significand} significand bits"))
            }
            SortKind::Array(..) => Err("arrays as values".to_owned()),
            SortKind::Uninterpreted(name) => Err(format!("the uninterpreted sort {name}")),
            SortKind::Int => Err("mathematical integers".to_owned()),
            SortKind::Real => Err("real numbers".to_owned()),
        }
    }

    fn variable(&self, var: Var) -> Result<(Reg, Shape), Refusal> {
        let shape = self.shape(self.program.vars[var].sort)?;
        Ok((self.registers[var.index()], shape))
    }

    // ---- labels and emission

    pub(super) fn emit(&mut self, instr: Instr) {
        self.code.instrs.push(instr);
        self.code.origin.push(self.current_edge);
    }
    pub(super) fn new_label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        self.labels.len() as Label - 1
    }
    pub(super) fn bind(&mut self, label: Label) {
        self.labels[label as usize] = self.code.instrs.len() as u32;
    }
    /// The edges not counted yet, to be counted by the instruction that asks.
    pub(super) fn take_pending(&mut self) -> u16 {
        while self.pending > u32::from(u16::MAX) {
            self.pending -= u32::from(u16::MAX);
            self.emit(Instr::Count { edges: u16::MAX });
        }
        std::mem::take(&mut self.pending) as u16
    }
    fn flush_pending(&mut self) {
        if self.pending > 0 {
            let edges = self.take_pending();
            self.emit(Instr::Count { edges });
        }
    }
    fn jump(&mut self, target: Label) {
        let edges = self.take_pending();
        self.emit(Instr::Jump { edges, target });
    }
    pub(super) fn trap(&mut self, reason: Refusal) {
        let index = self.code.traps.len() as u32;
        self.code.traps.push(reason);
        self.emit(Instr::Trap { index });
    }
    pub(super) fn new_site(&mut self, shown: Shown) -> u32 {
        self.code.sites.push(shown);
        self.code.sites.len() as u32 - 1
    }
    fn note(&mut self, note: Note) {
        if self.tracing {
            let index = self.code.notes.len() as u32;
            self.code.notes.push(note);
            self.emit(Instr::Note { index });
        }
    }
    /// Nothing is known any more, and intermediate registers are free again.
    pub(super) fn begin_edge(&mut self, edge: u32) {
        self.current_edge = edge;
        self.round += 1;
        self.known_log.clear();
        for (_, used) in &mut self.scratch {
            *used = 0;
        }
    }
    /// The code of this location, which will exist.
    pub(super) fn label_of(&mut self, loc: Loc) -> Label {
        match self.location_label[loc.index()] {
            Some(label) => label,
            None => {
                let label = self.new_label();
                self.location_label[loc.index()] = Some(label);
                self.work.push(Work::Location(loc));
                label
            }
        }
    }
    /// The code of an edge out of the straight line: only for edges that do something.
    pub(super) fn label_of_edge(&mut self, edge: EdgeId) -> Label {
        if !self.tracing && matches!(self.program.edges[edge].action, Action::Assume(_)) {
            return self.label_of(self.program.edges[edge].to);
        }
        let label = self.new_label();
        self.work.push(Work::Edge(edge, label));
        label
    }
    pub(super) fn is_emitted(&self, loc: Loc) -> bool {
        self.emitted[loc.index()]
    }
    pub(super) fn blocked_label(&mut self, at: Loc) -> Label {
        let label = self.new_label();
        self.stubs.push(Stub::Blocked { label, at, edge: self.current_edge });
        label
    }

    fn resolve_labels(&mut self) {
        // Code that was given up in the middle may jump to where nothing was written.
        self.current_edge = u32::MAX;
        let nowhere = self.code.instrs.len() as u32;
        self.trap("a condition with parts that cannot be executed".to_owned());
        let labels = &self.labels;
        let place = |label: &mut Label| {
            *label = match labels[*label as usize] {
                u32::MAX => nowhere,
                at => at,
            };
        };
        for instr in &mut self.code.instrs {
            match instr {
                Instr::Jump { target, .. }
                | Instr::JumpEq { target, .. }
                | Instr::JumpNe { target, .. }
                | Instr::JumpUlt { target, .. }
                | Instr::JumpUle { target, .. }
                | Instr::JumpSlt { target, .. }
                | Instr::JumpSle { target, .. }
                | Instr::JumpIf { target, .. }
                | Instr::JumpUnless { target, .. } => place(target),
                _ => {}
            }
        }
        for table in &mut self.code.switches {
            let (super::code::SwitchTable::Dense { targets, default, .. }
            | super::code::SwitchTable::Sparse { targets, default, .. }) = table;
            targets.iter_mut().for_each(place);
            place(default);
        }
        for table in &mut self.code.choices {
            table.ways.iter_mut().for_each(|(_, target)| place(target));
        }
        for function in &mut self.code.functions {
            place(&mut function.entry);
        }
    }

    // ---- functions and locations

    fn function(&mut self, id: FunId) {
        let function = &self.program.functions[id];
        let mut objects = Vec::new();
        for &object in &function.objects {
            let info = &self.program.objects[object];
            objects.push(AutomaticObject {
                id: object,
                size: info.size,
                align: u64::from(info.align),
                address: self.registers[info.address.index()],
            });
        }
        let entry = self.label_of(function.entry);
        let code = &mut self.code.functions[id.index()];
        (code.entry, code.objects) = (entry, objects);

        while let Some(work) = self.work.pop() {
            match work {
                Work::Location(loc) if !self.emitted[loc.index()] => {
                    let label = self.label_of(loc);
                    self.bind(label);
                    self.straight_line(loc);
                }
                Work::Location(_) => {}
                Work::Edge(edge, label) => {
                    self.bind(label);
                    // The jump that leads here has counted the edge.
                    if self.edge(edge, true) {
                        let to = self.program.edges[edge].to;
                        if self.emitted[to.index()] {
                            let target = self.label_of(to);
                            self.jump(target);
                        } else {
                            self.continue_at(to);
                        }
                    }
                }
            }
            for stub in std::mem::take(&mut self.stubs) {
                match stub {
                    Stub::Blocked { label, at, edge } => {
                        self.bind(label);
                        self.current_edge = edge;
                        self.emit(Instr::Blocked { edges: 0, at });
                    }
                    Stub::Undefined { label, what, back, edge } => {
                        self.bind(label);
                        self.current_edge = edge;
                        self.emit(Instr::Undefined { what });
                        self.emit(Instr::Jump { edges: 0, target: back });
                    }
                }
            }
        }
    }

    /// Falls through to a location without code.
    fn continue_at(&mut self, loc: Loc) {
        if self.n_incoming[loc.index()] > 1 {
            self.flush_pending();
        }
        let label = match self.location_label[loc.index()] {
            Some(label) => label,
            None => {
                let label = self.new_label();
                self.location_label[loc.index()] = Some(label);
                label
            }
        };
        self.bind(label);
        self.straight_line(loc);
    }

    /// The code of a location, whose label is bound here, and of those that follow it.
    fn straight_line(&mut self, first: Loc) {
        let mut loc = first;
        loop {
            self.emitted[loc.index()] = true;
            let Some(next) = self.location(loc) else {
                debug_assert_eq!(self.pending, 0, "a line that ends has counted its edges");
                return;
            };
            if self.emitted[next.index()] {
                if self.repeat_branch(next) {
                    return;
                }
                let target = self.label_of(next);
                return self.jump(target);
            }
            if self.n_incoming[next.index()] > 1 {
                self.flush_pending();
            }
            let label = match self.location_label[next.index()] {
                Some(label) => label,
                None => {
                    let label = self.new_label();
                    self.location_label[next.index()] = Some(label);
                    label
                }
            };
            self.bind(label);
            loc = next;
        }
    }

    /// Instead of jumping back to a simple branch, branches right here: a loop then has one jump a
    /// round instead of two. Whether that was possible.
    fn repeat_branch(&mut self, loc: Loc) -> bool {
        let edges = Rc::clone(&self.outgoing[loc.index()]);
        let Some((condition, yes, no)) = self.simple_branch(&edges) else { return false };
        if self.tracing {
            return false; // The notes of the edges stand at the first copy.
        }
        self.begin_edge(yes.index() as u32);
        self.pending += 1;
        let (yes, no) = (self.label_of_edge(yes), self.label_of_edge(no));
        match self.jump_when(condition, true, yes) {
            Ok(()) => self.jump(no),
            Err(reason) => {
                self.pending = 0;
                self.trap(reason);
            }
        }
        true
    }

    /// The code of one location; where it goes on, if the line does.
    fn location(&mut self, loc: Loc) -> Option<Loc> {
        let info = &self.program.locations[loc];
        self.begin_edge(u32::MAX);
        if let Mark::Error(assertion) = info.mark {
            let edges = self.take_pending();
            self.emit(Instr::Error { edges, assertion });
            return None;
        }
        if self.program.functions[info.function].exit == loc {
            self.note(Note::Return(info.function));
            let edges = self.take_pending();
            self.emit(Instr::Return { edges, function: info.function.index() as u32 });
            return None;
        }
        let edges = Rc::clone(&self.outgoing[loc.index()]);
        match edges[..] {
            [] => {
                let edges = self.take_pending();
                self.emit(Instr::Blocked { edges, at: loc });
                None
            }
            [edge] => {
                self.pending += 1;
                self.edge(edge, false).then(|| self.program.edges[edge].to)
            }
            _ => {
                self.pending += 1;
                self.current_edge = edges[0].index() as u32;
                match self.choice(loc, &edges) {
                    Ok(Some(edge)) => self.edge(edge, true).then(|| self.program.edges[edge].to),
                    Ok(None) => None,
                    Err(reason) => {
                        self.pending = 0;
                        self.trap(reason);
                        None
                    }
                }
            }
        }
    }

    /// The code of an edge's action; whether anything can come after it. The guard of an edge that
    /// was chosen holds already.
    fn edge(&mut self, edge: EdgeId, chosen: bool) -> bool {
        self.begin_edge(edge.index() as u32);
        match self.action(edge, chosen) {
            Ok(()) => {
                self.note(Note::After(edge));
                true
            }
            Err(reason) => {
                self.pending = 0;
                self.trap(reason);
                false
            }
        }
    }

    fn action(&mut self, edge: EdgeId, chosen: bool) -> Result<(), Refusal> {
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
                self.code.havocs.push(Havoc { to, width: shape.width(), input: *input });
                self.emit(Instr::Havoc { index });
            }
            Action::Load { var, address } => self.load(*var, *address)?,
            Action::Store { address, value } => self.store(*address, *value)?,
            Action::Forget { address, size, input } => {
                let address = self.narrow(*address)?;
                let size = size.map_or(Ok(NO_REG), |size| self.narrow(size))?;
                self.emit(Instr::Forget { address, size, input: input.index() as u32 });
            }
            Action::Call { function, args, result } => self.call(edge, *function, args, *result)?,
            Action::Alloc { var, size, lifetime, input } => {
                let size = self.narrow(*size)?;
                let (to, _) = self.variable(*var)?;
                let index = self.code.allocs.len() as u32;
                let frame = *lifetime == Lifetime::Frame;
                self.code.allocs.push(Allocation { to, size, frame, input: *input });
                self.emit(Instr::Alloc { index });
            }
            Action::Free { address } => {
                let address = self.narrow(*address)?;
                self.emit(Instr::Free { address });
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
    fn narrow(&mut self, term: Term) -> Result<Reg, Refusal> {
        match self.shape(self.terms.sort_of(term))? {
            Shape::Bits(width) if width <= 64 => self.value(term, None),
            _ => Err("an address or size of more than 64 bits".to_owned()),
        }
    }

    fn assign(&mut self, assignments: &[(Var, Term)]) -> Result<(), Refusal> {
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

    fn load(&mut self, var: Var, address: Term) -> Result<(), Refusal> {
        let address = self.narrow(address)?;
        let (to, shape) = self.variable(var)?;
        let site = self.new_site(self.program.vars[var].shown);
        let (bytes, how) = in_memory(shape)?;
        if how == BlockKind::Plain && matches!(bytes, 1 | 2 | 4 | 8) {
            self.emit(Instr::Load { bytes: bytes as u8, to, address, site });
        } else {
            let index = self.code.blocks.len() as u32;
            self.code.blocks.push(Block { reg: to, address, bytes, site, how });
            self.emit(Instr::LoadBlock { index });
        }
        Ok(())
    }

    fn store(&mut self, address: Term, value: Term) -> Result<(), Refusal> {
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

    fn call(&mut self, edge: EdgeId, callee: FunId, args: &[Term], result: Option<Var>) -> Result<(), Refusal> {
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

    fn is_in_frame(&self, reg: Reg, function: FunId) -> bool {
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
        Shape::Float(Format::Single, _) => Ok((4, BlockKind::Plain)),
        Shape::Float(_, None) => Ok((8, BlockKind::Plain)),
        Shape::Float(_, Some(encoding)) => Ok((encoding.width() / 8, BlockKind::Float(encoding))),
    }
}
