//! Sorts of applications: which arguments an operator takes and what sort the result has.

use crate::op::{FpOp, NumberOp, Op};
use crate::sort::{Sort, SortKind};
use crate::store::{Term, Terms};

/// The widest bit-vector we build; wider ones are mistakes, and would exhaust memory one by one.
pub const MAX_WIDTH: u32 = 1 << 24;

impl Terms {
    /// The sort of the operator applied to these arguments, or a sentence that says why they do not fit.
    pub fn result_sort(&mut self, op: Op, args: &[Term]) -> Result<Sort, String> {
        match op {
            Op::True | Op::False => self.arity(op, args, 0).map(|()| self.bool_sort()),
            Op::Value | Op::Numeral => Err("a literal has a constructor of its own".to_owned()),
            Op::ConstArray => Err("a constant array has a constructor of its own".to_owned()),
            Op::Symbol(symbol) => {
                let expected = self.symbol_args(symbol).iter();
                if expected.len() == args.len() && expected.zip(args).all(|(&sort, &arg)| sort == self.sort_of(arg)) {
                    return Ok(self.symbol_result(symbol));
                }
                Err(self.misfit(symbol, args))
            }
            Op::Not => {
                self.arity(op, args, 1)?;
                self.all_bool(args)
            }
            Op::And | Op::Or => self.all_bool(args),
            Op::Xor | Op::Implies => {
                self.arity(op, args, 2)?;
                self.all_bool(args)
            }
            Op::Eq => {
                self.arity(op, args, 2)?;
                self.all_one_sort(args).map(|_| self.bool_sort())
            }
            Op::Distinct => self.all_one_sort(args).map(|_| self.bool_sort()),
            Op::Ite => {
                self.arity(op, args, 3)?;
                self.all_bool(&args[..1])?;
                self.all_one_sort(&args[1..])
            }
            Op::BvNot | Op::BvNeg => {
                self.arity(op, args, 1)?;
                self.bit_vector(args[0]).map(|_| self.sort_of(args[0]))
            }
            Op::BvNego => {
                self.arity(op, args, 1)?;
                self.bit_vector(args[0]).map(|_| self.bool_sort())
            }
            Op::RotateLeft(_) | Op::RotateRight(_) => {
                self.arity(op, args, 1)?;
                self.bit_vector(args[0]).map(|_| self.sort_of(args[0]))
            }
            Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvNand
            | Op::BvNor
            | Op::BvXnor
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr => {
                self.two_vectors(op, args)?;
                Ok(self.sort_of(args[0]))
            }
            Op::BvComp => {
                self.two_vectors(op, args)?;
                Ok(self.bv_sort(1))
            }
            Op::BvUlt
            | Op::BvUle
            | Op::BvUgt
            | Op::BvUge
            | Op::BvSlt
            | Op::BvSle
            | Op::BvSgt
            | Op::BvSge
            | Op::BvUaddo
            | Op::BvSaddo
            | Op::BvUmulo
            | Op::BvSmulo
            | Op::BvUsubo
            | Op::BvSsubo
            | Op::BvSdivo => {
                self.two_vectors(op, args)?;
                Ok(self.bool_sort())
            }
            Op::Concat => {
                self.arity(op, args, 2)?;
                let (high, low) = (self.bit_vector(args[0])?, self.bit_vector(args[1])?);
                self.vector_sort(u64::from(high) + u64::from(low))
            }
            Op::Extract { high, low } => {
                self.arity(op, args, 1)?;
                let width = self.bit_vector(args[0])?;
                if low > high || high >= width {
                    return Err(format!("bits {high} down to {low} do not lie within a width of {width}"));
                }
                self.vector_sort(u64::from(high - low) + 1)
            }
            Op::ZeroExtend(by) | Op::SignExtend(by) => {
                self.arity(op, args, 1)?;
                let width = self.bit_vector(args[0])?;
                self.vector_sort(u64::from(width) + u64::from(by))
            }
            Op::Repeat(times) => {
                self.arity(op, args, 1)?;
                let width = self.bit_vector(args[0])?;
                if times == 0 {
                    return Err("a vector is repeated at least once".to_owned());
                }
                self.vector_sort(u64::from(width) * u64::from(times))
            }
            Op::Select => {
                self.arity(op, args, 2)?;
                let (index, element) = self.array(args[0])?;
                self.expect(args[1], index, "the index")?;
                Ok(element)
            }
            Op::Store => {
                self.arity(op, args, 3)?;
                let (index, element) = self.array(args[0])?;
                self.expect(args[1], index, "the index")?;
                self.expect(args[2], element, "the element")?;
                Ok(self.sort_of(args[0]))
            }
            Op::Number(op) => self.number_sort(op, args),
            Op::Fp(op) => self.float_sort(op, args),
        }
    }

    fn number_sort(&mut self, op: NumberOp, args: &[Term]) -> Result<Sort, String> {
        use NumberOp::*;
        let count = match op {
            Neg | Abs | ToReal | ToInt | IsInt => 1,
            _ => 2,
        };
        self.arity(Op::Number(op), args, count)?;
        let sort = self.all_one_sort(args)?;
        let kind = self.sort_kind(sort).clone();
        let (int, real) = (kind == SortKind::Int, kind == SortKind::Real);
        let fits = match op {
            IntDiv | Mod | Abs | ToReal => int,
            Div | ToInt | IsInt => real,
            Add | Sub | Neg | Mul | Lt | Le | Gt | Ge => int || real,
        };
        if !fits {
            return Err(format!("{op:?} does not take arguments of sort {}", self.sort_text(sort)));
        }
        Ok(match op {
            Lt | Le | Gt | Ge | IsInt => self.bool_sort(),
            ToReal => self.sort(SortKind::Real),
            ToInt => self.sort(SortKind::Int),
            _ => sort,
        })
    }

    /// The sort of those floating-point operators whose arguments determine it.
    fn float_sort(&mut self, op: FpOp, args: &[Term]) -> Result<Sort, String> {
        use FpOp::*;
        let count = match op {
            Add | Sub | Mul | Div | Fmod | Rem | Min | Max | Eq | Lt | Le => 2,
            Neg | Abs | Sqrt | Floor | Ceil | Trunc | Round | RoundEven => 1,
            IsNan | IsInfinite | IsNormal | IsSubnormal | IsZero | IsNegative | ToBits => 1,
            FromFloat | FromSigned | FromUnsigned | ToSigned | ToUnsigned | FromBits => {
                return Err(format!("{op:?} needs the sort of its result"));
            }
        };
        self.arity(Op::Fp(op), args, count)?;
        let sort = self.all_one_sort(args)?;
        let &SortKind::Float(exponent, significand) = self.sort_kind(sort) else {
            return Err(format!("{op:?} does not take arguments of sort {}", self.sort_text(sort)));
        };
        Ok(match op {
            Eq | Lt | Le | IsNan | IsInfinite | IsNormal | IsSubnormal | IsZero | IsNegative => self.bool_sort(),
            ToBits => self.bv_sort(exponent + significand),
            _ => sort,
        })
    }

    fn arity(&self, op: Op, args: &[Term], count: usize) -> Result<(), String> {
        if args.len() == count {
            return Ok(());
        }
        Err(format!("{op:?} takes {count} argument{}, not {}", if count == 1 { "" } else { "s" }, args.len()))
    }
    fn all_bool(&mut self, args: &[Term]) -> Result<Sort, String> {
        match args.iter().find(|&&arg| !self.is_bool(arg)) {
            Some(&arg) => Err(format!("Bool is expected, not {}", self.sort_text(self.sort_of(arg)))),
            None => Ok(self.bool_sort()),
        }
    }
    fn all_one_sort(&self, args: &[Term]) -> Result<Sort, String> {
        let first = self.sort_of(*args.first().ok_or("at least one argument is needed")?);
        for &arg in args {
            self.expect(arg, first, "every argument")?;
        }
        Ok(first)
    }
    fn bit_vector(&self, arg: Term) -> Result<u32, String> {
        match *self.sort_kind(self.sort_of(arg)) {
            SortKind::BitVec(width) => Ok(width),
            _ => Err(format!("a bit-vector is expected, not {}", self.sort_text(self.sort_of(arg)))),
        }
    }
    fn two_vectors(&self, op: Op, args: &[Term]) -> Result<(), String> {
        self.arity(op, args, 2)?;
        self.bit_vector(args[0])?;
        self.expect(args[1], self.sort_of(args[0]), "the second argument")
    }
    fn vector_sort(&mut self, width: u64) -> Result<Sort, String> {
        match u32::try_from(width) {
            Ok(width) if width <= MAX_WIDTH => Ok(self.bv_sort(width)),
            _ => Err(format!("bit-vectors of more than {MAX_WIDTH} bits are not supported")),
        }
    }
    fn array(&self, arg: Term) -> Result<(Sort, Sort), String> {
        match *self.sort_kind(self.sort_of(arg)) {
            SortKind::Array(index, element) => Ok((index, element)),
            _ => Err(format!("an array is expected, not {}", self.sort_text(self.sort_of(arg)))),
        }
    }
    fn expect(&self, arg: Term, sort: Sort, what: &str) -> Result<(), String> {
        if self.sort_of(arg) == sort {
            return Ok(());
        }
        Err(format!("{what} has sort {}, but {} is expected", self.sort_text(self.sort_of(arg)), self.sort_text(sort)))
    }
    fn misfit(&self, symbol: crate::Symbol, args: &[Term]) -> String {
        let text = |sorts: &mut dyn Iterator<Item = Sort>| {
            sorts.map(|sort| self.sort_text(sort)).collect::<Vec<_>>().join(" ")
        };
        let expected = text(&mut self.symbol_args(symbol).iter().copied());
        let given = text(&mut args.iter().map(|&arg| self.sort_of(arg)));
        format!("`{}` takes arguments of sorts ({expected}), not ({given})", self.symbol_name(symbol))
    }
}
