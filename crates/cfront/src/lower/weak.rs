//! Weak symbols without a definition: null in a link of this program alone.
//!
//! The linker gives such a symbol the address zero unless another object file or library defines it. We say so in
//! an assumption. A call of such a function is a call through null, an access to such a variable one at null.
//! Symbols that the C library or the linker may define, and those of `#pragma weak`, are left as they were: a call does
//! what is known of the function, and an address is refused.

use program::Undefined;
use term::Term;

use crate::ast::Span;
use crate::hir::{FunctionId, StorageKind, VarId};
use crate::known_functions::{float_word, known};

use super::Lowering;
use super::vocabulary::is_intrinsic;

/// What GNU ld defines without a leading underscore, if the program asks for it.
const LINKER_SYMBOLS: &[&str] = &["end", "edata", "etext"];

/// Whether a C library or the linker may define a symbol of this name. C reserves the names with an underscore.
fn may_be_provided(name: &str) -> bool {
    name.starts_with('_')
        || name.starts_with("pthread_")
        || LINKER_SYMBOLS.contains(&name)
        || known(name).is_some()
        || float_word(name).is_some()
}

impl Lowering<'_> {
    /// Whether the function is weak and not known to be defined anywhere.
    pub(super) fn is_undefined_weak(&self, function: FunctionId) -> bool {
        let function = self.unit.same_function(function);
        self.unit.functions[function].weak
            && self.reach.body_of(self.unit, function).is_none()
            && !is_intrinsic(self.unit, function)
            && !self.is_error_function(function)
    }
    /// Whether the address of the function is taken to be null.
    pub(super) fn is_null_function(&self, function: FunctionId) -> bool {
        let function = self.unit.same_function(function);
        self.is_undefined_weak(function)
            && !self.unit.functions[function].weak_by_pragma
            && !self.unit.file_assembler
            && !may_be_provided(&self.unit.functions[function].name)
    }
    /// Whether the variable is weak and not defined in this program.
    pub(super) fn is_undefined_weak_variable(&self, var: VarId) -> bool {
        let variable = &self.unit.vars[self.unit.same_variable(var)];
        variable.weak && !variable.defined && variable.function.is_none()
    }
    /// Whether the address of the variable is taken to be null.
    pub(super) fn is_null_variable(&self, var: VarId) -> bool {
        let variable = &self.unit.vars[self.unit.same_variable(var)];
        self.is_undefined_weak_variable(var)
            && !variable.weak_by_pragma
            && variable.storage == StorageKind::Static
            && !self.unit.file_assembler
            && !may_be_provided(&variable.name)
    }
    /// The address of a weak symbol that is not defined.
    pub(super) fn null_symbol(&mut self, name: &str, span: Span) -> Term {
        let text = format!("`{name}` is weak and not defined in this program: its address is taken to be null");
        self.assume_about(name, text, span);
        let width = self.pointer_width();
        self.terms.bv(width, 0)
    }
    /// A call of a weak function that is not defined.
    pub(super) fn call_null(&mut self, function: FunctionId, span: Span) -> Option<Term> {
        let unit = self.unit;
        self.null_symbol(&unit.functions[function].name, span);
        let never = self.terms.truth(false);
        self.check(Undefined::BadFunctionPointer, never, span);
        self.external_result(function, None, span)
    }
}
