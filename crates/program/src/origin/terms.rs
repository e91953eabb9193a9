//! Which objects the value of a term may be derived from.
//!
//! An address is derived from the object whose address it was computed from; this is part of the meaning of memory (see the
//! record `strict-runs`), and the rules are:
//!
//! | term | derived from |
//! |---|---|
//! | address of an object | that object, offset zero |
//! | variable | what it carries |
//! | sum | what either operand is derived from, the offset changed by the other |
//! | difference | what the left operand is derived from: a pointer that is subtracted leaves a number |
//! | choice, extension | what the branches, the argument are derived from |
//! | product, quotient, remainder, shift, narrowing | the operands, *weakly*, at any offset: beside the address of a named object in a sum it is an index |
//! | comparison | nothing |
//! | anything else | the arguments, at any offset |
//!
//! Beside this, the residue of the term's value modulo a power of two is read off its shape.

use base::FastMap;
use term::{Op, SortKind, Term, Terms};

use super::targets::Targets;
use crate::layout::{Class, low_bit, mask};
use crate::{Program, Var, VarKind};

/// What is known of a term.
#[derive(Clone, Default)]
struct Known {
    targets: Targets,
    /// What products and the like are derived from.
    weak: Targets,
    amount: Option<Class>,
    /// Whether it is a sum with the address of a named object.
    is_named: bool,
}

impl Known {
    fn amount(&self) -> Class {
        self.amount.unwrap_or(Class::ANY)
    }
    /// A sum or product of fewer bits than an address wraps around earlier.
    fn within(mut self, terms: &Terms, term: Term, width: u32) -> Known {
        if let Some(class) = self.amount
            && let SortKind::BitVec(bits) = *terms.sort_kind(terms.sort_of(term))
            && bits < width
            && (class.stride == 0 || class.stride > mask(bits))
        {
            self.amount = Some(Class::exactly(class.first & mask(bits)));
        }
        self
    }
    fn all(&self) -> Targets {
        let mut all = self.targets.clone();
        all.add(&self.weak);
        all
    }
}

/// What the value of the term may be derived from, if variables carry this.
pub(super) fn targets_of<'t>(
    program: &Program,
    terms: &Terms,
    term: Term,
    variable: impl Fn(Term) -> Option<Var>,
    carried: impl Fn(Var) -> &'t Targets,
) -> Targets {
    let mut known: FastMap<Term, Known> = FastMap::new();
    for part in terms.subterms_until(&[term], |part| terms.is_bool(part)) {
        let found = match (terms.op(part), variable(part)) {
            (Op::Symbol(_), Some(var)) => Known {
                targets: carried(var).clone(),
                is_named: matches!(program.vars[var].kind, VarKind::AddressOf(_)),
                ..Known::default()
            },
            _ => of_operator(terms, part, program.pointer_width, &known).within(terms, part, program.pointer_width),
        };
        known.insert(part, found);
    }
    known.get(&term).map(Known::all).unwrap_or_default()
}

fn of_operator(terms: &Terms, term: Term, width: u32, known: &FastMap<Term, Known>) -> Known {
    let nothing = Known::default();
    let args = terms.args(term);
    let arg = |place: usize| known.get(&args[place]).unwrap_or(&nothing);
    let value = |place: usize| terms.small_value(args[place]);
    match terms.op(term) {
        Op::Value => {
            Known { amount: terms.small_value(term).map(|value| Class::exactly(value & mask(width))), ..nothing }
        }
        Op::BvAdd => sum(arg(0), arg(1), width),
        Op::BvSub => {
            let minus = arg(1).amount().times(u64::MAX, width);
            let amount = Some(arg(0).amount().plus(minus, width));
            let Known { targets, weak, is_named, .. } = arg(0);
            Known { targets: targets.shifted(minus, width), weak: weak.clone(), amount, is_named: *is_named }
        }
        // What is subtracted leaves a number.
        Op::BvNeg => Known { amount: Some(arg(0).amount().times(u64::MAX, width)), ..nothing },
        Op::BvMul => {
            let by = |place: usize, factor: u64| {
                let is_negative = terms.width(term) <= 64 && factor >> (terms.width(term) - 1) & 1 == 1;
                let weak = if is_negative { Targets::default() } else { arg(place).all().anywhere() };
                Known { weak, amount: Some(arg(place).amount().times(factor, width)), ..Known::default() }
            };
            match (value(0), value(1)) {
                (_, Some(factor)) => by(0, factor),
                (Some(factor), _) => by(1, factor),
                _ => weakly(args, known, None),
            }
        }
        Op::BvShl => {
            let amount = value(1).map(|by| match u32::try_from(by).ok().and_then(|by| 1u64.checked_shl(by)) {
                Some(factor) => arg(0).amount().times(factor, width),
                None => Class::exactly(0),
            });
            weakly(args, known, amount)
        }
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvLshr | Op::BvAshr => weakly(args, known, None),
        Op::BvAnd => {
            let stride = [value(0), value(1)].into_iter().flatten().map(low_bit).max();
            let amount = stride.map(|stride| Class { first: 0, stride: stride & mask(width) });
            Known { targets: together(args, known), amount, ..nothing }
        }
        Op::Ite => {
            let (then, otherwise) = (arg(1), arg(2));
            let (mut targets, mut weak) = (then.targets.clone(), then.weak.clone());
            targets.add(&otherwise.targets);
            weak.add(&otherwise.weak);
            let amount = Some(then.amount().join(otherwise.amount()));
            Known { targets, weak, amount, is_named: then.is_named && otherwise.is_named }
        }
        Op::ZeroExtend(_) | Op::SignExtend(_) => {
            let inner = terms.width(args[0]);
            let low = arg(0).amount();
            // The lower bits stay.
            let limit = if inner < width { 1u64 << inner } else { 0 };
            let is_plain = matches!(terms.op(term), Op::ZeroExtend(_));
            let amount = if is_plain { low } else { low.join(Class { first: low.first, stride: limit }) };
            Known { amount: Some(amount), ..arg(0).clone() }
        }
        Op::Extract { high, low: 0 } if high + 1 == width => arg(0).clone(),
        Op::Extract { .. } => weakly(args, known, None),
        _ => Known { targets: together(args, known), ..nothing },
    }
}

fn sum(one: &Known, other: &Known, width: u32) -> Known {
    let mut targets = one.targets.shifted(other.amount(), width);
    targets.add(&other.targets.shifted(one.amount(), width));
    let is_named = one.is_named || other.is_named;
    let mut weak = Targets::default();
    if !is_named {
        weak.add(&one.weak);
        weak.add(&other.weak);
    }
    Known { targets, weak, amount: Some(one.amount().plus(other.amount(), width)), is_named }
}

/// All that the arguments are derived from, at any offset.
fn together(args: &[Term], known: &FastMap<Term, Known>) -> Targets {
    let mut all = Targets::default();
    for known in args.iter().filter_map(|arg| known.get(arg)) {
        all.add(&known.all().anywhere());
    }
    all
}
fn weakly(args: &[Term], known: &FastMap<Term, Known>, amount: Option<Class>) -> Known {
    Known { weak: together(args, known), amount, ..Known::default() }
}
