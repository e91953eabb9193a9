//! Words: terms over inputs and bases of objects, with the few rules that keep execution concrete.
//!
//! The store computes what is constant and builds the rest as given (`Terms::folding`). On top of that stand the rules of this file. They serve three
//! purposes: bytes that are stored and loaded again become the word that they came from; an address stays *base of an object + offset* through arithmetic and
//! choices; and an operator on a choice between few constants is a choice between constants, so that positions and counters stay known
//! after paths have met. Each rule is an equality of bit-vectors, tested against evaluation.

use std::rc::Rc;

use base::{Bits, FastMap};
use term::{Op, Scalar, Term, Terms, evaluate_operator as apply};

use crate::tuning::Tuning;

/// An object of a run, in the order of their making. Static objects come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Key(pub u32);

/// What is known of a term without regard to the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Info {
    /// The smallest and the largest value as an unsigned number, of up to 64 bits.
    pub least: u64,
    pub most: u64,
    /// Low bits that are zero.
    pub zeros: u32,
    /// Whether a base of an object is part of its value.
    pub has_base: bool,
    /// How many constants it is a choice of; zero if it is something else.
    pub constants: u32,
}

/// The store of an exploration.
pub(super) struct Words {
    pub terms: Terms,
    bases: FastMap<Term, Key>,
    info: FastMap<Term, Info>,
    sets: FastMap<Term, Option<Rc<[u64]>>>,
}

impl Words {
    pub fn new() -> Self {
        Words { terms: Terms::folding(), bases: FastMap::new(), info: FastMap::new(), sets: FastMap::new() }
    }
    /// The symbol for where an object lies.
    pub fn base(&mut self, key: Key, width: u32) -> Term {
        let base = self.symbol(&format!("base!{}", key.0), width);
        self.bases.insert(base, key);
        base
    }
    pub fn symbol(&mut self, name: &str, width: u32) -> Term {
        let sort = if width == 0 { self.terms.bool_sort() } else { self.terms.bv_sort(width) };
        self.terms.variable(name, sort)
    }
    pub fn constant(&self, term: Term) -> Option<u64> {
        self.terms.small_value(term)
    }
    pub fn number(&mut self, width: u32, value: u64) -> Term {
        self.terms.bv(width, value)
    }
    /// The object and the offset of an address in its normal form.
    pub fn pointer(&mut self, term: Term) -> Option<(Key, Term)> {
        if let Some(&key) = self.bases.get(&term) {
            let width = self.terms.width(term);
            return Some((key, self.number(width, 0)));
        }
        if self.terms.op(term) == Op::BvAdd
            && let Some(&key) = self.bases.get(&self.terms.arg(term, 0))
        {
            let offset = self.terms.arg(term, 1);
            return (!self.info(offset).has_base).then_some((key, offset));
        }
        None
    }
    /// The parts of a choice.
    pub fn choice(&self, term: Term) -> Option<(Term, Term, Term)> {
        (self.terms.op(term) == Op::Ite).then(|| {
            let args = self.terms.args(term);
            (args[0], args[1], args[2])
        })
    }

    // ---- building

    /// The operator applied to terms, by the first rule that fits.
    pub fn apply(&mut self, op: Op, args: &[Term]) -> Term {
        let made = match (op, args) {
            (Op::Ite, &[when, then, otherwise]) => self.ite(when, then, otherwise),
            (Op::Extract { high, low }, &[a]) => self.extract(a, high, low),
            (Op::Concat, &[a, b]) => self.concat(a, b),
            (Op::ZeroExtend(by), &[a]) => self.zero_extend(a, by),
            (Op::BvAdd, &[a, b]) => self.add(a, b),
            (Op::BvSub, &[a, b]) => self.sub(a, b),
            (Op::Distinct, &[a, b]) => {
                let equal = self.apply(Op::Eq, &[a, b]);
                self.terms.not(equal)
            }
            (Op::BvUgt, &[a, b]) => self.apply(Op::BvUlt, &[b, a]),
            (Op::BvUge, &[a, b]) => self.apply(Op::BvUle, &[b, a]),
            (Op::BvSgt, &[a, b]) => self.apply(Op::BvSlt, &[b, a]),
            (Op::BvSge, &[a, b]) => self.apply(Op::BvSle, &[b, a]),
            _ => match self.spread(op, args) {
                Some(made) => made,
                None => self.by_rule(op, args),
            },
        };
        self.info(made);
        made
    }
    /// if c then a else b. Rules: (ite (not c) a b) = (ite c b a); (ite c (ite c a b) d) = (ite c a d), alike on the other side; of truth values: connectives.
    pub fn ite(&mut self, when: Term, then: Term, otherwise: Term) -> Term {
        match self.terms.op(when) {
            _ if then == otherwise => return then,
            Op::True => return then,
            Op::False => return otherwise,
            _ => {}
        }
        if self.terms.op(when) == Op::Not {
            let positive = self.terms.arg(when, 0);
            return self.ite(positive, otherwise, then);
        }
        let then = match self.choice(then) {
            Some((inner, a, _)) if inner == when => a,
            _ => then,
        };
        let otherwise = match self.choice(otherwise) {
            Some((inner, _, b)) if inner == when => b,
            _ => otherwise,
        };
        let (op_then, op_otherwise) = (self.terms.op(then), self.terms.op(otherwise));
        let made = match (op_then, op_otherwise) {
            (Op::True, Op::False) => when,
            (Op::False, Op::True) => self.terms.not(when),
            (Op::True, _) => self.terms.or(&[when, otherwise]),
            (_, Op::False) => self.terms.and(&[when, then]),
            (Op::False, _) => {
                let not = self.terms.not(when);
                self.terms.and(&[not, otherwise])
            }
            (_, Op::True) => {
                let not = self.terms.not(when);
                self.terms.or(&[not, then])
            }
            _ => self.terms.ite(when, then, otherwise),
        };
        self.info(made);
        made
    }
    /// The operator on choices between few constants is a choice between constants.
    fn spread(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        apply(op, &self.samples(args)?)?;
        let mut leaves: u64 = 1;
        for &arg in args {
            leaves = leaves.saturating_mul(u64::from(self.info(arg).constants));
        }
        if !(2..=Tuning::DEFAULT.max_spread_constants).contains(&leaves) {
            return None;
        }
        let at = args.iter().position(|&arg| self.choice(arg).is_some())?;
        let (when, then, otherwise) = self.choice(args[at])?;
        let mut parts = [then, otherwise].map(|part| {
            let mut args = args.to_vec();
            args[at] = part;
            args
        });
        let [then, otherwise] = &mut parts;
        let (then, otherwise) = (self.apply(op, then), self.apply(op, otherwise));
        Some(self.ite(when, then, otherwise))
    }
    /// Values of the widths of the arguments; none if they are not bit-vectors.
    fn samples(&self, args: &[Term]) -> Option<Vec<Bits>> {
        args.iter().map(|&arg| (!self.terms.is_bool(arg)).then(|| Bits::zero(self.terms.width(arg)))).collect()
    }
    /// Rules of single operators: neutral and absorbing constants, and comparisons that ranges decide.
    fn by_rule(&mut self, op: Op, args: &[Term]) -> Term {
        if let &[a, b] = args
            && !self.terms.is_bool(a)
            && self.terms.width(a) <= 64
            && let Some(known) = self.binary_rule(op, a, b)
        {
            return known;
        }
        match (op, args) {
            // (= (zero_extend x) c) = (= x c), if c fits; comparisons alike.
            (Op::Eq | Op::BvUlt | Op::BvUle, &[a, b]) if !self.terms.is_bool(a) => {
                let (a, b) = self.narrowed(a, b);
                self.terms.make(op, &[a, b])
            }
            _ => self.terms.make(op, args),
        }
    }
    fn binary_rule(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let width = self.terms.width(a);
        let ones = u64::MAX >> (64 - width);
        let (x, y) = (self.info(a), self.info(b));
        let value = |info: Info| (info.least == info.most && !info.has_base).then_some(info.least);
        let truth = |words: &mut Self, holds: bool| Some(words.terms.truth(holds));
        match (op, value(x), value(y)) {
            (Op::BvAnd, Some(0), _) | (Op::BvAnd | Op::BvMul, _, Some(0)) | (Op::BvMul, Some(0), _) => {
                Some(self.number(width, 0))
            }
            (Op::BvAnd, Some(c), _) if c == ones => Some(b),
            (Op::BvAnd, _, Some(c)) if c == ones => Some(a),
            // x & c = x if c covers all bits of x.
            (Op::BvAnd, _, Some(c)) if c & (c.wrapping_add(1)) == 0 && x.most <= c && !x.has_base => Some(a),
            (Op::BvAnd, Some(c), _) if c & (c.wrapping_add(1)) == 0 && y.most <= c && !y.has_base => Some(b),
            (Op::BvOr | Op::BvXor, Some(0), _) => Some(b),
            (Op::BvOr | Op::BvXor | Op::BvShl | Op::BvLshr | Op::BvAshr, _, Some(0)) => Some(a),
            (Op::BvXor, _, _) if a == b => Some(self.number(width, 0)),
            (Op::BvAnd | Op::BvOr, _, _) if a == b => Some(a),
            // (x ^ y) ^ y = x
            (Op::BvXor, _, _) if self.terms.op(a) == Op::BvXor && self.terms.args(a).contains(&b) => {
                let args = self.terms.args(a);
                Some(if args[0] == b { args[1] } else { args[0] })
            }
            (Op::BvXor, _, _) if self.terms.op(b) == Op::BvXor && self.terms.args(b).contains(&a) => {
                let args = self.terms.args(b);
                Some(if args[0] == a { args[1] } else { args[0] })
            }
            (Op::BvMul, Some(1), _) => Some(b),
            (Op::BvMul | Op::BvUdiv | Op::BvSdiv, _, Some(1)) => Some(a),
            (Op::Eq, _, _) if x.most < y.least || y.most < x.least => truth(self, false),
            (Op::BvUlt, _, _) if x.most < y.least => truth(self, true),
            (Op::BvUlt, _, _) if x.least >= y.most => truth(self, false),
            (Op::BvUle, _, _) if x.most <= y.least => truth(self, true),
            (Op::BvUle, _, _) if x.least > y.most => truth(self, false),
            // Numbers without sign compare alike.
            (Op::BvSlt, _, _) if x.most <= ones >> 1 && y.most <= ones >> 1 => Some(self.apply(Op::BvUlt, &[a, b])),
            (Op::BvSle, _, _) if x.most <= ones >> 1 && y.most <= ones >> 1 => Some(self.apply(Op::BvUle, &[a, b])),
            (Op::BvUrem, _, Some(c)) if x.most < c => Some(a),
            _ => None,
        }
    }
    /// Both sides without zeros in front that both have.
    fn narrowed(&mut self, a: Term, b: Term) -> (Term, Term) {
        let (Op::ZeroExtend(by), other) = (match (self.terms.op(a), self.terms.op(b)) {
            (op @ Op::ZeroExtend(_), _) => (op, b),
            (_, op) => (op, a),
        }) else {
            return (a, b);
        };
        let narrow = self.terms.width(a) - by;
        let fits = self.info(other).most.checked_shr(narrow).unwrap_or(0) == 0 && !self.info(other).has_base;
        if !fits || narrow > 64 || self.terms.width(a) > 64 {
            return (a, b);
        }
        (self.extract(a, narrow - 1, 0), self.extract(b, narrow - 1, 0))
    }
    /// Sums keep the form *base + offset*, or *something + constant*.
    fn add(&mut self, a: Term, b: Term) -> Term {
        if self.constant(b) == Some(0) {
            return a;
        }
        if self.constant(a) == Some(0) {
            return b;
        }
        let (has_a, has_b) = (self.info(a).has_base, self.info(b).has_base);
        if has_a != has_b {
            let (address, number) = if has_a { (a, b) } else { (b, a) };
            if self.pointer(address).is_some() {
                let at_base = self.terms.op(address) != Op::BvAdd;
                let base = if at_base { address } else { self.terms.arg(address, 0) };
                let offset = if at_base { number } else { self.add(self.terms.arg(address, 1), number) };
                // The offset zero is written too where it is made of something: the form must not depend on that.
                return if self.constant(offset) == Some(0) { base } else { self.terms.bv_add(base, offset) };
            }
            if let Some((when, then, otherwise)) = self.choice(address) {
                let (then, otherwise) = (self.add(then, number), self.add(otherwise, number));
                return self.ite(when, then, otherwise);
            }
            return self.terms.bv_add(a, b);
        }
        if let Some(made) = self.spread(Op::BvAdd, &[a, b]) {
            return made;
        }
        // (x + c) + d = x + (c + d)
        let (a, b) = if self.terms.is_value(a) { (b, a) } else { (a, b) };
        if self.terms.is_value(b) && self.terms.op(a) == Op::BvAdd && self.terms.is_value(self.terms.arg(a, 1)) {
            let (inner, c) = (self.terms.arg(a, 0), self.terms.arg(a, 1));
            let sum = self.terms.bv_add(c, b);
            return self.add(inner, sum);
        }
        self.terms.bv_add(a, b)
    }
    /// x - c = x + -c; the difference of two addresses of one object is that of the offsets.
    fn sub(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            let width = self.terms.width(a);
            return self.number(width, 0);
        }
        if self.terms.is_value(b) {
            let negated = self.terms.bv_neg(b);
            return self.add(a, negated);
        }
        let (has_a, has_b) = (self.info(a).has_base, self.info(b).has_base);
        if has_a {
            match (self.pointer(a), self.pointer(b)) {
                (Some((key, x)), Some((other, y))) if key == other => return self.sub(x, y),
                (Some((_, x)), None) if !has_b => {
                    let base = if self.terms.op(a) == Op::BvAdd { self.terms.arg(a, 0) } else { a };
                    let offset = self.sub(x, b);
                    return self.add(base, offset);
                }
                _ => {}
            }
            for (side, other, is_left) in [(a, b, true), (b, a, false)] {
                if self.info(side).has_base
                    && let Some((when, then, otherwise)) = self.choice(side)
                {
                    let mut part = |part: Term| if is_left { self.sub(part, other) } else { self.sub(other, part) };
                    let (then, otherwise) = (part(then), part(otherwise));
                    return self.ite(when, then, otherwise);
                }
            }
        }
        if let Some(made) = self.spread(Op::BvSub, &[a, b]) {
            return made;
        }
        self.terms.bv_sub(a, b)
    }
    /// Bits of parts, of extensions and of choices between constants.
    pub fn extract(&mut self, a: Term, high: u32, low: u32) -> Term {
        let width = self.terms.width(a);
        if low == 0 && high + 1 == width {
            return a;
        }
        let made = match self.terms.op(a) {
            Op::Extract { low: below, .. } => {
                let inner = self.terms.arg(a, 0);
                self.extract(inner, high + below, low + below)
            }
            Op::Concat => {
                let (upper, lower) = (self.terms.arg(a, 0), self.terms.arg(a, 1));
                let split = self.terms.width(lower);
                if high < split {
                    self.extract(lower, high, low)
                } else if low >= split {
                    self.extract(upper, high - split, low - split)
                } else {
                    let (upper, lower) = (self.extract(upper, high - split, 0), self.extract(lower, split - 1, low));
                    self.concat(upper, lower)
                }
            }
            op @ (Op::ZeroExtend(_) | Op::SignExtend(_)) => {
                let inner = self.terms.arg(a, 0);
                let inner_width = self.terms.width(inner);
                if high < inner_width {
                    self.extract(inner, high, low)
                } else if low == 0 {
                    let by = high + 1 - inner_width;
                    match op {
                        Op::ZeroExtend(_) => self.zero_extend(inner, by),
                        _ => self.terms.make(Op::SignExtend(by), &[inner]),
                    }
                } else if low >= inner_width && matches!(op, Op::ZeroExtend(_)) {
                    self.number(high - low + 1, 0)
                } else {
                    self.terms.extract(a, high, low)
                }
            }
            op @ (Op::BvAnd | Op::BvOr | Op::BvXor) => {
                let (x, y) = (self.terms.arg(a, 0), self.terms.arg(a, 1));
                let (x, y) = (self.extract(x, high, low), self.extract(y, high, low));
                self.apply(op, &[x, y])
            }
            _ => match self.spread(Op::Extract { high, low }, &[a]) {
                Some(made) => made,
                None => self.terms.extract(a, high, low),
            },
        };
        self.info(made);
        made
    }
    /// Neighbouring bits of one word are bits of that word; zeros in front are an extension.
    pub fn concat(&mut self, upper: Term, lower: Term) -> Term {
        let wide = |words: &Self, term: Term| match words.terms.op(term) {
            Op::Extract { high, low } => (words.terms.arg(term, 0), high, low),
            _ => (term, words.terms.width(term) - 1, 0),
        };
        let ((x, high, low), (y, below, first)) = (wide(self, upper), wide(self, lower));
        let made = if x == y && low == below + 1 {
            self.extract(x, high, first)
        } else if self.constant(upper) == Some(0) {
            let by = self.terms.width(upper);
            self.zero_extend(lower, by)
        } else {
            match self.spread(Op::Concat, &[upper, lower]) {
                Some(made) => made,
                None => self.terms.concat(upper, lower),
            }
        };
        self.info(made);
        made
    }
    fn zero_extend(&mut self, a: Term, by: u32) -> Term {
        if by == 0 {
            return a;
        }
        if let Op::ZeroExtend(more) = self.terms.op(a) {
            let inner = self.terms.arg(a, 0);
            return self.zero_extend(inner, by + more);
        }
        match self.spread(Op::ZeroExtend(by), &[a]) {
            Some(made) => made,
            None => self.terms.make(Op::ZeroExtend(by), &[a]),
        }
    }

    // ---- what is known of a term

    pub fn info(&mut self, term: Term) -> Info {
        if let Some(&known) = self.info.get(&term) {
            return known;
        }
        let info = self.computed(term);
        self.info.insert(term, info);
        info
    }
    /// Long: a line for each operator.
    fn computed(&mut self, term: Term) -> Info {
        let none = Info { least: 0, most: 1, zeros: 0, has_base: false, constants: 0 };
        if self.terms.is_bool(term) {
            return none;
        }
        let width = self.terms.width(term);
        let args = self.terms.args(term).to_vec();
        let parts: Vec<Info> = args.iter().map(|&arg| self.info(arg)).collect();
        let has_base = self.bases.contains_key(&term)
            || args.iter().zip(&parts).any(|(&arg, info)| info.has_base && !self.terms.is_bool(arg));
        let constants = match (self.terms.op(term), &parts[..]) {
            (Op::Value, _) => 1,
            (Op::Ite, [_, a, b]) if a.constants > 0 && b.constants > 0 => a.constants.saturating_add(b.constants),
            _ => 0,
        };
        if width > 64 {
            return Info { least: 0, most: u64::MAX, has_base, constants, ..none };
        }
        let ones = u64::MAX >> (64 - width);
        let any = Info { least: 0, most: ones, zeros: 0, has_base, constants };
        if let Some(value) = self.terms.small_value(term) {
            return Info { least: value, most: value, zeros: value.trailing_zeros().min(width), ..any };
        }
        if has_base && self.terms.op(term) != Op::Ite {
            return any;
        }
        let fits = |most: Option<u64>| most.filter(|&most| most <= ones);
        match (self.terms.op(term), &parts[..]) {
            (Op::Ite, [_, a, b]) => {
                Info { least: a.least.min(b.least), most: a.most.max(b.most), zeros: a.zeros.min(b.zeros), ..any }
            }
            (Op::ZeroExtend(_), [a]) => Info { least: a.least, most: a.most, zeros: a.zeros, ..any },
            (Op::Extract { high, low }, [a]) if self.terms.width(args[0]) <= 64 => {
                let is_whole = a.most.checked_shr(high + 1).unwrap_or(0) == 0;
                let zeros = a.zeros.saturating_sub(low).min(width);
                if is_whole {
                    Info { least: a.least >> low, most: a.most >> low, zeros, ..any }
                } else {
                    Info { zeros, ..any }
                }
            }
            (Op::Concat, [a, b]) => {
                let shift = self.terms.width(args[1]);
                let least = a.least.checked_shl(shift).unwrap_or(0) | b.least;
                let most = a.most.checked_shl(shift).unwrap_or(0) | b.most;
                Info { least, most, zeros: b.zeros, ..any }
            }
            (Op::BvAnd, [a, b]) => Info { most: a.most.min(b.most), zeros: a.zeros.max(b.zeros), ..any },
            (Op::BvOr | Op::BvXor, [a, b]) => {
                let bits = 64 - (a.most | b.most).leading_zeros();
                let most = if bits == 0 { 0 } else { u64::MAX >> (64 - bits) };
                Info { most, zeros: a.zeros.min(b.zeros), ..any }
            }
            (Op::BvAdd, [a, b]) => {
                let zeros = a.zeros.min(b.zeros);
                match fits(a.most.checked_add(b.most)) {
                    Some(most) => Info { least: a.least + b.least, most, zeros, ..any },
                    None => Info { zeros, ..any },
                }
            }
            (Op::BvSub, [a, b]) if a.least >= b.most => {
                Info { least: a.least - b.most, most: a.most - b.least, zeros: a.zeros.min(b.zeros), ..any }
            }
            (Op::BvMul, [a, b]) => {
                let zeros = (a.zeros + b.zeros).min(width);
                match fits(a.most.checked_mul(b.most)) {
                    Some(most) => Info { least: a.least * b.least, most, zeros, ..any },
                    None => Info { zeros, ..any },
                }
            }
            (Op::BvShl, [a, b]) if b.least == b.most && b.least < 64 => {
                let by = b.least as u32;
                let zeros = (a.zeros + by).min(width);
                match fits(a.most.checked_mul(1 << by)) {
                    Some(most) => Info { least: a.least << by, most, zeros, ..any },
                    None => Info { zeros, ..any },
                }
            }
            (Op::BvLshr, [a, b]) if b.least == b.most => {
                let by = u32::try_from(b.least).unwrap_or(64).min(64);
                Info { least: a.least.checked_shr(by).unwrap_or(0), most: a.most.checked_shr(by).unwrap_or(0), ..any }
            }
            (Op::BvLshr, [a, _]) => Info { most: a.most, ..any },
            (Op::BvUrem, [a, b]) if b.least > 0 => Info { most: a.most.min(b.most - 1), ..any },
            (Op::BvUdiv, [a, b]) if b.least > 0 => Info { least: a.least / b.most, most: a.most / b.least, ..any },
            _ => any,
        }
    }
    /// All values that the term may have, in order, if they are few: more than there are, never fewer.
    pub fn values(&mut self, term: Term) -> Option<Rc<[u64]>> {
        if let Some(known) = self.sets.get(&term) {
            return known.clone();
        }
        let found = self.values_of_parts(term).or_else(|| {
            let info = self.info(term);
            let step = 1u64.checked_shl(info.zeros).unwrap_or(0).max(1);
            let count = (info.most - info.least) / step;
            (count < Tuning::DEFAULT.max_symbolic_values as u64 && !info.has_base && self.terms.width(term) <= 64).then(
                || {
                    let first = info.least.next_multiple_of(step);
                    (0..=count).map(|i| first + i * step).filter(|&value| value <= info.most).collect::<Rc<[u64]>>()
                },
            )
        });
        self.sets.insert(term, found.clone());
        found
    }
    fn values_of_parts(&mut self, term: Term) -> Option<Rc<[u64]>> {
        let width = self.terms.width(term);
        if width > 64 || self.info(term).has_base {
            return None;
        }
        if let Some(value) = self.constant(term) {
            return Some(Rc::from([value]));
        }
        let op = self.terms.op(term);
        let args = self.terms.args(term).to_vec();
        let limit = Tuning::DEFAULT.max_symbolic_values;
        let mut all: Vec<u64> = Vec::new();
        if let Some((_, then, otherwise)) = self.choice(term) {
            all.extend(self.values(then)?.iter());
            all.extend(self.values(otherwise)?.iter());
        } else {
            let is_small = |words: &Self, arg: Term| !words.terms.is_bool(arg) && words.terms.width(arg) <= 64;
            match args[..] {
                [a] if is_small(self, a) => {
                    let width_a = self.terms.width(a);
                    for &x in self.values(a)?.iter() {
                        all.push(number(apply(op, &[Bits::from_u64(width_a, x)])?)?);
                    }
                }
                [a, b] if is_small(self, a) && is_small(self, b) => {
                    let (width_a, width_b) = (self.terms.width(a), self.terms.width(b));
                    let (xs, ys) = (self.values(a)?, self.values(b)?);
                    if xs.len() * ys.len() > limit {
                        return None;
                    }
                    for &x in xs.iter() {
                        for &y in ys.iter() {
                            let args = [Bits::from_u64(width_a, x), Bits::from_u64(width_b, y)];
                            all.push(number(apply(op, &args)?)?);
                        }
                    }
                }
                _ => return None,
            }
        }
        all.sort_unstable();
        all.dedup();
        (all.len() <= limit).then(|| all.into())
    }
}

fn number(scalar: Scalar) -> Option<u64> {
    match scalar {
        Scalar::Bits(bits) => bits.to_u64(),
        Scalar::Bool(_) => None,
    }
}
