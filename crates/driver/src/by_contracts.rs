//! Recursive programs: contracts, and engines on the program that is made of them.
//!
//! Contracts are guessed and filtered (`engine::contracts`), first without conditions on calls, then with. The program that is
//! made of them has no recursion; the usual engines verify it. If it is safe, contracts and invariants together are the proof, and the
//! checker makes that program again from the contracts. An error in it may be spurious: one in a contract drops that part
//! of the contract, any other ends the attempt.

use std::sync::Arc;
use std::time::Instant;

use base::{Budget, Id, Stopped};
use certify::{Refusal, certify};
use engine::Task;
use engine::contracts::{self, Contracts, Filtered, Requires};
use program::{Program, pass};
use term::Terms;
use term::walk::Import;
use verdict::{Contract, Modular, Proof, Verdict, modular};

use crate::context::Context;
use crate::progress::lock;
use crate::race::race;
use crate::tuning::Tuning;
use crate::verify::{Conclusion, arms, cores};

/// When contracts are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Before anything else: all recursive functions have contracts, and the program that is made of them must have no loops, so that
    /// engines answer soon.
    First,
    /// When the passes refuse the program: functions whose recursion ends in jumps have none.
    Last,
}

/// Proves the program safe by contracts, or gives nothing; an error if the run is to stop.
pub fn by_contracts(
    context: &Context,
    program: &Program,
    terms: &Terms,
    stage: Stage,
) -> Result<Option<Conclusion>, Stopped> {
    let mut all = program.clone();
    if stage == Stage::Last {
        pass::tail::tail(&mut all, terms, &[]);
    }
    let functions = contracts::recursive(&all);
    if functions.is_empty() {
        return Ok(None);
    }
    let clock = Instant::now();
    let mut jumping = program.clone();
    pass::tail::tail(&mut jumping, terms, &functions);
    let budget = Budget::unlimited(context.cancel.clone());
    let mut found = None;
    for requires in [Requires::Nothing, Requires::Bounds] {
        let seed = context.settings.seed;
        let candidates = contracts::candidates(&jumping, terms, &functions, requires, seed, &budget)?;
        let Some(candidates) = candidates else { break };
        context.log(&format!("contracts: {} candidates, {stage:?}, {requires:?}", candidates.len()));
        let mut attempt = Attempt { context, program, jumping: &jumping, terms, stage, candidates, budget: &budget };
        found = attempt.run()?;
        context.log(&format!("contracts: {} parts are left", attempt.candidates.len()));
        if found.is_some() {
            break;
        }
    }
    lock(&context.progress).times.push(("contracts".to_owned(), clock.elapsed()));
    Ok(found)
}

/// Candidates, and the program that they are about.
struct Attempt<'a> {
    context: &'a Context,
    program: &'a Program,
    /// The same with jumps for tail calls.
    jumping: &'a Program,
    terms: &'a Terms,
    stage: Stage,
    candidates: Contracts,
    budget: &'a Budget,
}

impl Attempt<'_> {
    /// Filters the candidates and lets engines verify the program that is made of them, until that is safe or hopeless.
    fn run(&mut self) -> Result<Option<Conclusion>, Stopped> {
        for _ in 0..Tuning::DEFAULT.max_contract_rounds {
            match self.candidates.filter(self.jumping, self.terms, self.budget)? {
                Filtered::Promising { has_loops } if !has_loops || self.stage == Stage::Last => {}
                _ => return Ok(None),
            }
            let mut own = self.terms.clone();
            let Ok(Modular { program: made, claims }) =
                modular(self.jumping, &mut own, &self.candidates.list, &self.candidates.terms)
            else {
                return Ok(None);
            };
            let Ok(optimised) = pass::optimise(made.clone(), &mut own, &pass::Options::default()) else {
                return Ok(None);
            };
            let task = Arc::new(Task::new(made, optimised.program, optimised.map, own));
            let arms = arms(self.context, &task);
            let conclusion = race(self.context, &task, None, arms, cores(self.context))?;
            match conclusion.verdict {
                Verdict::Safe(proof) => {
                    let verdict = Verdict::Safe(Box::new(with_contracts(*proof, &self.candidates)));
                    return self.checked(verdict, conclusion.engine).map(Some);
                }
                Verdict::Unsafe(error) => {
                    let claim = error.assertion.index().checked_sub(self.jumping.assertions.len());
                    let Some(&claim) = claim.and_then(|number| claims.get(number)) else { return Ok(None) };
                    self.candidates.drop_claim(claim);
                }
                Verdict::Endless(_) | Verdict::Unknown(_) => return Ok(None),
            }
        }
        Ok(None)
    }
    /// The proof is about a program made of contracts; the checker makes that program again.
    fn checked(&self, verdict: Verdict, engine: Option<&'static str>) -> Result<Conclusion, Stopped> {
        match certify(self.program, self.terms, &verdict, self.budget) {
            Ok(certificate) => Ok(Conclusion { verdict, engine, certificate: Some(certificate), bugs: Vec::new() }),
            Err(Refusal::Stopped(_)) => Err(Stopped::Cancelled),
            Err(refusal) => {
                let why = refusal.why();
                let bugs = vec![format!("contracts were refused: {}", why.what)];
                Ok(Conclusion { bugs, ..Conclusion::unknown(why) })
            }
        }
    }
}

/// The proof about the program made of contracts, with these.
fn with_contracts(mut proof: Proof, contracts: &Contracts) -> Proof {
    let mut import = Import::new();
    let mut own = std::mem::take(&mut proof.terms);
    let mut carry =
        |term| import.term(&contracts.terms, &mut own, term).expect("names mean the same in all stores of a run");
    proof.contracts = contracts
        .list
        .iter()
        .map(|contract| Contract {
            function: contract.function,
            slots: contract.slots.iter().map(|&(symbol, slot)| (carry(symbol), slot)).collect(),
            requires: contract.requires.iter().map(|&part| carry(part)).collect(),
            ensures: contract.ensures.iter().map(|&part| carry(part)).collect(),
        })
        .collect();
    proof.terms = own;
    proof
}
