//! Builtins: `__builtin_*` and what the compiler knows of the library.
//!
//! Three kinds. Some vanish (`__builtin_expect`), some are operators of the typed tree, and some are
//! library functions by another name, whose types are in `known_functions`. A builtin that is in none
//! of these is refused by name where it is called.

use super::Sema;
use super::convert::Value;
use super::types::Ty;
use crate::ast::{ExprId, Qualifiers, Span};
use crate::hir::{Builtin, Callee, DataModel, Expr, ExprKind, FunctionId, TypeId, TypeKind};
use crate::known_functions::known;

impl<'a> Sema<'a> {
    /// The type that the library gives to this name.
    pub(super) fn library_type(&mut self, name: &str) -> Option<TypeId> {
        let signature = known(name)?.signature;
        (!signature.is_empty()).then(|| self.signature(signature))
    }

    fn signature(&mut self, letters: &str) -> TypeId {
        let basic = self.basic;
        let mut types = Vec::with_capacity(letters.len());
        let mut variadic = false;
        for letter in letters.chars() {
            types.push(match letter {
                'v' => basic.void,
                'u' => basic.uint,
                'l' => basic.long,
                'L' => basic.ulong,
                'x' => basic.longlong,
                'z' => basic.size,
                'Z' => basic.ptrdiff,
                'f' => basic.float,
                'd' => basic.double,
                'D' => basic.long_double,
                'p' | 'F' => basic.void_pointer,
                'P' => basic.const_void_pointer,
                's' => basic.char_pointer,
                'S' => basic.const_char_pointer,
                'a' => self.adjusted(Ty::plain(basic.va_list), Qualifiers::default()).id,
                '.' => {
                    variadic = true;
                    continue;
                }
                _ => basic.int,
            });
        }
        let result = types.remove(0);
        self.unit.types.intern(TypeKind::Function { result, params: types, variadic, prototype: true })
    }

    /// `__builtin_memcpy` and the like as the functions they stand for.
    pub(super) fn builtin_function(&mut self, text: &str, span: Span) -> Option<FunctionId> {
        let plain = text.strip_prefix("__builtin_")?;
        let ty = self.library_type(plain)?;
        Some(self.named_function(plain, ty, span))
    }

    /// The call of a builtin; `None` if the name is not a builtin.
    pub(super) fn builtin_call(&mut self, text: &'a str, args: &'a [ExprId], span: Span) -> Option<Value> {
        if let Some(atomic) = text.strip_prefix("__sync_") {
            return Some(Value::Rvalue(self.sync_call(atomic, args, span)));
        }
        if let Some(atomic) = text.strip_prefix("__atomic_") {
            return Some(Value::Rvalue(self.atomic_call(atomic, args, span)));
        }
        let name = text.strip_prefix("__builtin_")?;
        if let Some(expr) = self.vanishing(name, args, span).or_else(|| self.operator_builtin(name, args, span)) {
            return Some(Value::Rvalue(expr));
        }
        if let Some(expr) = self.checked_copy(name, args, span) {
            return Some(Value::Rvalue(expr));
        }
        if let Some(function) = self.builtin_function(text, span) {
            let values = args.iter().map(|&arg| self.expr(arg)).collect();
            // The builtin keeps its own type even if the program declares the function otherwise.
            let ty = self.unit.functions[function].ty;
            return Some(Value::Rvalue(self.finish_call(Callee::Direct(function), ty, text, values, span)));
        }
        for &arg in args {
            self.expr(arg); // For the diagnostics in it.
        }
        Some(Value::Rvalue(self.refuse(format!("the builtin `{text}`"), self.basic.int, span)))
    }

    /// Builtins that leave no trace but their argument or a constant.
    fn vanishing(&mut self, name: &str, args: &'a [ExprId], span: Span) -> Option<Expr> {
        match name {
            "expect" | "expect_with_probability" => {
                let value = self.expr(*args.first()?);
                // Its parameter is a `long`.
                Some(self.cast(value, self.basic.long, span))
            }
            "assume_aligned" | "launder" | "addressof" => {
                let value = self.expr(*args.first()?);
                Some(value)
            }
            "constant_p" => {
                let value = self.expr(*args.first()?);
                let constant = match &value.kind {
                    ExprKind::Float(_) | ExprKind::WideFloat(_) => true,
                    ExprKind::AddressOf(place) => matches!(place.kind, crate::hir::PlaceKind::String(_)),
                    _ => self.integer_value(&value).is_some(),
                };
                // Not evaluated. Whether anything else is constant is for the optimiser to find out.
                if constant || self.body.is_none() {
                    return Some(self.integer(i128::from(constant), self.basic.int, span));
                }
                Some(Expr { kind: ExprKind::Builtin(Builtin::ConstantP, Vec::new()), ty: self.basic.int, span })
            }
            "prefetch" | "__clear_cache" => {
                let mut result = self.nothing(span);
                for &arg in args.iter().rev() {
                    let arg = self.expr(arg);
                    let kind = ExprKind::Comma(Box::new(arg), Box::new(result));
                    result = Expr { kind, ty: self.basic.void, span };
                }
                Some(result)
            }
            "classify_type" => {
                let ty = self.expr(*args.first()?).ty;
                let types = &self.unit.types;
                let class = match types.kind(ty) {
                    TypeKind::Void => 0,
                    TypeKind::Pointer { .. } => 5,
                    TypeKind::Float(_) => 8,
                    TypeKind::Unsupported(name) if name.starts_with("_Complex") => 9,
                    TypeKind::Record(_) if types.record(ty).is_some_and(|(_, record)| record.is_union) => 13,
                    TypeKind::Record(_) => 12,
                    _ => 1,
                };
                Some(self.integer(class, self.basic.int, span))
            }
            "huge_val" | "inf" => Some(self.float(f64::INFINITY, self.basic.double, span)),
            "huge_valf" | "inff" => Some(self.float(f64::INFINITY, self.basic.float, span)),
            "huge_vall" | "infl" => Some(self.float(f64::INFINITY, self.basic.long_double, span)),
            "nan" => Some(self.nan(args, 51, 0, self.basic.double, span)),
            "nanf" => Some(self.nan(args, 22, 29, self.basic.float, span)),
            "nanl" => Some(self.nan(args, 0, 0, self.basic.long_double, span)),
            "nans" | "nansf" | "nansl" => {
                let ty = match name {
                    "nans" => self.basic.double,
                    "nansf" => self.basic.float,
                    _ => self.basic.long_double,
                };
                Some(Expr { kind: ExprKind::Unsupported("a signalling NaN".to_owned()), ty, span })
            }
            _ => None,
        }
    }

    /// A quiet NaN whose payload the text gives: `payload_bits` wide, shifted left by `shift` bits in a double.
    fn nan(&self, args: &[ExprId], payload_bits: u32, shift: u32, ty: TypeId, span: Span) -> Expr {
        let text: Option<String> = args
            .first()
            .and_then(|&arg| self.string_of(arg))
            .and_then(|(units, ..)| units.iter().map(|&unit| char::from_u32(unit)).collect());
        let payload = text.as_deref().map(|text| text.trim_end_matches('\0')).and_then(|text| {
            let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
            match (hexadecimal, text.strip_prefix('0')) {
                _ if text.is_empty() || text == "0" => Some(0),
                (Some(digits), _) => u64::from_str_radix(digits, 16).ok(),
                (None, Some(digits)) => u64::from_str_radix(digits, 8).ok(),
                (None, None) => text.parse().ok(),
            }
        });
        match payload {
            Some(payload) if payload >> payload_bits == 0 => {
                self.float(f64::from_bits(0x7ff8 << 48 | payload << shift), ty, span)
            }
            _ => Expr { kind: ExprKind::Unsupported("a NaN with this payload".to_owned()), ty, span },
        }
    }

    fn float(&self, value: f64, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Float(value), ty, span }
    }

    /// A void expression without effect.
    pub(super) fn nothing(&self, span: Span) -> Expr {
        let zero = self.integer(0, self.basic.int, span);
        Expr { kind: ExprKind::Cast(Box::new(zero)), ty: self.basic.void, span }
    }

    /// Builtins that are operators of the typed tree.
    fn operator_builtin(&mut self, name: &str, args: &'a [ExprId], span: Span) -> Option<Expr> {
        let basic = self.basic;
        if let Some((builtin, argument, result)) = self.bit_operator(name) {
            let value = self.expr(*args.first()?);
            let value = self.convert(value, argument, super::convert::Why::Argument(1, name));
            if self.is_error(value.ty) {
                return Some(value);
            }
            if let Some(folded) = self.fold_bits(builtin, &value, result, span) {
                return Some(folded);
            }
            return Some(Expr { kind: ExprKind::Builtin(builtin, vec![value]), ty: result, span });
        }
        let (builtin, ty) = match name {
            "unreachable" => (Builtin::Unreachable, basic.void),
            "trap" => (Builtin::Trap, basic.void),
            "alloca" | "alloca_with_align" => {
                let size = self.expr(*args.first()?);
                let size = self.convert(size, basic.size, super::convert::Why::Argument(1, name));
                return Some(Expr {
                    kind: ExprKind::Builtin(Builtin::Alloca, vec![size]),
                    ty: basic.void_pointer,
                    span,
                });
            }
            "frame_address" | "return_address" => (Builtin::AnyAddress, basic.void_pointer),
            "object_size" | "dynamic_object_size" => {
                // The pointer is not evaluated.
                for &arg in args {
                    self.expr(arg); // For the diagnostics in it.
                }
                (Builtin::ObjectSize, basic.size)
            }
            "va_start" => {
                let list = self.va_list_place(*args.first()?, span);
                return Some(self.va_void(list.map(|list| ExprKind::VaStart(Box::new(list))), span));
            }
            "va_end" => {
                // Nothing happens to the list, but the operand may have effects.
                let list = self.expr(*args.first()?);
                return Some(self.cast(list, basic.void, span));
            }
            "va_copy" => {
                let to = self.va_list_place(*args.first()?, span)?;
                let from = self.va_list_place(*args.get(1)?, span);
                return Some(self.va_void(from.map(|from| ExprKind::VaCopy(Box::new(to), Box::new(from))), span));
            }
            _ => {
                return self
                    .overflow_builtin(name, args, span)
                    .or_else(|| self.float_builtin(name, args, span))
                    .or_else(|| self.pair_predicate(name, args, span));
            }
        };
        Some(Expr { kind: ExprKind::Builtin(builtin, Vec::new()), ty, span })
    }

    fn va_void(&self, kind: Option<ExprKind>, span: Span) -> Expr {
        match kind {
            Some(kind) => Expr { kind, ty: self.basic.void, span },
            None => self.silent_error(span),
        }
    }

    /// Operator, argument type and result type of the bit-counting builtins.
    fn bit_operator(&self, name: &str) -> Option<(Builtin, TypeId, TypeId)> {
        let basic = self.basic;
        match name {
            "bswap16" => return Some((Builtin::Bswap, basic.ushort, basic.ushort)),
            "bswap32" => return Some((Builtin::Bswap, basic.uint, basic.uint)),
            "bswap64" => {
                // `uint64_t`, which is the shorter of the two names where both are 64 bits wide.
                let is_long = self.unit.types.model == DataModel::Lp64;
                let ty = if is_long { basic.ulong } else { basic.ulonglong };
                return Some((Builtin::Bswap, ty, ty));
            }
            "clrsb" => return Some((Builtin::Clrsb, basic.int, basic.int)),
            "clrsbl" => return Some((Builtin::Clrsb, basic.long, basic.int)),
            "clrsbll" => return Some((Builtin::Clrsb, basic.longlong, basic.int)),
            _ => {}
        }
        let (stem, argument) = match name {
            name if name.ends_with("ll") => (&name[..name.len() - 2], basic.ulonglong),
            name if name.ends_with('l') => (&name[..name.len() - 1], basic.ulong),
            name => (name, basic.uint),
        };
        let builtin = match stem {
            "clz" => Builtin::Clz,
            "ctz" => Builtin::Ctz,
            "popcount" => Builtin::Popcount,
            "parity" => Builtin::Parity,
            "ffs" => Builtin::Ffs,
            _ => return None,
        };
        Some((builtin, argument, basic.int))
    }

    fn fold_bits(&self, builtin: Builtin, value: &Expr, result: TypeId, span: Span) -> Option<Expr> {
        let ExprKind::Integer(number) = value.kind else { return None };
        let width = self.unit.types.int_width(value.ty)?;
        let bits = number as u64;
        let folded = match builtin {
            Builtin::Clz if bits != 0 => i128::from(bits.leading_zeros() - (64 - width)),
            Builtin::Ctz if bits != 0 => i128::from(bits.trailing_zeros()),
            Builtin::Popcount => i128::from(bits.count_ones()),
            Builtin::Parity => i128::from(bits.count_ones() % 2),
            Builtin::Ffs => i128::from(if bits == 0 { 0 } else { bits.trailing_zeros() + 1 }),
            Builtin::Bswap => i128::from(bits.swap_bytes() >> (64 - width)),
            _ => return None,
        };
        Some(self.integer(folded, result, span))
    }

    /// `__builtin_add_overflow(a, b, p)`, and the older forms with the type in the name.
    fn overflow_builtin(&mut self, name: &str, args: &'a [ExprId], span: Span) -> Option<Expr> {
        let only_asks = name.ends_with("_overflow_p");
        let stem = name.strip_suffix(if only_asks { "_overflow_p" } else { "_overflow" })?;
        let (builtin, typed) = match stem {
            "add" => (Builtin::AddOverflow, None),
            "sub" => (Builtin::SubOverflow, None),
            "mul" => (Builtin::MulOverflow, None),
            _ => {
                let (sign, rest) = stem.split_at_checked(1)?;
                let basic = self.basic;
                let (operator, length) = rest.split_at_checked(3)?;
                let builtin = match operator {
                    "add" => Builtin::AddOverflow,
                    "sub" => Builtin::SubOverflow,
                    "mul" => Builtin::MulOverflow,
                    _ => return None,
                };
                let ty = match (sign, length) {
                    ("s", "") => basic.int,
                    ("s", "l") => basic.long,
                    ("s", "ll") => basic.longlong,
                    ("u", "") => basic.uint,
                    ("u", "l") => basic.ulong,
                    ("u", "ll") => basic.ulonglong,
                    _ => return None,
                };
                (builtin, Some(ty))
            }
        };
        let [left, right, result] = args else { return None };
        let mut values = vec![self.expr(*left), self.expr(*right), self.expr(*result)];
        if let Some(ty) = typed {
            for value in values.iter_mut().take(2) {
                let own = std::mem::replace(value, self.silent_error(span));
                *value = self.convert(own, ty, super::convert::Why::Argument(1, name));
            }
        }
        if let Some(wrong) = values.iter().find(|value| self.is_unsupported(value.ty)) {
            return Some(self.follow(wrong, span));
        }
        let types = &self.unit.types;
        let stored = if only_asks { Some(values[2].ty) } else { types.pointer_target(values[2].ty) };
        if only_asks && is_bit_field(&values[2]) {
            return Some(self.refuse("an overflow builtin for a bit-field", self.basic.bool, span));
        }
        let types = &self.unit.types;
        let integers = types.is_integer(values[0].ty) && types.is_integer(values[1].ty);
        if !integers || !stored.is_some_and(|stored| types.is_integer(stored)) {
            return Some(self.error_expr(
                span,
                format!("`__builtin_{name}` needs two integers and a pointer to an integer"),
                "",
            ));
        }
        Some(Expr { kind: ExprKind::Builtin(builtin, values), ty: self.basic.bool, span })
    }

    fn float_builtin(&mut self, name: &str, args: &'a [ExprId], span: Span) -> Option<Expr> {
        use crate::hir::CompareOp::{Ge, Gt, Le, Lt};
        let int = self.basic.int;
        let builtin = match name {
            "isnan" | "isnanf" | "isnanl" => Builtin::IsNan,
            // The one with the sign is what the macro `isinf` of glibc stands for; C leaves the sign of the result open.
            "isinf" | "isinff" | "isinfl" | "isinf_sign" => Builtin::IsInf,
            "isfinite" | "finite" | "finitef" | "finitel" => Builtin::IsFinite,
            "isnormal" => Builtin::IsNormal,
            "signbit" | "signbitf" | "signbitl" => Builtin::SignBit,
            // These differ from the operators only in the exceptions they raise.
            "isgreater" | "isgreaterequal" | "isless" | "islessequal" => {
                let [left, right] = args else { return None };
                let (left, right) = (self.expr(*left), self.expr(*right));
                let op = match name {
                    "isgreater" => Gt,
                    "isgreaterequal" => Ge,
                    "isless" => Lt,
                    _ => Le,
                };
                return Some(self.compare(op, left, right, span));
            }
            _ => return None,
        };
        let value = self.expr(*args.first()?);
        if self.is_unsupported(value.ty) {
            return Some(self.follow(&value, span));
        }
        if !self.unit.types.is_float(value.ty) {
            return Some(self.error_expr(span, format!("`__builtin_{name}` needs a floating-point number"), ""));
        }
        let value = self.promote_argument(value);
        if let ExprKind::Float(number) = value.kind {
            let holds = match builtin {
                Builtin::IsNan => number.is_nan(),
                Builtin::IsInf => number.is_infinite(),
                Builtin::IsFinite => number.is_finite(),
                Builtin::IsNormal => number.is_normal(),
                _ => number.is_sign_negative(),
            };
            let is_signed = name == "isinf_sign" && number.is_sign_negative();
            let truth = if is_signed { -i128::from(holds) } else { i128::from(holds) };
            return Some(self.integer(truth, int, span));
        }
        Some(Expr { kind: ExprKind::Builtin(builtin, vec![value]), ty: int, span })
    }

    /// Predicates on two floats beside the ordered comparisons.
    fn pair_predicate(&mut self, name: &str, args: &'a [ExprId], span: Span) -> Option<Expr> {
        use crate::hir::CompareOp::{Gt, Lt};
        let [left, right] = args else { return None };
        match name {
            "isunordered" => {
                let left = self.float_builtin("isnan", std::slice::from_ref(left), span)?;
                let right = self.float_builtin("isnan", std::slice::from_ref(right), span)?;
                let kind = ExprKind::Or(Box::new(left), Box::new(right));
                Some(Expr { kind, ty: self.basic.int, span })
            }
            "islessgreater" => {
                let (l, r) = (self.expr(*left), self.expr(*right));
                if !self.is_repeatable(&l) || !self.is_repeatable(&r) {
                    return Some(self.refuse(
                        "`__builtin_islessgreater` on an expression with effects",
                        self.basic.int,
                        span,
                    ));
                }
                let less = self.compare(Lt, l.clone(), r.clone(), span);
                let greater = self.compare(Gt, l, r, span);
                Some(Expr { kind: ExprKind::Or(Box::new(less), Box::new(greater)), ty: self.basic.int, span })
            }
            _ => None,
        }
    }

    /// Whether evaluating the expression twice is the same as once.
    fn is_repeatable(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::WideFloat(_) => true,
            ExprKind::Read(place) => matches!(place.kind, crate::hir::PlaceKind::Var(_)) && !place.is_volatile,
            ExprKind::Cast(inner) | ExprKind::Neg(inner) => self.is_repeatable(inner),
            _ => false,
        }
    }

    /// `__builtin___memcpy_chk(d, s, n, size)` is `memcpy(d, s, n)`.
    fn checked_copy(&mut self, name: &str, args: &'a [ExprId], span: Span) -> Option<Expr> {
        let plain = name.strip_prefix("__")?.strip_suffix("_chk")?;
        let keep: &[usize] = match plain {
            "memcpy" | "memmove" | "memset" | "mempcpy" | "strncpy" | "strncat" | "stpncpy" => &[0, 1, 2],
            "strcpy" | "strcat" | "stpcpy" => &[0, 1],
            _ => return None,
        };
        let ty = self.library_type(plain)?;
        let function = self.named_function(plain, ty, span);
        let mut values = Vec::new();
        for &position in keep {
            values.push(self.expr(*args.get(position)?));
        }
        let ty = self.unit.functions[function].ty;
        Some(self.finish_call(Callee::Direct(function), ty, name, values, span))
    }
}

/// Whether the expression is the value of a bit-field.
fn is_bit_field(expr: &Expr) -> bool {
    let mut expr = expr;
    while let ExprKind::Cast(inner) = &expr.kind {
        expr = inner;
    }
    matches!(&expr.kind, ExprKind::Read(place) if matches!(place.kind, crate::hir::PlaceKind::Field { bits: Some(_), .. }))
}
