//! Terms as C expressions without undefined behaviour.
//!
//! Bit-vectors of up to 64 bits become `unsigned long long` expressions whose value is that of the bits: arithmetic
//! on them wraps and is cut to the width by a mask. Signed comparison is unsigned comparison with the sign bit
//! flipped. Where both sides of a comparison are variables or constants of one signedness, the C operator says the
//! same and is used; so it is for sums and products of 32 bits as `unsigned int`. What cannot be said (arrays, floats, pointers, wide words) gives nothing.

use base::Bits;
use term::{Op, SortKind, Term, Terms};

use crate::tuning::Tuning;

/// A variable as C sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Its name.
    pub name: String,
    /// Whether its type is signed.
    pub signed: bool,
}

/// The C expression of a term of sort Bool, if there is one. `leaf` gives the C expression of a symbol.
pub fn truth(terms: &Terms, term: Term, leaf: &dyn Fn(Term) -> Option<Leaf>) -> Option<String> {
    Writer { terms, leaf }.truth(term, Tuning::DEFAULT.max_expression_depth)
}

struct Writer<'a> {
    terms: &'a Terms,
    leaf: &'a dyn Fn(Term) -> Option<Leaf>,
}

impl Writer<'_> {
    fn truth(&self, term: Term, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let args = self.terms.args(term);
        let all = |join: &str| -> Option<String> {
            let parts: Option<Vec<String>> = args.iter().map(|&arg| self.truth(arg, depth)).collect();
            Some(format!("({})", parts?.join(join)))
        };
        let text = match self.terms.op(term) {
            Op::True => "1".to_owned(),
            Op::False => "0".to_owned(),
            Op::Symbol(_) if args.is_empty() => format!("({} != 0)", (self.leaf)(term)?.name),
            Op::Not => match self.opposite(args[0], depth) {
                Some(text) => text,
                None => format!("!{}", self.truth(args[0], depth)?),
            },
            Op::And => all(" && ")?,
            Op::Or => all(" || ")?,
            Op::Implies => format!("(!{} || {})", self.truth(args[0], depth)?, self.truth(args[1], depth)?),
            Op::Xor => format!("({} != {})", self.truth(args[0], depth)?, self.truth(args[1], depth)?),
            Op::Ite => format!(
                "({} ? {} : {})",
                self.truth(args[0], depth)?,
                self.truth(args[1], depth)?,
                self.truth(args[2], depth)?
            ),
            Op::Eq if self.terms.is_bool(args[0]) => all(" == ")?,
            Op::Eq => self.compared("==", None, args[0], args[1], depth)?,
            Op::Distinct if args.len() == 2 && !self.terms.is_bool(args[0]) => {
                self.compared("!=", None, args[0], args[1], depth)?
            }
            op => {
                let (sign, signed) = order(op)?;
                self.compared(sign, Some(signed), args[0], args[1], depth)?
            }
        };
        (text.len() <= Tuning::DEFAULT.max_expression_bytes).then_some(text)
    }

    /// The negation of a comparison.
    fn opposite(&self, term: Term, depth: usize) -> Option<String> {
        let args = self.terms.args(term);
        if self.terms.op(term) == Op::Eq && !self.terms.is_bool(args[0]) {
            return self.compared("!=", None, args[0], args[1], depth);
        }
        let (sign, signed) = order(self.terms.op(term))?;
        let sign = match sign {
            "<" => ">=",
            "<=" => ">",
            ">" => "<=",
            _ => "<",
        };
        self.compared(sign, Some(signed), args[0], args[1], depth)
    }

    /// A comparison; `signed` none: of equality, where either reading will do.
    fn compared(&self, sign: &str, signed: Option<bool>, a: Term, b: Term, depth: usize) -> Option<String> {
        for reading in [true, false] {
            if signed.is_none_or(|signed| signed == reading)
                && let (Some(left), Some(right)) = (self.native(a, reading), self.native(b, reading))
            {
                return Some(format!("({left} {sign} {right})"));
            }
        }
        if let (Some(left), Some(right)) = (self.int(a, depth), self.int(b, depth)) {
            return Some(if signed == Some(true) {
                format!("(({left} ^ 0x80000000u) {sign} ({right} ^ 0x80000000u))")
            } else {
                format!("({left} {sign} {right})")
            });
        }
        let (left, right) = (self.word(a, depth)?, self.word(b, depth)?);
        if signed == Some(true) {
            let top = 1u64 << (self.terms.width(a) - 1);
            return Some(format!("(({left} ^ {top:#x}ULL) {sign} ({right} ^ {top:#x}ULL))"));
        }
        Some(format!("({left} {sign} {right})"))
    }

    /// A variable or constant whose C value is the signed or unsigned value of the bits.
    fn native(&self, term: Term, signed: bool) -> Option<String> {
        let width = self.width(term)?;
        if !matches!(width, 8 | 16 | 32 | 64) {
            return None;
        }
        if let Some(bits) = self.terms.value(term) {
            return literal(&bits, signed);
        }
        let leaf = (self.leaf)(term)?;
        (leaf.signed == signed).then_some(leaf.name)
    }

    /// A word of 32 bits as `unsigned int`, where C's own arithmetic is that of the bits.
    fn int(&self, term: Term, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        if self.width(term)? != 32 {
            return None;
        }
        let args = self.terms.args(term);
        let joined = |sign: &str| -> Option<String> {
            let parts: Option<Vec<String>> = args.iter().map(|&arg| self.int(arg, depth)).collect();
            Some(format!("({})", parts?.join(sign)))
        };
        let text = match self.terms.op(term) {
            Op::Value => format!("{}u", self.terms.value(term)?.to_u64()?),
            Op::Symbol(_) if args.is_empty() => {
                let leaf = (self.leaf)(term)?;
                if leaf.signed { format!("(unsigned int){}", leaf.name) } else { leaf.name }
            }
            Op::BvNot => format!("(~{})", self.int(args[0], depth)?),
            Op::BvNeg => format!("(0u - {})", self.int(args[0], depth)?),
            Op::BvAnd => joined(" & ")?,
            Op::BvOr => joined(" | ")?,
            Op::BvXor => joined(" ^ ")?,
            Op::BvAdd => joined(" + ")?,
            Op::BvSub => joined(" - ")?,
            Op::BvMul => joined(" * ")?,
            _ => return None,
        };
        (text.len() <= Tuning::DEFAULT.max_expression_bytes).then_some(text)
    }

    /// The value of the bits as `unsigned long long`.
    fn word(&self, term: Term, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let terms = self.terms;
        let width = self.width(term)?;
        let args = terms.args(term);
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        let cut = |text: String| if width == 64 { text } else { format!("({text} & {mask:#x}ULL)") };
        let joined = |sign: &str| -> Option<String> {
            let parts: Option<Vec<String>> = args.iter().map(|&arg| self.word(arg, depth)).collect();
            Some(format!("({})", parts?.join(sign)))
        };
        let text = match terms.op(term) {
            Op::Value => format!("{:#x}ULL", terms.value(term)?.to_u64()?),
            Op::Symbol(_) if args.is_empty() => {
                let leaf = (self.leaf)(term)?;
                let text = format!("(unsigned long long){}", leaf.name);
                if leaf.signed { cut(text) } else { format!("({text})") }
            }
            Op::Ite => format!(
                "({} ? {} : {})",
                self.truth(args[0], depth)?,
                self.word(args[1], depth)?,
                self.word(args[2], depth)?
            ),
            Op::BvNot => cut(format!("(~{})", self.word(args[0], depth)?)),
            Op::BvNeg => cut(format!("(0ULL - {})", self.word(args[0], depth)?)),
            Op::BvAnd => joined(" & ")?,
            Op::BvOr => joined(" | ")?,
            Op::BvXor => joined(" ^ ")?,
            Op::BvAdd => cut(joined(" + ")?),
            Op::BvSub => cut(joined(" - ")?),
            Op::BvMul => cut(joined(" * ")?),
            op @ (Op::BvUdiv | Op::BvUrem) => {
                let (a, b) = (self.word(args[0], depth)?, self.word(args[1], depth)?);
                match op {
                    Op::BvUdiv => format!("({b} == 0 ? {mask:#x}ULL : {a} / {b})"),
                    _ => format!("({b} == 0 ? {a} : {a} % {b})"),
                }
            }
            op @ (Op::BvShl | Op::BvLshr) => {
                let (a, b) = (self.word(args[0], depth)?, self.word(args[1], depth)?);
                let shifted = if op == Op::BvShl { cut(format!("({a} << {b})")) } else { format!("({a} >> {b})") };
                format!("({b} < {width}ULL ? {shifted} : 0ULL)")
            }
            Op::Concat if args.len() == 2 => {
                let low = self.width(args[1])?;
                format!("({} << {low} | {})", self.word(args[0], depth)?, self.word(args[1], depth)?)
            }
            Op::Extract { low, .. } => cut(format!("({} >> {low})", self.word(args[0], depth)?)),
            Op::ZeroExtend(_) => self.word(args[0], depth)?,
            Op::SignExtend(_) => {
                let top = 1u64 << (self.width(args[0])? - 1);
                cut(format!("(({} ^ {top:#x}ULL) - {top:#x}ULL)", self.word(args[0], depth)?))
            }
            _ => return None,
        };
        (text.len() <= Tuning::DEFAULT.max_expression_bytes).then_some(text)
    }

    fn width(&self, term: Term) -> Option<u32> {
        match *self.terms.sort_kind(self.terms.sort_of(term)) {
            SortKind::BitVec(width @ 1..=64) => Some(width),
            _ => None,
        }
    }
}

/// The operator of an order between words, and whether it reads them as signed.
pub(crate) fn order(op: Op) -> Option<(&'static str, bool)> {
    Some(match op {
        Op::BvUlt => ("<", false),
        Op::BvUle => ("<=", false),
        Op::BvUgt => (">", false),
        Op::BvUge => (">=", false),
        Op::BvSlt => ("<", true),
        Op::BvSle => ("<=", true),
        Op::BvSgt => (">", true),
        Op::BvSge => (">=", true),
        _ => return None,
    })
}

/// A constant of the C type of that width; smaller ones than `int` are promoted anyway.
fn literal(bits: &Bits, signed: bool) -> Option<String> {
    let (width, value) = (bits.width(), bits.to_u64()?);
    if !signed {
        return Some(match width {
            64 => format!("{value}ULL"),
            32 => format!("{value}U"),
            _ => value.to_string(),
        });
    }
    let value = ((value << (64 - width)) as i64) >> (64 - width);
    let suffix = if width == 64 { "LL" } else { "" };
    Some(match value {
        i64::MIN => "(-9223372036854775807LL - 1LL)".to_owned(),
        _ if value == i64::from(i32::MIN) && width == 32 => "(-2147483647 - 1)".to_owned(),
        0.. => format!("{value}{suffix}"),
        _ => format!("({value}{suffix})"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(make: impl FnOnce(&mut Terms, Term, Term, Term) -> Term, expected: Option<&str>) {
        let mut terms = Terms::without_simplification();
        let word = terms.bv_sort(32);
        let byte = terms.bv_sort(8);
        let (i, u, c) = (terms.variable("i", word), terms.variable("u", word), terms.variable("c", byte));
        let formula = make(&mut terms, i, u, c);
        let leaf = |term: Term| {
            let named = [(i, "i", true), (u, "u", false), (c, "c", true)].into_iter().find(|one| one.0 == term)?;
            Some(Leaf { name: named.1.to_owned(), signed: named.2 })
        };
        assert_eq!(truth(&terms, formula, &leaf).as_deref(), expected);
    }

    #[test]
    fn comparisons_of_variables_and_constants_read_as_in_c() {
        check(
            |terms, i, _, _| {
                let ten = terms.bv(32, 10);
                terms.make(Op::BvSlt, &[i, ten])
            },
            Some("(i < 10)"),
        );
        check(
            |terms, _, u, _| {
                let ten = terms.bv(32, 10);
                terms.make(Op::BvUle, &[u, ten])
            },
            Some("(u <= 10U)"),
        );
        check(
            |terms, i, _, _| {
                let m = terms.bv(32, 0x8000_0000);
                terms.make(Op::Eq, &[i, m])
            },
            Some("(i == (-2147483647 - 1))"),
        );
        check(
            |terms, _, _, c| {
                let five = terms.bv(8, 0xfb);
                let less = terms.make(Op::BvSlt, &[c, five]);
                terms.make(Op::Not, &[less])
            },
            Some("(c >= (-5))"),
        );
    }

    #[test]
    fn mixed_signedness_and_arithmetic_go_through_unsigned_words() {
        check(
            |terms, i, u, _| terms.make(Op::BvSlt, &[i, u]),
            Some("(((unsigned int)i ^ 0x80000000u) < (u ^ 0x80000000u))"),
        );
        check(
            |terms, _, u, _| {
                let sum = terms.make(Op::BvAdd, &[u, u]);
                terms.make(Op::Eq, &[sum, u])
            },
            Some("((u + u) == u)"),
        );
        check(
            |terms, _, u, c| {
                let (sum, five) = (terms.make(Op::BvAdd, &[c, c]), terms.bv(8, 5));
                let less = terms.make(Op::BvUlt, &[sum, five]);
                let equal = terms.make(Op::Eq, &[u, u]);
                terms.make(Op::And, &[less, equal])
            },
            Some(
                "((((((unsigned long long)c & 0xffULL) + ((unsigned long long)c & 0xffULL)) & 0xffULL) < 0x5ULL) && (u == u))",
            ),
        );
    }

    #[test]
    fn what_c_cannot_say_is_not_said() {
        check(
            |terms, i, u, _| {
                let wide = terms.make(Op::SignExtend(64), &[i]);
                let other = terms.make(Op::ZeroExtend(64), &[u]);
                terms.make(Op::Eq, &[wide, other])
            },
            None,
        );
    }
}
