//! The columns of the operator table.
//!
//! A row says everything about an operator that readers, printers, the sort check, the evaluator, the solvers' cost
//! estimates and the tests need, so none of them lists operators. The rows stand in `op.rs` (operators of terms) and in
//! `derived.rs` (operators that are expanded when a term is built). A row is found by the operator's code, never by name;
//! names are looked up once per word of a text.

use base::Bits;

/// What there is to know about an operator.
#[derive(Debug)]
pub struct Row {
    /// SMT-LIB's name; empty for heads without a name of their own (literals, symbols, constant arrays).
    pub name: &'static str,
    /// The rounding mode that stands in front of the arguments.
    pub(crate) mode: Option<&'static str>,
    /// Which arguments it takes, and the sort of its result.
    pub(crate) sorts: Sorts,
    /// What the text `(name a b c)` means for an operator of two arguments.
    pub(crate) more: More,
    /// Its value on bit-vector values.
    pub(crate) value: Meaning,
    /// What its circuit costs.
    pub cost: Cost,
    /// Whether the two arguments can be exchanged.
    pub commutes: bool,
}

/// A rule for sorts. A number is the number of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sorts {
    /// Built by a constructor of its own; the reason why not by `make`.
    Own(&'static str),
    /// As the symbol was declared.
    Declared,
    /// Truth values to a truth value.
    Bools(usize),
    /// Any number of truth values to a truth value.
    AnyBools,
    /// Two arguments of one sort to a truth value.
    Equality,
    /// One or more arguments of one sort to a truth value.
    Differences,
    /// A truth value and two of one sort, which is the result's.
    Choice,
    /// Bit-vectors of one width to a bit-vector of that width.
    Words(usize),
    /// Bit-vectors of one width to a truth value.
    Test(usize),
    /// Two bit-vectors; the widths add up.
    Join,
    /// A bit-vector to its bits between the two indices.
    Slice,
    /// A bit-vector to a longer one, by the index.
    Extend,
    /// Bit-vectors of one width to a single bit.
    Bit(usize),
    /// A bit-vector to as many copies as the index says.
    Copies,
    /// An array and an index.
    Read,
    /// An array, an index and an element.
    Write,
    /// Numbers of one sort.
    Numbers(usize, Domain, Range),
    /// Floats of one format.
    Floats(usize, Range),
}

/// Which numbers an operator takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Domain {
    Int,
    Real,
    Either,
}

/// The result of an operator on numbers or floats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Range {
    /// The sort of the arguments.
    Same,
    Bool,
    Int,
    Real,
    /// The bits of the float's encoding.
    Encoding,
}

/// What more than two arguments in a text mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum More {
    /// Nothing but what the sorts allow.
    No,
    /// `(f (f a b) c)`
    Left,
    /// `(f a (f b c))`
    Right,
    /// `(and (f a b) (f b c))`
    Chain,
}

/// The value of an operator on values of bit-vectors.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning {
    /// It is not an operator from bit-vectors only, or has no evaluation.
    Other,
    Word1(fn(&Bits) -> Bits),
    Word2(fn(&Bits, &Bits) -> Bits),
    Test1(fn(&Bits) -> bool),
    Test2(fn(&Bits, &Bits) -> bool),
    /// With the index behind the name, as in `(_ zero_extend 8)`.
    Index1(fn(&Bits, u32) -> Bits),
    /// With both indices.
    Index2(fn(&Bits, u32, u32) -> Bits),
}

/// Classes of circuits, from small to large.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cost {
    /// Not an operator on bit-vectors: nothing to build.
    NoCircuit,
    /// Bits are moved or inverted.
    Wires,
    /// A comparison of two words.
    Compare,
    /// A gate for each bit.
    Bitwise,
    /// An adder.
    Sum,
    /// The overflow of an adder.
    SumOverflow,
    /// A shifter.
    Shift,
    /// A multiplier.
    Product,
    /// The overflow of a multiplier, which takes one of twice the width.
    ProductOverflow,
    /// A divider.
    Division,
}

impl Row {
    pub(crate) const fn new(name: &'static str, sorts: Sorts) -> Row {
        Row { name, mode: None, sorts, more: More::No, value: Meaning::Other, cost: Cost::NoCircuit, commutes: false }
    }
    /// A head without a name of its own.
    pub(crate) const fn unnamed(sorts: Sorts) -> Row {
        Row::new("", sorts)
    }
    /// An operator on bit-vectors.
    pub(crate) const fn bits(name: &'static str, sorts: Sorts, value: Meaning, cost: Cost) -> Row {
        Row { value, cost, ..Row::new(name, sorts) }
    }
    pub(crate) const fn left(self) -> Row {
        Row { more: More::Left, ..self }
    }
    pub(crate) const fn right(self) -> Row {
        Row { more: More::Right, ..self }
    }
    pub(crate) const fn chain(self) -> Row {
        Row { more: More::Chain, ..self }
    }
    pub(crate) const fn commutes(self) -> Row {
        Row { commutes: true, ..self }
    }
    pub(crate) const fn rounding(self, mode: &'static str) -> Row {
        Row { mode: Some(mode), ..self }
    }
}
