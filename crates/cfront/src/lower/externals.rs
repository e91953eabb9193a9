//! Functions without a body: any result, and any write through their pointer arguments.

use program::{Action, InputKind, Shown, Var};
use term::Term;

use crate::ast::Span;
use crate::hir::{FunctionId, TypeId, TypeKind};

use super::Lowering;
use super::types::Class;

impl Lowering<'_> {
    /// A call of a function without a body and without a model.
    pub(super) fn external(
        &mut self,
        function: FunctionId,
        args: &[Term],
        types: &[TypeId],
        into: Option<Var>,
        span: Span,
    ) -> Option<Term> {
        let name = self.unit.functions[function].name.clone();
        if self.unit.functions[function].returns_twice {
            self.unsupported(span, format!("`{name}`, which returns twice"));
        }
        let text = format!(
            "`{name}` has no body: it is taken to return any value of its type, to write at most through its pointer arguments, and to do nothing else"
        );
        self.assume_about(&name, text, span);
        for (&arg, &ty) in args.iter().zip(types) {
            if self.is_list(ty) {
                // It may take any arguments off the list and write through them.
                self.unsupported(span, format!("`va_list` passed to `{name}`, which has no body"));
            }
            self.written_by(&name, arg, ty, span);
        }
        if self.unit.functions[function].noreturn {
            self.check_leaks(&format!("`{}`", self.snippet(span)), span);
            self.end_run(span);
        }
        self.external_result(function, into, span)
    }
    /// The function without a body may write the object that the argument points to.
    pub(super) fn written_by(&mut self, name: &str, arg: Term, ty: TypeId, span: Span) {
        let TypeKind::Pointer { target, const_target: false, .. } = *self.kind(ty) else { return };
        if self.class(target) == Class::Function {
            return;
        }
        let width = self.pointer_width();
        if arg == self.terms.bv(width, 0) {
            return;
        }
        let input = self.new_input(InputKind::External(name.to_owned()), Shown::Plain, span);
        self.emit(Action::Forget { address: arg, size: None, input }, span);
    }
    /// Any value of the function's result type.
    pub(super) fn external_result(&mut self, function: FunctionId, into: Option<Var>, span: Span) -> Option<Term> {
        let kind = InputKind::External(self.unit.functions[function].name.clone());
        self.free_result(function, kind, into, span)
    }
    /// Any value of the function's result type, from this source.
    pub(super) fn free_result(
        &mut self,
        function: FunctionId,
        kind: InputKind,
        into: Option<Var>,
        span: Span,
    ) -> Option<Term> {
        let result = self.result_type(function);
        match self.class(result) {
            Class::Void => None,
            Class::Record => {
                let address = self.temporary_object("result", result, span);
                let input = self.new_input(kind, Shown::Plain, span);
                self.emit(Action::Forget { address, size: None, input }, span);
                Some(address)
            }
            Class::Unsupported(what) => {
                self.unsupported(span, format!("function result of {what} type"));
                let sort = self.sort(result);
                Some(self.zero_of(sort))
            }
            _ => Some(self.any_value(kind, result, into, span)),
        }
    }
}
