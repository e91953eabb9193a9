//! Random programs that use everything the model has.

use base::Budget;
use term::Terms;

use super::super::{Dictionary, Limits, Machine, Outcome, RandomInputs, ScriptedInputs, trace};
use crate::random_program::random_program;

#[test]
fn any_program_runs_the_same_with_and_without_a_trace_and_again() {
    let limits = Limits { edges: 2_000, call_depth: 200, memory: 1 << 22, ..Limits::default() };
    let mut n_ended = [0; 3];
    for seed in 0..400 {
        let mut terms = if seed % 2 == 0 { Terms::new() } else { Terms::without_simplification() };
        let program = random_program(seed, &mut terms);
        let dictionary = Dictionary::of(&program, &terms);
        let mut machine = Machine::new(&program, &terms).expect("a valid program can be compiled");
        for run_seed in 0..8 {
            let mut inputs = RandomInputs::new(run_seed, &dictionary);
            let first = machine.run(&mut inputs, &limits, &Budget::default());
            let mut inputs = ScriptedInputs::replay(&first.inputs);
            let (second, _) = trace(&program, &terms, &mut inputs, &limits, &Budget::default(), 100)
                .expect("what compiles also compiles with notes");
            assert_eq!(first.inputs, second.inputs, "seed {seed}, run {run_seed}");
            assert_eq!(first.undefined, second.undefined, "seed {seed}, run {run_seed}");
            if let Outcome::Limit(_) = first.outcome {
                n_ended[0] += 1; // Loops are laid out in another way, so the limit strikes elsewhere.
                continue;
            }
            n_ended[if matches!(first.outcome, Outcome::Unsupported { .. }) { 1 } else { 2 }] += 1;
            assert_eq!(first.outcome, second.outcome, "seed {seed}, run {run_seed}");
            assert_eq!(first.edges, second.edges, "seed {seed}, run {run_seed}");
        }
    }
    assert!(n_ended[2] > 100, "too few runs say anything: {n_ended:?}");
}
