//! Whether values that are not controlled can decide anything, by the text of the program alone.
//!
//! For runs that are too long for a shadow run. If no condition, address, size or divisor in the whole program can depend on
//! a value from a function without a body, a run takes the same way whatever they are; the same holds for where objects
//! lie, if no condition depends on an address. Dependence is followed without regard to the order of
//! things: from variable to variable, and through memory as one whole.

use base::IndexVec;
use program::{Action, Program, Var, VarKind};
use term::{Op, Term, Terms};

/// Whether the way of a run can depend on a value from a function without a body.
pub(crate) fn uncontrolled_values_decide(program: &Program, terms: &Terms) -> bool {
    let taint = Taint::of(program, terms, Seed::Uncontrolled);
    program.edges.iter().any(|edge| match &edge.action {
        Action::Load { address, .. }
        | Action::Store { address, .. }
        | Action::Free { address, .. }
        | Action::Probe { address, .. } => taint.holds(*address),
        Action::Forget { address, .. } | Action::Alloc { moved: Some(address), .. } if taint.holds(*address) => true,
        action => taint.decides(action),
    })
}

/// Whether a condition or a size can depend on where objects lie.
pub(crate) fn addresses_decide(program: &Program, terms: &Terms) -> bool {
    let taint = Taint::of(program, terms, Seed::Addresses);
    program.edges.iter().any(|edge| taint.decides(&edge.action))
}

/// Whether there are addresses at all.
pub(crate) fn has_addresses(program: &Program) -> bool {
    program.vars.iter().any(is_address) || program.edges.iter().any(|edge| matches!(edge.action, Action::Alloc { .. }))
}

fn is_address(variable: &program::Variable) -> bool {
    matches!(variable.kind, VarKind::AddressOf(_) | VarKind::AddressOfFunction(_))
}

/// Where dependence starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seed {
    Uncontrolled,
    Addresses,
}

struct Taint<'a> {
    program: &'a Program,
    terms: &'a Terms,
    vars: IndexVec<Var, bool>,
    memory: bool,
    changed: bool,
    seed: Seed,
}

impl<'a> Taint<'a> {
    fn of(program: &'a Program, terms: &'a Terms, seed: Seed) -> Self {
        let vars = program.vars.iter().map(|variable| seed == Seed::Addresses && is_address(variable)).collect();
        let mut taint = Taint { program, terms, vars, memory: false, changed: true, seed };
        while std::mem::take(&mut taint.changed) {
            for edge in &program.edges {
                taint.follow(&edge.action);
            }
        }
        taint
    }
    /// Whether a condition or size depends on a tainted value.
    fn decides(&self, action: &Action) -> bool {
        match action {
            Action::Assume(term) | Action::Check { holds: term, .. } => self.holds(*term),
            Action::Forget { size, .. } => size.is_some_and(|size| self.holds(size)),
            Action::Alloc { size, .. } => self.holds(*size),
            _ => false,
        }
    }
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
        self.seed == Seed::Uncontrolled && self.program.inputs[input].kind.is_uncontrolled()
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
            Action::Alloc { var, .. } if self.seed == Seed::Addresses => self.mark(*var),
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
