//! Literals of all spellings, and constant expressions for initialisers of static objects.

use super::Generator;
use super::effects::{Effects, Expr, binding};
use super::types::{Int, Type};
use cfront::DataModel;

impl Generator {
    /// An integer literal, character constant or enumeration constant.
    pub(crate) fn literal(&mut self) -> Expr {
        if !self.enums.is_empty() && self.chance(12) {
            let enumeration = self.random.pick(&self.enums).clone();
            let constant = self.random.pick(&enumeration.constants);
            return Expr::new(constant.0.clone(), Type::Int(Int::Int), binding::POSTFIX + 1, Effects::NONE);
        }
        if self.chance(6) {
            let text = self.character();
            return Expr::new(text, Type::Int(Int::Int), binding::POSTFIX + 1, Effects::NONE);
        }
        let kind = *self.random.pick(&self.features.ints);
        let bits = kind.bits(self.model()).min(64);
        let value = self.interesting(bits);
        self.spell(value, kind)
    }

    /// A number with at most this many bits; small ones and the edges of types are most likely.
    fn interesting(&mut self, bits: u32) -> u64 {
        let bits = bits.min(1 + self.random.below(64) as u32);
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        match self.random.below(8) {
            0 => self.random.below(4),
            1 => mask,
            2 => mask >> 1,
            3 => (mask >> 1) + 1,
            4 | 5 => self.random.below(100),
            _ => self.random.bits() & mask,
        }
    }

    /// Writes a value; the type is what C makes of the spelling.
    fn spell(&mut self, value: u64, kind: Int) -> Expr {
        let (suffix, least): (&str, Int) = match kind {
            Int::UInt => (["u", "U"][self.random.below(2) as usize], Int::UInt),
            Int::Long => (["l", "L"][self.random.below(2) as usize], Int::Long),
            Int::ULong => (["ul", "UL", "lu", "LU"][self.random.below(4) as usize], Int::ULong),
            Int::LLong => (["ll", "LL"][self.random.below(2) as usize], Int::LLong),
            Int::ULLong | Int::UInt128 => (["ull", "ULL", "llu", "LLU"][self.random.below(4) as usize], Int::ULLong),
            _ => ("", Int::Int),
        };
        let base = self.random.below(6);
        let decimal = base > 2;
        // A decimal literal that only fits an unsigned type would need a suffix.
        let value = if decimal && least.signed() { value & (u64::MAX >> 1) } else { value };
        let digits = match base {
            0 => format!("{value:#x}"),
            1 => format!("{value:#X}").replace("0X", if value & 1 == 0 { "0x" } else { "0X" }),
            2 if value > 0 => format!("0{value:o}"),
            _ => value.to_string(),
        };
        let ty = literal_type(value, decimal, least, self.model());
        Expr::new(format!("{digits}{suffix}"), Type::Int(ty), binding::POSTFIX + 1, Effects::NONE)
    }

    fn character(&mut self) -> String {
        match self.random.below(6) {
            0 => "'\\n'".into(),
            1 => "'\\0'".into(),
            2 => format!("'\\x{:x}'", self.random.below(256)),
            3 => format!("'\\{:o}'", self.random.below(256)),
            4 => (*self.random.pick(&["'\\''", "'\"'", "'\\\\'", "'?'", "'\\t'", "'\\a'"])).into(),
            _ => format!("'{}'", (b'a' + self.random.below(26) as u8) as char),
        }
    }

    /// An integer constant expression of moderate size.
    pub(crate) fn constant(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.chance(40) {
            let literal = self.literal();
            if self.chance(20) {
                let ty = literal.ty.clone();
                let promoted = Type::Int(self.int_of(&ty).promoted());
                return Expr::new(format!("-{}", literal.text), promoted, binding::UNARY, Effects::NONE);
            }
            return literal;
        }
        match self.random.below(5) {
            0 => {
                let kind = *self.random.pick(&self.features.ints);
                let inner = self.constant(depth - 1);
                let spelled = kind.spelled(self.random.bits());
                Expr::new(
                    format!("({spelled}){}", inner.at(binding::UNARY)),
                    Type::Int(kind),
                    binding::UNARY,
                    Effects::NONE,
                )
            }
            1 => {
                let inner = self.constant(depth - 1);
                let promoted = Type::Int(self.int_of(&inner.ty).promoted());
                Expr::new(format!("~{}", inner.at(binding::UNARY)), promoted, binding::UNARY, Effects::NONE)
            }
            2 => {
                let kind = *self.random.pick(&self.features.ints);
                Expr::new(
                    format!("sizeof({})", kind.name()),
                    Type::Int(self.size_type()),
                    binding::UNARY,
                    Effects::NONE,
                )
            }
            _ => {
                let (left, right) = (self.constant(depth - 1), self.constant(depth - 1));
                let (symbol, tightness) = *self.random.pick(&[
                    ("+", binding::SUM),
                    ("-", binding::SUM),
                    ("*", binding::PRODUCT),
                    ("&", binding::BIT_AND),
                    ("|", binding::BIT_OR),
                    ("^", binding::BIT_XOR),
                    ("==", binding::EQUALITY),
                    ("<", binding::RELATION),
                ]);
                let ty = match symbol {
                    "==" | "<" => Int::Int,
                    _ => self.int_of(&left.ty).common(self.int_of(&right.ty), self.model()),
                };
                let text = format!("{} {symbol} {}", left.at(tightness), right.at(tightness + 1));
                Expr::new(text, Type::Int(ty), tightness, Effects::NONE)
            }
        }
    }

    /// A string literal with at most this many characters before the end, and how many it has.
    pub(crate) fn string(&mut self, most: u32) -> (String, u32) {
        let length = self.random.below(u64::from(most) + 1) as u32;
        let mut text = String::from("\"");
        for i in 0..length {
            match self.random.below(12) {
                0 => text.push_str("\\n"),
                1 => text.push_str("\\\\"),
                2 => text.push_str("\\\""),
                3 => text.push_str(&format!("\\{:03o}", 1 + self.random.below(255))),
                // A hexadecimal escape has no end, so the literal is ended and continued.
                4 => text.push_str(&format!("\\x{:02x}\" \"", 1 + self.random.below(255))),
                5 if i > 0 => text.push_str("\" \"z"),
                _ => text.push((b'a' + self.random.below(26) as u8) as char),
            }
        }
        text.push('"');
        (text, length)
    }
}

/// C11 6.4.4.1: the first type in the list for this form of literal that holds the value.
fn literal_type(value: u64, decimal: bool, least: Int, model: DataModel) -> Int {
    let candidates: &[Int] = match (least, decimal) {
        (Int::Int, true) => &[Int::Int, Int::Long, Int::LLong],
        (Int::Int, false) => &[Int::Int, Int::UInt, Int::Long, Int::ULong, Int::LLong, Int::ULLong],
        (Int::UInt, _) => &[Int::UInt, Int::ULong, Int::ULLong],
        (Int::Long, true) => &[Int::Long, Int::LLong],
        (Int::Long, false) => &[Int::Long, Int::ULong, Int::LLong, Int::ULLong],
        (Int::ULong, _) => &[Int::ULong, Int::ULLong],
        (Int::LLong, true) => &[Int::LLong],
        (Int::LLong, false) => &[Int::LLong, Int::ULLong],
        _ => &[Int::ULLong],
    };
    let fits = |kind: &&Int| {
        let bits = kind.bits(model) - u32::from(kind.signed());
        bits >= 64 || value < 1 << bits
    };
    *candidates.iter().find(fits).unwrap_or(&Int::ULLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_get_the_first_type_that_holds_them() {
        assert_eq!(literal_type(0x8000_0000, true, Int::Int, DataModel::Lp64), Int::Long);
        assert_eq!(literal_type(0x8000_0000, true, Int::Int, DataModel::Ilp32), Int::LLong);
        assert_eq!(literal_type(0x8000_0000, false, Int::Int, DataModel::Lp64), Int::UInt);
        assert_eq!(literal_type(u64::MAX, false, Int::Int, DataModel::Ilp32), Int::ULLong);
    }
}
