//! A way to the error in bits: what the uninterpreted view of a program cannot decide, a solver can.

use base::{Bits, FastMap, Stopped};
use engine::Run;
use program::pass::BackMap;
use program::{InputId, Program};
use smt::{Answer, Query, Solver};
use term::{Op, Substitution, Term, Terms, Value};
use verdict::{Code, Counterexample, InputValue, Why};

use crate::automaton::{Automaton, StepId};

/// Asks for inputs that drive the program along the way, and replays them.
pub(crate) fn confirm(
    program: &Program,
    map: &BackMap,
    automaton: &Automaton,
    terms: &mut Terms,
    way: &[StepId],
    run: &Run<'_>,
) -> Result<Result<Counterexample, Why>, Stopped> {
    let mut solver = Solver::new();
    let mut now: Vec<(Term, Term)> = Vec::new();
    let mut asked: Vec<(InputId, Term)> = Vec::new();
    let mut last = None;
    for (position, &step) in way.iter().enumerate() {
        run.budget.spend(1)?;
        let step = &automaton.steps[step];
        let mut substitution = Substitution::new(terms, &now);
        for test in &step.guard {
            let left = substitution.apply(terms, test.literal.left);
            let right = substitution.apply(terms, test.literal.right);
            let same = terms.make(Op::Eq, &[left, right]);
            solver.assert(if test.equal { same } else { terms.not(same) });
        }
        let mut new = Vec::new();
        for (slot, _, value) in &step.assigns {
            new.push((automaton.slots[*slot as usize].2, substitution.apply(terms, *value)));
        }
        for (slot, input) in &step.frees {
            let (_, sort, term) = automaton.slots[*slot as usize];
            let fresh = terms.variable(&format!("trace {position} {slot}"), sort);
            new.push((term, fresh));
            if let Some(input) = input {
                asked.push((*input, fresh));
            }
        }
        for (term, value) in new {
            match now.iter_mut().find(|(known, _)| *known == term) {
                Some(known) => known.1 = value,
                None => now.push((term, value)),
            }
        }
        last = automaton.error[step.to];
    }
    let assertion = last.expect("the way leads to an error");
    let unconfirmed = |code: Code, what: &str| Ok(Err(Why::new(code, what)));
    match solver.check(terms, &Query::assuming(&[]), run.budget)? {
        Answer::Unsat(_) => unconfirmed(
            Code::NoProgress,
            "the uninterpreted view of the program has an error that the program does not",
        ),
        Answer::Unknown(why) => unconfirmed(Code::Solver, why),
        Answer::Sat(mut model) => {
            let mut counts: FastMap<InputId, u64> = FastMap::new();
            let mut inputs = Vec::new();
            for (id, term) in asked {
                let from = map.inputs[id];
                let Some(input) = from.input else { continue };
                let count = counts.get_or_insert_with(input, || 0);
                let occurrence = *count;
                *count += 1;
                let value = match model.value(term) {
                    Value::Bool(truth) => Bits::from_u64(if from.offset.is_some() { 8 } else { 1 }, truth.into()),
                    Value::Bits(bits) => bits,
                    _ => continue,
                };
                inputs.push(InputValue { input, occurrence, offset: from.offset, value });
            }
            let found = Counterexample { assertion, inputs, functions: Vec::new() };
            Ok(match (run.replay)(&found) {
                Ok(()) => Ok(found),
                Err(why) if why.code == Code::Rejected => {
                    let place = program.assertions[assertion].place;
                    Err(Why::at(Code::Uninterpreted, "what the uninterpreted view does not know", place))
                }
                Err(why) => Err(why),
            })
        }
    }
}
