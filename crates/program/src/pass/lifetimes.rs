//! Lifetimes after inlining: an automatic object ends when its activation does.
//!
//! An inlined object is one object of the entry function, so a pointer that outlives the activation would
//! find it alive, where the lowered program finds nothing: reads there are any value, writes have no
//! effect. So an object whose address may be known after its activation has returned is allocated when
//! the activation starts and freed when it returns; all others may stay what they are.
//!
//! Whether an address may be known later is decided by a flow-insensitive analysis: from the
//! address along assignments, into the contents of objects that are only accessed by name, until the set is closed
//! or contains a variable or object with a longer lifetime, or memory that is accessed through
//! pointers. Comparisons give truth values, no addresses, so they are not followed.

use base::{FastMap, Id, IndexVec};
use term::{Op, Term, Terms};

use super::BackMap;
use super::inline::Activation;
use super::names::{Names, symbol_name};
use super::reads::{Reads, rewrite};
use crate::{
    Action, Edge, EdgeId, Frame, Graph, Instance, Lifetime, Loc, Mark, ObjectId, Program, Var, VarKind, Variable,
};

/// Ends objects that may outlive their activations. What `alloca` makes stays an allocation: accesses after its end are more runs, and whether they are
/// valid is a question of its own (`regions`).
pub(super) fn bound(program: &mut Program, map: &mut BackMap, terms: &mut Terms, activations: &[Activation]) {
    let graph = Graph::new(program);
    let matters = reaches_error(program, &graph);
    let flow = Flow::new(program, terms, activations);
    let mut ended: Vec<(ObjectId, EdgeId, EdgeId)> = Vec::new();
    for activation in activations {
        // Where no error can follow, lifetimes do not matter.
        let Some(back) = activation.back.filter(|&back| matters[program.edges[back].to]) else { continue };
        for &(object, forget) in &activation.objects {
            if flow.outlives(program, program.objects[object].address, &activation.frame) {
                ended.push((object, forget, back));
            }
        }
    }
    end(program, map, terms, &ended);
}

/// Turns objects into allocations that are freed when the activation returns.
fn end(program: &mut Program, map: &mut BackMap, terms: &mut Terms, ended: &[(ObjectId, EdgeId, EdgeId)]) {
    if ended.is_empty() {
        return;
    }
    let entry = program.entry.expect("a program has an entry function");
    let mut names = Names::of(program, terms);
    let mut pairs = Vec::new();
    for &(object, forget, back) in ended {
        let address = program.objects[object].address;
        let info = program.vars[address].clone();
        let base_name = symbol_name(terms, info.term).to_owned();
        let term = names.fresh(terms, &base_name, info.sort);
        let name = symbol_name(terms, term).to_owned();
        let var = program.vars.push(Variable { name, term, kind: VarKind::Temp(entry), ..info.clone() });
        let instance: Instance = map.instances[address].clone();
        map.instances.push(instance);
        pairs.push((info.term, term));
        let Action::Forget { size: Some(size), input, .. } = program.edges[forget].action else {
            panic!("an activation forgets its objects");
        };
        begin_and_end_by_blocks(program, terms, object, var);
        program.edges[forget].action =
            Action::Alloc { var, size, lifetime: Lifetime::Heap, input: Some(input), moved: None };
        // The result is assigned first: it is not read from the object, only the order of edges matters.
        let (to, place) = (program.edges[back].to, program.edges[back].place);
        let middle = map.location_like(program, program.edges[back].from);
        program.edges[back].to = middle;
        let free = Edge { from: middle, to, action: Action::Free { address: term, lifetime: Lifetime::Heap }, place };
        map.edge_like(program, free, Some(back));
    }
    let mut substitution = term::Substitution::new(terms, &pairs);
    for edge in program.edges.iter_mut() {
        edge.action = rewrite(&edge.action, |term| substitution.apply(terms, term));
    }
}

/// An object that blocks end is freed there, and allocated again where it begins anew.
fn begin_and_end_by_blocks(program: &mut Program, terms: &Terms, object: ObjectId, var: Var) {
    let term = program.vars[var].term;
    let (address, whole) = (program.vars[program.objects[object].address].term, program.objects[object].size);
    let is_end = |edge: &Edge| matches!(edge.action, Action::End { object: ended } if ended == object);
    if !program.edges.iter().any(is_end) {
        return;
    }
    for edge in program.edges.iter_mut() {
        match edge.action {
            Action::End { object: ended } if ended == object => {
                edge.action = Action::Free { address: term, lifetime: Lifetime::Heap }
            }
            Action::Forget { address: at, size: Some(size), input }
                if at == address && terms.small_value(size) == Some(whole) =>
            {
                edge.action = Action::Alloc { var, size, lifetime: Lifetime::Heap, input: Some(input), moved: None };
            }
            _ => {}
        }
    }
}

/// Where addresses can go.
struct Flow {
    /// The variables whose values are made from this variable's value.
    into: IndexVec<Var, Vec<Var>>,
    /// The objects, accessed by name, whose contents are made from it.
    stored: IndexVec<Var, Vec<ObjectId>>,
    /// Whether it is stored where other code may read it.
    leaked: IndexVec<Var, bool>,
    /// The variables that are loaded from this object by name.
    loaded: IndexVec<ObjectId, Vec<Var>>,
    /// Whether the object is accessed through pointers too.
    known: IndexVec<ObjectId, bool>,
    /// The frame that the variable belongs to.
    frame: IndexVec<Var, Frame>,
}

impl Flow {
    fn new(program: &Program, terms: &Terms, activations: &[Activation]) -> Flow {
        let mut flow = Flow {
            into: program.vars.iter().map(|_| Vec::new()).collect(),
            stored: program.vars.iter().map(|_| Vec::new()).collect(),
            leaked: program.vars.iter().map(|_| false).collect(),
            loaded: program.objects.iter().map(|_| Vec::new()).collect(),
            known: program.objects.iter().map(|_| false).collect(),
            frame: program.vars.iter().map(|_| Frame::default()).collect(),
        };
        for activation in activations {
            for &var in &activation.vars {
                flow.frame[var] = activation.frame.clone();
            }
        }
        let reads = Reads::new(program);
        let mut values = Values { terms, reads, seen: FastMap::new() };
        for edge in &program.edges {
            match &edge.action {
                Action::Assign(pairs) => {
                    for &(var, value) in pairs {
                        for from in values.of(value) {
                            flow.into[from].push(var);
                            flow.expose(program, from);
                        }
                    }
                }
                Action::Load { var, address } => match values.object(program, *address) {
                    Some(object) => flow.loaded[object].push(*var),
                    None => flow.expose_all(program, values.of(*address)),
                },
                Action::Store { address, value } => {
                    let object = values.object(program, *address);
                    if object.is_none() {
                        flow.expose_all(program, values.of(*address));
                    }
                    for from in values.of(*value) {
                        match object {
                            Some(object) => flow.stored[from].push(object),
                            None => flow.leaked[from] = true,
                        }
                        flow.expose(program, from);
                    }
                }
                Action::Forget { address, .. } if values.object(program, *address).is_none() => {
                    flow.expose_all(program, values.of(*address));
                }
                Action::Free { address, .. } => flow.expose_all(program, values.of(*address)),
                _ => {}
            }
        }
        flow
    }

    /// The address of the variable's object, if it is one, is known to pointers.
    fn expose(&mut self, program: &Program, var: Var) {
        if let VarKind::AddressOf(object) = program.vars[var].kind {
            self.known[object] = true;
        }
    }
    fn expose_all(&mut self, program: &Program, vars: Vec<Var>) {
        for var in vars {
            self.expose(program, var);
        }
    }

    /// Whether the address may be known after this frame has returned.
    fn outlives(&self, program: &Program, start: Var, frame: &Frame) -> bool {
        let inside = |var: Var| self.frame[var].0.starts_with(&frame.0);
        let mut seen: FastMap<usize, ()> = FastMap::new();
        let mut work = vec![start];
        seen.insert(start.index(), ());
        while let Some(var) = work.pop() {
            if self.leaked[var] {
                return true;
            }
            let contents = self.stored[var].iter().map(|&object| (object, program.objects[object].address));
            for (object, address) in contents {
                if self.known[object] || !inside(address) {
                    return true;
                }
                for &next in &self.loaded[object] {
                    if !inside(next) {
                        return true;
                    }
                    if seen.insert(next.index(), ()).is_none() {
                        work.push(next);
                    }
                }
            }
            for &next in &self.into[var] {
                if !inside(next) {
                    return true;
                }
                if seen.insert(next.index(), ()).is_none() {
                    work.push(next);
                }
            }
        }
        false
    }
}

/// The variables that an address in a term can come from.
struct Values<'t> {
    terms: &'t Terms,
    reads: Reads,
    seen: FastMap<Term, Vec<Var>>,
}

impl Values<'_> {
    fn of(&mut self, term: Term) -> Vec<Var> {
        if let Some(known) = self.seen.get(&term) {
            return known.clone();
        }
        let terms = self.terms;
        let found = terms.subterms_until(&[term], |part| terms.is_bool(part));
        let symbols = found.into_iter().filter(|&part| matches!(terms.op(part), Op::Symbol(_)));
        let vars: Vec<Var> = symbols.filter_map(|symbol| self.reads.variable(symbol)).collect();
        self.seen.insert(term, vars.clone());
        vars
    }
    /// The object whose address variable is the base of this address, with a constant or no offset.
    fn object(&self, program: &Program, address: Term) -> Option<ObjectId> {
        let base = match (self.terms.op(address), self.terms.args(address)) {
            (Op::BvAdd, &[base, offset]) if self.terms.is_value(offset) => base,
            _ => address,
        };
        match program.vars[self.reads.variable(base)?].kind {
            VarKind::AddressOf(object) => Some(object),
            _ => None,
        }
    }
}

/// The locations from which an error can be reached, by the shape of the graph alone.
fn reaches_error(program: &Program, graph: &Graph) -> IndexVec<Loc, bool> {
    let mut reaches: IndexVec<Loc, bool> = program.locations.iter().map(|_| false).collect();
    let errors = program.locations.iter_enumerated().filter(|(_, info)| matches!(info.mark, Mark::Error(_)));
    let mut work: Vec<Loc> = errors.map(|(loc, _)| loc).collect();
    for &loc in &work {
        reaches[loc] = true;
    }
    while let Some(loc) = work.pop() {
        for &edge in graph.incoming(loc) {
            let from = program.edges[edge].from;
            if !std::mem::replace(&mut reaches[from], true) {
                work.push(from);
            }
        }
    }
    reaches
}
