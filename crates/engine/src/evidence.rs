//! From what an engine found to evidence about the program as lowered.
//!
//! An engine speaks of the optimised program: of its cutpoints, its variables, its inputs. The back-map of the
//! passes says what these are in the program as lowered, and which facts the passes relied on; they
//! become part of the invariants.

use base::{Bits, FastMap, Place, Stopped};
use encode::{Blocks, Cut, CutKind, Cutpoint, Source, StepInput};
use program::pass::BackMap;
use program::{Action, AssertionId, EdgeId, InputId, Loc, Point, Program, VarKind};
use smt::Model;
use term::totals::Total;
use term::walk::Import;
use term::{Op, SortKind, Term, Terms, Value};
use verdict::{Code, Counterexample, InputValue, Method, Proof, Why};

use crate::context::Context;
use crate::invariants::Invariants;
use crate::needed::needed;
use crate::task::Task;

/// A proof from invariants at the cutpoints of the optimised program that together with the background are inductive and
/// exclude every error at the end of the next block.
pub fn inductive(cx: &mut Context<'_>, own: Vec<(Cut, Term)>, background: &Invariants) -> Result<Proof, Stopped> {
    let mut invariants = own;
    invariants.extend(background.all());
    // What the analysis says is checked in no time; what came later is much, and not all of it is needed.
    if background.has_grown() {
        invariants = needed(cx, invariants)?;
    }
    Ok(proof(cx.task, cx.terms, cx.blocks, &invariants, Method::Induction { depth: 1 }, &[]))
}

/// A proof from invariants at the cutpoints of the optimised program.
///
/// Cutpoints without an entry get the invariant `true`. Facts of the passes are added.
pub fn proof(
    task: &Task,
    terms: &mut Terms,
    blocks: &Blocks,
    invariants: &[(Cut, Term)],
    method: Method,
    precise: &[EdgeId],
) -> Proof {
    let truth = terms.truth(true);
    let is_cut = |&(cut, cutpoint): &(Cut, &Cutpoint)| {
        !matches!(cutpoint.kind, CutKind::Error(_)) && (cut != blocks.entry() || blocks.entry_is_head())
    };
    let mut said: Vec<(Loc, Term)> =
        blocks.cutpoints.iter_enumerated().filter(is_cut).map(|(_, cutpoint)| (cutpoint.loc, truth)).collect();
    for &(cut, term) in invariants.iter().filter(|(cut, _)| is_cut(&(*cut, &blocks.cutpoints[*cut]))) {
        said.push((blocks.cutpoints[cut].loc, term));
    }
    proof_at(task, &task.program, &task.map, terms, &said, method, precise)
}

/// A proof from invariants at locations of a program that this map leads back to the one as lowered. The locations cut
/// every cycle; facts of the passes are added.
pub fn proof_at(
    task: &Task,
    program: &Program,
    map: &BackMap,
    terms: &mut Terms,
    said: &[(Loc, Term)],
    method: Method,
    precise: &[EdgeId],
) -> Proof {
    let mut own = Terms::new();
    let mut import = Import::new();
    let mut invariants: Vec<(Point, Term)> = Vec::new();
    // The facts of the passes are terms of the task's store, of which the engine's is a copy that grew.
    for (point, term) in map.evidence(terms, said) {
        let term = import.term(terms, &mut own, term).expect("names mean the same in all stores of a run");
        invariants.push((point, term));
    }
    invariants.sort_by(|a, b| a.0.cmp(&b.0));
    let roots: Vec<Term> = invariants.iter().map(|&(_, term)| term).collect();
    let symbols = symbols(task, program, map, &own, &roots);
    let mut edges: Vec<EdgeId> = precise.iter().flat_map(|&edge| map.edges[edge].iter().copied()).collect();
    edges.sort_unstable();
    edges.dedup();
    Proof {
        terms: own,
        symbols,
        bound: Vec::new(),
        places: Vec::new(),
        invariants,
        method,
        precise: edges,
        lemmas: Vec::new(),
        layout: map.layout.clone(),
        closed: Vec::new(),
        contracts: Vec::new(),
        rankings: Vec::new(),
        totals: Vec::new(),
    }
}

/// The proof, of which some invariants speak of every value of the bound symbols, with what they are used for: terms at locations
/// of the optimised program.
pub fn for_every(task: &Task, terms: &Terms, mut proof: Proof, bound: &[Term], places: &[(Loc, Term)]) -> Proof {
    let mut import = Import::new();
    let roots: Vec<Term> = proof.invariants.iter().map(|&(_, term)| term).collect();
    let mentioned = proof.terms.subterms(&roots);
    let mut carry = |own: &mut Terms, term: Term| {
        import.term(terms, own, term).expect("names mean the same in all stores of a run")
    };
    proof.bound = bound.iter().map(|&symbol| carry(&mut proof.terms, symbol)).collect();
    proof.bound.retain(|symbol| mentioned.contains(symbol));
    let mut own = (!task.map.encodings.is_empty()).then(|| terms.clone());
    for &(loc, place) in places.iter().filter(|_| !proof.bound.is_empty()) {
        let place = match &mut own {
            None => carry(&mut proof.terms, place),
            Some(own) => match program::pass::floats::decode(own, &task.map.encodings, place) {
                Some(place) => Import::new()
                    .term(own, &mut proof.terms, place)
                    .expect("names mean the same in all stores of a run"),
                None => continue,
            },
        };
        proof.places.push((task.map.points[loc].clone(), place));
    }
    let all: Vec<Term> = roots.into_iter().chain(proof.places.iter().map(|&(_, place)| place)).collect();
    proof.symbols = symbols(task, &task.program, &task.map, &proof.terms, &all);
    // A place that speaks of a bound symbol which no invariant mentions is of no use.
    let has_meaning = |part: &Term| {
        !matches!(proof.terms.op(*part), Op::Symbol(_))
            || proof.bound.contains(part)
            || proof.symbols.iter().any(|(symbol, _)| symbol == part)
    };
    proof.places.retain(|&(_, place)| proof.terms.subterms(&[place]).iter().all(has_meaning));
    proof
}

/// Adds the definitions of the totals in the proof's invariants.
pub(crate) fn with_totals(terms: &Terms, proof: &mut Proof, totals: &[Total]) {
    let mut import = Import::new();
    let roots: Vec<Term> = proof.invariants.iter().map(|&(_, term)| term).collect();
    let mentioned = proof.terms.subterms(&roots);
    for total in totals {
        let own = &mut proof.terms;
        let function = import.symbol(terms, own, total.function).expect("names mean the same in all stores of a run");
        if !mentioned.iter().any(|&part| own.op(part) == Op::Symbol(function)) {
            continue;
        }
        let mut term = |part: Term| import.term(terms, own, part).expect("names mean the same in all stores of a run");
        proof.totals.push(Total {
            function,
            counter: term(total.counter),
            cell: term(total.cell),
            index: term(total.index),
            summand: term(total.summand),
            place: term(total.place),
            position: term(total.position),
            limit: term(total.limit),
            is_xor: total.is_xor,
        });
    }
}

/// What the symbols in the terms stand for.
fn symbols(
    task: &Task,
    program: &Program,
    map: &BackMap,
    own: &Terms,
    roots: &[Term],
) -> Vec<(Term, program::Instance)> {
    let mut var_of: FastMap<&str, program::Var> = FastMap::new();
    for (var, variable) in program.vars.iter_enumerated() {
        if let Op::Symbol(symbol) = task.terms.op(variable.term) {
            var_of.insert(task.terms.symbol_name(symbol), var);
        }
    }
    let mut symbols = Vec::new();
    for term in own.subterms(roots) {
        if let Op::Symbol(symbol) = own.op(term)
            && let Some(&var) = var_of.get(own.symbol_name(symbol))
        {
            symbols.push((term, map.instances[var].clone()));
        }
    }
    symbols
}

/// The counterexample that a model describes: the inputs that its run meets, in the words of the program as lowered.
pub fn counterexample(
    task: &Task,
    inputs: &[StepInput],
    assertion: AssertionId,
    model: &mut Model<'_>,
) -> Counterexample {
    counterexample_with(task, inputs, assertion, &mut |term| model.value(term))
}

/// The same, where the values of terms come from elsewhere.
pub fn counterexample_with(
    task: &Task,
    inputs: &[StepInput],
    assertion: AssertionId,
    value_of: &mut dyn FnMut(Term) -> Value,
) -> Counterexample {
    let mut values = Vec::new();
    // Passes keep or drop an input as a whole, so the n-th value here is the n-th there.
    let mut asked: FastMap<(InputId, Option<u64>), u64> = FastMap::new();
    for step in inputs {
        let Source::Input(id) = step.source else { continue };
        let from = task.map.inputs[id];
        let Some(input) = from.input else { continue };
        if value_of(step.guard) != Value::Bool(true) {
            continue;
        }
        let count = asked.get_or_insert_with((input, from.offset), || 0);
        let occurrence = *count;
        *count += 1;
        match value_of(step.symbol) {
            Value::Bool(truth) => {
                // In memory a truth value is a byte.
                let width = if from.offset.is_some() { 8 } else { 1 };
                let value = Bits::from_u64(width, u64::from(truth));
                values.push(InputValue { input, occurrence, offset: from.offset, value });
            }
            Value::Bits(value) => values.push(InputValue { input, occurrence, offset: from.offset, value }),
            Value::Array(array) => {
                // An array of the program as lowered, unlike one that stands for memory, has a rest of its own.
                if let (None, true, Value::Bits(value)) = (from.offset, draws_array(task, input), array.default()) {
                    values.push(InputValue { input, occurrence, offset: None, value: value.clone() });
                }
                for (index, element) in array.entries() {
                    if let (Some(index), Value::Bits(value)) = (index.as_bits().and_then(Bits::to_u64), element) {
                        let offset = Some(from.offset.unwrap_or(0).wrapping_add(index));
                        values.push(InputValue { input, occurrence, offset, value: value.clone() });
                    }
                }
            }
            Value::Element(..) | Value::Number(..) => {}
        }
    }
    Counterexample { assertion, inputs: values, functions: Vec::new() }
}

/// Where the program applies an uninterpreted function, if it does.
fn applies_function(task: &Task) -> Option<Option<Place>> {
    task.program.edges.iter().find_map(|edge| {
        let mut roots = Vec::new();
        edge.action.for_each_term(|term| roots.push(term));
        let applies = |&term: &Term| matches!(task.terms.op(term), Op::Symbol(_)) && !task.terms.args(term).is_empty();
        task.terms.subterms(&roots).iter().any(applies).then_some(edge.place)
    })
}

/// Whether the input is an array in the program as lowered.
fn draws_array(task: &Task, input: InputId) -> bool {
    task.lowered.edges.iter().any(|edge| match edge.action {
        Action::Havoc { var, input: from } if from == input => {
            matches!(task.terms.sort_kind(task.lowered.vars[var].sort), SortKind::Array(..))
        }
        _ => false,
    })
}

/// The terms of an action.
fn action_terms(action: &Action) -> Vec<Term> {
    let mut found = Vec::new();
    action.for_each_term(|term| found.push(term));
    found
}

/// Why an error that a solver found is not confirmed by its replay: if solvers know less than the interpreter, that is the
/// reason and not a bug.
pub fn unconfirmed(task: &Task, blocks: &Blocks, why: Why) -> Why {
    if why.code != Code::Rejected {
        return why;
    }
    if let Some(place) = blocks.unmodelled {
        return Why::at(Code::Memory, "memory that is not modelled", place);
    }
    if let Some(at) = decided_by_layout(task) {
        return Why::at(Code::Layout, "where objects lie in memory", at);
    }
    // A counterexample of a solver names values of inputs, not of functions.
    if let Some(place) = applies_function(task) {
        return Why::at(Code::Uninterpreted, "uninterpreted functions", place);
    }
    let strange = |sort| match task.terms.sort_kind(sort) {
        SortKind::Bool | SortKind::BitVec(_) | SortKind::Array(..) => None,
        SortKind::Uninterpreted(_) => Some((Code::Uninterpreted, "uninterpreted functions")),
        SortKind::Int | SortKind::Real => Some((Code::RealNumbers, "mathematical numbers")),
        _ => Some((Code::Floats, "floating-point arithmetic")),
    };
    // Variables stay in the table when a pass has made words of floats: remainders are functions there, and C leaves open the bits of a NaN.
    let of_variables = task.program.vars.iter().find_map(|var| Some((strange(var.sort)?, var.place)));
    // A pass may have left such values in terms only: constants, conversions between them and their bits.
    let of_terms = || {
        task.program.edges.iter().find_map(|edge| {
            let parts = task.terms.subterms(&action_terms(&edge.action));
            Some((parts.into_iter().find_map(|part| strange(task.terms.sort_of(part)))?, edge.place))
        })
    };
    match of_variables.or_else(of_terms) {
        Some(((code, what), at)) => Why::at(code, what, at),
        None => why,
    }
}

/// The first place where the program as engines see it speaks of addresses: solvers leave open where objects lie.
fn decided_by_layout(task: &Task) -> Option<Option<Place>> {
    let mut addresses: FastMap<Term, ()> = FastMap::new();
    for variable in &task.program.vars {
        if matches!(variable.kind, VarKind::AddressOf(_) | VarKind::AddressOfFunction(_)) {
            addresses.insert(variable.term, ());
        }
    }
    let speaks = |edge: &program::Edge| {
        matches!(edge.action, Action::Alloc { .. })
            || task.terms.subterms(&action_terms(&edge.action)).iter().any(|part| addresses.contains_key(part))
    };
    task.program.edges.iter().find(|edge| speaks(edge)).map(|edge| edge.place)
}
