//! The solver's promises, one by one.

use base::{Bits, Budget, Random, Stopped};
use smt::{Answer, Query, Reading, Solver};
use term::{Derived, Function, Op, Scalar, SortKind, Term, Terms, Value};

fn answer(solver: &mut Solver, terms: &Terms, assumptions: &[Term]) -> &'static str {
    match solver.check(terms, &Query::assuming(assumptions), &Budget::default()) {
        Ok(Answer::Sat(_)) => "sat",
        Ok(Answer::Unsat(_)) => "unsat",
        Ok(Answer::Unknown(_)) => "unknown",
        Err(_) => "stopped",
    }
}

#[test]
fn a_popped_assertion_is_forgotten() {
    let mut terms = Terms::new();
    let truth = terms.bool_sort();
    let p = terms.variable("p", truth);
    let not_p = terms.not(p);
    let mut solver = Solver::new();
    solver.assert(p);
    assert_eq!(answer(&mut solver, &terms, &[]), "sat");
    solver.push();
    solver.assert(not_p);
    assert_eq!(answer(&mut solver, &terms, &[]), "unsat");
    assert!(solver.pop());
    assert_eq!(answer(&mut solver, &terms, &[]), "sat");
    solver.push();
    solver.assert(not_p);
    assert!(solver.pop() && !solver.pop());
    assert_eq!(answer(&mut solver, &terms, &[]), "sat");
}

#[test]
fn an_abstract_answer_becomes_exact_when_the_site_is_raised() {
    let mut terms = Terms::without_simplification();
    let word = terms.bv_sort(32);
    let (x, y) = (terms.variable("x", word), terms.variable("y", word));
    let (sum, difference) = (terms.bv_add(x, y), terms.bv_sub(x, y));
    let back = terms.bv_add(difference, y);
    let wrong = terms.ne(back, x);
    let mut solver = Solver::with_reading(Reading::Uninterpreted);
    solver.assert(wrong);
    assert_eq!(answer(&mut solver, &terms, &[]), "sat");
    solver.raise(&terms, back);
    assert_eq!(answer(&mut solver, &terms, &[]), "sat");
    solver.raise(&terms, difference);
    assert_eq!(answer(&mut solver, &terms, &[]), "unsat");
    let _ = sum;
}

#[test]
fn commutativity_and_evaluation_need_no_bits() {
    let mut terms = Terms::without_simplification();
    let word = terms.bv_sort(64);
    let (x, y) = (terms.variable("x", word), terms.variable("y", word));
    let (one, two) = (terms.bv_mul(x, y), terms.bv_mul(y, x));
    let differ = terms.ne(one, two);
    let mut solver = Solver::with_reading(Reading::Uninterpreted);
    assert_eq!(answer(&mut solver, &terms, &[differ]), "unsat");
    let (six, seven, product) = (terms.bv(64, 6), terms.bv(64, 7), terms.bv(64, 42));
    let facts = [terms.eq(x, six), terms.eq(y, seven), terms.ne(one, product)];
    assert_eq!(answer(&mut solver, &terms, &facts), "unsat");
    assert_eq!(answer(&mut solver, &terms, &facts[1..]), "sat");
    assert_eq!(solver.sat_stats().conflicts, 0, "everything was propagated");
}

#[test]
fn a_temporary_clause_leaves_no_trace() {
    let mut terms = Terms::new();
    let sort = terms.sort(SortKind::Uninterpreted("U".into()));
    let [a, b, c] = ["a", "b", "c"].map(|name| terms.variable(name, sort));
    let (ab, bc, ac) = (terms.eq(a, b), terms.eq(b, c), terms.ne(a, c));
    let mut solver = Solver::new();
    solver.assert(bc);
    solver.assert(ac);
    for _ in 0..3 {
        let query = Query { clause: Some(&[ab]), ..Query::default() };
        assert!(matches!(solver.check(&terms, &query, &Budget::default()), Ok(Answer::Unsat(_))));
        assert_eq!(answer(&mut solver, &terms, &[]), "sat");
    }
}

#[test]
fn more_classes_than_values_are_noticed() {
    // Five different two-bit values: equality alone does not see the contradiction.
    let mut terms = Terms::new();
    let sort = terms.bv_sort(2);
    let function = terms.declare("f", &[sort], sort).unwrap();
    let names = ["a", "b", "c", "d", "e"].map(|name| {
        let variable = terms.variable(name, sort);
        terms.apply(function, &[variable])
    });
    let (four, five) = (terms.distinct(&names[..4]), terms.distinct(&names));
    for reading in [Reading::Uninterpreted, Reading::Bits] {
        let mut solver = Solver::with_reading(reading);
        assert_eq!(answer(&mut solver, &terms, &[four]), "sat");
        assert_eq!(answer(&mut solver, &terms, &[five]), "unsat");
    }
}

#[test]
fn arrays_of_arrays_are_compared_inside() {
    let mut terms = Terms::without_simplification();
    let byte = terms.bv_sort(8);
    let inner = terms.sort(SortKind::Array(byte, byte));
    let outer = terms.sort(SortKind::Array(byte, inner));
    let (m, i, j, v) =
        (terms.variable("m", outer), terms.variable("i", byte), terms.variable("j", byte), terms.variable("v", byte));
    let row = terms.select(m, i);
    let written = terms.store(row, j, v);
    let changed = terms.store(m, i, written);
    let again = terms.select(changed, i);
    let read = terms.select(again, j);
    let mut solver = Solver::new();
    let wrong = terms.ne(read, v);
    assert_eq!(answer(&mut solver, &terms, &[wrong]), "unsat");
    let before = terms.select(row, j);
    let (same_cell, differ) = (terms.eq(before, v), terms.ne(changed, m));
    assert_eq!(answer(&mut solver, &terms, &[same_cell, differ]), "unsat");
    assert_eq!(answer(&mut solver, &terms, &[differ]), "sat");
}

#[test]
fn a_constant_array_differs_from_another_after_few_writes() {
    let mut terms = Terms::without_simplification();
    let (index, byte) = (terms.bv_sort(32), terms.bv_sort(8));
    let sort = terms.sort(SortKind::Array(index, byte));
    let (zero, one, i, j) = (terms.bv(8, 0), terms.bv(8, 1), terms.variable("i", index), terms.variable("j", index));
    let (zeros, ones) = (terms.const_array(sort, zero), terms.const_array(sort, one));
    let once = terms.store(zeros, i, one);
    let twice = terms.store(once, j, one);
    let equal = terms.eq(twice, ones);
    assert_eq!(answer(&mut Solver::new(), &terms, &[equal]), "unsat");
    // With two indices there are enough writes.
    let bit = terms.bv_sort(1);
    let sort = terms.sort(SortKind::Array(bit, byte));
    let (i, j) = (terms.variable("k", bit), terms.variable("l", bit));
    let (zeros, ones) = (terms.const_array(sort, zero), terms.const_array(sort, one));
    let once = terms.store(zeros, i, one);
    let twice = terms.store(once, j, one);
    let equal = terms.eq(twice, ones);
    let mut solver = Solver::new();
    match solver.check(&terms, &Query::assuming(&[equal]), &Budget::default()) {
        Ok(Answer::Sat(mut model)) => assert_ne!(model.value(i), model.value(j)),
        _ => panic!("two writes fill an array of two"),
    };
}

#[test]
fn numbers_are_values_and_their_operators_functions() {
    let mut terms = Terms::without_simplification();
    let int = terms.sort(SortKind::Int);
    let (x, two, three) = (terms.variable("x", int), terms.numeral(int, "2"), terms.numeral(int, "3"));
    let sums = [two, three].map(|n| terms.make(Op::Number(term::NumberOp::Add), &[x, n]));
    let (is_two, is_three) = (terms.eq(x, two), terms.eq(x, three));
    let differ = terms.ne(sums[0], sums[1]);
    let mut solver = Solver::new();
    assert_eq!(answer(&mut solver, &terms, &[is_two, is_three]), "unsat");
    assert_eq!(answer(&mut solver, &terms, &[is_two, differ]), "sat");
}

#[test]
fn nesting_is_never_too_deep() {
    let mut terms = Terms::without_simplification();
    let (truth, word) = (terms.bool_sort(), terms.bv_sort(4));
    let function = terms.declare("f", &[word], word).unwrap();
    let (mut formula, mut sum) = (terms.variable("p", truth), terms.variable("x", word));
    let mut choice = sum;
    for i in 0..200_000 {
        formula = terms.not(formula);
        if i % 100 == 0 {
            sum = terms.apply(function, &[sum]);
            choice = terms.ite(formula, sum, choice);
        }
    }
    let equal = terms.eq(sum, choice);
    let mut solver = Solver::new();
    assert_eq!(answer(&mut solver, &terms, &[formula, equal]), "sat");
}

#[test]
fn a_circuit_that_is_too_large_is_refused_and_a_small_budget_stops() {
    let mut terms = Terms::without_simplification();
    let word = terms.bv_sort(1 << 20);
    let (x, y) = (terms.variable("x", word), terms.variable("y", word));
    let product = terms.bv_mul(x, y);
    let equal = terms.eq(product, x);
    assert_eq!(answer(&mut Solver::new(), &terms, &[equal]), "unknown");
    let word = terms.bv_sort(64);
    let (x, y) = (terms.variable("u", word), terms.variable("v", word));
    let (product, goal, one) = (terms.bv_mul(x, y), terms.bv(64, 0xdead_beef_1234_5677), terms.bv(64, 1));
    let facts = [terms.eq(product, goal), terms.bv_ult(one, x), terms.bv_ult(x, y)];
    let mut solver = Solver::new();
    let budget = Budget::default().part(100_000);
    let stopped = solver.check(&terms, &Query::assuming(&facts), &budget).err();
    assert_eq!(stopped, Some(Stopped::OutOfTicks));
    assert_eq!(answer(&mut solver, &terms, &facts[1..]), "sat");
}

#[test]
fn a_model_knows_terms_that_were_never_asserted() {
    let mut terms = Terms::without_simplification();
    let byte = terms.bv_sort(8);
    let function = terms.declare("f", &[byte], byte).unwrap();
    let (x, y) = (terms.variable("x", byte), terms.variable("y", byte));
    let (five, nine) = (terms.bv(8, 5), terms.bv(8, 9));
    let at_five = terms.apply(function, &[five]);
    let facts = [terms.eq(x, five), terms.eq(at_five, nine)];
    let (at_x, sum) = (terms.apply(function, &[x]), terms.bv_add(x, y));
    let more = terms.bv_add(at_x, five);
    let mut solver = Solver::new();
    let Ok(Answer::Sat(mut model)) = solver.check(&terms, &Query::assuming(&facts), &Budget::default()) else {
        panic!("there is a model")
    };
    assert_eq!(model.value(at_x), Value::Bits(Bits::from_u64(8, 9)));
    assert_eq!(model.value(more), Value::Bits(Bits::from_u64(8, 14)));
    let y = model.value(y).as_bits().unwrap().clone();
    assert_eq!(model.value(sum), Value::Bits(y.add(&Bits::from_u64(8, 5))));
}

#[test]
fn a_copy_goes_its_own_way() {
    let mut terms = Terms::new();
    let byte = terms.bv_sort(8);
    let (x, zero) = (terms.variable("x", byte), terms.bv(8, 0));
    let (is_zero, is_not) = (terms.eq(x, zero), terms.ne(x, zero));
    let mut solver = Solver::new();
    solver.assert(is_zero);
    assert_eq!(answer(&mut solver, &terms, &[]), "sat");
    let mut copy = solver.clone();
    copy.assert(is_not);
    assert_eq!(answer(&mut copy, &terms, &[]), "unsat");
    assert_eq!(answer(&mut solver, &terms, &[]), "sat");
}

#[test]
fn assertions_that_look_like_definitions_still_contradict() {
    let mut terms = Terms::without_simplification();
    let (truth, sort) = (terms.bool_sort(), terms.sort(SortKind::Uninterpreted("U".into())));
    let [p, q, r] = ["p", "q", "r"].map(|name| terms.variable(name, truth));
    let [a, b] = ["a", "b"].map(|name| terms.variable(name, sort));
    let (not_p, same, differ) = (terms.not(p), terms.eq(a, b), terms.ne(a, b));
    let contradictions = [
        vec![terms.eq(q, p), terms.eq(q, not_p)],
        vec![terms.eq(p, q), terms.eq(q, r), terms.eq(r, not_p)],
        vec![terms.eq(p, same), same, not_p],
        vec![same, differ],
    ];
    for facts in contradictions {
        let mut solver = Solver::new();
        solver.always_within_cone();
        facts.iter().for_each(|&fact| solver.assert(fact));
        assert_eq!(answer(&mut solver, &terms, &[]), "unsat");
        let mut solver = Solver::new();
        solver.always_within_cone();
        for &fact in &facts {
            solver.assert(fact);
            answer(&mut solver, &terms, &[]);
        }
        assert_eq!(answer(&mut solver, &terms, &[]), "unsat");
    }
}

#[test]
fn definitions_that_lead_back_by_two_ways_are_no_definitions() {
    let mut terms = Terms::without_simplification();
    let (word, truth) = (terms.bv_sort(3), terms.bool_sort());
    let [x, s, z, q] = ["x", "s", "z", "q"].map(|name| terms.variable(name, word));
    let [p, r] = ["p", "r"].map(|name| terms.variable(name, truth));
    let below = terms.bv_sle(s, z);
    let choice = terms.ite(p, x, s);
    let outer = terms.ite(r, choice, q);
    let mut solver = Solver::new();
    for fact in [terms.eq(p, below), terms.eq(q, choice), terms.eq(z, outer)] {
        solver.assert(fact);
    }
    let (differ, equal) = (terms.ne(z, choice), terms.eq(z, choice));
    assert_eq!(answer(&mut solver, &terms, &[differ]), "unsat");
    assert_eq!(answer(&mut solver, &terms, &[equal]), "sat");
}

#[test]
fn names_for_truth_values_can_be_arguments() {
    let mut terms = Terms::without_simplification();
    let truth = terms.bool_sort();
    let f = terms.declare("f", &[truth], truth).unwrap();
    let [p, q, r, s, u] = ["p", "q", "r", "s", "u"].map(|name| terms.variable(name, truth));
    let (yes, no) = (terms.truth(true), terms.truth(false));
    let same = terms.eq(r, s);
    let mut solver = Solver::new();
    for (name, value) in [(p, yes), (q, same), (u, q)] {
        let equal = terms.eq(name, value);
        let differ = terms.not(equal);
        solver.assert(differ);
    }
    let images = [p, q, no, yes].map(|arg| terms.apply(f, &[arg]));
    let twice = terms.apply(f, &[u]);
    let equal = terms.apply(f, &[same]);
    let wrong = terms.xor(twice, equal);
    assert_eq!(answer(&mut solver, &terms, &[wrong]), "unsat");
    let wrong = [terms.xor(images[0], images[2])];
    assert_eq!(answer(&mut solver, &terms, &wrong), "unsat");
    let wrong = [terms.xor(images[1], images[2]), terms.eq(r, s)];
    assert_eq!(answer(&mut solver, &terms, &wrong), "unsat");
    let possible = [terms.xor(images[1], images[2]), terms.xor(images[1], images[0])];
    assert_eq!(answer(&mut solver, &terms, &possible), "sat");
}

#[test]
fn a_query_decides_only_what_it_is_about() {
    let mut terms = Terms::without_simplification();
    let sort = terms.sort(SortKind::Uninterpreted("U".into()));
    let f = terms.declare("f", &[sort, sort], sort).unwrap();
    let state: Vec<Term> = (0..50).map(|i| terms.variable(&format!("x{i}"), sort)).collect();
    let mut solver = Solver::new();
    let mut next = Vec::new();
    for i in 0..50 {
        let name = terms.variable(&format!("y{i}"), sort);
        let guard = terms.eq(state[i], state[(i + 1) % 50]);
        let image = terms.apply(f, &[state[i], state[(i + 2) % 50]]);
        let value = terms.ite(guard, image, state[i]);
        solver.assert(terms.eq(name, value));
        next.push(name);
    }
    let differ = terms.ne(next[7], state[7]);
    let before = solver.sat_stats().decisions;
    assert_eq!(answer(&mut solver, &terms, &[differ]), "sat");
    assert!(solver.sat_stats().decisions - before < 10);
    // The model still makes all of it true.
    let mut model = solver.model(&terms).expect("there is a model");
    for i in 0..50 {
        let (y, x) = (model.value(next[i]), model.value(state[i]));
        assert!(x == y || i == 7 || model.value(state[i]) == model.value(state[(i + 1) % 50]));
    }
    drop(model);
    let same = terms.ne(state[7], state[8]);
    assert_eq!(answer(&mut solver, &terms, &[differ, same]), "unsat");
}

#[cfg(feature = "cadical")]
#[test]
fn a_hard_query_in_bits_is_handed_over_and_its_model_is_a_model() {
    let mut terms = Terms::new();
    let sort = terms.bv_sort(16);
    let (x, y) = (terms.variable("x", sort), terms.variable("y", sort));
    let wide = [x, y].map(|part| terms.zero_extend_to(part, 32));
    let product = terms.bv_mul(wide[0], wide[1]);
    // A product of two primes, and a prime.
    for (number, has_factors) in [(1_890_786_413, true), (93_952_427, false)] {
        let (goal, one) = (terms.bv(32, number), terms.bv(16, 1));
        let parts = [terms.eq(product, goal), terms.bv_ult(one, x), terms.bv_ule(x, y)];
        let formula = terms.and(&parts);
        let mut solver = Solver::new();
        solver.set_backend(smt::Backend::Cadical { after: 100 });
        solver.assert(formula);
        match solver.check(&terms, &Query::default(), &Budget::default()) {
            Ok(Answer::Sat(mut model)) => assert!(has_factors && model.is_true(formula)),
            Ok(Answer::Unsat(_)) => assert!(!has_factors),
            _ => panic!("the budget is unlimited"),
        }
        assert_eq!(solver.sat_stats().handed_over, 1, "{number}");
    }
}

#[test]
fn a_function_of_arrays_is_one_however_they_are_written() {
    // Over one bit, an array with both places written is also a constant one, and its image must be the same. The image
    // of `b` is only asked for through a name that no assertion needs.
    let script =
        "(declare-const b (Array (_ BitVec 1) (_ BitVec 1)))(declare-const c (Array (_ BitVec 1) (_ BitVec 1)))
        (declare-fun g ((Array (_ BitVec 1) (_ BitVec 1))) Bool)(declare-const name Bool)
        (assert (= (g b) name))(assert (= (select b #b0) #b1))(assert (= (select b #b1) #b1))
        (assert (g c))(assert (= c ((as const (Array (_ BitVec 1) (_ BitVec 1))) #b1)))";
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let mut asserted = Vec::new();
    for command in term::smtlib::read_script(&mut terms, script).expect("the script is well-formed") {
        if let term::smtlib::Command::Assert { formula, .. } = command {
            solver.assert(formula);
            asserted.push(formula);
        }
    }
    let name = terms.lookup("name").expect("it is declared");
    let Ok(Answer::Sat(mut model)) = solver.check(&terms, &Query::default(), &Budget::default()) else {
        panic!("there is a model");
    };
    assert!(asserted.iter().all(|&formula| model.is_true(formula)));
    assert_eq!(model.apply(name, &[]), Value::Bool(true), "b and c are the same array");
}

#[test]
fn conjunctions_that_share_conjunctions_are_taken_apart_once() {
    let mut terms = Terms::without_simplification();
    let sort = terms.bool_sort();
    let (p, q) = (terms.variable("p", sort), terms.variable("q", sort));
    // Two to the power of 60 paths lead to the atoms.
    let mut formula = terms.and(&[p, q]);
    for _ in 0..60 {
        let other = terms.and(&[formula, p]);
        formula = terms.and(&[formula, other]);
    }
    let wrong = terms.not(p);
    let mut solver = Solver::new();
    solver.assert(formula);
    assert_eq!(answer(&mut solver, &terms, &[]), "sat");
    assert_eq!(answer(&mut solver, &terms, &[wrong]), "unsat");
    let found = smt::interpolate::sequence(
        &mut terms,
        &[vec![formula], vec![wrong]],
        &smt::interpolate::Settings::default(),
        &Budget::default(),
    );
    assert!(matches!(found, Ok(smt::interpolate::Found::Interpolants(list, _)) if list == [p]));
}

#[test]
fn derived_operators_have_the_values_of_their_rows() {
    let mut random = Random::new(11);
    for &derived in Derived::PLAIN {
        for _ in 0..8 {
            let mut terms = Terms::new();
            let sort = terms.bv_sort(5);
            let variables = ["x", "y"].map(|name| terms.variable(name, sort));
            let values = [random.bits(), random.bits()].map(|bits| Bits::from_u64(5, bits));
            let made = terms.try_apply(derived, &variables).map(|term| (term, 2));
            let (term, n_args) =
                made.or_else(|_| terms.try_apply(derived, &variables[..1]).map(|term| (term, 1))).unwrap();
            let expected = match Function::Derived(derived).value(&values[..n_args]).unwrap() {
                Scalar::Bool(value) => terms.truth(value),
                Scalar::Bits(bits) => terms.bits(bits),
            };
            let mut solver = Solver::new();
            for (variable, value) in variables.into_iter().zip(values) {
                let value = terms.bits(value);
                let given = terms.eq(variable, value);
                solver.assert(given);
            }
            let (equal, differ) = (terms.eq(term, expected), terms.ne(term, expected));
            assert_eq!(answer(&mut solver, &terms, &[equal]), "sat", "{derived:?}");
            assert_eq!(answer(&mut solver, &terms, &[differ]), "unsat", "{derived:?}");
        }
    }
}
