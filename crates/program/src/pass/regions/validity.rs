//! Validity of accesses to allocated objects, as state of the program.
//!
//! A probe through a pointer asks whether the bytes lie inside a live object. For the object that an `Alloc` made last, three variables
//! record what the answer needs: its address, its size, and whether it is live. `Free` and the return of a function clear
//! the last. For sites whose addresses are stored in memory (lists, arrays of pointers) one array, the *tags*, says for each address which
//! site's object begins there and is live. A probe becomes an ordinary condition about these: `t - base <=u size - bytes`
//! and *live*, or the tag at `t - d` where `d` is the only offset that the address can have. What they do not decide stays free.
//!
//! The idea of the arrays `#valid` and `#length` is that of Ultimate's memory model; unlike there, what one site made last needs no array,
//! since most programs have few objects of a site at a time.
//!
//! Nothing here has to be right for an answer to be right: `certify` makes the same state for the program as lowered (`certify::heap`).

use base::{FastMap, OrderedMap};
use term::{Sort, Term, Terms};

use super::points_to::Found;
use crate::origin::{OUTSIDE, Targets};
use crate::pass::arrays::{array_sort, inside};
use crate::pass::names::{Names, symbol_name};
use crate::pass::shape::expect_inlined;
use crate::pass::{BackMap, Source};
use crate::tuning::Tuning;
use crate::{
    AccessKind, Action, Edge, EdgeId, Frame, FunId, HeapPart, Input, InputKind, Instance, Layout, Lifetime, ObjectId,
    Program, Recorded, Shown, Site, Storage, TAG_BITS, Var, VarKind, Variable,
};

/// Answers probes through pointers to allocated objects. The map leads to the program as lowered.
pub(in crate::pass) fn validity(
    program: Program,
    back: &BackMap,
    terms: &mut Terms,
    found: &Found,
) -> (Program, BackMap) {
    expect_inlined(&program);
    let map = BackMap::identity(&program);
    let sites = if found.compares_ended { Vec::new() } else { sites(&program, found) };
    if sites.is_empty() {
        return (program, map);
    }
    let entry = program.entry.expect("a program has an entry function");
    let names = Names::of(&program, terms);
    let mut pass = Validity { program, map, back, found, names, entry, heap: OrderedMap::default(), tags: None };
    pass.variables(terms, &sites);
    pass.edges(terms);
    pass.start(terms);
    let valid = sites.iter().map(|site| match &found.places[*site as usize].site {
        Site::Alloc(frame, edge) => {
            let is_tagged = pass.heap.get(site).is_some_and(|record| record.tag.is_some());
            Recorded { frame: frame.clone(), edge: *edge, is_tagged }
        }
        _ => unreachable!("only allocations are recorded"),
    });
    let valid = valid.collect();
    pass.map.layout = Some(Layout { valid, ..Layout::default() });
    (pass.program, pass.map)
}

/// The allocations that probes ask about.
fn sites(program: &Program, found: &Found) -> Vec<u32> {
    let mut sites: Vec<u32> = Vec::new();
    for (edge, info) in program.edges.iter_enumerated() {
        let Action::Probe { access, .. } = info.action else { continue };
        if access != AccessKind::Track
            && let Some(targets) = found.pointers.get(&edge)
        {
            sites.extend(targets.iter().map(|(site, _)| site));
        }
    }
    sites.sort_unstable();
    sites.dedup();
    sites.retain(|&site| site != OUTSIDE && matches!(found.places[site as usize].site, Site::Alloc(..)));
    if sites.len() > Tuning::DEFAULT.max_valid_sites { Vec::new() } else { sites }
}

/// The variables of a site.
#[derive(Clone, Copy)]
struct Record {
    base: Var,
    live: Var,
    /// None if it is a constant.
    size: Option<Var>,
    constant: Option<u64>,
    lifetime: Lifetime,
    once: bool,
    /// What the tags say where an object of the site begins.
    tag: Option<u64>,
}

struct Validity<'a> {
    program: Program,
    map: BackMap,
    back: &'a BackMap,
    found: &'a Found,
    names: Names,
    entry: FunId,
    heap: OrderedMap<u32, Record>,
    tags: Option<Var>,
}

impl Validity<'_> {
    fn variable(&mut self, terms: &mut Terms, name: &str, sort: Sort, instance: Instance) -> Var {
        let term = self.names.fresh(terms, name, sort);
        let name = symbol_name(terms, term).to_owned();
        self.map.instances.push(instance);
        let kind = VarKind::Local(self.entry);
        self.program.vars.push(Variable { name, term, sort, kind, shown: Shown::Plain, place: None })
    }
    fn term(&self, var: Var) -> Term {
        self.program.vars[var].term
    }
    fn variables(&mut self, terms: &mut Terms, sites: &[u32]) {
        let width = self.program.pointer_width;
        let (word, truth) = (terms.bv_sort(width), terms.bool_sort());
        let mut lifetimes: FastMap<u32, Lifetime> = FastMap::new();
        for (edge, info) in self.program.edges.iter_enumerated() {
            if let (Action::Alloc { lifetime, .. }, Some(site)) = (&info.action, self.found.alloc_at(edge)) {
                lifetimes.insert(site, *lifetime);
            }
        }
        let mut is_tagged = false;
        for (number, &site) in sites.iter().enumerate() {
            let place = self.found.places[site as usize].clone();
            let Site::Alloc(frame, edge) = place.site else { continue };
            let Some(&lifetime) = lifetimes.get(&site) else { continue };
            let name = format!("heap{}", base::Id::index(edge));
            let storage = |part| Instance { frame: frame.clone(), storage: Storage::Heap { edge, part } };
            let base = self.variable(terms, &format!("{name}.base"), word, storage(HeapPart::Base));
            let live = self.variable(terms, &format!("{name}.live"), truth, storage(HeapPart::Live));
            let size = place
                .size
                .is_none()
                .then(|| self.variable(terms, &format!("{name}.size"), word, storage(HeapPart::Size)));
            let has_tag =
                lifetime == Lifetime::Heap && !place.once && place.size.is_some() && self.found.stored[site as usize];
            is_tagged |= has_tag;
            let tag = has_tag.then_some(number as u64 + 1);
            let record = Record { base, live, size, constant: place.size, lifetime, once: place.once, tag };
            self.heap.insert(site, record);
        }
        if is_tagged {
            let element = terms.bv_sort(TAG_BITS);
            let sort = array_sort(terms, width, element);
            let instance = Instance { frame: Frame::default(), storage: Storage::Tags };
            self.tags = Some(self.variable(terms, "heap.tags", sort, instance));
        }
    }

    fn edges(&mut self, terms: &mut Terms) {
        for edge in self.program.edges.ids().collect::<Vec<_>>() {
            let action = self.program.edges[edge].action.clone();
            let actions = match action {
                Action::Alloc { var, size, moved, .. } => self.alloc(terms, edge, var, size, moved),
                Action::Free { address, .. } => {
                    let mut actions = vec![action];
                    actions.extend(self.free(terms, edge, address));
                    actions
                }
                Action::Probe { var, address, bytes, access } if access != AccessKind::Track => {
                    self.probe(terms, edge, var, address, bytes, access)
                }
                _ => self.leave(terms, edge),
            };
            if actions.len() > 1 || actions.first().is_some_and(|first| !same(first, &self.program.edges[edge].action))
            {
                self.chain(edge, actions);
            }
        }
    }
    fn chain(&mut self, edge: EdgeId, actions: Vec<Action>) {
        let mut actions = actions.into_iter();
        let Some(first) = actions.next() else { return };
        self.program.edges[edge].action = first;
        let mut last = edge;
        for action in actions {
            let Edge { to, place, .. } = self.program.edges[last];
            let middle = self.map.location_like(&mut self.program, to);
            self.program.edges[last].to = middle;
            let next = Edge { from: middle, to, action, place };
            last = self.map.edge_like(&mut self.program, next, Some(edge));
        }
    }

    /// The size is computed before the address is there, since both may be in one variable.
    fn alloc(&mut self, terms: &mut Terms, edge: EdgeId, var: Var, size: Term, moved: Option<Term>) -> Vec<Action> {
        let action = self.program.edges[edge].action.clone();
        let mut actions: Vec<Action> = moved.and_then(|old| self.free(terms, edge, old)).into_iter().collect();
        let record = self.found.alloc_at(edge).and_then(|site| self.heap.get(&site).copied());
        let Some(record) = record else {
            actions.push(action);
            return actions;
        };
        if let Some(target) = record.size {
            actions.push(Action::Assign(vec![(target, size)]));
        }
        actions.push(action);
        let base = self.term(var);
        let mut pairs = vec![(record.base, base), (record.live, terms.truth(true))];
        if let (Some(tag), Some(tags)) = (record.tag, self.tags) {
            let tag = terms.bv(TAG_BITS, tag);
            pairs.push((tags, terms.store(self.program.vars[tags].term, base, tag)));
        }
        // One past the end is still an address, and no live object begins there.
        let size = self.size(terms, &record);
        let end = terms.bv_not(size);
        let mut known = vec![terms.bv_ule(base, end)];
        if let Some(tags) = self.tags.filter(|_| record.tag.is_some()) {
            let (here, none) = (terms.select(self.program.vars[tags].term, base), terms.bv(TAG_BITS, 0));
            known.push(terms.eq(here, none));
        }
        let site = self.found.alloc_at(edge);
        // Where one pointer may lead to both, their addresses are compared.
        let meets = |other: u32| {
            let is_both = |targets: &Targets| {
                let has = |wanted: u32| targets.iter().any(|(target, _)| target == wanted);
                has(other) && site.is_some_and(has)
            };
            self.program.edges.ids().filter_map(|edge| self.found.pointers.get(&edge)).any(is_both)
        };
        for (_, other) in self.heap.iter().filter(|(other, _)| Some(**other) != site && meets(**other)) {
            let (live, place) = (self.term(other.live), self.term(other.base));
            let (ended, differs) = (terms.not(live), terms.ne(base, place));
            known.push(terms.or(&[ended, differs]));
        }
        let known = terms.and(&known);
        actions.push(Action::Assume(known));
        actions.push(Action::Assign(pairs));
        actions
    }
    fn size(&self, terms: &mut Terms, record: &Record) -> Term {
        match (record.size, record.constant) {
            (Some(size), _) => self.term(size),
            (None, size) => terms.bv(self.program.pointer_width, size.unwrap_or(0)),
        }
    }
    /// The object that begins at the address ends.
    fn free(&mut self, terms: &mut Terms, edge: EdgeId, address: Term) -> Option<Action> {
        let targets = self.found.pointers.get(&edge)?;
        let is_concerned = |site: u32| targets.iter().any(|(target, _)| target == site || target == OUTSIDE);
        let mut pairs = Vec::new();
        let mut is_tagged = false;
        let ending = self.heap.iter().filter(|(site, _)| is_concerned(**site));
        for (_, record) in ending {
            is_tagged |= record.tag.is_some();
            let (base, live) = (self.term(record.base), self.term(record.live));
            let differs = terms.ne(address, base);
            pairs.push((record.live, terms.and(&[live, differs])));
        }
        if let Some(tags) = self.tags.filter(|_| is_tagged) {
            let none = terms.bv(TAG_BITS, 0);
            pairs.push((tags, terms.store(self.program.vars[tags].term, address, none)));
        }
        (!pairs.is_empty()).then_some(Action::Assign(pairs))
    }
    /// Memory on the stack ends with its function.
    fn leave(&mut self, terms: &mut Terms, edge: EdgeId) -> Vec<Action> {
        let Edge { from, to, ref action, .. } = self.program.edges[edge];
        let (from, to) = (&self.back.points[from].frame, &self.back.points[to].frame);
        if to.0.len() >= from.0.len() {
            return Vec::new();
        }
        let mut pairs = Vec::new();
        for (&site, record) in self.heap.iter().filter(|(_, record)| record.lifetime == Lifetime::Frame) {
            let Site::Alloc(home, _) = &self.found.places[site as usize].site else { continue };
            if !to.0.starts_with(&home.0) {
                pairs.push((record.live, terms.truth(false)));
            }
        }
        if pairs.is_empty() { Vec::new() } else { vec![action.clone(), Action::Assign(pairs)] }
    }

    fn probe(
        &mut self,
        terms: &mut Terms,
        edge: EdgeId,
        var: Var,
        address: Term,
        bytes: u64,
        access: AccessKind,
    ) -> Vec<Action> {
        let Some(targets) = self.found.pointers.get(&edge).cloned() else { return Vec::new() };
        if !targets.iter().any(|(site, _)| self.heap.contains_key(&site)) {
            return Vec::new();
        }
        let mut ways = Vec::new();
        if access == AccessKind::Free {
            let null = terms.bv(self.program.pointer_width, 0);
            ways.push(terms.eq(address, null));
        }
        let mut is_exact = true;
        for (site, class) in targets.iter() {
            let is_first = targets.iter().take_while(|(other, _)| *other != site).count();
            let is_first = targets.iter().nth(is_first) == Some((site, class));
            match self.heap.get(&site).copied() {
                // The tag says it all.
                Some(record) if record.tag.is_some() && class.stride == 0 => {
                    ways.extend(self.by_tag(terms, &record, address, class.first, bytes, access));
                }
                Some(record) => {
                    is_exact &= record.once;
                    if is_first {
                        ways.extend(self.in_last(terms, &record, address, bytes, access));
                    }
                }
                None if is_first => match self.in_named(terms, site, address, bytes, access) {
                    Some(way) => ways.push(way),
                    None => is_exact = false,
                },
                None => {}
            }
        }
        let valid = terms.or(&ways);
        if is_exact {
            return vec![Action::Assign(vec![(var, valid)])];
        }
        let free = self.term(var);
        let valid = terms.or(&[valid, free]);
        vec![self.any(var), Action::Assign(vec![(var, valid)])]
    }
    /// Inside the object that the site made last.
    fn in_last(
        &self,
        terms: &mut Terms,
        record: &Record,
        address: Term,
        bytes: u64,
        access: AccessKind,
    ) -> Option<Term> {
        let (base, live) = (self.term(record.base), self.term(record.live));
        if access == AccessKind::Free {
            let is_base = terms.eq(address, base);
            return (record.lifetime == Lifetime::Heap).then(|| terms.and(&[live, is_base]));
        }
        let offset = terms.bv_sub(address, base);
        let within = match record.constant {
            Some(size) => inside(terms, offset, bytes, size),
            None => {
                let (size, bytes) = (self.size(terms, record), terms.bv(self.program.pointer_width, bytes));
                let has_room = terms.bv_ule(bytes, size);
                let last = terms.bv_sub(size, bytes);
                let is_before = terms.bv_ule(offset, last);
                terms.and(&[has_room, is_before])
            }
        };
        Some(terms.and(&[live, within]))
    }
    /// Inside a live object of the site that begins this far before.
    fn by_tag(
        &self,
        terms: &mut Terms,
        record: &Record,
        address: Term,
        offset: u64,
        bytes: u64,
        access: AccessKind,
    ) -> Option<Term> {
        let (tags, tag, size) = (self.tags?, record.tag?, record.constant?);
        let is_inside = match access {
            AccessKind::Free => offset == 0,
            _ => offset.checked_add(bytes).is_some_and(|end| end <= size),
        };
        if !is_inside {
            return None;
        }
        let offset = terms.bv(self.program.pointer_width, offset);
        let base = terms.bv_sub(address, offset);
        let here = terms.select(self.term(tags), base);
        let tag = terms.bv(TAG_BITS, tag);
        Some(terms.eq(here, tag))
    }
    /// Inside a named object, if it lives throughout.
    fn in_named(&self, terms: &mut Terms, site: u32, address: Term, bytes: u64, access: AccessKind) -> Option<Term> {
        let place = self.found.places.get(site as usize).filter(|place| place.once)?;
        let (frame, lowered) = match &place.site {
            Site::Static(object) => (&Frame::default(), object),
            Site::Automatic(frame, object) => (frame, object),
            Site::Alloc(..) => return None,
        };
        let is_it = |&object: &ObjectId| {
            let (home, old) = &self.back.objects[object];
            home == frame && old == lowered
        };
        let object = self.program.objects.ids().find(is_it)?;
        let ends = |edge: &Edge| matches!(edge.action, Action::End { object: ended } if ended == object);
        let info = &self.program.objects[object];
        // An object of a function that returns may have become an allocation.
        let is_allocated = |edge: &Edge| match edge.action {
            Action::Alloc { var, .. } => self.back.instances[var] == self.back.instances[info.address],
            _ => false,
        };
        if self.program.edges.iter().any(|edge| ends(edge) || is_allocated(edge)) {
            return None;
        }
        if access == AccessKind::Free || access == AccessKind::Write && info.read_only {
            return Some(terms.truth(false));
        }
        let offset = terms.bv_sub(address, self.term(info.address));
        Some(inside(terms, offset, bytes, info.size))
    }

    /// No object is live before the program starts. Where one would begin then, and its size, are any words: a path without the allocation reads them, too.
    fn start(&mut self, terms: &mut Terms) {
        let no = terms.truth(false);
        let mut pairs: Vec<(Var, Term)> = self.heap.values().map(|record| (record.live, no)).collect();
        if let Some(tags) = self.tags {
            let none = terms.bv(TAG_BITS, 0);
            pairs.push((tags, terms.const_array(self.program.vars[tags].sort, none)));
        }
        let old = self.program.functions[self.entry].entry;
        let new = self.map.location_like(&mut self.program, old);
        self.program.functions[self.entry].entry = new;
        let place = self.program.locations[old].place;
        let first = Action::Assign(pairs);
        let edge = Edge { from: new, to: old, action: first.clone(), place };
        let edge = self.map.edge_like(&mut self.program, edge, None);
        let mut actions = vec![first];
        for var in self.heap.values().flat_map(|record| [Some(record.base), record.size]).flatten().collect::<Vec<_>>()
        {
            actions.push(self.any(var));
        }
        self.chain(edge, actions);
    }
    /// The variable becomes any value.
    fn any(&mut self, var: Var) -> Action {
        self.map.inputs.push(Source { input: None, offset: None });
        let input = self.program.inputs.push(Input { kind: InputKind::Memory, shown: Shown::Plain, place: None });
        Action::Havoc { var, input }
    }
}

/// Whether nothing was changed.
fn same(one: &Action, other: &Action) -> bool {
    matches!((one, other), (Action::Alloc { var, .. }, Action::Alloc { var: same, .. }) if var == same)
        || matches!((one, other), (Action::Free { address, .. }, Action::Free { address: same, .. }) if address == same)
}

/// The targets of what an action asks about or ends.
pub(super) fn pointer_of(action: &Action) -> Option<Term> {
    match action {
        Action::Probe { address, access, .. } if *access != AccessKind::Track => Some(*address),
        Action::Free { address, .. } => Some(*address),
        Action::Alloc { moved, .. } => *moved,
        _ => None,
    }
}

/// Marks the sites whose addresses are stored in memory.
pub(super) fn note_stored(stored: &mut [bool], targets: &Targets) {
    for (site, _) in targets.iter().filter(|(site, _)| *site != OUTSIDE) {
        stored[site as usize] = true;
    }
}
