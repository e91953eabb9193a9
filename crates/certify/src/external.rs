//! Whether values from functions without a body can decide anything.
//!
//! Such values are unknown to us. If no condition, address, size or divisor in the whole program can depend on
//! one, a run takes the same way whatever they are. Dependence is followed without regard to the order of
//! things: from variable to variable, and through memory as one whole.

use base::IndexVec;
use program::{Action, Program, Var};
use term::{Op, Term, Terms};

/// Whether the way of a run can depend on a value from a function without a body.
pub(crate) fn external_values_decide(program: &Program, terms: &Terms) -> bool {
    let mut taint =
        Taint { program, terms, vars: program.vars.iter().map(|_| false).collect(), memory: false, changed: true };
    while std::mem::take(&mut taint.changed) {
        for edge in &program.edges {
            taint.follow(&edge.action);
        }
    }
    program.edges.iter().any(|edge| match &edge.action {
        Action::Assume(term) | Action::Check { holds: term, .. } => taint.holds(*term),
        Action::Load { address, .. }
        | Action::Store { address, .. }
        | Action::Free { address }
        | Action::Probe { address, .. } => taint.holds(*address),
        Action::Forget { address, size, .. } => taint.holds(*address) || size.is_some_and(|size| taint.holds(size)),
        Action::Alloc { size, moved, .. } => taint.holds(*size) || moved.is_some_and(|moved| taint.holds(moved)),
        Action::Assign(_) | Action::Havoc { .. } | Action::Call { .. } | Action::End { .. } => false,
    })
}

struct Taint<'a> {
    program: &'a Program,
    terms: &'a Terms,
    vars: IndexVec<Var, bool>,
    memory: bool,
    changed: bool,
}

impl Taint<'_> {
    fn holds(&self, term: Term) -> bool {
        let symbols = self.terms.subterms(&[term]);
        let is_tainted = |symbol: Term| {
            matches!(self.terms.op(symbol), Op::Symbol(_))
                && self.program.vars.iter_enumerated().any(|(var, info)| self.vars[var] && info.term == symbol)
        };
        symbols.into_iter().any(is_tainted)
    }
    fn mark(&mut self, var: Var) {
        self.changed |= !self.vars[var];
        self.vars[var] = true;
    }
    fn mark_memory(&mut self) {
        self.changed |= !self.memory;
        self.memory = true;
    }
    fn is_external(&self, input: program::InputId) -> bool {
        self.program.inputs[input].kind.is_uncontrolled()
    }
    fn follow(&mut self, action: &Action) {
        match action {
            Action::Assign(pairs) => {
                for &(var, value) in pairs {
                    if self.holds(value) {
                        self.mark(var);
                    }
                }
            }
            Action::Havoc { var, input } if self.is_external(*input) => self.mark(*var),
            Action::Forget { input, .. } if self.is_external(*input) => self.mark_memory(),
            Action::Load { var, .. } if self.memory => self.mark(*var),
            Action::Store { value, .. } if self.holds(*value) => self.mark_memory(),
            Action::Call { function, args, result } => {
                let function = &self.program.functions[*function];
                for (&param, &arg) in function.params.iter().zip(args) {
                    if self.holds(arg) {
                        self.mark(param);
                    }
                }
                if let (Some(to), Some(from)) = (result, function.result)
                    && self.vars[from]
                {
                    self.mark(*to);
                }
            }
            _ => {}
        }
    }
}
