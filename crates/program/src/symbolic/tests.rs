//! The rules of words against evaluation, on random terms.

use base::{Bits, Random};
use term::{Op, SortKind, Symbol, Term, Terms, Value, eval};

use super::words::{Key, Words};

/// A term by the rules and the same term as it was built, of some width; zero for a truth value.
#[derive(Clone, Copy)]
struct Pair {
    ruled: Term,
    plain: Term,
    width: u32,
}

struct Pool {
    words: Words,
    plain: Terms,
    all: Vec<Pair>,
}

const WIDTHS: [u32; 4] = [0, 4, 8, 16];

impl Pool {
    fn new() -> Self {
        let mut pool = Pool { words: Words::new(), plain: Terms::without_simplification(), all: Vec::new() };
        for width in WIDTHS {
            for name in ["x", "y"] {
                let name = format!("{name}{width}");
                let ruled = pool.words.symbol(&name, width);
                pool.add_symbol(&name, ruled, width);
            }
        }
        for key in [0, 1] {
            let ruled = pool.words.base(Key(key), 16);
            pool.add_symbol(&format!("base!{key}"), ruled, 16);
        }
        pool
    }
    fn add_symbol(&mut self, name: &str, ruled: Term, width: u32) {
        let sort = if width == 0 { self.plain.bool_sort() } else { self.plain.bv_sort(width) };
        let plain = self.plain.variable(name, sort);
        self.all.push(Pair { ruled, plain, width });
    }
    fn pick(&self, random: &mut Random, width: u32) -> Pair {
        let fitting: Vec<&Pair> = self.all.iter().filter(|pair| pair.width == width).collect();
        // New terms more often than old ones, so that terms grow.
        let from = if random.one_in(2) { fitting.len() * 2 / 3 } else { 0 };
        *fitting[from + random.below((fitting.len() - from) as u64) as usize]
    }
    fn apply(&mut self, op: Op, args: &[Pair]) {
        let ruled: Vec<Term> = args.iter().map(|pair| pair.ruled).collect();
        let plain: Vec<Term> = args.iter().map(|pair| pair.plain).collect();
        let (ruled, plain) = (self.words.apply(op, &ruled), self.plain.make(op, &plain));
        let width = if self.plain.is_bool(plain) { 0 } else { self.plain.width(plain) };
        if WIDTHS.contains(&width) {
            self.all.push(Pair { ruled, plain, width });
        }
    }
    fn grow(&mut self, random: &mut Random) {
        let width = *random.pick(&WIDTHS[1..]);
        let (a, b, c) = (self.pick(random, width), self.pick(random, width), self.pick(random, 0));
        let binary: Vec<Op> = Op::on_bits(2).filter(|&op| op != Op::Concat).chain([Op::Eq]).collect();
        match random.below(9) {
            0 => {
                let value = random.below(1 << width.min(5)) << random.below(u64::from(width - 3)) & ((1 << width) - 1);
                let (ruled, plain) = (self.words.number(width, value), self.plain.bv(width, value));
                self.all.push(Pair { ruled, plain, width });
            }
            1 | 2 => self.apply(*random.pick(&binary), &[a, b]),
            3 | 4 => self.apply(Op::Ite, &[c, a, b]),
            5 => {
                let low = random.below(u64::from(width)) as u32;
                let high = low + random.below(u64::from(width - low)) as u32;
                self.apply(Op::Extract { high, low }, &[a]);
            }
            6 => {
                let by = *random.pick(&[4, 8, 12]);
                self.apply(*random.pick(&[Op::ZeroExtend(by), Op::SignExtend(by)]), &[a]);
            }
            7 => self.apply(Op::Concat, &[a, b]),
            _ => self.apply(*random.pick(&[Op::BvAdd, Op::BvSub, Op::BvAnd, Op::BvXor]), &[a, b]),
        }
    }
}

#[test]
fn rules_keep_the_value_and_what_is_known_is_true() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut pool = Pool::new();
        for _ in 0..400 {
            pool.grow(&mut random);
        }
        for _ in 0..10 {
            let numbers: Vec<u64> = (0..16).map(|_| random.below(1 << 16)).collect();
            let model = |terms: &Terms, symbol: Symbol| {
                let name = terms.symbol_name(symbol);
                let value = numbers[name.bytes().map(usize::from).sum::<usize>() % numbers.len()];
                Some(match *terms.sort_kind(terms.symbol_result(symbol)) {
                    SortKind::BitVec(width) => Value::Bits(Bits::from_u64(width, value & ((1 << width) - 1))),
                    _ => Value::Bool(value & 1 == 1),
                })
            };
            for pair in pool.all.clone() {
                let plain = eval(&pool.plain, pair.plain, |symbol, _| model(&pool.plain, symbol)).expect("a value");
                let terms = &pool.words.terms;
                let ruled = eval(terms, pair.ruled, |symbol, _| model(terms, symbol)).expect("a value");
                assert_eq!(
                    plain,
                    ruled,
                    "{}\n{}",
                    pool.plain.to_smtlib(pair.plain),
                    pool.words.terms.to_smtlib(pair.ruled)
                );
                let Value::Bits(bits) = plain else { continue };
                let value = bits.to_u64().expect("it is narrow");
                let info = pool.words.info(pair.ruled);
                let shown = || pool.words.terms.to_smtlib(pair.ruled);
                assert!(info.least <= value && value <= info.most, "{value} in {info:?}: {}", shown());
                assert!(value.trailing_zeros().min(pair.width) >= info.zeros, "{value} in {info:?}: {}", shown());
                if let Some(values) = pool.words.values(pair.ruled) {
                    assert!(values.contains(&value), "{value} in {values:?}");
                }
            }
        }
    }
}
