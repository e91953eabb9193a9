//! Unrolling: the states after k steps, as terms over the initial state and the inputs.
//!
//! A step runs one block. A [`Layer`] holds, for each cutpoint that a run may be at after that many steps,
//! the condition under which it is there and the values of the state vector. Values are put in, not named:
//! the simplifier sees through the steps, so a loop whose course does not depend on inputs unrolls into
//! constants, and a layer without states means that every run has ended.
//!
//! Unlike SSA with a name for each value [GurfinkelChakiSapra-NFM'11], equal values at different
//! steps are the same term here, which congruence closure then has for nothing.

use std::collections::BTreeMap;

use base::Id;
use program::{AssertionId, EdgeId, Program, VarKind};
use term::{Substitution, Term, Terms};

use crate::block::Source;
use crate::cutpoints::{Blocks, Cut, CutKind};
use crate::tuning::Tuning;

/// The states after some number of steps.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    /// By cutpoint; at most one of the guards holds.
    pub states: BTreeMap<Cut, State>,
}

/// A run is at the cutpoint.
#[derive(Clone, Debug)]
pub struct State {
    /// When it is.
    pub guard: Term,
    /// The values of the cutpoint's state vector.
    pub values: Vec<Term>,
}

/// A step that ends in an error.
#[derive(Clone, Debug)]
pub struct ErrorExit {
    /// The number of the step, counted from one.
    pub step: usize,
    /// Which assertion fails.
    pub assertion: AssertionId,
    /// When it does.
    pub guard: Term,
}

/// A free value met in some step.
#[derive(Clone, Debug)]
pub struct StepInput {
    /// The number of the step, counted from one.
    pub step: usize,
    /// Stands for the value.
    pub symbol: Term,
    /// Where it comes from.
    pub source: Source,
    /// The edge that receives it.
    pub edge: EdgeId,
    /// When a run meets it.
    pub guard: Term,
}

/// What an edge computes in some step.
#[derive(Clone, Debug)]
pub struct StepStatement {
    /// The number of the step, counted from one.
    pub step: usize,
    /// The edge.
    pub edge: EdgeId,
    /// The values that it assigns, or its condition.
    pub terms: Vec<Term>,
}

/// A program unrolled from some start.
#[derive(Clone, Debug)]
pub struct Unrolling {
    /// The states after zero, one, two … steps.
    pub layers: Vec<Layer>,
    /// All errors so far, by step.
    pub errors: Vec<ErrorExit>,
    /// All inputs so far, by step; of those a run meets, in the order in which it does.
    pub inputs: Vec<StepInput>,
    /// All statements so far, by step, in an order in which runs execute them; empty unless requested.
    pub statements: Vec<StepStatement>,
    keeps_statements: bool,
    /// Distinguishes the inputs of this unrolling from those of others.
    name: String,
    /// The addresses that are declared apart.
    new_addresses: Vec<Term>,
}

impl Unrolling {
    /// Starts at the entry. Names of different unrollings must differ.
    pub fn from_entry(program: &Program, terms: &mut Terms, blocks: &Blocks, name: &str) -> Self {
        let guard = terms.truth(true);
        let entry = blocks.entry();
        let values = own_symbols(program, blocks, entry);
        Unrolling::starting_with(BTreeMap::from([(entry, State { guard, values })]), name)
    }
    /// Starts in any state at any cutpoint but errors; there the variables' own symbols are their values.
    pub fn from_anywhere(program: &Program, terms: &mut Terms, blocks: &Blocks, name: &str) -> Self {
        let starts = blocks.cutpoints.iter_enumerated().filter(|(_, cut)| !matches!(cut.kind, CutKind::Error(_)));
        let starts: Vec<Cut> = starts.map(|(cut, _)| cut).collect();
        let sort = terms.bv_sort(32);
        let start = terms.variable(&format!("start@{name}"), sort);
        let mut states = BTreeMap::new();
        for &cut in &starts {
            let guard = if starts.len() == 1 {
                terms.truth(true)
            } else {
                let number = terms.bv(32, cut.index() as u64);
                terms.eq(start, number)
            };
            states.insert(cut, State { guard, values: own_symbols(program, blocks, cut) });
        }
        Unrolling::starting_with(states, name)
    }
    fn starting_with(states: BTreeMap<Cut, State>, name: &str) -> Self {
        let layers = vec![Layer { states }];
        Unrolling {
            layers,
            errors: Vec::new(),
            inputs: Vec::new(),
            statements: Vec::new(),
            keeps_statements: false,
            name: name.to_owned(),
            new_addresses: Vec::new(),
        }
    }
    /// From now on statements are kept.
    pub fn keep_statements(&mut self) {
        self.keeps_statements = true;
    }
    /// How many steps there are.
    pub fn n_steps(&self) -> usize {
        self.layers.len() - 1
    }
    /// The states after the last step.
    pub fn last(&self) -> &Layer {
        self.layers.last().expect("there is a layer to start with")
    }
    /// Whether the simplifier shows that no run takes another step.
    pub fn is_exhausted(&self) -> bool {
        self.last().states.is_empty()
    }
    /// Removes a state of the last layer that the caller has proved unreachable.
    pub fn prune(&mut self, cut: Cut) {
        self.layers.last_mut().expect("there is a layer to start with").states.remove(&cut);
    }
    /// One more step.
    pub fn advance(&mut self, program: &Program, terms: &mut Terms, blocks: &Blocks) {
        let step = self.layers.len();
        let never = terms.truth(false);
        let mut next: BTreeMap<Cut, State> = BTreeMap::new();
        if step == 1 {
            self.new_addresses = named_addresses(program);
        }
        for (&cut, state) in &self.layers[step - 1].states {
            let mut apart = Vec::new();
            let block = &blocks.blocks[cut];
            let mut pairs: Vec<(Term, Term)> = Vec::new();
            for (&var, &value) in blocks.cutpoints[cut].state.iter().zip(&state.values) {
                pairs.push((program.vars[var].term, value));
            }
            let mut symbols = Vec::with_capacity(block.inputs.len());
            for input in &block.inputs {
                let sort = terms.sort_of(input.symbol);
                let name = format!("in{}!{}@{step}", symbol_number(terms, input.symbol), self.name);
                let symbol = terms.variable(&name, sort);
                // The simplifier then leaves out what says so, and the solver must be given it. There may not be many.
                if input.source.is_new_address(program)
                    && self.new_addresses.len() < Tuning::DEFAULT.max_distinct_addresses
                {
                    terms.declare_apart(symbol);
                    let null = terms.bv(program.pointer_width, 0);
                    apart.push(terms.stated_apart(symbol, null));
                    apart.extend(self.new_addresses.iter().map(|&other| terms.stated_apart(symbol, other)));
                    self.new_addresses.push(symbol);
                }
                symbols.push(symbol);
                pairs.push((input.symbol, symbol));
            }
            let mut put_in = Substitution::new(terms, &pairs);
            for (input, symbol) in block.inputs.iter().zip(symbols) {
                let here = put_in.apply(terms, input.guard);
                let guard = terms.and(&[state.guard, here]);
                if guard != never {
                    self.inputs.push(StepInput { step, symbol, source: input.source, edge: input.edge, guard });
                }
            }
            for statement in block.statements.iter().filter(|_| self.keeps_statements) {
                let terms = statement.terms.iter().map(|&term| put_in.apply(terms, term)).collect();
                self.statements.push(StepStatement { step, edge: statement.edge, terms });
            }
            for exit in &block.exits {
                let here = put_in.apply(terms, exit.guard);
                let apart = terms.and(&apart);
                let guard = terms.and(&[state.guard, apart, here]);
                if guard == never {
                    continue;
                }
                if let CutKind::Error(assertion) = blocks.cutpoints[exit.to].kind {
                    self.errors.push(ErrorExit { step, assertion, guard });
                    continue;
                }
                let mut changed = exit.values.iter().peekable();
                let mut values = Vec::with_capacity(blocks.cutpoints[exit.to].state.len());
                for &var in &blocks.cutpoints[exit.to].state {
                    let value = match changed.next_if(|pair| pair.0 == var) {
                        Some(&(_, value)) => value,
                        None => program.vars[var].term,
                    };
                    values.push(put_in.apply(terms, value));
                }
                match next.get_mut(&exit.to) {
                    None => {
                        next.insert(exit.to, State { guard, values });
                    }
                    Some(other) => {
                        for (value, new) in other.values.iter_mut().zip(values) {
                            *value = if *value == new { new } else { terms.ite(guard, new, *value) };
                        }
                        other.guard = terms.or(&[other.guard, guard]);
                    }
                }
            }
        }
        self.layers.push(Layer { states: next });
    }
    /// The errors of the last step.
    pub fn last_errors(&self) -> &[ErrorExit] {
        let last = self.n_steps();
        let first = self.errors.partition_point(|error| error.step < last);
        &self.errors[first..]
    }
}

/// The addresses of objects and functions that have names, which are declared apart.
fn named_addresses(program: &Program) -> Vec<Term> {
    let is_named = |kind: &VarKind| matches!(kind, VarKind::AddressOf(_) | VarKind::AddressOfFunction(_));
    program.vars.iter().filter(|variable| is_named(&variable.kind)).map(|variable| variable.term).collect()
}

fn symbol_number(terms: &Terms, symbol: Term) -> String {
    match terms.op(symbol) {
        term::Op::Symbol(symbol) => terms.symbol_name(symbol).trim_start_matches("in").to_owned(),
        _ => unreachable!("inputs are symbols"),
    }
}

fn own_symbols(program: &Program, blocks: &Blocks, cut: Cut) -> Vec<Term> {
    blocks.cutpoints[cut].state.iter().map(|&var| program.vars[var].term).collect()
}
