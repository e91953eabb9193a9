//! Interpolants: what they are for small contradictions that can be read, and that they are some for random ones.

use base::{Budget, Random};
use smt::interpolate::{self, Found, Interpolator, Settings};
use term::{Op, SortKind, Term, Terms, smtlib};

use testkit::formulas::sequences::{Kind, sequence};

/// The interpolants of a script whose parts are separated by `(check-sat)`, as text.
fn interpolants(methods: &[Interpolator], script: &str) -> String {
    let mut terms = Terms::new();
    let mut parts = vec![Vec::new()];
    for command in smtlib::read_script(&mut terms, script).expect("the script is well-formed") {
        match command {
            smtlib::Command::Assert { formula, .. } => parts.last_mut().expect("a part").push(formula),
            smtlib::Command::CheckSat => parts.push(Vec::new()),
            _ => {}
        }
    }
    let settings = Settings { methods: methods.to_vec(), ..Settings::default() };
    match interpolate::sequence(&mut terms, &parts, &settings, &Budget::default()).expect("no limit") {
        Found::Interpolants(found, _) => {
            let text: Vec<String> = found.iter().map(|&term| terms.to_smtlib(term)).collect();
            text.join("; ")
        }
        other => format!("{other:?}"),
    }
}

const EQUALITIES: &str = "(declare-sort U 0)(declare-fun f (U) U)(declare-const a U)(declare-const b U)(declare-const c U)(declare-const u U)";

#[test]
fn equalities_meet_at_what_is_shared() {
    let script = format!(
        "{EQUALITIES}(assert (= a c))(assert (= (f a) u))(check-sat)(assert (= c b))(assert (not (= (f b) u)))"
    );
    assert_eq!(interpolants(&[Interpolator::CORES], &script), "(= u (f c))");
    assert_eq!(interpolants(&[Interpolator::EQUALITY], &script), "(= u (f c))");
}
#[test]
fn a_difference_on_the_left_stays_one() {
    let script = format!(
        "{EQUALITIES}(assert (= a c))(assert (not (= (f a) u)))(check-sat)(assert (= c b))(assert (= (f b) u))"
    );
    assert_eq!(interpolants(&[Interpolator::CORES], &script), "(not (= u (f c)))");
    assert_eq!(interpolants(&[Interpolator::EQUALITY], &script), "(not (= u (f c)))");
}
#[test]
fn a_loop_that_counts_has_the_count_between_its_rounds() {
    let names = "(declare-const x0 (_ BitVec 8))(declare-const x1 (_ BitVec 8))(declare-const x2 (_ BitVec 8))";
    let script = format!(
        "{names}(assert (= x0 #x00))(check-sat)(assert (= x1 (bvadd x0 #x01)))(check-sat)\
         (assert (= x2 (bvadd x1 #x01)))(check-sat)(assert (= x2 #x03))"
    );
    assert_eq!(interpolants(&[Interpolator::CORES], &script), "(= x0 #x00); (= x1 #x01); (= x2 #x02)");
}
#[test]
fn what_does_not_contradict_has_none() {
    let script = "(declare-const p Bool)(declare-const q Bool)(assert p)(check-sat)(assert (or p q))";
    assert_eq!(interpolants(&[Interpolator::CORES], script), "Satisfiable");
}
#[test]
fn bounds_are_found_where_nothing_is_defined() {
    let script = "(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 8))(declare-const z (_ BitVec 8))\
         (assert (bvult x y))(assert (bvult y z))(check-sat)(assert (bvult z x))";
    assert_eq!(interpolants(&[Interpolator::CORES], script), "(bvult x z)");
    let text = interpolants(&[Interpolator::MODELS], script);
    assert!(text.contains("bvul") && !text.contains('y'), "{text}");
}

/// Words of 32 bits.
fn words(names: &[&str]) -> String {
    names.iter().map(|name| format!("(declare-const {name} (_ BitVec 32))")).collect()
}

#[test]
fn inequalities_of_the_left_sum_up_to_what_is_shared() {
    let script = words(&["x", "y", "z"]) + "(assert (bvslt x y))(assert (bvsle y z))(check-sat)(assert (bvslt z x))";
    assert_eq!(interpolants(&[Interpolator::LINEAR], &script), "(bvslt x z)");
    let script = words(&["i", "j", "n", "k"])
        + "(assert (bvsle #x00000000 i))(assert (bvslt i n))(assert (= j (bvadd i #x00000001)))(check-sat)\
           (assert (bvsle k #x00000000))(assert (= k j))";
    assert_eq!(interpolants(&[Interpolator::LINEAR], &script), "(not (bvslt j #x00000001))");
}
#[test]
fn sums_of_several_words_do_not_wrap_around_in_interpolants() {
    let bounds: String =
        ["a", "b"].map(|name| format!("(assert (bvsle #x00000000 {name}))(assert (bvslt {name} #x00010000))")).concat();
    let script = words(&["a", "b", "c", "d"])
        + &format!("{bounds}(assert (bvsle (bvadd a b) c))(assert (bvsle c d))(check-sat)")
        + "(assert (bvsle #x00000000 b))(assert (bvslt d a))";
    let text = interpolants(&[Interpolator::LINEAR], &script);
    assert!(text.contains("sign_extend") && !text.contains('c'), "{text}");
    // A sum that may wrap around is a word like any other.
    let script = words(&["a", "b", "c", "d"])
        + "(assert (bvslt (bvadd a b) c))(assert (bvsle c d))(check-sat)(assert (bvslt d (bvadd a b)))";
    assert_eq!(interpolants(&[Interpolator::LINEAR], &script), "(bvslt (bvadd a b) d)");
}
/// Comparisons of sums of small words, in as many parts as asked for; mostly they contradict each other.
fn comparisons(terms: &mut Terms, random: &mut Random, parts: usize) -> Vec<Vec<Term>> {
    let sort = terms.bv_sort(8);
    let words: Vec<Term> = (0..=parts + 1).map(|number| terms.variable(&format!("w{number}"), sort)).collect();
    let (least, most) = (terms.bv(8, 0xf0), terms.bv(8, 0x10));
    let mut found = Vec::new();
    for part in 0..parts {
        let mut said = Vec::new();
        for _ in 0..2 {
            let at = random.below(3) as usize;
            let [one, other, third] =
                [at, (at + 1 + random.below(2) as usize) % 3, random.below(3) as usize].map(|at| words[part + at]);
            let number = terms.bv(8, random.below(4));
            let sum = if random.one_in(2) { terms.bv_add(one, third) } else { terms.bv_add(one, number) };
            said.push(match random.below(5) {
                0 => terms.bv_slt(sum, other),
                1 => terms.bv_sle(other, sum),
                2 => terms.eq(other, sum),
                3 => terms.bv_ult(one, other),
                _ => terms.bv_slt(one, other),
            });
            // Sometimes sums can wrap around, and sometimes only the other side knows that they cannot.
            if !random.one_in(3) {
                said.extend([terms.bv_sle(least, one), terms.bv_sle(one, most), terms.bv_sle(third, most)]);
            }
        }
        found.push(said);
    }
    found
}

#[test]
fn random_comparisons_have_interpolants_from_inequalities() {
    let (mut tried, mut by_equality, mut by_inequalities) = (0, 0, 0);
    for seed in 0..600 {
        let mut terms = Terms::new();
        let mut random = Random::new(seed);
        let parts = comparisons(&mut terms, &mut random, 2 + seed as usize % 3);
        for (method, count) in
            [(Interpolator::EQUALITY, &mut by_equality), (Interpolator::LINEAR, &mut by_inequalities)]
        {
            let settings = Settings { methods: vec![method], ..Settings::default() };
            match interpolate::sequence(&mut terms, &parts, &settings, &Budget::default()).expect("no limit") {
                Found::Interpolants(found, _) => {
                    *count += 1;
                    let verdict = interpolate::check(&mut terms, &parts, &found, &Budget::default());
                    assert_eq!(verdict, Ok(Ok(())), "seed {seed}");
                }
                Found::Satisfiable => continue,
                Found::Nothing(_) => {}
            }
            tried += 1;
        }
    }
    eprintln!("{tried}: {by_equality} by equality, {by_inequalities} by inequalities");
    assert!(by_inequalities >= by_equality + 40, "{by_equality} by equality, {by_inequalities} by inequalities");
}
#[test]
fn what_holds_only_without_wrapping_around_is_not_believed() {
    let script = words(&["x", "y"]) + "(assert (= y (bvadd x #x00000001)))(check-sat)(assert (bvslt y x))";
    assert_eq!(interpolants(&[Interpolator::LINEAR], &script), "Satisfiable");
    // It wraps around once, which bits can express and integers cannot.
    let script = words(&["x", "y"]) + "(assert (= y (bvadd x x)))(check-sat)(assert (= y #x00000003))";
    assert!(interpolants(&[Interpolator::LINEAR], &script).starts_with("Nothing"));
}

#[test]
fn products_are_not_multiplied_out_where_congruence_is_enough() {
    let names: String = ["x", "y", "z", "w", "v"].map(|name| format!("(declare-const {name} (_ BitVec 64))")).concat();
    let script = format!(
        "{names}(assert (= y (bvmul x z)))(check-sat)(assert (= w x))(check-sat)(assert (= v (bvmul w z)))\
         (assert (not (= v y)))"
    );
    assert_eq!(interpolants(&[Interpolator::EQUALITY], &script), "(= y (bvmul x z)); (= y (bvmul z w))");
}
#[test]
fn values_clash_in_whole_words() {
    let script = "(declare-const x (_ BitVec 32))(assert (= x #x00000003))(check-sat)(assert (= x #x00000004))";
    for method in [Interpolator::EQUALITY, Interpolator::BITS, Interpolator::CORES] {
        assert_eq!(interpolants(&[method], script), "(= x #x00000003)", "{method:?}");
    }
}

/// Random sequences with these methods; how many have interpolants.
fn count(kind: Kind, methods: &[Interpolator], seed: u64, rounds: u64) -> (u32, u32) {
    let (mut tried, mut found) = (0, 0);
    for round in 0..rounds {
        let mut random = Random::new(seed + round);
        let Some(mut sequence) = sequence(kind, &mut random, 4) else { continue };
        tried += 1;
        let settings = Settings { methods: methods.to_vec(), ..Settings::default() };
        let budget = Budget::default().part(3_000_000);
        // Whatever comes out is checked inside; a wrong one panics in this build.
        match interpolate::sequence(&mut sequence.terms, &sequence.parts, &settings, &budget) {
            Ok(Found::Interpolants(interpolants, method)) => {
                found += 1;
                assert!(methods.contains(&method));
                let again = interpolate::check(&mut sequence.terms, &sequence.parts, &interpolants, &Budget::default());
                assert_eq!(again, Ok(Ok(())), "seed {}", seed + round);
            }
            Ok(Found::Satisfiable) => panic!("the parts contradict each other: seed {}", seed + round),
            Ok(Found::Nothing(_)) | Err(_) => {}
        }
    }
    (tried, found)
}

#[test]
fn random_sequences_have_interpolants_without_a_proof() {
    for (kind, least) in [(Kind::Uf, 40), (Kind::Bv, 60), (Kind::UfBv, 40), (Kind::Arrays, 30)] {
        let (tried, found) = count(kind, &[Interpolator::CORES, Interpolator::MODELS], 1000, 30);
        eprintln!("{kind:?}: {found} of {tried}");
        assert!(tried >= 10 && found * 100 >= tried * least, "{kind:?}: {found} of {tried}");
    }
}
#[test]
fn random_sequences_have_interpolants_from_one_refutation() {
    for (kind, methods, least) in [
        (Kind::Uf, &[Interpolator::EQUALITY][..], 90),
        (Kind::Bv, &[Interpolator::LINEAR], 5),
        (Kind::UfBv, &[Interpolator::LINEAR], 5),
        (Kind::Bv, &[Interpolator::BITS], 90),
        (Kind::UfBv, &[Interpolator::BITS], 90),
        (Kind::UfBv, &[Interpolator::EQUALITY], 5),
        (Kind::Arrays, &[Interpolator::EQUALITY], 5),
    ] {
        let (tried, found) = count(kind, methods, 5000, 40);
        eprintln!("{kind:?} by {methods:?}: {found} of {tried}");
        assert!(tried >= 20 && found * 100 >= tried * least, "{kind:?}: {found} of {tried}");
    }
}
/// All paths through a random graph whose nodes are in order, as one contradiction: part `i` says which edges leave node `i`
/// and what they do to a word; `on0`, `on1`, … say which nodes are passed.
fn paths(terms: &mut Terms, random: &mut Random) -> Vec<Vec<Term>> {
    let n = 4 + random.below(3) as usize;
    let sort = terms.bv_sort(3);
    let truth = terms.bool_sort();
    let on: Vec<Term> = (0..n).map(|i| terms.variable(&format!("on{i}"), truth)).collect();
    let words: Vec<Term> = (0..n).map(|i| terms.variable(&format!("x{i}"), sort)).collect();
    let mut parts = Vec::new();
    for i in 0..n - 1 {
        let mut part = Vec::new();
        if i == 0 {
            let zero = terms.bv(3, 0);
            part.extend([on[0], terms.eq(words[0], zero)]);
        }
        let mut ways = vec![terms.not(on[i])];
        for j in i + 1..n {
            if j > i + 1 && random.one_in(2) {
                continue;
            }
            let edge = terms.variable(&format!("edge{i}to{j}"), truth);
            let step = terms.bv(3, random.below(3));
            let next = terms.bv_add(words[i], step);
            let moved = terms.eq(words[j], next);
            ways.push(edge);
            part.extend([terms.implies(edge, on[j]), terms.implies(edge, moved)]);
        }
        part.push(terms.or(&ways));
        parts.push(part);
    }
    let wrong = terms.bv(3, random.below(8));
    parts.push(vec![on[n - 1], terms.eq(words[n - 1], wrong)]);
    parts
}

/// Whether a variable whose name starts like this occurs under an odd number of negations.
fn occurs_negated(terms: &Terms, formula: Term, start: &str) -> bool {
    let mut todo = vec![(formula, false)];
    let mut seen: Vec<(Term, bool)> = Vec::new();
    while let Some((term, negated)) = todo.pop() {
        if seen.contains(&(term, negated)) {
            continue;
        }
        seen.push((term, negated));
        match terms.op(term) {
            Op::Symbol(symbol) if negated && terms.symbol_name(symbol).starts_with(start) => return true,
            Op::Not => todo.push((terms.arg(term, 0), !negated)),
            Op::And | Op::Or => todo.extend(terms.args(term).iter().map(|&arg| (arg, negated))),
            _ => todo.extend(terms.args(term).iter().flat_map(|&arg| [(arg, true), (arg, false)])),
        }
    }
    false
}

#[test]
fn nodes_that_are_only_implied_never_occur_negated() {
    let mut contradictions = 0;
    for seed in 0..120 {
        let mut terms = Terms::new();
        let mut random = Random::new(seed);
        let parts = paths(&mut terms, &mut random);
        let settings = Settings { methods: vec![Interpolator::BITS], ..Settings::default() };
        let found = interpolate::sequence(&mut terms, &parts, &settings, &Budget::default());
        let Ok(Found::Interpolants(interpolants, _)) = found else { continue };
        contradictions += 1;
        for &interpolant in &interpolants {
            assert!(!occurs_negated(&terms, interpolant, "on"), "{}", terms.to_smtlib(interpolant));
        }
    }
    assert!(contradictions >= 20, "{contradictions}");
}
#[test]
fn a_symbol_of_one_side_alone_is_noticed() {
    let mut terms = Terms::new();
    let sort = terms.sort(SortKind::Uninterpreted("U".into()));
    let [a, b, c] = ["a", "b", "c"].map(|name| terms.variable(name, sort));
    let (ab, bc, ac) = (terms.eq(a, b), terms.eq(b, c), terms.ne(a, c));
    let parts = [vec![ab], vec![bc, ac]];
    let budget = Budget::default();
    assert_eq!(interpolate::check(&mut terms, &parts, &[ab], &budget), Ok(Ok(())));
    assert_eq!(interpolate::check(&mut terms, &parts, &[bc], &budget), Ok(Err(interpolate::Broken::Symbol(0))));
    let same = terms.truth(true);
    assert_eq!(interpolate::check(&mut terms, &parts, &[same], &budget), Ok(Err(interpolate::Broken::Step(1))));
    assert_eq!(interpolate::check(&mut terms, &parts, &[], &budget), Ok(Err(interpolate::Broken::Length)));
}
