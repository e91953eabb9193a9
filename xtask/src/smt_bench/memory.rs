//! The memory of one solver over many queries.

use std::time::Instant;

use base::{Budget, Random};
use smt::{Query, Reading, Solver};
use term::Term;

use super::Bench;
use super::functions::relation;

/// The memory of one solver over many queries.
pub(super) fn measure(bench: &Bench) -> Result<String, String> {
    let (million, seed) = (bench.million, bench.seed);
    let mut relation = relation(seed + 1);
    let negated: Vec<Term> = relation.names.clone().iter().map(|&name| relation.terms.not(name)).collect();
    let mut solver = Solver::with_reading(Reading::Uninterpreted);
    relation.assertions.iter().for_each(|&assertion| solver.assert(assertion));
    let mut random = Random::new(seed);
    let budget = Budget::default();
    let mut marks = Vec::new();
    let start = Instant::now();
    for i in 1..=million {
        let assumptions: Vec<Term> = (0..8)
            .map(|_| {
                let at = random.below(relation.names.len() as u64) as usize;
                if random.one_in(2) { relation.names[at] } else { negated[at] }
            })
            .collect();
        let _ = solver.check(&relation.terms, &Query::assuming(&assumptions), &budget);
        if i == million / 10 || i == million / 2 || i == million {
            marks.push((i, resident()));
        }
    }
    let mut text = format!(
        "{million} queries under random assumptions on one solver took {:.1} s.\n\n| queries | resident MiB |\n|---|---|\n",
        start.elapsed().as_secs_f64()
    );
    for (queries, bytes) in marks {
        text.push_str(&format!("| {queries} | {} |\n", bytes >> 20));
    }
    Ok(text)
}

/// Bytes of memory that the process has in use, where the system tells.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split_whitespace().nth(1).and_then(|word| word.parse::<u64>().ok()));
    pages.unwrap_or(0) * 4096
}
