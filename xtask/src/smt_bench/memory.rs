//! The memory of one solver over many queries: of the SAT solver alone, and of the whole one over functions.

use base::{Budget, Random};
use sat::NoTheory;
use smt::{Query, Reading, Solver};
use term::Term;

use super::functions::relation;
use super::propositional::{cubes, guarded_words};
use super::{Bench, processor_seconds};

/// Both tables in one.
pub(super) fn measure(bench: &Bench) -> Result<String, String> {
    let mut text = format!(
        "{} queries under random assumptions on one solver; the resident memory of the whole process, and what the SAT solver holds.\n\n\
         | solver | queries | seconds | resident KiB | learnt clauses | binary clauses | arena words |\n|---|---|---|---|---|---|---|\n",
        bench.million
    );
    propositional(bench, &mut text);
    functions(bench, &mut text);
    Ok(text)
}

/// Whether to write a row after this many queries.
fn is_mark(queries: u64, all: u64) -> bool {
    [50, 10, 5, 2, 1].iter().any(|part| queries == all / part)
}

fn row(solver: &str, queries: u64, seconds: f64, footprint: sat::Footprint) -> String {
    format!(
        "| {solver} | {queries} | {seconds:.1} | {} | {} | {} | {} |\n",
        resident() >> 10,
        footprint.n_learnt,
        footprint.n_binary,
        footprint.arena_words
    )
}

fn propositional(bench: &Bench, text: &mut String) {
    let relation = guarded_words("6 guarded words", 6, bench.seed);
    let mut solver = sat::Solver::new();
    solver.add_all(&relation.circuit.clauses);
    let budget = Budget::default();
    let start = processor_seconds();
    let mut asked = 0;
    while asked < bench.million {
        // A few at a time, so that the list of cubes does not count.
        for cube in cubes(&relation, 1000.min(bench.million - asked), bench.seed + asked) {
            let _ = solver.solve(&mut NoTheory, &sat::Query::assuming(&cube), &budget);
            asked += 1;
            if is_mark(asked, bench.million) {
                text.push_str(&row("SAT alone", asked, processor_seconds() - start, solver.footprint()));
            }
        }
    }
}

fn functions(bench: &Bench, text: &mut String) {
    let mut relation = relation(bench.seed + 1);
    let negated: Vec<Term> = relation.names.clone().iter().map(|&name| relation.terms.not(name)).collect();
    let mut solver = Solver::with_reading(Reading::Uninterpreted);
    relation.assertions.iter().for_each(|&assertion| solver.assert(assertion));
    let mut random = Random::new(bench.seed);
    let budget = Budget::default();
    let start = processor_seconds();
    for asked in 1..=bench.million {
        let assumptions: Vec<Term> = (0..8)
            .map(|_| {
                let at = random.below(relation.names.len() as u64) as usize;
                if random.one_in(2) { relation.names[at] } else { negated[at] }
            })
            .collect();
        let _ = solver.check(&relation.terms, &Query::assuming(&assumptions), &budget);
        if is_mark(asked, bench.million) {
            text.push_str(&row("functions", asked, processor_seconds() - start, solver.sat_footprint()));
        }
    }
}

/// Bytes of memory that the process has in use, where the system reports it.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.and_then(|text| text.split_whitespace().nth(1).and_then(|word| word.parse::<u64>().ok()));
    pages.unwrap_or(0) * 4096
}
