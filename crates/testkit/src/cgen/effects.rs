//! What an expression reads and writes, so that two operands without an order between them never
//! interfere.
//!
//! Each local variable whose address is never taken has a bit of its own; everything else (globals,
//! whatever a pointer can reach) shares one bit, [`MEMORY`].

use super::types::Type;

/// Everything that can be reached through a pointer or from another function.
pub(crate) const MEMORY: u128 = 1 << 127;

/// Sets of variables read and written.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Effects {
    pub(crate) reads: u128,
    pub(crate) writes: u128,
}

impl Effects {
    pub(crate) const NONE: Effects = Effects { reads: 0, writes: 0 };

    pub(crate) fn reading(bits: u128) -> Effects {
        Effects { reads: bits, writes: 0 }
    }
    pub(crate) fn and(self, other: Effects) -> Effects {
        Effects { reads: self.reads | other.reads, writes: self.writes | other.writes }
    }
    /// Whether the result depends on which of the two is evaluated first.
    pub(crate) fn interfere(self, other: Effects) -> bool {
        self.writes & (other.reads | other.writes) != 0 || other.writes & self.reads != 0
    }
}

/// How tightly an expression binds; a larger number binds tighter.
pub(crate) mod binding {
    pub(crate) const COMMA: u8 = 1;
    pub(crate) const ASSIGN: u8 = 2;
    pub(crate) const CONDITIONAL: u8 = 3;
    pub(crate) const OR: u8 = 4;
    pub(crate) const AND: u8 = 5;
    pub(crate) const BIT_OR: u8 = 6;
    pub(crate) const BIT_XOR: u8 = 7;
    pub(crate) const BIT_AND: u8 = 8;
    pub(crate) const EQUALITY: u8 = 9;
    pub(crate) const RELATION: u8 = 10;
    pub(crate) const SHIFT: u8 = 11;
    pub(crate) const SUM: u8 = 12;
    pub(crate) const PRODUCT: u8 = 13;
    pub(crate) const UNARY: u8 = 14;
    pub(crate) const POSTFIX: u8 = 15;
}

/// An expression of the generated program.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) text: String,
    pub(crate) ty: Type,
    pub(crate) binding: u8,
    pub(crate) effects: Effects,
}

impl Expr {
    pub(crate) fn new(text: impl Into<String>, ty: Type, binding: u8, effects: Effects) -> Expr {
        Expr { text: text.into(), ty, binding, effects }
    }
    /// The text as an operand of something that binds this tightly.
    pub(crate) fn at(&self, binding: u8) -> String {
        if self.binding < binding { format!("({})", self.text) } else { self.text.clone() }
    }
    /// The text as an argument or initialiser, where a comma would mean something else.
    pub(crate) fn argument(&self) -> String {
        self.at(binding::ASSIGN)
    }
    /// The value with a plus before it, which promotes it: even a bit-field has a type then.
    pub(crate) fn promoted(&self) -> String {
        let operand = self.at(binding::UNARY);
        if operand.starts_with('+') { format!("+ {operand}") } else { format!("+{operand}") }
    }
    pub(crate) fn writes_nothing(&self) -> bool {
        self.effects.writes == 0
    }
}
