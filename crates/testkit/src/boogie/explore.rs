//! What a program means: all its runs, by Boogie's definition [Leino-KRML'08].
//!
//! Each implementation is checked for every meaning of the constants and functions that the axioms allow, and for all values of globals
//! and variables that `where` and `requires` clauses allow. Structured statements are what their gotos say: `if` and `while` choose a
//! branch and assume the guard or its negation, an invariant is an assertion where the loop begins each iteration. A call of a
//! procedure evaluates its arguments, asserts `requires`, gives any values to the results and to what the callee modifies, and
//! assumes `where` and `ensures`. A run ends at the first condition that fails.

use std::collections::{BTreeSet, HashSet};

use super::{Body, Clause, Expr, Kind, Op, Program, Ref, Stmt, Type, Var};

/// Where runs begin, and what calls are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    /// In each implementation; calls are contracts, unless the callee is marked `{:inline}`.
    Modular,
    /// In the implementations of this procedure; calls execute bodies where there are some.
    From(usize),
}

/// The ids of the conditions that some run fails; none if there are too many states.
pub fn failures(program: &Program, runs: Runs, size: u64, max_states: usize) -> Option<BTreeSet<usize>> {
    let codes: Vec<Vec<Vec<Instr<'_>>>> =
        program.procedures.iter().map(|one| one.bodies.iter().map(compile).collect()).collect();
    let mut failed = BTreeSet::new();
    let mut n_states = 0;
    for model in models(program, size) {
        for (number, procedure) in program.procedures.iter().enumerate() {
            let is_root = match runs {
                Runs::Modular => !procedure.inline,
                Runs::From(entry) => entry == number,
            };
            for body in 0..if is_root { procedure.bodies.len() } else { 0 } {
                let mut explorer = Explorer {
                    program,
                    runs,
                    size,
                    codes: &codes,
                    model: &model,
                    open: Vec::new(),
                    failed: &mut failed,
                };
                n_states += explorer.explore(number, body, max_states.checked_sub(n_states)?)?;
            }
        }
    }
    Some(failed)
}

/// A meaning of the constants and functions.
struct Model {
    consts: Vec<u64>,
    functions: Vec<Vec<u64>>,
}

fn n_values(ty: Type, size: u64) -> u64 {
    match ty {
        Type::Bool => 2,
        Type::Bits(width) => 1 << width,
        Type::Map => 4,
        Type::Elem => size,
    }
}
/// All tuples of values of the types.
fn tuples(types: &[Type], size: u64) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for &ty in types {
        let longer = |tuple: &Vec<u64>| {
            let tuple = tuple.clone();
            (0..n_values(ty, size)).map(move |value| [tuple.as_slice(), &[value]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
fn types<'a>(vars: impl Iterator<Item = &'a Var>) -> Vec<Type> {
    vars.map(|var| var.ty).collect()
}

fn models(program: &Program, size: u64) -> Vec<Model> {
    let mut models = vec![Vec::new()];
    for function in &program.functions {
        let rows = vec![function.result; n_values(function.param, size) as usize];
        let tables = tuples(&rows, size);
        let longer = |known: &Vec<Vec<u64>>| {
            let known = known.clone();
            tables.iter().map(move |table| [known.as_slice(), std::slice::from_ref(table)].concat())
        };
        models = models.iter().flat_map(longer).collect();
    }
    let mut all = Vec::new();
    for functions in models {
        for consts in tuples(&types(program.consts.iter()), size) {
            let unique = &consts[..program.n_unique];
            let is_unique = (1..unique.len()).all(|at| !unique[..at].contains(&unique[at]));
            let model = Model { consts, functions: functions.clone() };
            let nothing = Env { model: &model, globals: &[], old: &[], locals: &[] };
            if is_unique && program.axioms.iter().all(|axiom| nothing.holds(axiom)) {
                all.push(model);
            }
        }
    }
    all
}

/// What names mean.
struct Env<'a> {
    model: &'a Model,
    globals: &'a [u64],
    old: &'a [u64],
    locals: &'a [u64],
}

impl Env<'_> {
    fn holds(&self, expr: &Expr) -> bool {
        self.value(expr) == 1
    }
    fn value(&self, expr: &Expr) -> u64 {
        let truth = |holds: bool| u64::from(holds);
        match expr {
            Expr::Truth(value) => truth(*value),
            Expr::Bits(value, _) => *value,
            Expr::Ref(Ref::Const(number)) => self.model.consts[*number],
            Expr::Ref(Ref::Global(number)) => self.globals[*number],
            Expr::Ref(Ref::Local(number)) => self.locals[*number],
            Expr::Old(e) => Env { globals: self.old, ..*self }.value(e),
            Expr::Not(e) => 1 - self.value(e),
            Expr::Ite(c, a, b) => self.value(if self.holds(c) { a } else { b }),
            Expr::Bit(e, at) => self.value(e) >> at & 1,
            Expr::Add(a, b) => (self.value(a) + self.value(b)) & 3,
            Expr::Less(a, b) => truth(self.value(a) < self.value(b)),
            Expr::Neither(a, b) => truth(!self.holds(a) && !self.holds(b)),
            Expr::Read(map, index) => self.value(map) >> self.value(index) & 1,
            Expr::Write(map, index, value) => {
                let index = self.value(index);
                self.value(map) & !(1 << index) | self.value(value) << index
            }
            Expr::Apply(function, arg) => self.model.functions[*function][self.value(arg) as usize],
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                match op {
                    Op::Iff | Op::Eq => truth(a == b),
                    Op::Ne => truth(a != b),
                    Op::Implies => truth(a <= b),
                    Op::Explies => truth(a >= b),
                    Op::And => a & b,
                    Op::Or => a | b,
                    // Only single bits are put together.
                    Op::Concat => a << 1 | b,
                }
            }
        }
    }
}

/// A step; those without a target lead to the next one.
enum Instr<'a> {
    Assert(&'a Expr, usize),
    Assume(&'a Expr),
    AssumeNot(&'a Expr),
    Havoc(&'a [Ref]),
    Assign(&'a [(Ref, Expr)]),
    Call(&'a Stmt),
    Goto(Vec<usize>),
    Return,
}

/// The body as steps.
fn compile(body: &Body) -> Vec<Instr<'_>> {
    let mut code = Code { steps: Vec::new(), labels: Vec::new(), gotos: Vec::new(), breaks: Vec::new() };
    code.block(&body.block);
    code.steps.push(Instr::Return);
    for (step, names) in std::mem::take(&mut code.gotos) {
        let target = |name: &String| code.labels.iter().find(|(label, _)| *label == name).expect("labels exist").1;
        let targets = names.iter().map(target).collect();
        code.steps[step] = Instr::Goto(targets);
    }
    code.steps
}

struct Code<'a> {
    steps: Vec<Instr<'a>>,
    labels: Vec<(&'a String, usize)>,
    gotos: Vec<(usize, &'a [String])>,
    /// For each enclosing loop the steps that leave it.
    breaks: Vec<Vec<usize>>,
}

impl<'a> Code<'a> {
    fn block(&mut self, block: &'a [Stmt]) {
        for stmt in block {
            self.statement(stmt);
        }
    }
    fn goto_later(&mut self) -> usize {
        self.steps.push(Instr::Goto(Vec::new()));
        self.steps.len() - 1
    }
    fn statement(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            Kind::Assert(e) => self.steps.push(Instr::Assert(e, stmt.id)),
            Kind::Assume(e) => self.steps.push(Instr::Assume(e)),
            Kind::Havoc(vars) => self.steps.push(Instr::Havoc(vars)),
            Kind::Assign(pairs) => self.steps.push(Instr::Assign(pairs)),
            Kind::Call { .. } => self.steps.push(Instr::Call(stmt)),
            Kind::Return => self.steps.push(Instr::Return),
            Kind::Label(name) => self.labels.push((name, self.steps.len())),
            Kind::Goto(names) => {
                let step = self.goto_later();
                self.gotos.push((step, names));
            }
            Kind::Break => {
                let step = self.goto_later();
                self.breaks.last_mut().expect("`break` is in a loop").push(step);
            }
            Kind::If(guard, then, otherwise) => {
                let choice = self.goto_later();
                self.steps.extend(guard.as_ref().map(Instr::Assume));
                self.block(then);
                let end = self.goto_later();
                self.steps[choice] = Instr::Goto(vec![choice + 1, self.steps.len()]);
                self.steps.extend(guard.as_ref().map(Instr::AssumeNot));
                self.block(otherwise);
                self.steps[end] = Instr::Goto(vec![self.steps.len()]);
            }
            Kind::While(guard, invariants, body) => {
                let head = self.steps.len();
                for Clause { free, holds, id } in invariants {
                    self.steps.push(if *free { Instr::Assume(holds) } else { Instr::Assert(holds, *id) });
                }
                let choice = self.goto_later();
                self.steps.extend(guard.as_ref().map(Instr::Assume));
                self.breaks.push(Vec::new());
                self.block(body);
                self.steps.push(Instr::Goto(vec![head]));
                self.steps[choice] = Instr::Goto(vec![choice + 1, self.steps.len()]);
                self.steps.extend(guard.as_ref().map(Instr::AssumeNot));
                let end = self.steps.len();
                for step in self.breaks.pop().expect("it was just pushed") {
                    self.steps[step] = Instr::Goto(vec![end]);
                }
            }
        }
    }
}

/// An activation of a body.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Frame {
    procedure: usize,
    body: usize,
    at: usize,
    locals: Vec<u64>,
    old: Vec<u64>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    globals: Vec<u64>,
    frames: Vec<Frame>,
}

struct Explorer<'a> {
    program: &'a Program,
    runs: Runs,
    size: u64,
    codes: &'a [Vec<Vec<Instr<'a>>>],
    model: &'a Model,
    open: Vec<State>,
    failed: &'a mut BTreeSet<usize>,
}

impl<'a> Explorer<'a> {
    /// Tries all runs of the body; how many states there are, if they are not too many.
    fn explore(&mut self, procedure: usize, body: usize, max_states: usize) -> Option<usize> {
        let info = &self.program.procedures[procedure];
        for globals in tuples(&types(self.program.globals.iter()), self.size) {
            let env = Env { model: self.model, globals: &globals, old: &globals, locals: &[] };
            if !self.program.globals.iter().flat_map(|var| &var.restriction).all(|e| env.holds(e)) {
                continue;
            }
            for params in tuples(&types(info.params.iter()), self.size) {
                self.enter(&State { globals: globals.clone(), frames: Vec::new() }, procedure, body, &params, true);
            }
        }
        let mut seen = HashSet::new();
        while let Some(state) = self.open.pop() {
            if seen.contains(&state) {
                continue;
            }
            if seen.len() >= max_states {
                return None;
            }
            self.step(&state);
            seen.insert(state);
        }
        Some(seen.len())
    }
    /// Opens the states in which the body begins: any results and locals that their `where` clauses allow.
    fn enter(&mut self, from: &State, procedure: usize, body: usize, params: &[u64], is_root: bool) {
        let info = &self.program.procedures[procedure];
        let locals = &info.bodies[body].locals;
        for rest in tuples(&types(info.results.iter().chain(locals)), self.size) {
            let values = [params, &rest].concat();
            let env = Env { model: self.model, globals: &from.globals, old: &from.globals, locals: &values };
            // The `where` clauses of parameters are part of what the body may believe, when it is checked by itself.
            let params = if is_root { &info.params[..] } else { &[] };
            let restrictions = params.iter().chain(&info.results).chain(locals).flat_map(|var| &var.restriction);
            let requires = info.requires.iter().map(|clause| &clause.holds);
            if restrictions.chain(requires).all(|e| env.holds(e)) {
                let mut state = from.clone();
                let old = state.globals.clone();
                state.frames.push(Frame { procedure, body, at: 0, locals: values, old });
                self.open.push(state);
            }
        }
    }
    fn env<'s>(&'s self, state: &'s State) -> Env<'s> {
        let frame = state.frames.last().expect("a run ends with its first frame");
        Env { model: self.model, globals: &state.globals, old: &frame.old, locals: &frame.locals }
    }
    fn goes_to(&mut self, mut state: State, at: usize) {
        state.frames.last_mut().expect("a run ends with its first frame").at = at;
        self.open.push(state);
    }
    fn step(&mut self, state: &State) {
        let frame = state.frames.last().expect("a run ends with its first frame");
        let next = frame.at + 1;
        match &self.codes[frame.procedure][frame.body][frame.at] {
            Instr::Assert(e, id) => match self.env(state).holds(e) {
                true => self.goes_to(state.clone(), next),
                false => {
                    self.failed.insert(*id);
                }
            },
            Instr::Assume(e) if self.env(state).holds(e) => self.goes_to(state.clone(), next),
            Instr::AssumeNot(e) if !self.env(state).holds(e) => self.goes_to(state.clone(), next),
            Instr::Assume(_) | Instr::AssumeNot(_) => {}
            Instr::Goto(targets) => targets.iter().for_each(|&target| self.goes_to(state.clone(), target)),
            Instr::Assign(pairs) => {
                let values: Vec<u64> = pairs.iter().map(|(_, value)| self.env(state).value(value)).collect();
                let mut after = state.clone();
                pairs.iter().zip(values).for_each(|((var, _), value)| set(&mut after, *var, value));
                self.goes_to(after, next);
            }
            Instr::Havoc(vars) => self.havoc(state, vars, next),
            Instr::Call(stmt) => self.call(state, stmt),
            Instr::Return => self.ret(state),
        }
    }
    fn declaration(&self, frame: &Frame, var: Ref) -> &'a Var {
        let info = &self.program.procedures[frame.procedure];
        match var {
            Ref::Global(number) => &self.program.globals[number],
            Ref::Const(_) => unreachable!("constants are not assigned"),
            Ref::Local(number) => {
                let mut all = info.interface().chain(&info.bodies[frame.body].locals);
                all.nth(number).expect("references name variables")
            }
        }
    }
    fn havoc(&mut self, state: &State, vars: &[Ref], next: usize) {
        let frame = state.frames.last().expect("a run ends with its first frame");
        let decls: Vec<&Var> = vars.iter().map(|&var| self.declaration(frame, var)).collect();
        for values in tuples(&types(decls.iter().copied()), self.size) {
            let mut after = state.clone();
            vars.iter().zip(values).for_each(|(&var, value)| set(&mut after, var, value));
            if decls.iter().flat_map(|var| &var.restriction).all(|e| self.env(&after).holds(e)) {
                self.goes_to(after, next);
            }
        }
    }
    fn call(&mut self, state: &State, stmt: &Stmt) {
        let Kind::Call { results, procedure, args } = &stmt.kind else { unreachable!("only calls are called") };
        let callee = &self.program.procedures[*procedure];
        let args: Vec<u64> = args.iter().map(|arg| self.env(state).value(arg)).collect();
        let env = Env { model: self.model, globals: &state.globals, old: &state.globals, locals: &args };
        if !callee.requires.iter().all(|clause| clause.free || env.holds(&clause.holds)) {
            self.failed.insert(stmt.id);
            return;
        }
        let executes = callee.inline || self.runs != Runs::Modular;
        if executes && !callee.bodies.is_empty() {
            (0..callee.bodies.len()).for_each(|body| self.enter(state, *procedure, body, &args, false));
            return;
        }
        let changed: Vec<&Var> = callee.modifies.iter().map(|&global| &self.program.globals[global]).collect();
        let free = types(changed.iter().copied().chain(&callee.results));
        for values in tuples(&free, self.size) {
            let (new, returned) = values.split_at(changed.len());
            let mut after = state.clone();
            callee.modifies.iter().zip(new).for_each(|(&global, &value)| after.globals[global] = value);
            let locals = [args.as_slice(), returned].concat();
            let env = Env { model: self.model, globals: &after.globals, old: &state.globals, locals: &locals };
            let restrictions = changed.iter().copied().chain(&callee.results).flat_map(|var| &var.restriction);
            if restrictions.chain(callee.ensures.iter().map(|clause| &clause.holds)).all(|e| env.holds(e)) {
                results.iter().zip(returned).for_each(|(&var, &value)| set(&mut after, var, value));
                let next = after.frames.last().expect("a run ends with its first frame").at + 1;
                self.goes_to(after, next);
            }
        }
    }
    fn ret(&mut self, state: &State) {
        let frame = state.frames.last().expect("a run ends with its first frame");
        let callee = &self.program.procedures[frame.procedure];
        let is_called = state.frames.len() > 1;
        for clause in &callee.ensures {
            let holds = self.env(state).holds(&clause.holds);
            if !holds && !clause.free {
                self.failed.insert(clause.id);
            }
            // A free one is what the caller believes.
            if !holds && (!clause.free || is_called) {
                return;
            }
        }
        if is_called {
            let mut after = state.clone();
            let done = after.frames.pop().expect("it is called");
            let caller = after.frames.last().expect("it is called");
            let code = &self.codes[caller.procedure][caller.body];
            let Instr::Call(stmt) = &code[caller.at] else { unreachable!("callers wait at calls") };
            let Kind::Call { results, .. } = &stmt.kind else { unreachable!("only calls are called") };
            let returned = &done.locals[callee.params.len()..][..callee.results.len()];
            results.iter().zip(returned).for_each(|(&var, &value)| set(&mut after, var, value));
            let next = after.frames.last().expect("it is called").at + 1;
            self.goes_to(after, next);
        }
    }
}

fn set(state: &mut State, var: Ref, value: u64) {
    match var {
        Ref::Global(number) => state.globals[number] = value,
        Ref::Local(number) => state.frames.last_mut().expect("a run ends with its first frame").locals[number] = value,
        Ref::Const(_) => unreachable!("constants are not assigned"),
    }
}
