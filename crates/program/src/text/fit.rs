//! Whether arguments fit an operator: asked before the store is, which trusts its callers.

use term::{FpOp, NumberOp, Op, Sort, SortKind, Term, Terms};

/// The widest bit-vector that is read.
const MAX_WIDTH: u64 = 1 << 24;

/// A sentence that says why the operator does not take these arguments, if it does not.
pub(super) fn misfit(terms: &Terms, op: Op, args: &[Term]) -> Option<String> {
    let kind = |index: usize| terms.sort_kind(terms.sort_of(args[index]));
    let width = |index: usize| match kind(index) {
        SortKind::BitVec(width) => Some(u64::from(*width)),
        _ => None,
    };
    let all = |wanted: &dyn Fn(&SortKind) -> bool| (0..args.len()).all(|index| wanted(kind(index)));
    let same = || args.iter().all(|&arg| terms.sort_of(arg) == terms.sort_of(args[0]));
    let is_bool = |kind: &SortKind| *kind == SortKind::Bool;
    let is_vector = |kind: &SortKind| matches!(kind, SortKind::BitVec(_));
    let is_float = |kind: &SortKind| matches!(kind, SortKind::Float(..));
    let is_int = |kind: &SortKind| *kind == SortKind::Int;
    let is_real = |kind: &SortKind| *kind == SortKind::Real;
    let (count, fits): (std::ops::RangeInclusive<usize>, Box<dyn Fn() -> bool + '_>) = match op {
        Op::True | Op::False => (0..=0, Box::new(|| true)),
        Op::Value | Op::Numeral | Op::ConstArray => return Some("a literal takes no arguments".to_owned()),
        Op::Symbol(symbol) => {
            let wanted = terms.symbol_args(symbol);
            (wanted.len()..=wanted.len(), Box::new(|| wanted.iter().zip(args).all(|(&s, &a)| s == terms.sort_of(a))))
        }
        Op::Not => (1..=1, Box::new(|| all(&is_bool))),
        Op::And | Op::Or => (1..=usize::MAX, Box::new(|| all(&is_bool))),
        Op::Xor | Op::Implies => (2..=2, Box::new(|| all(&is_bool))),
        Op::Eq => (2..=2, Box::new(same)),
        Op::Distinct => (1..=usize::MAX, Box::new(same)),
        Op::Ite => (3..=3, Box::new(|| is_bool(kind(0)) && terms.sort_of(args[1]) == terms.sort_of(args[2]))),
        Op::BvNot | Op::BvNeg | Op::BvNego | Op::RotateLeft(_) | Op::RotateRight(_) => {
            (1..=1, Box::new(|| all(&is_vector)))
        }
        Op::Concat => (2..=2, Box::new(|| width(0).zip(width(1)).is_some_and(|(high, low)| high + low <= MAX_WIDTH))),
        Op::Extract { high, low } => (1..=1, Box::new(move || low <= high && width(0) > Some(u64::from(high)))),
        Op::ZeroExtend(by) | Op::SignExtend(by) => {
            (1..=1, Box::new(move || width(0).is_some_and(|width| width + u64::from(by) <= MAX_WIDTH)))
        }
        Op::Repeat(times) => {
            (1..=1, Box::new(move || times > 0 && width(0).is_some_and(|width| width * u64::from(times) <= MAX_WIDTH)))
        }
        Op::Select | Op::Store => {
            let n_args = if op == Op::Select { 2 } else { 3 };
            (
                n_args..=n_args,
                Box::new(|| match *kind(0) {
                    SortKind::Array(index, element) => {
                        args[1..].iter().zip([index, element]).all(|(&arg, sort)| terms.sort_of(arg) == sort)
                    }
                    _ => false,
                }),
            )
        }
        Op::Number(op) => match op {
            NumberOp::Abs | NumberOp::ToReal => (1..=1, Box::new(|| all(&is_int))),
            NumberOp::ToInt | NumberOp::IsInt => (1..=1, Box::new(|| all(&is_real))),
            NumberOp::Neg => (1..=1, Box::new(|| all(&is_int) || all(&is_real))),
            NumberOp::IntDiv | NumberOp::Mod => (2..=2, Box::new(|| all(&is_int))),
            NumberOp::Div => (2..=2, Box::new(|| all(&is_real))),
            _ => (2..=2, Box::new(|| all(&is_int) || all(&is_real))),
        },
        Op::Fp(op) => match op {
            FpOp::FromSigned | FpOp::FromUnsigned | FpOp::FromBits => (1..=1, Box::new(|| all(&is_vector))),
            FpOp::FromFloat | FpOp::ToSigned | FpOp::ToUnsigned => (1..=1, Box::new(|| all(&is_float))),
            FpOp::Add | FpOp::Sub | FpOp::Mul | FpOp::Div | FpOp::Fmod | FpOp::Rem => {
                (2..=2, Box::new(|| all(&is_float) && same()))
            }
            FpOp::Min | FpOp::Max | FpOp::Eq | FpOp::Lt | FpOp::Le => (2..=2, Box::new(|| all(&is_float) && same())),
            _ => (1..=1, Box::new(|| all(&is_float))),
        },
        // Everything else takes two bit-vectors of one width.
        _ => (2..=2, Box::new(|| all(&is_vector) && same())),
    };
    if !count.contains(&args.len()) {
        let wanted = match (count.start(), count.end()) {
            (least, most) if least == most => format!("{least}"),
            (least, _) => format!("at least {least}"),
        };
        return Some(format!("the operator takes {wanted} arguments, not {}", args.len()));
    }
    (!fits()).then(|| {
        let sorts: Vec<String> = args.iter().map(|&arg| sort_text(terms, terms.sort_of(arg))).collect();
        format!("the operator does not take arguments of the sorts {}", sorts.join(" "))
    })
}

/// The sort in the words of SMT-LIB.
pub(super) fn sort_text(terms: &Terms, sort: Sort) -> String {
    let mut text = String::new();
    super::term_print::TermPrinter::new(terms).sort(&mut text, sort);
    text
}
