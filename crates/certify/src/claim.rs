//! The layout that evidence claims, checked against the program.
//!
//! The claim says which columns hold which bytes of which objects, and which columns each load and store is about. Nothing of it is
//! believed. Which objects addresses may be derived from is found anew for the program as lowered (`program::origin`: a solution of
//! one inclusion per step, the meaning of addresses). Then:
//!
//! * *K1* every site exists, and is claimed once;
//! * *K2* cells of one object in different columns have no byte in common, cells in one column are the same or have no byte in common;
//! * *K4* all targets of an access are cells of the column that the claim names, of that size, part by part; bytes that the claim leaves out
//!   are in no column;
//! * *K5* a scalar or an offset column belongs to one site, of which at most one object is live: an automatic object, a static
//!   one, or an `Alloc` on no cycle of the expanded program;
//! * addresses of objects that have ended are not compared with others, so that no address need be handed out twice;
//! * *K6* an access that the claim does not name reads any value, and makes every column that it may touch any value.
//!
//! Whatever fails makes the claim unusable; the program may be safe all the same.

use base::{Budget, FastMap, Id};
use program::origin::{self, Names, OUTSIDE, Origins, Targets};
use program::{
    Action, Class, Column, EdgeId, Form, Layout, Lifetime, Member, ObjectId, Part, Program, Recorded, Site, Var,
};
use term::{Term, Terms};
use verdict::Code;

use crate::Refusal;
use crate::heap::Heap;
use crate::layout::{Objects, bytes_of};
use crate::points::{FrameId, How, Node, Points};
use crate::slots::Slots;

/// The activations that a layout names, found before the program is expanded.
pub(crate) struct Named<'l> {
    layout: &'l Layout,
    /// By site; none for static objects.
    sites: Vec<Option<FrameId>>,
    access: Vec<FrameId>,
    valid: Vec<FrameId>,
}

impl<'l> Named<'l> {
    /// Finds the activations.
    pub fn new(layout: &'l Layout, points: &mut Points<'_>) -> Result<Self, Refusal> {
        let mut sites = Vec::new();
        for site in &layout.sites {
            sites.push(match site {
                Site::Static(_) => None,
                Site::Automatic(frame, _) | Site::Alloc(frame, _) => Some(points.frame(frame)?),
            });
        }
        let access: Result<Vec<FrameId>, Refusal> =
            layout.access.iter().map(|(frame, _, _)| points.frame(frame)).collect();
        let valid: Result<Vec<FrameId>, Refusal> =
            layout.valid.iter().map(|recorded| points.frame(&recorded.frame)).collect();
        Ok(Named { layout, sites, access: access?, valid: valid? })
    }
}

/// What a site is in the expanded program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// An object, by its number.
    Object(usize),
    /// What this edge makes.
    Alloc(FrameId, EdgeId),
}

/// A site of the claim.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub what: What,
    /// Whether a run makes at most one object there.
    pub once: bool,
    /// The slot of its address, counted from the first one of the claim, if that is a slot of the claim's own.
    pub base: Option<usize>,
    /// Whether its addresses are in the set of those in use.
    pub is_counted: bool,
}

/// What happens to columns on an edge.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    /// The parts of the access, if the claim names it.
    pub parts: Option<Vec<Part>>,
    /// The columns that it may touch, if the claim does not name it.
    pub touched: Vec<usize>,
    /// The one site and offset that it is about, if it is one.
    pub only: Option<(usize, u64)>,
}

/// A layout that holds of the program.
pub(crate) struct Claim {
    pub columns: Vec<Column>,
    pub places: Vec<Place>,
    pub routes: FastMap<(FrameId, EdgeId), Route>,
    pub allocs: FastMap<(FrameId, EdgeId), usize>,
    /// The site of an object, by its number.
    pub objects: FastMap<usize, usize>,
    /// Whether there is a set of addresses in use.
    pub has_used: bool,
    n_bases: usize,
    /// Allocated objects whose address, size and end are recorded.
    pub heap: Heap,
}

pub(crate) fn refused(what: &str) -> Refusal {
    Refusal::unknown(Code::Memory, format!("a layout of memory in which {what}"), None)
}

impl Claim {
    /// Checks the layout.
    pub fn new(
        program: &Program,
        terms: &Terms,
        points: &Points<'_>,
        slots: &Slots,
        objects: &Objects,
        named: &Named<'_>,
        budget: &Budget,
    ) -> Result<Self, Refusal> {
        let layout = named.layout;
        let mut claim = Claim {
            columns: layout.columns.clone(),
            places: Vec::new(),
            routes: FastMap::new(),
            allocs: FastMap::new(),
            objects: FastMap::new(),
            has_used: false,
            n_bases: 0,
            heap: Heap::default(),
        };
        let recorded: Vec<(FrameId, &Recorded)> = named.valid.iter().copied().zip(&layout.valid).collect();
        claim.heap = Heap::new(program, terms, &recorded, |frame| points.frames[frame].function)?;
        claim.find_sites(program, points, objects, named, budget)?;
        claim.check_columns(program, objects)?;
        let mut parts: FastMap<(FrameId, EdgeId), &Vec<Part>> = FastMap::new();
        for ((_, edge, list), &frame) in layout.access.iter().zip(&named.access) {
            if parts.insert((frame, *edge), list).is_some() {
                return Err(refused("an access is named twice"));
            }
        }
        claim.route(program, terms, points, slots, objects, &parts, budget)?;
        Ok(claim)
    }
    /// How many slots the claim needs: columns, addresses, the set of addresses in use, what is recorded of allocated objects.
    pub fn n_slots(&self) -> usize {
        self.first_heap_slot() + self.heap.n_slots()
    }
    /// The slot, counted from the claim's first, of the first allocated object.
    pub fn first_heap_slot(&self) -> usize {
        self.columns.len() + self.n_bases + usize::from(self.has_used)
    }
    /// The slot, counted from the claim's first, of the set of addresses in use.
    pub fn used_slot(&self) -> usize {
        self.columns.len() + self.n_bases
    }
    /// Whether the object is one of the claim's.
    pub fn has_object(&self, object: usize) -> bool {
        self.objects.contains_key(&object)
    }
    /// Whether the object is one of the claim's, and runs make it at most once.
    pub fn is_constant(&self, object: usize) -> bool {
        self.objects.get(&object).is_some_and(|&site| self.places[site].once)
    }

    fn find_sites(
        &mut self,
        program: &Program,
        points: &Points<'_>,
        objects: &Objects,
        named: &Named<'_>,
        budget: &Budget,
    ) -> Result<(), Refusal> {
        for (number, (site, frame)) in named.layout.sites.iter().zip(&named.sites).enumerate() {
            let frame = frame.unwrap_or(FrameId::new(0));
            let is_static = |object: ObjectId| program.objects.get(object).map(|info| info.owner.is_none());
            let place = match *site {
                Site::Static(object) | Site::Automatic(_, object) => {
                    let is_kind = is_static(object) == Some(matches!(site, Site::Static(_)));
                    let found = is_kind.then(|| objects.find(program, frame, object)).flatten();
                    let object = found.ok_or_else(|| refused("a site is no object"))?;
                    if self.objects.insert(object, number).is_some() {
                        return Err(refused("an object is named twice"));
                    }
                    let once = matches!(site, Site::Static(_)) || is_entered_once(points, frame, budget)?;
                    Place { what: What::Object(object), once, base: None, is_counted: false }
                }
                Site::Alloc(_, edge) => {
                    let is_alloc = program.edges.get(edge).is_some_and(|info| {
                        matches!(info.action, Action::Alloc { .. })
                            && program.locations[info.from].function == points.frames[frame].function
                    });
                    if !is_alloc || self.allocs.insert((frame, edge), number).is_some() {
                        return Err(refused("a site is no allocation, or named twice"));
                    }
                    let once = is_taken_once(points, frame, How::Step(edge), budget)?;
                    let base = once.then(|| named.layout.columns.len() + self.n_bases);
                    self.n_bases += usize::from(once);
                    Place { what: What::Alloc(frame, edge), once, base, is_counted: false }
                }
            };
            self.places.push(place);
        }
        for &site in &named.layout.counted {
            let place = self.places.get_mut(site as usize).ok_or_else(|| refused("a set of addresses has no site"))?;
            place.is_counted = true;
            self.has_used = true;
        }
        Ok(())
    }

    /// K2 and K5.
    fn check_columns(&self, program: &Program, objects: &Objects) -> Result<(), Refusal> {
        let width = program.pointer_width;
        let mut by_site: Vec<Vec<(usize, Member)>> = vec![Vec::new(); self.places.len()];
        for (number, column) in self.columns.iter().enumerate() {
            let has_size = (1..=1 << 16).contains(&column.bytes);
            if !has_size || column.members.is_empty() {
                return Err(refused("a column has no cells"));
            }
            for &member in &column.members {
                let Class { stride, first } = member.class;
                let is_class = stride == 0 || stride.is_power_of_two() && stride >= column.bytes && first < stride;
                let cells = by_site.get_mut(member.site as usize).filter(|_| is_class);
                cells.ok_or_else(|| refused("a column has cells without a place"))?.push((number, member));
            }
            let site = column.members[0].site;
            let place = &self.places[site as usize];
            let is_one = place.once || matches!(place.what, What::Object(_));
            let is_right = match column.form {
                Form::Cell => true,
                Form::Offset => is_one && column.members.iter().all(|member| member.site == site),
                Form::Scalar => is_one && column.members.len() == 1 && column.members[0].class.stride == 0,
            };
            if !is_right {
                return Err(refused("a column of one object has several"));
            }
        }
        for cells in &by_site {
            for (place, (column, member)) in cells.iter().enumerate() {
                for (other, peer) in &cells[..place] {
                    let (bytes, others) = (self.columns[*column].bytes, self.columns[*other].bytes);
                    let overlap = member.class.may_overlap(bytes, peer.class, others, width);
                    let is_same = column == other && member.class.is_aligned_with(peer.class, bytes);
                    if overlap && !is_same {
                        return Err(refused("two columns share bytes"));
                    }
                }
            }
        }
        debug_assert!(self.objects.len() <= objects.list.len());
        Ok(())
    }

    /// K4 and K6.
    #[allow(clippy::too_many_arguments)] // Each is one part of the expanded program.
    fn route(
        &mut self,
        program: &Program,
        terms: &Terms,
        points: &Points<'_>,
        slots: &Slots,
        objects: &Objects,
        parts: &FastMap<(FrameId, EdgeId), &Vec<Part>>,
        budget: &Budget,
    ) -> Result<(), Refusal> {
        let numbers = Numbers::new(program, points, slots, objects);
        let site_of = |origin: u32| match numbers.what(origin) {
            What::Object(object) => self.objects.get(&object).copied(),
            What::Alloc(frame, edge) => self.allocs.get(&(frame, edge)).copied(),
        };
        let hops = hops(points);
        let mut origins = Origins::new(program, terms, &numbers, points.hops.len(), &hops);
        let ends = |hop: &origin::Hop| {
            let automatic = match hop.step {
                origin::Step::Leave(..) => true,
                origin::Step::Edge(edge) => {
                    let action = &program.edges[edge].action;
                    matches!(action, Action::End { .. } | Action::Free { lifetime: Lifetime::Frame, .. })
                }
                _ => false,
            };
            origin::Ends { heap: false, automatic }
        };
        let kind = |origin: u32| match numbers.what(origin) {
            What::Object(object) => origin::Kind {
                is_heap: false,
                is_automatic: program.objects[objects.list[object].1].owner.is_some(),
                is_many: !is_entered_once(points, objects.list[object].0, budget).unwrap_or(false),
            },
            What::Alloc(frame, edge) => origin::Kind {
                is_heap: true,
                is_automatic: matches!(program.edges[edge].action, Action::Alloc { lifetime: Lifetime::Frame, .. }),
                is_many: !is_taken_once(points, frame, How::Step(edge), budget).unwrap_or(false),
            },
        };
        if origins.compares_ended(points.hops.len(), &hops, ends, kind) {
            let what = "addresses matter of objects that have ended";
            return Err(refused(what));
        }
        let mut routes = FastMap::new();
        for hop in &hops {
            let origin::Step::Edge(edge) = hop.step else { continue };
            let frame = FrameId::new(hop.frame);
            if let Some(pointer) = pointer_of(&program.edges[edge].action).filter(|_| !self.heap.is_empty()) {
                let targets = origins.of_term(hop.from, hop.frame, pointer);
                let alloc_of = |origin: u32| match numbers.what(origin) {
                    What::Alloc(frame, edge) => Some((frame, edge)),
                    What::Object(_) => None,
                };
                self.heap.note(frame, edge, &targets, alloc_of);
            }
            let Some((address, bytes)) = access(program, terms, edge) else { continue };
            let targets = origins.of_term(hop.from, hop.frame, address);
            let route = match parts.get(&(frame, edge)).filter(|_| !is_forget(program, edge)) {
                Some(list) => {
                    let bytes = bytes.ok_or_else(|| refused("an access has no size"))?;
                    self.check_access(program, &targets, bytes, list, &site_of)?;
                    Route { parts: Some((*list).clone()), touched: Vec::new(), only: None }
                }
                None => self.unnamed(program, &targets, bytes, &site_of),
            };
            routes.insert((frame, edge), route);
        }
        self.routes = routes;
        Ok(())
    }
    fn check_access(
        &self,
        program: &Program,
        targets: &Targets,
        bytes: u64,
        parts: &[Part],
        site_of: &dyn Fn(u32) -> Option<usize>,
    ) -> Result<(), Refusal> {
        let width = program.pointer_width;
        let sum = parts.iter().try_fold(0u64, |sum, part| sum.checked_add(part.bytes));
        if sum != Some(bytes) || parts.iter().any(|part| part.bytes == 0) {
            return Err(refused("an access has other bytes"));
        }
        for (origin, class) in targets.iter() {
            let site = (origin != OUTSIDE).then(|| site_of(origin)).flatten();
            let site = site.ok_or_else(|| refused("an access may concern an object that has no columns"))?;
            let mut at = 0;
            for part in parts {
                let here = class.plus(Class::exactly(at), width);
                let is_right = match part.column {
                    Some(column) => self.columns.get(column as usize).is_some_and(|column| {
                        let is_cell = |member: &Member| member.site as usize == site && member.class.covers(here);
                        column.bytes == part.bytes && column.members.iter().any(is_cell)
                    }),
                    None => !self.columns.iter().any(|column| {
                        column.members.iter().any(|member| {
                            member.site as usize == site
                                && member.class.may_overlap(column.bytes, here, part.bytes, width)
                        })
                    }),
                };
                if !is_right {
                    return Err(refused("an access may concern bytes of another column"));
                }
                at += part.bytes;
            }
        }
        // Without targets the run ends here; the columns must exist all the same.
        let exists = |part: &Part| {
            let column = part.column.map(|column| self.columns.get(column as usize));
            column.is_none_or(|column| column.is_some_and(|column| column.bytes == part.bytes))
        };
        parts.iter().all(exists).then_some(()).ok_or_else(|| refused("an access names no column"))
    }
    fn unnamed(
        &self,
        program: &Program,
        targets: &Targets,
        bytes: Option<u64>,
        site_of: &dyn Fn(u32) -> Option<usize>,
    ) -> Route {
        let width = program.pointer_width;
        let touches = |column: &Column| {
            targets.iter().any(|(origin, class)| {
                let Some(site) = (origin != OUTSIDE).then(|| site_of(origin)) else { return true };
                let (class, bytes) = bytes.map_or((Class::ANY, 1), |bytes| (class, bytes));
                let overlaps = |member: &Member| {
                    Some(member.site as usize) == site && member.class.may_overlap(column.bytes, class, bytes, width)
                };
                bytes > 0 && column.members.iter().any(overlaps)
            })
        };
        let touched = (0..self.columns.len()).filter(|&column| touches(&self.columns[column])).collect();
        let mut all = targets.iter();
        let only = match (all.next(), all.next()) {
            (Some((origin, Class { first, stride: 0 })), None) if origin != OUTSIDE => {
                site_of(origin).map(|site| (site, first))
            }
            _ => None,
        };
        Route { parts: None, touched, only }
    }
}

/// The address that a probe asks about, or that something ends at.
fn pointer_of(action: &Action) -> Option<Term> {
    match action {
        Action::Probe { address, .. } | Action::Free { address, .. } => Some(*address),
        Action::Alloc { moved, .. } => *moved,
        _ => None,
    }
}

fn is_forget(program: &Program, edge: EdgeId) -> bool {
    matches!(program.edges[edge].action, Action::Forget { .. })
}

/// The address and the size of an access.
fn access(program: &Program, terms: &Terms, edge: EdgeId) -> Option<(Term, Option<u64>)> {
    match &program.edges[edge].action {
        Action::Load { var, address } => Some((*address, bytes_of(terms, program.vars[*var].sort))),
        Action::Store { address, value } => Some((*address, bytes_of(terms, terms.sort_of(*value)))),
        Action::Forget { address, size, .. } => Some((*address, size.and_then(|size| terms.small_value(size)))),
        _ => None,
    }
}

/// Whether a run takes this way of an activation at most once: no hops lead from behind it back to it.
fn is_taken_once(points: &Points<'_>, frame: FrameId, how: How, budget: &Budget) -> Result<bool, Refusal> {
    for node in (0..points.hops.len()).map(Node::new) {
        for hop in &points.hops[node] {
            let is_it = match (hop.how, how) {
                (How::Step(edge), How::Step(other)) => edge == other && points.place(node).frame == frame,
                (one, other) => one == other,
            };
            if is_it && leads(points, hop.to, node, budget)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
fn is_entered_once(points: &Points<'_>, frame: FrameId, budget: &Budget) -> Result<bool, Refusal> {
    match points.frames[frame].caller {
        None => Ok(true),
        Some((_, call)) => is_taken_once(points, frame, How::Enter(call, frame), budget),
    }
}
fn leads(points: &Points<'_>, from: Node, to: Node, budget: &Budget) -> Result<bool, Refusal> {
    let mut seen = vec![false; points.hops.len()];
    let mut todo = vec![from];
    while let Some(node) = todo.pop() {
        if node == to {
            return Ok(true);
        }
        if !std::mem::replace(&mut seen[node.index()], true) {
            budget.spend(1)?;
            todo.extend(points.hops[node].iter().map(|hop| hop.to));
        }
    }
    Ok(false)
}

fn hops(points: &Points<'_>) -> Vec<origin::Hop> {
    let mut hops = Vec::new();
    for node in (0..points.hops.len()).map(Node::new) {
        let frame = points.place(node).frame.index();
        for hop in &points.hops[node] {
            let step = match hop.how {
                How::Begin => origin::Step::Nothing,
                How::Step(edge) => origin::Step::Edge(edge),
                How::Enter(edge, callee) => origin::Step::Enter(edge, callee.index()),
                How::Leave(edge, _) => origin::Step::Leave(edge, points.place(hop.to).frame.index()),
            };
            hops.push(origin::Hop { from: node.index(), to: hop.to.index(), frame, step });
        }
    }
    hops
}

/// Slots and objects in the words of `program::origin`.
struct Numbers<'a> {
    program: &'a Program,
    slots: &'a Slots,
    objects: &'a Objects,
    allocs: Vec<(FrameId, EdgeId)>,
    number: FastMap<(FrameId, EdgeId), u32>,
}

impl<'a> Numbers<'a> {
    fn new(program: &'a Program, points: &Points<'_>, slots: &'a Slots, objects: &'a Objects) -> Self {
        let mut numbers = Numbers { program, slots, objects, allocs: Vec::new(), number: FastMap::new() };
        for node in (0..points.hops.len()).map(Node::new) {
            for hop in &points.hops[node] {
                let How::Step(edge) = hop.how else { continue };
                let key = (points.place(node).frame, edge);
                if matches!(program.edges[edge].action, Action::Alloc { .. }) && !numbers.number.contains_key(&key) {
                    numbers.number.insert(key, (objects.list.len() + numbers.allocs.len()) as u32);
                    numbers.allocs.push(key);
                }
            }
        }
        numbers
    }
    fn what(&self, site: u32) -> What {
        let site = site as usize;
        if site < self.objects.list.len() {
            return What::Object(site);
        }
        let (frame, edge) = self.allocs[site - self.objects.list.len()];
        What::Alloc(frame, edge)
    }
}

impl Names for Numbers<'_> {
    fn n_slots(&self) -> usize {
        self.slots.vars.len()
    }
    fn slot(&self, frame: usize, var: Var) -> usize {
        self.slots.slot(FrameId::new(frame), var)
    }
    fn n_sites(&self) -> usize {
        self.objects.list.len() + self.allocs.len()
    }
    fn alloc(&self, frame: usize, edge: EdgeId) -> Option<u32> {
        self.number.get(&(FrameId::new(frame), edge)).copied()
    }
    fn addresses(&self) -> Vec<(usize, u32)> {
        let slot = |(frame, object): (FrameId, ObjectId)| self.slots.slot(frame, self.program.objects[object].address);
        self.objects.list.iter().enumerate().map(|(site, &at)| (slot(at), site as u32)).collect()
    }
}
