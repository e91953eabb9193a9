//! Lemmas about widening, cutting out and counting, for the checker.
//!
//! Memory in transition systems has wide words, and programs store narrow ones in them: `extract(zero_extend(x))` is `x`.
//! A counter that was counted up is another number: `x + 1` is not `x`. The shaped program has that simplified
//! away. In the formulas of the file such operators are apart, with arrays and conditions in between, and a checker
//! that reads operators as uninterpreted needs these lemmas; it proves them itself.

use base::Bits;
use term::{Op, SortKind, Term, Terms};

use crate::tuning::Tuning;

/// The lemmas that the formulas call for, in a store that does not simplify. Their variables stand for any value.
pub(super) fn lemmas(terms: &Terms, formulas: &[Term], own: &mut Terms) -> Vec<Term> {
    let mut wide: Vec<(Op, Vec<u32>)> = Vec::new();
    let mut cuts: Vec<(u32, Op)> = Vec::new();
    let mut counts: Vec<Bits> = Vec::new();
    for term in terms.subterms(formulas) {
        let width = |term: Term| match terms.sort_kind(terms.sort_of(term)) {
            SortKind::BitVec(width) => *width,
            _ => 0,
        };
        let args: Vec<u32> = terms.args(term).iter().map(|&arg| width(arg)).collect();
        match terms.op(term) {
            op @ (Op::ZeroExtend(_) | Op::SignExtend(_)) => {
                wide.push((op, args.clone()));
                cuts.push((width(term), Op::Extract { high: args[0] - 1, low: 0 }));
            }
            op @ Op::Concat => wide.push((op, args)),
            op @ Op::Extract { .. } => cuts.push((args[0], op)),
            Op::BvAdd => counts.extend(terms.args(term).iter().filter_map(|&arg| terms.value(arg))),
            _ => {}
        }
    }
    dedup(&mut wide);
    dedup(&mut cuts);
    dedup(&mut counts);
    let mut found = Vec::new();
    for count in counts.into_iter().filter(|count| !count.is_zero()).take(Tuning::DEFAULT.max_lemmas / 2) {
        let sort = own.bv_sort(count.width());
        let any = own.variable(&format!("any of {}", count.width()), sort);
        let count = own.bits(count);
        let more = own.bv_add(any, count);
        found.push(own.ne(more, any));
    }
    let mut simple = Terms::new();
    for (op, widths) in wide {
        let variables = |terms: &mut Terms| -> Vec<Term> {
            let named = widths.iter().enumerate();
            named
                .map(|(place, &width)| {
                    let sort = terms.bv_sort(width);
                    terms.variable(&format!("any {place} of {width}"), sort)
                })
                .collect()
        };
        let args = variables(own);
        let whole = own.make(op, &args);
        let short = variables(&mut simple);
        let short = simple.make(op, &short);
        let full = own.width(whole);
        for &(_, cut) in cuts.iter().filter(|&&(width, _)| width == full) {
            let part = own.make(cut, &[whole]);
            let value = simple.make(cut, &[short]);
            // What does not become simpler is no lemma worth having.
            if simple.size(&[value]) >= own.size(&[part]) {
                continue;
            }
            let value = term::Import::new().term(&simple, own, value).expect("the variables are the same");
            found.push(own.eq(part, value));
        }
    }
    found.truncate(Tuning::DEFAULT.max_lemmas);
    found
}

fn dedup<T: PartialEq>(list: &mut Vec<T>) {
    let mut seen: Vec<T> = Vec::new();
    for one in list.drain(..) {
        if !seen.contains(&one) {
            seen.push(one);
        }
    }
    *list = seen;
}
