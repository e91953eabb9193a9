//! Primary, postfix and other expressions that are neither operators nor calls.

use super::Sema;
use super::convert::{Lvalue, Value};
use super::scope::Symbol;
use super::types::Ty;
use crate::ast::{self, Designator, Encoding, ExprId, FloatSuffix, Init as AstInit, Name, SizeArg, Span, TypeName};
use crate::hir::{
    DataModel, Expr, ExprKind, Field, FloatKind, Init, InitPiece, IntKind, Place, PlaceKind, RecordTypeId, Size,
    StorageKind, StringLiteral, TypeId, TypeKind, VarId, Variable,
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
            ast::ExprKind::Float { value, suffix } => Value::Rvalue(self.float_literal(*value, *suffix, span)),
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
        if matches!(text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            if let Some(var) = self.function_name_literal(span) {
                return Value::Place(self.variable(var, span));
            }
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

    fn function_name_literal(&mut self, span: Span) -> Option<VarId> {
        let body = self.body.as_ref()?;
        if let Some(var) = body.name_literal {
            return Some(var);
        }
        let function = body.function;
        let name = self.unit.functions[function].name.clone();
        let ty = self.unit.types.intern(TypeKind::Array(self.basic.char, Some(name.len() as u64 + 1)));
        let pieces = self.string_pieces(name.bytes().map(u32::from), self.basic.char, 0, span);
        let variable = Variable {
            name: "__func__".to_owned(),
            ty,
            storage: StorageKind::Static,
            is_const: true,
            is_volatile: false,
            address_taken: true,
            align: None,
            init: Some(Init { pieces }),
            defined: true,
            function: Some(function),
            span,
        };
        let var = self.add_variable(variable, Ty { constant: true, ..Ty::plain(ty) });
        if let Some(body) = &mut self.body {
            body.name_literal = Some(var);
        }
        Some(var)
    }

    /// One piece for each element that is not zero.
    pub(super) fn string_pieces(
        &self,
        units: impl Iterator<Item = u32>,
        element: TypeId,
        offset: u64,
        span: Span,
    ) -> Vec<InitPiece> {
        let size = self.unit.types.size_of(element).unwrap_or(1);
        let mut pieces = Vec::new();
        for (position, unit) in units.enumerate() {
            if unit != 0 {
                let value = self.convert_integer(i128::from(unit), element);
                let value = self.integer(value, element, span);
                pieces.push(InitPiece {
                    offset: offset + position as u64 * size,
                    bits: None,
                    value,
                    repeat: 1,
                    stride: 0,
                });
            }
        }
        pieces
    }

    /// The type of the elements of a string with this prefix.
    pub(super) fn char_type(&self, encoding: Encoding) -> TypeId {
        match encoding {
            Encoding::Plain | Encoding::Utf8 => self.basic.char,
            Encoding::Wide => self.basic.wchar,
            Encoding::Utf16 => self.basic.ushort,
            Encoding::Utf32 => self.basic.uint,
        }
    }

    /// The units as they are stored; UTF-16 splits what does not fit.
    pub(super) fn stored_units(units: &[u32], encoding: Encoding) -> Vec<u32> {
        if encoding != Encoding::Utf16 {
            return units.to_vec();
        }
        let mut stored = Vec::with_capacity(units.len());
        for &unit in units {
            match char::from_u32(unit) {
                Some(c) if unit > 0xffff => stored.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u))),
                _ => stored.push(unit),
            }
        }
        stored
    }

    fn string_literal(&mut self, units: &[u32], encoding: Encoding, span: Span) -> Lvalue {
        let element = self.char_type(encoding);
        let size = self.unit.types.size_of(element).unwrap_or(1) as usize;
        let mut stored = Self::stored_units(units, encoding);
        stored.push(0);
        let bytes = stored.iter().flat_map(|unit| unit.to_le_bytes()[..size].to_vec()).collect();
        let ty = self.unit.types.intern(TypeKind::Array(element, Some(stored.len() as u64)));
        let string = self.unit.strings.push(StringLiteral { bytes, ty });
        // Not `const` in C; writing to it is undefined all the same.
        Lvalue { place: Place { kind: PlaceKind::String(string), ty, span, is_volatile: false }, constant: false }
    }

    fn integer_literal(&mut self, value: u128, unsigned: bool, longs: u8, decimal: bool, span: Span) -> Expr {
        use IntKind::{Int, Int128, Long, LongLong, UInt, UInt128, ULong, ULongLong};
        let candidates: &[IntKind] = match (unsigned, longs, decimal) {
            (false, 0, true) => &[Int, Long, LongLong, ULongLong, Int128, UInt128],
            (false, 0, false) => &[Int, UInt, Long, ULong, LongLong, ULongLong, UInt128],
            (false, 1, true) => &[Long, LongLong, ULongLong, Int128, UInt128],
            (false, 1, false) => &[Long, ULong, LongLong, ULongLong, UInt128],
            (false, _, true) => &[LongLong, ULongLong, Int128, UInt128],
            (false, _, false) => &[LongLong, ULongLong, UInt128],
            (true, 0, _) => &[UInt, ULong, ULongLong, UInt128],
            (true, 1, _) => &[ULong, ULongLong, UInt128],
            (true, _, _) => &[ULongLong, UInt128],
        };
        let fits = |kind: &&IntKind| {
            let (width, signed) = self.unit.types.int_format(**kind);
            let bits = width - u32::from(signed);
            bits >= 128 || value >> bits == 0
        };
        let kind = candidates.iter().find(fits).copied().unwrap_or(UInt128);
        if matches!(kind, Int128 | UInt128) {
            self.warn(span, "this integer constant is too large for any standard type", "");
        }
        let ty = self.unit.types.int(kind);
        self.integer(value as i128, ty, span)
    }

    fn float_literal(&mut self, value: f64, suffix: FloatSuffix, span: Span) -> Expr {
        let (value, kind) = match suffix {
            FloatSuffix::None => (value, FloatKind::Double),
            FloatSuffix::F => (f64::from(value as f32), FloatKind::Float),
            FloatSuffix::L => (value, FloatKind::LongDouble),
            FloatSuffix::Q => (value, FloatKind::Quad),
        };
        let ty = self.unit.types.intern(TypeKind::Float(kind));
        Expr { kind: ExprKind::Float(value), ty, span }
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
        let ty = self.type_name(ty);
        if self.is_error(ty.id) {
            return Value::Rvalue(self.silent_error(span));
        }
        if self.vla_sizes.len() > sizes {
            self.vla_sizes.truncate(sizes);
            return Value::Rvalue(self.error_expr(span, "a compound literal cannot have variable length", ""));
        }
        let at_file_scope = self.body.is_none();
        let storage = if at_file_scope { StorageKind::Static } else { StorageKind::Automatic };
        let initialised = self.initialiser(ty, init, storage);
        let id = initialised.ty;
        if !self.require_complete(id, span, "a compound literal") {
            return Value::Rvalue(self.silent_error(span));
        }
        let var = self.unnamed_variable(id, span);
        self.var_types[var] = Ty { id, ..ty };
        self.unit.vars[var].is_const = ty.constant;
        let kind = if at_file_scope {
            self.unit.vars[var].ty = initialised.object;
            self.unit.vars[var].init = Some(initialised.init);
            PlaceKind::Var(var)
        } else {
            PlaceKind::CompoundLiteral { var, init: initialised.init }
        };
        Value::Place(Lvalue { place: Place { kind, ty: id, span, is_volatile: ty.volatile }, constant: ty.constant })
    }

    /// The sizes of arrays of variable length that came up since `from`, then the expression.
    pub(super) fn after_sizes(&mut self, from: usize, expr: Expr) -> Expr {
        let mut result = expr;
        for size in self.vla_sizes.split_off(from).into_iter().rev() {
            let (ty, span) = (result.ty, result.span);
            result = Expr { kind: ExprKind::Comma(Box::new(size), Box::new(result)), ty, span };
        }
        result
    }

    fn size_expr(&mut self, arg: &'a SizeArg, span: Span) -> Expr {
        let sizes = self.vla_sizes.len();
        let ty = match arg {
            SizeArg::Type(name) => self.type_name(name).id,
            SizeArg::Expr(id) => {
                let value = self.value(*id);
                if let Value::Place(Lvalue {
                    place: Place { kind: PlaceKind::Field { bits: Some(_), .. }, .. }, ..
                }) = value
                {
                    return self.error_expr(span, "a bit-field has no size in bytes", "");
                }
                match value {
                    Value::Place(lvalue) => lvalue.place.ty,
                    Value::Function(function, _) => self.unit.functions[function].ty,
                    Value::Rvalue(expr) => expr.ty,
                }
            }
        };
        if self.is_error(ty) {
            return self.silent_error(span);
        }
        let result = match self.size_in_arithmetic(ty) {
            Some(Size::Known(size)) => self.integer(i128::from(size), self.basic.size, span),
            Some(Size::Variable(var)) => {
                let lvalue = self.variable(var, span);
                self.rvalue(Value::Place(lvalue))
            }
            None => {
                let shown = self.unit.types.display(ty);
                self.error_expr(span, format!("`{shown}` is incomplete, so its size is unknown"), "")
            }
        };
        self.after_sizes(sizes, result)
    }

    /// The size as GNU C sees it: one byte for `void` and functions.
    pub(super) fn size_in_arithmetic(&self, ty: TypeId) -> Option<Size> {
        match *self.unit.types.kind(ty) {
            TypeKind::Void | TypeKind::Function { .. } => Some(Size::Known(1)),
            TypeKind::Vla(_, size) => Some(Size::Variable(size)),
            _ => self.unit.types.size_of(ty).map(Size::Known),
        }
    }

    fn align_expr(&mut self, arg: &'a SizeArg, span: Span) -> Expr {
        let sizes = self.vla_sizes.len();
        let (ty, declared) = match arg {
            SizeArg::Type(name) => (self.type_name(name), None),
            SizeArg::Expr(id) => {
                let value = self.value(*id);
                let declared = match &value {
                    Value::Place(Lvalue { place: Place { kind: PlaceKind::Var(var), .. }, .. }) => {
                        self.unit.vars[*var].align
                    }
                    _ => None,
                };
                let ty = match value {
                    Value::Place(lvalue) => lvalue.ty(),
                    Value::Function(function, _) => Ty::plain(self.unit.functions[function].ty),
                    Value::Rvalue(expr) => Ty::plain(expr.ty),
                };
                (ty, declared)
            }
        };
        self.vla_sizes.truncate(sizes);
        if self.is_error(ty.id) {
            return self.silent_error(span);
        }
        // `_Alignof` gives the alignment of members, `__alignof__` that of variables; on i386 they differ.
        let spelled = self.source.text.get(span.start as usize..).unwrap_or("");
        let natural = if spelled.starts_with("_Alignof") || self.unit.types.model == DataModel::Lp64 {
            self.unit.types.field_align(ty)
        } else {
            ty.align.unwrap_or(self.unit.types.align_of(ty.id))
        };
        let align = declared.map_or(natural, |declared| declared.max(natural));
        self.integer(i128::from(align), self.basic.size, span)
    }

    fn generic(&mut self, control: ExprId, arms: &'a [(Option<TypeName>, ExprId)], span: Span) -> Value {
        let control = self.expr(control);
        if self.is_error(control.ty) {
            return Value::Rvalue(self.silent_error(span));
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
                if !self.is_error(expr.ty) {
                    let shown = self.unit.types.display(expr.ty);
                    self.error(span, format!("this needs a `va_list`, not `{shown}`"), "");
                }
                None
            }
        }
    }

    fn offset_of(&mut self, ty: &'a TypeName, path: &'a [Designator], span: Span) -> Expr {
        let start = self.type_name(ty).id;
        if self.is_error(start) || !self.require_complete(start, span, "the type of `offsetof`") {
            return self.silent_error(span);
        }
        let mut ty = start;
        let mut offset = self.integer(0, self.basic.size, span);
        for step in path {
            match step {
                Designator::Field(name, at) => {
                    let text = self.text(*name);
                    let found = self.unit.types.record(ty).and_then(|(record, _)| self.find_field(record, text));
                    let Some(field) = found else {
                        let shown = self.unit.types.display(ty);
                        return self.error_expr(*at, format!("`{shown}` has no member `{text}`"), "");
                    };
                    if field.bits.is_some() {
                        return self.error_expr(
                            *at,
                            format!("`{text}` is a bit-field, which has no offset in bytes"),
                            "",
                        );
                    }
                    let step = self.integer(i128::from(field.offset), self.basic.size, span);
                    offset = self.arithmetic(crate::hir::BinaryOp::Add, offset, step, span);
                    ty = field.ty;
                }
                Designator::Index(index) | Designator::Range(index, _) => {
                    let index = self.expr(*index);
                    let element = self.unit.types.element(ty);
                    let size = element.and_then(|element| self.unit.types.size_of(element));
                    let (Some(element), Some(size)) = (element, size) else {
                        let shown = self.unit.types.display(ty);
                        return self.error_expr(span, format!("`{shown}` is no array"), "");
                    };
                    if !self.unit.types.is_integer(index.ty) {
                        return self.error_expr(index.span, "an index must be an integer", "");
                    }
                    let at = index.span;
                    let index = self.cast(index, self.basic.size, at);
                    let size = self.integer(i128::from(size), self.basic.size, span);
                    let distance = self.arithmetic(crate::hir::BinaryOp::Mul, index, size, span);
                    offset = self.arithmetic(crate::hir::BinaryOp::Add, offset, distance, span);
                    ty = element;
                }
            }
        }
        offset
    }

    /// Whether objects of the type can exist; says so if not.
    pub(super) fn require_complete(&mut self, ty: TypeId, span: Span, what: &str) -> bool {
        if self.is_error(ty) {
            return false;
        }
        if matches!(self.unit.types.kind(ty), TypeKind::Vla(..) | TypeKind::Unsupported(_)) {
            return true;
        }
        if self.unit.types.size_of(ty).is_some() {
            return true;
        }
        let shown = self.unit.types.display(ty);
        if self.unit.types.element(ty).is_some_and(|element| self.unit.types.size_of(element).is_some()) {
            self.error(span, format!("the size of {what} of type `{shown}` is unknown or too large"), "");
        } else {
            self.error(span, format!("{what} has the incomplete type `{shown}`"), "define the type before this");
        }
        false
    }
}
