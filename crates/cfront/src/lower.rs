//! Lowering: typed tree to control-flow automaton.

use base::Diagnostic;
use program::Program;
use term::Terms;

use crate::Options;
use crate::hir::Unit;
use crate::source::Source;

/// Lowers everything reachable from `main`.
pub fn lower(
    _unit: &Unit,
    _source: &Source,
    _options: &Options,
    _terms: &mut Terms,
) -> Result<Program, Vec<Diagnostic>> {
    Ok(Program::default())
}
