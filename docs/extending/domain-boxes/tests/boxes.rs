//! The exercise of docs/extending.md: a domain of boxes and an interpolator for `ufo`, from outside its crate.

use std::collections::BTreeMap;
use std::sync::Mutex;

use base::Budget;
use domain_boxes::BOXES;
use domain_boxes::reversed::{REVERSED, WITH_REVERSED};
use engine::{EngineInfo, Facts, Observer, Picture, Run};
use engine_arg::{Instance, Interpolation, Settings, UFO, with_instance};
use testkit::contract::task;
use verdict::{Counterexample, Verdict, Why};

const WITH_BOXES: EngineInfo = EngineInfo {
    name: "boxes",
    make: |values| Settings::from_values(values.iter()).map(|_| with_instance(BOXES)),
    ..UFO
};
testkit::engine_contract!(boxes: crate::WITH_BOXES);

type Counts = BTreeMap<&'static str, u64>;

/// Keeps the counters.
#[derive(Default)]
struct Counters(Mutex<Counts>);

impl Observer for Counters {
    fn phase(&self, _: &'static str) {}
    fn progress(&self, _: String) {}
    fn count(&self, name: &'static str, value: u64) {
        self.0.lock().expect("no thread panicked").insert(name, value);
    }
    fn imported(&self, _: &'static str) {}
    fn picture(&self, _: Picture) {}
}

/// The verdict, its evidence checked, if there is one within some million ticks, and the counters.
fn verify(instance: Instance, body: &str) -> (Option<Verdict>, Counts) {
    let budget = Budget::ticks(20_000_000, std::sync::Arc::default());
    let (task, counters, facts) = (task(body), Counters::default(), Facts::new());
    let replay = |found: &Counterexample| -> Result<(), Why> {
        let claim = Verdict::Unsafe(found.clone());
        certify::certify(&task.lowered, &task.terms, &claim, &budget).map(|_| ()).map_err(|refusal| refusal.why())
    };
    let mut run = Run { budget: &budget, seed: 0, facts: &facts, observer: &counters, replay: &replay, each: None };
    let verdict = with_instance(instance).run(&task, &mut run).ok();
    if let Some(verdict) = &verdict {
        certify::certify(&task.lowered, &task.terms, verdict, &Budget::default()).expect("the evidence is accepted");
    }
    (verdict, counters.0.into_inner().expect("no thread panicked"))
}

const COUNT: &str = "unsigned i = 0; while (i < 100) { i = i + 1; } if (i > 100) reach_error();";

#[test]
fn boxes_prove_a_bound_without_any_refinement() {
    let (verdict, counts) = verify(BOXES, COUNT);
    assert!(matches!(verdict, Some(Verdict::Safe(_))));
    assert_eq!(counts["refinements"], 0);
    let without = Instance { domain: |_| Box::new(engine_arg::True::default()), ..BOXES };
    assert!(verify(without, COUNT).1["refinements"] > 0, "without boxes there is an abstract counterexample");
}

#[test]
fn boxes_find_an_error() {
    assert!(matches!(
        verify(BOXES, &COUNT.replace("i < 100", "i < 3").replace("i > 100", "i > 2")).0,
        Some(Verdict::Unsafe(_))
    ));
}

/// Boxes say nothing about this, so the interpolator has to.
const TWICE: &str = "unsigned a = __VERIFIER_nondet_uint(), b = a; while (__VERIFIER_nondet_uint()) { \
    unsigned t = __VERIFIER_nondet_uint(); a = a + t; b = b + t; } if (a != b) reach_error();";

#[test]
fn the_second_interpolator_finds_labels() {
    let (verdict, counts) = verify(WITH_REVERSED, TWICE);
    assert!(matches!(verdict, Some(Verdict::Safe(_))));
    assert!(counts["labels_cleaned"] > 0, "labels are read off its refutation: {counts:?}");
    // A way that finds nothing gives no such label: it was the second interpolator.
    let nothing = Instance {
        refiner: |_| {
            let silent = smt::interpolate::Interpolator { name: "silent", find: |_, _, _, _| Ok(None), ..REVERSED };
            Box::new(Interpolation { interpolators: vec![silent], is_hasty: false })
        },
        ..WITH_REVERSED
    };
    assert_eq!(verify(nothing, TWICE).1["labels_cleaned"], 0);
}
