//! Signed overflow that may decide where a run goes.
//!
//! Whether a program ends whose loop condition depends on a signed overflow is for the compiler to say: C leaves it undefined. So runs are watched for overflows whose
//! results may reach a condition, by assignments, calls and memory, in whatever order. The results of others, such as a factorial that is computed
//! and not looked at, wrap as they do under every property.

use base::FastMap;
use program::{Action, FunId, Program, Undefined};
use term::{Op, Term, Terms};

/// The program with no checks but those of signed overflows that may decide.
pub fn deciding(program: &Program, terms: &Terms) -> Program {
    let flows = Flows::of(program, terms);
    let mut own = program.clone();
    let yes = terms.clone().truth(true);
    for edge in own.edges.iter_mut() {
        if let Action::Check { what, holds } = edge.action {
            let function = program.locations[edge.from].function;
            if what != Undefined::SignedOverflow || !flows.decides(program, terms, function, holds) {
                edge.action = Action::Assume(yes);
            }
        }
    }
    own
}

/// What may reach a condition.
struct Flows {
    symbols: FastMap<Term, ()>,
    memory: bool,
}

impl Flows {
    fn of(program: &Program, terms: &Terms) -> Flows {
        let mut flows = Flows { symbols: FastMap::new(), memory: false };
        for edge in &program.edges {
            if let Action::Assume(condition) = edge.action {
                flows.add(terms, condition);
            }
        }
        loop {
            let before = (flows.symbols.len(), flows.memory);
            for edge in &program.edges {
                flows.follow(program, terms, &edge.action);
            }
            if before == (flows.symbols.len(), flows.memory) {
                return flows;
            }
        }
    }
    fn add(&mut self, terms: &Terms, term: Term) {
        for symbol in symbols(terms, term) {
            self.symbols.insert(symbol, ());
        }
    }
    fn follow(&mut self, program: &Program, terms: &Terms, action: &Action) {
        let has = |flows: &Flows, var| flows.symbols.contains_key(&program.vars[var].term);
        match action {
            Action::Assign(pairs) => {
                for &(var, value) in pairs {
                    if has(self, var) {
                        self.add(terms, value);
                    }
                }
            }
            Action::Load { var, address } if has(self, *var) => {
                self.memory = true;
                self.add(terms, *address);
            }
            Action::Store { address, value } if self.memory => {
                self.add(terms, *address);
                self.add(terms, *value);
            }
            Action::Call { function, args, result } => {
                for (&param, &arg) in program.functions[*function].params.iter().zip(args) {
                    if has(self, param) {
                        self.add(terms, arg);
                    }
                }
                if let (Some(result), Some(own)) = (*result, program.functions[*function].result)
                    && has(self, result)
                {
                    self.symbols.insert(program.vars[own].term, ());
                }
            }
            _ => {}
        }
    }
    /// Whether something that is made of all the operands of a check may reach a condition.
    fn decides(&self, program: &Program, terms: &Terms, function: FunId, holds: Term) -> bool {
        let operands = symbols(terms, holds);
        let has_all = |term: Term| {
            let inside = symbols(terms, term);
            operands.iter().all(|operand| inside.contains(operand))
        };
        let of_function = program.edges.iter().filter(|edge| program.locations[edge.from].function == function);
        of_function.into_iter().any(|edge| match &edge.action {
            Action::Assume(condition) => has_all(*condition),
            Action::Assign(pairs) => {
                pairs.iter().any(|&(var, value)| self.symbols.contains_key(&program.vars[var].term) && has_all(value))
            }
            Action::Store { value, .. } => self.memory && has_all(*value),
            Action::Call { function, args, .. } => {
                let params = program.functions[*function].params.iter();
                params
                    .zip(args)
                    .any(|(&param, &arg)| self.symbols.contains_key(&program.vars[param].term) && has_all(arg))
            }
            _ => false,
        })
    }
}

fn symbols(terms: &Terms, term: Term) -> Vec<Term> {
    terms.subterms(&[term]).into_iter().filter(|part| matches!(terms.op(*part), Op::Symbol(_))).collect()
}
