//! Layouts: which arrays hold which bytes of memory, as a claim beside the program.
//!
//! A *site* is where objects come from: a static object, an automatic object of an activation, an `Alloc` edge of an activation. A
//! *class* of offsets is one offset, or a residue modulo a power of two. A *column* is a set of (site, class): the cells of
//! that many bytes at these offsets of all objects of these sites. The bytes of different columns are disjoint, so a load or a store is a
//! read or a write of one column, or of one after the other for its parts.
//!
//! How a column is indexed is its *form*. A *scalar* is one cell of one object. An *offset* column belongs to one
//! object, and the index is the distance from its first byte. A *cell* column is indexed by the address itself, or by that of the object if all its
//! cells have one offset.
//!
//! A layout says nothing that has to be believed: `certify` checks it against the program as lowered.

use crate::{EdgeId, Frame, ObjectId};

/// Where objects come from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Site {
    /// A static object.
    Static(ObjectId),
    /// The automatic object of an activation.
    Automatic(Frame, ObjectId),
    /// What an `Alloc` edge of an activation makes.
    Alloc(Frame, EdgeId),
}

/// A set of offsets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Class {
    /// The offset, or its residue.
    pub first: u64,
    /// The modulus, a power of two; zero for one offset.
    pub stride: u64,
}

/// Cells of the objects of a site.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Member {
    /// The place of the site in the layout.
    pub site: u32,
    /// At these offsets.
    pub class: Class,
}

/// How a column is indexed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// One cell of one object: no index.
    Scalar,
    /// Cells of one object: the distance from its first byte.
    Offset,
    /// Cells of any objects: the address, less the offset if there is one for all.
    Cell,
}

/// Cells that one array, or one word, holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Bytes of a cell.
    pub bytes: u64,
    /// How it is indexed.
    pub form: Form,
    /// What it holds.
    pub members: Vec<Member>,
}

/// Which columns hold what memory.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Layout {
    /// The sites whose objects the columns hold. Their bytes outside the columns are any value.
    pub sites: Vec<Site>,
    /// The columns.
    pub columns: Vec<Column>,
    /// Sites whose objects begin at addresses that are not in use, and then are; their sets of addresses are one.
    pub counted: Vec<u32>,
    /// What loads and stores are about, part by part, the lowest bytes first.
    pub access: Vec<(Frame, EdgeId, Vec<Part>)>,
    /// The `Alloc` edges of which is recorded where the object lies that each made last, how large it is and whether it is live.
    pub valid: Vec<Recorded>,
}

/// An `Alloc` edge whose last object is recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The activation.
    pub frame: Frame,
    /// The edge.
    pub edge: EdgeId,
    /// Whether the tags say where its live objects begin; the tag is its place in the list, counted from one.
    pub is_tagged: bool,
}

/// How many bits a tag of an object has.
// law: more sites are not recorded.
pub const TAG_BITS: u32 = 8;

/// Some bytes of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// How many.
    pub bytes: u64,
    /// The column that holds them; none if no column does.
    pub column: Option<u32>,
}

impl Column {
    /// What is subtracted from an address to have the index of its cell: where all cells of a cell column have one offset, they are indexed by
    /// the first byte of their objects.
    pub fn shift(&self) -> u64 {
        let first = self.members.first().map_or(0, |member| member.class.first);
        let is_one = self.members.iter().all(|member| member.class == Class::exactly(first));
        if is_one && self.form == Form::Cell { first } else { 0 }
    }
}

impl Layout {
    /// Leaves out the columns for which `keep` is false, and the sites and accesses that no column is about any more, and the set of
    /// addresses in use unless it is to be kept. A site that is needed stays. Returns the new places of the columns.
    pub fn keep(&mut self, keep: &[bool], keep_used: bool, is_needed: impl Fn(&Site) -> bool) -> Vec<Option<u32>> {
        if !keep_used {
            self.counted.clear();
        }
        let mut next = 0;
        let mut number = |kept: bool| kept.then(|| (next += 1, next - 1).1);
        let columns: Vec<Option<u32>> = keep.iter().map(|&kept| number(kept)).collect();
        let mut place = 0;
        self.columns.retain(|_| (place += 1, columns[place - 1].is_some()).1);
        let is_used = |site: usize| {
            self.counted.contains(&(site as u32))
                || is_needed(&self.sites[site])
                || self.columns.iter().any(|column| column.members.iter().any(|member| member.site as usize == site))
        };
        let used: Vec<bool> = (0..self.sites.len()).map(is_used).collect();
        let mut next = 0;
        let sites: Vec<u32> = used.iter().map(|&used| (next += u32::from(used), next.max(1) - 1).1).collect();
        let mut place = 0;
        self.sites.retain(|_| (place += 1, used[place - 1]).1);
        for member in self.columns.iter_mut().flat_map(|column| &mut column.members) {
            member.site = sites[member.site as usize];
        }
        for site in &mut self.counted {
            *site = sites[*site as usize];
        }
        for (_, _, parts) in &mut self.access {
            for part in parts {
                part.column = part.column.and_then(|column| columns[column as usize]);
            }
        }
        self.access.retain(|(_, _, parts)| parts.iter().any(|part| part.column.is_some()));
        columns
    }
}

impl Class {
    /// Any offset.
    pub const ANY: Class = Class { first: 0, stride: 1 };

    /// This offset.
    pub fn exactly(first: u64) -> Class {
        Class { first, stride: 0 }
    }
    /// The smallest class that contains both.
    #[must_use]
    pub fn join(self, other: Class) -> Class {
        let stride = common(common(self.stride, other.stride), low_bit(self.first.wrapping_sub(other.first)));
        self.modulo(stride)
    }
    /// The sums, for addresses of this many bits.
    #[must_use]
    pub fn plus(self, other: Class, width: u32) -> Class {
        let sum = Class { first: self.first.wrapping_add(other.first) & mask(width), stride: 0 };
        sum.modulo(common(self.stride, other.stride))
    }
    /// The products with a constant, for addresses of this many bits.
    #[must_use]
    pub fn times(self, factor: u64, width: u32) -> Class {
        let first = self.first.wrapping_mul(factor) & mask(width);
        let stride = self.stride.checked_mul(low_bit(factor)).unwrap_or(0) & mask(width);
        Class { first, stride: 0 }.modulo(stride)
    }
    /// Whether this class contains all offsets of the other.
    pub fn covers(self, other: Class) -> bool {
        if self.stride == 0 {
            return self == other;
        }
        other.stride.is_multiple_of(self.stride) && other.first % self.stride == self.first % self.stride
    }
    /// Whether cells of these sizes at offsets of the two classes can have a byte in common.
    pub fn may_overlap(self, bytes: u64, other: Class, other_bytes: u64, width: u32) -> bool {
        let modulus = common(self.stride, other.stride);
        let distance = |from: u64, to: u64| match modulus {
            0 => to.wrapping_sub(from) & mask(width),
            _ => to.wrapping_sub(from) % modulus,
        };
        distance(self.first, other.first) < bytes || distance(other.first, self.first) < other_bytes
    }
    /// Whether cells of one size at offsets of the two classes are the same or have no byte in common.
    pub fn is_aligned_with(self, other: Class, bytes: u64) -> bool {
        let modulus = common(self.stride, other.stride);
        match modulus {
            0 => self.first == other.first,
            _ => self.first % modulus == other.first % modulus && bytes <= modulus,
        }
    }
    fn modulo(self, stride: u64) -> Class {
        Class { first: if stride == 0 { self.first } else { self.first % stride }, stride }
    }
}

/// The lowest bit that is set; zero if none is.
pub(crate) fn low_bit(value: u64) -> u64 {
    value & value.wrapping_neg()
}

/// The greatest common divisor of two powers of two, where zero is a multiple of everything.
fn common(one: u64, other: u64) -> u64 {
    match (one, other) {
        (0, some) | (some, 0) => some,
        _ => one.min(other),
    }
}

/// The largest number of this many bits.
pub(crate) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(first: u64, stride: u64) -> Class {
        Class { first, stride }
    }

    #[test]
    fn classes_of_small_numbers_agree_with_enumeration() {
        let width = 6;
        let classes: Vec<Class> = [0, 1, 2, 4, 8, 16]
            .into_iter()
            .flat_map(|stride| (0..if stride == 0 { 64 } else { stride }).map(move |first| class(first, stride)))
            .collect();
        let has = |class: Class, at: u64| {
            if class.stride == 0 { at == class.first } else { at % class.stride == class.first }
        };
        let all = |class: Class| (0..64u64).filter(move |&at| has(class, at));
        for &one in &classes {
            for &other in &classes {
                let both = one.join(other);
                assert!(all(one).chain(all(other)).all(|at| has(both, at)), "{one:?} {other:?}");
                assert!(
                    all(one).all(|a| all(other).all(|b| has(one.plus(other, width), (a + b) % 64))),
                    "{one:?} {other:?}"
                );
                assert_eq!(one.covers(other), all(other).all(|at| has(one, at)), "{one:?} {other:?}");
                for (n, m) in [(1, 1), (4, 4), (2, 8), (8, 1)] {
                    let touches = |a: u64, b: u64| (b + 64 - a) % 64 < n || (a + 64 - b) % 64 < m;
                    let really = all(one).any(|a| all(other).any(|b| touches(a, b)));
                    assert_eq!(one.may_overlap(n, other, m, width), really, "{one:?} {n} {other:?} {m}");
                    let same = |a: u64, b: u64| a == b || !((b + 64 - a) % 64 < n || (a + 64 - b) % 64 < n);
                    if one.is_aligned_with(other, n) {
                        assert!(all(one).all(|a| all(other).all(|b| same(a, b))), "{one:?} {other:?} {n}");
                    }
                }
            }
            for factor in 0..64 {
                let product = one.times(factor, width);
                assert!(all(one).all(|at| has(product, at * factor % 64)), "{one:?} {factor}");
            }
        }
    }
}
