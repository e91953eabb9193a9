//! The lowered program against an interpreter of the source: random programs with contracts, run on random values.
//!
//! `testkit::boogie::explore` knows exactly which conditions can fail. A run of the lowered program may fail no other condition, and
//! enough random runs find most of those that can.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use base::{Budget, FastMap, Random};
use bplfront::Runs;
use program::interp::{Inputs, Limits, Machine, Outcome, Request};
use term::Terms;
use testkit::boogie::explore::{self, failures};
use testkit::boogie::generate::generate;
use testkit::boogie::print::print;

/// Programs with more states are left out.
const MAX_STATES: usize = 100_000;
/// Runs of each program.
const RUNS: u64 = 400;

/// Random values, of elements only two; arrays and functions keep what they said.
struct Small {
    random: Random,
    known: FastMap<(String, Vec<u128>), u128>,
}

impl Inputs for Small {
    fn value(&mut self, request: &Request<'_>) -> u128 {
        let value = u128::from(self.random.below(if request.width == program::interp::ELEMENT_WIDTH { 2 } else { 4 }));
        if !request.is_element {
            return value;
        }
        let at = request.offset.map_or(u128::MAX, u128::from);
        let key = (format!("{:?}", request.origin), vec![u128::from(request.occurrence), at]);
        *self.known.get_or_insert_with(key, || value)
    }
    fn choose(&mut self, n: usize) -> usize {
        self.random.below(n as u64) as usize
    }
    fn apply(&mut self, function: &str, args: &[u128]) -> u128 {
        let value = u128::from(self.random.below(2));
        *self.known.get_or_insert_with((function.to_owned(), args.to_vec()), || value)
    }
}

/// Lines of conditions that random runs of the lowered program fail.
fn failing_lines(text: &str, runs: Runs<'_>, seed: u64) -> BTreeSet<u32> {
    let mut terms = Terms::new();
    let program = bplfront::compile_runs("test.bpl", text, runs, &mut terms)
        .unwrap_or_else(|found| panic!("{found:?}\n{text}"))
        .program;
    program::validate(&program, &terms).unwrap_or_else(|broken| panic!("{broken:?}\n{text}"));
    assert!(program.approximations.is_empty(), "everything is exact here: {text}");
    let mut machine = Machine::new(&program, &terms).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
    let budget = Budget::ticks(u64::MAX, AtomicBool::new(false).into());
    let limits = Limits { edges: 2000, ..Limits::default() };
    let mut lines = BTreeSet::new();
    for number in 0..RUNS {
        let random = Random::new(seed.wrapping_mul(RUNS).wrapping_add(number));
        let mut inputs = Small { random, known: FastMap::new() };
        if let Outcome::Error(assertion) = machine.run(&mut inputs, &limits, &budget).outcome {
            lines.extend(program.assertions[assertion].place.map(|place| place.line));
        }
    }
    lines
}

#[test]
fn runs_fail_what_the_source_says_and_nothing_else() {
    let (mut n_expected, mut n_found, mut n_right) = (0, 0, 0);
    for seed in 0..150 {
        let made = generate(seed);
        let Some(failed) = failures(&made.program, made.runs, 2, MAX_STATES) else { continue };
        let printed = print(&made.program);
        let line = |id: &usize| printed.lines.iter().find(|(known, _)| known == id).map(|(_, line)| *line);
        let expected: BTreeSet<u32> = failed.iter().filter_map(line).collect();
        let runs = match made.runs {
            explore::Runs::Modular => Runs::Modular,
            explore::Runs::From(entry) => Runs::From(&made.program.procedures[entry].name),
        };
        let found = failing_lines(&printed.text, runs, seed);
        assert!(found.is_subset(&expected), "seed {seed}: {found:?} of {expected:?}\n{}", printed.text);
        n_expected += expected.len();
        n_found += found.len();
        n_right += usize::from(expected.is_empty());
    }
    assert!(n_expected > 40 && n_right > 40, "{n_expected} {n_right}");
    assert!(n_found * 10 > n_expected * 7, "{n_found} of {n_expected}");
}
