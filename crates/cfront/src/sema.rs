//! Semantic analysis: syntax tree to typed tree.

use base::Diagnostic;

use crate::ast::Ast;
use crate::hir::{DataModel, Unit};
use crate::source::Source;

/// Types a whole unit; the diagnostics are all that were found, and the tree is usable only without errors.
pub fn analyse(_ast: &Ast, _source: &Source, _model: DataModel) -> (Unit, Vec<Diagnostic>) {
    (Unit::default(), Vec::new())
}
