//! From program to register code: the state of the translation, and the registers.
//!
//! Globals and constants have registers of their own, each function has one frame, and
//! intermediate values share a pool that is free again after each edge. Whatever cannot be executed
//! becomes a trap at its place, so that a run is refused only if it gets there.

use std::rc::Rc;

use base::{FastMap, Id};
use term::{Sort, SortKind, Term, Terms};

use crate::model::{AccessKind, Action, AssertionKind, EdgeId, Loc, ObjectId, Program, Var, VarKind};

use super::ELEMENT_WIDTH;
use super::code::{Code, Encoding, Format, FunctionCode, Label, NO_REG, Reg, StaticObject, VariableAt};
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
    /// A handle of an array with indices and elements of this many bits.
    Array {
        index: u32,
        element: u32,
    },
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
            Shape::Float(Format::Double, _) | Shape::Array { .. } => 64,
            Shape::Float(Format::Extended, _) => 80,
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
    pub tracing: bool,
    /// Objects that a block ends, by their addresses.
    pub ending: FastMap<Term, ObjectId>,
    pub group_of: Vec<usize>,
    pub outgoing: Vec<Rc<[EdgeId]>>,
    pub n_incoming: Vec<u32>,
    pub location_label: Vec<Option<Label>>,
    pub emitted: Vec<bool>,
    pub work: Vec<Work>,
    pub stubs: Vec<Stub>,
}

/// Code that is still to be written.
pub(super) enum Work {
    Location(Loc),
    Edge(EdgeId, Label),
}

/// Small pieces of code out of the way.
pub(super) enum Stub {
    Blocked { label: Label, at: Loc, edge: u32 },
    Undefined { label: Label, what: crate::model::Undefined, back: Label, edge: u32 },
}

/// The program as code; with `tracing`, it contains notes for the trace.
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
            order_assertions: program.assertion_ids(AssertionKind::Order),
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
        ending: ending(program),
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

/// The objects that a block ends, by their addresses.
fn ending(program: &Program) -> FastMap<Term, ObjectId> {
    let mut found = FastMap::new();
    for edge in &program.edges {
        if let Action::End { object } = edge.action {
            found.insert(program.vars[program.objects[object].address].term, object);
        }
    }
    found
}

impl Compiler<'_> {
    /// Notes where pointers can be, if the program asks for leaks.
    fn place_roots(&mut self) {
        let program = self.program;
        let is_leak = |kind| kind == AssertionKind::Access(AccessKind::Track) || kind == AssertionKind::Cleanup;
        self.code.asks_for_leaks = program.assertions.iter().any(|assertion| is_leak(assertion.kind));
        if !self.code.asks_for_leaks {
            return;
        }
        for (var, variable) in program.vars.iter_enumerated() {
            let Some(VariableAt { reg, width, format: None }) = self.code.variables[var.index()] else { continue };
            if width < program.pointer_width || width > 64 {
                continue;
            }
            match variable.kind {
                VarKind::Global => self.code.global_roots.push(reg),
                VarKind::Param(f) => self.code.functions[f.index()].roots.push(reg),
                VarKind::Local(f) => {
                    self.code.functions[f.index()].roots.push(reg);
                    self.code.functions[f.index()].local_roots.push(reg);
                }
                _ => {}
            }
        }
    }
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
        self.code.n_global_registers = self.code.registers.len() as Reg;
        for (function, vars) in by_function.into_iter().enumerate() {
            let first = self.code.registers.len() as Reg;
            for var in vars {
                self.place_variable(var);
            }
            self.code.functions[function].frame = (first, self.code.registers.len() as Reg - first);
        }
        self.place_roots();
        for (id, function) in program.functions.iter_enumerated() {
            if let Some(address) = function.address
                && self.registers[address.index()] != NO_REG
            {
                let reg = self.registers[address.index()];
                self.code.registers[reg as usize] = function_address(id.index());
                self.code.function_addresses.push(reg);
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
                    // C leaves open whether string literals and constant compound literals share their places; names
                    // that a front end makes up are no identifiers.
                    shared: object.read_only && object.name.contains('!'),
                    address: self.registers[object.address.index()],
                });
            }
        }
    }

    /// A variable of a sort that has no registers keeps `NO_REG`; its use is refused.
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

    pub(super) fn new_registers(&mut self, count: u32) -> Reg {
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
            SortKind::Float(15, 64) => Ok(Shape::Float(Format::Extended, None)),
            SortKind::Float(15, 113) => Ok(Shape::Float(Format::Double, Some(Encoding::Quad))),
            SortKind::Float(exponent, significand) => {
                Err(format!("floating point with {exponent} exponent and {significand} significand bits"))
            }
            &SortKind::Array(index, element) => match (self.shape(index), self.shape(element)) {
                (Ok(Shape::Bits(index @ 1..=64)), Ok(Shape::Bits(element @ 1..=64))) => {
                    Ok(Shape::Array { index, element })
                }
                (Ok(Shape::Bits(index @ 1..=64)), Ok(shape @ Shape::Float(Format::Single | Format::Double, None))) => {
                    Ok(Shape::Array { index, element: shape.width() })
                }
                _ => Err("arrays of this sort".to_owned()),
            },
            // Only equality matters, so elements are numbers.
            SortKind::Uninterpreted(_) => Ok(Shape::Bits(ELEMENT_WIDTH)),
            SortKind::Int => Err("mathematical integers".to_owned()),
            SortKind::Real => Err("real numbers".to_owned()),
        }
    }

    pub(super) fn variable(&self, var: Var) -> Result<(Reg, Shape), Refusal> {
        let shape = self.shape(self.program.vars[var].sort)?;
        Ok((self.registers[var.index()], shape))
    }
}
