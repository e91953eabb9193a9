//! Random programs that keep all laws and use everything the model has, for tests of tools that must
//! take any program: ids interleaved between functions, strange names, every action, every operator.

use base::{Place, Random};
use term::{Derived, FpOp, NumberOp, Op, Sort, SortKind, Symbol, Term, Terms};

use crate::*;

const NAMES: &[&str] = &[
    "x",
    "y z",
    "a|b",
    "let",
    "?0",
    "and",
    "grüße",
    "",
    "line\nbreak",
    "main.x",
    "#5",
    "->",
    "@1",
    "7up",
    "\\",
    "\"q\"",
    "L3",
    "Bool",
    "bv32",
    "of",
    "tmp",
];

/// The program that belongs to the seed. Terms are built in the given store.
pub(crate) fn random_program(seed: u64, terms: &mut Terms) -> Program {
    let mut g = Generator::new(seed, terms);
    g.everything()
}

struct Generator<'t> {
    random: Random,
    terms: &'t mut Terms,
    b: Builder,
    sorts: Vec<Sort>,
    bool_sort: Sort,
    pointer: Sort,
    uninterpreted: Vec<Symbol>,
    /// What the function at hand may read.
    readable: Vec<Var>,
}

impl<'t> Generator<'t> {
    fn new(seed: u64, terms: &'t mut Terms) -> Self {
        let mut random = Random::new(seed);
        let width = *random.pick(&[32, 64]);
        let bool_sort = terms.bool_sort();
        let pointer = terms.bv_sort(width);
        let thing = terms.sort(SortKind::Uninterpreted((*random.pick(NAMES)).to_owned()));
        let mut sorts = vec![bool_sort, thing, pointer];
        sorts.extend([1, 8, 13, 32, 64, 137].map(|width| terms.bv_sort(width)));
        sorts.push(terms.sort(SortKind::Float(8, 24)));
        sorts.push(terms.sort(SortKind::Float(11, 53)));
        sorts.push(terms.sort(SortKind::Int));
        sorts.push(terms.sort(SortKind::Real));
        let inner = terms.sort(SortKind::Array(sorts[4], thing));
        sorts.push(inner);
        sorts.push(terms.sort(SortKind::Array(pointer, inner)));
        let uninterpreted = sorts.clone().into_iter().enumerate().map(|(index, result)| {
            // The one that makes things takes none, so that there are closed terms of their sort.
            let args = if index == 1 { [bool_sort, pointer] } else { [sorts[index % 3], sorts[index / 2]] };
            terms.declare(&format!("f {index}"), &args, result).expect("the name is free")
        });
        let uninterpreted = uninterpreted.collect();
        Generator {
            random,
            terms,
            b: Builder::new(width),
            sorts,
            bool_sort,
            pointer,
            uninterpreted,
            readable: Vec::new(),
        }
    }

    fn everything(&mut self) -> Program {
        for _ in 0..self.random.below(3) {
            let name = self.name();
            self.b.file(&name);
        }
        let n_functions = 1 + self.random.below(4);
        let functions: Vec<FunId> = (0..n_functions)
            .map(|index| {
                let place = self.place();
                let name = format!("{}{}", self.name(), if index == 0 { String::new() } else { index.to_string() });
                self.b.function(&name, place)
            })
            .collect();
        for _ in 0..3 {
            let (text, place) = (self.name(), self.place());
            self.b.assertion(text, place);
            let (text, place) = (self.name(), self.place());
            self.b.assumption(text, place);
        }
        for _ in 0..6 {
            let name = self.name();
            let kind = match self.random.below(5) {
                0 => InputKind::Nondet(name),
                1 => InputKind::Uninitialised(name),
                2 => InputKind::External(name),
                3 => InputKind::Order { what: name, ends: true, is_choice: false },
                _ => InputKind::Memory,
            };
            let (shown, place) = (self.shown(), self.place());
            self.b.input(kind, shown, place);
        }
        for _ in 0..self.random.below(30) {
            self.declaration(&functions);
        }
        for &function in &functions {
            if self.random.one_in(2) {
                let own = |var: &Variable| matches!(var.kind, VarKind::Local(f) | VarKind::Temp(f) if f == function);
                let result = self.b.program().vars.ids().find(|&var| own(&self.b.program().vars[var]));
                if let Some(result) = result {
                    self.b.set_result(function, result);
                }
            }
        }
        // Every function first writes its locals; the last location of that chain is where it starts in earnest.
        let starts: Vec<Loc> = functions.iter().map(|&function| self.initialise(function)).collect();
        let mut reachable: Vec<Vec<Loc>> = starts.into_iter().map(|start| vec![start]).collect();
        for _ in 0..self.random.below(40) {
            let index = self.random.below(functions.len() as u64) as usize;
            self.edge(functions[index], &mut reachable[index]);
        }
        let mut program = std::mem::replace(&mut self.b, Builder::new(32)).finish(functions[0]);
        for object in 0..program.objects.len() {
            program.objects[base::Id::new(object)].read_only = self.random.one_in(3);
        }
        program
    }

    fn declaration(&mut self, functions: &[FunId]) {
        let function = *self.random.pick(functions);
        let (name, shown, place) = (self.name(), self.shown(), self.place());
        let sort = *self.random.pick(&self.sorts);
        let (size, align) = (self.random.below(100), 1 << self.random.below(5));
        let entry = functions[0];
        match self.random.below(8) {
            0 | 1 => self.b.global(self.terms, &name, sort, shown, place),
            2 if function != entry => self.b.param(self.terms, function, &name, sort, shown, place),
            3 | 4 => self.b.local(self.terms, function, &name, sort, shown, place),
            5 => {
                let init = (0..self.random.below(size + 1)).map(|_| self.random.bits() as u8).collect();
                let object = self.b.static_object(self.terms, &name, size, align, init, place);
                self.b.address_of(object)
            }
            6 => {
                let object = self.b.automatic_object(self.terms, function, &name, size, align, place);
                self.b.address_of(object)
            }
            7 => self.b.address_of_function(self.terms, function),
            _ => self.b.temp(self.terms, function, &name, sort, shown),
        };
    }

    fn initialise(&mut self, function: FunId) -> Loc {
        let program = self.b.program();
        let visible = program.vars.ids().filter(|&var| program.function_of(var).is_none_or(|owner| owner == function));
        let (locals, readable): (Vec<Var>, Vec<Var>) =
            visible.partition(|&var| matches!(program.vars[var].kind, VarKind::Local(_) | VarKind::Temp(_)));
        self.readable = readable;
        let mut at = self.b.entry_of(function);
        for var in locals {
            let place = self.place();
            let next = self.b.location(function, place);
            let action = match self.random.below(2) {
                0 => Action::Havoc { var, input: self.input() },
                _ => Action::Assign(vec![(var, self.term(self.b.program().vars[var].sort, 2))]),
            };
            self.b.edge(at, next, action, place);
            self.readable.push(var);
            at = next;
        }
        at
    }

    fn edge(&mut self, function: FunId, reachable: &mut Vec<Loc>) {
        let program = self.b.program();
        let visible = |&var: &Var| program.function_of(var).is_none_or(|owner| owner == function);
        self.readable = program.vars.ids().filter(visible).collect();
        let from = *self.random.pick(reachable);
        if from == self.b.exit_of(function) || matches!(self.b.program().locations[from].mark, Mark::Error(_)) {
            return;
        }
        let to = match self.random.below(5) {
            0 => *self.random.pick(reachable),
            1 => self.b.exit_of(function),
            _ => {
                let place = self.place();
                let mark = match self.random.below(4) {
                    0 => Mark::LoopHead,
                    1 => Mark::Label(self.name()),
                    2 => Mark::Error(*self.random.pick(&self.b.program().assertions.ids().collect::<Vec<_>>())),
                    _ => Mark::None,
                };
                let loc = self.b.marked_location(function, mark, place);
                reachable.push(loc);
                loc
            }
        };
        let action = self.action(function);
        let place = self.place();
        self.b.edge(from, to, action, place);
    }

    /// A random action. Long: one `match` over all actions.
    fn action(&mut self, function: FunId) -> Action {
        let depth = 1 + self.random.below(5) as u32;
        match self.random.below(14) {
            0 => Action::Assume(self.term(self.bool_sort, depth)),
            1 => {
                let mut pairs: Vec<(Var, Term)> = Vec::new();
                for _ in 0..self.random.below(4) {
                    let fresh = |var: &Var| pairs.iter().all(|&(known, _)| known != *var);
                    if let Some(var) = self.target(|_, _| true).filter(fresh) {
                        pairs.push((var, self.term(self.b.program().vars[var].sort, depth)));
                    }
                }
                Action::Assign(pairs)
            }
            2 => match self.target(|_, _| true) {
                Some(var) => Action::Havoc { var, input: self.input() },
                None => Action::Assign(Vec::new()),
            },
            3 => match self.target(in_bytes) {
                Some(var) => Action::Load { var, address: self.term(self.pointer, depth) },
                None => Action::Assign(Vec::new()),
            },
            4 => {
                let sort = *self.random.pick(&self.sorts);
                let sort = if in_bytes(self.terms, sort) { sort } else { self.pointer };
                Action::Store { address: self.term(self.pointer, depth), value: self.term(sort, depth) }
            }
            5 => {
                let size = if self.random.one_in(2) { None } else { Some(self.term(self.pointer, 1)) };
                Action::Forget { address: self.term(self.pointer, depth), size, input: self.input() }
            }
            6 => {
                let functions: Vec<FunId> = self.b.program().functions.ids().collect();
                let callee_id = *self.random.pick(&functions);
                let callee = self.b.program().functions[callee_id].clone();
                let sort_of = |g: &Self, var: Var| g.b.program().vars[var].sort;
                let args = callee.params.iter().map(|&param| self.term(sort_of(self, param), 2)).collect();
                let wanted = callee.result.map(|result| sort_of(self, result));
                let result = self.target(|_, sort| Some(sort) == wanted);
                Action::Call { function: callee_id, args, result }
            }
            7 => {
                let pointer = self.pointer;
                let lifetime = *self.random.pick(&[Lifetime::Heap, Lifetime::Frame]);
                let input = if self.random.one_in(2) { None } else { Some(self.input()) };
                let moved = if self.random.one_in(3) { Some(self.term(pointer, 2)) } else { None };
                match self.target(|_, sort| sort == pointer) {
                    Some(var) => Action::Alloc { var, size: self.term(pointer, 2), lifetime, input, moved },
                    None => Action::Assign(Vec::new()),
                }
            }
            8 => Action::Free {
                address: self.term(self.pointer, depth),
                lifetime: *self.random.pick(&[Lifetime::Heap, Lifetime::Frame]),
            },
            9 => {
                let what = *self.random.pick(&[
                    Undefined::DivisionByZero,
                    Undefined::ShiftOutOfRange,
                    Undefined::SignedOverflow,
                    Undefined::BadFunctionPointer,
                    Undefined::FloatToInteger,
                    Undefined::MissingReturn,
                    Undefined::Unreachable,
                    Undefined::BadLength,
                    Undefined::DivisionOverflow,
                    Undefined::BrokenPromise,
                ]);
                Action::Check { what, holds: self.term(self.bool_sort, depth) }
            }
            10 => {
                let truth = self.bool_sort;
                let access = *self.random.pick(&[AccessKind::Read, AccessKind::Write, AccessKind::Free]);
                let bytes = if access == AccessKind::Free { 0 } else { self.random.below(9) };
                match self.target(|_, sort| sort == truth) {
                    Some(var) => Action::Probe { var, address: self.term(self.pointer, depth), bytes, access },
                    None => Action::Assign(Vec::new()),
                }
            }
            11 => {
                let automatic = self.b.program().functions[function].objects.clone();
                match automatic.is_empty() {
                    false => Action::End { object: *self.random.pick(&automatic) },
                    true => Action::Assign(Vec::new()),
                }
            }
            12 => {
                let (operand, parent) = (self.random.below(9) as u32, self.random.below(9) as u32);
                let is_write = self.random.one_in(2);
                Action::Order(match self.random.below(6) {
                    0 => OrderStep::Enter { operand, parent, sequenced: is_write },
                    1 => OrderStep::Leave,
                    2 => OrderStep::Close,
                    3 => OrderStep::Resume,
                    4 => OrderStep::Open { input: self.input() },
                    _ => match self.target(|_, _| true) {
                        Some(var) => OrderStep::Variable { var, is_write },
                        None => OrderStep::Leave,
                    },
                })
            }
            _ => Action::Assume(self.terms.truth(true)),
        }
    }

    /// A variable that may be written and whose sort fits.
    fn target(&mut self, fits: impl Fn(&Terms, Sort) -> bool) -> Option<Var> {
        let vars = &self.b.program().vars;
        let constant = |var| matches!(vars[var].kind, VarKind::AddressOf(_) | VarKind::AddressOfFunction(_));
        let fits = |&var: &Var| !constant(var) && fits(self.terms, vars[var].sort);
        let candidates: Vec<Var> = self.readable.iter().copied().filter(fits).collect();
        if candidates.is_empty() { None } else { Some(*self.random.pick(&candidates)) }
    }

    fn name(&mut self) -> String {
        (*self.random.pick(NAMES)).to_owned()
    }
    fn shown(&mut self) -> Shown {
        *self.random.pick(&[Shown::Plain, Shown::Signed, Shown::Unsigned, Shown::Pointer, Shown::Float])
    }
    fn input(&mut self) -> InputId {
        base::Id::new(self.random.below(self.b.program().inputs.len() as u64) as usize)
    }
    fn place(&mut self) -> Option<Place> {
        let n_files = self.b.program().files.len() as u64;
        if n_files == 0 || self.random.one_in(2) {
            return None;
        }
        let file = base::Id::new(self.random.below(n_files) as usize);
        Some(Place { file, line: self.random.below(9) as u32, column: self.random.below(9) as u32 })
    }

    // ---- terms
    fn term(&mut self, sort: Sort, depth: u32) -> Term {
        if depth == 0 || self.random.one_in(4) {
            return self.leaf(sort);
        }
        let depth = depth - 1;
        match self.random.below(8) {
            0 => {
                let condition = self.term(self.bool_sort, depth);
                let (then, otherwise) = (self.term(sort, depth), self.term(sort, depth));
                return self.terms.ite(condition, then, otherwise);
            }
            1 => {
                let all = self.uninterpreted.clone();
                let symbol = all.into_iter().find(|&symbol| self.terms.symbol_result(symbol) == sort);
                let symbol = symbol.expect("there is a function for each sort");
                let args: Vec<Term> =
                    self.terms.symbol_args(symbol).to_vec().into_iter().map(|sort| self.term(sort, depth)).collect();
                return self.terms.apply(symbol, &args);
            }
            _ => {}
        }
        match *self.terms.sort_kind(sort) {
            SortKind::Bool => self.truth(depth),
            SortKind::BitVec(width) => self.vector(width, depth),
            SortKind::Float(..) => self.float(sort, depth),
            SortKind::Array(index, element) => match self.random.below(2) {
                0 => {
                    let (array, at) = (self.term(sort, depth), self.term(index, depth));
                    let element = self.term(element, depth);
                    self.terms.store(array, at, element)
                }
                _ => {
                    let element = self.term(element, depth);
                    self.terms.const_array(sort, element)
                }
            },
            SortKind::Int | SortKind::Real => self.number(sort, depth),
            SortKind::Uninterpreted(_) => self.leaf(sort),
        }
    }

    fn leaf(&mut self, sort: Sort) -> Term {
        let fits = |&var: &Var| self.b.program().vars[var].sort == sort;
        let vars: Vec<Var> = self.readable.iter().copied().filter(fits).collect();
        if !vars.is_empty() && !self.random.one_in(3) {
            return self.b.term(*self.random.pick(&vars));
        }
        match *self.terms.sort_kind(sort) {
            SortKind::Bool => {
                let value = self.random.one_in(2);
                self.terms.truth(value)
            }
            SortKind::BitVec(width) => {
                let value = self.random.bits() >> self.random.below(64);
                self.terms.bv(width, value)
            }
            SortKind::Int => self.terms.numeral(sort, self.random.pick::<&str>(&["0", "17", "-5"])),
            SortKind::Real => self.terms.numeral(sort, self.random.pick::<&str>(&["0", "17", "-5/3"])),
            SortKind::Float(8, _) => {
                self.terms.numeral(sort, self.random.pick::<&str>(&["3f800000", "80000000", "7fc00000"]))
            }
            SortKind::Float(..) => self.terms.numeral(sort, "3ff0000000000000"),
            SortKind::Array(_, element) => {
                let element = self.leaf(element);
                self.terms.const_array(sort, element)
            }
            SortKind::Uninterpreted(_) => {
                let symbol = self.uninterpreted[1];
                let args = [self.leaf(self.bool_sort), self.leaf(self.pointer)];
                self.terms.apply(symbol, &args)
            }
        }
    }

    fn truth(&mut self, depth: u32) -> Term {
        use Op::*;
        let bool_sort = self.bool_sort;
        let compare =
            [BvUlt, BvUle, BvUgt, BvUge, BvSlt, BvSle, BvSgt, BvSge, BvUaddo, BvSaddo, BvUmulo, BvSmulo, BvSsubo];
        let float_tests =
            [FpOp::IsNan, FpOp::IsInfinite, FpOp::IsNormal, FpOp::IsSubnormal, FpOp::IsZero, FpOp::IsNegative];
        match self.random.below(8) {
            6 => {
                let real = self.terms.sort(SortKind::Real);
                let args = [self.term(real, depth), self.term(real, depth)];
                match *self.random.pick(&[NumberOp::Lt, NumberOp::Le, NumberOp::Gt, NumberOp::Ge, NumberOp::IsInt]) {
                    NumberOp::IsInt => self.terms.make(Number(NumberOp::IsInt), &args[..1]),
                    op => self.terms.make(Number(op), &args),
                }
            }
            0 => {
                let arg = self.term(bool_sort, depth);
                self.terms.not(arg)
            }
            1 => {
                let op = *self.random.pick(&[And, Or, Distinct]);
                let args: Vec<Term> = (0..2 + self.random.below(3)).map(|_| self.term(bool_sort, depth)).collect();
                self.terms.make(op, &args)
            }
            2 => {
                let op = *self.random.pick(&[Xor, Implies]);
                let args = [self.term(bool_sort, depth), self.term(bool_sort, depth)];
                self.terms.make(op, &args)
            }
            3 => {
                let sort = *self.random.pick(&self.sorts);
                let (left, right) = (self.term(sort, depth), self.term(sort, depth));
                self.terms.eq(left, right)
            }
            4 => {
                let sort = self.terms.sort(SortKind::Float(8, 24));
                if self.random.one_in(2) {
                    let op = *self.random.pick(&float_tests);
                    let arg = self.term(sort, depth);
                    return self.terms.fp(op, &[arg], bool_sort);
                }
                let op = *self.random.pick(&[FpOp::Eq, FpOp::Lt, FpOp::Le]);
                let args = [self.term(sort, depth), self.term(sort, depth)];
                self.terms.fp(op, &args, bool_sort)
            }
            5 => {
                let arg = self.term(self.pointer, depth);
                self.terms.derive(Derived::BvNego, &[arg])
            }
            _ => {
                let width = *self.random.pick(&[1, 8, 13, 137]);
                let op = *self.random.pick(&compare);
                let args = [self.vector(width, depth), self.vector(width, depth)];
                self.terms.make(op, &args)
            }
        }
    }

    fn vector(&mut self, width: u32, depth: u32) -> Term {
        use Op::*;
        let sort = self.terms.bv_sort(width);
        if depth == 0 {
            return self.leaf(sort);
        }
        let depth = depth - 1;
        let binary = [BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvShl, BvLshr, BvAshr];
        match self.random.below(9) {
            0 if width > 1 => {
                let high = 1 + self.random.below(u64::from(width) - 1) as u32;
                let (high, low) = (self.vector(high, depth), self.vector(width - high, depth));
                self.terms.concat(high, low)
            }
            1 => {
                let low = self.random.below(9) as u32;
                let arg = self.vector(width + low + 3, depth);
                self.terms.extract(arg, low + width - 1, low)
            }
            2 if width > 1 => {
                let by = 1 + self.random.below(u64::from(width) - 1) as u32;
                let op = if self.random.one_in(2) { ZeroExtend(by) } else { SignExtend(by) };
                let arg = self.vector(width - by, depth);
                self.terms.make(op, &[arg])
            }
            3 => {
                let by = self.random.below(9) as u32;
                let arg = self.vector(width, depth);
                match self.random.below(3) {
                    0 => self.terms.make(*self.random.pick(&[BvNot, BvNeg]), &[arg]),
                    1 => self.terms.derive(Derived::RotateLeft(by), &[arg]),
                    _ => self.terms.derive(Derived::RotateRight(by), &[arg]),
                }
            }
            4 if width.is_multiple_of(2) => {
                let arg = self.vector(width / 2, depth);
                self.terms.derive(Derived::Repeat(2), &[arg])
            }
            5 if width == 1 => {
                let args = [self.vector(8, depth), self.vector(8, depth)];
                self.terms.derive(Derived::BvComp, &args)
            }
            6 => {
                let float = self.terms.sort(SortKind::Float(8, 24));
                let arg = self.term(float, depth);
                let op = match width {
                    32 => FpOp::ToBits,
                    _ => *self.random.pick(&[FpOp::ToSigned, FpOp::ToUnsigned]),
                };
                self.terms.fp(op, &[arg], sort)
            }
            7 => {
                let index = self.pointer;
                let array = self.terms.sort(SortKind::Array(index, sort));
                let element = self.vector(width, depth);
                let array = self.terms.const_array(array, element);
                let at = self.term(index, depth);
                self.terms.select(array, at)
            }
            _ => {
                let op = *self.random.pick(&binary);
                let args = [self.vector(width, depth), self.vector(width, depth)];
                self.terms.make(op, &args)
            }
        }
    }

    fn number(&mut self, sort: Sort, depth: u32) -> Term {
        use NumberOp::*;
        let (int, real) = (self.terms.sort(SortKind::Int), self.terms.sort(SortKind::Real));
        let is_int = sort == int;
        let op = match is_int {
            true => *self.random.pick(&[Add, Sub, Neg, Mul, IntDiv, Mod, Abs, ToInt]),
            false => *self.random.pick(&[Add, Sub, Neg, Mul, Div, ToReal]),
        };
        let args = match op {
            Neg | Abs => vec![self.term(sort, depth)],
            ToInt => vec![self.term(real, depth)],
            ToReal => vec![self.term(int, depth)],
            _ => vec![self.term(sort, depth), self.term(sort, depth)],
        };
        self.terms.make(Op::Number(op), &args)
    }

    fn float(&mut self, sort: Sort, depth: u32) -> Term {
        use FpOp::*;
        let &SortKind::Float(exponent, significand) = self.terms.sort_kind(sort) else {
            panic!("only a float is asked for");
        };
        let (op, args) = match self.random.below(4) {
            0 => {
                let op = *self.random.pick(&[Add, Sub, Mul, Div, Fmod, Rem, Min, Max]);
                (op, vec![self.term(sort, depth), self.term(sort, depth)])
            }
            1 => {
                let op = *self.random.pick(&[Neg, Abs, Sqrt, Floor, Ceil, Trunc, Round, RoundEven]);
                (op, vec![self.term(sort, depth)])
            }
            2 => (FromBits, vec![self.vector(exponent + significand, depth)]),
            _ => {
                let float = self.terms.sort(SortKind::Float(8, 24));
                match self.random.below(3) {
                    0 => (FromFloat, vec![self.term(float, depth)]),
                    1 => (FromSigned, vec![self.vector(13, depth)]),
                    _ => (FromUnsigned, vec![self.vector(13, depth)]),
                }
            }
        };
        self.terms.fp(op, &args, sort)
    }
}

fn in_bytes(terms: &Terms, sort: Sort) -> bool {
    match terms.sort_kind(sort) {
        SortKind::Bool | SortKind::Float(..) => true,
        SortKind::BitVec(width) => width % 8 == 0,
        _ => false,
    }
}

#[test]
fn random_programs_keep_all_laws() {
    for seed in 0..300 {
        let mut terms = Terms::new();
        let program = random_program(seed, &mut terms);
        assert_eq!(validate(&program, &terms), Ok(()), "seed {seed}");
    }
}
