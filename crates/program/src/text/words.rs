//! The words for the small choices of the model, the same in both directions.

use crate::{AccessKind, AssertionKind, Lifetime, Shown, Undefined};

/// Something that is written as one word out of a few.
pub(super) trait Worded: Copy + 'static {
    /// All of them.
    const ALL: &'static [Self];
    /// The word.
    fn word(self) -> &'static str;
    /// What the word stands for.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.word() == word)
    }
}

impl Worded for Shown {
    const ALL: &'static [Self] = &[Shown::Plain, Shown::Signed, Shown::Unsigned, Shown::Pointer, Shown::Float];
    fn word(self) -> &'static str {
        match self {
            Shown::Plain => "plain",
            Shown::Signed => "signed",
            Shown::Unsigned => "unsigned",
            Shown::Pointer => "pointer",
            Shown::Float => "float",
        }
    }
}

impl Worded for AssertionKind {
    const ALL: &'static [Self] = &[
        AssertionKind::Condition,
        AssertionKind::Unreached,
        AssertionKind::Overflow,
        AssertionKind::Division,
        AssertionKind::Shift,
        AssertionKind::Access(AccessKind::Read),
        AssertionKind::Access(AccessKind::Write),
        AssertionKind::Access(AccessKind::Free),
        AssertionKind::Access(AccessKind::Track),
        AssertionKind::Cleanup,
        AssertionKind::Target,
        AssertionKind::Length,
        AssertionKind::Ends,
        AssertionKind::Order,
    ];
    fn word(self) -> &'static str {
        match self {
            AssertionKind::Condition => "condition",
            AssertionKind::Unreached => "unreached",
            AssertionKind::Overflow => "overflow",
            AssertionKind::Division => "division",
            AssertionKind::Shift => "shift",
            AssertionKind::Access(access) => access.word(),
            AssertionKind::Cleanup => "cleanup",
            AssertionKind::Target => "target",
            AssertionKind::Length => "length",
            AssertionKind::Ends => "ends",
            AssertionKind::Order => "order",
        }
    }
}

impl Worded for Lifetime {
    const ALL: &'static [Self] = &[Lifetime::Heap, Lifetime::Frame];
    fn word(self) -> &'static str {
        match self {
            Lifetime::Heap => "heap",
            Lifetime::Frame => "frame",
        }
    }
}

impl Worded for AccessKind {
    const ALL: &'static [Self] = &[AccessKind::Read, AccessKind::Write, AccessKind::Free, AccessKind::Track];
    fn word(self) -> &'static str {
        AccessKind::word(self)
    }
}

impl Worded for Undefined {
    const ALL: &'static [Self] = &[
        Undefined::DivisionByZero,
        Undefined::ShiftOutOfRange,
        Undefined::SignedOverflow,
        Undefined::DivisionOverflow,
        Undefined::BadFunctionPointer,
        Undefined::FloatToInteger,
        Undefined::MissingReturn,
        Undefined::Unreachable,
        Undefined::BadLength,
        Undefined::BrokenPromise,
    ];
    fn word(self) -> &'static str {
        match self {
            Undefined::DivisionByZero => "division-by-zero",
            Undefined::ShiftOutOfRange => "shift-out-of-range",
            Undefined::SignedOverflow => "signed-overflow",
            Undefined::DivisionOverflow => "division-overflow",
            Undefined::BadFunctionPointer => "bad-function-pointer",
            Undefined::FloatToInteger => "float-to-integer",
            Undefined::MissingReturn => "missing-return",
            Undefined::Unreachable => "unreachable",
            Undefined::BadLength => "bad-length",
            Undefined::BrokenPromise => "broken-promise",
        }
    }
}
