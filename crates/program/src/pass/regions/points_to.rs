//! Which objects the accesses of the inlined program may concern, in words of the program as lowered.
//!
//! This is asked of the program before anything is simplified, because `certify` asks the same of the program as lowered: what
//! both find agrees, and passes may remove variables as they like.

use base::{FastMap, Id, IndexVec};
use term::{Term, Terms};

use super::validity::{note_stored, pointer_of};
use crate::origin::{Ends, Hop, Kind, Names, OUTSIDE, Origins, Step, Targets};
use crate::pass::BackMap;
use crate::pass::shape::{Shape, entry_of};
use crate::{Action, EdgeId, Frame, Graph, Instance, Lifetime, Loc, ObjectId, Program, Site, Storage, Var, VarKind};

/// A site with what matters about it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub site: Site,
    /// Whether a run makes at most one object there.
    pub once: bool,
    /// The size, if it is a constant.
    pub size: Option<u64>,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub(in crate::pass) struct Found {
    pub(super) places: Vec<Place>,
    pub(super) index: FastMap<Site, u32>,
    /// By edge of the inlined program: activation and edge of the program as lowered, and the targets.
    targets: FastMap<EdgeId, ((Frame, EdgeId), Targets)>,
    /// Whether the program may compare the address of an object that has ended with another's.
    pub(super) compares_ended: bool,
    /// By edge of the inlined program: the site of an `Alloc`.
    allocs: FastMap<EdgeId, u32>,
    /// By edge of the inlined program: what a probe asks about, a `Free` ends or an `Alloc` moves.
    pub(super) pointers: FastMap<EdgeId, Targets>,
    /// Sites whose objects end with their function, although they are allocated.
    on_stack: FastMap<u32, ()>,
    /// By site: whether its addresses are stored in memory.
    pub(super) stored: Vec<bool>,
}

/// For each edge, those of the inlined program that it stands for.
pub(in crate::pass) type Trace = IndexVec<EdgeId, Vec<EdgeId>>;

impl Found {
    /// Finds the targets of all accesses of an inlined program.
    pub(in crate::pass) fn new(program: &Program, map: &BackMap, terms: &Terms, is_alloc: &[bool]) -> Found {
        let graph = Graph::new(program);
        let shape = Shape::new(program, &graph, |_| false);
        let is_cyclic = |edge: EdgeId| shape.together(program.edges[edge].from, program.edges[edge].to);
        let mut found = Found::default();
        let repeated = repeated_frames(program, map, &is_cyclic);
        let mut objects = FastMap::new();
        for (object, info) in program.objects.iter_enumerated() {
            let (frame, lowered) = &map.objects[object];
            let site =
                if info.owner.is_none() { Site::Static(*lowered) } else { Site::Automatic(frame.clone(), *lowered) };
            let once = info.owner.is_none() || !repeated.contains_key(frame);
            objects.insert(object, found.site(site, once, Some(info.size)));
        }
        let mut allocs = FastMap::new();
        for (edge, info) in program.edges.iter_enumerated() {
            let Action::Alloc { var, size, lifetime, .. } = info.action else { continue };
            let frame = map.points[info.from].frame.clone();
            let lowered = map.edges[edge].iter().copied().find(|edge| is_alloc[edge.index()]);
            let site = match (lowered, &map.instances[var]) {
                (Some(lowered), _) => {
                    found.site(Site::Alloc(frame, lowered), !is_cyclic(edge), terms.small_value(size))
                }
                // An automatic object whose end a pass made visible.
                (None, Instance { frame, storage: Storage::Variable(address) }) => {
                    let address = program.vars.get(*address).map(|variable| variable.kind);
                    let Some(VarKind::AddressOf(object)) = address else { continue };
                    let once = !repeated.contains_key(frame);
                    let size = program.objects[object].size;
                    found.site(Site::Automatic(frame.clone(), object), once, Some(size))
                }
                _ => continue,
            };
            allocs.insert(edge, site);
            if lifetime == Lifetime::Frame {
                found.on_stack.insert(site, ());
            }
        }
        let numbers = Numbers { program, n_sites: found.places.len(), objects, allocs };
        let start = entry_of(program);
        let number = |loc: Loc| if loc == start { 0 } else { loc.index() + 1 };
        let hops: Vec<Hop> = program
            .edges
            .iter_enumerated()
            .map(|(edge, info)| Hop { from: number(info.from), to: number(info.to), frame: 0, step: Step::Edge(edge) })
            .collect();
        let mut origins = Origins::new(program, terms, &numbers, program.locations.len() + 1, &hops);
        found.stored = vec![false; found.places.len()];
        for (edge, info) in program.edges.iter_enumerated() {
            let node = number(info.from);
            if let Some(address) = pointer_of(&info.action) {
                found.pointers.insert(edge, origins.of_term(node, 0, address));
            }
            if let Action::Store { value, .. } = info.action {
                note_stored(&mut found.stored, &origins.of_term(node, 0, value));
            }
            let Some(address) = address_of(&info.action) else { continue };
            let targets = origins.of_term(number(info.from), 0, address);
            let frame = map.points[info.from].frame.clone();
            if let Some(&lowered) = map.edges[edge].first() {
                found.targets.insert(edge, ((frame, lowered), targets));
            }
        }
        let ends = |hop: &Hop| {
            let Step::Edge(edge) = hop.step else { return Ends::default() };
            let info = &program.edges[edge];
            let (from, to) = (&map.points[info.from].frame, &map.points[info.to].frame);
            let automatic = to.0.len() < from.0.len()
                || matches!(info.action, Action::End { .. } | Action::Free { lifetime: Lifetime::Frame, .. });
            Ends { heap: false, automatic }
        };
        let kind = |site: u32| {
            let place = &found.places[site as usize];
            Kind {
                is_heap: matches!(place.site, Site::Alloc(..)),
                is_automatic: matches!(place.site, Site::Automatic(..)) || found.on_stack.contains_key(&site),
                is_many: !place.once,
            }
        };
        found.compares_ended = origins.compares_ended(program.locations.len() + 1, &hops, ends, kind);
        found.allocs = numbers.allocs;
        found
    }
    /// What an edge accesses.
    pub(super) fn of(&self, trace: &Trace, edge: EdgeId) -> Option<&((Frame, EdgeId), Targets)> {
        trace[edge].iter().find_map(|inlined| self.targets.get(inlined))
    }
    /// The site of an `Alloc` edge.
    pub(super) fn alloc(&self, trace: &Trace, edge: EdgeId) -> Option<u32> {
        trace[edge].iter().find_map(|inlined| self.allocs.get(inlined)).copied()
    }
    /// The site of an `Alloc` edge of the inlined program.
    pub(super) fn alloc_at(&self, edge: EdgeId) -> Option<u32> {
        self.allocs.get(&edge).copied()
    }
    fn site(&mut self, site: Site, once: bool, size: Option<u64>) -> u32 {
        if let Some(&known) = self.index.get(&site) {
            return known;
        }
        let number = self.places.len() as u32;
        debug_assert!(number != OUTSIDE);
        self.index.insert(site.clone(), number);
        self.places.push(Place { site, once, size });
        number
    }
}

/// The address that an action is about.
pub(super) fn address_of(action: &Action) -> Option<Term> {
    match action {
        Action::Load { address, .. } | Action::Store { address, .. } | Action::Forget { address, .. } => Some(*address),
        _ => None,
    }
}

/// The activations that a run may enter several times.
fn repeated_frames(program: &Program, map: &BackMap, is_cyclic: &dyn Fn(EdgeId) -> bool) -> FastMap<Frame, ()> {
    let mut repeated = FastMap::new();
    for (edge, info) in program.edges.iter_enumerated() {
        let (from, to) = (&map.points[info.from].frame, &map.points[info.to].frame);
        if to.0.len() > from.0.len() && is_cyclic(edge) {
            repeated.insert(to.clone(), ());
        }
    }
    repeated
}

struct Numbers<'a> {
    program: &'a Program,
    n_sites: usize,
    objects: FastMap<ObjectId, u32>,
    allocs: FastMap<EdgeId, u32>,
}

impl Names for Numbers<'_> {
    fn n_slots(&self) -> usize {
        self.program.vars.len()
    }
    fn slot(&self, _: usize, var: Var) -> usize {
        var.index()
    }
    fn n_sites(&self) -> usize {
        self.n_sites
    }
    fn alloc(&self, _: usize, edge: EdgeId) -> Option<u32> {
        self.allocs.get(&edge).copied()
    }
    fn addresses(&self) -> Vec<(usize, u32)> {
        let sites = self.program.objects.iter_enumerated();
        sites.filter_map(|(object, info)| Some((info.address.index(), *self.objects.get(&object)?))).collect()
    }
}
