//! `__sync_*` and `__atomic_*` as plain operations: there is one thread.
//!
//! Each becomes a statement expression whose temporaries hold the pointer, the operand and the old
//! value, so that every argument is evaluated once and in order.

use super::Sema;
use super::convert::{Lvalue, Value};
use crate::ast::{ExprId, Span};
use crate::hir::{BinaryOp, Builtin, CompareOp, Expr, ExprKind, Stmt, StmtKind, TypeId};

/// How a fetch-and-operate changes the object.
#[derive(Clone, Copy)]
enum Change {
    To(BinaryOp),
    Nand,
}

fn change(name: &str) -> Option<Change> {
    Some(match name {
        "add" => Change::To(BinaryOp::Add),
        "sub" => Change::To(BinaryOp::Sub),
        "and" => Change::To(BinaryOp::And),
        "or" => Change::To(BinaryOp::Or),
        "xor" => Change::To(BinaryOp::Xor),
        "nand" => Change::Nand,
        _ => return None,
    })
}

impl<'a> Sema<'a> {
    /// `__sync_` + `name`.
    pub(super) fn sync_call(&mut self, name: &str, args: &'a [ExprId], span: Span) -> Expr {
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        let values = self.arguments(args);
        let result = match name {
            "synchronize" => Some(self.nothing(span)),
            "lock_test_and_set" => self.exchange(&values, span),
            "lock_release" => self.release(&values, span),
            "bool_compare_and_swap" => self.compare_and_swap(&values, true, span),
            "val_compare_and_swap" => self.compare_and_swap(&values, false, span),
            _ => match (name.strip_prefix("fetch_and_"), name.strip_suffix("_and_fetch")) {
                (Some(op), _) => change(op).and_then(|op| self.fetch(op, false, &values, span)),
                (_, Some(op)) => change(op).and_then(|op| self.fetch(op, true, &values, span)),
                _ => None,
            },
        };
        result.unwrap_or_else(|| self.refuse_or_follow(&format!("__sync_{name}"), &values, span))
    }

    /// `__atomic_` + `name`.
    pub(super) fn atomic_call(&mut self, name: &str, args: &'a [ExprId], span: Span) -> Expr {
        let values = self.arguments(args);
        let result = match name {
            "thread_fence" | "signal_fence" => Some(self.nothing(span)),
            "load_n" => self.load(&values, span),
            "store_n" => self.store(&values, span),
            "exchange_n" => self.exchange(&values, span),
            "clear" => self.release(&values, span),
            "compare_exchange_n" => self.compare_exchange(&values, span),
            // The forms without `_n` take pointers to the operands and to where the result goes.
            "load" => self.load(&values[..values.len().min(1)], span).and_then(|v| self.deliver(&values, 1, v, span)),
            "store" => self.through(&values, 1, span).and_then(|values| self.store(&values, span)),
            "exchange" => self
                .through(&values, 1, span)
                .and_then(|by_value| self.exchange(&by_value[..2], span))
                .and_then(|old| self.deliver(&values, 2, old, span)),
            "compare_exchange" => {
                self.through(&values, 2, span).and_then(|values| self.compare_exchange(&values, span))
            }
            "test_and_set" => self.test_and_set(&values, span),
            "always_lock_free" | "is_lock_free" => Some(self.integer(1, self.basic.bool, span)),
            _ => match (name.strip_prefix("fetch_"), name.strip_suffix("_fetch")) {
                (Some(op), _) => change(op).and_then(|op| self.fetch(op, false, &values, span)),
                (_, Some(op)) => change(op).and_then(|op| self.fetch(op, true, &values, span)),
                _ => None,
            },
        };
        result.unwrap_or_else(|| self.refuse_or_follow(&format!("__atomic_{name}"), &values, span))
    }

    fn arguments(&mut self, args: &'a [ExprId]) -> Vec<Expr> {
        args.iter().map(|&arg| self.expr(arg)).collect()
    }

    fn refuse_or_follow(&mut self, name: &str, values: &[Expr], span: Span) -> Expr {
        match values.iter().find(|value| self.is_error(value.ty)) {
            Some(_) => self.silent_error(span),
            None => self.refuse(format!("the builtin `{name}`"), self.basic.int, span),
        }
    }

    /// The scalar type of the object behind the first argument.
    fn object(&self, values: &[Expr]) -> Option<TypeId> {
        let target = self.unit.types.pointer_target(values.first()?.ty)?;
        let known = self.unit.types.is_integer(target) || self.unit.types.is_pointer(target);
        (known && values.iter().all(|value| !self.is_unsupported(value.ty))).then_some(target)
    }

    fn target(&mut self, pointer: &Expr, span: Span) -> Lvalue {
        self.deref(pointer.clone(), span)
    }

    fn read_target(&mut self, pointer: &Expr, span: Span) -> Expr {
        let lvalue = self.target(pointer, span);
        self.rvalue(Value::Place(lvalue))
    }

    fn write_target(&mut self, pointer: &Expr, value: Expr, span: Span) -> Expr {
        let place = self.target(pointer, span).place;
        let ty = place.ty;
        Expr { kind: ExprKind::Assign(place, Box::new(value)), ty, span }
    }

    fn yielding(&self, statements: Vec<Stmt>, value: Expr, span: Span) -> Expr {
        let ty = value.ty;
        Expr { kind: ExprKind::StmtExpr(statements, Some(Box::new(value))), ty, span }
    }

    /// The arguments with the one at `position`, a pointer, replaced by what it points to.
    fn through(&mut self, values: &[Expr], position: usize, span: Span) -> Option<Vec<Expr>> {
        self.object(values)?;
        let pointer = values.get(position)?;
        self.unit.types.pointer_target(pointer.ty)?;
        let mut by_value = values.to_vec();
        by_value[position] = self.read_target(pointer, span);
        Some(by_value)
    }

    /// Stores the value where the argument at `position` points.
    fn deliver(&mut self, values: &[Expr], position: usize, value: Expr, span: Span) -> Option<Expr> {
        let pointer = values.get(position)?;
        let target = self.unit.types.pointer_target(pointer.ty)?;
        if !self.unit.types.compatible(&self.basic, target, value.ty) {
            return None;
        }
        let write = self.write_target(pointer, value, span);
        Some(Expr { kind: ExprKind::Cast(Box::new(write)), ty: self.basic.void, span })
    }

    /// `__atomic_test_and_set(p, order)`: the byte becomes one; says whether it was something already.
    fn test_and_set(&mut self, values: &[Expr], span: Span) -> Option<Expr> {
        let byte = self.unit.types.pointer_to(self.basic.char, false, false);
        let pointer = values.first().filter(|pointer| self.unit.types.is_pointer(pointer.ty))?;
        let pointer = self.cast_in_place(pointer.clone(), byte);
        let one = self.integer(1, self.basic.char, span);
        let old = self.exchange(&[pointer, one], span)?;
        Some(self.cast_in_place(old, self.basic.bool))
    }

    fn load(&mut self, values: &[Expr], span: Span) -> Option<Expr> {
        self.object(values)?;
        Some(self.read_target(&values[0], span))
    }

    fn store(&mut self, values: &[Expr], span: Span) -> Option<Expr> {
        let ty = self.object(values)?;
        let value = self.cast_in_place(values.get(1)?.clone(), ty);
        let write = self.write_target(&values[0], value, span);
        Some(Expr { kind: ExprKind::Cast(Box::new(write)), ty: self.basic.void, span })
    }

    fn release(&mut self, values: &[Expr], span: Span) -> Option<Expr> {
        let ty = self.object(values)?;
        let zero = self.integer(0, ty, span);
        let write = self.write_target(&values[0], zero, span);
        Some(Expr { kind: ExprKind::Cast(Box::new(write)), ty: self.basic.void, span })
    }

    fn exchange(&mut self, values: &[Expr], span: Span) -> Option<Expr> {
        let ty = self.object(values)?;
        let mut out = Vec::new();
        let pointer = self.temporary(values[0].clone(), &mut out);
        let value = self.cast_in_place(values.get(1)?.clone(), ty);
        let value = self.temporary(value, &mut out);
        let old = self.read_target(&pointer, span);
        let old = self.temporary(old, &mut out);
        let write = self.write_target(&pointer, value, span);
        out.push(Stmt { kind: StmtKind::Expr(write), span });
        Some(self.yielding(out, old, span))
    }

    fn fetch(&mut self, op: Change, new: bool, values: &[Expr], span: Span) -> Option<Expr> {
        let ty = self.object(values)?;
        let mut out = Vec::new();
        let pointer = self.temporary(values[0].clone(), &mut out);
        let value = values.get(1)?.clone();
        let value = if self.unit.types.is_pointer(ty) { value } else { self.cast_in_place(value, ty) };
        let value = self.temporary(value, &mut out);
        let old = self.read_target(&pointer, span);
        let old = self.temporary(old, &mut out);
        let changed = self.changed(op, old.clone(), value, ty, span)?;
        let changed = self.temporary(changed, &mut out);
        let write = self.write_target(&pointer, changed.clone(), span);
        out.push(Stmt { kind: StmtKind::Expr(write), span });
        Some(self.yielding(out, if new { changed } else { old }, span))
    }

    /// Atomic arithmetic wraps, so it happens in the unsigned type.
    fn changed(&mut self, op: Change, old: Expr, value: Expr, ty: TypeId, span: Span) -> Option<Expr> {
        let byte_steps = self.unit.types.is_pointer(ty);
        let compute = if byte_steps {
            self.basic.size
        } else {
            match *self.unit.types.kind(ty) {
                crate::hir::TypeKind::Int(kind) => self.unit.types.int(super::convert::unsigned_of(kind)),
                _ => return None,
            }
        };
        let old = self.cast_in_place(old, compute);
        let value = self.cast_in_place(value, compute);
        let result = match op {
            Change::To(op) => self.arithmetic(op, old, value, span),
            Change::Nand => {
                let both = self.arithmetic(BinaryOp::And, old, value, span);
                let ty = both.ty;
                Expr { kind: ExprKind::BitNot(Box::new(both)), ty, span }
            }
        };
        Some(self.cast_in_place(result, ty))
    }

    fn compare_and_swap(&mut self, values: &[Expr], success: bool, span: Span) -> Option<Expr> {
        let ty = self.object(values)?;
        let mut out = Vec::new();
        let pointer = self.temporary(values[0].clone(), &mut out);
        let expected = self.cast_in_place(values.get(1)?.clone(), ty);
        let expected = self.temporary(expected, &mut out);
        let wanted = self.cast_in_place(values.get(2)?.clone(), ty);
        let wanted = self.temporary(wanted, &mut out);
        let old = self.read_target(&pointer, span);
        let old = self.temporary(old, &mut out);
        let equal = self.compare(CompareOp::Eq, old.clone(), expected, span);
        let equal = self.temporary(equal, &mut out);
        let write = self.write_target(&pointer, wanted, span);
        let then = vec![Stmt { kind: StmtKind::Expr(write), span }];
        out.push(Stmt { kind: StmtKind::If { arms: vec![(equal.clone(), then, span)], otherwise: Vec::new() }, span });
        let value = if success { self.cast_in_place(equal, self.basic.bool) } else { old };
        Some(self.yielding(out, value, span))
    }

    /// `__atomic_compare_exchange_n(p, &expected, wanted, …)`: on failure `expected` learns the old value.
    fn compare_exchange(&mut self, values: &[Expr], span: Span) -> Option<Expr> {
        let ty = self.object(values)?;
        if self.unit.types.pointer_target(values.get(1)?.ty) != Some(ty) {
            return None;
        }
        let mut out = Vec::new();
        let pointer = self.temporary(values[0].clone(), &mut out);
        let expected = self.temporary(values[1].clone(), &mut out);
        let wanted = self.cast_in_place(values.get(2)?.clone(), ty);
        let wanted = self.temporary(wanted, &mut out);
        let old = self.read_target(&pointer, span);
        let old = self.temporary(old, &mut out);
        let guess = self.read_target(&expected, span);
        let mut equal = self.compare(CompareOp::Eq, old.clone(), guess, span);
        if !values.get(3).is_some_and(|weak| matches!(weak.kind, ExprKind::Integer(0))) {
            // A weak exchange may fail for no reason.
            let choice = Expr { kind: ExprKind::Builtin(Builtin::ConstantP, Vec::new()), ty: self.basic.int, span };
            equal = Expr { kind: ExprKind::And(Box::new(equal), Box::new(choice)), ty: self.basic.int, span };
        }
        let equal = self.temporary(equal, &mut out);
        let write = self.write_target(&pointer, wanted, span);
        let learn = self.write_target(&expected, old, span);
        let then = vec![Stmt { kind: StmtKind::Expr(write), span }];
        let otherwise = vec![Stmt { kind: StmtKind::Expr(learn), span }];
        out.push(Stmt { kind: StmtKind::If { arms: vec![(equal.clone(), then, span)], otherwise }, span });
        let value = self.cast_in_place(equal, self.basic.bool);
        Some(self.yielding(out, value, span))
    }
}
