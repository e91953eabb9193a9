//! From text to a checked answer.

use base::Budget;
use engine::{Facts, Run, Silent, Task};
use program::{Program, pass};
use term::Terms;
use verdict::{Counterexample, Verdict};

/// A checked answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Safe,
    Unsafe,
    Unknown(String),
}

/// The engine's answer about a Boogie program.
pub fn boogie(text: &str, mode: &str) -> Answer {
    let mut terms = Terms::new();
    let compiled = bplfront::compile("test.bpl", text, &mut terms).unwrap_or_else(|found| panic!("{found:?}\n{text}"));
    program::validate(&compiled.program, &terms).expect("the front end keeps the laws");
    verify(compiled.program, terms, mode)
}

/// The engine's answer about a C program.
pub fn c(text: &str) -> Answer {
    let mut terms = Terms::new();
    let options = cfront::Options::new(cfront::DataModel::Lp64, cfront::Property::UnreachCall);
    let compiled = cfront::compile("test.c", text, &options, &mut terms).expect("it is C");
    verify(compiled.program, terms, "search")
}

fn verify(program: Program, terms: Terms, mode: &str) -> Answer {
    let mut own = terms;
    let optimised = pass::optimise(program.clone(), &mut own, &pass::Options::default()).expect("no recursion");
    let task = Task::new(program, optimised.program, optimised.map, own);
    let budget = Budget::default();
    let replay = |found: &Counterexample| {
        let claim = Verdict::Unsafe(found.clone());
        certify::certify(&task.lowered, &task.terms, &claim, &budget).map(|_| ()).map_err(|refusal| refusal.why())
    };
    let facts = Facts::new();
    let mut run = Run { budget: &budget, seed: 0, facts: &facts, observer: &Silent, replay: &replay, each: None };
    let mut values = base::Values::default();
    values.set("mode", mode);
    let verdict = engine_trace::TRACE.build(&values).run(&task, &mut run).expect("there is time");
    if let Err(refusal) = certify::certify(&task.lowered, &task.terms, &verdict, &budget) {
        let text = program::text::print(&task.lowered, &task.terms);
        panic!("evidence refused: {refusal:?}\n{text}");
    }
    match verdict {
        Verdict::Safe(_) => Answer::Safe,
        Verdict::Unsafe(_) => Answer::Unsafe,
        Verdict::Endless(_) => unreachable!("these programs do not ask whether runs end"),
        Verdict::Unknown(why) => Answer::Unknown(why.to_string()),
    }
}
