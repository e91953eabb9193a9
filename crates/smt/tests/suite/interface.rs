//! Words that are equal by arithmetic on bits, and functions that see them only as equal or not.
//!
//! Without an equality that both sides know, the search would try the words value by value, and each of these
//! would take far too long.

use base::Budget;
use smt::{Answer, Query, Reading, Solver};
use term::{SortKind, Term, Terms};

/// Two words that are equal by arithmetic.
type Pair = fn(&mut Terms, Term, Term) -> (Term, Term);

const PAIRS: &[(&str, Pair)] = &[
    ("x ^ y ^ y", |terms, x, y| {
        let once = terms.bv_xor(x, y);
        (terms.bv_xor(once, y), x)
    }),
    ("x + y - y", |terms, x, y| {
        let sum = terms.bv_add(x, y);
        (terms.bv_sub(sum, y), x)
    }),
    ("x - y + y", |terms, x, y| {
        let difference = terms.bv_sub(x, y);
        (terms.bv_add(difference, y), x)
    }),
    ("8x by shift", |terms, x, y| {
        let width = terms.width(x);
        let (three, eight, sum) = (terms.bv(width, 3), terms.bv(width, 8), terms.bv_or(x, y));
        (terms.bv_shl(sum, three), terms.bv_mul(sum, eight))
    }),
    ("10x by shifts", |terms, x, _| {
        let width = terms.width(x);
        let (one, three, ten) = (terms.bv(width, 1), terms.bv(width, 3), terms.bv(width, 10));
        let (twice, eight) = (terms.bv_shl(x, one), terms.bv_shl(x, three));
        (terms.bv_add(eight, twice), terms.bv_mul(x, ten))
    }),
    ("-(-x)", |terms, x, y| {
        let sum = terms.bv_xor(x, y);
        let negated = terms.bv_neg(sum);
        (terms.bv_neg(negated), sum)
    }),
    ("not(x and y) by halves", |terms, x, y| {
        let (both, p, q) = (terms.bv_and(x, y), terms.bv_not(x), terms.bv_not(y));
        (terms.bv_not(both), terms.bv_or(p, q))
    }),
];

/// Whether there is a model, with the proof checked if there is none; `None` if it took too long.
fn has_model(terms: &Terms, solver: &mut Solver, formula: Term) -> Option<bool> {
    let budget = Budget::default().part(3_000_000);
    match solver.check(terms, &Query::assuming(&[formula]), &budget) {
        Ok(Answer::Sat(mut model)) => {
            assert!(model.is_true(formula), "a model satisfies what was asked");
            Some(true)
        }
        Ok(Answer::Unsat(refutation)) => {
            assert_eq!(refutation.check_proof(), Ok(()));
            Some(false)
        }
        _ => None,
    }
}

/// Every pair at 32 bits: `make` says that they behave differently somewhere.
fn check(make: impl Fn(&mut Terms, Term, Term) -> Term) {
    for (name, pair) in PAIRS {
        let mut terms = Terms::without_simplification();
        let word = terms.bv_sort(32);
        let (x, y) = (terms.variable("x", word), terms.variable("y", word));
        let (a, b) = pair(&mut terms, x, y);
        let wrong = make(&mut terms, a, b);
        let mut solver = Solver::new();
        solver.enable_log();
        assert_eq!(has_model(&terms, &mut solver, wrong), Some(false), "{name}");
        // Words that may differ are not taken to be equal.
        let one = terms.bv(32, 1);
        let next = terms.bv_add(b, one);
        let possible = make(&mut terms, a, next);
        assert_eq!(has_model(&terms, &mut solver, possible), Some(true), "{name}, one more");
    }
}

#[test]
fn a_function_gives_equal_results_for_words_equal_by_arithmetic() {
    check(|terms, a, b| {
        let word = terms.sort_of(a);
        let f = terms.declare("f", &[word], word).expect("one signature");
        let images = [a, b].map(|arg| terms.apply(f, &[arg]));
        terms.ne(images[0], images[1])
    });
}

#[test]
fn nested_functions_and_circuits_between_them_agree_on_equal_words() {
    check(|terms, a, b| {
        let word = terms.sort_of(a);
        let f = terms.declare("f", &[word, word], word).expect("one signature");
        let g = terms.declare("g", &[word], word).expect("one signature");
        let truth = terms.bool_sort();
        let p = terms.declare("p", &[word], truth).expect("one signature");
        let five = terms.bv(32, 5);
        let results = [a, b].map(|arg| {
            let inner = terms.apply(g, &[arg]);
            let sum = terms.bv_add(inner, arg);
            let outer = terms.apply(f, &[sum, five]);
            let again = terms.bv_xor(outer, arg);
            terms.apply(p, &[again])
        });
        terms.xor(results[0], results[1])
    });
}

#[test]
fn arrays_are_read_and_written_at_indices_equal_by_arithmetic() {
    check(|terms, a, b| {
        let (word, byte) = (terms.sort_of(a), terms.bv_sort(8));
        let sort = terms.sort(SortKind::Array(word, byte));
        let (memory, v) = (terms.variable("m", sort), terms.variable("v", byte));
        let written = terms.store(memory, a, v);
        let read = terms.select(written, b);
        terms.ne(read, v)
    });
    check(|terms, a, b| {
        let (word, byte) = (terms.sort_of(a), terms.bv_sort(8));
        let sort = terms.sort(SortKind::Array(word, byte));
        let memory = terms.variable("m", sort);
        let reads = [a, b].map(|index| terms.select(memory, index));
        terms.ne(reads[0], reads[1])
    });
}

#[test]
fn several_pairs_at_once_are_no_harder() {
    let mut terms = Terms::without_simplification();
    let word = terms.bv_sort(32);
    let f = terms.declare("f", &[word, word, word], word).unwrap();
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for (i, (_, pair)) in PAIRS[..3].iter().enumerate() {
        let (x, y) = (terms.variable(&format!("x{i}"), word), terms.variable(&format!("y{i}"), word));
        let (a, b) = pair(&mut terms, x, y);
        left.push(a);
        right.push(b);
    }
    let images = [left, right].map(|args| terms.apply(f, &args));
    let wrong = terms.ne(images[0], images[1]);
    assert_eq!(has_model(&terms, &mut logged(Reading::Bits), wrong), Some(false));
}

#[test]
fn an_operator_read_as_uninterpreted_sees_equal_words_too() {
    // The sum of Theory Refinement's example: bits for the remainders, none for the product.
    for with_values in [false, true] {
        let mut terms = Terms::without_simplification();
        let word = terms.bv_sort(32);
        let [a, b, e] = ["a", "b", "e"].map(|name| terms.variable(name, word));
        let two = terms.bv(32, 2);
        let (p, q, sum) = (terms.bv_urem(a, two), terms.bv_urem(b, two), terms.bv_add(a, b));
        let parts = terms.bv_add(p, q);
        let (c, d) = (terms.bv_urem(parts, two), terms.bv_urem(sum, two));
        let products = [c, d].map(|factor| terms.bv_mul(e, factor));
        let mut wrong = terms.ne(products[0], products[1]);
        let mut solver = logged(Reading::Uninterpreted);
        if with_values {
            let seven = terms.bv(32, 7);
            let is_seven = terms.eq(e, seven);
            wrong = terms.and(&[wrong, is_seven]);
        }
        for site in [p, q, sum, parts, c, d] {
            solver.raise(&terms, site);
        }
        assert_eq!(has_model(&terms, &mut solver, wrong), Some(false));
    }
}

#[test]
fn a_product_read_as_uninterpreted_takes_factors_equal_by_arithmetic() {
    for (name, pair) in PAIRS {
        let mut terms = Terms::without_simplification();
        let word = terms.bv_sort(32);
        let [x, y, e] = ["x", "y", "e"].map(|name| terms.variable(name, word));
        let (a, b) = pair(&mut terms, x, y);
        let seven = terms.bv(32, 7);
        for factor in [e, seven] {
            let products = [a, b].map(|word| terms.bv_mul(factor, word));
            let wrong = terms.ne(products[0], products[1]);
            let mut solver = logged(Reading::Uninterpreted);
            for site in terms.subterms(&[a, b]) {
                solver.raise(&terms, site);
            }
            assert_eq!(has_model(&terms, &mut solver, wrong), Some(false), "{name}");
        }
    }
}

#[test]
fn an_operator_that_is_evaluated_again_and_again_is_read_in_bits() {
    // The comparison is read as uninterpreted, but its argument has bits: never by trying all values.
    let mut terms = Terms::without_simplification();
    let word = terms.bv_sort(32);
    let (x, y) = (terms.variable("x", word), terms.variable("y", word));
    let sum = terms.bv_xor(x, y);
    let seven = terms.bv(32, 7);
    let (below, more) = (terms.bv_ule(sum, sum), terms.bv_or(sum, seven));
    let (not_below, too_small) = (terms.not(below), terms.bv_ult(more, seven));
    let start = terms.eq(x, seven);
    for wrong in [not_below, too_small] {
        let mut solver = logged(Reading::Uninterpreted);
        solver.raise(&terms, sum);
        solver.assert(wrong);
        solver.assert(start);
        // Bits of the sum are decided because something else depends on them.
        let other = terms.bv_ult(y, sum);
        solver.raise(&terms, other);
        assert_eq!(has_model(&terms, &mut solver, other), Some(false));
        assert!(solver.stats.raised_sites > 0);
    }
}

#[test]
fn a_domain_may_leave_interface_equalities_out() {
    let mut terms = Terms::without_simplification();
    let word = terms.bv_sort(32);
    let f = terms.declare("f", &[word], word).unwrap();
    let (x, y) = (terms.variable("x", word), terms.variable("y", word));
    let (once, z) = (terms.bv_xor(x, y), terms.variable("z", word));
    let twice = terms.bv_xor(once, y);
    let images = [twice, x, z].map(|arg| terms.apply(f, &[arg]));
    let (wrong, possible, other) =
        (terms.ne(images[0], images[1]), terms.ne(images[1], images[2]), terms.eq(images[1], images[2]));
    let mut solver = Solver::new();
    let budget = Budget::default().part(3_000_000);
    for _ in 0..3 {
        for (assumption, expected) in [(wrong, false), (possible, true), (other, true)] {
            let query = Query { assumptions: &[assumption], clause: None, domain: Some(&[]) };
            let found = match solver.check(&terms, &query, &budget) {
                Ok(Answer::Sat(_)) => Some(true),
                Ok(Answer::Unsat(_)) => Some(false),
                _ => None,
            };
            assert_eq!(found, Some(expected));
        }
    }
}

fn logged(reading: Reading) -> Solver {
    let mut solver = Solver::with_reading(reading);
    solver.enable_log();
    solver
}
