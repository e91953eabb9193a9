//! The modular program: what contracts claim, as a program without calls of the functions that have contracts.
//!
//! It starts by a choice. Either it runs the program, in which each call of a function with a contract is replaced by what the
//! contract says of it: what the contract requires is asserted of the arguments; then the result and whatever the function may change
//! become any values that the contract ensures. Or, for one contract, it calls the function in any state that the
//! contract allows, and asserts what the contract ensures when the function returns.
//!
//! **If no run of the modular program reaches an error, no run of the program does.** Take a run of the program into an error, and in
//! it the calls of functions with contracts, in the order of their returns. By induction each one that returns began with what its contract
//! requires and returns with what it ensures: its own calls return earlier, so its body is a run of the modular program, in which
//! these assertions do not fail. The innermost call that has not returned at the error is then a run of the modular
//! program into the same error.
//!
//! What a function may change is not claimed but computed here: the global variables and the static objects that it, or any
//! function it leads to, writes. That is complete because functions with a contract must not access memory but by the name
//! of the object ([`Effects`]). Engines and the checker share this file; it is part of what is trusted.

use base::{FastMap, Place};
use program::{
    Action, Assertion, AssertionKind, Edge, EdgeId, FunId, Function, Input, InputKind, Loc, Location, Mark, ObjectId,
    Program, Shown, Var, VarKind, Variable,
};
use term::walk::Import;
use term::{Op, Sort, Substitution, Term, Terms};

use crate::contract::{Contract, Slot};
use crate::effects::Effects;

/// Why contracts make no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoContract {
    /// They do not belong to the program.
    Malformed(&'static str),
    /// A function does something that no contract covers.
    Unsupported(&'static str, Option<Place>),
}

/// A program made of contracts.
#[derive(Clone, Debug)]
pub struct Modular {
    /// The program.
    pub program: Program,
    /// What the assertions after those of the program are about: the contract's number, and the number of what it requires
    /// or ensures.
    pub claims: Vec<Claim>,
}

/// What an assertion of the modular program is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// A call has what this part of the contract requires.
    Requires(usize, usize),
    /// A return has what this part of the contract ensures.
    Ensures(usize, usize),
}

/// Makes the modular program. The formulas of the contracts are terms of `from`; `terms` is the program's store, to which new
/// terms are added.
pub fn modular(
    program: &Program,
    terms: &mut Terms,
    contracts: &[Contract],
    from: &Terms,
) -> Result<Modular, NoContract> {
    let mut of_function: FastMap<FunId, usize> = FastMap::new();
    for (number, contract) in contracts.iter().enumerate() {
        check(program, contract, from)?;
        if of_function.insert(contract.function, number).is_some() {
            return Err(NoContract::Malformed("a function has two contracts"));
        }
    }
    let mut effects = Vec::new();
    for contract in contracts {
        effects.push(Effects::of(program, terms, contract.function)?);
    }
    let n_edges = program.edges.len();
    let names = names(program, terms);
    let mut maker = Maker {
        new: program.clone(),
        terms,
        from,
        import: Import::new(),
        contracts,
        effects: &effects,
        names,
        claims: Vec::new(),
    };
    for id in (0..n_edges).map(base::Id::new) {
        if let Action::Call { function, .. } = program.edges[id].action
            && let Some(&number) = of_function.get(&function)
        {
            maker.replace_call(id, number)?;
        }
    }
    maker.start()?;
    Ok(Modular { program: maker.new, claims: maker.claims })
}

/// Whether the contract belongs to the program, as far as that can be said without new terms.
fn check(program: &Program, contract: &Contract, from: &Terms) -> Result<(), NoContract> {
    let Some(function) = program.functions.get(contract.function) else {
        return Err(NoContract::Malformed("a contract is about no function of the program"));
    };
    if program.entry == Some(contract.function) {
        return Err(NoContract::Malformed("a contract is about the entry function"));
    }
    let is_symbol =
        |term: Term| term.index() < from.len() && matches!(from.op(term), Op::Symbol(_)) && from.args(term).is_empty();
    let is_global = |var: Var| program.vars.get(var).is_some_and(|variable| variable.kind == VarKind::Global);
    for (number, &(symbol, slot)) in contract.slots.iter().enumerate() {
        let exists = match slot {
            Slot::Argument(position) => position < function.params.len(),
            Slot::Before(var) | Slot::After(var) => is_global(var),
            Slot::Result => function.result.is_some(),
        };
        if !exists || !is_symbol(symbol) || contract.slots[..number].iter().any(|&(other, _)| other == symbol) {
            return Err(NoContract::Malformed("a contract speaks of a value that there is not"));
        }
    }
    let slot_of = |symbol: Term| contract.slots.iter().find(|(other, _)| *other == symbol).map(|&(_, slot)| slot);
    let parts = contract.requires.iter().map(|&part| (part, true));
    for (part, is_before) in parts.chain(contract.ensures.iter().map(|&part| (part, false))) {
        if part.index() >= from.len() || !from.is_bool(part) {
            return Err(NoContract::Malformed("a part of a contract is no formula"));
        }
        for symbol in from.subterms(&[part]) {
            if !matches!(from.op(symbol), Op::Symbol(_)) {
                continue;
            }
            match slot_of(symbol) {
                Some(slot) if slot.is_before() || !is_before => {}
                _ => return Err(NoContract::Malformed("a contract mentions a symbol that stands for no value there")),
            }
        }
    }
    Ok(())
}

/// The names that variables and functions of the program have.
fn names(program: &Program, terms: &Terms) -> FastMap<String, ()> {
    let mut names = FastMap::new();
    for variable in &program.vars {
        if let Op::Symbol(symbol) = terms.op(variable.term) {
            names.insert(terms.symbol_name(symbol).to_owned(), ());
        }
    }
    for function in &program.functions {
        names.insert(function.name.clone(), ());
    }
    names
}

struct Maker<'a> {
    new: Program,
    terms: &'a mut Terms,
    from: &'a Terms,
    import: Import,
    contracts: &'a [Contract],
    effects: &'a [Effects],
    /// Names that are taken.
    names: FastMap<String, ()>,
    claims: Vec<Claim>,
}

impl Maker<'_> {
    /// The call becomes what the contract says of it.
    fn replace_call(&mut self, id: EdgeId, number: usize) -> Result<(), NoContract> {
        let Edge { from, to, action, place } = self.new.edges[id].clone();
        let Action::Call { args, result, .. } = action else { unreachable!("calls are replaced") };
        let caller = self.new.locations[from].function;
        let contract = &self.contracts[number];
        // The values at the call get names of their own: it may change what the arguments are made of.
        let mut known: Vec<(Slot, Term)> = Vec::new();
        let mut pairs = Vec::new();
        for (position, &arg) in args.iter().enumerate() {
            let sort = self.terms.sort_of(arg);
            let var = self.temp(caller, sort);
            pairs.push((var, arg));
            known.push((Slot::Argument(position), self.new.vars[var].term));
        }
        for var in globals_before(contract) {
            let value = self.new.vars[var].term;
            let copy = self.temp(caller, self.new.vars[var].sort);
            pairs.push((copy, value));
            known.push((Slot::Before(var), self.new.vars[copy].term));
        }
        let mut at = self.location(caller, place, Mark::None);
        self.new.edges[id].action = Action::Assign(pairs);
        self.new.edges[id].to = at;
        for part in 0..contract.requires.len() {
            let holds = self.put(number, contract.requires[part], &known)?;
            at = self.claim(at, holds, Claim::Requires(number, part), place);
        }
        for var in self.effects[number].globals.clone() {
            at = self.any_value(at, var, place);
        }
        for object in self.effects[number].written.clone() {
            at = self.any_contents(at, object, place);
        }
        let mut received = None;
        if let Some(own) = self.new.functions[contract.function].result {
            let var = self.temp(caller, self.new.vars[own].sort);
            at = self.any_value(at, var, place);
            known.push((Slot::Result, self.new.vars[var].term));
            received = Some(self.new.vars[var].term);
        }
        self.know_globals_after(contract, &mut known);
        let mut parts = Vec::new();
        for &part in &contract.ensures {
            parts.push(self.put(number, part, &known)?);
        }
        let holds = self.terms.and(&parts);
        at = self.assume(at, holds, place);
        let pairs = result.into_iter().zip(received).collect();
        self.new.edges.push(Edge { from: at, to, action: Action::Assign(pairs), place });
        Ok(())
    }

    /// The new entry: the program, or one of the functions by itself.
    fn start(&mut self) -> Result<(), NoContract> {
        let old = self.new.entry.ok_or(NoContract::Malformed("the program has no entry"))?;
        let name = self.name("contracts!");
        let start = self.new.functions.next_id();
        let entry = self.location(start, None, Mark::None);
        let exit = self.location(start, None, Mark::None);
        self.new.functions.push(Function {
            name,
            params: Vec::new(),
            result: None,
            entry,
            exit,
            objects: Vec::new(),
            address: None,
            place: None,
        });
        self.new.entry = Some(start);
        // The choice is an input, so that a run of this program is given by its inputs.
        let sort = self.terms.bv_sort(u32::BITS);
        let choice = self.temp(start, sort);
        let mut at = self.any_value(entry, choice, None);
        for number in 0..self.contracts.len() {
            let number_term = self.terms.bv(u32::BITS, number as u64);
            let is_chosen = self.terms.eq(self.new.vars[choice].term, number_term);
            let is_not = self.terms.not(is_chosen);
            let from = self.step(start, at, Action::Assume(is_chosen), None);
            at = self.step(start, at, Action::Assume(is_not), None);
            let end = self.one_by_itself(start, from, number)?;
            let action = Action::Assign(Vec::new());
            self.new.edges.push(Edge { from: end, to: exit, action, place: None });
        }
        let action = Action::Call { function: old, args: Vec::new(), result: None };
        self.new.edges.push(Edge { from: at, to: exit, action, place: None });
        Ok(())
    }
    /// Calls the function of the contract in any state that the contract allows; returns where its return has been checked.
    fn one_by_itself(&mut self, start: FunId, entry: Loc, number: usize) -> Result<Loc, NoContract> {
        let contract = &self.contracts[number];
        let function = self.new.functions[contract.function].clone();
        let place = function.place;
        let mut at = self.location(start, place, Mark::None);
        self.new.edges.push(Edge { from: entry, to: at, action: Action::Assign(Vec::new()), place });
        let globals: Vec<Var> = self.new.vars.ids().filter(|&var| self.new.vars[var].kind == VarKind::Global).collect();
        for var in globals {
            at = self.any_value(at, var, place);
        }
        for object in self.effects[number].touched.clone() {
            at = self.any_contents(at, object, place);
        }
        let mut known: Vec<(Slot, Term)> = Vec::new();
        let mut args = Vec::new();
        for (position, &param) in function.params.iter().enumerate() {
            let var = self.temp(start, self.new.vars[param].sort);
            at = self.any_value(at, var, place);
            let value = self.new.vars[var].term;
            args.push(value);
            known.push((Slot::Argument(position), value));
        }
        let mut pairs = Vec::new();
        for var in globals_before(contract) {
            let copy = self.temp(start, self.new.vars[var].sort);
            pairs.push((copy, self.new.vars[var].term));
            known.push((Slot::Before(var), self.new.vars[copy].term));
        }
        at = self.step(start, at, Action::Assign(pairs), place);
        let mut parts = Vec::new();
        for &part in &contract.requires {
            parts.push(self.put(number, part, &known)?);
        }
        let allowed = self.terms.and(&parts);
        at = self.assume(at, allowed, place);
        let result = function.result.map(|own| self.temp(start, self.new.vars[own].sort));
        at = self.step(start, at, Action::Call { function: contract.function, args, result }, place);
        if let Some(var) = result {
            known.push((Slot::Result, self.new.vars[var].term));
        }
        self.know_globals_after(contract, &mut known);
        for part in 0..contract.ensures.len() {
            let holds = self.put(number, contract.ensures[part], &known)?;
            at = self.claim(at, holds, Claim::Ensures(number, part), place);
        }
        Ok(at)
    }

    /// The formula of a contract for these values of its slots.
    fn put(&mut self, number: usize, part: Term, known: &[(Slot, Term)]) -> Result<Term, NoContract> {
        let taken = |_| NoContract::Malformed("a symbol of a contract has another sort in the program");
        let imported = self.import.term(self.from, self.terms, part).map_err(taken)?;
        let mentioned = self.from.subterms(&[part]);
        let mut pairs = Vec::new();
        for &(symbol, slot) in self.contracts[number].slots.iter().filter(|(symbol, _)| mentioned.contains(symbol)) {
            let symbol = self.import.term(self.from, self.terms, symbol).map_err(taken)?;
            let value = known.iter().find(|(other, _)| *other == slot).map(|&(_, value)| value);
            let value = value.ok_or(NoContract::Malformed("a contract mentions a value that is not known there"))?;
            if self.terms.sort_of(symbol) != self.terms.sort_of(value) {
                return Err(NoContract::Malformed("a symbol of a contract has another sort than its value"));
            }
            pairs.push((symbol, value));
        }
        let mut values = Substitution::new(self.terms, &pairs);
        Ok(values.apply(self.terms, imported))
    }
    fn know_globals_after(&self, contract: &Contract, known: &mut Vec<(Slot, Term)>) {
        for &(_, slot) in &contract.slots {
            if let Slot::After(var) = slot {
                known.push((slot, self.new.vars[var].term));
            }
        }
    }

    // ---- parts of the program

    /// Asserts the condition; returns where the run goes on.
    fn claim(&mut self, at: Loc, holds: Term, claim: Claim, place: Option<Place>) -> Loc {
        let function = self.new.locations[at].function;
        let text = format!("{claim:?}");
        let assertion = self.new.assertions.push(Assertion { text, place, kind: AssertionKind::Condition });
        self.claims.push(claim);
        let error = self.location(function, place, Mark::Error(assertion));
        let broken = self.terms.not(holds);
        if self.terms.op(broken) != Op::False {
            self.new.edges.push(Edge { from: at, to: error, action: Action::Assume(broken), place });
        }
        self.assume(at, holds, place)
    }
    /// Assumes the condition; returns where the run goes on, to which no edge leads if the condition is `false`.
    fn assume(&mut self, at: Loc, holds: Term, place: Option<Place>) -> Loc {
        let function = self.new.locations[at].function;
        if self.terms.op(holds) == Op::False {
            return self.location(function, place, Mark::None);
        }
        self.step(function, at, Action::Assume(holds), place)
    }
    fn any_value(&mut self, at: Loc, var: Var, place: Option<Place>) -> Loc {
        let function = self.new.locations[at].function;
        let input = self.input(place);
        self.step(function, at, Action::Havoc { var, input }, place)
    }
    fn any_contents(&mut self, at: Loc, object: ObjectId, place: Option<Place>) -> Loc {
        let function = self.new.locations[at].function;
        let input = self.input(place);
        let address = self.new.vars[self.new.objects[object].address].term;
        let size = Some(self.terms.bv(self.new.pointer_width, self.new.objects[object].size));
        self.step(function, at, Action::Forget { address, size, input }, place)
    }
    fn input(&mut self, place: Option<Place>) -> program::InputId {
        let kind = InputKind::Nondet("contract".to_owned());
        self.new.inputs.push(Input { kind, shown: Shown::Plain, place })
    }
    fn step(&mut self, function: FunId, at: Loc, action: Action, place: Option<Place>) -> Loc {
        let to = self.location(function, place, Mark::None);
        self.new.edges.push(Edge { from: at, to, action, place });
        to
    }
    fn location(&mut self, function: FunId, place: Option<Place>, mark: Mark) -> Loc {
        self.new.locations.push(Location { function, place, mark })
    }
    fn temp(&mut self, function: FunId, sort: Sort) -> Var {
        let (name, term) = loop {
            let name = self.name(&format!("contract!{}", self.new.vars.len()));
            // A name may be in the store with another sort.
            if let Some(symbol) = self.terms.declare(&name, &[], sort) {
                break (name, self.terms.apply(symbol, &[]));
            }
        };
        let kind = VarKind::Temp(function);
        self.new.vars.push(Variable { name, term, sort, kind, shown: Shown::Plain, place: None })
    }
    /// A name that is not taken yet, and is now.
    fn name(&mut self, like: &str) -> String {
        let mut name = like.to_owned();
        while self.names.insert(name.clone(), ()).is_some() {
            name.push('!');
        }
        name
    }
}

/// The global variables whose values at the call the contract mentions.
fn globals_before(contract: &Contract) -> Vec<Var> {
    let mut vars: Vec<Var> = Vec::new();
    for &(_, slot) in &contract.slots {
        if let Slot::Before(var) = slot
            && !vars.contains(&var)
        {
            vars.push(var);
        }
    }
    vars
}
