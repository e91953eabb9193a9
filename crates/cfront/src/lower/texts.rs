//! Texts that library functions read: up to the final zero, each byte must be valid.
//!
//! A loop reads the text as the function does. What `strerror` and its relatives return is known to end. Functions that
//! write a text (`fgets`, `sprintf`) leave a zero behind it.

use program::{Action, InputKind, Mark, Shown};
use term::Term;

use crate::ast::Span;
use crate::hir::{Callee, Expr, ExprKind, FunctionId, TypeId, TypeKind};
use crate::known_buffers::returns_text;

use super::Lowering;
use super::buffers::Call;
use super::types::Class;
use super::walk::{Node, push_parts};

impl Lowering<'_> {
    /// Reads the text at the argument; its length, if that is known.
    pub(super) fn text_of_argument(&mut self, call: &Call<'_>, position: usize) -> Option<Term> {
        let (&address, &ty) = (call.args.get(position)?, call.types.get(position)?);
        if self.class(ty) != Class::Pointer {
            return None;
        }
        let expr = call.expr(position);
        let unit = self.unit_of_text(ty);
        if let (Some(bytes), 1) = (expr.and_then(|expr| self.literal_bytes(expr)), unit) {
            return Some(self.byte_count(bytes.len() as u64));
        }
        if expr.is_some_and(|expr| self.is_text_from_outside(expr)) {
            return None;
        }
        self.text_length(address, unit, None, call.span)
    }
    /// The size of the characters that a text consists of.
    fn unit_of_text(&self, ty: TypeId) -> u64 {
        match *self.kind(ty) {
            TypeKind::Pointer { target, .. } if self.class(target) != Class::Void => {
                self.unit.types.size_of(target).filter(|&size| size == 4).unwrap_or(1)
            }
            _ => 1,
        }
    }
    /// Whether the expression is a call of a library function that returns a text.
    fn is_text_from_outside(&self, expr: &Expr) -> bool {
        let mut expr = expr;
        while let ExprKind::Cast(operand) = &expr.kind {
            expr = operand;
        }
        let ExprKind::Call { callee: Callee::Direct(function), .. } = &expr.kind else { return false };
        let function = &self.unit.functions[*function];
        function.body.is_none() && returns_text(&function.name)
    }

    /// Reads a text up to its final zero, or as many characters as `limit` says; the number of characters before.
    pub(super) fn text_length(&mut self, address: Term, unit: u64, limit: Option<Term>, span: Span) -> Option<Term> {
        self.current.at?;
        self.settle_before_branch();
        let (width, sort) = (self.pointer_width(), self.pointer_sort());
        let index = self.new_temp("length", sort, Shown::Unsigned);
        let zero = self.terms.bv(width, 0);
        self.emit(Action::Assign(vec![(index, zero)]), span);
        let (head, more, done) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.mark(head, Mark::LoopHead, span);
        self.jump(head, span);
        self.start(head);
        let length = self.term_of(index);
        if let Some(limit) = limit {
            let inside = self.new_loc();
            let below = self.terms.bv_ult(length, limit);
            self.branch(below, inside, done, span);
            self.start(inside);
        }
        let scale = self.terms.bv(width, unit);
        let offset = self.terms.bv_mul(length, scale);
        let place = self.terms.bv_add(address, offset);
        let character = self.terms.bv_sort(8 * unit as u32);
        let character = self.load(place, character, Shown::Plain, None, span);
        let end = self.terms.bv(8 * unit as u32, 0);
        let goes_on = self.terms.ne(character, end);
        self.branch(goes_on, more, done, span);
        self.start(more);
        let one = self.terms.bv(width, 1);
        let next = self.terms.bv_add(length, one);
        self.emit(Action::Assign(vec![(index, next)]), span);
        self.jump(head, span);
        self.start(done);
        Some(length)
    }

    /// Writes the zero behind a text of this length. `address` is that of a buffer with room for it.
    pub(super) fn end_text(&mut self, address: Term, length: Term, span: Span) {
        let place = self.terms.bv_add(address, length);
        let zero = self.terms.bv(8, 0);
        self.emit(Action::Store { address: place, value: zero }, span);
    }
    /// What a call of `fgets` leaves: null, or a text that ends within the buffer.
    pub(super) fn read_line(&mut self, function: FunctionId, call: &Call<'_>) -> Option<Option<Term>> {
        let (&buffer, &ty) = (call.args.first()?, call.types.first()?);
        let size = self.argument_count(*call.args.get(1)?, call.types[1])?;
        let TypeKind::Pointer { target, .. } = *self.kind(ty) else { return None };
        let returned = self.result_type(function);
        if self.class(returned) != Class::Pointer || self.unit.types.size_of(target) != Some(1) {
            return None;
        }
        self.written_by(call.name, buffer, ty, call.span);
        self.settle_before_branch();
        let (width, sort) = (self.pointer_width(), self.pointer_sort());
        let result = self.new_temp("line", sort, Shown::Pointer);
        let truth = self.terms.bool_sort();
        let works = self.new_temp("works", truth, Shown::Plain);
        let input = self.new_input(InputKind::External(call.name.to_owned()), Shown::Plain, call.span);
        self.emit(Action::Havoc { var: works, input }, call.span);
        let null = self.terms.bv(width, 0);
        let has_room = self.terms.ne(size, null);
        let works = self.term_of(works);
        let works = self.terms.and(&[works, has_room]);
        self.write_variable(result, null, call.span);
        self.only_if(works, call.span, |this| {
            let one = this.terms.bv(width, 1);
            let last = this.terms.bv_sub(size, one);
            let none = this.terms.bv(width, 0);
            let length = this.any_between(call.name, none, Some(last), call.span);
            this.end_text(buffer, length, call.span);
            this.write_variable(result, buffer, call.span);
        });
        Some(Some(self.term_of(result)))
    }

    /// Whether some call passes a pointer that is not a literal among the variable arguments of a function of the program.
    pub(super) fn passes_pointers_on(&self) -> bool {
        let unit = self.unit;
        let mut stack: Vec<Node<'_>> = Vec::new();
        for &function in &self.reach.functions {
            stack.extend(unit.functions[function].body.iter().flatten().map(Node::Stmt));
        }
        while let Some(node) = stack.pop() {
            if let Node::Expr(Expr { kind: ExprKind::Call { callee, args }, .. }) = node {
                let first = match callee {
                    Callee::Direct(function) => {
                        let TypeKind::Function { params, variadic, .. } = self.kind(unit.functions[*function].ty)
                        else {
                            return true;
                        };
                        let is_own = *variadic && self.reach.body_of(unit, *function).is_some();
                        if is_own { params.len() } else { args.len() }
                    }
                    Callee::Pointer(_) => 0,
                };
                let passed = args.get(first..).unwrap_or_default();
                let is_any = |arg: &Expr| self.class(arg.ty) == Class::Pointer && self.literal_bytes(arg).is_none();
                if passed.iter().any(is_any) {
                    return true;
                }
            }
            push_parts(node, &mut stack);
        }
        false
    }
}
