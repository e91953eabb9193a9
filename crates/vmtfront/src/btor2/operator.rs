//! The operators, as terms. Most have a name of their own in SMT-LIB; the rest are put together here.

use term::{Function, Op, SortKind, Term, Terms};

use super::line::Line;
use super::{Model, Wrong};
use crate::tuning::Tuning;

/// The node that this line describes.
pub(super) fn operator(model: &mut Model<'_>, line: &Line<'_>, name: &str) -> Result<Term, Wrong> {
    let n_operands = match name {
        "slice" | "sext" | "uext" | "not" | "inc" | "dec" | "neg" | "redand" | "redor" | "redxor" => 1,
        "ite" | "write" => 3,
        _ if binary(name).is_some() || TWO.contains(&name) => 2,
        _ => return line.words[1].wrong(format!("`{name}` is not known")),
    };
    let mut args = Vec::new();
    for at in 0..n_operands {
        args.push(model.operand(line, 3 + at)?);
    }
    let number = |at: usize| -> Result<u32, Wrong> {
        let number = line.number(at)?;
        u32::try_from(number).or_else(|_| line.words[at].wrong(format!("{number} is too large")))
    };
    let terms = &mut *model.terms;
    let made = match name {
        "slice" => {
            let (high, low) = (number(4)?, number(5)?);
            terms.try_apply(Op::Extract { high, low }, &args)
        }
        "sext" => terms.try_apply(Op::SignExtend(number(4)?), &args),
        "uext" => terms.try_apply(Op::ZeroExtend(number(4)?), &args),
        _ => apply(terms, name, &args),
    };
    made.or_else(|message| line.words[1].wrong(message))
}

/// Operators of two operands that are put together from others.
const TWO: &[&str] = &["neq", "rol", "ror", "implies", "iff"];

/// What SMT-LIB calls the operator.
fn binary(name: &str) -> Option<Function> {
    let name = match name {
        "eq" => "=",
        "sgt" => "bvsgt",
        "ugt" => "bvugt",
        "sgte" => "bvsge",
        "ugte" => "bvuge",
        "slt" => "bvslt",
        "ult" => "bvult",
        "slte" => "bvsle",
        "ulte" => "bvule",
        "and" => "bvand",
        "nand" => "bvnand",
        "nor" => "bvnor",
        "or" => "bvor",
        "xnor" => "bvxnor",
        "xor" => "bvxor",
        "sll" => "bvshl",
        "sra" => "bvashr",
        "srl" => "bvlshr",
        "add" => "bvadd",
        "mul" => "bvmul",
        "sdiv" => "bvsdiv",
        "udiv" => "bvudiv",
        "smod" => "bvsmod",
        "srem" => "bvsrem",
        "urem" => "bvurem",
        "sub" => "bvsub",
        "saddo" => "bvsaddo",
        "uaddo" => "bvuaddo",
        "sdivo" => "bvsdivo",
        "smulo" => "bvsmulo",
        "umulo" => "bvumulo",
        "ssubo" => "bvssubo",
        "usubo" => "bvusubo",
        "concat" => "concat",
        "read" => "select",
        _ => return None,
    };
    Function::named(name, &[])
}

fn apply(terms: &mut Terms, name: &str, args: &[Term]) -> Result<Term, String> {
    if let Some(function) = binary(name) {
        let term = terms.try_apply(function, args)?;
        return Ok(if terms.is_bool(term) { bit(terms, term) } else { term });
    }
    let width = |terms: &Terms, term: Term| match terms.sort_kind(terms.sort_of(term)) {
        SortKind::BitVec(width) => Ok(*width),
        _ => Err("a bit-vector is expected".to_owned()),
    };
    Ok(match (name, args) {
        ("not", _) => terms.try_apply(Op::BvNot, args)?,
        ("neg", _) => terms.try_apply(Op::BvNeg, args)?,
        ("inc", &[arg]) => {
            let one = terms.bv(width(terms, arg)?, 1);
            terms.bv_add(arg, one)
        }
        ("dec", &[arg]) => {
            let one = terms.bv(width(terms, arg)?, 1);
            terms.bv_sub(arg, one)
        }
        ("redand", &[arg]) => {
            let ones = terms.bits(base::Bits::ones(width(terms, arg)?));
            let all = terms.eq(arg, ones);
            bit(terms, all)
        }
        ("redor", &[arg]) => {
            let zero = terms.bv(width(terms, arg)?, 0);
            let some = terms.ne(arg, zero);
            bit(terms, some)
        }
        ("redxor", &[arg]) if width(terms, arg)? > Tuning::DEFAULT.max_parity_bits => {
            return Err(format!("`redxor` of more than {} bits is not supported", Tuning::DEFAULT.max_parity_bits));
        }
        ("redxor", &[arg]) => {
            let mut parity = terms.extract(arg, 0, 0);
            for at in 1..width(terms, arg)? {
                let next = terms.extract(arg, at, at);
                parity = terms.bv_xor(parity, next);
            }
            parity
        }
        ("neq", _) => {
            let equal = terms.try_apply(Op::Eq, args)?;
            let differ = terms.not(equal);
            bit(terms, differ)
        }
        ("iff", &[a, b]) if width(terms, a)? == 1 => {
            let equal = terms.try_apply(Op::Eq, &[a, b])?;
            bit(terms, equal)
        }
        ("implies", &[a, b]) if width(terms, a)? == 1 => {
            let not = terms.bv_not(a);
            terms.try_apply(Op::BvOr, &[not, b])?
        }
        ("iff" | "implies", _) => return Err("operands of one bit are expected".to_owned()),
        ("rol" | "ror", &[value, by]) => {
            terms.result_sort(Op::BvShl, args)?;
            // Shifts by the width or more give zero, so the amount is taken modulo the width first.
            let width = terms.bv(width(terms, value)?, u64::from(width(terms, value)?));
            let by = terms.bv_urem(by, width);
            let rest = terms.bv_sub(width, by);
            let (left, right) = if name == "rol" { (by, rest) } else { (rest, by) };
            let (high, low) = (terms.bv_shl(value, left), terms.bv_lshr(value, right));
            terms.bv_or(high, low)
        }
        ("ite", &[condition, then, otherwise]) => {
            if width(terms, condition)? != 1 {
                return Err("the condition has one bit".to_owned());
            }
            let one = terms.bv(1, 1);
            let holds = terms.eq(condition, one);
            terms.try_apply(Op::Ite, &[holds, then, otherwise])?
        }
        ("write", _) => terms.try_apply(Op::Store, args)?,
        _ => unreachable!("the operands were counted by name"),
    })
}

/// A truth value as a bit.
fn bit(terms: &mut Terms, truth: Term) -> Term {
    let (one, zero) = (terms.bv(1, 1), terms.bv(1, 0));
    terms.ite(truth, one, zero)
}
