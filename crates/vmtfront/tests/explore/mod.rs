//! All runs of a small program: every value of every input is tried, so that what is reached is known exactly.

use base::{Bits, FastMap, Id};
use program::{Action, Graph, Loc, Mark, Program, Var};
use term::{SortKind, Term, Terms, Value, eval};

/// The numbers of the assertions that some run fails, in order. At a loop head only the variables count whose names `is_kept`
/// accepts: the others are drawn before they are used again.
pub fn reached_errors(program: &Program, terms: &Terms, is_kept: &dyn Fn(&str) -> bool) -> Vec<usize> {
    let graph = Graph::new(program);
    let entry = program.functions[program.entry.expect("there is an entry")].entry;
    let values_of = Values::new(program, terms);
    let mut reached = Vec::new();
    let mut seen: FastMap<(Loc, Vec<u64>), ()> = FastMap::new();
    let mut open = vec![(entry, vec![0; program.vars.len()])];
    while let Some((loc, mut values)) = open.pop() {
        if program.locations[loc].mark == Mark::LoopHead {
            for (var, variable) in program.vars.iter_enumerated() {
                if !is_kept(&variable.name) {
                    values[var.index()] = 0;
                }
            }
        }
        if seen.insert((loc, values.clone()), ()).is_some() {
            continue;
        }
        if let Mark::Error(assertion) = program.locations[loc].mark {
            reached.push(assertion.index());
            continue;
        }
        for &edge in graph.outgoing(loc) {
            let edge = &program.edges[edge];
            match &edge.action {
                Action::Assume(condition) if values_of.value(&values, *condition) == 1 => {
                    open.push((edge.to, values.clone()));
                }
                Action::Assume(_) => {}
                Action::Assign(pairs) => {
                    let mut after = values.clone();
                    for &(var, term) in pairs {
                        after[var.index()] = values_of.value(&values, term);
                    }
                    open.push((edge.to, after));
                }
                Action::Havoc { var, .. } => {
                    for drawn in 0..1 << width(terms, program.vars[*var].term) {
                        let mut after = values.clone();
                        after[var.index()] = drawn;
                        open.push((edge.to, after));
                    }
                }
                other => panic!("{other:?} is not made from a system"),
            }
        }
    }
    reached.sort_unstable();
    reached.dedup();
    reached
}

/// How many bits a value of the term has.
fn width(terms: &Terms, term: Term) -> u32 {
    match terms.sort_kind(terms.sort_of(term)) {
        SortKind::Bool => 1,
        SortKind::BitVec(width) => *width,
        other => panic!("{other:?} has too many values"),
    }
}

struct Values<'a> {
    terms: &'a Terms,
    symbols: FastMap<term::Symbol, (Var, u32, bool)>,
}

impl<'a> Values<'a> {
    fn new(program: &Program, terms: &'a Terms) -> Self {
        let mut symbols = FastMap::new();
        for (var, variable) in program.vars.iter_enumerated() {
            if let term::Op::Symbol(symbol) = terms.op(variable.term) {
                symbols.insert(symbol, (var, width(terms, variable.term), terms.is_bool(variable.term)));
            }
        }
        Values { terms, symbols }
    }
    fn value(&self, values: &[u64], term: Term) -> u64 {
        let result = eval(self.terms, term, |symbol, _| {
            let (var, width, is_bool) = self.symbols[&symbol];
            let value = values[var.index()];
            Some(if is_bool { Value::Bool(value == 1) } else { Value::Bits(Bits::from_u64(width, value)) })
        });
        match result.expect("everything has a value") {
            Value::Bool(truth) => u64::from(truth),
            Value::Bits(bits) => bits.to_u64().expect("few bits"),
            other => panic!("{other:?} is no word"),
        }
    }
}
