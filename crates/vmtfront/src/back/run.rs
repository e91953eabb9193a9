//! A run of the shaped program becomes a run of the system: states and inputs, step by step.
//!
//! The shaped program is run on the counterexample's values, and its state is noted at every head. Most of it is the state
//! of the file in other words. What the shaped program does not have (arrays of which it keeps cells, inputs that
//! equations define) is found step by step: the known values are put into the file's own `init` and `trans`,
//! and a solver finds the rest. The result is not trusted: the checker runs the plain program on it.

use base::{Bits, Budget, FastMap};
use program::{Action, Graph, InputId, Mark};
use smt::{Answer, Query, Solver};
use term::{ArrayValue, Evaluator, Op, SortKind, Substitution, Term, Terms, Value};
use verdict::{Counterexample, FunctionTable, InputValue};

use super::{BackError, Shaped};
use crate::ways::conjuncts;

/// Values of symbols.
type Values = FastMap<Term, Value>;

impl Shaped {
    /// The counterexample to the plain program that a counterexample to the shaped one amounts to. `terms` is the store in
    /// which the system was read.
    pub fn run(&self, terms: &Terms, found: &Counterexample, budget: &Budget) -> Result<Counterexample, BackError> {
        let mut terms = terms.clone();
        let heads = self.simulate(&terms, found, budget)?;
        let now: Vec<Term> = self.system.states.iter().map(|state| state.now.term).collect();
        let next: Vec<Term> = self.system.states.iter().map(|state| state.next).collect();
        let inputs: Vec<Term> = self.system.inputs.iter().map(|input| input.term).collect();
        let kept = self.in_file(&self.lowered.kept);
        let seen: Vec<Term> = [kept.clone(), self.in_file(&self.lowered.checked)].concat();
        // By step: the values of states and of inputs.
        let mut rows: Vec<(Vec<Value>, Vec<Value>)> = Vec::new();
        // The state that the step begins with.
        let known = self.file_values(&terms, &heads[0].values, &[now.clone(), kept.clone()].concat());
        let first = Unknowns { formulas: &self.system.init, symbols: &[now.clone(), kept.clone()].concat() };
        let is_complete = first.is_complete(&terms, &known);
        let mut here = if is_complete { known } else { first.complete(&mut terms, &[], &known, budget)? };
        let step = Unknowns { formulas: &self.system.trans, symbols: &[&now[..], &next, &inputs].concat() };
        for (number, head) in heads.iter().enumerate() {
            budget.spend(1)?;
            // Inputs that are checked, or that `init` mentions, have the values that the shaped program drew.
            let sure = merge(&step, &[&here, &self.file_values(&terms, &head.inputs, &seen)]);
            let all = match heads.get(number + 1) {
                None => sure,
                Some(after) => {
                    let cells = self.cells_as_formulas(&mut terms, &after.values);
                    let sure = merge(&step, &[&sure, &self.next_values(&terms, &after.values)]);
                    // Others may have been drawn without being used.
                    let guess = merge(&step, &[&sure, &self.file_values(&terms, &head.inputs, &inputs)]);
                    if step.is_complete(&terms, &sure) {
                        sure
                    } else {
                        match step.complete(&mut terms, &cells, &guess, budget) {
                            Err(BackError::Wrong(_)) => step.complete(&mut terms, &cells, &sure, budget)?,
                            answer => answer?,
                        }
                    }
                }
            };
            let row = |symbols: &[Term]| symbols.iter().map(|&symbol| value_or_any(&terms, &all, symbol)).collect();
            rows.push((row(&now), row(&inputs)));
            here = FastMap::new();
            for (&later, &symbol) in next.iter().zip(&now) {
                here.insert(symbol, value_or_any(&terms, &all, later));
            }
        }
        Ok(self.script(&terms, found, &heads[0].values, &rows))
    }

    /// Runs the shaped program; its state at every head.
    fn simulate(&self, terms: &Terms, found: &Counterexample, budget: &Budget) -> Result<Vec<AtHead>, BackError> {
        let program = &self.lowered.program;
        let graph = Graph::new(program);
        let mut drawn: FastMap<(InputId, u64), Vec<&InputValue>> = FastMap::new();
        for value in &found.inputs {
            drawn.get_or_insert_with((value.input, value.occurrence), Vec::new).push(value);
        }
        let mut asked: FastMap<InputId, u64> = FastMap::new();
        let mut values: Values = FastMap::new();
        for variable in program.vars.iter() {
            values.insert(variable.term, Value::any(terms, variable.sort));
        }
        let mut heads: Vec<AtHead> = Vec::new();
        let mut at = program.functions[program.entry.expect("there is an entry")].entry;
        let kept: Vec<Term> = self.lowered.kept.clone();
        loop {
            budget.spend(1)?;
            if self.lowered.heads.contains(&at) {
                if let Some(last) = heads.last_mut() {
                    last.note_inputs(&values, &kept);
                }
                heads.push(AtHead { values: values.clone(), inputs: FastMap::new() });
            }
            if let Mark::Error(assertion) = program.locations[at].mark {
                let Some(last) = heads.last_mut().filter(|_| assertion == found.assertion) else {
                    return Err(BackError::Wrong("the run fails another assertion".to_owned()));
                };
                last.note_inputs(&values, &kept);
                return Ok(heads);
            }
            let mut went = false;
            for &edge in graph.outgoing(at) {
                let edge = &program.edges[edge];
                let value_of = |term: Term| value_of(terms, &values, term);
                match &edge.action {
                    Action::Assume(condition) => {
                        if value_of(*condition)? != Value::Bool(true) {
                            continue;
                        }
                    }
                    Action::Assign(pairs) => {
                        let mut new = Vec::new();
                        for &(var, term) in pairs {
                            new.push((program.vars[var].term, value_of(term)?));
                        }
                        for (symbol, value) in new {
                            values.insert(symbol, value);
                        }
                    }
                    Action::Havoc { var, input } => {
                        let count = asked.get_or_insert_with(*input, || 0);
                        let given = drawn.get(&(*input, *count)).map_or(&[][..], Vec::as_slice);
                        *count += 1;
                        let value = drawn_value(terms, program.vars[*var].sort, given);
                        values.insert(program.vars[*var].term, value);
                    }
                    _ => return Err(BackError::Wrong("a transition system has no such action".to_owned())),
                }
                at = edge.to;
                went = true;
                break;
            }
            if !went {
                return Err(BackError::Wrong("the run ends before the error".to_owned()));
            }
        }
    }

    /// Symbols of the shaped program as the file has them.
    fn in_file(&self, symbols: &[Term]) -> Vec<Term> {
        let bit = |symbol: &Term| self.bits.iter().find(|(truth, _)| truth == symbol).map_or(*symbol, |(_, bit)| *bit);
        symbols.iter().map(bit).collect()
    }
    /// The values of these symbols of the file, as far as the shaped program has them under this or another name.
    fn file_values(&self, terms: &Terms, values: &Values, symbols: &[Term]) -> Values {
        let mut found = FastMap::new();
        for &symbol in symbols {
            let value = match self.bits.iter().find(|(_, bit)| *bit == symbol) {
                Some((truth, _)) => values.get(truth).map(as_bit),
                None => values.get(&symbol).cloned(),
            };
            if let Some(value) = value.filter(|value| value.has_sort(terms, terms.sort_of(symbol))) {
                found.insert(symbol, value);
            }
        }
        found
    }
    /// The next values of the file's state variables that the shaped program has as states.
    fn next_values(&self, terms: &Terms, after: &Values) -> Values {
        let mut found = FastMap::new();
        for state in &self.system.states {
            let is_cut_up = self.lowered.cells.iter().any(|cell| cell.array == state.now.term);
            let value = self.file_values(terms, after, &[state.now.term]).get(&state.now.term).cloned();
            if let Some(value) = value.filter(|_| !is_cut_up) {
                found.insert(state.next, value);
            }
        }
        found
    }
    /// That the next values of arrays have, at the next indices, the values of the cells.
    fn cells_as_formulas(&self, terms: &mut Terms, after: &Values) -> Vec<Term> {
        let mut formulas = Vec::new();
        for cell in &self.lowered.cells {
            // The array may be the table of a function, which the file has no next value of.
            let Some(state) = self.system.states.iter().find(|state| state.now.term == cell.array) else { continue };
            let index = match after.get(&cell.index) {
                Some(value) => literal(terms, terms.sort_of(cell.index), value),
                None => Some(cell.index), // A constant.
            };
            let value = after.get(&cell.state.now.term).cloned();
            let sort = terms.sort_of(cell.state.now.term);
            if let (Some(index), Some(value)) = (index, value.and_then(|value| literal(terms, sort, &value))) {
                let read = terms.select(state.next, index);
                formulas.push(terms.eq(read, value));
            }
        }
        formulas
    }
    /// The run as values of the plain program's inputs.
    fn script(
        &self,
        terms: &Terms,
        found: &Counterexample,
        first: &Values,
        rows: &[(Vec<Value>, Vec<Value>)],
    ) -> Counterexample {
        let mut values = Vec::new();
        for (step, (states, inputs)) in rows.iter().enumerate() {
            let of = self.plain.states.iter().zip(states).chain(self.plain.inputs.iter().zip(inputs));
            for (&(_, start, later), value) in of {
                let (input, occurrence) = if step == 0 { (start, 0) } else { (later, step as u64 - 1) };
                given(input, occurrence, value, &mut values);
            }
        }
        let mut functions = found.functions.clone();
        for &(function, table) in &self.tables {
            let widths: Vec<u32> = terms
                .symbol_args(function)
                .iter()
                .map(|&sort| match terms.sort_kind(sort) {
                    SortKind::BitVec(width) => *width,
                    _ => 1,
                })
                .collect();
            if let Some(Value::Array(array)) = first.get(&table) {
                functions.extend(function_table(terms.symbol_name(function), &widths, array));
            }
        }
        Counterexample { assertion: found.assertion, inputs: values, functions }
    }
}

/// The shaped program at a head.
struct AtHead {
    /// On arrival.
    values: Values,
    /// Of the symbols that stand for inputs of the step that begins there.
    inputs: Values,
}

impl AtHead {
    /// At the end of the step: what was drawn in it. What `init` mentions was drawn before.
    fn note_inputs(&mut self, values: &Values, kept: &[Term]) {
        self.inputs = values.clone();
        for symbol in kept {
            if let Some(value) = self.values.get(symbol) {
                self.inputs.insert(*symbol, value.clone());
            }
        }
    }
}

/// Formulas of the file, and the symbols whose values are wanted.
struct Unknowns<'a> {
    formulas: &'a [Term],
    symbols: &'a [Term],
}

impl Unknowns<'_> {
    /// Whether all the symbols that the formulas mention have a value.
    fn is_complete(&self, terms: &Terms, known: &Values) -> bool {
        let mentioned = terms.subterms(self.formulas);
        let mut wanted = self.symbols.iter().filter(|symbol| mentioned.binary_search(symbol).is_ok());
        wanted.all(|symbol| known.contains_key(symbol))
    }
    /// Values for the symbols that the formulas mention, the known ones among them, that satisfy the formulas and the further ones.
    fn complete(
        &self,
        terms: &mut Terms,
        further: &[Term],
        known: &Values,
        budget: &Budget,
    ) -> Result<Values, BackError> {
        let mut all = merge(self, &[known]);
        let mentioned = terms.subterms(self.formulas);
        let (mut open, mut pairs) = (Vec::new(), Vec::new());
        for &symbol in self.symbols.iter().filter(|symbol| mentioned.binary_search(symbol).is_ok()) {
            match known.get(&symbol) {
                None => open.push(symbol),
                Some(value) => {
                    let sort = terms.sort_of(symbol);
                    let value = literal(terms, sort, value).ok_or(BackError::NoWords("values that have no name"))?;
                    pairs.push((symbol, value));
                }
            }
        }
        let mut put_in = Substitution::new(terms, &pairs);
        let put: Vec<Term> = self.formulas.iter().chain(further).map(|&term| put_in.apply(terms, term)).collect();
        let mut solver = Solver::new();
        for conjunct in conjuncts(terms, &put) {
            solver.assert(conjunct);
        }
        match solver.check(terms, &Query::default(), budget)? {
            Answer::Sat(mut model) => {
                for symbol in open {
                    all.insert(symbol, model.value(symbol));
                }
                Ok(all)
            }
            Answer::Unsat(_) => Err(BackError::Wrong("the file has no such step".to_owned())),
            Answer::Unknown(_) => Err(BackError::NoWords("values of a step that are hard to find")),
        }
    }
}

/// The values of the symbols; the first value of a symbol counts.
fn merge(of: &Unknowns<'_>, all: &[&Values]) -> Values {
    let mut merged = FastMap::new();
    for &symbol in of.symbols {
        if let Some(value) = all.iter().find_map(|values| values.get(&symbol)) {
            merged.insert(symbol, value.clone());
        }
    }
    merged
}

fn value_or_any(terms: &Terms, values: &Values, symbol: Term) -> Value {
    values.get(&symbol).cloned().unwrap_or_else(|| Value::any(terms, terms.sort_of(symbol)))
}

fn value_of(terms: &Terms, values: &Values, term: Term) -> Result<Value, BackError> {
    if let Some(value) = values.get(&term) {
        return Ok(value.clone());
    }
    let mut by_name: FastMap<term::Symbol, &Value> = FastMap::new();
    for sub in terms.subterms(&[term]) {
        if let (Op::Symbol(symbol), Some(value)) = (terms.op(sub), values.get(&sub)) {
            by_name.insert(symbol, value);
        }
    }
    Evaluator::new(|symbol, _: &[Value]| by_name.get(&symbol).map(|&value| value.clone()))
        .eval(terms, term)
        .map_err(|_| BackError::NoWords("operators that have no evaluation"))
}

/// The value of an input, as a counterexample gives it.
fn drawn_value(terms: &Terms, sort: term::Sort, given: &[&InputValue]) -> Value {
    let scalar = |sort: term::Sort, bits: &Bits| match terms.sort_kind(sort) {
        SortKind::Bool => Value::Bool(!bits.is_zero()),
        SortKind::BitVec(width) => Value::Bits(bits.resize_unsigned(*width)),
        _ => Value::any(terms, sort),
    };
    let whole = given.iter().find(|value| value.offset.is_none());
    match *terms.sort_kind(sort) {
        SortKind::Array(index, element) => {
            let default = whole.map_or_else(|| Value::any(terms, element), |value| scalar(element, &value.value));
            let mut array = ArrayValue::constant(default);
            for value in given {
                if let Some(offset) = value.offset {
                    array.write(scalar(index, &Bits::from_u64(64, offset)), scalar(element, &value.value));
                }
            }
            Value::Array(Box::new(array))
        }
        _ => whole.map_or_else(|| Value::any(terms, sort), |value| scalar(sort, &value.value)),
    }
}

/// Appends what a counterexample says to give an input this value.
fn given(input: InputId, occurrence: u64, value: &Value, values: &mut Vec<InputValue>) {
    let bits = |value: &Value| match value {
        Value::Bool(truth) => Some(Bits::from_u64(1, u64::from(*truth))),
        Value::Bits(bits) => Some(bits.clone()),
        _ => None,
    };
    match value {
        Value::Array(array) => {
            if let Some(value) = bits(array.default()) {
                values.push(InputValue { input, occurrence, offset: None, value });
            }
            for (index, element) in array.entries() {
                if let (Some(index), Some(value)) = (index.as_bits().and_then(Bits::to_u64), bits(element)) {
                    values.push(InputValue { input, occurrence, offset: Some(index), value });
                }
            }
        }
        scalar => {
            if let Some(value) = bits(scalar) {
                values.push(InputValue { input, occurrence, offset: None, value });
            }
        }
    }
}

/// A table as a function; none if it is too wide for one.
fn function_table(name: &str, widths: &[u32], array: &ArrayValue) -> Option<FunctionTable> {
    let number = |value: &Value| match value {
        Value::Bool(truth) => Some(u128::from(*truth)),
        Value::Bits(bits) => bits.to_u128(),
        _ => None,
    };
    let mut rows = Vec::new();
    for (index, value) in array.entries() {
        let bits = index.as_bits()?;
        let mut high = bits.width();
        let mut args = Vec::new();
        for &width in widths {
            args.push(bits.extract(high - 1, high - width).to_u128()?);
            high -= width;
        }
        rows.push((args, number(value)?));
    }
    Some(FunctionTable { name: name.to_owned(), rows, otherwise: number(array.default())? })
}

fn as_bit(truth: &Value) -> Value {
    Value::Bits(Bits::from_u64(1, u64::from(*truth == Value::Bool(true))))
}

/// The value as a term.
fn literal(terms: &mut Terms, sort: term::Sort, value: &Value) -> Option<Term> {
    Some(match value {
        Value::Bool(truth) => terms.truth(*truth),
        Value::Bits(bits) => terms.bits(bits.clone()),
        Value::Array(array) => {
            let SortKind::Array(index, element) = *terms.sort_kind(sort) else { return None };
            let default = literal(terms, element, array.default())?;
            let mut term = terms.const_array(sort, default);
            for (at, value) in array.entries() {
                let (at, value) = (literal(terms, index, at)?, literal(terms, element, value)?);
                term = terms.store(term, at, value);
            }
            term
        }
        Value::Element(..) | Value::Number(..) => return None,
    })
}
