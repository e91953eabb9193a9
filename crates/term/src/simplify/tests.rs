//! Every rule against the evaluator.
//!
//! A generator builds terms bottom-up at the same time in a store that simplifies and in one that
//! does not; then both are evaluated under every assignment. At the end each rule must have fired.

use std::rc::Rc;

use base::{Bits, FastMap, Random};

use super::coverage::all_fired;
use crate::eval::{Evaluator, Value};
use crate::op::{FpOp, NumberOp, Op};
use crate::semantics::{self, Scalar};
use crate::sort::SortKind;
use crate::store::{Symbol, Term, Terms};

/// The same term in both stores.
#[derive(Clone, Copy)]
struct Pair {
    simple: Term,
    plain: Term,
}

/// Two stores with the same variables: two of the width and two truth values.
struct Twins {
    simple: Terms,
    plain: Terms,
    width: u32,
    checked: u64,
    /// The values of terms under all assignments, for terms that others are built from.
    simple_tables: Tables,
    plain_tables: Tables,
}

/// The value of a term under each assignment.
type Table = Rc<[u64]>;

/// Tables that are kept, and tables that are forgotten after each check.
#[derive(Default)]
struct Tables {
    kept: FastMap<Term, Table>,
    passing: FastMap<Term, Table>,
}

impl Twins {
    fn new(width: u32) -> Self {
        let mut twins = Twins {
            simple: Terms::new(),
            plain: Terms::without_simplification(),
            width,
            checked: 0,
            simple_tables: Tables::default(),
            plain_tables: Tables::default(),
        };
        for (name, width) in [("x", Some(width)), ("y", Some(width)), ("p", None), ("q", None)] {
            twins.variable(name, width);
        }
        twins
    }
    fn variable(&mut self, name: &str, width: Option<u32>) -> Pair {
        let make = |terms: &mut Terms| {
            let sort = match width {
                Some(width) => terms.bv_sort(width),
                None => terms.bool_sort(),
            };
            terms.variable(name, sort)
        };
        Pair { simple: make(&mut self.simple), plain: make(&mut self.plain) }
    }
    fn literal(&mut self, width: u32, value: u64) -> Pair {
        Pair { simple: self.simple.bv(width, value), plain: self.plain.bv(width, value) }
    }
    /// The application, if the arguments fit.
    fn make(&mut self, op: Op, args: &[Pair]) -> Option<Pair> {
        let plain: Vec<Term> = args.iter().map(|pair| pair.plain).collect();
        let simple: Vec<Term> = args.iter().map(|pair| pair.simple).collect();
        self.plain.result_sort(op, &plain).ok()?;
        let pair = Pair { simple: self.simple.make(op, &simple), plain: self.plain.make(op, &plain) };
        Some(pair)
    }
    /// Checks under all assignments.
    fn check(&mut self, pair: Pair) {
        self.checked += 1;
        self.plain_tables.passing.clear();
        self.simple_tables.passing.clear();
        let plain = table(&self.plain, &mut self.plain_tables, pair.plain, self.width);
        let simple = table(&self.simple, &mut self.simple_tables, pair.simple, self.width);
        for assignment in 0..plain.len() {
            if plain[assignment] != simple[assignment] {
                self.check_under(pair, assignment as u64);
                panic!("the evaluator and the tables disagree");
            }
        }
    }
    /// Checks and keeps the values.
    fn check_and_keep(&mut self, pair: Pair) {
        self.check(pair);
        for (tables, term) in [(&mut self.plain_tables, pair.plain), (&mut self.simple_tables, pair.simple)] {
            if let Some(table) = tables.passing.remove(&term) {
                tables.kept.insert(term, table);
            }
        }
    }
    fn check_under(&self, pair: Pair, assignment: u64) {
        let (plain, simple) = (
            value(&self.plain, pair.plain, self.width, assignment),
            value(&self.simple, pair.simple, self.width, assignment),
        );
        assert!(
            plain == simple,
            "{} became {}, at width {} under {assignment}: {plain:?} became {simple:?}",
            show(&self.plain, pair.plain),
            show(&self.simple, pair.simple),
            self.width
        );
    }
}

/// The values under all assignments, computed from those of the arguments.
fn table(terms: &Terms, tables: &mut Tables, term: Term, width: u32) -> Table {
    if let Some(table) = tables.kept.get(&term).or(tables.passing.get(&term)) {
        return Rc::clone(table);
    }
    let args: Vec<Table> = terms.args(term).iter().map(|&arg| table(terms, tables, arg, width)).collect();
    let widths: Vec<u32> =
        terms.args(term).iter().map(|&arg| if terms.is_bool(arg) { 0 } else { terms.width(arg) }).collect();
    let all_vectors = !widths.contains(&0) && !widths.is_empty();
    let op = terms.op(term);
    let row = |assignment: usize| {
        let arg = |i: usize| args[i][assignment];
        match op {
            Op::True | Op::False => u64::from(op == Op::True),
            Op::Value => terms.small_value(term).unwrap(),
            Op::Symbol(_) => match value(terms, term, width, assignment as u64) {
                Value::Bool(value) => u64::from(value),
                Value::Bits(bits) => bits.to_u64().unwrap(),
                _ => unreachable!(),
            },
            Op::Not => 1 - arg(0),
            Op::And => (0..args.len()).map(arg).min().unwrap(),
            Op::Or => (0..args.len()).map(arg).max().unwrap(),
            Op::Xor => arg(0) ^ arg(1),
            Op::Implies => (1 - arg(0)) | arg(1),
            Op::Ite => {
                if arg(0) == 1 {
                    arg(1)
                } else {
                    arg(2)
                }
            }
            Op::Eq => u64::from(arg(0) == arg(1)),
            Op::Distinct => u64::from((0..args.len()).all(|i| (0..i).all(|j| arg(i) != arg(j)))),
            _ => {
                assert!(all_vectors, "{op:?} takes vectors");
                let bits: smallvec::SmallVec<[Bits; 2]> =
                    (0..args.len()).map(|i| Bits::from_u64(widths[i], arg(i))).collect();
                match semantics::apply(op, &bits).unwrap() {
                    Scalar::Bool(value) => u64::from(value),
                    Scalar::Bits(bits) => bits.to_u64().unwrap(),
                }
            }
        }
    };
    let table: Table = (0..4usize << (2 * width)).map(row).collect();
    tables.passing.insert(term, Rc::clone(&table));
    table
}

/// The value when the bits of `assignment` are dealt out to the variables.
fn value(terms: &Terms, term: Term, width: u32, assignment: u64) -> Value {
    let vector = |place: u32| match width {
        1..=16 => Bits::from_u64(width, assignment >> 2 >> (place * width)),
        _ => {
            let mut random = Random::new(assignment + u64::from(place));
            Bits::from_words(width, &[random.bits(), random.bits()])
        }
    };
    let model = |symbol: Symbol, _: &[Value]| {
        Some(match terms.symbol_name(symbol) {
            "p" => Value::Bool(assignment & 1 == 1),
            "q" => Value::Bool(assignment & 2 == 2),
            "x" => Value::Bits(vector(0)),
            _ => Value::Bits(vector(1)),
        })
    };
    Evaluator::new(model).eval(terms, term).expect("bit-vectors have values")
}

fn show(terms: &Terms, term: Term) -> String {
    match (terms.op(term), terms.args(term)) {
        (Op::Symbol(symbol), []) => terms.symbol_name(symbol).to_owned(),
        (Op::Value, _) => format!("{:?}", terms.value(term).unwrap()),
        (op, args) => {
            let args: Vec<String> = args.iter().map(|&arg| show(terms, arg)).collect();
            format!("({op:?} {})", args.join(" "))
        }
    }
}

const BOOL_BINARY: &[Op] = &[Op::And, Op::Or, Op::Xor, Op::Implies, Op::Eq, Op::Distinct];
const UNARY: &[Op] = &[
    Op::BvNot,
    Op::BvNeg,
    Op::ZeroExtend(0),
    Op::ZeroExtend(1),
    Op::ZeroExtend(2),
    Op::SignExtend(0),
    Op::SignExtend(1),
    Op::SignExtend(2),
];
const BINARY: &[Op] = &[
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::Concat,
    Op::Eq,
    Op::Distinct,
    Op::BvUlt,
    Op::BvUle,
    Op::BvUgt,
    Op::BvUge,
    Op::BvSlt,
    Op::BvSle,
    Op::BvSgt,
    Op::BvSge,
    Op::BvUaddo,
    Op::BvSaddo,
    Op::BvUmulo,
    Op::BvSmulo,
    Op::BvSsubo,
];

fn unary_ops(width: u32) -> Vec<Op> {
    let extracts = (0..width).flat_map(|low| (low..width).map(move |high| Op::Extract { high, low }));
    UNARY.iter().copied().chain(extracts).collect()
}

/// Every operator on every pair of shapes up to depth two.
fn all_terms_up_to_depth_three(width: u32) -> Twins {
    let mut twins = Twins::new(width);
    let mut leaves = vec![twins.variable("x", Some(width)), twins.variable("y", Some(width))];
    let interesting = [0, 1, 3, 4, 7];
    let literals = (0..1u64 << width).filter(|value| width < 3 || interesting.contains(value));
    leaves.extend(literals.map(|value| twins.literal(width, value)).collect::<Vec<_>>());
    let truths = {
        let (p, q) = (twins.variable("p", None), twins.variable("q", None));
        let (yes, no) = (twins.make(Op::True, &[]).unwrap(), twins.make(Op::False, &[]).unwrap());
        vec![p, q, yes, no]
    };
    // Depth one: every operator on every leaf.
    let mut shapes = leaves.clone();
    let mut conditions = truths.clone();
    let mut grow = |twins: &mut Twins, op: Op, args: &[Pair]| {
        if let Some(pair) = twins.make(op, args) {
            twins.check_and_keep(pair);
            if twins.plain.is_bool(pair.plain) { conditions.push(pair) } else { shapes.push(pair) }
        }
    };
    for &a in &leaves {
        for op in unary_ops(width) {
            grow(&mut twins, op, &[a]);
        }
        for &b in &leaves {
            for &op in BINARY {
                grow(&mut twins, op, &[a, b]);
            }
            for &c in &truths {
                grow(&mut twins, Op::Ite, &[c, a, b]);
            }
        }
    }
    for &a in &truths {
        grow(&mut twins, Op::Not, &[a]);
        for &b in &truths {
            for &op in BOOL_BINARY {
                grow(&mut twins, op, &[a, b]);
            }
            for &c in &truths {
                grow(&mut twins, Op::Ite, &[a, b, c]);
                grow(&mut twins, Op::And, &[a, b, c]);
                grow(&mut twins, Op::Or, &[a, b, c]);
                grow(&mut twins, Op::Distinct, &[a, b, c]);
            }
        }
    }
    // Depth two: every operator on one shape and on each pair of a shape and a leaf. Shapes that
    // became the same simplified term are tried once for each different simple form.
    let shapes = different(&shapes);
    let conditions = different(&conditions);
    for &a in &shapes {
        let inner = twins.plain.width(a.plain);
        for op in unary_ops(inner) {
            if let Some(pair) = twins.make(op, &[a]) {
                twins.check(pair);
            }
        }
        let mut partners = if width < 3 { leaves.clone() } else { [0, 5].map(|i| leaves[i]).to_vec() };
        if inner != width {
            let step = if width < 3 { 3 } else { 7 };
            partners = (0..1u64 << inner.min(4)).step_by(step).map(|value| twins.literal(inner, value)).collect();
        }
        for &b in &partners {
            for &op in BINARY {
                for args in [[a, b], [b, a]] {
                    if let Some(pair) = twins.make(op, &args) {
                        twins.check(pair);
                    }
                }
            }
            for &c in &truths[..1] {
                for args in [[c, a, b], [c, b, a]] {
                    if let Some(pair) = twins.make(Op::Ite, &args) {
                        twins.check(pair);
                    }
                }
            }
        }
    }
    // Two shapes side by side: too many for all, so a sample.
    let mut random = Random::new(u64::from(width));
    for _ in 0..10_000 {
        let args = [*random.pick(&shapes), *random.pick(&shapes)];
        if let Some(pair) = twins.make(*random.pick(BINARY), &args) {
            twins.check(pair);
        }
    }
    for &a in &conditions {
        for &b in &truths {
            for &op in BOOL_BINARY {
                for args in [[a, b], [b, a]] {
                    let pair = twins.make(op, &args).unwrap();
                    twins.check(pair);
                    let not = twins.make(Op::Not, &[pair]).unwrap();
                    twins.check(not);
                }
            }
            for args in [[a, b, truths[0]], [b, a, truths[0]], [b, truths[0], a]] {
                let pair = twins.make(Op::Ite, &args).unwrap();
                twins.check(pair);
            }
        }
        for value in 0..2 {
            // What C makes of conditions: (ite c 1 0) compared and cut.
            let (one, zero) = (twins.literal(width, 1), twins.literal(width, 0));
            let choice = twins.make(Op::Ite, &[a, one, zero]).unwrap();
            let literal = twins.literal(width, value);
            let pair = twins.make(Op::Eq, &[choice, literal]).unwrap();
            twins.check(pair);
        }
    }
    twins
}

/// One of each simple form.
fn different(pairs: &[Pair]) -> Vec<Pair> {
    let mut seen = std::collections::BTreeSet::new();
    pairs.iter().copied().filter(|pair| seen.insert(pair.simple)).collect()
}

/// Random terms of growing depth, all assignments where there are few, some where there are many.
fn random_terms(width: u32, rounds: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut twins = Twins::new(width);
    let mut vectors = vec![twins.variable("x", Some(width)), twins.variable("y", Some(width))];
    let mut truths = vec![twins.variable("p", None), twins.variable("q", None)];
    for round in 0..rounds {
        // Recent terms are taken more often, so that the terms grow deep; but not too wide.
        let recent = |random: &mut Random, pairs: &[Pair]| {
            let from = if random.one_in(3) { 0 } else { pairs.len().saturating_sub(12) };
            pairs[from + random.below((pairs.len() - from) as u64) as usize]
        };
        let a = recent(&mut random, &vectors);
        let wide = twins.plain.width(a.plain);
        let made = match random.below(8) {
            0 => {
                let ops = unary_ops(wide);
                twins.make(*random.pick(&ops), &[a])
            }
            1..=3 => {
                let same: Vec<Pair> =
                    vectors.iter().copied().filter(|pair| twins.plain.width(pair.plain) == wide).collect();
                let b = match random.one_in(3) {
                    true => {
                        let value = random.bits();
                        twins.literal(wide, value)
                    }
                    false => recent(&mut random, &same),
                };
                let op = *random.pick(BINARY);
                if random.one_in(2) { twins.make(op, &[a, b]) } else { twins.make(op, &[b, a]) }
            }
            4 => {
                let same: Vec<Pair> =
                    vectors.iter().copied().filter(|pair| twins.plain.width(pair.plain) == wide).collect();
                let (c, b) = (recent(&mut random, &truths), recent(&mut random, &same));
                twins.make(Op::Ite, &[c, a, b])
            }
            5 => {
                let c = recent(&mut random, &truths);
                twins.make(Op::Not, &[c])
            }
            6 => {
                let args: Vec<Pair> = (0..2 + random.below(3)).map(|_| recent(&mut random, &truths)).collect();
                twins.make(if random.one_in(2) { Op::And } else { Op::Or }, &args)
            }
            _ => {
                let args = [recent(&mut random, &truths), recent(&mut random, &truths), recent(&mut random, &truths)];
                match random.one_in(3) {
                    true => twins.make(Op::Ite, &args),
                    false => twins.make(*random.pick(BOOL_BINARY), &args[..2]),
                }
            }
        };
        let Some(pair) = made else { continue };
        if twins.plain.is_bool(pair.plain) {
            truths.push(pair);
        } else if twins.plain.width(pair.plain) <= 2 * width.max(3) {
            vectors.push(pair);
        }
        for _ in 0..if round % 4 == 0 { 12 } else { 3 } {
            twins.check_under(pair, random.bits() >> 8);
        }
        if round % 64 == 63 {
            // Start afresh now and then, or everything grows together.
            vectors.truncate(2);
            truths.truncate(2);
        }
    }
}

#[test]
fn every_simplified_term_means_what_was_written_and_every_rule_fires() {
    let mut checked = 0;
    for width in 1..=3 {
        checked += all_terms_up_to_depth_three(width).checked;
    }
    assert!(checked > 30_000, "only {checked} terms were checked");
    for (width, rounds) in [(1, 6_000), (2, 6_000), (3, 6_000), (4, 6_000), (8, 4_000), (32, 2_000), (70, 2_000)] {
        random_terms(width, rounds, u64::from(width));
    }
    two_deep_sides();
    arrays_and_odd_cases();
    let fired = all_fired();
    let missing: Vec<&str> = all_rules().into_iter().filter(|name| !fired.contains(name)).collect();
    assert!(missing.is_empty(), "rules that never fired: {missing:#?}");
}

/// The names of all rules, read off the sources.
fn all_rules() -> Vec<&'static str> {
    let sources = [
        include_str!("../simplify.rs"),
        include_str!("arithmetic.rs"),
        include_str!("array.rs"),
        include_str!("bitwise.rs"),
        include_str!("bool.rs"),
        include_str!("compare.rs"),
        include_str!("eq.rs"),
        include_str!("ite.rs"),
        include_str!("overflow.rs"),
        include_str!("shift.rs"),
        include_str!("slice.rs"),
    ];
    for source in &sources {
        let lines: Vec<&str> = source.lines().map(str::trim).collect();
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("rule!(\"")) {
            let above: Vec<&str> =
                lines[..at].iter().rev().copied().take_while(|line| line.starts_with("//")).collect();
            let says = |word: &str| above.iter().any(|line| line.contains(word));
            assert!(says("match: ") && says("result: "), "{line} is explained by a line `match: …; result: …`");
        }
    }
    let names = sources.iter().flat_map(|source| source.split("rule!(\"").skip(1));
    let names: Vec<&str> = names.map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(names.len() > 100, "the sources mention their rules");
    names
}

/// Rules that need a certain shape on both sides.
fn two_deep_sides() {
    let mut twins = Twins::new(3);
    let (x, y) = (twins.variable("x", Some(3)), twins.variable("y", Some(3)));
    let (p, q) = (twins.variable("p", None), twins.variable("q", None));
    let literals = [1, 5].map(|value| twins.literal(3, value));
    let mut shapes = vec![x, y];
    for &a in &[x, y] {
        for op in unary_ops(3) {
            shapes.extend(twins.make(op, &[a]));
        }
        for b in literals {
            shapes.extend(twins.make(Op::BvAdd, &[a, b]));
        }
    }
    // The low part of a complement of something extended.
    for extend in [Op::ZeroExtend(2), Op::SignExtend(2)] {
        for complement in [Op::BvNot, Op::BvNeg] {
            let wide = twins.make(extend, &[x]).and_then(|wide| twins.make(complement, &[wide]));
            let low = wide.and_then(|wide| twins.make(Op::Extract { high: 2, low: 0 }, &[wide]));
            twins.check(low.expect("the sorts fit"));
        }
    }
    for c in [p, q] {
        for args in [[c, literals[0], literals[1]], [c, literals[1], literals[0]]] {
            shapes.extend(twins.make(Op::Ite, &args));
        }
    }
    for &a in &shapes {
        for &b in &shapes {
            for op in [Op::Eq, Op::BvXor, Op::BvUlt, Op::BvSlt, Op::Concat, Op::BvAdd, Op::BvSub] {
                if let Some(pair) = twins.make(op, &[a, b]) {
                    twins.check(pair);
                }
            }
        }
    }
}

/// Rules about arrays and longer argument lists, each with its result.
fn arrays_and_odd_cases() {
    let mut terms = Terms::new();
    let byte = terms.bv_sort(8);
    let sort = terms.sort(SortKind::Array(byte, byte));
    let a = terms.variable("a", sort);
    let (x, y, one, two) = (terms.variable("x", byte), terms.variable("y", byte), terms.bv(8, 1), terms.bv(8, 2));
    let written = terms.store(a, one, x);
    assert_eq!(terms.select(written, one), x);
    let elsewhere = terms.select(a, two);
    assert_eq!(terms.select(written, two), elsewhere);
    let (near, far) = (terms.bv_add(x, one), terms.bv_add(x, two));
    let moved = terms.store(a, near, y);
    let untouched = terms.select(a, far);
    assert_eq!(terms.select(moved, far), untouched);
    let unknown = terms.select(written, y);
    assert_eq!(terms.args(unknown), [written, y]);
    let overwritten = terms.store(written, one, y);
    assert_eq!(terms.args(overwritten), [a, one, y]);
    let there = terms.select(a, x);
    assert_eq!(terms.store(a, x, there), a);
    let everywhere = terms.const_array(sort, x);
    assert_eq!(terms.select(everywhere, y), x);
    assert_eq!(terms.store(everywhere, y, x), everywhere);

    let yes = terms.truth(true);
    let no = terms.truth(false);
    let (here, there, null) = (terms.variable("here", byte), terms.variable("there", byte), terms.bv(8, 0));
    terms.declare_apart(here);
    terms.declare_apart(there);
    let (first, second) = (terms.bv_add(here, two), terms.bv_add(there, two));
    let moved = terms.store(a, first, y);
    let untouched = terms.select(a, second);
    assert_eq!(terms.select(moved, second), untouched);
    let unknown = terms.select(moved, there);
    assert_eq!(terms.args(unknown), [moved, there]);
    assert_eq!((terms.eq(here, there), terms.eq(first, second), terms.eq(null, here)), (no, no, no));
    assert_eq!(terms.make(Op::Distinct, &[x]), yes);
    let three = terms.bv(8, 3);
    assert_eq!(terms.distinct(&[one, three, two]), yes);
    assert_eq!(terms.distinct(&[x, y, x]), no);
    let z = terms.variable("z", byte);
    let inner = terms.bv_add(y, z);
    let (all, rest) = (terms.bv_add(x, inner), terms.bv_add(x, y));
    assert_eq!(terms.bv_sub(all, z), rest);
    let ordered = terms.distinct(&[x, y, one]);
    assert_eq!(terms.distinct(&[y, one, x]), ordered);
}

#[test]
fn int_real_and_float_terms_are_only_shared_never_rewritten() {
    let mut terms = Terms::new();
    for kind in [SortKind::Int, SortKind::Real] {
        let sort = terms.sort(kind.clone());
        let x = terms.variable(&format!("{kind:?}"), sort);
        let (zero, one) = (terms.numeral(sort, "0"), terms.numeral(sort, "1"));
        for &op in NumberOp::ALL {
            for args in [&[x][..], &[one], &[x, x], &[zero, x], &[x, zero], &[one, zero], &[x, one]] {
                if terms.result_sort(Op::Number(op), args).is_ok() {
                    let made = terms.make(Op::Number(op), args);
                    assert_eq!((terms.op(made), terms.args(made)), (Op::Number(op), args));
                }
            }
        }
        let equal = terms.eq(x, one);
        assert_eq!(terms.op(equal), Op::Eq);
        let no = terms.truth(false);
        assert_eq!(terms.eq(one, zero), no);
    }
    let float = terms.sort(SortKind::Float(8, 24));
    let x = terms.variable("f", float);
    let (plus, minus) = (terms.numeral(float, "00000000"), terms.numeral(float, "80000000"));
    let (nan, other_nan) = (terms.numeral(float, "7fc00000"), terms.numeral(float, "ff800001"));
    let (yes, no) = (terms.truth(true), terms.truth(false));
    assert_eq!(terms.eq(plus, minus), no);
    assert_eq!(terms.eq(nan, other_nan), yes);
    let ieee = terms.make(Op::Fp(FpOp::Eq), &[x, x]);
    assert_eq!((terms.op(ieee), terms.args(ieee)), (Op::Fp(FpOp::Eq), &[x, x][..]));
}

#[test]
fn a_store_without_simplification_builds_terms_exactly_as_given() {
    let mut terms = Terms::without_simplification();
    let (byte, bool) = (terms.bv_sort(8), terms.bool_sort());
    let (x, one, p) = (terms.variable("x", byte), terms.bv(8, 1), terms.variable("p", bool));
    let (yes, no) = (terms.truth(true), terms.truth(false));
    let mut exact = |op: Op, args: &[Term]| {
        let made = terms.make(op, args);
        assert_eq!((terms.op(made), terms.args(made)), (op, args));
        assert_eq!(terms.make(op, args), made);
    };
    for &op in BINARY {
        for args in [[x, x], [one, x], [x, one], [one, one]] {
            exact(op, &args);
        }
    }
    for op in unary_ops(8) {
        exact(op, &[x]);
        exact(op, &[one]);
    }
    for &op in BOOL_BINARY {
        for args in [[p, p], [yes, no], [no, p]] {
            exact(op, &args);
        }
    }
    exact(Op::Not, &[yes]);
    exact(Op::Ite, &[yes, x, x]);
    exact(Op::Ite, &[p, yes, no]);
    exact(Op::Distinct, &[x, x, x]);
}

#[test]
fn what_c_makes_of_conditions_disappears() {
    let mut terms = Terms::new();
    let byte = terms.bv_sort(8);
    let (x, y) = (terms.variable("x", byte), terms.variable("y", byte));
    let (wide_x, wide_y) = (terms.sign_extend_to(x, 32), terms.sign_extend_to(y, 32));
    let less = terms.bv_slt(wide_x, wide_y);
    assert_eq!(terms.args(less), [x, y]);
    let (one, zero) = (terms.bv(32, 1), terms.bv(32, 0));
    let int = terms.ite(less, one, zero);
    assert_eq!(terms.ne(int, zero), less);
    let not_less = terms.not(less);
    assert_eq!(terms.eq(int, zero), not_less);
    // char c; c++
    let sum = terms.bv_add(wide_x, one);
    let cut = terms.extract(sum, 7, 0);
    let one = terms.bv(8, 1);
    assert_eq!(terms.args(cut), [x, one]);
    // x <= y and x > y are a term and its negation.
    let (weak, strict) = (terms.bv_sle(x, y), terms.make(Op::BvSgt, &[x, y]));
    let no = terms.truth(false);
    assert_eq!(terms.and(&[weak, strict]), no);
}

#[test]
fn joining_one_by_one_stays_cheap_and_deep_chains_do_not_exhaust_the_stack() {
    let mut terms = Terms::new();
    let (bool, byte) = (terms.bool_sort(), terms.bv_sort(8));
    let mut all = terms.truth(true);
    let mut chain = terms.variable("x", byte);
    let three = terms.bv(8, 3);
    for i in 0..100_000 {
        let p = terms.variable(&format!("p{i}"), bool);
        all = terms.and(&[all, p]);
        let op = [Op::BvAdd, Op::BvAnd, Op::BvXor, Op::BvOr][i % 4];
        chain = terms.make(op, &[chain, three]);
    }
    terms.extract(chain, 2, 1);
    terms.bv_neg(chain);
    assert!(terms.bytes() < 100_000 * 600, "{} bytes", terms.bytes());
}
