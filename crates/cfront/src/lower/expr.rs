//! Expressions: a pure term for the value, and edges for the effects in front of it.

use program::{AccessKind, Action, InputKind, Lifetime, Shown, Var};
use term::Term;

use crate::ast::Span;
use crate::hir::{Expr, ExprKind, PlaceKind, Size, Stmt, TypeId};

use super::Lowering;
use super::place::Target;
use super::types::Class;

/// Compilers assume that such an address differs from that of the other name.
const HIDDEN_ALIAS: &str = "address of a symbol that has another name in the assembler";

impl Lowering<'_> {
    /// The value of a scalar expression; for arrays, functions and records an address.
    pub(super) fn value(&mut self, expr: &Expr) -> Term {
        self.value_into(expr, None)
    }
    /// The value, which may have been put into this variable on the way: then it is the variable's term.
    pub(super) fn value_into(&mut self, expr: &Expr, into: Option<Var>) -> Term {
        if let Some(value) = self.orders.value(expr) {
            return value;
        }
        self.deeper(expr.span, None, |this| Some(this.in_order(expr, |this| this.value_here(expr, into))))
            .unwrap_or_else(|| {
                let sort = self.sort(expr.ty);
                self.zero_of(sort)
            })
    }
    /// The value of an expression. Long: one `match` over all expressions.
    fn value_here(&mut self, expr: &Expr, into: Option<Var>) -> Term {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Integer(value) => self.constant(expr.ty, *value),
            ExprKind::Float(value) => match self.class(expr.ty) {
                Class::Float(kind) => self.float_constant(kind, *value),
                _ => self.refuse(expr, "floating-point constant of this type"),
            },
            ExprKind::WideFloat(bits) => match self.class(expr.ty) {
                Class::Float(kind) => self.encoded_float(kind, *bits),
                _ => self.refuse(expr, "floating-point constant of this type"),
            },
            ExprKind::Read(place) => match self.class(expr.ty) {
                Class::Record => self.record(expr),
                Class::Array | Class::Function => self.lasting_address(place),
                Class::Unsupported(what) => self.refuse(expr, format!("value of {what} type")),
                _ => self.read_place(place, into),
            },
            ExprKind::AddressOf(place) => {
                if let PlaceKind::Var(var) = place.kind
                    && self.unit.vars[var].hidden_alias
                {
                    return self.refuse(expr, HIDDEN_ALIAS);
                }
                self.lasting_address(place)
            }
            ExprKind::AddressOfFunction(function) if self.unit.functions[*function].hidden_alias => {
                self.refuse(expr, HIDDEN_ALIAS)
            }
            ExprKind::AddressOfFunction(function) => self.function_address(*function),
            ExprKind::Neg(operand) => {
                let value = self.value(operand);
                self.negate(value, expr.ty, span)
            }
            ExprKind::BitNot(operand) => {
                let value = self.value(operand);
                self.terms.bv_not(value)
            }
            ExprKind::Not(_) | ExprKind::Compare(..) | ExprKind::And(..) | ExprKind::Or(..) => {
                let truth = self.truth(expr);
                match self.class(expr.ty) {
                    Class::Int { width, .. } => self.number_of_truth(truth, width),
                    _ => truth,
                }
            }
            ExprKind::Binary(..) => self.binary_chain(expr),
            ExprKind::PtrAdd { pointer, index, element_size, negative } => {
                let pointer = self.value(pointer);
                let (pointer, index) = self.keeping(pointer, |this| this.value(index));
                self.step_pointer(pointer, index, element_size, *negative)
            }
            ExprKind::PtrDiff { left, right, element_size } => {
                let left = self.value(left);
                let (left, right) = self.keeping(left, |this| this.value(right));
                let bytes = self.terms.bv_sub(left, right);
                let size = self.size_term(element_size);
                let width = self.pointer_width();
                let one = self.terms.bv(width, 1);
                let quotient = if size == one { bytes } else { self.terms.bv_sdiv(bytes, size) };
                match self.class(expr.ty) {
                    Class::Int { width, .. } => self.resize(quotient, true, width),
                    _ => quotient,
                }
            }
            ExprKind::Cast(operand) => {
                let outer = self.expect_allocation(expr.ty);
                let value = self.cast(expr, operand, into);
                self.allocated_as = outer;
                value
            }
            ExprKind::Assign(place, value) => match self.class(expr.ty) {
                Class::Record => self.record(expr),
                _ => self.assign(place, value, span),
            },
            ExprKind::AssignOp { op, place, value, compute } => self.assign_op(*op, place, value, *compute, span),
            ExprKind::AssignPtrAdd { place, index, element_size, negative } => {
                self.assign_step(place, index, element_size, *negative, span)
            }
            ExprKind::Increment { place, step, element_size, result } => {
                self.increment(place, *step, element_size.as_ref(), Some(*result), span)
            }
            ExprKind::Conditional(..) | ExprKind::Elvis(..) => match self.class(expr.ty) {
                Class::Record => self.record(expr),
                _ => self.choose(expr, into),
            },
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.value_into(second, into)
            }
            ExprKind::Call { callee, args } => match self.call(expr, callee, args, into) {
                Some(value) => value,
                None => self.nothing(),
            },
            ExprKind::StmtExpr(body, value) => self.statement_expression(body, value.as_deref(), into, span),
            ExprKind::VaArg(place) => self.next_variadic(place, expr.ty, into, span),
            ExprKind::VaStart(place) => {
                self.start_variadic(place, span);
                self.nothing()
            }
            ExprKind::VaCopy(to, from) => {
                self.copy_variadic(to, from, span);
                self.nothing()
            }
            ExprKind::Builtin(builtin, args) => self.builtin(*builtin, args, expr, into),
            ExprKind::LabelAddress(label) => match self.label_address(*label) {
                Some(address) => address,
                None => self.refuse(expr, "address of a label"),
            },
            ExprKind::Unsupported(what) => self.refuse(expr, what.clone()),
        }
    }

    /// Evaluates for the effects only.
    pub(super) fn effect(&mut self, expr: &Expr) {
        if self.orders.value(expr).is_none() {
            self.in_order(expr, |this| this.effect_here(expr));
        }
    }
    fn effect_here(&mut self, expr: &Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Increment { place, step, element_size, .. } => {
                self.increment(place, *step, element_size.as_ref(), None, span);
            }
            ExprKind::Cast(operand) => self.deeper(span, (), |this| this.effect(operand)),
            ExprKind::Comma(first, second) => self.deeper(span, (), |this| {
                this.effect(first);
                this.effect(second);
            }),
            ExprKind::Conditional(condition, then, otherwise) => {
                if self.is_pure(expr, 64) {
                    return;
                }
                self.settle_before_branch();
                let (yes, no, join) = (self.new_loc(), self.new_loc(), self.new_loc());
                self.condition(condition, yes, no);
                for (loc, arm) in [(yes, then), (no, otherwise)] {
                    self.start(loc);
                    self.deeper(span, (), |this| this.effect(arm));
                    self.jump(join, span);
                }
                self.start(join);
            }
            ExprKind::And(..) | ExprKind::Or(..) => {
                if self.is_pure(expr, 64) {
                    return;
                }
                self.settle_before_branch();
                let join = self.new_loc();
                self.condition(expr, join, join);
                self.start(join);
            }
            ExprKind::StmtExpr(body, value) => {
                let outer = std::mem::take(&mut self.current.temporaries);
                self.open_expression_block(body);
                if let Some(value) = value {
                    self.deeper(span, (), |this| this.effect(value));
                }
                self.end_temporaries(span);
                self.close_scope(span);
                self.current.temporaries = outer;
            }
            _ => match self.class(expr.ty) {
                Class::Record => {
                    self.record(expr);
                }
                _ => {
                    self.value(expr);
                }
            },
        }
    }

    /// A chain `a + b - c …`, leaning to the left, without recursion.
    fn binary_chain(&mut self, expr: &Expr) -> Term {
        let mut chain = Vec::new();
        let mut leftmost = expr;
        while let ExprKind::Binary(op, left, right) = &leftmost.kind {
            chain.push((*op, right, leftmost.ty, leftmost.span));
            leftmost = left;
        }
        let mut result = self.value(leftmost);
        for (op, right, ty, span) in chain.into_iter().rev() {
            let (left, value) = self.keeping(result, |this| this.value(right));
            result = self.binary(op, left, value, ty, right.ty, span);
        }
        result
    }

    fn cast(&mut self, expr: &Expr, operand: &Expr, into: Option<Var>) -> Term {
        match (self.class(expr.ty), self.class(operand.ty)) {
            (Class::Void, _) => {
                self.effect(operand);
                self.nothing()
            }
            (Class::Record, Class::Record) => self.record(operand),
            (Class::Int { width, .. }, Class::Int { .. } | Class::Bool) if is_truth(operand) => {
                let truth = self.truth(operand);
                self.number_of_truth(truth, width)
            }
            (Class::Bool, _) if is_truth(operand) => self.truth(operand),
            (to, from) if to == from => self.value_into(operand, into),
            _ => {
                let value = self.value(operand);
                self.convert(value, operand.ty, expr.ty, expr.span)
            }
        }
    }

    /// The pointer that many elements further, or back.
    pub(super) fn step_pointer(&mut self, pointer: Term, index: Term, element: &Size, negative: bool) -> Term {
        let width = self.pointer_width();
        let index = self.resize(index, true, width);
        let bytes = match *element {
            Size::Known(_) => self.size_term(element),
            // The unit is the outermost factor: the address is visibly a multiple of it.
            Size::Variable(var, _) => self.size_term(&Size::Variable(var, 1)),
        };
        let one = self.terms.bv(width, 1);
        let mut bytes = if bytes == one { index } else { self.terms.bv_mul(index, bytes) };
        if let Size::Variable(_, unit) = *element
            && unit != 1
        {
            let unit = self.terms.bv(width, unit);
            bytes = self.terms.bv_mul(bytes, unit);
        }
        if negative { self.terms.bv_sub(pointer, bytes) } else { self.terms.bv_add(pointer, bytes) }
    }
    pub(super) fn size_term(&mut self, size: &Size) -> Term {
        let width = self.pointer_width();
        match size {
            Size::Known(bytes) => self.terms.bv(width, *bytes),
            Size::Variable(var, unit) => {
                let ty = self.unit.vars[*var].ty;
                let count = match self.home(*var) {
                    super::Home::Variable(var) => {
                        let size = self.term_of(var);
                        self.resize(size, false, width)
                    }
                    super::Home::Object(object) => {
                        let address = self.object_address(object);
                        let size = self.read(Target::Memory(address), ty, None, self.current.span);
                        self.resize(size, false, width)
                    }
                    super::Home::Allocated(_) => panic!("a size is a number"),
                };
                if *unit == 1 {
                    return count;
                }
                let unit = self.terms.bv(width, *unit);
                self.terms.bv_mul(count, unit)
            }
        }
    }

    /// `c ? a : b` and `a ?: b` of scalar type.
    fn choose(&mut self, expr: &Expr, into: Option<Var>) -> Term {
        let span = expr.span;
        let is_void = self.class(expr.ty) == Class::Void;
        if is_void {
            self.effect(expr);
            return self.nothing();
        }
        match &expr.kind {
            ExprKind::Conditional(condition, then, otherwise) => {
                if self.is_pure(then, 64) && self.is_pure(otherwise, 64) {
                    let condition = self.truth(condition);
                    let then = self.value(then);
                    let otherwise = self.value(otherwise);
                    return self.terms.ite(condition, then, otherwise);
                }
                let (yes, no, join) = (self.new_loc(), self.new_loc(), self.new_loc());
                self.settle_before_branch();
                self.condition(condition, yes, no);
                let result = self.choice_variable(expr.ty, into);
                for (loc, arm) in [(yes, then), (no, otherwise)] {
                    self.start(loc);
                    let value = self.value_into(arm, Some(result));
                    self.write_variable(result, value, span);
                    self.jump(join, span);
                }
                self.start(join);
                self.term_of(result)
            }
            ExprKind::Elvis(first, otherwise) => {
                let value = self.value(first);
                let condition = self.truth_of(value, first.ty);
                let converted = self.convert(value, first.ty, expr.ty, span);
                if self.is_pure(otherwise, 64) {
                    let otherwise = self.value(otherwise);
                    return self.terms.ite(condition, converted, otherwise);
                }
                let (yes, no, join) = (self.new_loc(), self.new_loc(), self.new_loc());
                self.settle_before_branch();
                self.branch(condition, yes, no, span);
                let result = self.choice_variable(expr.ty, None);
                self.start(yes);
                self.write_variable(result, converted, span);
                self.jump(join, span);
                self.start(no);
                let value = self.value_into(otherwise, Some(result));
                self.write_variable(result, value, span);
                self.jump(join, span);
                self.start(join);
                self.term_of(result)
            }
            _ => panic!("only a conditional chooses"),
        }
    }
    fn choice_variable(&mut self, ty: TypeId, into: Option<Var>) -> Var {
        let (sort, shown) = (self.sort(ty), self.shown(ty));
        match into {
            Some(var) if self.program.vars[var].sort == sort => var,
            _ => self.new_temp("choice", sort, shown),
        }
    }

    fn statement_expression(&mut self, body: &[Stmt], value: Option<&Expr>, into: Option<Var>, span: Span) -> Term {
        self.settle_before_branch();
        let outer = std::mem::take(&mut self.current.temporaries);
        self.open_expression_block(body);
        let result = match value {
            // The block's objects end before the record is read.
            Some(value) if self.class(value.ty) == Class::Record => {
                let to = self.temporary_object("value", value.ty, span);
                self.record_into(value, to, span);
                to
            }
            Some(value) if self.class(value.ty) == Class::Void => {
                self.effect(value);
                self.nothing()
            }
            Some(value) => self.value_into(value, into),
            None => self.nothing(),
        };
        let (result, ()) = self.keeping(result, |this| {
            this.end_temporaries(span);
            this.close_scope(span);
        });
        self.current.temporaries = outer;
        result
    }

    /// Refuses the expression and goes on with a zero of its type, to find more.
    pub(super) fn refuse(&mut self, expr: &Expr, what: impl Into<String>) -> Term {
        self.unsupported(expr.span, what);
        let sort = self.sort(expr.ty);
        self.zero_of(sort)
    }
    /// What a `void` expression is worth; it is never used.
    pub(super) fn nothing(&mut self) -> Term {
        self.terms.bv(8, 0)
    }
    /// A new object of this many bytes.
    pub(super) fn allocate(
        &mut self,
        size: Term,
        lifetime: Lifetime,
        contents: Option<InputKind>,
        into: Option<Var>,
        span: Span,
    ) -> Term {
        let var = self.pointer_target(into);
        let input = contents.map(|kind| self.new_input(kind, Shown::Plain, span));
        if lifetime == Lifetime::Heap {
            self.count_allocation(span);
        }
        self.note_allocation(span);
        self.emit(Action::Alloc { var, size, lifetime, input, moved: None }, span);
        self.term_of(var)
    }
    /// A new heap object of this many bytes in the place of the old one, with its contents.
    pub(super) fn reallocate(&mut self, old: Term, size: Term, into: Option<Var>, span: Span) -> Term {
        self.guard(old, 0, AccessKind::Free, span);
        let (old, var) = self.keeping(old, |this| this.pointer_target(into));
        let input = self.new_input(InputKind::Memory, Shown::Plain, span);
        let (lifetime, moved) = (Lifetime::Heap, Some(old));
        self.count_free(old, span);
        self.count_allocation(span);
        self.note_allocation(span);
        self.emit(Action::Alloc { var, size, lifetime, input: Some(input), moved }, span);
        self.term_of(var)
    }
    /// What `allocate` makes, or null.
    pub(super) fn unless_full(&mut self, span: Span, allocate: impl FnOnce(&mut Self) -> Option<Term>) -> Option<Term> {
        self.settle_before_branch();
        let sort = self.terms.bool_sort();
        let full = self.new_temp("full", sort, Shown::Plain);
        let input = self.new_input(InputKind::Memory, Shown::Plain, span);
        self.emit(Action::Havoc { var: full, input }, span);
        let full = self.term_of(full);
        self.null_if(full, span, allocate)
    }
    /// Null where the condition holds, otherwise what `allocate` makes.
    pub(super) fn null_if(
        &mut self,
        condition: Term,
        span: Span,
        allocate: impl FnOnce(&mut Self) -> Option<Term>,
    ) -> Option<Term> {
        if condition == self.terms.truth(false) {
            return allocate(self);
        }
        self.settle_before_branch();
        let sort = self.pointer_sort();
        let result = self.new_temp("alloc", sort, Shown::Pointer);
        let (fails, works, after) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.branch(condition, fails, works, span);
        self.start(fails);
        let null = self.zero_of(sort);
        self.emit(Action::Assign(vec![(result, null)]), span);
        self.jump(after, span);
        self.start(works);
        let address = allocate(self)?;
        self.emit(Action::Assign(vec![(result, address)]), span);
        self.jump(after, span);
        self.start(after);
        Some(self.term_of(result))
    }
    /// The variable that receives a new address: this one if it can.
    fn pointer_target(&mut self, into: Option<Var>) -> Var {
        let sort = self.pointer_sort();
        match into {
            Some(var) if self.program.vars[var].sort == sort => {
                self.settle_before_write(var);
                var
            }
            _ => self.new_temp("alloc", sort, Shown::Pointer),
        }
    }
}

/// Whether the expression is a comparison or a logical operator, worth zero or one.
pub(super) fn is_truth(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Not(_) | ExprKind::Compare(..) | ExprKind::And(..) | ExprKind::Or(..))
}
