//! Pending values: operands that wait while a later operand is evaluated.
//!
//! A term reads its variables when it is used, not when it was built. So an operand that waits is put
//! on a stack, and every write of a variable first saves, in temporaries, the waiting operands that
//! mention it. Thus `x + f()` reads `x` before the call, and `x + y` needs no temporary at all.
//!
//! Law: temporaries are never written while a pending value mentions them.

use program::{Action, Shown, Var, VarKind};
use term::{Op, Term};

use super::Lowering;

impl Lowering<'_> {
    /// Lets a value wait.
    pub(super) fn keep(&mut self, value: Term) {
        self.current.pending.push(value);
    }
    /// Takes the value back that has waited for the shortest time.
    pub(super) fn kept(&mut self) -> Term {
        self.current.pending.pop().expect("every kept value is taken back once")
    }
    /// Evaluates something while a value waits.
    pub(super) fn keeping<T>(&mut self, value: Term, body: impl FnOnce(&mut Self) -> T) -> (Term, T) {
        self.keep(value);
        let result = body(self);
        (self.kept(), result)
    }
    /// Saves pending values that mention the variable.
    pub(super) fn settle_before_write(&mut self, var: Var) {
        self.settle(|_, mentioned| mentioned == var);
    }
    /// Saves pending values that mention a global variable: the callee may write it.
    pub(super) fn settle_before_call(&mut self) {
        self.settle(|kind, _| kind == VarKind::Global);
    }
    /// Saves all pending values that anything could change: the paths that follow write different variables.
    pub(super) fn settle_before_branch(&mut self) {
        self.settle(|kind, _| matches!(kind, VarKind::Global | VarKind::Local(_) | VarKind::Param(_)));
    }

    fn settle(&mut self, affected: impl Fn(VarKind, Var) -> bool) {
        if self.current.at.is_none() {
            return; // Nothing is evaluated here, so nothing waits.
        }
        for index in 0..self.current.pending.len() {
            let value = self.current.pending[index];
            if self.mentions(value, &affected) {
                let sort = self.terms.sort_of(value);
                let temp = self.new_temp("t", sort, Shown::Plain);
                self.emit(Action::Assign(vec![(temp, value)]), self.current.span);
                self.current.pending[index] = self.term_of(temp);
            }
        }
    }
    fn mentions(&self, term: Term, affected: &impl Fn(VarKind, Var) -> bool) -> bool {
        let mut seen = base::FastMap::new();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if let Op::Symbol(_) = self.terms.op(term) {
                if let Some(&var) = self.variable_of.get(&term)
                    && affected(self.program.vars[var].kind, var)
                {
                    return true;
                }
                continue;
            }
            let args = self.terms.args(term);
            if args.is_empty() {
                continue;
            }
            if args.len() > 1 && seen.insert(term, ()).is_some() {
                continue;
            }
            stack.extend_from_slice(args);
        }
        false
    }
}
