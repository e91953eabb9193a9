//! Symbolic execution: all runs of a bounded program at once (`program::symbolic`), and one question at the end.
//!
//! Drivers of libraries are mostly bounded: a few free bytes go through a parser, a codec, a table. Executing them with terms in place of the bytes leaves small formulas, because
//! addresses, lengths and loop counters are constants or choices between few of them. One solver answers whether loops go on; the
//! answers that a path ends are the evidence, with which the checker repeats the exploration.

use base::{Budget, Stopped};
use engine::{Engine, Run, Task};
use program::symbolic::{Explored, Oracle, Trouble, explore};
use program::{Action, Program};
use smt::{Answer, Query, Solver};
use term::{Term, Terms, Value};
use verdict::{Code, Method, Proof, Verdict, Why};

use crate::tuning::Tuning;

/// The engine.
pub(crate) struct Symbolic;

impl Engine for Symbolic {
    fn run(&mut self, task: &Task, run: &mut Run<'_>) -> Result<Verdict, Stopped> {
        if !has_memory(&task.lowered) {
            return Ok(Verdict::Unknown(Why::new(
                Code::GaveUp,
                "no memory is read or written: unrolling does as well",
            )));
        }
        run.observer.phase("symbolic execution");
        let mut questions = Questions { solver: Solver::new(), closed: Vec::new() };
        let part = run.budget.part(Tuning::DEFAULT.symbolic_ticks);
        let Explored { mut terms, errors, questions: asked, edges } =
            match explore(&task.lowered, &task.terms, &mut questions, &part) {
                Ok(explored) => explored,
                Err(Trouble::Stopped(Stopped::OutOfTicks)) if run.budget.left() > 0 => {
                    return Ok(Verdict::Unknown(Why::new(Code::GaveUp, "loops that may go on without end")));
                }
                Err(Trouble::Stopped(stopped)) => return Err(stopped),
                Err(Trouble::Unsupported(what, place)) => {
                    return Ok(Verdict::Unknown(Why::at(Code::Memory, what, place)));
                }
                Err(Trouble::Limit(what, place)) => return Ok(Verdict::Unknown(Why::at(Code::GaveUp, what, place))),
            };
        run.observer.count("edges of symbolic execution", edges);
        run.observer.count("questions about paths", u64::from(asked));
        run.observer.phase("errors of symbolic execution");
        let ways: Vec<Term> = errors.iter().map(|&(_, condition)| condition).collect();
        let is_error = terms.or(&ways);
        match Solver::new().check(&terms, &Query::assuming(&[is_error]), run.budget)? {
            Answer::Unsat(_) => {
                let mut proof = Proof::by_runs(Method::Unrolling { questions: asked });
                proof.closed = questions.closed;
                Ok(Verdict::Safe(Box::new(proof)))
            }
            Answer::Sat(_) => {
                Ok(Verdict::Unknown(Why::new(Code::GaveUp, "a path into an error, whose inputs others look for")))
            }
            Answer::Unknown(why) => Ok(Verdict::Unknown(Why::new(Code::Solver, why))),
        }
    }
}

/// Whether the program reads or writes memory: symbolic execution is made for such programs.
pub fn has_memory(program: &Program) -> bool {
    program.edges.iter().any(|edge| matches!(edge.action, Action::Load { .. } | Action::Store { .. }))
}

/// Answers questions about paths by a solver, and keeps the complete answers.
struct Questions {
    solver: Solver,
    closed: Vec<(u32, Vec<u64>)>,
}

impl Oracle for Questions {
    fn closed(
        &mut self,
        terms: &mut Terms,
        number: u32,
        condition: Term,
        word: Option<Term>,
        budget: &Budget,
    ) -> Result<Option<Vec<u64>>, Stopped> {
        let part = budget.part(Tuning::DEFAULT.loop_question_ticks);
        let mut values = Vec::new();
        let mut conditions = vec![condition];
        while values.len() <= Tuning::DEFAULT.max_listed_values {
            let answer = match self.solver.check(terms, &Query::assuming(&conditions), &part) {
                Ok(answer) => answer,
                Err(Stopped::OutOfTicks) if budget.left() > 0 => return Ok(None),
                Err(stopped) => return Err(stopped),
            };
            let value = match answer {
                Answer::Unsat(_) => {
                    self.closed.push((number, values.clone()));
                    return Ok(Some(values));
                }
                Answer::Unknown(_) => return Ok(None),
                Answer::Sat(mut model) => word.map(|word| model.value(word)),
            };
            let (Some(Value::Bits(bits)), Some(word)) = (value, word) else { return Ok(None) };
            let Some(number) = bits.to_u64() else { return Ok(None) };
            values.push(number);
            let value = terms.bits(bits);
            conditions.push(terms.ne(word, value));
        }
        Ok(None)
    }
}
