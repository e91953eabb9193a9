//! Origins: which objects addresses may be derived from, everywhere in a program.
//!
//! For each variable, and for the contents of each site at each class of offsets, the [`Targets`] that may be in it: the least
//! solution of inclusions, one for each step of the program, found in two rounds. The first forgets the order of steps. The second looks at the
//! variables that carry several targets again, location by location: after `p = a; …; p = b;` the second `p` leads into `b` alone.
//!
//! Free values carry nothing, except those from functions without a body, which may lead anywhere ([`OUTSIDE`]).
//! Graph, slots and sites are the caller's (`Names`): `certify` expands calls, passes have them inlined.

mod ended;
mod targets;
mod terms;

pub use ended::{Ends, Kind};
pub use targets::{OUTSIDE, Targets};

use base::FastMap;
use term::{Op, SortKind, Term, Terms};

use crate::layout::Class;
use crate::tuning::Tuning;
use crate::{Action, EdgeId, InputId, Program, Var};

/// How the caller numbers variables and sites.
pub trait Names {
    /// How many slots for variables there are.
    fn n_slots(&self) -> usize;
    /// The slot of a variable as a run in this activation sees it.
    fn slot(&self, frame: usize, var: Var) -> usize;
    /// How many sites there are.
    fn n_sites(&self) -> usize;
    /// The site of an `Alloc` edge in this activation.
    fn alloc(&self, frame: usize, edge: EdgeId) -> Option<u32>;
    /// The slots that hold the addresses of objects, with the site of each.
    fn addresses(&self) -> Vec<(usize, u32)>;
}

/// What happens between two nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Nothing.
    Nothing,
    /// This edge, which is no call.
    Edge(EdgeId),
    /// The call begins; the number is that of the callee's activation.
    Enter(EdgeId, usize),
    /// The call ends; the number is that of the caller's activation.
    Leave(EdgeId, usize),
}

/// A step from a node to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hop {
    /// Where it starts.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The activation that it starts in.
    pub frame: usize,
    /// What happens.
    pub step: Step,
}

/// What may be stored in some cells of a site.
struct Content {
    class: Class,
    bytes: u64,
    targets: Targets,
}

/// The solution.
pub struct Origins<'a, N> {
    program: &'a Program,
    terms: &'a Terms,
    names: &'a N,
    var_of: FastMap<Term, Var>,
    mentioned: FastMap<Term, Vec<Var>>,
    /// By slot, whatever the node.
    everywhere: Vec<Targets>,
    /// By site.
    contents: Vec<Vec<Content>>,
    /// What is stored through pointers from outside.
    leaked: Targets,
    flow: Flow,
    changed: bool,
}

/// Sets by node, for the slots that carry several targets.
#[derive(Default)]
struct Flow {
    place: FastMap<usize, usize>,
    at: Vec<Option<Vec<u32>>>,
    sets: Vec<Targets>,
    known: FastMap<Targets, u32>,
}

impl Flow {
    fn id(&mut self, set: Targets) -> u32 {
        if let Some(&id) = self.known.get(&set) {
            return id;
        }
        let id = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.known.insert(set, id);
        id
    }
}

impl<'a, N: Names> Origins<'a, N> {
    /// Solves the inclusions of these hops; runs start at node zero.
    pub fn new(program: &'a Program, terms: &'a Terms, names: &'a N, n_nodes: usize, hops: &[Hop]) -> Self {
        let mut var_of = FastMap::new();
        for (var, variable) in program.vars.iter_enumerated() {
            var_of.insert(variable.term, var);
        }
        let mut everywhere = vec![Targets::default(); names.n_slots()];
        for (slot, site) in names.addresses() {
            everywhere[slot] = Targets::base(site);
        }
        let mut found = Origins {
            program,
            terms,
            names,
            var_of,
            mentioned: FastMap::new(),
            everywhere,
            contents: (0..names.n_sites()).map(|_| Vec::new()).collect(),
            leaked: Targets::default(),
            flow: Flow::default(),
            changed: true,
        };
        while std::mem::take(&mut found.changed) {
            for hop in hops {
                for (slot, targets) in found.after(None, hop) {
                    found.changed |= found.everywhere[slot].add(&targets);
                }
                found.write(hop);
            }
        }
        found.solve_by_node(n_nodes, hops);
        found
    }
    /// What the value of a term may be derived from in this activation, at this node.
    pub fn of_term(&mut self, node: usize, frame: usize, term: Term) -> Targets {
        let state = self.flow.at.get(node).cloned().flatten();
        self.carried(state.as_deref(), frame, term)
    }

    /// The slot's set in the state, or whatever the node.
    fn of_slot<'s>(&'s self, state: Option<&[u32]>, slot: usize) -> &'s Targets {
        match (state, self.flow.place.get(&slot)) {
            (Some(state), Some(&place)) => &self.flow.sets[state[place] as usize],
            _ => &self.everywhere[slot],
        }
    }
    fn carried(&mut self, state: Option<&[u32]>, frame: usize, term: Term) -> Targets {
        let terms = self.terms;
        if !self.mentioned.contains_key(&term) {
            let parts = terms.subterms_until(&[term], |part| terms.is_bool(part));
            let symbols = parts.into_iter().filter(|&part| matches!(terms.op(part), Op::Symbol(_)));
            let vars = symbols.filter_map(|symbol| self.var_of.get(&symbol).copied()).collect();
            self.mentioned.insert(term, vars);
        }
        let carries = |var: Var| self.of_slot(state, self.names.slot(frame, var));
        if self.mentioned[&term].iter().all(|&var| carries(var).is_empty()) {
            return Targets::default();
        }
        if let Some(&var) = self.var_of.get(&term) {
            return carries(var).clone();
        }
        terms::targets_of(self.program, terms, term, |symbol| self.var_of.get(&symbol).copied(), carries)
    }

    /// What the slots that the hop assigns carry after it.
    fn after(&mut self, state: Option<&[u32]>, hop: &Hop) -> Vec<(usize, Targets)> {
        let (program, names, frame) = (self.program, self.names, hop.frame);
        let action = |edge: EdgeId| &program.edges[edge].action;
        let mut new = Vec::new();
        match hop.step {
            Step::Nothing => {}
            Step::Enter(edge, callee) => {
                let Action::Call { function, args, .. } = action(edge) else { return new };
                for (&param, &arg) in program.functions[*function].params.iter().zip(args) {
                    new.push((names.slot(callee, param), self.carried(state, frame, arg)));
                }
            }
            Step::Leave(edge, caller) => {
                let Action::Call { function, result, .. } = action(edge) else { return new };
                if let (&Some(target), Some(result)) = (result, program.functions[*function].result) {
                    let targets = self.of_slot(state, names.slot(frame, result)).clone();
                    new.push((names.slot(caller, target), targets));
                }
            }
            Step::Edge(edge) => match action(edge) {
                Action::Assign(pairs) => {
                    for &(var, value) in pairs {
                        new.push((names.slot(frame, var), self.carried(state, frame, value)));
                    }
                }
                Action::Havoc { var, input } => {
                    let targets = if self.is_open(*input) { Targets::outside() } else { Targets::default() };
                    new.push((names.slot(frame, *var), targets));
                }
                Action::Alloc { var, .. } => {
                    let targets = names.alloc(frame, edge).map_or_else(Targets::outside, Targets::base);
                    new.push((names.slot(frame, *var), targets));
                }
                Action::Load { var, address } => {
                    let places = self.carried(state, frame, *address);
                    let bytes = bytes_of(self.terms, program.vars[*var].sort);
                    new.push((names.slot(frame, *var), self.read(&places, bytes)));
                }
                Action::Probe { var, .. } => new.push((names.slot(frame, *var), Targets::default())),
                _ => {}
            },
        }
        new
    }
    /// What the hop stores; the order of steps does not matter to contents.
    fn write(&mut self, hop: &Hop) {
        let Step::Edge(edge) = hop.step else { return };
        match &self.program.edges[edge].action {
            Action::Store { address, value } => {
                let targets = self.carried(None, hop.frame, *value);
                if !targets.is_empty() {
                    let places = self.carried(None, hop.frame, *address);
                    let bytes = bytes_of(self.terms, self.terms.sort_of(*value));
                    self.put(&places, bytes, &targets);
                }
            }
            Action::Forget { address, input, .. } if self.is_open(*input) => {
                let places = self.carried(None, hop.frame, *address).anywhere();
                self.put(&places, 1, &Targets::outside());
            }
            Action::Alloc { moved: Some(from), .. } => {
                let old = self.carried(None, hop.frame, *from);
                let targets = self.read(&old.anywhere(), 1);
                if let Some(site) = self.names.alloc(hop.frame, edge).filter(|_| !targets.is_empty()) {
                    let mut place = Targets::default();
                    place.insert(site, Class::ANY);
                    self.put(&place, 1, &targets);
                }
            }
            _ => {}
        }
    }
    fn is_open(&self, input: InputId) -> bool {
        self.program.inputs[input].kind.is_uncontrolled()
    }
    fn put(&mut self, places: &Targets, bytes: u64, targets: &Targets) {
        for (site, class) in places.iter() {
            if site == OUTSIDE {
                self.changed |= self.leaked.add(targets);
                continue;
            }
            let cells = &mut self.contents[site as usize];
            if let Some(cell) = cells.iter_mut().find(|cell| cell.class == class && cell.bytes == bytes) {
                self.changed |= cell.targets.add(targets);
                continue;
            }
            self.changed = true;
            cells.push(Content { class, bytes, targets: targets.clone() });
            if cells.len() > Tuning::DEFAULT.max_site_cells {
                let mut all = Targets::default();
                cells.iter().for_each(|cell| {
                    all.add(&cell.targets);
                });
                *cells = vec![Content { class: Class::ANY, bytes: 1, targets: all.anywhere() }];
            }
        }
    }
    fn read(&self, places: &Targets, bytes: u64) -> Targets {
        let mut all = if places.is_empty() { Targets::default() } else { self.leaked.clone() };
        for (site, class) in places.iter() {
            if site == OUTSIDE {
                all.add(&Targets::outside());
                continue;
            }
            for cell in &self.contents[site as usize] {
                if !cell.class.may_overlap(cell.bytes, class, bytes, self.program.pointer_width) {
                    continue;
                }
                let is_whole = cell.bytes == bytes && cell.class.is_aligned_with(class, bytes);
                all.add(&if is_whole { cell.targets.clone() } else { cell.targets.anywhere() });
            }
        }
        all
    }

    fn solve_by_node(&mut self, n_nodes: usize, hops: &[Hop]) {
        let mut is_address = vec![false; self.everywhere.len()];
        self.names.addresses().into_iter().for_each(|(slot, _)| is_address[slot] = true);
        let mut place = FastMap::new();
        for (slot, targets) in self.everywhere.iter().enumerate() {
            if targets.len() > 1 && !is_address[slot] {
                place.insert(slot, place.len());
            }
        }
        if place.is_empty() || place.len().saturating_mul(n_nodes) > Tuning::DEFAULT.max_flow_sets {
            return;
        }
        let n_places = place.len();
        self.flow = Flow { place, at: vec![None; n_nodes], ..Flow::default() };
        let nothing = self.flow.id(Targets::default());
        let mut at: Vec<Option<Vec<u32>>> = vec![None; n_nodes];
        at[0] = Some(vec![nothing; n_places]);
        let mut from: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
        for (number, hop) in hops.iter().enumerate() {
            from[hop.from].push(number);
        }
        let mut todo = vec![0];
        let mut is_queued = vec![false; n_nodes];
        while let Some(node) = todo.pop() {
            is_queued[node] = false;
            for &number in &from[node] {
                let hop = &hops[number];
                let Some(mut state) = at[node].clone() else { continue };
                for (slot, targets) in self.after(Some(&state.clone()), hop) {
                    if let Some(&place) = self.flow.place.get(&slot) {
                        state[place] = self.flow.id(targets);
                    }
                }
                if self.join(&mut at[hop.to], state) && !std::mem::replace(&mut is_queued[hop.to], true) {
                    todo.push(hop.to);
                }
            }
        }
        self.flow.at = at;
    }
    /// Whether something was new.
    fn join(&mut self, old: &mut Option<Vec<u32>>, new: Vec<u32>) -> bool {
        let Some(old) = old else {
            *old = Some(new);
            return true;
        };
        let mut changed = false;
        for (old, new) in old.iter_mut().zip(new) {
            if *old != new {
                let mut both = self.flow.sets[*old as usize].clone();
                if both.add(&self.flow.sets[new as usize]) {
                    *old = self.flow.id(both);
                    changed = true;
                }
            }
        }
        changed
    }
}

/// How many bytes a value of the sort takes in memory; one where it has none.
fn bytes_of(terms: &Terms, sort: term::Sort) -> u64 {
    match *terms.sort_kind(sort) {
        SortKind::BitVec(width) => u64::from(width.div_ceil(8)),
        SortKind::Float(exponent, significand) => u64::from((exponent + significand).div_ceil(8)),
        _ => 1,
    }
}
