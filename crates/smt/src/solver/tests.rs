//! What a million queries would leave behind.

use base::Random;
use term::SortKind;

use super::*;

/// How much the solver holds: variables, nodes, rows of tables, words of clauses.
fn sizes(solver: &Solver) -> [usize; 5] {
    let Solver { sat, theory, encoder, .. } = solver;
    [
        sat.n_vars(),
        theory.graph.len(),
        theory.graph.n_heads(),
        encoder.internal.len() + encoder.applications.len() + encoder.arrays.nodes.len(),
        theory.bounds.len(),
    ]
}

#[test]
fn queries_over_the_same_terms_leave_nothing_behind() {
    let mut terms = Terms::without_simplification();
    let (word, truth) = (terms.bv_sort(16), terms.bool_sort());
    let sort = terms.sort(SortKind::Array(word, word));
    let f = terms.declare("f", &[word], word).unwrap();
    let memory = terms.variable("m", sort);
    let words: Vec<Term> = (0..6).map(|i| terms.variable(&format!("x{i}"), word)).collect();
    let mut atoms = Vec::new();
    let mut solver = Solver::new();
    for i in 0..6 {
        let (x, y) = (words[i], words[(i + 1) % 6]);
        let (sum, read) = (terms.bv_add(x, y), terms.select(memory, x));
        let image = terms.apply(f, &[sum]);
        let written = terms.store(memory, y, image);
        let again = terms.select(written, x);
        let three = terms.bv(16, 3 * i as u64);
        atoms.extend([
            terms.eq(image, read),
            terms.bv_ult(x, y),
            terms.bv_ult(sum, three),
            terms.eq(again, y),
            terms.eq(read, x),
        ]);
        let name = terms.variable(&format!("p{i}"), truth);
        solver.assert(terms.eq(name, atoms[atoms.len() - 1]));
        atoms.push(name);
    }
    let literals: Vec<[Term; 2]> = atoms.iter().map(|&atom| [atom, terms.not(atom)]).collect();
    let mut random = Random::new(7);
    let mut ask = |solver: &mut Solver, count: u32| {
        for i in 0..count {
            let assumptions: Vec<Term> =
                (0..4 + i as usize % 4).map(|_| random.pick(&literals)[random.below(2) as usize]).collect();
            let clause = [random.pick(&literals)[0], random.pick(&literals)[1]];
            let query = Query {
                assumptions: &assumptions,
                clause: (i % 3 == 0).then_some(&clause[..]),
                domain: (i % 5 == 0).then_some(&[][..]),
            };
            solver.push();
            assert!(!matches!(solver.check(&terms, &query, &Budget::default()), Err(_) | Ok(Answer::Unknown(_))));
            solver.pop();
        }
    };
    // Lemmas and equalities are made when first needed; then all of them are there.
    ask(&mut solver, 8000);
    solver.sat.backtrack_to_root(&mut solver.theory);
    let before = sizes(&solver);
    ask(&mut solver, 4000);
    solver.sat.backtrack_to_root(&mut solver.theory);
    let after = sizes(&solver);
    for (before, after) in before.into_iter().zip(after) {
        assert!(after <= before + before / 20 + 2, "{before} became {after}");
    }
}
