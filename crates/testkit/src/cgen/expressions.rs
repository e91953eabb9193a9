//! Integer expressions: every operator, every conversion.
//!
//! The type of each expression is tracked, because what keeps it defined depends on it: the largest
//! shift, the divisor that does not overflow.

use super::Generator;
use super::access::{Access, Goal};
use super::effects::{Effects, Expr, binding};
use super::types::{Int, Type};

impl Generator {
    /// Any integer expression; it may have side effects if the program uses them.
    pub(crate) fn integer(&mut self, depth: u32) -> Expr {
        // Indices, arguments and initialisers start anew with a depth of their own; this ends them all.
        if self.crowded() {
            return self.literal();
        }
        self.written += 1;
        self.within += 1;
        let made = if depth == 0 { self.leaf() } else { self.operation(depth) };
        self.within -= 1;
        made
    }

    /// Whether the current statement has grown large or deep enough.
    pub(crate) fn crowded(&self) -> bool {
        self.within > 7 || self.written > 50
    }

    fn operation(&mut self, depth: u32) -> Expr {
        for _ in 0..4 {
            let made = match self.random.below(30) {
                0..3 => Some(self.leaf()),
                3..10 => Some(self.arithmetic(depth)),
                10 => Some(self.shift(depth)),
                11 => Some(self.division(depth)),
                12..14 => Some(self.comparison(depth)),
                14 => Some(self.logical(depth)),
                15 | 16 => Some(self.unary(depth)),
                17 | 18 if self.features.casts => Some(self.cast(depth)),
                19 => Some(self.conditional(depth)),
                20 if self.features.side_effects => self.assignment_inside(depth),
                21 if self.features.side_effects => self.increment_inside(),
                22 => self.call_for_integer(depth),
                23 if self.features.statement_expressions => Some(self.statement_expression(depth)),
                24 => Some(self.size_of()),
                25 if self.features.builtins => Some(self.builtin(depth)),
                26 if self.features.floats => Some(self.integer_of_float(depth)),
                27 if self.features.compound_literals => Some(self.compound_literal(depth)),
                28 => self.pointer_comparison(),
                29 => self.odd_expression(depth),
                _ => None,
            };
            if let Some(made) = made {
                return made;
            }
        }
        self.leaf()
    }

    /// An integer expression without side effects.
    pub(crate) fn pure_integer(&mut self, depth: u32) -> Expr {
        let saved = std::mem::replace(&mut self.features.side_effects, false);
        let mut made = self.integer(depth);
        if !made.writes_nothing() {
            made = self.leaf();
        }
        self.features.side_effects = saved;
        made
    }

    /// Something to branch on.
    pub(crate) fn condition(&mut self) -> Expr {
        let depth = 1 + self.random.below(2) as u32;
        match self.random.below(4) {
            0 => self.integer(depth),
            1 => self.logical(depth),
            _ => self.comparison(depth),
        }
    }

    fn leaf(&mut self) -> Expr {
        if self.chance(75)
            && let Some(access) = self.access(&Goal::Integer, false)
        {
            return self.read(&access);
        }
        self.literal()
    }

    /// The second operand of something unordered: like `integer`, but it never interferes with `first`.
    pub(crate) fn beside(&mut self, first: Effects, depth: u32) -> Expr {
        let second = self.integer(depth);
        if !second.effects.interfere(first) {
            return second;
        }
        let second = self.pure_integer(depth);
        if second.effects.interfere(first) { self.literal() } else { second }
    }

    fn common(&self, left: &Expr, right: &Expr) -> Int {
        self.int_of(&left.ty).common(self.int_of(&right.ty), self.model())
    }

    fn two(&mut self, depth: u32) -> (Expr, Expr) {
        let left = self.integer(depth - 1);
        let right = self.beside(left.effects, depth - 1);
        if self.chance(50) { (left, right) } else { (right, left) }
    }

    fn binary(&mut self, left: &Expr, symbol: &str, right: &Expr, ty: Int, tightness: u8) -> Expr {
        // Redundant parentheses now and then.
        let extra = if self.chance(20) { 2 } else { 0 };
        let text = format!("{} {symbol} {}", left.at(tightness + extra), right.at(tightness + 1 + extra));
        Expr::new(text, Type::Int(ty), tightness, left.effects.and(right.effects))
    }

    fn arithmetic(&mut self, depth: u32) -> Expr {
        let (left, right) = self.two(depth);
        let ty = self.common(&left, &right);
        let (symbol, tightness) = *self.random.pick(&[
            ("+", binding::SUM),
            ("-", binding::SUM),
            ("*", binding::PRODUCT),
            ("&", binding::BIT_AND),
            ("|", binding::BIT_OR),
            ("^", binding::BIT_XOR),
        ]);
        self.binary(&left, symbol, &right, ty, tightness)
    }

    fn shift(&mut self, depth: u32) -> Expr {
        let value = self.integer(depth - 1);
        let ty = self.int_of(&value.ty).promoted();
        let amount = self.shift_amount(ty, value.effects, depth - 1);
        let symbol = if self.chance(50) { "<<" } else { ">>" };
        self.binary(&value, symbol, &amount, ty, binding::SHIFT)
    }

    /// An amount by which a value of this (promoted) type may be shifted.
    pub(crate) fn shift_amount(&mut self, ty: Int, beside: Effects, depth: u32) -> Expr {
        let bits = ty.bits(self.model());
        if self.chance(40) {
            let amount = self.random.below(u64::from(bits));
            return Expr::new(amount.to_string(), Type::Int(Int::Int), binding::POSTFIX + 1, Effects::NONE);
        }
        let amount = self.beside(beside, depth);
        let kind = self.common(&amount, &Expr::new("", Type::Int(Int::Int), 0, Effects::NONE));
        let text = format!("({} & {})", amount.at(binding::BIT_AND), bits - 1);
        Expr::new(text, Type::Int(kind), binding::POSTFIX + 1, amount.effects)
    }

    fn division(&mut self, depth: u32) -> Expr {
        let value = self.integer(depth - 1);
        let divisor = self.divisor(value.effects, depth - 1);
        let ty = self.common(&value, &divisor);
        let symbol = if self.chance(50) { "/" } else { "%" };
        self.binary(&value, symbol, &divisor, ty, binding::PRODUCT)
    }

    /// Something that is neither zero nor -1.
    pub(crate) fn divisor(&mut self, beside: Effects, depth: u32) -> Expr {
        if self.chance(30) {
            let value = self.random.between(2, 1000);
            let negative = self.chance(30);
            let text = if negative { format!("-{value}") } else { value.to_string() };
            return Expr::new(text, Type::Int(Int::Int), binding::UNARY, Effects::NONE);
        }
        let by = self.beside(beside, depth);
        let kind = self.int_of(&by.ty).promoted();
        if self.chance(40) && by.writes_nothing() {
            // The conditional has the type of the value, promoted, because 1 is an `int`.
            let text = format!("({} > 0 ? {} : 1)", by.at(binding::SHIFT), by.at(binding::CONDITIONAL));
            return Expr::new(text, Type::Int(kind), binding::POSTFIX + 1, by.effects);
        }
        let mask = *self.random.pick(&[1, 3, 7, 15, 63, 127]);
        let text = format!("(({} & {mask}) + 1)", by.at(binding::BIT_AND));
        Expr::new(text, Type::Int(kind), binding::POSTFIX + 1, by.effects)
    }

    fn comparison(&mut self, depth: u32) -> Expr {
        let (left, right) = self.two(depth.max(1));
        let (symbol, tightness) = *self.random.pick(&[
            ("==", binding::EQUALITY),
            ("!=", binding::EQUALITY),
            ("<", binding::RELATION),
            (">", binding::RELATION),
            ("<=", binding::RELATION),
            (">=", binding::RELATION),
        ]);
        self.binary(&left, symbol, &right, Int::Int, tightness)
    }

    fn logical(&mut self, depth: u32) -> Expr {
        let depth = depth.max(1);
        // Operands are ordered, so they may interfere.
        let (left, right) = (self.integer(depth - 1), self.integer(depth - 1));
        let (symbol, tightness) = *self.random.pick(&[("&&", binding::AND), ("||", binding::OR)]);
        self.binary(&left, symbol, &right, Int::Int, tightness)
    }

    fn unary(&mut self, depth: u32) -> Expr {
        let inner = self.integer(depth - 1);
        let symbol = *self.random.pick(&["-", "~", "!", "+", "!!"]);
        let kind = match symbol {
            "!" | "!!" => Int::Int,
            _ => self.int_of(&inner.ty).promoted(),
        };
        let operand = inner.at(binding::UNARY);
        let gap = if operand.starts_with(['-', '+']) { " " } else { "" };
        Expr::new(format!("{symbol}{gap}{operand}"), Type::Int(kind), binding::UNARY, inner.effects)
    }

    fn cast(&mut self, depth: u32) -> Expr {
        let inner = self.integer(depth - 1);
        if !self.enums.is_empty() && self.chance(10) {
            let index = self.random.below(self.enums.len() as u64) as usize;
            let text = format!("({}){}", self.enums[index].name, inner.at(binding::UNARY));
            return Expr::new(text, Type::Enum(index), binding::UNARY, inner.effects);
        }
        let kind = *self.random.pick(&self.features.ints);
        let spelled = kind.spelled(self.random.bits());
        let text = format!("({spelled}){}", inner.at(binding::UNARY));
        Expr::new(text, Type::Int(kind), binding::UNARY, inner.effects)
    }

    fn conditional(&mut self, depth: u32) -> Expr {
        let condition = self.integer(depth - 1);
        if self.chance(25) {
            let other = self.integer(depth - 1);
            let ty = Type::Int(self.common(&condition, &other));
            let text = format!("{} ?: {}", condition.at(binding::OR), other.at(binding::CONDITIONAL));
            return Expr::new(text, ty, binding::CONDITIONAL, condition.effects.and(other.effects));
        }
        let (yes, no) = (self.integer(depth - 1), self.integer(depth - 1));
        let ty = Type::Int(self.common(&yes, &no));
        let effects = condition.effects.and(yes.effects).and(no.effects);
        let text = format!("{} ? {} : {}", condition.at(binding::OR), yes.text, no.at(binding::CONDITIONAL));
        Expr::new(text, ty, binding::CONDITIONAL, effects)
    }

    /// The value of an assignment to this object.
    fn assigned(&self, access: &Access, text: String, effects: Effects) -> Expr {
        match access.bits {
            // As with reading: a cast makes the type of a wide bit-field certain.
            Some(width) if width >= 32 => {
                let kind = self.int_of(&access.ty);
                Expr::new(format!("({})({text})", kind.name()), Type::Int(kind), binding::UNARY, effects)
            }
            Some(_) => Expr::new(text, Type::Int(Int::Int), binding::ASSIGN, effects),
            None => Expr::new(text, access.ty.clone(), binding::ASSIGN, effects),
        }
    }

    fn assignment_inside(&mut self, depth: u32) -> Option<Expr> {
        let access = self.access(&Goal::Integer, true)?;
        let (text, effects) = self.assignment(&access, depth - 1);
        Some(self.assigned(&access, text, effects))
    }

    /// `object = value` or `object op= value`, and its effects.
    pub(crate) fn assignment(&mut self, access: &Access, depth: u32) -> (String, Effects) {
        // The value must not write what is read to find the object, nor the object itself.
        let around = access.writing();
        let kind = self.int_of(&access.ty);
        let target = access.at(binding::UNARY);
        let (symbol, value) = match self.random.below(12) {
            0..6 => ("=", self.beside(around, depth)),
            6 | 7 => {
                let symbol = if self.chance(50) { "<<=" } else { ">>=" };
                let promoted = match access.bits {
                    Some(width) if width < 32 => Int::Int,
                    // The unit of a wide bit-field's arithmetic is disputed: stay below its width.
                    Some(_) => Int::SChar,
                    None => kind.promoted(),
                };
                (symbol, self.shift_amount(promoted, around, depth))
            }
            8 => (if self.chance(50) { "/=" } else { "%=" }, self.divisor(around, depth)),
            _ => (*self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^="]), self.beside(around, depth)),
        };
        (format!("{target} {symbol} {}", value.at(binding::ASSIGN)), around.and(value.effects))
    }

    fn increment_inside(&mut self) -> Option<Expr> {
        let access = self.access(&Goal::Integer, true)?;
        if matches!(access.ty, Type::Enum(_)) {
            return None;
        }
        let text = match self.random.below(4) {
            0 => format!("{}++", access.at(binding::POSTFIX)),
            1 => format!("{}--", access.at(binding::POSTFIX)),
            2 => format!("++{}", access.at(binding::UNARY)),
            _ => format!("--{}", access.at(binding::UNARY)),
        };
        let tightness = if text.starts_with(['+', '-']) { binding::UNARY } else { binding::POSTFIX };
        let mut value = self.assigned(&access, text, access.writing());
        if value.binding == binding::ASSIGN {
            value.binding = tightness;
        }
        Some(value)
    }
}
