//! From obligations to an execution: the inputs are known step by step, so values are computed forwards.

use base::FastMap;
use encode::{Blocks, StepInput};
use engine::{Context, Task, evidence};
use sat::{Lit, SatVar};
use term::eval::Evaluator;
use term::{Op, Symbol, Term, Value};
use verdict::Counterexample;

use super::SingleBits;
use super::obligations::Found;

impl SingleBits {
    /// The counterexample, if replay confirms it; if not, this search ends and the search over words continues.
    pub(super) fn executed(&mut self, cx: &Context<'_>, found: &Found) -> Option<Counterexample> {
        let made = self.execution(cx.task, cx.blocks, found).filter(|made| (cx.run.replay)(made).is_ok());
        self.is_over |= made.is_none();
        made
    }
    fn execution(&mut self, task: &Task, blocks: &Blocks, found: &Found) -> Option<Counterexample> {
        let mut state: FastMap<Symbol, Value> = FastMap::new();
        for &var in &blocks.cutpoints[blocks.entry()].state {
            let variable = task.program.vars[var].term;
            let bits = self.wires.bits_of(&mut self.terms, variable);
            let words: Vec<Vec<bool>> =
                bits.iter().map(|word| word.iter().map(|bit| holds(&found.start, *bit)).collect()).collect();
            state.insert(symbol(&self.terms, variable), self.wires.value(&mut self.terms, variable, &words));
        }
        let mut inputs = Vec::new();
        let mut values: FastMap<Term, Value> = FastMap::new();
        let (yes, no) = (self.terms.truth(true), self.terms.truth(false));
        for (number, (edge, chosen)) in found.steps.iter().enumerate() {
            let (from, to) = (self.wires.edges[*edge].from, self.wires.edges[*edge].to);
            for (variable, cells) in self.wires.inputs[from].clone() {
                let value_of = |lit: &Lit| holds(chosen, lit.var()) == lit.is_positive();
                let words: Vec<Vec<bool>> = cells.iter().map(|word| word.iter().map(value_of).collect()).collect();
                state.insert(symbol(&self.terms, variable), self.wires.value(&mut self.terms, variable, &words));
            }
            let known = &state;
            let mut evaluator = Evaluator::new(|symbol, _: &[Value]| known.get(&symbol).cloned());
            for input in &blocks.blocks[from].inputs {
                let is_met = evaluator.eval(&self.terms, input.guard).ok()? == Value::Bool(true);
                let sort = self.terms.sort_of(input.symbol);
                let name = format!("bits!{number}!{}", self.terms.symbol_name(symbol(&self.terms, input.symbol)));
                let drawn = self.terms.variable(&name, sort);
                values.insert(drawn, known[&symbol(&self.terms, input.symbol)].clone());
                let guard = if is_met { yes } else { no };
                inputs.push(StepInput {
                    step: number + 1,
                    symbol: drawn,
                    source: input.source,
                    edge: input.edge,
                    guard,
                });
            }
            let exit = blocks.blocks[from].exits.iter().find(|exit| exit.to == to)?;
            let mut next: FastMap<Symbol, Value> = FastMap::new();
            for &var in &blocks.cutpoints[to].state {
                let variable = task.program.vars[var].term;
                let value = exit.values.iter().find(|&&(other, _)| other == var).map_or(variable, |&(_, value)| value);
                next.insert(symbol(&self.terms, variable), evaluator.eval(&self.terms, value).ok()?);
            }
            state = next;
        }
        let mut value_of = |term: Term| match values.get(&term) {
            Some(value) => value.clone(),
            None => Value::Bool(term == yes),
        };
        Some(evidence::counterexample_with(task, &inputs, found.assertion, &mut value_of))
    }
}

/// Whether the variable is true among these; variables that do not occur are false.
fn holds(lits: &[Lit], var: SatVar) -> bool {
    lits.contains(&var.positive())
}

fn symbol(terms: &term::Terms, variable: Term) -> Symbol {
    let Op::Symbol(symbol) = terms.op(variable) else { unreachable!("variables are symbols") };
    symbol
}
