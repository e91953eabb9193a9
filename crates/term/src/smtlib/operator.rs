//! Applications: chains, left- and right-associative operators, indices, rounding modes.

use super::literal;
use super::names::rounded;
use super::sort::float_sort;
use crate::derived::Function;
use crate::op::{FpOp, NumberOp, Op};
use crate::row::More;
use crate::sort::{Sort, SortKind};
use crate::store::{Term, Terms};

/// What stands at the head of an application.
#[derive(Clone, Debug)]
pub(super) enum Head<'a> {
    Name(&'a str),
    /// A name that is declared, and no operator.
    Declared(&'a str),
    Indexed(&'a str, Vec<u32>),
    /// `(as const sort)`
    ConstArray(Sort),
}

/// An argument, and whether it was written as a number: `(- 1)` is the number minus one, not an operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arg {
    pub term: Term,
    pub number: bool,
}

impl From<Term> for Arg {
    fn from(term: Term) -> Arg {
        Arg { term, number: false }
    }
}

/// The built-in operator applied to arguments. `rounding` is the mode that stood in front, if any.
pub(super) fn apply(
    terms: &mut Terms,
    known: Option<Function>,
    head: &Head<'_>,
    rounding: Option<&str>,
    args: &[Arg],
) -> Result<Arg, String> {
    if let (Head::Name(name @ ("-" | "/")), true) = (head, args.iter().all(|arg| arg.number))
        && let Some(number) = number(terms, name, args)
    {
        return Ok(number);
    }
    let list: Vec<Term> = args.iter().map(|arg| arg.term).collect();
    let term = match head {
        Head::ConstArray(sort) => match (terms.sort_kind(*sort), &list[..]) {
            (&SortKind::Array(_, element), &[arg]) if terms.sort_of(arg) == element => terms.const_array(*sort, arg),
            _ => return Err("a constant array takes one argument of its element sort".to_owned()),
        },
        Head::Declared(name) => unreachable!("`{name}` has been looked up"),
        Head::Name(name) => match known {
            Some(function) if rounding.is_none() => plain(terms, function, args, list)?,
            _ => float(terms, name, &[], rounding, &list)?,
        },
        Head::Indexed(name, indices) => match Function::named(name, indices) {
            Some(function) if rounding.is_none() => terms.try_apply(function, &list)?,
            _ => float(terms, name, indices, rounding, &list)?,
        },
    };
    Ok(term.into())
}

/// Operators without indices and rounding mode.
fn plain(terms: &mut Terms, function: Function, args: &[Arg], mut list: Vec<Term>) -> Result<Term, String> {
    match function {
        Function::Op(op @ (Op::Number(_) | Op::Eq | Op::Distinct | Op::Ite)) => {
            mix_numbers(terms, args, &mut list, usize::from(op == Op::Ite));
        }
        Function::Op(Op::And | Op::Or) if list.is_empty() => {
            return Err("at least one argument is needed".to_owned());
        }
        _ => {}
    }
    if function == Function::Op(Op::Number(NumberOp::Sub)) && list.len() == 1 {
        return terms.try_apply(Op::Number(NumberOp::Neg), &list);
    }
    if list.len() > crate::store::MAX_ARGS && function == Function::Op(Op::Distinct) {
        return Err("too many arguments".to_owned());
    }
    if list.len() <= 2 {
        return terms.try_apply(function, &list);
    }
    match function.row().more {
        More::No => terms.try_apply(function, &list),
        More::Left => left(terms, function, &list),
        More::Right => {
            let mut result = list[list.len() - 1];
            for &arg in list[..list.len() - 1].iter().rev() {
                result = terms.try_apply(function, &[arg, result])?;
            }
            Ok(result)
        }
        More::Chain => {
            let links: Vec<Term> =
                list.windows(2).map(|pair| terms.try_apply(function, pair)).collect::<Result<_, _>>()?;
            Ok(terms.and(&links))
        }
    }
}

fn left(terms: &mut Terms, function: Function, args: &[Term]) -> Result<Term, String> {
    let mut result = args[0];
    for &arg in &args[1..] {
        result = terms.try_apply(function, &[result, arg])?;
    }
    Ok(result)
}

/// Where some arguments are real, integers written as numbers are meant as reals.
fn mix_numbers(terms: &mut Terms, args: &[Arg], list: &mut [Term], from: usize) {
    let is = |terms: &Terms, term: Term, kind: &SortKind| terms.sort_kind(terms.sort_of(term)) == kind;
    if !list.iter().skip(from).any(|&term| is(terms, term, &SortKind::Real)) {
        return;
    }
    for (term, arg) in list.iter_mut().zip(args).skip(from) {
        if arg.number && is(terms, *term, &SortKind::Int) {
            let real = terms.sort(SortKind::Real);
            let text = terms.numeral_text(*term).expect("it was written as a number").to_owned();
            *term = terms.numeral(real, &text);
        }
    }
}

/// `(- 5)` and `(/ 1.0 3.0)` as numbers.
fn number(terms: &mut Terms, name: &str, args: &[Arg]) -> Option<Arg> {
    let texts: Vec<String> =
        args.iter().map(|arg| terms.numeral_text(arg.term).map(str::to_owned)).collect::<Option<_>>()?;
    let (sort, text) = match (name, &texts[..]) {
        ("-", [one]) => {
            let text = one.strip_prefix('-').map_or_else(|| format!("-{one}"), str::to_owned);
            (terms.sort_of(args[0].term), text)
        }
        ("/", [over, under]) if !over.contains('/') && !under.contains('/') => {
            // The sign goes in front of the whole.
            let negative = over.starts_with('-') != under.starts_with('-');
            let (over, under) = (over.trim_start_matches('-'), under.trim_start_matches('-'));
            (terms.sort(SortKind::Real), format!("{}{over}/{under}", if negative { "-" } else { "" }))
        }
        _ => return None,
    };
    terms.try_numeral(sort, &text).map(|term| Arg { term, number: true })
}

/// Floating-point operators that are not one of the plain ones.
fn float(
    terms: &mut Terms,
    name: &str,
    indices: &[u32],
    rounding: Option<&str>,
    args: &[Term],
) -> Result<Term, String> {
    let wrong_mode = || Err(format!("`{name}` with rounding mode {} is not supported", rounding.unwrap_or("missing")));
    let kind = |terms: &Terms, term: Term| terms.sort_kind(terms.sort_of(term)).clone();
    match (name, indices, args) {
        ("fp", [], &[sign, powers, fraction]) => {
            let kinds = (kind(terms, sign), kind(terms, powers), kind(terms, fraction));
            let (SortKind::BitVec(1), SortKind::BitVec(exponent), SortKind::BitVec(stored)) = kinds else {
                return Err("`fp` takes three bit-vectors, the first of one bit".to_owned());
            };
            let sort = float_sort(terms, exponent, stored + 1)?;
            if let (Some(sign), Some(powers), Some(fraction)) =
                (terms.value(sign), terms.value(powers), terms.value(fraction))
            {
                return Ok(literal::encoded_float(terms, &sign, &powers, &fraction));
            }
            let front = terms.concat(sign, powers);
            let encoding = terms.concat(front, fraction);
            Ok(terms.fp(FpOp::FromBits, &[encoding], sort))
        }
        ("fp.gt", [], &[a, b]) => terms.try_apply(Op::Fp(FpOp::Lt), &[b, a]),
        ("fp.geq", [], &[a, b]) => terms.try_apply(Op::Fp(FpOp::Le), &[b, a]),
        ("fp.isPositive", [], &[a]) => {
            let (negative, nan) = (terms.try_apply(Op::Fp(FpOp::IsNegative), &[a])?, terms.fp_is_nan(a));
            let (not_negative, not_nan) = (terms.not(negative), terms.not(nan));
            Ok(terms.and(&[not_negative, not_nan]))
        }
        ("to_fp" | "to_fp_unsigned", &[exponent, significand], &[arg]) => {
            let sort = float_sort(terms, exponent, significand)?;
            let op = match (name, rounding, kind(terms, arg)) {
                ("to_fp", None, SortKind::BitVec(width)) if width == exponent + significand => FpOp::FromBits,
                ("to_fp", Some("RNE"), SortKind::Float(..)) => FpOp::FromFloat,
                ("to_fp", Some("RNE"), SortKind::BitVec(_)) => FpOp::FromSigned,
                ("to_fp_unsigned", Some("RNE"), SortKind::BitVec(_)) => FpOp::FromUnsigned,
                (_, Some(_), SortKind::Float(..) | SortKind::BitVec(_)) => return wrong_mode(),
                _ => {
                    return Err(format!(
                        "`{name}` does not take an argument of sort {}",
                        terms.sort_text(terms.sort_of(arg))
                    ));
                }
            };
            Ok(terms.fp(op, &[arg], sort))
        }
        ("fp.to_sbv" | "fp.to_ubv", &[width], &[arg]) => {
            if !matches!(kind(terms, arg), SortKind::Float(..)) {
                return Err(format!("`{name}` takes a float"));
            }
            if rounding != Some("RTZ") {
                return wrong_mode();
            }
            if !(1..=crate::typing::MAX_WIDTH).contains(&width) {
                return Err(format!("a bit-vector has between 1 and {} bits", crate::typing::MAX_WIDTH));
            }
            let sort = terms.bv_sort(width);
            Ok(terms.fp(if name == "fp.to_sbv" { FpOp::ToSigned } else { FpOp::ToUnsigned }, &[arg], sort))
        }
        _ => {
            let named = rounded().any(|(known, ..)| known == name);
            let found = rounded().find(|&(known, mode, _)| known == name && Some(mode) == rounding);
            match found {
                Some((_, _, op)) if indices.is_empty() => terms.try_apply(Op::Fp(op), args),
                _ if named => wrong_mode(),
                _ if Function::named(name, &[]).is_some() => Err(format!("`{name}` takes no rounding mode")),
                _ => Err(format!("`{name}` is not known")),
            }
        }
    }
}

impl Terms {
    fn fp_is_nan(&mut self, arg: Term) -> Term {
        let bool = self.bool_sort();
        self.fp(FpOp::IsNan, &[arg], bool)
    }
}
