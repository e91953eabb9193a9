//! Primary, postfix and other expressions that are neither operators nor calls.

use super::Sema;
use super::convert::{Lvalue, Value};
use super::scope::Symbol;
use super::types::Ty;
use crate::ast::{self, Encoding, ExprId, Init as AstInit, Name, Span, Storage, TypeName};
use crate::hir::{
    Expr, ExprKind, Field, Init, InitPiece, Place, PlaceKind, RecordTypeId, StorageKind, TypeId, TypeKind, VarId,
};

impl<'a> Sema<'a> {
    /// What the expression denotes.
    pub(super) fn value(&mut self, id: ExprId) -> Value {
        let ast = self.ast;
        let expr = &ast.exprs[id];
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Name(name) => self.name(*name, span),
            ast::ExprKind::Integer { value, unsigned, longs, decimal } => {
                Value::Rvalue(self.integer_literal(*value, *unsigned, *longs, *decimal, span))
            }
            ast::ExprKind::Float { value, suffix, wide } => {
                Value::Rvalue(self.float_literal(*value, *suffix, *wide, span))
            }
            ast::ExprKind::Char { value, encoding } => {
                let ty = self.char_type(*encoding);
                let ty = if *encoding == Encoding::Plain { self.basic.int } else { ty };
                Value::Rvalue(self.integer(self.convert_integer(i128::from(*value), ty), ty, span))
            }
            ast::ExprKind::String { units, encoding } => Value::Place(self.string_literal(units, *encoding, span)),
            ast::ExprKind::Unary(op, operand) => self.unary(*op, *operand, span),
            ast::ExprKind::Binary(op, left, right) => Value::Rvalue(self.binary(*op, *left, *right, span)),
            ast::ExprKind::Assign(op, left, right) => Value::Rvalue(self.assign(*op, *left, *right, span)),
            ast::ExprKind::Conditional(condition, then, otherwise) => {
                Value::Rvalue(self.conditional(*condition, *then, *otherwise, span))
            }
            ast::ExprKind::Call(callee, args) => self.call(*callee, args, span),
            ast::ExprKind::Member { base, field, arrow } => self.member(*base, *field, *arrow, span),
            ast::ExprKind::Index(base, index) => self.index(*base, *index, span),
            ast::ExprKind::Cast(ty, operand) => Value::Rvalue(self.cast_expr(ty, *operand, span)),
            ast::ExprKind::CompoundLiteral(ty, init) => self.compound_literal(ty, init, span),
            ast::ExprKind::Sizeof(arg) => Value::Rvalue(self.size_expr(arg, span)),
            ast::ExprKind::Alignof(arg) => Value::Rvalue(self.align_expr(arg, span)),
            ast::ExprKind::StmtExpr(body) => Value::Rvalue(self.statement_expr(*body, span)),
            ast::ExprKind::Generic { control, arms } => self.generic(*control, arms, span),
            ast::ExprKind::LabelAddress(label) => Value::Rvalue(self.label_address(*label, span)),
            ast::ExprKind::VaArg(list, ty) => self.va_arg(*list, ty, span),
            ast::ExprKind::Offsetof(ty, path) => Value::Rvalue(self.offset_of(ty, path, span)),
            ast::ExprKind::TypesCompatible(left, right) => {
                let left = self.type_name(left);
                let right = self.type_name(right);
                let same = self.unit.types.compatible(&self.basic, left.id, right.id);
                Value::Rvalue(self.integer(i128::from(same), self.basic.int, span))
            }
            ast::ExprKind::ChooseExpr(condition, then, otherwise) => {
                let condition = self.expr(*condition);
                match self.demand_integer(&condition, "the first argument of `__builtin_choose_expr`") {
                    Some(0) => self.value(*otherwise),
                    Some(_) => self.value(*then),
                    None => Value::Rvalue(self.silent_error(span)),
                }
            }
            ast::ExprKind::Error => Value::Rvalue(self.silent_error(span)),
        }
    }

    /// The expression's value: read, decayed.
    pub(super) fn expr(&mut self, id: ExprId) -> Expr {
        let value = self.value(id);
        self.rvalue(value)
    }

    /// Type and qualifiers of an expression that is not evaluated.
    pub(super) fn type_of(&mut self, id: ExprId) -> Ty {
        match self.value(id) {
            Value::Place(lvalue) => match lvalue.place.kind {
                PlaceKind::Var(var) => Ty { align: self.var_types[var].align, ..lvalue.ty() },
                _ => lvalue.ty(),
            },
            Value::Function(function, _) => Ty::plain(self.unit.functions[function].ty),
            Value::Rvalue(expr) => Ty::plain(expr.ty),
        }
    }

    fn name(&mut self, name: Name, span: Span) -> Value {
        match self.scopes.lookup(name) {
            Some(Symbol::Var(var)) => {
                let var = *var;
                Value::Place(self.variable(var, span))
            }
            Some(Symbol::Function(function)) => Value::Function(*function, span),
            Some(Symbol::Enumerator(value, ty)) => Value::Rvalue(self.integer(*value, *ty, span)),
            Some(Symbol::Error) => Value::Rvalue(self.silent_error(span)),
            Some(Symbol::Prototype(ty)) => {
                let ty = ty.id;
                Value::Rvalue(self.refuse("a parameter of a declaration", ty, span))
            }
            Some(Symbol::Unsupported(reason)) => {
                let reason = *reason;
                Value::Rvalue(self.refuse(reason, self.basic.int, span))
            }
            Some(Symbol::Typedef(_)) => {
                let text = self.text(name);
                Value::Rvalue(self.error_expr(span, format!("`{text}` is a type, not a value"), ""))
            }
            None => self.undeclared_name(name, span),
        }
    }

    fn undeclared_name(&mut self, name: Name, span: Span) -> Value {
        let text = self.text(name);
        if matches!(text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
            && let Some(var) = self.function_name_literal(span)
        {
            return Value::Place(self.variable(var, span));
        }
        if let Some(function) = self.builtin_function(text, span) {
            return Value::Function(function, span);
        }
        if text.starts_with("__builtin_") || text.starts_with("__sync_") || text.starts_with("__atomic_") {
            return Value::Rvalue(self.refuse(format!("the builtin `{text}`"), self.basic.int, span));
        }
        self.report_undeclared(name, span);
        Value::Rvalue(self.silent_error(span))
    }

    /// Once for each name and function.
    pub(super) fn report_undeclared(&mut self, name: Name, span: Span) {
        let text = self.text(name);
        if self.undeclared.insert((name, self.current_function()), ()).is_none() {
            let help = match self.scopes.closest(self.ast, text) {
                Some(close) => format!("did you mean `{close}`?"),
                None => String::new(),
            };
            self.error(span, format!("`{text}` is not declared"), help);
        }
    }

    /// The variable as an lvalue.
    pub(super) fn variable(&mut self, var: VarId, span: Span) -> Lvalue {
        let ty = self.var_types[var];
        Lvalue {
            place: Place { kind: PlaceKind::Var(var), ty: ty.id, span, is_volatile: ty.volatile },
            constant: ty.constant,
        }
    }

    fn member(&mut self, base: ExprId, field: Name, arrow: bool, span: Span) -> Value {
        let lvalue = if arrow {
            let pointer = self.expr(base);
            if self.is_unsupported(pointer.ty) {
                return Value::Rvalue(self.follow(&pointer, span));
            }
            match self.unit.types.pointer_target(pointer.ty) {
                Some(_) => self.deref(pointer, span),
                None => {
                    let shown = self.unit.types.display(pointer.ty);
                    let help = if self.unit.types.is_record(pointer.ty) { "use `.` for a record itself" } else { "" };
                    let message = format!("`->` needs a pointer to a record, not `{shown}`");
                    return Value::Rvalue(self.error_expr(span, message, help));
                }
            }
        } else {
            match self.value(base) {
                Value::Place(lvalue) => lvalue,
                other => {
                    let expr = self.rvalue(other);
                    if self.is_unsupported(expr.ty) {
                        return Value::Rvalue(self.follow(&expr, span));
                    }
                    let ty = expr.ty;
                    let place = Place { kind: PlaceKind::Temporary(Box::new(expr)), ty, span, is_volatile: false };
                    Lvalue { place, constant: false }
                }
            }
        };
        match self.field_place(lvalue, field, span) {
            Some(lvalue) => Value::Place(lvalue),
            None => Value::Rvalue(self.silent_error(span)),
        }
    }

    /// An expression that inherits the trouble of its operand.
    pub(super) fn follow(&self, operand: &Expr, span: Span) -> Expr {
        match &operand.kind {
            ExprKind::Unsupported(what) => self.refuse(what.clone(), operand.ty, span),
            _ => {
                let what = format!("operations on {}", self.unit.types.display(operand.ty));
                self.refuse(what, operand.ty, span)
            }
        }
    }

    fn field_place(&mut self, base: Lvalue, field: Name, span: Span) -> Option<Lvalue> {
        let text = self.text(field);
        let ty = base.place.ty;
        let Some((record, _)) = self.unit.types.record(ty) else {
            if !self.is_error(ty) {
                let shown = self.unit.types.display(ty);
                let help = if self.unit.types.is_pointer(ty) { "use `->` for a pointer" } else { "" };
                self.error(span, format!("`{shown}` has no members, so none is called `{text}`"), help);
            }
            return None;
        };
        let Some(found) = self.find_field(record, text) else {
            let shown = self.unit.types.display(ty);
            if self.unit.types.records[record].fields.is_none() {
                self.error(span, format!("`{shown}` is incomplete here"), "define the type before this");
            } else {
                self.error(span, format!("`{shown}` has no member `{text}`"), "");
            }
            return None;
        };
        let constant = base.constant || found.is_const;
        let is_volatile = base.place.is_volatile || found.is_volatile;
        let place = Place {
            kind: PlaceKind::Field { base: Box::new(base.place), offset: found.offset, bits: found.bits },
            ty: found.ty,
            span,
            is_volatile,
        };
        Some(Lvalue { place, constant })
    }

    /// The member of this name, looked for in anonymous members too; its offset counts from the outermost record.
    pub(super) fn find_field(&self, record: RecordTypeId, name: &str) -> Option<Field> {
        let fields = self.unit.types.records[record].fields.as_ref()?;
        for field in fields {
            match &field.name {
                Some(own) if own == name => return Some(field.clone()),
                None if field.bits.is_none() => {
                    let Some((inner, _)) = self.unit.types.record(field.ty) else { continue };
                    if let Some(mut found) = self.find_field(inner, name) {
                        found.offset += field.offset;
                        found.is_const |= field.is_const;
                        found.is_volatile |= field.is_volatile;
                        return Some(found);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// What the pointer points to.
    pub(super) fn deref(&mut self, pointer: Expr, span: Span) -> Lvalue {
        let &TypeKind::Pointer { target, const_target, volatile_target } = self.unit.types.kind(pointer.ty) else {
            let place = Place {
                kind: PlaceKind::Temporary(Box::new(self.silent_error(span))),
                ty: self.basic.error,
                span,
                is_volatile: false,
            };
            return Lvalue { place, constant: false };
        };
        // `*&x` is `x`.
        let place = match pointer.kind {
            ExprKind::AddressOf(place) if place.ty == target && place.is_volatile == volatile_target => {
                Place { span, ..place }
            }
            kind => Place {
                kind: PlaceKind::Deref(Box::new(Expr { kind, ty: pointer.ty, span: pointer.span })),
                ty: target,
                span,
                is_volatile: volatile_target,
            },
        };
        Lvalue { place, constant: const_target }
    }

    fn index(&mut self, base: ExprId, index: ExprId, span: Span) -> Value {
        let base = self.expr(base);
        let index = self.expr(index);
        for operand in [&base, &index] {
            if self.is_unsupported(operand.ty) {
                return Value::Rvalue(self.follow(operand, span));
            }
        }
        let types = &self.unit.types;
        // `2[a]` is `a[2]`.
        let (pointer, index) = if types.is_pointer(base.ty) { (base, index) } else { (index, base) };
        if !types.is_pointer(pointer.ty) || !types.is_integer(index.ty) {
            let (left, right) = (types.display(pointer.ty), types.display(index.ty));
            let message = format!("indexing needs a pointer and an integer, not `{left}` and `{right}`");
            return Value::Rvalue(self.error_expr(span, message, ""));
        }
        let address = self.pointer_add(pointer, index, false, span);
        if self.is_unsupported(address.ty) {
            return Value::Rvalue(address);
        }
        Value::Place(self.deref(address, span))
    }

    fn cast_expr(&mut self, ty: &'a TypeName, operand: ExprId, span: Span) -> Expr {
        let sizes = self.vla_sizes.len();
        let target = self.type_name(ty).id;
        let operand = self.expr(operand);
        let result = self.explicit_cast(operand, target, span);
        self.after_sizes(sizes, result)
    }

    fn explicit_cast(&mut self, operand: Expr, target: TypeId, span: Span) -> Expr {
        let types = &self.unit.types;
        if self.is_error(operand.ty) || self.is_error(target) {
            return self.silent_error(span);
        }
        if types.is_void(target) {
            return if types.is_void(operand.ty) {
                operand
            } else {
                Expr { kind: ExprKind::Cast(Box::new(operand)), ty: target, span }
            };
        }
        if self.is_unsupported(operand.ty) || self.is_unsupported(target) {
            return if operand.ty == target { operand } else { self.cast(operand, target, span) };
        }
        let both_scalar = types.is_scalar(operand.ty) && types.is_scalar(target);
        let pointer_and_float = types.is_pointer(operand.ty) && types.is_float(target)
            || types.is_float(operand.ty) && types.is_pointer(target);
        if both_scalar && !pointer_and_float {
            if operand.ty == target {
                // A cast yields a value of its own, no longer a bit-field.
                return if Self::bit_field_width(&operand).is_some() {
                    Expr { kind: ExprKind::Cast(Box::new(operand)), ty: target, span }
                } else {
                    Expr { span, ..operand }
                };
            }
            return self.cast(operand, target, span);
        }
        if types.compatible(&self.basic, operand.ty, target) && types.is_record(target) {
            return operand;
        }
        if let Some(union) = self.cast_to_union(&operand, target, span) {
            return union;
        }
        let (from, to) = (self.unit.types.display(operand.ty), self.unit.types.display(target));
        self.error_expr(span, format!("`{from}` cannot be cast to `{to}`"), "")
    }

    /// GNU C: a value becomes a union that has a member of its type.
    fn cast_to_union(&mut self, operand: &Expr, target: TypeId, span: Span) -> Option<Expr> {
        let (_, record) = self.unit.types.record(target)?;
        let fields = record.fields.as_ref().filter(|_| record.is_union)?;
        fields.iter().find(|field| self.unit.types.compatible(&self.basic, field.ty, operand.ty))?;
        let piece = InitPiece { offset: 0, bits: None, value: operand.clone(), repeat: 1, stride: 0 };
        let var = self.unnamed_variable(target, span);
        let init = Init { pieces: vec![piece] };
        let place = Place { kind: PlaceKind::CompoundLiteral { var, init }, ty: target, span, is_volatile: false };
        Some(Expr { kind: ExprKind::Read(place), ty: target, span })
    }

    fn compound_literal(&mut self, ty: &'a TypeName, init: &'a AstInit, span: Span) -> Value {
        let sizes = self.vla_sizes.len();
        let written = ty.specifiers.storage;
        let ty = self.stored_type_name(ty);
        if self.is_error(ty.id) {
            return Value::Rvalue(self.silent_error(span));
        }
        if self.vla_sizes.len() > sizes {
            self.vla_sizes.truncate(sizes);
            return Value::Rvalue(self.error_expr(span, "a compound literal cannot have variable length", ""));
        }
        let storage = match written {
            Storage { thread_local: true, .. } => StorageKind::Thread,
            Storage { statik: true, .. } => StorageKind::Static,
            _ if self.body.is_none() => StorageKind::Static,
            _ => StorageKind::Automatic,
        };
        let initialised = self.initialiser(ty, init, storage);
        let id = initialised.ty;
        if !self.require_complete(id, span, "a compound literal") {
            return Value::Rvalue(self.silent_error(span));
        }
        let var = self.unnamed_variable(id, span);
        self.var_types[var] = Ty { id, ..ty };
        self.unit.vars[var].is_const = ty.constant;
        let kind = if storage != StorageKind::Automatic {
            self.unit.vars[var].storage = storage;
            self.unit.vars[var].ty = initialised.object;
            self.unit.vars[var].init = Some(initialised.init);
            PlaceKind::Var(var)
        } else {
            PlaceKind::CompoundLiteral { var, init: initialised.init }
        };
        Value::Place(Lvalue { place: Place { kind, ty: id, span, is_volatile: ty.volatile }, constant: ty.constant })
    }

    fn generic(&mut self, control: ExprId, arms: &'a [(Option<TypeName>, ExprId)], span: Span) -> Value {
        let control = self.expr(control);
        if self.is_error(control.ty) {
            return Value::Rvalue(self.silent_error(span));
        }
        // It is not evaluated, but its type decides.
        if let Some(refused) = self.wide_operand(&control, span) {
            return Value::Rvalue(refused);
        }
        if let ExprKind::Unsupported(what) = control.kind {
            return Value::Rvalue(self.refuse(what, control.ty, span));
        }
        let mut default = None;
        for (ty, arm) in arms {
            match ty {
                None => default = Some(*arm),
                Some(ty) => {
                    let ty = self.type_name(ty);
                    // The controlling value has lost its qualifiers, so a qualified type never matches.
                    let qualified = ty.constant || ty.volatile;
                    if !qualified && self.unit.types.compatible(&self.basic, ty.id, control.ty) {
                        return self.value(*arm);
                    }
                }
            }
        }
        match default {
            Some(arm) => self.value(arm),
            None => {
                let shown = self.unit.types.display(control.ty);
                Value::Rvalue(self.error_expr(span, format!("no association of `_Generic` fits `{shown}`"), ""))
            }
        }
    }

    fn va_arg(&mut self, list: ExprId, ty: &'a TypeName, span: Span) -> Value {
        let sizes = self.vla_sizes.len();
        let ty = self.type_name(ty).id;
        self.vla_sizes.truncate(sizes);
        let Some(list) = self.va_list_place(list, span) else {
            return Value::Rvalue(self.silent_error(span));
        };
        if !self.require_complete(ty, span, "the argument fetched") {
            return Value::Rvalue(self.silent_error(span));
        }
        if self.unit.types.is_array(ty) || self.is_unsupported(ty) {
            let shown = self.unit.types.display(ty);
            return Value::Rvalue(self.refuse(format!("va_arg of `{shown}`"), ty, span));
        }
        Value::Rvalue(Expr { kind: ExprKind::VaArg(Box::new(list)), ty, span })
    }

    /// The place of a `va_list`.
    pub(super) fn va_list_place(&mut self, id: ExprId, span: Span) -> Option<Place> {
        match self.value(id) {
            Value::Place(lvalue) if lvalue.place.ty == self.basic.va_list => Some(lvalue.place),
            value => {
                let expr = self.rvalue(value);
                if self.unit.types.pointer_target(expr.ty).is_some_and(|target| self.is_list_array(target)) {
                    return Some(self.deref(expr, span).place);
                }
                if !self.is_error(expr.ty) {
                    let shown = self.unit.types.display(expr.ty);
                    self.error(span, format!("this needs a `va_list`, not `{shown}`"), "");
                }
                None
            }
        }
    }
}
