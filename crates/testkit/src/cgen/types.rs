//! The types a generated program uses, and the rules the generator must know about them: sizes,
//! integer promotion, the usual arithmetic conversions, and how a declaration is spelled.
//!
//! The generator needs the rules only to stay clear of undefined behaviour (how far may this value be
//! shifted?), so a wrong rule here shows up as a sanitizer report, never as a wrong expectation.

use cfront::DataModel;

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(clippy::enum_variant_names, reason = "the C type is called `int`")]
pub(crate) enum Int {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LLong,
    ULLong,
    Int128,
    UInt128,
}

impl Int {
    pub(crate) const ALL: [Int; 14] = [
        Int::Bool,
        Int::Char,
        Int::SChar,
        Int::UChar,
        Int::Short,
        Int::UShort,
        Int::Int,
        Int::UInt,
        Int::Long,
        Int::ULong,
        Int::LLong,
        Int::ULLong,
        Int::Int128,
        Int::UInt128,
    ];

    /// One of the spellings of the type; `choice` selects among them.
    pub(crate) fn spelled(self, choice: u64) -> &'static str {
        let spellings: &[&str] = match self {
            Int::Bool => &["_Bool"],
            Int::Char => &["char"],
            Int::SChar => &["signed char", "char signed"],
            Int::UChar => &["unsigned char", "char unsigned"],
            Int::Short => &["short", "short int", "signed short", "int short"],
            Int::UShort => &["unsigned short", "short unsigned int", "unsigned short int"],
            Int::Int => &["int", "int", "int", "signed", "signed int", "int signed"],
            Int::UInt => &["unsigned", "unsigned int", "int unsigned"],
            Int::Long => &["long", "long int", "signed long", "long signed int"],
            Int::ULong => &["unsigned long", "long unsigned int", "unsigned long int"],
            Int::LLong => &["long long", "long long int", "signed long long", "long int long"],
            Int::ULLong => &["unsigned long long", "long long unsigned int", "long unsigned long"],
            Int::Int128 => &["__int128", "signed __int128"],
            Int::UInt128 => &["unsigned __int128", "__int128 unsigned"],
        };
        spellings[(choice % spellings.len() as u64) as usize]
    }
    /// The plain spelling.
    pub(crate) fn name(self) -> &'static str {
        self.spelled(0)
    }
    pub(crate) fn bits(self, model: DataModel) -> u32 {
        match self {
            Int::Bool | Int::Char | Int::SChar | Int::UChar => 8,
            Int::Short | Int::UShort => 16,
            Int::Int | Int::UInt => 32,
            Int::Long | Int::ULong => match model {
                DataModel::Ilp32 => 32,
                DataModel::Lp64 => 64,
            },
            Int::LLong | Int::ULLong => 64,
            Int::Int128 | Int::UInt128 => 128,
        }
    }
    pub(crate) fn signed(self) -> bool {
        matches!(self, Int::Char | Int::SChar | Int::Short | Int::Int | Int::Long | Int::LLong | Int::Int128)
    }
    fn rank(self) -> u32 {
        match self {
            Int::Bool => 0,
            Int::Char | Int::SChar | Int::UChar => 1,
            Int::Short | Int::UShort => 2,
            Int::Int | Int::UInt => 3,
            Int::Long | Int::ULong => 4,
            Int::LLong | Int::ULLong => 5,
            Int::Int128 | Int::UInt128 => 6,
        }
    }
    pub(crate) fn unsigned(self) -> Int {
        match self {
            Int::Char | Int::SChar => Int::UChar,
            Int::Short => Int::UShort,
            Int::Int => Int::UInt,
            Int::Long => Int::ULong,
            Int::LLong => Int::ULLong,
            Int::Int128 => Int::UInt128,
            other => other,
        }
    }
    /// Integer promotion.
    pub(crate) fn promoted(self) -> Int {
        if self.rank() < Int::Int.rank() { Int::Int } else { self }
    }
    /// The usual arithmetic conversions.
    pub(crate) fn common(self, other: Int, model: DataModel) -> Int {
        let (a, b) = (self.promoted(), other.promoted());
        let (high, low) = if a.rank() >= b.rank() { (a, b) } else { (b, a) };
        if high.signed() == low.signed() || !high.signed() {
            high
        } else if high.rank() == low.rank() {
            low
        } else if high.bits(model) > low.bits(model) {
            high
        } else {
            high.unsigned()
        }
    }
}

/// A type of the generated program. Records are known by their position in the generator's tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Int(Int),
    Float,
    Double,
    Enum(usize),
    Struct(usize),
    Union(usize),
    Pointer(Box<Type>),
    Array(Box<Type>, u32),
}

impl Type {
    pub(crate) fn pointer(to: Type) -> Type {
        Type::Pointer(Box::new(to))
    }
    pub(crate) fn is_floating(&self) -> bool {
        matches!(self, Type::Float | Type::Double)
    }
}

/// A part of a struct or union, in the order of declaration.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// A named member.
    Field(Field),
    /// `int : 3;`, or with zero bits the command to start a new unit.
    Unnamed(Int, u32),
    /// An anonymous struct; its members are accessed as if they were the outer one's.
    Anonymous(Vec<Field>),
}

/// A named member.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) bits: Option<u32>,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// `struct s3` or `union u1` or a name from a typedef.
    pub(crate) name: String,
    pub(crate) items: Vec<Item>,
    pub(crate) packed: bool,
}

impl Record {
    /// All members that can be named from outside.
    pub(crate) fn fields(&self) -> Vec<&Field> {
        let mut fields = Vec::new();
        for item in &self.items {
            match item {
                Item::Field(field) => fields.push(field),
                Item::Unnamed(..) => {}
                Item::Anonymous(inner) => fields.extend(inner),
            }
        }
        fields
    }
    pub(crate) fn has_anonymous_part(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Anonymous(_)))
    }
}

/// An enumeration.
#[derive(Clone, Debug)]
pub(crate) struct Enumeration {
    pub(crate) name: String,
    pub(crate) constants: Vec<(String, i64)>,
}

impl Enumeration {
    /// The type that holds its values.
    pub(crate) fn int(&self) -> Int {
        if self.constants.iter().any(|c| c.1 < 0) { Int::Int } else { Int::UInt }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_follow_the_standard() {
        let lp64 = DataModel::Lp64;
        assert_eq!(Int::UInt.common(Int::Long, DataModel::Ilp32), Int::ULong);
        assert_eq!(Int::UInt.common(Int::Long, lp64), Int::Long);
        assert_eq!(Int::ULong.common(Int::LLong, lp64), Int::ULLong);
        assert_eq!(Int::UShort.common(Int::Char, lp64), Int::Int);
        assert_eq!(Int::Int.common(Int::UInt, lp64), Int::UInt);
    }
}
