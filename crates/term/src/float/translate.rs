//! Formulas over floats as formulas over their encodings.
//!
//! A symbol of a float sort becomes one of its encoding, and an array or function over floats one over encodings. What is
//! read as a float and what is written as its bits are the same word, so a NaN that is only moved keeps its bits. A NaN that an operation or a literal makes has
//! bits that are open: C does not say which. Remainders stay functions.

use base::{Bits, FastMap};

use super::arithmetic::{Rounded, add, divide, multiply, root};
use super::convert::{equal, extreme, from_integer, less, resize, same, to_integer, with_sign};
use super::format::{Format, Parts, unpack};
use super::integral::{Rounding, round};
use crate::{FpOp, Op, Sort, SortKind, Term, Terms};

/// What is known of the bits of a NaN that an operation makes, of the sign of the smaller or larger of two zeros, and of the integer that a number becomes which does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nans {
    /// Nothing but that the bits encode a quiet NaN: a fresh symbol for each operation.
    Open,
    /// The quiet NaN without sign and payload; of two zeros the second; the integer that x86 gives.
    Canonical,
}

/// A translation that remembers what it has done in one store.
#[derive(Clone, Debug)]
pub struct Words {
    nans: Nans,
    done: FastMap<Term, Term>,
    sorts: FastMap<Sort, Sort>,
}

impl Words {
    /// No term is translated yet.
    pub fn new(nans: Nans) -> Words {
        Words { nans, done: FastMap::new(), sorts: FastMap::new() }
    }
    /// Whether floats occur in the terms, and all in formats that have circuits.
    pub fn apply_to(terms: &Terms, roots: &[Term]) -> bool {
        let mut is_any = false;
        for part in terms.subterms(roots) {
            match contains(terms, terms.sort_of(part)) {
                Some(false) => return false,
                Some(true) => is_any = true,
                None => {}
            }
        }
        is_any
    }
    /// This symbol becomes that term.
    pub fn put(&mut self, symbol: Term, word: Term) {
        self.done.insert(symbol, word);
    }
    /// The sort with encodings in place of floats.
    pub fn sort(&mut self, terms: &mut Terms, sort: Sort) -> Sort {
        if let Some(&done) = self.sorts.get(&sort) {
            return done;
        }
        let new = match *terms.sort_kind(sort) {
            SortKind::Float(exponent, significand) => terms.bv_sort(exponent + significand),
            SortKind::Array(index, element) => {
                let (index, element) = (self.sort(terms, index), self.sort(terms, element));
                terms.sort(SortKind::Array(index, element))
            }
            _ => sort,
        };
        self.sorts.insert(sort, new);
        new
    }
    /// The term over encodings.
    pub fn term(&mut self, terms: &mut Terms, term: Term) -> Term {
        for old in terms.subterms_until(&[term], |term| self.done.contains_key(&term)) {
            let new = self.one(terms, old);
            self.done.insert(old, new);
        }
        self.done[&term]
    }

    /// A term whose arguments are translated.
    fn one(&mut self, terms: &mut Terms, old: Term) -> Term {
        let args: Vec<Term> = terms.args(old).iter().map(|arg| self.done[arg]).collect();
        let sort = terms.sort_of(old);
        match terms.op(old) {
            Op::Symbol(symbol) => {
                let result = self.sort(terms, sort);
                let signature = terms.symbol_args(symbol).to_vec();
                let new: Vec<Sort> = signature.iter().map(|&sort| self.sort(terms, sort)).collect();
                if result == sort && new == signature {
                    return terms.rebuild(old, &args);
                }
                let name = format!("{} in bits", terms.symbol_name(symbol));
                let symbol = terms.declare(&name, &new, result).expect("the name is made for this signature");
                terms.apply(symbol, &args)
            }
            Op::Numeral => match Format::of(terms.sort_kind(sort)) {
                Some(format) => self.literal(terms, old, format),
                None => old,
            },
            Op::Eq => match self.format_of_arg(terms, old) {
                Some(format) => {
                    let (x, y) = (unpack(terms, format, args[0]), unpack(terms, format, args[1]));
                    same(terms, x, y)
                }
                None => terms.make(Op::Eq, &args),
            },
            Op::Distinct if self.format_of_arg(terms, old).is_some() => {
                let format = self.format_of_arg(terms, old).expect("it was just looked at");
                let parts: Vec<Parts> = args.iter().map(|&arg| unpack(terms, format, arg)).collect();
                let mut all = Vec::new();
                for (place, &x) in parts.iter().enumerate() {
                    for &y in &parts[..place] {
                        let same = same(terms, x, y);
                        all.push(terms.not(same));
                    }
                }
                terms.and(&all)
            }
            Op::ConstArray => {
                let sort = self.sort(terms, sort);
                terms.const_array(sort, args[0])
            }
            Op::Fp(op) => self.operator(terms, op, old, &args),
            Op::Value | Op::True | Op::False => old,
            op => terms.make(op, &args),
        }
    }
    fn format_of_arg(&self, terms: &Terms, term: Term) -> Option<Format> {
        Format::of(terms.sort_kind(terms.sort_of(terms.arg(term, 0))))
    }
    fn literal(&mut self, terms: &mut Terms, old: Term, format: Format) -> Term {
        let text = terms.numeral_text(old).expect("a numeral has a text");
        let bits = Bits::parse_hex(text).expect("a float is written in hexadecimal digits");
        let word = terms.bits(bits.resize_unsigned(format.width()));
        let parts = unpack(terms, format, word);
        self.settled(terms, old, format, Rounded { word, is_nan: parts.is_nan })
    }
    /// Long: one `match` over all operators.
    fn operator(&mut self, terms: &mut Terms, op: FpOp, old: Term, args: &[Term]) -> Term {
        let sort = terms.sort_of(old);
        let result = Format::of(terms.sort_kind(sort));
        let of_arg = self.format_of_arg(terms, old);
        let format = of_arg.or(result).expect("a float operator has a float among its arguments and result");
        let x = |terms: &mut Terms| unpack(terms, format, args[0]);
        let both = |terms: &mut Terms| (unpack(terms, format, args[0]), unpack(terms, format, args[1]));
        let rounded = match op {
            FpOp::FromBits | FpOp::ToBits => return args[0],
            FpOp::FromSigned | FpOp::FromUnsigned => {
                return from_integer(terms, args[0], op == FpOp::FromSigned, format);
            }
            FpOp::ToSigned | FpOp::ToUnsigned => {
                let SortKind::BitVec(width) = *terms.sort_kind(sort) else { panic!("the result is a word") };
                let x = x(terms);
                // C leaves undefined what comes of a number that does not fit.
                let otherwise = (self.nans == Nans::Open).then(|| fresh(terms, old, "overflow", sort));
                return to_integer(terms, x, op == FpOp::ToSigned, width, otherwise);
            }
            FpOp::FromFloat => {
                let x = x(terms);
                resize(terms, x, result.expect("the result is a float"))
            }
            FpOp::Add | FpOp::Sub => {
                let (x, mut y) = both(terms);
                if op == FpOp::Sub {
                    let sign = terms.not(y.sign);
                    let word = with_sign(terms, y, sign);
                    y = unpack(terms, format, word);
                }
                add(terms, x, y)
            }
            FpOp::Mul => {
                let (x, y) = both(terms);
                multiply(terms, x, y)
            }
            FpOp::Div => {
                let (x, y) = both(terms);
                divide(terms, x, y)
            }
            FpOp::Sqrt => {
                let x = x(terms);
                root(terms, x)
            }
            FpOp::Fmod | FpOp::Rem => return self.function(terms, op, format, args),
            FpOp::Neg | FpOp::Abs => {
                let x = x(terms);
                let sign = if op == FpOp::Neg { terms.not(x.sign) } else { terms.truth(false) };
                return with_sign(terms, x, sign);
            }
            FpOp::Floor | FpOp::Ceil | FpOp::Trunc | FpOp::Round | FpOp::RoundEven => {
                let x = x(terms);
                let word = round(terms, x, Rounding::of(op).expect("it rounds to an integral value"));
                Rounded { word, is_nan: x.is_nan }
            }
            FpOp::Min | FpOp::Max => {
                let (x, y) = both(terms);
                let truth = terms.bool_sort();
                let second = match self.nans {
                    Nans::Open => Some(fresh(terms, old, "zero", truth)),
                    Nans::Canonical => None,
                };
                let word = extreme(terms, x, y, op == FpOp::Min, second);
                let is_nan = terms.and(&[x.is_nan, y.is_nan]);
                Rounded { word, is_nan }
            }
            FpOp::Eq => {
                let (x, y) = both(terms);
                return equal(terms, x, y);
            }
            FpOp::Lt | FpOp::Le => {
                let (x, y) = both(terms);
                return less(terms, x, y, op == FpOp::Le);
            }
            FpOp::IsNan => return x(terms).is_nan,
            FpOp::IsInfinite => return x(terms).is_infinite,
            FpOp::IsZero => return x(terms).is_zero,
            FpOp::IsNormal => {
                let x = x(terms);
                let special = terms.or(&[x.is_nan, x.is_infinite]);
                let finite = terms.not(special);
                return terms.and(&[x.is_normal, finite]);
            }
            FpOp::IsSubnormal => {
                let x = x(terms);
                let either = terms.or(&[x.is_normal, x.is_zero]);
                return terms.not(either);
            }
            FpOp::IsNegative => {
                let x = x(terms);
                let number = terms.not(x.is_nan);
                return terms.and(&[x.sign, number]);
            }
        };
        self.settled(terms, old, result.expect("the result is a float"), rounded)
    }
    /// The result with the bits that a NaN has.
    fn settled(&mut self, terms: &mut Terms, old: Term, format: Format, rounded: Rounded) -> Term {
        let nan = terms.bits(format.nan());
        let never = terms.truth(false);
        let nan = match self.nans {
            _ if rounded.is_nan == never => return rounded.word,
            Nans::Canonical => nan,
            Nans::Open => {
                let sort = terms.bv_sort(format.width());
                let open = fresh(terms, old, "NaN", sort);
                terms.bv_or(open, nan)
            }
        };
        terms.ite(rounded.is_nan, nan, rounded.word)
    }
    /// An operator without a circuit, as a function of encodings.
    fn function(&mut self, terms: &mut Terms, op: FpOp, format: Format, args: &[Term]) -> Term {
        let sort = terms.bv_sort(format.width());
        let name = format!("{op:?} of {} and {} bits", format.exponent, format.significand);
        let symbol = terms.declare(&name, &[sort, sort], sort).expect("the name is made for this signature");
        terms.apply(symbol, args)
    }
}

/// A symbol for what this term leaves open.
fn fresh(terms: &mut Terms, old: Term, what: &str, sort: Sort) -> Term {
    terms.variable(&format!("{what} of {}", old.index()), sort)
}

/// Whether values of this sort contain floats, and if so whether they have circuits.
fn contains(terms: &Terms, sort: Sort) -> Option<bool> {
    match *terms.sort_kind(sort) {
        SortKind::Float(..) => Some(Format::of(terms.sort_kind(sort)).is_some()),
        SortKind::Array(index, element) => match (contains(terms, index), contains(terms, element)) {
            (Some(a), Some(b)) => Some(a && b),
            (one, other) => one.or(other),
        },
        _ => None,
    }
}
