//! Floating-point expressions. Results are exactly those of IEEE 754 in single and double precision,
//! which is what compiled code computes with SSE registers. The sign and payload of a NaN are never
//! looked at, and a float becomes an integer only where it fits.

use super::Generator;
use super::access::Goal;
use super::effects::{Effects, Expr, binding};
use super::types::{Int, Type};

impl Generator {
    /// A float or double expression without side effects.
    pub(crate) fn floating(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.crowded() || self.chance(25) {
            if self.chance(65)
                && !self.crowded()
                && let Some(access) = self.access(&Goal::Floating, false)
            {
                return Expr::new(access.text.clone(), access.ty.clone(), access.binding, access.reading());
            }
            return self.float_literal();
        }
        match self.random.below(8) {
            0 => {
                let inner = self.floating(depth - 1);
                let operand = inner.at(binding::UNARY);
                let gap = if operand.starts_with('-') { " " } else { "" };
                Expr::new(format!("-{gap}{operand}"), inner.ty.clone(), binding::UNARY, inner.effects)
            }
            1 | 2 => {
                let inner = self.pure_integer(depth - 1);
                let ty = if self.chance(50) { Type::Float } else { Type::Double };
                let name = float_name(&ty);
                Expr::new(format!("({name}){}", inner.at(binding::UNARY)), ty, binding::UNARY, inner.effects)
            }
            3 => {
                let inner = self.floating(depth - 1);
                let ty = if self.chance(50) { Type::Float } else { Type::Double };
                let name = float_name(&ty);
                Expr::new(format!("({name}){}", inner.at(binding::UNARY)), ty, binding::UNARY, inner.effects)
            }
            4 => {
                let condition = self.pure_integer(depth - 1);
                let (yes, no) = (self.floating(depth - 1), self.floating(depth - 1));
                let ty = wider(&yes.ty, &no.ty);
                let effects = condition.effects.and(yes.effects).and(no.effects);
                let text = format!("{} ? {} : {}", condition.at(binding::OR), yes.text, no.at(binding::CONDITIONAL));
                Expr::new(text, ty, binding::CONDITIONAL, effects)
            }
            5 => {
                // Mixed with an integer, which is converted.
                let (left, right) = (self.floating(depth - 1), self.pure_integer(depth - 1));
                self.float_binary(left.clone(), right, left.ty)
            }
            _ => {
                let (left, right) = (self.floating(depth - 1), self.floating(depth - 1));
                let ty = wider(&left.ty, &right.ty);
                self.float_binary(left, right, ty)
            }
        }
    }

    fn float_binary(&mut self, left: Expr, right: Expr, ty: Type) -> Expr {
        let (left, right) = if self.chance(50) { (left, right) } else { (right, left) };
        let (symbol, tightness) = *self.random.pick(&[
            ("+", binding::SUM),
            ("-", binding::SUM),
            ("*", binding::PRODUCT),
            ("/", binding::PRODUCT),
        ]);
        let text = format!("{} {symbol} {}", left.at(tightness), right.at(tightness + 1));
        Expr::new(text, ty, tightness, left.effects.and(right.effects))
    }

    pub(crate) fn float_literal(&mut self) -> Expr {
        let single = self.chance(40);
        let digits = match self.random.below(6) {
            0 => format!("{}.0", self.random.below(1000)),
            1 => format!("{}.", self.random.below(100)),
            2 => format!("{}.{}e{}", self.random.below(10), self.random.below(1000), self.random.between(-8, 8)),
            3 => format!("0x{:x}.{:x}p{}", self.random.below(256), self.random.below(256), self.random.between(-9, 9)),
            4 => format!(".{}", self.random.below(1000)),
            _ => format!("{}.{}", self.random.below(100_000), self.random.below(100_000)),
        };
        let (suffix, ty) = if single { ("f", Type::Float) } else { ("", Type::Double) };
        Expr::new(format!("{digits}{suffix}"), ty, binding::POSTFIX + 1, Effects::NONE)
    }

    /// An integer made from a float: by comparison, or by conversion where it fits.
    pub(crate) fn integer_of_float(&mut self, depth: u32) -> Expr {
        let value = self.floating(depth.min(2));
        match self.random.below(5) {
            0 | 1 => {
                let other = self.floating(depth.min(2) - 1);
                let symbol = *self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
                let text = format!("{} {symbol} {}", value.at(binding::SHIFT), other.at(binding::SHIFT));
                Expr::new(
                    format!("({text})"),
                    Type::Int(Int::Int),
                    binding::POSTFIX + 1,
                    value.effects.and(other.effects),
                )
            }
            2 => {
                let symbol = *self.random.pick(&["!", "!!", "(_Bool)"]);
                let text = format!("{symbol}{}", value.at(binding::UNARY));
                let kind = if symbol == "(_Bool)" { Int::Bool } else { Int::Int };
                Expr::new(text, Type::Int(kind), binding::UNARY, value.effects)
            }
            _ => self.float_to_integer(&value),
        }
    }

    fn float_to_integer(&mut self, value: &Expr) -> Expr {
        let kinds: Vec<Int> = self.features.ints.iter().copied().filter(|k| *k != Int::Bool).collect();
        let kind = if kinds.is_empty() { Int::Int } else { *self.random.pick(&kinds) };
        // The float nearest to the limit of a wide type may be the limit itself: stay well inside.
        let bits = kind.bits(self.model()).min(60);
        let high = (1_u64 << (bits - 1)) - 1;
        let low = if kind.signed() { format!("-{high}.0") } else { "-1.0".into() };
        let name = self.local_name("f");
        let otherwise = self.random.below(100);
        let declared = float_name(&value.ty);
        let text = format!(
            "({{ {declared} {name} = {}; {name} > {low} && {name} < {high}.0 ? ({}){name} : ({}){otherwise}; }})",
            value.argument(),
            kind.name(),
            kind.name(),
        );
        Expr::new(text, Type::Int(kind.promoted()), binding::POSTFIX + 1, value.effects)
    }
}

pub(crate) fn float_name(ty: &Type) -> &'static str {
    if *ty == Type::Float { "float" } else { "double" }
}

fn wider(left: &Type, right: &Type) -> Type {
    if *left == Type::Double || *right == Type::Double { Type::Double } else { Type::Float }
}
