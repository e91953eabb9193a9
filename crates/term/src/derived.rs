//! Derived operators: names of SMT-LIB's that are expanded into operators of the table when a term is built.
//!
//! No term has one of them as its head, so solvers, engines, the certifier and the interpreter do not know them. A row has the
//! columns of the operator table and a definition; the tests compare the definition with the value in the row on all
//! small inputs, in a store that simplifies and in one that does not.

use base::Bits;

use crate::op::Op;
use crate::row::{Cost, Meaning, Row, Sorts};
use crate::store::{Term, Terms};

use Cost::*;
use Meaning::*;
use Sorts::*;

macro_rules! derived {
    (
        plain { $($(#[$doc:meta])* $plain:ident = $row:expr, $define:expr;)* }
        indexed { $($(#[$index_doc:meta])* $indexed:ident = $index_row:expr, $index_define:expr;)* }
    ) => {
        /// An operator that is defined by others.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Derived {
            $($(#[$doc])* $plain,)*
            $($(#[$index_doc])* $indexed(u32),)*
        }

        /// How many rows stand before this one.
        enum Code { $($plain,)* $($indexed),* }

        /// Rows and definitions, which get the index (zero without one) and the arguments.
        static ROWS: &[(Row, fn(&mut Terms, u32, &[Term]) -> Term)] =
            &[$(($row, $define),)* $(($index_row, $index_define)),*];

        impl Derived {
            /// Those without an index.
            pub const PLAIN: &[Derived] = &[$(Derived::$plain),*];

            /// Those with an index.
            pub fn all_indexed(index: u32) -> impl Iterator<Item = Derived> {
                [$(Derived::$indexed(index)),*].into_iter()
            }
            const fn code(self) -> usize {
                match self {
                    $(Derived::$plain => Code::$plain as usize,)*
                    $(Derived::$indexed(_) => Code::$indexed as usize,)*
                }
            }
            fn index(self) -> Option<u32> {
                match self {
                    $(Derived::$plain => None,)*
                    $(Derived::$indexed(index) => Some(index),)*
                }
            }
        }
    };
}

derived! {
    plain {
        /// Bitwise nand.
        BvNand = Row::bits("bvnand", Words(2), Word2(Bits::nand), Bitwise).commutes(), |terms, _, args| {
            let both = terms.bv_and(args[0], args[1]);
            terms.bv_not(both)
        };
        /// Bitwise nor.
        BvNor = Row::bits("bvnor", Words(2), Word2(Bits::nor), Bitwise).commutes(), |terms, _, args| {
            let either = terms.bv_or(args[0], args[1]);
            terms.bv_not(either)
        };
        /// Bitwise equivalence.
        BvXnor = Row::bits("bvxnor", Words(2), Word2(Bits::xnor), Bitwise).left().commutes(), |terms, _, args| {
            let differ = terms.bv_xor(args[0], args[1]);
            terms.bv_not(differ)
        };
        /// One bit: whether the two are equal.
        BvComp = Row::bits("bvcomp", Bit(2), Word2(Bits::comp), Compare).commutes(), |terms, _, args| {
            let (equal, one, zero) = (terms.eq(args[0], args[1]), terms.bv(1, 1), terms.bv(1, 0));
            terms.ite(equal, one, zero)
        };
        /// One bit: whether some bit is set. Not in the standard, but written by other solvers.
        BvRedOr = Row::bits("bvredor", Bit(1), Word1(|a| Bits::from_bool(!a.is_zero())), Compare), |terms, _, args| {
            let zero = terms.bv(terms.width(args[0]), 0);
            let (none, one, zero) = (terms.eq(args[0], zero), terms.bv(1, 1), terms.bv(1, 0));
            terms.ite(none, zero, one)
        };
        /// Signed modulus, with the sign of the divisor: the signed remainder, plus the divisor where the remainder is not zero and
        /// the signs of the arguments differ.
        BvSmod = Row::bits("bvsmod", Words(2), Word2(Bits::smod), Division), |terms, _, args| {
            let zero = terms.bv(terms.width(args[0]), 0);
            let rest = terms.bv_srem(args[0], args[1]);
            let (is_rest, signs) = (terms.ne(rest, zero), [0, 1].map(|at| terms.bv_slt(args[at], zero)));
            let differ = terms.ne(signs[0], signs[1]);
            let moves = terms.and(&[is_rest, differ]);
            let moved = terms.bv_add(rest, args[1]);
            terms.ite(moves, moved, rest)
        };
        /// Whether negation overflows: only the least signed value has no negation.
        BvNego = Row::bits("bvnego", Test(1), Test1(Bits::nego), Compare), |terms, _, args| {
            let least = terms.bits(Bits::min_signed(terms.width(args[0])));
            terms.eq(args[0], least)
        };
        /// Whether unsigned subtraction overflows.
        BvUsubo = Row::bits("bvusubo", Test(2), Test2(Bits::usubo), Compare), |terms, _, args| {
            terms.bv_ult(args[0], args[1])
        };
        /// Whether signed division overflows: the least value by minus one.
        BvSdivo = Row::bits("bvsdivo", Test(2), Test2(Bits::sdivo), Compare), |terms, _, args| {
            let width = terms.width(args[0]);
            let (least, minus_one) = (terms.bits(Bits::min_signed(width)), terms.bits(Bits::ones(width)));
            let (is_least, is_minus_one) = (terms.eq(args[0], least), terms.eq(args[1], minus_one));
            terms.and(&[is_least, is_minus_one])
        };
    }
    indexed {
        /// This many bits around to the left: the low part in front of the high part.
        RotateLeft = Row::bits("rotate_left", Words(1), Index1(Bits::rotate_left), Wires), |terms, by, args| {
            let width = terms.width(args[0]);
            match by % width {
                0 => args[0],
                by => {
                    let low = terms.extract(args[0], width - by - 1, 0);
                    let high = terms.extract(args[0], width - 1, width - by);
                    terms.concat(low, high)
                }
            }
        };
        /// This many bits around to the right.
        RotateRight = Row::bits("rotate_right", Words(1), Index1(Bits::rotate_right), Wires), |terms, by, args| {
            let width = terms.width(args[0]);
            terms.derive(Derived::RotateLeft(width - by % width), args)
        };
        /// This many copies side by side, doubled step by step, so that the number of terms is logarithmic.
        Repeat = Row::bits("repeat", Copies, Index1(Bits::repeat), Wires), |terms, times, args| {
            let mut result = args[0];
            for place in (0..times.ilog2()).rev() {
                result = terms.concat(result, result);
                if times >> place & 1 == 1 {
                    result = terms.concat(args[0], result);
                }
            }
            result
        };
    }
}

impl Derived {
    /// The row of the operator.
    pub fn row(self) -> &'static Row {
        &ROWS[self.code()].0
    }
}

/// What a name of SMT-LIB's stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// An operator of terms.
    Op(Op),
    /// An operator that is expanded.
    Derived(Derived),
}

impl From<Op> for Function {
    fn from(op: Op) -> Function {
        Function::Op(op)
    }
}

impl From<Derived> for Function {
    fn from(derived: Derived) -> Function {
        Function::Derived(derived)
    }
}

impl Function {
    /// The row of the operator.
    pub fn row(self) -> &'static Row {
        match self {
            Function::Op(op) => op.row(),
            Function::Derived(derived) => derived.row(),
        }
    }
    /// Everything that has a name without indices and rounding mode, with its name.
    pub fn all() -> impl Iterator<Item = (&'static str, Function)> {
        let derived = Derived::PLAIN.iter().map(|&derived| (derived.row().name, Function::Derived(derived)));
        Op::named().map(|(name, op)| (name, Function::Op(op))).chain(derived)
    }
    /// What `(_ name indices)` stands for; without indices, what the name alone stands for. Searches the table.
    pub fn named(name: &str, indices: &[u32]) -> Option<Function> {
        match *indices {
            [] => Function::all().find(|(known, _)| *known == name).map(|(_, function)| function),
            [index] => Op::indexed(name, indices)
                .map(Function::Op)
                .or_else(|| Derived::all_indexed(index).find(|d| d.row().name == name).map(Function::Derived)),
            _ => Op::indexed(name, indices).map(Function::Op),
        }
    }
    /// The value on bit-vector values; `None` if it is not an operator from bit-vectors only.
    pub fn value(self, args: &[Bits]) -> Option<crate::Scalar> {
        match self {
            Function::Op(op) => crate::semantics::apply(op, args),
            Function::Derived(derived) => crate::semantics::value(derived.row(), [derived.index(), None], args),
        }
    }
}

impl Terms {
    /// The expansion of a derived operator.
    ///
    /// # Panics
    /// If the arguments do not fit; readers call [`Terms::try_apply`].
    pub fn derive(&mut self, derived: Derived, args: &[Term]) -> Term {
        match self.try_apply(derived, args) {
            Ok(term) => term,
            Err(message) => panic!("the arguments of a term fit its operator: {message}"),
        }
    }
    /// The operator applied to arguments, or a sentence that says why they do not fit.
    pub fn try_apply(&mut self, function: impl Into<Function>, args: &[Term]) -> Result<Term, String> {
        match function.into() {
            Function::Op(op) => {
                self.result_sort(op, args)?;
                Ok(self.make(op, args))
            }
            Function::Derived(derived) => {
                let (row, define) = &ROWS[derived.code()];
                let sort = self.sort_by_row(row, [derived.index(), None], args)?;
                let term = define(self, derived.index().unwrap_or(0), args);
                debug_assert!(self.sort_of(term) == sort, "a definition has the sort that its row says");
                Ok(term)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scalar, Value, eval};

    /// The definition, evaluated with variables and folded on literals, against the value in the row.
    fn check(derived: Derived, width: u32, simplify: bool) {
        let n_args = match derived.row().sorts {
            Words(n) | Test(n) | Bit(n) => n,
            _ => 1,
        };
        let mut terms = if simplify { Terms::new() } else { Terms::without_simplification() };
        let sort = terms.bv_sort(width);
        let args: Vec<Term> = (0..n_args).map(|i| terms.variable(&format!("x{i}"), sort)).collect();
        let open = terms.derive(derived, &args);
        assert!(terms.subterms(&[open]).iter().all(|&sub| terms.op(sub).row().name != derived.row().name));
        for code in 0..1u64 << (width * n_args as u32) {
            let values: Vec<Bits> = (0..n_args as u32).map(|i| Bits::from_u64(width, code >> (i * width))).collect();
            let expected = match Function::Derived(derived).value(&values).expect("a row has a value") {
                Scalar::Bool(value) => Value::Bool(value),
                Scalar::Bits(bits) => Value::Bits(bits),
            };
            let literals: Vec<Term> = values.iter().map(|bits| terms.bits(bits.clone())).collect();
            let closed = terms.derive(derived, &literals);
            for term in [open, closed] {
                let value = eval(&terms, term, |symbol, _| {
                    let at = args.iter().position(|&arg| terms.op(arg) == Op::Symbol(symbol))?;
                    Some(Value::Bits(values[at].clone()))
                });
                assert_eq!(value.as_ref(), Ok(&expected), "{derived:?} on {values:?}");
            }
        }
    }

    #[test]
    fn every_definition_has_the_value_of_its_row_on_all_small_inputs() {
        for width in 1..=4 {
            for simplify in [false, true] {
                for &derived in Derived::PLAIN {
                    check(derived, width, simplify);
                }
                for index in 0..2 * width + 2 {
                    for derived in Derived::all_indexed(index) {
                        if index > 0 || derived.row().sorts != Copies {
                            check(derived, width, simplify);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_vector_is_repeated_a_million_times_with_few_terms() {
        let mut terms = Terms::new();
        let bit = terms.bv_sort(1);
        let x = terms.variable("x", bit);
        let many = terms.derive(Derived::Repeat(1_000_003), &[x]);
        assert_eq!(terms.width(many), 1_000_003);
        assert!(terms.len() < 100);
        assert!(terms.try_apply(Derived::Repeat(0), &[x]).is_err());
        assert!(terms.try_apply(Derived::Repeat(u32::MAX), &[x]).is_err());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut terms = Terms::new();
        let (byte, word) = (terms.bv_sort(8), terms.bv_sort(16));
        let (a, b) = (terms.variable("a", byte), terms.variable("b", word));
        let refused = |terms: &mut Terms, args: &[Term]| terms.try_apply(Derived::BvNand, args).expect_err("no fit");
        assert_eq!(refused(&mut terms, &[a]), "`bvnand` takes 2 arguments, not 1");
        assert_eq!(
            refused(&mut terms, &[a, b]),
            "the second argument has sort (_ BitVec 16), but (_ BitVec 8) is expected"
        );
    }
}
