//! `dynamic_cast` of C++: a choice between the classes of the module.
//!
//! An object says its class by the description in front of its table of virtual functions, and how far from its start the part at hand lies (Itanium C++
//! ABI, section 2.5.2). For each class of the module that has the static type among its bases, the rules of the language give the result: the
//! part of the wanted class around this one if there is one, otherwise the only public base of that class in the whole object. An object of
//! a class that the module does not describe has any result, and no error is reported that depends on it. Virtual bases are refused.

use program::InputKind;
use term::Term;

use crate::ir::{Call, Type};

use super::type_info::{DESCRIPTION, MAX_CLASS_DEPTH};
use super::{Leaf, Lowered, Lowering};

// law: objects are small; a class with more parts of one type is not written by hand.
/// Classes with more parts are refused.
const MAX_PARTS: usize = 256;

/// A part of an object: a base class or the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part<'s> {
    description: &'s str,
    offset: u64,
    /// Whether all steps to it are public.
    is_public: bool,
}

impl<'s> Lowering<'_, 's, '_> {
    /// The address of the wanted class, or null.
    pub(super) fn dynamic_cast(&mut self, object: Term, call: Option<&Call<'s>>) -> Lowered<Term> {
        let description = |index: usize| call.and_then(|call| call.args.get(index)?.value.value.global());
        let (Some(from), Some(to)) = (description(1), description(2)) else {
            return Err("`dynamic_cast` between types that are not constant".to_owned());
        };
        let pointer = self.pointer_type();
        let table = self.one(object, pointer)?;
        let word = u64::from(self.pointer_width() / 8);
        let (above, top) = (self.offset(table, word.wrapping_neg()), self.offset(table, (2 * word).wrapping_neg()));
        let described = self.one(above, pointer)?;
        let number = self.shapes.types.id(Type::Int(self.pointer_width()));
        let top = self.one(top, number)?;
        let unknown = InputKind::Unspecified("the result of a `dynamic_cast` of an unknown class".to_owned());
        let mut result = self.any_scalar("cast", pointer, unknown)?;
        let null = self.terms.bv(self.pointer_width(), 0);
        for class in self.classes() {
            let parts = self.parts_of(class)?;
            let own: Vec<Part<'s>> = parts.iter().copied().filter(|part| part.description == from).collect();
            if own.is_empty() {
                continue;
            }
            let address = self.global_address(class)?;
            let is_class = self.terms.eq(described, address);
            for part in own {
                let distance = self.terms.bv(self.pointer_width(), part.offset.wrapping_neg());
                let is_there = self.terms.eq(top, distance);
                let found = match self.converted(&parts, part, to)? {
                    Some(offset) => self.offset(object, offset.wrapping_sub(part.offset)),
                    None => null,
                };
                let is_it = self.terms.and(&[is_class, is_there]);
                result = self.terms.ite(is_it, found, result);
            }
        }
        Ok(result)
    }
    fn one(&mut self, address: Term, ty: crate::ir::TypeId) -> Lowered<Term> {
        match self.load_from(address, ty)?[..] {
            [Leaf::Term(term)] => Ok(term),
            _ => Err("`dynamic_cast` of an object without a table".to_owned()),
        }
    }
    /// Classes that the module describes, in order.
    fn classes(&mut self) -> Vec<&'s str> {
        let names = self.module.global_names.iter().copied();
        names.filter(|name| name.starts_with(DESCRIPTION) && !name.starts_with("_ZTIP")).collect()
    }
    /// The parts of an object of the class. A class with a base that the module does not describe has none.
    fn parts_of(&mut self, class: &'s str) -> Lowered<Vec<Part<'s>>> {
        let mut found = Vec::new();
        let mut work = vec![(Part { description: class, offset: 0, is_public: true }, 0usize)];
        while let Some((part, depth)) = work.pop() {
            if depth > MAX_CLASS_DEPTH || found.len() > MAX_PARTS {
                return Err("`dynamic_cast` in a class with too many bases".to_owned());
            }
            found.push(part);
            let Ok(bases) = self.bases(part.description) else { return Ok(Vec::new()) };
            for base in bases {
                if base.is_virtual {
                    return Err("`dynamic_cast` among classes with a virtual base".to_owned());
                }
                let offset = part.offset.wrapping_add(base.offset);
                let is_public = part.is_public && base.is_public;
                work.push((Part { description: base.description, offset, is_public }, depth + 1));
            }
        }
        Ok(found)
    }
    /// Where in an object with these parts the wanted class lies, seen from one of them.
    fn converted(&mut self, parts: &[Part<'s>], own: Part<'s>, to: &'s str) -> Lowered<Option<u64>> {
        let wanted: Vec<Part<'s>> = parts.iter().copied().filter(|part| part.description == to).collect();
        let inside = self.parts_of(to)?;
        let mut around = Vec::new();
        for part in &wanted {
            let here = Part { offset: own.offset.wrapping_sub(part.offset), is_public: true, ..own };
            if inside.contains(&here) {
                around.push(part.offset);
            }
        }
        Ok(match (around.as_slice(), wanted.as_slice()) {
            ([offset], _) => Some(*offset),
            (_, [only]) if own.is_public && only.is_public => Some(only.offset),
            _ => None,
        })
    }
}
