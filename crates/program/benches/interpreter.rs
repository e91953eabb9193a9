//! How many edges a second the interpreter executes, on three small loops: arithmetic, memory, calls.
//!
//! `cargo bench -p uforia-program`. Each program runs until it has taken about `EDGES` edges, three times; the best counts.

use std::time::Instant;

use base::Budget;
use program::interp::{Limits, Machine, Outcome, ScriptedInputs};
use program::{Action, Builder, FunId, InputKind, Loc, Program, Shown, Var};
use term::{Term, Terms};

const EDGES: u64 = 200_000_000;

struct Line {
    terms: Terms,
    builder: Builder,
    main: FunId,
    at: Loc,
}

impl Line {
    fn new() -> Line {
        let mut builder = Builder::new(64);
        let main = builder.function("main", None);
        let at = builder.entry_of(main);
        Line { terms: Terms::new(), builder, main, at }
    }
    fn local(&mut self, name: &str, width: u32) -> Var {
        let sort = self.terms.bv_sort(width);
        self.builder.local(&mut self.terms, self.main, name, sort, Shown::Signed, None)
    }
    fn action(&mut self, action: Action) {
        let next = self.builder.location(self.main, None);
        self.builder.edge(self.at, next, action, None);
        self.at = next;
    }
    fn assign(&mut self, var: Var, value: Term) {
        self.action(Action::Assign(vec![(var, value)]));
    }
    /// `while (i < n) { body; i++; }`, with `n` from the input.
    fn counting(mut self, s: Var, body: impl FnOnce(&mut Line, Term)) -> (Program, Terms) {
        let (n, i) = (self.local("n", 32), self.local("i", 32));
        let input = self.builder.input(InputKind::Nondet("n".to_owned()), Shown::Signed, None);
        self.action(Action::Havoc { var: n, input });
        let zero = self.terms.bv(32, 0);
        self.assign(i, zero);
        let (ti, tn) = (self.builder.term(i), self.builder.term(n));
        let head = self.at;
        let more = self.terms.bv_slt(ti, tn);
        let done = self.terms.not(more);
        self.action(Action::Assume(more));
        let one = self.terms.bv(32, 1);
        let next = self.terms.bv_add(ti, one);
        body(&mut self, ti);
        self.builder.assign(self.at, head, i, next, None);
        self.at = head;
        let exit = self.builder.exit_of(self.main);
        self.builder.assume(head, exit, done, None);
        self.builder.set_result(self.main, s);
        (self.builder.finish(self.main), self.terms)
    }
}

fn arithmetic() -> (Program, Terms) {
    let mut line = Line::new();
    let s = line.local("s", 32);
    let zero = line.terms.bv(32, 0);
    line.assign(s, zero);
    let ts = line.builder.term(s);
    line.counting(s, |line, i| {
        let sum = line.terms.bv_add(ts, i);
        line.assign(s, sum);
    })
}

fn memory() -> (Program, Terms) {
    let mut line = Line::new();
    let (s, v) = (line.local("s", 32), line.local("v", 32));
    let zero = line.terms.bv(32, 0);
    line.assign(s, zero);
    let object = line.builder.static_object(&mut line.terms, "a", 4096, 16, Vec::new(), None);
    let base = line.builder.term(line.builder.address_of(object));
    let (ts, tv) = (line.builder.term(s), line.builder.term(v));
    line.counting(s, |line, i| {
        let mask = line.terms.bv(32, 1023);
        let index = line.terms.bv_and(i, mask);
        let wide = line.terms.zero_extend_to(index, 64);
        let two = line.terms.bv(64, 2);
        let offset = line.terms.bv_shl(wide, two);
        let address = line.terms.bv_add(base, offset);
        line.action(Action::Load { var: v, address });
        let sum = line.terms.bv_add(tv, i);
        line.action(Action::Store { address, value: sum });
        let total = line.terms.bv_xor(ts, tv);
        line.assign(s, total);
    })
}

fn calls() -> (Program, Terms) {
    let mut line = Line::new();
    let s = line.local("s", 32);
    let zero = line.terms.bv(32, 0);
    line.assign(s, zero);
    let int = line.terms.bv_sort(32);
    let f = line.builder.function("f", None);
    let a = line.builder.param(&mut line.terms, f, "a", int, Shown::Signed, None);
    let b = line.builder.param(&mut line.terms, f, "b", int, Shown::Signed, None);
    let r = line.builder.local(&mut line.terms, f, "r", int, Shown::Signed, None);
    line.builder.set_result(f, r);
    let (ta, tb) = (line.builder.term(a), line.builder.term(b));
    let sum = line.terms.bv_add(ta, tb);
    let (entry, exit) = (line.builder.entry_of(f), line.builder.exit_of(f));
    line.builder.assign(entry, exit, r, sum, None);
    let ts = line.builder.term(s);
    line.counting(s, |line, i| {
        line.action(Action::Call { function: f, args: vec![ts, i], result: Some(s) });
    })
}

fn main() {
    for (name, (program, terms), edges_a_round) in
        [("arithmetic", arithmetic(), 3), ("memory", memory(), 5), ("calls", calls(), 4)]
    {
        let mut machine = Machine::new(&program, &terms).expect("the program can be compiled");
        let mut best = f64::INFINITY;
        let mut edges = 0;
        for _ in 0..3 {
            let mut inputs = ScriptedInputs::for_nondet(vec![u128::from(EDGES / edges_a_round)]);
            let start = Instant::now();
            let run = machine.run(&mut inputs, &Limits::default(), &Budget::default());
            best = best.min(start.elapsed().as_secs_f64());
            assert!(matches!(run.outcome, Outcome::Returned(_)) && run.undefined.is_none());
            edges = run.edges;
        }
        println!("{name:>12}: {:7.1} million edges a second", edges as f64 / best / 1e6);
    }
}
