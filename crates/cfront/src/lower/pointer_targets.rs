//! Which functions a pointer can lead to: those whose parameters point to the structures that the call names.
//!
//! The representation of pointers says nothing about what they point to, so by representation alone a call through `void (*)(struct file *)` may
//! reach a function of `struct device *`, and a driver with a few tables of functions looks recursive. C does not allow such a call (6.5.2.2),
//! and a pointer gets there only by a conversion. A function whose address, and whose type of pointer, the program converts nowhere is not
//! a target of a call that names other structures. A pointer to `void`, to a character, or to an unnamed structure fits every other one.

use crate::ast::Span;
use crate::hir::{FunctionId, TypeId, TypeKind, Types};

use super::Lowering;

impl Lowering<'_> {
    /// The candidates without those that take other structures and are never converted. That they are not called is an assumption.
    pub(super) fn without_other_structures(
        &mut self,
        candidates: Vec<FunctionId>,
        called: TypeId,
        span: Span,
    ) -> Vec<FunctionId> {
        let unit = self.unit;
        let types = &unit.types;
        let reach = &self.reach;
        let (others, kept): (Vec<FunctionId>, Vec<FunctionId>) = candidates.into_iter().partition(|&candidate| {
            takes_other_structures(types, unit.functions[candidate].ty, called)
                && !reach.may_be_converted(unit, candidate)
        });
        if !others.is_empty() {
            let text = "a call through a pointer is taken to reach only functions whose parameters point to the structures \
                 that the call names, where their addresses are not converted";
            self.assume_about("function pointers", text.to_owned(), span);
        }
        kept
    }
}

/// Whether a parameter of one function points to a structure and that of the other to a structure of another name.
fn takes_other_structures(types: &Types, function: TypeId, called: TypeId) -> bool {
    let (TypeKind::Function { params, .. }, TypeKind::Function { params: wanted, prototype: true, .. }) =
        (&types.kinds[function], &types.kinds[called])
    else {
        return false;
    };
    params.iter().zip(wanted).any(|(&one, &other)| match (structure(types, one), structure(types, other)) {
        (Some(one), Some(other)) => one != other,
        _ => false,
    })
}

/// The name of the structure that a type points to.
fn structure(types: &Types, pointer: TypeId) -> Option<&str> {
    let TypeKind::Pointer { target, .. } = types.kinds[pointer] else { return None };
    let TypeKind::Record(record) = types.kinds[target] else { return None };
    let record = &types.records[record];
    let has_tag = record.name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    (!record.is_union && has_tag).then_some(record.name.as_str())
}
