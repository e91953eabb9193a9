//! Sorts of applications: which arguments an operator takes and what sort the result has, by the rule in its row.

use crate::op::Op;
use crate::row::{Domain, Range, Row, Sorts};
use crate::sort::{Sort, SortKind};
use crate::store::{Term, Terms};

// law: the widest bit-vector.
/// The widest bit-vector we build; wider ones are mistakes, and would exhaust memory one by one.
pub const MAX_WIDTH: u32 = 1 << 24;

impl Terms {
    /// The sort of the operator applied to these arguments, or a sentence that says why they do not fit.
    pub fn result_sort(&mut self, op: Op, args: &[Term]) -> Result<Sort, String> {
        if let Op::Symbol(symbol) = op {
            let expected = self.symbol_args(symbol).iter();
            if expected.len() == args.len() && expected.zip(args).all(|(&sort, &arg)| sort == self.sort_of(arg)) {
                return Ok(self.symbol_result(symbol));
            }
            return Err(self.misfit(symbol, args));
        }
        self.sort_by_row(op.row(), op.indices(), args)
    }

    /// What the row's rule for sorts says.
    pub(crate) fn sort_by_row(&mut self, row: &Row, indices: [Option<u32>; 2], args: &[Term]) -> Result<Sort, String> {
        if let Some(count) = row.sorts.n_args()
            && args.len() != count
        {
            let s = if count == 1 { "" } else { "s" };
            return Err(format!("`{}` takes {count} argument{s}, not {}", row.name, args.len()));
        }
        let index = |at: usize| indices[at].expect("an operator with indices has them");
        match row.sorts {
            Sorts::Own(reason) => Err(reason.to_owned()),
            Sorts::Declared => unreachable!("a symbol is checked by its declaration"),
            Sorts::Bools(_) | Sorts::AnyBools => self.all_bool(args),
            Sorts::Equality | Sorts::Differences => self.all_one_sort(args).map(|_| self.bool_sort()),
            Sorts::Choice => {
                self.all_bool(&args[..1])?;
                self.all_one_sort(&args[1..])
            }
            Sorts::Words(_) => self.one_width(args).map(|_| self.sort_of(args[0])),
            Sorts::Test(_) => self.one_width(args).map(|_| self.bool_sort()),
            Sorts::Bit(_) => self.one_width(args).map(|_| self.bv_sort(1)),
            Sorts::Join => {
                let (high, low) = (self.bit_vector(args[0])?, self.bit_vector(args[1])?);
                self.vector_sort(u64::from(high) + u64::from(low))
            }
            Sorts::Slice => {
                let (high, low) = (index(0), index(1));
                let width = self.bit_vector(args[0])?;
                if low > high || high >= width {
                    return Err(format!("bits {high} down to {low} do not lie within a width of {width}"));
                }
                self.vector_sort(u64::from(high - low) + 1)
            }
            Sorts::Extend => {
                let width = self.bit_vector(args[0])?;
                self.vector_sort(u64::from(width) + u64::from(index(0)))
            }
            Sorts::Copies => {
                let width = self.bit_vector(args[0])?;
                if index(0) == 0 {
                    return Err("a vector is repeated at least once".to_owned());
                }
                self.vector_sort(u64::from(width) * u64::from(index(0)))
            }
            Sorts::Read => {
                let (index, element) = self.array(args[0])?;
                self.expect(args[1], index, "the index")?;
                Ok(element)
            }
            Sorts::Write => {
                let (index, element) = self.array(args[0])?;
                self.expect(args[1], index, "the index")?;
                self.expect(args[2], element, "the element")?;
                Ok(self.sort_of(args[0]))
            }
            Sorts::Numbers(_, domain, range) => {
                let sort = self.all_one_sort(args)?;
                match (domain, self.sort_kind(sort)) {
                    (Domain::Int | Domain::Either, SortKind::Int) => {}
                    (Domain::Real | Domain::Either, SortKind::Real) => {}
                    _ => return Err(self.wrong_sort(row, sort)),
                }
                Ok(self.range_sort(range, sort))
            }
            Sorts::Floats(_, range) => {
                let sort = self.all_one_sort(args)?;
                if !matches!(self.sort_kind(sort), SortKind::Float(..)) {
                    return Err(self.wrong_sort(row, sort));
                }
                Ok(self.range_sort(range, sort))
            }
        }
    }

    fn wrong_sort(&self, row: &Row, sort: Sort) -> String {
        format!("`{}` does not take arguments of sort {}", row.name, self.sort_text(sort))
    }
    fn range_sort(&mut self, range: Range, args: Sort) -> Sort {
        match (range, self.sort_kind(args)) {
            (Range::Bool, _) => self.bool_sort(),
            (Range::Int, _) => self.sort(SortKind::Int),
            (Range::Real, _) => self.sort(SortKind::Real),
            (Range::Encoding, &SortKind::Float(exponent, significand)) => self.bv_sort(exponent + significand),
            (Range::Same | Range::Encoding, _) => args,
        }
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
    /// One bit-vector, or two of one width.
    fn one_width(&self, args: &[Term]) -> Result<(), String> {
        self.bit_vector(args[0])?;
        args[1..].iter().try_for_each(|&arg| self.expect(arg, self.sort_of(args[0]), "the second argument"))
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

impl Sorts {
    /// How many arguments there must be; `None` if there may be any number.
    fn n_args(self) -> Option<usize> {
        match self {
            Sorts::Own(_) | Sorts::Declared | Sorts::AnyBools | Sorts::Differences => None,
            Sorts::Bools(count) | Sorts::Words(count) | Sorts::Test(count) | Sorts::Bit(count) => Some(count),
            Sorts::Numbers(count, ..) | Sorts::Floats(count, _) => Some(count),
            Sorts::Slice | Sorts::Extend | Sorts::Copies => Some(1),
            Sorts::Equality | Sorts::Join | Sorts::Read => Some(2),
            Sorts::Choice | Sorts::Write => Some(3),
        }
    }
}
