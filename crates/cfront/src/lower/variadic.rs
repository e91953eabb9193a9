//! Variadic arguments: an automatic object of the caller, and a cursor over it.
//!
//! Each argument, promoted, lies in a slot that begins at a multiple of eight bytes. The callee gets
//! the object's address in a hidden parameter; a `va_list` is a pointer to the next slot.

use term::Term;

use crate::ast::Span;
use crate::hir::{Place, TypeId};

use super::Lowering;
use super::types::Class;

impl Lowering<'_> {
    /// Stores the arguments and returns where they are.
    pub(super) fn pass_variadic(&mut self, args: &[Term], types: &[TypeId], span: Span) -> Term {
        let size: u64 = types.iter().map(|&ty| self.slot_size(ty)).sum();
        self.current.n_temps += 1;
        let name = format!("variadic!{}", self.current.n_temps);
        // Never empty, so that the address is one of an object.
        let object = self.new_object(&name, size.max(8), 8, true, span);
        let area = self.object_address(object);
        let mut offset = 0;
        for (&arg, &ty) in args.iter().zip(types) {
            let address = self.offset(area, offset);
            offset += self.slot_size(ty);
            match self.class(ty) {
                Class::Record => self.copy(address, arg, ty, span),
                Class::Void => {}
                _ => self.store(address, arg, span),
            }
        }
        area
    }
    fn slot_size(&self, ty: TypeId) -> u64 {
        self.size_of(ty).next_multiple_of(8)
    }
    pub(super) fn start_variadic(&mut self, cursor: &Place, span: Span) {
        let Some(area) = self.current.variadic_address else {
            self.unsupported(span, "`va_start` in a function without variable arguments");
            return;
        };
        let target = self.target(cursor);
        self.write(target, cursor.ty, area, span);
    }
    pub(super) fn copy_variadic(&mut self, to: &Place, from: &Place, span: Span) {
        let value = self.read_place(from, None);
        let (value, target) = self.keeping(value, |this| this.target(to));
        self.write(target, to.ty, value, span);
    }
    /// The argument under the cursor, which moves on. A record is denoted by its address.
    pub(super) fn next_variadic(&mut self, cursor: &Place, ty: TypeId, into: Option<program::Var>, span: Span) -> Term {
        if let Class::Unsupported(what) = self.class(ty) {
            self.unsupported(span, format!("variadic argument of {what} type"));
        }
        let target = self.target(cursor);
        let at = self.read(target, cursor.ty, None, span);
        let next = self.offset(at, self.slot_size(ty));
        let (at, _) = self.keeping(at, |this| this.write(target, cursor.ty, next, span));
        if self.class(ty) == Class::Record {
            return at;
        }
        let (sort, shown) = (self.sort(ty), self.shown(ty));
        self.load(at, sort, shown, into, span)
    }
}
