//! Moves: visits of heads one after the other, seen in runs.

use base::{Bits, Budget, FastMap};
use program::interp::{Inputs, Limits, Run, Unsupported, Visit, visits};
use program::{Loc, Program, Var};
use term::eval::{Evaluator, Value};
use term::{Op, SortKind, Term, Terms};

use super::Component;
use crate::tuning::Tuning;

/// What was seen of a component.
#[derive(Clone, Default, Debug)]
pub struct Seen {
    /// From which head with which values to which head with which values.
    pub moves: Vec<Move>,
    known: FastMap<Move, ()>,
}

/// A state at a head: the head's number, and the values of its variables.
pub(super) type State = (usize, Vec<Option<u128>>);
/// From one state to the next.
pub(super) type Move = (State, State);

impl Seen {
    /// Keeps the move; returns whether it is new.
    fn add(&mut self, one: Move) -> bool {
        let is_new = self.known.insert(one.clone(), ()).is_none();
        if is_new {
            self.moves.push(one);
        }
        is_new
    }
    /// Runs the program and adds the moves that it makes, few of each run unless `all` are wanted; returns how many are new.
    #[allow(clippy::too_many_arguments)] // What runs, what is watched, how far, and where it goes.
    pub fn watch(
        seen: &mut [Seen],
        program: &Program,
        terms: &Terms,
        components: &[&Component],
        inputs: &mut dyn Inputs,
        limits: &Limits,
        budget: &Budget,
        all: bool,
    ) -> Result<(Run, usize), Unsupported> {
        let mut watched: Vec<(Loc, Vec<Var>)> = Vec::new();
        let mut places: Vec<Vec<(usize, usize)>> = Vec::new();
        for (number, component) in components.iter().enumerate() {
            for (at, head) in component.heads.iter().enumerate() {
                let known = watched.iter().position(|(loc, _)| *loc == head.loc);
                let index = known.unwrap_or_else(|| {
                    watched.push((head.loc, Vec::new()));
                    places.push(Vec::new());
                    watched.len() - 1
                });
                for &var in &head.vars {
                    if !watched[index].1.contains(&var) {
                        watched[index].1.push(var);
                    }
                }
                places[index].push((number, at));
            }
        }
        let most = if all { Tuning::DEFAULT.ranking_all_visits } else { Tuning::DEFAULT.ranking_visits };
        let (run, found) = visits(program, terms, inputs, limits, budget, &watched, most)?;
        let mut n_new = 0;
        // By component and activation: the last state.
        let mut last: FastMap<(usize, u32), State> = FastMap::new();
        for visit in &found {
            let Some(index) = watched.iter().position(|(loc, _)| *loc == visit.at) else { continue };
            for &(number, at) in &places[index] {
                let head = &components[number].heads[at];
                let is_entry = matches!(head.at, verdict::Ranked::Entry(_));
                if is_entry && !visit.is_call {
                    continue;
                }
                let state = (at, values(visit, &watched[index].1, &head.vars));
                let before = match is_entry {
                    true => visit.caller.and_then(|caller| last.get(&(number, caller))),
                    // A call begins an activation, and no round.
                    false => last.get(&(number, visit.activation)).filter(|_| !visit.is_call),
                };
                if let Some(before) = before
                    && (all || seen[number].moves.len() < Tuning::DEFAULT.ranking_moves)
                {
                    n_new += usize::from(seen[number].add((before.clone(), state.clone())));
                }
                last.insert((number, visit.activation), state);
            }
        }
        Ok((run, n_new))
    }
}

fn values(visit: &Visit, watched: &[Var], wanted: &[Var]) -> Vec<Option<u128>> {
    let value = |var: &Var| visit.values[watched.iter().position(|one| one == var).expect("it is watched")];
    wanted.iter().map(value).collect()
}

/// The values of these words in a state; `None` where there is none.
pub(super) fn evaluate(
    program: &Program,
    terms: &Terms,
    vars: &[Var],
    values: &[Option<u128>],
    words: &[Term],
) -> Vec<Option<u128>> {
    let mut of_symbol = FastMap::new();
    for (&var, value) in vars.iter().zip(values) {
        let term = program.vars[var].term;
        let (Op::Symbol(symbol), Some(value)) = (terms.op(term), value) else { continue };
        let value = match *terms.sort_kind(terms.sort_of(term)) {
            SortKind::BitVec(width) => Value::Bits(Bits::from_u128(width, *value)),
            _ => Value::Bool(*value != 0),
        };
        of_symbol.insert(symbol, value);
    }
    let mut evaluator = Evaluator::new(|symbol, _: &[Value]| of_symbol.get(&symbol).cloned());
    let mut value = |&word: &Term| match evaluator.eval(terms, word) {
        Ok(Value::Bits(bits)) => bits.to_u128(),
        _ => None,
    };
    words.iter().map(&mut value).collect()
}
