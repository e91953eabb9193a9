//! Origins: what the pointer variables of a function point into.
//!
//! A pointer variable has an origin if all values that it ever receives point into the same object: a variable, what a parameter
//! points to, or memory that the function itself has allocated. The order of statements plays no part.

use base::FastMap;

use crate::hir::{Callee, Expr, ExprKind, FunctionId, Place, PlaceKind, Stmt, StmtKind, TypeKind, VarId};

use super::effects::Analysis;
use super::types::{Class, class};
use super::vocabulary::{WordEffect, word_effect};
use super::walk::{Node, push_parts};

/// What a pointer points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    Variable(VarId),
    Parameter(u32),
    /// Memory that the function at hand has allocated, or a string literal.
    Fresh,
    Unknown,
}

/// Origins of the pointer variables of one function; absent ones are never assigned.
#[derive(Default, Debug)]
pub(super) struct Origins(pub FastMap<VarId, Origin>);

impl Analysis<'_, '_> {
    /// What a pointer value points into.
    pub(super) fn origin(&self, pointer: &Expr, origins: &Origins) -> Origin {
        let mut pointer = pointer;
        loop {
            let place = match &pointer.kind {
                ExprKind::Cast(inner) | ExprKind::PtrAdd { pointer: inner, .. } | ExprKind::Comma(_, inner) => {
                    pointer = inner;
                    continue;
                }
                ExprKind::Assign(_, value) => {
                    pointer = value;
                    continue;
                }
                ExprKind::Increment { place, .. } | ExprKind::AssignPtrAdd { place, .. } => place,
                ExprKind::Read(place) => place,
                ExprKind::AddressOf(place) => return self.origin_of_address(place, origins),
                ExprKind::Call { callee: Callee::Direct(function), .. } => {
                    return match word_effect(self.unit, *function) {
                        Some(WordEffect::Allocates) if self.reach.body_of(self.unit, *function).is_none() => {
                            Origin::Fresh
                        }
                        _ => Origin::Unknown,
                    };
                }
                _ => return Origin::Unknown,
            };
            if class(&self.unit.types, place.ty) == Class::Array {
                return self.origin_of_address(place, origins);
            }
            return match place.kind {
                PlaceKind::Var(var) => origins.0.get(&var).copied().unwrap_or(Origin::Unknown),
                _ => Origin::Unknown,
            };
        }
    }
    fn origin_of_address(&self, place: &Place, origins: &Origins) -> Origin {
        let mut place = place;
        loop {
            match &place.kind {
                PlaceKind::Var(var) | PlaceKind::CompoundLiteral { var, .. } => {
                    return Origin::Variable(self.unit.same_variable(*var));
                }
                PlaceKind::Field { base, .. } => place = base,
                PlaceKind::Deref(pointer) => return self.origin(pointer, origins),
                PlaceKind::String(_) | PlaceKind::Temporary(_) => return Origin::Fresh,
            }
        }
    }
    /// Origins of the pointer variables of a function.
    pub(super) fn find_origins(&self, function: FunctionId) -> Origins {
        let unit = self.unit;
        let declared = &unit.functions[function];
        let mut origins = Origins::default();
        for (index, &param) in declared.params.iter().enumerate() {
            if self.has_origin(param) {
                origins.0.insert(param, Origin::Parameter(index as u32));
            }
        }
        let mut assignments: Vec<(VarId, &Expr)> = Vec::new();
        let mut stack: Vec<Node<'_>> = declared.body.iter().flatten().map(Node::Stmt).collect();
        while let Some(node) = stack.pop() {
            match node {
                Node::Expr(Expr { kind: ExprKind::Assign(place, value), .. }) => {
                    if let PlaceKind::Var(var) = place.kind
                        && self.has_origin(var)
                    {
                        assignments.push((var, value));
                    }
                }
                Node::Stmt(Stmt { kind: StmtKind::Declare(var, Some(init)), .. }) if self.has_origin(*var) => {
                    assignments.extend(init.pieces.iter().map(|piece| (*var, &piece.value)));
                }
                _ => {}
            }
            push_parts(node, &mut stack);
        }
        // An origin changes at most twice: from none to one, from one to unknown.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &(var, value) in &assignments {
                if self.is_unassigned(value, &origins) {
                    continue;
                }
                let new = self.origin(value, &origins);
                let joined = match origins.0.get(&var) {
                    Some(&old) if old != new => Origin::Unknown,
                    _ => new,
                };
                changed |= origins.0.insert(var, joined) != Some(joined);
            }
        }
        origins
    }
    /// Whether the value is null or that of a pointer variable that has no origin yet.
    fn is_unassigned(&self, value: &Expr, origins: &Origins) -> bool {
        let mut value = value;
        while let ExprKind::Cast(inner) | ExprKind::PtrAdd { pointer: inner, .. } = &value.kind {
            value = inner;
        }
        // Null points into nothing.
        if matches!(value.kind, ExprKind::Integer(0)) {
            return true;
        }
        matches!(&value.kind, ExprKind::Read(Place { kind: PlaceKind::Var(var), .. })
            if self.has_origin(*var) && !origins.0.contains_key(var))
    }
    fn has_origin(&self, var: VarId) -> bool {
        let variable = &self.unit.vars[var];
        self.is_automatic(var)
            && !variable.address_taken
            && matches!(self.unit.types.kinds[variable.ty], TypeKind::Pointer { .. })
    }
}
