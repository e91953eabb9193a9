//! Objects as arrays: when every access has one size and an offset that is a multiple of it.
//!
//! The array maps byte offsets, as wide as a pointer, to elements. The offset of an access can be any number,
//! so an access is guarded: outside the object a read is any value and a write has no effect, as the model says.
//! That a term is a multiple of a power of two is read off its last bits.

use term::{Op, Sort, SortKind, Term, Terms};

use super::pieces::value_of_bytes;
use crate::Object;
use crate::tuning::Tuning;

/// Whether the value is a multiple of two to the power of `bits`, as its shape shows.
pub(super) fn is_multiple(terms: &Terms, term: Term, bits: u32) -> bool {
    let mut work = vec![(term, bits)];
    // Shared subterms are few in an address; the bound keeps odd ones from costing time.
    let mut steps = 0;
    while let Some((term, bits)) = work.pop() {
        steps += 1;
        if steps > 1000 {
            return false;
        }
        if bits == 0 {
            continue;
        }
        if let Some(value) = terms.value(term) {
            if value.is_zero() || value.trailing_zeros() >= bits {
                continue;
            }
            return false;
        }
        match (terms.op(term), terms.args(term)) {
            (Op::BvAdd | Op::BvSub, args) => work.extend(args.iter().map(|&arg| (arg, bits))),
            (Op::BvNeg, &[arg]) => work.push((arg, bits)),
            (Op::Ite, &[_, then, otherwise]) => work.extend([(then, bits), (otherwise, bits)]),
            (Op::BvMul, &[left, right]) => match terms.value(right) {
                Some(value) => work.push((left, bits.saturating_sub(value.trailing_zeros()))),
                None => return false,
            },
            (Op::BvShl, &[arg, by]) => match terms.small_value(by) {
                Some(by) => work.push((arg, bits.saturating_sub(u32::try_from(by).unwrap_or(u32::MAX)))),
                None => return false,
            },
            (Op::Concat, &[_, low]) if terms.width(low) >= bits => work.push((low, bits)),
            (Op::ZeroExtend(_) | Op::SignExtend(_), &[arg]) if terms.width(arg) >= bits => work.push((arg, bits)),
            _ => return false,
        }
    }
    true
}

/// The sort of the array for elements of this sort.
pub(super) fn array_sort(terms: &mut Terms, pointer_width: u32, element: Sort) -> Sort {
    let index = terms.bv_sort(pointer_width);
    terms.sort(SortKind::Array(index, element))
}

/// The first contents of a static object as an array; none if there is too much to say.
pub(super) fn first_contents(terms: &mut Terms, object: &Object, sort: Sort, size: u64) -> Option<Term> {
    let SortKind::Array(index, element) = *terms.sort_kind(sort) else { panic!("an array is asked for") };
    let width = match *terms.sort_kind(index) {
        SortKind::BitVec(width) => width,
        _ => panic!("offsets are as wide as a pointer"),
    };
    let step = size as usize;
    let given: Vec<&[u8]> = object.init.chunks(step).collect();
    let full = |chunk: &[u8]| -> Vec<u8> {
        let mut bytes = chunk.to_vec();
        bytes.resize(step, 0);
        bytes
    };
    // One value everywhere needs no stores.
    let n_elements = object.size / size;
    let common = match given.first() {
        Some(first) if given.len() as u64 >= n_elements && given.iter().all(|other| full(other) == full(first)) => {
            full(first)
        }
        _ => vec![0; step],
    };
    let background = value_of_bytes(terms, element, &common);
    let mut array = terms.const_array(sort, background);
    let mut stores = 0;
    for (place, chunk) in given.into_iter().enumerate() {
        let bytes = full(chunk);
        if bytes == common {
            continue;
        }
        stores += 1;
        if stores > Tuning::DEFAULT.max_initial_stores {
            return None;
        }
        let at = terms.bv(width, place as u64 * size);
        let value = value_of_bytes(terms, element, &bytes);
        array = terms.store(array, at, value);
    }
    Some(array)
}

/// Whether an access of this size at this offset is inside the object.
pub(super) fn inside(terms: &mut Terms, offset: Term, size: u64, object_size: u64) -> Term {
    match object_size.checked_sub(size) {
        Some(last) => {
            let last = terms.bv(terms.width(offset), last);
            terms.bv_ule(offset, last)
        }
        None => terms.truth(false),
    }
}
