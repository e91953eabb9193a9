//! Runs with leaps against the same runs edge by edge: random loops with counters of all widths, near the points where
//! they wrap around, with branches, inner loops and intermediate values.

use base::{Budget, Random};
use term::{Op, Term, Terms};

use super::super::leap::LeapSettings;
use super::super::{Event, Limit, Limits, Machine, Outcome, Run, ZeroInputs, trace};
use super::Line;
use crate::{Action, Loc, Program, Var};

/// So that leaps are tried all the time, and none is too small.
const EAGER: LeapSettings = LeapSettings { gap: 16, gain: 1 };
/// A loop that needs more edges one by one is not a test.
const PLAIN: u64 = 100_000;

struct Generator {
    line: Line,
    random: Random,
    vars: Vec<(Var, u32)>,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut generator = Generator { line: Line::new(), random: Random::new(seed), vars: Vec::new() };
        for number in 0..generator.random.between(2, 5) {
            let width = *generator.random.pick(&[8, 8, 16, 32, 32, 64, 13]);
            let var = generator.line.local(&format!("v{number}"), width);
            generator.vars.push((var, width));
            let start = generator.edge_case(width);
            generator.line.set(var, width, start);
        }
        generator
    }
    /// A value, most likely near a point where something wraps around.
    fn edge_case(&mut self, width: u32) -> u64 {
        let corner = *self.random.pick(&[0, 1 << (width - 1), 0, self.random.clone().bits()]);
        let distance = if self.random.one_in(3) { self.random.between(-600, 600) } else { self.random.between(-5, 5) };
        u64::wrapping_add_signed(corner, distance) & u64::MAX >> (64 - width)
    }
    fn constant(&mut self, width: u32) -> Term {
        let value = self.edge_case(width);
        self.line.terms.bv(width, value)
    }
    fn small(&mut self, width: u32) -> Term {
        let value = self.random.between(-4, 9) as u64 & u64::MAX >> (64 - width);
        self.line.terms.bv(width, value)
    }
    /// A variable brought to the width.
    fn variable(&mut self, width: u32) -> Term {
        let (var, from) = *self.random.pick(&self.vars.clone());
        let term = self.line.term(var);
        match from.cmp(&width) {
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Greater => self.line.terms.extract(term, width - 1, 0),
            std::cmp::Ordering::Less if self.random.one_in(2) => self.line.terms.zero_extend_to(term, width),
            std::cmp::Ordering::Less => self.line.terms.sign_extend_to(term, width),
        }
    }
    fn term(&mut self, width: u32, depth: u32) -> Term {
        if depth == 0 {
            return if self.random.one_in(3) { self.constant(width) } else { self.variable(width) };
        }
        let left = self.term(width, depth - 1);
        let linear = [Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvAdd, Op::BvShl];
        let other = [Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvUrem, Op::BvUdiv, Op::BvSrem, Op::BvLshr, Op::BvAshr];
        match self.random.below(12) {
            0 => self.line.terms.bv_neg(left),
            1 => self.line.terms.bv_not(left),
            2 => {
                let ones = self.random.below(u64::from(width)) as u32;
                let ones = self.line.terms.bv(width, (1 << ones) - 1);
                self.line.terms.make(Op::BvAnd, &[left, ones])
            }
            3 => {
                let condition = self.condition();
                let right = self.term(width, depth - 1);
                self.line.terms.ite(condition, left, right)
            }
            4 => {
                let right = self.term(width, 0);
                self.line.terms.make(*self.random.pick(&other), &[left, right])
            }
            5 => self.variable(width),
            _ => {
                let right = if self.random.one_in(2) { self.small(width) } else { self.term(width, 0) };
                self.line.terms.make(*self.random.pick(&linear), &[left, right])
            }
        }
    }
    fn condition(&mut self) -> Term {
        let width = *self.random.pick(&[8, 16, 32, 64]);
        let comparisons = [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::BvSgt, Op::BvUge, Op::BvSaddo];
        let op = *self.random.pick(&comparisons);
        let left = if self.random.one_in(4) { self.term(width, 1) } else { self.variable(width) };
        let right = if self.random.one_in(4) { self.variable(width) } else { self.constant(width) };
        let args = if self.random.one_in(2) { [left, right] } else { [right, left] };
        let atom = self.line.terms.make(op, &args);
        if self.random.one_in(3) { self.line.terms.not(atom) } else { atom }
    }
    /// An assignment, most likely a step.
    fn pair(&mut self, (var, width): (Var, u32)) -> (Var, Term) {
        let term = self.line.term(var);
        let value = match self.random.below(8) {
            0 => self.term(width, 2),
            1 => self.constant(width),
            2 => {
                let by = self.variable(width);
                self.line.terms.make(Op::BvAdd, &[term, by])
            }
            _ => {
                let by = self.small(width);
                self.line.terms.make(*self.random.pick(&[Op::BvAdd, Op::BvSub]), &[term, by])
            }
        };
        (var, value)
    }
    fn assignment(&mut self) {
        let vars = self.vars.clone();
        let first = self.random.below(vars.len() as u64) as usize;
        let mut pairs = vec![self.pair(vars[first])];
        if self.random.one_in(4) {
            pairs.push(self.pair(vars[(first + 1) % vars.len()]));
        }
        self.line.action(Action::Assign(pairs));
    }
    fn branch(&mut self) {
        let condition = self.condition();
        let otherwise = self.line.terms.not(condition);
        let before = self.line.at;
        self.line.action(Action::Assume(condition));
        self.assignment();
        let join = self.line.at;
        self.line.builder.assume(before, join, otherwise, None);
    }
    fn loop_over(&mut self, depth: u32) {
        // A counter of its own in most loops, so that they end; its bound is some rounds away.
        let width = *self.random.pick(&[8, 16, 32, 64]);
        let counter = self.line.local("counter", width);
        let (start, step, rounds) = (self.edge_case(width), self.random.between(1, 4), self.random.below(400));
        let step = if self.random.one_in(2) { step } else { -step };
        self.line.set(counter, width, start);
        let head = self.line.at;
        let term = self.line.term(counter);
        let end = start.wrapping_add((step as u64).wrapping_mul(if depth > 0 { rounds } else { rounds % 5 }));
        let end = self.line.terms.bv(width, end & u64::MAX >> (64 - width));
        let comparisons = [Op::Eq, Op::BvUlt, Op::BvSlt, Op::BvUge, Op::BvSle];
        let mut guard = self.line.terms.make(*self.random.pick(&comparisons), &[term, end]);
        if self.random.one_in(2) || self.line.terms.op(guard) == Op::Eq {
            guard = self.line.terms.not(guard);
        }
        let leave = self.line.terms.not(guard);
        self.line.action(Action::Assume(guard));
        for _ in 0..self.random.between(1, 3) {
            match self.random.below(8) {
                0 => self.branch(),
                1 if depth > 0 => self.loop_over(depth - 1),
                _ => self.assignment(),
            }
        }
        let by = self.line.terms.bv(width, step as u64 & u64::MAX >> (64 - width));
        let next = self.line.terms.make(Op::BvAdd, &[term, by]);
        let back: Loc = self.line.at;
        self.line.builder.assign(back, head, counter, next, None);
        let behind = self.line.builder.location(self.line.main, None);
        self.line.builder.assume(head, behind, leave, None);
        self.line.at = behind;
    }
}

/// How a run ends, and what the variables are then.
fn run(program: &Program, machine: &mut Machine, edges: u64) -> (Run, Vec<u64>) {
    let run = machine.run(&mut ZeroInputs, &Limits { edges, ..Limits::default() }, &Budget::default());
    let values = program.vars.ids().map(|var| {
        let at = machine.code.variables[base::Id::index(var)].expect("all variables have registers");
        machine.registers[at.reg as usize]
    });
    let values = values.collect();
    (run, values)
}

#[test]
fn a_run_with_leaps_ends_as_the_run_without_them() {
    let (mut n_ended, mut n_with_leaps, mut n_saved, mut n_taken) = (0, 0, 0, 0);
    for seed in 0..6000 {
        let mut generator = Generator::new(seed);
        generator.loop_over(1);
        if generator.random.one_in(3) {
            generator.loop_over(1);
        }
        let result = generator.vars[0].0;
        let (program, terms) = generator.line.returning(result);
        let mut machine = Machine::new(&program, &terms).expect("the program can be compiled");
        machine.leap_settings = LeapSettings::NEVER;
        let (plain, expected) = run(&program, &mut machine, PLAIN);
        if plain.outcome == Outcome::Limit(Limit::Edges) {
            continue;
        }
        assert_eq!(plain.leapt, 0, "seed {seed}");
        machine.leap_settings = EAGER;
        let (with_leaps, values) = run(&program, &mut machine, PLAIN);
        assert_eq!(with_leaps.outcome, plain.outcome, "seed {seed}");
        assert_eq!(values, expected, "seed {seed}");
        assert_eq!(with_leaps.edges + with_leaps.leapt, plain.edges, "seed {seed}");
        n_ended += 1;
        n_with_leaps += u64::from(with_leaps.leapt > 0);
        n_saved += with_leaps.leapt;
        n_taken += plain.edges;
    }
    assert!(n_ended > 3000, "only {n_ended} runs ended");
    assert!(2 * n_with_leaps > n_ended, "only {n_with_leaps} of {n_ended} runs had leaps");
    assert!(2 * n_saved > n_taken, "only {n_saved} of {n_taken} edges were leapt over");
}

/// `for (x = 0; x < 400; x++) { if (x == once) y++; if (x - y == 300) z++; }`
fn changed_once(once: u64) -> (Program, Terms) {
    let mut line = Line::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| line.local(name, 32));
    [x, y, z].into_iter().for_each(|var| line.set(var, 32, 0));
    let (tx, ty, tz) = (line.term(x), line.term(y), line.term(z));
    let one = line.terms.bv(32, 1);
    let head = line.at;
    let end = line.terms.bv(32, 400);
    let more = line.terms.bv_ult(tx, end);
    line.action(Action::Assume(more));
    let apart = line.terms.bv_sub(tx, ty);
    for (subject, number, var, value) in [(tx, once, y, ty), (apart, 300, z, tz)] {
        let (before, number) = (line.at, line.terms.bv(32, number));
        let holds = line.terms.eq(subject, number);
        line.action(Action::Assume(holds));
        let next = line.terms.bv_add(value, one);
        line.assign(var, next);
        let otherwise = line.terms.not(holds);
        line.builder.assume(before, line.at, otherwise, None);
    }
    let next = line.terms.bv_add(tx, one);
    line.builder.assign(line.at, head, x, next, None);
    let (done, behind) = (line.terms.not(more), line.builder.location(line.main, None));
    line.builder.assume(head, behind, done, None);
    line.at = behind;
    line.returning(z)
}

#[test]
fn what_changes_in_one_round_only_is_no_step() {
    for once in 0..300 {
        let (program, terms) = changed_once(once);
        let mut machine = Machine::new(&program, &terms).expect("the program can be compiled");
        machine.leap_settings = EAGER;
        let (run, _) = run(&program, &mut machine, PLAIN);
        assert_eq!(run.outcome, Outcome::Returned(Some(1)), "changed in round {once}");
        assert!(run.leapt > 0, "no leap before or after round {once}");
    }
}

/// `while (x < end) { x++; y += 3; }` with 64 bits and a `y` of 32; returns `y`.
fn counting_to(end: u64) -> Line {
    let mut line = Line::new();
    let (x, y) = (line.local("x", 64), line.local("y", 32));
    line.set(x, 64, 0);
    line.set(y, 32, 7);
    let (tx, ty) = (line.term(x), line.term(y));
    let head = line.at;
    let end = line.terms.bv(64, end);
    let more = line.terms.bv_ult(tx, end);
    let done = line.terms.not(more);
    line.action(Action::Assume(more));
    let (one, three) = (line.terms.bv(64, 1), line.terms.bv(32, 3));
    let next = line.terms.bv_add(tx, one);
    line.assign(x, next);
    let next = line.terms.bv_add(ty, three);
    line.builder.assign(line.at, head, y, next, None);
    let exit = line.builder.exit_of(line.main);
    line.builder.assume(head, exit, done, None);
    line.builder.set_result(line.main, y);
    line
}

#[test]
fn billions_of_rounds_take_few_edges() {
    let end = 1_000_000_000_000;
    let line = counting_to(end);
    let program = line.builder.finish(line.main);
    let mut machine = Machine::new(&program, &line.terms).expect("the program can be compiled");
    let (run, _) = run(&program, &mut machine, 20_000);
    assert_eq!(run.outcome, Outcome::Returned(Some(u128::from((7 + 3 * end) as u32))));
    assert_eq!(run.edges + run.leapt, 2 + 3 * end + 1);
}

#[test]
fn a_trace_counts_the_steps_that_were_leapt_over() {
    let line = counting_to(1_000_000_000_000);
    let program = line.builder.finish(line.main);
    let limits = Limits { edges: 100_000, ..Limits::default() };
    let (run, trace) = trace(&program, &line.terms, &mut ZeroInputs, &limits, &Budget::default(), 100)
        .expect("the program can be compiled");
    assert!(matches!(run.outcome, Outcome::Returned(_)));
    assert_eq!(trace.first.len() as u64 + trace.n_skipped + trace.last.len() as u64, run.edges + run.leapt + 1);
    let last = trace.last.iter().rev().find_map(|step| match &step.event {
        Event::Assigned { value, .. } => Some(value.clone()),
        _ => None,
    });
    assert_eq!(last, Some(((7 + 3_000_000_000_000u64) as u32 as i32).to_string()));
}
