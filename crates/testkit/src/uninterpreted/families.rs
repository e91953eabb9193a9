//! Five families of programs, each aimed at another mistake.
//!
//! * *wild*: anything; best at finding slips in the bookkeeping;
//! * *twin*: two variables driven in step through the same functions, in other orders, with saves, resets and
//!   assumptions that come early or late; some have a statement removed or changed;
//! * *deep*: facts about the first n iterations of a loop, so that only the next one fails: bait for merging states that
//!   only look equal; and loops that are safe because a value repeats;
//! * *wide*: many branches before a loop, functions of two arguments, loops in loops, equal conditions;
//! * *metamorphic*: two programs with one verdict.

use base::Random;

use super::{Cond, Fun, Program, Stmt, Var};

/// A family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Anything.
    Wild,
    /// Two variables in step.
    Twin,
    /// Facts about the first iterations.
    Deep,
    /// Many branches.
    Wide,
    /// A program, and the same in other words.
    Metamorphic,
}

impl Family {
    /// All families with their names.
    pub const ALL: [(Family, &'static str); 5] = [
        (Family::Wild, "wild"),
        (Family::Twin, "twin"),
        (Family::Deep, "deep"),
        (Family::Wide, "wide"),
        (Family::Metamorphic, "metamorphic"),
    ];
    /// The program of this seed.
    pub fn program(self, seed: u64) -> Program {
        let mut random = Random::new(seed);
        match self {
            Family::Wild => wild(&mut random),
            Family::Twin => twin(&mut random),
            Family::Deep => deep(&mut random),
            Family::Wide => wide(&mut random),
            Family::Metamorphic => {
                let base = Family::ALL[random.below(4) as usize].0;
                base.program(random.bits())
            }
        }
    }
}

fn names(prefix: &str, n: usize) -> Vec<String> {
    (0..n).map(|i| format!("{prefix}{i}")).collect()
}
fn functions(random: &mut Random, n: usize, two_in: u64) -> Vec<(String, usize)> {
    (0..n).map(|i| (format!("f{i}"), if random.one_in(two_in) { 2 } else { 1 })).collect()
}
fn cond(random: &mut Random, n_vars: usize, equal_in: u64) -> Cond {
    let left = random.below(n_vars as u64) as Var;
    let mut right = random.below(n_vars as u64) as Var;
    if right == left {
        right = (right + 1) % n_vars;
    }
    Cond { left, right, equal: random.one_in(equal_in) }
}

// ---- wild

struct Wild<'r> {
    random: &'r mut Random,
    n_vars: usize,
    functions: Vec<(String, usize)>,
    loops: usize,
}

impl Wild<'_> {
    fn var(&mut self) -> Var {
        self.random.below(self.n_vars as u64) as Var
    }
    fn block(&mut self, n: usize, depth: usize) -> Vec<Stmt> {
        (0..n).map(|_| self.stmt(depth)).collect()
    }
    fn stmt(&mut self, depth: usize) -> Stmt {
        let n_vars = self.n_vars;
        match self.random.below(12) {
            0 | 1 => Stmt::Copy(self.var(), self.var()),
            2..=5 => {
                let f = self.random.below(self.functions.len() as u64) as Fun;
                let args = (0..self.functions[f].1).map(|_| self.var()).collect();
                Stmt::Apply(self.var(), f, args)
            }
            6 | 7 => Stmt::Assume(cond(self.random, n_vars, 2)),
            8 if self.random.one_in(3) => Stmt::Havoc(self.var()),
            8 | 9 if depth > 0 => {
                let guard = cond(self.random, n_vars, 2);
                let (then, otherwise) = (1 + self.random.below(3) as usize, self.random.below(3) as usize);
                Stmt::If(guard, self.block(then, depth - 1), self.block(otherwise, depth - 1))
            }
            10 | 11 if depth > 0 && self.loops > 0 => {
                self.loops -= 1;
                let guard = cond(self.random, n_vars, 5);
                let n = 1 + self.random.below(3) as usize;
                Stmt::While(guard, self.block(n, depth - 1))
            }
            _ => Stmt::Copy(self.var(), self.var()),
        }
    }
}

fn wild(random: &mut Random) -> Program {
    let n_vars = 3 + random.below(4) as usize;
    let n_functions = 1 + random.below(2) as usize;
    let functions = functions(random, n_functions, 6);
    let n = 5 + random.below(8) as usize;
    let loops = 1 + random.below(2) as usize;
    let mut make = Wild { random, n_vars, functions, loops };
    let body = make.block(n, 2);
    let assertion = cond(make.random, n_vars, 2);
    Program { vars: names("v", n_vars), functions: make.functions, body, assertion }
}

// ---- twin

/// The variables of a twin program.
const X: Var = 0;
const Y: Var = 1;

fn twin(random: &mut Random) -> Program {
    // x y; the constants a b, k t; counters w e; a save of each.
    let vars = ["x", "y", "a", "b", "w", "e", "s", "t", "u", "c"].map(str::to_owned).to_vec();
    let functions = vec![("f".to_owned(), 1), ("h".to_owned(), 1), ("g".to_owned(), 1)];
    let same = |left, right| Cond { left, right, equal: true };
    let mut body = Vec::new();
    match random.below(4) {
        0 => body.push(Stmt::Copy(X, Y)),
        1 => body.push(Stmt::Assume(same(X, Y))),
        2 => body.extend([Stmt::Copy(X, 2), Stmt::Copy(Y, 2)]),
        _ => body.extend([Stmt::Assume(same(2, 3)), Stmt::Copy(X, 2), Stmt::Copy(Y, 3)]),
    }
    let mut late: Option<Stmt> = None;
    for _ in 0..1 + random.below(3) {
        match random.below(6) {
            0 => {
                // A reset whose assumption comes early, or at the very end.
                if random.one_in(2) || late.is_some() {
                    body.push(Stmt::Assume(same(2, 3)));
                } else {
                    late = Some(Stmt::Assume(same(2, 3)));
                }
                body.extend([Stmt::Copy(X, 2), Stmt::Copy(Y, 3)]);
            }
            1 => body.extend(word(random)),
            2 => {
                let mut inner = word(random);
                inner.push(Stmt::Apply(4, 2, vec![4]));
                body.push(Stmt::While(Cond { left: 4, right: 5, equal: false }, inner));
            }
            3 => {
                let (then, otherwise) = (word(random), word(random));
                body.push(Stmt::If(same(6, 7), then, otherwise));
            }
            4 => {
                let (then, otherwise) = (word(random), word(random));
                let inner = vec![Stmt::If(same(6, 9), then, otherwise), Stmt::Apply(4, 2, vec![4])];
                body.push(Stmt::While(Cond { left: 4, right: 5, equal: false }, inner));
            }
            _ => {
                body.push(Stmt::Copy(8, X));
                body.extend(word(random));
                if random.one_in(2) {
                    body.extend([Stmt::Copy(X, 8), Stmt::Copy(Y, 8)]);
                }
            }
        }
    }
    body.extend(late);
    if random.below(10) < 4 {
        spoil(random, &mut body, true);
    }
    Program { vars, functions, body, assertion: same(X, Y) }
}

/// The same functions for both, in some order.
fn word(random: &mut Random) -> Vec<Stmt> {
    let n = 1 + random.below(3) as usize;
    let word: Vec<Fun> = (0..n).map(|_| random.below(2) as Fun).collect();
    let of = |var: Var| word.iter().map(move |&f| Stmt::Apply(var, f, vec![var])).collect::<Vec<_>>();
    match random.below(3) {
        0 => [of(X), of(Y)].concat(),
        1 => [of(Y), of(X)].concat(),
        _ => of(X).into_iter().zip(of(Y)).flat_map(|(x, y)| [x, y]).collect(),
    }
}

/// Removes or changes one statement somewhere; `alike` says that the first two functions take one argument each.
fn spoil(random: &mut Random, body: &mut Vec<Stmt>, alike: bool) {
    if body.is_empty() {
        return;
    }
    let at = random.below(body.len() as u64) as usize;
    match &mut body[at] {
        Stmt::If(_, inner, _) | Stmt::While(_, inner) if !inner.is_empty() && !random.one_in(4) => {
            spoil(random, inner, alike);
        }
        Stmt::Apply(_, f, _) if alike && random.one_in(2) => *f = (*f + 1) % 2,
        Stmt::Assume(cond) if random.one_in(3) => cond.equal = !cond.equal,
        _ => {
            body.remove(at);
        }
    }
}

// ---- deep

fn deep(random: &mut Random) -> Program {
    let vars = ["x", "d", "p", "q", "w", "v", "r"].map(str::to_owned).to_vec();
    let functions = vec![("f".to_owned(), 1), ("h".to_owned(), 1), ("g".to_owned(), 1), ("k".to_owned(), 1)];
    let same = |left, right| Cond { left, right, equal: true };
    let differ = |left, right| Cond { left, right, equal: false };
    let n = 1 + random.below(8) as usize;
    // What a fact says, and what is asserted: some functions on the way from p to q.
    let reader: Vec<Fun> = (0..1 + random.below(2)).map(|_| *random.pick(&[1, 3])).collect();
    let read = |from: Var, to: Var| {
        let first = Stmt::Apply(to, reader[0], vec![from]);
        std::iter::once(first).chain(reader[1..].iter().map(move |&f| Stmt::Apply(to, f, vec![to]))).collect::<Vec<_>>()
    };
    let repeats = random.one_in(3);
    let mut body = vec![Stmt::Copy(2, 0)];
    for i in 0..n {
        if i > 0 {
            body.push(Stmt::Apply(2, 0, vec![2]));
        }
        body.extend(read(2, 3));
        body.push(Stmt::Assume(same(3, 1)));
    }
    if repeats {
        // The next value is one that was seen: safe for ever.
        body.extend([Stmt::Apply(3, 0, vec![2]), Stmt::Assume(same(3, 2))]);
    }
    body.extend([Stmt::Copy(2, 1), Stmt::Copy(3, 1)]);
    let inner = vec![Stmt::Apply(0, 0, vec![0]), Stmt::Apply(4, 2, vec![4])];
    body.push(Stmt::While(differ(4, 5), inner));
    body.extend(read(0, 6));
    Program { vars, functions, body, assertion: same(6, 1) }
}

// ---- wide

fn wide(random: &mut Random) -> Program {
    let n = 1 + random.below(4) as usize;
    let mut vars = ["x", "y", "z", "e", "s"].map(str::to_owned).to_vec();
    vars.extend(names("c", n));
    let two = random.one_in(2);
    let functions = vec![("f".to_owned(), if two { 2 } else { 1 }), ("g".to_owned(), 1)];
    let apply = |x: Var, other: Var| Stmt::Apply(x, 0, if two { vec![x, other] } else { vec![x] });
    let same = |left, right| Cond { left, right, equal: true };
    let mut body = vec![Stmt::Copy(0, 1)];
    for i in 0..n {
        let guard = same(4, 5 + i);
        let step = vec![apply(0, 2), apply(1, 2)];
        let both = match random.below(4) {
            0 => (step, vec![Stmt::Copy(0, 1)]),
            1 => (step.clone(), step),
            2 => (vec![Stmt::Copy(1, 0)], vec![apply(0, 3), apply(1, 3)]),
            _ => (vec![Stmt::Apply(2, 1, vec![2])], Vec::new()),
        };
        body.push(Stmt::If(guard, both.0, both.1));
    }
    let guard = Cond { left: 2, right: 3, equal: false };
    let mut inner = vec![apply(0, 4), apply(1, 4), Stmt::Apply(2, 1, vec![2])];
    if random.one_in(3) {
        let nested = vec![apply(0, 0), Stmt::Copy(1, 0), Stmt::Apply(2, 1, vec![2])];
        inner.push(Stmt::While(guard, nested));
    }
    body.push(Stmt::While(guard, inner.clone()));
    if random.one_in(3) {
        body.push(Stmt::While(guard, inner));
    }
    if random.one_in(3) {
        spoil(random, &mut body, !two);
    }
    Program { vars, functions, body, assertion: same(0, 1) }
}

// ---- metamorphic

/// The same program in other words: the verdict must be the same.
pub fn rewritten(program: &Program, random: &mut Random) -> Program {
    let mut new = program.clone();
    for _ in 0..1 + random.below(3) {
        match random.below(5) {
            0 => rename(&mut new, random),
            1 => new.body = swap_branches(&new.body),
            2 => {
                // A branch that changes nothing, somewhere.
                let at = random.below(new.body.len() as u64 + 1) as usize;
                let guard = cond(random, new.vars.len(), 2);
                new.body.insert(at, Stmt::If(guard, Vec::new(), Vec::new()));
            }
            3 => {
                // A variable that is not read.
                new.vars.push(format!("dead{}", new.vars.len()));
                let dead = new.vars.len() - 1;
                let at = random.below(new.body.len() as u64 + 1) as usize;
                let from = random.below(dead as u64) as Var;
                new.body.insert(at, Stmt::Copy(dead, from));
            }
            _ => new.body = unroll(&new.body),
        }
    }
    new
}

/// Another order of the variables, and other names.
fn rename(program: &mut Program, random: &mut Random) {
    let n = program.vars.len();
    let shift = random.below(n as u64) as usize;
    let of = |var: Var| (var + shift) % n;
    program.vars = names("r", n);
    program.body = map_vars(&program.body, &of);
    program.assertion =
        Cond { left: of(program.assertion.left), right: of(program.assertion.right), ..program.assertion };
}

fn map_vars(block: &[Stmt], of: &dyn Fn(Var) -> Var) -> Vec<Stmt> {
    let cond = |c: &Cond| Cond { left: of(c.left), right: of(c.right), equal: c.equal };
    block
        .iter()
        .map(|stmt| match stmt {
            Stmt::Copy(x, y) => Stmt::Copy(of(*x), of(*y)),
            Stmt::Apply(x, f, args) => Stmt::Apply(of(*x), *f, args.iter().map(|&arg| of(arg)).collect()),
            Stmt::Assume(c) => Stmt::Assume(cond(c)),
            Stmt::If(c, a, b) => Stmt::If(cond(c), map_vars(a, of), map_vars(b, of)),
            Stmt::While(c, a) => Stmt::While(cond(c), map_vars(a, of)),
            Stmt::Havoc(x) => Stmt::Havoc(of(*x)),
        })
        .collect()
}

fn swap_branches(block: &[Stmt]) -> Vec<Stmt> {
    block
        .iter()
        .map(|stmt| match stmt {
            Stmt::If(c, a, b) => Stmt::If(c.negated(), swap_branches(b), swap_branches(a)),
            Stmt::While(c, a) => Stmt::While(*c, swap_branches(a)),
            other => other.clone(),
        })
        .collect()
}

/// The first iteration of outer loops stands before them.
fn unroll(block: &[Stmt]) -> Vec<Stmt> {
    let mut new = Vec::new();
    for stmt in block {
        if let Stmt::While(c, body) = stmt {
            new.push(Stmt::If(*c, body.clone(), Vec::new()));
        }
        new.push(stmt.clone());
    }
    new
}
