//! Every operator against the reference of `base::Bits`, floats against the machine's own.

use base::{Bits, Budget, Random};
use term::{FpOp, Op, SortKind, Terms};

use super::super::wide::{self, Words};
use super::super::{Limits, Machine, Outcome, ScriptedInputs};
use super::Line;
use crate::{Action, Program};

/// What the operator means; the second flag says whether the result is a truth value.
fn reference(op: Op, a: &Bits, b: &Bits) -> (Bits, bool) {
    let truth = |value: bool| (Bits::from_bool(value), true);
    let bits = match op {
        Op::BvNot => a.not(),
        Op::BvNeg => a.neg(),
        Op::Extract { high, low } => a.extract(high, low),
        Op::ZeroExtend(by) => a.zero_extend(by),
        Op::SignExtend(by) => a.sign_extend(by),
        Op::BvAnd => a.and(b),
        Op::BvOr => a.or(b),
        Op::BvXor => a.xor(b),
        Op::BvAdd => a.add(b),
        Op::BvSub => a.sub(b),
        Op::BvMul => a.mul(b),
        Op::BvUdiv => a.udiv(b),
        Op::BvUrem => a.urem(b),
        Op::BvSdiv => a.sdiv(b),
        Op::BvSrem => a.srem(b),
        Op::BvShl => a.shl(b),
        Op::BvLshr => a.lshr(b),
        Op::BvAshr => a.ashr(b),
        Op::Concat => a.concat(b),
        Op::Eq => return truth(a == b),
        Op::Distinct => return truth(a != b),
        Op::BvUlt => return truth(a.ult(b)),
        Op::BvUle => return truth(a.ule(b)),
        Op::BvUgt => return truth(b.ult(a)),
        Op::BvUge => return truth(b.ule(a)),
        Op::BvSlt => return truth(a.slt(b)),
        Op::BvSle => return truth(a.sle(b)),
        Op::BvSgt => return truth(b.slt(a)),
        Op::BvSge => return truth(b.sle(a)),
        Op::BvUaddo => return truth(a.uaddo(b)),
        Op::BvSaddo => return truth(a.saddo(b)),
        Op::BvUmulo => return truth(a.umulo(b)),
        Op::BvSmulo => return truth(a.smulo(b)),
        Op::BvSsubo => return truth(a.ssubo(b)),
        _ => unreachable!("not in the list"),
    };
    (bits, false)
}

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

fn unary(width: u32) -> Vec<Op> {
    let mut ops = vec![Op::BvNot, Op::BvNeg, Op::ZeroExtend(1), Op::SignExtend(1)];
    ops.extend([Op::ZeroExtend(61), Op::SignExtend(61)]);
    for (high, low) in [(width - 1, 0), (width / 2, 0), (width - 1, width / 2), (width / 2, width / 3)] {
        ops.push(Op::Extract { high, low });
    }
    ops
}

/// Interesting pairs of this width: all of them if there are few.
fn pairs(width: u32, random: &mut Random) -> Vec<(Bits, Bits)> {
    let mut values: Vec<Bits> = Vec::new();
    if width <= 4 {
        values.extend((0..1 << width).map(|value| Bits::from_u64(width, value)));
    } else {
        values.extend([0, 1, 2, u64::from(width), u64::from(width) - 1].map(|value| Bits::from_u64(width, value)));
        values.extend([Bits::ones(width), Bits::min_signed(width), Bits::max_signed(width)]);
        for _ in 0..4 {
            values.push(Bits::from_words(width, &[random.bits(), random.bits(), random.bits(), random.bits()]));
        }
    }
    values.iter().flat_map(|a| values.iter().map(move |b| (a.clone(), b.clone()))).collect()
}

/// A program that receives two values and returns the operator applied to them. The operator
/// stands either in an assignment or, for predicates, in a branch.
fn program_of(op: Op, width: u32, is_unary: bool, branch: bool) -> (Program, Terms) {
    let mut line = Line::with(Terms::without_simplification(), 64);
    let (a, b) = (line.local("a", width), line.local("b", width));
    line.havoc(a);
    line.havoc(b);
    let args = [line.term(a), line.term(b)];
    let term = line.terms.make(op, if is_unary { &args[..1] } else { &args });
    let x = line.local_of("x", line.terms.sort_of(term));
    if branch {
        let (yes, no, join) = (
            line.builder.location(line.main, None),
            line.builder.location(line.main, None),
            line.builder.location(line.main, None),
        );
        let negated = line.terms.not(term);
        line.builder.assume(line.at, yes, term, None);
        line.builder.assume(line.at, no, negated, None);
        for (at, value) in [(yes, true), (no, false)] {
            let value = line.terms.truth(value);
            line.builder.assign(at, join, x, value, None);
        }
        line.at = join;
    } else {
        line.assign(x, term);
    }
    line.returning(x)
}

fn agrees(op: Op, width: u32, is_unary: bool, random: &mut Random) {
    let cases = pairs(width, random);
    let is_truth = reference(op, &cases[0].0, &cases[0].1).1;
    for branch in [false, true] {
        if branch && !is_truth {
            continue;
        }
        let (program, terms) = program_of(op, width, is_unary, branch);
        let mut machine = Machine::new(&program, &terms).expect("the program can be compiled");
        for (a, b) in &cases {
            let expected = reference(op, a, b).0;
            let values = [a, b].map(|bits| bits.to_u128().expect("at most 128 bits"));
            let mut inputs = ScriptedInputs::for_nondet(values.to_vec());
            let run = machine.run(&mut inputs, &Limits::default(), &Budget::default());
            let expected = wide::to_u128(expected.words());
            assert_eq!(run.outcome, Outcome::Returned(Some(expected)), "{op:?} of {a:?} and {b:?}, branch: {branch}");
        }
    }
}

#[test]
fn operators_agree_with_the_reference_at_all_small_widths() {
    let mut random = Random::new(7);
    for width in 1..=8 {
        for &op in BINARY {
            agrees(op, width, false, &mut random);
        }
        for op in unary(width) {
            agrees(op, width, true, &mut random);
        }
    }
}

#[test]
fn operators_agree_with_the_reference_at_machine_widths_and_beyond() {
    let mut random = Random::new(8);
    for width in [16, 31, 32, 33, 63, 64, 65, 80, 127, 128] {
        for &op in BINARY {
            agrees(op, width, false, &mut random);
        }
        for op in unary(width) {
            agrees(op, width, true, &mut random);
        }
    }
}

#[test]
fn very_wide_operators_agree_with_the_reference() {
    let mut random = Random::new(9);
    for width in [129, 137, 192, 200] {
        for (a, b) in pairs(width, &mut random) {
            let words = |bits: &Bits| (Words::from_slice(bits.words()), width);
            let args = [words(&a), words(&b)];
            for &op in BINARY.iter().filter(|&&op| op != Op::Distinct) {
                let expected = reference(op, &a, &b).0;
                let own = wide::apply(op, expected.width(), &args).expect("an operator of bit-vectors");
                assert_eq!(&own[..], expected.words(), "{op:?} of {a:?} and {b:?}");
            }
            for op in unary(width) {
                let expected = reference(op, &a, &b).0;
                let own = wide::apply(op, expected.width(), &args[..1]).expect("an operator of bit-vectors");
                assert_eq!(&own[..], expected.words(), "{op:?} of {a:?}");
            }
        }
    }
}

#[test]
#[allow(clippy::nonminimal_bool)] // The meanings are written as the terms are.
fn connectives_cut_short_and_computed_agree() {
    // All functions of three truth values built from a few shapes, in an assignment and in a guard.
    for shape in 0..8 {
        let build = |line: &mut Line, a, b, c| {
            let t = &mut line.terms;
            match shape {
                0 => t.make(Op::And, &[a, b, c]),
                1 => t.make(Op::Or, &[a, b, c]),
                2 => {
                    let or = t.make(Op::Or, &[a, b]);
                    t.make(Op::And, &[or, c])
                }
                3 => {
                    let and = t.make(Op::And, &[a, b]);
                    let or = t.make(Op::Or, &[and, c]);
                    let not = t.make(Op::Not, &[or]);
                    t.make(Op::Or, &[not, and])
                }
                4 => {
                    let implied = t.make(Op::Implies, &[a, b]);
                    t.make(Op::Implies, &[implied, c])
                }
                5 => t.make(Op::Ite, &[a, b, c]),
                6 => {
                    let xor = t.make(Op::Xor, &[a, b]);
                    t.make(Op::Eq, &[xor, c])
                }
                _ => t.make(Op::Distinct, &[a, b, c]),
            }
        };
        let meaning = |a: bool, b: bool, c: bool| match shape {
            0 => a && b && c,
            1 => a || b || c,
            2 => (a || b) && c,
            3 => !(a && b || c) || a && b,
            4 => !(!a || b) || c,
            5 => {
                if a {
                    b
                } else {
                    c
                }
            }
            6 => (a != b) == c,
            _ => false,
        };
        for bits in 0..8u32 {
            let values = [bits & 1 == 1, bits & 2 == 2, bits & 4 == 4];
            for branch in [false, true] {
                let mut line = Line::with(Terms::without_simplification(), 64);
                let sort = line.terms.bool_sort();
                let vars = ["a", "b", "c"].map(|name| line.local_of(name, sort));
                for var in vars {
                    line.havoc(var);
                }
                let [a, b, c] = vars.map(|var| line.term(var));
                let term = build(&mut line, a, b, c);
                let x = line.local_of("x", sort);
                if branch {
                    let truth = line.terms.truth(true);
                    line.assign(x, truth);
                    line.action(Action::Assume(term));
                } else {
                    line.assign(x, term);
                }
                let (program, terms) = line.returning(x);
                let mut inputs = ScriptedInputs::for_nondet(values.map(u128::from).to_vec());
                let run = super::run_with(&program, &terms, &mut inputs, &Limits::default());
                let expected = meaning(values[0], values[1], values[2]);
                match run.outcome {
                    Outcome::Returned(Some(value)) => assert_eq!(value == 1, expected, "shape {shape} of {values:?}"),
                    Outcome::Blocked(_) => assert!(branch && !expected, "shape {shape} of {values:?}"),
                    other => panic!("unexpected {other:?}"),
                }
            }
        }
    }
}

#[test]
fn float_arithmetic_is_that_of_the_machine() {
    let mut random = Random::new(3);
    let ops = [FpOp::Add, FpOp::Sub, FpOp::Mul, FpOp::Div, FpOp::Fmod];
    for op in ops {
        let mut line = Line::with(Terms::without_simplification(), 64);
        let double = line.terms.sort(SortKind::Float(11, 53));
        let single = line.terms.sort(SortKind::Float(8, 24));
        let (a, b) = (line.local_of("a", double), line.local_of("b", double));
        let (c, d) = (line.local_of("c", single), line.local_of("d", single));
        for var in [a, b, c, d] {
            line.havoc(var);
        }
        let [a, b, c, d] = [a, b, c, d].map(|var| line.term(var));
        let wide = line.terms.fp(op, &[a, b], double);
        let narrow = line.terms.fp(op, &[c, d], single);
        let bits64 = line.bv(64);
        let bits32 = line.bv(32);
        let wide = line.terms.fp(FpOp::ToBits, &[wide], bits64);
        let narrow = line.terms.fp(FpOp::ToBits, &[narrow], bits32);
        let both = line.terms.concat(wide, narrow);
        let x = line.local("x", 96);
        line.assign(x, both);
        let (program, terms) = line.returning(x);
        let mut machine = Machine::new(&program, &terms).expect("the program can be compiled");
        for _ in 0..500 {
            let near = |random: &mut Random| random.between(-50, 50) as f64 / 7.0;
            let (a, b) = (near(&mut random), near(&mut random));
            let (c, d) = (near(&mut random) as f32, f32::from_bits(random.bits() as u32));
            let values = vec![a.to_bits().into(), b.to_bits().into(), c.to_bits().into(), d.to_bits().into()];
            let run = machine.run(&mut ScriptedInputs::for_nondet(values), &Limits::default(), &Budget::default());
            let (wide, narrow) = match op {
                FpOp::Add => (a + b, c + d),
                FpOp::Sub => (a - b, c - d),
                FpOp::Mul => (a * b, c * d),
                FpOp::Div => (a / b, c / d),
                _ => (a % b, c % d),
            };
            let Outcome::Returned(Some(value)) = run.outcome else { panic!("it returns: {:?}", run.outcome) };
            let (own_wide, own_narrow) = (f64::from_bits((value >> 32) as u64), f32::from_bits(value as u32));
            assert!(own_wide.to_bits() == wide.to_bits() || own_wide.is_nan() && wide.is_nan());
            assert!(own_narrow.to_bits() == narrow.to_bits() || own_narrow.is_nan() && narrow.is_nan());
            assert!(!run.approximate);
        }
    }
}

#[test]
fn equality_of_floats_knows_one_nan_and_two_zeros() {
    let cases = [(f64::NAN, -f64::NAN, true, false), (0.0, -0.0, false, true), (1.0, 1.0, true, true)];
    for (a, b, same, ieee) in cases {
        let mut line = Line::with(Terms::without_simplification(), 64);
        let double = line.terms.sort(SortKind::Float(11, 53));
        let truth = line.terms.bool_sort();
        let left = line.terms.numeral(double, &format!("{:016x}", a.to_bits()));
        let right = line.local_of("b", double);
        line.havoc(right);
        let right = line.term(right);
        let identical = line.terms.eq(left, right);
        let equal = line.terms.fp(FpOp::Eq, &[left, right], truth);
        let (one, two, zero) = (line.terms.bv(2, 1), line.terms.bv(2, 2), line.terms.bv(2, 0));
        let high = line.terms.ite(identical, two, zero);
        let low = line.terms.ite(equal, one, zero);
        let both = line.terms.bv_or(high, low);
        let x = line.local("x", 2);
        line.assign(x, both);
        let (program, terms) = line.returning(x);
        let mut inputs = ScriptedInputs::for_nondet(vec![b.to_bits().into()]);
        let run = super::run_with(&program, &terms, &mut inputs, &Limits::default());
        let expected = u128::from(same) * 2 + u128::from(ieee);
        assert_eq!(run.outcome, Outcome::Returned(Some(expected)), "{a} and {b}");
    }
}

#[test]
fn only_results_beyond_double_precision_are_marked_as_approximate() {
    let formats = [
        (64, 80, 0x3fff_8000_0000_0000_0000, 0x4000_8000_0000_0000_0000, false),
        (64, 80, 0x3fff_8000_0000_0000_0800, 0x4000_8000_0000_0000_0800, false),
        (64, 80, 0x3fff_8000_0000_0000_0400, 0x4000_8000_0000_0000_0400, true),
        (113, 128, 1.0f64.to_bits().into(), 0x4000 << 112, true),
    ];
    for (significand, width, one, two, approximate) in formats {
        let mut line = Line::with(Terms::without_simplification(), 64);
        let wide = line.terms.sort(SortKind::Float(15, significand));
        let x = line.local_of("x", wide);
        line.havoc(x);
        let term = line.term(x);
        let sum = line.terms.fp(FpOp::Add, &[term, term], wide);
        let bits = line.bv(width);
        let bits = line.terms.fp(FpOp::ToBits, &[sum], bits);
        let y = line.local("y", width);
        line.assign(y, bits);
        let (program, terms) = line.returning(y);
        let mut inputs = ScriptedInputs::for_nondet(vec![one]);
        let run = super::run_with(&program, &terms, &mut inputs, &Limits::default());
        assert_eq!(run.outcome, Outcome::Returned(Some(two)));
        assert_eq!(run.approximate, approximate);
    }
}

#[test]
fn deep_and_shared_terms_are_computed_without_recursion() {
    // 2^100000 paths through a term of 100000 nodes: x + x, doubled again and again.
    let mut line = Line::with(Terms::without_simplification(), 64);
    let x = line.local("x", 32);
    line.set(x, 32, 3);
    let mut term = line.term(x);
    for _ in 0..100_000 {
        let double = line.terms.bv_add(term, term);
        let one = line.terms.bv(32, 1);
        term = line.terms.bv_xor(double, one);
    }
    line.assign(x, term);
    let mut expected = 3u32;
    for _ in 0..100_000 {
        expected = expected.wrapping_add(expected) ^ 1;
    }
    assert_eq!(super::result(line.returning(x)), u128::from(expected));
}
