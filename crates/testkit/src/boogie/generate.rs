//! Random programs with contracts: calls, `old`, `modifies`, free clauses, loops with invariants, gotos.
//!
//! Random conditions mostly fail. So most programs are repaired: what `explore` says can fail becomes an assumption or a
//! free clause, until the program is right or only one condition fails, on which the answer then depends.

use base::Random;

use super::explore::{Runs, failures};
use super::{Body, Clause, Expr, Function, Kind, Op, Procedure, Program, Ref, Stmt, Type, Var};

/// A program with its exact or, with uninterpreted types, partial truth.
pub struct Generated {
    /// The program.
    pub program: Program,
    /// How it is meant.
    pub runs: Runs,
}

/// How many states are tried to repair a program.
const REPAIR_STATES: usize = 60_000;
/// How often it is tried to make a program right.
const MAX_REPAIRS: usize = 20;

/// The program that belongs to the seed.
pub fn generate(seed: u64) -> Generated {
    let mut random = Random::new(seed);
    let is_recursive = random.one_in(4);
    let has_elements = random.one_in(4);
    let types = match has_elements {
        true => vec![Type::Bool, Type::Elem],
        false if random.one_in(3) => vec![Type::Map, Type::Bool, Type::Bits(1), Type::Bits(2)],
        false => vec![Type::Bool, Type::Bits(1), Type::Bits(2)],
    };
    let whole = !is_recursive && random.one_in(4);
    let mut maker =
        Maker { random, types, program: Program::default(), is_recursive, scope: Vec::new(), n_ids: 0, n_labels: 0 };
    maker.declarations();
    maker.procedures();
    let Maker { mut random, mut program, n_ids, .. } = maker;
    let runs = if whole { Runs::From(0) } else { Runs::Modular };
    match random.below(5) {
        0 => {}
        1 => repair(&mut program, runs, None),
        // One condition that fails stays, and the answer depends on it alone.
        _ => {
            let failed = failures(&program, runs, 2, REPAIR_STATES).unwrap_or_default();
            let kept = failed.iter().nth(random.below(failed.len().max(1) as u64) as usize);
            repair(&mut program, runs, kept.copied());
        }
    }
    // Where nothing is stated there is nothing to answer.
    let id = n_ids + 1;
    let first = &mut program.procedures[0];
    if first.bodies.is_empty() {
        first.bodies.push(Body { locals: Vec::new(), block: Vec::new() });
    }
    first.bodies[0].block.insert(0, Stmt { kind: Kind::Assert(Expr::Truth(true)), id });
    Generated { program, runs }
}

/// Takes conditions that fail back, until none does but the one to keep.
fn repair(program: &mut Program, runs: Runs, kept: Option<usize>) {
    for _ in 0..MAX_REPAIRS {
        let Some(failed) = failures(program, runs, 2, REPAIR_STATES) else { return };
        let Some(&first) = failed.iter().find(|&&one| Some(one) != kept) else { return };
        let mut called = None;
        for procedure in &mut program.procedures {
            procedure.ensures.iter_mut().filter(|clause| clause.id == first).for_each(|clause| clause.free = true);
            procedure.bodies.iter_mut().for_each(|body| weaken(&mut body.block, first, &mut called));
        }
        // What the callee requires does not hold.
        if let Some(callee) = called {
            program.procedures[callee].requires.iter_mut().for_each(|clause| clause.free = true);
        }
    }
}
/// Weakens the condition of this id; a call of it is only looked up.
fn weaken(block: &mut [Stmt], id: usize, called: &mut Option<usize>) {
    for stmt in block {
        let is_it = stmt.id == id;
        match &mut stmt.kind {
            Kind::Assert(e) if is_it => stmt.kind = Kind::Assume(e.clone()),
            Kind::Call { procedure, .. } if is_it => *called = Some(*procedure),
            Kind::If(_, then, otherwise) => {
                weaken(then, id, called);
                weaken(otherwise, id, called);
            }
            Kind::While(_, invariants, body) => {
                invariants.iter_mut().filter(|clause| clause.id == id).for_each(|clause| clause.free = true);
                weaken(body, id, called);
            }
            _ => {}
        }
    }
}

struct Maker {
    random: Random,
    types: Vec<Type>,
    program: Program,
    is_recursive: bool,
    /// What can be named, with its type and whether it can be assigned.
    scope: Vec<(Ref, Type, bool)>,
    n_ids: usize,
    n_labels: usize,
}

/// The body that is being made.
struct Place {
    procedure: usize,
    depth: u32,
    in_loop: bool,
    /// A condition that was just made true.
    known: Option<Expr>,
}

impl Maker {
    fn id(&mut self) -> usize {
        self.n_ids += 1;
        self.n_ids
    }
    fn some(&mut self, most: u64) -> usize {
        self.random.below(most + 1) as usize
    }
    fn ty(&mut self) -> Type {
        *self.random.pick(&self.types)
    }
    fn var(&mut self, prefix: &str, number: usize) -> Var {
        Var { name: format!("{prefix}{number}"), ty: self.ty(), restriction: None }
    }

    fn declarations(&mut self) {
        let element = *self.types.last().expect("there are types");
        let n_consts = self.some(2);
        self.program.consts =
            (0..n_consts).map(|number| Var { name: format!("c{number}"), ty: element, restriction: None }).collect();
        if self.random.one_in(2) {
            self.program.n_unique = n_consts;
        }
        if self.random.one_in(3) {
            let param = if element == Type::Elem { Type::Elem } else { Type::Bits(1) };
            let result = *self.random.pick(&[param, Type::Bool]);
            self.program.functions.push(Function { name: "f".to_owned(), param, result });
        }
        self.scope = (0..n_consts).map(|number| (Ref::Const(number), element, false)).collect();
        if self.random.one_in(3) {
            let axiom = self.condition(2, false);
            self.program.axioms.push(axiom);
        }
        for number in 0..1 + self.some(1) {
            let global = self.var("g", number);
            self.scope.push((Ref::Global(number), global.ty, true));
            self.program.globals.push(global);
        }
        if self.random.one_in(5) {
            self.program.globals[0].restriction = Some(self.condition(1, false));
        }
    }

    fn procedures(&mut self) {
        let n = 2 + self.some(1);
        for number in 0..n {
            let mut procedure = Procedure {
                name: format!("p{number}"),
                inline: !self.is_recursive && number > 0 && self.random.one_in(6),
                params: Vec::new(),
                results: Vec::new(),
                requires: Vec::new(),
                ensures: Vec::new(),
                modifies: Vec::new(),
                bodies: Vec::new(),
            };
            for at in 0..self.random.below(5).div_ceil(2) {
                procedure.params.push(self.var("a", at as usize));
            }
            for at in 0..self.some(1) {
                procedure.results.push(self.var("r", at));
            }
            // A parameter may hide a global.
            if let Some(param) = procedure.params.first_mut().filter(|_| self.random.one_in(8)) {
                param.name = self.program.globals[0].name.clone();
            }
            procedure.modifies = (0..self.program.globals.len()).filter(|_| self.random.below(3) > 0).collect();
            self.program.procedures.push(procedure);
        }
        // Callees must not modify more than their callers: each may change what the next one does.
        for number in (1..n).rev() {
            let below = self.program.procedures[number].modifies.clone();
            let modifies = &mut self.program.procedures[number - 1].modifies;
            modifies.extend(below);
            modifies.sort_unstable();
            modifies.dedup();
        }
        for number in 0..n {
            self.contract(number);
        }
        for number in 0..n {
            let n_bodies = *self.random.pick(&[0, 1, 1, 1, 1, 1, 2]);
            for _ in 0..n_bodies {
                let body = self.body(number);
                self.program.procedures[number].bodies.push(body);
            }
        }
    }
    /// The names of a procedure's interface instead of those of the last one.
    fn open_scope(&mut self, number: usize, locals: &[Var]) {
        let procedure = &self.program.procedures[number];
        let hides = |name: &str| procedure.interface().chain(locals).any(|var| var.name == name);
        let globals = &self.program.globals;
        let kept = |(var, ..): &(Ref, Type, bool)| match var {
            Ref::Const(_) => true,
            Ref::Global(_) | Ref::Local(_) => false,
        };
        self.scope.retain(kept);
        for (at, global) in globals.iter().enumerate() {
            if !hides(&global.name) {
                self.scope.push((Ref::Global(at), global.ty, procedure.modifies.contains(&at)));
            }
        }
        let n_params = procedure.params.len();
        let interface = procedure.interface().chain(locals).enumerate();
        self.scope.extend(interface.map(|(at, var)| (Ref::Local(at), var.ty, at >= n_params)));
    }
    fn contract(&mut self, number: usize) {
        self.open_scope(number, &[]);
        if self.random.one_in(6) && !self.program.procedures[number].results.is_empty() {
            let restriction = self.condition(1, false);
            self.program.procedures[number].results[0].restriction = Some(restriction);
        }
        for _ in 0..self.some(2) {
            let free = self.random.one_in(4);
            let related = if self.random.one_in(2) { self.related(number) } else { None };
            let holds = related.unwrap_or_else(|| self.condition(2, true));
            let id = self.id();
            self.program.procedures[number].ensures.push(Clause { free, holds, id });
        }
        // Before the call there are no results.
        let n_params = self.program.procedures[number].params.len();
        self.scope.retain(|(var, ..)| !matches!(var, Ref::Local(at) if *at >= n_params));
        if self.random.one_in(8) && n_params > 0 {
            let restriction = self.condition(1, false);
            self.program.procedures[number].params[0].restriction = Some(restriction);
        }
        for _ in 0..self.some(1) {
            let free = self.random.one_in(4);
            let holds = self.condition(1, false);
            let id = self.id();
            self.program.procedures[number].requires.push(Clause { free, holds, id });
        }
    }
    /// How a result or a global that the procedure modifies is related to a parameter: about its value before the call.
    fn related(&mut self, number: usize) -> Option<Expr> {
        let params = self.program.procedures[number].params.len();
        let is_param = |var: Ref| matches!(var, Ref::Local(at) if at < params);
        let mut pairs = Vec::new();
        for &(left, ty, changes) in &self.scope {
            let right = self.scope.iter().filter(|one| is_param(one.0) && one.1 == ty && ty != Type::Map);
            pairs.extend(right.filter(|_| changes).map(|one| (left, one.0)));
        }
        if pairs.is_empty() {
            return None;
        }
        let (left, right) = *self.random.pick(&pairs);
        let op = *self.random.pick(&[Op::Eq, Op::Ne]);
        Some(Expr::Binary(op, Box::new(Expr::Ref(left)), Box::new(Expr::Ref(right))))
    }
    fn body(&mut self, number: usize) -> Body {
        let mut locals = Vec::new();
        for at in 0..self.some(2) {
            locals.push(self.var("x", at));
        }
        self.open_scope(number, &locals);
        if let Some(local) = locals.first_mut().filter(|_| self.random.one_in(6)) {
            local.restriction = Some(self.condition(1, false));
        }
        let mut place = Place { procedure: number, depth: 0, in_loop: false, known: None };
        let mut block = self.block(&mut place, 4);
        if self.random.one_in(5) {
            self.with_gotos(&mut place, &mut block);
        }
        Body { locals, block }
    }
    /// Puts a label before one statement and jumps behind another one.
    fn with_gotos(&mut self, place: &mut Place, block: &mut Vec<Stmt>) {
        let label = |maker: &mut Self| {
            maker.n_labels += 1;
            format!("L{}", maker.n_labels)
        };
        let (back, out) = (label(self), label(self));
        let at = self.random.below(block.len() as u64 + 1) as usize;
        let (first, second) = (self.id(), self.id());
        block.insert(at, Stmt { kind: Kind::Label(back.clone()), id: first });
        let targets = if self.random.one_in(3) { vec![out.clone()] } else { vec![back, out.clone()] };
        block.push(Stmt { kind: Kind::Goto(targets), id: second });
        place.known = None;
        if self.random.one_in(3) {
            block.extend(self.block(place, 1));
        }
        let id = self.id();
        block.push(Stmt { kind: Kind::Label(out), id });
        block.extend(self.block(place, 2));
    }

    fn block(&mut self, place: &mut Place, most: u64) -> Vec<Stmt> {
        (0..1 + self.some(most - 1)).map(|_| self.statement(place)).collect()
    }
    fn statement(&mut self, place: &mut Place) -> Stmt {
        let id = self.id();
        let known = place.known.take();
        let kind = match self.random.below(if place.depth < 2 { 17 } else { 12 }) {
            // What was just made true, or perhaps true.
            _ if known.is_some() && self.random.one_in(2) => Kind::Assert(known.expect("it was just looked at")),
            0..3 => self.assignment(place),
            3 => self.havoc(),
            10 | 11 => self.call(place),
            4 => {
                let condition = self.condition(2, true);
                place.known = Some(condition.clone());
                Kind::Assume(condition)
            }
            5..7 => Kind::Assert(known.unwrap_or_else(|| self.condition(2, true))),
            7..9 => self.call(place),
            9 if place.in_loop => Kind::Break,
            9 if self.random.one_in(3) => Kind::Return,
            9 => self.assignment(place),
            12..15 => {
                let guard = (!self.random.one_in(4)).then(|| self.condition(2, true));
                let then = self.inside(place, place.in_loop, guard.clone());
                let otherwise =
                    if self.random.one_in(2) { self.inside(place, place.in_loop, None) } else { Vec::new() };
                Kind::If(guard, then, otherwise)
            }
            _ => {
                let guard = (!self.random.one_in(3)).then(|| self.condition(2, true));
                let mut invariants = Vec::new();
                for _ in 0..self.some(2) {
                    let (free, holds, id) = (self.random.one_in(4), self.condition(2, true), self.id());
                    invariants.push(Clause { free, holds, id });
                }
                let body = self.inside(place, true, guard.clone());
                place.known = guard.as_ref().map(|guard| Expr::Not(Box::new(guard.clone())));
                Kind::While(guard, invariants, body)
            }
        };
        Stmt { kind, id }
    }
    fn inside(&mut self, place: &Place, in_loop: bool, known: Option<Expr>) -> Vec<Stmt> {
        let mut inner = Place { procedure: place.procedure, depth: place.depth + 1, in_loop, known };
        self.block(&mut inner, 2)
    }
    /// Variables that may be assigned, each once.
    fn targets(&mut self, most: usize) -> Vec<(Ref, Type)> {
        let mut open: Vec<(Ref, Type)> = self.scope.iter().filter(|one| one.2).map(|&(var, ty, _)| (var, ty)).collect();
        let mut chosen = Vec::new();
        while chosen.len() < most && !open.is_empty() {
            let at = self.random.below(open.len() as u64) as usize;
            chosen.push(open.swap_remove(at));
        }
        chosen
    }
    fn assignment(&mut self, place: &mut Place) -> Kind {
        let n = if self.random.one_in(4) { 2 } else { 1 };
        let targets = self.targets(n);
        let mut pairs = Vec::new();
        for (var, ty) in targets {
            pairs.push((var, self.expr(ty, 2, true)));
        }
        match &pairs[..] {
            [] => return Kind::Assume(Expr::Truth(true)),
            [(var, value)] if !mentions(value, *var) && self.type_of(*var) != Type::Map => {
                place.known = Some(Expr::Binary(Op::Eq, Box::new(Expr::Ref(*var)), Box::new(value.clone())));
            }
            _ => {}
        }
        Kind::Assign(pairs)
    }
    fn type_of(&self, var: Ref) -> Type {
        self.scope.iter().find(|one| one.0 == var).expect("it is in scope").1
    }
    fn havoc(&mut self) -> Kind {
        let n = 1 + self.some(1);
        let targets = self.targets(n);
        if targets.is_empty() {
            return Kind::Assume(Expr::Truth(true));
        }
        Kind::Havoc(targets.into_iter().map(|(var, _)| var).collect())
    }
    fn call(&mut self, place: &mut Place) -> Kind {
        let caller = &self.program.procedures[place.procedure].modifies;
        let may = |number: usize| {
            let callee = &self.program.procedures[number];
            (self.is_recursive || number > place.procedure) && callee.modifies.iter().all(|one| caller.contains(one))
        };
        let callees: Vec<usize> = (0..self.program.procedures.len()).filter(|&number| may(number)).collect();
        if callees.is_empty() {
            return Kind::Assert(self.condition(2, true));
        }
        let procedure = *self.random.pick(&callees);
        let wanted: Vec<Type> = self.program.procedures[procedure].results.iter().map(|var| var.ty).collect();
        let mut results: Vec<Ref> = Vec::new();
        for ty in wanted {
            let targets = self.targets(usize::MAX);
            let fits = |(var, of): &&(Ref, Type)| *of == ty && !results.contains(var);
            match targets.iter().find(fits) {
                Some((var, _)) => results.push(*var),
                None => return Kind::Assume(Expr::Truth(true)),
            }
        }
        let params: Vec<Type> = self.program.procedures[procedure].params.iter().map(|var| var.ty).collect();
        // What is plain and may change is what a copy matters for.
        let args: Vec<Expr> = params
            .into_iter()
            .map(|ty| {
                let changing = self.scope.iter().find(|one| matches!(one.0, Ref::Global(_)) && one.2 && one.1 == ty);
                match changing.map(|one| one.0).filter(|_| self.random.one_in(2)) {
                    Some(global) => Expr::Ref(global),
                    None => self.expr(ty, 1, true),
                }
            })
            .collect();
        // The contract in the words of the caller: whether it holds now is the question.
        let callee = &self.program.procedures[procedure];
        let is_visible = |clause: &&Clause| {
            let is_hidden = |number: usize| self.scope.iter().all(|one| one.0 != Ref::Global(number));
            (0..self.program.globals.len()).all(|at| !mentions(&clause.holds, Ref::Global(at)) || !is_hidden(at))
        };
        let clauses: Vec<&Clause> = callee.requires.iter().chain(&callee.ensures).filter(is_visible).collect();
        if !clauses.is_empty() {
            let clause = clauses[self.random.below(clauses.len() as u64) as usize];
            place.known = rewritten(&clause.holds, &args, &results);
        }
        if let Some((saved, kept)) = self.saved(&args, &results) {
            let ensures = callee.ensures.iter().filter(is_visible);
            let all = ensures.filter_map(|clause| rewritten(&clause.holds, &kept, &results));
            let holds = all.reduce(|a, b| Expr::Binary(Op::And, Box::new(a), Box::new(b)));
            return self.remembered(saved, Kind::Call { results, procedure, args }, holds.unwrap_or(Expr::Truth(true)));
        }
        Kind::Call { results, procedure, args }
    }

    /// A local variable that can remember an argument which the call may change, and the arguments with it in place.
    fn saved(&self, args: &[Expr], results: &[Ref]) -> Option<((Ref, Expr), Vec<Expr>)> {
        let at = args.iter().position(|arg| matches!(arg, Expr::Ref(Ref::Global(_))))?;
        let Expr::Ref(global) = args[at] else { return None };
        let ty = self.scope.iter().find(|one| one.0 == global)?.1;
        let is_free = |var: Ref| !results.contains(&var) && args.iter().all(|arg| !mentions(arg, var));
        let local =
            self.scope.iter().find(|one| one.2 && one.1 == ty && matches!(one.0, Ref::Local(_)) && is_free(one.0))?.0;
        let mut kept = args.to_vec();
        kept[at] = Expr::Ref(local);
        Some(((local, args[at].clone()), kept))
    }
    /// Keeps the value, calls, and asserts a condition about the value that was kept.
    fn remembered(&mut self, saved: (Ref, Expr), call: Kind, holds: Expr) -> Kind {
        let kinds = [Kind::Assign(vec![saved]), call, Kind::Assert(holds)];
        let block = kinds.map(|kind| Stmt { kind, id: self.id() });
        Kind::If(Some(Expr::Truth(true)), block.to_vec(), Vec::new())
    }

    fn condition(&mut self, depth: u32, old: bool) -> Expr {
        self.expr(Type::Bool, depth, old)
    }
    /// A random expression; `old` says whether there is an earlier state.
    fn expr(&mut self, ty: Type, depth: u32, old: bool) -> Expr {
        if old && self.random.one_in(8) {
            return Expr::Old(Box::new(self.expr(ty, depth.min(1), false)));
        }
        let sub = |maker: &mut Self, ty: Type| Box::new(maker.expr(ty, depth.saturating_sub(1), old));
        if depth > 0 && self.random.one_in(10) {
            return Expr::Ite(sub(self, Type::Bool), sub(self, ty), sub(self, ty));
        }
        if depth > 0
            && self.random.one_in(4)
            && let Some(function) = self.program.functions.first()
            && function.result == ty
        {
            let param = function.param;
            return Expr::Apply(0, sub(self, param));
        }
        match ty {
            Type::Bool if depth > 0 => match self.random.below(9) {
                0 => Expr::Not(sub(self, Type::Bool)),
                1 | 2 => {
                    let op = *self.random.pick(&[Op::Iff, Op::Implies, Op::Explies, Op::And, Op::Or]);
                    Expr::Binary(op, sub(self, Type::Bool), sub(self, Type::Bool))
                }
                3 => Expr::Neither(sub(self, Type::Bool), sub(self, Type::Bool)),
                4 if self.types.contains(&Type::Bits(2)) => {
                    Expr::Less(sub(self, Type::Bits(2)), sub(self, Type::Bits(2)))
                }
                5 if self.types.contains(&Type::Map) => Expr::Read(sub(self, Type::Map), sub(self, Type::Bits(1))),
                _ => {
                    let of = match self.ty() {
                        Type::Map => Type::Bool,
                        other => other,
                    };
                    let op = *self.random.pick(&[Op::Eq, Op::Ne]);
                    Expr::Binary(op, sub(self, of), sub(self, of))
                }
            },
            Type::Map if depth > 0 && self.random.one_in(2) => {
                Expr::Write(sub(self, Type::Map), sub(self, Type::Bits(1)), sub(self, Type::Bool))
            }
            Type::Bits(2) if depth > 0 && self.random.one_in(3) => match self.random.below(2) {
                0 => Expr::Add(sub(self, ty), sub(self, ty)),
                _ => Expr::Binary(Op::Concat, sub(self, Type::Bits(1)), sub(self, Type::Bits(1))),
            },
            Type::Bits(1) if depth > 0 && self.random.one_in(4) => {
                let at = self.random.below(2) as u32;
                Expr::Bit(sub(self, Type::Bits(2)), at)
            }
            _ => self.leaf(ty),
        }
    }
    fn leaf(&mut self, ty: Type) -> Expr {
        let vars: Vec<Ref> = self.scope.iter().filter(|one| one.1 == ty).map(|one| one.0).collect();
        if !vars.is_empty() && !self.random.one_in(4) {
            return Expr::Ref(*self.random.pick(&vars));
        }
        match ty {
            Type::Bool => Expr::Truth(self.random.one_in(2)),
            Type::Bits(width) => Expr::Bits(self.random.below(1 << width), width),
            // There is no literal.
            Type::Elem | Type::Map => match vars.first() {
                Some(&var) => Expr::Ref(var),
                None => self.first_value(ty),
            },
        }
    }
    /// A value where none is in scope: a new constant.
    fn first_value(&mut self, ty: Type) -> Expr {
        let number = self.program.consts.len();
        self.program.consts.push(Var { name: format!("c{number}"), ty, restriction: None });
        self.scope.push((Ref::Const(number), ty, false));
        Expr::Ref(Ref::Const(number))
    }
}

/// A condition of a contract with the arguments and results of a call; none if it speaks of an earlier state.
fn rewritten(expr: &Expr, args: &[Expr], results: &[Ref]) -> Option<Expr> {
    let of = |e: &Expr| rewritten(e, args, results).map(Box::new);
    Some(match expr {
        Expr::Ref(Ref::Local(number)) => match args.get(*number) {
            Some(arg) => arg.clone(),
            None => Expr::Ref(results[number - args.len()]),
        },
        Expr::Truth(_) | Expr::Bits(..) | Expr::Ref(_) => expr.clone(),
        Expr::Old(_) => return None,
        Expr::Not(e) => Expr::Not(of(e)?),
        Expr::Bit(e, at) => Expr::Bit(of(e)?, *at),
        Expr::Apply(function, e) => Expr::Apply(*function, of(e)?),
        Expr::Binary(op, a, b) => Expr::Binary(*op, of(a)?, of(b)?),
        Expr::Add(a, b) => Expr::Add(of(a)?, of(b)?),
        Expr::Less(a, b) => Expr::Less(of(a)?, of(b)?),
        Expr::Neither(a, b) => Expr::Neither(of(a)?, of(b)?),
        Expr::Read(a, b) => Expr::Read(of(a)?, of(b)?),
        Expr::Ite(c, a, b) => Expr::Ite(of(c)?, of(a)?, of(b)?),
        Expr::Write(c, a, b) => Expr::Write(of(c)?, of(a)?, of(b)?),
    })
}

/// Whether the expression depends on the variable, or on an earlier state of it.
fn mentions(expr: &Expr, var: Ref) -> bool {
    match expr {
        Expr::Truth(_) | Expr::Bits(..) => false,
        Expr::Ref(other) => *other == var,
        Expr::Old(e) | Expr::Not(e) | Expr::Bit(e, _) | Expr::Apply(_, e) => mentions(e, var),
        Expr::Read(a, b) => mentions(a, var) || mentions(b, var),
        Expr::Ite(c, a, b) | Expr::Write(c, a, b) => mentions(c, var) || mentions(a, var) || mentions(b, var),
        Expr::Binary(_, a, b) | Expr::Add(a, b) | Expr::Less(a, b) | Expr::Neither(a, b) => {
            mentions(a, var) || mentions(b, var)
        }
    }
}
