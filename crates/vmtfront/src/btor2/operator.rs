//! The operators, as terms. Most have a name of their own in SMT-LIB; the rest are put together here.

use term::{Op, SortKind, Term, Terms};

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
            checked(terms, Op::Extract { high, low }, &args)
        }
        "sext" => checked(terms, Op::SignExtend(number(4)?), &args),
        "uext" => checked(terms, Op::ZeroExtend(number(4)?), &args),
        _ => apply(terms, name, &args),
    };
    made.or_else(|message| line.words[1].wrong(message))
}

fn checked(terms: &mut Terms, op: Op, args: &[Term]) -> Result<Term, String> {
    terms.result_sort(op, args)?;
    Ok(terms.make(op, args))
}

/// Operators of two operands that are put together from others.
const TWO: &[&str] = &["neq", "rol", "ror", "implies", "iff"];

fn binary(name: &str) -> Option<Op> {
    Some(match name {
        "eq" => Op::Eq,
        "sgt" => Op::BvSgt,
        "ugt" => Op::BvUgt,
        "sgte" => Op::BvSge,
        "ugte" => Op::BvUge,
        "slt" => Op::BvSlt,
        "ult" => Op::BvUlt,
        "slte" => Op::BvSle,
        "ulte" => Op::BvUle,
        "and" => Op::BvAnd,
        "nand" => Op::BvNand,
        "nor" => Op::BvNor,
        "or" => Op::BvOr,
        "xnor" => Op::BvXnor,
        "xor" => Op::BvXor,
        "sll" => Op::BvShl,
        "sra" => Op::BvAshr,
        "srl" => Op::BvLshr,
        "add" => Op::BvAdd,
        "mul" => Op::BvMul,
        "sdiv" => Op::BvSdiv,
        "udiv" => Op::BvUdiv,
        "smod" => Op::BvSmod,
        "srem" => Op::BvSrem,
        "urem" => Op::BvUrem,
        "sub" => Op::BvSub,
        "saddo" => Op::BvSaddo,
        "uaddo" => Op::BvUaddo,
        "sdivo" => Op::BvSdivo,
        "smulo" => Op::BvSmulo,
        "umulo" => Op::BvUmulo,
        "ssubo" => Op::BvSsubo,
        "usubo" => Op::BvUsubo,
        "concat" => Op::Concat,
        "read" => Op::Select,
        _ => return None,
    })
}

fn apply(terms: &mut Terms, name: &str, args: &[Term]) -> Result<Term, String> {
    if let Some(op) = binary(name) {
        let term = checked(terms, op, args)?;
        return Ok(if terms.is_bool(term) { bit(terms, term) } else { term });
    }
    let width = |terms: &Terms, term: Term| match terms.sort_kind(terms.sort_of(term)) {
        SortKind::BitVec(width) => Ok(*width),
        _ => Err("a bit-vector is expected".to_owned()),
    };
    Ok(match (name, args) {
        ("not", _) => checked(terms, Op::BvNot, args)?,
        ("neg", _) => checked(terms, Op::BvNeg, args)?,
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
            let equal = checked(terms, Op::Eq, args)?;
            let differ = terms.not(equal);
            bit(terms, differ)
        }
        ("iff", &[a, b]) if width(terms, a)? == 1 => {
            let equal = checked(terms, Op::Eq, &[a, b])?;
            bit(terms, equal)
        }
        ("implies", &[a, b]) if width(terms, a)? == 1 => {
            let not = terms.bv_not(a);
            checked(terms, Op::BvOr, &[not, b])?
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
            checked(terms, Op::Ite, &[holds, then, otherwise])?
        }
        ("write", _) => checked(terms, Op::Store, args)?,
        _ => unreachable!("the operands were counted by name"),
    })
}

/// A truth value as a bit.
fn bit(terms: &mut Terms, truth: Term) -> Term {
    let (one, zero) = (terms.bv(1, 1), terms.bv(1, 0));
    terms.ite(truth, one, zero)
}
