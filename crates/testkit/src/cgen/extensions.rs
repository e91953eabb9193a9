//! Expressions beyond plain operators: statement expressions, built-in functions, compound literals,
//! `sizeof` and its kin, comparisons of pointers, and other rarities.

use super::Generator;
use super::access::Goal;
use super::effects::{Effects, Expr, MEMORY, binding};
use super::types::{Int, Type};

impl Generator {
    /// `({ T x = a; x op= b; x; })`.
    pub(crate) fn statement_expression(&mut self, depth: u32) -> Expr {
        let first = self.integer(depth - 1);
        let kind = *self.random.pick(&self.features.ints);
        let name = self.local_name("v");
        let symbol = *self.random.pick(&["+=", "-=", "^=", "*=", "|=", "&="]);
        let second = self.integer(depth - 1);
        let (declaration, kind) = if self.features.typeofs && self.chance(30) {
            // Promoted, because a bit-field has no `typeof`.
            let promoted = self.int_of(&first.ty).promoted();
            (format!("__typeof__({}) {name} = {}", first.promoted(), first.argument()), promoted)
        } else {
            (format!("{} {name} = {}", kind.name(), first.argument()), kind)
        };
        let middle = match self.random.below(3) {
            0 => format!("if ({}) {name} {symbol} 3;", second.text),
            1 => format!("{name} {symbol} {}; {name}++;", second.argument()),
            _ => format!("{name} {symbol} {};", second.argument()),
        };
        // In `typeof` the operand is not evaluated, so its effects happen once.
        let text = format!("({{ {declaration}; {middle} {name}; }})");
        Expr::new(text, Type::Int(kind), binding::POSTFIX + 1, first.effects.and(second.effects))
    }

    pub(crate) fn size_of(&mut self) -> Expr {
        let size = Type::Int(self.size_type());
        let text = match self.random.below(6) {
            0 if !self.structs.is_empty() => format!("sizeof({})", self.random.pick(&self.structs).name),
            1 if !self.structs.is_empty() => format!("_Alignof({})", self.random.pick(&self.structs).name),
            2 if !self.structs.is_empty() => {
                let record = self.random.pick(&self.structs).clone();
                let fields: Vec<_> = record.fields().into_iter().filter(|f| f.bits.is_none()).cloned().collect();
                match fields.is_empty() {
                    true => format!("sizeof({})", record.name),
                    false => {
                        format!("__builtin_offsetof({}, {})", record.name, self.random.pick(&fields).name)
                    }
                }
            }
            3 => {
                // The operand is not evaluated; its type counts.
                let inner = self.integer(1);
                format!("sizeof({})", inner.promoted())
            }
            4 => {
                let kind = *self.random.pick(&self.features.ints);
                format!("_Alignof({})", kind.name())
            }
            _ => {
                let kind = *self.random.pick(&self.features.ints);
                let length = 1 + self.random.below(9);
                format!("sizeof({}[{length}])", kind.name())
            }
        };
        Expr::new(text, size, binding::UNARY, Effects::NONE)
    }

    pub(crate) fn builtin(&mut self, depth: u32) -> Expr {
        let value = self.integer(depth - 1);
        let argument = value.argument();
        let (text, kind) = match self.random.below(12) {
            0 => (format!("__builtin_clz(({argument}) | 1u)"), Int::Int),
            1 => (format!("__builtin_ctz(({argument}) | 0x80000000u)"), Int::Int),
            2 => (format!("__builtin_clzll(({argument}) | 1ull)"), Int::Int),
            3 => (format!("__builtin_ctzll(({argument}) | 0x8000000000000000ull)"), Int::Int),
            4 => (format!("__builtin_popcount({argument})"), Int::Int),
            5 => (format!("__builtin_popcountll({argument})"), Int::Int),
            6 => (format!("__builtin_bswap32({argument})"), Int::UInt),
            7 => (format!("__builtin_bswap16({argument})"), Int::UShort),
            8 => (format!("__builtin_bswap64({argument})"), Int::ULLong),
            9 => (format!("__builtin_expect({argument}, {})", self.random.below(2)), Int::Long),
            10 => (format!("__builtin_parity({argument})"), Int::Int),
            _ => (format!("__builtin_ffs({argument})"), Int::Int),
        };
        // The 64-bit swap is an `unsigned long` or `unsigned long long`, whichever has 64 bits.
        let kind =
            if text.starts_with("__builtin_bswap64") && self.size_type() == Int::ULong { Int::ULong } else { kind };
        if self.chance(15) && self.features.statement_expressions {
            return self.checked_arithmetic(&value);
        }
        Expr::new(text, Type::Int(kind), binding::POSTFIX, value.effects)
    }

    /// `__builtin_add_overflow` and friends: whether it overflowed, and the wrapped result.
    fn checked_arithmetic(&mut self, left: &Expr) -> Expr {
        let right = self.beside(left.effects, 1);
        let kinds: Vec<Int> = self
            .features
            .ints
            .iter()
            .copied()
            .filter(|k| !matches!(k, Int::Bool | Int::Int128 | Int::UInt128))
            .collect();
        let kind = if kinds.is_empty() { Int::Int } else { *self.random.pick(&kinds) };
        let name = self.local_name("r");
        let operation = *self.random.pick(&["add", "sub", "mul"]);
        let text = format!(
            "({{ {} {name}; int o{name} = __builtin_{operation}_overflow({}, {}, &{name}); {name} ^ o{name}; }})",
            kind.name(),
            left.argument(),
            right.argument()
        );
        let ty = kind.common(Int::Int, self.model());
        Expr::new(text, Type::Int(ty), binding::POSTFIX + 1, left.effects.and(right.effects))
    }

    pub(crate) fn compound_literal(&mut self, depth: u32) -> Expr {
        let kind = *self.random.pick(&self.features.ints);
        match self.random.below(3) {
            0 => {
                let value = self.integer(depth - 1);
                let text = format!("({}){{{}}}", kind.name(), value.argument());
                Expr::new(text, Type::Int(kind), binding::POSTFIX, value.effects)
            }
            1 if !self.structs.is_empty() => {
                let index = self.random.below(self.structs.len() as u64) as usize;
                let record = self.structs[index].clone();
                let fields: Vec<_> = record
                    .fields()
                    .into_iter()
                    .filter(|f| f.bits.is_none() && matches!(f.ty, Type::Int(_)))
                    .cloned()
                    .collect();
                if fields.is_empty() {
                    return self.literal();
                }
                let field = self.random.pick(&fields).clone();
                let (braces, effects) = self.initialiser(&Type::Struct(index), false);
                let text = format!("({}){braces}.{}", record.name, field.name);
                Expr::new(text, field.ty, binding::POSTFIX, effects)
            }
            _ => {
                let length = 1 + self.random.below(5) as u32;
                let mut effects = Effects::NONE;
                let mut values = Vec::new();
                for _ in 0..length {
                    let value = self.pure_integer(depth - 1);
                    effects = effects.and(value.effects);
                    values.push(value.argument());
                }
                let (index, more) = self.index_below(length);
                let text = format!("(({}[]){{{}}})[{index}]", kind.name(), values.join(", "));
                Expr::new(text, Type::Int(kind), binding::POSTFIX, effects.and(more))
            }
        }
    }

    pub(crate) fn pointer_comparison(&mut self) -> Option<Expr> {
        if !self.features.pointers {
            return None;
        }
        let kind = Type::Int(*self.random.pick(&self.features.ints));
        let int = Type::Int(Int::Int);
        let left = self.address_of(&kind, 1, u32::MAX)?;
        Some(match self.random.below(5) {
            0 => {
                let text = format!("{} != 0", left.at(binding::RELATION));
                Expr::new(text, int, binding::EQUALITY, left.effects)
            }
            1 => Expr::new(format!("!{}", left.at(binding::UNARY)), int, binding::UNARY, left.effects),
            2 => {
                let text = format!("(_Bool){}", left.at(binding::UNARY));
                Expr::new(text, Type::Int(Int::Bool), binding::UNARY, left.effects)
            }
            _ => {
                let right = self.address_of(&kind, 1, u32::MAX)?;
                let symbol = if self.chance(50) { "==" } else { "!=" };
                let text = format!("{} {symbol} {}", left.at(binding::RELATION), right.at(binding::RELATION));
                Expr::new(text, int, binding::EQUALITY, left.effects.and(right.effects))
            }
        })
    }

    /// Commas, generic selections, characters of string literals, round trips through pointers and arrays.
    pub(crate) fn odd_expression(&mut self, depth: u32) -> Option<Expr> {
        match self.random.below(7) {
            0 | 1 => {
                let (first, second) = (self.integer(depth - 1), self.integer(depth - 1));
                let text = format!("{}, {}", first.text, second.at(binding::ASSIGN));
                // A bit-field stays one through a comma in some compilers; the plus ends that.
                let ty = second.ty.clone();
                Some(Expr::new(text, ty, binding::COMMA, first.effects.and(second.effects)))
            }
            2 if self.features.generic => {
                let selector = self.integer(1);
                let (value, other) = (self.pure_integer(1), self.literal());
                let kind = self.int_of(&selector.ty).promoted();
                let text = format!(
                    "_Generic({}, {}: {}, default: {})",
                    selector.promoted(),
                    kind.name(),
                    value.argument(),
                    other.argument()
                );
                Some(Expr::new(text, value.ty.clone(), binding::POSTFIX + 1, value.effects))
            }
            3 if self.features.strings => {
                let (text, length) = self.string(9);
                let (index, effects) = self.index_below(length + 1);
                Some(Expr::new(format!("({text})[{index}]"), Type::Int(Int::Char), binding::POSTFIX, effects))
            }
            4 if self.features.pointers => {
                // `*&x` is `x`.
                let access = self.access(&Goal::Integer, false).filter(|a| a.addressable)?;
                let text = format!("*&{}", access.at(binding::UNARY));
                Some(Expr::new(text, access.ty.clone(), binding::UNARY, access.reading()))
            }
            5 if self.features.pointers => {
                // An object's bytes: little-endian in both models, and never padding.
                let kind = *self.random.pick(&self.features.ints);
                let access = self.access(&Goal::Exactly(Type::Int(kind)), false).filter(|a| a.addressable)?;
                let size = kind.bits(self.model()) / 8;
                let (index, effects) = self.index_below(size);
                let text = format!("((const unsigned char *)&{})[{index}]", access.at(binding::UNARY));
                let effects = access.reading().and(effects).and(Effects::reading(MEMORY));
                Some(Expr::new(text, Type::Int(Int::UChar), binding::POSTFIX, effects))
            }
            6 if self.features.builtins => {
                let inner = self.constant(1);
                let text = format!("__builtin_constant_p({})", inner.argument());
                Some(Expr::new(text, Type::Int(Int::Int), binding::POSTFIX, Effects::NONE))
            }
            _ => None,
        }
    }
}
