//! Conversions: decay, promotions, the usual arithmetic conversions, assignment, and folding casts.
//!
//! Everything C converts silently becomes a `Cast` here, so that no later stage knows the rules.
//!
//! C leaves open what type a bit-field of more than `int`'s width has. It has its declared type here;
//! gcc computes in exactly the bit-field's width instead, which shows when a shift or sum overflows it.

use super::Sema;
use super::types::Ty;
use crate::ast::Span;
use crate::hir::{Expr, ExprKind, FloatKind, FunctionId, Init, InitPiece, IntKind, Place, PlaceKind, TypeId, TypeKind};
use crate::wide::encode_binary;

/// What an expression denotes before it is used.
#[derive(Debug)]
pub(super) enum Value {
    /// An object; reading it is a step of its own.
    Place(Lvalue),
    /// A function by name.
    Function(FunctionId, Span),
    /// A value.
    Rvalue(Expr),
}

/// An object and whether it may be written.
#[derive(Debug)]
pub(super) struct Lvalue {
    pub place: Place,
    /// Of `const` type.
    pub constant: bool,
}

impl Lvalue {
    /// Type and qualifiers.
    pub fn ty(&self) -> Ty {
        Ty { id: self.place.ty, constant: self.constant, volatile: self.place.is_volatile, align: None }
    }
}

/// Why a value is converted, for messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Why<'a> {
    Assignment,
    Initialisation,
    Return,
    /// Argument number (from one) of this function.
    Argument(usize, &'a str),
}

impl std::fmt::Display for Why<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Assignment => write!(f, "assignment"),
            Why::Initialisation => write!(f, "initialisation"),
            Why::Return => write!(f, "return"),
            Why::Argument(number, "") => write!(f, "argument {number}"),
            Why::Argument(number, function) => write!(f, "argument {number} of `{function}`"),
        }
    }
}

impl Sema<'_> {
    /// The value itself: places are read, arrays and functions become addresses.
    pub(super) fn rvalue(&mut self, value: Value) -> Expr {
        match value {
            Value::Rvalue(expr) => expr,
            Value::Function(function, span) => {
                let ty = self.unit.types.pointer_to(self.unit.functions[function].ty, false, false);
                Expr { kind: ExprKind::AddressOfFunction(function), ty, span }
            }
            Value::Place(lvalue) => {
                let ty = lvalue.place.ty;
                let span = lvalue.place.span;
                if let Some(element) = self.unit.types.element(ty) {
                    let pointer = self.unit.types.pointer_to(element, lvalue.constant, lvalue.place.is_volatile);
                    return self.address(lvalue.place, pointer);
                }
                if self.unit.types.is_function(ty) || self.is_list_array(ty) {
                    let pointer = self.unit.types.pointer_to(ty, false, false);
                    return self.address(lvalue.place, pointer);
                }
                if let PlaceKind::Temporary(inner) = lvalue.place.kind {
                    return *inner;
                }
                if self.unit.types.is_record(ty) && self.unit.types.size_of(ty).is_none() {
                    let shown = self.unit.types.display(ty);
                    return self.error_expr(
                        span,
                        format!("`{shown}` is incomplete here"),
                        "define the type before this",
                    );
                }
                if let PlaceKind::Var(var) = lvalue.place.kind
                    && let Some(&value) = self.constexprs.get(&var)
                {
                    return self.integer(value, ty, span);
                }
                Expr { kind: ExprKind::Read(lvalue.place), ty, span }
            }
        }
    }

    /// The address of a place as a pointer of the given type; `&*p` is `p`, and offsets from constants are folded.
    pub(super) fn address(&mut self, place: Place, pointer: TypeId) -> Expr {
        let span = place.span;
        match place.kind {
            PlaceKind::Deref(inner) => {
                let inner = *inner;
                if inner.ty == pointer { Expr { span, ..inner } } else { self.cast(inner, pointer, span) }
            }
            _ => {
                if let Some(value) = constant_address(&place) {
                    return self.integer(self.convert_integer(value, pointer), pointer, span);
                }
                Expr { kind: ExprKind::AddressOf(place), ty: pointer, span }
            }
        }
    }

    /// The bit-field's width, if the expression reads one.
    pub(super) fn bit_field_width(expr: &Expr) -> Option<u32> {
        match &expr.kind {
            ExprKind::Read(Place { kind: PlaceKind::Field { bits: Some(bits), .. }, .. })
            | ExprKind::Assign(Place { kind: PlaceKind::Field { bits: Some(bits), .. }, .. }, _)
            | ExprKind::AssignOp { place: Place { kind: PlaceKind::Field { bits: Some(bits), .. }, .. }, .. }
            | ExprKind::Increment { place: Place { kind: PlaceKind::Field { bits: Some(bits), .. }, .. }, .. } => {
                Some(bits.width)
            }
            ExprKind::Comma(_, right) => Self::bit_field_width(right),
            _ => None,
        }
    }

    /// The type after integer promotion.
    pub(super) fn promoted_type(&self, expr: &Expr) -> TypeId {
        let types = &self.unit.types;
        if !types.is_integer(expr.ty) {
            return expr.ty;
        }
        let declared = if expr.ty == self.basic.bool { 1 } else { types.int_width(expr.ty).unwrap_or(32) };
        let signed = types.is_signed(expr.ty);
        let width = Self::bit_field_width(expr).map_or(declared, |bits| bits.min(declared));
        match (width, signed) {
            (..32, _) => self.basic.int,
            // A bit-field of a wider type; a full `int` or (on i386) `long` stays what it is.
            (32, true) if declared > 32 => self.basic.int,
            (32, false) if declared > 32 => self.basic.uint,
            _ => expr.ty,
        }
    }

    /// The integer promotions.
    pub(super) fn promote(&mut self, expr: Expr) -> Expr {
        let ty = self.promoted_type(&expr);
        let span = expr.span;
        self.cast(expr, ty, span)
    }

    /// The default argument promotions.
    pub(super) fn promote_argument(&mut self, expr: Expr) -> Expr {
        if expr.ty == self.basic.float {
            let span = expr.span;
            return self.cast(expr, self.basic.double, span);
        }
        self.promote(expr)
    }

    /// The type in which two arithmetic operands are computed (C11 6.3.1.8).
    pub(super) fn common_type(&mut self, left: &Expr, right: &Expr) -> TypeId {
        let (l, r) = (self.promoted_type(left), self.promoted_type(right));
        self.common_promoted(l, r)
    }

    pub(super) fn common_promoted(&mut self, left: TypeId, right: TypeId) -> TypeId {
        if left == right {
            return left;
        }
        let float = |kind: &TypeKind| match kind {
            TypeKind::Float(kind) => Some(*kind),
            _ => None,
        };
        let types = &self.unit.types;
        let wider = match (float(types.kind(left)), float(types.kind(right))) {
            (Some(l), Some(r)) => Some(l.max(r)),
            (l, r) => l.or(r),
        };
        if let Some(kind) = wider {
            return self.float_type(kind);
        }
        let (&TypeKind::Int(l), &TypeKind::Int(r)) = (types.kind(left), types.kind(right)) else {
            return self.basic.int;
        };
        let ((lw, ls), (rw, rs)) = (types.int_format(l), types.int_format(r));
        let kind = if ls == rs {
            if rank(l) >= rank(r) { l } else { r }
        } else {
            let (unsigned, unsigned_width, signed, signed_width) = if ls { (r, rw, l, lw) } else { (l, lw, r, rw) };
            if rank(unsigned) >= rank(signed) {
                unsigned
            } else if signed_width > unsigned_width {
                signed
            } else {
                unsigned_of(signed)
            }
        };
        self.unit.types.int(kind)
    }

    fn float_type(&mut self, kind: FloatKind) -> TypeId {
        self.unit.types.intern(TypeKind::Float(kind))
    }

    /// Converts without asking whether C would; folds constants.
    pub(super) fn cast(&mut self, expr: Expr, ty: TypeId, span: Span) -> Expr {
        if expr.ty == ty {
            return expr;
        }
        if self.is_error(expr.ty) || self.is_error(ty) {
            return Expr { kind: ExprKind::Unsupported(super::types::ERROR.to_owned()), ty: self.basic.error, span };
        }
        for unsupported in [expr.ty, ty] {
            if let &TypeKind::Unsupported(name) = self.unit.types.kind(unsupported)
                && !self.unit.types.is_void(ty)
            {
                return Expr { kind: ExprKind::Unsupported(format!("conversion of {name}")), ty, span };
            }
        }
        let types = &self.unit.types;
        if types.is_pointer(expr.ty) && types.is_integer(ty) && types.int_width(ty) > Some(types.pointer_width()) {
            // gcc extends the sign of a pointer; make that visible.
            let narrow = self.cast(expr, self.basic.ptrdiff, span);
            return self.cast(narrow, ty, span);
        }
        let to_integer = types.is_integer(ty) || types.is_pointer(ty);
        match (&expr.kind, types.kind(ty)) {
            (&ExprKind::Integer(value), _) if to_integer => {
                return self.integer(self.convert_integer(value, ty), ty, span);
            }
            (&ExprKind::Integer(value), &TypeKind::Float(kind)) => {
                if let Some(value) = integer_as_float(value, types.is_signed(expr.ty), kind) {
                    return Expr { kind: ExprKind::Float(value), ty, span };
                }
                let precision = match kind {
                    FloatKind::LongDouble => 64,
                    FloatKind::Quad => 113,
                    FloatKind::Float | FloatKind::Double => 0,
                };
                // 64 bits fit in both formats; a sign does not matter to that.
                if precision > 0 && value.unsigned_abs() <= u128::from(u64::MAX) {
                    let bits = encode_binary(value.unsigned_abs(), 0, precision);
                    let sign = u128::from(value < 0) << (precision + 14);
                    return Expr { kind: ExprKind::WideFloat(bits | sign), ty, span };
                }
            }
            (&ExprKind::WideFloat(_), TypeKind::Bool) => return self.integer(1, ty, span),
            (&ExprKind::Float(value), TypeKind::Bool) => return self.integer(i128::from(value != 0.0), ty, span),
            (&ExprKind::Float(value), TypeKind::Int(kind)) => {
                let (width, signed) = types.int_format(*kind);
                let whole = value.trunc();
                // Beyond this, C leaves the result undefined, and so the conversion stays.
                if width <= 64 && whole.abs() < 1e19 {
                    let whole = whole as i128;
                    if super::constant::wrap(whole, width, signed) == whole {
                        return self.integer(whole, ty, span);
                    }
                }
            }
            (&ExprKind::Float(value), TypeKind::Float(kind)) => {
                let value = if *kind == FloatKind::Float { f64::from(value as f32) } else { value };
                return Expr { kind: ExprKind::Float(value), ty, span };
            }
            _ => {}
        }
        Expr { kind: ExprKind::Cast(Box::new(expr)), ty, span }
    }

    /// Whether this is a null pointer constant: zero, or zero as `void *`.
    pub(super) fn is_null_constant(&self, expr: &Expr) -> bool {
        matches!(expr.kind, ExprKind::Integer(0))
            && (self.unit.types.is_integer(expr.ty) || expr.ty == self.basic.void_pointer)
    }

    /// Converts as if by assignment (C11 6.5.16.1); doubtful conversions are made with a warning.
    pub(super) fn convert(&mut self, expr: Expr, target: TypeId, why: Why<'_>) -> Expr {
        let span = expr.span;
        if expr.ty == target || self.is_error(expr.ty) || self.is_error(target) {
            return expr;
        }
        if matches!(expr.kind, ExprKind::Unsupported(_)) {
            return Expr { ty: target, ..expr }; // What is refused has any type it is asked for.
        }
        let types = &self.unit.types;
        if types.is_void(expr.ty) {
            return self.error_expr(span, format!("a void value is used in {why}"), "");
        }
        let arithmetic = types.is_arithmetic(expr.ty) && types.is_arithmetic(target);
        if arithmetic || matches!(types.kind(target), TypeKind::Unsupported(_)) {
            return self.cast(expr, target, span);
        }
        if matches!(types.kind(expr.ty), TypeKind::Unsupported(_)) {
            return self.cast(expr, target, span);
        }
        let (from_pointer, to_pointer) = (types.is_pointer(expr.ty), types.is_pointer(target));
        if target == self.basic.bool && from_pointer {
            return self.cast(expr, target, span);
        }
        if to_pointer && (from_pointer || types.is_integer(expr.ty)) {
            self.check_pointer(&expr, target, why);
            return self.cast(expr, target, span);
        }
        if from_pointer && types.is_integer(target) {
            let (from, to) = (types.display(expr.ty), types.display(target));
            self.warn(
                span,
                format!("{why} makes an integer of type `{to}` from a pointer `{from}` without a cast"),
                "",
            );
            return self.cast(expr, target, span);
        }
        if let Some(union) = self.transparent_union_of(&expr, target) {
            return union;
        }
        let types = &self.unit.types;
        // `va_list` is an array of one on x86-64, so that headers pass it as a pointer to anything.
        if matches!(types.kind(expr.ty), TypeKind::VaList) && to_pointer
            || matches!(types.kind(target), TypeKind::VaList) && from_pointer
        {
            return Expr { kind: ExprKind::Unsupported("a va_list used as a pointer".to_owned()), ty: target, span };
        }
        if types.compatible(&self.basic, expr.ty, target) {
            return expr;
        }
        let (from, to) = (types.display(expr.ty), types.display(target));
        self.error_expr(span, format!("{why}: `{from}` cannot be converted to `{to}`"), "")
    }

    fn check_pointer(&mut self, expr: &Expr, target: TypeId, why: Why<'_>) {
        let types = &self.unit.types;
        let (from, to) = (types.display(expr.ty), types.display(target));
        if types.is_integer(expr.ty) {
            if !self.is_null_constant(expr) {
                self.warn(
                    expr.span,
                    format!("{why} makes a pointer `{to}` from an integer `{from}` without a cast"),
                    "",
                );
            }
            return;
        }
        let (
            &TypeKind::Pointer { target: l, const_target: lc, volatile_target: lv },
            &TypeKind::Pointer { target: r, const_target: rc, volatile_target: rv },
        ) = (types.kind(target), types.kind(expr.ty))
        else {
            return;
        };
        if rc && !lc || rv && !lv {
            self.warn(expr.span, format!("{why} discards qualifiers: from `{from}` to `{to}`"), "");
        } else if !types.is_void(l) && !types.is_void(r) && !self.same_but_for_sign(l, r) {
            self.warn(expr.span, format!("{why} from the incompatible pointer type `{from}` to `{to}`"), "");
        }
    }

    /// Compatible, or integers that differ in sign only (about which compilers keep quiet, too).
    fn same_but_for_sign(&self, left: TypeId, right: TypeId) -> bool {
        let types = &self.unit.types;
        types.compatible(&self.basic, left, right)
            || types.is_integer(left) && types.is_integer(right) && types.int_width(left) == types.int_width(right)
    }

    /// Lets arguments of the members' types be passed where the union is asked for.
    pub(super) fn make_transparent(&mut self, ty: TypeId) {
        if let Some((record, _)) = self.unit.types.record(ty) {
            self.transparent.push(record);
        }
    }

    /// An argument for a parameter whose type is a transparent union: the member that takes it, wrapped.
    fn transparent_union_of(&mut self, expr: &Expr, target: TypeId) -> Option<Expr> {
        let (id, record) = self.unit.types.record(target)?;
        if !self.transparent.contains(&id) {
            return None;
        }
        let fields = record.fields.as_ref()?;
        let types = &self.unit.types;
        let fits = |ty: TypeId| {
            types.compatible(&self.basic, ty, expr.ty)
                || types.is_pointer(ty) && self.is_null_constant(expr)
                || match (types.pointer_target(ty), types.pointer_target(expr.ty)) {
                    (Some(to), Some(from)) => {
                        types.is_void(to) || types.is_void(from) || types.compatible(&self.basic, to, from)
                    }
                    _ => false,
                }
        };
        let member = fields.iter().find(|field| fits(field.ty))?.ty;
        let value = self.cast(expr.clone(), member, expr.span);
        let piece = InitPiece { offset: 0, bits: None, value, repeat: 1, stride: 0 };
        let var = self.unnamed_variable(target, expr.span);
        let place = Place {
            kind: PlaceKind::CompoundLiteral { var, init: Init { pieces: vec![piece] } },
            ty: target,
            span: expr.span,
            is_volatile: false,
        };
        Some(Expr { kind: ExprKind::Read(place), ty: target, span: expr.span })
    }

    /// A value that decides: any scalar.
    pub(super) fn condition(&mut self, expr: Expr) -> Expr {
        let ty = expr.ty;
        if self.unit.types.is_scalar(ty) || self.is_error(ty) || self.is_unsupported(ty) {
            return expr;
        }
        let shown = self.unit.types.display(ty);
        self.error_expr(expr.span, format!("a condition must be a number or a pointer, not `{shown}`"), "")
    }
}

/// The number behind `&((struct s *)0)->member`.
fn constant_address(place: &Place) -> Option<i128> {
    match &place.kind {
        PlaceKind::Deref(pointer) => match pointer.kind {
            ExprKind::Integer(value) => Some(value),
            _ => None,
        },
        PlaceKind::Field { base, offset, .. } => constant_address(base)?.checked_add(i128::from(*offset)),
        _ => None,
    }
}

fn integer_as_float(value: i128, signed: bool, kind: FloatKind) -> Option<f64> {
    if !signed && value < 0 {
        return None; // A huge `unsigned __int128`.
    }
    match kind {
        FloatKind::Float => Some(f64::from(value as f32)),
        FloatKind::Double => Some(value as f64),
        // More digits than f64 has would be lost.
        FloatKind::LongDouble | FloatKind::Quad => (value.unsigned_abs() <= 1 << 53).then_some(value as f64),
    }
}

fn rank(kind: IntKind) -> u32 {
    match kind {
        IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
        IntKind::Short | IntKind::UShort => 2,
        IntKind::Int | IntKind::UInt => 3,
        IntKind::Long | IntKind::ULong => 4,
        IntKind::LongLong | IntKind::ULongLong => 5,
        IntKind::Int128 | IntKind::UInt128 => 6,
    }
}

/// The unsigned type of the same rank.
pub(super) fn unsigned_of(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Char | IntKind::SChar => IntKind::UChar,
        IntKind::Short => IntKind::UShort,
        IntKind::Int => IntKind::UInt,
        IntKind::Long => IntKind::ULong,
        IntKind::LongLong => IntKind::ULongLong,
        IntKind::Int128 => IntKind::UInt128,
        unsigned => unsigned,
    }
}
