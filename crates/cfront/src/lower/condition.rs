//! Conditions: truth values as terms where that is possible, jumps where it is not.
//!
//! `&&`, `||` and `?:` whose parts are pure and small become Boolean terms. Others become control
//! flow, because the right side may only be evaluated when the left side says so.

use program::{Loc, Shown};
use term::Term;

use crate::hir::{BinaryOp, Callee, Expr, ExprKind, PlaceKind, StorageKind};

use super::Lowering;
use super::expr::is_truth;
use super::types::Class;
use super::walk::{Node, push_parts};
use crate::tuning::Tuning;

impl Lowering<'_> {
    /// Jumps to one of two locations.
    pub(super) fn condition(&mut self, expr: &Expr, then: Loc, otherwise: Loc) {
        self.deeper(expr.span, (), |this| {
            if this.is_watched(expr) {
                // The end of an operand is one place.
                let truth = this.truth(expr);
                return this.branch(truth, then, otherwise, expr.span);
            }
            this.in_order(expr, |this| this.condition_here(expr, then, otherwise));
        });
    }
    fn condition_here(&mut self, expr: &Expr, then: Loc, otherwise: Loc) {
        if let Some(value) = self.orders.value(expr) {
            let condition = self.truth_of(value, expr.ty);
            return self.branch(condition, then, otherwise, expr.span);
        }
        match &expr.kind {
            ExprKind::Not(operand) => self.condition(operand, otherwise, then),
            ExprKind::And(left, right) if !self.is_pure(expr, Tuning::DEFAULT.max_guard_nodes) => {
                let between = self.new_loc();
                self.condition(left, between, otherwise);
                self.start(between);
                self.condition(right, then, otherwise);
            }
            ExprKind::Or(left, right) if !self.is_pure(expr, Tuning::DEFAULT.max_guard_nodes) => {
                let between = self.new_loc();
                self.condition(left, then, between);
                self.start(between);
                self.condition(right, then, otherwise);
            }
            ExprKind::Conditional(choice, left, right) if !self.is_pure(expr, Tuning::DEFAULT.max_guard_nodes) => {
                let (yes, no) = (self.new_loc(), self.new_loc());
                self.condition(choice, yes, no);
                self.start(yes);
                self.condition(left, then, otherwise);
                self.start(no);
                self.condition(right, then, otherwise);
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.condition(second, then, otherwise);
            }
            ExprKind::Cast(operand) if self.cast_keeps_truth(expr, operand) => {
                self.condition(operand, then, otherwise);
            }
            _ => {
                let condition = self.truth(expr);
                self.branch(condition, then, otherwise, expr.span);
            }
        }
    }

    /// Whether the value differs from zero, as a term.
    pub(super) fn truth(&mut self, expr: &Expr) -> Term {
        self.deeper(expr.span, None, |this| Some(this.in_order(expr, |this| this.truth_here(expr))))
            .unwrap_or_else(|| self.terms.truth(false))
    }
    fn truth_here(&mut self, expr: &Expr) -> Term {
        if let Some(value) = self.orders.value(expr) {
            return self.truth_of(value, expr.ty);
        }
        match &expr.kind {
            ExprKind::Not(operand) => {
                let truth = self.truth(operand);
                self.terms.not(truth)
            }
            ExprKind::Compare(op, left, right) => {
                let ty = left.ty;
                let left = self.value(left);
                let (left, right) = self.keeping(left, |this| this.value(right));
                self.compare(*op, left, right, ty, expr.span)
            }
            ExprKind::And(left, right) if self.is_pure(right, Tuning::DEFAULT.max_condition_term_nodes) => {
                let (left, right) = (self.truth(left), self.truth(right));
                self.terms.and(&[left, right])
            }
            ExprKind::Or(left, right) if self.is_pure(right, Tuning::DEFAULT.max_condition_term_nodes) => {
                let (left, right) = (self.truth(left), self.truth(right));
                self.terms.or(&[left, right])
            }
            ExprKind::And(..) | ExprKind::Or(..) => self.truth_by_jumping(expr),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.truth(second)
            }
            ExprKind::Cast(operand) if self.cast_keeps_truth(expr, operand) => self.truth(operand),
            ExprKind::Conditional(choice, left, right)
                if self.is_pure(left, Tuning::DEFAULT.max_condition_term_nodes)
                    && self.is_pure(right, Tuning::DEFAULT.max_condition_term_nodes) =>
            {
                let choice = self.truth(choice);
                let (left, right) = (self.truth(left), self.truth(right));
                self.terms.ite(choice, left, right)
            }
            _ => {
                let value = self.value(expr);
                match self.class(expr.ty) {
                    Class::Void | Class::Record | Class::Unsupported(_) => {
                        self.unsupported(expr.span, "condition of this type");
                        self.terms.truth(false)
                    }
                    _ => self.truth_of(value, expr.ty),
                }
            }
        }
    }
    /// A truth value that needs control flow.
    fn truth_by_jumping(&mut self, expr: &Expr) -> Term {
        self.settle_before_branch();
        let (yes, no, join) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.condition(expr, yes, no);
        let sort = self.terms.bool_sort();
        let result = self.new_temp("truth", sort, Shown::Plain);
        for (loc, value) in [(yes, true), (no, false)] {
            self.start(loc);
            let value = self.terms.truth(value);
            self.write_variable(result, value, expr.span);
            self.jump(join, expr.span);
        }
        self.start(join);
        self.term_of(result)
    }
    /// Whether the converted value is zero exactly if the operand is.
    fn cast_keeps_truth(&self, expr: &Expr, operand: &Expr) -> bool {
        match (self.class(operand.ty), self.class(expr.ty)) {
            (Class::Bool | Class::Int { .. } | Class::Pointer | Class::Float(_), Class::Bool) => true,
            (Class::Int { width: from, .. }, Class::Int { width: to, .. }) => from <= to || is_truth(operand),
            (Class::Bool, Class::Int { .. }) => true,
            _ => false,
        }
    }

    /// Whether evaluating the expression has no effect, needs no edge, and is small: at most `limit` nodes.
    pub(super) fn is_pure(&self, expr: &Expr, limit: usize) -> bool {
        let mut stack = vec![Node::Expr(expr)];
        let mut n_nodes = 0;
        while let Some(node) = stack.pop() {
            n_nodes += 1;
            if n_nodes > limit || !self.is_pure_node(node) {
                return false;
            }
            // The address of a variable is a constant, whatever the place looks like.
            if !matches!(node, Node::Place(place) if matches!(place.kind, PlaceKind::Var(_) | PlaceKind::String(_))) {
                push_parts(node, &mut stack);
            }
        }
        true
    }
    fn is_pure_node(&self, node: Node<'_>) -> bool {
        match node {
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::WideFloat(_) | ExprKind::AddressOfFunction(_) => {
                    true
                }
                ExprKind::Read(place) => match place.kind {
                    PlaceKind::Var(var) => {
                        let automatic =
                            matches!(self.unit.vars[var].storage, StorageKind::Automatic | StorageKind::Parameter);
                        // A decayed array is an address; a scalar must be a variable to need no load.
                        matches!(self.class(expr.ty), Class::Array | Class::Function)
                            || (!self.lives_in_memory(var) && (automatic || !place.is_volatile))
                    }
                    _ => matches!(self.class(expr.ty), Class::Array | Class::Function),
                },
                ExprKind::AddressOf(_) => true,
                ExprKind::Not(_) | ExprKind::BitNot(_) | ExprKind::Compare(..) => true,
                ExprKind::Neg(_) => !self.may_overflow(expr),
                ExprKind::Binary(op, _, right) => match op {
                    BinaryOp::Div | BinaryOp::Rem => {
                        matches!(self.class(expr.ty), Class::Float(_))
                            || (matches!(right.kind, ExprKind::Integer(value) if value != 0 && value != -1))
                    }
                    BinaryOp::Shl | BinaryOp::Shr => {
                        let width = match self.class(expr.ty) {
                            Class::Int { width, .. } => i128::from(width),
                            _ => 0,
                        };
                        matches!(right.kind, ExprKind::Integer(value) if (0..width).contains(&value))
                            && !(*op == BinaryOp::Shl && self.may_overflow(expr))
                    }
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => !self.may_overflow(expr),
                    BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => true,
                },
                ExprKind::PtrAdd { element_size, .. } | ExprKind::PtrDiff { element_size, .. } => {
                    matches!(element_size, crate::hir::Size::Known(_))
                }
                ExprKind::Cast(operand) => match (self.class(operand.ty), self.class(expr.ty)) {
                    // A float may not fit, which needs a check.
                    (Class::Float(_), Class::Int { .. }) => false,
                    (_, to) => !matches!(to, Class::Void | Class::Record | Class::Unsupported(_)),
                },
                ExprKind::And(..) | ExprKind::Or(..) => true,
                ExprKind::Conditional(..) | ExprKind::Elvis(..) => self.is_scalar(expr.ty),
                ExprKind::Comma(..) => true,
                ExprKind::Call { callee: Callee::Direct(_) | Callee::Pointer(_), .. } => false,
                _ => false,
            },
            Node::Place(place) => match place.kind {
                PlaceKind::Var(_) | PlaceKind::String(_) | PlaceKind::Field { .. } | PlaceKind::Deref(_) => true,
                PlaceKind::CompoundLiteral { .. } | PlaceKind::Temporary(_) => false,
            },
            Node::Stmt(_) | Node::Init(_) => false,
        }
    }
    fn may_overflow(&self, expr: &Expr) -> bool {
        self.notes_overflow() && matches!(self.class(expr.ty), Class::Int { signed: true, .. })
    }
}
