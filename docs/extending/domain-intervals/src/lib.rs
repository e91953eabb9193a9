//! Intervals of unsigned numbers: an abstract domain as a source of invariants [CousotCousot-POPL'77].
//!
//! The fixpoint goes over the blocks between cutpoints. Its result need not be believed: it becomes candidates, and Houdini keeps those
//! that a solver proves inductive. So a mistake in a transfer function costs precision, and never a wrong answer.

#![forbid(unsafe_code)]

use base::{FastMap, IndexVec, Stopped};
use encode::{Cut, CutKind, Unrolling};
use engine::invariants::{Brought, Source};
use engine::{Context, Houdini, Invariants};
use term::{Op, SortKind, Term, Terms};

/// The source: it costs little, so it is always due, and once is enough.
pub const INTERVALS: Source = Source { due: |_| true, find, repeats: false };

/// Rounds of the fixpoint before bounds that still move are given up, and rounds after that, which win some back.
const ROUNDS: (usize, usize) = (3, 2);
/// Effort for one query of Houdini.
const QUERY_TICKS: u64 = 1_000_000;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Interval {
    low: u64,
    high: u64,
}

/// The interval of each variable, by its symbol; what is not listed may have any value.
type State = FastMap<Term, Interval>;

fn find(cx: &mut Context<'_>, known: &mut Invariants, _: &Unrolling) -> Result<Brought, Stopped> {
    cx.run.observer.phase("intervals");
    let states = fixpoint(cx)?;
    let mut candidates = Houdini::new(cx.blocks);
    for (cut, cutpoint) in cx.blocks.cutpoints.iter_enumerated().filter(|(_, cutpoint)| cutpoint.kind == CutKind::Head)
    {
        for symbol in cutpoint.state.iter().map(|&var| cx.task.program.vars[var].term) {
            let Some(Interval { low, high }) = states[cut].as_ref().and_then(|state| state.get(&symbol)) else {
                continue;
            };
            let width = cx.terms.width(symbol);
            let (low, high) = (cx.terms.bv(width, *low), cx.terms.bv(width, *high));
            candidates.add(cut, cx.terms.bv_ule(low, symbol));
            candidates.add(cut, cx.terms.bv_ule(symbol, high));
        }
    }
    let found = candidates.run(cx, &known.at, QUERY_TICKS)?.invariants;
    known.learn(cx, &found, "intervals");
    Ok(Brought::More { steps: usize::MAX })
}

/// The state at each cutpoint; none where no run comes by.
fn fixpoint(cx: &Context<'_>) -> Result<IndexVec<Cut, Option<State>>, Stopped> {
    let (blocks, program, terms) = (cx.blocks, &cx.task.program, &*cx.terms);
    let mut states: IndexVec<Cut, Option<State>> = blocks.cutpoints.iter().map(|_| None).collect();
    states[blocks.entry()] = Some(State::new());
    for round in 0..ROUNDS.0 + 1 + ROUNDS.1 {
        let mut next: IndexVec<Cut, Option<State>> = blocks.cutpoints.iter().map(|_| None).collect();
        next[blocks.entry()] = Some(State::new());
        for (from, block) in blocks.blocks.iter_enumerated() {
            let Some(before) = &states[from] else { continue };
            for exit in &block.exits {
                cx.run.budget.spend(1)?;
                let mut here = State::new();
                blocks.cutpoints[from].state.iter().for_each(|&var| {
                    let symbol = program.vars[var].term;
                    before.get(&symbol).map(|&interval| here.insert(symbol, interval));
                });
                assume(terms, &mut here, exit.guard);
                let value =
                    |var| exit.values.iter().find(|one| one.0 == var).map_or(program.vars[var].term, |one| one.1);
                let after: Vec<(Term, Option<Interval>)> = blocks.cutpoints[exit.to]
                    .state
                    .iter()
                    .map(|&var| (program.vars[var].term, eval(terms, &here, value(var))))
                    .collect();
                join(&mut next[exit.to], &after);
            }
        }
        if round == ROUNDS.0 {
            widen(cx, &states, &mut next);
        }
        states = next;
    }
    Ok(states)
}

/// What one way in adds to the state.
fn join(state: &mut Option<State>, values: &[(Term, Option<Interval>)]) {
    let mut joined = State::new();
    for &(symbol, value) in values {
        let before = state.as_ref().map(|state| state.get(&symbol).copied());
        let both = match (before, value) {
            (None, value) => value,
            (Some(Some(a)), Some(b)) => Some(Interval { low: a.low.min(b.low), high: a.high.max(b.high) }),
            _ => None,
        };
        both.map(|interval| joined.insert(symbol, interval));
    }
    *state = Some(joined);
}

/// Bounds that have moved since the last round are given up.
fn widen(cx: &Context<'_>, before: &IndexVec<Cut, Option<State>>, after: &mut IndexVec<Cut, Option<State>>) {
    for (cut, cutpoint) in cx.blocks.cutpoints.iter_enumerated() {
        let (Some(old), Some(new)) = (&before[cut], &mut after[cut]) else { continue };
        for symbol in cutpoint.state.iter().map(|&var| cx.task.program.vars[var].term) {
            if let (Some(old), Some(new)) = (old.get(&symbol), new.get_mut(&symbol)) {
                new.low = if new.low < old.low { 0 } else { new.low };
                new.high = if new.high > old.high { greatest(cx.terms, symbol).unwrap_or(u64::MAX) } else { new.high };
            }
        }
    }
}

/// The values of a term; none if it has no number of at most 64 bits.
fn eval(terms: &Terms, state: &State, term: Term) -> Option<Interval> {
    let any = Interval { low: 0, high: greatest(terms, term)? };
    let arg = |at: usize| eval(terms, state, terms.args(term)[at]);
    Some(match terms.op(term) {
        Op::Value => terms.small_value(term).map_or(any, |value| Interval { low: value, high: value }),
        Op::BvAdd => match (arg(0)?, arg(1)?) {
            (a, b) if a.high <= any.high - b.high => Interval { low: a.low + b.low, high: a.high + b.high },
            _ => any,
        },
        Op::Ite => {
            let (a, b) = (arg(1)?, arg(2)?);
            Interval { low: a.low.min(b.low), high: a.high.max(b.high) }
        }
        _ => state.get(&term).copied().unwrap_or(any),
    })
}

/// Leaves out the values that the condition excludes.
fn assume(terms: &Terms, state: &mut State, condition: Term) {
    let args = terms.args(condition);
    match terms.op(condition) {
        Op::And => args.iter().for_each(|&part| assume(terms, state, part)),
        Op::BvUlt => below(terms, state, args[0], args[1], 1),
        Op::BvUle => below(terms, state, args[0], args[1], 0),
        Op::Not => match terms.op(args[0]) {
            Op::BvUlt => below(terms, state, terms.args(args[0])[1], terms.args(args[0])[0], 0),
            Op::BvUle => below(terms, state, terms.args(args[0])[1], terms.args(args[0])[0], 1),
            _ => {}
        },
        _ => {}
    }
}

/// The first is at most the second minus the gap.
fn below(terms: &Terms, state: &mut State, less: Term, more: Term, gap: u64) {
    let (Some(a), Some(b)) = (eval(terms, state, less), eval(terms, state, more)) else { return };
    let (high, low) = (a.high.min(b.high.saturating_sub(gap)), b.low.max(a.low.saturating_add(gap)));
    if matches!(terms.op(less), Op::Symbol(_)) && a.low <= high {
        state.insert(less, Interval { high, ..a });
    }
    if matches!(terms.op(more), Op::Symbol(_)) && low <= b.high {
        state.insert(more, Interval { low, ..b });
    }
}

fn greatest(terms: &Terms, term: Term) -> Option<u64> {
    match terms.sort_kind(terms.sort_of(term)) {
        SortKind::BitVec(width) if *width <= 64 => Some(u64::MAX >> (64 - width)),
        _ => None,
    }
}
