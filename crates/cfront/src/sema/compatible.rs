//! Compatible and composite types: when two declarations speak of the same thing.
//!
//! Handles are equal for equal types, so most questions are answered at once. What remains are arrays
//! of unknown length, functions without prototype, and pointers to these.

use super::types::Basic;
use crate::hir::{TypeId, TypeKind, Types};

// law: the stack holds this many levels.
/// Deeper types than this are not compared any further (only generated code contains them).
const DEPTH: u32 = 200;

impl Types {
    /// Whether the types are compatible (C11 6.2.7), qualifiers of pointer targets included.
    pub(super) fn compatible(&self, basic: &Basic, left: TypeId, right: TypeId) -> bool {
        self.compatible_within(basic, left, right, 0)
    }

    fn compatible_within(&self, basic: &Basic, left: TypeId, right: TypeId, depth: u32) -> bool {
        if left == right || depth > DEPTH || left == basic.error || right == basic.error {
            return true;
        }
        let again = |l, r| self.compatible_within(basic, l, r, depth + 1);
        match (self.kind(left), self.kind(right)) {
            (
                TypeKind::Pointer { target: l, const_target: lc, volatile_target: lv },
                TypeKind::Pointer { target: r, const_target: rc, volatile_target: rv },
            ) => lc == rc && lv == rv && again(*l, *r),
            (TypeKind::Array(l, m), TypeKind::Array(r, n)) => (m.is_none() || n.is_none() || m == n) && again(*l, *r),
            (TypeKind::Vla(l, _), TypeKind::Vla(r, _) | TypeKind::Array(r, _))
            | (TypeKind::Array(l, _), TypeKind::Vla(r, _)) => again(*l, *r),
            (
                TypeKind::Function { result: lr, params: lp, variadic: lv, prototype: lt },
                TypeKind::Function { result: rr, params: rp, variadic: rv, prototype: rt },
            ) => {
                again(*lr, *rr)
                    && match (*lt, *rt) {
                        (true, true) => {
                            lv == rv && lp.len() == rp.len() && lp.iter().zip(rp).all(|(&l, &r)| again(l, r))
                        }
                        // An empty list says nothing, but what it is called with is promoted.
                        (true, false) => !lv && lp.iter().all(|&p| self.is_own_promotion(basic, p)),
                        (false, true) => !rv && rp.iter().all(|&p| self.is_own_promotion(basic, p)),
                        (false, false) => true,
                    }
            }
            _ => false,
        }
    }

    fn is_own_promotion(&self, basic: &Basic, ty: TypeId) -> bool {
        ty != basic.float && (!self.is_integer(ty) || self.int_width(ty) >= Some(32) && ty != basic.bool)
    }

    /// The composite of two compatible types: all that both know.
    pub(super) fn composite(&mut self, basic: &Basic, left: TypeId, right: TypeId) -> TypeId {
        self.composite_within(basic, left, right, 0)
    }

    fn composite_within(&mut self, basic: &Basic, left: TypeId, right: TypeId, depth: u32) -> TypeId {
        if left == right || depth > DEPTH || right == basic.error {
            return left;
        }
        if left == basic.error {
            return right;
        }
        match (self.kind(left).clone(), self.kind(right).clone()) {
            (TypeKind::Pointer { target: l, const_target, volatile_target }, TypeKind::Pointer { target: r, .. }) => {
                let target = self.composite_within(basic, l, r, depth + 1);
                self.pointer_to(target, const_target, volatile_target)
            }
            (TypeKind::Array(l, m), TypeKind::Array(r, n)) => {
                let element = self.composite_within(basic, l, r, depth + 1);
                self.intern(TypeKind::Array(element, m.or(n)))
            }
            (TypeKind::Array(_, None), TypeKind::Vla(..)) => right,
            (
                TypeKind::Function { result: lr, params: lp, variadic, prototype: lt },
                TypeKind::Function { result: rr, params: rp, variadic: rv, prototype: rt },
            ) => {
                let result = self.composite_within(basic, lr, rr, depth + 1);
                let (params, variadic) = match (lt, rt) {
                    (true, true) => {
                        let mut both = Vec::with_capacity(lp.len());
                        for (&l, &r) in lp.iter().zip(&rp) {
                            both.push(self.composite_within(basic, l, r, depth + 1));
                        }
                        (both, variadic)
                    }
                    (true, false) => (lp, variadic),
                    (false, _) => (rp, rv),
                };
                self.intern(TypeKind::Function { result, params, variadic, prototype: lt || rt })
            }
            _ => left,
        }
    }
}
