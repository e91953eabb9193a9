//! Structures, arrays and vectors as values: their parts are moved, nothing is computed.

use term::Term;

use crate::ir::{Operation, Type, TypeId, Typed, Value};

use super::{Leaf, Lowered, Lowering};

impl<'s> Lowering<'_, 's, '_> {
    pub(super) fn aggregate(&mut self, operation: &Operation<'s>) -> Lowered<Vec<Leaf>> {
        match operation {
            Operation::ExtractValue { from, indices } => {
                let leaves = self.operand(from)?;
                let (start, count) = self.part(from.ty, indices)?;
                Ok(leaves.get(start..start + count).ok_or("part that the value does not have")?.to_vec())
            }
            Operation::InsertValue { into, value, indices } => {
                let mut leaves = self.operand(into)?;
                let new = self.operand(value)?;
                let (start, count) = self.part(into.ty, indices)?;
                if count != new.len() || start + count > leaves.len() {
                    return Err("part that the value does not have".to_owned());
                }
                leaves.splice(start..start + count, new);
                self.fitting(leaves, into.ty)
            }
            Operation::ExtractElement { from, index } => {
                let leaves = self.operand(from)?;
                if let Some(index) = constant_index(&index.value) {
                    let leaf = leaves.get(index).copied().unwrap_or(Leaf::Poison);
                    return Ok(vec![leaf]);
                }
                let terms = self.materialised(&leaves, from.ty)?;
                let chosen = self.scalar(index)?;
                let mut result: Term = *terms.last().ok_or("element of an empty vector")?;
                for (position, &term) in terms.iter().enumerate().rev().skip(1) {
                    let is_here = self.is_index(chosen, position);
                    result = self.terms.ite(is_here, term, result);
                }
                Ok(vec![Leaf::Term(result)])
            }
            Operation::InsertElement { into, value, index } => {
                let mut leaves = self.operand(into)?;
                let new = self.operand(value)?;
                if let Some(index) = constant_index(&index.value) {
                    if let (Some(slot), [new]) = (leaves.get_mut(index), new.as_slice()) {
                        *slot = *new;
                    }
                    return self.fitting(leaves, into.ty);
                }
                let terms = self.materialised(&leaves, into.ty)?;
                let new = self.scalar(value)?;
                let chosen = self.scalar(index)?;
                if terms.iter().any(|&term| self.terms.sort_of(term) != self.terms.sort_of(new)) {
                    return Err("element of another type".to_owned());
                }
                let mut result = Vec::new();
                for (position, term) in terms.into_iter().enumerate() {
                    let is_here = self.is_index(chosen, position);
                    result.push(Leaf::Term(self.terms.ite(is_here, new, term)));
                }
                Ok(result)
            }
            Operation::Shuffle { first, second, mask } => {
                let mut leaves = self.operand(first)?;
                leaves.extend(self.operand(second)?);
                let mask = self.operand(mask)?;
                let mut result = Vec::new();
                for place in mask {
                    result.push(match place {
                        Leaf::Term(term) => {
                            let index = self.terms.small_value(term).ok_or("mask that is not constant")?;
                            leaves.get(index as usize).copied().unwrap_or(Leaf::Poison)
                        }
                        _ => Leaf::Poison,
                    });
                }
                Ok(result)
            }
            _ => Err("instruction as a value".to_owned()),
        }
    }
    /// The parts, if they fit the type.
    fn fitting(&mut self, leaves: Vec<Leaf>, ty: TypeId) -> Lowered<Vec<Leaf>> {
        for (leaf, (_, ty)) in leaves.iter().zip(self.shapes.leaves(ty)?) {
            if let Leaf::Term(term) = *leaf
                && self.terms.sort_of(term) != self.scalar_sort(ty)?
            {
                return Err("part of another type".to_owned());
            }
        }
        Ok(leaves)
    }
    fn is_index(&mut self, chosen: Term, position: usize) -> Term {
        let chosen = self.resized(chosen, false, 64);
        let position = self.terms.bv(64, position as u64);
        self.terms.eq(chosen, position)
    }
    /// The first scalar and the number of scalars of a part.
    fn part(&mut self, ty: TypeId, indices: &[u64]) -> Lowered<(usize, usize)> {
        let mut start = 0;
        let mut ty = ty;
        for &index in indices {
            let resolved = self.shapes.resolve(ty)?;
            match self.shapes.types.kind(resolved).clone() {
                Type::Struct { fields, .. } => {
                    for &field in fields.iter().take(index as usize) {
                        start += self.shapes.leaves(field)?.len();
                    }
                    ty = *fields.get(index as usize).ok_or("field that the structure does not have")?;
                }
                Type::Array(length, element) if index < length => {
                    start += self.shapes.leaves(element)?.len() * index as usize;
                    ty = element;
                }
                _ => return Err("part of a value that has none".to_owned()),
            }
        }
        Ok((start, self.shapes.leaves(ty)?.len()))
    }
}

/// The number of a constant index.
fn constant_index(value: &Value<'_>) -> Option<usize> {
    match value {
        Value::Int(bits) => bits.to_u64().map(|index| index as usize),
        Value::Zero => Some(0),
        _ => None,
    }
}

/// A constant number.
pub(super) fn constant(typed: &Typed<'_>) -> Option<u64> {
    match &typed.value {
        Value::Int(bits) => bits.to_u64(),
        Value::Zero => Some(0),
        _ => None,
    }
}
