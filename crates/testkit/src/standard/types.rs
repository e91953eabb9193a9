//! Integer types: clauses 5.2.4.2.1 (widths), 6.2.5 (signedness), 6.3.1 (conversions), 6.4.4.1 (constants).

use cfront::DataModel;

/// An integer type, in the order of conversion rank (6.3.1.1p1), signed before unsigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// `_Bool`
    Bool,
    /// `char`, which is signed here.
    Char,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
    /// `short`
    Short,
    /// `unsigned short`
    UnsignedShort,
    /// `int`
    Int,
    /// `unsigned`
    Unsigned,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    UnsignedLongLong,
}

impl Type {
    /// All of them.
    pub const ALL: [Type; 12] = [
        Type::Bool,
        Type::Char,
        Type::SignedChar,
        Type::UnsignedChar,
        Type::Short,
        Type::UnsignedShort,
        Type::Int,
        Type::Unsigned,
        Type::Long,
        Type::UnsignedLong,
        Type::LongLong,
        Type::UnsignedLongLong,
    ];

    /// As C spells it.
    pub fn name(self) -> &'static str {
        match self {
            Type::Bool => "_Bool",
            Type::Char => "char",
            Type::SignedChar => "signed char",
            Type::UnsignedChar => "unsigned char",
            Type::Short => "short",
            Type::UnsignedShort => "unsigned short",
            Type::Int => "int",
            Type::Unsigned => "unsigned",
            Type::Long => "long",
            Type::UnsignedLong => "unsigned long",
            Type::LongLong => "long long",
            Type::UnsignedLongLong => "unsigned long long",
        }
    }

    /// Bits of the object; a `_Bool` has eight, of which one is its value.
    pub fn size(self, model: DataModel) -> u32 {
        match self.rank() {
            0 | 1 => 8,
            2 => 16,
            3 => 32,
            4 if model == DataModel::Ilp32 => 32,
            _ => 64,
        }
    }

    /// Whether it has negative values.
    pub fn is_signed(self) -> bool {
        use Type::{Bool, Unsigned, UnsignedChar, UnsignedLong, UnsignedLongLong, UnsignedShort};
        !matches!(self, Bool | UnsignedChar | UnsignedShort | Unsigned | UnsignedLong | UnsignedLongLong)
    }

    /// 6.3.1.1p1.
    pub fn rank(self) -> u32 {
        match self {
            Type::Bool => 0,
            Type::Char | Type::SignedChar | Type::UnsignedChar => 1,
            Type::Short | Type::UnsignedShort => 2,
            Type::Int | Type::Unsigned => 3,
            Type::Long | Type::UnsignedLong => 4,
            Type::LongLong | Type::UnsignedLongLong => 5,
        }
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> Type {
        match self {
            Type::Char | Type::SignedChar => Type::UnsignedChar,
            Type::Short => Type::UnsignedShort,
            Type::Int => Type::Unsigned,
            Type::Long => Type::UnsignedLong,
            Type::LongLong => Type::UnsignedLongLong,
            other => other,
        }
    }

    /// Smallest and largest value; with fewer bits for a bit-field.
    pub fn range(self, model: DataModel, bits: Option<u32>) -> (i128, i128) {
        let bits = bits.unwrap_or(if self == Type::Bool { 1 } else { self.size(model) });
        if self.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }

    /// 6.3.1.2 and 6.3.1.3: the value in this type; narrowing to signed types is modulo a power of two, as GCC documents.
    pub fn convert(self, model: DataModel, bits: Option<u32>, value: i128) -> i128 {
        if self == Type::Bool {
            return i128::from(value != 0);
        }
        let (low, high) = self.range(model, bits);
        let modulus = high - low + 1;
        let reduced = value.rem_euclid(modulus);
        if reduced > high { reduced - modulus } else { reduced }
    }

    /// 6.3.1.1p2: what an operand of this type, or a bit-field of the given width, becomes before it is computed with.
    pub fn promoted(self, model: DataModel, bits: Option<u32>) -> Type {
        if self.rank() > Type::Int.rank() {
            return self;
        }
        let ((low, high), (least, most)) = (self.range(model, bits), Type::Int.range(model, None));
        if low >= least && high <= most { Type::Int } else { Type::Unsigned }
    }

    /// 6.3.1.8: the common type of two promoted operands.
    pub fn common(self, other: Type, model: DataModel) -> Type {
        if self == other {
            return self;
        }
        if self.is_signed() == other.is_signed() {
            return if self.rank() >= other.rank() { self } else { other };
        }
        let (signed, unsigned) = if self.is_signed() { (self, other) } else { (other, self) };
        if unsigned.rank() >= signed.rank() {
            return unsigned;
        }
        let holds_all = unsigned.range(model, None).1 <= signed.range(model, None).1;
        if holds_all { signed } else { signed.to_unsigned() }
    }

    /// 6.4.4.1p5: the type of a constant, if it has one.
    pub fn of_constant(value: i128, decimal: bool, suffix: Suffix, model: DataModel) -> Option<Type> {
        let longs = suffix.longs;
        let ranks = [(Type::Int, 0), (Type::Long, 1), (Type::LongLong, 2)];
        let candidates = ranks.iter().filter(|(_, rank)| *rank >= longs).flat_map(|&(signed, _)| {
            let take_signed = !suffix.unsigned;
            let take_unsigned = suffix.unsigned || !decimal;
            [take_signed.then_some(signed), take_unsigned.then_some(signed.to_unsigned())]
        });
        candidates.flatten().find(|ty| value <= ty.range(model, None).1)
    }

    /// A number for the type, as [`Type::generic_cases`] yields it.
    pub fn code(self) -> u64 {
        Type::ALL.iter().position(|&ty| ty == self).map_or(0, |position| position as u64 + 1)
    }

    /// The associations of a `_Generic` that yields [`Type::code`].
    pub fn generic_cases() -> String {
        Type::ALL.iter().map(|ty| format!(", {}: {}", ty.name(), ty.code())).collect()
    }
}

/// What stands after the digits of a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Suffix {
    /// `u`
    pub unsigned: bool,
    /// How many times `l`: 0 to 2.
    pub longs: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_clauses() {
        let (big, small) = (DataModel::Lp64, DataModel::Ilp32);
        assert_eq!(Type::UnsignedShort.promoted(big, None), Type::Int);
        assert_eq!(Type::Unsigned.promoted(big, Some(31)), Type::Int);
        assert_eq!(Type::Unsigned.promoted(big, Some(32)), Type::Unsigned);
        assert_eq!(Type::Unsigned.common(Type::Long, big), Type::Long);
        assert_eq!(Type::Unsigned.common(Type::Long, small), Type::UnsignedLong);
        assert_eq!(Type::UnsignedLong.common(Type::LongLong, big), Type::UnsignedLongLong);
        assert_eq!(Type::UnsignedLong.common(Type::LongLong, small), Type::LongLong);
        assert_eq!(Type::SignedChar.convert(big, None, 255), -1);
        assert_eq!(Type::Bool.convert(big, None, 256), 1);
        let plain = Suffix { unsigned: false, longs: 0 };
        assert_eq!(Type::of_constant(0x8000_0000, true, plain, small), Some(Type::LongLong));
        assert_eq!(Type::of_constant(0x8000_0000, true, plain, big), Some(Type::Long));
        assert_eq!(Type::of_constant(0x8000_0000, false, plain, big), Some(Type::Unsigned));
        assert_eq!(Type::of_constant(1 << 63, true, plain, big), None);
    }
}
