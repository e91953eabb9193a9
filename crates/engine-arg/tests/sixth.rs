//! A sixth instantiation, complete in one file: what one writes to try an idea of one's own.
//!
//! The idea here: an abstract post that asks nothing about an edge. It keeps those predicates that the edge does not
//! touch. With labels from interpolants, used as they are, that is an instantiation; a row of `INSTANCES`
//! would give it a name on the command line.

use base::{Budget, Stopped};
use engine::{Facts, Run, Silent, Task};
use engine_arg::{Domain, EdgeRef, Instance, Interpolation, Lazy, Search, Site, covered, joined, narrowed_to_common};
use program::pass;
use term::{Term, Terms};
use verdict::{Counterexample, Verdict, Why};

/// What was known before and is about nothing that changed.
struct Untouched {}

impl Domain for Untouched {
    fn join(&mut self, search: &mut Search<'_>, _: &Site<'_>, posts: &[Term]) -> Result<Term, Stopped> {
        Ok(joined(search, posts))
    }
    fn widen(&mut self, search: &mut Search<'_>, site: &Site<'_>, posts: &[Term]) -> Result<Term, Stopped> {
        Ok(narrowed_to_common(search, site, posts))
    }
    fn covers(&mut self, search: &mut Search<'_>, site: &Site<'_>) -> Result<bool, Stopped> {
        covered(search, site)
    }
    fn post(&mut self, search: &mut Search<'_>, _: &Site<'_>, before: Term, edge: EdgeRef) -> Result<Term, Stopped> {
        let to = search.exit(edge).to;
        let mut kept = Vec::new();
        for predicate in search.predicates[to].clone() {
            let untouched = search.back(edge, predicate) == predicate;
            if untouched && search.covers(edge.from, before, &[predicate])? {
                kept.push(predicate);
            }
        }
        Ok(search.terms.and(&kept))
    }
}

const FRAME: Instance = Instance {
    domain: |_| Box::new(Untouched {}),
    refiner: |_| Box::new(Interpolation::default()),
    strategy: |_| Box::new(Lazy::default()),
    is_helped: true,
};

/// A mode is chosen once; a loop counts and leaves it alone.
const MODE: &str = "cfa 1
pointer 32
entry main
file \"mode.c\"

assertion 1 \"mode < 2\" @0:9:1
input i0 nondet \"mode\" unsigned @0:1:1
input i1 nondet \"more\" unsigned @0:1:1

function main () entry L0 exit L7 @0:1:1 {
  local main.mode (_ BitVec 8) unsigned @0:1:1
  local main.more (_ BitVec 8) unsigned @0:1:1
  local main.count (_ BitVec 8) unsigned @0:1:1
  at L0
    havoc main.mode from i0 -> L1
  at L1
    assume (bvult main.mode #x02) -> L2
  at L2
    assign main.count := #x00 -> L3
  at L3 loop
    havoc main.more from i1 -> L4
  at L4
    assume (= main.more #x00) -> L6
    assume (not (= main.more #x00)) -> L5
  at L5
    assign main.count := (bvadd main.count main.more) -> L3
  at L6
    assume (bvult main.mode LIMIT) -> L7
    assume (not (bvult main.mode LIMIT)) -> L8
  at L7
  at L8 error 1 @0:9:1
}
";

fn verify(text: &str) -> Verdict {
    let mut terms = Terms::new();
    let program = program::text::parse("mode.cfa", text, &mut terms).unwrap_or_else(|found| panic!("{found:?}"));
    let optimised = pass::optimise(program.clone(), &mut terms, &pass::Options::default()).expect("there are no calls");
    let task = Task::new(program, optimised.program, optimised.map, terms);
    let budget = Budget::ticks(50_000_000, std::sync::Arc::default());
    let replay = |found: &Counterexample| -> Result<(), Why> {
        let claim = Verdict::Unsafe(found.clone());
        certify::certify(&task.lowered, &task.terms, &claim, &budget).map(|_| ()).map_err(|refusal| refusal.why())
    };
    let facts = Facts::new();
    let mut run = Run { budget: &budget, seed: 0, facts: &facts, observer: &Silent, replay: &replay, each: None };
    let verdict = engine_arg::with_instance(FRAME).run(&task, &mut run).expect("it ends");
    certify::certify(&task.lowered, &task.terms, &verdict, &budget).expect("the evidence holds");
    verdict
}

#[test]
fn an_instantiation_of_ones_own_proves_a_program() {
    assert!(matches!(verify(&MODE.replace("LIMIT", "#x02")), Verdict::Safe(_)));
}

#[test]
fn an_instantiation_of_ones_own_finds_an_error() {
    assert!(matches!(verify(&MODE.replace("LIMIT", "#x01")), Verdict::Unsafe(_)));
}
