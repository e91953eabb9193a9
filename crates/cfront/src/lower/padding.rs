//! Padding: bytes of a structure that belong to no member, and those behind the ten bytes of a `long double`.
//!
//! C says that they take unspecified values when a structure is copied or initialised. Few programs can notice: only those
//! that look at a structure with padding as at something else, through a converted pointer or a union. For those the padding
//! becomes an unspecified input; for others it costs nothing. A store to a member leaves the padding as it is, as compilers do;
//! that of a `long double` opens the padding behind it.

use base::FastMap;
use program::{Action, InputKind, Shown};
use term::Term;

use crate::ast::Span;
use crate::hir::{Callee, Expr, ExprKind, FloatKind, RecordTypeId, TypeId, TypeKind, Unit};

use super::Lowering;
use super::reach::Reach;
use super::types::size_of;
use super::walk::{Node, push_parts};
use crate::tuning::Tuning;

// law: the x87 format.
/// The bytes of a `long double` that say which number it is.
const LONG_DOUBLE_BYTES: u64 = 10;

/// Structures that the program looks at as something else, and whether it does so with a `long double`.
#[derive(Default, Debug)]
pub(super) struct Padded {
    records: FastMap<RecordTypeId, ()>,
    long_double: bool,
}

impl Padded {
    pub fn from(unit: &Unit, reach: &Reach) -> Self {
        let mut padded = Padded::default();
        let mut stack: Vec<Node<'_>> = Vec::new();
        for &function in &reach.functions {
            stack.extend(unit.functions[function].body.iter().flatten().map(Node::Stmt));
        }
        for &var in &reach.statics {
            stack.extend(unit.vars[var].init.as_ref().map(Node::Init));
        }
        while let Some(node) = stack.pop() {
            if let Node::Expr(expr) = node {
                match &expr.kind {
                    ExprKind::Cast(operand) => padded.converted(unit, operand.ty, expr.ty),
                    ExprKind::Call { callee: Callee::Direct(function), args }
                        if is_blind(&unit.functions[*function].name, args, unit) =>
                    {
                        // Past the conversions of the arguments, which nothing looks through.
                        for arg in args {
                            push_parts(Node::Expr(unconverted(arg)), &mut stack);
                        }
                        continue;
                    }
                    _ => {}
                }
            }
            push_parts(node, &mut stack);
        }
        for (record, declared) in unit.types.records.iter_enumerated() {
            if declared.is_union && declared.fields.iter().flatten().count() > 1 {
                padded.add(unit, unit.types.known.get(&TypeKind::Record(record)).copied());
            }
        }
        padded
    }
    /// A pointer to the one type is used as a pointer to the other.
    fn converted(&mut self, unit: &Unit, from: TypeId, to: TypeId) {
        if let (TypeKind::Pointer { target: from, .. }, TypeKind::Pointer { target: to, .. }) =
            (&unit.types.kinds[from], &unit.types.kinds[to])
            && from != to
        {
            self.add(unit, Some(*from));
        } else if let (TypeKind::Pointer { target, .. }, TypeKind::Int(_)) =
            (&unit.types.kinds[from], &unit.types.kinds[to])
        {
            self.add(unit, Some(*target));
        }
    }
    /// The type and all structures in it.
    fn add(&mut self, unit: &Unit, ty: Option<TypeId>) {
        let mut stack: Vec<TypeId> = ty.into_iter().collect();
        while let Some(ty) = stack.pop() {
            match &unit.types.kinds[ty] {
                TypeKind::Array(element, _) | TypeKind::Vla(element, _) => stack.push(*element),
                TypeKind::Record(record) if self.records.insert(*record, ()).is_none() => {
                    stack.extend(unit.types.records[*record].fields.iter().flatten().map(|field| field.ty));
                }
                TypeKind::Float(FloatKind::LongDouble) => self.long_double = true,
                _ => {}
            }
        }
    }
    fn contains(&self, unit: &Unit, ty: TypeId) -> bool {
        match &unit.types.kinds[ty] {
            TypeKind::Array(element, _) | TypeKind::Vla(element, _) => self.contains(unit, *element),
            TypeKind::Record(record) => {
                self.records.contains_key(record)
                    || unit.types.records[*record].fields.iter().flatten().any(|field| self.contains(unit, field.ty))
            }
            _ => false,
        }
    }
}

/// Calls that look at no byte of what their arguments point to, or only move bytes between objects of one type.
fn is_blind(name: &str, args: &[Expr], unit: &Unit) -> bool {
    let target = |index: usize| match args.get(index).map(|arg| &unit.types.kinds[unconverted(arg).ty]) {
        Some(TypeKind::Pointer { target, .. }) => Some(*target),
        _ => None,
    };
    match name {
        "free" | "memset" | "bzero" | "__VERIFIER_nondet_memory" => true,
        "memcpy" | "memmove" => target(0).is_some() && target(0) == target(1),
        _ => false,
    }
}
fn unconverted(expr: &Expr) -> &Expr {
    let mut expr = expr;
    while let ExprKind::Cast(operand) = &expr.kind {
        expr = operand;
    }
    expr
}

impl Lowering<'_> {
    /// The padding of an object of this type takes any value, if the program can see it.
    pub(super) fn forget_padding(&mut self, address: Term, ty: TypeId, span: Span) {
        if !matches!(self.kind(ty), TypeKind::Record(_) | TypeKind::Array(..)) || self.current.at.is_none() {
            return;
        }
        let padded = self.padded.get_or_insert_with(|| Padded::from(self.unit, &self.reach));
        if !padded.contains(self.unit, ty) {
            return;
        }
        if has_padding(self.unit, ty) {
            self.forget_padding_of(address, ty, span);
        }
    }
    /// Stores a scalar; the bytes behind the ten of a `long double` take any value, if the program can see them.
    pub(super) fn store_scalar(&mut self, address: Term, ty: TypeId, value: Term, span: Span) {
        self.store(address, value, span);
        if *self.kind(ty) == TypeKind::Float(FloatKind::LongDouble) && self.current.at.is_some() {
            let padded = self.padded.get_or_insert_with(|| Padded::from(self.unit, &self.reach));
            if padded.long_double {
                self.forget_padding_of(address, ty, span);
            }
        }
    }
    fn forget_padding_of(&mut self, address: Term, ty: TypeId, span: Span) {
        let unit = self.unit;
        match &unit.types.kinds[ty] {
            TypeKind::Array(element, Some(length)) if has_padding(unit, *element) => {
                let size = self.size_of(*element);
                if *length <= Tuning::DEFAULT.max_inline_leaves as u64 / 8 {
                    for index in 0..*length {
                        let at = self.offset(address, index * size);
                        self.forget_padding_of(at, *element, span);
                    }
                    return;
                }
                self.repeat(*length, span, &mut |this, index| {
                    let width = this.pointer_width();
                    let size = this.terms.bv(width, size);
                    let step = this.terms.bv_mul(index, size);
                    let at = this.terms.bv_add(address, step);
                    this.forget_padding_of(at, *element, span);
                });
            }
            TypeKind::Record(record) => {
                for gap in gaps(unit, *record) {
                    self.forget_gap(address, gap, "the padding of a structure", span);
                }
                if !unit.types.records[*record].is_union {
                    for field in unit.types.records[*record].fields.iter().flatten() {
                        let at = self.offset(address, field.offset);
                        self.forget_padding_of(at, field.ty, span);
                    }
                }
            }
            TypeKind::Float(FloatKind::LongDouble) => {
                let gap = (LONG_DOUBLE_BYTES, self.size_of(ty));
                self.forget_gap(address, gap, "the padding of a long double", span);
            }
            _ => {}
        }
    }
    fn forget_gap(&mut self, address: Term, (first, end): (u64, u64), what: &str, span: Span) {
        let width = self.pointer_width();
        let size = self.terms.bv(width, end - first);
        let kind = InputKind::Unspecified(what.to_owned());
        let input = self.new_input(kind, Shown::Plain, span);
        let at = self.offset(address, first);
        self.emit(Action::Forget { address: at, size: Some(size), input }, span);
    }
}

/// Whether an object of this type has bytes that belong to no member.
fn has_padding(unit: &Unit, ty: TypeId) -> bool {
    match &unit.types.kinds[ty] {
        TypeKind::Array(element, _) => has_padding(unit, *element),
        TypeKind::Record(record) => {
            let declared = &unit.types.records[*record];
            !gaps(unit, *record).is_empty()
                || (!declared.is_union && declared.fields.iter().flatten().any(|field| has_padding(unit, field.ty)))
        }
        TypeKind::Float(kind) => *kind == FloatKind::LongDouble,
        _ => false,
    }
}
/// The bytes of a structure between and behind its members. All bytes of a union are copied.
fn gaps(unit: &Unit, record: RecordTypeId) -> Vec<(u64, u64)> {
    let declared = &unit.types.records[record];
    if declared.is_union {
        return Vec::new();
    }
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for field in declared.fields.iter().flatten() {
        match field.bits {
            Some(bits) if bits.width > 0 => {
                let (first, last) = (bits.first / 8, (bits.first + bits.width - 1) / 8);
                ranges.push((field.offset + u64::from(first), field.offset + u64::from(last) + 1));
            }
            Some(_) => {}
            None => ranges.push((field.offset, field.offset + size_of(&unit.types, field.ty))),
        }
    }
    ranges.sort_unstable();
    let mut gaps = Vec::new();
    let mut end = 0;
    for (first, stop) in ranges {
        if first > end {
            gaps.push((end, first));
        }
        end = end.max(stop);
    }
    if declared.size > end {
        gaps.push((end, declared.size));
    }
    gaps
}
