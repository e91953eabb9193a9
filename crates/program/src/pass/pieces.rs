//! The bytes of an object in pieces: each piece that is read or written as one becomes one variable.
//!
//! Accesses of up to eight bytes that overlap are put together. A wider access is cut by the pieces it
//! meets, and what is left between them becomes pieces of its own, so that copying a structure as a whole
//! does not glue its members together.

use base::Bits;
use term::{FpOp, Sort, SortKind, Term, Terms};

use crate::tuning::Tuning;

/// Bytes `start..end` of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Range {
    pub start: u64,
    pub end: u64,
}

impl Range {
    pub(super) fn size(self) -> u64 {
        self.end - self.start
    }
    pub(super) fn overlaps(self, other: Range) -> bool {
        self.start < other.end && other.start < self.end
    }
    pub(super) fn contains(self, other: Range) -> bool {
        self.start <= other.start && other.end <= self.end
    }
    /// The part that both have.
    fn common(self, other: Range) -> Range {
        Range { start: self.start.max(other.start), end: self.end.min(other.end) }
    }
}

/// The pieces for these accesses, in order.
pub(super) fn pieces(accesses: &[Range]) -> Vec<Range> {
    let mut narrow: Vec<Range> =
        accesses.iter().copied().filter(|range| range.size() <= Tuning::DEFAULT.max_whole_access_bytes).collect();
    narrow.sort_unstable();
    let mut merged: Vec<Range> = Vec::new();
    for range in narrow {
        match merged.last_mut() {
            Some(last) if last.overlaps(range) => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    // The gaps that wide accesses leave, cut where any wide access begins or ends.
    let wide: Vec<Range> =
        accesses.iter().copied().filter(|range| range.size() > Tuning::DEFAULT.max_whole_access_bytes).collect();
    let mut cuts: Vec<u64> = wide.iter().flat_map(|range| [range.start, range.end]).collect();
    cuts.extend(merged.iter().flat_map(|range| [range.start, range.end]));
    cuts.sort_unstable();
    cuts.dedup();
    let mut all = merged.clone();
    for pair in cuts.windows(2) {
        let gap = Range { start: pair[0], end: pair[1] };
        if wide.iter().any(|range| range.contains(gap)) && !merged.iter().any(|range| range.overlaps(gap)) {
            all.push(gap);
        }
    }
    all.sort_unstable();
    all
}

/// How many bytes a value of this sort has in memory.
pub(super) fn bytes_of(terms: &Terms, sort: Sort) -> u64 {
    match *terms.sort_kind(sort) {
        SortKind::Bool => 1,
        SortKind::BitVec(width) => u64::from(width / 8),
        SortKind::Float(exponent, significand) => u64::from((exponent + significand).div_ceil(8)),
        _ => panic!("what is loaded or stored has bytes"),
    }
}

/// Whether the bytes of a value of this sort are its bits.
pub(super) fn has_bits(terms: &Terms, sort: Sort) -> bool {
    match *terms.sort_kind(sort) {
        SortKind::Bool | SortKind::BitVec(_) => true,
        SortKind::Float(exponent, significand) => matches!((exponent, significand), (8, 24) | (11, 53)),
        _ => false,
    }
}

/// The bytes of a value as one word.
pub(super) fn to_bits(terms: &mut Terms, value: Term) -> Term {
    let sort = terms.sort_of(value);
    match *terms.sort_kind(sort) {
        SortKind::Bool => {
            let (one, zero) = (terms.bv(8, 1), terms.bv(8, 0));
            terms.ite(value, one, zero)
        }
        SortKind::Float(exponent, significand) => {
            let bits = terms.bv_sort(exponent + significand);
            terms.fp(FpOp::ToBits, &[value], bits)
        }
        _ => value,
    }
}

/// The value of this sort that these bytes are.
pub(super) fn from_bits(terms: &mut Terms, bits: Term, sort: Sort) -> Term {
    match *terms.sort_kind(sort) {
        SortKind::Bool => {
            let zero = terms.bv(terms.width(bits), 0);
            terms.ne(bits, zero)
        }
        SortKind::Float(..) => terms.fp(FpOp::FromBits, &[bits], sort),
        _ => bits,
    }
}

/// The bytes `part` of a word that holds the bytes `whole`.
pub(super) fn extract(terms: &mut Terms, word: Term, whole: Range, part: Range) -> Term {
    if whole == part {
        return word;
    }
    let low = (part.start - whole.start) * 8;
    terms.extract(word, (low + part.size() * 8 - 1) as u32, low as u32)
}

/// The word of the bytes `whole` after the bytes of `value`, which is a word of `written`, were put in.
pub(super) fn splice(terms: &mut Terms, old: Term, whole: Range, value: Term, written: Range) -> Term {
    let part = whole.common(written);
    let mut word = extract(terms, value, written, part);
    if whole.start < part.start {
        let below = extract(terms, old, whole, Range { start: whole.start, end: part.start });
        word = terms.concat(word, below);
    }
    if part.end < whole.end {
        let above = extract(terms, old, whole, Range { start: part.end, end: whole.end });
        word = terms.concat(above, word);
    }
    word
}

/// The word of the bytes `wanted`, of which each piece holds some, in order and without gaps.
pub(super) fn gather(terms: &mut Terms, pieces: &[(Range, Term)], wanted: Range) -> Term {
    let mut word: Option<Term> = None;
    for &(range, bits) in pieces {
        let part = extract(terms, bits, range, range.common(wanted));
        word = Some(match word {
            None => part,
            Some(below) => terms.concat(part, below),
        });
    }
    word.expect("an access meets at least one piece")
}

/// The value of this sort that these bytes are, the low one first.
pub(super) fn value_of_bytes(terms: &mut Terms, sort: Sort, bytes: &[u8]) -> Term {
    match *terms.sort_kind(sort) {
        SortKind::Bool => terms.truth(bytes.iter().any(|&byte| byte != 0)),
        SortKind::Float(..) => {
            let text: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
            terms.numeral(sort, &text)
        }
        _ => {
            let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            let words: Vec<u64> = bytes.chunks(8).map(word).collect();
            terms.bits(Bits::from_words(8 * bytes.len() as u32, &words))
        }
    }
}
