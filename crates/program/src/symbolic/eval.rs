//! Values of the program's terms in a state, and conditions as guards.

use base::FastMap;
use term::{Op, Sort, SortKind, Term};

use super::Trouble;
use super::explore::{Explorer, Home};
use super::guards::{ALWAYS, Guard, NEVER};
use super::state::State;
use crate::tuning::Tuning;

impl Explorer<'_> {
    /// The value of a term of the program.
    pub(super) fn eval(&mut self, state: &State, term: Term) -> Result<Term, Trouble> {
        match self.source.op(term) {
            // Most terms are a variable or a constant.
            Op::Symbol(_) | Op::Value | Op::True | Op::False => self.leaf(state, term),
            _ => self.eval_inner(state, term, &mut FastMap::new(), 0),
        }
    }
    fn eval_inner(
        &mut self,
        state: &State,
        term: Term,
        known: &mut FastMap<Term, Term>,
        depth: u32,
    ) -> Result<Term, Trouble> {
        if let Some(&value) = known.get(&term) {
            return Ok(value);
        }
        if depth > Tuning::DEFAULT.max_symbolic_depth {
            return Err(self.limit("an expression that is too deep"));
        }
        let op = self.source.op(term);
        let value = match op {
            Op::Symbol(_) | Op::Value | Op::True | Op::False => self.leaf(state, term)?,
            Op::Select | Op::Store | Op::ConstArray | Op::Number(_) | Op::Fp(_) | Op::Numeral => {
                return Err(self.unsupported("arithmetic that is not on words"));
            }
            _ => {
                let mut args = Vec::with_capacity(3);
                for i in 0..self.source.args(term).len() {
                    let arg = self.source.arg(term, i);
                    args.push(self.eval_inner(state, arg, known, depth + 1)?);
                }
                self.operate(state, op, &args)?
            }
        };
        known.insert(term, value);
        Ok(value)
    }
    /// The operator on values; comparisons of addresses need the state.
    fn operate(&mut self, state: &State, op: Op, args: &[Term]) -> Result<Term, Trouble> {
        let (op, args) = match (op, args) {
            (Op::BvUgt, &[a, b]) => (Op::BvUlt, vec![b, a]),
            (Op::BvUge, &[a, b]) => (Op::BvUle, vec![b, a]),
            _ => (op, args.to_vec()),
        };
        if let (Op::Eq | Op::BvUlt | Op::BvUle, &[a, b]) = (op, &args[..])
            && !self.store.words.terms.is_bool(a)
        {
            return self.compare(state, op, a, b, &mut Tuning::DEFAULT.max_targets.clone());
        }
        if let (Op::Distinct, &[a, b]) = (op, &args[..])
            && !self.store.words.terms.is_bool(a)
        {
            let equal = self.equal(state, a, b)?;
            return Ok(self.store.words.terms.not(equal));
        }
        Ok(self.store.words.apply(op, &args))
    }
    fn leaf(&mut self, state: &State, term: Term) -> Result<Term, Trouble> {
        if let Some(bits) = self.source.value(term) {
            return Ok(self.store.words.terms.bits(bits));
        }
        match self.source.op(term) {
            Op::True => return Ok(self.truth(true)),
            Op::False => return Ok(self.truth(false)),
            _ => {}
        }
        let Some(&var) = self.var_of.get(&term) else {
            return Err(self.unsupported("an uninterpreted function"));
        };
        match self.homes[var] {
            Home::Global(place) => Ok(state.globals[place]),
            Home::Constant(value) => Ok(value),
            Home::Local(place) => match state.locals[place] {
                Some(value) => Ok(value),
                // It was not written: any value.
                None => self.fresh(self.program.vars[var].sort),
            },
            Home::Other => Err(self.unsupported("a variable that is not a word")),
        }
    }
    /// Bits of a sort: zero for a truth value; none for what is not a word.
    pub(super) fn width_of(&self, sort: Sort) -> Option<u32> {
        match *self.source.sort_kind(sort) {
            SortKind::Bool => Some(0),
            SortKind::BitVec(width) => Some(width),
            _ => None,
        }
    }
    /// A value that nothing is known of.
    pub(super) fn fresh(&mut self, sort: Sort) -> Result<Term, Trouble> {
        let Some(width) = self.width_of(sort) else {
            return Err(self.unsupported("a value that is not a word"));
        };
        self.n_fresh += 1;
        Ok(self.store.words.symbol(&format!("any!{}", self.n_fresh), width))
    }
    pub(super) fn truth(&mut self, value: bool) -> Term {
        self.store.words.terms.truth(value)
    }

    // ---- guards

    /// A truth value as a guard: connectives are taken apart, the rest are atomic conditions.
    pub(super) fn guard_of(&mut self, condition: Term) -> Result<Guard, Trouble> {
        if let Some(&known) = self.known_guards.get(&condition) {
            return Ok(known);
        }
        let op = self.store.words.terms.op(condition);
        let args = self.store.words.terms.args(condition).to_vec();
        let is_truth = args.iter().all(|&arg| self.store.words.terms.is_bool(arg));
        let parts = match op {
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies | Op::Eq | Op::Ite if is_truth => {
                args.iter().map(|&arg| self.guard_of(arg)).collect::<Result<Vec<Guard>, Trouble>>()?
            }
            _ => Vec::new(),
        };
        let guards = &mut self.guards;
        let guard = match (op, &parts[..]) {
            (Op::True, _) => ALWAYS,
            (Op::False, _) => NEVER,
            (Op::Not, &[a]) => guards.not(a),
            (Op::And, [_, ..]) => parts.iter().fold(ALWAYS, |all, &part| guards.and(all, part)),
            (Op::Or, [_, ..]) => parts.iter().fold(NEVER, |any, &part| guards.or(any, part)),
            (Op::Implies, &[a, b]) => guards.choice(a, b, ALWAYS),
            (Op::Eq, &[a, b]) => {
                let not = guards.not(b);
                guards.choice(a, b, not)
            }
            (Op::Xor, &[a, b]) => {
                let not = guards.not(b);
                guards.choice(a, not, b)
            }
            (Op::Ite, &[a, b, c]) => guards.choice(a, b, c),
            _ => self.atom(condition),
        };
        if self.guards.is_full() {
            return Err(self.limit("paths with too many conditions"));
        }
        self.known_guards.insert(condition, guard);
        Ok(guard)
    }
    /// A guard of its own for an atomic condition.
    pub(super) fn atom(&mut self, condition: Term) -> Guard {
        let number = self.atoms.len() as u32;
        self.atoms.push(condition);
        self.guards.atom(number)
    }
    /// The guard as a truth value.
    pub(super) fn condition(&mut self, guard: Guard) -> Term {
        if let Some(&known) = self.known_conditions.get(&guard) {
            return known;
        }
        let condition = match self.guards.parts(guard) {
            None => self.truth(guard == ALWAYS),
            Some((atom, low, high)) => {
                let (low, high) = (self.condition(low), self.condition(high));
                let atom = self.atoms[atom as usize];
                self.store.words.ite(atom, high, low)
            }
        };
        self.known_conditions.insert(guard, condition);
        condition
    }
}
