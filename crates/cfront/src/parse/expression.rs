//! Expressions, from the comma down to prefix operators.
//!
//! Binary operators are put together by precedence with an explicit stack of operators that wait
//! for their right operand, and assignments and conditionals, which group to the right, with
//! another; so a chain of any of them costs no recursion, and a level of parentheses costs few frames.

use base::Id;

use super::{Parsed, Parser};
use crate::ast::*;
use crate::lex::Tok;

/// A binary operator that waits for its right operand.
#[derive(Debug)]
pub(super) struct Waiting {
    left: ExprId,
    op: BinaryOp,
    binds: u8,
    at: u32,
}

/// A right-grouping operator that waits for its last operand.
enum Open {
    Assign(Option<BinaryOp>, ExprId, u32),
    Conditional(ExprId, Option<ExprId>, u32),
}

impl Parser<'_> {
    /// An expression, commas included.
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        let mut left = self.assignment()?;
        while self.tok() == Tok::Comma {
            let at = self.start();
            self.advance();
            let right = self.assignment()?;
            left = self.binary_node(BinaryOp::Comma, left, right, at);
        }
        Ok(left)
    }

    /// An expression inside brackets of some kind, commas included.
    pub(super) fn inner_expression(&mut self) -> Parsed<ExprId> {
        self.nested(Self::expression)
    }

    /// An expression without commas inside brackets of some kind.
    pub(super) fn inner_assignment(&mut self) -> Parsed<ExprId> {
        self.nested(Self::assignment)
    }

    /// An expression without commas at the top.
    pub(super) fn assignment(&mut self) -> Parsed<ExprId> {
        let first = self.binary()?;
        if self.tok() != Tok::Question && self.tok().assignment().is_none() {
            return Ok(first);
        }
        self.assignment_rest(first)
    }

    fn assignment_rest(&mut self, first: ExprId) -> Parsed<ExprId> {
        let mut open = Vec::new();
        let mut operand = first;
        loop {
            let at = self.start();
            if let Some(op) = self.tok().assignment() {
                // `a ? b : c = d` assigns to the conditional (and is refused for that later).
                while matches!(open.last(), Some(Open::Conditional(..))) {
                    operand = self.close(open.pop().expect("the last one was just seen"), operand);
                }
                self.advance();
                open.push(Open::Assign(op, operand, at));
            } else if self.eat(Tok::Question) {
                let middle = if self.tok() == Tok::Colon { None } else { Some(self.inner_expression()?) };
                self.expect(Tok::Colon, "`:` of the conditional expression")?;
                open.push(Open::Conditional(operand, middle, at));
            } else {
                break;
            }
            operand = self.binary()?;
        }
        while let Some(outer) = open.pop() {
            operand = self.close(outer, operand);
        }
        Ok(operand)
    }

    fn close(&mut self, open: Open, last: ExprId) -> ExprId {
        match open {
            Open::Assign(op, left, at) => {
                let below = self.depth_of(left).max(self.depth_of(last));
                self.make(ExprKind::Assign(op, left, last), self.span_over(left, last), at, below)
            }
            Open::Conditional(condition, middle, at) => {
                let below = self.depth_of(condition).max(self.depth_of(last));
                let below = below.max(middle.map_or(0, |middle| self.depth_of(middle)));
                let span = self.span_over(condition, last);
                self.make(ExprKind::Conditional(condition, middle, last), span, at, below)
            }
        }
    }

    fn span_over(&self, first: ExprId, last: ExprId) -> Span {
        Span { start: self.ast.exprs[first].span.start, end: self.ast.exprs[last].span.end }
    }

    fn binary_node(&mut self, op: BinaryOp, left: ExprId, right: ExprId, at: u32) -> ExprId {
        let below = self.depth_of(left).max(self.depth_of(right));
        self.make(ExprKind::Binary(op, left, right), self.span_over(left, right), at, below)
    }

    /// Everything that binds tighter than `? :`.
    fn binary(&mut self) -> Parsed<ExprId> {
        let first = self.unary()?;
        if self.tok().binary().is_none() {
            return Ok(first);
        }
        let base = self.operators.len();
        let result = self.binary_rest(first, base);
        // After an error operators may be left over; those below `base` belong to an enclosing expression.
        self.operators.truncate(base);
        result
    }

    fn binary_rest(&mut self, first: ExprId, base: usize) -> Parsed<ExprId> {
        let mut operand = first;
        while let Some((op, binds)) = self.tok().binary() {
            operand = self.combine(operand, base, binds);
            self.operators.push(Waiting { left: operand, op, binds, at: self.start() });
            self.advance();
            operand = self.unary()?;
        }
        Ok(self.combine(operand, base, 0))
    }

    /// Gives `right` to all waiting operators that bind at least as tightly as `binds`.
    fn combine(&mut self, mut right: ExprId, base: usize, binds: u8) -> ExprId {
        while self.operators.len() > base {
            if self.operators.last().is_some_and(|waiting| waiting.binds < binds) {
                break;
            }
            let waiting = self.operators.pop().expect("the stack is higher than its base");
            right = self.binary_node(waiting.op, waiting.left, right, waiting.at);
        }
        right
    }

    /// Prefix operators, casts and what they stand before.
    pub(super) fn unary(&mut self) -> Parsed<ExprId> {
        let op = match self.tok() {
            Tok::Ident if self.modern_tok() == Tok::Alignof => return self.nested(Self::size_of),
            Tok::Ident | Tok::Number => return self.postfix(),
            Tok::LParen if self.starts_type_at(1) => return self.nested(Self::cast),
            Tok::Plus => UnaryOp::Plus,
            Tok::Minus => UnaryOp::Neg,
            Tok::Tilde => UnaryOp::BitNot,
            Tok::Bang => UnaryOp::Not,
            Tok::Star => UnaryOp::Deref,
            Tok::Amp => UnaryOp::AddressOf,
            Tok::PlusPlus => UnaryOp::PreIncrement,
            Tok::MinusMinus => UnaryOp::PreDecrement,
            Tok::Real => UnaryOp::Real,
            Tok::Imag => UnaryOp::Imag,
            Tok::Extension => UnaryOp::Extension,
            Tok::Sizeof | Tok::Alignof => return self.nested(Self::size_of),
            Tok::AndAnd => return self.label_address(),
            _ => return self.postfix(),
        };
        let at = self.start();
        self.advance();
        let operand = self.nested(Self::unary)?;
        let below = self.depth_of(operand);
        Ok(self.make(ExprKind::Unary(op, operand), self.span_from(at), at, below))
    }

    /// `(type) operand` or `(type) { … }`.
    fn cast(&mut self) -> Parsed<ExprId> {
        let at = self.start();
        let (ty, type_depth) = self.type_in_parentheses()?;
        if self.tok() == Tok::LBrace {
            return self.compound_literal(ty, type_depth, at);
        }
        let operand = self.unary()?;
        let below = self.depth_of(operand).max(type_depth);
        Ok(self.make(ExprKind::Cast(Box::new(ty), operand), self.span_from(at), at, below))
    }

    /// `(type)` with the depth of what it contains.
    pub(super) fn type_in_parentheses(&mut self) -> Parsed<(TypeName, u32)> {
        let open = self.start();
        self.expect(Tok::LParen, "`(` before a type")?;
        let (ty, depth) = self.measured(Self::type_name)?;
        self.expect_close(Tok::RParen, "`)` after the type", open)?;
        Ok((ty, depth))
    }

    fn compound_literal(&mut self, ty: TypeName, type_depth: u32, at: u32) -> Parsed<ExprId> {
        let (init, init_depth) = self.measured(Self::initializer)?;
        let kind = ExprKind::CompoundLiteral(Box::new(ty), Box::new(init));
        let literal = self.make(kind, self.span_from(at), at, type_depth.max(init_depth));
        self.postfix_of(literal)
    }

    /// `sizeof` and `_Alignof` with either kind of operand.
    fn size_of(&mut self) -> Parsed<ExprId> {
        let at = self.start();
        let is_sizeof = self.tok() == Tok::Sizeof;
        self.advance();
        let (arg, below) = if self.tok() == Tok::LParen && self.starts_type_at(1) {
            let open = self.start();
            let (ty, type_depth) = self.type_in_parentheses()?;
            if self.tok() == Tok::LBrace {
                let literal = self.compound_literal(ty, type_depth, open)?;
                (SizeArg::Expr(literal), self.depth_of(literal))
            } else {
                (SizeArg::Type(Box::new(ty)), type_depth)
            }
        } else {
            let operand = self.unary()?;
            (SizeArg::Expr(operand), self.depth_of(operand))
        };
        let kind = if is_sizeof { ExprKind::Sizeof(arg) } else { ExprKind::Alignof(arg) };
        Ok(self.make(kind, self.span_from(at), at, below))
    }

    /// `&&label`.
    fn label_address(&mut self) -> Parsed<ExprId> {
        let at = self.start();
        self.advance();
        let (label, _) = self.identifier("a label after `&&`")?;
        Ok(self.make(ExprKind::LabelAddress(label), self.span_from(at), at, 0))
    }

    /// What stands in for an expression that was reported.
    pub(super) fn error_expression(&mut self, span: Span) -> ExprId {
        debug_assert!(self.first_expr <= self.ast.exprs.next_id().index());
        self.make(ExprKind::Error, span, span.start, 0)
    }
}
