//! Inlining: all calls become part of one function.
//!
//! Each activation of a function gets its own copies of the function's locations, variables and automatic
//! objects. A call is an edge that assigns the parameters and leads to the copy's entry, and an edge from
//! the copy's exit that assigns the result. An activation can be entered again in a loop, so the contents
//! of its objects are forgotten when it starts; what may outlive its activation is treated in `lifetimes`.
//!
//! Activations are worked through with a list of our own, so deep chains of calls do no harm; the number of
//! edges is bounded by an option.

use base::{FastMap, IndexVec};
use term::{Substitution, Terms};

use super::names::{Names, symbol_name};
use super::reads::{retarget, rewrite};
use super::{BackMap, Obstacle, Source, Unsupported, lifetimes};
use crate::{
    Action, Edge, EdgeId, Frame, FunId, Graph, Input, InputKind, Instance, Loc, Location, Mark, Object, ObjectId,
    Point, Program, Shown, Storage, Var, VarKind, Variable,
};

/// How far inlining goes.
#[derive(Clone, Copy, Debug)]
pub struct InlineOptions {
    /// How many activations of one function there may be at once; `None`: recursion is refused.
    pub recursion: Option<u32>,
    /// How many edges the result may have.
    pub max_edges: usize,
}

impl Default for InlineOptions {
    fn default() -> Self {
        InlineOptions { recursion: None, max_edges: 2_000_000 }
    }
}

/// A program in which only the entry function has edges, and none is a call.
#[derive(Clone, Debug)]
pub struct Inlined {
    /// The program.
    pub program: Program,
    /// The way back.
    pub map: BackMap,
    /// Calls beyond the bound on recursion: they lead nowhere, so the program is safe only up to them.
    pub cut_calls: Vec<(Point, EdgeId)>,
}

/// Inlines all calls into the entry function.
pub fn inline(program: Program, terms: &mut Terms, options: &InlineOptions) -> Result<Inlined, Unsupported> {
    let entry = program.entry.expect("a program has an entry function");
    let graph = Graph::new(&program);
    let names = Names::of(&program, terms);
    let mut new = Program {
        locations: IndexVec::new(),
        edges: IndexVec::new(),
        // The rest is kept, so that ids stay what they are.
        ..program.clone()
    };
    let mut map = BackMap { points: IndexVec::new(), edges: IndexVec::new(), ..BackMap::identity(&program) };
    // Functions must have their own entry and exit; only their names and addresses still matter.
    for (id, function) in program.functions.iter_enumerated() {
        if id != entry {
            for loc in [function.entry, function.exit] {
                map.points.push(Point { frame: Frame::default(), loc });
                let place = program.locations[loc].place;
                let stub = new.locations.push(Location { function: id, place, mark: Mark::None });
                let slot =
                    if loc == function.entry { &mut new.functions[id].entry } else { &mut new.functions[id].exit };
                *slot = stub;
            }
            if function.entry == function.exit {
                new.functions[id].exit = new.functions[id].entry;
            }
        }
    }
    let variables = variables_by_function(&program);
    let mut inliner = Inliner {
        old: &program,
        graph: &graph,
        variables,
        new,
        map,
        names,
        entry,
        cut_calls: Vec::new(),
        activations: Vec::new(),
    };
    inliner.run(terms, options)?;
    let Inliner { mut new, mut map, cut_calls, activations, .. } = inliner;
    lifetimes::bound(&mut new, &mut map, terms, &activations);
    Ok(Inlined { program: new, map, cut_calls })
}

/// An activation that stands in the new program.
pub(super) struct Activation {
    pub frame: Frame,
    /// Its automatic objects, each with the edge that forgets its contents.
    pub objects: Vec<(ObjectId, EdgeId)>,
    /// The edge from its exit back to the caller; none for the entry function.
    pub back: Option<EdgeId>,
    /// The variables that were made for it.
    pub vars: Vec<Var>,
}

/// A call that is still to be inlined.
struct Pending {
    function: FunId,
    frame: Frame,
    /// The functions that are active, innermost last, with how often each is.
    depth: Vec<FunId>,
    call: Option<Call>,
}

/// Where a call stands in the new program.
struct Call {
    edge: EdgeId,
    from: Loc,
    to: Loc,
    args: Vec<term::Term>,
    result: Option<Var>,
}

struct Inliner<'a> {
    old: &'a Program,
    graph: &'a Graph,
    variables: IndexVec<FunId, Vec<Var>>,
    new: Program,
    map: BackMap,
    names: Names,
    entry: FunId,
    cut_calls: Vec<(Point, EdgeId)>,
    activations: Vec<Activation>,
}

impl Inliner<'_> {
    fn run(&mut self, terms: &mut Terms, options: &InlineOptions) -> Result<(), Unsupported> {
        let mut pending =
            vec![Pending { function: self.entry, frame: Frame::default(), depth: vec![self.entry], call: None }];
        while let Some(next) = pending.pop() {
            let calls = self.activate(terms, &next, options)?;
            // The first call is worked through first.
            for call in calls.into_iter().rev() {
                let Action::Call { function, .. } = self.old.edges[call.edge].action else {
                    panic!("only calls are inlined");
                };
                let active = next.depth.iter().filter(|&&other| other == function).count();
                match options.recursion {
                    None if active > 0 => {
                        let name = &self.old.functions[function].name;
                        let place = self.old.edges[call.edge].place;
                        let what = format!("recursion of {name}");
                        return Err(Unsupported { obstacle: Obstacle::Recursion, what, place });
                    }
                    Some(bound) if active >= bound.max(1) as usize => self.cut(terms, &next.frame, call),
                    _ => {
                        let mut depth = next.depth.clone();
                        depth.push(function);
                        pending.push(Pending {
                            function,
                            frame: next.frame.callee(call.edge),
                            depth,
                            call: Some(call),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// A call that leads nowhere.
    fn cut(&mut self, terms: &mut Terms, frame: &Frame, call: Call) {
        let point = Point { frame: frame.clone(), loc: self.old.edges[call.edge].from };
        let end = self.location(point.clone(), None, Mark::None);
        let always = terms.truth(true);
        self.edge(call.from, end, Action::Assume(always), call.edge);
        self.cut_calls.push((point, call.edge));
    }

    /// Copies a function; its calls are still to be inlined.
    fn activate(
        &mut self,
        terms: &mut Terms,
        pending: &Pending,
        options: &InlineOptions,
    ) -> Result<Vec<Call>, Unsupported> {
        let function = &self.old.functions[pending.function];
        let edges = self.graph.edges(pending.function);
        if self.new.edges.len() + edges.len() + function.objects.len() > options.max_edges {
            let what = format!("a program of more than {} edges after inlining", options.max_edges);
            let place = pending.call.as_ref().and_then(|call| self.old.edges[call.edge].place);
            return Err(Unsupported { obstacle: Obstacle::Size, what, place });
        }
        let mut activation =
            Activation { frame: pending.frame.clone(), objects: Vec::new(), back: None, vars: Vec::new() };
        let copies = self.variables(terms, pending, &mut activation);
        let pairs: Vec<_> =
            copies.pairs.iter().map(|&(old, new)| (self.old.vars[old].term, self.new.vars[new].term)).collect();
        let mut substitution = Substitution::new(terms, &pairs);

        let mut locations: FastMap<Loc, Loc> = FastMap::new();
        for &loc in self.graph.locations(pending.function) {
            let info = &self.old.locations[loc];
            let point = Point { frame: pending.frame.clone(), loc };
            let copy = self.location(point, info.place, info.mark.clone());
            locations.insert(loc, copy);
        }
        let (start, exit) = (locations[&function.entry], locations[&function.exit]);
        match &pending.call {
            None => {
                self.new.functions[self.entry].entry = start;
                self.new.functions[self.entry].exit = exit;
            }
            Some(call) => {
                let mut at = call.from;
                for (object, forget) in &copies.objects {
                    let here = Point { frame: pending.frame.clone(), loc: function.entry };
                    let next = self.location(here, None, Mark::None);
                    let edge = self.edge(at, next, forget.clone(), call.edge);
                    activation.objects.push((*object, edge));
                    at = next;
                }
                let params = function.params.iter().map(|param| copies.of[param]);
                let assign = Action::Assign(params.zip(call.args.iter().copied()).collect());
                self.edge(at, start, assign, call.edge);
                let result = match (call.result, function.result) {
                    (Some(var), Some(result)) => vec![(var, self.new.vars[copies.of[&result]].term)],
                    _ => Vec::new(),
                };
                activation.back = Some(self.edge(exit, call.to, Action::Assign(result), call.edge));
            }
        }
        let mut calls = Vec::new();
        for &id in edges {
            let edge = &self.old.edges[id];
            let (from, to) = (locations[&edge.from], locations[&edge.to]);
            let own = |var: Var| copies.of.get(&var).copied().unwrap_or(var);
            let action = retarget(rewrite(&edge.action, |term| substitution.apply(terms, term)), own);
            match action {
                Action::Call { args, result, .. } => calls.push(Call { edge: id, from, to, args, result }),
                Action::End { object } => {
                    let address = own(self.old.objects[object].address);
                    let VarKind::AddressOf(object) = self.new.vars[address].kind else {
                        unreachable!("an object has an address variable");
                    };
                    self.edge(from, to, Action::End { object }, id);
                }
                // Marks are for runs of the program as lowered.
                Action::Order(_) => {
                    self.edge(from, to, Action::Assume(terms.truth(true)), id);
                }
                action => {
                    self.edge(from, to, action, id);
                }
            }
        }
        self.activations.push(activation);
        Ok(calls)
    }

    /// New variables and objects for an activation; the entry function keeps its own.
    fn variables(&mut self, terms: &mut Terms, pending: &Pending, activation: &mut Activation) -> Copies {
        let mut copies = Copies { pairs: Vec::new(), of: FastMap::new(), objects: Vec::new() };
        if pending.call.is_none() {
            return copies;
        }
        for var in self.variables[pending.function].clone() {
            let info = &self.old.vars[var];
            let kind = match info.kind {
                VarKind::Local(_) | VarKind::Param(_) => VarKind::Local(self.entry),
                VarKind::Temp(_) => VarKind::Temp(self.entry),
                VarKind::AddressOf(_) => VarKind::AddressOf(self.new.objects.next_id()),
                VarKind::Global | VarKind::AddressOfFunction(_) => unreachable!("it belongs to a function"),
            };
            let base_name = symbol_name(terms, info.term).to_owned();
            let term = self.names.fresh(terms, &base_name, info.sort);
            let name = symbol_name(terms, term).to_owned();
            let copy = Variable { name, term, sort: info.sort, kind, shown: info.shown, place: info.place };
            let copy = self.new.vars.push(copy);
            self.map.instances.push(Instance { frame: pending.frame.clone(), storage: Storage::Variable(var) });
            copies.pairs.push((var, copy));
            copies.of.insert(var, copy);
            activation.vars.push(copy);
            if let VarKind::AddressOf(object) = info.kind {
                let old = &self.old.objects[object];
                let term = self.new.vars[copy].term;
                let object = self.object(old, object, copy, &pending.frame);
                let kind = InputKind::Uninitialised(old.name.clone());
                let input = self.new.inputs.push(Input { kind, shown: Shown::Plain, place: old.place });
                self.map.inputs.push(Source { input: None, offset: None });
                let size = Some(terms.bv(self.new.pointer_width, old.size));
                copies.objects.push((object, Action::Forget { address: term, size, input }));
            }
        }
        copies
    }

    fn object(&mut self, old: &Object, id: ObjectId, address: Var, frame: &Frame) -> ObjectId {
        let name = self.new.vars[address].name.replacen('&', "", 1);
        let object = self.new.objects.push(Object { name, address, owner: Some(self.entry), ..old.clone() });
        self.new.functions[self.entry].objects.push(object);
        self.map.objects.push((frame.clone(), id));
        object
    }
    fn location(&mut self, point: Point, place: Option<base::Place>, mark: Mark) -> Loc {
        self.map.points.push(point);
        self.new.locations.push(Location { function: self.entry, place, mark })
    }
    fn edge(&mut self, from: Loc, to: Loc, action: Action, old: EdgeId) -> EdgeId {
        self.map.edges.push(vec![old]);
        self.new.edges.push(Edge { from, to, action, place: self.old.edges[old].place })
    }
}

/// What an activation has in the place of its function's variables and objects.
struct Copies {
    pairs: Vec<(Var, Var)>,
    of: FastMap<Var, Var>,
    objects: Vec<(ObjectId, Action)>,
}

fn variables_by_function(program: &Program) -> IndexVec<FunId, Vec<Var>> {
    let mut by_function: IndexVec<FunId, Vec<Var>> = program.functions.iter().map(|_| Vec::new()).collect();
    for var in program.vars.ids() {
        if let Some(function) = program.function_of(var) {
            by_function[function].push(var);
        }
    }
    by_function
}
